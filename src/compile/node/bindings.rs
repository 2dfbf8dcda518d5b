//! Bindings of a node: the moments of a compilation at which they count, and the question of code for a key.
//! It must not know how an injector decides.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use pantin_bindings::{
    Call, Definition, Injector, Place, Problem, ProvidedBinding, Runtime, Subject, key_of, key_of_type, rule,
    sort_problems,
};
use pantin_eval::Body;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Answer, Failure, InjectionKind, InjectionQuestion};
use pantin_syntax::ast::NodeId;
use pantin_values::{Fault, Hash, Str, Type, Value};
use pantin_world::node::NodeClasses;
use rustc_hash::FxHashMap;

use super::state::{OwnResource, ResourceId, ResourceKind, TOP};
use super::{Compiler, Main};
use crate::bindings::{
    BindingsFolders, EvaluatedSite, ResolvedLayers, SiteFailure, SiteStatements, are_errors, failure_from,
    located_fault,
};
use crate::code::{CodeFile, DefKind};
use crate::report::failure_of;

/// What a node's compilation knows of bindings.
#[derive(Default)]
pub(super) struct NodeBindings {
    /// Where nothing is bound at all, there is none.
    pub(super) injector: Option<Rc<Injector>>,
    pub(super) runtime: Runtime,
    /// Where code runs that may not inject.
    pub(super) forbidden_in: Option<&'static str>,
    /// Whether `inject` and its kin are functions here.
    pub(super) is_known: bool,
    /// The parts of what the ENC said that layers have taken.
    pub(super) enc: EncParts,
    /// Code of files of bindings, lowered.
    pub(super) lowered: FxHashMap<(usize, NodeId), Arc<Body>>,
    /// Types whose exported resources were queried.
    pub(super) queried_types: BTreeSet<Str>,
}

/// Parts of what an ENC says.
#[derive(Clone, Copy, Default)]
pub(super) struct EncParts {
    pub(super) classes: bool,
    pub(super) parameters: bool,
    pub(super) variables: bool,
}

impl Compiler<'_> {
    /// Returns true if something may be bound in the environment.
    pub(crate) fn has_bindings(&self) -> bool {
        self.bindings.is_known
    }

    fn bindings_folders(&self) -> BindingsFolders {
        let environment = &self.request.environment;
        BindingsFolders {
            confdir: environment.bindings.confdir.clone(),
            environment: environment.folder.clone(),
            own: environment.bindings.folder.clone(),
        }
    }

    /// Makes the injector, and sets the variables that are bound; nothing, where nothing is bound.
    pub(super) fn begin_bindings(&mut self, main: &Main<'_>) -> Result<(), Failure> {
        if self.loader.base.settings.language != pantin_base::Language::Puppet8 {
            return Ok(());
        }
        let folders = self.bindings_folders();
        let statements = SiteStatements::find(self.loader.base, main.files, &folders).map_err(failure_of)?;
        let is_known = statements.is_there
            || self.request.environment.bindings.is_from_environments_file
            || self.loader.base.knows_default_bindings(&folders);
        if !is_known {
            return Ok(());
        }
        self.bindings.is_known = true;
        let site = self.evaluate_site(&statements, main.files, &folders)?;
        let resolved = site.layers.resolve(self.loader.base, &folders).map_err(failure_of)?;
        self.tell();
        self.make_injector(site, resolved)?;
        self.set_bound_variables()
    }

    fn evaluate_site(
        &mut self,
        statements: &SiteStatements,
        files: &[Arc<CodeFile>],
        folders: &BindingsFolders,
    ) -> Result<EvaluatedSite, Failure> {
        let names = (self.request.node.name.clone(), self.request.environment.name.clone());
        let mut evaluate = |file: &Arc<CodeFile>, node: NodeId, what: &'static str| {
            self.bindings.forbidden_in = Some(what);
            let builtins = self.loader.base.builtins;
            let body = Arc::new(pantin_eval::expression_body(&file.ast, node, "site", builtins));
            let result = self.evaluate_apart(&body, true);
            self.bindings.forbidden_in = None;
            result
        };
        let found = statements.evaluate(files, folders, (&names.0, &names.1), &mut evaluate);
        found.map_err(|failed| match failed {
            SiteFailure::Problems(mut problems) => {
                sort_problems(&mut problems);
                failure_from(&problems, &mut self.log)
                    .unwrap_or_else(|| failure_of(Fault::new("internal error: no problem")))
            }
            SiteFailure::Fault(fault) => failure_of(fault),
        })
    }

    fn make_injector(&mut self, site: EvaluatedSite, resolved: ResolvedLayers) -> Result<(), Failure> {
        let ResolvedLayers { mut layers, mut problems, others } = resolved;
        for (layer, wanted) in &others {
            if wanted.uri.scheme != "enc" {
                continue;
            }
            match self.enc_definition(&wanted.uri) {
                Some(definition) => layers[*layer].definitions.push(definition),
                None => {
                    let message = format!("Could not find bindings '{}'", wanted.uri.written);
                    problems.push(crate::bindings::problem(rule::NOT_FOUND, message, wanted));
                }
            }
        }
        if !are_errors(&problems) {
            self.open_providers(&site, &mut layers, &others, &mut problems)?;
        }
        if are_errors(&problems) {
            sort_problems(&mut problems);
            let failure = failure_from(&problems, &mut self.log);
            return failure.map_or(Ok(()), Err);
        }
        let (injector, found) = Injector::new(layers, site.state, &mut BindingsOutside(self));
        problems.extend(found);
        if !are_errors(&problems) || problems.iter().all(|problem| problem.rule.code != rule::LIMIT.code) {
            problems.extend(self.variable_problems(&injector));
        }
        sort_problems(&mut problems);
        if let Some(failure) = failure_from(&problems, &mut self.log) {
            return Err(failure);
        }
        self.bindings.runtime.forget_values();
        let injector = Rc::new(injector);
        self.bindings.injector = Some(Rc::clone(&injector));
        self.state.replace_types(injector.replaced_types());
        Ok(())
    }

    // ---- the ENC ----

    /// What the ENC said as a definition; `None`: it has no such part.
    fn enc_definition(&mut self, uri: &pantin_bindings::Uri) -> Option<Arc<Definition>> {
        use pantin_bindings::{ProvidedItem, Segment};
        let part = match uri.segments.as_slice() {
            [] | [Segment::One | Segment::Any] => None,
            [Segment::Name(name)] => Some(name.clone()),
            _ => return None,
        };
        let takes = |name: &str| part.as_ref().is_none_or(|part| part == name);
        if !["classes", "parameters", "variables"].iter().any(|name| takes(name)) {
            return None;
        }
        let node = Arc::clone(&self.request.node);
        let condition = vec![(Str::from("node"), vec![Str::from(node.name.as_str())])];
        let binding = |item| ProvidedBinding { condition: condition.clone(), item, ..ProvidedBinding::default() };
        let mut bindings = Vec::new();
        let classes: Vec<(Str, Option<Hash>)> = match &node.classes {
            NodeClasses::Names(names) => names.iter().map(|name| (name.clone(), None)).collect(),
            NodeClasses::WithParameters(classes) => classes.clone(),
        };
        if takes("classes") {
            self.bindings.enc.classes = true;
            bindings.push(binding(ProvidedItem::Include(classes.iter().map(|(name, _)| name.clone()).collect())));
        }
        if takes("parameters") {
            self.bindings.enc.parameters = true;
            for (name, values) in &classes {
                if let Some(values) = values {
                    let of = Subject::Class(name.strip_prefix("::").unwrap_or(name).to_lowercase());
                    bindings.push(binding(ProvidedItem::Parameters { of, values: values.clone() }));
                }
            }
        }
        if takes("variables") {
            self.bindings.enc.variables = true;
            bindings.push(binding(ProvidedItem::Variables(node.parameters.clone())));
        }
        let uri = part.map_or("enc:/".to_owned(), |part| format!("enc:/{part}"));
        Some(Arc::new(Definition::from_provided(&uri, &bindings)))
    }

    // ---- variables ----

    /// Variables that are bound, and that the node brings too.
    fn variable_problems(&mut self, injector: &Injector) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (name, key) in injector.bound_variables() {
            let is_known = self.state.is_known_of_node(&name);
            let by = match self.state.is_fact(&name) {
                true => "a fact",
                false if is_known && !self.bindings.enc.variables => "the ENC",
                // The ENC hides a fact of the name, and a layer has taken what it says.
                false if is_known && self.request.node.facts.get_str(&name).is_some() => "a fact",
                false => continue,
            };
            if let Some((problem, false)) = injector.variable_binding(&key) {
                let message = format!("The variable ${name} is bound, and {by} sets it too");
                problems.push(Problem { message, ..problem });
            }
        }
        problems
    }

    fn set_bound_variables(&mut self) -> Result<(), Failure> {
        let Some(injector) = self.bindings.injector.clone() else { return Ok(()) };
        let mut values = Vec::new();
        for (name, key) in injector.bound_variables() {
            let call = Call { key, wanted: None, arguments: None, instance: None };
            let value = injector.inject(&call, &mut BindingsOutside(self)).map_err(failure_of)?;
            if let Some(value) = value {
                values.push((name, value));
            }
        }
        self.state.bind_variables(values);
        Ok(())
    }

    // ---- the question of code ----

    pub(super) fn answer_injection(&mut self, question: &InjectionQuestion) -> Answer {
        if let Some(place) = self.bindings.forbidden_in {
            let fault = Fault::issue(rule::INJECT_NOT_HERE.code, format!("Injection is not allowed in {place}"));
            return Answer::Fault(fault.with_help(rule::INJECT_NOT_HERE.help));
        }
        let Some(injector) = self.bindings.injector.clone() else { return Answer::Absent };
        let InjectionQuestion { kind, value_type, name, arguments } = question;
        let of = value_type.as_ref();
        let key = match (of, name) {
            (Some(of), Some(name)) if name.starts_with('/') => key_of(Some(of), Some(name)),
            (of, Some(name)) => key_of(of, Some(name)),
            (Some(of), None) => key_of_type(of),
            (None, None) => return Answer::Absent,
        };
        let wanted = of.filter(|_| name.is_some()).cloned();
        let instance = of.filter(|_| name.is_none() && !injector.is_bound(&key)).and_then(new_type);
        let call = Call { key: key.clone(), wanted, arguments: arguments.clone(), instance };
        let must = matches!(kind, InjectionKind::Value | InjectionKind::Producer);
        if matches!(kind, InjectionKind::Producer | InjectionKind::OptionalProducer) {
            return match injector.is_bound(&key) || call.instance.is_some() {
                true => Answer::Value(true.into()),
                false if must => Answer::Fault(injector.unbound(&key)),
                false => Answer::Absent,
            };
        }
        let has_instance = call.instance.is_some();
        match injector.inject(&call, &mut BindingsOutside(self)) {
            Ok(Some(value)) => Answer::Value(value),
            Ok(None) if must => Answer::Fault(injector.unbound(&key)),
            Ok(None) => Answer::Absent,
            Err(_) if has_instance && must => Answer::Fault(injector.unbound(&key)),
            Err(_) if has_instance => Answer::Absent,
            Err(fault) => Answer::Fault(fault),
        }
    }

    /// What is bound for a parameter of the class whose body is about to run.
    pub(super) fn bound_parameter(&mut self, key: &str) -> Option<Answer> {
        let injector = self.bindings.injector.clone()?;
        let (class, name) = key.rsplit_once("::")?;
        let of = format!("Class[{class}]");
        let bound = self.before_it_is_named(|compiler| injector.parameter(&of, name, &mut BindingsOutside(compiler)));
        match bound {
            Ok(None) => None,
            Ok(Some(value)) => Some(Answer::Value(value)),
            Err(fault) => Some(Answer::Fault(of_parameter(&Subject::Class(class.to_owned()), name, fault))),
        }
    }

    /// Refuses what is bound for parameters that a class has not, and sets bound metaparameters.
    pub(super) fn bind_class(&mut self, own: &OwnResource, class: &str, body: Option<&Body>) -> Result<(), Failure> {
        let Some(injector) = self.bindings.injector.clone() else { return Ok(()) };
        let subject = Subject::Class(class.to_owned());
        let of = subject.key_text();
        if !injector.has_parameters(&of) {
            return Ok(());
        }
        let is_parameter = |name: &str| body.is_some_and(|body| body.has_parameter(name));
        let known: Vec<Str> =
            body.iter().flat_map(|body| body.lambda.params.iter().map(|param| param.name.clone())).collect();
        let mut names = injector.parameter_names(&of);
        let sources = injector.source_names(&of, &mut BindingsOutside(self)).map_err(failure_of)?;
        let at = injector.source_place(&of);
        names.extend(at.into_iter().flat_map(|at| sources.iter().map(move |name| (name.clone(), at.clone()))));
        self.check_parameter_names(&subject, &names, &known)?;
        for (name, _) in names {
            if is_parameter(&name) || !self.state.takes_binding(own, &name, false) {
                continue;
            }
            let bound = injector.parameter(&of, &name, &mut BindingsOutside(self));
            let bound = bound.map_err(|fault| failure_of(of_parameter(&subject, &name, fault)))?;
            if let Some(value) = bound {
                self.state.bind_parameter(own, &name, value);
            }
        }
        Ok(())
    }

    /// Fails for a bound parameter that is neither known nor one of all resources.
    fn check_parameter_names(&mut self, of: &Subject, names: &[(Str, Place)], known: &[Str]) -> Result<(), Failure> {
        let unknown: Vec<&(Str, Place)> = names
            .iter()
            .filter(|(name, _)| !known.contains(name) && !METAPARAMETERS.contains(&name.as_str()))
            .collect();
        let mut problems: Vec<Problem> = unknown
            .into_iter()
            .map(|(name, place)| {
                let near = pantin_base::nearest(name, known.iter().map(Str::as_str));
                let message = format!("{} has no parameter '{name}'", of.shown());
                let help = near.map(|near| format!("did you mean {near}?"));
                Problem::new(rule::NO_PARAMETER, message, place.clone()).with_help(help)
            })
            .collect();
        sort_problems(&mut problems);
        failure_from(&problems, &mut self.log).map_or(Ok(()), Err)
    }

    /// Gives an instance of a defined type, or a native resource, the parameters that are bound for it.
    pub(super) fn bind_resource(&mut self, own: &OwnResource) -> Result<(), Failure> {
        let Some(injector) = self.bindings.injector.clone() else { return Ok(()) };
        let (type_name, title) = (self.state.type_name(own.id()).to_string(), self.state.title(own.id()).to_string());
        let type_subject = Subject::Type(type_name.clone());
        let instance = Subject::Resource(type_name, title);
        for (subject, beats_defaults) in [(instance, true), (type_subject, false)] {
            let of = subject.key_text();
            if !injector.has_parameters(&of) {
                continue;
            }
            let known = self.attribute_names(own.id());
            let mut names = injector.parameter_names(&of);
            self.check_parameter_names(&subject, &names, &known)?;
            if injector.has_sources(&of) {
                let sources = injector.source_names(&of, &mut BindingsOutside(self)).map_err(failure_of)?;
                let at = injector.source_place(&of);
                let of_sources: Vec<(Str, Place)> =
                    at.into_iter().flat_map(|at| sources.iter().map(move |name| (name.clone(), at.clone()))).collect();
                self.check_parameter_names(&subject, &of_sources, &known)?;
                names.extend(of_sources);
            }
            names.sort_by(|(one, _), (other, _)| one.cmp(other));
            names.dedup_by(|(one, _), (other, _)| one == other);
            for (name, _) in names {
                if !self.state.takes_binding(own, &name, beats_defaults) {
                    continue;
                }
                let bound = injector.parameter(&of, &name, &mut BindingsOutside(self));
                let bound = bound.map_err(|fault| failure_of(of_parameter(&subject, &name, fault)))?;
                if let Some(value) = bound {
                    self.state.bind_parameter(own, &name, value);
                }
            }
        }
        Ok(())
    }

    /// The parameters of a resource's type, metaparameters left out.
    fn attribute_names(&self, id: ResourceId) -> Vec<Str> {
        match self.state.kind(id) {
            ResourceKind::Native(native) => native.properties().iter().chain(native.parameters()).cloned().collect(),
            ResourceKind::Def(definition) => {
                let body = definition.body(self.loader.base.builtins);
                body.iter().flat_map(|body| body.lambda.params.iter().map(|param| param.name.clone())).collect()
            }
        }
    }

    // ---- classes, replacements, dependencies ----

    /// Includes the classes that are bound, as code of the top scope does it.
    pub(super) fn include_bound_classes(&mut self) -> Result<(), Failure> {
        let Some(injector) = self.bindings.injector.clone() else { return Ok(()) };
        let names = injector.classes(&mut BindingsOutside(self)).map_err(failure_of)?;
        for name in names {
            self.include_at_top(&name)?;
        }
        self.tell();
        Ok(())
    }

    /// The name of the class that is declared where this one is named.
    pub(super) fn replaced_class(&mut self, name: &str) -> Result<Option<Str>, Fault> {
        let Some(injector) = self.bindings.injector.clone().filter(|injector| injector.has_replacements()) else {
            return Ok(None);
        };
        let old = Subject::Class(name.strip_prefix("::").unwrap_or(name).to_lowercase());
        let Some((new, place)) = injector.replacement(&old) else { return Ok(None) };
        self.check_replacement(&old, new, place)?;
        match new {
            Subject::Class(new) => Ok(Some(new.as_str().into())),
            _ => Ok(None),
        }
    }

    /// The name of the type of resources that is declared where this one is named.
    pub(super) fn replaced_type(&mut self, name: &str) -> Result<Option<Str>, Fault> {
        let Some(injector) = self.bindings.injector.clone().filter(|injector| injector.has_replacements()) else {
            return Ok(None);
        };
        let old = Subject::Type(super::reference_name(&name.to_lowercase()).to_string());
        let Some((new, place)) = injector.replacement(&old) else { return Ok(None) };
        self.check_replacement(&old, new, place)?;
        match new {
            Subject::Type(new) => Ok(Some(new.to_lowercase().into())),
            _ => Ok(None),
        }
    }

    fn check_replacement(&mut self, old: &Subject, new: &Subject, place: Place) -> Result<(), Fault> {
        let Some(reason) = self.replacement_reason(old, new)? else { return Ok(()) };
        let message = format!("{} is no replacement of {}: {reason}", new.shown(), old.shown());
        Err(located_fault(&Problem::new(rule::REPLACEMENT, message, place)))
    }

    /// Why one class or type cannot stand in the place of another.
    pub(super) fn replacement_reason(&mut self, old: &Subject, new: &Subject) -> Result<Option<String>, Fault> {
        match (old, new) {
            (Subject::Class(old), Subject::Class(new)) => {
                let Some(class) = self.find_class(new)? else { return Ok(Some(format!("there is no class {new}"))) };
                let mut line = Some(class.clone());
                let mut steps = 0;
                while let Some(one) = line.take().filter(|one| one.name != *old) {
                    steps += 1;
                    match one.parent.clone().filter(|_| steps < pantin_base::limits::BODY_DEPTH) {
                        Some(parent) => line = self.find_class(&parent)?,
                        None => return Ok(Some("it does not inherit it".to_owned())),
                    }
                    if line.is_none() {
                        return Ok(Some("it does not inherit it".to_owned()));
                    }
                }
                self.missing_parameter(&Subject::Class(old.clone()), &Subject::Class(new.clone()))
            }
            (Subject::Type(old), Subject::Type(new)) => {
                let (before, after) = (self.unreplaced_kind(old)?, self.unreplaced_kind(new)?);
                match (before, after) {
                    (Some(ResourceKind::Def(_)), Some(ResourceKind::Native(_)) | None) => {
                        Ok(Some("it is no defined type".to_owned()))
                    }
                    (Some(ResourceKind::Native(_)), Some(ResourceKind::Def(_)) | None) => {
                        Ok(Some("it is no resource type".to_owned()))
                    }
                    _ => self.missing_parameter(&Subject::Type(old.clone()), &Subject::Type(new.clone())),
                }
            }
            (Subject::Class(_), _) => Ok(Some("it is no class".to_owned())),
            (Subject::Type(_), _) => Ok(Some("it is no type of resources".to_owned())),
            _ => Ok(None),
        }
    }

    fn missing_parameter(&mut self, old: &Subject, new: &Subject) -> Result<Option<String>, Fault> {
        let (old, new) = (self.subject_parameters(old)?, self.subject_parameters(new)?);
        let new = new.unwrap_or_default();
        let missing = old.unwrap_or_default().into_iter().find(|name| !new.contains(name));
        Ok(missing.map(|name| format!("it has no parameter '{name}'")))
    }

    /// The names of the parameters of a class or a type.
    pub(super) fn subject_parameters(&mut self, of: &Subject) -> Result<Option<Vec<Str>>, Fault> {
        let of_body = |body: Option<Arc<Body>>| -> Vec<Str> {
            body.iter().flat_map(|body| body.lambda.params.iter().map(|param| param.name.clone())).collect()
        };
        let builtins = self.loader.base.builtins;
        Ok(match of {
            Subject::Class(name) => self.find_class(name)?.map(|class| of_body(class.body(builtins))),
            Subject::Type(name) | Subject::Resource(name, _) => match self.unreplaced_kind(name)? {
                Some(ResourceKind::Native(native)) => {
                    Some(native.properties().iter().chain(native.parameters()).cloned().collect())
                }
                Some(ResourceKind::Def(definition)) if matches!(definition.kind, DefKind::Define) => {
                    Some(of_body(definition.body(builtins)))
                }
                _ => None,
            },
            Subject::Object(name) => {
                use pantin_values::Resolve;
                match self.loader.resolve(name)?.map(|of| of.resolved().clone()) {
                    Some(Type::Object(object)) => {
                        let classes = object.line();
                        Some(classes.flat_map(|class| class.attributes.iter().map(|(name, _)| name.clone())).collect())
                    }
                    _ => None,
                }
            }
        })
    }

    /// Adds the edges that are bound, where both sides are in the catalog.
    pub(super) fn add_bound_dependencies(&mut self) {
        let Some(injector) = self.bindings.injector.clone() else { return };
        let log = self.state.log(super::Observer::Finish);
        for ((from, arrow, to), _) in &injector.dependencies {
            let find = |compiler: &Self, subject: &Subject| -> Option<ResourceId> {
                match subject {
                    Subject::Class(name) => compiler.state.find_presence("Class", name, &log),
                    Subject::Resource(type_name, title) => compiler.state.find_presence(type_name, title, &log),
                    _ => None,
                }
            };
            if let (Some(from), Some(to)) = (find(self, from), find(self, to)) {
                let name = match arrow {
                    pantin_bindings::DependencyArrow::Before => "before",
                    pantin_bindings::DependencyArrow::Notify => "notify",
                };
                let target = self.state.reference(to);
                self.state.add_relationship(from, name, target.into());
            }
        }
    }

    /// The arguments of an instance, with what is bound for attributes that none is given for.
    pub(super) fn instance_arguments(&mut self, of: &Type, arguments: Option<Hash>) -> Result<Option<Hash>, Fault> {
        let Type::Object(object) = of.resolved() else { return Ok(arguments) };
        let Some(injector) = self.bindings.injector.clone() else { return Ok(arguments) };
        let subject = Subject::Object(object.name.as_deref().unwrap_or_default().to_owned());
        let key = subject.key_text();
        if !injector.has_parameters(&key) {
            return Ok(arguments);
        }
        let known: Vec<Str> =
            object.line().flat_map(|class| class.attributes.iter().map(|(name, _)| name.clone())).collect();
        let mut names = injector.parameter_names(&key);
        for (name, place) in &names {
            if !known.contains(name) {
                let near = pantin_base::nearest(name, known.iter().map(Str::as_str));
                let message = format!("{} has no parameter '{name}'", subject.shown());
                let help = near.map(|near| format!("did you mean {near}?"));
                return Err(located_fault(&Problem::new(rule::NO_PARAMETER, message, place.clone()).with_help(help)));
            }
        }
        names.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut arguments = arguments.unwrap_or_default();
        for (name, _) in names {
            if arguments.get_str(&name).is_some() {
                continue;
            }
            if let Some(value) = injector.parameter(&key, &name, &mut BindingsOutside(self))? {
                arguments.insert(Value::String(name), value);
            }
        }
        Ok(Some(arguments))
    }

    /// The exported resources of this type were looked at.
    pub(super) fn note_collected(&mut self, type_name: &str) {
        self.bindings.queried_types.insert(super::reference_name(&type_name.to_lowercase()));
    }

    // ---- code of bindings ----

    /// Runs code by itself at the top scope. `is_strict`: an unknown variable is an error whatever the settings say.
    pub(super) fn evaluate_apart(&mut self, body: &Arc<Body>, is_strict: bool) -> Result<Value, Fault> {
        let (mut settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        settings.strict_variables |= is_strict;
        let body = Arc::clone(body);
        self.run_apart(move |host| pantin_eval::run(&body, host, settings, builtins))
    }

    pub(super) fn run_apart(
        &mut self,
        run: impl FnOnce(&mut dyn pantin_model::trace::Host) -> Result<Value, Failure>,
    ) -> Result<Value, Fault> {
        self.run_in(TOP, run)
    }

    /// The same in another scope.
    pub(super) fn run_in(
        &mut self,
        scope: super::ScopeId,
        run: impl FnOnce(&mut dyn pantin_model::trace::Host) -> Result<Value, Failure>,
    ) -> Result<Value, Fault> {
        let locals_before = self.state.begin_locals();
        self.frames.push(super::Frame::from_scope(scope));
        self.look_ups += 1;
        let asking = std::mem::take(&mut self.asking);
        let result = pantin_base::stack::with_room(|| run(self));
        self.asking = asking;
        self.look_ups -= 1;
        let frame = self.frames.pop();
        if let (Some(frame), Some(outer)) = (frame, self.frames.last_mut()) {
            outer.looked_up.extend(frame.looked_up);
        }
        self.state.end_locals(locals_before);
        self.tell();
        result.map_err(|failure| fault_of(&failure))
    }
}

/// The error of code of bindings, for whoever wanted its value.
fn fault_of(failure: &Failure) -> Fault {
    if failure.code == rule::LOOP.code {
        return Fault::issue(rule::LOOP.code, failure.message.to_string());
    }
    let text = crate::report::error_without_node(failure);
    if failure.has_no_place() { Fault::new(text) } else { Fault::located(text, false) }
}

/// The error of a value for a parameter.
fn of_parameter(of: &Subject, name: &str, fault: Fault) -> Fault {
    let shown = match of {
        Subject::Class(class) => format!("Class[{}]", super::references::class_title(class)),
        other => other.shown(),
    };
    let message = format!("{shown}: parameter '{name}': {}", fault.message);
    Fault { message: message.into(), ..fault }
}

/// The type of which an instance is made where nothing is bound.
fn new_type(of: &Type) -> Option<Type> {
    match of.resolved() {
        Type::Type(Some(inner)) => Some((**inner).clone()),
        Type::Class(_) | Type::Resource(_) | Type::Reference(_) => None,
        _ => Some(of.clone()),
    }
}

/// What an injector knows of the node that is compiled.
pub(crate) struct BindingsOutside<'c, 'e>(pub(crate) &'c mut Compiler<'e>);

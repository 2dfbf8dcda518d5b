//! Bindings of a node: the moments of a compilation at which they count, and the question of code for a key.
//! It must not know how an injector decides.

use std::collections::BTreeSet;
use std::sync::Arc;

use pantin_bindings::{
    Call, Injector, Outside, Problem, REPLACEMENTS, Row, Runtime, SharedInjector, State, VARIABLES, key_of,
    key_of_type, rule, sort_problems,
};
use pantin_model::catalog::BoundEdge;
use pantin_model::trace::{Answer, Failure, InjectionKind, InjectionQuestion};
use pantin_syntax::ast::NodeId;
use pantin_values::{Fault, Str, Type};
use rustc_hash::FxHashMap;

use super::binding_observations::BindingLog;
use super::state::ResourceId;
use super::{Compiler, Main};
use crate::bindings::{
    BindingsFolders, EncParts, EvaluatedSite, LayerRequests, PROGRAM_LAYER, PlacedUri, ResolvedLayers, SiteFailure,
    SiteStatements, are_errors, failure_from, not_found, unknown_scheme,
};
use crate::code::CodeFile;
use crate::report::failure_of;

/// What a node's compilation knows of bindings.
#[derive(Default)]
pub(super) struct NodeBindings {
    /// Where nothing is bound at all, there is none.
    pub(super) injector: Option<Arc<Injector>>,
    pub(super) runtime: Runtime,
    /// Where code runs that may not inject.
    pub(super) forbidden_in: Option<&'static str>,
    /// Whether the function of a provider runs: it may look up, but not inject or declare.
    pub(super) is_in_provider: bool,
    /// Whether `inject` and its kin are functions here.
    pub(super) is_known: bool,
    /// The parts of what the ENC said that layers have taken.
    pub(super) enc: EncParts,
    /// Types whose exported resources were queried.
    pub(super) queried_types: BTreeSet<Str>,
    /// What instances of defined types were given, or bound: defaults of their code are not parameters of a source.
    pub(super) given_parameters: FxHashMap<ResourceId, Vec<Str>>,
    /// The relationships that were added.
    pub(super) edges: Vec<BoundEdge>,
    pub(super) log: BindingLog,
    /// The categories with their values.
    pub(super) state: Arc<State>,
    pub(super) layers: Arc<LayerRequests>,
    /// Whether somebody asks why a key has its value: then the injector is the node's own.
    pub(super) is_explained: bool,
}

impl Compiler<'_> {
    /// Returns true if something may be bound in the environment.
    pub(crate) fn has_bindings(&self) -> bool {
        self.bindings.is_known
    }

    fn bindings_folders(&self) -> BindingsFolders {
        BindingsFolders::from_environment(&self.request.environment)
    }

    /// Makes the injector, and sets the variables that are bound; nothing, where nothing is bound.
    pub(super) fn begin_bindings(&mut self, main: &Main<'_>) -> Result<(), Failure> {
        if self.loader.base.settings.language < pantin_base::Language::Puppet8 {
            return Ok(());
        }
        let folders = self.bindings_folders();
        let statements = SiteStatements::find(self.loader.base, main.files, &folders).map_err(failure_of)?;
        let has_definitions = main.files.iter().any(|file| !file.ast.bindings().is_empty());
        let is_known = statements.is_there
            || has_definitions
            || self.request.environment.bindings.is_from_environments_file
            || self.loader.base.knows_default_bindings(&folders);
        if !is_known {
            return Ok(());
        }
        self.bindings.is_known = true;
        self.loader.knows_producers = true;
        let mut site = self.evaluate_site(&statements, main.files, &folders)?;
        if has_definitions {
            Arc::make_mut(&mut site.layers).add_above(PROGRAM_LAYER);
        }
        self.bindings.state = Arc::new(site.state.clone());
        self.bindings.layers = Arc::clone(&site.layers);
        let is_shared =
            site.problems.is_empty() && !has_definitions && !self.bindings.is_explained && self.recorder.is_none();
        if is_shared && let Some(shared) = self.shared_injector(&site, &folders)? {
            self.tell();
            self.accept_injector(shared.injector, shared.problems.to_vec())?;
            return self.set_bound_variables();
        }
        let mut resolved = site.layers.resolve(self.loader.base, &folders).map_err(failure_of)?;
        if has_definitions {
            let definitions = self.loader.base.program_definitions(main.files, &folders).map_err(failure_of)?;
            for definition in definitions {
                match definition {
                    Ok(definition) => resolved.layers[0].definitions.push(definition),
                    Err(problems) => resolved.problems.extend(problems.iter().cloned()),
                }
            }
        }
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
            let body = self.loader.base.binding_code(file, &file.ast, node, "site");
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

    /// Returns the injector that the node shares with others of its state; `None`: its layers hold what is of this node alone.
    fn shared_injector(
        &mut self,
        site: &EvaluatedSite,
        folders: &BindingsFolders,
    ) -> Result<Option<SharedInjector>, Failure> {
        let injectors = self.loader.base.shared_injectors(&site.layers, &site.state, folders).map_err(failure_of)?;
        Ok(injectors.map(|injectors| injectors.injector_for(&site.state, &mut BindingsOutside(self))))
    }

    fn make_injector(&mut self, site: EvaluatedSite, resolved: ResolvedLayers) -> Result<(), Failure> {
        let ResolvedLayers { mut layers, mut problems, others } = resolved;
        problems.extend(site.problems.iter().cloned());
        let mut providers = Vec::new();
        for (layer, wanted) in others.iter().filter(|(_, wanted)| wanted.uri.scheme == "enc") {
            let excluded = &site.layers.layers[*layer].exclude;
            match EncParts::named(&wanted.uri) {
                Some(parts) => layers[*layer].definitions.extend(self.enc_definition(parts.without(excluded))),
                None if wanted.uri.is_optional => {}
                None => problems.push(not_found(wanted)),
            }
        }
        if are_errors(&problems) {
            // Whatever a provider would give, a scheme without one is an error too.
            let is_nobodys = |wanted: &PlacedUri| {
                wanted.uri.scheme != "enc" && !layers.iter().any(|layer| layer.provides(&wanted.uri.scheme))
            };
            let wanted = others.iter().map(|(_, wanted)| wanted);
            problems.extend(wanted.filter(|wanted| is_nobodys(wanted)).map(unknown_scheme));
        } else {
            providers = self.open_providers(&site, &mut layers, &others, &mut problems)?;
            self.bindings.log.has_providers = others.iter().any(|(_, wanted)| wanted.uri.scheme != "enc");
        }
        if are_errors(&problems) {
            sort_problems(&mut problems);
            let failure = failure_from(&problems, &mut self.log);
            return failure.map_or(Ok(()), Err);
        }
        let (injector, mut found) = Injector::new(layers, site.state, &mut BindingsOutside(self));
        for problem in &mut found {
            // What a function provides stands in no file: its provider does.
            if let Some((_, place)) = providers.iter().find(|(uri, _)| *uri == problem.place.shown) {
                problem.place = place.clone();
            }
        }
        problems.extend(found);
        self.accept_injector(Arc::new(injector), problems)
    }

    /// Tells what is wrong with an injector, or takes it for that of the node.
    fn accept_injector(&mut self, injector: Arc<Injector>, mut problems: Vec<Problem>) -> Result<(), Failure> {
        if !are_errors(&problems) || problems.iter().all(|problem| problem.rule.code != rule::LIMIT.code) {
            problems.extend(self.variable_problems(&injector));
        }
        sort_problems(&mut problems);
        if let Some(failure) = failure_from(&problems, &mut self.log) {
            return Err(failure);
        }
        self.bindings.runtime.forget_values();
        self.bindings.log.has_problems = !problems.is_empty();
        self.bindings.runtime.note_row(Row::from(REPLACEMENTS));
        self.bindings.injector = Some(Arc::clone(&injector));
        self.state.replace_types(injector.replaced_types());
        Ok(())
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
        self.bindings.runtime.note_row(Row::from(VARIABLES));
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

    /// Returns what the code says that runs, if it may neither inject nor declare.
    pub(super) fn forbidding_code(&self) -> Option<&'static str> {
        self.bindings.forbidden_in.or(self.bindings.is_in_provider.then_some("layers"))
    }

    pub(super) fn answer_injection(&mut self, question: &InjectionQuestion) -> Answer {
        if let Some(place) = self.forbidding_code() {
            let fault = Fault::issue(rule::INJECT_NOT_HERE.code, format!("Injection is not allowed in {place}"));
            return Answer::Fault(fault.with_help(rule::INJECT_NOT_HERE.help));
        }
        let Some(injector) = self.bindings.injector.clone() else { return Answer::Absent };
        self.noting_rows(|compiler| injection_answer(&injector, question, &mut BindingsOutside(compiler)))
    }

    /// The exported resources of this type were looked at.
    pub(super) fn note_collected(&mut self, type_name: &str) {
        self.bindings.queried_types.insert(super::reference_name(&type_name.to_lowercase()));
    }
}

/// Returns what an injector answers to a question of code.
pub(crate) fn injection_answer(injector: &Injector, question: &InjectionQuestion, outside: &mut dyn Outside) -> Answer {
    let InjectionQuestion { kind, value_type, name, arguments } = question;
    let of = value_type.as_ref();
    let key = match (of, name) {
        (of, Some(name)) => key_of(of, Some(name)),
        (Some(of), None) => key_of_type(of),
        (None, None) => return Answer::Absent,
    };
    let wanted = of.filter(|_| name.is_some()).cloned();
    let is_instance = name.is_none() && !injector.is_bound(&key, outside.runtime());
    let instance = of.filter(|_| is_instance).and_then(new_type);
    let call = Call { key: key.clone(), wanted, arguments: arguments.clone(), instance };
    let must = matches!(kind, InjectionKind::Value | InjectionKind::Producer);
    if matches!(kind, InjectionKind::Producer | InjectionKind::OptionalProducer) {
        return match injector.is_bound(&key, outside.runtime()) || call.instance.is_some() {
            true => Answer::Value(true.into()),
            false if must => Answer::Fault(injector.unbound(&key)),
            false => Answer::Absent,
        };
    }
    let has_instance = call.instance.is_some();
    match injector.inject(&call, outside) {
        Ok(Some(value)) => Answer::Value(value),
        Ok(None) if must => Answer::Fault(injector.unbound(&key)),
        Ok(None) => Answer::Absent,
        Err(fault) if has_instance && fault.code().starts_with("BINDINGS_") => Answer::Fault(fault),
        Err(_) if has_instance && must => Answer::Fault(injector.unbound(&key)),
        Err(_) if has_instance => Answer::Absent,
        Err(fault) => Answer::Fault(fault),
    }
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

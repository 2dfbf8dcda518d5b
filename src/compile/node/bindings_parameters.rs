//! What is bound for parameters: of a class before its body runs, of a resource when it is filled, of an object that is made.
//! It must not know which binding wins.

use pantin_bindings::{Injector, Place, Problem, Subject, located_fault, rule, sort_problems};
use pantin_eval::Body;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Answer, Failure};
use pantin_values::{Fault, Hash, Str, Type, Value};

use super::Compiler;
use super::bindings::BindingsOutside;
use super::state::{OwnResource, ResourceId, ResourceKind};
use crate::bindings::failure_from;
use crate::report::failure_of;

impl Compiler<'_> {
    /// Returns what is bound for a parameter of the class whose body is about to run.
    pub(super) fn bound_parameter(&mut self, key: &str) -> Option<Answer> {
        let injector = self.bindings.injector.clone()?;
        let (class, name) = key.rsplit_once("::")?;
        let of = format!("Class[{class}]");
        if !injector.gives_parameter(&of, name) && !injector.has_data() {
            return None;
        }
        let bound = self.noting_rows(|compiler| {
            compiler.before_it_is_named(|compiler| injector.parameter(&of, name, &mut BindingsOutside(compiler)))
        });
        match bound {
            Ok(None) => None,
            Ok(Some(value)) => Some(Answer::Value(value)),
            Err(fault) => Some(Answer::Fault(parameter_fault(&class_reference(class), name, fault))),
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
        if injector.has_sources(&of) {
            self.bindings.runtime.note_row(pantin_bindings::subject_row(&of));
        }
        let is_parameter = |name: &str| body.is_some_and(|body| body.has_parameter(name));
        let known: Vec<Str> =
            body.iter().flat_map(|body| body.lambda.params.iter().map(|param| param.name.clone())).collect();
        let mut names = injector.parameter_names(&of);
        let sources = injector.source_names(&of, &mut BindingsOutside(self)).map_err(failure_of)?;
        self.check_source_conflicts(&injector, &of)?;
        let at = injector.source_place(&of);
        names.extend(at.into_iter().flat_map(|at| sources.iter().map(move |name| (name.clone(), at.clone()))));
        self.check_parameter_names(&subject, &names, &known)?;
        for (name, _) in names {
            if is_parameter(&name) || !self.state.takes_binding(own, &name, false) {
                continue;
            }
            let bound = injector.parameter(&of, &name, &mut BindingsOutside(self));
            let bound = bound.map_err(|fault| failure_of(parameter_fault(&class_reference(class), &name, fault)))?;
            if let Some(value) = bound {
                self.state.bind_parameter(own, &name, value);
            }
        }
        Ok(())
    }

    /// Fails for parameters that two sources of one rank give.
    fn check_source_conflicts(&mut self, injector: &Injector, of: &str) -> Result<(), Failure> {
        let mut problems = injector.source_conflicts(of, &mut BindingsOutside(self));
        sort_problems(&mut problems);
        failure_from(&problems, &mut self.log).map_or(Ok(()), Err)
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
        if self.is_remembered() {
            let type_name = self.state.type_name(own.id());
            if !self.bindings.log.resource_types.contains(type_name) {
                self.bindings.log.resource_types.insert(type_name.clone());
            }
        }
        if !injector.binds_resources() {
            return Ok(());
        }
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
                self.check_source_conflicts(&injector, &of)?;
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
                let bound = self.parameter_recorded(&of, &name, |compiler| {
                    injector.parameter(&of, &name, &mut BindingsOutside(compiler))
                });
                let reference = self.state.reference(own.id());
                let bound = bound.map_err(|fault| failure_of(parameter_fault(&reference, &name, fault)))?;
                if let Some(value) = bound {
                    self.state.bind_parameter(own, &name, value);
                }
            }
        }
        Ok(())
    }

    /// Returns the parameters of a resource's type, metaparameters left out.
    fn attribute_names(&self, id: ResourceId) -> Vec<Str> {
        match self.state.kind(id) {
            ResourceKind::Native(native) => native.properties().iter().chain(native.parameters()).cloned().collect(),
            ResourceKind::Def(definition) => {
                let body = definition.body(self.loader.base.builtins);
                body.iter().flat_map(|body| body.lambda.params.iter().map(|param| param.name.clone())).collect()
            }
        }
    }

    /// Returns true if the code of a class or a defined type has a default for a parameter; `None`: there is no such one.
    pub(super) fn has_code_default(&mut self, subject: &str, name: &str) -> Option<bool> {
        let builtins = self.loader.base.builtins;
        let body = match pantin_bindings::parameter_subject(subject)? {
            Subject::Class(class) => self.find_class(&class).ok()??.body(builtins),
            Subject::Type(of) | Subject::Resource(of, _) => match self.unreplaced_kind(&of).ok()?? {
                ResourceKind::Def(definition) => definition.body(builtins),
                ResourceKind::Native(_) => return Some(false),
            },
            Subject::Object(_) => return None,
        };
        let body = body?;
        let param = body.lambda.params.iter().find(|param| param.name == name)?;
        Some(param.default.is_some())
    }

    /// The arguments of an instance, with what is bound for attributes that none is given for.
    /// `wanted`: the type that was asked for, whose bindings stand behind those of the type that is made.
    pub(super) fn instance_arguments(
        &mut self,
        of: &Type,
        wanted: Option<&Type>,
        mut arguments: Option<Hash>,
    ) -> Result<Option<Hash>, Fault> {
        for of in [of].into_iter().chain(wanted.filter(|wanted| *wanted != of)) {
            arguments = self.bound_attributes(of, arguments)?;
        }
        Ok(arguments)
    }

    fn bound_attributes(&mut self, of: &Type, arguments: Option<Hash>) -> Result<Option<Hash>, Fault> {
        let Type::Object(object) = of.resolved() else { return Ok(arguments) };
        let Some(injector) = self.bindings.injector.clone() else { return Ok(arguments) };
        let subject = Subject::Object(object.name.as_deref().unwrap_or_default().to_owned());
        let key = subject.key_text();
        self.bindings.runtime.note_row(pantin_bindings::subject_row(&key));
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

    /// Keeps the names of what an instance has before its code runs, where it may be a source of parameters.
    pub(super) fn note_given_parameters(&mut self, id: ResourceId, parameters: &[(Str, Value)]) {
        if self.bindings.injector.as_ref().is_some_and(|injector| injector.has_resource_sources()) {
            let names = parameters.iter().filter(|(_, value)| !value.is_undef()).map(|(name, _)| name.clone());
            self.bindings.given_parameters.insert(id, names.collect());
        }
    }

    /// Returns true if a parameter of a source is there by itself, not by a default of its code.
    pub(super) fn is_given(&self, id: ResourceId, name: &Str) -> bool {
        self.bindings.given_parameters.get(&id).is_none_or(|given| given.contains(name))
    }
}

fn class_reference(class: &str) -> String {
    format!("Class[{}]", super::references::class_title(class))
}

/// Returns the error of a value for a parameter. An error that has the place of a binding is none of the value.
fn parameter_fault(reference: &str, name: &str, fault: Fault) -> Fault {
    if fault.sighting.as_ref().is_some_and(|seen| is_binding_rule(seen.diagnostic.code)) {
        return fault;
    }
    let message = format!("{reference}: parameter '{name}': {}", fault.message);
    Fault { message: message.into(), ..fault }
}

fn is_binding_rule(code: &str) -> bool {
    code.starts_with("BINDINGS_")
}

/// Returns true for an error that stands where something is bound, not where it is used.
pub(super) fn is_of_binding(failure: &Failure) -> bool {
    let is_rule = failure.sighting.as_ref().is_some_and(|seen| is_binding_rule(seen.diagnostic.code));
    is_rule || failure.message.starts_with(crate::bindings::VALIDATION)
}

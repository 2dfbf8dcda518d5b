//! Questions about the catalog under construction: what is defined, tagged, or set as a parameter.
//! They must not see what is not recorded in their log.

use pantin_base::names::split_reference;
use pantin_model::catalog::kinds::{METAPARAMETERS, TypeRef};
use pantin_model::trace::{Answer, ResourcePart};
use pantin_values::ops::natively_equal;
use pantin_values::text::display;
use pantin_values::{Fault, Str, Type, Value};

use super::Compiler;
use super::references::{reference_name, type_and_title};
use super::state::{ObservationLog, ObservedResource, Observer, ResourceId, ResourceKind};
use crate::code::DefKind;

impl Compiler<'_> {
    /// A name may mean a type of resources or a class; a reference, whether it is declared; the type of a class,
    /// whether it could be.
    pub(super) fn is_defined(&mut self, what: &Value) -> Result<bool, Fault> {
        match what {
            Value::String(name) if name == "main" => Ok(true),
            Value::String(name) => Ok(self.resource_kind(name)?.is_some() || self.find_class(name)?.is_some()),
            Value::Type(reference) => match reference.resolved() {
                Type::Resource(Some(resource)) => match &resource.title {
                    None => Ok(self.resource_kind(&resource.type_name)?.is_some()),
                    Some(title) => {
                        let log = self.question_log();
                        Ok(self.find_possible(&resource.type_name, title, &log)?.is_some())
                    }
                },
                Type::Class(Some(name)) => Ok(self.state.find_presence("Class", name, &self.question_log()).is_some()),
                Type::Type(Some(reference)) => match reference.resolved() {
                    Type::Class(Some(name)) => Ok(self.find_class(name)?.is_some()),
                    _ => Ok(false),
                },
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// Returns a resource that is declared. It is an error to ask for a title that none of its type can have.
    fn find_possible(
        &mut self,
        type_name: &str,
        title: &str,
        log: &ObservationLog,
    ) -> Result<Option<ResourceId>, Fault> {
        let found = self.state.find_presence(type_name, title, log);
        if found.is_none() {
            let native = self.loader.resource_type(type_name);
            self.tell();
            if let Some(native) = native? {
                native.parse_title(title)?;
            }
        }
        Ok(found)
    }

    /// Returns the classes in the order in which they were begun, those of the node's classifier before; and what the
    /// catalog is tagged with.
    pub(super) fn classes_and_tags(&self) -> Value {
        let all = |names: &[Str]| Value::array(names.iter().cloned().map(Value::String));
        let classes = all(self.state.classes(&self.question_log()));
        Value::array([classes, all(&self.state.catalog_tags())])
    }

    pub(super) fn resource_parameter(&mut self, reference: &Type, name: &str) -> Result<Value, Fault> {
        let not_found = || Fault::issue("UNKNOWN_RESOURCE", not_found(reference));
        let (type_name, title) = type_and_title(reference).ok_or_else(not_found)?;
        // An error where there is none: more than whether it is there.
        let log = self.state.log(Observer::Data);
        let id = self.find_possible(&type_name, &title, &log)?.ok_or_else(not_found)?;
        if !self.takes(id, name) {
            let message = match reference.resolved() {
                Type::Class(Some(class)) => {
                    format!("The resource Class['{class}'] does not have a parameter called '{name}'")
                }
                _ => format!("The resource {type_name}['{title}'] does not have a parameter called '{name}'"),
            };
            return Err(Fault::issue("UNKNOWN_RESOURCE_PARAMETER", message));
        }
        let log = self.question_log();
        let value = self.state.parameter(self.state.observe_all(id, &log), name, &log);
        Ok(if value.is_undef() { self.state.default_of(id, name) } else { value })
    }

    /// Returns what a resource of a type that is declared here would get.
    pub(super) fn defaults_here(&self, type_name: &str) -> Value {
        let defaults = self.state.defaults(self.here(), type_name);
        Value::hash(defaults.into_iter().map(|(name, value)| (name.into(), value)))
    }

    /// Returns what a resource itself has: the defaults of its scope are not looked at.
    pub(super) fn resource_value(&self, reference: &str, part: &ResourcePart) -> Answer {
        let log = self.question_log();
        let named = split_reference(reference);
        let found = named.and_then(|(type_name, title)| self.state.find_resource(type_name, title, &log));
        let Some(found) = found else { return Answer::Absent };
        match part {
            ResourcePart::ParameterNames => {
                let names = self.state.parameter_names(found, &log);
                Answer::Value(Value::array(names.map(|name| name.clone().into())))
            }
            ResourcePart::Parameter(name) => {
                let value = self.state.parameter(found, name, &log);
                Answer::Value(if name == "title" { self.state.title(found.id()).clone().into() } else { value })
            }
        }
    }

    /// Whether a resource is declared with at least these parameters; the one whose code asks does not count. Without a
    /// title, any of the type.
    pub(super) fn declared_with(&self, reference: &str, parameters: &Value) -> Result<Value, Fault> {
        let Value::Hash(parameters) = parameters else { return Ok(false.into()) };
        let log = self.question_log();
        let asking = self.state.reference(self.state.resource_of(self.here()));
        let fits = |found: ObservedResource| {
            self.state.reference(found.id()) != asking
                && parameters
                    .iter()
                    .all(|(name, value)| natively_equal(&self.state.parameter(found, &display(name), &log), value))
        };
        let found = match split_reference(reference) {
            // As Ruby looks it up, no class has a name that begins so.
            Some((of, title)) if of.eq_ignore_ascii_case("class") && title.starts_with("::") => false,
            Some((type_name, title)) => {
                let found = self.state.find_presence(type_name, title, &log);
                found.is_some_and(|found| fits(self.state.observe_all(found, &log)))
            }
            None => self.state.all_of_type(&reference_name(reference), &log).any(fits),
        };
        Ok(found.into())
    }

    /// About what stands around the code that asks.
    pub(super) fn about_frame(&self, what: &str) -> Answer {
        let source = self.source(self.here());
        match what {
            "definition" => {
                let kind = if matches!(source.kind, DefKind::Class) { "Class" } else { "Definition" };
                Answer::Value(format!("{kind} {}", source.name).into())
            }
            "resource" => Answer::Value(self.state.reference(self.state.resource_of(self.here())).into()),
            _ => Answer::Absent,
        }
    }

    fn takes(&self, id: ResourceId, name: &str) -> bool {
        match self.state.kind(id) {
            // Puppet looks for a text among symbols there, and finds nothing.
            ResourceKind::Native(TypeRef::Generated(_)) => false,
            ResourceKind::Native(native) => native.is_attribute(name),
            ResourceKind::Def(definition) => {
                let body = definition.body(self.loader.base.builtins);
                name == "name" || METAPARAMETERS.contains(&name) || body.is_some_and(|body| body.has_parameter(name))
            }
        }
    }
}

fn not_found(reference: &Type) -> String {
    match reference {
        Type::Class(Some(name)) => format!("Resource not found: Class['{name}']"),
        other => format!("Resource not found: {other}"),
    }
}

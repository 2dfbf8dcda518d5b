//! Questions about the catalog under construction: what is defined, tagged, or set as a parameter.

use pantin_base::names::split_reference;
use pantin_model::catalog::Tags;
use pantin_model::catalog::kinds::{METAPARAMETERS, TypeRef};
use pantin_model::trace::{Answer, ResourcePart};
use pantin_values::ops::natively_equal;
use pantin_values::text::display;
use pantin_values::{Fault, Str, Type, Value};

use super::Compiler;
use super::observations::ObservedPart;
use super::references::{reference_name, type_and_title};
use super::resource::ResourceKind;
use crate::code::DefKind;

impl Compiler<'_> {
    /// A name may mean a type of resources or a class; a reference, whether it is declared; the type of a class,
    /// whether it could be.
    pub(super) fn is_defined(&mut self, what: &Value) -> Result<bool, Fault> {
        match what {
            Value::String(name) if name == "main" => Ok(true),
            Value::String(name) => Ok(self.resource_kind(name)?.is_some() || self.find_class(name)?.is_some()),
            Value::Type(of) => match of.resolved() {
                Type::Resource(Some(resource)) => match &resource.title {
                    None => Ok(self.resource_kind(&resource.type_name)?.is_some()),
                    Some(title) => Ok(self.find_possible(&resource.type_name, title)?.is_some()),
                },
                Type::Class(Some(name)) => Ok(self.find_resource("Class", name).is_some()),
                Type::Type(Some(of)) => match of.resolved() {
                    Type::Class(Some(name)) => Ok(self.find_class(name)?.is_some()),
                    _ => Ok(false),
                },
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// A resource that is declared. It is an error to ask for a title that none of its type can have.
    fn find_possible(&mut self, type_name: &str, title: &str) -> Result<Option<super::ResourceId>, Fault> {
        let found = self.find_presence(type_name, title);
        if found.is_none() {
            let native = self.loader.resource_type(type_name);
            self.tell();
            if let Some(native) = native? {
                native.parse_title(title)?;
            }
        }
        Ok(found)
    }

    /// Each tag is one of the catalog, or of the resource whose code asks.
    pub(super) fn has_tags(&self, tags: &[Str]) -> bool {
        let resource = self.scopes.get(self.here()).resource;
        tags.iter()
            .all(|tag| self.tags.contains(tag, &self.tag_names) || self.is_tagged(resource, std::slice::from_ref(tag)))
    }

    /// The classes in the order in which they were begun, those of the node's classifier before; and what the catalog is
    /// tagged with.
    pub(super) fn classes_and_tags(&mut self) -> Value {
        self.observations.type_of("Class", ObservedPart::AllOfIt);
        self.observations.order();
        let mut tags = Tags::default();
        for class in self.classes.iter().take_while(|class| *class != "settings") {
            tags.add_if_valid(class, &self.tag_names);
        }
        tags.merge(&self.tags);
        let all = |names: &[Str]| Value::array(names.iter().cloned().map(Value::String));
        Value::array([all(&self.classes), all(&tags.to_vec(&self.tag_names))])
    }

    pub(super) fn resource_parameter(&mut self, reference: &Type, name: &str) -> Result<Value, Fault> {
        let not_found = || Fault::issue("UNKNOWN_RESOURCE", not_found(reference));
        let (type_name, title) = type_and_title(reference).ok_or_else(not_found)?;
        let id = self.find_possible(&type_name, &title)?.ok_or_else(not_found)?;
        if !self.takes(id, name) {
            let message = match reference.resolved() {
                Type::Class(Some(class)) => {
                    format!("The resource Class['{class}'] does not have a parameter called '{name}'")
                }
                _ => format!("The resource {type_name}['{title}'] does not have a parameter called '{name}'"),
            };
            return Err(Fault::issue("UNKNOWN_RESOURCE_PARAMETER", message));
        }
        let resource = self.resource(id);
        self.observations.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);
        self.observations.parameter(resource, name);
        let value = resource.get(name);
        if !value.is_undef() {
            return Ok(value);
        }
        let defaults = self.scopes.defaults(resource.scope, &resource.type_name);
        Ok(defaults.iter().find(|param| param.name == name).map(|param| param.value()).unwrap_or_default())
    }

    /// What a resource of a type that is declared here would get.
    pub(super) fn defaults_here(&self, type_name: &str) -> Value {
        let defaults = self.scopes.defaults(self.here(), type_name);
        Value::hash(defaults.iter().map(|param| (param.name.clone().into(), param.value())))
    }

    /// What a resource itself has: the defaults of its scope are not looked at.
    pub(super) fn resource_value(&self, reference: &str, part: &ResourcePart) -> Answer {
        let found = split_reference(reference).and_then(|(type_name, title)| self.find_resource(type_name, title));
        let Some(resource) = found.map(|id| self.resource(id)) else { return Answer::Absent };
        match part {
            ResourcePart::ParameterNames => {
                if resource.is_class() {
                    self.observations.names(&resource.title.to_lowercase());
                }
                Answer::Value(Value::array(resource.params.iter().map(|param| param.name.clone().into())))
            }
            ResourcePart::Parameter(name) => {
                self.observations.parameter(resource, name);
                Answer::Value(if name == "title" { resource.title.clone().into() } else { resource.get(name) })
            }
        }
    }

    /// Whether a resource is declared with at least these parameters; the one whose code asks does not count. Without a
    /// title, any of the type.
    pub(super) fn declared_with(&self, reference: &str, parameters: &Value) -> Result<Value, Fault> {
        let Value::Hash(parameters) = parameters else { return Ok(false.into()) };
        let asking = self.resource(self.scopes.get(self.here()).resource).reference();
        let fits = |resource: &super::Resource| {
            resource.reference() != asking
                && parameters.iter().all(|(name, value)| {
                    let name = display(name);
                    self.observations.parameter(resource, &name);
                    natively_equal(&resource.get(&name), value)
                })
        };
        let found = match split_reference(reference) {
            // As Ruby looks it up, no class has a name that begins so.
            Some((of, title)) if of.eq_ignore_ascii_case("class") && title.starts_with("::") => false,
            Some((type_name, title)) => self.find_resource(type_name, title).is_some_and(|id| fits(self.resource(id))),
            None => {
                let type_name = reference_name(reference);
                self.observations.type_of(&type_name, ObservedPart::AllOfIt);
                self.resources.iter().any(|resource| resource.type_name == type_name && fits(resource))
            }
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
            "resource" => Answer::Value(self.resource(self.scopes.get(self.here()).resource).reference().into()),
            _ => Answer::Absent,
        }
    }

    fn takes(&self, id: super::ResourceId, name: &str) -> bool {
        match &self.resource(id).of {
            // The real one looks for a text among symbols there, and finds nothing.
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

//! The effects that set parameters for resources declared elsewhere: overrides and defaults.
//! They must not know how the catalog merges them.

use pantin_model::trace::{At, Parameters};
use pantin_values::{Fault, Str, Type, Value};

use super::Compiler;
use super::references::{class_title, no_title, reference_name, type_and_title, type_name_of, untitled};
use super::state::{ObservedResource, Observer, Override, OwnResource, ResourceKind};

/// A node is taken for a class there, which is then not found.
fn as_overridden((type_name, title): (Str, Str)) -> (Str, Str) {
    if type_name != "Node" {
        return (type_name, title);
    }
    let mut letters = title.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    ("Class".into(), first.chain(letters).collect::<String>().into())
}

impl Compiler<'_> {
    // ---- defaults ----

    pub(super) fn set_defaults(&mut self, type_name: &str, parameters: &Parameters) -> Result<(), Fault> {
        let type_name = reference_name(&type_name.to_lowercase());
        let type_name = self.state.replaced_type_name(type_name);
        let params = self.params(parameters);
        self.state.set_defaults(self.here(), &type_name, params)
    }

    // ---- overrides ----

    pub(super) fn override_all(&mut self, references: &[Value], parameters: &Parameters, at: &At) -> Result<(), Fault> {
        let params = self.params(parameters);
        self.state.check_tags(&params, at)?;
        let source = self.source(self.here());
        for reference in references {
            let Value::Type(reference) = reference else { continue };
            let Some((type_name, title)) = type_and_title(reference).map(as_overridden) else {
                return Err(self.without_title(reference));
            };
            let type_name = self.state.replaced_type_name(type_name);
            let new = Override { params: params.clone(), source: source.clone(), at: Some(at.clone()) };
            new.check_names(&type_name, &title)?;
            self.add_override(&type_name, &title, new)?;
        }
        Ok(())
    }

    /// Puppet shows what it has found for the type: a symbol, a name, or nothing.
    fn without_title(&mut self, reference: &Type) -> Fault {
        let kind = match reference.resolved() {
            Type::Resource(Some(reference)) => self.resource_kind(&reference.type_name.to_lowercase()),
            _ => Ok(None),
        };
        match kind {
            Ok(Some(ResourceKind::Def(definition))) => Fault::new(no_title(&definition.name)),
            Ok(Some(ResourceKind::Native(native))) => Fault::new(untitled(&format!(":{}", native.name()))),
            Ok(None) => Fault::new(untitled("nil")),
            Err(fault) => fault,
        }
    }

    /// Merged at once if the resource is there; kept until it is declared if it is not.
    fn add_override(&mut self, type_name: &str, title: &str, new: Override) -> Result<(), Fault> {
        match self.state.find_resource(type_name, title, &self.state.log(Observer::Data)) {
            Some(found) => self.merge(found, &new),
            None => {
                self.state.keep_override(type_name, title, new);
                Ok(())
            }
        }
    }

    /// Sets the parameters for a resource that was looked for or collected.
    pub(super) fn merge(&mut self, found: ObservedResource, new: &Override) -> Result<(), Fault> {
        if let Some(warning) = self.state.check_override(found, new)? {
            self.warn(warning);
        }
        self.state.apply_override(found, new)
    }

    /// The overrides that waited for a resource.
    pub(super) fn merge_pending_overrides(&mut self, own: &OwnResource) -> Result<(), Fault> {
        let Some((found, pending)) = self.state.take_pending_overrides(own) else { return Ok(()) };
        pending.iter().try_for_each(|each| self.merge(found, each))
    }

    /// A resource that only says which one is meant.
    pub(super) fn kind_or_class(&mut self, type_name: &str) -> Result<Option<Str>, Fault> {
        if type_name.eq_ignore_ascii_case("class") || type_name.eq_ignore_ascii_case("node") {
            return Ok(Some(reference_name(&type_name.to_lowercase())));
        }
        let found: Option<ResourceKind> = self.resource_kind(&type_name.to_lowercase())?;
        Ok(found.as_ref().map(type_name_of))
    }
}

/// The reference that a resource would have.
pub(super) fn reference_of(type_name: Option<&Str>, title: &str) -> (Str, Str) {
    match type_name {
        Some(type_name) if type_name == "Class" => (type_name.clone(), class_title(title)),
        Some(type_name) => (type_name.clone(), title.into()),
        // Puppet makes a class of a type that is not known.
        None => ("Class".into(), class_title(title)),
    }
}

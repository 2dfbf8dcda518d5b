//! The names that a resource has beside its title: those are recorded, whoever looks.
//! It must not know who finds the resource by them.

use pantin_base::inspect;
use pantin_values::{Fault, Referred, Str, Value, ops};

use super::CatalogState;
use super::overrides::listed;
use super::resource::{Resource, ResourceId};
use crate::report;

impl CatalogState<'_> {
    pub(super) fn add_aliases(&mut self, id: ResourceId) -> Result<(), Fault> {
        let Some(aliases) = self.resource(id).param("alias").map(|param| param.value()) else { return Ok(()) };
        for alias in listed(aliases) {
            if alias != Value::String(self.resource(id).title.clone()) {
                let shown = alias.clone();
                self.add_alias(id, vec![alias], &shown)?;
            }
        }
        Ok(())
    }

    pub(super) fn add_unique_name(&mut self, id: ResourceId) -> Result<(), Fault> {
        let resource = self.resource(id);
        let named_by_title = match resource.native() {
            Some(native) if !native.is_isomorphic() => return Ok(()),
            Some(native) => native.named_by_title(),
            None => Some("name"),
        };
        if named_by_title.is_some_and(|name| resource.param(name).is_none()) {
            return Ok(());
        }
        let key = self.uniqueness_key(resource)?;
        let is_title = matches!(key.as_slice(), [Value::String(name)] if *name == resource.title);
        if is_title || key.iter().all(|part| matches!(part, Value::Undef | Value::Boolean(false))) {
            return Ok(());
        }
        let shown = Value::array(key.clone());
        self.add_alias(id, key, &shown)
    }

    fn uniqueness_key(&self, resource: &Resource) -> Result<Vec<Value>, Fault> {
        match resource.native() {
            Some(native) => {
                let value =
                    |name: &str| resource.param(name).map(|param| param.value()).filter(|value| !value.is_undef());
                let key = native.uniqueness_key(&resource.title, value)?;
                Ok(key.into_iter().map(Option::unwrap_or_default).collect())
            }
            None => Ok(vec![match resource.get("name") {
                Value::Undef => resource.title.clone().into(),
                name => name,
            }]),
        }
    }

    fn add_alias(&mut self, id: ResourceId, key: Vec<Value>, shown: &Value) -> Result<(), Fault> {
        let flat = Value::array(key).flattened();
        let type_name = self.resource(id).type_name.clone();
        for name in flat.iter().filter_map(Value::as_str) {
            self.observations.data().other_name(self.resource(id), name);
        }
        match self.table.by_key(&type_name, &flat) {
            Some(known) if known == id => Ok(()),
            Some(known) => {
                let reference = self.resource(id).reference();
                let at = report::resource_location(self.resource(id).at.as_ref());
                let at = if at.is_empty() { at } else { format!(" at {at}") };
                let existing = report::resource_location(self.resource(known).at.as_ref());
                let existing = if existing.is_empty() { existing } else { format!(" {existing}") };
                let parts = [Value::String(type_name)].into_iter().chain(flat);
                let new = self.inspected(&Value::array(parts))?;
                let shown = self.inspected(shown)?;
                Err(Fault::new(format!(
                    "Cannot alias {reference} to {shown}{at}; resource {new} already declared{existing}"
                )))
            }
            None => {
                self.table.add_key(&type_name, flat, id);
                Ok(())
            }
        }
    }

    /// As Ruby shows it.
    fn inspected(&self, value: &Value) -> Result<String, Fault> {
        let mut out = String::new();
        self.push_inspected(&mut out, value)?;
        Ok(out)
    }

    fn push_inspected(&self, out: &mut String, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Undef => out.push_str("nil"),
            Value::String(text) => inspect::push_quoted(out, text),
            Value::Symbol(name) => inspect::push_symbol(out, name),
            Value::Type(of) if of.as_ruby_class().is_some() => out.push_str(of.as_ruby_class().map_or("", Str::as_str)),
            Value::Resource(reference) => self.push_referred(out, reference)?,
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    self.push_inspected(out, item)?;
                }
                out.push(']');
            }
            other => out.push_str(&ops::to_s(other)),
        }
        Ok(())
    }

    /// With the parameters that its title names.
    fn push_referred(&self, out: &mut String, reference: &Referred) -> Result<(), Fault> {
        out.push_str(&format!("{reference}{{"));
        let native = self.base.resource_type(&reference.type_name)?;
        let said = match &native {
            Some(native) => native.parse_title(&reference.title)?,
            None => vec![("name", Value::String(reference.title.clone()))],
        };
        for (index, (name, value)) in said.iter().enumerate() {
            out.push_str(if index > 0 { ", :" } else { ":" });
            out.push_str(name);
            out.push_str("=>");
            self.push_inspected(out, value)?;
        }
        out.push('}');
        Ok(())
    }
}

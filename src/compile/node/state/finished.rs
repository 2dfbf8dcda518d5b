//! The end of a catalog: relationships that become parameters, and metaparameters that containers pass on.
//! Relationships and metaparameters are never patched, so nothing is recorded. It must not know which code stated them.

use std::rc::Rc;

use pantin_base::limits;
use pantin_base::names::{RELATIONSHIPS, split_reference};
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::At;
use pantin_values::{Fault, Value, ops};

use super::overrides::{listed, located};
use super::resource::{Param, ResourceId};
use super::{CatalogState, TOP, is_relationship};
use crate::node::references;

/// Names and values, in the order of the names, but for what a container's own come before.
type Metaparameters = Vec<(&'static str, Value)>;

/// Returns the error of a catalog with more edges.
pub(in crate::node) fn too_many_edges(most: u64) -> Fault {
    let what = format_args!("The relationships of a catalog may have {most} edges at most");
    Fault::beyond(what, limits::MAX_EDGES)
}

impl CatalogState<'_> {
    // ---- relationships ----

    /// Adds a target to the relationships of a resource. `name`: `before` or `notify`.
    pub(in crate::node) fn add_relationship(&mut self, id: ResourceId, name: &str, target: Value) {
        let resource = self.resource_mut(id);
        let param = match resource.param(name) {
            Some(param) if matches!(*param.value.borrow(), Value::Array(_)) => param.clone(),
            known => {
                let before = known.map(|param| param.value()).filter(|value| !value.is_undef());
                let param = Param::new(name.into(), Value::array(before), resource.source.clone());
                resource.set(param.clone());
                param
            }
        };
        push_into(&param, target);
    }

    /// Fails if the target of a relationship is not in the catalog, or if there are more of them than `most`.
    pub(in crate::node) fn validate_relationships(&self, most: u64) -> Result<(), Fault> {
        let mut edges = 0;
        for resource in self.resources.iter().filter(|resource| !resource.is_virtual) {
            for param in &resource.params {
                if !is_relationship(&param.name) {
                    continue;
                }
                let is_sensitive = resource.sensitive.contains(&param.name);
                edges += match &*param.value.borrow() {
                    Value::Array(targets) => targets.len() as u64,
                    _ => 1,
                };
                if edges > most {
                    return Err(located(too_many_edges(most).message, param.at.as_ref()));
                }
                for value in listed(param.value()) {
                    self.check_target(&value, param, is_sensitive)?;
                }
            }
        }
        Ok(())
    }

    /// What is in a Sensitive is no reference any more.
    fn check_target(&self, value: &Value, param: &Param, is_sensitive: bool) -> Result<(), Fault> {
        if is_sensitive {
            // Puppet tells what it is, too.
            let message = format!("Could not find resource 'Sensitive [value redacted]' in parameter '{}'", param.name);
            return Err(located(message, param.at.as_ref()));
        }
        // Nearly all are there, and need not be written as texts.
        if matches!(value, Value::Type(_) | Value::Resource(_)) && self.has_target(value) {
            return Ok(());
        }
        let text = match value {
            Value::Type(reference) => references::reference_text(reference),
            Value::Resource(resource) => resource.to_string(),
            other => ops::to_s(other),
        };
        if split_reference(&text).is_none() {
            return Err(no_title(&text, param.at.as_ref()));
        }
        match self.has_target(value) {
            true => Ok(()),
            false => {
                let named = references::type_and_title_of(value);
                let wrong_title = named.and_then(|(of, title)| self.check_title_of(&of, &title).err());
                let message = match wrong_title {
                    Some(fault) => fault.message.to_string(),
                    None => format!("Could not find resource '{text}' in parameter '{}'", param.name),
                };
                Err(located(message, param.at.as_ref()))
            }
        }
    }

    // ---- metaparameters ----

    /// Sets the metaparameters of containers for their contents, where these do not say it themselves. Goes from the main class
    /// outward, so that what is contained by nothing but its stage is not reached.
    pub(in crate::node) fn pass_on_metaparameters(&mut self) -> Result<(), Fault> {
        let count = self.resources.len();
        let mut contents: Vec<Vec<ResourceId>> = vec![Vec::new(); count];
        for &(container, content) in &self.edges {
            contents[container.index()].push(content);
        }
        // Of each, its own and its container's; `None` where these are but its own.
        let mut merged: Vec<Option<Metaparameters>> = vec![None; count];
        let mut is_done = vec![false; count];
        let mut queue = vec![self.scopes.get(TOP).resource];
        let mut next = 0;
        while let Some(&container) = queue.get(next) {
            next += 1;
            if std::mem::replace(&mut is_done[container.index()], true) || contents[container.index()].is_empty() {
                continue;
            }
            let of_container = match merged[container.index()].take() {
                Some(merged) => merged,
                None => self.metaparameters(container),
            };
            for &content in &contents[container.index()] {
                if !of_container.is_empty() {
                    merged[content.index()] = Some(self.pass_on(&of_container, content)?);
                }
                self.share_tags(container, content);
            }
            queue.extend(&contents[container.index()]);
        }
        Ok(())
    }

    /// Sets the metaparameters of a container for a resource in it; returns all that the resource passes on itself.
    fn pass_on(&mut self, of_container: &Metaparameters, content: ResourceId) -> Result<Metaparameters, Fault> {
        for (name, value) in of_container {
            if self.resource(content).get(name).is_undef() {
                let source = self.resource(content).source.clone();
                self.set_param(content, Param::new((*name).into(), value.clone(), source))?;
            }
        }
        let mut merged = of_container.clone();
        for (name, value) in self.metaparameters(content) {
            match merged.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = value,
                None => merged.push((name, value)),
            }
        }
        Ok(merged)
    }

    fn metaparameters(&self, id: ResourceId) -> Metaparameters {
        let resource = self.resource(id);
        if !resource.params.iter().any(|param| METAPARAMETERS.contains(&param.name.as_str())) {
            return Metaparameters::new();
        }
        let names = METAPARAMETERS.iter().filter(|name| !RELATIONSHIPS.contains(name));
        names.map(|&name| (name, resource.get(name))).filter(|(_, value)| !value.is_undef()).collect()
    }
}

pub(in crate::node) fn no_title(text: &str, at: Option<&At>) -> Fault {
    located(references::no_title(text), at)
}

/// The array itself grows, for all that hold it.
fn push_into(param: &Rc<Param>, value: Value) {
    let mut array = param.value.borrow_mut();
    if let Value::Array(items) = &mut *array {
        items.make_mut().push(value);
    }
}

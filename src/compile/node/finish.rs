//! The end of a catalog: relationships, overrides that waited, secrets, checks, metaparameters of containers.

use pantin_base::names::RELATIONSHIPS;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::Failure;
use pantin_values::{Fault, Str, Value};

use super::Compiler;
use super::resource::{Param, ResourceId};
use crate::report::failure_of;

/// Names and values, in the order of the names, but for what a container's own come before.
type Metaparameters = Vec<(&'static str, Value)>;

impl Compiler<'_> {
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        self.evaluate_relationships()?;
        // The stage and the settings are no business of the compiler.
        for index in FIRST_OF_COMPILER..self.resources.len() {
            let id = ResourceId(index as u32);
            self.merge_kept_overrides(id).map_err(failure_of)?;
            self.take_scope_tags(id);
            self.take_secrets(id);
            self.validate(id)?;
        }
        self.pass_on_metaparameters().map_err(failure_of)
    }

    /// A parameter that is Sensitive goes over the wire as it is, and is marked.
    fn take_secrets(&mut self, id: ResourceId) {
        let resource = self.resource_mut(id);
        for index in 0..resource.params.len() {
            let param = &resource.params[index];
            let secret = match &*param.value.borrow() {
                Value::Sensitive(secret) => (**secret).clone(),
                _ => continue,
            };
            let plain: std::rc::Rc<Param> = param.with(secret);
            resource.sensitive.push(plain.name.clone());
            resource.params[index] = plain;
        }
    }

    /// What a container was told, all in it are told that say nothing themselves. Goes from the main class outward, so
    /// that what is contained by nothing but its stage is not reached.
    fn pass_on_metaparameters(&mut self) -> Result<(), Fault> {
        let count = self.resources.len();
        let mut contents: Vec<Vec<ResourceId>> = vec![Vec::new(); count];
        for &(container, content) in &self.edges {
            contents[container.index()].push(content);
        }
        // What each was told, its own and its container's; `None` where that is but its own.
        let mut told: Vec<Option<Metaparameters>> = vec![None; count];
        let mut is_done = vec![false; count];
        let mut queue = vec![self.main_resource()];
        let mut next = 0;
        while let Some(&container) = queue.get(next) {
            next += 1;
            if std::mem::replace(&mut is_done[container.index()], true) || contents[container.index()].is_empty() {
                continue;
            }
            let of_container = match told[container.index()].take() {
                Some(told) => told,
                None => self.metaparameters(container),
            };
            for &content in &contents[container.index()] {
                if !of_container.is_empty() {
                    told[content.index()] = Some(self.pass_on(&of_container, content)?);
                }
                self.share_tags(container, content);
            }
            queue.extend(&contents[container.index()]);
        }
        Ok(())
    }

    /// Tells a resource what its container was told; gives what it has been told in all.
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
        let params = &self.resource(id).params;
        if !params.iter().any(|param| METAPARAMETERS.contains(&param.name.as_str())) {
            return Metaparameters::new();
        }
        let resource = self.resource(id);
        let names = METAPARAMETERS.iter().filter(|name| !RELATIONSHIPS.contains(name));
        names.map(|&name| (name, resource.get(name))).filter(|(_, value)| !value.is_undef()).collect()
    }

    pub(super) fn fail_on_unevaluated(&self) -> Result<(), Failure> {
        let overrides = self.unmet_overrides();
        if !overrides.is_empty() {
            let message = format!("Could not find resource(s) {} for overriding", overrides.join(", "));
            return Err(failure_of(Fault::new(message)));
        }
        let virtuals = self.unmet_realizations();
        if !virtuals.is_empty() {
            let message = format!("Failed to realize virtual resources {}", virtuals.join(", "));
            return Err(failure_of(Fault::new(message)));
        }
        Ok(())
    }
}

/// The main stage and the class `settings` stand before it.
pub(super) const FIRST_OF_COMPILER: usize = 2;

/// Names of parameters that hold relationships.
pub(super) fn is_relationship(name: &Str) -> bool {
    matches!(name.as_str(), "require" | "subscribe" | "before" | "notify")
}

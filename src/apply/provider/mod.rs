//! Providers that read all resources of a type at once, and the adapter that makes resources of what they read.
//!
//! A type whose resources stand in one table (accounts, hosts, crontabs) has a [`Provider`]. Its resources are
//! [`ProvidedResource`]s, or wrap one where the type has rules of its own.

mod registry;
#[cfg(test)]
mod tests;

use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::managed::{Managed, Observation, Property};
use crate::resource::AttributeValues;
use crate::types::NewResource;

pub(crate) use registry::Providers;

/// Reads and changes all resources of its type.
pub trait Provider: Send {
    /// Reads the resources that are wanted, or all there are. One that is not there has no row. Changes nothing, also in a run that may
    /// change something; commands that look run by `context.checks`.
    fn get(&mut self, context: &ApplyContext<'_>, wanted: Option<&[WantedResource<'_>]>) -> Result<Vec<Row>, Failure>;

    /// Makes changes. Never called for a resource that may change nothing.
    fn set(&mut self, context: &ApplyContext<'_>, changes: &[Delta<'_>]) -> Result<(), Failure>;
}

/// A provider by its names, and how it is made.
pub struct ProviderEntry {
    /// In lower case: `host`.
    pub type_name: &'static str,
    /// `parsed`
    pub name: &'static str,
    pub set_mode: SetMode,
    pub make: fn() -> Box<dyn Provider>,
}

/// When changes are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetMode {
    /// Each property alone, before its change is told; `ensure` with all others.
    EachProperty,
    /// All of a resource together, after its changes were told.
    AtFlush,
}

/// A resource of the catalog that a provider is asked for.
pub struct WantedResource<'a> {
    /// What rows are known by: the value of the namevar, or a text that a type makes of several.
    pub name: &'a str,
    pub values: &'a AttributeValues,
}

/// A resource as the machine has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub name: String,
    pub state: Observation,
}

/// A change of one resource.
pub struct Delta<'a> {
    pub name: &'a str,
    /// As the machine has it; `ensure` is `absent` if it has none.
    pub is: &'a Observation,
    /// The properties to be brought about. With `ensure` among them all that the resource has.
    pub should: &'a [Property],
    /// All attributes, with those that say how.
    pub values: &'a AttributeValues,
}

impl Delta<'_> {
    /// Returns the desired value of a property that is to be changed.
    pub fn should(&self, property: &str) -> Option<&Property> {
        self.should.iter().find(|should| should.name == property)
    }
}

/// By whom a resource is carried out.
#[derive(Clone, Copy)]
pub struct ProvidedBy<'a> {
    pub entry: &'static ProviderEntry,
    pub name: &'a str,
    pub values: &'a AttributeValues,
}

/// A resource that a provider carries out.
pub struct ProvidedResource {
    entry: &'static ProviderEntry,
    name: String,
    pub values: AttributeValues,
    /// As the provider gave them, by the last look.
    pub state: Observation,
    properties: Vec<Property>,
    footprint: Footprint,
    /// What is out of step and waits for the flush.
    pending: Vec<Property>,
}

impl ProvidedResource {
    /// A resource known to its provider by this name, whose changes reach this.
    pub fn new(
        new: &NewResource<'_>,
        entry: &'static ProviderEntry,
        name: impl Into<String>,
        footprint: Footprint,
    ) -> ProvidedResource {
        ProvidedResource {
            entry,
            name: name.into(),
            values: new.values.clone(),
            state: Observation::default(),
            properties: new.values.properties(),
            footprint,
            pending: Vec::new(),
        }
    }

    fn set(&self, should: &[Property], context: &ApplyContext<'_>) -> Result<(), Failure> {
        let delta = Delta { name: &self.name, is: &self.state, should, values: &self.values };
        context.providers.set(self.entry, &delta, context)
    }

    /// Returns what is changed with a property: of `ensure` all that the resource says.
    fn changed_with(&self, property: &Property) -> Vec<Property> {
        match property.name {
            "ensure" => {
                let others = self.properties.iter().filter(|other| other.name != "ensure" && other.is_desired());
                [property].into_iter().chain(others).cloned().collect()
            }
            _ => vec![property.clone()],
        }
    }
}

impl Managed for ProvidedResource {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.pending.clear();
        let wanted = WantedResource { name: &self.name, values: &self.values };
        let found = context.providers.row(self.entry, &wanted, context)?;
        self.state = found.unwrap_or_else(|| Observation::absent(&self.properties));
        Ok(self.state.clone())
    }

    fn change(
        &mut self,
        property: &Property,
        _is: &pantin_values::Value,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let changed = self.changed_with(property);
        match self.entry.set_mode {
            SetMode::EachProperty => self.set(&changed, context),
            SetMode::AtFlush => {
                self.pending.extend(changed);
                Ok(())
            }
        }
    }

    fn flush(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() { Ok(()) } else { self.set(&pending, context) }
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        Some(ProvidedBy { entry: self.entry, name: &self.name, values: &self.values })
    }

    fn footprint(&self) -> Footprint {
        self.footprint.clone()
    }
}

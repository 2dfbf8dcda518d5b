//! A resource that is a record of a file: what its provider reads and writes, with the few rules of its type.

use pantin_machine::Reading;
use pantin_values::Value;

use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{Managed, Observation, Property};
use crate::provider::{ProvidedBy, ProvidedResource, ProviderEntry};
use crate::types::NewResource;
use crate::value::{display, text};

/// What distinguishes the resources of a type.
pub(crate) struct RecordRules {
    /// Returns true if what the provider needs is here.
    pub is_suitable: fn(&dyn Reading) -> bool,
    /// Properties that say where a record is or whose, and never differ from it.
    pub settled: &'static [&'static str],
    /// A property whose values are shown as one text, and what stands between them.
    pub joined: Option<(&'static str, &'static str)>,
}

impl RecordRules {
    pub(crate) const PLAIN: RecordRules = RecordRules { is_suitable: |_| true, settled: &[], joined: None };
}

/// A resource that is a record of a file.
pub(crate) struct RecordResource {
    inner: ProvidedResource,
    entry: &'static ProviderEntry,
    rules: &'static RecordRules,
    named_provider: Option<String>,
}

impl RecordResource {
    /// A resource known by this name, in a file that may be another one than is usual.
    pub(crate) fn new(
        new: &NewResource<'_>,
        (entry, rules): (&'static ProviderEntry, &'static RecordRules),
        name: impl Into<String>,
        target: Option<String>,
    ) -> RecordResource {
        let writes = target.into_iter().map(Into::into).collect();
        let footprint = Footprint::Files(FileFootprint { writes, ..FileFootprint::default() });
        RecordResource {
            inner: ProvidedResource::new(new, entry, name, footprint),
            entry,
            rules,
            named_provider: new.values.text("provider"),
        }
    }

    fn join(&self, property: &Property, value: &Value) -> Option<String> {
        let (_, between) = self.rules.joined.filter(|(name, _)| *name == property.name)?;
        match value {
            Value::Array(items) => {
                Some(items.iter().map(|item| text(item).into_owned()).collect::<Vec<_>>().join(between))
            }
            _ => None,
        }
    }
}

impl Managed for RecordResource {
    fn properties(&self) -> &[Property] {
        self.inner.properties()
    }

    fn lack(&self, machine: &dyn Reading) -> Option<ProviderLack> {
        let is_ours = self.named_provider.as_deref().is_none_or(|named| named == self.entry.name);
        match (is_ours && (self.rules.is_suitable)(machine), &self.named_provider) {
            (true, _) => None,
            (false, Some(named)) => Some(ProviderLack::Named(named.clone())),
            (false, None) => Some(ProviderLack::OfType(self.entry.type_name.to_owned())),
        }
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let mut observation = self.inner.observe(context)?;
        if observation.is_present() {
            for property in self.inner.properties() {
                if observation.get(property.name).is_none() {
                    let value = match self.rules.settled.contains(&property.name) {
                        true => property.should(),
                        false => crate::value::symbol("absent"),
                    };
                    observation.set(property.name, value);
                }
            }
        }
        Ok(observation)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> Result<bool, Failure> {
        let is_joined = |joined: String| property.desired.iter().any(|desired| text(desired) == joined);
        Ok(self.rules.settled.contains(&property.name)
            || match self.rules.joined.filter(|(name, _)| *name == property.name) {
                Some(_) => is_joined(self.join(property, is).unwrap_or_default()),
                None => property.matches(is),
            })
    }

    fn change(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.inner.change(property, is, context)
    }

    fn show_current(&self, property: &Property, value: &Value) -> String {
        self.join(property, value).unwrap_or_else(|| display(value))
    }

    fn flush(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.inner.flush(context)
    }

    fn name(&self) -> Option<&str> {
        self.inner.name()
    }

    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        self.inner.provided_by()
    }

    fn footprint(&self) -> Footprint {
        self.inner.footprint()
    }
}

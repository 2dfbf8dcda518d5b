//! What is known of any resource, of whatever type.

use pantin_model::catalog::Place;
use pantin_values::{Str, Value};

use crate::log::{Level, Source};

/// What is known of any resource, of whatever type.
#[derive(Clone, Debug)]
pub struct ResourceInfo {
    /// `File`
    pub type_name: Str,
    pub title: Str,
    /// `File[/x]`
    pub reference: String,
    /// `/Stage[main]/Main/File[/x]`
    pub path: String,
    /// `Stage[main]`, `Main`, `File[/x]`
    pub containment: Vec<String>,
    pub place: Option<Place>,
    pub tags: Vec<Str>,
    /// The name of the provider, where the type has any.
    pub provider: Option<Str>,
    pub metaparameters: Metaparameters,
}

/// The metaparameters that say how a resource is applied.
#[derive(Clone, Debug)]
pub struct Metaparameters {
    pub noop: Option<bool>,
    pub level: Level,
    pub schedule: Option<String>,
    /// The properties that are audited.
    pub audit: Vec<Str>,
    /// As the catalog has them, for what the resource makes.
    pub inherited: Vec<(Str, Value)>,
}

impl Default for Metaparameters {
    fn default() -> Metaparameters {
        Metaparameters { noop: None, level: Level::Notice, schedule: None, audit: Vec::new(), inherited: Vec::new() }
    }
}

impl ResourceInfo {
    pub(crate) fn source(&self) -> Source<'_> {
        Source { path: &self.path, tags: &self.tags, place: self.place.as_ref() }
    }

    /// Returns true if the resource has one of these tags, in lower case.
    pub fn has_tag(&self, tags: &[String]) -> bool {
        tags.iter().any(|tag| self.tags.iter().any(|own| own == tag))
    }
}

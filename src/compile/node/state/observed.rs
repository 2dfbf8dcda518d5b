//! Resources found by type and title, and their parameters: every read here is recorded.
//! It must not know which question or effect wants them.

use std::borrow::Cow;

use pantin_base::names;
use pantin_values::{Fault, Str, Value};

use super::CatalogState;
use super::observations::{ObservationLog, ObservedPart};
use super::resource::{Resource, ResourceId};
use crate::node::references::{is_capitalized, normalized_class_title, type_and_title_of};

/// A resource of which all is recorded as observed: it offers its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::node) struct ObservedResource(ResourceId);

impl ObservedResource {
    /// For what is recorded by other means: an override that waits for its resource, and what a collector itself brings.
    pub(super) fn new(id: ResourceId) -> ObservedResource {
        ObservedResource(id)
    }

    #[inline]
    pub(in crate::node) fn id(self) -> ResourceId {
        self.0
    }
}

impl CatalogState<'_> {
    // ---- by type and title ----

    /// By title, or by a name that stands for it.
    pub(in crate::node) fn find_resource(
        &self,
        type_name: &str,
        title: &str,
        log: &ObservationLog,
    ) -> Option<ObservedResource> {
        self.look_for(type_name, title, Some((ObservedPart::AllOfIt, log))).map(ObservedResource)
    }

    /// The same, if it matters only whether it is there.
    pub(in crate::node) fn find_presence(
        &self,
        type_name: &str,
        title: &str,
        log: &ObservationLog,
    ) -> Option<ResourceId> {
        self.look_for(type_name, title, Some((ObservedPart::Presence, log)))
    }

    /// Returns a resource that is in the catalog by now, not one that nobody has realized.
    pub(in crate::node) fn find_in_catalog(
        &self,
        type_name: &str,
        title: &str,
        log: &ObservationLog,
    ) -> Option<ResourceId> {
        let found = self.find_presence(type_name, title, log)?;
        if self.resource(found).is_virtual {
            self.observe_all(found, log);
            return None;
        }
        Some(found)
    }

    /// By a reference, or by the text of one: `File[/x]`.
    pub(in crate::node) fn find_by_value(&self, value: &Value, log: &ObservationLog) -> Option<ObservedResource> {
        let (type_name, title) = type_and_title_of(value)?;
        self.find_resource(&type_name, &title, log)
    }

    /// Returns true if the target of a relationship is there. It is not recorded: the parameter itself shows it to a
    /// patch.
    pub(super) fn has_target(&self, value: &Value) -> bool {
        type_and_title_of(value).is_some_and(|(type_name, title)| self.look_for(&type_name, &title, None).is_some())
    }

    /// Whether a resource of the type can have this title: the type may refuse to take it apart.
    pub(in crate::node) fn check_title_of(&self, type_name: &str, title: &str) -> Result<(), Fault> {
        match self.base.resource_type(type_name)? {
            Some(native) => native.parse_title(title).map(|_| ()),
            None => Ok(()),
        }
    }

    /// From now on more matters than that it is there.
    pub(in crate::node) fn observe_all(&self, id: ResourceId, log: &ObservationLog) -> ObservedResource {
        let resource = self.resource(id);
        log.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);
        ObservedResource(id)
    }

    fn look_for(
        &self,
        type_name: &str,
        title: &str,
        observed: Option<(ObservedPart, &ObservationLog)>,
    ) -> Option<ResourceId> {
        let type_name = match is_capitalized(type_name) {
            true => Cow::Borrowed(type_name),
            false => Cow::Owned(names::type_name(type_name.strip_prefix("::").unwrap_or(type_name))),
        };
        let type_name = match self.type_replacements.get(&*type_name) {
            Some(replaced) => Cow::Owned(replaced.to_string()),
            None => type_name,
        };
        let class = (type_name == "Class").then(|| normalized_class_title(title));
        let title = class.as_deref().unwrap_or(title);
        let record = |name: &str| {
            if let Some((part, log)) = observed {
                log.resource(&type_name, name, part);
            }
        };
        record(title);
        if let Some(found) = self.table.by_title(&type_name, title) {
            record(&self.resource(found).title);
            return Some(found);
        }
        // A class has no other name.
        if class.is_some() {
            return None;
        }
        let native = self.base.resource_type(&type_name).ok()??;
        let key = native.uniqueness_key(title, |_| None).ok()?;
        let key = Value::array(key.into_iter().map(Option::unwrap_or_default)).flattened();
        key.iter().filter_map(Value::as_str).for_each(record);
        let found = self.table.by_key(&type_name, &key)?;
        record(&self.resource(found).title);
        Some(found)
    }

    // ---- by type ----

    /// Returns the resources of a type, for a query of titles and tags alone.
    pub(in crate::node) fn present_of_type(
        &self,
        type_name: &str,
        matches: &OnlyMatches,
        log: &ObservationLog,
    ) -> &[ResourceId] {
        observe_type(type_name, matches, ObservedPart::Presence, log);
        self.by_type.all(type_name)
    }

    /// The same for a query of parameters too, or for a collector that sets some.
    pub(in crate::node) fn observed_of_type(
        &self,
        type_name: &str,
        matches: &OnlyMatches,
        log: &ObservationLog,
    ) -> impl Iterator<Item = ObservedResource> {
        observe_type(type_name, matches, ObservedPart::AllOfIt, log);
        self.by_type.all(type_name).iter().map(|id| ObservedResource(*id))
    }

    /// The resources of a type, with those that every catalog begins with, which no collector sees.
    pub(in crate::node) fn all_of_type(
        &self,
        type_name: &str,
        log: &ObservationLog,
    ) -> impl Iterator<Item = ObservedResource> {
        observe_type(type_name, &OnlyMatches::Any, ObservedPart::AllOfIt, log);
        let is_of_type = move |(_, resource): &(usize, &Resource)| resource.type_name == type_name;
        let found = self.resources.iter().enumerate().filter(is_of_type);
        found.map(|(index, _)| ObservedResource(ResourceId::from_index(index)))
    }

    // ---- parameters ----

    /// Returns the value that a resource itself has; undef where it is not set.
    pub(in crate::node) fn parameter(&self, found: ObservedResource, name: &str, log: &ObservationLog) -> Value {
        let resource = self.resource(found.0);
        log.parameter(resource, name);
        resource.get(name)
    }

    pub(in crate::node) fn parameter_names(
        &self,
        found: ObservedResource,
        log: &ObservationLog,
    ) -> impl Iterator<Item = &Str> {
        let resource = self.resource(found.0);
        log.parameter_names(resource);
        resource.params.iter().map(|param| &param.name)
    }

    // ---- classes ----

    /// Returns the classes in the order in which they were begun, those of the node's classifier before.
    pub(in crate::node) fn classes(&self, log: &ObservationLog) -> &[Str] {
        log.type_of("Class", ObservedPart::AllOfIt);
        log.order();
        &self.classes
    }
}

/// What a resource must have for a query to match it.
pub(in crate::node) enum OnlyMatches {
    /// One of these titles.
    Titles(Vec<Str>),
    /// One of these tags.
    Tags(Vec<Str>),
    Any,
}

fn observe_type(type_name: &str, matches: &OnlyMatches, part: ObservedPart, log: &ObservationLog) {
    match matches {
        OnlyMatches::Titles(titles) => titles.iter().for_each(|title| log.title_in_any_case(type_name, title, part)),
        OnlyMatches::Tags(tags) => log.tagged(type_name, tags, part),
        OnlyMatches::Any => log.type_of(type_name, part),
    }
}

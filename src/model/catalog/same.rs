//! The equality of resources, as an agent can observe it.

use std::hash::{BuildHasher, Hash, Hasher};

use pantin_values::{hash_identical, identical};
use rustc_hash::FxBuildHasher;

use super::Resource;

impl Resource {
    /// Returns true if there is nothing that tells them apart.
    pub fn is_same(&self, other: &Resource) -> bool {
        self.has_same_name_as(other) && self.tags == other.tags && self.is_same_but_for_tags(other)
    }

    pub fn has_same_name_as(&self, other: &Resource) -> bool {
        self.title == other.title && self.type_name == other.type_name
    }

    /// Returns true if two resources of one type and title differ at most in their tags.
    pub fn is_same_but_for_tags(&self, other: &Resource) -> bool {
        self.place == other.place && self.has_same_kind_as(other) && self.has_same_parameters_as(other)
    }

    pub fn has_same_kind_as(&self, other: &Resource) -> bool {
        (self.kind, self.exported, self.says_exported_late) == (other.kind, other.exported, other.says_exported_late)
    }

    pub fn has_same_parameters_as(&self, other: &Resource) -> bool {
        self.sensitive == other.sensitive && self.parameters.is_identical(&other.parameters)
    }

    /// Returns true if both have the same value for a parameter, or neither has one.
    pub fn has_same_parameter_as(&self, other: &Resource, name: &str) -> bool {
        match (self.parameter(name), other.parameter(name)) {
            (Some(one), Some(other)) => identical(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// The same of those that are the same.
    pub fn hash_of_content(&self) -> u64 {
        let mut state = FxBuildHasher.build_hasher();
        self.type_name.hash(&mut state);
        self.title.hash(&mut state);
        self.place.as_ref().map(|place| place.line).hash(&mut state);
        for (_, value) in &self.parameters {
            hash_identical(value, &mut state);
        }
        // What contains it gives it tags, and much else is the same.
        self.tags.len().hash(&mut state);
        state.finish()
    }
}

//! A resource while its attributes are being checked: what a rule may ask.

use pantin_machine::Reading;
use pantin_model::catalog::Place;
use pantin_values::Value;

use super::values::AttributeValues;
use crate::settings::ApplySettings;

/// A resource while its attributes are being checked, in the order of its type's table.
pub struct Draft<'a> {
    /// `File[/x]`
    pub reference: &'a str,
    pub title: &'a str,
    pub place: Option<&'a Place>,
    /// What was accepted so far.
    pub values: AttributeValues,
    pub settings: &'a ApplySettings,
    pub machine: &'a dyn Reading,
    /// Says a warning or notice of the resource while it is checked.
    pub(crate) log: &'a crate::log::Log<'a>,
}

impl Draft<'_> {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.values.text(name)
    }

    /// Says a line with the reference of the resource as its source: it has no place in the catalog's tree yet.
    pub fn say(&self, level: crate::log::Level, text: impl Into<String>) {
        let path = format!("/{}", self.reference);
        self.log.say(level, crate::log::Source { path: &path, tags: &[], place: self.place }, text.into());
    }
}

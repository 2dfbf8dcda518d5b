//! A resource while its attributes are being checked: what a rule may ask.

use pantin_base::Language;
use pantin_machine::Reading;
use pantin_model::catalog::Place;
use pantin_values::Value;

use super::values::AttributeValues;
use crate::check::{ModulePlugins, NodeSystem};
use crate::settings::ApplySettings;

/// Who decides what depends on the system.
#[derive(Clone, Copy)]
pub(crate) enum Judge<'a> {
    /// The machine that the resource is applied on.
    Machine,
    /// The facts of a node that is somewhere else, and whoever knows which providers modules bring.
    Node(NodeSystem, &'a dyn ModulePlugins),
}

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
    pub(crate) judge: Judge<'a>,
    /// Says a warning or notice of the resource while it is checked.
    pub(crate) log: &'a crate::log::Log<'a>,
}

impl Draft<'_> {
    /// Returns true if a module brings a type of this name, and the resource is not applied here, where no such type can be carried out.
    pub(crate) fn is_type_of_module(&self, type_name: &str) -> bool {
        match self.judge {
            Judge::Machine => false,
            Judge::Node(_, modules) => modules.has_type(&type_name.to_lowercase()),
        }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.values.text(name)
    }

    /// Returns the version of the agent that takes the resource.
    pub(crate) fn language(&self) -> Language {
        self.node().map_or(self.settings.language, |node| node.language)
    }

    /// Returns the system of the node, if no machine is there to be looked at.
    pub(crate) fn node(&self) -> Option<&NodeSystem> {
        match &self.judge {
            Judge::Machine => None,
            Judge::Node(system, _) => Some(system),
        }
    }

    /// Returns true if a module brings a provider of this name.
    pub(crate) fn is_provider_of_module(&self, type_name: &str, name: &str) -> bool {
        match &self.judge {
            Judge::Machine => false,
            Judge::Node(_, modules) => modules.has_provider(type_name, name),
        }
    }

    /// Returns true for a path from a root of the machine, or of the node.
    pub(crate) fn is_absolute_path(&self, path: &str) -> bool {
        self.node().map_or_else(|| path.starts_with('/'), |node| node.is_absolute_path(path))
    }

    /// Says a line with the reference of the resource as its source: it has no place in the catalog's tree yet.
    pub fn say(&self, level: crate::log::Level, text: impl Into<String>) {
        let path = format!("/{}", self.reference);
        self.log.say(level, crate::log::Source { path: &path, tags: &[], place: self.place }, text.into());
    }
}

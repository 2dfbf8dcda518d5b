//! How a native type is written down: names in one text each, so that a table reads as the documentation does.

use pantin_values::Str;

use super::automatic::{Rule, Subject};
use super::title::TitlePattern;

/// What every resource takes, native or not, in the order in which Puppet knows them.
pub const METAPARAMETERS: [&str; 11] =
    ["noop", "schedule", "audit", "loglevel", "alias", "tag", "require", "subscribe", "before", "notify", "stage"];

#[derive(Debug)]
pub(super) struct Declaration {
    pub name: &'static str,
    pub summary: &'static str,
    pub module: Option<&'static str>,
    /// Separated by white space.
    pub properties: &'static str,
    /// The same; a star follows a namevar.
    pub parameters: &'static str,
    pub is_isomorphic: bool,
    /// Tried in their order. Without any, the title is the namevar.
    pub titles: fn() -> Vec<TitlePattern>,
    pub automatic: &'static [Rule],
    pub canonical_name: Option<fn(&str) -> Str>,
    pub agent_title: Option<fn(&Subject) -> Str>,
}

/// What most types are: named by their title, and each name once.
pub(super) const PLAIN: Declaration = Declaration {
    name: "",
    summary: "",
    module: None,
    properties: "",
    parameters: "name*",
    is_isomorphic: true,
    titles: Vec::new,
    automatic: &[],
    canonical_name: None,
    agent_title: None,
};

impl Declaration {
    pub(super) fn properties(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.properties.split_ascii_whitespace()
    }

    /// Each with whether it is a namevar.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&'static str, bool)> + use<> {
        self.parameters.split_ascii_whitespace().map(|word| match word.strip_suffix('*') {
            Some(name) => (name, true),
            None => (word, false),
        })
    }
}

//! Automatic relationships: what the agent orders a resource after or before without being told.
//!
//! A rule names its targets; whoever holds the catalog looks whether they are there.

use std::sync::{Arc, LazyLock};

use pantin_base::paths;
use pantin_values::regex::{Options, Regex};
use pantin_values::{NamedValues, Regexp, Str, Value};

use super::NativeType;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Require,
    Subscribe,
    Before,
    Notify,
}

impl Relation {
    pub fn name(self) -> &'static str {
        match self {
            Relation::Require => "require",
            Relation::Subscribe => "subscribe",
            Relation::Before => "before",
            Relation::Notify => "notify",
        }
    }
}

/// A relation of a type's resources to resources of the type `target_type`.
#[derive(Debug)]
pub struct Rule {
    pub relation: Relation,
    pub target_type: &'static str,
    pub targets: fn(&Subject) -> Vec<AutomaticTarget>,
}

impl Rule {
    pub(super) const fn require(target_type: &'static str, targets: fn(&Subject) -> Vec<AutomaticTarget>) -> Rule {
        Rule { relation: Relation::Require, target_type, targets }
    }

    pub(super) const fn before(target_type: &'static str, targets: fn(&Subject) -> Vec<AutomaticTarget>) -> Rule {
        Rule { relation: Relation::Before, target_type, targets }
    }
}

/// A resource that a rule would have a relationship with, if the catalog holds it.
#[derive(PartialEq, Debug)]
pub enum AutomaticTarget {
    /// The one of this title or name.
    Named(Str),
    /// The nearest folder above this path that there is.
    Above(Str),
    /// The first one whose attribute `gid` is this number.
    WithGid(i64),
    /// All whose path matches, in the catalog's order.
    PathLike(Arc<Regexp>),
}

impl AutomaticTarget {
    pub(super) fn named(text: &str) -> AutomaticTarget {
        AutomaticTarget::Named(text.into())
    }
}

/// The resource that a rule is asked for, with the attributes as the agent has them.
#[derive(Debug)]
pub struct Subject<'a> {
    kind: &'static NativeType,
    title: &'a str,
    parameters: &'a NamedValues,
}

impl<'a> Subject<'a> {
    pub fn new(kind: &'static NativeType, title: &'a str, parameters: &'a NamedValues) -> Subject<'a> {
        Subject { kind, title, parameters }
    }

    /// Returns the only namevar, in the agent's form.
    pub fn name(&self) -> Option<Str> {
        let namevar = self.kind.sole_namevar()?;
        self.text(namevar).map(|name| self.kind.canonical_name(&name))
    }

    /// Returns an attribute that was set to something; of an array with one element, that.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        let found = self.parameters.get(name)?;
        let plain = match found {
            Value::Sensitive(secret) => secret,
            plain => plain,
        };
        (!plain.is_undef()).then_some(plain)
    }

    /// The text of an attribute that the title may have given.
    pub(super) fn text(&self, name: &str) -> Option<Str> {
        match self.value(name) {
            Some(value) => title_text(value),
            // A title that says nothing gives nothing.
            None if self.kind.namevars().iter().any(|namevar| namevar == name) => {
                let of_title = self.kind.parse_title(self.title).ok()?;
                of_title.into_iter().find(|(given, _)| *given == name).and_then(|(_, value)| title_text(&value))
            }
            None => None,
        }
    }

    /// Returns what an attribute was set to, one by one.
    pub(super) fn values(&self, name: &str) -> &'a [Value] {
        match self.value(name) {
            Some(Value::Array(items)) => items,
            Some(single) => std::slice::from_ref(single),
            None => &[],
        }
    }

    /// Returns the first text of an attribute that takes several.
    pub(super) fn first_text(&self, name: &str) -> Option<Str> {
        self.values(name).first().and_then(title_text)
    }
}

/// Returns a value where a title is looked up: Ruby asks a number for its text as well.
pub(super) fn title_text(value: &Value) -> Option<Str> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string().into()),
        _ => None,
    }
}

/// Returns true if a line of a text is a number: then a user or group is told by its id, not by its name.
pub(super) fn is_number(text: &str) -> bool {
    text.split('\n').any(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns what the group of a pattern gives, each time it matches.
pub(super) fn scan(pattern: &LazyLock<Regexp>, text: &str) -> Vec<Str> {
    let Ok(regex) = pattern.regex() else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((text_of_group, end)) = next_group(regex, text, at) {
        found.push(text_of_group);
        at = end;
    }
    found
}

/// A group is never empty in the patterns here, so that every match ends behind its start.
fn next_group(regex: &Regex, text: &str, at: usize) -> Option<(Str, usize)> {
    let groups = regex.find_at(text, at).ok()??;
    let (from, to) = groups.get(1)?;
    let (_, end) = groups.get(0)?;
    Some((text.get(from..to)?.into(), end))
}

pub(super) fn one_line(source: &str) -> Regexp {
    Regexp::new(source, Options::default())
}

pub(super) fn expand_path(path: &str) -> Str {
    paths::expanded(path).as_ref().into()
}

/// Returns the folders above a path, the nearest first.
pub(super) fn folders_above(path: &str) -> Vec<Str> {
    paths::folders_above(path).map(Str::from).collect()
}

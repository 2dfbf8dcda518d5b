//! What a title says: patterns, and the attributes that their groups fill.
//! It must not know what language the conversion of a group is written in.

use std::fmt::Debug;
use std::sync::Arc;

use pantin_values::regex::Options;
use pantin_values::{Fault, Regexp, Str, Value, too_many_steps};

/// One way in which a title may be written.
#[derive(Debug)]
pub struct TitlePattern {
    pub regexp: Arc<Regexp>,
    /// By group, from the first.
    pub fills: Vec<TitleGroup>,
    /// Tells titles of which the first group surely takes all, so that most need not be matched.
    is_whole: fn(&str) -> bool,
}

/// The attribute that a group gives.
#[derive(Clone, PartialEq, Debug)]
pub struct TitleGroup {
    pub name: Str,
    /// The attribute gets what the type makes of the text, not the text itself.
    pub is_converted: bool,
}

impl TitleGroup {
    pub fn plain(name: Str) -> TitleGroup {
        TitleGroup { name, is_converted: false }
    }
}

/// Calls the code of a type that converts what a pattern finds.
pub trait TitleConverter: Debug + Send + Sync {
    /// Returns the values of the pattern's groups, for the texts that they found. The same texts have the same values.
    fn convert(&self, pattern: usize, found: &[Option<Str>]) -> Result<Vec<Value>, Fault>;
}

impl TitlePattern {
    pub fn new(regexp: Arc<Regexp>, fills: Vec<TitleGroup>) -> TitlePattern {
        TitlePattern { regexp, fills, is_whole: |_| false }
    }

    pub(super) fn native(regexp: Regexp, fills: &[&str], is_whole: fn(&str) -> bool) -> TitlePattern {
        let fills = fills.iter().map(|name| TitleGroup::plain((*name).into())).collect();
        TitlePattern { regexp: regexp.into(), fills, is_whole }
    }

    pub(super) fn is_converted(&self) -> bool {
        self.fills.iter().any(|fill| fill.is_converted)
    }
}

/// What tells titles beforehand follows from the pattern.
impl PartialEq for TitlePattern {
    fn eq(&self, other: &TitlePattern) -> bool {
        self.regexp == other.regexp && self.fills == other.fills
    }
}

impl TitlePattern {
    /// Returns true if a title is surely what its only group gives.
    pub(super) fn takes_whole(&self, title: &str) -> bool {
        self.fills.len() == 1 && (self.is_whole)(title)
    }
}

/// Returns a pattern whose dot matches a line feed as well.
pub(super) fn multi_line(source: &str) -> Regexp {
    Regexp::new(source, Options { multi_line: true, ..Options::default() })
}

pub(super) fn one_line(source: &str) -> Regexp {
    Regexp::new(source, Options::default())
}

/// Returns what the first pattern that matches makes of a title. A group that has found nothing gives undef.
pub(super) fn parse<'p>(
    patterns: &'p [TitlePattern],
    converter: Option<&dyn TitleConverter>,
    title: &str,
) -> Result<Vec<(&'p str, Value)>, Fault> {
    for (index, pattern) in patterns.iter().enumerate() {
        if let [only] = &pattern.fills[..]
            && pattern.takes_whole(title)
        {
            return Ok(vec![(&only.name, title.into())]);
        }
        let regex = pattern.regexp.regex().map_err(|error| Fault::new(error.message.clone()))?;
        if let Some(groups) = regex.find_at(title, 0).map_err(|_| too_many_steps(regex, title))? {
            let text = |group| groups.get(group).and_then(|(from, to)| title.get(from..to));
            let found: Vec<Option<Str>> = (1..=pattern.fills.len()).map(|group| text(group).map(Str::from)).collect();
            let values = match converter {
                Some(converter) if pattern.is_converted() => converter.convert(index, &found)?,
                _ => found.into_iter().map(|text| text.map(Value::String).unwrap_or_default()).collect(),
            };
            return Ok(pattern.fills.iter().map(|fill| fill.name.as_str()).zip(values).collect());
        }
    }
    Err(Fault::new(format!("No set of title patterns matched the title \"{title}\".")))
}

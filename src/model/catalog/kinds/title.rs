//! What a title says: patterns, and the attributes that their groups fill.

use std::sync::Arc;

use pantin_values::regex::Options;
use pantin_values::{Fault, Regexp, Str, too_many_steps};

/// One way in which a title may be written.
#[derive(Debug)]
pub struct TitlePattern {
    pub regexp: Arc<Regexp>,
    /// By group, from the first.
    pub fills: Vec<Str>,
    /// Tells titles of which the first group surely takes all, so that most need not be matched.
    is_whole: fn(&str) -> bool,
}

impl TitlePattern {
    pub fn new(regexp: Arc<Regexp>, fills: Vec<Str>) -> TitlePattern {
        TitlePattern { regexp, fills, is_whole: |_| false }
    }

    pub(super) fn native(regexp: Regexp, fills: &[&str], is_whole: fn(&str) -> bool) -> TitlePattern {
        TitlePattern { regexp: regexp.into(), fills: fills.iter().map(|name| (*name).into()).collect(), is_whole }
    }
}

/// What tells titles beforehand follows from the pattern.
impl PartialEq for TitlePattern {
    fn eq(&self, other: &TitlePattern) -> bool {
        self.regexp == other.regexp && self.fills == other.fills
    }
}

impl TitlePattern {
    /// Whether a title is surely what its only group gives.
    pub(super) fn takes_whole(&self, title: &str) -> bool {
        self.fills.len() == 1 && (self.is_whole)(title)
    }
}

/// A pattern whose dot matches a line feed as well.
pub(super) fn multi_line(source: &str) -> Regexp {
    Regexp::new(source, Options { multi_line: true, ..Options::default() })
}

pub(super) fn one_line(source: &str) -> Regexp {
    Regexp::new(source, Options::default())
}

/// What the first pattern that matches makes of a title.
pub(super) fn parse<'p>(patterns: &'p [TitlePattern], title: &str) -> Result<Vec<(&'p str, Str)>, Fault> {
    for pattern in patterns {
        if let [name] = &pattern.fills[..]
            && pattern.takes_whole(title)
        {
            return Ok(vec![(name, title.into())]);
        }
        let regex = pattern.regexp.regex().map_err(|error| Fault::new(error.message.clone()))?;
        if let Some(groups) = regex.find_at(title, 0).map_err(|_| too_many_steps(regex, title))? {
            let text = |group| groups.get(group).and_then(|(from, to)| title.get(from..to));
            let filled = pattern.fills.iter().enumerate();
            return Ok(filled.filter_map(|(at, name)| Some((name.as_str(), text(at + 1)?.into()))).collect());
        }
    }
    Err(Fault::new(format!("No set of title patterns matched the title \"{title}\".")))
}

//! A hiera.yaml, read and checked: which version, and what it declares.
//!
//! Knows nothing of a node: what the variables make of it is `hierarchy`.

mod check;
mod inspection;
mod schema;
mod v3;
mod v4;
mod v5;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_values::regex::{Options, Regex};
use pantin_values::{Hash, Str, Type, Value, mismatch, ops, ruby_class, sprintf};

pub use inspection::check_configuration;

use super::interpolate::{collect_variables, name_variable, variables_of_text};
use super::layer::Place;
use super::location::DeclaredLocations;
use super::merge::Strategy;
use super::trouble::Trouble;

#[derive(Debug)]
pub(super) struct Config {
    pub(super) version: i64,
    /// The folder that paths start from.
    pub(super) root: String,
    /// `None`: the file is not there, and this is what stands for it.
    pub(super) path: Option<PathBuf>,
    pub(super) text: Arc<[u8]>,
    pub(super) body: Body,
    /// The variables that stand anywhere in it: those that are locals are asked for all at once.
    pub(super) variables: Vec<Str>,
}

#[derive(Debug)]
pub(super) enum Body {
    /// Version 5, and version 4 put in its words.
    Hierarchy {
        entries: Vec<Declaration>,
        defaults: Option<Vec<Declaration>>,
    },
    V3(V3),
}

impl Body {
    fn variables(&self) -> Vec<Str> {
        let mut found = Vec::new();
        match self {
            Body::Hierarchy { entries, defaults } => {
                let declarations = entries.iter().chain(defaults.iter().flatten());
                declarations.for_each(|declaration| declaration.name_variables(&mut found));
            }
            Body::V3(v3) => {
                v3.paths.iter().for_each(|path| variables_of_text(path, &mut found));
                v3.config.values().for_each(|value| collect_variables(value, &mut found));
            }
        }
        found
    }
}

/// An entry of a hierarchy, as declared.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) name: Str,
    pub(super) function: FunctionKind,
    pub(super) function_name: Str,
    pub(super) locations: DeclaredLocations,
    pub(super) datadir: Str,
    /// Of version 4, where paths have none.
    pub(super) extension: Option<&'static str>,
    pub(super) options: Hash,
}

impl Declaration {
    fn name_variables(&self, found: &mut Vec<Str>) {
        variables_of_text(&self.datadir, found);
        match &self.locations {
            DeclaredLocations::None => {}
            DeclaredLocations::Paths(texts) | DeclaredLocations::Globs(texts) | DeclaredLocations::Uris(texts) => {
                texts.iter().for_each(|text| variables_of_text(text, found));
            }
            DeclaredLocations::Mapped([variable, _, path]) => {
                name_variable(variable, found);
                variables_of_text(path, found);
            }
        }
        self.options.values().for_each(|value| collect_variables(value, found));
    }
}

/// How an entry is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FunctionKind {
    DataHash,
    LookupKey,
    DataDig,
    /// Of hiera.yaml 3: yaml, json and hocon; eyaml; any other.
    V3DataHash,
    V3LookupKey,
    V3Backend,
    /// `data()` of a module that says so in its metadata.
    Legacy,
    /// A back end of version 4 that nobody knows.
    Unknown,
}

#[derive(Debug)]
pub(super) struct V3 {
    pub(super) backends: Vec<Str>,
    pub(super) paths: Vec<Str>,
    pub(super) config: Hash,
    pub(super) merge: Strategy,
}

impl Config {
    /// Returns what stands for a hiera.yaml that is not there.
    pub(super) fn absent(root: String) -> Config {
        let entry = Declaration {
            name: "Common".into(),
            function: FunctionKind::DataHash,
            function_name: "yaml_data".into(),
            locations: DeclaredLocations::Paths(vec!["common.yaml".into()]),
            datadir: "data".into(),
            extension: None,
            options: Hash::default(),
        };
        Config::with_single_level(root, entry)
    }

    /// Returns what stands for a function `data` of a module or environment.
    pub(super) fn legacy(root: String, function: &str) -> Config {
        let entry = Declaration {
            name: format!("Legacy function '{function}'").into(),
            function: FunctionKind::Legacy,
            function_name: function.into(),
            locations: DeclaredLocations::None,
            datadir: "data".into(),
            extension: None,
            options: Hash::default(),
        };
        Config::with_single_level(root, entry)
    }

    /// Without a file, and without variables.
    fn with_single_level(root: String, entry: Declaration) -> Config {
        let body = Body::Hierarchy { entries: vec![entry], defaults: None };
        Config { version: 5, root, path: None, text: Arc::from([]), body, variables: Vec::new() }
    }

    /// Returns which version a file says it is of.
    pub(super) fn format_version(data: Option<&Hash>) -> Result<i64, Trouble> {
        match data.and_then(|data| data.get_str("version")) {
            None | Some(Value::Undef | Value::Boolean(false)) => Ok(3),
            Some(Value::Integer(version)) => Ok(*version),
            Some(Value::Float(version)) => Ok(*version as i64),
            Some(Value::String(text)) => Ok(leading_integer(text)),
            Some(other) => {
                let (shown, class) = (sprintf::inspect(other), ruby_class(other));
                Err(Trouble::ruby(format!("undefined method `to_i' for {shown}:{class}")))
            }
        }
    }

    /// Returns a file that was read; `data` is its hash, if it holds one.
    pub(super) fn read(path: &Path, text: Arc<[u8]>, data: Option<&Hash>, place: &Place) -> Result<Config, Trouble> {
        let version = Config::format_version(data)?;
        let data = data.cloned().unwrap_or_else(v3::default_config);
        let root = path.parent().unwrap_or(Path::new("/")).display().to_string();
        let file = File { path, text: &text };
        let body = match version {
            5 => v5::body(&file, data, place)?,
            4 => v4::body(&file, data)?,
            3 => v3::body(&file, data)?,
            other => {
                return Err(file.wrong(format!("This runtime does not support hiera.yaml version {other}"), None));
            }
        };
        let variables = body.variables();
        Ok(Config { version, root, path: Some(path.to_owned()), text, body, variables })
    }

    pub(super) fn file(&self) -> File<'_> {
        File { path: self.path.as_deref().unwrap_or(Path::new("")), text: &self.text }
    }

    /// Returns an issue of this configuration.
    pub(super) fn wrong(&self, message: String, line: Option<usize>) -> Trouble {
        self.file().at_line(Trouble::in_file(message, self.path.as_deref(), line), line)
    }

    pub(super) fn has_default_hierarchy(&self) -> bool {
        matches!(&self.body, Body::Hierarchy { defaults: Some(_), .. })
    }
}

/// The file of a configuration, to say where in it something stands.
pub(super) struct File<'f> {
    path: &'f Path,
    text: &'f [u8],
}

impl File<'_> {
    fn wrong(&self, message: impl Into<String>, line: Option<usize>) -> Trouble {
        self.at_line(Trouble::in_file(message, Some(self.path), line), line)
    }

    /// An issue of a line, with what a person is shown of it: where Puppet tells no line, the one that has what the message names.
    fn at_line(&self, trouble: Trouble, line: Option<usize>) -> Trouble {
        let line = line.or_else(|| self.line_named_in(&trouble.message));
        let line = line.and_then(|line| u32::try_from(line).ok());
        trouble.seen_at(self.path, self.text, line, None)
    }

    /// The data of the file is not what it has to be.
    fn check(&self, expected: &Type, data: &Hash) -> Result<(), Trouble> {
        let checked = mismatch::assert_instance(self.subject(), expected, &Value::Hash(data.clone()));
        checked.map_err(|fault| self.at_line(Trouble::mismatch(fault), None))
    }

    /// Returns the line of the last of the words in quotes that stands anywhere.
    fn line_named_in(&self, message: &str) -> Option<usize> {
        let text = String::from_utf8_lossy(self.text);
        let lines: Vec<String> = text.lines().map(without_comment).collect();
        let words: Vec<&str> = message.split('\'').skip(1).step_by(2).filter(|word| !word.is_empty()).collect();
        words.iter().rev().find_map(|word| lines.iter().position(|line| has_word(line, word))).map(|index| index + 1)
    }

    fn subject(&self) -> String {
        format!("The Lookup Configuration at '{}'", self.path.display())
    }

    /// Returns the first line at or behind `from` in which a pattern matches, comments left out.
    pub(super) fn line_matching(&self, pattern: &str, from: usize) -> Option<usize> {
        let regex = Regex::new(pattern, Options::default()).ok()?;
        let text = String::from_utf8_lossy(self.text);
        let mut lines = text.split_inclusive('\n').enumerate().skip(from.saturating_sub(1));
        lines.find(|(_, line)| regex.is_match(&without_comment(line)).unwrap_or(false)).map(|(index, _)| index + 1)
    }

    /// Where a name is given for the second time, and for the first. Names stand in patterns as they are.
    pub(super) fn lines_of_twice(&self, pattern: &str) -> (Option<usize>, Option<usize>) {
        let Some(first) = self.line_matching(pattern, 1) else { return (None, None) };
        match self.line_matching(pattern, first + 1) {
            Some(second) => (Some(second), Some(first)),
            None => (Some(first), None),
        }
    }
}

/// Returns true if a line has this word, and not as a part of another one.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + word.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    })
}

fn without_comment(line: &str) -> String {
    let mut quote = None;
    let is_code = |character: &char| {
        match character {
            '"' | '\'' if quote == Some(*character) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(*character),
            // Ruby's own reading of this: a hash mark ends the line, in quotes as well.
            '#' => return false,
            _ => {}
        }
        true
    };
    line.chars().take_while(is_code).collect()
}

/// Ruby's `to_i` of a text.
fn leading_integer(text: &str) -> i64 {
    let text = text.trim_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let sign = if text.starts_with('-') { -1 } else { 1 };
    digits[..end].parse::<i64>().unwrap_or(0).saturating_mul(sign)
}

/// Returns a text, or several in an array.
fn texts(value: Option<&Value>) -> Vec<Str> {
    match value {
        Some(Value::Array(items)) => items.iter().map(|item| ops::to_s(item).into()).collect(),
        Some(Value::Undef) | None => Vec::new(),
        Some(other) => vec![ops::to_s(other).into()],
    }
}

//! YAML 1.1 as values, as Puppet reads it: Ruby's Psych on libyaml, with `safe_load`.
//!
//! The values and the words of every error are theirs. What a text holds that Pantin has no value for is an
//! error of its own, with its place. Only the first document counts.

mod build;
mod duplicates;
mod emit;
mod parser;
mod scalar;
mod scanner;
mod symbol;
#[cfg(test)]
mod tests;
mod text;

use pantin_base::limits;

use super::Error;
use crate::Value;
use build::Refusal;
pub use duplicates::duplicate_keys;
pub use emit::{Layout, to_yaml, to_yaml_in, to_yaml_with_anchors, to_yaml_with_quotes};
use parser::Failure;
pub use symbol::value as symbol;
use text::Mark;

/// What is allowed beside plain data.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options<'a> {
    pub symbols: Symbols,
    /// Classes of Ruby whose objects are read as the hash of their parts:
    /// `--- !ruby/object:Puppet::Node::Facts`.
    pub classes: &'a [&'a str],
    /// Whether regular expressions of Ruby's are read: `!ruby/regexp /x/i`.
    pub regexps: bool,
}

/// What becomes of Ruby's symbols: `:name`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Symbols {
    /// An error.
    #[default]
    Refused,
    /// Texts.
    Text,
    /// Symbols, but for keys, which become texts, as Hiera has them.
    TextAsKey,
    Kept,
}

/// Returns the value of the first document; `undef` if there is none. (Puppet's own loader makes `false` of both.)
///
/// `name` is the file in error texts, `<unknown>` if there is none. They are those of Puppet's
/// `YamlLoadError`: to most of them belongs the name.
pub fn load(text: &[u8], name: &str, options: Options<'_>) -> Result<Value, Error> {
    load_or_say(text, name, options).map_err(|wrong| match wrong {
        Wrong::Syntax(error) | Wrong::Else(error) => error,
        Wrong::Alias(alias) => Error::new(unknown_alias(&alias)),
        Wrong::Class(class) => Error::new(format!("({name}): {}", unspecified_class(&class))),
    })
}

/// Why there is no value, as Ruby's classes of errors tell it apart.
#[derive(Debug)]
pub enum Wrong {
    Syntax(Error),
    /// An alias that names nothing.
    Alias(String),
    /// A class that is not allowed.
    Class(String),
    Else(Error),
}

pub fn unknown_alias(name: &str) -> String {
    format!("Unknown alias: {name}")
}

pub fn unspecified_class(name: &str) -> String {
    format!("Tried to load unspecified class: {name}")
}

pub fn load_or_say(text: &[u8], name: &str, options: Options<'_>) -> Result<Value, Wrong> {
    let root = parser::parse(text).map_err(|failure| match failure {
        Failure::Syntax(problem) => {
            let context = problem.context.map(|context| format!(" {context}")).unwrap_or_default();
            Wrong::Syntax(located(name, &format!("{}{context}", problem.text), problem.mark))
        }
        Failure::TooDeep(mark) => {
            Wrong::Else(located(name, &format!("nesting is deeper than {} levels", limits::NESTING), mark))
        }
    })?;
    let Some(root) = root else { return Ok(Value::Undef) };
    build::build(&root, options).map_err(|refusal| match refusal {
        Refusal::Class(class) => Wrong::Class(class),
        Refusal::Alias(alias) => Wrong::Alias(alias),
        Refusal::Ruby(message) => Wrong::Else(Error::new(message)),
        Refusal::Unsupported(what, mark) => Wrong::Else(located(name, &what, mark)),
    })
}

/// Returns the first alias of the first document, for readers that take none.
pub fn first_alias(text: &[u8]) -> Option<String> {
    parser::parse(text).ok()?.as_ref()?.first_alias().map(str::to_owned)
}

/// Psych's way to tell a place.
fn located(name: &str, problem: &str, mark: Mark) -> Error {
    let (line, column) = (mark.line + 1, mark.column + 1);
    Error {
        message: format!("({name}): {problem} at line {line} column {column}"),
        line: Some(line),
        column: Some(column),
    }
}

//! What is shown of each resource beside its node and its name.

use std::fmt;

use pantin_base::nearest;

use super::cursor::Cursor;
use super::parser;
use super::selector::{Field, Word};

/// One thing that is shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub(super) Shown);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Shown {
    /// A parameter, and the keys that lead into its value.
    Parameter(Vec<String>),
    /// A column for each parameter that a resource has.
    AllParameters,
    Word(Word),
}

/// Words that are columns; a resource has its type and title shown anyway.
const WORDS: [Word; 6] = [Word::Tag, Word::Class, Word::File, Word::Line, Word::Environment, Word::Exported];

impl Column {
    /// Reads the name of a parameter, `parameters.NAME`, `*` for all of them, or one of the words of selectors.
    pub fn parse(text: &str) -> Result<Column, String> {
        if matches!(text, "*" | "parameters" | "parameters.*") {
            return Ok(Column(Shown::AllParameters));
        }
        let mut cursor = Cursor::new(text);
        let (field, _) = parser::field(&mut cursor).map_err(|error| error.message)?;
        if !cursor.is_at_end() {
            return Err(format!("{} does not belong to a name; a comma divides names", cursor.describe_next()));
        }
        match field {
            Field::Parameter(path) => Ok(Column(Shown::Parameter(path))),
            Field::Word(word) if WORDS.contains(&word) => Ok(Column(Shown::Word(word))),
            Field::Word(word) => Err(format!("{} is always shown", word.name())),
        }
    }

    pub(super) fn from_path(path: Vec<String>) -> Column {
        Column(Shown::Parameter(path))
    }

    /// A name that is nearly one of the words, where no resource has such a parameter.
    pub(super) fn nearest_word(name: &str) -> Option<&'static str> {
        nearest(name, Word::ALL.into_iter().map(Word::name))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Shown::Parameter(path) => to.write_str(&path.join(".")),
            Shown::AllParameters => to.write_str("*"),
            Shown::Word(word) => to.write_str(word.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_parameters_and_words() {
        let shown = |text: &str| Column::parse(text).map(|column| column.to_string());
        assert_eq!(shown("ensure").as_deref(), Ok("ensure"));
        assert_eq!(shown("parameters.file.a").as_deref(), Ok("file.a"));
        assert_eq!(Column::parse("parameters.file"), Ok(Column(Shown::Parameter(vec!["file".to_owned()]))));
        assert_eq!(Column::parse("file"), Ok(Column(Shown::Word(Word::File))));
        assert_eq!(shown("*").as_deref(), Ok("*"));
        assert_eq!(shown("title").unwrap_err(), "title is always shown");
        assert!(shown("a b").unwrap_err().contains("a comma divides names"));
    }
}

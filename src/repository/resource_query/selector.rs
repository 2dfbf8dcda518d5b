//! A selector as data.

use std::fmt;
use std::sync::Arc;

use pantin_base::Span;
use pantin_values::regex::Regex;

use super::columns::Column;
use super::parser::{self, SelectorError};
use crate::pattern::Pattern;

/// Which resources are meant.
#[derive(Clone, Debug)]
pub struct Selector {
    /// As it was written.
    pub text: String,
    /// In lower case; `None`: of any type.
    pub(super) type_name: Option<(Pattern, Span)>,
    /// One of these; none: whatever the title.
    pub(super) titles: Vec<(Pattern, Span)>,
    pub(super) condition: Condition,
    /// What a query in PuppetDB's language wants to see.
    pub(super) columns: Vec<Column>,
}

#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Each of these; without any it holds.
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Test(FieldTest),
}

/// A question about one field of a resource.
#[derive(Clone, Debug)]
pub(super) struct FieldTest {
    pub(super) field: Field,
    pub(super) test: Test,
    /// Where the field is written.
    pub(super) span: Span,
}

/// What a resource has that can be compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Field {
    Word(Word),
    /// The name of a parameter, and the keys that lead into its value.
    Parameter(Vec<String>),
}

/// A field that is no parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Word {
    Type,
    Title,
    Tag,
    Class,
    File,
    Line,
    Node,
    Environment,
    Exported,
}

#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The parameter has a value; of `exported`: it is true.
    IsSet,
    Equals(Operand),
    Matches(Arc<Regex>),
    Compares(Order, Operand),
}

/// A value of a selector.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Operand {
    pub(super) pattern: Pattern,
    pub(super) number: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Selector {
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        parser::parse(text)
    }

    /// Returns the parameters that it names, in their order.
    pub(super) fn parameters(&self) -> Vec<Vec<String>> {
        let mut paths = Vec::new();
        self.condition.each_test(&mut |test| {
            if let Field::Parameter(path) = &test.field
                && !paths.contains(path)
            {
                paths.push(path.clone());
            }
        });
        paths
    }
}

impl Condition {
    pub(super) fn each_test<'c>(&'c self, see: &mut impl FnMut(&'c FieldTest)) {
        match self {
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| part.each_test(see)),
            Condition::Not(part) => part.each_test(see),
            Condition::Test(test) => see(test),
        }
    }
}

impl Word {
    pub(super) const ALL: [Word; 9] = [
        Word::Type,
        Word::Title,
        Word::Tag,
        Word::Class,
        Word::File,
        Word::Line,
        Word::Node,
        Word::Environment,
        Word::Exported,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Word::Type => "type",
            Word::Title => "title",
            Word::Tag => "tag",
            Word::Class => "class",
            Word::File => "file",
            Word::Line => "line",
            Word::Node => "node",
            Word::Environment => "environment",
            Word::Exported => "exported",
        }
    }

    /// The word of this name; PuppetDB's names are known too.
    pub(super) fn from_name(name: &str) -> Option<Word> {
        match name {
            "certname" => Some(Word::Node),
            "tags" => Some(Word::Tag),
            name => Word::ALL.into_iter().find(|word| word.name() == name),
        }
    }
}

impl Operand {
    pub(super) fn new(text: String, is_quoted: bool) -> Operand {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        Operand { pattern: Pattern::new(text, is_quoted), number }
    }
}

impl Order {
    pub(super) fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Order::Less => order.is_lt(),
            Order::LessOrEqual => order.is_le(),
            Order::Greater => order.is_gt(),
            Order::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text)
    }
}

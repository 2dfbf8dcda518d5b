//! The query of a collector, and which resources it matches. It must not know where the resources come from.
//!
//! A query of titles and tags alone has no tests: its type says that it cannot read a parameter.

use std::convert::Infallible;

use pantin_syntax::ast::BinaryOp;
use pantin_values::ops::to_s;
use pantin_values::{Fault, Str, Value, ops};
use pantin_world::ExportedResource;

use super::state::OnlyMatches;

/// `T`: a test of more than the title and the tags of a resource.
#[derive(Debug)]
pub(super) enum Query<T> {
    All,
    Tagged(Vec<Str>),
    Title(Comparison),
    And(Box<(Query<T>, Query<T>)>),
    Or(Box<(Query<T>, Query<T>)>),
    Test(T),
}

/// A query that reads no parameter.
pub(super) type PresenceQuery = Query<Infallible>;

/// A test of more than the title and the tags.
#[derive(Debug)]
pub(super) enum ContentTest {
    Parameter {
        name: Str,
        comparison: Comparison,
    },
    /// A value that is no query: an error as soon as there is a resource to match with it.
    Plain(Value),
}

#[derive(Clone, Debug)]
pub(super) struct Comparison {
    /// `==`, or else `!=`.
    is_equal: bool,
    value: Value,
}

impl Comparison {
    /// As Puppet compares.
    fn holds(&self, found: &Value) -> Result<bool, Fault> {
        match (found, self.is_equal) {
            (Value::Array(items), true) => Ok(items.iter().any(|item| ops::equals(item, &self.value))),
            (found, true) => ops::compare(BinaryOp::Equal, found, &self.value),
            (found, false) => ops::compare(BinaryOp::NotEqual, found, &self.value),
        }
    }
}

/// The title and the tags of a resource that may match.
pub(super) trait Candidate {
    fn title(&self) -> &Str;

    fn has_any_tag(&self, tags: &[Str]) -> bool;
}

impl Query<ContentTest> {
    pub(super) fn from_data(data: &Value) -> Result<Query<ContentTest>, Fault> {
        let Value::Array(parts) = data else { return Ok(Query::All) };
        let (operator, left, right) = match &parts[..] {
            [operator, left, right] => (operator, left, right),
            [plain] => return Ok(Query::Test(ContentTest::Plain(plain.clone()))),
            _ => return Ok(Query::All),
        };
        Ok(match operator.as_str() {
            Some("and") => Query::And(Box::new((Query::from_data(left)?, Query::from_data(right)?))),
            Some("or") => Query::Or(Box::new((Query::from_data(left)?, Query::from_data(right)?))),
            Some("==") if left.as_str() == Some("tag") => {
                let tags = match right {
                    Value::Array(tags) => tags.to_vec(),
                    tag => vec![tag.clone()],
                };
                Query::Tagged(tags.iter().map(tag).collect::<Result<_, _>>()?)
            }
            operator => {
                let name: Str = to_s(left).into();
                let comparison = Comparison { is_equal: operator == Some("=="), value: right.clone() };
                if name == "title" {
                    Query::Title(comparison)
                } else {
                    Query::Test(ContentTest::Parameter { name, comparison })
                }
            }
        })
    }

    /// The same query, if it reads no parameter.
    pub(super) fn presence_only(&self) -> Option<PresenceQuery> {
        Some(match self {
            Query::All => Query::All,
            Query::Tagged(tags) => Query::Tagged(tags.clone()),
            Query::Title(comparison) => Query::Title(comparison.clone()),
            Query::And(sides) => Query::And(Box::new((sides.0.presence_only()?, sides.1.presence_only()?))),
            Query::Or(sides) => Query::Or(Box::new((sides.0.presence_only()?, sides.1.presence_only()?))),
            Query::Test(_) => return None,
        })
    }

    /// As the whole of a query, nothing and `false` are as good as none.
    pub(super) fn finds<C: Candidate>(
        &self,
        candidate: &C,
        parameter: impl Fn(&C, &str) -> Value,
    ) -> Result<bool, Fault> {
        match self {
            Query::Test(ContentTest::Plain(value)) if !value.is_truthy() => Ok(true),
            query => query.matches(candidate, &|test, candidate| match test {
                ContentTest::Parameter { name, comparison } => comparison.holds(&parameter(candidate, name)),
                ContentTest::Plain(value) => Err(no_query(value)),
            }),
        }
    }

    /// Returns true if it matches a resource in the store, which knows nothing of Puppet's ways to compare.
    pub(super) fn matches_export(&self, export: &ExportedResource) -> bool {
        self.matches_stored(export, &|test| match test {
            ContentTest::Parameter { name, comparison } => {
                let value = &comparison.value;
                let is_same = match name.as_str() {
                    "tag" => export.tags.iter().any(|tag| *tag == to_s(value).to_lowercase()),
                    name => {
                        let found = export.parameters.iter().find(|(known, _)| known == name);
                        found.map_or(value.is_undef(), |(_, found)| found == value)
                    }
                };
                is_same == comparison.is_equal
            }
            ContentTest::Plain(_) => false,
        })
    }
}

impl PresenceQuery {
    pub(super) fn finds_present(&self, candidate: &impl Candidate) -> Result<bool, Fault> {
        self.matches(candidate, &|never, _| match *never {})
    }

    /// Returns true if it matches a resource in the store.
    pub(super) fn matches_stored_presence(&self, export: &ExportedResource) -> bool {
        self.matches_stored(export, &|never| match *never {})
    }
}

impl<T> Query<T> {
    /// Returns what a resource must have for this query to match it.
    pub(super) fn only_matches(&self) -> OnlyMatches {
        let tags = || self.tags().map_or(OnlyMatches::Any, OnlyMatches::Tags);
        self.titles().map_or_else(tags, OnlyMatches::Titles)
    }

    /// The tags of which a resource must have one, so that no test of another one is made.
    fn tags(&self) -> Option<Vec<Str>> {
        match self {
            Query::Tagged(tags) => Some(tags.clone()),
            Query::And(sides) => sides.0.tags().or_else(|| sides.1.tags().filter(|_| !sides.0.has_test())),
            Query::Or(sides) => Some([sides.0.tags()?, sides.1.tags()?].concat()),
            _ => None,
        }
    }

    fn has_test(&self) -> bool {
        match self {
            Query::All | Query::Tagged(_) | Query::Title(_) => false,
            Query::And(sides) | Query::Or(sides) => sides.0.has_test() || sides.1.has_test(),
            Query::Test(_) => true,
        }
    }

    /// The only titles that it can be for, if it says so.
    fn titles(&self) -> Option<Vec<Str>> {
        match self {
            Query::Title(Comparison { is_equal: true, value: Value::String(title) }) => Some(vec![title.clone()]),
            Query::And(sides) => sides.0.titles().or_else(|| sides.1.titles()),
            Query::Or(sides) => Some([sides.0.titles()?, sides.1.titles()?].concat()),
            _ => None,
        }
    }

    fn matches<C: Candidate>(
        &self,
        candidate: &C,
        holds: &impl Fn(&T, &C) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        Ok(match self {
            Query::All => true,
            Query::Tagged(tags) => candidate.has_any_tag(tags),
            Query::Title(comparison) => comparison.holds(&candidate.title().clone().into())?,
            Query::And(sides) => sides.0.matches(candidate, holds)? && sides.1.matches(candidate, holds)?,
            Query::Or(sides) => sides.0.matches(candidate, holds)? || sides.1.matches(candidate, holds)?,
            Query::Test(test) => holds(test, candidate)?,
        })
    }

    fn matches_stored(&self, export: &ExportedResource, holds: &impl Fn(&T) -> bool) -> bool {
        match self {
            Query::All => true,
            Query::Tagged(tags) => tags.iter().any(|tag| export.tags.contains(tag)),
            Query::Title(Comparison { is_equal, value }) => {
                (Value::String(export.title.clone()) == *value) == *is_equal
            }
            Query::And(sides) => sides.0.matches_stored(export, holds) && sides.1.matches_stored(export, holds),
            Query::Or(sides) => sides.0.matches_stored(export, holds) || sides.1.matches_stored(export, holds),
            Query::Test(test) => holds(test),
        }
    }
}

/// Puppet calls what stands for the query, and fails in a way that it did not plan.
fn no_query(value: &Value) -> Fault {
    let receiver = pantin_values::new::receiver(value);
    let error = format!("NoMethodError: undefined method `call' for {receiver}");
    Fault::new(format!("Puppet::Parser::Compiler failed with error {error}"))
}

fn tag(value: &Value) -> Result<Str, Fault> {
    match value {
        Value::Integer(_) | Value::Float(_) => Err(Fault::new("Cannot transform a number to a tag")),
        value => Ok(to_s(value).to_lowercase().into()),
    }
}

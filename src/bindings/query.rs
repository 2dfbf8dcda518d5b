//! Queries of exported resources.
//! It must not know where they are stored.

use std::sync::Arc;

use pantin_syntax::ast::BinaryOp;
use pantin_syntax::bindings::{BindingsFile, Query, QueryOp, QueryValue};
use pantin_values::{Digester, Fault, Hash, Str, Type, Value, ops};

use super::definition::Expression;
use super::outside::{ExportedResource, Outside};
use super::rows::expression_digest;

/// A query with its values as expressions.
#[derive(Clone, Debug)]
pub struct QueryTest {
    pub type_name: Str,
    test: Option<Test>,
}

#[derive(Clone, Debug)]
enum Test {
    Or(Vec<Test>),
    And(Vec<Test>),
    Not(Box<Test>),
    Compare { name: Str, op: QueryOp, value: Comparand },
}

#[derive(Clone, Debug)]
enum Comparand {
    Word(Value),
    Expression(Expression),
}

impl QueryTest {
    pub(crate) fn from_syntax(file: &Arc<BindingsFile>, type_name: &str, query: Option<&Query>) -> QueryTest {
        QueryTest { type_name: type_name.into(), test: query.map(|query| Test::from_syntax(file, query)) }
    }

    /// Adds all that it says, without places.
    pub(crate) fn add_to(&self, digester: &mut Digester) {
        digester.text(&self.type_name);
        if let Some(test) = &self.test {
            test.add_to(digester);
        }
    }

    /// Returns the resources that fit, in the order of certname and title.
    pub(crate) fn find(&self, outside: &mut dyn Outside) -> Result<Vec<ExportedResource>, Fault> {
        let test = match &self.test {
            Some(test) => Some(test.with_values(outside)?),
            None => None,
        };
        let mut found = outside.exported(&self.type_name)?;
        found.sort_by(|one, other| (&one.certname, &one.title).cmp(&(&other.certname, &other.title)));
        if let Some(test) = test {
            found.retain(|resource| test.holds(resource));
        }
        Ok(found)
    }
}

/// Returns a resource as plain data.
pub(crate) fn resource_value(resource: &ExportedResource) -> Value {
    let text = |text: &Str| Value::String(text.clone());
    let parameters: Hash = resource.parameters.iter().map(|(name, value)| (text(name), value.clone())).collect();
    Value::hash([
        ("certname".into(), text(&resource.certname)),
        ("type".into(), text(&resource.type_name)),
        ("title".into(), text(&resource.title)),
        ("tags".into(), Value::array(resource.tags.iter().map(text))),
        ("parameters".into(), Value::Hash(parameters)),
    ])
}

impl Test {
    fn from_syntax(file: &Arc<BindingsFile>, query: &Query) -> Test {
        let all = |parts: &[Query]| parts.iter().map(|part| Test::from_syntax(file, part)).collect();
        match query {
            Query::Or(parts) => Test::Or(all(parts)),
            Query::And(parts) => Test::And(all(parts)),
            Query::Not(inner) => Test::Not(Box::new(Test::from_syntax(file, inner))),
            Query::Compare { name, op, value } => {
                let value = match value {
                    QueryValue::Word(word) => Comparand::Word(word.text.as_str().into()),
                    QueryValue::Expression(node) => {
                        Comparand::Expression(Expression { file: Arc::clone(file), node: *node })
                    }
                };
                Test::Compare { name: name.text.as_str().into(), op: *op, value }
            }
        }
    }

    fn add_to(&self, digester: &mut Digester) {
        let mut add_all = |tag: &str, parts: &[Test]| {
            digester.text(tag).number(parts.len() as u64);
            parts.iter().for_each(|part| part.add_to(digester));
        };
        match self {
            Test::Or(parts) => add_all("or", parts),
            Test::And(parts) => add_all("and", parts),
            Test::Not(inner) => add_all("not", std::slice::from_ref(inner)),
            Test::Compare { name, op, value } => {
                digester.text("compare").text(name).number(*op as u64);
                match value {
                    Comparand::Word(value) => _ = digester.text("word").item(value),
                    Comparand::Expression(expression) => {
                        digester.text("expression").digest(expression_digest(expression));
                    }
                }
            }
        }
    }

    /// The same with every value worked out.
    fn with_values(&self, outside: &mut dyn Outside) -> Result<Test, Fault> {
        Ok(match self {
            Test::Or(parts) => Test::Or(parts.iter().map(|part| part.with_values(outside)).collect::<Result<_, _>>()?),
            Test::And(parts) => {
                Test::And(parts.iter().map(|part| part.with_values(outside)).collect::<Result<_, _>>()?)
            }
            Test::Not(inner) => Test::Not(Box::new(inner.with_values(outside)?)),
            Test::Compare { name, op, value } => {
                let value = match value {
                    Comparand::Word(value) => value.clone(),
                    Comparand::Expression(expression) => outside.evaluate(expression)?,
                };
                Test::Compare { name: name.clone(), op: *op, value: Comparand::Word(value) }
            }
        })
    }

    fn holds(&self, resource: &ExportedResource) -> bool {
        match self {
            Test::Or(parts) => parts.iter().any(|part| part.holds(resource)),
            Test::And(parts) => parts.iter().all(|part| part.holds(resource)),
            Test::Not(inner) => !inner.holds(resource),
            Test::Compare { name, op, value: Comparand::Word(wanted) } => {
                if name == "tag" {
                    let mut tags = resource.tags.iter().map(|tag| Value::String(tag.clone()));
                    return match op {
                        QueryOp::NotEqual => !tags.any(|tag| compare(QueryOp::Equal, &tag, wanted)),
                        QueryOp::NoMatch => !tags.any(|tag| compare(QueryOp::Match, &tag, wanted)),
                        op => tags.any(|tag| compare(*op, &tag, wanted)),
                    };
                }
                compare(*op, &member(resource, name), wanted)
            }
            Test::Compare { .. } => false,
        }
    }
}

fn member(resource: &ExportedResource, name: &str) -> Value {
    if let Some((_, value)) = resource.parameters.iter().find(|(known, _)| known == name) {
        return value.clone();
    }
    match name {
        "title" | "name" => Value::String(resource.title.clone()),
        "certname" => Value::String(resource.certname.clone()),
        _ => Value::Undef,
    }
}

/// Compares as the operator does; what it refuses is false.
fn compare(op: QueryOp, value: &Value, wanted: &Value) -> bool {
    let ordered = |op| ops::compare(op, value, wanted).unwrap_or_default();
    match op {
        QueryOp::Equal => is_equal(value, wanted),
        QueryOp::NotEqual => !is_equal(value, wanted),
        QueryOp::Less => ordered(BinaryOp::Less),
        QueryOp::Greater => ordered(BinaryOp::Greater),
        QueryOp::LessEqual => ordered(BinaryOp::LessEqual),
        QueryOp::GreaterEqual => ordered(BinaryOp::GreaterEqual),
        QueryOp::Match => matches(value, wanted).unwrap_or_default(),
        QueryOp::NoMatch => matches(value, wanted).is_some_and(|does| !does),
    }
}

/// Compares as `==` does. A store has references as texts.
fn is_equal(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::String(text), Value::Type(_)) => is_reference(text, wanted),
        (Value::Array(values), Value::Array(all)) if values.len() == all.len() => {
            let mut pairs = values.iter().zip(all.iter());
            pairs.all(|(value, wanted)| pantin_base::stack::with_room(|| is_equal(value, wanted)))
        }
        _ => ops::equals(value, wanted),
    }
}

/// Returns true if a text is that of a reference, `File[/x]`.
fn is_reference(text: &str, wanted: &Value) -> bool {
    let Value::Type(of) = wanted else { return false };
    let Some((type_name, title)) = text.split_once('[').and_then(|(of, rest)| Some((of, rest.strip_suffix(']')?)))
    else {
        return false;
    };
    match of.resolved() {
        Type::Class(Some(class)) => type_name == "Class" && title.eq_ignore_ascii_case(class),
        Type::Resource(Some(resource)) => {
            type_name.eq_ignore_ascii_case(&resource.type_name) && resource.title.as_deref() == Some(title)
        }
        _ => false,
    }
}

/// `None`: the operator refuses the two.
fn matches(value: &Value, wanted: &Value) -> Option<bool> {
    ops::match_operator(value, wanted).ok().map(|found| found.matched)
}

//! Conditions as conjunctions of categories, the state of a node, and what a condition weighs.

use std::cmp::Ordering;
use std::sync::Arc;

use pantin_base::Span;
use pantin_syntax::bindings::Condition;
use pantin_values::Str;

/// How many conjunctions one `when` may have, with all around it.
pub(crate) const ALTERNATIVES: usize = 256;

/// What a binding wants of some categories: each with the values that will do. Nothing: it is common.
pub(crate) type Conjunction = Arc<[(Str, Vec<Str>)]>;

/// A category of an environment, with its value for one node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Category {
    pub name: Str,
    /// `None`: it does not apply.
    pub value: Option<Str>,
}

/// The categories of an environment, highest first, with their values for one node. `common` is not among them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    pub categories: Vec<Category>,
}

impl State {
    /// Returns the number of a category: the lowest listed is 2.
    pub fn number(&self, name: &str) -> Option<u32> {
        let place = self.categories.iter().position(|category| category.name == name)?;
        Some((self.categories.len() - place) as u32 + 1)
    }

    pub fn value(&self, name: &str) -> Option<&Str> {
        self.categories.iter().find(|category| category.name == name)?.value.as_ref()
    }

    pub(crate) fn holds(&self, conjunction: &Conjunction) -> bool {
        conjunction.iter().all(|(name, wanted)| {
            let value = self.value(name);
            value.is_some_and(|value| wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(value)))
        })
    }

    /// Returns the numbers of a condition's categories, highest first.
    pub(crate) fn vector(&self, conjunction: &Conjunction) -> Vector {
        let mut numbers: Vec<u32> = conjunction.iter().map(|(name, _)| self.number(name).unwrap_or(0)).collect();
        if numbers.is_empty() {
            numbers.push(1);
        }
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        Vector(numbers)
    }
}

/// What a binding weighs within its layer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Vector(pub Vec<u32>);

impl Ord for Vector {
    fn cmp(&self, other: &Vector) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Vector {
    fn partial_cmp(&self, other: &Vector) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A layer and a vector. The greater one is above.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Rank {
    /// From the top: 0 is the highest.
    pub layer: usize,
    pub vector: Vector,
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        other.layer.cmp(&self.layer).then_with(|| self.vector.cmp(&other.vector))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A condition that can never hold.
pub(crate) struct Never {
    pub category: String,
    pub values: [String; 2],
    pub span: Span,
}

/// More conjunctions than are allowed.
pub(crate) struct TooMany;

/// Combines a condition with those around it: each way in which all of them hold.
pub(crate) fn combine(
    around: &[Conjunction],
    condition: &Condition,
    never: &mut Vec<Never>,
) -> Result<Vec<Conjunction>, TooMany> {
    match condition {
        Condition::Common => Ok(around.to_vec()),
        Condition::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(combine(around, part, never)?);
                if all.len() > ALTERNATIVES {
                    return Err(TooMany);
                }
            }
            Ok(all)
        }
        Condition::And(parts) => {
            let mut current = around.to_vec();
            for part in parts {
                current = combine(&current, part, never)?;
            }
            Ok(current)
        }
        Condition::Category { name, values } => {
            let wanted: Vec<Str> = values.iter().map(|value| Str::from(value.text.as_str())).collect();
            let mut all = Vec::new();
            let mut impossible = None;
            for conjunction in around {
                let known = conjunction.iter().position(|(known, _)| *known == name.text);
                let mut parts = conjunction.to_vec();
                match known {
                    None => parts.push((name.text.as_str().into(), wanted.clone())),
                    Some(place) => {
                        let old = parts[place].1.clone();
                        parts[place].1.retain(|old| wanted.iter().any(|new| new.eq_ignore_ascii_case(old)));
                        if parts[place].1.is_empty() {
                            let value = |values: &[Str]| values.first().map(ToString::to_string).unwrap_or_default();
                            impossible.get_or_insert(Never {
                                category: name.text.clone(),
                                values: [value(&old), value(&wanted)],
                                span: values.first().map_or(name.span, |value| value.span),
                            });
                            continue;
                        }
                    }
                }
                all.push(parts.into());
            }
            // What can hold beside one of the alternatives around it is no mistake.
            never.extend(impossible.filter(|_| all.is_empty()));
            if all.len() > ALTERNATIVES { Err(TooMany) } else { Ok(all) }
        }
    }
}

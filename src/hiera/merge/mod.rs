//! How values of one key that stand in several places become one.

mod deep;
mod knockout;
mod order;

use std::sync::LazyLock;

use pantin_values::{Hash, Type, Value, merge, mismatch, ops, types};

use deep::DeepOptions;

use super::explain::Step;
use super::search::{Search, SearchResult};
use super::trouble::Trouble;
use super::undefs::{holds_undef, without};

#[derive(Clone, Debug)]
pub(super) struct Strategy {
    pub(super) kind: MergeKind,
    /// As given, the name included; empty where only a name was given.
    pub(super) options: Hash,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MergeKind {
    /// No strategy was named.
    Default,
    First,
    Unique,
    Hash,
    Deep,
    /// As hiera.yaml 3 had them: with any option, and the latter with the priorities the other way round.
    UnconstrainedDeep,
    ReverseDeep,
}

const KINDS: [(&str, MergeKind); 7] = [
    ("first", MergeKind::First),
    ("default", MergeKind::Default),
    ("hash", MergeKind::Hash),
    ("unique", MergeKind::Unique),
    ("deep", MergeKind::Deep),
    ("unconstrained_deep", MergeKind::UnconstrainedDeep),
    ("reverse_deep", MergeKind::ReverseDeep),
];

static HASH_OF_DATA: LazyLock<Type> = LazyLock::new(|| Type::hash_of(Type::STRING, types::data()));
static SCALARS: LazyLock<Type> = LazyLock::new(|| Type::variant([Type::Scalar, Type::array_of(types::data())]));

impl Strategy {
    pub(super) fn plain(kind: MergeKind) -> Strategy {
        Strategy { kind, options: Hash::default() }
    }

    /// Returns what a `merge` stands for: nothing, a name, or a hash with the name and options.
    pub(super) fn new(merge: &Value) -> Result<Strategy, Trouble> {
        let (name, options) = match merge {
            Value::Undef | Value::Boolean(false) => return Ok(Strategy::plain(MergeKind::Default)),
            Value::Hash(entries) => match entries.get_str("strategy") {
                Some(name) if !name.is_undef() => (name, if entries.len() == 1 { None } else { Some(entries) }),
                _ => {
                    return Err(Trouble::ruby(
                        "The hash given as 'merge' must contain the name of a strategy in string form for the key \
                         'strategy'",
                    ));
                }
            },
            name => (name, None),
        };
        let kind = KINDS.iter().find(|(known, _)| name.as_str() == Some(known)).map(|(_, kind)| *kind);
        let Some(kind) = kind else {
            return Err(Trouble::ruby(format!("Unknown merge strategy: '{}'", ops::to_s(name))));
        };
        let Some(options) = options else { return Ok(Strategy::plain(kind)) };
        merge::check_options(kind.name(), &Value::Hash(options.clone())).map_err(Trouble::mismatch)?;
        Ok(Strategy { kind, options: options.clone() })
    }

    /// Looks into several places and merges what is found.
    pub(super) fn lookup<T>(
        &self,
        search: &mut Search<'_>,
        places: &[T],
        mut look: impl FnMut(&mut Search<'_>, &T) -> SearchResult,
    ) -> SearchResult {
        if matches!(self.kind, MergeKind::First | MergeKind::Default) {
            for place in places {
                if let Some(found) = look(search, place)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        }
        match places {
            [] => Ok(None),
            [only] => Ok(look(search, only)?.map(|value| self.single(value))),
            _ => search.with_step(
                || self.step(),
                |search| {
                    let mut merged: Option<Value> = None;
                    for place in places {
                        let Some(value) = look(search, place)? else { continue };
                        merged = Some(match merged {
                            None => self.first(value),
                            Some(higher) => self.merge_in(search, higher, value)?,
                        });
                    }
                    if let Some(value) = &merged {
                        search.explain(|explainer| explainer.record_merged(value));
                    }
                    Ok(merged)
                },
            ),
        }
    }

    fn step(&self) -> Step {
        let mut options = self.options.clone();
        if options.get_str("strategy").is_some() {
            options.make_mut().shift_remove(&Value::from("strategy"));
        }
        let options = (!options.is_empty()).then_some(options);
        Step::Merge { strategy: self.kind.name(), options }
    }

    /// The only value there is.
    fn single(&self, value: Value) -> Value {
        match (self.kind, &value) {
            (MergeKind::Unique, Value::Array(items)) => Value::Array(union(items, &[])),
            _ => value,
        }
    }

    /// Returns the first of several values.
    fn first(&self, value: Value) -> Value {
        if self.kind == MergeKind::Unique { Value::array(flat(value)) } else { value }
    }

    /// Two values, the first of which comes before the other.
    pub(super) fn merge(&self, higher: Value, lower: Value) -> Result<Value, Trouble> {
        let mut higher = higher;
        self.merge_changing(&mut higher, lower)
    }

    fn merge_in(&self, search: &mut Search<'_>, mut higher: Value, lower: Value) -> Result<Value, Trouble> {
        if !search.is_explained() {
            return self.merge_changing(&mut higher, lower);
        }
        let (higher_before, lower_before) = (higher.clone(), lower.clone());
        let merged = self.merge_changing(&mut higher, lower)?;
        // A reversed merge changes the lower one; that one is a copy as well.
        let before = if self.kind == MergeKind::ReverseDeep { lower_before } else { higher_before };
        if self.options.get_str("knockout_prefix").is_some() {
            search.explain(|explainer| explainer.replace(&before, &higher));
        }
        Ok(merged)
    }

    /// `higher` is left as Ruby leaves the object that was merged: without what knocked something out.
    fn merge_changing(&self, higher: &mut Value, lower: Value) -> Result<Value, Trouble> {
        match self.kind {
            MergeKind::Default | MergeKind::First => Ok(std::mem::take(higher)),
            MergeKind::Unique => {
                check(&SCALARS, higher, &lower)?;
                let higher = flat(std::mem::take(higher));
                Ok(Value::Array(union(&higher, &flat(lower))))
            }
            MergeKind::Hash => {
                check(&HASH_OF_DATA, higher, &lower)?;
                match (std::mem::take(higher), lower) {
                    (Value::Hash(higher), Value::Hash(mut lower)) => {
                        lower.make_mut().extend(higher.iter().map(|(key, value)| (key.clone(), value.clone())));
                        Ok(Value::Hash(lower))
                    }
                    (higher, _) => Ok(higher),
                }
            }
            MergeKind::Deep | MergeKind::UnconstrainedDeep => {
                DeepOptions::from_options(&self.options)?.merge(higher, lower)
            }
            MergeKind::ReverseDeep => {
                let mut lower = lower;
                let merged = DeepOptions::from_options(&self.options)?.merge(&mut lower, std::mem::take(higher));
                *higher = lower;
                merged
            }
        }
    }
}

impl MergeKind {
    fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("default", |(name, _)| name)
    }
}

fn check(expected: &Type, higher: &Value, lower: &Value) -> Result<(), Trouble> {
    for (subject, value) in [("The first element of the merge", higher), ("The second element of the merge", lower)] {
        let checked = match mismatch::assert_instance(subject, expected, value) {
            Err(_) if holds_undef(value) => mismatch::assert_instance(subject, expected, &without(value.clone())),
            checked => checked,
        };
        checked.map_err(Trouble::mismatch)?;
    }
    Ok(())
}

/// Returns the items of an array and of the arrays in it; of anything else, that alone.
fn flat(value: Value) -> Vec<Value> {
    fn push(out: &mut Vec<Value>, items: &[Value]) {
        for item in items {
            match item {
                Value::Array(inner) => pantin_base::stack::with_room(|| push(out, inner)),
                other => out.push(other.clone()),
            }
        }
    }
    match value {
        Value::Array(items) => {
            let mut out = Vec::with_capacity(items.len());
            push(&mut out, &items);
            out
        }
        other => vec![other],
    }
}

/// Returns the items of both, each once, in the order in which they come first.
fn union(first: &[Value], second: &[Value]) -> pantin_values::Array {
    let mut known = rustc_hash::FxHashSet::default();
    first.iter().chain(second).filter(|item| known.insert(*item)).cloned().collect()
}

//! Normalized types: without redundant alternatives and wrappers.

use std::sync::Arc;

use pantin_base::{budget, stack};

use super::{FloatRange, IntegerRange, Size, Type};
use crate::Str;

impl Type {
    /// Returns the plainest form. An alias stays what it is. It is right where steps have run out, too, for definitions
    /// are kept.
    pub fn normalize(&self) -> Type {
        match self {
            Type::Array(_)
            | Type::Hash(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Variant(_)
            | Type::Optional(_)
            | Type::NotUndef(_)
            | Type::Type(_)
            | Type::Sensitive(_)
            | Type::Iterable(_)
            | Type::Iterator(_)
            | Type::Callable(_) => stack::with_room(|| self.with_plain_parts()),
            // Its size is forgotten, as in Puppet.
            Type::Collection(_) => Type::COLLECTION,
            _ => self.clone(),
        }
    }

    fn with_plain_parts(&self) -> Type {
        budget::spend(1);
        let inner = |of: &Option<Arc<Type>>| of.as_ref().map(|of| Arc::new(of.normalize()));
        match self {
            Type::Array(of) if matches!(of.element, Type::Any) => Type::any_array(),
            Type::Array(of) => Type::array(of.element.normalize(), of.size),
            Type::Hash(of) => Type::hash(of.key.normalize(), of.value.normalize(), of.size),
            Type::Tuple(of) => Type::Tuple(Arc::new(of.with_each(Type::normalize))),
            Type::Struct(members) => Type::strukt(members.iter().map(|member| member.with(Type::normalize))),
            Type::Variant(types) if types.is_empty() => self.clone(),
            Type::Variant(types) => alternatives(self, types),
            Type::Optional(Some(of)) => match of.normalize() {
                Type::NotUndef(None) => Type::Optional(None),
                Type::NotUndef(Some(of)) => Type::Optional(Some(of)).normalize(),
                of if of.accepts_undef() => of,
                of => Type::optional(of),
            },
            Type::NotUndef(Some(of)) => match of.normalize() {
                Type::Optional(None) => Type::NotUndef(None),
                Type::Optional(Some(of)) => Type::not_undef(of.as_ref().clone()).normalize(),
                of if !of.accepts_undef() => of,
                of => Type::not_undef(of),
            },
            Type::Type(of) => Type::Type(inner(of)),
            Type::Sensitive(Some(of)) => match of.normalize() {
                plain if plain == **of => self.clone(),
                plain => Type::sensitive(&plain),
            },
            Type::Iterable(of) => Type::Iterable(inner(of)),
            Type::Iterator(of) => Type::Iterator(inner(of)),
            Type::Callable(of) => Type::Callable(Arc::new(of.with_each(Type::normalize))),
            _ => self.clone(),
        }
    }
}

/// Of the variant of these types.
fn alternatives(whole: &Type, types: &[Type]) -> Type {
    let plain: Vec<Type> = types.iter().map(Type::normalize).collect();
    let given = types;
    let changed = plain[..] != *given;
    let types = plain;
    if let [only] = types.as_slice() {
        return only.clone();
    }
    if types.iter().any(|of| matches!(of, Type::Undef | Type::Optional(_))) {
        let defined = types.into_iter().filter_map(|of| match of {
            Type::Undef => None,
            Type::Optional(of) => of.map(|of| of.as_ref().clone()),
            of => Some(of),
        });
        let defined: Vec<Type> = defined.collect();
        return if defined.is_empty() {
            Type::Optional(None)
        } else {
            Type::optional(Type::variant(defined)).normalize()
        };
    }
    let types = flat(types);
    let count = types.len();
    let types = join(types, as_not_undef, |of| Type::not_undef(Type::variant(of).normalize()));
    let types = join(types, as_words, |words| Type::enumeration(words.into_iter().flatten(), false));
    let types = join(types, as_words_of_any_case, |words| Type::enumeration(words.into_iter().flatten(), true));
    let types = join(types, as_patterns, |patterns| Type::pattern(patterns.into_iter().flatten()));
    let types = join_first(types, as_version_ranges, |ranges| {
        vec![Type::SemVer(super::scalars::merged(ranges.into_iter().flatten().collect()))]
    });
    let types = join_first(types, as_integers, |ranges| merged(ranges, merge_integers).map(Type::Integer).collect());
    let types = join_first(types, as_floats, |ranges| merged(ranges, merge_floats).map(Type::Float).collect());
    let types = join_first(types, as_timespan, |spans| {
        merged(spans, merge_bounds).map(|bounds| Type::Timespan(Some(Arc::new(bounds)))).collect()
    });
    let types = join_first(types, as_timestamp, |times| {
        merged(times, merge_bounds).map(|bounds| Type::Timestamp(Some(Arc::new(bounds)))).collect()
    });
    // What was not merged keeps its order.
    let is_another = changed || types.len() != count || given.iter().any(is_made_anew);
    if is_another { Type::variant(types) } else { whole.clone() }
}

/// Returns true if Ruby makes another object of it, though an equal one: it does so for each hash whose size is stated.
fn is_made_anew(of: &Type) -> bool {
    stack::with_room(|| match of {
        Type::Hash(of) if of.size == Size::NONE && matches!((&of.key, &of.value), (Type::Unit, Type::Unit)) => false,
        Type::Hash(of) => of.size.is_stated() || is_made_anew(&of.key) || is_made_anew(&of.value),
        Type::Array(of) => is_made_anew(&of.element),
        Type::Tuple(of) => of.types.iter().any(is_made_anew),
        Type::Struct(members) => members.iter().any(|member| is_made_anew(&member.value)),
        Type::Variant(types) => types.iter().any(is_made_anew),
        Type::Optional(of)
        | Type::NotUndef(of)
        | Type::Type(of)
        | Type::Sensitive(of)
        | Type::Iterable(of)
        | Type::Iterator(of) => of.as_deref().is_some_and(is_made_anew),
        _ => false,
    })
}

fn flat(types: Vec<Type>) -> Vec<Type> {
    let mut flat = Vec::with_capacity(types.len());
    for of in types {
        match of {
            Type::Variant(inner) => flat.extend(inner.iter().cloned()),
            of => flat.push(of),
        }
    }
    flat
}

/// Makes one type of all that `part` knows, where there are several, and puts it last.
fn join<T>(types: Vec<Type>, part: fn(&Type) -> Option<T>, make: impl FnOnce(Vec<T>) -> Type) -> Vec<Type> {
    if types.iter().filter(|of| part(of).is_some()).count() < 2 {
        return types;
    }
    let parts = types.iter().filter_map(part).collect();
    let mut others: Vec<Type> = types.into_iter().filter(|of| part(of).is_none()).collect();
    others.push(make(parts));
    others
}

/// The same, but what was made comes first, and may be several types.
fn join_first<T>(types: Vec<Type>, part: fn(&Type) -> Option<T>, make: impl FnOnce(Vec<T>) -> Vec<Type>) -> Vec<Type> {
    if types.iter().filter(|of| part(of).is_some()).count() < 2 {
        return types;
    }
    let mut made = make(types.iter().filter_map(part).collect());
    made.extend(types.into_iter().filter(|of| part(of).is_none()));
    made
}

fn as_not_undef(of: &Type) -> Option<Type> {
    match of {
        Type::NotUndef(of) => Some(of.as_ref().map_or(Type::Any, |of| of.as_ref().clone())),
        _ => None,
    }
}

fn as_words(of: &Type) -> Option<Vec<Str>> {
    match of {
        Type::Enum(of) if !of.values.is_empty() && !of.case_insensitive => Some(of.values.clone()),
        Type::StringValue(text) => Some(vec![text.clone()]),
        _ => None,
    }
}

fn as_words_of_any_case(of: &Type) -> Option<Vec<Str>> {
    match of {
        Type::Enum(of) if !of.values.is_empty() && of.case_insensitive => {
            Some(of.values.iter().map(|value| value.to_lowercase()).collect())
        }
        _ => None,
    }
}

fn as_patterns(of: &Type) -> Option<Vec<Arc<crate::Regexp>>> {
    match of {
        Type::Pattern(patterns) => Some(patterns.to_vec()),
        _ => None,
    }
}

fn as_version_ranges(of: &Type) -> Option<Vec<Arc<crate::SemVerRange>>> {
    match of {
        Type::SemVer(ranges) => Some(ranges.to_vec()),
        _ => None,
    }
}

fn as_integers(of: &Type) -> Option<IntegerRange> {
    match of {
        Type::Integer(range) => Some(*range),
        _ => None,
    }
}

fn as_floats(of: &Type) -> Option<FloatRange> {
    match of {
        Type::Float(range) => Some(*range),
        _ => None,
    }
}

type Bounds<T> = (Option<T>, Option<T>);

fn as_timespan(of: &Type) -> Option<Bounds<crate::SpanEnd>> {
    match of {
        Type::Timespan(bounds) => Some(bounds.as_deref().copied().unwrap_or_default()),
        _ => None,
    }
}

fn as_timestamp(of: &Type) -> Option<Bounds<crate::Timestamp>> {
    match of {
        Type::Timestamp(bounds) => Some(bounds.as_deref().copied().unwrap_or_default()),
        _ => None,
    }
}

/// Merges what can be merged, starting with the last, and again with what was left over.
fn merged<T: Copy>(mut ranges: Vec<T>, merge: fn(T, T) -> Option<T>) -> impl Iterator<Item = T> {
    budget::spend((ranges.len() * ranges.len()) as u64 / 64);
    let mut result = Vec::new();
    while let Some(mut whole) = ranges.pop() {
        let mut apart = Vec::new();
        for range in ranges {
            match merge(whole, range) {
                Some(wider) => whole = wider,
                None => apart.push(range),
            }
        }
        result.push(whole);
        ranges = apart;
    }
    result.into_iter()
}

fn merge_integers(a: IntegerRange, b: IntegerRange) -> Option<IntegerRange> {
    let apart =
        a.to < b.from && a.to.checked_add(1) != Some(b.from) || b.to < a.from && b.to.checked_add(1) != Some(a.from);
    (!apart).then(|| IntegerRange { from: a.from.min(b.from), to: a.to.max(b.to) })
}

fn merge_floats(a: FloatRange, b: FloatRange) -> Option<FloatRange> {
    let apart = a.to < b.from || b.to < a.from;
    (!apart).then(|| FloatRange { from: a.from.min(b.from), to: a.to.max(b.to) })
}

fn merge_bounds<T: Copy + Ord>(a: Bounds<T>, b: Bounds<T>) -> Option<Bounds<T>> {
    let before = |a: Option<T>, b: Option<T>| a.zip(b).is_some_and(|(a, b)| a < b);
    let apart = before(a.1, b.0) || before(b.1, a.0);
    let from = a.0.zip(b.0).map(|(a, b)| a.min(b));
    let to = a.1.zip(b.1).map(|(a, b)| a.max(b));
    (!apart).then_some((from, to))
}

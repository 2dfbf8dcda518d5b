//! Whether a value is an instance of a type.

use std::sync::Arc;

use num_bigint::Sign;
use pantin_base::{budget, stack};

use super::matching::{Answer, matches};
use super::{Alias, FloatRange, HashType, Member, Type};
use crate::{Fault, Hash, Regexp, SpanEnd, Value};

/// What was asked further out of aliases that hold themselves.
///
/// Puppet keeps the aliases and the values apart: once an alias was met again, and a value too, though not together,
/// the answer is "no". So a list that goes through two aliases in turn may be no instance of either.
#[derive(Default)]
struct Guard {
    aliases: Vec<*const Alias>,
    values: Vec<*const Value>,
    alias_again: bool,
    value_again: bool,
}

impl Type {
    /// Returns true if the value is an instance. The error is of a pattern that takes too long.
    #[inline]
    pub fn accepts(&self, value: &Value) -> Result<bool, Fault> {
        match (self, value) {
            (Type::Any, _) => Ok(true),
            (Type::Integer(range), Value::Integer(number)) => Ok(range.contains(*number)),
            (Type::Boolean(None), Value::Boolean(_)) => Ok(true),
            (Type::String(size), Value::String(_) | Value::Unencoded(_)) if !size.is_stated() => Ok(true),
            _ => is_instance(self, value, &mut Guard::default()).map_err(|fault| *fault),
        }
    }
}

/// What is asked of nearly every element of a container, without a call.
#[inline(always)]
fn is_instance(of: &Type, value: &Value, guard: &mut Guard) -> Answer {
    match (of, value) {
        (Type::Integer(range), Value::Integer(number)) => Ok(range.contains(*number)),
        (Type::String(size), Value::String(text) | Value::Unencoded(text)) => Ok(size.contains_text(text)),
        _ => is_instance_of(of, value, guard),
    }
}

fn is_instance_of(of: &Type, value: &Value, guard: &mut Guard) -> Answer {
    // Who counts the steps sees that there were too many, whatever the answer.
    if !budget::spend(1) {
        return Ok(false);
    }
    Ok(match (of, value) {
        (Type::Any | Type::Unit, _) => true,
        (Type::Integer(range), Value::Integer(number)) => range.contains(*number),
        (Type::String(size), Value::String(text) | Value::Unencoded(text)) => size.contains_text(text),
        (Type::Boolean(wanted), Value::Boolean(given)) => wanted.is_none_or(|wanted| wanted == *given),
        (Type::Undef, _) => value.is_undef(),
        (Type::Optional(_), Value::Undef) => true,
        (Type::Optional(Some(of)), _) => return is_instance(of, value, guard),
        (Type::NotUndef(_), Value::Undef) => false,
        (Type::NotUndef(Some(of)), _) => return is_instance(of, value, guard),
        (Type::NotUndef(None), _) => true,
        (Type::Enum(wanted), Value::String(text) | Value::Unencoded(text)) => wanted.contains(text),
        (Type::Pattern(patterns), Value::String(text) | Value::Unencoded(text)) => {
            return patterns_match(patterns, text);
        }
        (Type::Variant(types), _) => return any(types.iter(), |of| is_instance(of, value, guard)),
        (Type::Array(_) | Type::Tuple(_), Value::Array(items)) => return array_is(of, items, guard),
        (Type::Hash(of), Value::Hash(entries)) => return hash_is(of, entries, guard),
        (Type::Struct(members), Value::Hash(entries)) => return struct_is(members, entries, guard),
        (Type::Collection(size), Value::Array(items)) => size.contains(items.len()),
        (Type::Collection(size), Value::Hash(entries)) => size.contains(entries.len()),
        (Type::Float(range), Value::Float(number)) => range.contains(*number),
        (Type::Numeric, Value::Integer(_) | Value::Large(_)) => true,
        (Type::Numeric, Value::Float(number)) => FloatRange::ALL.contains(*number),
        (Type::ScalarData, _) => is_scalar_data(value),
        (Type::Scalar, _) => is_scalar(value),
        (Type::Alias(alias), _) => return alias_is(alias, value, guard),
        (Type::Type(wanted), Value::Resource(given)) => {
            wanted.as_ref().is_none_or(|wanted| wanted.assignable(&given.reference()))
        }
        (Type::Type(wanted), Value::Type(given)) => wanted.as_ref().is_none_or(|wanted| wanted.assignable(given)),
        _ => return rare_is_instance(of, value, guard),
    })
}

fn rare_is_instance(of: &Type, value: &Value, guard: &mut Guard) -> Answer {
    Ok(match (of, value) {
        (Type::Integer(range), Value::Large(number)) => range.contains_beyond(number.sign() == Sign::Minus),
        (Type::Default, Value::Default) => true,
        (Type::StringValue(wanted), Value::String(text) | Value::Unencoded(text)) => wanted == text,
        (Type::Regexp(wanted), Value::Regexp(given)) => wanted.as_ref().is_none_or(|wanted| wanted == given),
        (Type::Binary, Value::Binary(_)) | (Type::SemVerRange, Value::SemVerRange(_)) => true,
        (Type::Sensitive(None), Value::Sensitive(_)) => true,
        (Type::Sensitive(Some(of)), Value::Sensitive(secret)) => return is_instance(of, secret, guard),
        (Type::Iterable(of), _) => iterable_is(of.as_deref(), value),
        (Type::Iterator(of), Value::Iterator(sequence)) => {
            of.as_ref().is_none_or(|of| of.assignable(&sequence.element))
        }
        (Type::Runtime(_), Value::Iterator(_) | Value::Symbol(_)) => of.assignable(&Type::reduced(value)),
        (Type::Timespan(bounds), Value::Timespan(span)) => within(bounds.as_deref(), &SpanEnd::from(*span)),
        (Type::Timestamp(bounds), Value::Timestamp(time)) => within(bounds.as_deref(), time),
        (Type::SemVer(ranges), Value::SemVer(version)) => {
            ranges.is_empty() || ranges.iter().any(|range| range.includes(version))
        }
        (Type::Uri(wanted), Value::Uri(uri)) => return super::uri::is_instance(wanted.as_deref(), uri),
        (Type::Init(init), _) => return super::init::is_instance(init.as_ref(), value),
        (Type::TypeSet(_), Value::Type(Type::TypeSet(_))) => true,
        // A type is an object, too, of a class of its own that has no name here.
        (Type::Object(_) | Type::ObjectExtension(_), _) => super::nominal::is_instance(of, value),
        _ => false,
    })
}

pub(super) fn any<T>(items: impl Iterator<Item = T>, mut holds: impl FnMut(T) -> Answer) -> Answer {
    for item in items {
        if holds(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn all<T>(items: impl Iterator<Item = T>, mut holds: impl FnMut(T) -> Answer) -> Answer {
    for item in items {
        if !holds(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn patterns_match(patterns: &[Arc<Regexp>], text: &str) -> Answer {
    if patterns.is_empty() {
        return Ok(true);
    }
    any(patterns.iter(), |pattern| matches(pattern, text))
}

fn alias_is(alias: &Alias, value: &Value, guard: &mut Guard) -> Answer {
    let Some(of) = alias.resolved() else { return Ok(false) };
    if !alias.is_recursive() {
        return is_instance(of, value, guard);
    }
    let new_value = !guard.value_again && note(&mut guard.values, value, &mut guard.value_again);
    let new_alias = !guard.alias_again && note(&mut guard.aliases, alias, &mut guard.alias_again);
    let answer = if guard.alias_again && guard.value_again { Ok(false) } else { is_instance(of, value, guard) };
    if new_alias {
        guard.alias_again = false;
        guard.aliases.pop();
    }
    if new_value {
        guard.value_again = false;
        guard.values.pop();
    }
    answer
}

/// Returns true if something was not met before; where it was, that is remembered.
fn note<T>(met: &mut Vec<*const T>, it: *const T, again: &mut bool) -> bool {
    if met.contains(&it) {
        *again = true;
        return false;
    }
    met.push(it);
    true
}

fn array_is(of: &Type, items: &[Value], guard: &mut Guard) -> Answer {
    match of {
        Type::Array(array) => {
            if !array.size.contains(items.len()) {
                return Ok(false);
            }
            if matches!(array.element, Type::Any) {
                return Ok(true);
            }
            stack::with_room(|| all(items.iter(), |item| is_instance(&array.element, item, guard)))
        }
        Type::Tuple(tuple) if tuple.size_range().contains(items.len()) => stack::with_room(|| {
            all(items.iter().enumerate(), |(index, item)| match tuple.element_type(index) {
                Some(of) => is_instance(of, item, guard),
                None => Ok(true),
            })
        }),
        _ => Ok(false),
    }
}

fn hash_is(of: &HashType, entries: &Hash, guard: &mut Guard) -> Answer {
    if !of.size.contains(entries.len()) {
        return Ok(false);
    }
    stack::with_room(|| {
        all(entries.iter(), |(key, value)| {
            Ok(is_instance(&of.key, key, guard)? && is_instance(&of.value, value, guard)?)
        })
    })
}

fn struct_is(members: &[Member], entries: &Hash, guard: &mut Guard) -> Answer {
    let mut matched = 0;
    let fits = stack::with_room(|| {
        all(members.iter().enumerate(), |(index, member)| match entry_of(member, entries, index) {
            None => Ok(member.optional),
            Some(value) => {
                matched += 1;
                is_instance(&member.value, value, guard)
            }
        })
    })?;
    Ok(fits && matched == entries.len())
}

/// Returns the value that a member is about. Most hashes are written in the order of their type.
fn entry_of<'e>(member: &Member, entries: &'e Hash, index: usize) -> Option<&'e Value> {
    match entries.entry_at(index) {
        Some((Value::String(key), value)) if *key == member.name => Some(value),
        _ => entries.get_str(&member.name),
    }
}

fn is_scalar_data(value: &Value) -> bool {
    matches!(
        value,
        Value::String(_)
            | Value::Unencoded(_)
            | Value::Integer(_)
            | Value::Large(_)
            | Value::Float(_)
            | Value::Boolean(_)
    )
}

fn is_scalar(value: &Value) -> bool {
    is_scalar_data(value)
        || matches!(
            value,
            Value::Regexp(_) | Value::SemVer(_) | Value::SemVerRange(_) | Value::Timespan(_) | Value::Timestamp(_)
        )
}

fn iterable_is(of: Option<&Type>, value: &Value) -> bool {
    if let Some(of) = of.filter(|of| !of.assignable(&Type::Any)) {
        return Type::iterable(of.clone()).assignable(&Type::reduced(value));
    }
    match value {
        Value::Iterator(_) | Value::String(_) | Value::Unencoded(_) | Value::Hash(_) | Value::Array(_) => true,
        Value::Integer(number) => *number >= 0,
        Value::Type(of) => match of.resolved() {
            Type::Enum(_) => true,
            Type::Integer(range) => range.is_finite(),
            _ => false,
        },
        _ => false,
    }
}

fn within<T: PartialOrd>(bounds: Option<&(Option<T>, Option<T>)>, value: &T) -> bool {
    bounds.is_none_or(|(from, to)| {
        from.as_ref().is_none_or(|from| from <= value) && to.as_ref().is_none_or(|to| value <= to)
    })
}

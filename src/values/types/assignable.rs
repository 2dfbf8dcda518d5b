//! Whether every instance of one type is an instance of another.
//!
//! The rules, oddities included, are Puppet's: what decides is the form of the two types, not the sets they mean.

use pantin_base::{budget, stack};

use super::iterable::Elements;
use super::matching::matches;
use super::{ArrayType, CallableType, EnumType, FloatRange, HashType, Member, Size, TupleType, Type};
use crate::{Regexp, Value};

/// Questions that are being asked further out, of which one side at least is an alias. A question that comes back
/// to itself is answered by "yes": nothing on the way spoke against it.
#[derive(Clone, Copy)]
pub(super) struct OpenQuestion<'a> {
    this: &'a Type,
    other: &'a Type,
    kind: Question,
    outer: Option<&'a OpenQuestion<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Question {
    /// Whether a type fits.
    Fits,
    /// Whether what is iterated over gives what fits.
    Gives,
}

pub(super) type Guard<'a> = Option<&'a OpenQuestion<'a>>;

fn is_asked(guard: Guard<'_>, kind: Question, this: &Type, other: &Type) -> bool {
    let mut next = guard;
    while let Some(asked) = next {
        // Each of those around it is a step, too: where none is left, it need not be asked.
        if !budget::spend(1) {
            return true;
        }
        if asked.kind == kind && asked.this == this && asked.other == other {
            return true;
        }
        next = asked.outer;
    }
    false
}

impl Type {
    /// Returns true if every instance of `other` is one of this type.
    pub fn assignable(&self, other: &Type) -> bool {
        fits(self, other, None)
    }
}

pub(super) fn fits(this: &Type, other: &Type, guard: Guard<'_>) -> bool {
    // Who counts the steps sees that there were too many, whatever the answer.
    if !budget::spend(1) {
        return false;
    }
    match (this, other) {
        (Type::Any | Type::Unit, _) | (_, Type::Unit) => return true,
        (Type::Integer(a), Type::Integer(b)) => return a.covers(*b),
        (Type::Alias(_), _) | (_, Type::Alias(_)) => return fits_alias(this, other, guard),
        (Type::Variant(wanted), Type::Variant(given)) => {
            return wanted.is_empty() || !given.is_empty() && given.iter().all(|given| fits(this, given, guard));
        }
        // A variant of nothing has no instances that would be undef.
        (Type::NotUndef(_), Type::Variant(given)) if given.is_empty() => {}
        (_, Type::Variant(given)) => {
            return !given.is_empty() && given.iter().all(|given| fits(this, given, guard));
        }
        (_, Type::Optional(of)) => {
            return fits(this, &Type::Undef, guard) && of.as_ref().is_none_or(|of| fits(this, of, guard));
        }
        (_, Type::NotUndef(Some(of))) if !fits(of, &Type::Undef, guard) => return fits(this, of, guard),
        _ => {}
    }
    admits(this, other, guard)
}

fn fits_alias(this: &Type, other: &Type, guard: Guard<'_>) -> bool {
    if this == other {
        return true;
    }
    if is_asked(guard, Question::Fits, this, other) {
        return true;
    }
    let asked = OpenQuestion { this, other, kind: Question::Fits, outer: guard };
    stack::with_room(|| match (this, other) {
        // An alias nobody worked out yet is like a name that nothing resolved: it fits itself.
        (_, Type::Alias(alias)) => alias.resolved().is_some_and(|other| fits(this, other, Some(&asked))),
        (Type::Alias(alias), _) => alias.resolved().is_some_and(|this| fits(this, other, Some(&asked))),
        _ => false,
    })
}

/// `other` is no alias, no `Optional`, and no alternatives.
fn admits(this: &Type, other: &Type, guard: Guard<'_>) -> bool {
    match this {
        Type::String(size) => string_admits(*size, other),
        Type::Enum(wanted) => enum_admits(wanted, other),
        Type::Variant(wanted) => wanted.iter().any(|wanted| fits(wanted, other, guard)),
        Type::Optional(of) => matches!(other, Type::Undef) || of.as_ref().is_none_or(|of| fits(of, other, guard)),
        Type::NotUndef(of) => !fits(other, &Type::Undef, guard) && of.as_ref().is_none_or(|of| fits(of, other, guard)),
        Type::Array(_) | Type::Hash(_) | Type::Tuple(_) | Type::Struct(_) | Type::Callable(_) => {
            stack::with_room(|| composite_admits(this, other, guard))
        }
        Type::Type(of) => match (of, other) {
            (None, Type::Type(_)) => true,
            (Some(of), Type::Type(Some(other))) => stack::with_room(|| fits(of, other, guard)),
            _ => false,
        },
        Type::Scalar => is_scalar(other),
        Type::ScalarData => is_scalar_data(other),
        Type::Numeric => match other {
            Type::Numeric | Type::Integer(_) => true,
            Type::Float(given) => FloatRange::ALL.covers(*given),
            _ => false,
        },
        Type::Float(wanted) => matches!(other, Type::Float(given) if wanted.covers(*given)),
        Type::Boolean(wanted) => matches!(other, Type::Boolean(given) if wanted.is_none() || wanted == given),
        Type::Pattern(patterns) => pattern_admits(patterns, this, other),
        Type::Regexp(wanted) => matches!(other, Type::Regexp(given) if wanted.is_none() || wanted == given),
        Type::StringValue(text) => match other {
            Type::StringValue(given) => text == given,
            // Puppet asks whether there is a value, not whether it is this one.
            Type::Enum(given) => given.values.len() == 1 && !given.case_insensitive,
            _ => false,
        },
        Type::Collection(size) => collection_admits(*size, other),
        _ => rare_admits(this, other, guard),
    }
}

fn composite_admits(this: &Type, other: &Type, guard: Guard<'_>) -> bool {
    match (this, other) {
        (Type::Array(array), _) => array_admits(array, other, guard),
        (Type::Hash(hash), _) => hash_admits(hash, other, guard),
        (Type::Tuple(tuple), _) => this == other || tuple_admits(tuple, other, guard),
        (Type::Struct(members), Type::Struct(given)) => struct_admits_struct(members, given, guard),
        (Type::Struct(members), Type::Hash(given)) => struct_admits_hash(members, given, guard),
        (Type::Callable(wanted), Type::Callable(given)) => callable_admits(wanted, given, guard),
        _ => false,
    }
}

fn rare_admits(this: &Type, other: &Type, guard: Guard<'_>) -> bool {
    match (this, other) {
        (Type::CatalogEntry, _) => matches!(other, Type::CatalogEntry | Type::Resource(_) | Type::Class(_)),
        (Type::Resource(wanted), Type::Resource(given)) => match (wanted, given) {
            (None, _) => true,
            (Some(wanted), Some(given)) => {
                wanted.type_name.eq_ignore_ascii_case(&given.type_name)
                    && (wanted.title.is_none() || wanted.title == given.title)
            }
            (Some(_), None) => false,
        },
        (Type::Class(wanted), Type::Class(given)) => wanted.is_none() || wanted == given,
        (Type::Sensitive(wanted), Type::Sensitive(given)) => match (wanted, given) {
            (None, _) => true,
            (Some(wanted), given) => fits(wanted, given.as_deref().unwrap_or(&Type::Any), guard),
        },
        (Type::Iterable(None), _) => other.is_iterable(),
        (Type::Iterable(Some(of)), _) => stack::with_room(|| iterable_admits(of, other, guard)),
        (Type::Iterator(None), Type::Iterator(_)) => true,
        (Type::Iterator(Some(of)), Type::Iterator(Some(given))) => fits(of, given, guard),
        (Type::Timespan(wanted), Type::Timespan(given)) => span_covers(wanted.as_deref(), given.as_deref()),
        (Type::Timestamp(wanted), Type::Timestamp(given)) => span_covers(wanted.as_deref(), given.as_deref()),
        (Type::SemVer(wanted), Type::SemVer(given)) => {
            wanted.is_empty()
                || !given.is_empty()
                    && given.iter().all(|given| wanted.iter().any(|wanted| super::scalars::covers(wanted, given)))
        }
        (Type::Init(wanted), _) => super::init::admits(wanted.as_ref(), other, guard),
        (Type::Runtime(wanted), Type::Runtime(given)) => match (wanted, given) {
            (None, _) => true,
            (Some(wanted), Some(given)) => {
                wanted.runtime == given.runtime && (wanted.is_unnamed() || wanted.same_name(given))
            }
            (Some(_), None) => false,
        },
        (Type::Uri(wanted), Type::Uri(given)) => super::uri::covers(wanted.as_deref(), given.as_deref()),
        (Type::Object(_) | Type::ObjectExtension(_), _) => super::nominal::admits(this, other),
        (Type::TypeSet(wanted), Type::TypeSet(given)) => wanted.is_none() || wanted == given,
        _ => this == other,
    }
}

fn is_scalar(other: &Type) -> bool {
    is_scalar_data(other)
        || matches!(
            other,
            Type::Scalar
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timespan(_)
                | Type::Timestamp(_)
        )
}

fn is_scalar_data(other: &Type) -> bool {
    matches!(
        other,
        Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::String(_)
            | Type::StringValue(_)
            | Type::Enum(_)
            | Type::Pattern(_)
            | Type::Boolean(_)
    )
}

fn string_admits(size: Size, other: &Type) -> bool {
    let any = size.min == 0 && size.is_unbounded();
    match other {
        Type::String(given) => size.covers(*given),
        Type::StringValue(text) => size.contains_text(text),
        // Nobody knows how long what matches a pattern is.
        Type::Pattern(_) => any,
        Type::Enum(given) => {
            any || !given.values.is_empty() && given.values.iter().all(|value| size.contains(value.chars().count()))
        }
        _ => false,
    }
}

impl EnumType {
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|value| value.eq_ignore_ascii_case(text))
        } else {
            self.values.iter().any(|value| value == text)
        }
    }
}

fn enum_admits(wanted: &EnumType, other: &Type) -> bool {
    match other {
        Type::String(_) | Type::StringValue(_) | Type::Enum(_) | Type::Pattern(_) if wanted.values.is_empty() => true,
        Type::StringValue(text) => wanted.contains(text),
        Type::Enum(given) => {
            wanted == given.as_ref()
                || !given.values.is_empty()
                    && (wanted.case_insensitive || !given.case_insensitive)
                    && given.values.iter().all(|value| wanted.contains(value))
        }
        _ => false,
    }
}

fn pattern_admits(patterns: &[std::sync::Arc<Regexp>], this: &Type, other: &Type) -> bool {
    let matches_one = |text: &str| patterns.iter().any(|pattern| matches(pattern, text).unwrap_or(false));
    match other {
        Type::StringValue(text) => patterns.is_empty() || matches_one(text),
        Type::String(_) => patterns.is_empty(),
        Type::Enum(given) => {
            patterns.is_empty() || !given.values.is_empty() && given.values.iter().all(|value| matches_one(value))
        }
        Type::Pattern(_) => patterns.is_empty() || this == other,
        _ => false,
    }
}

fn collection_admits(size: Size, other: &Type) -> bool {
    match other {
        Type::Collection(given) => size.covers(*given),
        Type::Array(given) => size.covers(given.size),
        Type::Hash(given) => size.covers(given.size),
        Type::Tuple(given) => size.covers(given.size_or_count()),
        Type::Struct(members) => size.contains(members.len()),
        _ => false,
    }
}

fn array_admits(array: &ArrayType, other: &Type, guard: Guard<'_>) -> bool {
    match other {
        Type::Array(given) => array.size.covers(given.size) && fits(&array.element, &given.element, guard),
        Type::Tuple(given) => {
            array.size.covers(given.size_or_count())
                && given.types.iter().all(|given| fits(&array.element, given, guard))
        }
        _ => false,
    }
}

fn hash_admits(hash: &HashType, other: &Type, guard: Guard<'_>) -> bool {
    match other {
        Type::Hash(given) if given.size == Size::NONE && hash.size.min == 0 => true,
        Type::Hash(given) => {
            fits(&hash.key, &given.key, guard) && fits(&hash.value, &given.value, guard) && hash.size.covers(given.size)
        }
        Type::Struct(members) => {
            hash.size.contains(members.len())
                && members.iter().all(|member| {
                    hash.key.accepts(&Value::String(member.name.clone())).unwrap_or(false)
                        && fits(&hash.value, &member.value, guard)
                })
        }
        _ => false,
    }
}

fn tuple_admits(tuple: &TupleType, other: &Type, guard: Guard<'_>) -> bool {
    let size = tuple.size_range();
    match other {
        Type::Tuple(given) => tuple_admits_tuple(tuple, given, guard),
        Type::Array(given) => {
            let checked = usize::try_from(given.size.max).unwrap_or(usize::MAX).min(tuple.types.len());
            size.covers(given.size) && tuple.types[..checked].iter().all(|of| fits(of, &given.element, guard))
        }
        _ => false,
    }
}

fn tuple_admits_tuple(tuple: &TupleType, given: &TupleType, guard: Guard<'_>) -> bool {
    let size = tuple.size_range();
    if !size.covers(given.size_range()) {
        return false;
    }
    if given.types.is_empty() {
        return tuple.types.is_empty() || size.min == 0;
    }
    given
        .types
        .iter()
        .enumerate()
        .all(|(index, given)| tuple.element_type(index).is_none_or(|of| fits(of, given, guard)))
}

fn struct_admits_struct(members: &[Member], given: &[Member], guard: Guard<'_>) -> bool {
    let mut matched = 0;
    let all = members.iter().all(|member| match given.iter().find(|given| given.name == member.name) {
        None => member.optional,
        Some(given) => {
            matched += 1;
            (member.optional || !given.optional) && fits(&member.value, &given.value, guard)
        }
    });
    all && matched == given.len()
}

fn struct_admits_hash(members: &[Member], given: &HashType, guard: Guard<'_>) -> bool {
    let mut needed = members.iter().filter(|member| !member.optional);
    let needed_fit = needed.all(|member| {
        // Which keys the hash has is not known: only what they are.
        fits(&member.value, &given.value, guard) && Type::STRING.assignable(&given.key)
    });
    let needed = members.iter().filter(|member| !member.optional).count();
    needed_fit && Size { min: needed as u64, max: members.len() as u64 }.covers(given.size)
}

/// What is called is held to what it is called with: parameters and block count the other way round.
fn callable_admits(wanted: &CallableType, given: &CallableType, guard: Guard<'_>) -> bool {
    let returns = given.returns.as_ref().unwrap_or(&Type::Any);
    if !wanted.returns.as_ref().is_none_or(|wanted| fits(wanted, returns, guard)) {
        return false;
    }
    let Some(params) = &wanted.params else { return true };
    let Some(given_params) = &given.params else { return false };
    let params_fit = given_params == params || tuple_admits_tuple(given_params, params, guard);
    let given_block = given.block.as_ref().unwrap_or(&Type::Undef);
    params_fit && fits(given_block, wanted.block.as_ref().unwrap_or(&Type::Undef), guard)
}

fn iterable_admits(of: &Type, other: &Type, guard: Guard<'_>) -> bool {
    if fits(of, &Type::Any, guard) {
        return other.is_iterable();
    }
    let Some(Elements::Of(given)) = other.iterated() else { return false };
    // What an iteration gives may be gone through in turn, without end: a string gives strings.
    if is_asked(guard, Question::Gives, of, &given) {
        return true;
    }
    fits(of, &given, Some(&OpenQuestion { this: of, other: &given, kind: Question::Gives, outer: guard }))
}

fn span_covers<T: PartialOrd>(wanted: Option<&(Option<T>, Option<T>)>, given: Option<&(Option<T>, Option<T>)>) -> bool {
    let Some((from, to)) = wanted else { return true };
    let (given_from, given_to) = given.map_or((None, None), |(from, to)| (from.as_ref(), to.as_ref()));
    let from_fits = from.as_ref().is_none_or(|from| given_from.is_some_and(|given| from <= given));
    let to_fits = to.as_ref().is_none_or(|to| given_to.is_some_and(|given| given <= to));
    from_fits && to_fits
}

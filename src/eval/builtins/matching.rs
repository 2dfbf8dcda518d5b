//! Functions that match texts against regular expressions: `match` and `split`.

use pantin_base::{Language, budget, stack};
use pantin_values::regex::{Captures, Options, Regex};
use pantin_values::{Fault, Regexp, Type, Value, too_many_steps};

use super::older::{class_name, flattened};
use crate::{Builtin, Flow, Invocation, budget_fault, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "match",
        &[
            overload(&[required("String", "string"), required("Variant[Any, Type]", "pattern")], None, match_text),
            overload(
                &[required("Array[String]", "string"), required("Variant[Any, Type]", "pattern")],
                None,
                match_all,
            ),
        ],
        "What a pattern and its groups matched in a text, or undef; of several texts, an array of that.",
    ),
    Builtin::typed(
        "split",
        &[
            overload(&[required("String", "str"), required("String", "pattern")], None, split),
            overload(&[required("String", "str"), required("Regexp", "pattern")], None, split),
            overload(&[required("String", "str"), required("Type[Regexp]", "pattern")], None, split),
            overload(&[required("Sensitive[String]", "sensitive"), required("String", "pattern")], None, split_secret)
                .since(Language::Puppet8),
            overload(&[required("Sensitive[String]", "sensitive"), required("Regexp", "pattern")], None, split_secret)
                .since(Language::Puppet8),
            overload(
                &[required("Sensitive[String]", "sensitive"), required("Type[Regexp]", "pattern")],
                None,
                split_secret,
            )
            .since(Language::Puppet8),
        ],
        "The parts of a text between the matches of a pattern.",
    ),
];

#[inline]
pub(super) fn find(regex: &Regex, text: &str, start: usize) -> Result<Option<Captures>, Fault> {
    regex.find_at(text, start).map_err(|_| too_many_steps(regex, text))
}

/// The same, written where the groups of a match before may be.
#[inline]
pub(super) fn find_into(regex: &Regex, text: &str, start: usize, captures: &mut Captures) -> Result<bool, Fault> {
    regex.find_into(text, start, captures).map_err(|_| too_many_steps(regex, text))
}

/// The same without the groups.
#[inline]
pub(super) fn find_span(regex: &Regex, text: &str, start: usize) -> Result<Option<(usize, usize)>, Fault> {
    regex.find_span_at(text, start).map_err(|_| too_many_steps(regex, text))
}

// ---- match ----

fn match_text(call: &mut Invocation<'_, '_>) -> Flow {
    let (text, pattern) = (call.take(0), call.take(1));
    Ok(matched(text.as_str().unwrap_or_default(), &pattern)?)
}

fn match_all(call: &mut Invocation<'_, '_>) -> Flow {
    let (texts, pattern) = (call.take(0), call.take(1));
    let Value::Array(texts) = texts else { return Ok(Value::Undef) };
    let matches = texts.iter().map(|text| matched(text.as_str().unwrap_or_default(), &pattern));
    Ok(Value::Array(matches.collect::<Result<Vec<_>, Fault>>()?.into()))
}

fn matched(text: &str, pattern: &Value) -> Result<Value, Fault> {
    match pattern {
        Value::String(source) => matched_by(text, &Regexp::from_string(source, Options::default())),
        Value::Regexp(regexp) => matched_by(text, regexp),
        Value::Type(of) => stack::with_room(|| matched_by_type(text, of)),
        Value::Array(patterns) => {
            first_match(flattened(patterns).iter().map(|pattern| stack::with_room(|| matched(text, pattern))))
        }
        other => Err(not_a_pattern(other)),
    }
}

fn matched_by_type(text: &str, of: &Type) -> Result<Value, Fault> {
    match of.resolved() {
        Type::Regexp(Some(regexp)) => matched_by(text, regexp),
        Type::Regexp(None) => Err(Fault::new("Given Regexp Type has no regular expression")),
        Type::Pattern(patterns) => first_match(patterns.iter().map(|regexp| matched_by(text, regexp))),
        Type::Variant(types) => first_match(types.iter().map(|of| stack::with_room(|| matched_by_type(text, of)))),
        other => Err(not_a_pattern(&Value::Type(other.clone()))),
    }
}

fn first_match(matches: impl Iterator<Item = Result<Value, Fault>>) -> Result<Value, Fault> {
    for result in matches {
        let result = result?;
        if !result.is_undef() {
            return Ok(result);
        }
    }
    Ok(Value::Undef)
}

fn not_a_pattern(value: &Value) -> Fault {
    let class = match value {
        Value::Undef => "NilClass".to_owned(),
        Value::Boolean(true) => "TrueClass".to_owned(),
        Value::Boolean(false) => "FalseClass".to_owned(),
        // As it came: only functions of the older kind are given a resource in its place.
        Value::Type(Type::Resource(_)) => "Puppet::Pops::Types::PResourceType".to_owned(),
        Value::Type(Type::Class(_)) => "Puppet::Pops::Types::PClassType".to_owned(),
        other => class_name(other),
    };
    Fault::new(format!(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {class}"
    ))
}

fn matched_by(text: &str, regexp: &Regexp) -> Result<Value, Fault> {
    let Some(captures) = find(regexp.checked_regex()?, text, 0)? else { return Ok(Value::Undef) };
    let group = |group| match captures.get(group) {
        Some((start, end)) => Value::string(&text[start..end]),
        None => Value::Undef,
    };
    Ok(Value::array((0..captures.len()).map(group)))
}

// ---- split ----

fn split(call: &mut Invocation<'_, '_>) -> Flow {
    let (text, pattern) = (call.take(0), call.take(1));
    split_by(call, text.as_str().unwrap_or_default(), &pattern)
}

fn split_secret(call: &mut Invocation<'_, '_>) -> Flow {
    let (secret, pattern) = (call.take(0), call.take(1));
    let Value::Sensitive(text) = secret else { return Ok(Value::Undef) };
    Ok(Value::sensitive(split_by(call, text.as_str().unwrap_or_default(), &pattern)?))
}

fn split_by(call: &Invocation<'_, '_>, text: &str, pattern: &Value) -> Flow {
    let mut parts: Vec<Value> = Vec::new();
    let mut push = |part: &str| {
        parts.push(Value::string(part));
        if !budget::spend(1) {
            return Err(budget_fault(&call.settings().limits));
        }
        call.check_elements(parts.len())
    };
    match pattern {
        Value::String(source) => each_part(text, &Regexp::from_string(source, Options::default()), &mut push),
        Value::Regexp(regexp) | Value::Type(Type::Regexp(Some(regexp))) => each_part(text, regexp, &mut push),
        // The type without an expression, or another name of it.
        Value::Type(of) => match of.resolved() {
            Type::Regexp(Some(regexp)) => each_part(text, regexp, &mut push),
            _ => each_part(text, &Regexp::new("", Options::default()), &mut push),
        },
        _ => Ok(()),
    }?;
    while parts.last().and_then(Value::as_str).is_some_and(str::is_empty) {
        parts.pop();
    }
    Ok(Value::Array(parts.into()))
}

/// Returns the parts between the matches, and what groups captured there; empty ones at the end are left out.
pub(super) fn parts<'t>(text: &'t str, regexp: &Regexp) -> Result<Vec<&'t str>, Fault> {
    let mut parts = Vec::new();
    each_part(text, regexp, &mut |part| {
        parts.push(part);
        Ok(())
    })?;
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    Ok(parts)
}

/// The same, one after the other, with the empty ones at the end. Where the pattern matches nothing, the text is split
/// between its characters.
fn each_part<'t>(
    text: &'t str,
    regexp: &Regexp,
    push: &mut impl FnMut(&'t str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let regex = regexp.checked_regex()?;
    let has_groups = regex.group_count() > 0;
    // Where the next part begins, where the next search does, and whether that stepped over a character.
    let (mut begin, mut start, mut stepped) = (0, 0, false);
    loop {
        let captures = if has_groups { find(regex, text, start)? } else { None };
        let span = match &captures {
            Some(captures) => captures.get(0),
            None if has_groups => None,
            None => find_span(regex, text, start)?,
        };
        let Some((from, to)) = span else { break };
        if from == to && from == start {
            if text.is_empty() {
                push("")?;
                break;
            }
            if !stepped {
                start += text[start..].chars().next().map_or(1, char::len_utf8);
                stepped = true;
                continue;
            }
            push(&text[begin..start])?;
            begin = start;
        } else {
            push(&text[begin..from])?;
            begin = to;
            start = to;
        }
        stepped = false;
        if let Some(captures) = &captures {
            for (from, to) in (1..captures.len()).filter_map(|group| captures.get(group)) {
                push(&text[from..to])?;
            }
        }
    }
    if begin < text.len() {
        push(&text[begin..])?;
    }
    Ok(())
}

//! Regular expressions and what they found.

use std::rc::Rc;

use pantin_values::regex::Options;

use super::substitute::{pattern, place};
use crate::class::Core;
use crate::interp::{CallArguments, Interp, match_of, regex_to_s};
use crate::native::{ANY, NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::{Match, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Regexp, Side::Instance, METHODS),
    (Core::Regexp, Side::Class, MAKE),
    (Core::MatchData, Side::Instance, MATCH),
];

const MAKE: &[NativeMethod] = &[
    method("new", 1, 3, new),
    method("compile", 1, 3, new),
    by_letters("escape", 1, 1, |interp, given| Ok(Value::text(escaped(&interp.letters_arg(given.arg(0))?)))),
    by_letters("quote", 1, 1, |interp, given| Ok(Value::text(escaped(&interp.letters_arg(given.arg(0))?)))),
    method("union", 0, ANY, |interp, given| {
        let all = match given.args {
            [list @ Value::Array(_)] => interp.array_arg(list)?,
            many => many.to_vec(),
        };
        let single = all.len() == 1;
        let mut sources = Vec::new();
        for one in &all {
            sources.push(match one {
                Value::Regex(_) if single => return Ok(one.clone()),
                Value::Regex(regex) => regex_to_s(regex),
                other => escaped(&interp.letters_arg(other)?),
            });
        }
        let source = if sources.is_empty() { "(?!)".to_owned() } else { sources.join("|") };
        interp.regex(&source, Options::default())
    }),
    method("last_match", 0, 1, |interp, given| {
        let matched = given.frame.map(|frame| frame.context.matched.borrow().clone()).unwrap_or_default();
        if given.args.is_empty() || matched.is_nil() { Ok(matched) } else { interp.send(&matched, "[]", given.args) }
    }),
];

const METHODS: &[NativeMethod] = &[
    method("=~", 1, 1, |interp, given| {
        let found = search(interp, given)?;
        Ok(found.map_or(Value::Nil, |found| place(&found)))
    }),
    method("match", 1, 2, |interp, given| {
        let found = search(interp, given)?;
        let matched = interp.set_matched(given.frame, found.as_ref());
        match given.block {
            Some(block) if !matched.is_nil() => interp.yield_one(block, matched),
            _ => Ok(matched),
        }
    }),
    method("match?", 1, 2, |interp, given| {
        if given.arg(0).is_nil() {
            return Ok(Value::Bool(false));
        }
        let (regex, text) = (pattern(interp, given.receiver, false)?, interp.name_arg(given.arg(0))?);
        Ok(interp.find(&regex, &text, 0)?.is_some().into())
    }),
    method("===", 1, 1, |interp, given| match given.arg(0) {
        Value::String(_) | Value::Symbol(_) => Ok(search(interp, given)?.is_some().into()),
        _ => Ok(Value::Bool(false)),
    }),
    method("source", 0, 0, |_, given| {
        Ok(Value::text(match given.receiver {
            Value::Regex(regex) => regex.source(),
            _ => "",
        }))
    }),
    method("options", 0, 0, |interp, given| {
        let options = pattern(interp, given.receiver, false)?.options();
        let bits = [(options.ignore_case, 1), (options.extended, 2), (options.multi_line, 4)];
        Ok(Value::Int(bits.into_iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum()))
    }),
    method("names", 0, 0, |interp, given| {
        let regex = pattern(interp, given.receiver, false)?;
        let names =
            regex.regex().map(|regex| regex.group_names().iter().map(|(name, _)| Value::text(name.as_str())).collect());
        Ok(Value::array(names.unwrap_or_default()))
    }),
    method("casefold?", 0, 0, |interp, given| Ok(pattern(interp, given.receiver, false)?.options().ignore_case.into())),
];

const MATCH: &[NativeMethod] = &[
    method("[]", 1, 2, group),
    method("match", 1, 1, group),
    method("match_length", 1, 1, |interp, given| {
        let found = group(interp, given)?;
        if found.is_nil() { Ok(found) } else { interp.send(&found, "length", &[]) }
    }),
    method("to_a", 0, 0, |_, given| Ok(Value::array(groups(given, 0)))),
    method("captures", 0, 0, |_, given| Ok(Value::array(groups(given, 1)))),
    method("named_captures", 0, 0, |interp, given| {
        let Some(found) = match_of(given.receiver) else { return Ok(Value::Nil) };
        let names = names(&found);
        let _ = interp;
        Ok(Value::hash(HashTable::from_pairs(names.into_iter().map(|name| {
            let value = found.named(&name).unwrap_or_default();
            (Value::text(name), value)
        }))))
    }),
    method("names", 0, 0, |_, given| {
        Ok(Value::array(
            match_of(given.receiver)
                .map(|found| names(&found))
                .unwrap_or_default()
                .into_iter()
                .map(Value::text)
                .collect(),
        ))
    }),
    method("pre_match", 0, 0, |_, given| Ok(around(given, true))),
    method("post_match", 0, 0, |_, given| Ok(around(given, false))),
    method("begin", 1, 1, |interp, given| bound(interp, given, true)),
    method("end", 1, 1, |interp, given| bound(interp, given, false)),
    method("offset", 1, 1, |interp, given| {
        let start = bound(interp, given, true)?;
        Ok(Value::pair(start, bound(interp, given, false)?))
    }),
    method("values_at", 0, ANY, |interp, given| {
        let list = Value::array(groups(given, 0));
        interp.send(&list, "values_at", given.args)
    }),
    method("size", 0, 0, |_, given| Ok(groups(given, 0).len().into())),
    method("length", 0, 0, |_, given| Ok(groups(given, 0).len().into())),
    method("string", 0, 0, |_, given| {
        Ok(match_of(given.receiver).map_or(Value::Nil, |found| Value::text(found.text.as_str())))
    }),
    method("regexp", 0, 0, |_, given| {
        Ok(match_of(given.receiver).map_or(Value::Nil, |found| Value::Regex(found.regex.clone())))
    }),
];

/// Letters that mean something in a pattern, with a backslash.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$' | '#' | ' ' => {
                out.extend(['\\', letter]);
            }
            other => out.push(other),
        }
    }
    out
}

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Value::Regex(_) = given.arg(0) {
        return Ok(given.arg(0).clone());
    }
    if let Value::String(source) = given.arg(0) {
        super::broken::check_pattern(interp, source)?;
    }
    let source = interp.text_arg(given.arg(0))?;
    let options = match given.arg(1) {
        Value::Int(bits) => Options { ignore_case: bits & 1 != 0, extended: bits & 2 != 0, multi_line: bits & 4 != 0 },
        other => Options { ignore_case: other.is_truthy(), ..Options::default() },
    };
    interp.regex(&source, options)
}

fn search(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<Rc<Match>>> {
    let found = match given.arg(0) {
        Value::Nil => None,
        text => {
            let (regex, text) = (pattern(interp, given.receiver, false)?, interp.letters_arg(text)?);
            let from = if given.args.len() > 1 { interp.int_arg(given.arg(1))?.max(0) as usize } else { 0 };
            let byte = text.char_indices().nth(from).map_or(text.len(), |(byte, _)| byte);
            interp.find(&regex, &text, byte)?
        }
    };
    interp.set_matched(given.frame, found.as_ref());
    Ok(found)
}

fn groups(given: &CallArguments<'_>, from: usize) -> Vec<Value> {
    let Some(found) = match_of(given.receiver) else { return Vec::new() };
    (from..found.captures.len()).map(|group| found.value(group)).collect()
}

fn names(found: &Match) -> Vec<String> {
    found
        .regex
        .regex()
        .map(|regex| regex.group_names().iter().map(|(name, _)| name.clone()).collect())
        .unwrap_or_default()
}

fn group(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(found) = match_of(given.receiver) else { return Ok(Value::Nil) };
    match given.arg(0) {
        Value::String(_) | Value::Symbol(_) => {
            let name = interp.name_arg(given.arg(0))?;
            match found.named(&name) {
                Some(value) => Ok(value),
                None => interp.raise(Core::IndexError, format!("undefined group name reference: {name}")),
            }
        }
        _ => {
            let list = Value::array(groups(given, 0));
            interp.send(&list, "[]", given.args)
        }
    }
}

fn around(given: &CallArguments<'_>, before: bool) -> Value {
    let Some(found) = match_of(given.receiver) else { return Value::Nil };
    let Some((from, to)) = found.captures.get(0) else { return Value::Nil };
    super::broken::text(if before { &found.text[..from] } else { &found.text[to..] })
}

fn bound(interp: &mut Interp<'_>, given: &CallArguments<'_>, start: bool) -> Flow {
    let group = interp.int_arg(given.arg(0))?;
    let Some(found) = match_of(given.receiver) else { return Ok(Value::Nil) };
    let span = usize::try_from(group).ok().and_then(|group| found.captures.get(group));
    Ok(span.map_or(Value::Nil, |(from, to)| found.text[..if start { from } else { to }].chars().count().into()))
}

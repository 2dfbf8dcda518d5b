//! Parts of strings: indices, lines, letters, what stands between separators.

use std::rc::Rc;

use pantin_values::Str;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::text::{Encoding, Text};
use crate::value::{Range, Value};

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    by_letters("[]", 1, 2, index),
    by_letters("slice", 1, 2, index),
    method("chars", 0, 0, letters),
    method("each_char", 0, 0, |interp, given| {
        let all = letters(interp, given)?;
        each(interp, given, all)
    }),
    method("bytes", 0, 0, bytes),
    method("each_byte", 0, 0, |interp, given| {
        let all = bytes(interp, given)?;
        each(interp, given, all)
    }),
    method("getbyte", 1, 1, |interp, given| {
        let at = interp.int_arg(given.arg(0))?;
        let count = super::string::with_text(given, |text| text.bytes().len()) as i64;
        let at = usize::try_from(if at < 0 { at + count } else { at }).ok();
        let byte = super::string::with_text(given, |text| at.and_then(|at| text.bytes().get(at).copied()));
        Ok(byte.map_or(Value::Nil, |byte| Value::Int(i64::from(byte))))
    }),
    method("byteslice", 1, 2, byteslice),
    method("codepoints", 0, 0, |interp, given| {
        let text = interp.own_text(given)?;
        interp.check_count(text.len())?;
        Ok(Value::array(text.chars().map(|letter| Value::Int(i64::from(u32::from(letter)))).collect()))
    }),
    method("split", 0, 2, split),
    by_letters("partition", 1, 1, |interp, given| partition(interp, given, false)),
    by_letters("rpartition", 1, 1, |interp, given| partition(interp, given, true)),
    by_letters("index", 1, 2, |interp, given| position(interp, given, false)),
    by_letters("rindex", 1, 2, |interp, given| position(interp, given, true)),
    method("upto", 1, 2, |interp, given| {
        let (from, to) = (given.receiver.clone(), given.arg(0).clone());
        let range = Value::Range(Rc::new(Range::new(from, to, given.arg(1).is_truthy())));
        let items = interp.items(&range)?;
        each(interp, given, Value::array(items))
    }),
];

fn letters(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if super::string::with_text(given, super::encode::is_broken) {
        let letters = super::string::with_text(given, super::encode::broken_letters);
        interp.check_texts(letters.len())?;
        let text = |bytes| Value::String(Rc::new(Text::with_encoding(Encoding::Utf8, bytes)));
        return Ok(Value::array(letters.into_iter().map(text).collect()));
    }
    let text = interp.own_text(given)?;
    interp.check_texts(text.chars().count())?;
    Ok(Value::array(text.chars().map(Value::text).collect()))
}

fn bytes(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    interp.check_count(super::string::with_text(given, |text| text.bytes().len()))?;
    Ok(Value::array(super::string::with_text(given, |text| {
        text.bytes().iter().map(|byte| Value::Int(i64::from(*byte))).collect()
    })))
}

pub(super) fn each(interp: &mut Interp<'_>, given: &CallArguments<'_>, all: Value) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    for item in interp.items(&all)? {
        interp.yield_one(block, item)?;
    }
    Ok(given.receiver.clone())
}

pub(super) fn chomps(given: &CallArguments<'_>) -> bool {
    match given.args.last() {
        Some(Value::Hash(options)) => options.get_symbol("chomp").is_some_and(|chomp| chomp.is_truthy()),
        _ => false,
    }
}

/// Where a part of a text lies, by index and length, range, pattern or text.
pub(super) fn part(interp: &mut Interp<'_>, text: &str, given: &CallArguments<'_>) -> Flow<Option<(usize, usize)>> {
    match (given.arg(0), given.args.get(1)) {
        (Value::Regex(regex), group) => {
            let found = interp.find(regex, text, 0)?;
            interp.set_matched(given.frame, found.as_ref());
            let Some(found) = found else { return Ok(None) };
            Ok(match group {
                None => found.captures.get(0),
                Some(Value::Int(group)) => {
                    let group = if *group < 0 { group + found.captures.len() as i64 } else { *group };
                    usize::try_from(group).ok().and_then(|group| found.captures.get(group))
                }
                Some(name) => {
                    let name = interp.name_arg(name)?;
                    let groups = regex.regex().map(|regex| regex.group_names()).unwrap_or_default();
                    let Some((_, numbers)) = groups.iter().find(|(known, _)| *known == name.as_str()) else {
                        return interp.raise(Core::IndexError, format!("undefined group name reference: {name}"));
                    };
                    numbers.iter().rev().find_map(|number| found.captures.get(*number))
                }
            })
        }
        (Value::String(wanted), None) => {
            let wanted = interp.str_of(wanted)?;
            Ok(text.find(&wanted).map(|from| (from, from + wanted.len())))
        }
        (Value::Range(range), None) => {
            let count = text.chars().count();
            Ok(span(interp, range, count)?.map(|(from, length)| byte_span(text, from, length)))
        }
        (from, length) => {
            let count = text.chars().count() as i64;
            let from = interp.int_arg(from)?;
            let from = if from < 0 { from + count } else { from };
            let length = match length {
                Some(length) => interp.int_arg(length)?,
                None if from >= count => return Ok(None),
                None => 1,
            };
            if from < 0 || from > count || length < 0 {
                return Ok(None);
            }
            Ok(Some(byte_span(text, from as usize, length as usize)))
        }
    }
}

/// Returns the first element and the number of those that a range picks out of so many.
pub(super) fn span(interp: &mut Interp<'_>, range: &Range, count: usize) -> Flow<Option<(usize, usize)>> {
    let count = count as i64;
    let from = if range.from.is_nil() { 0 } else { interp.int_arg(&range.from)? };
    let to = if range.to.is_nil() { -1 } else { interp.int_arg(&range.to)? };
    let from = if from < 0 { from + count } else { from };
    if from < 0 || from > count {
        return Ok(None);
    }
    let to = if to < 0 { to + count } else { to };
    let end = if range.exclusive && !range.to.is_nil() { to } else { to + 1 };
    Ok(Some((from as usize, (end.min(count) - from).max(0) as usize)))
}

fn byte_span(text: &str, from: usize, length: usize) -> (usize, usize) {
    let start = text.char_indices().nth(from).map_or(text.len(), |(byte, _)| byte);
    let end = text[start..].char_indices().nth(length).map_or(text.len(), |(byte, _)| start + byte);
    (start, end)
}

fn index(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Value::String(text) = given.receiver
        && text.is_binary()
    {
        return byteslice(interp, given);
    }
    let text = interp.own_text(given)?;
    Ok(part(interp, &text, given)?.map_or(Value::Nil, |(from, to)| Value::text(&text[from..to])))
}

fn byteslice(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let all: Vec<u8> = super::string::with_text(given, |text| text.bytes().to_vec());
    let (from, length) = match (given.arg(0), given.args.get(1)) {
        (Value::Range(range), None) => match span(interp, range, all.len())? {
            Some(span) => span,
            None => return Ok(Value::Nil),
        },
        (from, length) => {
            let from = interp.int_arg(from)?;
            let from = if from < 0 { from + all.len() as i64 } else { from };
            let length = length.map_or(Ok(1), |length| interp.int_arg(length))?;
            match (usize::try_from(from), usize::try_from(length)) {
                (Ok(from), Ok(length)) if from <= all.len() => (from, length),
                _ => return Ok(Value::Nil),
            }
        }
    };
    let piece = all[from..from.saturating_add(length).min(all.len())].to_vec();
    let encoding = match given.receiver {
        Value::String(text) => text.encoding(),
        _ => Encoding::Utf8,
    };
    Ok(Value::String(Rc::new(Text::with_encoding(encoding, piece))))
}

// ---- split ----

fn split(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.own_text(given)?;
    let limit = given.args.get(1).map_or(Ok(0), |limit| interp.int_arg(limit))?;
    let mut pieces = match given.arg(0) {
        Value::Nil => split_at_space(interp, &text, limit)?,
        separator @ (Value::String(_) | Value::Object(_)) => {
            let Some(separator) = interp.as_text(separator)? else { return no_pattern(interp, separator) };
            match separator.as_str() {
                " " => split_at_space(interp, &text, limit)?,
                "" => {
                    interp.check_texts(text.chars().count())?;
                    split_letters(&text, limit)
                }
                separator if limit > 0 => text.splitn(limit as usize, separator).map(str::to_owned).collect(),
                separator => {
                    interp.check_texts(text.split(separator).count())?;
                    text.split(separator).map(str::to_owned).collect()
                }
            }
        }
        Value::Regex(regex) if regex.source() == " " => split_by(interp, &text, given, limit)?,
        Value::Regex(_) => split_by(interp, &text, given, limit)?,
        other => return no_pattern(interp, other),
    };
    if text.is_empty() {
        pieces.clear();
    }
    if limit == 0 {
        while pieces.last().is_some_and(String::is_empty) {
            pieces.pop();
        }
    }
    let pieces: Vec<Value> = pieces.into_iter().map(Value::text).collect();
    match given.block {
        Some(block) => {
            for piece in pieces {
                interp.yield_one(block, piece)?;
            }
            Ok(given.receiver.clone())
        }
        None => Ok(Value::array(pieces)),
    }
}

fn no_pattern<T>(interp: &mut Interp<'_>, value: &Value) -> Flow<T> {
    let of = interp.conversion_name(value);
    interp.raise(Core::TypeError, format!("wrong argument type {of} (expected Regexp)"))
}

fn split_at_space(interp: &mut Interp<'_>, text: &str, limit: i64) -> Flow<Vec<String>> {
    let space = |ch: char| matches!(ch, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r');
    interp.check_texts(text.split(space).filter(|piece| !piece.is_empty()).count())?;
    let mut pieces = Vec::new();
    let mut rest = text.trim_start_matches(space);
    while !rest.is_empty() {
        if limit > 0 && pieces.len() as i64 == limit - 1 {
            pieces.push(rest.to_owned());
            return Ok(pieces);
        }
        let end = rest.find(space);
        pieces.push(rest[..end.unwrap_or(rest.len())].to_owned());
        match end {
            Some(end) => {
                rest = rest[end..].trim_start_matches(space);
                if rest.is_empty() && limit != 0 {
                    pieces.push(String::new());
                }
            }
            None => break,
        }
    }
    Ok(pieces)
}

/// What remains behind the last piece is a piece too, where there is a limit, though it be empty.
fn split_letters(text: &str, limit: i64) -> Vec<String> {
    let most = usize::try_from(limit).ok().filter(|limit| *limit > 0).map_or(usize::MAX, |limit| limit - 1);
    let cut = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let mut pieces: Vec<String> = text[..cut].chars().map(String::from).collect();
    if limit != 0 {
        pieces.push(text[cut..].to_owned());
    }
    pieces
}

/// As Ruby goes through it: an empty match cuts off one letter, once it was found a second time.
fn split_by(interp: &mut Interp<'_>, text: &str, given: &CallArguments<'_>, limit: i64) -> Flow<Vec<String>> {
    let Value::Regex(regex) = given.arg(0) else { return Ok(Vec::new()) };
    let text = &Str::from(text);
    let after = |place: usize| place + text[place..].chars().next().map_or(1, char::len_utf8);
    let mut pieces = Vec::new();
    let (mut begin, mut start, mut cuts, mut was_empty) = (0, 0, 1, false);
    while start <= text.len() && (limit <= 0 || cuts < limit) {
        interp.step()?;
        interp.check_texts(pieces.len())?;
        let Some(found) = interp.find_shared(regex, text, start)? else { break };
        let Some((from, to)) = found.captures.get(0) else { break };
        if from == to && from == start && !was_empty {
            start = after(start);
            was_empty = true;
            continue;
        }
        if from == to && from == start {
            pieces.push(text[begin..after(begin).min(text.len())].to_owned());
            begin = start;
        } else {
            pieces.push(text[begin..from].to_owned());
            (begin, start) = (to, to);
        }
        was_empty = false;
        push_groups(&mut pieces, &found);
        cuts += 1;
    }
    if !text.is_empty() && (limit != 0 || begin < text.len()) {
        pieces.push(text[begin..].to_owned());
    }
    Ok(pieces)
}

fn push_groups(pieces: &mut Vec<String>, found: &crate::value::Match) {
    pieces.extend((1..found.captures.len()).filter_map(|group| found.group(group)).map(str::to_owned));
}

fn partition(interp: &mut Interp<'_>, given: &CallArguments<'_>, last: bool) -> Flow {
    let text = interp.own_text(given)?;
    let span = match given.arg(0) {
        Value::Regex(regex) => {
            let mut span = None;
            let mut at = 0;
            while let Some(found) = interp.find(regex, &text, at)? {
                span = found.captures.get(0);
                interp.set_matched(given.frame, Some(&found));
                at = span.map_or(text.len(), |(from, _)| from) + 1;
                while at < text.len() && !text.is_char_boundary(at) {
                    at += 1;
                }
                if !last || at > text.len() {
                    break;
                }
                interp.step()?;
            }
            span
        }
        other => {
            let Some(wanted) = interp.as_text(other)? else { return no_pattern(interp, other) };
            let from = if last { text.rfind(&wanted) } else { text.find(&wanted) };
            from.map(|from| (from, from + wanted.len()))
        }
    };
    let parts = match span {
        Some((from, to)) => [&text[..from], &text[from..to], &text[to..]],
        None if last => ["", "", &text],
        None => [&text, "", ""],
    };
    Ok(Value::array(parts.into_iter().map(Value::text).collect()))
}

fn position(interp: &mut Interp<'_>, given: &CallArguments<'_>, last: bool) -> Flow {
    let text = interp.own_text(given)?;
    let count = text.chars().count() as i64;
    let start = given.args.get(1).map_or(Ok(if last { count } else { 0 }), |start| interp.int_arg(start))?;
    let start = if start < 0 { start + count } else { start };
    if start < 0 || (start > count && !last) {
        return Ok(Value::Nil);
    }
    let byte = byte_span(&text, start as usize, 0).0;
    let found = match given.arg(0) {
        Value::Regex(regex) if last => {
            let mut at = byte;
            loop {
                interp.step()?;
                let found = interp.find(regex, &text, at)?;
                if let Some((from, _)) = found.as_ref().and_then(|found| found.captures.get(0))
                    && from == at
                {
                    interp.set_matched(given.frame, found.as_ref());
                    break Some(at);
                }
                match text[..at].char_indices().next_back() {
                    Some((before, _)) => at = before,
                    None => break None,
                }
            }
        }
        Value::Regex(regex) => {
            let found = interp.find(regex, &text, byte)?;
            interp.set_matched(given.frame, found.as_ref());
            found.and_then(|found| found.captures.get(0)).map(|(from, _)| from)
        }
        other => {
            let wanted = interp.text_arg(other)?;
            if last {
                text.rmatch_indices(&wanted).map(|(at, _)| at).find(|at| *at <= byte)
            } else {
                text[byte..].find(&wanted).map(|from| from + byte)
            }
        }
    };
    Ok(found.map_or(Value::Nil, |byte| text[..byte].chars().count().into()))
}

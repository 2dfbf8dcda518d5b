//! Strings and regular expressions together: `=~`, `match`, `scan`, `sub`, `gsub`.

use std::rc::Rc;
use std::sync::Arc;

use pantin_values::regex::Options;
use pantin_values::{Regexp, Str};

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::value::{Match, Value};

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("=~", 1, 1, |interp, given| match given.arg(0) {
        Value::Regex(regex) => {
            let text = interp.own_text(given)?;
            let found = interp.find(regex, &text, 0)?;
            interp.set_matched(given.frame, found.as_ref());
            Ok(found.map_or(Value::Nil, |found| place(&found)))
        }
        Value::String(_) => interp.raise(Core::TypeError, "type mismatch: String given"),
        other => interp.send(other, "=~", std::slice::from_ref(given.receiver)),
    }),
    method("match", 1, 2, |interp, given| {
        let (regex, text) = (pattern(interp, given.arg(0), false)?, interp.own_text(given)?);
        let found = interp.find(&regex, &text, 0)?;
        let matched = interp.set_matched(given.frame, found.as_ref());
        match given.block {
            Some(block) if !matched.is_nil() => interp.yield_one(block, matched),
            _ => Ok(matched),
        }
    }),
    method("match?", 1, 2, |interp, given| {
        let (regex, text) = (pattern(interp, given.arg(0), false)?, interp.own_text(given)?);
        Ok(interp.find(&regex, &text, 0)?.is_some().into())
    }),
    method("scan", 1, 1, scan),
    by_letters("sub", 1, 2, |interp, given| substitute(interp, given, false)),
    by_letters("gsub", 1, 2, |interp, given| substitute(interp, given, true)),
];

/// Where something matched, in letters.
pub(super) fn place(found: &Match) -> Value {
    let from = found.captures.get(0).map_or(0, |(from, _)| from);
    found.text[..from].chars().count().into()
}

/// Returns a pattern, or a text in a pattern's place; `literal`: the text stands for itself.
pub(super) fn pattern(interp: &mut Interp<'_>, value: &Value, literal: bool) -> Flow<Arc<Regexp>> {
    match value {
        Value::Regex(regex) => Ok(regex.clone()),
        Value::String(text) => {
            super::broken::check_pattern(interp, text)?;
            let text = interp.str_of(text)?;
            let source = if literal { super::regexp::escaped(&text) } else { text };
            match interp.regex(&source, Options::default())? {
                Value::Regex(regex) => Ok(regex),
                _ => interp.raise(Core::TypeError, "this is no pattern"),
            }
        }
        other => {
            let of = interp.conversion_name(other);
            interp.raise(Core::TypeError, format!("wrong argument type {of} (expected Regexp)"))
        }
    }
}

/// Returns all places where a pattern matches, one after the other.
pub(super) fn all_matches(interp: &mut Interp<'_>, regex: &Arc<Regexp>, text: &str) -> Flow<Vec<Rc<Match>>> {
    let text = Str::from(text);
    let mut all = Vec::new();
    let mut at = 0;
    while at <= text.len() {
        interp.step()?;
        interp.check_texts(all.len())?;
        let Some(found) = interp.find_shared(regex, &text, at)? else { break };
        let Some((from, to)) = found.captures.get(0) else { break };
        at = if to > from { to } else { text[to..].chars().next().map_or(to + 1, |letter| to + letter.len_utf8()) };
        all.push(found);
    }
    Ok(all)
}

fn scan(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (regex, text) = (pattern(interp, given.arg(0), true)?, interp.own_text(given)?);
    let all = all_matches(interp, &regex, &text)?;
    let mut items = Vec::with_capacity(all.len());
    for found in &all {
        let item = match found.captures.len() {
            1 => found.value(0),
            count => Value::array((1..count).map(|group| found.value(group)).collect()),
        };
        interp.set_matched(given.frame, Some(found));
        match given.block {
            Some(block) => {
                set_for_block(block, interp, found);
                drop(interp.yield_one(block, item)?);
            }
            None => items.push(item),
        }
    }
    if all.is_empty() {
        interp.set_matched(given.frame, None);
    }
    Ok(if given.block.is_some() { given.receiver.clone() } else { Value::array(items) })
}

/// `$~` and `$1` in the block.
fn set_for_block(block: &Value, interp: &mut Interp<'_>, found: &Rc<Match>) {
    if let Value::Proc(block) = block
        && let crate::value::ProcKind::Code { frame, .. } = &block.kind
    {
        interp.set_matched(Some(&frame.clone()), Some(found));
    }
}

fn substitute(interp: &mut Interp<'_>, given: &CallArguments<'_>, all: bool) -> Flow {
    let (regex, text) = (pattern(interp, given.arg(0), true)?, interp.own_text(given)?);
    if given.args.len() == 1 && given.block.is_none() {
        return if all {
            interp.enumerator(given)
        } else {
            interp.raise(Core::ArgumentError, "wrong number of arguments (given 1, expected 2)")
        };
    }
    let template = match given.args.get(1) {
        Some(Value::Hash(_)) | None => None,
        Some(template) => Some(interp.text_arg(template)?),
    };
    let found =
        if all { all_matches(interp, &regex, &text)? } else { interp.find(&regex, &text, 0)?.into_iter().collect() };
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for one in &found {
        let Some((from, to)) = one.captures.get(0) else { continue };
        out.push_str(&text[end..from]);
        end = to;
        match (&template, given.args.get(1), given.block) {
            (Some(template), ..) => push_template(&mut out, template, one),
            (None, Some(table @ Value::Hash(_)), _) => {
                let value = interp.hash_get(table, &one.value(0))?;
                super::broken::push_to_s(interp, &mut out, &value)?;
            }
            (_, _, Some(block)) => {
                set_for_block(block, interp, one);
                let value = interp.yield_one(block, one.value(0))?;
                super::broken::push_to_s(interp, &mut out, &value)?;
            }
            _ => {}
        }
        interp.check_bytes(out.len())?;
    }
    out.push_str(&text[end..]);
    interp.set_matched(given.frame, found.last());
    Ok(super::broken::text(&out))
}

/// `\1`, `\0`, `\&`, `\k<name>` in what is put in.
fn push_template(out: &mut String, template: &str, found: &Match) {
    let mut rest = template;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(letter) = rest.chars().next() else {
            out.push('\\');
            return;
        };
        let group = |number: usize| found.group(number).unwrap_or_default();
        match letter {
            '0'..='9' => out.push_str(group(letter as usize - '0' as usize)),
            '&' => out.push_str(group(0)),
            '`' => out.push_str(found.captures.get(0).map_or("", |(from, _)| &found.text[..from])),
            '\'' => out.push_str(found.captures.get(0).map_or("", |(_, to)| &found.text[to..])),
            '\\' => out.push('\\'),
            'k' if rest.starts_with("k<") && rest.contains('>') => {
                let end = rest.find('>').unwrap_or(rest.len());
                if let Some(Value::String(text)) = found.named(&rest[2..end])
                    && let Some(text) = text.as_str()
                {
                    out.push_str(&text);
                }
                rest = &rest[end + 1..];
                continue;
            }
            other => out.extend(['\\', other]),
        }
        rest = &rest[letter.len_utf8()..];
    }
    out.push_str(rest);
}

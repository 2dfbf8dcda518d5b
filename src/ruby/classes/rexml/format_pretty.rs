//! The formatter that puts each element on a line of its own.

use super::attributes::listed;
use super::format::{get, has_attributes, put, set, write_child};
use super::node::is_text;
use super::parent::children;
use super::text::make_one_space;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::RexmlPretty, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    private("initialize", 0, 2, |interp, given| {
        let indentation = given.args.first().cloned().unwrap_or(Value::Int(2));
        let own = given.receiver;
        set(interp, own, "@indentation", indentation)?;
        set(interp, own, "@level", Value::Int(0))?;
        set(interp, own, "@ie_hack", given.args.get(1).cloned().unwrap_or(Value::Bool(false)))?;
        set(interp, own, "@width", Value::Int(80))?;
        set(interp, own, "@compact", Value::Bool(false))?;
        Ok(Value::Nil)
    }),
    method("compact", 0, 0, |interp, given| get(interp, given.receiver, "@compact")),
    method("width", 0, 0, |interp, given| get(interp, given.receiver, "@width")),
    method("compact=", 1, 1, |interp, given| {
        set(interp, given.receiver, "@compact", given.arg(0).clone())?;
        Ok(given.arg(0).clone())
    }),
    method("width=", 1, 1, |interp, given| {
        set(interp, given.receiver, "@width", given.arg(0).clone())?;
        Ok(given.arg(0).clone())
    }),
    private("write_element", 2, 2, write_element),
    private("write_text", 2, 2, write_text),
    private("write_comment", 2, 2, |interp, given| {
        indent(interp, given)?;
        let text = interp.send(given.arg(0), "to_s", &[])?;
        let text = interp.text_of(&text)?;
        put(interp, given, format!("<!--{text}-->"))
    }),
    private("write_cdata", 2, 2, |interp, given| {
        indent(interp, given)?;
        let text = interp.send(given.arg(0), "to_s", &[])?;
        let text = interp.text_of(&text)?;
        put(interp, given, format!("<![CDATA[{text}]]>"))
    }),
    private("write_document", 2, 2, write_document),
    private("wrap", 2, 2, |interp, given| {
        let (text, width) = (interp.text_arg(given.arg(0))?, interp.int_arg(given.arg(1))?);
        Ok(Value::text(wrapped(&text, width)))
    }),
    private("indent_text", 1, 4, |interp, given| {
        let text = interp.text_arg(given.arg(0))?;
        let level = given.args.get(1).map_or(Ok(1), |level| interp.int_arg(level))?;
        let style = given.args.get(2).map_or(Ok("\t".to_owned()), |style| interp.text_arg(style))?;
        let Ok(level) = usize::try_from(level) else { return Ok(given.arg(0).clone()) };
        Ok(Value::text(text.replace('\n', &format!("\n{}", style.repeat(level)))))
    }),
];

fn level(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<i64> {
    let level = get(interp, given.receiver, "@level")?;
    interp.int_arg(&level)
}

fn spaces(interp: &mut Interp<'_>, count: i64) -> Flow<String> {
    let Ok(count) = usize::try_from(count) else {
        return interp.raise(Core::ArgumentError, "argument must be non-negative");
    };
    interp.check_bytes(count)?;
    Ok(" ".repeat(count))
}

fn indent(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<()> {
    let level = level(interp, given)?;
    let spaces = spaces(interp, level)?;
    put(interp, given, spaces).map(|_| ())
}

fn write_element(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let node = given.arg(0);
    indent(interp, given)?;
    let name = interp.send(node, "expanded_name", &[])?;
    let name = interp.text_of(&name)?;
    put(interp, given, format!("<{name}"))?;
    if has_attributes(node) {
        let attributes = interp.send(node, "attributes", &[])?;
        for attribute in listed(interp, &attributes)? {
            put(interp, given, " ".to_owned())?;
            interp.send(&attribute, "write", &given.args[1..2])?;
        }
    }
    if children(node).is_empty() {
        let hack = get(interp, given.receiver, "@ie_hack")?.is_truthy();
        return put(interp, given, if hack { " />" } else { "/>" }.to_owned());
    }
    put(interp, given, ">".to_owned())?;
    if !write_compact(interp, given)? {
        write_children(interp, given)?;
    }
    put(interp, given, format!("</{name}>"))
}

/// Texts alone stand on the line of their element where they fit; whether they do.
fn write_compact(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<bool> {
    let all = children(given.arg(0));
    let compact = interp.send(given.receiver, "compact", &[])?;
    if !compact.is_truthy() || !all.iter().all(is_text) {
        return Ok(false);
    }
    let text = Value::text("");
    let before = get(interp, given.receiver, "@level")?;
    set(interp, given.receiver, "@level", Value::Int(0))?;
    for child in all {
        interp.deeper(|interp| interp.send(given.receiver, "write", &[child, text.clone()]))?;
    }
    set(interp, given.receiver, "@level", before)?;
    let width = get(interp, given.receiver, "@width")?;
    let (text, width) = (interp.text_of(&text)?, interp.int_arg(&width)?);
    let fits = (text.chars().count() as i64) < width;
    if fits {
        put(interp, given, text)?;
    }
    Ok(fits)
}

fn write_children(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<()> {
    let indentation = get(interp, given.receiver, "@indentation")?;
    let indentation = interp.int_arg(&indentation)?;
    put(interp, given, "\n".to_owned())?;
    let inside = level(interp, given)? + indentation;
    set(interp, given.receiver, "@level", Value::Int(inside))?;
    for child in children(given.arg(0)) {
        if is_text(&child) {
            let text = interp.send(&child, "to_s", &[])?;
            if is_blank(&interp.text_of(&text)?) {
                continue;
            }
        }
        write_child(interp, given, &child)?;
        put(interp, given, "\n".to_owned())?;
    }
    let outside = level(interp, given)? - indentation;
    set(interp, given.receiver, "@level", Value::Int(outside))?;
    indent(interp, given)
}

/// Returns true if nothing is left when white space is stripped.
fn is_blank(text: &str) -> bool {
    let is_space = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\0');
    text.trim_matches(is_space).is_empty()
}

fn write_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.send(given.arg(0), "to_s", &[])?;
    let text = make_one_space(interp, &text)?;
    let (width, level) = (get(interp, given.receiver, "@width")?, get(interp, given.receiver, "@level")?);
    let width = interp.send(&width, "-", std::slice::from_ref(&level))?;
    let text = interp.send(given.receiver, "wrap", &[Value::text(text), width])?;
    let style = [text, level, Value::text(" "), Value::Bool(true)];
    let text = interp.send(given.receiver, "indent_text", &style)?;
    let text = interp.text_of(&text)?;
    indent(interp, given)?;
    put(interp, given, text)
}

fn write_document(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let all = children(given.arg(0));
    let is_plain = |interp: &Interp<'_>, child: &Value| interp.real_class_of(child) == Core::RexmlText.class();
    for child in &all {
        if let Some(last) = all.last()
            && interp.equal(child, last)?
            && is_plain(interp, child)
        {
            continue;
        }
        let first = &all[0];
        let mut follows = !interp.equal(child, first)? && !is_plain(interp, child);
        if let Some(second) = all.get(1)
            && follows
            && interp.equal(child, second)?
        {
            follows = interp.send(first, "writethis", &[])?.is_truthy();
        }
        if follows {
            put(interp, given, "\n".to_owned())?;
        }
        write_child(interp, given, child)?;
    }
    Ok(Value::Nil)
}

/// Broken at the last blank of each stretch that is as long as a line may be.
fn wrapped(text: &str, width: i64) -> String {
    let mut rest: Vec<char> = text.chars().collect();
    let mut lines: Vec<String> = Vec::new();
    while rest.len() as i64 > width {
        // Counted from the end, where the width is less than nothing.
        let last = if width < 0 { rest.len() as i64 + width } else { width };
        let Ok(last) = usize::try_from(last) else { break };
        let Some(place) = rest[..=last.min(rest.len() - 1)].iter().rposition(|letter| *letter == ' ') else { break };
        lines.push(rest[..place].iter().collect());
        rest.drain(..=place);
    }
    lines.push(rest.iter().collect());
    lines.join("\n")
}

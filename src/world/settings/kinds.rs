//! The conversion of a setting's text to its value, by the kind of the setting. Pure, except that relative paths start at the
//! current folder.

use std::path::Path;

use pantin_base::inspect::push_quoted;
use pantin_values::Value;

use super::table::{SettingDeclaration, SettingKind};
use crate::expand_path;

/// `Err`: the real one's text.
pub(super) fn typed(declared: &SettingDeclaration, name: &str, value: Value) -> Result<Value, String> {
    match declared.kind {
        SettingKind::Text | SettingKind::AliasOf(_) => Ok(value),
        SettingKind::File => Ok(match value.as_str() {
            Some(path) if path != ":memory:" => Value::from(expand_path(path)),
            _ => value,
        }),
        SettingKind::Path => Ok(match value.as_str() {
            Some(path) => Value::from(divided(path, ":").map(expand_path).collect::<Vec<_>>().join(":")),
            None => value,
        }),
        SettingKind::Boolean => boolean(name, value),
        SettingKind::Integer => integer(name, &value).map(Value::Integer),
        SettingKind::Port => port(name, &value),
        SettingKind::Terminus => terminus(value),
        SettingKind::Duration => duration(name, value),
        SettingKind::TimeToLive => time_to_live(name, value),
        SettingKind::List => list(value),
        SettingKind::OneOf(allowed) => one_of(name, allowed, value),
        SettingKind::Priority => priority(name, value),
        SettingKind::Autosign => autosign(value),
        SettingKind::Servers => parts("Expected an Array of String", value),
        SettingKind::Headers => parts("Expected an Array or String", value),
        SettingKind::Revocation => revocation(value),
    }
}

/// As Ruby's `split` divides: nothing at the end is no part.
pub(crate) fn divided<'t>(text: &'t str, divider: &'static str) -> impl Iterator<Item = &'t str> {
    let kept = text.trim_end_matches(divider);
    kept.split(divider).filter(move |_| !kept.is_empty())
}

/// As Ruby's `inspect`.
fn shown(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::String(text) => {
            let mut quoted = String::new();
            push_quoted(&mut quoted, text);
            quoted
        }
        _ => String::new(),
    }
}

/// As Ruby's `to_s`.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        other => shown(other),
    }
}

fn boolean(name: &str, value: Value) -> Result<Value, String> {
    match value.as_str() {
        Some("true") => Ok(Value::Boolean(true)),
        Some("false") => Ok(Value::Boolean(false)),
        None if matches!(value, Value::Boolean(_)) => Ok(value),
        _ => Err(format!("Invalid value '{}' for boolean parameter: {name}", shown(&value))),
    }
}

fn integer(name: &str, value: &Value) -> Result<i64, String> {
    let number = match value {
        Value::Integer(number) => Some(*number),
        Value::String(text) => ruby_integer(text),
        _ => None,
    };
    number.ok_or_else(|| format!("Cannot convert '{}' to an integer for parameter: {name}", shown(value)))
}

/// Returns what Ruby's `Integer("…")` takes: a sign, a prefix that tells the radix, single underscores between digits.
fn ruby_integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', b'o', ..] => (8, &lower[2..]),
        [b'0', _, ..] => (8, lower[1..].strip_prefix('_').unwrap_or(&lower[1..])),
        _ => (10, &lower[..]),
    };
    if digits.starts_with(['_', '+', '-']) || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    i64::from_str_radix(&format!("{sign}{}", digits.replace('_', "")), radix).ok()
}

fn port(name: &str, value: &Value) -> Result<Value, String> {
    let number = integer(name, value)?;
    if !(0..=65_535).contains(&number) {
        return Err(format!("Value '{number}' is not a valid port number for parameter: {name}"));
    }
    Ok(Value::Integer(number))
}

fn terminus(value: Value) -> Result<Value, String> {
    match &value {
        Value::Undef => Ok(value),
        Value::String(text) if text.is_empty() => Ok(Value::Undef),
        Value::String(_) => Ok(value),
        _ => Err(format!("Invalid terminus setting: {}", plain(&value))),
    }
}

/// `3m`, `2h`, `10`: seconds.
fn seconds(text: &str) -> Option<i64> {
    let (digits, unit) = match text.as_bytes().last()? {
        b'y' => (&text[..text.len() - 1], 365 * 24 * 60 * 60),
        b'd' => (&text[..text.len() - 1], 24 * 60 * 60),
        b'h' => (&text[..text.len() - 1], 60 * 60),
        b'm' => (&text[..text.len() - 1], 60),
        b's' => (&text[..text.len() - 1], 1),
        _ => (text, 1),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse::<i64>().ok()?.checked_mul(unit) } else { None }
}

fn duration(name: &str, value: Value) -> Result<Value, String> {
    if matches!(value, Value::Integer(_) | Value::Undef) {
        return Ok(value);
    }
    let seconds = value.as_str().and_then(seconds);
    let wrong = || format!("Invalid duration format '{}' for parameter: {name}", shown(&value));
    seconds.map(Value::Integer).ok_or_else(wrong)
}

/// `unlimited` is infinite.
pub(crate) fn time_to_live(name: &str, value: Value) -> Result<Value, String> {
    match &value {
        Value::Integer(number) if *number < 0 => {
            Err(format!("Invalid negative 'time to live' {number} - did you mean 'unlimited'?"))
        }
        Value::Integer(_) | Value::Float(_) => Ok(value),
        Value::String(text) if text == "unlimited" => Ok(Value::Float(f64::INFINITY)),
        Value::String(text) if seconds(text).is_some() => Ok(Value::Integer(seconds(text).unwrap_or_default())),
        _ => Err(format!("Invalid 'time to live' format '{}' for parameter: {name}", shown(&value))),
    }
}

fn list(value: Value) -> Result<Value, String> {
    match &value {
        Value::String(text) => {
            let mut parts: Vec<Value> = text.split(',').map(str::trim).map(Value::from).collect();
            while parts.last().is_some_and(|last| last.as_str() == Some("")) {
                parts.pop();
            }
            Ok(Value::array(parts))
        }
        Value::Array(_) => Ok(value),
        _ => Err(format!("Expected an Array or String, got a {}", class(&value))),
    }
}

/// Returns a list whose elements are divided by colons.
fn parts(expected: &str, value: Value) -> Result<Value, String> {
    let Value::Array(items) = list(value)? else { return Ok(Value::Undef) };
    let items = items.iter().map(|item| match item {
        Value::String(text) => Ok(Value::array(divided(text, ":").map(Value::from))),
        Value::Array(_) => Ok(item.clone()),
        _ => Err(format!("{expected}, got a {}", class(item))),
    });
    Ok(Value::array(items.collect::<Result<Vec<_>, _>>()?))
}

fn class(value: &Value) -> &'static str {
    match value {
        Value::Undef => "NilClass",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::Array(_) => "Array",
        _ => "String",
    }
}

pub(super) fn one_of(name: &str, allowed: &[&str], value: Value) -> Result<Value, String> {
    if value.as_str().is_some_and(|text| allowed.contains(&text)) {
        return Ok(value);
    }
    let allowed = allowed.join("', '");
    Err(format!("Invalid value '{}' for parameter {name}. Allowed values are '{allowed}'", plain(&value)))
}

fn priority(name: &str, value: Value) -> Result<Value, String> {
    let Some(text) = value.as_str() else { return Ok(value) };
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        let length = text.trim_start_matches('-').bytes().take_while(u8::is_ascii_digit).count();
        let sign = usize::from(text.starts_with('-'));
        return Ok(Value::Integer(text[..sign + length].parse().unwrap_or_default()));
    }
    match text {
        "high" => Ok(Value::Integer(-10)),
        "normal" => Ok(Value::Integer(0)),
        "low" => Ok(Value::Integer(10)),
        "idle" => Ok(Value::Integer(19)),
        _ => Err(format!("Invalid priority format '{}' for parameter: {name}", shown(&value))),
    }
}

fn autosign(value: Value) -> Result<Value, String> {
    match &value {
        Value::Undef => Ok(Value::Boolean(false)),
        Value::Boolean(_) => Ok(value),
        Value::String(text) if text == "true" || text == "false" => Ok(Value::Boolean(text == "true")),
        Value::String(text) if Path::new(text.as_str()).is_absolute() => Ok(value),
        _ => Err(format!("Invalid autosign value {}: must be 'true'/'false' or an absolute path", plain(&value))),
    }
}

fn revocation(value: Value) -> Result<Value, String> {
    match (value.as_str(), &value) {
        (Some("chain" | "true"), _) | (_, Value::Boolean(true)) => Ok(Value::from("chain")),
        (Some("leaf"), _) => Ok(value),
        (Some("false"), _) | (_, Value::Boolean(false) | Value::Undef) => Ok(Value::Boolean(false)),
        _ => Err(format!(
            "Invalid certificate revocation value {}: must be one of 'true', 'chain', 'leaf', or 'false'",
            plain(&value)
        )),
    }
}

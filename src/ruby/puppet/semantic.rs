//! Versions and ranges of versions, as the library `semantic_puppet` has them. A version is a number there, of which it has
//! little; here it is none, so that nobody reckons with it by mistake.

use std::sync::Arc;

use pantin_values::scalar::ScalarError;
use pantin_values::{SemVer, SemVerRange};

use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: [Table; 4] = [
    (Core::PuppetVersion, Side::Class, MAKE),
    (Core::PuppetVersion, Side::Instance, VERSION),
    (Core::PuppetVersionRange, Side::Class, MAKE_RANGE),
    (Core::PuppetVersionRange, Side::Instance, RANGE),
];

const MAKE: &[NativeMethod] = &[
    method("new", 3, 5, made_of_parts),
    method("parse", 1, 1, |interp, given| {
        let text = text(interp, given.arg(0), "match")?;
        match SemVer::parse(&text) {
            Ok(version) => Ok(foreign(version)),
            Err(error) => refused(interp, error, Core::PuppetVersionFailure),
        }
    }),
    method("valid?", 1, 1, |interp, given| {
        let text = text(interp, given.arg(0), "match")?;
        match SemVer::parse(&text) {
            Ok(_) => Ok(true.into()),
            Err(ScalarError::Limit(limit)) => interp.fatal(limit),
            Err(_) => Ok(false.into()),
        }
    }),
];

const VERSION: &[NativeMethod] = &[
    method("major", 0, 0, |interp, given| {
        let version = own(interp, given.receiver)?;
        Ok(if version.is_infinite() { Value::Float(f64::INFINITY) } else { number(version.major) })
    }),
    method("minor", 0, 0, |interp, given| Ok(number(own(interp, given.receiver)?.minor))),
    method("patch", 0, 0, |interp, given| Ok(number(own(interp, given.receiver)?.patch))),
    method("prerelease", 0, 0, |interp, given| {
        Ok(own(interp, given.receiver)?.prerelease().map_or(Value::Nil, Value::text))
    }),
    method("build", 0, 0, |interp, given| Ok(own(interp, given.receiver)?.build().map_or(Value::Nil, Value::text))),
    method("stable?", 0, 0, |interp, given| Ok(own(interp, given.receiver)?.is_stable().into())),
    method("to_stable", 0, 0, |interp, given| Ok(foreign(own(interp, given.receiver)?.to_stable()))),
    method("next", 1, 1, next),
    method("to_s", 0, 0, shown),
    method("inspect", 0, 0, shown),
    method("<=>", 1, 1, |interp, given| {
        let own = own(interp, given.receiver)?;
        Ok(version(given.arg(0)).map_or(Value::Nil, |other| Value::Int(own.compare(other) as i64)))
    }),
];

const MAKE_RANGE: &[NativeMethod] = &[
    method("new", 2, 3, |interp, given| match (version(given.arg(0)), version(given.arg(1))) {
        (Some(least), Some(most)) => {
            let range = SemVerRange::between(Some(least.clone()), Some(most.clone()), given.arg(2).is_truthy());
            made_range(interp, range)
        }
        _ => interp.unsupported("a SemanticPuppet::VersionRange of what is no version"),
    }),
    method("parse", 1, 1, |interp, given| {
        let text = text(interp, given.arg(0), "gsub")?;
        made_range(interp, SemVerRange::parse(&text))
    }),
];

const RANGE: &[NativeMethod] = &[
    method("include?", 1, 1, includes),
    method("member?", 1, 1, includes),
    method("cover?", 1, 1, includes),
    method("===", 1, 1, includes),
    method("begin", 0, 0, |interp, given| Ok(own_range(interp, given)?.begin().map_or(Value::Nil, foreign))),
    method("end", 0, 0, |interp, given| Ok(own_range(interp, given)?.end().map_or(Value::Nil, foreign))),
    method("exclude_begin?", 0, 0, |interp, given| {
        Ok(own_range(interp, given)?.excludes_begin().map_or(Value::Nil, Value::Bool))
    }),
    method("exclude_end?", 0, 0, |interp, given| {
        Ok(own_range(interp, given)?.excludes_end().map_or(Value::Nil, Value::Bool))
    }),
    method("intersection", 1, 1, intersection),
    method("&", 1, 1, intersection),
    method("to_s", 0, 0, shown),
    method("inspect", 0, 0, |interp, given| Ok(Value::text(own_range(interp, given)?.canonical()))),
];

/// One of a version may be larger than those of Puppet.
fn number(number: u64) -> Value {
    Value::big(number.into())
}

fn foreign(version: SemVer) -> Value {
    Value::Foreign(std::rc::Rc::new(pantin_values::Value::SemVer(Arc::new(version))))
}

fn version(value: &Value) -> Option<&SemVer> {
    match value {
        Value::Foreign(value) => match &**value {
            pantin_values::Value::SemVer(version) => Some(version),
            _ => None,
        },
        _ => None,
    }
}

fn range(value: &Value) -> Option<&SemVerRange> {
    match value {
        Value::Foreign(value) => match &**value {
            pantin_values::Value::SemVerRange(range) => Some(range),
            _ => None,
        },
        _ => None,
    }
}

/// Classes of modules may be derived from these; their objects are no versions.
fn own<'g>(interp: &mut Interp<'_>, value: &'g Value) -> Flow<&'g SemVer> {
    version(value).map_or_else(|| interp.unsupported("a class derived from SemanticPuppet::Version"), Ok)
}

fn own_range<'g>(interp: &mut Interp<'_>, given: &CallArguments<'g>) -> Flow<&'g SemVerRange> {
    range(given.receiver).map_or_else(|| interp.unsupported("a class derived from SemanticPuppet::VersionRange"), Ok)
}

/// What is no text lacks the method that the library calls first.
fn text(interp: &mut Interp<'_>, value: &Value, first: &str) -> Flow<String> {
    if !matches!(value, Value::String(_)) {
        interp.send(value, first, &[Value::text(""), Value::text("")])?;
        return interp.unsupported("a version read from what is no text");
    }
    interp.text_arg(value)
}

/// Some errors of the library are slips of its own, of other classes than it means.
fn refused(interp: &mut Interp<'_>, error: ScalarError, meant: Core) -> Flow {
    let message = match error {
        ScalarError::Argument(message) => message,
        other => return interp.fatal(other.to_string()),
    };
    let class = match &*message {
        slip if slip.starts_with("undefined method") => Core::NoMethodError,
        slip if slip.starts_with("undefined local variable") => Core::NameError,
        // It says so wherever it reads one.
        zeroes if zeroes.starts_with("Numeric pre-release") => Core::PuppetVersionFailure,
        _ => meant,
    };
    interp.raise(class, message)
}

fn made_range(interp: &mut Interp<'_>, range: Result<SemVerRange, ScalarError>) -> Flow {
    match range {
        Ok(range) => Ok(Value::Foreign(std::rc::Rc::new(pantin_values::Value::SemVerRange(Arc::new(range))))),
        Err(error) => refused(interp, error, Core::ArgumentError),
    }
}

/// `Version.new(1, 2, 3, ['rc', 1], ['build'])`, which looks at nothing. What could not be read has no place here.
fn made_of_parts(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut written = String::new();
    for (place, number) in given.args.iter().take(3).enumerate() {
        let Value::Int(number @ 0..) = number else {
            return interp.unsupported("a SemanticPuppet::Version with a part that is no number");
        };
        written.push_str(if place == 0 { "" } else { "." });
        written.push_str(&number.to_string());
    }
    for (mark, parts) in [("-", given.arg(3)), ("+", given.arg(4))] {
        if !parts.is_nil() {
            written.push_str(mark);
            written.push_str(&identifiers(interp, parts, mark == "-")?);
        }
    }
    match SemVer::parse(&written) {
        Ok(version) => Ok(foreign(version)),
        Err(_) => interp.unsupported(format!("a SemanticPuppet::Version of {written}")),
    }
}

fn identifiers(interp: &mut Interp<'_>, parts: &Value, may_be_numbers: bool) -> Flow<String> {
    let mut written = Vec::new();
    if let Value::Array(_) = parts {
        for part in interp.items(parts)? {
            match part {
                Value::Int(number @ 0..) if may_be_numbers => written.push(number.to_string()),
                Value::String(_) => {
                    let text = interp.text_arg(&part)?;
                    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
                    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
                    if !is_plain || may_be_numbers && is_number {
                        return interp.unsupported("a SemanticPuppet::Version with such an identifier");
                    }
                    written.push(text);
                }
                _ => return interp.unsupported("a SemanticPuppet::Version with such an identifier"),
            }
        }
    }
    if written.is_empty() {
        return interp.unsupported("a SemanticPuppet::Version whose identifiers are no list of texts");
    }
    Ok(written.join("."))
}

/// The one after it that is no pre-release.
fn next(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given.receiver)?;
    let Value::Symbol(part) = given.arg(0) else { return Ok(Value::Nil) };
    let [major, minor, patch] = match part.as_str() {
        _ if own.is_infinite() => return interp.unsupported("what comes after the last of all versions"),
        "major" => [own.major + 1, 0, 0],
        "minor" => [own.major, own.minor + 1, 0],
        "patch" => [own.major, own.minor, own.patch + 1],
        _ => return Ok(Value::Nil),
    };
    Ok(foreign(SemVer::from_parts(major, minor, patch, None, None)))
}

fn shown(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(Value::text(match given.receiver {
        Value::Foreign(value) => border::foreign_text(value),
        _ => String::new(),
    }))
}

fn includes(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own_range(interp, given)?;
    match version(given.arg(0)) {
        Some(version) => Ok(own.includes(version).into()),
        None => interp.unsupported("to look in a range of versions for what is no version"),
    }
}

fn intersection(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own_range(interp, given)?;
    match range(given.arg(0)) {
        Some(other) => made_range(interp, own.intersection(other)),
        None => interp.raise(Core::ArgumentError, "value must be a SemanticPuppet::VersionRange"),
    }
}

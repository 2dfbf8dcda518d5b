//! Functions that write and read texts: `sprintf`, `scanf`, `strftime`; versions; words for a shell.

use std::cmp::Ordering;

use pantin_base::scanf::ScannedValue;
use pantin_base::{scanf, version_order};
use pantin_model::trace::{Answer, Question};
use pantin_values::scalar::{ScalarError, TimeZone};
use pantin_values::{Fault, Resolve, Timestamp, Type, Value, sprintf};

use super::older::{at_least, check_at_least, flattened, no_method, text};
use crate::{Builtin, Flow, Invocation, optional, optional_block, overload, repeated, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::untyped(
        "sprintf",
        &[overload(&[repeated("Any", "args")], None, formatted)],
        "A format with the values put in their places.",
    ),
    Builtin::typed(
        "scanf",
        &[overload(&[required("String", "data"), required("String", "format")], optional_block("Callable"), scan)],
        "The numbers and words that a format finds in a text.",
    ),
    Builtin::typed(
        "strftime",
        &[
            overload(&[required("Timespan", "time_object"), required("String", "format")], None, format_timespan),
            overload(
                &[required("Timestamp", "time_object"), required("String", "format"), optional("String", "timezone")],
                None,
                format_timestamp,
            ),
            overload(&[required("String", "format"), optional("String", "timezone")], None, format_now),
        ],
        "A time or a span of time, written as a format says.",
    ),
    Builtin::typed(
        "versioncmp",
        &[overload(
            &[required("String", "a"), required("String", "b"), optional("Boolean", "ignore_trailing_zeroes")],
            None,
            versioncmp,
        )],
        "-1, 0 or 1: how two versions compare.",
    ),
    Builtin::untyped(
        "shellquote",
        &[overload(&[repeated("Any", "args")], None, shellquote)],
        "The words quoted for a shell, with blanks between them.",
    ),
];

fn formatted(call: &mut Invocation<'_, '_>) -> Flow {
    check_at_least(call, 1)?;
    Ok(sprintf::sprintf(call.args())?.into())
}

fn scan(call: &mut Invocation<'_, '_>) -> Flow {
    let (data, format) = (call.take(0), call.take(1));
    let scanned = scanf::scan(data.as_str().unwrap_or_default(), format.as_str().unwrap_or_default());
    let scanned = scanned.map_err(|error| Fault::new(error.to_string()))?;
    let values = Value::array(scanned.into_iter().map(|scanned| match scanned {
        ScannedValue::Integer(number) => Value::Integer(number),
        ScannedValue::Float(number) => Value::Float(number),
        ScannedValue::Text(text) => text.into(),
    }));
    if call.has_block() { call.yield_values([values]) } else { Ok(values) }
}

// ---- times ----

fn format_timespan(call: &mut Invocation<'_, '_>) -> Flow {
    let (span, format) = (call.take(0), call.take(1));
    match span {
        Value::Timespan(span) => written(span.format(format.as_str().unwrap_or_default())),
        other => Ok(other),
    }
}

fn format_timestamp(call: &mut Invocation<'_, '_>) -> Flow {
    let (time, format, zone) = (call.take(0), call.take(1), call.take(2));
    match time {
        Value::Timestamp(time) => format_time(call, time, &format, &zone),
        other => Ok(other),
    }
}

fn format_now(call: &mut Invocation<'_, '_>) -> Flow {
    let message = "The argument signature (String format, [String timezone]) is deprecated for #strftime. See \
                   #strftime documentation and Timespan type for more info";
    call.deprecated("legacy#strftime", message, true)?;
    let (format, zone) = (call.take(0), call.take(1));
    match call.ask(&Question::Now) {
        Answer::Value(Value::Timestamp(now)) => format_time(call, now, &format, &zone),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Err(call.fault("There is no clock here to tell the time")),
    }
}

fn format_time(call: &mut Invocation<'_, '_>, time: Timestamp, format: &Value, zone: &Value) -> Flow {
    let local_offset = call.resolver().local_offset();
    let zone = TimeZone { name: zone.as_str(), local_offset };
    written(time.format(format.as_str().unwrap_or_default(), zone))
}

fn written(text: Result<String, ScalarError>) -> Flow {
    Ok(text.map_err(|error| Fault::new(error.to_string()))?.into())
}

// ---- versions ----

fn versioncmp(call: &mut Invocation<'_, '_>) -> Flow {
    let (left, right) = (call.take(0), call.take(1));
    let (left, right) = (left.as_str().unwrap_or_default(), right.as_str().unwrap_or_default());
    let order = if call.arg(2).is_truthy() {
        let order = version_order::compare_ignoring_trailing_zeroes(left, right);
        // What is not there after all that ends a version is cut off cannot be compared.
        order.ok_or_else(|| no_method("sub", &Value::Undef))?
    } else {
        version_order::compare(left, right)
    };
    Ok(Value::Integer(match order {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

// ---- words for a shell ----

fn shellquote(call: &mut Invocation<'_, '_>) -> Flow {
    let mut line = String::new();
    for (index, word) in flattened(&at_least(call, 0)?).iter().enumerate() {
        if index > 0 {
            line.push(' ');
        }
        let word = match word {
            // Of these Ruby knows a length, but makes no text.
            Value::String(_) | Value::Hash(_) | Value::Resource(_) => text(word)?,
            Value::Type(Type::Resource(_) | Type::Class(_)) => text(word)?,
            other => return Err(no_method("length", other).into()),
        };
        push_quoted(&mut line, word)?;
    }
    Ok(line.into())
}

fn push_quoted(line: &mut String, word: &str) -> Result<(), Fault> {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"@%_+=:,./-".contains(&byte);
    let is_dangerous = |character: char| "!\"`$\\".contains(character);
    if !word.is_empty() && word.bytes().all(is_safe) {
        line.push_str(word);
    } else if !word.contains(is_dangerous) {
        line.extend(["\"", word, "\""]);
    } else if !word.contains('\'') {
        line.extend(["'", word, "'"]);
    } else if !word.is_ascii() {
        // Ruby goes by bytes here, and what comes of it is a text to its log and a `Binary` to a catalog.
        return Err(Fault::new(format!(
            "The quoted form of {} would be bytes, and no text, in a catalog; let the word have no single quote, or none \
             but ASCII letters",
            sprintf::inspect(&Value::from(word))
        )));
    } else {
        line.push('"');
        for character in word.chars() {
            if is_dangerous(character) {
                line.push('\\');
            }
            line.push(character);
        }
        line.push('"');
    }
    Ok(())
}

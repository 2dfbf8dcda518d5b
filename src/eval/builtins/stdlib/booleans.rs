//! Functions that make truth values of other values, and the reverse.

use pantin_values::Value;
use pantin_values::sprintf::float_of as float;

use super::ruby::{Result, fail, older};
use crate::Builtin;

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("any2bool", any2bool, "Whether a value means true: by its text, by its number, or that it is there."),
    older!("bool2num", bool2num, "One for true, nought for false."),
    older!("bool2str", bool2str, "`true` and `false` as texts, or as the two texts that are given."),
    older!("num2bool", num2bool, "Whether a number is greater than nought."),
    older!("str2bool", str2bool, "Whether a text says yes: `1`, `t`, `y`, `true`, `yes`."),
];

fn none_given<T>(name: &str) -> Result<T> {
    fail(format!("{name}(): Wrong number of arguments given (0 for 1)"))
}

fn any2bool(args: Vec<Value>) -> Result {
    let Some(value) = args.into_iter().next() else { return none_given("any2bool") };
    match &value {
        Value::Boolean(_) => Ok(value),
        Value::Undef => Ok(false.into()),
        Value::Integer(_) | Value::Float(_) => num2bool(vec![value]),
        Value::String(_) if float(&value).is_ok() => num2bool(vec![value]),
        Value::String(_) => str2bool(vec![value]),
        _ => Ok(true.into()),
    }
}

fn bool2num(args: Vec<Value>) -> Result {
    let Some(value) = args.into_iter().next() else { return none_given("bool2num") };
    Ok(Value::Integer(str2bool(vec![value])?.is_truthy().into()))
}

fn bool2str(args: Vec<Value>) -> Result {
    if !matches!(args.len(), 1 | 3) {
        return fail(format!("bool2str(): Wrong number of arguments given ({} for 3)", args.len()));
    }
    let text = |index: usize, default: &str| match args.get(index) {
        None | Some(Value::Undef | Value::Boolean(false)) => default.into(),
        Some(other) => other.clone(),
    };
    let (yes, no) = (text(1, "true"), text(2, "false"));
    let Value::Boolean(truth) = args[0] else { return fail("bool2str(): Requires a boolean to work with") };
    if yes.as_str().is_none() || no.as_str().is_none() {
        return fail("bool2str(): Requires strings to convert to");
    }
    Ok(if truth { yes } else { no })
}

fn num2bool(args: Vec<Value>) -> Result {
    let [number] = args.as_slice() else {
        return fail(format!("num2bool(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    let is_positive = match number {
        Value::Integer(number) => *number > 0,
        Value::Float(number) => whole_is_positive(*number)?,
        Value::String(text) => match float(number) {
            Ok(number) => whole_is_positive(number)?,
            Err(fault) => {
                return fail(format!("num2bool(): '{text}' does not look like a number: {}", fault.message));
            }
        },
        // Its text is taken, of which only the digits at the start count.
        other => super::ruby::to_i(&super::ruby::text_of(other).into())? > 0,
    };
    Ok(is_positive.into())
}

fn whole_is_positive(number: f64) -> Result<bool> {
    if !number.is_finite() {
        return fail(pantin_base::number::float_text(number));
    }
    Ok(number >= 1.0)
}

pub(super) fn str2bool(args: Vec<Value>) -> Result {
    let Some(value) = args.into_iter().next() else { return none_given("str2bool") };
    let text = match &value {
        Value::Boolean(_) => return Ok(value),
        Value::String(text) => text,
        _ => return fail("str2bool(): Requires string to work with"),
    };
    // Any line of the text counts, and an empty one says no; a line break at the end begins none.
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.len() > 1 && lines.last() == Some(&"") {
        lines.pop();
    }
    let says = |words: &[&str]| lines.iter().any(|line| words.iter().any(|word| line.eq_ignore_ascii_case(word)));
    if says(&[""]) {
        Ok(false.into())
    } else if says(&["1", "t", "y", "true", "yes"]) {
        Ok(true.into())
    } else if says(&["0", "f", "n", "false", "no"]) || lines.iter().any(|line| matches!(*line, "undef" | "undefined")) {
        Ok(false.into())
    } else {
        fail("str2bool(): Unknown type of boolean given")
    }
}

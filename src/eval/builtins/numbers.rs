//! Functions on single numbers.

use pantin_values::{Fault, Value};

use crate::{Builtin, Flow, Invocation, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "abs",
        &[
            overload(&[required("Numeric", "val")], None, abs),
            overload(&[required("String", "val")], None, abs_of_text),
        ],
        "The number without its sign.",
    ),
    Builtin::typed(
        "ceiling",
        &[
            overload(&[required("Numeric", "val")], None, |call| rounded(&call.take(0), f64::ceil)),
            overload(&[required("String", "val")], None, |call| rounded_text(call, f64::ceil)),
        ],
        "The smallest whole number that is not less.",
    ),
    Builtin::typed(
        "floor",
        &[
            overload(&[required("Numeric", "val")], None, |call| rounded(&call.take(0), f64::floor)),
            overload(&[required("String", "val")], None, |call| rounded_text(call, f64::floor)),
        ],
        "The largest whole number that is not more.",
    ),
    Builtin::typed(
        "round",
        &[overload(&[required("Numeric", "val")], None, round)],
        "The nearest whole number; a half goes away from zero.",
    ),
];

fn too_large(shown: &str) -> Fault {
    Fault::new(format!("The number {shown} is outside of Puppet Integer range"))
}

fn abs(call: &mut Invocation<'_, '_>) -> Flow {
    match call.take(0) {
        Value::Integer(number) => match number.checked_abs() {
            Some(number) => Ok(Value::Integer(number)),
            None => Err(too_large("9223372036854775808").into()),
        },
        Value::Float(number) => Ok(Value::Float(number.abs())),
        other => Ok(other),
    }
}

fn abs_of_text(call: &mut Invocation<'_, '_>) -> Flow {
    let message = "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input \
                   before calling";
    call.deprecated("abs_function_numeric_coerce_string", message, false)?;
    let value = call.take(0);
    let text = value.as_str().unwrap_or_default();
    // A line of the text has to be a number; the number itself is then read from the start of the text.
    let shapes = || text.strip_suffix('\n').unwrap_or(text).split('\n').map(shape);
    if shapes().any(|shape| shape == Some(Shape::Float)) {
        let digits = leading_number(text, true).parse::<f64>().unwrap_or_default();
        return Ok(Value::Float(digits.abs()));
    }
    if shapes().any(|shape| shape == Some(Shape::Integer)) {
        let digits = leading_number(text, false);
        return match digits.trim_start_matches('-') {
            "" => Ok(Value::Integer(0)),
            digits => digits.parse().map(Value::Integer).map_err(|_| too_large(digits).into()),
        };
    }
    Err(call.fault("abs(): Requires float or integer to work with - was given non decimal string"))
}

#[derive(PartialEq)]
enum Shape {
    Integer,
    Float,
}

/// Whether a line is `-1` or `-1.5` and nothing else.
fn shape(line: &str) -> Option<Shape> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = line.strip_prefix('-').unwrap_or(line);
    match digits.split_once('.') {
        Some((whole, fraction)) if is_digits(whole) && is_digits(fraction) => Some(Shape::Float),
        None if is_digits(digits) => Some(Shape::Integer),
        _ => None,
    }
}

/// Returns the number that a text starts with, blanks aside.
fn leading_number(text: &str, with_fraction: bool) -> &str {
    let text = text.trim_start_matches(|character| matches!(character, ' ' | '\t'..='\r'));
    let mut seen_point = false;
    let end = text.char_indices().find(|&(index, character)| {
        let is_point = character == '.' && with_fraction && !seen_point;
        seen_point |= is_point;
        !(character.is_ascii_digit() || is_point || (character == '-' && index == 0))
    });
    end.map_or(text, |(end, _)| &text[..end])
}

fn rounded(value: &Value, round: fn(f64) -> f64) -> Flow {
    match value {
        Value::Float(number) => whole(round(*number)),
        other => Ok(other.clone()),
    }
}

fn rounded_text(call: &mut Invocation<'_, '_>, round: fn(f64) -> f64) -> Flow {
    let name = call.name();
    let message = format!(
        "The {name}() function's auto conversion of String to Float is deprecated - change to convert input before \
         calling"
    );
    call.deprecated(&format!("{name}_function_numeric_coerce_string"), message, false)?;
    let value = call.take(0);
    match pantin_values::sprintf::float_of(&value) {
        Ok(number) => whole(round(number)),
        Err(_) => Err(call.fault(format!("{name}(): cannot convert given value to a floating point value."))),
    }
}

fn round(call: &mut Invocation<'_, '_>) -> Flow {
    match call.take(0) {
        Value::Integer(number) => {
            // Ruby adds a half to whole numbers too, as floats, which the largest do not survive.
            let exact = number.unsigned_abs() < 1 << 52;
            let half = if number > 0 { 0.5 } else { -0.5 };
            if exact { Ok(Value::Integer(number)) } else { whole((number as f64 + half).trunc()) }
        }
        Value::Float(number) => whole((number + if number > 0.0 { 0.5 } else { -0.5 }).trunc()),
        other => Ok(other),
    }
}

/// A float without fraction as an integer.
fn whole(number: f64) -> Flow {
    if number.is_nan() {
        return Err(Fault::new("NaN").into());
    }
    if number.is_infinite() {
        return Err(Fault::new(if number > 0.0 { "Infinity" } else { "-Infinity" }).into());
    }
    // The range of integers ends just below two to the 63rd.
    if !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number) {
        return Err(too_large(&format!("{number:.0}")).into());
    }
    Ok(Value::Integer(number as i64))
}

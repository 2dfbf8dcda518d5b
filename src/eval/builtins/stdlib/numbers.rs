//! Functions on numbers, and those that count from one to another.

use pantin_values::Value;
use pantin_values::sprintf::{inspect, integer_of};

use super::ruby::{Result, check_arity, fail, fits, leading_float, older, text_of, to_i, truncated};
use crate::Builtin;
use crate::builtins::older::{flattened, no_method};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("clamp", clamp, "The middle one of three numbers."),
    older!("convert_base", convert_base, "A number written in another base."),
    older!("range", range, "The numbers, or texts, from one to another."),
    older!("to_bytes", to_bytes, "How many bytes `4 kB` and the like are."),
];

/// Ruby's `Integer()`.
pub(super) fn integer(value: &Value) -> Result<i64> {
    integer_of(value)
}

fn clamp(args: Vec<Value>) -> Result {
    check_arity("clamp", &args, -2)?;
    let flat = flattened(&args);
    if flat.len() != 3 {
        return fail("clamp(): Wrong number of arguments, need three to clamp");
    }
    for value in &flat {
        match value {
            Value::String(text) if !fits(text, r"^\d+$")? => {
                return fail(format!("clamp(): Required explicit numeric ({text}:String)"));
            }
            Value::Hash(_) => return fail(format!("clamp(): The Hash type is not allowed ({})", inspect(value))),
            _ => {}
        }
    }
    let mut numbers = flat.iter().map(to_i).collect::<Result<Vec<i64>>>()?;
    numbers.sort_unstable();
    Ok(Value::Integer(numbers[1]))
}

fn convert_base(args: Vec<Value>) -> Result {
    check_arity("convert_base", &args, 2)?;
    for (value, which) in args.iter().zip(["First", "Second"]) {
        if !matches!(value, Value::Integer(_) | Value::String(_)) {
            return fail(format!("convert_base(): {which} argument must be either a string or an integer"));
        }
    }
    for value in &args {
        if let Value::String(text) = value
            && !fits(text, "^[0-9]+$")?
        {
            return fail(
                "convert_base(): First argument must be an integer or a string corresponding to an integer in base 10",
            );
        }
    }
    let (number, base) = (to_i(&args[0])?, to_i(&args[1])?);
    if !(2..=36).contains(&base) {
        return fail("convert_base(): base must be at least 2 and must not be greater than 36");
    }
    Ok(in_base(number, base as u64).into())
}

fn in_base(number: i64, base: u64) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit((rest % base) as u32, base as u32));
        rest /= base;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

fn to_bytes(args: Vec<Value>) -> Result {
    let [size] = args.as_slice() else {
        return fail(format!("to_bytes(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    let text = match size {
        Value::Integer(_) | Value::Float(_) => return Ok(size.clone()),
        Value::String(text) => text.as_str(),
        other => {
            return fail(format!("no implicit conversion of {} into String", pantin_values::unconvertible(other)));
        }
    };
    let end = text.find(|sign: char| !sign.is_ascii_digit() && !".e+-".contains(sign)).unwrap_or(text.len());
    let unit = text[end..].trim_start_matches(|space| matches!(space, ' ' | '\t'..='\r')).chars().next();
    let power = match unit {
        None | Some('b' | 'B') => 0,
        Some('k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some('E') => 60,
        Some(other) => return fail(format!("to_bytes(): Unknown prefix {other}")),
    };
    Ok(Value::Integer(truncated(leading_float(&text[..end]) * (1_i64 << power) as f64)?))
}

// ---- ranges ----

/// The module takes no more than these of a range.
const MOST: usize = 1_000_000;

struct Bounds {
    start: Value,
    stop: Value,
    excludes_stop: bool,
    step: usize,
}

fn range(args: Vec<Value>) -> Result {
    let bounds = match args.as_slice() {
        [] => return fail("range(): Wrong number of arguments given (0 for 1)"),
        [written] => written_bounds(written)?,
        [start, stop, more @ ..] => {
            let step = match more.first() {
                None | Some(Value::Undef) => 1,
                Some(step) => to_i(step)?.unsigned_abs() as usize,
            };
            if step == 0 {
                return fail("range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)");
            }
            Bounds { start: start.clone(), stop: stop.clone(), excludes_stop: false, step }
        }
    };
    let Bounds { start, stop, excludes_stop, step } = bounds;
    if fits(&text_of(&start), r"^\d+$")? {
        let (start, stop) = (to_i(&start)?, to_i(&stop)?);
        let numbers = start..stop.saturating_add(i64::from(!excludes_stop));
        return Ok(Value::array(numbers.step_by(step).take(MOST).map(Value::Integer)));
    }
    let texts = super::successors::upto(&text_of(&start), &text_of(&stop), excludes_stop);
    Ok(Value::array(texts.step_by(step).take(MOST).map(Value::from)))
}

/// `1-3`, `a..c`, `a...c`
fn written_bounds(written: &Value) -> Result<Bounds> {
    let Value::String(text) = written else { return Err(no_method("match", written)) };
    let is_word = |part: &str| {
        !part.is_empty() && part.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    };
    for line in text.split('\n') {
        for (sign, excludes_stop) in [("...", true), ("..", false), ("-", false)] {
            if let Some((start, stop)) = line.split_once(sign).filter(|(start, stop)| is_word(start) && is_word(stop)) {
                return Ok(Bounds { start: start.into(), stop: stop.into(), excludes_stop, step: 1 });
            }
        }
    }
    if fits(text, "^.+$")? {
        return fail(format!("range(): Unable to compute range from the value: {text}"));
    }
    fail(format!("range(): Unknown range format: {text}"))
}

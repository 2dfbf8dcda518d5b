//! Integers of any size, and floats.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use pantin_base::limits;

use super::rational::{Fraction, raise_to_power};
use super::rounding::from_float;
use super::scalar::order_value;
use crate::class::Core;
use crate::interp::{CallArguments, Interp, big_of, compare_numbers, float_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[
    (Core::Numeric, Side::Instance, NUMERIC),
    (Core::Integer, Side::Instance, INTEGER),
    (Core::Float, Side::Instance, FLOAT),
    (Core::Math, Side::Class, MATH),
];

const NUMERIC: &[NativeMethod] = &[
    method("+", 1, 1, |interp, given| arithmetic(interp, given, '+')),
    method("-", 1, 1, |interp, given| arithmetic(interp, given, '-')),
    method("*", 1, 1, |interp, given| arithmetic(interp, given, '*')),
    method("/", 1, 1, |interp, given| arithmetic(interp, given, '/')),
    method("%", 1, 1, remainder),
    method("modulo", 1, 1, remainder),
    method("div", 1, 1, |interp, given| {
        check_divisor(interp, given)?;
        let quotient = arithmetic(interp, given, '/')?;
        interp.send(&quotient, "floor", &[])
    }),
    method("fdiv", 1, 1, |interp, given| {
        if float_of(given.arg(0)).is_none() && !matches!(given.arg(0), Value::Object(_)) {
            return uncoercible(interp, given.arg(0), given.receiver);
        }
        if let (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) = (given.receiver, given.arg(0))
            && let (Some(one), Some(other)) = (big_of(given.receiver), big_of(given.arg(0)))
        {
            return Ok(Value::Float(divided(one, other)));
        }
        let float = Value::Float(float_of(given.receiver).unwrap_or_default());
        interp.send(&float, "/", given.args)
    }),
    method("remainder", 1, 1, |interp, given| {
        let rest = remainder(interp, given)?;
        let differs = is_negative(given.receiver) != is_negative(given.arg(0));
        if differs && float_of(&rest) != Some(0.0) { interp.send(&rest, "-", given.args) } else { Ok(rest) }
    }),
    method("divmod", 1, 1, |interp, given| {
        check_divisor(interp, given)?;
        if let (Value::Float(_), Some(_)) | (_, Some(Value::Float(_))) = (given.receiver, given.args.first())
            && let (Some(one), Some(other)) = (float_of(given.receiver), float_of(given.arg(0)))
        {
            let (quotient, rest) = divided_floats(one, other);
            return Ok(Value::pair(from_float(interp, quotient)?, Value::Float(rest)));
        }
        let quotient = arithmetic(interp, given, '/')?;
        let quotient = interp.send(&quotient, "floor", &[])?;
        Ok(Value::pair(quotient, arithmetic(interp, given, '%')?))
    }),
    method("**", 1, 1, power),
    method("-@", 0, 0, |_, given| Ok(negative(given.receiver))),
    method("+@", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("<=>", 1, 1, order_value),
    method("==", 1, 1, |interp, given| Ok(interp.equal(given.receiver, given.arg(0))?.into())),
    method("===", 1, 1, |interp, given| Ok(interp.equal(given.receiver, given.arg(0))?.into())),
    method("abs", 0, 0, |_, given| Ok(absolute(given.receiver))),
    method("magnitude", 0, 0, |_, given| Ok(absolute(given.receiver))),
    method("zero?", 0, 0, |_, given| Ok((float_of(given.receiver) == Some(0.0)).into())),
    method("nonzero?", 0, 0, |_, given| {
        Ok(if float_of(given.receiver) == Some(0.0) { Value::Nil } else { given.receiver.clone() })
    }),
    method("positive?", 0, 0, |_, given| Ok((float_of(given.receiver) > Some(0.0)).into())),
    method("negative?", 0, 0, |_, given| Ok(is_negative(given.receiver).into())),
    method("integer?", 0, 0, |_, given| Ok(matches!(given.receiver, Value::Int(_) | Value::Big(_)).into())),
    method("finite?", 0, 0, |_, given| Ok(float_of(given.receiver).is_none_or(f64::is_finite).into())),
    method("infinite?", 0, 0, |_, given| {
        Ok(match given.receiver {
            Value::Float(value) if value.is_infinite() => Value::Int(if *value > 0.0 { 1 } else { -1 }),
            _ => Value::Nil,
        })
    }),
    method("to_f", 0, 0, |_, given| Ok(Value::Float(float_of(given.receiver).unwrap_or_default()))),
    method("to_i", 0, 0, truncate),
    method("to_int", 0, 0, truncate),
    method("coerce", 1, 1, |interp, given| match given.arg(0) {
        Value::Int(_) if matches!(given.receiver, Value::Int(_)) => {
            Ok(Value::pair(given.arg(0).clone(), given.receiver.clone()))
        }
        other => match float_of(other) {
            Some(other) => {
                Ok(Value::pair(Value::Float(other), Value::Float(float_of(given.receiver).unwrap_or_default())))
            }
            None => uncoercible(interp, other, given.receiver),
        },
    }),
    method("step", 0, 3, step),
];

const INTEGER: &[NativeMethod] = &[
    method("to_s", 0, 1, to_s),
    method("inspect", 0, 1, to_s),
    method("chr", 0, 1, chr),
    method("ord", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("times", 0, 0, times),
    method("upto", 1, 1, |interp, given| count(interp, given, 1)),
    method("downto", 1, 1, |interp, given| count(interp, given, -1)),
    method("pow", 1, 2, power),
    method("even?", 0, 0, |_, given| Ok(big_of(given.receiver).is_some_and(|value| value.is_even()).into())),
    method("odd?", 0, 0, |_, given| Ok(big_of(given.receiver).is_some_and(|value| value.is_odd()).into())),
    method("succ", 0, 0, |interp, given| interp.send(given.receiver, "+", &[Value::Int(1)])),
    method("next", 0, 0, |interp, given| interp.send(given.receiver, "+", &[Value::Int(1)])),
    method("pred", 0, 0, |interp, given| interp.send(given.receiver, "-", &[Value::Int(1)])),
    method("gcd", 1, 1, |interp, given| of_integers(interp, given, |a, b| a.gcd(&b))),
    method("lcm", 1, 1, |interp, given| of_integers(interp, given, |a, b| a.lcm(&b))),
    method("digits", 0, 1, digits),
    method("size", 0, 0, |_, given| {
        Ok(big_of(given.receiver).map_or(8, |value| value.bits().div_ceil(8).max(8) as i64).into())
    }),
];

const FLOAT: &[NativeMethod] =
    &[method("nan?", 0, 0, |_, given| Ok(float_of(given.receiver).is_some_and(f64::is_nan).into()))];

const MATH: &[NativeMethod] = &[
    method("sqrt", 1, 1, |interp, given| math(interp, given, f64::sqrt)),
    method("cbrt", 1, 1, |interp, given| math(interp, given, f64::cbrt)),
    method("log", 1, 2, |interp, given| match given.args {
        [value, base] => match (float_of(value), float_of(base)) {
            (Some(value), Some(base)) => Ok(Value::Float(value.ln() / base.ln())),
            _ => math(interp, given, f64::ln),
        },
        _ => math(interp, given, f64::ln),
    }),
    method("log2", 1, 1, |interp, given| math(interp, given, f64::log2)),
    method("log10", 1, 1, |interp, given| math(interp, given, f64::log10)),
    method("exp", 1, 1, |interp, given| math(interp, given, f64::exp)),
    method("sin", 1, 1, |interp, given| math(interp, given, f64::sin)),
    method("cos", 1, 1, |interp, given| math(interp, given, f64::cos)),
    method("pow", 2, 2, |interp, given| interp.send(given.arg(0), "**", &given.args[1..])),
];

fn math(interp: &mut Interp<'_>, given: &CallArguments<'_>, run: fn(f64) -> f64) -> Flow {
    match float_of(given.arg(0)) {
        Some(value) if run(value).is_nan() && !value.is_nan() => {
            let message = format!("Numerical argument is out of domain - {}", given.name);
            interp.raise(Core::MathDomainError, message)
        }
        Some(value) => Ok(Value::Float(run(value))),
        None => {
            let of = interp.conversion_name(given.arg(0));
            interp.raise(Core::TypeError, format!("can't convert {of} into Float"))
        }
    }
}

pub(super) fn is_negative(value: &Value) -> bool {
    float_of(value) < Some(0.0)
}

/// The quotient that is whole, and the rest, which has the sign of the divisor.
fn divided_floats(one: f64, other: f64) -> (f64, f64) {
    if other.is_nan() {
        return (other, other);
    }
    let mut rest = if one == 0.0 || (other.is_infinite() && !one.is_infinite()) { one } else { one % other };
    let mut quotient = if one.is_infinite() && !other.is_infinite() { one } else { ((one - rest) / other).round() };
    if other * rest < 0.0 {
        rest += other;
        quotient -= 1.0;
    }
    (quotient, rest)
}

/// Returns the fraction of two integers as Ruby works it out: where one is large, of their first bits.
fn divided(one: BigInt, other: BigInt) -> f64 {
    /// Beyond these Ruby has an integer as an object.
    const SMALL: u64 = 62;
    let common = one.gcd(&other);
    if common.is_zero() || other.is_zero() {
        return one.to_f64().unwrap_or(f64::NAN) / other.to_f64().unwrap_or_default();
    }
    let (one, other) = (one / &common, other / &common);
    let as_floats =
        |one: &BigInt, other: &BigInt| one.to_f64().unwrap_or(f64::NAN) / other.to_f64().unwrap_or(f64::NAN);
    let plain = as_floats(&one, &other);
    if other.bits() <= SMALL && plain.is_finite() {
        return plain;
    }
    let shifted = |value: BigInt, by: i64| if by < 0 { value << by.unsigned_abs() } else { value >> by as u64 };
    let cut = other.bits() as i64 - 64;
    let other = shifted(other, cut);
    let more = match one.bits() as i64 - 128 {
        more @ 65.. => more - 64,
        1..=64 => 0,
        more => more,
    };
    let quotient = shifted(one, more) / other;
    quotient.to_f64().unwrap_or(f64::NAN) * 2f64.powi((more - cut) as i32)
}

fn absolute(value: &Value) -> Value {
    match value {
        Value::Float(value) => Value::Float(value.abs()),
        other if is_negative(other) => negative(other),
        other => other.clone(),
    }
}

fn negative(value: &Value) -> Value {
    match value {
        Value::Float(value) => Value::Float(-value),
        other => big_of(other).map_or(Value::Nil, |value| Value::big(-value)),
    }
}

pub(super) fn uncoercible<T>(interp: &mut Interp<'_>, operand: &Value, receiver: &Value) -> Flow<T> {
    let of = match operand {
        Value::Nil | Value::Bool(_) | Value::Symbol(_) | Value::Float(_) => interp.inspect(operand)?,
        other => interp.class_name_of(other).to_string(),
    };
    let into = interp.class_name_of(receiver);
    interp.raise(Core::TypeError, format!("{of} can't be coerced into {into}"))
}

fn arithmetic(interp: &mut Interp<'_>, given: &CallArguments<'_>, operator: char) -> Flow {
    let (left, right) = (given.receiver, given.arg(0));
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        let small = match operator {
            '+' => a.checked_add(*b),
            '-' => a.checked_sub(*b),
            '*' => a.checked_mul(*b),
            _ if *b == 0 => return interp.raise(Core::ZeroDivisionError, "divided by 0"),
            '/' if *a == i64::MIN => None,
            '/' => Some(Integer::div_floor(a, b)),
            _ if *a == i64::MIN => None,
            _ => Some(Integer::mod_floor(a, b)),
        };
        if let Some(small) = small {
            return Ok(Value::Int(small));
        }
    }
    match (left, right) {
        (Value::Float(_), Value::Int(_) | Value::Big(_) | Value::Float(_)) | (_, Value::Float(_)) => {
            let (a, b) = (float_of(left).unwrap_or_default(), float_of(right).unwrap_or_default());
            Ok(Value::Float(match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                '/' => a / b,
                _ => {
                    let rest = a % b;
                    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
                }
            }))
        }
        (_, Value::Int(_) | Value::Big(_)) => {
            let (a, b) = (big_of(left).unwrap_or_default(), big_of(right).unwrap_or_default());
            if b.is_zero() && matches!(operator, '/' | '%') {
                return interp.raise(Core::ZeroDivisionError, "divided by 0");
            }
            Ok(Value::big(match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => {
                    interp.check_bytes((a.bits() + b.bits()) as usize / 8)?;
                    a * b
                }
                '/' => a.div_floor(&b),
                _ => a.mod_floor(&b),
            }))
        }
        (_, Value::Object(_)) if interp.responds(right, "coerce")? => {
            let pair = interp.send(right, "coerce", std::slice::from_ref(left))?;
            let pair = interp.array_arg(&pair)?;
            interp.send(&pair[0], &operator.to_string(), &pair[1..])
        }
        _ => uncoercible(interp, right, left),
    }
}

fn power(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if given.args.len() == 2 {
        let unless = match (big_of(given.arg(0)), big_of(given.arg(1))) {
            (None, _) => "a 1st argument is integer",
            (_, None) => "all arguments are integers",
            _ => "",
        };
        if !unless.is_empty() {
            let message = format!("Integer#pow() 2nd argument not allowed unless {unless}");
            return interp.raise(Core::TypeError, message);
        }
    }
    if let (Some(base), Some(exponent), Some(modulus)) =
        (big_of(given.receiver), big_of(given.arg(0)), given.args.get(1).and_then(big_of))
    {
        if modulus.is_zero() && !exponent.is_negative() {
            return interp.raise(Core::ZeroDivisionError, "divided by 0");
        }
        if exponent.is_negative() {
            return interp
                .raise(Core::RangeError, "Integer#pow() 1st argument cannot be negative when 2nd argument specified");
        }
        return Ok(Value::big(base.modpow(&exponent, &modulus)));
    }
    match (given.receiver, given.arg(0)) {
        (Value::Int(_) | Value::Big(_), Value::Int(exponent)) if *exponent >= 0 => {
            let base = big_of(given.receiver).unwrap_or_default();
            let bits = base.bits().saturating_mul(*exponent as u64);
            if bits > 8 * limits::NUMBER_DIGITS as u64 {
                return interp.fatal("a number may not become so large");
            }
            Ok(Value::big(base.pow(*exponent as u32)))
        }
        (Value::Int(_) | Value::Big(_), Value::Int(exponent)) => {
            let base = Fraction::from_integer(big_of(given.receiver).unwrap_or_default());
            raise_to_power(interp, base, *exponent)
        }
        (left, right) => match (float_of(left), float_of(right)) {
            (Some(left), Some(right)) => Ok(Value::Float(left.powf(right))),
            _ => uncoercible(interp, right, left),
        },
    }
}

fn truncate(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.receiver {
        Value::Float(value) => from_float(interp, value.trunc()),
        other => Ok(other.clone()),
    }
}

/// What is divided into whole parts is not divided by nought, though it be a float.
fn check_divisor(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<()> {
    match (given.receiver, given.arg(0)) {
        (_, Value::Float(0.0)) | (Value::Float(_), Value::Int(0)) => {
            interp.raise(Core::ZeroDivisionError, "divided by 0")
        }
        _ => Ok(()),
    }
}

fn remainder(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    check_divisor(interp, given)?;
    arithmetic(interp, given, '%')
}

fn to_s(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let radix = match given.args.first() {
        Some(radix) => interp.int_arg(radix)?,
        None => 10,
    };
    if !(2..=36).contains(&radix) {
        return interp.raise(Core::ArgumentError, format!("invalid radix {radix}"));
    }
    Ok(Value::text(big_of(given.receiver).unwrap_or_default().to_str_radix(radix as u32)))
}

fn chr(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Value::Big(_) = given.receiver {
        return interp.raise(Core::RangeError, "bignum out of char range");
    }
    let code = interp.int_arg(given.receiver)?;
    let letter = u32::try_from(code).ok().filter(|code| *code < 128 || !given.args.is_empty()).and_then(char::from_u32);
    match (letter, u8::try_from(code)) {
        // What is no letter is shown as the byte that it is.
        (Some(letter), _) if !letter.is_ascii_control() || !given.args.is_empty() => Ok(Value::text(letter)),
        (_, Ok(byte)) => Ok(Value::String(std::rc::Rc::new(crate::text::Text::binary(vec![byte])))),
        _ => interp.raise(Core::RangeError, format!("{code} out of char range")),
    }
}

fn times(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    for index in 0..interp.int_arg(given.receiver)? {
        interp.yield_one(block, Value::Int(index))?;
    }
    Ok(given.receiver.clone())
}

fn count(interp: &mut Interp<'_>, given: &CallArguments<'_>, by: i64) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let (mut at, end) = (interp.int_arg(given.receiver)?, interp.int_arg(given.arg(0))?);
    while (at <= end) == (by > 0) || at == end {
        interp.yield_one(block, Value::Int(at))?;
        at += by;
    }
    Ok(given.receiver.clone())
}

fn step(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let (mut limit, mut by) = (given.arg(0).clone(), given.args.get(1).cloned().unwrap_or(Value::Int(1)));
    if let Some(Value::Hash(options)) = given.args.last() {
        limit = options.get_symbol("to").unwrap_or_default();
        by = options.get_symbol("by").unwrap_or(Value::Int(1));
    }
    if float_of(&by) == Some(0.0) {
        return interp.raise(Core::ArgumentError, "step can't be 0");
    }
    if [given.receiver, &limit, &by].iter().any(|value| matches!(value, Value::Float(_)))
        && let (Some(from), Some(by)) = (float_of(given.receiver), float_of(&by))
        && (limit.is_nil() || float_of(&limit).is_some())
    {
        let to = float_of(&limit).unwrap_or(if by < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY });
        float_steps(interp, block, [from, to, by], false)?;
        return Ok(given.receiver.clone());
    }
    let mut at = given.receiver.clone();
    loop {
        let beyond = if is_negative(&by) { Ordering::Less } else { Ordering::Greater };
        if !limit.is_nil() && compare_numbers(&at, &limit) == Some(beyond) {
            return Ok(given.receiver.clone());
        }
        interp.yield_one(block, at.clone())?;
        at = interp.send(&at, "+", &[by.clone()])?;
    }
}

/// From a float to another one: each is reckoned from the first, so that nothing adds up that is not exact.
pub(super) fn float_steps(
    interp: &mut Interp<'_>,
    block: &Value,
    [from, to, by]: [f64; 3],
    is_exclusive: bool,
) -> Flow<()> {
    let steps = (to - from) / by;
    let error = ((from.abs() + to.abs() + (to - from).abs()) / by.abs() * f64::EPSILON).min(0.5);
    let count = if by.is_infinite() {
        f64::from(u8::from(if by > 0.0 { from <= to } else { from >= to }))
    } else if is_exclusive {
        let whole = if steps < 1.0 { 0.0 } else { (steps - error).floor() };
        let next = (whole + 1.0) * by + from;
        let has_more = if from < to { next < to } else { from > to && next > to };
        if steps <= 0.0 { 0.0 } else { whole + 1.0 + f64::from(u8::from(has_more)) }
    } else if steps < 0.0 {
        0.0
    } else {
        (steps + error).floor() + 1.0
    };
    let mut done = 0.0;
    while done < count {
        let at = done * by + from;
        let is_beyond = if by >= 0.0 { to < at } else { at < to };
        interp.yield_one(block, Value::Float(if is_beyond { to } else { at }))?;
        done += 1.0;
    }
    Ok(())
}

fn of_integers(interp: &mut Interp<'_>, given: &CallArguments<'_>, run: fn(BigInt, BigInt) -> BigInt) -> Flow {
    match given.arg(0) {
        other @ (Value::Int(_) | Value::Big(_)) => {
            let (one, other) = (big_of(given.receiver).unwrap_or_default(), big_of(other).unwrap_or_default());
            Ok(Value::big(run(one, other)))
        }
        _ => interp.raise(Core::TypeError, "not an integer"),
    }
}

fn digits(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let radix = match given.args.first() {
        Some(radix) => interp.int_arg(radix)?,
        None => 10,
    };
    let value = big_of(given.receiver).unwrap_or_default();
    if value.sign() == Sign::Minus {
        return interp.raise(Core::MathDomainError, "out of domain");
    }
    match radix {
        ..0 => return interp.raise(Core::ArgumentError, "negative radix"),
        0 | 1 => return interp.raise(Core::ArgumentError, format!("invalid radix {radix}")),
        _ => {}
    }
    let (mut rest, radix) = (value, BigInt::from(radix));
    let mut digits = Vec::new();
    while !rest.is_zero() || digits.is_empty() {
        digits.push(Value::Int((&rest % &radix).to_i64().unwrap_or_default()));
        rest /= &radix;
    }
    Ok(Value::array(digits))
}

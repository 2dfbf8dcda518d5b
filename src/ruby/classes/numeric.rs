//! Integers of any size, and floats.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::scalar::order_value;
use crate::base::{limits, number};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp, big_of, compare_numbers, float_of};
use crate::ruby::native::{NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::value::Value;

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
        let quotient = arithmetic(interp, given, '/')?;
        let quotient = interp.send(&quotient, "floor", &[])?;
        Ok(Value::pair(quotient, arithmetic(interp, given, '%')?))
    }),
    method("**", 1, 1, power),
    method("allbits?", 1, 1, |interp, given| has_bits(interp, given, |both, wanted| both == wanted)),
    method("anybits?", 1, 1, |interp, given| has_bits(interp, given, |both, _| !both.is_zero())),
    method("nobits?", 1, 1, |interp, given| has_bits(interp, given, |both, _| both.is_zero())),
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
    method("truncate", 0, 1, |interp, given| {
        rounded(interp, given, if is_negative(given.receiver) { Rounding::Ceil } else { Rounding::Floor })
    }),
    method("floor", 0, 1, |interp, given| rounded(interp, given, Rounding::Floor)),
    method("ceil", 0, 1, |interp, given| rounded(interp, given, Rounding::Ceil)),
    method("round", 0, 2, |interp, given| {
        // An integer that stays as it is does not look at its options.
        let digits = given.args.first().filter(|digits| !matches!(digits, Value::Hash(_)));
        let stays = matches!(digits, None | Some(Value::Int(0..))) && !matches!(given.receiver, Value::Float(_));
        let how = if stays { Rounding::Half } else { half(interp, given)? };
        rounded(interp, given, how)
    }),
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
    method("&", 1, 1, |interp, given| bits(interp, given, |a, b| a & b)),
    method("|", 1, 1, |interp, given| bits(interp, given, |a, b| a | b)),
    method("^", 1, 1, |interp, given| bits(interp, given, |a, b| a ^ b)),
    method("~", 0, 0, |_, given| Ok(big_of(given.receiver).map_or(Value::Nil, |value| Value::big(-value - 1)))),
    method("<<", 1, 1, |interp, given| shift(interp, given, 1)),
    method(">>", 1, 1, |interp, given| shift(interp, given, -1)),
    method("[]", 1, 1, |interp, given| {
        let index = interp.int_arg(given.arg(0))?;
        let value = big_of(given.receiver).unwrap_or_default() >> index.clamp(0, 1 << 20) as usize;
        Ok(Value::Int(i64::from(value.is_odd())))
    }),
    method("gcd", 1, 1, |interp, given| of_integers(interp, given, |a, b| a.gcd(&b))),
    method("lcm", 1, 1, |interp, given| of_integers(interp, given, |a, b| a.lcm(&b))),
    method("digits", 0, 1, digits),
    method("bit_length", 0, 0, |_, given| {
        // A negative one is as long as the one of its bits turned around.
        let length = |value: BigInt| if value.is_negative() { -value - 1 } else { value }.bits() as i64;
        Ok(big_of(given.receiver).map_or(0, length).into())
    }),
    method("size", 0, 0, |_, _| Ok(Value::Int(8))),
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

fn math(interp: &mut Interp<'_>, given: &Given<'_>, run: fn(f64) -> f64) -> Flow {
    match float_of(given.arg(0)) {
        Some(value) => Ok(Value::Float(run(value))),
        None => {
            let of = interp.conversion_name(given.arg(0));
            interp.raise(Core::TypeError, format!("can't convert {of} into Float"))
        }
    }
}

fn is_negative(value: &Value) -> bool {
    float_of(value) < Some(0.0)
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

fn uncoercible<T>(interp: &mut Interp<'_>, operand: &Value, receiver: &Value) -> Flow<T> {
    let of = match operand {
        Value::Nil | Value::Bool(_) | Value::Symbol(_) | Value::Float(_) => interp.inspect(operand)?,
        other => interp.class_name_of(other).to_string(),
    };
    let into = interp.class_name_of(receiver);
    interp.raise(Core::TypeError, format!("{of} can't be coerced into {into}"))
}

fn arithmetic(interp: &mut Interp<'_>, given: &Given<'_>, operator: char) -> Flow {
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

fn power(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    if let (Some(base), Some(exponent), Some(modulus)) =
        (big_of(given.receiver), big_of(given.arg(0)), given.args.get(1).and_then(big_of))
    {
        if exponent.is_negative() || modulus.is_zero() {
            return interp
                .raise(Core::RangeError, "Integer#pow() 2nd argument cannot be negative when 3rd argument specified");
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
        (Value::Int(_), Value::Int(_)) => interp.unsupported("a rational number"),
        (left, right) => match (float_of(left), float_of(right)) {
            (Some(left), Some(right)) => Ok(Value::Float(left.powf(right))),
            _ => uncoercible(interp, right, left),
        },
    }
}

fn truncate(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.receiver {
        Value::Float(value) => from_float(interp, value.trunc()),
        other => Ok(other.clone()),
    }
}

fn from_float(interp: &mut Interp<'_>, value: f64) -> Flow {
    match BigInt::from_f64(value) {
        Some(value) => Ok(Value::big(value)),
        None => interp.raise(Core::FloatDomainError, number::float_text(value)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Floor,
    Ceil,
    /// To the nearest; a half goes away from nought, towards it, or to what is even.
    Half,
    HalfDown,
    HalfEven,
}

/// What is divided into whole parts is not divided by nought, though it be a float.
fn check_divisor(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow<()> {
    match (given.receiver, given.arg(0)) {
        (_, Value::Float(0.0)) | (Value::Float(_), Value::Int(0)) => {
            interp.raise(Core::ZeroDivisionError, "divided by 0")
        }
        _ => Ok(()),
    }
}

fn remainder(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    check_divisor(interp, given)?;
    arithmetic(interp, given, '%')
}

/// `half: :even`
fn half(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow<Rounding> {
    let how = match given.args.last() {
        Some(Value::Hash(options)) if given.keywords => options.get_symbol("half").unwrap_or_default(),
        _ => Value::Nil,
    };
    let name = match &how {
        Value::Nil => return Ok(Rounding::Half),
        Value::Symbol(name) => name.to_string(),
        Value::String(text) => interp.str_of(text)?,
        other => {
            let shown = interp.inspect(other)?;
            return interp.raise(Core::ArgumentError, format!("invalid rounding mode: {shown}"));
        }
    };
    match name.as_str() {
        "up" => Ok(Rounding::Half),
        "down" => Ok(Rounding::HalfDown),
        "even" => Ok(Rounding::HalfEven),
        _ => interp.raise(Core::ArgumentError, format!("invalid rounding mode: {name}")),
    }
}

fn rounded(interp: &mut Interp<'_>, given: &Given<'_>, how: Rounding) -> Flow {
    let positional = if given.keywords { &given.args[..given.args.len() - 1] } else { given.args };
    let digits = match positional {
        [] | [Value::Nil] => 0,
        [digits] => interp.int_arg(digits)?,
        more => {
            interp.check_given(more.len(), 0, Some(1), "")?;
            0
        }
    };
    match given.receiver {
        Value::Float(value) if digits > 0 => Ok(Value::Float(rounded_float(*value, digits, how))),
        Value::Float(value) if digits == 0 => from_float(interp, scaled(*value, 1.0, how)),
        Value::Float(value) if !value.is_finite() => from_float(interp, *value),
        other if digits >= 0 => Ok(other.clone()),
        other => {
            let whole = match other {
                Value::Float(value) => {
                    let whole = match how {
                        Rounding::Floor => value.floor(),
                        Rounding::Ceil => value.ceil(),
                        _ => value.trunc(),
                    };
                    BigInt::from_f64(whole).unwrap_or_default()
                }
                other => big_of(other).unwrap_or_default(),
            };
            let unit = BigInt::from(10).pow(digits.unsigned_abs().min(1000) as u32);
            Ok(Value::big(rounded_big(&whole, &unit, how)))
        }
    }
}

/// The multiple of the unit.
fn rounded_big(whole: &BigInt, unit: &BigInt, how: Rounding) -> BigInt {
    let count = whole.div_floor(unit);
    let rest = whole - &count * unit;
    let twice = &rest * 2;
    let is_half = twice == *unit;
    let up = match how {
        Rounding::Floor => false,
        Rounding::Ceil => !rest.is_zero(),
        _ if !is_half => twice > *unit,
        Rounding::Half => !whole.is_negative(),
        Rounding::HalfDown => whole.is_negative(),
        Rounding::HalfEven => count.is_odd(),
    };
    (if up { count + 1 } else { count }) * unit
}

/// With so many digits behind the point: where there are more than a float has, it stays; where it is too small for any,
/// it is nought. The bounds are Ruby's.
fn rounded_float(value: f64, digits: i64, how: Rounding) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let exponent = binary_exponent(value);
    let by = |positive: i64, negative: i64| if exponent > 0 { exponent / positive } else { exponent / negative };
    if digits >= 17 - if exponent > 0 { exponent / 4 } else { exponent / 3 - 1 } {
        return value;
    }
    let goes_to_nought = match how {
        Rounding::Floor => value > 0.0,
        Rounding::Ceil => value < 0.0,
        _ => true,
    };
    if goes_to_nought && digits < -(by(3, 4) + i64::from(exponent > 0)) {
        return 0.0;
    }
    if digits > 14 && !matches!(how, Rounding::Floor | Rounding::Ceil) {
        return exactly(value, digits, how);
    }
    let scale = 10f64.powi(digits as i32);
    scaled(value, scale, how) / scale
}

/// `value` is a fraction of this and two to so many.
fn binary_exponent(value: f64) -> i64 {
    let bits = (value.to_bits() >> 52 & 0x7ff) as i64;
    match bits {
        0 => binary_exponent(value * 2f64.powi(64)) - 64,
        _ => bits - 1022,
    }
}

/// Through all the digits that the float has.
fn exactly(value: f64, digits: i64, how: Rounding) -> f64 {
    let text = format!("{:.1100}", value.abs());
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let kept = part.len().min(1100);
    let number: BigInt = format!("{whole}{}", &part[..kept]).parse().unwrap_or_default();
    let unit = BigInt::from(10).pow((kept as i64 - digits).max(0) as u32);
    let rounded = rounded_big(&number, &unit, how) / &unit;
    format!("{rounded}e-{digits}").parse::<f64>().unwrap_or(value).copysign(value)
}

/// The whole number next to the product. What the product has lost is made good, as Ruby does.
fn scaled(value: f64, scale: f64, how: Rounding) -> f64 {
    let product = value * scale;
    match how {
        Rounding::Floor => {
            let whole = product.floor();
            if (whole + 1.0) / scale <= value { whole + 1.0 } else { whole }
        }
        Rounding::Ceil => product.ceil(),
        Rounding::Half => {
            let whole = product.round();
            if scale == 1.0 {
                whole
            } else if value > 0.0 {
                if (whole + 0.5) / scale <= value { whole + 1.0 } else { whole }
            } else if (whole - 0.5) / scale >= value {
                whole - 1.0
            } else {
                whole
            }
        }
        Rounding::HalfDown => {
            let whole = product.round();
            if value > 0.0 {
                if (whole - 0.5) / scale >= value { whole - 1.0 } else { whole }
            } else if (whole + 0.5) / scale <= value {
                whole + 1.0
            } else {
                whole
            }
        }
        Rounding::HalfEven => {
            let whole = product.abs().floor();
            let rest = product.abs() - whole;
            let step = if rest > 0.5 {
                1.0
            } else if rest == 0.5 || (whole + 0.5) / scale <= value.abs() {
                whole % 2.0
            } else {
                0.0
            };
            (whole + step).copysign(product)
        }
    }
}

fn to_s(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let radix = match given.args.first() {
        Some(radix) => interp.int_arg(radix)?,
        None => 10,
    };
    if !(2..=36).contains(&radix) {
        return interp.raise(Core::ArgumentError, format!("invalid radix {radix}"));
    }
    Ok(Value::text(big_of(given.receiver).unwrap_or_default().to_str_radix(radix as u32)))
}

fn chr(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    if let Value::Big(_) = given.receiver {
        return interp.raise(Core::RangeError, "bignum out of char range");
    }
    let code = interp.int_arg(given.receiver)?;
    let letter = u32::try_from(code).ok().filter(|code| *code < 128 || !given.args.is_empty()).and_then(char::from_u32);
    match (letter, u8::try_from(code)) {
        // What is no letter is shown as the byte that it is.
        (Some(letter), _) if !letter.is_ascii_control() || !given.args.is_empty() => Ok(Value::text(letter)),
        (_, Ok(byte)) => Ok(Value::String(std::rc::Rc::new(crate::ruby::text::Text::binary(vec![byte])))),
        _ => interp.raise(Core::RangeError, format!("{code} out of char range")),
    }
}

fn times(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    for index in 0..interp.int_arg(given.receiver)? {
        interp.yield_one(block, Value::Int(index))?;
    }
    Ok(given.receiver.clone())
}

fn count(interp: &mut Interp<'_>, given: &Given<'_>, by: i64) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let (mut at, end) = (interp.int_arg(given.receiver)?, interp.int_arg(given.arg(0))?);
    while (at <= end) == (by > 0) || at == end {
        interp.yield_one(block, Value::Int(at))?;
        at += by;
    }
    Ok(given.receiver.clone())
}

fn step(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    let (mut limit, mut by) = (given.arg(0).clone(), given.args.get(1).cloned().unwrap_or(Value::Int(1)));
    if let Some(Value::Hash(options)) = given.args.last() {
        limit = options.get_symbol("to").unwrap_or_default();
        by = options.get_symbol("by").unwrap_or(Value::Int(1));
    }
    if float_of(&by) == Some(0.0) {
        return interp.raise(Core::ArgumentError, "step can't be 0");
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

fn has_bits(interp: &mut Interp<'_>, given: &Given<'_>, holds: fn(&BigInt, &BigInt) -> bool) -> Flow {
    let wanted = match big_of(given.arg(0)) {
        Some(wanted) => wanted,
        None => BigInt::from(interp.int_arg(given.arg(0))?),
    };
    let both = big_of(given.receiver).unwrap_or_default() & &wanted;
    Ok(holds(&both, &wanted).into())
}

fn bits(interp: &mut Interp<'_>, given: &Given<'_>, run: fn(BigInt, BigInt) -> BigInt) -> Flow {
    match (big_of(given.receiver), big_of(given.arg(0))) {
        (Some(left), Some(right)) => Ok(Value::big(run(left, right))),
        _ => uncoercible(interp, given.arg(0), given.receiver),
    }
}

fn of_integers(interp: &mut Interp<'_>, given: &Given<'_>, run: fn(BigInt, BigInt) -> BigInt) -> Flow {
    match given.arg(0) {
        Value::Int(_) | Value::Big(_) => bits(interp, given, run),
        _ => interp.raise(Core::TypeError, "not an integer"),
    }
}

fn shift(interp: &mut Interp<'_>, given: &Given<'_>, direction: i64) -> Flow {
    if given.arg(0).is_nil() {
        return interp.raise(Core::TypeError, "no implicit conversion of nil into Integer");
    }
    let by = interp.int_arg(given.arg(0))?.saturating_mul(direction);
    let value = big_of(given.receiver).unwrap_or_default();
    if by > 8 * limits::NUMBER_DIGITS as i64 {
        return interp.fatal("a number may not become so large");
    }
    Ok(Value::big(if by >= 0 { value << by as usize } else { value >> by.unsigned_abs() as usize }))
}

fn digits(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let radix = match given.args.first() {
        Some(radix) => interp.int_arg(radix)?,
        None => 10,
    };
    let value = big_of(given.receiver).unwrap_or_default();
    if value.sign() == Sign::Minus || radix < 2 {
        return interp.raise(Core::MathDomainError, "out of domain");
    }
    let (mut rest, radix) = (value, BigInt::from(radix));
    let mut digits = Vec::new();
    while !rest.is_zero() || digits.is_empty() {
        digits.push(Value::Int((&rest % &radix).to_i64().unwrap_or_default()));
        rest /= &radix;
    }
    Ok(Value::array(digits))
}

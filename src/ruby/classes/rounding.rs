//! Numbers with fewer digits: `round`, `floor`, `ceil`, `truncate`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, Zero};
use pantin_base::number;

use super::numeric::is_negative;
use crate::class::Core;
use crate::interp::{CallArguments, Interp, big_of};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Numeric, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
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
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Floor,
    Ceil,
    /// To the nearest; a half goes away from nought, towards it, or to what is even.
    Half,
    HalfDown,
    HalfEven,
}

pub(super) fn from_float(interp: &mut Interp<'_>, value: f64) -> Flow {
    match BigInt::from_f64(value) {
        Some(value) => Ok(Value::big(value)),
        None => interp.raise(Core::FloatDomainError, number::float_text(value)),
    }
}

/// `half: :even`
fn half(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rounding> {
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

fn rounded(interp: &mut Interp<'_>, given: &CallArguments<'_>, how: Rounding) -> Flow {
    let positional = if given.keywords { &given.args[..given.args.len() - 1] } else { given.args };
    let digits = match positional {
        [] | [Value::Nil] => 0,
        [digits] => interp.int_arg(digits)?,
        more => {
            interp.check_argument_count(more.len(), 0, Some(1), "")?;
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

/// Returns the multiple of the unit.
fn rounded_big(whole: &BigInt, unit: &BigInt, how: Rounding) -> BigInt {
    let count = whole.div_floor(unit);
    let rest = whole - &count * unit;
    let twice = &rest * 2;
    let is_half = twice == *unit;
    let up = match how {
        Rounding::Floor => false,
        // What Ruby has as an object goes up though it be even.
        Rounding::Ceil => !rest.is_zero() || whole.bits() > 62,
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

/// Returns the whole number next to the product. What the product has lost is made good, as Ruby does.
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

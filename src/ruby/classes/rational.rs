//! Rational numbers: fractions of integers, which lose nothing.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use pantin_base::limits;

use super::kernel::is_quiet;
use super::numeric::uncoercible;
use crate::class::Core;
use crate::interp::{CallArguments, Interp, big_of, float_of};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::Rational, Side::Instance, METHODS),
    (Core::Kernel, Side::Instance, &[private("Rational", 1, 3, rational)]),
    (Core::Integer, Side::Instance, OF_INTEGERS),
    (Core::Float, Side::Instance, &[method("to_r", 0, 0, to_r)]),
    (Core::String, Side::Instance, &[method("to_r", 0, 0, rational_from_text)]),
    (
        Core::NilClass,
        Side::Instance,
        &[method("to_r", 0, 0, |_, _| Ok(fraction_value(Fraction::from_integer(BigInt::ZERO))))],
    ),
];

const OF_INTEGERS: &[NativeMethod] = &[
    method("to_r", 0, 0, to_r),
    method("rationalize", 0, 1, to_r),
    method("numerator", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("denominator", 0, 0, |_, _| Ok(Value::Int(1))),
    method("quo", 1, 1, |interp, given| match given.arg(0) {
        Value::Float(_) => interp.send(given.receiver, "/", given.args),
        other => {
            let one = fraction_value(own(given));
            interp.send(&one, "/", std::slice::from_ref(other))
        }
    }),
];

const METHODS: &[NativeMethod] = &[
    method("+", 1, 1, |interp, given| arithmetic(interp, given, |a, b| (a.0 * &b.1 + &b.0 * &a.1, a.1 * b.1))),
    method("-", 1, 1, |interp, given| arithmetic(interp, given, |a, b| (a.0 * &b.1 - &b.0 * &a.1, a.1 * b.1))),
    method("*", 1, 1, |interp, given| arithmetic(interp, given, |a, b| (a.0 * b.0, a.1 * b.1))),
    method("/", 1, 1, quotient),
    method("quo", 1, 1, quotient),
    method("**", 1, 1, power),
    method("%", 1, 1, remainder),
    method("modulo", 1, 1, remainder),
    method("-@", 0, 0, |_, given| {
        let Fraction(above, below) = own(given);
        Ok(fraction_value(Fraction(-above, below)))
    }),
    method("abs", 0, 0, absolute),
    method("magnitude", 0, 0, absolute),
    method("coerce", 1, 1, |interp, given| match given.arg(0) {
        Value::Float(_) => Ok(Value::pair(given.arg(0).clone(), Value::Float(own(given).as_float()))),
        other => match fraction_of(other) {
            Some(other) => Ok(Value::pair(fraction_value(other), given.receiver.clone())),
            None => uncoercible(interp, other, given.receiver),
        },
    }),
    method("to_i", 0, 0, |interp, given| rounded(interp, given, "truncate")),
    method("to_int", 0, 0, |interp, given| rounded(interp, given, "truncate")),
    method("div", 1, 1, |interp, given| {
        let quotient = quotient(interp, given)?;
        interp.send(&quotient, "floor", &[])
    }),
    method("divmod", 1, 1, |interp, given| {
        let whole = interp.send(given.receiver, "div", given.args)?;
        Ok(Value::pair(whole, interp.send(given.receiver, "%", given.args)?))
    }),
    method("fdiv", 1, 1, |interp, given| {
        let float = Value::Float(own(given).as_float());
        interp.send(&float, "/", given.args)
    }),
    method("to_f", 0, 0, |_, given| Ok(Value::Float(own(given).as_float()))),
    method("to_r", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("dup", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("clone", 0, 1, |_, given| Ok(given.receiver.clone())),
    method("numerator", 0, 0, |_, given| Ok(Value::big(own(given).0))),
    method("denominator", 0, 0, |_, given| Ok(Value::big(own(given).1))),
    method("to_s", 0, 0, |_, given| Ok(Value::text(own(given).shown()))),
    method("inspect", 0, 0, |_, given| Ok(Value::text(format!("({})", own(given).shown())))),
    method("truncate", 0, 1, |interp, given| rounded(interp, given, "truncate")),
    method("floor", 0, 1, |interp, given| rounded(interp, given, "floor")),
    method("ceil", 0, 1, |interp, given| rounded(interp, given, "ceil")),
    method("round", 0, 2, |interp, given| rounded(interp, given, "round")),
    method("zero?", 0, 0, |_, given| Ok(own(given).0.is_zero().into())),
    method("positive?", 0, 0, |_, given| Ok(own(given).0.is_positive().into())),
    method("negative?", 0, 0, |_, given| Ok(own(given).0.is_negative().into())),
    method("==", 1, 1, |_, given| Ok((order(given.receiver, given.arg(0)) == Some(Ordering::Equal)).into())),
    method("<=>", 1, 1, |_, given| {
        Ok(order(given.receiver, given.arg(0)).map_or(Value::Nil, |order| Value::Int(order as i64)))
    }),
];

/// In its lowest terms, the lower one positive.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fraction(BigInt, BigInt);

impl Fraction {
    pub(super) fn from_integer(value: BigInt) -> Fraction {
        Fraction(value, BigInt::one())
    }

    /// `below` is not nought.
    pub(super) fn from_ratio(above: BigInt, below: BigInt) -> Fraction {
        let common = match below.is_negative() {
            true => -above.gcd(&below),
            false => above.gcd(&below),
        };
        Fraction(above / &common, below / common)
    }

    fn of_float(value: f64) -> Option<Fraction> {
        if !value.is_finite() {
            return None;
        }
        let (mut scaled, mut power) = (value, 0u32);
        while scaled.fract() != 0.0 {
            scaled *= 2.0;
            power += 1;
        }
        let above = num_traits::FromPrimitive::from_f64(scaled)?;
        Some(Fraction::from_ratio(above, BigInt::one() << power))
    }

    pub(crate) fn as_float(&self) -> f64 {
        match (self.0.to_f64(), self.1.to_f64()) {
            (Some(above), Some(below)) if self.0.bits() <= 53 && self.1.bits() <= 53 => above / below,
            _ => {
                // With a few bits more than a float has.
                let shift = 66 + self.1.bits() as i64 - self.0.bits() as i64;
                let (above, below) = match shift {
                    0.. => (&self.0 << shift.unsigned_abs(), self.1.clone()),
                    _ => (self.0.clone(), &self.1 << shift.unsigned_abs()),
                };
                let (whole, rest) = above.div_rem(&below);
                // What is behind them only matters where it breaks a tie.
                let whole =
                    if rest.is_zero() { whole } else { (whole << 1) + if self.0.is_negative() { -1 } else { 1 } };
                let more = if rest.is_zero() { 0 } else { 1 };
                let power = -(shift + more);
                let half = power / 2;
                whole.to_f64().unwrap_or(f64::NAN) * 2f64.powi(half as i32) * 2f64.powi((power - half) as i32)
            }
        }
    }

    /// Returns how many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        (self.0.bits() + self.1.bits()) as usize / 8
    }

    /// So many times as much, rounded down.
    pub(super) fn times(&self, factor: i128) -> i128 {
        (&self.0 * factor).div_floor(&self.1).to_i128().unwrap_or(i128::MAX)
    }

    fn shown(&self) -> String {
        format!("{}/{}", self.0, self.1)
    }

    fn cmp(&self, other: &Fraction) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

pub(super) fn fraction_value(value: Fraction) -> Value {
    let number = Value::object(Core::Rational.class(), Data::Rational(Rc::new(value)));
    if let Value::Object(object) = &number {
        object.frozen.set(true);
    }
    number
}

pub(crate) fn rational_of(value: &Value) -> Option<Rc<Fraction>> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Rational(value) => Some(value.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns an integer or a fraction.
pub(super) fn fraction_of(value: &Value) -> Option<Fraction> {
    match rational_of(value) {
        Some(value) => Some((*value).clone()),
        None => big_of(value).map(Fraction::from_integer),
    }
}

fn own(given: &CallArguments<'_>) -> Fraction {
    fraction_of(given.receiver).unwrap_or_else(|| Fraction::from_integer(BigInt::ZERO))
}

/// Of two numbers of which one is a fraction.
pub(crate) fn order(one: &Value, other: &Value) -> Option<Ordering> {
    match (fraction_of(one), fraction_of(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => float_of(one)?.partial_cmp(&float_of(other)?),
    }
}

fn arithmetic(
    interp: &mut Interp<'_>,
    given: &CallArguments<'_>,
    exactly: fn(Fraction, Fraction) -> (BigInt, BigInt),
) -> Flow {
    match (given.arg(0), fraction_of(given.arg(0))) {
        (Value::Float(_), _) => {
            let float = Value::Float(own(given).as_float());
            interp.send(&float, given.name, given.args)
        }
        (_, Some(other)) => {
            let own = own(given);
            let bits = [&own.0, &own.1, &other.0, &other.1].map(BigInt::bits).iter().sum::<u64>();
            interp.check_bytes(bits as usize / 8)?;
            let (above, below) = exactly(own, other);
            Ok(fraction_value(Fraction::from_ratio(above, below)))
        }
        (other @ Value::Object(_), None) if interp.responds(other, "coerce")? => {
            let pair = interp.send(other, "coerce", std::slice::from_ref(given.receiver))?;
            let pair = interp.array_arg(&pair)?;
            interp.send(pair.first().unwrap_or(&Value::Nil), given.name, pair.get(1..).unwrap_or_default())
        }
        (other, None) => uncoercible(interp, other, given.receiver),
    }
}

fn absolute(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Fraction(above, below) = own(given);
    Ok(fraction_value(Fraction(above.abs(), below)))
}

fn not_by_nought(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<()> {
    match fraction_of(given.arg(0)) {
        Some(other) if other.0.is_zero() => interp.raise(Core::ZeroDivisionError, "divided by 0"),
        _ => Ok(()),
    }
}

fn quotient(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    not_by_nought(interp, given)?;
    let given = CallArguments { name: "/", ..*given };
    arithmetic(interp, &given, |a, b| (a.0 * b.1, a.1 * b.0))
}

fn remainder(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    not_by_nought(interp, given)?;
    let given = CallArguments { name: "%", ..*given };
    arithmetic(interp, &given, |a, b| {
        let whole = (&a.0 * &b.1).div_floor(&(&a.1 * &b.0));
        (a.0 * &b.1 - whole * b.0 * &a.1, a.1 * b.1)
    })
}

fn power(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Int(exponent) = given.arg(0) else {
        return match float_of(given.arg(0)) {
            Some(exponent) => Ok(Value::Float(own(given).as_float().powf(exponent))),
            None => uncoercible(interp, given.arg(0), given.receiver),
        };
    };
    raise_to_power(interp, own(given), *exponent)
}

/// To the power of an integer, which may be negative.
pub(super) fn raise_to_power(interp: &mut Interp<'_>, base: Fraction, exponent: i64) -> Flow {
    let Fraction(above, below) = base;
    let most = above.bits().max(below.bits());
    let times = exponent.unsigned_abs();
    if most.saturating_mul(times) > 8 * limits::NUMBER_DIGITS as u64 {
        return interp.fatal("a number may not become so large");
    }
    let (above, below) = (above.pow(times as u32), below.pow(times as u32));
    match exponent < 0 {
        true if above.is_zero() => interp.raise(Core::ZeroDivisionError, "divided by 0"),
        true => Ok(fraction_value(Fraction::from_ratio(below, above))),
        false => Ok(fraction_value(Fraction::from_ratio(above, below))),
    }
}

/// To an integer, or with so many digits behind the point to a fraction.
fn rounded(interp: &mut Interp<'_>, given: &CallArguments<'_>, how: &str) -> Flow {
    let half = match given.args.last() {
        Some(Value::Hash(options)) if given.keywords => options.get_symbol("half").unwrap_or_default(),
        _ => Value::Nil,
    };
    let half = if half.is_nil() { "up".to_owned() } else { interp.text_of(&half)? };
    if !matches!(half.as_str(), "up" | "down" | "even") {
        return interp.raise(Core::ArgumentError, format!("invalid rounding mode: {half}"));
    }
    let digits = match given.args.first().filter(|first| !matches!(first, Value::Hash(_))) {
        None => None,
        Some(digits @ Value::Int(_)) => Some(interp.int_arg(digits)?.clamp(-1000, 1000)),
        Some(_) => return interp.raise(Core::TypeError, "not an integer"),
    };
    let unit = BigInt::from(10).pow(digits.unwrap_or(0).unsigned_abs() as u32);
    let Fraction(above, below) = own(given);
    let (above, below) = if digits.unwrap_or(0) >= 0 { (above * &unit, below) } else { (above, below * &unit) };
    let whole = match how {
        "floor" => above.div_floor(&below),
        "ceil" => -((-above).div_floor(&below)),
        "truncate" => above / below,
        _ => {
            let (size, is_negative) = (above.abs(), above.is_negative());
            let (whole, rest) = size.div_rem(&below);
            let up = match BigInt::cmp(&(rest * 2), &below) {
                Ordering::Equal => half == "up" || half == "even" && whole.is_odd(),
                order => order.is_gt(),
            };
            let whole = if up { whole + 1 } else { whole };
            if is_negative { -whole } else { whole }
        }
    };
    Ok(match digits {
        None | Some(0) => Value::big(whole),
        Some(1..) => fraction_value(Fraction::from_ratio(whole, unit)),
        Some(_) => Value::big(whole * unit),
    })
}

fn to_r(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.receiver {
        Value::Float(value) => match Fraction::of_float(*value) {
            Some(value) => Ok(fraction_value(value)),
            None => {
                let shown = interp.text_of(given.receiver)?;
                interp.raise(Core::FloatDomainError, shown)
            }
        },
        _ => Ok(fraction_value(own(given))),
    }
}

/// An exponent of so many digits would make a number without end.
fn check_exponent(interp: &mut Interp<'_>, text: &str) -> Flow<()> {
    let digits =
        text.to_lowercase().split('e').skip(1).map(|part| part.trim_start_matches(['-', '+', '0']).len()).max();
    if digits.is_some_and(|digits| digits > 4) {
        return interp.unsupported("a rational number with an exponent of more than four digits");
    }
    Ok(())
}

fn rational_from_text(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.own_text(given)?;
    check_exponent(interp, &text)?;
    let (value, _) = read(text.trim_start());
    Ok(fraction_value(value.unwrap_or_else(|| Fraction::from_integer(BigInt::ZERO))))
}

/// The number that a text begins with, and what stands behind it.
fn read(text: &str) -> (Option<Fraction>, &str) {
    let (above, rest) = decimal(text, true);
    let Some(above) = above else { return (None, text) };
    let Some(behind) = rest.strip_prefix('/') else { return (Some(above), rest) };
    match decimal(behind, false) {
        (Some(below), rest) if !below.0.is_zero() => {
            (Some(Fraction::from_ratio(above.0 * &below.1, above.1 * below.0)), rest)
        }
        _ => (Some(above), rest),
    }
}

/// `-1_000.25e3`
fn decimal(text: &str, signed: bool) -> (Option<Fraction>, &str) {
    let (negative, bare) = match text.strip_prefix(['-', '+']).filter(|_| signed) {
        Some(bare) => (text.starts_with('-'), bare),
        None => (false, text),
    };
    let run = |text: &str| {
        let bytes = text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        (0..bytes.len()).take_while(|at| is_digit(*at) || *at > 0 && bytes[*at] == b'_' && is_digit(at + 1)).count()
    };
    let end = run(bare);
    if end == 0 {
        return (None, text);
    }
    let (mut digits, mut rest) = (bare[..end].replace('_', ""), &bare[end..]);
    let mut power = 0i64;
    if let Some(behind) = rest.strip_prefix('.')
        && run(behind) > 0
    {
        let end = run(behind);
        let part = behind[..end].replace('_', "");
        power -= part.len() as i64;
        digits.push_str(&part);
        rest = &behind[end..];
    }
    if let Some(behind) = rest.strip_prefix(['e', 'E']) {
        let bare = behind.strip_prefix(['-', '+']).unwrap_or(behind);
        let end = run(bare);
        if let Ok(exponent) = bare[..end].parse::<i64>() {
            power += if behind.starts_with('-') { -exponent } else { exponent };
            rest = &bare[end..];
        }
    }
    let whole: BigInt = digits.parse().unwrap_or_default();
    let whole = if negative { -whole } else { whole };
    let unit = BigInt::from(10).pow(power.unsigned_abs().min(10_000) as u32);
    (Some(if power < 0 { Fraction::from_ratio(whole, unit) } else { Fraction::from_integer(whole * unit) }), rest)
}

/// `Rational(1, 3)`, `Rational("0.75")`
fn rational(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let quiet = is_quiet(given);
    let args: Vec<&Value> = given.args.iter().filter(|arg| !matches!(arg, Value::Hash(_))).collect();
    let mut parts = Vec::with_capacity(2);
    for arg in args {
        let part = match arg {
            Value::Float(value) => Fraction::of_float(*value),
            Value::String(text) => {
                let text = interp.str_of(text)?;
                check_exponent(interp, &text)?;
                match read(text.trim()) {
                    (Some(value), "") => Some(value),
                    _ if quiet => None,
                    _ => {
                        let shown = interp.inspect(arg)?;
                        return interp.raise(Core::ArgumentError, format!("invalid value for convert(): {shown}"));
                    }
                }
            }
            other => fraction_of(other),
        };
        match part {
            Some(part) => parts.push(part),
            None if quiet => return Ok(Value::Nil),
            None => {
                let of = interp.conversion_name(arg);
                return interp.raise(Core::TypeError, format!("can't convert {of} into Rational"));
            }
        }
    }
    match <[Fraction; 2]>::try_from(parts) {
        Ok([_, below]) if below.0.is_zero() => interp.raise(Core::ZeroDivisionError, "divided by 0"),
        Ok([above, below]) => Ok(fraction_value(Fraction::from_ratio(above.0 * below.1, above.1 * below.0))),
        Err(mut parts) => Ok(parts.pop().map_or(Value::Nil, fraction_value)),
    }
}

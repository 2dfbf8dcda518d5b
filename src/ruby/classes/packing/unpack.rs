//! `unpack`: what lies in bytes, as a list.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};

use super::armour;
use super::template::{Count, Directive, Number, Template};
use crate::class::Core;
use crate::classes::string::with_text;
use crate::interp::{CallArguments, Interp};
use crate::stop::Flow;
use crate::text::{Encoding, Text};
use crate::value::Value;

/// With a block each value is handed to it.
pub(super) fn unpack(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let found = found(interp, given, false)?;
    let Some(block) = given.block else { return Ok(Value::array(found)) };
    for value in found {
        interp.yield_one(block, value)?;
    }
    Ok(Value::Nil)
}

pub(super) fn unpack_one(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(found(interp, given, true)?.into_iter().next().unwrap_or_default())
}

/// All of it, or what stands first.
fn found(interp: &mut Interp<'_>, given: &CallArguments<'_>, only_first: bool) -> Flow<Vec<Value>> {
    let template = interp.text_arg(given.arg(0))?;
    let bytes: Vec<u8> = with_text(given, |text| text.bytes().to_vec());
    let at = offset(interp, given, bytes.len())?;
    let mut unpacking = Unpacking { bytes: &bytes, at, found: Vec::new() };
    let mut directives = Template::new(&template);
    while let Some(directive) = directives.next(interp)? {
        unpacking.one(interp, &directive, &template)?;
        interp.check_count(unpacking.found.len())?;
        if only_first && !unpacking.found.is_empty() {
            break;
        }
    }
    Ok(unpacking.found)
}

fn offset(interp: &mut Interp<'_>, given: &CallArguments<'_>, length: usize) -> Flow<usize> {
    let Some(options) = given.args.get(1) else { return Ok(0) };
    let Value::Hash(options) = options else {
        return interp.raise(Core::ArgumentError, "wrong number of arguments (given 2, expected 1)");
    };
    let Some(offset) = options.get_symbol("offset") else { return Ok(0) };
    let offset = interp.int_arg(&offset)?;
    match usize::try_from(offset) {
        Err(_) => interp.raise(Core::ArgumentError, "offset can't be negative"),
        Ok(offset) if offset > length => interp.raise(Core::ArgumentError, "offset outside of string"),
        Ok(offset) => Ok(offset),
    }
}

struct Unpacking<'b> {
    bytes: &'b [u8],
    at: usize,
    found: Vec<Value>,
}

fn binary(bytes: &[u8]) -> Value {
    Value::String(Rc::new(Text::binary(bytes.to_vec())))
}

fn ascii(bytes: Vec<u8>) -> Value {
    Value::String(Rc::new(Text::with_encoding(Encoding::UsAscii, bytes)))
}

impl<'b> Unpacking<'b> {
    fn one(&mut self, interp: &mut Interp<'_>, directive: &Directive, template: &str) -> Flow<()> {
        if let Some(number) = directive.number() {
            return self.numbers(interp, directive.count, number);
        }
        let rest = self.rest();
        match directive.letter {
            'a' | 'A' | 'Z' => self.text(directive),
            'B' | 'b' | 'H' | 'h' => self.digits(interp, directive)?,
            'U' => {
                let wanted = directive.count.times(usize::MAX);
                let (numbers, taken) = match numbers_of_letters(rest, wanted) {
                    Ok(all) => all,
                    Err(message) => return interp.raise(Core::ArgumentError, message),
                };
                self.at += taken;
                self.found.extend(numbers.into_iter().map(Value::Int));
            }
            'w' => self.compressed(directive.count),
            'm' => {
                let decoded = match directive.count {
                    Count::Times(0) => armour::decode_base64(rest),
                    _ => Some(armour::decode_any_base64(rest)),
                };
                let Some(decoded) = decoded else { return interp.raise(Core::ArgumentError, "invalid base64") };
                self.whole(&decoded);
            }
            'M' => self.whole(&armour::decode_quoted_printable(rest)),
            'u' => self.whole(&armour::decode_uu(rest)),
            'x' | 'X' | '@' => self.moved(interp, directive)?,
            '%' => return interp.raise(Core::ArgumentError, "% is not supported"),
            'p' | 'P' => return interp.unsupported(format!("unpack({template:?})")),
            // Ruby only warns of it.
            _ => {}
        }
        Ok(())
    }

    fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    /// What takes all that is left.
    fn whole(&mut self, decoded: &[u8]) {
        self.found.push(binary(decoded));
        self.at = self.bytes.len();
    }

    fn text(&mut self, directive: &Directive) {
        let rest = self.rest();
        let taken = &rest[..directive.count.times(rest.len()).min(rest.len())];
        let (shown, step) = match directive.letter {
            'A' => (trimmed(taken), taken.len()),
            'Z' => {
                let end = taken.iter().position(|byte| *byte == 0);
                let behind = end.map_or(taken.len(), |end| end + 1);
                let step = if directive.count == Count::All { behind } else { taken.len() };
                (&taken[..end.unwrap_or(taken.len())], step)
            }
            _ => (taken, taken.len()),
        };
        self.found.push(binary(shown));
        self.at += step;
    }

    /// Bits or hexadecimal digits, from the upper or the lower end of each byte.
    fn digits(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        let (units, bits) = if directive.letter.eq_ignore_ascii_case(&'b') { (8, 1) } else { (2, 4) };
        let from_below = directive.letter.is_ascii_lowercase();
        let rest = self.rest();
        let wanted = directive.count.times(usize::MAX).min(rest.len() * units);
        interp.check_bytes(wanted)?;
        let digit = |at: usize| {
            let place = if from_below { at % units } else { units - 1 - at % units };
            let value = rest[at / units] >> (bits * place) & if bits == 1 { 1 } else { 15 };
            b"0123456789abcdef"[usize::from(value)]
        };
        self.found.push(ascii((0..wanted).map(digit).collect()));
        self.at += wanted.div_ceil(units);
        Ok(())
    }

    /// For numbers that are wanted and not there, nil.
    fn numbers(&mut self, interp: &mut Interp<'_>, count: Count, number: Number) -> Flow<()> {
        let there = self.rest().len() / number.bytes;
        let wanted = count.times(there);
        interp.check_count(wanted)?;
        for bytes in self.rest().chunks_exact(number.bytes).take(wanted) {
            let mut bytes = bytes.to_vec();
            if number.is_big_endian {
                bytes.reverse();
            }
            self.found.push(
                match (number.is_float, <[u8; 8]>::try_from(&bytes[..]), <[u8; 4]>::try_from(&bytes[..])) {
                    (true, Ok(bytes), _) => Value::Float(f64::from_le_bytes(bytes)),
                    (true, _, Ok(bytes)) => Value::Float(f32::from_le_bytes(bytes).into()),
                    _ if number.is_signed => Value::big(BigInt::from_signed_bytes_le(&bytes)),
                    _ => Value::big(BigInt::from_bytes_le(Sign::Plus, &bytes)),
                },
            );
        }
        self.at += there.min(wanted) * number.bytes;
        self.found.extend(std::iter::repeat_n(Value::Nil, wanted.saturating_sub(there)));
        Ok(())
    }

    fn compressed(&mut self, count: Count) {
        let mut remaining = count.times(usize::MAX);
        let mut digits = Vec::new();
        while let Some(&byte) = self.bytes.get(self.at).filter(|_| remaining > 0) {
            self.at += 1;
            digits.push(byte & 0x7f);
            if byte < 0x80 {
                let number = BigInt::from_radix_be(Sign::Plus, &digits, 128).unwrap_or_default();
                self.found.push(Value::big(number));
                digits.clear();
                remaining -= 1;
            }
        }
    }

    fn moved(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        let remaining = self.rest().len();
        let count = match (directive.letter, directive.count) {
            ('@', Count::Once) => 0,
            (_, count) => count.times(remaining),
        };
        let moved = match directive.letter {
            'x' if count <= remaining => self.at + count,
            'X' if count <= self.at => self.at - count,
            '@' if count <= self.bytes.len() => count,
            letter => return interp.raise(Core::ArgumentError, format!("{letter} outside of string")),
        };
        self.at = moved;
        Ok(())
    }
}

/// Without the blanks and nul bytes at the end.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !matches!(byte, b' ' | 0)).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// Returns what UTF-8 was once meant for, up to six bytes a letter, whether or not Unicode has the letter.
fn numbers_of_letters(bytes: &[u8], most: usize) -> Result<(Vec<i64>, usize), String> {
    const MALFORMED: &str = "malformed UTF-8 character";
    let mut numbers = Vec::new();
    let mut remaining = bytes;
    while let [first, rest @ ..] = remaining {
        if numbers.len() == most {
            break;
        }
        let more = match first.leading_ones() {
            0 => 0,
            ones @ 2..=6 => ones as usize - 1,
            _ => return Err(MALFORMED.to_owned()),
        };
        let Some(others) = rest.get(..more) else {
            return Err(format!("{MALFORMED} (expected {} bytes, given {} bytes)", more + 1, remaining.len()));
        };
        if !others.iter().all(|byte| byte.leading_ones() == 1) {
            return Err(MALFORMED.to_owned());
        }
        let bits = if more == 0 { *first } else { first & (0x3F >> more) };
        let number = others.iter().fold(i64::from(bits), |number, byte| number << 6 | i64::from(byte & 0x3F));
        // The smallest number that needs so many bytes.
        let least = [0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][more];
        if number < least {
            return Err("redundant UTF-8 sequence".to_owned());
        }
        numbers.push(number);
        remaining = &rest[more..];
    }
    Ok((numbers, bytes.len() - remaining.len()))
}

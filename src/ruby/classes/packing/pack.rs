//! `pack`: a list as bytes.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Signed;

use super::armour;
use super::template::{Count, Directive, Number, Template};
use crate::class::Core;
use crate::classes::array::own;
use crate::classes::bits::whole_arg;
use crate::classes::libraries::bytes_of;
use crate::interp::{CallArguments, Interp, float_of};
use crate::stop::Flow;
use crate::text::{Encoding, Text};
use crate::value::Value;

/// What has been packed, and what is to be.
struct Packing<'v> {
    rest: std::slice::Iter<'v, Value>,
    bytes: Vec<u8>,
    /// What is nothing but mail's letters is ASCII; what begins with letters is UTF-8; all else are mere bytes.
    encoding: Encoding,
}

pub(super) fn pack(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let template = interp.text_arg(given.arg(0))?;
    let items = own(given);
    let mut packing = Packing { rest: items.iter(), bytes: Vec::new(), encoding: Encoding::UsAscii };
    let mut directives = Template::new(&template);
    while let Some(directive) = directives.next(interp)? {
        packing.encoding = match (directive.letter, packing.encoding) {
            ('m' | 'M' | 'u', before) => before,
            ('U', Encoding::UsAscii | Encoding::Utf8) => Encoding::Utf8,
            _ => Encoding::Binary,
        };
        packing.one(interp, &directive, &template)?;
        interp.check_bytes(packing.bytes.len())?;
    }
    Ok(Value::String(Rc::new(Text::with_encoding(packing.encoding, packing.bytes))))
}

impl<'v> Packing<'v> {
    fn one(&mut self, interp: &mut Interp<'_>, directive: &Directive, template: &str) -> Flow<()> {
        if let Some(number) = directive.number() {
            return self.numbers(interp, directive, number);
        }
        match directive.letter {
            'U' => self.letters(interp, directive),
            'w' => self.compressed(interp, directive),
            'a' | 'A' | 'Z' | 'B' | 'b' | 'H' | 'h' => self.text(interp, directive),
            'm' | 'M' | 'u' => self.armoured(interp, directive),
            'x' | 'X' | '@' => self.moved(interp, directive),
            '%' => interp.raise(Core::ArgumentError, "% is not supported"),
            'p' | 'P' => interp.unsupported(format!("pack({template:?})")),
            // Ruby only warns of it.
            _ => Ok(()),
        }
    }

    fn next(&mut self, interp: &mut Interp<'_>) -> Flow<&'v Value> {
        match self.rest.next() {
            Some(value) => Ok(value),
            None => interp.raise(Core::ArgumentError, "too few arguments"),
        }
    }

    fn filled(&mut self, interp: &mut Interp<'_>, count: usize, with: u8) -> Flow<()> {
        let length = self.bytes.len().saturating_add(count);
        interp.check_bytes(length)?;
        self.bytes.resize(length, with);
        Ok(())
    }

    fn letters(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        for _ in 0..directive.count.times(self.rest.len()) {
            let value = self.next(interp)?;
            let whole = Value::big(whole_arg(interp, value)?);
            let number = interp.int_arg(&whole)?;
            if number < 0 {
                return interp.raise(Core::RangeError, "pack(U): value out of range");
            }
            let Some(letter) = u32::try_from(number).ok().and_then(char::from_u32) else {
                return interp.unsupported(format!("pack of {number} as a letter"));
            };
            self.bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
        }
        Ok(())
    }

    /// Of an integer that is too large the lower bytes.
    fn numbers(&mut self, interp: &mut Interp<'_>, directive: &Directive, number: Number) -> Flow<()> {
        for _ in 0..directive.count.times(self.rest.len()) {
            let value = self.next(interp)?;
            let mut bytes = if number.is_float {
                let Some(float) = float_of(value) else {
                    let of = interp.conversion_name(value);
                    return interp.raise(Core::TypeError, format!("can't convert {of} into Float"));
                };
                if number.bytes == 4 { (float as f32).to_le_bytes().to_vec() } else { float.to_le_bytes().to_vec() }
            } else {
                let whole = whole_arg(interp, value)?;
                let mut bytes = whole.to_signed_bytes_le();
                bytes.resize(number.bytes, if whole.is_negative() { u8::MAX } else { 0 });
                bytes
            };
            if number.is_big_endian {
                bytes.reverse();
            }
            self.bytes.extend(bytes);
        }
        Ok(())
    }

    /// Seven bits a byte; all but the last byte of a number have the eighth.
    fn compressed(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        for _ in 0..directive.count.times(self.rest.len()) {
            let value = self.next(interp)?;
            let mut number: BigInt = whole_arg(interp, value)?;
            if number.is_negative() {
                return interp.raise(Core::ArgumentError, "can't compress negative numbers");
            }
            let mut bytes = Vec::new();
            loop {
                let low = number.iter_u32_digits().next().unwrap_or(0) as u8 & 0x7f;
                bytes.push(if bytes.is_empty() { low } else { low | 0x80 });
                number >>= 7;
                if number == BigInt::ZERO {
                    break;
                }
            }
            self.bytes.extend(bytes.iter().rev());
        }
        Ok(())
    }

    /// A text, cut or filled up to a length; bits; digits.
    fn text(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        let value = self.next(interp)?;
        let given = if value.is_nil() { Vec::new() } else { bytes_of(interp, value)? };
        let wanted = directive.count.times(given.len());
        let taken = &given[..given.len().min(wanted)];
        let units = match directive.letter {
            'B' | 'b' => 8,
            'H' | 'h' => 2,
            letter => {
                self.bytes.extend(taken);
                let filler = if letter == 'A' { b' ' } else { 0 };
                let more = wanted - taken.len() + usize::from(letter == 'Z' && directive.count == Count::All);
                return self.filled(interp, more, filler);
            }
        };
        let from_below = directive.letter.is_ascii_lowercase();
        for byte in taken.chunks(units) {
            let parts = byte.iter().enumerate().map(|(at, digit)| {
                let at = if from_below { at } else { units - 1 - at };
                if units == 8 { (digit & 1) << at } else { nibble(*digit) << (4 * at) }
            });
            self.bytes.push(parts.fold(0, |byte, part| byte | part));
        }
        // Ruby counts what remains in a way of its own.
        let more = match units {
            _ if wanted <= given.len() => 0,
            8 => (wanted - given.len()).div_ceil(2),
            _ => wanted.div_ceil(2) - given.len().div_ceil(2),
        };
        self.filled(interp, more, 0)
    }

    fn armoured(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        let value = self.next(interp)?;
        let given = match (directive.letter, value) {
            ('M', value) if !matches!(value, Value::String(_)) => interp.text_of(value)?.into_bytes(),
            _ => bytes_of(interp, value)?,
        };
        interp.check_bytes(self.bytes.len().saturating_add(given.len().saturating_mul(4)))?;
        match directive.letter {
            'm' => self.bytes.extend(armour::base64(&given, directive.count).into_bytes()),
            'u' => self.bytes.extend(armour::encode_uu(&given, directive.count)),
            _ => self.bytes.extend(armour::quoted_printable(&given, directive.count)),
        }
        Ok(())
    }

    fn moved(&mut self, interp: &mut Interp<'_>, directive: &Directive) -> Flow<()> {
        let (count, length) = (directive.count.times(0), self.bytes.len());
        match directive.letter {
            'x' => self.filled(interp, count, 0),
            '@' if count >= length => self.filled(interp, count - length, 0),
            '@' => {
                self.bytes.truncate(count);
                Ok(())
            }
            _ if count > length => interp.raise(Core::ArgumentError, "X outside of string"),
            _ => {
                self.bytes.truncate(length - count);
                Ok(())
            }
        }
    }
}

/// Half a byte: Ruby takes a letter that is no digit too.
fn nibble(digit: u8) -> u8 {
    let above = if digit.is_ascii_alphabetic() { 9 } else { 0 };
    ((digit & 15) + above) & 15
}

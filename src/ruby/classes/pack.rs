//! `pack`: numbers and texts as bytes, by a template of letters with counts.

use std::rc::Rc;

use super::array::own;
use super::libraries::{STANDARD, bytes_of, encoded};
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{NativeMethod, Side, Table, method};
use crate::ruby::stop::Flow;
use crate::ruby::text::Text;
use crate::ruby::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Array, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[method("pack", 1, 1, pack)];

/// How often a letter counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Once,
    Times(usize),
    /// `*`
    All,
}

/// One letter of a template.
struct Directive {
    letter: char,
    /// `<` is false, `>` is true.
    is_big_endian: Option<bool>,
    count: Count,
}

fn directives(template: &str) -> Option<Vec<Directive>> {
    let mut all = Vec::new();
    let mut letters = template.chars().filter(|letter| !letter.is_ascii_whitespace()).peekable();
    while let Some(letter) = letters.next() {
        let is_big_endian = match letters.peek() {
            Some(order @ ('<' | '>')) => Some(*order == '>'),
            _ => None,
        };
        if is_big_endian.is_some() {
            letters.next();
        }
        let mut digits = String::new();
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let count = match digits.is_empty() {
            true if letters.next_if_eq(&'*').is_some() => Count::All,
            true => Count::Once,
            false => Count::Times(digits.parse().ok()?),
        };
        all.push(Directive { letter, is_big_endian, count });
    }
    Some(all)
}

/// How many bytes a number has, and whether the most significant one comes first.
fn width(directive: &Directive) -> Option<(usize, bool)> {
    let (bytes, is_big_endian) = match directive.letter {
        'C' | 'c' => (1, false),
        'S' | 's' => (2, false),
        'L' | 'l' => (4, false),
        'Q' | 'q' => (8, false),
        'n' => (2, true),
        'N' => (4, true),
        'v' => (2, false),
        'V' => (4, false),
        _ => return None,
    };
    match (directive.is_big_endian, directive.letter) {
        (None, _) => Some((bytes, is_big_endian)),
        (Some(order), 'S' | 's' | 'L' | 'l' | 'Q' | 'q') => Some((bytes, order)),
        _ => None,
    }
}

fn pack(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let template = interp.text_arg(given.arg(0))?;
    let Some(all) = directives(&template) else { return interp.unsupported(format!("pack({template:?})")) };
    let items = own(given);
    let mut rest = items.iter();
    let mut bytes = Vec::new();
    for directive in &all {
        match directive.letter {
            'U' => letters(interp, directive, &mut rest, &mut bytes)?,
            'a' | 'A' | 'Z' | 'H' | 'h' | 'm' => {
                let value = next(interp, &mut rest)?;
                text(interp, directive, value, &mut bytes)?;
            }
            'x' => {
                let count = times(directive.count, 0);
                interp.check_bytes(bytes.len().saturating_add(count))?;
                bytes.resize(bytes.len() + count, 0);
            }
            _ => numbers(interp, directive, &template, &mut rest, &mut bytes)?,
        }
    }
    // A template that begins with `U` makes a text of letters.
    match (template.trim_start().starts_with('U'), String::from_utf8(bytes)) {
        (true, Ok(text)) => Ok(Value::text(text)),
        (_, Ok(text)) => Ok(Value::String(Rc::new(Text::binary(text.into_bytes())))),
        (_, Err(error)) => Ok(Value::String(Rc::new(Text::binary(error.into_bytes())))),
    }
}

fn times(count: Count, all: usize) -> usize {
    match count {
        Count::Once => 1,
        Count::Times(count) => count,
        Count::All => all,
    }
}

fn next<'v>(interp: &mut Interp<'_>, rest: &mut std::slice::Iter<'v, Value>) -> Flow<&'v Value> {
    match rest.next() {
        Some(value) => Ok(value),
        None => interp.raise(Core::ArgumentError, "too few arguments"),
    }
}

fn letters(
    interp: &mut Interp<'_>,
    directive: &Directive,
    rest: &mut std::slice::Iter<'_, Value>,
    bytes: &mut Vec<u8>,
) -> Flow<()> {
    for _ in 0..times(directive.count, rest.len()) {
        let value = next(interp, rest)?;
        let number = interp.int_arg(value)?;
        if number < 0 {
            return interp.raise(Core::RangeError, "pack(U): value out of range");
        }
        let Some(letter) = u32::try_from(number).ok().and_then(char::from_u32) else {
            return interp.unsupported(format!("pack of {number} as a letter"));
        };
        bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
    }
    Ok(())
}

fn numbers(
    interp: &mut Interp<'_>,
    directive: &Directive,
    template: &str,
    rest: &mut std::slice::Iter<'_, Value>,
    bytes: &mut Vec<u8>,
) -> Flow<()> {
    let Some((width, is_big_endian)) = width(directive) else {
        return interp.unsupported(format!("pack({template:?})"));
    };
    for _ in 0..times(directive.count, rest.len()) {
        let value = next(interp, rest)?;
        let number = interp.int_arg(value)?.to_be_bytes();
        let wanted = &number[number.len() - width..];
        match is_big_endian {
            true => bytes.extend(wanted),
            false => bytes.extend(wanted.iter().rev()),
        }
    }
    Ok(())
}

/// A text, cut or filled up to a length; digits; base64.
fn text(interp: &mut Interp<'_>, directive: &Directive, value: &Value, bytes: &mut Vec<u8>) -> Flow<()> {
    let given = bytes_of(interp, value)?;
    let filler = if directive.letter == 'A' { b' ' } else { 0 };
    match directive.letter {
        'm' => bytes.extend(base64(&given, directive.count).into_bytes()),
        'H' | 'h' => {
            let wanted = times(directive.count, given.len());
            let digits: Vec<u8> = given.iter().copied().take(wanted).map(nibble).collect();
            let pair = |pair: &[u8]| match (directive.letter, pair.get(1).copied().unwrap_or(0)) {
                ('H', second) => pair[0] << 4 | second,
                (_, second) => second << 4 | pair[0],
            };
            bytes.extend(digits.chunks(2).map(pair));
        }
        _ => {
            let all = given.len() + usize::from(directive.letter == 'Z');
            let wanted = times(directive.count, all);
            interp.check_bytes(bytes.len().saturating_add(wanted))?;
            bytes.extend(given.iter().copied().chain(std::iter::repeat(filler)).take(wanted));
        }
    }
    Ok(())
}

/// Half a byte: Ruby takes a letter that is no digit too.
fn nibble(digit: u8) -> u8 {
    let above = if digit.is_ascii_alphabetic() { 9 } else { 0 };
    ((digit & 15) + above) & 15
}

/// In lines of so many bytes, rounded down to groups of three; in one where it says nought.
fn base64(given: &[u8], count: Count) -> String {
    const LINE: usize = 45;
    match count {
        Count::Times(0) => encoded(given, STANDARD),
        Count::Times(count @ 3..) => lines(given, count / 3 * 3),
        _ => lines(given, LINE),
    }
}

fn lines(given: &[u8], length: usize) -> String {
    given.chunks(length).map(|line| encoded(line, STANDARD) + "\n").collect()
}

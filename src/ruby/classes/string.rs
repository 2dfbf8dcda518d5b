//! Strings: what is asked of them, and other strings made of them.

use std::rc::Rc;

use pantin_base::limits;
use pantin_base::names::sentence_case;

use super::format::percent;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, by_letters, method};
use crate::stop::Flow;
use crate::text::{Encoding, Text};
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::String, Side::Instance, METHODS), (Core::String, Side::Class, MAKE)];

const MAKE: &[NativeMethod] = &[method("new", 0, 2, |interp, given| {
    let options = match given.args.last() {
        Some(Value::Hash(options)) if given.keywords => Some(options.clone()),
        _ => None,
    };
    let made = match given.args.first() {
        Some(text @ Value::String(_)) => interp.send(text, "dup", &[])?,
        Some(Value::Hash(_)) if given.keywords => Value::String(Rc::new(Text::binary(Vec::new()))),
        None => Value::String(Rc::new(Text::binary(Vec::new()))),
        Some(other) => Value::text(interp.text_arg(other)?),
    };
    match options.and_then(|options| options.get_symbol("encoding")) {
        Some(encoding) => interp.send(&made, "force_encoding", &[encoding]),
        None => Ok(made),
    }
})];

const METHODS: &[NativeMethod] = &[
    method("to_s", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_str", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("to_sym", 0, 0, to_sym),
    method("intern", 0, 0, to_sym),
    by_letters("to_i", 0, 1, to_i),
    by_letters("hex", 0, 0, |interp, given| {
        let text = interp.own_text(given)?;
        Ok(leading_integer(text.trim_start_matches("0x").trim_start_matches("0X"), 16))
    }),
    by_letters("oct", 0, 0, |interp, given| {
        let text = interp.own_text(given)?.to_lowercase();
        let digits = text.trim_start_matches(['-', '+', ' ']);
        let radix = match digits.get(..2) {
            Some("0x") => 16,
            Some("0b") => 2,
            _ => 8,
        };
        Ok(leading_integer(&text, radix))
    }),
    by_letters("to_f", 0, 0, to_f),
    method("length", 0, 0, length),
    method("size", 0, 0, length),
    method("bytesize", 0, 0, |_, given| Ok(with_text(given, |text| text.bytes().len()).into())),
    method("empty?", 0, 0, |_, given| Ok((with_text(given, |text| text.bytes().len()) == 0).into())),
    method("==", 1, 1, |interp, given| Ok(interp.equal(given.receiver, given.arg(0))?.into())),
    method("===", 1, 1, |interp, given| Ok(interp.equal(given.receiver, given.arg(0))?.into())),
    method("<=>", 1, 1, super::scalar::order_value),
    method("+", 1, 1, add),
    by_letters("*", 1, 1, repeat),
    method("%", 1, 1, percent),
    by_letters("upcase", 0, 1, |interp, given| cased(interp, given, str::to_uppercase, str::to_ascii_uppercase)),
    by_letters("downcase", 0, 1, |interp, given| cased(interp, given, str::to_lowercase, str::to_ascii_lowercase)),
    by_letters("capitalize", 0, 1, |interp, given| cased(interp, given, sentence_case, sentence_case_ascii)),
    by_letters("swapcase", 0, 1, |interp, given| cased(interp, given, swapped, swapped_ascii)),
    by_letters("strip", 0, 0, |interp, given| stripped(interp, given, true, true)),
    by_letters("lstrip", 0, 0, |interp, given| stripped(interp, given, true, false)),
    by_letters("rstrip", 0, 0, |interp, given| stripped(interp, given, false, true)),
    by_letters("chomp", 0, 1, |interp, given| {
        let text = interp.own_text(given)?;
        Ok(Value::text(chomped(interp, &text, given)?))
    }),
    method("chop", 0, 0, chop),
    by_letters("chr", 0, 0, |interp, given| mapped(interp, given, |text| text.chars().take(1).collect())),
    by_letters("reverse", 0, 0, |interp, given| mapped(interp, given, |text| text.chars().rev().collect())),
    by_letters("succ", 0, 0, successor),
    by_letters("next", 0, 0, successor),
    by_letters("ljust", 1, 2, |interp, given| justified(interp, given, Side3::Left)),
    by_letters("rjust", 1, 2, |interp, given| justified(interp, given, Side3::Right)),
    by_letters("center", 1, 2, |interp, given| justified(interp, given, Side3::Both)),
    method("start_with?", 0, ANY, start_with),
    method("end_with?", 0, ANY, end_with),
    by_letters("include?", 1, 1, |interp, given| {
        let text = interp.own_text(given)?;
        Ok(text.contains(&interp.text_arg(given.arg(0))?).into())
    }),
    by_letters("delete_prefix", 1, 1, |interp, given| {
        let (text, prefix) = (interp.own_text(given)?, interp.text_arg(given.arg(0))?);
        Ok(Value::text(text.strip_prefix(&prefix).unwrap_or(&text)))
    }),
    by_letters("delete_suffix", 1, 1, |interp, given| {
        let (text, suffix) = (interp.own_text(given)?, interp.text_arg(given.arg(0))?);
        Ok(Value::text(text.strip_suffix(&suffix).unwrap_or(&text)))
    }),
    method("casecmp", 1, 1, |interp, given| {
        let (bytes, other) = (own_bytes(given), bytes_arg(interp, given.arg(0))?);
        Ok(Value::Int(bytes.to_ascii_lowercase().cmp(&other.to_ascii_lowercase()) as i64))
    }),
    by_letters("casecmp?", 1, 1, |interp, given| {
        let (text, other) = (interp.own_text(given)?, interp.text_arg(given.arg(0))?);
        check_case(interp, &text)?;
        check_case(interp, &other)?;
        Ok((text.to_lowercase() == other.to_lowercase()).into())
    }),
    by_letters("ord", 0, 0, |interp, given| match interp.own_text(given)?.chars().next() {
        Some(first) if super::broken::stands_in(first) => invalid(interp),
        Some(first) => Ok(Value::Int(i64::from(u32::from(first)))),
        None => interp.raise(Core::ArgumentError, "empty string"),
    }),
    method("sum", 0, 1, |interp, given| {
        let bits = if given.args.is_empty() { 16 } else { interp.int_arg(given.arg(0))? };
        let mask = if (1..63).contains(&bits) { (1 << bits) - 1 } else { i64::MAX };
        Ok(with_text(given, |text| text.bytes().iter().map(|byte| i64::from(*byte)).sum::<i64>() & mask).into())
    }),
    method("ascii_only?", 0, 0, |_, given| {
        Ok(with_text(given, |text| text.encoding().has_ascii() && text.bytes().is_ascii()).into())
    }),
    method("dump", 0, 0, dump),
    method("+@", 0, 0, |interp, given| {
        let frozen = with_text(given, |text| text.frozen.get());
        if frozen { interp.send(given.receiver, "dup", &[]) } else { Ok(given.receiver.clone()) }
    }),
    method("-@", 0, 0, |interp, given| interp.send(given.receiver, "freeze", &[])),
];

/// Looks at the text that a method is called on.
pub(super) fn with_text<T: Default>(given: &CallArguments<'_>, look: impl FnOnce(&Text) -> T) -> T {
    match given.receiver {
        Value::String(text) => look(text),
        _ => T::default(),
    }
}

fn mapped(interp: &mut Interp<'_>, given: &CallArguments<'_>, map: fn(String) -> String) -> Flow {
    Ok(Value::text(map(interp.own_text(given)?)))
}

/// That a text is no UTF-8, where Ruby has to know a letter.
fn invalid<T>(interp: &mut Interp<'_>) -> Flow<T> {
    interp.raise(Core::ArgumentError, "invalid byte sequence in UTF-8")
}

fn to_sym(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if with_text(given, super::encode::is_broken) {
        let shown = interp.inspect(given.receiver)?;
        return interp.raise(Core::EncodingError, format!("invalid symbol in encoding UTF-8 :{shown}"));
    }
    Ok(Value::Symbol(interp.own_text(given)?.into()))
}

fn own_bytes(given: &CallArguments<'_>) -> Vec<u8> {
    match given.receiver {
        Value::String(text) => text.bytes().to_vec(),
        Value::Symbol(name) => name.as_bytes().to_vec(),
        _ => Vec::new(),
    }
}

fn bytes_arg(interp: &mut Interp<'_>, value: &Value) -> Flow<Vec<u8>> {
    match value {
        Value::String(text) => Ok(text.bytes().to_vec()),
        other => Ok(interp.text_arg(other)?.into_bytes()),
    }
}

/// Small and capital letters, of all or of those of ASCII alone.
fn cased(
    interp: &mut Interp<'_>,
    given: &CallArguments<'_>,
    all: fn(&str) -> String,
    ascii: fn(&str) -> String,
) -> Flow {
    let text = interp.own_text(given)?;
    match given.arg(0) {
        Value::Nil if given.args.is_empty() => {
            check_case(interp, &text)?;
            Ok(Value::text(all(&text)))
        }
        Value::Symbol(option) if option == "ascii" => Ok(Value::text(ascii(&text))),
        Value::Symbol(option) if option == "fold" && given.name != "downcase" => {
            interp.raise(Core::ArgumentError, "option :fold only allowed for downcasing")
        }
        Value::Symbol(option) if matches!(option.as_str(), "fold" | "turkic" | "lithuanian") => {
            interp.unsupported(format!("the option {option} of String#{}", given.name))
        }
        _ => interp.raise(Core::ArgumentError, "invalid option"),
    }
}

fn check_case(interp: &mut Interp<'_>, text: &str) -> Flow<()> {
    match text.chars().any(super::broken::stands_in) {
        true => interp.raise(Core::ArgumentError, "input string invalid"),
        false => Ok(()),
    }
}

/// Ruby has to know the letters at which it stops.
fn stripped(interp: &mut Interp<'_>, given: &CallArguments<'_>, left: bool, right: bool) -> Flow {
    let text = interp.own_text(given)?;
    let stripped = strip(&text, left, right);
    let is_broken = |letter: Option<char>| letter.is_some_and(super::broken::stands_in);
    if left && is_broken(stripped.chars().next()) || right && is_broken(stripped.chars().next_back()) {
        return invalid(interp);
    }
    Ok(Value::text(stripped))
}

fn length(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let bytes = with_text(given, super::encode::fixed_length);
    match bytes {
        Some(count) => Ok(count.into()),
        None if with_text(given, super::encode::is_broken) => {
            Ok(with_text(given, super::encode::broken_letters).len().into())
        }
        None => Ok(interp.own_text(given)?.chars().count().into()),
    }
}

/// Returns the integer that a text begins with; nought where there is none.
fn leading_integer(text: &str, radix: u32) -> Value {
    let text = text.trim_start();
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    // Without a radix its prefix says it.
    let radix = match (radix, digits.as_bytes()) {
        (0, [b'0', b'x' | b'X', ..]) => 16,
        (0, [b'0', b'b' | b'B', ..]) => 2,
        (0, [b'0', b'd' | b'D', ..]) => 10,
        (0, [b'0', ..]) => 8,
        (0, _) => 10,
        (radix, _) => radix,
    };
    let prefix = match radix {
        16 => ["0x", "0X"],
        2 => ["0b", "0B"],
        8 => ["0o", "0O"],
        10 => ["0d", "0D"],
        _ => ["\0", "\0"],
    };
    let digits = prefix.iter().find_map(|prefix| digits.strip_prefix(prefix)).unwrap_or(digits);
    let mut kept = String::new();
    let mut letters = digits.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_digit(radix) {
            kept.push(letter);
        } else if !(letter == '_' && !kept.is_empty() && letters.peek().is_some_and(|next| next.is_digit(radix))) {
            break;
        }
        if kept.len() > limits::NUMBER_DIGITS {
            break;
        }
    }
    let value = num_bigint::BigInt::parse_bytes(kept.as_bytes(), radix).unwrap_or_default();
    Value::big(if negative { -value } else { value })
}

fn to_i(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.own_text(given)?;
    let radix = match given.args.first() {
        Some(radix) => interp.int_arg(radix)?,
        None => 10,
    };
    match u32::try_from(radix) {
        Ok(radix @ (0 | 2..=36)) => Ok(leading_integer(&text, radix)),
        _ => interp.raise(Core::ArgumentError, format!("invalid radix {radix}")),
    }
}

fn to_f(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.own_text(given)?;
    // One underscore may stand between two digits; two are the end.
    let text = text.trim_start().split("__").next().unwrap_or_default().replace('_', "");
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(usize::from(matches!(bytes.first(), Some(b'-' | b'+'))));
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        if bytes.get(sign).is_some_and(u8::is_ascii_digit) {
            end = digits(sign);
        }
    }
    Ok(Value::Float(text[..end].parse().unwrap_or(0.0)))
}

fn add(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::String(left) = given.receiver else { return Ok(Value::Nil) };
    let right = interp.whole_text_arg(given.arg(0))?;
    let sum = Text::new(String::new());
    sum.set_content(left.content());
    super::encode::join(interp, &sum, &right)?;
    interp.check_bytes(sum.bytes().len())?;
    Ok(Value::String(Rc::new(sum)))
}

/// As a source in ASCII would have it.
fn dump(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if let Value::String(text) = given.receiver
        && !text.encoding().has_ascii()
    {
        let bytes = Value::String(Rc::new(Text::binary(text.bytes().to_vec())));
        let shown = interp.inspect(&bytes)?;
        return Ok(Value::text(format!("{shown}.dup.force_encoding(\"{}\")", text.encoding().name())));
    }
    let shown = interp.inspect(given.receiver)?;
    if given_encoding(given) != Encoding::Utf8 {
        return Ok(Value::text(shown));
    }
    let mut text = String::with_capacity(shown.len());
    for letter in shown.chars() {
        match u32::from(letter) {
            0..0x80 => text.push(letter),
            code @ 0x80..0x1_0000 => text.push_str(&format!("\\u{code:04X}")),
            code => text.push_str(&format!("\\u{{{code:X}}}")),
        }
    }
    // Of ASCII each is a byte.
    let mut dumped = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('\\') {
        dumped.push_str(&rest[..at]);
        let (escape, behind) = rest[at..].split_at(2);
        let hex = behind.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        rest = behind;
        match hex {
            Some(code @ 0..0x80) if escape == "\\u" => {
                dumped.push_str(&format!("\\x{code:02X}"));
                rest = &behind[4..];
            }
            _ => dumped.push_str(escape),
        }
    }
    Ok(Value::text(dumped + rest))
}

fn given_encoding(given: &CallArguments<'_>) -> Encoding {
    match given.receiver {
        Value::String(text) => text.encoding(),
        _ => Encoding::Utf8,
    }
}

fn repeat(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let count = interp.int_arg(given.arg(0))?;
    let text = interp.own_text(given)?;
    match usize::try_from(count) {
        Ok(count) => {
            interp.check_bytes(text.len().saturating_mul(count))?;
            Ok(Value::text(text.repeat(count)))
        }
        Err(_) => interp.raise(Core::ArgumentError, "negative argument"),
    }
}

fn sentence_case_ascii(text: &str) -> String {
    let mut text = text.to_ascii_lowercase();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

fn swapped_ascii(text: &str) -> String {
    let swap = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    text.chars().map(swap).collect()
}

fn swapped(text: &str) -> String {
    let swap = |letter: char| -> String {
        if letter.is_uppercase() { letter.to_lowercase().collect() } else { letter.to_uppercase().collect() }
    };
    text.chars().map(swap).collect()
}

/// Without white space, and at the end without NUL, as Ruby counts it.
fn strip(text: &str, left: bool, right: bool) -> &str {
    let space = |ch: char| matches!(ch, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\0');
    let text = if left { text.trim_start_matches(space) } else { text };
    if right { text.trim_end_matches(space) } else { text }
}

fn chomped(interp: &mut Interp<'_>, text: &str, given: &CallArguments<'_>) -> Flow<String> {
    Ok(match given.args.first() {
        None => text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text).to_owned(),
        Some(Value::Nil) => text.to_owned(),
        Some(end) => {
            let end = interp.text_arg(end)?;
            if end.is_empty() {
                text.trim_end_matches(['\n', '\r']).to_owned()
            } else {
                text.strip_suffix(&end).unwrap_or(text).to_owned()
            }
        }
    })
}

/// Without its last letter. Half a letter goes with the one before: Ruby looks back for a byte that begins one.
fn chop(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (bytes, encoding) = (own_bytes(given), given_encoding(given));
    let rest = match encoding {
        _ if bytes.ends_with(b"\r\n") && encoding.has_ascii() => bytes.len() - 2,
        Encoding::Utf8 => bytes.iter().rposition(begins_letter).unwrap_or(0),
        _ if encoding.has_ascii() => bytes.len().saturating_sub(1),
        _ => return interp.unsupported(format!("to look at the letters of a text in {}", encoding.name())),
    };
    Ok(Value::String(Rc::new(Text::with_encoding(encoding, bytes[..rest].to_vec()))))
}

/// In UTF-8.
fn begins_letter(byte: &u8) -> bool {
    !(0x80..0xC0).contains(byte)
}

fn successor(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = interp.own_text(given)?;
    if text.chars().any(super::broken::stands_in) && !text.chars().any(char::is_alphanumeric) {
        return interp.unsupported("what comes after a text that is no UTF-8, and has no letters");
    }
    Ok(Value::text(super::successor(&text)))
}

#[derive(Clone, Copy)]
enum Side3 {
    Left,
    Right,
    Both,
}

fn justified(interp: &mut Interp<'_>, given: &CallArguments<'_>, side: Side3) -> Flow {
    let text = interp.own_text(given)?;
    let width = interp.int_arg(given.arg(0))?;
    let pad = match given.args.get(1) {
        Some(pad) => interp.text_arg(pad)?,
        None => " ".to_owned(),
    };
    if pad.is_empty() {
        return interp.raise(Core::ArgumentError, "zero width padding");
    }
    let fill = usize::try_from(width).unwrap_or(0).saturating_sub(text.chars().count());
    interp.check_bytes(text.len().saturating_add(fill.saturating_mul(4)))?;
    let padding = |count: usize| pad.chars().cycle().take(count).collect::<String>();
    Ok(Value::text(match side {
        Side3::Left => text + &padding(fill),
        Side3::Right => padding(fill) + &text,
        Side3::Both => padding(fill / 2) + &text + &padding(fill - fill / 2),
    }))
}

fn start_with(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    for start in given.args {
        let hit = match start {
            Value::Regex(regex) => {
                let text = interp.own_text(given)?;
                let found = interp
                    .find(regex, &text, 0)?
                    .filter(|found| found.captures.get(0).is_some_and(|(from, _)| from == 0));
                interp.set_matched(given.frame, found.as_ref());
                found.is_some()
            }
            // Byte by byte: half a letter is a start too.
            other => own_bytes(given).starts_with(&bytes_arg(interp, other)?),
        };
        if hit {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// Byte by byte too, but a letter is not cut.
fn end_with(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let bytes = own_bytes(given);
    for end in given.args {
        let end = bytes_arg(interp, end)?;
        let is_cut = |at: usize| at > 0 && !bytes.get(at).is_none_or(begins_letter);
        if bytes.ends_with(&end) && !is_cut(bytes.len() - end.len()) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

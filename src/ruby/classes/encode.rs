//! Encodings: what a string's bytes are read as, and strings made of it in another one. Ruby's others are refused.

use std::rc::Rc;

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::text::{Content, Encoding, Text};
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::String, Side::Instance, OF_STRINGS),
    (Core::Encoding, Side::Instance, METHODS),
    (Core::Encoding, Side::Class, OF_CLASS),
];

const OF_STRINGS: &[NativeMethod] = &[
    method("encoding", 0, 0, |_, given| Ok(object(own(given).encoding()))),
    method("force_encoding", 1, 1, force_encoding),
    method("valid_encoding?", 0, 0, |_, given| Ok(is_valid(&own(given)).into())),
    method("encode", 0, ANY, |interp, given| {
        let made = encode(interp, given)?;
        Ok(Value::String(Rc::new(made)))
    }),
    method("encode!", 0, ANY, |interp, given| {
        let made = encode(interp, given)?;
        changed(interp, given, made.content())
    }),
    method("scrub", 0, 1, |interp, given| Ok(Value::String(Rc::new(scrub(interp, given)?)))),
    method("scrub!", 0, 1, |interp, given| {
        let made = scrub(interp, given)?;
        changed(interp, given, made.content())
    }),
    method("b", 0, 0, |_, given| Ok(Value::String(Rc::new(Text::binary(own(given).bytes().to_vec()))))),
];

const METHODS: &[NativeMethod] = &[
    method("name", 0, 0, name),
    method("to_s", 0, 0, name),
    method("inspect", 0, 0, |interp, given| {
        Ok(Value::text(format!("#<Encoding:{}>", of_value(interp, given.receiver)?.name())))
    }),
    method("ascii_compatible?", 0, 0, |interp, given| Ok(of_value(interp, given.receiver)?.has_ascii().into())),
    method("dummy?", 0, 0, |_, _| Ok(Value::Bool(false))),
];

const OF_CLASS: &[NativeMethod] = &[
    method("default_external", 0, 0, |_, _| Ok(object(Encoding::Utf8))),
    method("default_internal", 0, 0, |_, _| Ok(Value::Nil)),
    method("find", 1, 1, |interp, given| Ok(object(of_value(interp, given.arg(0))?))),
];

fn name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = Text::with_encoding(Encoding::UsAscii, of_value(interp, given.receiver)?.name().as_bytes().to_vec());
    name.frozen.set(true);
    Ok(Value::String(Rc::new(name)))
}

fn object(encoding: Encoding) -> Value {
    Value::object(Core::Encoding.class(), Data::Encoding(encoding))
}

/// `Encoding::UTF_8`
pub(super) fn constant(path: &str) -> Option<Value> {
    let name = path.strip_prefix("Encoding::")?;
    let known = |encoding: &Encoding| encoding.name().replace('-', "_") == name;
    let alias = named(&name.replace('_', "-")).filter(|_| matches!(name, "BINARY" | "ASCII"));
    Encoding::ALL.into_iter().find(known).or(alias).map(object)
}

fn named(name: &str) -> Option<Encoding> {
    let name = name.to_ascii_uppercase();
    Some(match name.as_str() {
        "BINARY" => Encoding::Binary,
        "ASCII" | "ANSI_X3.4-1968" | "646" => Encoding::UsAscii,
        "ISO8859-1" => Encoding::Latin1,
        "UTF-8" | "CP65001" => Encoding::Utf8,
        "UCS-2BE" => Encoding::Utf16Be,
        "UCS-4BE" => Encoding::Utf32Be,
        "UCS-4LE" => Encoding::Utf32Le,
        "LOCALE" | "EXTERNAL" | "FILESYSTEM" => Encoding::Utf8,
        _ => return Encoding::ALL.into_iter().find(|encoding| encoding.name() == name),
    })
}

/// Returns true if Ruby has an encoding of this name.
fn is_rubys(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    include_str!("encodings.txt").split_ascii_whitespace().any(|known| known == name)
}

/// Returns an encoding, or the name of one.
fn of_value(interp: &mut Interp<'_>, value: &Value) -> Flow<Encoding> {
    if let Value::Object(it) = value
        && let Data::Encoding(encoding) = &*it.data.borrow()
    {
        return Ok(*encoding);
    }
    let name = interp.text_arg(value)?;
    match named(&name) {
        Some(encoding) => Ok(encoding),
        None if is_rubys(&name) => interp.unsupported(format!("the encoding {name}")),
        None => interp.raise(Core::ArgumentError, format!("unknown encoding name - {name}")),
    }
}

fn own(given: &CallArguments<'_>) -> Rc<Text> {
    match given.receiver {
        Value::String(text) => text.clone(),
        _ => Rc::new(Text::new(String::new())),
    }
}

fn changed(interp: &mut Interp<'_>, given: &CallArguments<'_>, content: Content) -> Flow {
    let text = super::string_change::own(interp, given)?;
    text.set_content(content);
    Ok(given.receiver.clone())
}

fn force_encoding(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let encoding = of_value(interp, given.arg(0))?;
    let bytes = own(given).bytes().to_vec();
    changed(interp, given, Content::from_bytes(encoding, bytes))
}

/// Puts a string behind another one.
pub(crate) fn join(interp: &mut Interp<'_>, text: &Text, other: &Text) -> Flow<()> {
    text.push(other).or_else(|clash| {
        let (own, other) = (clash.0.name(), clash.1.name());
        let message = format!("incompatible character encodings: {own} and {other}");
        interp.raise(Core::EncodingCompatibilityError, message)
    })
}

/// Returns how many letters there are, where that can be told from the number of bytes.
pub(super) fn fixed_length(text: &Text) -> Option<usize> {
    let bytes = text.bytes().len();
    match text.encoding() {
        Encoding::Utf8 => None,
        Encoding::Binary | Encoding::UsAscii | Encoding::Latin1 => Some(bytes),
        encoding => Some(pieces(encoding, &text.bytes()).len()),
    }
}

fn is_valid(text: &Text) -> bool {
    match text.encoding() {
        Encoding::Binary | Encoding::Latin1 => true,
        Encoding::UsAscii => text.bytes().is_ascii(),
        encoding => pieces(encoding, &text.bytes()).iter().all(|piece| matches!(piece, Piece::Letter(_))),
    }
}

// ---- letters ----

/// A letter of a string, or bytes of it that are none.
pub(crate) enum Piece {
    Letter(char),
    /// `followed`: the byte that should have been another one; or the string ends in the middle of a letter.
    Wrong {
        bytes: Vec<u8>,
        followed: Option<u8>,
        is_cut: bool,
    },
}

/// Returns true if it is said to be UTF-8, and is not.
pub(super) fn is_broken(text: &Text) -> bool {
    text.encoding() == Encoding::Utf8 && text.as_str().is_none()
}

/// Returns the letters of such a text: each byte that is of none stands by itself.
pub(super) fn broken_letters(text: &Text) -> Vec<Vec<u8>> {
    let letters = |piece| match piece {
        Piece::Letter(letter) => vec![letter.to_string().into_bytes()],
        Piece::Wrong { bytes, .. } => bytes.into_iter().map(|byte| vec![byte]).collect(),
    };
    utf8_pieces(&text.bytes()).into_iter().flat_map(letters).collect()
}

pub(crate) fn pieces(encoding: Encoding, bytes: &[u8]) -> Vec<Piece> {
    let wrong = |bytes: &[u8]| Piece::Wrong { bytes: bytes.to_vec(), followed: None, is_cut: false };
    match encoding {
        Encoding::Utf8 => utf8_pieces(bytes),
        Encoding::Latin1 => bytes.iter().map(|byte| Piece::Letter(char::from(*byte))).collect(),
        Encoding::Binary | Encoding::UsAscii => {
            let piece = |byte: &u8| if byte.is_ascii() { Piece::Letter(char::from(*byte)) } else { wrong(&[*byte]) };
            bytes.iter().map(piece).collect()
        }
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let unit = |pair: &[u8]| match (encoding, pair) {
                (Encoding::Utf16Le, [low, high]) => u16::from_le_bytes([*low, *high]),
                (_, [high, low]) => u16::from_be_bytes([*high, *low]),
                _ => 0,
            };
            let whole = bytes.chunks_exact(2);
            let rest = whole.remainder();
            let letters = char::decode_utf16(whole.map(unit)).map(|letter| match (letter, encoding) {
                (Ok(letter), _) => Piece::Letter(letter),
                (Err(alone), Encoding::Utf16Le) => wrong(&alone.unpaired_surrogate().to_le_bytes()),
                (Err(alone), _) => wrong(&alone.unpaired_surrogate().to_be_bytes()),
            });
            letters.chain((!rest.is_empty()).then(|| wrong(rest))).collect()
        }
        Encoding::Utf32Le | Encoding::Utf32Be => {
            let letter = |four: &[u8]| {
                let order: [u8; 4] = four.try_into().ok()?;
                let code =
                    if encoding == Encoding::Utf32Le { u32::from_le_bytes(order) } else { u32::from_be_bytes(order) };
                char::from_u32(code)
            };
            bytes.chunks(4).map(|four| letter(four).map_or_else(|| wrong(four), Piece::Letter)).collect()
        }
    }
}

fn utf8_pieces(mut bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while !bytes.is_empty() {
        let (valid, error) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(), Some(error)),
        };
        pieces.extend(valid.chars().map(Piece::Letter));
        let Some(error) = error else { break };
        let start = error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - start);
        let begins_letter = (0xc2..0xf5).contains(&bytes[start]);
        let followed = bytes.get(start + length).copied().filter(|_| begins_letter);
        let is_cut = error.error_len().is_none();
        pieces.push(Piece::Wrong { bytes: bytes[start..start + length].to_vec(), followed, is_cut });
        bytes = &bytes[start + length..];
    }
    pieces
}

/// Returns a letter in an encoding, if that has it.
fn put(encoding: Encoding, letter: char, out: &mut Vec<u8>) -> bool {
    let code = letter as u32;
    match encoding {
        Encoding::Utf8 => out.extend(letter.encode_utf8(&mut [0; 4]).bytes()),
        Encoding::Binary | Encoding::UsAscii if code < 0x80 => out.push(code as u8),
        Encoding::Latin1 if code < 0x100 => out.push(code as u8),
        Encoding::Binary | Encoding::UsAscii | Encoding::Latin1 => return false,
        Encoding::Utf16Le => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.extend(unit.to_le_bytes())),
        Encoding::Utf16Be => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.extend(unit.to_be_bytes())),
        Encoding::Utf32Le => out.extend(code.to_le_bytes()),
        Encoding::Utf32Be => out.extend(code.to_be_bytes()),
    }
    true
}

/// Returns the letter of a number, as one that is put behind a text of this encoding.
pub(super) fn letter_of(interp: &mut Interp<'_>, encoding: Encoding, code: i64) -> Flow<Text> {
    let largest = match encoding {
        Encoding::Binary | Encoding::UsAscii => 0xff,
        Encoding::Utf8 => u32::from(char::MAX),
        _ => u32::MAX,
    };
    if !(0..=i64::from(largest)).contains(&code) {
        return interp.raise(Core::RangeError, format!("{code} out of char range"));
    }
    // The letters of these two are bytes.
    if matches!(encoding, Encoding::Binary | Encoding::UsAscii) {
        let made_of = if code < 0x80 { encoding } else { Encoding::Binary };
        return Ok(Text::with_encoding(made_of, vec![code as u8]));
    }
    let mut bytes = Vec::new();
    match char::from_u32(code as u32) {
        Some(letter) if put(encoding, letter, &mut bytes) => Ok(Text::with_encoding(encoding, bytes)),
        _ => interp.raise(Core::RangeError, format!("invalid codepoint 0x{code:X} in {}", encoding.name())),
    }
}

// ---- encode ----

/// How a string is made of another one.
struct Conversion {
    from: Encoding,
    to: Encoding,
    replaces_invalid: bool,
    replaces_undefined: bool,
    replacement: Option<Rc<Text>>,
    /// What becomes of the ends of lines.
    ends: Option<Ends>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// However a line ends.
    Universal,
    Crlf,
    Cr,
}

impl Ends {
    /// A byte by which lines end is one in all encodings that have ASCII's letters.
    fn put(self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes.iter().copied().peekable();
        while let Some(byte) = rest.next() {
            match (self, byte) {
                (Ends::Universal, b'\r') => {
                    rest.next_if_eq(&b'\n');
                    out.push(b'\n');
                }
                (Ends::Crlf, b'\n') => out.extend(b"\r\n"),
                (Ends::Cr, b'\n') => out.push(b'\r'),
                _ => out.push(byte),
            }
        }
        out
    }
}

fn encode(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Text> {
    let text = own(given);
    let (options, names) = match given.args.split_last() {
        Some((Value::Hash(options), names)) if given.keywords => (Some(options.clone()), names),
        _ => (None, given.args),
    };
    if names.len() > 2 {
        interp.check_argument_count(given.args.len(), 0, Some(2), "")?;
    }
    let same = || Text::with_encoding(text.encoding(), text.bytes().to_vec());
    if names.is_empty() && options.is_none() {
        return Ok(same());
    }
    let Some((from, to)) = ends(interp, names, text.encoding())? else { return Ok(same()) };
    let conversion = conversion(interp, options.as_deref(), from, to)?;
    let has_source = names.len() == 2;
    if let Some(ends) = conversion.ends {
        if !(from.has_ascii() && to.has_ascii() && (from == to || text.bytes().is_ascii())) {
            return interp.unsupported("the ends of lines in String#encode to another encoding");
        }
        return Ok(Text::with_encoding(to, ends.put(&text.bytes())));
    }
    if from == to {
        let made = match conversion.replaces_invalid {
            true => {
                scrubbed(interp, &Text::with_encoding(from, text.bytes().to_vec()), conversion.replacement.as_deref())?
            }
            false if has_source => Text::with_encoding(to, text.bytes().to_vec()),
            false => same(),
        };
        return Ok(made);
    }
    if from.has_ascii() && to.has_ascii() && text.bytes().is_ascii() {
        return Ok(Text::with_encoding(to, text.bytes().to_vec()));
    }
    conversion.run(interp, &text)
}

/// Returns the encodings that the arguments name; nothing, where both are one that is not here.
fn ends(interp: &mut Interp<'_>, names: &[Value], own: Encoding) -> Flow<Option<(Encoding, Encoding)>> {
    let mut texts = Vec::new();
    for name in names {
        texts.push(match name {
            Value::Object(it) => match &*it.data.borrow() {
                Data::Encoding(encoding) => encoding.name().to_owned(),
                _ => String::new(),
            },
            other => interp.text_arg(other)?,
        });
    }
    let to = texts.first().cloned().unwrap_or_else(|| own.name().to_owned());
    let from = texts.get(1).cloned().unwrap_or_else(|| own.name().to_owned());
    match (named(&from), named(&to)) {
        (Some(from), Some(to)) => return Ok(Some((from, to))),
        _ if from.eq_ignore_ascii_case(&to) => return Ok(None),
        _ => {}
    }
    for name in [&from, &to] {
        if named(name).is_none() && is_rubys(name) {
            return interp.unsupported(format!("the encoding {name}"));
        }
    }
    let shown = |name: &str| named(name).map_or_else(|| name.to_owned(), |known| known.name().to_owned());
    let message = format!("code converter not found ({} to {})", shown(&from), shown(&to));
    interp.raise(Core::EncodingConverterNotFoundError, message)
}

fn conversion(interp: &mut Interp<'_>, options: Option<&HashTable>, from: Encoding, to: Encoding) -> Flow<Conversion> {
    let mut conversion =
        Conversion { from, to, replaces_invalid: false, replaces_undefined: false, replacement: None, ends: None };
    for (key, value) in options.map(HashTable::pairs).unwrap_or_default() {
        let name = interp.text_of(&key)?;
        match (name.as_str(), &value) {
            ("invalid", Value::Symbol(how)) if how == "replace" => conversion.replaces_invalid = true,
            ("undef", Value::Symbol(how)) if how == "replace" => conversion.replaces_undefined = true,
            ("invalid", Value::Nil) | ("undef", Value::Nil) | ("replace", Value::Nil) => {}
            ("invalid", _) => return interp.raise(Core::ArgumentError, "unknown value for invalid character option"),
            ("undef", _) => return interp.raise(Core::ArgumentError, "unknown value for undefined character option"),
            ("replace", Value::String(text)) => conversion.replacement = Some(text.clone()),
            ("replace", other) => drop(interp.text_arg(other)?),
            (_, value) if !value.is_truthy() => {}
            ("universal_newline", _) if conversion.ends.is_none() => conversion.ends = Some(Ends::Universal),
            ("crlf_newline", _) if conversion.ends.is_none() => conversion.ends = Some(Ends::Crlf),
            ("cr_newline", _) if conversion.ends.is_none() => conversion.ends = Some(Ends::Cr),
            _ => return interp.unsupported(format!("the option {name} of String#encode")),
        }
    }
    Ok(conversion)
}

impl Conversion {
    fn run(&self, interp: &mut Interp<'_>, text: &Text) -> Flow<Text> {
        let mut out = Vec::new();
        for piece in pieces(self.from, &text.bytes()) {
            match piece {
                Piece::Letter(letter) => {
                    if put(self.to, letter, &mut out) {
                        continue;
                    }
                    if !self.replaces_undefined {
                        let message = self.undefined(&format!("U+{:04X}", letter as u32), Encoding::Utf8);
                        return interp.raise(Core::EncodingUndefinedConversionError, message);
                    }
                    self.replace(interp, &mut out)?;
                }
                // Bytes that are no letters are none that is not known.
                Piece::Wrong { bytes, .. } if self.from == Encoding::Binary => {
                    if !self.replaces_undefined {
                        let message = self.undefined(&shown(&bytes), self.from);
                        return interp.raise(Core::EncodingUndefinedConversionError, message);
                    }
                    self.replace(interp, &mut out)?;
                }
                Piece::Wrong { .. } if self.replaces_invalid => self.replace(interp, &mut out)?,
                Piece::Wrong { bytes, followed, is_cut } => {
                    if !self.from.has_ascii() {
                        return interp.unsupported(format!("the error of a text that is no {}", self.from.name()));
                    }
                    let (shown_bytes, from) = (shown(&bytes), self.from.name());
                    let message = match followed {
                        Some(byte) => format!("{shown_bytes} followed by {} on {from}", shown(&[byte])),
                        None if is_cut => format!("incomplete {shown_bytes} on {from}"),
                        None => format!("{shown_bytes} on {from}"),
                    };
                    return interp.raise(Core::EncodingInvalidByteSequenceError, message);
                }
            }
        }
        interp.check_bytes(out.len())?;
        Ok(Text::with_encoding(self.to, out))
    }

    /// Returns what the error says of a letter that is not in the encoding; every way goes by UTF-8.
    fn undefined(&self, letter: &str, at: Encoding) -> String {
        let (from, to) = (self.from.name(), self.to.name());
        let next = if at == self.from && self.to != Encoding::Utf8 && at != Encoding::Utf8 { "UTF-8" } else { to };
        match self.from == Encoding::Utf8 || self.to == Encoding::Utf8 {
            true => format!("{letter} from {from} to {to}"),
            false => format!("{letter} to {next} in conversion from {from} to UTF-8 to {to}"),
        }
    }

    fn replace(&self, interp: &mut Interp<'_>, out: &mut Vec<u8>) -> Flow<()> {
        let Some(replacement) = &self.replacement else {
            put(self.to, if self.to.is_unicode() { '\u{fffd}' } else { '?' }, out);
            return Ok(());
        };
        for piece in pieces(replacement.encoding(), &replacement.bytes()) {
            let fits = matches!(piece, Piece::Letter(letter) if put(self.to, letter, out));
            if !fits {
                return interp.unsupported("a replacement that is not in the encoding itself");
            }
        }
        Ok(())
    }
}

fn shown(bytes: &[u8]) -> String {
    let mut text = "\"".to_owned();
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => text.push(char::from(*byte)),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            _ => text.push_str(&format!("\\x{byte:02X}")),
        }
    }
    text + "\""
}

// ---- scrub ----

fn scrub(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Text> {
    let text = own(given);
    if let (Some(block), Value::Nil) = (given.block, given.arg(0)) {
        let made = Text::with_encoding(text.encoding(), Vec::new());
        for piece in pieces(text.encoding(), &text.bytes()) {
            let piece = match piece {
                Piece::Letter(letter) => {
                    let mut bytes = Vec::new();
                    put(text.encoding(), letter, &mut bytes);
                    Rc::new(Text::with_encoding(text.encoding(), bytes))
                }
                Piece::Wrong { bytes, .. } if text.is_binary() => Rc::new(Text::binary(bytes)),
                Piece::Wrong { bytes, .. } => {
                    let wrong = Value::String(Rc::new(Text::with_encoding(text.encoding(), bytes)));
                    match interp.yield_one(block, wrong)? {
                        Value::String(text) => text,
                        other => Rc::new(Text::new(interp.text_arg(&other)?)),
                    }
                }
            };
            join(interp, &made, &piece)?;
        }
        return Ok(made);
    }
    let replacement = match given.arg(0) {
        Value::Nil => None,
        Value::String(text) => Some(text.clone()),
        other => Some(Rc::new(Text::new(interp.text_arg(other)?))),
    };
    scrubbed(interp, &text, replacement.as_deref())
}

fn scrubbed(interp: &mut Interp<'_>, text: &Text, replacement: Option<&Text>) -> Flow<Text> {
    let encoding = text.encoding();
    if is_valid(text) {
        return Ok(Text::with_encoding(encoding, text.bytes().to_vec()));
    }
    let mut instead = Vec::new();
    put(encoding, if encoding.is_unicode() { '\u{fffd}' } else { '?' }, &mut instead);
    if let Some(replacement) = replacement {
        instead = replacement.bytes().to_vec();
        if !encoding.has_ascii() && replacement.encoding() != encoding {
            let (own, other) = (encoding.name(), replacement.encoding().name());
            let message = format!("incompatible character encodings: {own} and {other}");
            return interp.raise(Core::EncodingCompatibilityError, message);
        }
        if !is_valid(replacement) {
            return interp.raise(Core::ArgumentError, "replacement must be valid byte sequence");
        }
    }
    let mut out = Vec::new();
    for piece in pieces(encoding, &text.bytes()) {
        match piece {
            Piece::Letter(letter) => drop(put(encoding, letter, &mut out)),
            Piece::Wrong { .. } => out.extend(&instead),
        }
    }
    interp.check_bytes(out.len())?;
    Ok(Text::with_encoding(encoding, out))
}

//! What a plain scalar means: the YAML 1.1 of Ruby's Psych, with its ways.
//!
//! `on` is true, `1:30` is 5400, `1,000` is 1000, `1e3` is a text. Knows nothing of tags and collections.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::Value;

/// What a scalar turned out to be.
#[derive(PartialEq, Debug)]
pub(super) enum Scalar {
    Value(Value),
    Symbol(String),
    /// A class of Ruby's that is made from the text: `Date` or `Time`.
    Instance(&'static str),
    /// An integer with more digits than are read.
    TooBig,
    /// Ruby raises an error, in these words.
    Wrong(String),
}

impl Scalar {
    fn text(text: &str) -> Scalar {
        Scalar::Value(text.into())
    }
}

pub(super) fn resolve(text: &str) -> Scalar {
    if text.is_empty() {
        return Scalar::Value(Value::Undef);
    }
    if looks_like_a_word(text) {
        return Scalar::Value(word(text));
    }
    if is_time(text) {
        return Scalar::Instance("Time");
    }
    if is_date(text) {
        return Scalar::Instance("Date");
    }
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        ".inf" | "+.inf" => return Scalar::Value(Value::Float(f64::INFINITY)),
        "-.inf" => return Scalar::Value(Value::Float(f64::NEG_INFINITY)),
        ".nan" => return Scalar::Value(Value::Float(f64::NAN)),
        _ => {}
    }
    if let Some(name) = text.strip_prefix(':').filter(|name| !name.is_empty()) {
        return Scalar::Symbol(symbol_name(name).to_owned());
    }
    if let Some(number) = sexagesimal(text) {
        return number;
    }
    if is_float(text) {
        return float(text);
    }
    if is_integer(text) {
        return integer(&text.replace([',', '_'], ""));
    }
    Scalar::text(text)
}

/// Psych's first question: it spares the others for most texts.
fn looks_like_a_word(text: &str) -> bool {
    let is_wordy =
        |ch: char| ch.is_alphabetic() || ch.is_ascii_whitespace() || "\x0B_!@#$%^&*(){}<>|/\\~;=".contains(ch);
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    is_wordy(first)
        || !(first.is_ascii_digit() || matches!(first, '.' | ':' | '-')) && chars.next().is_some_and(is_wordy)
        || text.contains('\n')
}

/// Any line of a text of several lines may decide: Ruby's `^` and `$` are those of a line.
fn word(text: &str) -> Value {
    if text.chars().nth(5).is_some() {
        return text.into();
    }
    let begins_otherwise =
        |line: &str| line.chars().next().is_none_or(|ch| !"ytonf~".contains(ch.to_ascii_lowercase()));
    let lines = || text.split('\n');
    let has = |words: &[&str]| lines().any(|line| words.iter().any(|word| line.eq_ignore_ascii_case(word)));
    if text.strip_suffix('\n').unwrap_or(text).split('\n').any(begins_otherwise) {
        text.into()
    } else if text == "~" || has(&["null"]) {
        Value::Undef
    } else if has(&["yes", "true", "on"]) {
        Value::Boolean(true)
    } else if has(&["no", "false", "off"]) {
        Value::Boolean(false)
    } else {
        text.into()
    }
}

/// What is left of a text while it is taken apart.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn accept(&mut self, set: &[u8]) -> bool {
        let found = self.0.first().is_some_and(|byte| set.contains(byte));
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    /// Returns how many bytes of that kind were passed, at most `most`.
    fn run(&mut self, most: usize, is_kind: impl Fn(u8) -> bool) -> usize {
        let count = self.0.iter().take(most).take_while(|&&byte| is_kind(byte)).count();
        self.0 = &self.0[count..];
        count
    }

    fn digits(&mut self, least: usize, most: usize) -> bool {
        self.run(most, |byte| byte.is_ascii_digit()) >= least
    }

    fn sign(&mut self) -> bool {
        self.accept(b"+-")
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// `2001-12-14t21:59:43.10-05:00`
fn is_time(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.accept(b"-");
    let date = rest.digits(4, 4) && rest.accept(b"-") && rest.digits(1, 2) && rest.accept(b"-") && rest.digits(1, 2);
    if !date || !(rest.accept(b"Tt") || rest.run(usize::MAX, is_space) > 0) {
        return false;
    }
    let time = rest.digits(1, 2) && rest.accept(b":") && rest.digits(2, 2) && rest.accept(b":") && rest.digits(2, 2);
    if !time {
        return false;
    }
    if rest.accept(b".") {
        rest.digits(0, usize::MAX);
    }
    if rest.is_empty() {
        return true;
    }
    rest.run(usize::MAX, is_space);
    if rest.accept(b"Z") {
        return rest.is_empty();
    }
    if !(rest.sign() && rest.digits(1, 2)) {
        return false;
    }
    rest.accept(b":");
    rest.is_empty() || rest.digits(2, 2) && rest.is_empty()
}

/// `2001-12-14`, with a month and a day that exist.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let is_number = |part: &str, most: usize| {
        !part.is_empty() && part.len() <= most && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if year.len() != 4 || !is_number(year, 4) || !is_number(month, 2) || !is_number(day, 2) {
        return false;
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    number(month) <= 12 && number(day) <= 31
}

/// Quotes around the name do not belong to it; what follows them is lost.
fn symbol_name(name: &str) -> &str {
    let quoted = name.chars().next().filter(|&ch| ch == '"' || ch == '\'').and_then(|quote| {
        let end = name.rfind(quote).filter(|&end| end > 0)?;
        Some(&name[1..end])
    });
    match quoted {
        Some(inner) => inner.strip_prefix(':').unwrap_or(inner),
        None => name,
    }
}

/// `1:30:00`, `1:30.5`: hours, minutes and seconds. Without seconds the first is hours all the same.
fn sexagesimal(text: &str) -> Option<Scalar> {
    let mut rest = Rest(text.as_bytes());
    rest.sign();
    let is_digit_or_line = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    if !rest.digits(1, 1) {
        return None;
    }
    rest.run(usize::MAX, is_digit_or_line);
    let mut groups = 0;
    while groups < 2 && rest.accept(b":") {
        let begins_low = rest.0.first().is_some_and(|byte| (b'0'..=b'5').contains(byte));
        if !rest.digits(1, if begins_low { 2 } else { 1 }) {
            return None;
        }
        groups += 1;
    }
    if groups == 0 {
        return None;
    }
    let scales = [3600_u16, 60, 1];
    if rest.is_empty() {
        let parts = text.split(':').zip(scales);
        let products: Option<Vec<BigInt>> = parts.map(|(part, scale)| Some(leading_integer(part)? * scale)).collect();
        let sum = products.map(|products| products.into_iter().sum::<BigInt>());
        return Some(sum.map_or(Scalar::TooBig, |sum| Scalar::Value(Value::from(sum))));
    }
    if !rest.accept(b".") {
        return None;
    }
    rest.run(usize::MAX, is_digit_or_line);
    rest.is_empty().then(|| {
        let parts = text.split(':').zip(scales);
        Scalar::Value(Value::Float(parts.fold(0.0, |sum, (part, scale)| sum + leading_float(part) * f64::from(scale))))
    })
}

/// Ruby's `to_i`: lines between digits do not count, and two of them end the number.
fn leading_integer(text: &str) -> Option<BigInt> {
    let end = text.find("__").unwrap_or(text.len());
    let digits = text[..end].replace('_', "");
    match Value::parse_integer(&digits, 10)? {
        Value::Integer(number) => Some(number.into()),
        Value::Large(number) => Some((*number).clone()),
        _ => None,
    }
}

/// Ruby's `to_f`.
fn leading_float(text: &str) -> f64 {
    let end = ["__", "_.", "._"].iter().filter_map(|stop| text.find(stop)).min().unwrap_or(text.len());
    text[..end].replace('_', "").parse().unwrap_or(0.0)
}

/// `1.5`, `1_000.`, `.5e+3`, and a point alone with a sign or without, which is none.
fn is_float(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.sign();
    if rest.digits(1, 1) {
        rest.run(usize::MAX, |byte| byte.is_ascii_digit() || byte == b'_' || byte == b',');
    }
    if !rest.accept(b".") {
        return false;
    }
    rest.digits(0, usize::MAX);
    if rest.accept(b"eE") && !(rest.sign() && rest.digits(1, usize::MAX)) {
        return false;
    }
    rest.is_empty()
}

fn float(text: &str) -> Scalar {
    if matches!(text, "." | "+." | "-.") {
        return Scalar::text(text);
    }
    let plain = text.replace([',', '_'], "").replace(".e", "e").replace(".E", "E");
    let plain = plain.strip_suffix('.').unwrap_or(&plain);
    if plain.trim_start_matches(['+', '-']).starts_with(['e', 'E']) {
        return Scalar::Wrong(format!("invalid value for Float(): {plain:?}"));
    }
    plain.parse().map_or_else(|_| Scalar::text(text), |number| Scalar::Value(Value::Float(number)))
}

/// `12`, `0b101`, `017`, `0x1F`, with `_` and `,` between digits.
fn is_integer(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.sign();
    if !rest.accept(b"0") {
        return rest.digits(1, 1) && {
            // A separator stands before a digit.
            while rest.digits(1, usize::MAX) || rest.0.get(1).is_some_and(u8::is_ascii_digit) && rest.accept(b",_") {}
            rest.is_empty()
        };
    }
    let is_digit: fn(u8) -> bool = match rest.0.first() {
        None => return true,
        Some(b'b') => |byte| matches!(byte, b'0' | b'1'),
        Some(b'x') => |byte| byte.is_ascii_hexdigit(),
        Some(_) => |byte| matches!(byte, b'0'..=b'7'),
    };
    rest.accept(b"bx");
    rest.run(usize::MAX, |byte| is_digit(byte) || matches!(byte, b'_' | b',')) > 0 && rest.is_empty()
}

/// Ruby's `Integer`, of digits without separators.
fn integer(plain: &str) -> Scalar {
    let (sign, unsigned) = match plain.strip_prefix(['+', '-']) {
        Some(unsigned) => (&plain[..1], unsigned),
        None => ("", plain),
    };
    let (radix, digits) = if let Some(digits) = unsigned.strip_prefix("0b") {
        (2, digits)
    } else if let Some(digits) = unsigned.strip_prefix("0x") {
        (16, digits)
    } else if unsigned.len() > 1 && unsigned.starts_with('0') {
        (8, &unsigned[1..])
    } else {
        (10, unsigned)
    };
    if digits.is_empty() {
        return Scalar::Wrong(format!("invalid value for Integer(): {plain:?}"));
    }
    let signed = format!("{sign}{digits}");
    Value::parse_integer(&signed, radix).map_or(Scalar::TooBig, Scalar::Value)
}

/// Ruby's `Float` of what a scalar with the tag `float` holds.
pub(super) fn to_float(scalar: Scalar) -> Scalar {
    let wrong = |text: &str| Scalar::Wrong(format!("invalid value for Float(): {text:?}"));
    match scalar {
        Scalar::Value(Value::Integer(number)) => Scalar::Value(Value::Float(number as f64)),
        Scalar::Value(Value::Float(number)) => Scalar::Value(Value::Float(number)),
        Scalar::Value(Value::Large(number)) => Scalar::Value(Value::Float(number.to_f64().unwrap_or(f64::INFINITY))),
        Scalar::Value(Value::String(text)) => match text.parse::<f64>() {
            Ok(number) if text.ends_with(|ch: char| ch.is_ascii_digit()) => Scalar::Value(Value::Float(number)),
            _ => wrong(&text),
        },
        Scalar::Value(Value::Undef) => Scalar::Wrong("can't convert nil into Float".to_owned()),
        Scalar::Value(Value::Boolean(truth)) => Scalar::Wrong(format!("can't convert {truth} into Float")),
        Scalar::Symbol(_) => Scalar::Wrong("can't convert Symbol into Float".to_owned()),
        other => other,
    }
}

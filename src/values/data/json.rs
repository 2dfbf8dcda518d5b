//! JSON as values, as Puppet reads it: Ruby's json gem, with its ways and its words.
//!
//! What a text holds that Pantin has no value for is an error of its own.

use pantin_base::json::{Build, JsonError};
use pantin_base::{Lines, Place, json};
use rustc_hash::FxHashMap;

use super::{DuplicateKey, Error};
use crate::Value;

/// Returns the value of a text. The gem's messages begin with a line of its own source; `line` is the text's.
pub fn load(text: &[u8]) -> Result<Value, Error> {
    read(text, Values::default())
}

/// The same where `NaN`, `Infinity` and `-Infinity` are numbers.
pub fn load_with_nan(text: &[u8]) -> Result<Value, Error> {
    read(text, Values { takes_nan: true })
}

fn read(text: &[u8], mut values: Values) -> Result<Value, Error> {
    let decoded = std::str::from_utf8(text).map_err(|error| {
        let message = "a byte sequence that is not UTF-8 is not supported".to_owned();
        located(text, message, error.valid_up_to())
    })?;
    json::read(decoded, &mut values).map_err(|error| located(text, error.message, error.at))
}

/// The same for a person: what the gem shows of the rest of the text is left out, and the place is the one that is wrong.
pub fn load_typed(text: &[u8]) -> Result<Value, Error> {
    let Ok(decoded) = std::str::from_utf8(text) else { return load(text) };
    json::read(decoded, &mut Values::default()).map_err(|JsonError { message, stopped, .. }| {
        let words = match decoded.get(stopped..).and_then(|rest| rest.chars().next()) {
            _ if !message.contains("unexpected token at '") => message,
            Some(letter) => format!("unexpected {letter:?}"),
            None => "unexpected end of the text".to_owned(),
        };
        located(text, words, stopped)
    })
}

fn located(text: &[u8], message: String, at: usize) -> Error {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    Error { message, line: u32::try_from(line).ok(), column: u32::try_from(column).ok() }
}

/// Finds the keys that an object has twice: the later one counts. None where the text is no JSON.
pub fn duplicate_keys(text: &[u8]) -> Vec<DuplicateKey> {
    let Ok(decoded) = std::str::from_utf8(text) else { return Vec::new() };
    let mut keys = Keys::default();
    if json::read(decoded, &mut keys).is_err() {
        return Vec::new();
    }
    let lines = Lines::from_text(decoded);
    let place = |at: usize| match lines.place(decoded, at as u32) {
        Place::At { line, column } => (line, column),
        Place::Nowhere | Place::WholeFile => (1, 1),
    };
    let duplicate = |(key, first, again): (String, usize, usize)| {
        let (line, column) = place(again);
        DuplicateKey { key, first_line: place(first).0, line, column }
    };
    let mut found: Vec<_> = keys.duplicates.into_iter().map(duplicate).collect();
    found.sort_by_key(|duplicate| (duplicate.line, duplicate.column));
    found
}

/// Makes nothing but the keys of objects, each with the byte that it begins at.
#[derive(Default)]
struct Keys {
    pending: Option<usize>,
    /// A key, where it stands, and where it stands again.
    duplicates: Vec<(String, usize, usize)>,
}

impl Build for Keys {
    type Value = Option<(String, usize)>;

    fn null(&mut self) -> Self::Value {
        None
    }

    fn boolean(&mut self, _truth: bool) -> Self::Value {
        None
    }

    fn number(&mut self, _written: &str, _is_integer: bool) -> Result<Self::Value, String> {
        Ok(None)
    }

    fn begin_key(&mut self, at: usize) {
        self.pending = Some(at);
    }

    fn plain(&mut self, text: &str) -> Self::Value {
        self.pending.take().map(|at| (text.to_owned(), at))
    }

    fn string(&mut self, bytes: Vec<u8>) -> Result<Self::Value, String> {
        Ok(self.pending.take().map(|at| (String::from_utf8_lossy(&bytes).into_owned(), at)))
    }

    fn array(&mut self, _items: Vec<Self::Value>) -> Self::Value {
        None
    }

    fn object(&mut self, entries: Vec<(Self::Value, Self::Value)>) -> Self::Value {
        let mut known = FxHashMap::default();
        for (key, at) in entries.into_iter().filter_map(|(key, _)| key) {
            if let Some(first) = known.insert(key.clone(), at) {
                self.duplicates.push((key, first, at));
            }
        }
        None
    }
}

#[derive(Default)]
struct Values {
    takes_nan: bool,
}

impl Build for Values {
    type Value = Value;

    fn null(&mut self) -> Value {
        Value::Undef
    }

    fn boolean(&mut self, truth: bool) -> Value {
        Value::Boolean(truth)
    }

    fn number(&mut self, written: &str, is_integer: bool) -> Result<Value, String> {
        if is_integer {
            let integer = Value::parse_integer(written, 10);
            return integer.ok_or_else(|| "an integer of so many digits is not supported".to_owned());
        }
        written.parse().map(Value::Float).map_err(|_| format!("the number {written} is not supported"))
    }

    fn beyond(&mut self, written: &str) -> Option<Value> {
        let number = match written {
            "NaN" => f64::NAN,
            "-Infinity" => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        };
        self.takes_nan.then_some(Value::Float(number))
    }

    fn plain(&mut self, text: &str) -> Value {
        text.into()
    }

    fn string(&mut self, bytes: Vec<u8>) -> Result<Value, String> {
        let text = String::from_utf8(bytes).map(Value::from);
        text.map_err(|_| "a string with half of a surrogate pair is not supported".to_owned())
    }

    fn array(&mut self, items: Vec<Value>) -> Value {
        Value::Array(items.into())
    }

    fn object(&mut self, entries: Vec<(Value, Value)>) -> Value {
        Value::hash(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::load;
    use crate::Value;

    /// What json 2.6.1 of Ruby 3.1 makes of each.
    #[test]
    fn values_are_those_of_the_gem() {
        for (text, shown) in [
            (r#"{"b": 1, "a": [true, false, null], "b": {}}"#, r#"{"b": {}, "a": [true, false, undef]}"#),
            ("[0, -0, 12, 9223372036854775807]", "[0, 0, 12, 9223372036854775807]"),
            (
                "[-0.0, 1.5e-3, 1E5, 1e999, 123456789.123456789123456789]",
                "[-0.0, 0.0015, 100000.0, inf, 123456789.12345679]",
            ),
            (r#""\ud83d\ude00 \u00e9 \n\/\x\q\"\\""#, "\"😀 é \\n/xq\\\"\\\\\""),
            (r#"["\ud83d\u0041", "\ud83dabcdefg", "\ud83d\n12345"]"#, r#"["👁", "?bcdefg", "?n12345"]"#),
            ("// a comment\n{\"a\" /* b */: 1}", r#"{"a": 1}"#),
            ("3", "3"),
        ] {
            assert_eq!(format!("{:?}", load(text.as_bytes()).unwrap()), shown, "{text}");
        }
    }

    /// Behind half of a pair one byte is lost, here a backslash; then the escape has no digits.
    #[test]
    fn an_escape_without_digits_is_the_replacement_character() {
        assert_eq!(load(br#""\ud83d\\uude00""#).unwrap().as_str(), Some("?\u{FFFD}0"));
    }

    #[test]
    fn errors_are_the_gems_and_have_a_place() {
        let error = load(b"{\n  \"a\": [1,\n   x]\n}").unwrap_err();
        assert_eq!(error.message, "451: unexpected token at 'x]\n}'");
        assert_eq!((error.line, error.column), (Some(3), Some(4)));
        assert_eq!(load(b"").unwrap_err().message, "859: unexpected token at ''");
        assert_eq!(load("\u{FEFF}{}".as_bytes()).unwrap_err().message, "859: unexpected token at '\u{FEFF}{}'");
    }

    #[test]
    fn what_has_no_value_is_an_error_with_a_place() {
        for (text, message, column) in [
            (&b"[\"\\ude00x\"]"[..], "a string with half of a surrogate pair is not supported", 2),
            (b"[\"\xFF\"]", "a byte sequence that is not UTF-8 is not supported", 3),
        ] {
            let error = load(text).unwrap_err();
            assert_eq!((error.message.as_str(), error.line, error.column), (message, Some(1), Some(column)));
        }
        let deep = "[".repeat(101);
        assert_eq!(load(deep.as_bytes()).unwrap_err().message, "nesting of 101 is too deep");
        assert!(matches!(load(format!("{}{}", "[".repeat(100), "]".repeat(100)).as_bytes()), Ok(Value::Array(_))));
    }
}

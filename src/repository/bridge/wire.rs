//! The encoding of values for the pipe to a worker: a letter for the type, then its content.
//!
//! | letter | kind | what follows |
//! |---|---|---|
//! | `n` `t` `f` | undef, true, false | |
//! | `i` | an integer | its digits, `;` |
//! | `d` | a float | eight bytes, the first the highest |
//! | `s` `o` | text, text in no encoding | how many bytes, `:`, the bytes |
//! | `y` `b` | a symbol, Binary | how many bytes, `:`, the bytes |
//! | `r` | a regular expression | its options as Ruby counts them, `;`, its source as text |
//! | `a` `h` | an array, a hash | how many, `:`, the items; of a hash key and value in turns |
//! | `S` | a secret | what it holds |
//! | `x` | anything else | its number, `;`; to the worker also its kind, its text and a number that it is, as three values |
//!
//! Anything else stays here, and a number stands for it: the worker can show it and hand it back. Counts are decimal.

use std::sync::Arc;

use pantin_base::{limits, stack};
use pantin_values::regex::Options;
use pantin_values::{Binary, Regexp, Str, Value, ruby_class, text, unencoded};

/// What stays here while a worker has its number. Numbers are never given twice.
#[derive(Debug, Default)]
pub(super) struct ValueTable {
    first: u64,
    values: Vec<Value>,
}

impl ValueTable {
    fn keep(&mut self, value: &Value) -> u64 {
        self.values.push(value.clone());
        self.first + self.values.len() as u64 - 1
    }

    fn get(&self, number: u64) -> Option<&Value> {
        self.values.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// The numbers given so far stand for nothing any more.
    pub(super) fn clear(&mut self) {
        self.first += self.values.len() as u64;
        self.values.clear();
    }
}

pub(super) fn encode(value: &Value, kept: &mut ValueTable) -> Vec<u8> {
    let mut out = Vec::new();
    push(value, kept, &mut out);
    out
}

fn push(value: &Value, kept: &mut ValueTable, out: &mut Vec<u8>) {
    stack::with_room(|| match value {
        Value::Undef => out.push(b'n'),
        Value::Boolean(flag) => out.push(if *flag { b't' } else { b'f' }),
        Value::Integer(number) => out.extend(format!("i{number};").bytes()),
        Value::Large(number) => out.extend(format!("i{number};").bytes()),
        Value::Float(number) => {
            out.push(b'd');
            out.extend(number.to_be_bytes());
        }
        Value::String(text) => push_bytes(b's', text.as_bytes(), out),
        Value::Unencoded(letters) => push_bytes(b'o', &unencoded::bytes(letters), out),
        Value::Default => push_bytes(b'y', b"default", out),
        Value::Symbol(name) => push_bytes(b'y', name.as_bytes(), out),
        Value::Binary(binary) => push_bytes(b'b', binary.bytes(), out),
        Value::Regexp(regexp) => {
            let Options { ignore_case, extended, multi_line } = regexp.options();
            let options = u8::from(ignore_case) | u8::from(extended) << 1 | u8::from(multi_line) << 2;
            out.extend(format!("r{options};").bytes());
            push_bytes(b's', regexp.source().as_bytes(), out);
        }
        Value::Array(items) => {
            push_count(b'a', items.len(), out);
            items.iter().for_each(|item| push(item, kept, out));
        }
        Value::Hash(entries) => {
            push_count(b'h', entries.len(), out);
            for (key, value) in entries.iter() {
                push(key, kept, out);
                push(value, kept, out);
            }
        }
        // What no array can hold stays here.
        Value::Iterator(sequence) if sequence.len() <= limits::ELEMENTS => {
            push(&Value::array(sequence.iter()), kept, out);
        }
        Value::Sensitive(secret) => {
            out.push(b'S');
            push(secret, kept, out);
        }
        other => {
            out.extend(format!("x{};", kept.keep(other)).bytes());
            let mut shown = String::new();
            text::push_text(&mut shown, other);
            push_bytes(b's', ruby_class(other).as_bytes(), out);
            push_bytes(b's', shown.as_bytes(), out);
            match other {
                Value::Timestamp(at) => out.extend(format!("i{};", at.nanoseconds()).bytes()),
                _ => out.push(b'n'),
            }
        }
    });
}

fn push_bytes(kind: u8, bytes: &[u8], out: &mut Vec<u8>) {
    push_count(kind, bytes.len(), out);
    out.extend(bytes);
}

fn push_count(kind: u8, count: usize, out: &mut Vec<u8>) {
    out.push(kind);
    out.extend(format!("{count}:").bytes());
}

/// `Err`: what is wrong with it.
pub(super) fn decode(bytes: &[u8], kept: &ValueTable) -> Result<Value, String> {
    let mut reader = Reader { rest: bytes, kept };
    let value = reader.value(0)?;
    if reader.rest.is_empty() { Ok(value) } else { Err(cut_wrongly()) }
}

fn cut_wrongly() -> String {
    "its answer is no message of this protocol".to_owned()
}

struct Reader<'b> {
    rest: &'b [u8],
    kept: &'b ValueTable,
}

impl Reader<'_> {
    fn value(&mut self, depth: u32) -> Result<Value, String> {
        if depth > limits::NESTING {
            return Err(format!("its answer is nested more than {} deep", limits::NESTING));
        }
        stack::with_room(|| self.value_here(depth))
    }

    fn value_here(&mut self, depth: u32) -> Result<Value, String> {
        Ok(match self.take(1)?[0] {
            b'n' => Value::Undef,
            b't' => Value::Boolean(true),
            b'f' => Value::Boolean(false),
            b'i' => {
                let digits = self.digits(b';', limits::INTEGER_DIGITS)?;
                Value::parse_integer(digits, 10).ok_or_else(cut_wrongly)?
            }
            b'd' => {
                let bytes = self.take(8)?.try_into().map_err(|_| cut_wrongly())?;
                Value::Float(f64::from_be_bytes(bytes))
            }
            b's' => Value::String(self.text()?),
            b'o' => {
                let count = self.count()?;
                Value::unencoded(self.take(count)?)
            }
            b'y' => match self.text()?.as_str() {
                "default" => Value::Default,
                "undef" => Value::Undef,
                name => Value::Symbol(name.into()),
            },
            b'b' => {
                let count = self.count()?;
                Value::Binary(Binary::new(self.take(count)?))
            }
            b'r' => {
                let bits: u8 = self.number(b';')?;
                let has = |bit: u8| bits & bit != 0;
                let options = Options { ignore_case: has(1), extended: has(2), multi_line: has(4) };
                let Value::String(source) = self.value(depth + 1)? else { return Err(cut_wrongly()) };
                Value::Regexp(Arc::new(Regexp::new(source, options)))
            }
            b'a' => {
                let count = self.count()?;
                (0..count).map(|_| self.value(depth + 1)).collect::<Result<Vec<_>, _>>().map(Value::array)?
            }
            b'h' => {
                let count = self.count()?;
                let entry = |reader: &mut Self| Ok((reader.value(depth + 1)?, reader.value(depth + 1)?));
                (0..count).map(|_| entry(self)).collect::<Result<Vec<_>, String>>().map(Value::hash)?
            }
            b'S' => Value::sensitive(self.value(depth + 1)?),
            b'x' => {
                let number: u64 = self.number(b';')?;
                let gone = "it hands back a value of Puppet's that was handed to it in another call";
                self.kept.get(number).cloned().ok_or(gone)?
            }
            _ => return Err(cut_wrongly()),
        })
    }

    fn take(&mut self, count: usize) -> Result<&[u8], String> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(cut_wrongly)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number<N: std::str::FromStr>(&mut self, end: u8) -> Result<N, String> {
        self.digits(end, 24)?.parse().map_err(|_| cut_wrongly())
    }

    fn digits(&mut self, end: u8, most: usize) -> Result<&str, String> {
        let length = self.rest.iter().take(most).position(|byte| *byte == end).ok_or_else(cut_wrongly)?;
        let digits = self.take(length + 1)?;
        std::str::from_utf8(&digits[..length]).map_err(|_| cut_wrongly())
    }

    /// Nothing takes less than a byte, so that no count makes room for more than there is.
    fn count(&mut self) -> Result<usize, String> {
        let count = self.number(b':')?;
        if count > self.rest.len() { Err(cut_wrongly()) } else { Ok(count) }
    }

    fn text(&mut self) -> Result<Str, String> {
        let count = self.count()?;
        std::str::from_utf8(self.take(count)?).map(Str::from).map_err(|_| cut_wrongly())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_values::{Timestamp, Type};

    fn back(value: &Value) -> Value {
        let mut kept = ValueTable::default();
        let bytes = encode(value, &mut kept);
        decode(&bytes, &kept).unwrap()
    }

    #[test]
    fn every_value_comes_back() {
        let options = Options { extended: true, ..Options::default() };
        let regexp = Value::Regexp(Arc::new(Regexp::new("^a+", options)));
        let values = [
            Value::Undef,
            Value::Default,
            true.into(),
            (-7).into(),
            i64::MIN.into(),
            Value::Float(-0.1),
            "ä\n\0".into(),
            Value::Binary(Binary::new(vec![0, 255])),
            regexp,
            Value::sensitive("secret".into()),
            Value::array([1.into(), Value::array([])]),
            Value::hash([(1.into(), "a".into()), (Value::array([2.into()]), Value::Undef)]),
        ];
        for value in &values {
            assert_eq!(back(value), *value, "{value:?}");
        }
        assert!(back(&Value::Float(f64::NAN)).as_str().is_none());
        assert_eq!(back(&Value::array(values.clone())), Value::array(values));
    }

    #[test]
    fn what_is_damaged_is_an_error_and_takes_no_room() {
        let kept = ValueTable::default();
        for wrong in ["", "z", "i1", "ix;", "s5:abc", "a9999999999:", "h1:n", "d123", "nn", "s2:\u{e9}x", "x0;"] {
            assert!(decode(wrong.as_bytes(), &kept).is_err(), "{wrong}");
        }
        assert!(decode(b"s1:\xff", &kept).is_err());
        let nested = b"a1:".repeat(1_000_000);
        assert!(decode(&nested, &kept).unwrap_err().contains("nested more than"));
    }

    #[test]
    fn a_number_of_another_call_stands_for_nothing() {
        let mut kept = ValueTable::default();
        let bytes = encode(&Value::Type(Type::Any), &mut kept);
        kept.clear();
        encode(&Value::Type(Type::Any), &mut kept);
        // The worker sends the number alone.
        assert!(bytes.starts_with(b"x0;"));
        assert!(decode(b"x0;", &kept).is_err());
        assert_eq!(decode(b"x1;", &kept), Ok(Value::Type(Type::Any)));
        let time = encode(&Value::Timestamp(Timestamp::from_seconds(5)), &mut kept);
        assert!(time.starts_with(b"x2;s29:Puppet::Pops::Time::Timestamps") && time.ends_with(b"i5000000000;"));
    }
}

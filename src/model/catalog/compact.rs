//! A writer of one-line JSON, byte for byte as `serde_json` writes it, but faster: most of a catalog is text that needs no
//! escapes, and such text is copied in one piece.

use std::fmt::Write;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Result};

/// By this name `serde_json` knows text that is JSON already (`RawValue`).
pub(super) const RAW: &str = "$serde_json::private::RawValue";

pub(super) struct Compact {
    json: String,
    /// The next text is JSON already.
    is_raw: bool,
}

impl Compact {
    /// `capacity`: so many bytes will come, about.
    pub(super) fn write(what: &impl Serialize, capacity: usize) -> Result<String> {
        let mut to = Compact { json: String::with_capacity(capacity), is_raw: false };
        what.serialize(&mut to)?;
        Ok(to.json)
    }

    fn text(&mut self, text: &str) {
        if std::mem::take(&mut self.is_raw) {
            return self.json.push_str(text);
        }
        // Room for all of it at once, if nothing is to be escaped.
        self.json.reserve(text.len() + 2);
        self.json.push('"');
        let mut rest = text;
        loop {
            let (plain, behind) = rest.split_at(plain_length(rest.as_bytes()));
            self.json.push_str(plain);
            let Some(escaped) = behind.bytes().next() else { break };
            self.escaped(escaped);
            rest = &behind[1..];
        }
        self.json.push('"');
    }

    fn escaped(&mut self, byte: u8) {
        let letter = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => {
                let digit = |number: u8| char::from(b"0123456789abcdef"[usize::from(number & 15)]);
                self.json.push_str("\\u00");
                self.json.extend([digit(byte >> 4), digit(byte)]);
                return;
            }
        };
        self.json.extend(['\\', char::from(letter)]);
    }

    /// A number, as short as it goes; `null` for one that is none.
    fn number(&mut self, number: impl Serialize) -> Result<()> {
        self.json.push_str(&serde_json::to_string(&number)?);
        Ok(())
    }

    fn integer(&mut self, number: impl std::fmt::Display) -> Result<()> {
        write!(self.json, "{number}").map_err(Error::custom)
    }

    fn open(&mut self, with: &str, close: &'static str) -> Members<'_> {
        self.json.push_str(with);
        Members { to: self, is_first: true, close }
    }

    /// `{"name":` and what `with` opens.
    fn open_variant(&mut self, name: &str, with: &str, close: &'static str) -> Members<'_> {
        self.json.push('{');
        self.text(name);
        self.json.push(':');
        self.open(with, close)
    }
}

/// Returns how many bytes stand before the first that has to be escaped. Of a long text as many at once as the
/// processor can compare; then eight at once: a byte is found where taking something away from it borrows, and what is
/// borrowed from those above it does not matter to the lowest that is found.
fn plain_length(bytes: &[u8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const MANY: usize = 32;
    let has_other = |many: &[u8]| many.iter().fold(false, |has, byte| has | !is_plain(*byte));
    let mut at = bytes.chunks_exact(MANY).take_while(|many| !has_other(many)).count() * MANY;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*eight);
        let below = |word: u64, bound: u8| word.wrapping_sub(EACH * u64::from(bound)) & !word & (EACH << 7);
        let is = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
        let found = below(word, b' ') | is(b'"') | is(b'\\');
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
        // The last eight once more, rather than what is left one by one.
        if at < bytes.len() && at + 8 > bytes.len() {
            at = bytes.len() - 8;
        }
    }
    at + bytes[at..].iter().take_while(|byte| is_plain(**byte)).count()
}

fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// What is between two brackets.
pub(super) struct Members<'c> {
    to: &'c mut Compact,
    is_first: bool,
    close: &'static str,
}

impl Members<'_> {
    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<()> {
        if !std::mem::take(&mut self.is_first) {
            self.to.json.push(',');
        }
        item.serialize(&mut *self.to)
    }

    fn key(&mut self, key: &(impl Serialize + ?Sized)) -> Result<()> {
        self.item(key)?;
        match self.to.json.ends_with('"') {
            true => Ok(()),
            false => Err(Error::custom("key must be a string")),
        }
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.to.json.push(':');
        value.serialize(&mut *self.to)
    }

    fn field(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        if self.to.is_raw {
            return value.serialize(&mut *self.to);
        }
        // The name of a field of ours: nothing in it has to be escaped.
        self.to.json.reserve(name.len() + 4);
        let before = if std::mem::take(&mut self.is_first) { "\"" } else { ",\"" };
        self.to.json.push_str(before);
        self.to.json.push_str(name);
        self.to.json.push_str("\":");
        value.serialize(&mut *self.to)
    }

    fn close(self) {
        self.to.json.push_str(self.close);
    }
}

macro_rules! numbers {
    ($with:ident $($method:ident $kind:ty),*) => {$(
        fn $method(self, number: $kind) -> Result<()> {
            self.$with(number)
        }
    )*};
}

impl<'c> Serializer for &'c mut Compact {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'c>;
    type SerializeTuple = Members<'c>;
    type SerializeTupleStruct = Members<'c>;
    type SerializeTupleVariant = Members<'c>;
    type SerializeMap = Members<'c>;
    type SerializeStruct = Members<'c>;
    type SerializeStructVariant = Members<'c>;

    fn serialize_bool(self, truth: bool) -> Result<()> {
        self.json.push_str(if truth { "true" } else { "false" });
        Ok(())
    }

    numbers!(integer
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64
    );
    numbers!(number serialize_f32 f32, serialize_f64 f64);

    fn serialize_char(self, character: char) -> Result<()> {
        self.text(character.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        self.text(text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.json.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<()> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut members = self.open_variant(name, "", "}");
        members.item(value)?;
        members.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'c>> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'c>> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'c>> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, name: &'static str, _: usize) -> Result<Members<'c>> {
        Ok(self.open_variant(name, "[", "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'c>> {
        Ok(self.open("{", "}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'c>> {
        self.is_raw = name == RAW;
        if self.is_raw { Ok(self.open("", "")) } else { Ok(self.open("{", "}")) }
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, name: &'static str, _: usize) -> Result<Members<'c>> {
        Ok(self.open_variant(name, "{", "}}"))
    }
}

/// The kinds of lists, each of which has its own name for the same.
macro_rules! lists {
    ($($kind:ident $item:ident),*) => {$(
        impl $kind for Members<'_> {
            type Ok = ();
            type Error = Error;

            fn $item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
                self.item(item)
            }

            fn end(self) -> Result<()> {
                self.close();
                Ok(())
            }
        }
    )*};
}

lists!(
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! structs {
    ($($kind:ident),*) => {$(
        impl $kind for Members<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.field(name, value)
            }

            fn end(self) -> Result<()> {
                self.close();
                Ok(())
            }
        }
    )*};
}

structs!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.value(value)
    }

    fn end(self) -> Result<()> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests;

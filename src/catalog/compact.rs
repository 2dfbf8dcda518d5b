//! JSON in one line, byte for byte as `serde_json` writes it, in less time: a catalog is texts for the most part, and of a
//! text all that need not be escaped is copied in one piece.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Error, Result};

/// By this name `serde_json` knows text that is JSON already (`RawValue`).
const RAW: &str = "$serde_json::private::RawValue";

pub(super) struct Compact {
    json: Vec<u8>,
    /// The next text is JSON already.
    is_raw: bool,
}

impl Compact {
    /// `capacity`: so many bytes will come, about.
    pub(super) fn of(what: &impl Serialize, capacity: usize) -> Result<String> {
        let mut to = Compact { json: Vec::with_capacity(capacity), is_raw: false };
        what.serialize(&mut to)?;
        String::from_utf8(to.json).map_err(Error::custom)
    }

    fn text(&mut self, text: &str) {
        if std::mem::take(&mut self.is_raw) {
            return self.json.extend_from_slice(text.as_bytes());
        }
        // Room for all of it at once, if nothing is to be escaped.
        self.json.reserve(text.len() + 2);
        self.json.push(b'"');
        let mut rest = text.as_bytes();
        loop {
            let (plain, behind) = rest.split_at(plain_length(rest));
            self.json.extend_from_slice(plain);
            let Some((escaped, behind)) = behind.split_first() else { break };
            self.escaped(*escaped);
            rest = behind;
        }
        self.json.push(b'"');
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
                let digit = |number: u8| b"0123456789abcdef"[usize::from(number & 15)];
                return self.json.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
            }
        };
        self.json.extend_from_slice(&[b'\\', letter]);
    }

    /// A number, as short as it goes; `null` for one that is none.
    fn number(&mut self, number: impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.json, &number)
    }

    fn open(&mut self, with: &[u8], close: &'static [u8]) -> Members<'_> {
        self.json.extend_from_slice(with);
        Members { to: self, is_first: true, close }
    }

    /// `{"name":` and what `with` opens.
    fn open_variant(&mut self, name: &str, with: &[u8], close: &'static [u8]) -> Members<'_> {
        self.json.push(b'{');
        self.text(name);
        self.json.push(b':');
        self.open(with, close)
    }
}

/// How many bytes stand before the first that has to be escaped. Of a long text as many at once as the processor can
/// compare; then eight at once: a byte is found where taking something away from it borrows, and what is borrowed from those
/// above it does not matter to the lowest that is found.
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
    close: &'static [u8],
}

impl Members<'_> {
    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<()> {
        if !std::mem::take(&mut self.is_first) {
            self.to.json.push(b',');
        }
        item.serialize(&mut *self.to)
    }

    fn key(&mut self, key: &(impl Serialize + ?Sized)) -> Result<()> {
        self.item(key)?;
        match self.to.json.last() {
            Some(b'"') => Ok(()),
            _ => Err(Error::custom("key must be a string")),
        }
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        self.to.json.push(b':');
        value.serialize(&mut *self.to)
    }

    fn field(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        if self.to.is_raw {
            return value.serialize(&mut *self.to);
        }
        // The name of a field of ours: nothing in it has to be escaped.
        self.to.json.reserve(name.len() + 4);
        let before: &[u8] = if std::mem::take(&mut self.is_first) { b"\"" } else { b",\"" };
        self.to.json.extend_from_slice(before);
        self.to.json.extend_from_slice(name.as_bytes());
        self.to.json.extend_from_slice(b"\":");
        value.serialize(&mut *self.to)
    }

    fn close(self) {
        self.to.json.extend_from_slice(self.close);
    }
}

macro_rules! numbers {
    ($($method:ident $kind:ty),*) => {$(
        fn $method(self, number: $kind) -> Result<()> {
            self.number(number)
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
        self.json.extend_from_slice(if truth { b"true" } else { b"false" });
        Ok(())
    }

    numbers!(
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_f32 f32, serialize_f64 f64
    );

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
        self.json.extend_from_slice(b"null");
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
        let mut members = self.open_variant(name, b"", b"}");
        members.item(value)?;
        members.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'c>> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'c>> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'c>> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, name: &'static str, _: usize) -> Result<Members<'c>> {
        Ok(self.open_variant(name, b"[", b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'c>> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'c>> {
        self.is_raw = name == RAW;
        if self.is_raw { Ok(self.open(b"", b"")) } else { Ok(self.open(b"{", b"}")) }
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, name: &'static str, _: usize) -> Result<Members<'c>> {
        Ok(self.open_variant(name, b"{", b"}}"))
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

//! Bytes.

use std::fmt;
use std::sync::Arc;

use super::ScalarError;

mod base64;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Binary(Arc<[u8]>);

/// How a text is made into bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryFormat {
    /// `%b`: base64 in which whatever is not base64 is skipped.
    Relaxed,
    /// `%B`: base64 with its padding and nothing else.
    Strict,
    /// `%u`: base64 with `-` and `_`; the padding may be left out.
    UrlSafe,
    /// `%s` and `%r`: the bytes of the text itself.
    Text,
}

impl BinaryFormat {
    pub fn new(format: &str) -> Option<BinaryFormat> {
        Some(match format {
            "%b" => BinaryFormat::Relaxed,
            "%B" => BinaryFormat::Strict,
            "%u" => BinaryFormat::UrlSafe,
            "%s" | "%r" => BinaryFormat::Text,
            _ => return None,
        })
    }
}

impl Binary {
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Binary {
        Binary(bytes.into())
    }

    pub fn parse(text: &str, format: BinaryFormat) -> Result<Binary, ScalarError> {
        let bytes = match format {
            BinaryFormat::Text => Some(text.as_bytes().to_vec()),
            BinaryFormat::Relaxed => Some(base64::decode_relaxed(text.as_bytes())),
            BinaryFormat::Strict => base64::decode_strict(text.as_bytes()),
            BinaryFormat::UrlSafe => base64::decode_url_safe(text),
        };
        bytes.map(Binary::new).ok_or(ScalarError::argument("invalid base64"))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Base64 in one line.
    pub fn to_base64(&self) -> String {
        base64::encode(&self.0)
    }

    /// Base64 in lines of sixty characters, each with an end.
    pub fn to_base64_lines(&self) -> String {
        self.0.chunks(45).map(|line| base64::encode(line) + "\n").collect()
    }

    /// Base64 with `-` and `_` for `+` and `/`.
    pub fn to_base64_url_safe(&self) -> String {
        self.to_base64().replace('+', "-").replace('/', "_")
    }

    /// Returns the bytes as text, if they are.
    pub fn to_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

/// In strict base64.
impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_base64())
    }
}

impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binary(\"{self}\")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, format: &str) -> Result<Vec<u8>, String> {
        let binary = Binary::parse(text, BinaryFormat::new(format).unwrap());
        binary.map(|binary| binary.bytes().to_vec()).map_err(|error| error.to_string())
    }

    #[test]
    fn base64_is_written_in_three_forms() {
        let binary = Binary::new(&b"\xfb\xff\xfe"[..]);
        assert_eq!((binary.to_string().as_str(), binary.to_base64_url_safe().as_str()), ("+//+", "-__-"));
        let long = Binary::new(vec![b'a'; 50]);
        assert_eq!(long.to_base64_lines(), "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh\nYWFhYWE=\n");
        assert_eq!(Binary::new(&b""[..]).to_base64_lines(), "");
    }

    #[test]
    fn base64_is_read_in_three_ways() {
        let invalid = Err("invalid base64".to_owned());
        assert_eq!(parsed("YWI=", "%B"), Ok(b"ab".to_vec()));
        for text in ["YWI", "YWI=\n", "YWJ=", "Y===", "=", "YW-=", "é==="] {
            assert_eq!(parsed(text, "%B"), invalid, "{text}");
        }
        assert_eq!(parsed("-__-YQ", "%u"), Ok(b"\xfb\xff\xfea".to_vec()));
        assert_eq!(parsed("YQ=", "%u"), invalid);
        assert_eq!(parsed("Y W\nI", "%b"), Ok(b"ab".to_vec()));
        assert_eq!(parsed("YQ==YWI=", "%b"), Ok(b"a".to_vec()));
        assert_eq!(parsed("é", "%s"), Ok("é".as_bytes().to_vec()));
    }
}

//! JSON as Ruby's json gem 2.6.1 reads it, and the gem's words where a text is none.
//!
//! The gem allows comments, names the line of its own C source, and shows the rest of the text
//! from a place that depends on what failed: an array says where it failed, an object, a string
//! or a number leaves that to what holds it. Knows nothing of where the text came from, or of what is made of it.

/// Deeper nesting is refused, so recursion is bounded.
const MAX_NESTING: u32 = 100;

/// Lines of the gem's source that its messages begin with.
const IN_NAN: u32 = 225;
const IN_INFINITY: u32 = 232;
const IN_MINUS_INFINITY: u32 = 249;
const IN_ARRAY: u32 = 451;
const IN_SURROGATES: u32 = 521;
const IN_DOCUMENT: u32 = 859;

/// What is made of the parts of a text.
pub trait Build {
    type Value;

    fn null(&mut self) -> Self::Value;
    fn boolean(&mut self, truth: bool) -> Self::Value;
    /// A number as it is written; one without a point and an exponent is an integer.
    fn number(&mut self, written: &str, is_integer: bool) -> Result<Self::Value, String>;
    /// `NaN`, `Infinity` or `-Infinity`, where they are numbers.
    fn beyond(&mut self, _written: &str) -> Option<Self::Value> {
        None
    }
    /// The next string is the key of an object, and begins at this byte.
    fn begin_key(&mut self, _at: usize) {}
    /// A string without escapes.
    fn plain(&mut self, text: &str) -> Self::Value;
    /// One with escapes, which may have made it no UTF-8: halves of surrogate pairs.
    fn string(&mut self, bytes: Vec<u8>) -> Result<Self::Value, String>;
    fn array(&mut self, items: Vec<Self::Value>) -> Self::Value;
    fn object(&mut self, entries: Vec<(Self::Value, Self::Value)>) -> Self::Value;
}

/// Makes nothing: whether a text is JSON at all.
#[derive(Debug)]
pub struct Check;

impl Build for Check {
    type Value = ();

    fn null(&mut self) {}

    fn boolean(&mut self, _truth: bool) {}

    fn number(&mut self, _written: &str, _is_integer: bool) -> Result<(), String> {
        Ok(())
    }

    fn plain(&mut self, _text: &str) {}

    fn string(&mut self, _bytes: Vec<u8>) -> Result<(), String> {
        Ok(())
    }

    fn array(&mut self, _items: Vec<()>) {}

    fn object(&mut self, _entries: Vec<((), ())>) {}
}

/// What is wrong with a text.
#[derive(Debug)]
pub struct JsonError {
    pub message: String,
    /// The byte where the gem says that reading ended: that of a whole object, if anything in it is wrong.
    pub at: usize,
    /// The byte at which reading did end.
    pub stopped: usize,
}

/// How a part of a document can fail.
enum Failure {
    /// The part does not parse; what holds it says where.
    Passed,
    /// The message is settled.
    Settled(JsonError),
}

type Parsed<T> = Result<T, Failure>;

/// Returns what is made of the text, or the gem's message where it is not JSON.
pub fn read<B: Build>(text: &str, build: &mut B) -> Result<B::Value, JsonError> {
    let mut parser = Parser { text, bytes: text.as_bytes(), build, stopped: 0 };
    let read = parser.document();
    let stopped = parser.stopped;
    read.map_err(|failure| match failure {
        Failure::Settled(error) => JsonError { stopped: stopped.max(error.at), ..error },
        // A document settles every failure.
        Failure::Passed => JsonError { message: String::new(), at: 0, stopped },
    })
}

struct Parser<'a, B> {
    text: &'a str,
    bytes: &'a [u8],
    build: &'a mut B,
    /// Where a part did not parse whose holder says another place.
    stopped: usize,
}

impl<B: Build> Parser<'_, B> {
    fn passed<T>(&mut self, at: usize) -> Parsed<T> {
        self.stopped = self.stopped.max(at);
        Err(Failure::Passed)
    }

    fn peek(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn settled<T>(&self, line: u32, what: &str, at: usize) -> Parsed<T> {
        // A C string ends at its first NUL.
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = rest.split('\0').next().unwrap_or_default();
        Err(Failure::Settled(JsonError { message: format!("{line}: {what} at '{rest}'"), at, stopped: at }))
    }

    fn unexpected<T>(&self, line: u32, at: usize) -> Parsed<T> {
        self.settled(line, "unexpected token", at)
    }

    fn document(&mut self) -> Parsed<B::Value> {
        let at = match self.skip(0) {
            Ok(at) => at,
            Err(at) => return self.unexpected(IN_DOCUMENT, at),
        };
        if !self.begins_value(at) {
            return self.unexpected(IN_DOCUMENT, at);
        }
        let (end, value) = match self.value(at, 0) {
            Err(Failure::Passed) => return self.unexpected(IN_DOCUMENT, at),
            other => other?,
        };
        match self.skip(end) {
            Ok(end) if end == self.bytes.len() => Ok(value),
            Ok(at) | Err(at) => self.unexpected(IN_DOCUMENT, at),
        }
    }

    /// Past white space and comments; where a comment is broken, the place that breaks it.
    fn skip(&self, mut at: usize) -> Result<usize, usize> {
        loop {
            match self.peek(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'/') => {
                    let body = at + 2;
                    let (end_mark, len) = match self.peek(at + 1) {
                        Some(b'*') => ("*/", 2),
                        Some(b'/') => ("\n", 1),
                        _ => return Err(at + 1),
                    };
                    match self.text[body..].find(end_mark) {
                        Some(end) => at = body + end + len,
                        None => return Err(self.bytes.len()),
                    }
                }
                _ => return Ok(at),
            }
        }
    }

    fn begins_value(&self, at: usize) -> bool {
        matches!(self.peek(at), Some(b'n' | b'f' | b't' | b'"' | b'-' | b'[' | b'{' | b'N' | b'I' | b'0'..=b'9'))
    }

    /// Parses the value that begins here, and its end.
    fn value(&mut self, at: usize, nesting: u32) -> Parsed<(usize, B::Value)> {
        let rest = &self.bytes[at..];
        let beyond = ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| rest.starts_with(word.as_bytes()));
        if let Some(word) = beyond
            && let Some(value) = self.build.beyond(word)
        {
            return Ok((at + word.len(), value));
        }
        match rest.first() {
            Some(b'[') => self.array(at, nesting + 1),
            Some(b'{') => self.object(at, nesting + 1),
            Some(b'"') => self.string(at),
            Some(b'-' | b'0'..=b'9') => {
                if rest.starts_with(b"-Infinity") {
                    return self.unexpected(IN_MINUS_INFINITY, at);
                }
                self.number(at)
            }
            Some(b'N') if rest.starts_with(b"NaN") => self.unexpected(IN_NAN, at),
            Some(b'I') if rest.starts_with(b"Infinity") => match at.checked_sub(1) {
                // The gem steps back one byte too far; before the text there is a zero byte.
                Some(before) => self.unexpected(IN_INFINITY, before),
                None => self.unexpected(IN_INFINITY, self.bytes.len()),
            },
            Some(b'n') if rest.starts_with(b"null") => Ok((at + 4, self.build.null())),
            Some(b't') if rest.starts_with(b"true") => Ok((at + 4, self.build.boolean(true))),
            Some(b'f') if rest.starts_with(b"false") => Ok((at + 5, self.build.boolean(false))),
            _ => self.passed(at),
        }
    }

    fn made(&self, value: Result<B::Value, String>, at: usize) -> Parsed<B::Value> {
        value.map_err(|message| Failure::Settled(JsonError { message, at, stopped: at }))
    }

    fn number(&mut self, at: usize) -> Parsed<(usize, B::Value)> {
        let length = number_length(&self.bytes[at..]);
        if length == 0 {
            // The gem goes on at the very place, and stumbles over it.
            return self.passed(at);
        }
        let written = &self.text[at..at + length];
        let value = self.build.number(written, !written.contains(['.', 'e', 'E']));
        Ok((at + length, self.made(value, at)?))
    }

    fn refuse_nesting(nesting: u32, at: usize) -> Parsed<()> {
        if nesting > MAX_NESTING {
            let message = format!("nesting of {nesting} is too deep");
            return Err(Failure::Settled(JsonError { message, at, stopped: at }));
        }
        Ok(())
    }

    fn array(&mut self, start: usize, nesting: u32) -> Parsed<(usize, B::Value)> {
        Self::refuse_nesting(nesting, start)?;
        let mut items = Vec::new();
        let mut at = self.skip_in_array(start + 1)?;
        if self.peek(at) == Some(b']') {
            return Ok((at + 1, self.build.array(items)));
        }
        loop {
            if !self.begins_value(at) {
                return self.unexpected(IN_ARRAY, at);
            }
            let (end, item) = match self.value(at, nesting) {
                Err(Failure::Passed) => return self.unexpected(IN_ARRAY, at),
                other => other?,
            };
            items.push(item);
            at = self.skip_in_array(end)?;
            match self.peek(at) {
                Some(b',') => at = self.skip_in_array(at + 1)?,
                Some(b']') => return Ok((at + 1, self.build.array(items))),
                _ => return self.unexpected(IN_ARRAY, at),
            }
        }
    }

    fn skip_in_array(&self, at: usize) -> Parsed<usize> {
        self.skip(at).or_else(|at| self.unexpected(IN_ARRAY, at))
    }

    fn object(&mut self, start: usize, nesting: u32) -> Parsed<(usize, B::Value)> {
        Self::refuse_nesting(nesting, start)?;
        let mut entries = Vec::new();
        let mut at = self.skip_in_object(start + 1)?;
        if self.peek(at) == Some(b'}') {
            return Ok((at + 1, self.build.object(entries)));
        }
        loop {
            if self.peek(at) != Some(b'"') {
                return self.passed(at);
            }
            self.build.begin_key(at);
            let (end, key) = self.string(at)?;
            at = self.skip_in_object(end)?;
            if self.peek(at) != Some(b':') {
                return self.passed(at);
            }
            at = self.skip_in_object(at + 1)?;
            if !self.begins_value(at) {
                return self.passed(at);
            }
            let (end, value) = self.value(at, nesting)?;
            entries.push((key, value));
            at = self.skip_in_object(end)?;
            match self.peek(at) {
                Some(b',') => at = self.skip_in_object(at + 1)?,
                Some(b'}') => return Ok((at + 1, self.build.object(entries))),
                _ => return self.passed(at),
            }
        }
    }

    fn skip_in_object(&mut self, at: usize) -> Parsed<usize> {
        self.skip(at).or_else(|at| self.passed(at))
    }

    /// A string, first by its form, then by what its escapes mean.
    fn string(&mut self, start: usize) -> Parsed<(usize, B::Value)> {
        let mut at = start + 1;
        let mut is_plain = true;
        loop {
            is_plain &= self.peek(at) != Some(b'\\');
            match self.peek(at) {
                None | Some(0..=0x1f) => return self.passed(at),
                Some(b'"') => break,
                Some(b'\\') => match self.peek(at + 1) {
                    None | Some(0..=0x1f) => return self.passed(at),
                    Some(b'u') => {
                        let digits = self.bytes.get(at + 2..at + 6).unwrap_or_default();
                        if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                            return self.passed(at);
                        }
                        at += 6;
                    }
                    Some(_) => at += 2,
                },
                Some(_) => at += 1,
            }
        }
        if is_plain {
            return Ok((at + 1, self.build.plain(&self.text[start + 1..at])));
        }
        let bytes = self.unescaped(start + 1, at)?;
        let value = self.build.string(bytes);
        Ok((at + 1, self.made(value, start)?))
    }

    /// The first half of a pair needs room for the other; what stands there counts little. The
    /// message shows the text since the last escape, and what follows it.
    fn unescaped(&self, start: usize, end: usize) -> Parsed<Vec<u8>> {
        let mut bytes = Vec::with_capacity(end - start);
        let (mut at, mut shown) = (start, start);
        while at < end {
            if self.bytes[at] != b'\\' {
                bytes.push(self.bytes[at]);
                at += 1;
                continue;
            }
            match self.bytes[at + 1] {
                b'u' => {
                    let mut code = self.unit(at + 2);
                    at += 6;
                    if code & 0xFC00 == 0xD800 {
                        if at + 6 > end {
                            return self.settled(IN_SURROGATES, "incomplete surrogate pair", shown);
                        }
                        if self.bytes[at..].starts_with(b"\\u") {
                            let low = self.unit(at + 2);
                            code = ((code & 0x3F) << 10) | (((code >> 6 & 0xF) + 1) << 16) | (low & 0x3FF);
                            at += 6;
                        } else {
                            // Just one byte is passed over, whatever it is.
                            code = u32::from(b'?');
                            at += 1;
                        }
                    }
                    push_code(&mut bytes, code);
                }
                letter => {
                    let plain = match letter {
                        b'n' => Some(b'\n'),
                        b'r' => Some(b'\r'),
                        b't' => Some(b'\t'),
                        b'b' => Some(0x08),
                        b'f' => Some(0x0C),
                        b'"' | b'\\' => Some(letter),
                        // Any other character stands for itself, and is read after this.
                        _ => None,
                    };
                    bytes.extend(plain);
                    at += if plain.is_some() { 2 } else { 1 };
                }
            }
            shown = at;
        }
        Ok(bytes)
    }

    /// What are no digits stands for the replacement character.
    fn unit(&self, at: usize) -> u32 {
        let digits = self.text.get(at..at + 4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xFFFD)
    }
}

/// UTF-8 of any number, as far as three or four bytes hold it.
fn push_code(bytes: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(ch) => bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes()),
        // Half of a pair.
        None => bytes.extend([0xE0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]),
    }
}

/// Returns the length of the number at the start of the text; nothing where it has a needless zero or no digits, for
/// then the gem goes on at the very place and stumbles over it.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(text.first() == Some(&b'-'));
    let whole = digits(sign);
    if whole == 0 || (whole > 1 && text[sign] == b'0') {
        return 0;
    }
    let integer = sign + whole;
    let mut end = integer;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return integer;
        }
        end += 1 + fraction;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let count = digits(exponent.min(text.len()));
        if count == 0 {
            return integer;
        }
        end = exponent + count;
    }
    // A float must not run on into what looks like more of it.
    let runs_on = end > integer && matches!(text.get(end), Some(b'0'..=b'9' | b'e' | b'E' | b'.' | b'-'));
    if runs_on { integer } else { end }
}

#[cfg(test)]
mod tests {
    use super::{Check, read};

    fn check(text: &str) -> Option<String> {
        read(text, &mut Check).err().map(|error| error.message)
    }

    /// Each message is what json 2.6.1 of Ruby 3.1 gave.
    #[test]
    fn messages_are_those_of_the_gem() {
        for (text, message) in [
            ("", "859: unexpected token at ''"),
            ("{", "859: unexpected token at '{'"),
            ("[", "451: unexpected token at ''"),
            ("[1,]", "451: unexpected token at ']'"),
            ("{\"a\":}", "859: unexpected token at '{\"a\":}'"),
            ("[{\"a\" 1}]", "451: unexpected token at '{\"a\" 1}]'"),
            ("[NaN]", "225: unexpected token at 'NaN]'"),
            ("[Infinity]", "232: unexpected token at '[Infinity]'"),
            ("Infinity", "232: unexpected token at ''"),
            ("[-Infinity]", "249: unexpected token at '-Infinity]'"),
            ("[1.]", "451: unexpected token at '.]'"),
            ("[01]", "451: unexpected token at '01]'"),
            ("[1.5.5]", "451: unexpected token at '.5.5]'"),
            ("[1.5e]", "451: unexpected token at '.5e]'"),
            ("[-]", "451: unexpected token at '-]'"),
            ("[1/2]", "451: unexpected token at '2]'"),
            ("/*", "859: unexpected token at ''"),
            ("1 2", "859: unexpected token at '2'"),
            ("\"x\"\0", "859: unexpected token at ''"),
            ("[\"\\u12\"]", "451: unexpected token at '\"\\u12\"]'"),
            ("[\"abc\\tq\\ud800\"]", "521: incomplete surrogate pair at 'q\\ud800\"]'"),
            ("[\"\\ud800abcdef\\ud800\"]", "521: incomplete surrogate pair at 'bcdef\\ud800\"]'"),
        ] {
            assert_eq!(check(text), Some(message.to_owned()), "{text}");
        }
        let nested = "[".repeat(101);
        assert_eq!(check(&nested), Some("nesting of 101 is too deep".to_owned()));
        for text in ["1", "/* c */ [1/**/]", "// x\n1", "[\"\\ud800\\u12345678\", \"\\x\", 1E+2]", "{\"a\"/**/:1}"] {
            assert_eq!(check(text), None, "{text}");
        }
    }
}

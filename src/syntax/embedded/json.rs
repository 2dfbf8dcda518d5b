//! Whether a text is JSON to Ruby's json gem 2.6.1, and the gem's words where it is not.
//!
//! The gem allows comments, names the line of its own C source, and shows the rest of the text
//! from a place that depends on what failed: an array says where it failed, an object, a string
//! or a number leaves that to what holds it. Knows nothing of where the text came from; makes no
//! values.

/// Deeper nesting is refused, so recursion is bounded.
const MAX_NESTING: u32 = 100;

/// Lines of the gem's source that its messages begin with.
const IN_NAN: u32 = 225;
const IN_INFINITY: u32 = 232;
const IN_MINUS_INFINITY: u32 = 249;
const IN_ARRAY: u32 = 451;
const IN_SURROGATES: u32 = 521;
const IN_DOCUMENT: u32 = 859;

/// How a part of a document can fail.
enum Failure {
    /// The part does not parse; what holds it says where.
    Passed,
    /// The message is settled.
    Settled(String),
}

type Parsed<T> = Result<T, Failure>;

/// The gem's message where the text is not JSON.
pub(super) fn check(text: &str) -> Option<String> {
    let parser = Parser { text, bytes: text.as_bytes() };
    match parser.document() {
        Ok(()) => None,
        Err(Failure::Settled(message)) => Some(message),
        // A document settles every failure.
        Err(Failure::Passed) => Some(String::new()),
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

impl Parser<'_> {
    fn peek(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn settled<T>(&self, line: u32, what: &str, at: usize) -> Parsed<T> {
        // A C string ends at its first NUL.
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = rest.split('\0').next().unwrap_or_default();
        Err(Failure::Settled(format!("{line}: {what} at '{rest}'")))
    }

    fn unexpected<T>(&self, line: u32, at: usize) -> Parsed<T> {
        self.settled(line, "unexpected token", at)
    }

    fn document(&self) -> Parsed<()> {
        let at = match self.skip(0) {
            Ok(at) => at,
            Err(at) => return self.unexpected(IN_DOCUMENT, at),
        };
        if !self.begins_value(at) {
            return self.unexpected(IN_DOCUMENT, at);
        }
        let end = match self.value(at, 0) {
            Err(Failure::Passed) => return self.unexpected(IN_DOCUMENT, at),
            other => other?,
        };
        match self.skip(end) {
            Ok(end) if end == self.bytes.len() => Ok(()),
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

    /// The end of the value that begins here.
    fn value(&self, at: usize, nesting: u32) -> Parsed<usize> {
        let rest = &self.bytes[at..];
        match rest.first() {
            Some(b'[') => self.array(at, nesting + 1),
            Some(b'{') => self.object(at, nesting + 1),
            Some(b'"') => self.string(at),
            Some(b'-' | b'0'..=b'9') => {
                if rest.starts_with(b"-Infinity") {
                    return self.unexpected(IN_MINUS_INFINITY, at);
                }
                Ok(at + number_length(rest))
            }
            Some(b'N') if rest.starts_with(b"NaN") => self.unexpected(IN_NAN, at),
            Some(b'I') if rest.starts_with(b"Infinity") => match at.checked_sub(1) {
                // The gem steps back one byte too far; before the text there is a zero byte.
                Some(before) => self.unexpected(IN_INFINITY, before),
                None => self.unexpected(IN_INFINITY, self.bytes.len()),
            },
            _ => ["null", "true", "false"]
                .iter()
                .find(|word| rest.starts_with(word.as_bytes()))
                .map(|word| at + word.len())
                .ok_or(Failure::Passed),
        }
    }

    fn refuse_nesting(nesting: u32) -> Parsed<()> {
        if nesting > MAX_NESTING {
            return Err(Failure::Settled(format!("nesting of {nesting} is too deep")));
        }
        Ok(())
    }

    fn array(&self, start: usize, nesting: u32) -> Parsed<usize> {
        Self::refuse_nesting(nesting)?;
        let skip = |at| self.skip(at).or_else(|at| self.unexpected(IN_ARRAY, at));
        let mut at = skip(start + 1)?;
        if self.peek(at) == Some(b']') {
            return Ok(at + 1);
        }
        loop {
            if !self.begins_value(at) {
                return self.unexpected(IN_ARRAY, at);
            }
            let end = match self.value(at, nesting) {
                Err(Failure::Passed) => return self.unexpected(IN_ARRAY, at),
                other => other?,
            };
            at = skip(end)?;
            match self.peek(at) {
                Some(b',') => at = skip(at + 1)?,
                Some(b']') => return Ok(at + 1),
                _ => return self.unexpected(IN_ARRAY, at),
            }
        }
    }

    fn object(&self, start: usize, nesting: u32) -> Parsed<usize> {
        Self::refuse_nesting(nesting)?;
        let skip = |at| self.skip(at).map_err(|_| Failure::Passed);
        let mut at = skip(start + 1)?;
        if self.peek(at) == Some(b'}') {
            return Ok(at + 1);
        }
        loop {
            if self.peek(at) != Some(b'"') {
                return Err(Failure::Passed);
            }
            at = skip(self.string(at)?)?;
            if self.peek(at) != Some(b':') {
                return Err(Failure::Passed);
            }
            at = skip(at + 1)?;
            if !self.begins_value(at) {
                return Err(Failure::Passed);
            }
            at = skip(self.value(at, nesting)?)?;
            match self.peek(at) {
                Some(b',') => at = skip(at + 1)?,
                Some(b'}') => return Ok(at + 1),
                _ => return Err(Failure::Passed),
            }
        }
    }

    /// A string, first by its form, then by what its escapes mean.
    fn string(&self, start: usize) -> Parsed<usize> {
        let mut at = start + 1;
        loop {
            match self.peek(at) {
                None | Some(0..=0x1f) => return Err(Failure::Passed),
                Some(b'"') => break,
                Some(b'\\') => match self.peek(at + 1) {
                    None | Some(0..=0x1f) => return Err(Failure::Passed),
                    Some(b'u') => {
                        let digits = self.bytes.get(at + 2..at + 6).unwrap_or_default();
                        if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                            return Err(Failure::Passed);
                        }
                        at += 6;
                    }
                    Some(_) => at += 2,
                },
                Some(_) => at += 1,
            }
        }
        self.surrogates(start + 1, at)?;
        Ok(at + 1)
    }

    /// The first half of a pair needs room for the other; what stands there counts little. The
    /// message shows the text since the last escape, and what follows it.
    fn surrogates(&self, start: usize, end: usize) -> Parsed<()> {
        let (mut at, mut shown) = (start, start);
        while at < end {
            if self.bytes[at] != b'\\' {
                at += 1;
                continue;
            }
            match self.bytes[at + 1] {
                b'u' => {
                    let digits = &self.text[at + 2..at + 6];
                    let unit = u32::from_str_radix(digits, 16).unwrap_or(0);
                    at += 6;
                    if unit & 0xFC00 == 0xD800 {
                        if at + 6 > end {
                            return self.settled(IN_SURROGATES, "incomplete surrogate pair", shown);
                        }
                        // Without another escape just one byte is passed over.
                        at += if self.bytes[at..].starts_with(b"\\u") { 6 } else { 1 };
                    }
                    shown = at;
                }
                b'n' | b'r' | b't' | b'"' | b'\\' | b'b' | b'f' => {
                    at += 2;
                    shown = at;
                }
                // Any other character stands for itself.
                _ => {
                    at += 1;
                    shown = at;
                }
            }
        }
        Ok(())
    }
}

/// The length of the number at the start of the text; nothing where it has a needless zero or no
/// digits, for then the gem goes on at the very place and stumbles over it.
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
    use super::check;

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
            assert_eq!(check(text).as_deref(), Some(message), "{text}");
        }
        let nested = "[".repeat(101);
        assert_eq!(check(&nested).as_deref(), Some("nesting of 101 is too deep"));
        for text in ["1", "/* c */ [1/**/]", "// x\n1", "[\"\\ud800\\u12345678\", \"\\x\", 1E+2]", "{\"a\"/**/:1}"] {
            assert_eq!(check(text), None, "{text}");
        }
    }
}

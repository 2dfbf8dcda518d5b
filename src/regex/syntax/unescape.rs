//! Ruby's own pass over a pattern, before the regular expression engine sees it.
//!
//! Escapes that stand for bytes or characters become `\xHH` where they are ASCII, and the
//! character itself elsewhere. All other escapes are left alone. Knows nothing of the syntax of
//! regular expressions: a class, a group or a comment is mere text here.

use super::RegexError;

/// The text the engine parses, and where its characters came from.
#[derive(Default)]
pub(super) struct Unescaped {
    pub(super) characters: Vec<char>,
    /// Each character, by index, that does not follow the one before it in the original pattern,
    /// and the byte where it stands there.
    jumps: Vec<(usize, usize)>,
    /// Where the original pattern goes on.
    next_offset: usize,
    is_wide: bool,
}

impl Unescaped {
    /// Returns the byte of the original pattern for an index of the text.
    pub(super) fn offset(&self, at: usize, length: usize) -> usize {
        if at >= self.characters.len() {
            return length;
        }
        let before = self.jumps.partition_point(|jump| jump.0 <= at);
        let (index, offset) = before.checked_sub(1).map_or((0, 0), |before| self.jumps[before]);
        offset + self.characters[index..at].iter().map(|character| character.len_utf8()).sum::<usize>()
    }

    /// Returns true if Ruby takes the pattern for Unicode: for a character, or for a property.
    pub(super) fn is_wide(&self) -> bool {
        self.is_wide
    }

    fn push(&mut self, character: char, offset: usize) {
        self.is_wide |= !character.is_ascii();
        if offset != self.next_offset {
            self.jumps.push((self.characters.len(), offset));
        }
        self.next_offset = offset + character.len_utf8();
        self.characters.push(character);
    }

    /// Characters that stand for themselves.
    fn push_all(&mut self, plain: &str, offset: usize) {
        if offset != self.next_offset {
            self.jumps.push((self.characters.len(), offset));
        }
        self.next_offset = offset + plain.len();
        self.is_wide |= !plain.is_ascii();
        self.characters.extend(plain.chars());
    }

    /// A character that an escape stood for. ASCII stays escaped, or `\x2A` would repeat.
    fn push_unescaped(&mut self, character: char, offset: usize) {
        if character.is_ascii() {
            for part in format!("\\x{:02X}", u32::from(character)).chars() {
                self.push(part, offset);
            }
        } else {
            self.push(character, offset);
        }
    }
}

type Step<T> = Result<T, &'static str>;

struct Unescaper<'a> {
    bytes: &'a [u8],
    pos: usize,
    text: Unescaped,
}

/// Unescapes a pattern.
pub(super) fn unescape(pattern: &str) -> Result<Unescaped, RegexError> {
    let text = Unescaped { characters: Vec::with_capacity(pattern.len()), ..Unescaped::default() };
    let mut unescaper = Unescaper { bytes: pattern.as_bytes(), pos: 0, text };
    while let Some(length) = memchr::memchr(b'\\', &unescaper.bytes[unescaper.pos..]) {
        // Escapes are of ASCII alone, so that what is behind one starts with a whole character.
        let start = unescaper.pos + length;
        unescaper.text.push_all(&pattern[unescaper.pos..start], unescaper.pos);
        unescaper.pos = start + 1;
        unescaper.escape(start).map_err(|message| RegexError { message: message.to_owned(), offset: Some(start) })?;
    }
    unescaper.text.push_all(&pattern[unescaper.pos..], unescaper.pos);
    Ok(unescaper.text)
}

impl Unescaper<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Returns the escape whose backslash is at `start`, with the position behind that.
    fn escape(&mut self, start: usize) -> Step<()> {
        let Some(byte) = self.peek() else { return Err("too short escape sequence") };
        match byte {
            b'u' => {
                self.pos += 1;
                self.unicode(start)
            }
            // Seven bits may be a back-reference, which is for the engine to tell.
            b'1'..=b'7' if self.digits(self.pos, 3, 8).0 <= 0o177 => {
                self.keep(start);
                Ok(())
            }
            b'0'..=b'7' | b'x' | b'c' | b'C' | b'M' => self.byte_escape(start),
            0x80.. => {
                self.text.push('\\', start);
                Ok(())
            }
            _ => {
                self.text.is_wide |= matches!(byte, b'p' | b'P');
                self.keep(start);
                Ok(())
            }
        }
    }

    /// Keeps a backslash and the ASCII character behind it.
    fn keep(&mut self, start: usize) {
        self.text.push('\\', start);
        self.text.push(char::from(self.bytes[self.pos]), start + 1);
        self.pos += 1;
    }

    /// The number of up to `most` digits at `at`, and how many there are.
    fn digits(&self, at: usize, most: usize, base: u32) -> (u32, usize) {
        let mut value = 0u32;
        let mut count = 0;
        while count < most
            && let Some(digit) = self.bytes.get(at + count).and_then(|byte| char::from(*byte).to_digit(base))
        {
            value = value.saturating_mul(base).saturating_add(digit);
            count += 1;
        }
        (value, count)
    }

    fn unicode(&mut self, start: usize) -> Step<()> {
        match self.peek() {
            None => return Err("too short escape sequence"),
            Some(b'{') => {}
            Some(_) => {
                let (code, count) = self.digits(self.pos, 4, 16);
                if count != 4 {
                    return Err("invalid Unicode escape");
                }
                self.pos += 4;
                return self.code_point(code, start);
            }
        }
        self.pos += 1;
        self.skip_spaces();
        let mut any = false;
        loop {
            let (code, count) = self.digits(self.pos, usize::MAX, 16);
            match count {
                0 => break,
                1..=6 => self.code_point(code, start)?,
                _ => return Err("invalid Unicode range"),
            }
            any = true;
            self.pos += count;
            self.skip_spaces();
        }
        if !any || self.peek() != Some(b'}') {
            return Err("invalid Unicode list");
        }
        self.pos += 1;
        Ok(())
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t'..=b'\r')) {
            self.pos += 1;
        }
    }

    fn code_point(&mut self, code: u32, start: usize) -> Step<()> {
        let Some(character) = char::from_u32(code) else { return Err("invalid Unicode range") };
        self.text.push_unescaped(character, start);
        Ok(())
    }

    /// As many escaped bytes as make one character.
    fn byte_escape(&mut self, start: usize) -> Step<()> {
        self.pos = start;
        let mut bytes = [0u8; 4];
        for count in 0..4 {
            bytes[count] = self.escaped_byte()?;
            match std::str::from_utf8(&bytes[..=count]) {
                Ok(character) => {
                    for character in character.chars() {
                        self.text.push_unescaped(character, start);
                    }
                    return Ok(());
                }
                Err(error) if error.error_len().is_some() => break,
                Err(_) => {}
            }
        }
        Err("invalid multibyte escape")
    }

    /// One escaped byte, from its backslash on. Control and meta prefixes may come before it.
    fn escaped_byte(&mut self) -> Step<u8> {
        if self.peek() != Some(b'\\') {
            return Err("too short escaped multibyte character");
        }
        self.pos += 1;
        let (mut control, mut meta) = (false, false);
        let code = loop {
            let Some(byte) = self.peek() else { return Err("too short escape sequence") };
            self.pos += 1;
            match byte {
                b'M' if meta => return Err("duplicate meta escape"),
                b'M' => {
                    meta = true;
                    self.dash("too short meta escape")?;
                }
                b'C' | b'c' => {
                    if byte == b'C' {
                        self.dash("too short control escape")?;
                    }
                    if control {
                        return Err("duplicate control escape");
                    }
                    control = true;
                }
                _ => break self.simple_byte(byte)?,
            }
            let short = if byte == b'M' { "too short meta escape" } else { "too short control escape" };
            match self.peek() {
                Some(b'\\') => self.pos += 1,
                Some(plain @ ..0x80) => {
                    self.pos += 1;
                    break u32::from(plain);
                }
                _ => return Err(short),
            }
        };
        let Ok(mut code) = u8::try_from(code) else { return Err("invalid escape code") };
        if control {
            code &= 0x1F;
        }
        Ok(if meta { code | 0x80 } else { code })
    }

    fn dash(&mut self, short: &'static str) -> Step<()> {
        if self.peek() != Some(b'-') {
            return Err(short);
        }
        self.pos += 1;
        Ok(())
    }

    /// Returns what an escape without prefixes stands for, from the position behind its letter.
    fn simple_byte(&mut self, letter: u8) -> Step<u32> {
        Ok(match letter {
            b'\\' => u32::from(b'\\'),
            b'n' => 0x0A,
            b't' => 0x09,
            b'r' => 0x0D,
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'0'..=b'7' => {
                let (code, count) = self.digits(self.pos - 1, 3, 8);
                self.pos += count - 1;
                code
            }
            b'x' => {
                let (code, count) = self.digits(self.pos, 2, 16);
                if count == 0 {
                    return Err("invalid hex escape");
                }
                self.pos += count;
                code
            }
            _ => return Err("unexpected escape sequence"),
        })
    }
}

//! A cursor over the unescaped text of a pattern, and the numbers in it.
//!
//! Knows nothing of what the characters mean.

pub(super) struct Reader<'a> {
    pub(super) text: &'a [char],
    pub(super) pos: usize,
}

/// The largest number that is not too big to read.
const LARGEST: u32 = i32::MAX as u32;

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.pos).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.pos += 1;
        Some(character)
    }

    pub(super) fn is_done(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// Steps over `character` if it is next.
    pub(super) fn skip(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.pos += usize::from(found);
        found
    }

    /// Reads decimal digits, if any: none are nought. Nothing where the number is too big.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut value = Some(0u32);
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(10)) {
            self.pos += 1;
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(digit)).filter(|value| *value <= LARGEST);
        }
        value
    }

    /// Reads at most `most` digits of a base of 16 or less.
    pub(super) fn digits(&mut self, most: usize, base: u32) -> u32 {
        let mut value = 0;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|character| character.to_digit(base)) else { break };
            self.pos += 1;
            value = value * base + digit;
        }
        value
    }
}

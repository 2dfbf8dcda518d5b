//! A text as a date and a time, after a format: what Ruby's `DateTime._strptime` reads.
//!
//! Only what a timestamp is made of is kept; days of the week, numbers of weeks and the like are read and dropped.

use super::zone;

const DAYS: [&str; 14] = [
    "sunday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sun",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
];
const MONTHS: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
];
/// A year this far away is farther than any timestamp; more digits add nothing.
const FARTHEST_YEAR: i64 = 1_000_000_000_000_000;

#[derive(Clone, Default, Debug)]
pub(super) struct Parsed {
    pub(super) year: Option<i64>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
    pub(super) hour: Option<u8>,
    pub(super) minute: Option<u8>,
    pub(super) second: Option<u8>,
    /// In nanoseconds, rounded down; below zero if it was written with a minus.
    pub(super) fraction: Option<i64>,
    pub(super) zone: Option<String>,
    /// There is more text than format.
    pub(super) leftover: bool,
    century: Option<i64>,
    afternoon: Option<bool>,
}

/// `None` if the text does not fit the format.
pub(super) fn parse(text: &str, format: &str) -> Option<Parsed> {
    let mut reader = Reader { text: text.as_bytes(), at: 0, parsed: Parsed::default() };
    reader.format(format.as_bytes())?;
    let mut parsed = reader.parsed;
    parsed.leftover = reader.at < text.len();
    if let (Some(century), Some(year)) = (parsed.century, parsed.year) {
        parsed.year = Some(year + century * 100);
    }
    if let (Some(afternoon), Some(hour)) = (parsed.afternoon, parsed.hour) {
        parsed.hour = Some(hour % 12 + if afternoon { 12 } else { 0 });
    }
    Some(parsed)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    parsed: Parsed,
}

impl Reader<'_> {
    fn format(&mut self, format: &[u8]) -> Option<()> {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            at += 1;
            match byte {
                b'%' => at = self.directive(format, at)?,
                b' ' | b'\t'..=b'\r' => self.skip_spaces(),
                _ => self.literal(byte)?,
            }
        }
        Some(())
    }

    /// One directive, whose letter stands at this place or behind a modifier; tells where the format goes on.
    fn directive(&mut self, format: &[u8], at: usize) -> Option<usize> {
        let follows = |letters: &[u8]| format.get(at + 1).is_some_and(|byte| letters.contains(byte));
        match format.get(at).copied() {
            Some(b'E') if follows(b"cCxXyY") => return self.directive(format, at + 1),
            Some(b'O') if follows(b"deHImMSuUVwWy") => return self.directive(format, at + 1),
            // Without a letter that it goes with, the percent sign stands for itself.
            Some(b'E' | b'O') => {
                self.literal(b'%')?;
                return Some(at);
            }
            Some(b':') => {
                let colons = format[at..].iter().take_while(|byte| **byte == b':').count();
                let letter = at + colons;
                return if colons <= 3 && format.get(letter) == Some(&b'z') {
                    self.directive(format, letter)
                } else {
                    None
                };
            }
            Some(letter) => {
                let number_follows = number_begins(&format[at + 1..]);
                self.field(letter, number_follows)?;
            }
            // A percent sign at the end skips whatever comes after it.
            None => {
                self.literal(b'%')?;
                self.at = (self.at + 1).min(self.text.len());
            }
        }
        Some(at + 1)
    }

    fn field(&mut self, letter: u8, number_follows: bool) -> Option<()> {
        if let Some(format) = compound(letter) {
            return self.format(format);
        }
        match letter {
            b'A' | b'a' => drop(self.one_of(&DAYS)?),
            b'B' | b'b' | b'h' => self.parsed.month = Some((self.one_of(&MONTHS)? % 12) as u8 + 1),
            b'p' | b'P' => self.parsed.afternoon = Some(self.one_of(&["am", "pm", "a.m.", "p.m."])? % 2 == 1),
            b'Z' | b'z' => self.zone()?,
            b'C' => self.parsed.century = Some(self.digits(if number_follows { 2 } else { usize::MAX })?),
            b'Y' => {
                let negative = self.sign(b"+-");
                let year = self.digits(if number_follows { 4 } else { usize::MAX })?;
                self.parsed.year = Some(if negative { -year } else { year });
            }
            b'G' => drop(self.digits(if number_follows { 4 } else { usize::MAX })?),
            b'y' | b'g' => {
                let year = self.digits(2)?;
                if letter == b'y' {
                    self.parsed.year = Some(year);
                }
                self.parsed.century.get_or_insert(if year >= 69 { 19 } else { 20 });
            }
            b'L' | b'N' => {
                let width = if letter == b'L' { 3 } else { 9 };
                self.fraction(if number_follows { width } else { usize::MAX })?;
            }
            b'Q' | b's' => {
                self.sign(b"-");
                self.digits(usize::MAX)?;
            }
            _ => return self.small_number(letter),
        }
        Some(())
    }

    /// Returns a number of few digits in a narrow range; or no directive at all, which stands for itself.
    fn small_number(&mut self, letter: u8) -> Option<()> {
        match letter {
            b'd' | b'e' => self.parsed.day = Some(self.padded(1, 31)?),
            b'H' | b'k' => self.parsed.hour = Some(self.padded(0, 24)?),
            b'I' | b'l' => self.parsed.hour = Some(self.padded(1, 12)?),
            b'M' => self.parsed.minute = Some(self.ranged(2, 0, 59)? as u8),
            b'm' => self.parsed.month = Some(self.ranged(2, 1, 12)? as u8),
            b'S' => self.parsed.second = Some(self.ranged(2, 0, 60)? as u8),
            b'j' => drop(self.ranged(3, 1, 366)?),
            b'U' | b'W' => drop(self.ranged(2, 0, 53)?),
            b'u' => drop(self.ranged(1, 1, 7)?),
            b'V' => drop(self.ranged(2, 1, 53)?),
            b'w' => drop(self.ranged(1, 0, 6)?),
            b'%' => self.literal(b'%')?,
            _ => {
                self.literal(b'%')?;
                self.literal(letter)?;
            }
        }
        Some(())
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        (self.rest().first() == Some(&byte)).then(|| self.at += 1)
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
    }

    /// Returns true if there is a minus; whichever sign there is, is taken.
    fn sign(&mut self, signs: &[u8]) -> bool {
        let sign = self.rest().first().copied().filter(|byte| signs.contains(byte));
        self.at += usize::from(sign.is_some());
        sign == Some(b'-')
    }

    fn digits(&mut self, most: usize) -> Option<i64> {
        let count = self.rest().iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, _) = self.rest().split_at(count);
        let number = digits.iter().fold(0_i64, |number, digit| {
            number.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(FARTHEST_YEAR)
        });
        self.at += count;
        (count > 0).then_some(number)
    }

    fn ranged(&mut self, most: usize, least: i64, greatest: i64) -> Option<i64> {
        self.digits(most).filter(|number| (least..=greatest).contains(number))
    }

    /// Two digits, or a space and one.
    fn padded(&mut self, least: i64, greatest: i64) -> Option<u8> {
        let width = if self.literal(b' ').is_some() { 1 } else { 2 };
        self.ranged(width, least, greatest).map(|number| number as u8)
    }

    fn fraction(&mut self, most: usize) -> Option<()> {
        let negative = self.sign(b"+-");
        let begin = self.at;
        self.digits(most)?;
        let digits = &self.text[begin..self.at];
        let first = digits.iter().chain(b"000000000").take(9);
        let nanoseconds = first.fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
        let more = digits.iter().skip(9).any(|digit| *digit != b'0');
        self.parsed.fraction = Some(if negative { -nanoseconds - i64::from(more) } else { nanoseconds });
        Some(())
    }

    /// Returns which of the words comes next, in whatever case.
    fn one_of(&mut self, words: &[&str]) -> Option<usize> {
        let rest = self.rest();
        let (index, word) = words.iter().enumerate().find(|(_, word)| {
            rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        })?;
        self.at += word.len();
        Some(index)
    }

    fn zone(&mut self) -> Option<()> {
        let length = zone::designator(self.rest())?;
        self.parsed.zone = Some(String::from_utf8_lossy(&self.rest()[..length]).into_owned());
        self.at += length;
        Some(())
    }
}

/// Returns true if a format begins with a digit or with a directive that reads one: the number before it must stop in
/// time.
fn number_begins(format: &[u8]) -> bool {
    match format {
        [b'0'..=b'9', ..] => true,
        [b'%', b'E' | b'O', letter, ..] | [b'%', letter, ..] => {
            letter.is_ascii_digit() || b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(letter)
        }
        _ => false,
    }
}

fn compound(letter: u8) -> Option<&'static [u8]> {
    Some(match letter {
        b'c' => b"%a %b %e %H:%M:%S %Y",
        b'D' | b'x' => b"%m/%d/%y",
        b'F' => b"%Y-%m-%d",
        b'n' | b't' => b" ",
        b'R' => b"%H:%M",
        b'r' => b"%I:%M:%S %p",
        b'T' | b'X' => b"%H:%M:%S",
        b'v' => b"%e-%b-%Y",
        b'+' => b"%a %b %e %H:%M:%S %Z %Y",
        _ => return None,
    })
}

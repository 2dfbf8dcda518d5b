//! The format of a timespan: how it is written, and how a text in that format is read.

use std::fmt::Write;

use super::matcher::{self, Piece};
use super::{ScalarError, Timespan};

/// The widest field that is written.
const WIDEST: usize = 1_000_000;
/// The widest field that Ruby's regular expressions can ask for.
const WIDEST_READ: usize = 100_000;

#[derive(Clone, Debug)]
pub struct TimespanFormat {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
enum Segment {
    Literal(String),
    Field(Field),
}

/// In the order of their size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Padding {
    None,
    Zero,
    Space,
}

#[derive(Clone, Debug)]
struct Field {
    unit: Unit,
    padding: Padding,
    width: Option<usize>,
    /// The largest unit of the format takes all that is above it.
    total: bool,
}

impl TimespanFormat {
    pub fn new(text: &str) -> Result<TimespanFormat, ScalarError> {
        let mut segments = Reader { text, segments: Vec::new() }.read()?;
        let largest = segments.iter().filter_map(Segment::field).map(|field| field.unit).max();
        let first_of_largest = segments.iter_mut().find_map(|segment| match segment {
            Segment::Field(field) if Some(field.unit) == largest => Some(field),
            _ => None,
        });
        if let Some(field) = first_of_largest {
            field.total = true;
        }
        Ok(TimespanFormat { text: text.to_owned(), segments })
    }

    pub fn write(&self, span: Timespan) -> Result<String, ScalarError> {
        let mut written = String::new();
        if span.is_negative() {
            written.push('-');
        }
        for segment in &self.segments {
            match segment {
                Segment::Literal(text) => written.push_str(text),
                Segment::Field(field) => field.write(span, &mut written)?,
            }
        }
        Ok(written)
    }

    pub fn parse(&self, text: &str) -> Result<Timespan, ScalarError> {
        let unable = || ScalarError::argument(format!("Unable to parse '{text}' using format '{}'", self.text));
        let pieces = self.segments.iter().map(Segment::piece).collect::<Result<Vec<_>, _>>()?;
        let captures = matcher::captures(&pieces, text)?.ok_or_else(unable)?;
        let mut total = 0_i128;
        for (segment, capture) in self.segments.iter().zip(captures) {
            let Segment::Field(field) = segment else { continue };
            let digits = capture.trim_start();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(unable());
            }
            let part = field.nanoseconds(digits)?;
            total = super::nanoseconds::checked(total.checked_add(part))?;
        }
        Timespan::from_nanoseconds(if text.starts_with('-') { -total } else { total })
    }
}

impl Segment {
    fn field(&self) -> Option<&Field> {
        match self {
            Segment::Field(field) => Some(field),
            Segment::Literal(_) => None,
        }
    }

    fn piece(&self) -> Result<Piece<'_>, ScalarError> {
        match self {
            Segment::Literal(text) => Ok(Piece::Literal(text)),
            Segment::Field(field) => field.piece(),
        }
    }
}

impl Unit {
    fn from_specifier(specifier: char) -> Option<Unit> {
        Some(match specifier {
            'D' => Unit::Day,
            'H' => Unit::Hour,
            'M' => Unit::Minute,
            'S' => Unit::Second,
            'L' => Unit::Millisecond,
            'N' => Unit::Nanosecond,
            _ => return None,
        })
    }

    fn is_fraction(self) -> bool {
        matches!(self, Unit::Millisecond | Unit::Nanosecond)
    }

    fn default_width(self) -> usize {
        match self {
            Unit::Day => 1,
            Unit::Hour | Unit::Minute | Unit::Second => 2,
            Unit::Millisecond => 3,
            Unit::Nanosecond => 9,
        }
    }

    /// Returns how many nanoseconds it is, and how many of it the next larger unit holds (of days, there is no such).
    fn scale(self) -> (u128, u128) {
        match self {
            Unit::Day => (86_400_000_000_000, u128::MAX),
            Unit::Hour => (3_600_000_000_000, 24),
            Unit::Minute => (60_000_000_000, 60),
            Unit::Second => (1_000_000_000, 60),
            Unit::Millisecond => (1_000_000, 1000),
            Unit::Nanosecond => (1, 1_000_000_000),
        }
    }
}

impl Field {
    fn width(&self) -> usize {
        self.width.unwrap_or(self.unit.default_width())
    }

    fn scale(&self) -> (u128, u128) {
        match (self.unit, self.width()) {
            // Fewer digits of the nanoseconds are the upper ones: `%6N` counts microseconds.
            (Unit::Nanosecond, width @ 0..9) => (10_u128.pow(9 - width as u32), 10_u128.pow(width as u32)),
            (unit, _) => unit.scale(),
        }
    }

    fn write(&self, span: Timespan, written: &mut String) -> Result<(), ScalarError> {
        let width = self.width();
        if width > WIDEST {
            return Err(ScalarError::argument("width too big"));
        }
        let (unit, limit) = self.scale();
        let mut value = span.nanoseconds().unsigned_abs() / unit;
        if !self.total {
            value %= limit;
        }
        let fraction = self.unit.is_fraction();
        if fraction && !self.total && self.padding != Padding::Zero {
            while value != 0 && value.is_multiple_of(10) {
                value /= 10;
            }
        }
        let _ = match self.padding {
            Padding::None => write!(written, "{value}"),
            // A fraction stands to the left.
            Padding::Zero | Padding::Space if fraction => write!(written, "{value:<width$}"),
            Padding::Zero => write!(written, "{value:0width$}"),
            Padding::Space => write!(written, "{value:width$}"),
        };
        Ok(())
    }

    fn piece(&self) -> Result<Piece<'static>, ScalarError> {
        let piece = match (self.width, self.padding) {
            (None, Padding::None | Padding::Zero) if self.total => Piece::digits(1, usize::MAX),
            (None, Padding::None | Padding::Zero) => Piece::digits(1, self.unit.default_width()),
            (None, Padding::Space) if self.total => Piece::SpacesThenDigits,
            (None, Padding::Space) => Piece::digits_and_spaces(1, self.unit.default_width()),
            (Some(width), Padding::None) => Piece::digits(1, width),
            (Some(width), Padding::Zero) => Piece::digits(width, width),
            (Some(width), Padding::Space) => Piece::digits_and_spaces(width, width),
        };
        match self.width {
            Some(width) if width > WIDEST_READ => Err(ScalarError::Limit("too big number for repeat range")),
            Some(0) if self.padding == Padding::None => {
                Err(ScalarError::Limit("upper is smaller than lower in repeat range"))
            }
            _ => Ok(piece),
        }
    }

    fn nanoseconds(&self, digits: &str) -> Result<i128, ScalarError> {
        let number = || super::nanoseconds::checked(digits.parse::<i128>().ok());
        if !self.unit.is_fraction() {
            return super::nanoseconds::checked(number()?.checked_mul(self.unit.scale().0 as i128));
        }
        if self.total {
            return Err(ScalarError::argument(
                "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher \
                 magnitude",
            ));
        }
        let missing = 9_u32.saturating_sub(digits.len() as u32);
        Ok(number()? * 10_i128.pow(missing))
    }
}

struct Reader<'a> {
    text: &'a str,
    segments: Vec<Segment>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Vec<Segment>, ScalarError> {
        let mut chars = self.text.chars().enumerate();
        while let Some((start, ch)) = chars.next() {
            if ch == '%' {
                self.field(start, &mut chars)?;
            } else {
                self.literal(ch);
            }
        }
        Ok(self.segments)
    }

    fn literal(&mut self, ch: char) {
        if let Some(Segment::Literal(text)) = self.segments.last_mut() {
            text.push(ch);
        } else {
            self.segments.push(Segment::Literal(ch.to_string()));
        }
    }

    /// What follows a percent sign: a flag, a width and the letter of a unit.
    fn field(&mut self, start: usize, chars: &mut impl Iterator<Item = (usize, char)>) -> Result<(), ScalarError> {
        let mut padding = Padding::Zero;
        let mut width: Option<usize> = None;
        let mut first = true;
        let mut last = start;
        for (position, ch) in chars {
            last = position;
            match ch {
                '%' => {
                    self.literal('%');
                    return Ok(());
                }
                '-' if first => padding = Padding::None,
                '_' if first => padding = Padding::Space,
                '0' if first => padding = Padding::Zero,
                '0'..='9' => {
                    let digit = ch as usize - '0' as usize;
                    width = Some(width.unwrap_or(0).saturating_mul(10).saturating_add(digit));
                }
                _ => {
                    let unit = Unit::from_specifier(ch).ok_or_else(|| self.bad(start, position))?;
                    self.segments.push(Segment::Field(Field { unit, padding, width, total: false }));
                    return Ok(());
                }
            }
            first = false;
        }
        Err(self.bad(start, last))
    }

    /// Returns the specifier up to, but without, the character that is wrong.
    fn bad(&self, start: usize, position: usize) -> ScalarError {
        let expression: String = self.text.chars().skip(start).take(position - start).collect();
        let format = self.text;
        ScalarError::argument(format!("Bad format specifier '{expression}' in '{format}', at position {position}"))
    }
}

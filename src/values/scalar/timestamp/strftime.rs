//! A moment as text, after a format: what Ruby's `Time#strftime` writes.

use pantin_base::days::{DAYS, MONTHS};

use super::calendar::Civil;
use super::{ScalarError, Zone};

/// The widest field there is.
const WIDEST: usize = 4_718_592;
/// The longest text there is.
const LONGEST: usize = 64 << 20;

/// A moment in a zone.
#[derive(Debug)]
pub(super) struct Moment {
    /// Whole seconds since 1970.
    pub(super) seconds: i64,
    pub(super) nanoseconds: u32,
    pub(super) zone: Zone,
    pub(super) civil: Civil,
}

/// How a field is to be written.
#[derive(Clone, Copy, Default)]
struct Style {
    /// `-`: as short as it can be.
    left: bool,
    /// `#`: the other case.
    change_case: bool,
    upper: bool,
    padding: Option<char>,
    /// Zero is no width.
    width: usize,
    colons: usize,
}

pub(super) fn write(format: &str, moment: &Moment) -> Result<String, ScalarError> {
    let mut writer = Writer { moment, written: String::with_capacity(format.len() * 2) };
    writer.format(format)?;
    Ok(writer.written)
}

/// What stands after a percent sign.
enum Parsed {
    /// A letter, and how many bytes it and what stands before it take.
    Field(Style, char, usize),
    /// Nothing that is known: written as it stands.
    Unknown(usize),
    Unfinished,
}

/// Reads what follows a percent sign.
fn specifier(text: &str) -> Parsed {
    let mut style = Style::default();
    let mut at = 0;
    loop {
        let Some(ch) = text[at..].chars().next() else { return Parsed::Unfinished };
        let next = at + ch.len_utf8();
        let follows = |letters: &str| text[next..].chars().next().is_some_and(|ch| letters.contains(ch));
        match ch {
            '-' | '^' | '#' | '_' if style.width > 0 => return Parsed::Unknown(next),
            '-' => style = Style { left: true, padding: None, width: 0, ..style },
            '^' => style.upper = true,
            '#' => style.change_case = true,
            '_' => style.padding = Some(' '),
            'E' if follows("cCxXyY") => {}
            'O' if follows("deHkIlmMSuUVwWy") => {}
            ':' => {
                let colons = text[at..].bytes().take_while(|&byte| byte == b':').count();
                if colons > 3 || text.as_bytes().get(at + colons) != Some(&b'z') {
                    return Parsed::Unknown(next);
                }
                style.colons = colons;
                at += colons;
                continue;
            }
            '0'..='9' => {
                let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
                if ch == '0' {
                    style.padding = Some('0');
                }
                match text[at..at + digits].parse::<i32>() {
                    Ok(width) => style.width = width as usize,
                    Err(_) => return Parsed::Unknown(next),
                }
                at += digits;
                continue;
            }
            _ => return Parsed::Field(style, ch, next),
        }
        at = next;
    }
}

struct Writer<'a> {
    moment: &'a Moment,
    written: String,
}

impl Writer<'_> {
    fn format(&mut self, format: &str) -> Result<(), ScalarError> {
        let mut rest = format;
        while let Some(percent) = rest.find('%') {
            self.written.push_str(&rest[..percent]);
            let after = &rest[percent + 1..];
            let taken = match specifier(after) {
                Parsed::Unfinished => return Err(ScalarError::argument(format!("invalid format: {format}"))),
                Parsed::Unknown(taken) => {
                    self.written.push_str(&rest[percent..=percent + taken]);
                    taken
                }
                Parsed::Field(style, letter, taken) => {
                    if style.width > WIDEST || self.written.len() > LONGEST {
                        return Err(ScalarError::argument(format!("Numerical result out of range - {format}")));
                    }
                    if !self.field(style, letter)? {
                        self.written.push_str(&rest[percent..=percent + taken]);
                    }
                    taken
                }
            };
            rest = &after[taken..];
        }
        self.written.push_str(rest);
        Ok(())
    }

    /// Returns true if there is such a letter.
    fn field(&mut self, style: Style, letter: char) -> Result<bool, ScalarError> {
        if let Some(format) = compound(letter) {
            self.compound(style, format)?;
        } else if let Some((padding, width, number)) = self.number(letter) {
            self.write_number(style, padding, width, number);
        } else if let Some(text) = self.name(letter) {
            let text = cased(style, letter, text);
            self.padded(style, &text);
        } else {
            match letter {
                'L' => self.fraction(style, 3),
                'N' => self.fraction(style, 9),
                'z' => self.offset(style),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// A letter that stands for a format of its own.
    fn compound(&mut self, style: Style, format: &str) -> Result<(), ScalarError> {
        let mut inner = Writer { moment: self.moment, written: String::new() };
        inner.format(format)?;
        let text = if style.upper { inner.written.to_ascii_uppercase() } else { inner.written };
        // Here even a left one is widened, if the width comes last.
        self.pad(style.width, text.len(), style.padding.unwrap_or(' '));
        self.written.push_str(&text);
        Ok(())
    }

    /// A number, how wide it is and what fills it up.
    fn number(&self, letter: char) -> Option<(char, usize, i64)> {
        let civil = &self.moment.civil;
        let half_day = |hour: u8| i64::from(if hour.is_multiple_of(12) { 12 } else { hour % 12 });
        let year_width = |year: i64| if year < 0 { 5 } else { 4 };
        Some(match letter {
            'd' => ('0', 2, i64::from(civil.day)),
            'e' => (' ', 2, i64::from(civil.day)),
            'H' => ('0', 2, i64::from(civil.hour)),
            'k' => (' ', 2, i64::from(civil.hour)),
            'I' => ('0', 2, half_day(civil.hour)),
            'l' => (' ', 2, half_day(civil.hour)),
            'j' => ('0', 3, i64::from(civil.day_of_year) + 1),
            'm' => ('0', 2, i64::from(civil.month)),
            'M' => ('0', 2, i64::from(civil.minute)),
            'S' => ('0', 2, i64::from(civil.second)),
            's' => ('0', 1, self.moment.seconds),
            'U' => ('0', 2, i64::from(civil.week(0))),
            'W' => ('0', 2, i64::from(civil.week(1))),
            'V' => ('0', 2, i64::from(civil.iso_week().1)),
            'u' => ('0', 1, i64::from((civil.weekday + 6) % 7 + 1)),
            'w' => ('0', 1, i64::from(civil.weekday)),
            'y' => ('0', 2, civil.year.rem_euclid(100)),
            'C' => ('0', 2, civil.year.div_euclid(100)),
            'Y' => ('0', year_width(civil.year), civil.year),
            'G' => ('0', year_width(civil.iso_week().0), civil.iso_week().0),
            'g' => ('0', 2, civil.iso_week().0.rem_euclid(100)),
            _ => return None,
        })
    }

    fn write_number(&mut self, style: Style, padding: char, default_width: usize, number: i64) {
        let width = match style {
            Style { left: true, .. } => 1,
            Style { width: 0, .. } => default_width,
            Style { width, .. } => width,
        };
        let digits = number.unsigned_abs().to_string();
        let sign = if number < 0 { "-" } else { "" };
        if style.padding.unwrap_or(padding) == '0' {
            self.written.push_str(sign);
            self.pad(width, digits.len() + sign.len(), '0');
        } else {
            self.pad(width, digits.len() + sign.len(), ' ');
            self.written.push_str(sign);
        }
        self.written.push_str(&digits);
    }

    fn name(&self, letter: char) -> Option<&'static str> {
        let civil = &self.moment.civil;
        let day = DAYS.get(usize::from(civil.weekday)).copied().unwrap_or_default();
        let month = MONTHS.get(usize::from(civil.month) - 1).copied().unwrap_or_default();
        Some(match letter {
            'A' => day,
            'a' => &day[..3],
            'B' => month,
            'b' | 'h' => &month[..3],
            'p' | 'P' if civil.hour < 12 => "AM",
            'p' | 'P' => "PM",
            'Z' if self.moment.zone == Zone::Utc => "UTC",
            // A zone that is but an offset has no name, and no width either.
            'Z' => "",
            '%' => "%",
            'n' => "\n",
            't' => "\t",
            _ => return None,
        })
    }

    fn padded(&mut self, style: Style, text: &str) {
        if !style.left && !text.is_empty() {
            self.pad(style.width, text.len(), style.padding.unwrap_or(' '));
        }
        self.written.push_str(text);
    }

    fn pad(&mut self, width: usize, length: usize, padding: char) {
        self.written.extend(std::iter::repeat_n(padding, width.saturating_sub(length)));
    }

    /// The first digits of the fraction of the second.
    fn fraction(&mut self, style: Style, default_width: usize) {
        let width = if style.width == 0 { default_width } else { style.width };
        let digits = format!("{:09}", self.moment.nanoseconds);
        self.written.push_str(&digits[..width.min(9)]);
        self.pad(width, 9, '0');
    }

    /// `+hhmm`, and with colons `+hh:mm`, `+hh:mm:ss`, or as much of that as is not zero.
    fn offset(&mut self, style: Style) {
        let offset = self.moment.zone.offset();
        let (hours, minutes, seconds) = (offset.abs() / 3600, offset.abs() / 60 % 60, offset.abs() % 60);
        let minutes_follow = style.colons < 3 || minutes != 0 || seconds != 0;
        let seconds_follow = style.colons == 2 || (style.colons == 3 && seconds != 0);
        // `%-z` of UTC says that the offset is not known.
        let negative = offset < 0 || (self.moment.zone == Zone::Utc && style.left);
        let sign = if negative { '-' } else { '+' };
        let mut rest = String::new();
        if minutes_follow {
            rest = format!("{}{minutes:02}", if style.colons > 0 { ":" } else { "" });
        }
        if seconds_follow {
            rest.push_str(&format!(":{seconds:02}"));
        }
        let width = style.width.saturating_sub(rest.len() + 1).max(2);
        if style.padding == Some(' ') {
            self.pad(width, hours.to_string().len(), ' ');
            self.written.push(sign);
            self.written.push_str(&hours.to_string());
        } else {
            self.written.push(sign);
            self.written.push_str(&format!("{hours:0width$}"));
        }
        self.written.push_str(&rest);
    }
}

fn compound(letter: char) -> Option<&'static str> {
    Some(match letter {
        'c' => "%a %b %e %H:%M:%S %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'R' => "%H:%M",
        'r' => "%I:%M:%S %p",
        'T' | 'X' => "%H:%M:%S",
        'v' => "%e-%^b-%4Y",
        _ => return None,
    })
}

/// Returns a name in the case that is asked for: `#` makes most names upper case, but `PM` and `UTC` lower case.
fn cased(style: Style, letter: char, text: &str) -> String {
    let lower = match letter {
        'p' | 'Z' => style.change_case,
        'P' => !style.change_case && !style.upper,
        _ => false,
    };
    if lower {
        text.to_ascii_lowercase()
    } else if style.upper || style.change_case {
        text.to_ascii_uppercase()
    } else {
        text.to_owned()
    }
}

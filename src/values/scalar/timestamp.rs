//! A point in time, to the nanosecond.

use std::cmp::Ordering;
use std::fmt;

use super::nanoseconds::Nanoseconds;
use super::{ArithmeticOperator, Quantity, ScalarError, Timespan};

mod calendar;
mod strftime;
mod strptime;
#[cfg(test)]
mod tests;
mod zone;
mod zone_names;

use calendar::Civil;
use strftime::Moment;
use strptime::Parsed;

/// The formats a text is read in when none is given, in the order they are tried.
pub const TIMESTAMP_FORMATS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

/// Where the formats without a zone begin: those are tried when a zone is given beside the text.
const WITHOUT_ZONE: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp(Nanoseconds);

/// The zone that a time is written for or shown in.
#[derive(Clone, Copy, Default, Debug)]
pub struct TimeZone<'a> {
    /// An abbreviation (`CET`), an offset (`+01:00`), or `current`; nothing or an empty name is UTC.
    pub name: Option<&'a str>,
    /// What `current` means: how many seconds the machine is ahead of UTC.
    pub local_offset: i32,
}

impl<'a> TimeZone<'a> {
    fn given(self) -> Option<&'a str> {
        self.name.filter(|name| !name.is_empty())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zone {
    Utc,
    /// Seconds ahead of UTC.
    Offset(i32),
}

impl Zone {
    fn offset(self) -> i32 {
        match self {
            Zone::Utc => 0,
            Zone::Offset(seconds) => seconds,
        }
    }
}

impl Timestamp {
    /// Makes a timestamp from nanoseconds since 1970.
    pub fn from_nanoseconds(total: i128) -> Result<Timestamp, ScalarError> {
        Nanoseconds::new(total).map(Timestamp)
    }

    /// Makes a timestamp from seconds since 1970.
    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp(Nanoseconds::from_seconds(seconds))
    }

    /// Makes a timestamp from seconds since 1970.
    pub fn from_float_seconds(seconds: f64) -> Result<Timestamp, ScalarError> {
        Nanoseconds::from_float_seconds(seconds).map(Timestamp)
    }

    /// Reads a text in one of the default formats. If a zone is given, the text has to be without.
    pub fn parse(text: &str, zone: TimeZone<'_>) -> Result<Timestamp, ScalarError> {
        let first = if zone.given().is_some() { WITHOUT_ZONE } else { 0 };
        Timestamp::parse_any(text, &TIMESTAMP_FORMATS[first..], zone)
    }

    /// Reads a text in the first of the formats that fits it.
    pub fn parse_any(text: &str, formats: &[&str], zone: TimeZone<'_>) -> Result<Timestamp, ScalarError> {
        let zone_given = zone.given().is_some();
        let fits = |parsed: &Parsed| !(parsed.leftover || zone_given && parsed.zone.is_some());
        let Some(parsed) = formats.iter().find_map(|format| strptime::parse(text, format).filter(fits)) else {
            let formats = formats.join(", ");
            return Err(ScalarError::argument(format!("Unable to parse '{text}' using any of the formats {formats}")));
        };
        Timestamp::from_parsed(&parsed, zone)
    }

    pub fn parse_with(text: &str, format: &str, zone: TimeZone<'_>) -> Result<Timestamp, ScalarError> {
        let Some(parsed) = strptime::parse(text, format).filter(|parsed| !parsed.leftover) else {
            return Err(ScalarError::argument(format!("Unable to parse '{text}' using format '{format}'")));
        };
        if zone.given().is_some() && parsed.zone.is_some() {
            return Err(ScalarError::argument(
                "Using a Timezone designator in format specification is mutually exclusive to providing an explicit \
                 timezone argument",
            ));
        }
        Timestamp::from_parsed(&parsed, zone)
    }

    fn from_parsed(parsed: &Parsed, zone: TimeZone<'_>) -> Result<Timestamp, ScalarError> {
        let year = parsed.year.ok_or(ScalarError::argument("no implicit conversion of nil into Integer"))?;
        let [hour, minute, second] =
            [parsed.hour, parsed.minute, parsed.second].map(|part| i64::from(part.unwrap_or(0)));
        let fraction = parsed.fraction.unwrap_or(0);
        if hour == 24 && minute > 0 {
            return Err(ScalarError::argument("min out of range"));
        }
        if hour == 24 && second > 0 {
            return Err(ScalarError::argument("sec out of range"));
        }
        if fraction < 0 {
            return Err(ScalarError::argument("subsecx out of range"));
        }
        let day = i64::from(parsed.day.unwrap_or(1));
        let seconds = calendar::seconds_to(year, parsed.month.unwrap_or(1), day, (hour * 60 + minute) * 60 + second);
        let offset = match zone.given().or(parsed.zone.as_deref()) {
            Some(name) => zone::offset(name, zone.local_offset)?.nanoseconds,
            None => 0,
        };
        let total = super::nanoseconds::checked(seconds)? * super::nanoseconds::PER_SECOND + i128::from(fraction);
        Timestamp::from_nanoseconds(total - i128::from(offset))
    }

    /// Returns the nanoseconds since 1970.
    pub fn nanoseconds(self) -> i128 {
        self.0.total()
    }

    /// Returns the seconds since 1970, rounded down.
    pub fn whole_seconds(self) -> i64 {
        self.0.seconds()
    }

    /// Returns the seconds since 1970.
    pub fn to_seconds(self) -> f64 {
        self.0.to_seconds()
    }

    /// Written as Ruby's `strftime` writes it.
    pub fn format(self, format: &str, zone: TimeZone<'_>) -> Result<String, ScalarError> {
        let zone = match zone.given() {
            Some(name) => zone::display_zone(name, zone.local_offset)?,
            None => Zone::Utc,
        };
        strftime::write(format, &self.moment(zone))
    }

    fn moment(self, zone: Zone) -> Moment {
        let seconds = self.0.seconds();
        let civil = Civil::at(i128::from(seconds) + i128::from(zone.offset()));
        Moment { seconds, nanoseconds: self.0.rest(), zone, civil }
    }

    pub(super) fn calculate(
        self,
        operator: ArithmeticOperator,
        other: Quantity<'_>,
    ) -> Result<Quantity<'static>, ScalarError> {
        use ArithmeticOperator::{Add, Subtract};
        let refused = |action: &str| {
            let other = other.with_capital_article();
            Err(ScalarError::argument(format!("{other} cannot be {action} a Timestamp")))
        };
        match (operator, other) {
            (Subtract, Quantity::Timestamp(time)) => {
                Timespan::from_nanoseconds(self.nanoseconds() - time.nanoseconds()).map(Quantity::Timespan)
            }
            (Add, Quantity::Timestamp(_) | Quantity::Other(_)) => refused("added to"),
            (Subtract, Quantity::Other(_)) => refused("subtracted from"),
            (Add, _) => {
                Timestamp::from_nanoseconds(self.nanoseconds() + other.in_nanoseconds()?).map(Quantity::Timestamp)
            }
            (Subtract, _) => {
                Timestamp::from_nanoseconds(self.nanoseconds() - other.in_nanoseconds()?).map(Quantity::Timestamp)
            }
            _ => Err(ScalarError::NoSuchOperator),
        }
    }

    /// Against a number of seconds since 1970. Whole numbers compare with the whole seconds.
    pub fn compare_number(self, number: Quantity<'_>) -> Option<Ordering> {
        self.0.compare_number(number)
    }
}

/// Written in the first of the default formats, in UTC.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { civil, nanoseconds, .. } = self.moment(Zone::Utc);
        let Civil { year, month, day, hour, minute, second, .. } = civil;
        let width = if year < 0 { 5 } else { 4 };
        write!(f, "{year:0width$}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanoseconds:09} UTC")
    }
}

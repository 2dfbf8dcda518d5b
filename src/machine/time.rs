//! Points in time, and dates.

/// A point in time, since 1970 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Time {
    pub seconds: i64,
    pub nanoseconds: u32,
}

/// A date and a time of day in some zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    pub year: i64,
    /// From one.
    pub month: u32,
    pub day: u32,
    /// From Sunday, which is zero.
    pub weekday: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    pub nanoseconds: u32,
    /// Seconds ahead of UTC.
    pub offset: i32,
}

impl Time {
    pub fn new(seconds: i64, nanoseconds: u32) -> Time {
        Time { seconds, nanoseconds }
    }

    pub fn to_seconds(self) -> f64 {
        self.seconds as f64 + f64::from(self.nanoseconds) / 1e9
    }

    /// Returns the seconds from an earlier time to this one.
    pub fn seconds_since(self, earlier: Time) -> f64 {
        (self.seconds - earlier.seconds) as f64 + (f64::from(self.nanoseconds) - f64::from(earlier.nanoseconds)) / 1e9
    }

    /// Returns the date in a zone that is so many seconds ahead of UTC.
    pub fn date(self, offset: i32) -> Date {
        let local = self.seconds + i64::from(offset);
        let (days, rest) = (local.div_euclid(86_400), local.rem_euclid(86_400) as u32);
        let (year, month, day) = civil(days);
        Date {
            year,
            month,
            day,
            weekday: (days + 4).rem_euclid(7) as u32,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            nanoseconds: self.nanoseconds,
            offset,
        }
    }
}

/// Turns days since 1970 into a date.
fn civil(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Turns a date into days since 1970.
pub(crate) fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = i64::from(if month > 2 { month - 3 } else { month + 9 });
    let day_of_year = (153 * shifted_month + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

impl Date {
    /// Returns the point in time of this date.
    pub fn time(&self) -> Time {
        let days = days_from_civil(self.year, self.month, self.day);
        let of_day = i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second);
        Time::new(days * 86_400 + of_day - i64::from(self.offset), self.nanoseconds)
    }

    /// Returns days since 1970, as the zone counts them.
    pub fn days(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day)
    }

    /// `+02:00`, with or without the colon.
    pub fn zone(&self, with_colon: bool) -> String {
        let (sign, ahead) = if self.offset < 0 { ('-', -self.offset) } else { ('+', self.offset) };
        let colon = if with_colon { ":" } else { "" };
        format!("{sign}{:02}{colon}{:02}", ahead / 3600, ahead / 60 % 60)
    }

    /// `2026-11-27T17:09:50.317747477+00:00`
    pub fn iso8601(&self) -> String {
        let Date { year, month, day, hour, minute, second, nanoseconds, .. } = self;
        let zone = self.zone(true);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanoseconds:09}{zone}")
    }

    /// `2026-11-27 17:09:50 +0000`
    pub fn plain(&self) -> String {
        let Date { year, month, day, hour, minute, second, .. } = self;
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} {}", self.zone(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_date_in_each_zone() {
        let time = Time::new(1_795_799_390, 317_747_477);
        assert_eq!(time.date(0).iso8601(), "2026-11-27T17:09:50.317747477+00:00");
        assert_eq!(time.date(-5 * 3600).plain(), "2026-11-27 12:09:50 -0500");
        assert_eq!(time.date(0).weekday, 5);
        assert_eq!(time.date(7200).time(), time);
    }

    #[test]
    fn dates_before_the_epoch_and_of_leap_years_are_right() {
        assert_eq!(Time::new(-1, 0).date(0).plain(), "1969-12-31 23:59:59 +0000");
        assert_eq!(Time::new(951_782_400, 0).date(0).plain(), "2000-02-29 00:00:00 +0000");
    }
}

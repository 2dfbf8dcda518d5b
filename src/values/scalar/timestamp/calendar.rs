//! The proleptic Gregorian calendar: from seconds since 1970 to the fields of a date, and back.
//!
//! Knows nothing of names, of formats or of where an offset comes from.

const SECONDS_PER_DAY: i64 = 86_400;
/// The calendar repeats after 400 years.
const DAYS_PER_CYCLE: i64 = 146_097;

/// A moment as a clock and a calendar somewhere show it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Civil {
    pub(super) year: i64,
    pub(super) month: u8,
    pub(super) day: u8,
    pub(super) hour: u8,
    pub(super) minute: u8,
    pub(super) second: u8,
    /// Sunday is zero.
    pub(super) weekday: u8,
    /// The first of January is zero.
    pub(super) day_of_year: u16,
}

impl Civil {
    /// Returns what is shown so many seconds after the beginning of 1970.
    pub(super) fn at(seconds: i128) -> Civil {
        let days = seconds.div_euclid(i128::from(SECONDS_PER_DAY)) as i64;
        let in_day = seconds.rem_euclid(i128::from(SECONDS_PER_DAY)) as u32;
        let (year, month, day) = date_of(days);
        Civil {
            year,
            month,
            day,
            hour: (in_day / 3600) as u8,
            minute: (in_day / 60 % 60) as u8,
            second: (in_day % 60) as u8,
            weekday: (days + 4).rem_euclid(7) as u8,
            day_of_year: (days - days_before(year, 1)) as u16,
        }
    }

    /// The number of the week, where weeks begin on this day and the first one is the one that has it first.
    pub(super) fn week(&self, first_day: u8) -> u8 {
        let since = (self.weekday + 7 - first_day) % 7;
        ((self.day_of_year + 7 - u16::from(since)) / 7) as u8
    }

    /// Returns the year and the number of the week after ISO 8601: a week belongs to the year that has most of it.
    pub(super) fn iso_week(&self) -> (i64, u8) {
        let monday_based = (i64::from(self.weekday) + 6) % 7;
        let thursday = days_before(self.year, 1) + i64::from(self.day_of_year) - monday_based + 3;
        let (year, ..) = date_of(thursday);
        (year, ((thursday - days_before(year, 1)) / 7 + 1) as u8)
    }
}

/// Days from the first of January 1970 to the first day of a month.
fn days_before(year: i64, month: u8) -> i64 {
    // Years that begin in March have the leap day at their end.
    let year = if month <= 2 { year - 1 } else { year };
    let month = i64::from((month + 9) % 12);
    let of_cycle = year.rem_euclid(400);
    let days = of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + (month * 153 + 2) / 5;
    year.div_euclid(400) * DAYS_PER_CYCLE + days - 719_468
}

fn date_of(days: i64) -> (i64, u8, u8) {
    let days = days + 719_468;
    let of_cycle = days.rem_euclid(DAYS_PER_CYCLE);
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (year * 365 + year / 4 - year / 100);
    let month = (of_year * 5 + 2) / 153;
    let day = of_year - (month * 153 + 2) / 5 + 1;
    let year = year + days.div_euclid(DAYS_PER_CYCLE) * 400;
    if month < 10 { (year, month as u8 + 3, day as u8) } else { (year + 1, month as u8 - 9, day as u8) }
}

/// Seconds from the beginning of 1970 to a date and a time, any of which may run over into the next: the 31st of
/// April is the first of May. `None` if the year is too far away.
pub(super) fn seconds_to(year: i64, month: u8, day: i64, seconds_of_day: i64) -> Option<i128> {
    // About as far as 64 bits of seconds reach.
    const FARTHEST: u64 = 300_000_000_000;
    if year.unsigned_abs() > FARTHEST {
        return None;
    }
    let days = i128::from(days_before(year, month) + day - 1);
    Some(days * i128::from(SECONDS_PER_DAY) + i128::from(seconds_of_day))
}

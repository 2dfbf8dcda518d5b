//! The calendar: days as numbers. Years are those of Gregory, at any time.

/// From the 15th of October 1582 on the two calendars of Ruby's dates are one.
pub(super) const FIRST_DAY: i64 = -141_427;

/// The number of the day that is 1970-01-01, counted from the beginning of the Julian period.
pub(super) const JULIAN_1970: i64 = 2_440_588;

/// A day behind the end of its month is one of the next.
pub(super) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the day that some have more is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day.
pub(super) fn civil(days: i64) -> [i64; 3] {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let of_years = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_years + of_years / 4 - of_years / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    [of_years + era * 400 + i64::from(month <= 2), month, day]
}

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the day of these parts, of which month and day may be counted from the end; `None`: there is none.
pub(super) fn valid(year: i64, month: i64, day: i64) -> Option<i64> {
    let month = if month < 0 { month + 13 } else { month };
    if !(1..=12).contains(&month) {
        return None;
    }
    let length = days_in(year, month);
    let day = if day < 0 { day + length + 1 } else { day };
    (1..=length).contains(&day).then(|| days_since_1970(year, month, day))
}

/// From Sunday on.
pub(super) fn weekday(days: i64) -> i64 {
    (days + 4).rem_euclid(7)
}

/// Returns the year and the number of the week, and which day of it, as ISO 8601 counts them.
pub(super) fn week(days: i64) -> [i64; 3] {
    let day = (weekday(days) + 6) % 7 + 1;
    // The year of a week is that of its Thursday.
    let thursday = days - day + 4;
    let [year, ..] = civil(thursday);
    [year, (thursday - days_since_1970(year, 1, 1)) / 7 + 1, day]
}

//! What a Date is: made, compared, moved.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::stop::Flow;
use crate::value::{Data, Value};

use super::calendar::{FIRST_DAY, JULIAN_1970, civil, days_in, valid};

/// Days since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(pub(super) i64);

pub(super) fn day_of(value: &Value) -> Option<Day> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Date(days) => Some(Day(*days)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn own(given: &CallArguments<'_>) -> Day {
    day_of(given.receiver).unwrap_or(Day(0))
}

pub(super) fn invalid<T>(interp: &mut Interp<'_>) -> Flow<T> {
    interp.raise(Core::DateError, "invalid date")
}

/// The date of a day, of the class that the method is called on or that the receiver has.
pub(super) fn date_object(interp: &mut Interp<'_>, given: &CallArguments<'_>, Day(days): Day) -> Flow {
    if days < FIRST_DAY || civil(days)[0] > 9999 {
        return interp.unsupported("a date before 1582-10-15 or after the year 9999");
    }
    let class = match given.receiver {
        Value::Class(class) => *class,
        value if day_of(value).is_some() => interp.real_class_of(value),
        _ => Core::Date.class(),
    };
    Ok(Value::object(class, Data::Date(days)))
}

/// The date of parts, of which the last may be counted from the end.
pub(super) fn time_from_parts(
    interp: &mut Interp<'_>,
    given: &CallArguments<'_>,
    [year, month, day]: [i64; 3],
) -> Flow {
    if !(-9999..=9999).contains(&year) {
        return interp.unsupported("a date of a year with more than four digits");
    }
    match valid(year, month, day) {
        Some(days) => date_object(interp, given, Day(days)),
        None => invalid(interp),
    }
}

impl Day {
    /// Counted from the beginning of the Julian period.
    pub(super) fn julian(self) -> i64 {
        self.0 + JULIAN_1970
    }

    /// So many months later; where that one is too short, its last day.
    pub(super) fn months_later(self, months: i64) -> Day {
        let [year, month, day] = civil(self.0);
        let total = year * 12 + month - 1 + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        Day(super::calendar::days_since_1970(year, month, day.min(days_in(year, month))))
    }
}

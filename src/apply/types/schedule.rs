//! The type `schedule`: when resources that name it may be applied.

use pantin_machine::{Date, Time};
use std::sync::LazyLock;

use pantin_values::Value;
use pantin_values::regex::{Options, Regex};

use super::TypeEntry;
use super::ruby_values::any_line;
use super::still::Still;
use crate::failure::Failure;
use crate::resource::{AttributeRule, AttributeValues, Draft, munging_failed};
use crate::value::text;

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "schedule",
    namevar: Some("name"),
    provider: None,
    attributes: &[
        AttributeRule::parameter("name"),
        AttributeRule::parameter("range").checked(check_range).converted(convert_range),
        AttributeRule::parameter("periodmatch")
            .words(&[("number", "number"), ("distance", "distance")])
            .default_text("distance"),
        AttributeRule::parameter("period").words(&[
            ("hourly", "hourly"),
            ("daily", "daily"),
            ("weekly", "weekly"),
            ("monthly", "monthly"),
            ("never", "never"),
        ]),
        AttributeRule::parameter("repeat").checked(check_repeat).converted(convert_repeat).default_integer(1),
        AttributeRule::parameter("weekday").checked(check_weekday).converted(convert_weekday),
    ],
    validate: None,
    spread_secret: None,
    make: |_| Ok(Box::new(Still { can_refresh: false })),
};

fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.to_vec(),
        one => vec![one.clone()],
    }
}

/// Splits `1:30 - 4:30:10` into the numbers of both times.
fn range_numbers(range: &str) -> Vec<Vec<i64>> {
    let numbers = |time: &str| {
        let digits = |part: &str| part.trim().chars().take_while(char::is_ascii_digit).collect::<String>();
        let mut numbers: Vec<i64> = time.split(':').map(|part| digits(part).parse().unwrap_or(0)).collect();
        numbers.resize(numbers.len().max(3), 0);
        numbers
    };
    let mut parts: Vec<&str> = range.split('-').collect();
    // As Ruby's `split` leaves out what is empty at the end.
    while parts.last().is_some_and(|part| part.trim().is_empty()) {
        parts.pop();
    }
    parts.into_iter().map(numbers).collect()
}

#[allow(clippy::expect_used, reason = "a test parses it")]
static RANGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\d+(:\d+){0,2}\s*-\s*\d+(:\d+){0,2}", Options::default()).expect("a pattern"));

fn check_range(given: &Value, _draft: &Draft<'_>) -> Result<(), Failure> {
    for range in elements(given) {
        // The real one looks for it anywhere in the text.
        let is_range = matches!(&range, Value::String(range) if RANGE.is_match(range).unwrap_or(true));
        if !is_range {
            return Err(Failure::new(format!("Invalid range value '{}'", text(&range))));
        }
    }
    Ok(())
}

fn convert_range(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    for range in elements(given) {
        let written = text(&range).into_owned();
        let range = range_numbers(&written);
        if range.len() != 2 {
            return Err(Failure::new(format!("Invalid range {written}")));
        }
        if let Some(hour) = range.iter().map(|time| time[0]).find(|hour| *hour > 23) {
            return Err(munging_failed("range", given, &format!("Invalid hour '{hour}'")));
        }
        if let Some(minute) = range.iter().map(|time| time[1]).find(|minute| *minute > 59) {
            return Err(munging_failed("range", given, &format!("Invalid minute '{minute}'")));
        }
    }
    Ok(Value::array(elements(given)))
}

fn check_repeat(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let number = text(given);
    let is_number = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    if !matches!(given, Value::Integer(_)) && !any_line(&number, is_number) {
        return Err(Failure::new("Repeat must be a number"));
    }
    match draft.text("periodmatch") {
        Some(period) if *given != Value::Integer(1) && period != "distance" => {
            Err(Failure::new(format!("Repeat must be 1 unless periodmatch is 'distance', not '{period}'")))
        }
        _ => Ok(()),
    }
}

fn convert_repeat(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::Integer(text(given).parse().unwrap_or(i64::MAX)))
}

/// Returns the number of a day, from Sunday, which is zero.
fn weekday(given: &Value) -> Option<i64> {
    const DAYS: [&[&str]; 7] = [
        &["sun", "sunday"],
        &["mon", "monday"],
        &["tue", "tues", "tueday", "tuesday"],
        &["wed", "wednes", "wedday", "wednesday"],
        &["thu", "thurs", "thuday", "thursday"],
        &["fri", "friday"],
        &["sat", "satur", "satday", "saturday"],
    ];
    let named = |name: &str| DAYS.iter().position(|names| names.contains(&name)).map(|day| day as i64);
    let day = match given {
        Value::Integer(day) => Some(*day),
        Value::String(day) => {
            // The real one looks at each line.
            day.lines().find_map(|day| day.parse().ok().or_else(|| named(&day.to_lowercase())))
        }
        _ => None,
    };
    day.filter(|day| (0..7).contains(day))
}

fn check_weekday(given: &Value, _draft: &Draft<'_>) -> Result<(), Failure> {
    match elements(given).iter().find(|day| weekday(day).is_none()) {
        Some(wrong) => Err(Failure::new(format!("{} is not a valid day of the week", text(wrong)))),
        None => Ok(()),
    }
}

fn convert_weekday(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::array(elements(given).iter().filter_map(weekday).map(Value::Integer)))
}

/// When something may be applied.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Schedule {
    /// From and to, in seconds of the day.
    ranges: Vec<(i64, i64)>,
    weekdays: Option<Vec<i64>>,
    period: Option<Period>,
    counts_distance: bool,
    repeat: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Period {
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Never,
}

impl Period {
    fn from_name(name: &str) -> Option<Period> {
        Some(match name {
            "hourly" => Period::Hourly,
            "daily" => Period::Daily,
            "weekly" => Period::Weekly,
            "monthly" => Period::Monthly,
            "never" => Period::Never,
            _ => return None,
        })
    }

    fn seconds(self) -> i64 {
        match self {
            Period::Hourly => 3600,
            Period::Daily => 86_400,
            Period::Weekly => 604_800,
            Period::Monthly => 2_592_000,
            Period::Never => i64::MAX,
        }
    }
}

impl Schedule {
    pub(crate) fn from_values(values: &AttributeValues) -> Schedule {
        let seconds = |time: &[i64]| time[0] * 3600 + time[1] * 60 + time[2];
        let ranges = values.list("range");
        let ranges = ranges.iter().map(|range| range_numbers(&text(range))).filter(|range| range.len() == 2);
        let days = |value: &Value| match value {
            Value::Integer(day) => Some(*day),
            _ => None,
        };
        Schedule {
            ranges: ranges.map(|range| (seconds(&range[0]), seconds(&range[1]))).collect(),
            weekdays: values.has("weekday").then(|| values.list("weekday").iter().filter_map(days).collect()),
            period: values.text("period").and_then(|period| Period::from_name(&period)),
            counts_distance: values.is("periodmatch", "distance"),
            repeat: match values.get("repeat") {
                Some(Value::Integer(repeat)) => (*repeat).max(1),
                _ => 1,
            },
        }
    }

    /// Returns one of those that every catalog gets.
    pub(crate) fn default_of_name(name: &str) -> Option<Schedule> {
        let (period, repeat) = match name {
            "puppet" => (Period::Hourly, 2),
            name => (Period::from_name(name)?, 1),
        };
        Some(Schedule { period: Some(period), counts_distance: true, repeat, ..Schedule::default() })
    }

    /// Returns true if what was last looked at `previous` may be applied now.
    pub(crate) fn admits(&self, previous: Option<Date>, now: Date) -> bool {
        let previous = previous.unwrap_or_else(|| Time::new(0, 0).date(now.offset));
        self.is_in_range(now) && self.is_in_period(previous, now) && self.is_on_weekday(now)
    }

    fn is_in_range(&self, now: Date) -> bool {
        let second = i64::from(now.hour) * 3600 + i64::from(now.minute) * 60 + i64::from(now.second);
        // A point in time that has fractions is behind the second that a range ends with.
        let is_behind = now.nanoseconds > 0;
        let today = i64::from(now.weekday);
        let yesterday = (today + 6) % 7;
        let is_day = |day: i64| self.weekdays.as_ref().is_none_or(|days| days.contains(&day));
        self.ranges.is_empty()
            || self.ranges.iter().any(|(from, to)| {
                let is_before_end = second < *to || (second == *to && !is_behind);
                match from < to {
                    true => second >= *from && is_before_end && is_day(today),
                    false if second >= *from => is_day(today),
                    false => is_before_end && is_day(yesterday),
                }
            })
    }

    fn is_in_period(&self, previous: Date, now: Date) -> bool {
        let seconds = now.time().seconds - previous.time().seconds;
        match self.period {
            None => true,
            Some(Period::Never) => false,
            Some(period) if self.counts_distance => seconds >= period.seconds() / self.repeat,
            Some(Period::Hourly) => now.hour != previous.hour,
            Some(Period::Daily) => now.day != previous.day,
            Some(Period::Monthly) => now.month != previous.month,
            Some(Period::Weekly) => previous.weekday > now.weekday || seconds > 7 * 86_400,
        }
    }

    /// With a range the day is asked for there.
    fn is_on_weekday(&self, now: Date) -> bool {
        !self.ranges.is_empty() || self.weekdays.as_ref().is_none_or(|days| days.contains(&i64::from(now.weekday)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Date {
        let number = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap();
        let date = Date {
            year: 2026,
            month: number(0, 2),
            day: number(3, 5),
            weekday: 0,
            hour: number(6, 8),
            minute: number(9, 11),
            second: 0,
            nanoseconds: 0,
            offset: 0,
        };
        date.time().date(0)
    }

    #[test]
    fn a_period_counts_from_the_last_look() {
        let daily = Schedule::default_of_name("daily").unwrap();
        assert!(daily.admits(None, at("11-27 10:00")));
        assert!(!daily.admits(Some(at("11-27 10:00")), at("11-28 09:59")));
        assert!(daily.admits(Some(at("11-27 10:00")), at("11-28 10:00")));
        assert!(!Schedule::default_of_name("never").unwrap().admits(None, at("11-27 10:00")));
        let puppet = Schedule::default_of_name("puppet").unwrap();
        assert!(puppet.admits(Some(at("11-27 10:00")), at("11-27 10:30")));
        let numbered = Schedule { counts_distance: false, ..daily };
        assert!(numbered.admits(Some(at("11-27 23:59")), at("11-28 00:01")));
    }

    #[test]
    fn a_range_may_cross_midnight_and_belongs_to_the_day_it_begins_on() {
        let night = Schedule { ranges: vec![(22 * 3600, 4 * 3600)], repeat: 1, ..Schedule::default() };
        assert!(night.admits(None, at("11-27 23:00")) && night.admits(None, at("11-27 03:00")));
        assert!(!night.admits(None, at("11-27 12:00")));
        // The 28th of November 2026 is a Saturday.
        let saturdays = Schedule { weekdays: Some(vec![6]), ..night };
        assert!(saturdays.admits(None, at("11-28 23:00")) && saturdays.admits(None, at("11-29 02:00")));
        assert!(!saturdays.admits(None, at("11-28 02:00")));
    }
}

//! The zone of this place: how many seconds it is ahead of UTC at a point in time, and what it calls itself then. Reads the tables of the system, as the C library
//! does; calls nothing that is not safe.

use std::fs;
use std::path::PathBuf;

use crate::time::{Time, days_from_civil};

/// The changes of a zone's offset, and the rule that holds after them.
#[derive(Debug, Default)]
pub(crate) struct Zone {
    /// From which second on which offset holds.
    changes: Vec<(i64, Offset)>,
    first: Offset,
    rule: Option<Rule>,
}

/// Seconds ahead of UTC, with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Offset {
    seconds: i32,
    name: String,
}

impl Default for Offset {
    fn default() -> Offset {
        Offset { seconds: 0, name: "UTC".to_owned() }
    }
}

/// `CET-1CEST,M3.5.0,M10.5.0/3`
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    standard: Offset,
    summer: Option<Summer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Summer {
    offset: Offset,
    begin: Turn,
    end: Turn,
}

/// A day of each year, and the second of that day.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Turn {
    day: TurnDay,
    second: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TurnDay {
    /// From one, the 29th of February is never counted.
    Julian(i64),
    /// From zero.
    OfYear(i64),
    /// The fifth is the last.
    Weekday { month: u32, week: i64, weekday: i64 },
}

impl Zone {
    /// Reads the zone that the variable `TZ` names, or else the system's.
    pub(crate) fn read(variable: Option<&str>) -> Zone {
        let name = variable.map(|text| text.strip_prefix(':').unwrap_or(text));
        match name {
            Some("") => Zone::default(),
            Some(name) => {
                let path =
                    if name.starts_with('/') { name.into() } else { PathBuf::from("/usr/share/zoneinfo").join(name) };
                let is_inside = !name.split('/').any(|part| part == "..");
                let table = is_inside.then(|| fs::read(path).ok()).flatten().and_then(|bytes| parse_table(&bytes));
                table.or_else(|| Some(Zone { rule: Some(parse_rule(name)?), ..Zone::default() })).unwrap_or_default()
            }
            None => fs::read("/etc/localtime").ok().and_then(|bytes| parse_table(&bytes)).unwrap_or_default(),
        }
    }

    /// Returns the seconds ahead of UTC.
    pub(crate) fn offset(&self, time: Time) -> i32 {
        self.offset_at(time).seconds
    }

    /// Returns what the zone calls itself: `CET`, `UTC`, `-03`.
    pub(crate) fn name(&self, time: Time) -> &str {
        &self.offset_at(time).name
    }

    fn offset_at(&self, time: Time) -> &Offset {
        let after = self.changes.partition_point(|(from, _)| *from <= time.seconds);
        match (&self.rule, after) {
            (Some(rule), after) if after == self.changes.len() => rule.offset(time.seconds),
            (_, 0) => &self.first,
            (_, after) => &self.changes[after - 1].1,
        }
    }
}

impl Rule {
    fn offset(&self, second: i64) -> &Offset {
        let Some(summer) = &self.summer else { return &self.standard };
        let year = Time::new(second, 0).date(self.standard.seconds).year;
        let begin = summer.begin.second_of(year) - i64::from(self.standard.seconds);
        let end = summer.end.second_of(year) - i64::from(summer.offset.seconds);
        let is_summer = if begin < end { (begin..end).contains(&second) } else { second < end || second >= begin };
        if is_summer { &summer.offset } else { &self.standard }
    }
}

impl Turn {
    fn second_of(&self, year: i64) -> i64 {
        let first = days_from_civil(year, 1, 1);
        let day = match self.day {
            TurnDay::OfYear(day) => first + day,
            TurnDay::Julian(day) => {
                let is_leap = days_from_civil(year, 3, 1) - days_from_civil(year, 2, 28) == 2;
                first + day - 1 + i64::from(is_leap && day >= 60)
            }
            TurnDay::Weekday { month, week, weekday } => {
                let begin = days_from_civil(year, month, 1);
                let next =
                    if month == 12 { days_from_civil(year + 1, 1, 1) } else { days_from_civil(year, month + 1, 1) };
                let first_of_kind = begin + (weekday - (begin + 4)).rem_euclid(7);
                let day = first_of_kind + 7 * (week - 1);
                if day >= next { day - 7 } else { day }
            }
        };
        day * 86_400 + i64::from(self.second)
    }
}

/// Reads a table of the second version or later, or of the first.
fn parse_table(bytes: &[u8]) -> Option<Zone> {
    let (zone, rest) = parse_block(bytes, 4)?;
    if *bytes.get(4)? < b'2' {
        return Some(zone);
    }
    let (mut zone, rest) = parse_block(rest, 8)?;
    let footer = rest.strip_prefix(b"\n")?;
    let end = footer.iter().position(|byte| *byte == b'\n')?;
    zone.rule = std::str::from_utf8(&footer[..end]).ok().and_then(parse_rule);
    Some(zone)
}

/// Reads one block of a table, with times of so many bytes.
fn parse_block(bytes: &[u8], width: usize) -> Option<(Zone, &[u8])> {
    let header = bytes.strip_prefix(b"TZif")?.get(16..40)?;
    let count = |at: usize| Some(u32::from_be_bytes(header.get(at * 4..at * 4 + 4)?.try_into().ok()?) as usize);
    let [isut, isstd, leap, times, types, letters] = [count(0)?, count(1)?, count(2)?, count(3)?, count(4)?, count(5)?];
    let body = bytes.get(44..)?;
    let moments = body.get(..times.checked_mul(width)?)?;
    let kinds = body.get(moments.len()..moments.len() + times)?;
    let table = body.get(moments.len() + times..)?;
    let names = table.get(types * 6..types * 6 + letters)?;
    let offset = |kind: usize| {
        let entry = table.get(..types * 6)?.get(kind * 6..kind * 6 + 6)?;
        let name = names.get(usize::from(entry[5])..)?.split(|byte| *byte == 0).next()?;
        let seconds = i32::from_be_bytes(entry[..4].try_into().ok()?);
        Some(Offset { seconds, name: String::from_utf8_lossy(name).into_owned() })
    };
    let moment = |at: usize| {
        let bytes = moments.get(at * width..(at + 1) * width)?;
        Some(match width {
            4 => i64::from(i32::from_be_bytes(bytes.try_into().ok()?)),
            _ => i64::from_be_bytes(bytes.try_into().ok()?),
        })
    };
    let changes =
        (0..times).map(|at| Some((moment(at)?, offset(usize::from(kinds[at]))?))).collect::<Option<Vec<_>>>()?;
    let rest = table.get(types * 6 + letters + leap * (width + 4) + isstd + isut..)?;
    Some((Zone { changes, first: offset(0).unwrap_or_default(), rule: None }, rest))
}

fn parse_rule(text: &str) -> Option<Rule> {
    let (name, rest) = take_name(text)?;
    let (seconds, rest) = take_seconds(rest)?;
    let standard = Offset { seconds: -seconds, name };
    if rest.is_empty() {
        return Some(Rule { standard, summer: None });
    }
    let (name, rest) = take_name(rest)?;
    let (seconds, rest) = match rest.starts_with(',') || rest.is_empty() {
        true => (standard.seconds + 3600, rest),
        false => take_seconds(rest).map(|(seconds, rest)| (-seconds, rest))?,
    };
    let offset = Offset { seconds, name };
    let turns = if rest.is_empty() { ",M3.2.0,M11.1.0" } else { rest };
    let mut turns = turns.strip_prefix(',')?.split(',').map(parse_turn);
    let (begin, end) = (turns.next()??, turns.next()??);
    Some(Rule { standard, summer: Some(Summer { offset, begin, end }) })
}

/// `CET` or `<+03>`, with what follows.
fn take_name(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('<') {
        return quoted.split_once('>').map(|(name, rest)| (name.to_owned(), rest));
    }
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    (end >= 3).then(|| (text[..end].to_owned(), &text[end..]))
}

/// `-1:30:00`, in seconds.
fn take_seconds(text: &str) -> Option<(i32, &str)> {
    let end = text.find(|letter: char| !(letter.is_ascii_digit() || "+-:".contains(letter))).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let (sign, number) = match number.strip_prefix('-') {
        Some(number) => (-1, number),
        None => (1, number.strip_prefix('+').unwrap_or(number)),
    };
    let mut total = 0;
    for (part, weight) in number.split(':').zip([3600, 60, 1]) {
        total += part.parse::<i32>().ok()?.checked_mul(weight)?;
    }
    Some((sign * total, rest))
}

fn parse_turn(text: &str) -> Option<Turn> {
    let (day, second) = match text.split_once('/') {
        Some((day, time)) => (day, take_seconds(time)?.0),
        None => (text, 7200),
    };
    let day = match (day.strip_prefix('M'), day.strip_prefix('J')) {
        (Some(numbers), _) => {
            let mut numbers = numbers.split('.').map(|number| number.parse::<i64>().ok());
            let (month, week, weekday) = (numbers.next()??, numbers.next()??, numbers.next()??);
            let month = u32::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
            TurnDay::Weekday { month, week, weekday }
        }
        (None, Some(day)) => TurnDay::Julian(day.parse().ok()?),
        (None, None) => TurnDay::OfYear(day.parse().ok()?),
    };
    Some(Turn { day, second })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(rule: &str, date: (i64, u32, u32)) -> f64 {
        let second = days_from_civil(date.0, date.1, date.2) * 86_400 + 43_200;
        f64::from(parse_rule(rule).unwrap().offset(second).seconds) / 3600.0
    }

    #[test]
    fn a_zone_has_a_name_in_winter_and_in_summer() {
        let rule = parse_rule("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let name = |month| rule.offset(days_from_civil(2026, month, 15) * 86_400).name.clone();
        assert_eq!((name(1), name(7)), ("CET".to_owned(), "CEST".to_owned()));
        assert_eq!(parse_rule("<-03>3").unwrap().standard, Offset { seconds: -10_800, name: "-03".to_owned() });
        assert_eq!(Zone::default().name(Time::new(0, 0)), "UTC");
    }

    #[test]
    fn rules_know_summer() {
        let central = "CET-1CEST,M3.5.0,M10.5.0/3";
        assert_eq!(hours(central, (2026, 1, 15)), 1.0);
        assert_eq!(hours(central, (2026, 3, 29)), 2.0);
        assert_eq!(hours(central, (2026, 10, 24)), 2.0);
        assert_eq!(hours(central, (2026, 10, 26)), 1.0);
        assert_eq!(hours("AEST-10AEDT,M10.1.0,M4.1.0/3", (2026, 1, 15)), 11.0);
        assert_eq!(hours("<+0530>-5:30", (2026, 1, 15)), 5.5);
        assert_eq!(hours("UTC0", (2026, 1, 15)), 0.0);
        assert_eq!(parse_rule("no rule"), None);
    }

    #[test]
    fn an_unknown_or_empty_zone_is_utc() {
        assert_eq!(Zone::read(Some("")).offset(Time::new(0, 0)), 0);
        assert_eq!(Zone::read(Some("Nowhere/At-All")).offset(Time::new(0, 0)), 0);
        assert_eq!(Zone::read(Some("UTC")).offset(Time::new(0, 0)), 0);
    }
}

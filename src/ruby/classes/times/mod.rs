//! Times and days, and what texts say of them.

mod calendar;
mod date;
mod day;
mod make;
mod reading;
mod time;
mod zone;

use pantin_base::days::{DAYS, MONTHS};

use super::rational;
use crate::native::Table;
use crate::value::Value;
pub(crate) use time::Moment;

const NANOSECONDS: i128 = 1_000_000_000;

pub(super) fn tables() -> Vec<Table> {
    [make::TABLES, time::TABLES, date::TABLES].concat()
}

/// The names of months and days; there is no month nought.
pub(super) fn constant(path: &str) -> Option<Value> {
    let texts = |names: &[&str], letters: usize| {
        names.iter().map(|name| Value::frozen_text(&name[..letters.min(name.len())])).collect::<Vec<_>>()
    };
    let all = match path {
        "Date::MONTHNAMES" => [vec![Value::Nil], texts(&MONTHS, 9)].concat(),
        "Date::ABBR_MONTHNAMES" => [vec![Value::Nil], texts(&MONTHS, 3)].concat(),
        "Date::DAYNAMES" => texts(&DAYS, 9),
        "Date::ABBR_DAYNAMES" => texts(&DAYS, 3),
        _ => return None,
    };
    Some(Value::array(all))
}

//! The attributes of `cron`: how they are checked and converted.

use pantin_machine::{Reading, Who};
use pantin_values::Value;

use crate::failure::Failure;
use crate::resource::{AttributeRule, Draft, munging_failed};
use crate::types::present_if_managed;
use crate::types::ruby_values::{any_line, no_method};
use crate::types::tool_command::check_provider;
use crate::value::{inspect, symbol, text};

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS: [&str; 13] = [
    "",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const SPECIALS: [&str; 9] =
    ["reboot", "yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly", "absent"];

/// The fields of time, in the order of a table's lines.
pub(super) const TIMES: [&str; 5] = ["minute", "hour", "monthday", "month", "weekday"];

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::property("ensure")
        .words(&[("present", "present"), ("absent", "absent")])
        .default_made(present_if_managed),
    AttributeRule::property("command").converted(convert_command),
    AttributeRule::property("special").checked(check_special).converted(convert_absent),
    AttributeRule::property("minute").converted(|given, _| convert_time(given, "minute", (0, 59), &[])),
    AttributeRule::property("hour").converted(|given, _| convert_time(given, "hour", (0, 23), &[])),
    AttributeRule::property("weekday").converted(|given, _| convert_time(given, "weekday", (0, 7), &DAYS)),
    AttributeRule::property("month").converted(|given, _| convert_time(given, "month", (1, 12), &MONTHS)),
    AttributeRule::property("monthday").converted(|given, _| convert_time(given, "monthday", (1, 31), &[])),
    AttributeRule::property("environment").checked(check_environment).converted(convert_absent),
    AttributeRule::property("user"),
    AttributeRule::property("target")
        .default_made(|draft| Some(Value::string(draft.text("user").unwrap_or_else(|| own_name(draft.machine))))),
    AttributeRule::parameter("name"),
    AttributeRule::parameter("provider").checked(|given, draft| check_provider("cron", &["crontab"], given, draft)),
];

/// Returns the user that this process acts as.
pub(super) fn own_name(machine: &dyn Reading) -> String {
    let (uid, _) = machine.identity();
    machine.user(Who::Id(uid)).ok().flatten().map_or_else(|| "root".to_owned(), |user| user.name)
}

fn convert_command(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match given {
        Value::String(command) => Ok(Value::string(command.trim())),
        other => Err(Failure::whole(format!("Could not set command on cron: {}", no_method("strip", other)))),
    }
}

fn check_special(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match SPECIALS.contains(&&*text(given)) {
        true => Ok(()),
        false => Err(Failure::new(format!("Invalid special schedule {}", inspect(given)))),
    }
}

fn convert_absent(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    Ok(if &*text(given) == "absent" { symbol("absent") } else { given.clone() })
}

fn convert_time(given: &Value, name: &str, limits: (i64, i64), names: &[&str]) -> Result<Value, Failure> {
    let written = text(given).into_owned();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_range = |part: &str| part.split_once('-').is_some_and(|(from, to)| is_number(from) && is_number(to));
    if written == "absent" || written == "*" {
        return Ok(symbol("absent"));
    }
    let is_step = |line: &str| line.strip_prefix("*/").is_some_and(is_number);
    let is_range_with_step = |line: &str| {
        let (range, step) = line.split_once('/').map_or((line, None), |(range, step)| (range, Some(step)));
        is_range(range) && step.is_none_or(is_number)
    };
    if any_line(&written, |line| is_step(line) || is_range_with_step(line)) {
        return Ok(given.clone());
    }
    let within = |number: i64| (limits.0..=limits.1).contains(&number);
    let is_listed = match given {
        Value::Integer(_) => true,
        Value::String(_) => any_line(&written, is_number),
        _ => false,
    };
    let found = match is_listed {
        true => leading_number(&written).filter(|number| within(*number)).map(|_| written.clone()),
        false if names.is_empty() => None,
        false if matches!(given, Value::String(_)) => named(&written, names).map(|place| place.to_string()),
        false => return Err(munging_failed(name, given, &no_method("downcase", given))),
    };
    let detail = || format!("{written} is not a valid {name}");
    found.map(Value::string).ok_or_else(|| munging_failed(name, given, &detail()))
}

/// Reads the digits that a text begins with, as Ruby's `to_i` does.
fn leading_number(written: &str) -> Option<i64> {
    let written = written.trim_start();
    let sign = if written.starts_with('-') { -1 } else { 1 };
    let digits: String = written.trim_start_matches('-').chars().take_while(char::is_ascii_digit).collect();
    if digits.is_empty() { Some(0) } else { digits.parse::<i64>().ok().map(|number| sign * number) }
}

/// Returns the place of a name, which may be cut to three letters.
fn named(written: &str, names: &[&str]) -> Option<usize> {
    let written = written.to_lowercase();
    let is_meant = |name: &&str| {
        !name.is_empty() && (*name == written || (written.len() == 3 && name.get(..3) == Some(&*written)))
    };
    names.iter().position(is_meant)
}

fn check_environment(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let setting = text(given);
    let name = setting.split_once('=').map(|(name, _)| name.trim());
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    match setting == "absent" || name.is_some_and(is_name) {
        true => Ok(()),
        false => Err(Failure::new(format!("Invalid environment setting {}", inspect(given)))),
    }
}

/// Makes each list of times one value, and refuses times beside a word for them.
pub(super) fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    for name in TIMES.into_iter().chain(["environment"]) {
        let Some(property) = draft.values.property(name).filter(|property| property.is_desired()) else { continue };
        let is_absent = matches!(property.desired.first(), Some(Value::Symbol(_)));
        let value = if is_absent { symbol("absent") } else { Value::array(property.desired) };
        draft.values.set_desired(name, Value::array([value]));
    }
    if draft.get("special").is_none_or(|special| matches!(special, Value::Symbol(_))) {
        return Ok(());
    }
    // An empty list counts.
    let is_said = |name: &str| draft.values.is_given(name) && !matches!(draft.get(name), Some(Value::Symbol(_)));
    match ["minute", "hour", "weekday", "monthday", "month"].into_iter().find(|name| is_said(name)) {
        Some(name) => Err(Failure::new(format!(
            "{} cannot specify both a special schedule and a value for {name}",
            draft.reference
        ))),
        None => Ok(()),
    }
}

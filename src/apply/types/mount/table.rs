//! The attributes of `mount`: how they are checked and converted.

use pantin_values::Value;

use super::fstab::plain_name;
use crate::failure::Failure;
use crate::resource::{AttributeRule, Draft, Pattern, munging_failed};
use crate::types::tool_command::check_provider;
use crate::value::{symbol, text};

pub(super) const FILE: &str = "/etc/fstab";

const ZERO_OR_ONE: Pattern = Pattern { shown: "/(0|1)/", matches: |text| text.contains(['0', '1']) };

const STATES: &[(&str, &str)] = &[
    ("defined", "defined"),
    ("unmounted", "unmounted"),
    ("absent", "absent"),
    ("mounted", "mounted"),
    ("present", "defined"),
];

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::property("ensure").words(STATES),
    AttributeRule::property("device"),
    AttributeRule::property("blockdevice").checked(|given, _| check_plain("blockdevice", given)),
    AttributeRule::property("fstype").checked(|given, _| check_filled("fstype", given)),
    AttributeRule::property("options").checked(|given, _| check_filled("options", given)),
    AttributeRule::property("pass").default_made(zero_if_managed),
    AttributeRule::property("atboot").converted(convert_flag),
    AttributeRule::property("dump").patterns(&[ZERO_OR_ONE]).default_made(zero_if_managed),
    AttributeRule::property("target").default_text(FILE),
    AttributeRule::parameter("name").converted(|given, _| Ok(Value::string(plain_name(&text(given))))),
    AttributeRule::parameter("remounts").words(&[("true", "true"), ("false", "false")]).default_text("true"),
    AttributeRule::parameter("provider").checked(|given, _| check_provider("mount", &["parsed"], given)),
];

fn zero_if_managed(draft: &Draft<'_>) -> Option<Value> {
    draft.values.properties().iter().any(|property| property.is_desired()).then_some(Value::Integer(0))
}

fn check_plain(name: &str, given: &Value) -> Result<(), Failure> {
    let value = text(given);
    match value.contains(|letter: char| letter.is_ascii_whitespace()) {
        true => Err(Failure::new(format!("{name} must not contain whitespace: {value}"))),
        false => Ok(()),
    }
}

fn check_filled(name: &str, given: &Value) -> Result<(), Failure> {
    check_plain(name, given)?;
    match text(given).is_empty() {
        true => Err(Failure::new(format!("{name} must not be an empty string"))),
        false => Ok(()),
    }
}

fn convert_flag(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match &*text(given).to_lowercase() {
        "true" | "yes" => Ok(symbol("yes")),
        "false" | "no" => Ok(symbol("no")),
        _ => Err(munging_failed("atboot", given, "expected a boolean value")),
    }
}

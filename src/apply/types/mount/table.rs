//! The attributes of `mount`: how they are checked and converted.

use pantin_values::Value;

use super::fstab::plain_name;
use crate::failure::Failure;
use crate::resource::{AttributeRule, Draft, Pattern, munging_failed};
use crate::types::ruby_values::no_method;
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
    DUMP.checked(check_dump).default_made(zero_if_managed),
    AttributeRule::property("target").default_text(FILE),
    AttributeRule::parameter("name").converted(convert_name),
    AttributeRule::parameter("remounts").words(&[("true", "true"), ("false", "false")]).default_text("true"),
    AttributeRule::parameter("provider").checked(|given, draft| check_provider("mount", &["parsed"], given, draft)),
];

const DUMP: AttributeRule = AttributeRule::property("dump").patterns(&[ZERO_OR_ONE]);

fn check_dump(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    // FreeBSD has one number more.
    let has_two = draft.node().is_some_and(|node| !node.is_linux());
    match text(given).contains(['0', '1']) || (has_two && text(given).contains('2')) {
        true => Ok(()),
        false => Err(DUMP.invalid(given)),
    }
}

fn convert_name(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match given {
        Value::String(name) => Ok(Value::string(plain_name(name))),
        other => Err(munging_failed("name", other, &no_method("gsub", other))),
    }
}

fn zero_if_managed(draft: &Draft<'_>) -> Option<Value> {
    draft.values.properties().iter().any(|property| property.is_desired()).then_some(Value::Integer(0))
}

fn check_plain(name: &str, given: &Value) -> Result<(), Failure> {
    // Of what is no text, nothing is matched.
    let Value::String(value) = given else { return Ok(()) };
    match value.contains(|letter: char| letter.is_ascii_whitespace()) {
        true => Err(Failure::new(format!("{name} must not contain whitespace: {value}"))),
        false => Ok(()),
    }
}

fn check_filled(name: &str, given: &Value) -> Result<(), Failure> {
    check_plain(name, given)?;
    let is_empty = match given {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Hash(members) => members.is_empty(),
        other => {
            let detail = no_method("empty?", other);
            return Err(Failure::new(format!("Validate method failed for class {name}: {detail}")));
        }
    };
    match is_empty {
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

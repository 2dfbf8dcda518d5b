//! Types whose resources are checked and not carried out here: `augeas`, `mailalias`, `selboolean`, `selmodule`, `yumrepo`.

use pantin_values::Value;

use super::yumrepo::YUMREPO;
use crate::failure::Failure;
use crate::managed::Managed;
use crate::resource::{AttributeRule, Draft, munging_failed};
use crate::types::ruby_values::{as_text, no_method};
use crate::types::tool_command::check_provider;
use crate::types::{NewResource, TypeEntry, present_if_managed};
use crate::value::{symbol, text};

const PRESENT_ABSENT: &[(&str, &str)] = &[("present", "present"), ("absent", "absent")];
const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];

/// Finds the type of this name, in lower case.
pub(super) fn find_only_checked(name: &str) -> Option<&'static TypeEntry> {
    TYPES.iter().copied().find(|entry| entry.name == name)
}

const TYPES: &[&TypeEntry] = &[&AUGEAS, &MAILALIAS, &SELBOOLEAN, &SELMODULE, &YUMREPO];

pub(super) fn make(_: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Err(Failure::new("resources of this type are not carried out here"))
}

const AUGEAS: TypeEntry = TypeEntry {
    name: "augeas",
    namevar: Some("name"),
    provider: Some("augeas"),
    attributes: &[
        AttributeRule::property("returns").default_integer(0),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("context").default_text("").converted(convert_context),
        AttributeRule::parameter("onlyif").default_text(""),
        AttributeRule::parameter("changes"),
        AttributeRule::parameter("root").default_text("/"),
        AttributeRule::parameter("load_path").default_text(""),
        AttributeRule::parameter("force").default_boolean(false),
        AttributeRule::parameter("type_check").words(TRUE_FALSE).default_text("false"),
        AttributeRule::parameter("lens"),
        AttributeRule::parameter("incl"),
        AttributeRule::parameter("show_diff").boolean().default_boolean(true),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("augeas", &["augeas"], given, draft)),
    ],
    validate: Some(validate_augeas),
    spread_secret: None,
    make,
};

/// Takes the path of the file that is loaded alone, where no context is said.
fn convert_context(given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
    let is_empty = match given {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Hash(members) => members.is_empty(),
        other => return Err(munging_failed("context", other, &no_method("empty?", other))),
    };
    match draft.get("incl").filter(|_| is_empty) {
        None | Some(Value::Boolean(false)) => Ok(given.clone()),
        Some(file) => {
            let file = as_text(file).map_err(|failure| {
                Failure::whole(munging_failed("context", given, failure.message()).message().to_owned())
            })?;
            Ok(Value::string(format!("/files{file}")))
        }
    }
}

fn validate_augeas(draft: &mut Draft<'_>) -> Result<(), Failure> {
    match draft.values.has("lens") == draft.values.has("incl") {
        true => Ok(()),
        false => Err(Failure::new("You must specify both the lens and incl parameters, or neither.")),
    }
}

const MAILALIAS: TypeEntry = TypeEntry {
    name: "mailalias",
    namevar: Some("name"),
    provider: Some("aliases"),
    attributes: &[
        AttributeRule::property("ensure").words(PRESENT_ABSENT).default_made(present_if_managed),
        AttributeRule::list_property("recipient"),
        AttributeRule::property("file").checked(crate::types::check_path),
        AttributeRule::property("target"),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("mailalias", &["aliases"], given, draft)),
    ],
    validate: Some(validate_mailalias),
    spread_secret: None,
    make,
};

fn validate_mailalias(draft: &mut Draft<'_>) -> Result<(), Failure> {
    // Of recipients an empty list counts.
    let has_recipient = draft.values.is_given("recipient");
    let has_file = draft.get("file").is_some_and(|file| *file != Value::Boolean(false));
    match has_recipient && has_file {
        true => Err(Failure::new("You cannot specify both a recipient and a file")),
        false => Ok(()),
    }
}

const SELBOOLEAN: TypeEntry = TypeEntry {
    name: "selboolean",
    namevar: Some("name"),
    provider: Some("getsetsebool"),
    attributes: &[
        AttributeRule::property("value")
            .words(&[("on", "on"), ("off", "off"), ("true", "true"), ("false", "false")])
            .converted(|given, _| Ok(symbol(if matches!(&*text(given), "true" | "on") { "on" } else { "off" }))),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("persistent").words(TRUE_FALSE).default_text("false"),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("selboolean", &["getsetsebool"], given, draft)),
    ],
    validate: None,
    spread_secret: None,
    make,
};

const SELMODULE: TypeEntry = TypeEntry {
    name: "selmodule",
    namevar: Some("name"),
    provider: Some("semodule"),
    attributes: &[
        AttributeRule::property("ensure").words(PRESENT_ABSENT).default_made(present_if_managed),
        AttributeRule::property("syncversion").words(TRUE_FALSE),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("selmoduledir").default_text("/usr/share/selinux/targeted"),
        AttributeRule::parameter("selmodulepath"),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("selmodule", &["semodule"], given, draft)),
    ],
    validate: None,
    spread_secret: None,
    make,
};

//! The attributes of a package, and what they may be.

use pantin_base::Language;
use pantin_machine::Reading;
use pantin_values::{Str, Value, ruby_class};

use super::super::environment_settings::split_setting;
use super::super::native_provider::NativeProvider;
use super::super::tool_command::check_provider as check_named_provider;
use super::provider::PackageProvider;
use crate::check::has_feature;
use crate::failure::Failure;
use crate::resource::{AttributeRule, Draft, Feature};
use crate::value::{inspect, is_word, text};

const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    ENSURE.checked(check_ensure).converted(convert_ensure).default_text("installed"),
    AttributeRule::property("package_settings").needs(FOREIGN_ALONE[0]),
    AttributeRule::property("flavor").needs(FOREIGN_ALONE[1]),
    AttributeRule::property("mark").needs(HOLDABLE).words(&[("hold", "hold"), ("none", "none")]),
    AttributeRule::parameter("name").checked(check_name),
    AttributeRule::parameter("provider").checked(check_provider).default_made(usual_provider),
    AttributeRule::parameter("command").needs(FOREIGN_ALONE[2]),
    AttributeRule::parameter("source"),
    AttributeRule::parameter("instance"),
    AttributeRule::parameter("status"),
    AttributeRule::parameter("adminfile"),
    AttributeRule::parameter("responsefile"),
    AttributeRule::parameter("configfiles").words(&[("keep", "keep"), ("replace", "replace")]).default_text("keep"),
    AttributeRule::parameter("category"),
    AttributeRule::parameter("platform"),
    AttributeRule::parameter("root"),
    AttributeRule::parameter("vendor"),
    AttributeRule::parameter("description"),
    AttributeRule::parameter("allowcdrom").words(TRUE_FALSE),
    AttributeRule::parameter("enable_only").converted(convert_enable_only).default_boolean(false),
    AttributeRule::parameter("install_only").boolean().needs(FOREIGN_ALONE[3]),
    AttributeRule::parameter("environment").checked(check_environment).since(Language::OpenVox8),
    AttributeRule::parameter("install_options").needs(INSTALL_OPTIONS).converted(convert_options),
    AttributeRule::parameter("uninstall_options").needs(FOREIGN_ALONE[4]).converted(convert_options),
    AttributeRule::parameter("allow_virtual").needs(VIRTUAL).boolean().default_boolean(false),
    AttributeRule::parameter("reinstall_on_refresh").words(TRUE_FALSE).default_text("false"),
];

const ENSURE: AttributeRule = AttributeRule::property("ensure")
    .words(&[
        ("present", "present"),
        ("absent", "absent"),
        ("purged", "purged"),
        ("disabled", "disabled"),
        ("latest", "latest"),
        ("installed", "present"),
    ])
    .patterns(&[super::super::rule_patterns::ANYTHING]);

/// What neither dpkg nor apt can do.
const FOREIGN_ALONE: [Feature; 5] = [
    Feature { name: "package_settings", is_of: is_foreign },
    Feature { name: "supports_flavors", is_of: is_foreign },
    Feature { name: "targetable", is_of: is_foreign },
    Feature { name: "install_only", is_of: is_foreign },
    Feature { name: "uninstall_options", is_of: is_foreign },
];

const INSTALL_OPTIONS: Feature = Feature { name: "install_options", is_of: |provider, _| provider != "dpkg" };

/// What both can do, and others cannot.
const HOLDABLE: Feature = Feature { name: "holdable", is_of: |_, _| true };
const VIRTUAL: Feature = Feature { name: "virtual_packages", is_of: |_, _| true };

/// Providers that are not carried out here are taken to have every feature.
fn is_foreign(provider: &str, _: &dyn Reading) -> bool {
    PackageProvider::from_name(provider).is_none()
}

fn check_environment(given: &Value, _draft: &Draft<'_>) -> Result<(), Failure> {
    let settings = match given {
        Value::Array(settings) => &**settings,
        one => std::slice::from_ref(one),
    };
    let is_setting = |setting: &&Value| matches!(setting, Value::String(text) if split_setting(text).is_some());
    match settings.iter().find(|setting| !is_setting(setting)) {
        Some(wrong) => Err(Failure::new(format!("Invalid environment setting '{}'", text(wrong)))),
        None => Ok(()),
    }
}

fn check_ensure(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let needed = match ENSURE.symbol(given) {
        Some("disabled") => Some("disableable"),
        Some("purged") => Some("purgeable"),
        Some("latest") => Some("upgradeable"),
        Some(_) => None,
        None if text(given).chars().all(|letter| letter == '\n') => return Err(ENSURE.invalid(given)),
        None => Some("versionable"),
    };
    let Some(provider) = draft.text("provider") else { return Ok(()) };
    match needed.filter(|feature| has_feature("package", &provider, feature, draft.language()) == Some(false)) {
        None => Ok(()),
        Some(feature) => Err(Failure::new(format!(
            "Provider {provider} must have features '{feature}' to set 'ensure' to '{}'",
            text(given)
        ))),
    }
}

fn convert_ensure(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    Ok(ENSURE.symbol(given).map_or_else(|| given.clone(), |word| Value::Symbol(Str::from(word))))
}

fn check_name(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    if matches!(given, Value::String(_) | Value::Symbol(_)) {
        return Ok(());
    }
    let class = ruby_class(given);
    Err(Failure::new(format!("Name must be a String not {class}")))
}

/// Returns the provider of packages that name none, by the machine or by the facts of a node.
fn usual_provider(draft: &Draft<'_>) -> Option<Value> {
    let usual = match draft.node() {
        Some(node) => node.usual_provider("package"),
        None => PackageProvider::usual(draft.machine).map(PackageProvider::name),
    };
    usual.map(Value::string)
}

fn check_provider(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let known: Vec<&str> = PackageProvider::known_names().collect();
    check_named_provider("package", &known, given, draft)
}

fn convert_enable_only(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match &*text(given).to_lowercase() {
        "true" | "yes" => Ok(Value::Boolean(true)),
        "false" | "no" => Ok(Value::Boolean(false)),
        _ => {
            let shown = inspect(given);
            Err(Failure::new(format!(
                "Munging failed for value {shown} in class enable_only: expected a boolean value"
            )))
        }
    }
}

/// Puts options in quotes that have blanks.
fn convert_options(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let items: &[Value] = match given {
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    };
    let convert = |item: &Value| match item {
        Value::Hash(entries) => Ok(Value::hash(entries.iter().map(|(key, value)| (quote(key), quote(value))))),
        Value::String(_) => Ok(quote(item)),
        _ => Err(Failure::new("Expected either a string or hash of options")),
    };
    Ok(Value::array(items.iter().map(convert).collect::<Result<Vec<_>, _>>()?))
}

fn quote(value: &Value) -> Value {
    let written = text(value);
    match written.contains(' ') {
        true => Value::string(format!("\"{}\"", written.replace('"', "\\\""))),
        false => Value::string(written),
    }
}

/// Checks the resource as a whole.
pub(super) fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    let is_gone = draft.get("ensure").is_some_and(|ensure| is_word(ensure, "absent") || is_word(ensure, "purged"));
    match is_gone && draft.values.has("mark") {
        true => {
            let words = "You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", \"purged\"]";
            Err(Failure::new(words))
        }
        false => Ok(()),
    }
}

/// Returns options as words of a command: those of a hash as `KEY=VALUE`.
pub(super) fn option_words(options: &[Value]) -> Vec<String> {
    let mut words = Vec::new();
    for option in options {
        match option {
            Value::Hash(entries) => {
                let mut pairs: Vec<_> = entries.iter().map(|(key, value)| (text(key), text(value))).collect();
                pairs.sort();
                words.extend(pairs.into_iter().map(|(key, value)| format!("{key}={value}")));
            }
            one => words.push(text(one).into_owned()),
        }
    }
    words
}

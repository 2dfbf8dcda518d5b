//! Variables that a resource sets for the commands that it runs: `NAME=value`.

use std::ffi::OsString;

use pantin_values::Value;

use crate::context::ApplyContext;
use crate::failure::place_suffix;
use crate::log::Level;
use crate::value::{inspect, text};

pub(super) type Variables = Vec<(OsString, Option<OsString>)>;

/// Splits `NAME=value`. `None`: it is no setting.
pub(super) fn split_setting(setting: &str) -> Option<(&str, &str)> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    setting.split_once('=').filter(|(name, _)| !name.is_empty() && name.chars().all(is_word))
}

/// Adds the settings of an attribute to variables, and warns of those that are odd. `overriding`: what is said of a name that is
/// there already.
pub(super) fn add_settings(
    variables: &mut Variables,
    settings: &[Value],
    (context, provider): (&ApplyContext<'_>, &'static str),
    overriding: impl Fn(&str, &str) -> String,
) {
    let warn = |warning: String| context.say_of_provider(provider, Level::Warning, warning);
    for setting in settings {
        let setting = text(setting).into_owned();
        let Some((name, value)) = split_setting(&setting) else {
            warn(format!("Cannot understand environment setting {}", inspect(&Value::string(setting.as_str()))));
            continue;
        };
        if variables.iter().any(|(known, _)| known == name) {
            warn(overriding(name, value));
            variables.retain(|(known, _)| known != name);
        }
        if value.is_empty() {
            let place = place_suffix(context.resource.place.as_ref());
            let place =
                if place.is_empty() { "\n   (file & line not available)".into() } else { format!("\n  {place}") };
            let key = format!("empty_env_var_{name}");
            context.warn_once(&key, format!("Empty environment setting '{name}'{place}"));
        }
        variables.push((name.into(), Some(value.into())));
    }
}

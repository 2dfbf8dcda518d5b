//! The checks and hooks of single settings, as Puppet runs them when a setting is set.

use std::path::Path;

use pantin_base::Strict;
use pantin_values::Value;

use super::{Settings, kinds::plain, table::CHECKSUMS};
use crate::Remark;

const WARNINGS: [&str; 3] = ["deprecations", "undefined_variables", "undefined_resources"];

/// `Err`: the real one's text. Settings without a rule of their own are looked at when somebody asks for them.
pub(super) fn check(settings: &Settings, name: &str) -> Result<(), String> {
    match name {
        "certname" => {
            let certname = settings.text(name)?;
            if certname != certname.to_lowercase() {
                return Err("Certificate names must be lower case".to_owned());
            }
        }
        "disable_warnings" => {
            let unknown = unknown_of(&settings.value(name)?, &WARNINGS);
            if !unknown.is_empty() {
                return Err(format!(
                    "Cannot disable unrecognized warning types '{}'. Valid values are '{}'.",
                    unknown.join(","),
                    WARNINGS.join(", ")
                ));
            }
        }
        "supported_checksum_types" => {
            if let Some(unknown) = unknown_of(&settings.value(name)?, &CHECKSUMS).first() {
                return Err(format!(
                    "Invalid value '{unknown}' for parameter {name}. Allowed values are '{}'",
                    CHECKSUMS.join("', '")
                ));
            }
        }
        "disable_per_environment_manifest"
            if settings.flag(name)? && !Path::new(&settings.text("default_manifest")?).is_absolute() =>
        {
            return Err("The 'default_manifest' setting must be set to an absolute path when \
                        'disable_per_environment_manifest' is true"
                .to_owned());
        }
        "node_name_fact" => {
            let is_given = !settings.text(name)?.is_empty();
            if is_given && settings.text("node_name_value")? != settings.text("certname")? {
                return Err("Cannot specify both the node_name_value and node_name_fact settings".to_owned());
            }
        }
        "strict" | "log_level" | "storeconfigs" => drop(settings.value(name)?),
        limit if Settings::is_limit(limit) => drop(settings.limit(limit)?),
        _ => {}
    }
    Ok(())
}

fn unknown_of(value: &Value, known: &[&str]) -> Vec<String> {
    let Value::Array(items) = value else { return Vec::new() };
    items.iter().map(plain).filter(|item| !known.contains(&item.as_str())).collect()
}

/// Returns what is deprecated.
pub(super) fn remark(settings: &Settings, name: &str) -> Result<Option<Remark>, String> {
    let value = settings.value(name)?;
    let is_lenient = settings.strict()? == Strict::Off;
    let text = match name {
        "configprint" => "Setting configprint is deprecated. ",
        "pluginsync" => "Setting 'pluginsync' is deprecated.",
        "environment_data_provider" if !value.is_undef() && !is_lenient => {
            "Setting 'environment_data_provider' is deprecated."
        }
        "data_binding_terminus" if !is_lenient && !matches!(value.as_str(), None | Some("hiera" | "none" | "")) => {
            "Setting 'data_binding_terminus' is deprecated. Convert custom terminus to hiera 5 API."
        }
        _ => return Ok(None),
    };
    Ok(Some(Remark::warning(text.to_owned())))
}

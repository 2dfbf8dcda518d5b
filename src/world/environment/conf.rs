//! `environment.conf`: the settings of an environment, and the names in it that are ignored.

use std::path::Path;

use pantin_base::nearest;
use pantin_values::Value;

use super::Environments;
use crate::ini::{Ini, Section};
use crate::settings::{EnvironmentSettings, divided, time_to_live};
use crate::{Remark, clean_path, expand_path, glob, is_pattern};

/// What `environment.conf` may say.
pub const OF_ENVIRONMENT: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// Names in an `environment.conf` that are ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IgnoredNames {
    pub sections: Vec<String>,
    /// What it sets that is no setting of an environment.
    pub unknown: Vec<String>,
}

impl IgnoredNames {
    fn from_conf(conf: &Ini, more_names: &[&str]) -> IgnoredNames {
        let is_known = |name: &str| OF_ENVIRONMENT.contains(&name) || more_names.contains(&name);
        let settings = conf.sections[0].settings.iter().map(|(name, _)| name.clone());
        IgnoredNames {
            sections: conf.sections[1..].iter().map(|section| section.name.clone()).collect(),
            unknown: settings.filter(|name| !is_known(name)).collect(),
        }
    }
}

/// Reads the text of an `environment.conf` for the names in it that are ignored. `Err`: the real one cannot read it, in its words.
pub fn names_in_conf(file: &str, text: &str) -> Result<IgnoredNames, String> {
    Ok(IgnoredNames::from_conf(&Ini::parse(file, text, None)?, &[]))
}

/// Returns what is to be said of the names in an `environment.conf` that are ignored. `more_names`: names that are known
/// here beside those that always are.
pub(super) fn unknown(file: &str, conf: &Ini, more_names: &[&str]) -> Vec<Remark> {
    let nowhere = "\n   (file & line not available)";
    let mut remarks = Vec::new();
    let IgnoredNames { sections, unknown: names } = IgnoredNames::from_conf(conf, more_names);
    if !sections.is_empty() {
        remarks.push(Remark::warning(format!(
            "Invalid sections in environment.conf at '{file}'. Environment conf may not have sections. The following \
             sections are being ignored: '{}'{nowhere}",
            sections.join(",")
        )));
    }
    if !names.is_empty() {
        remarks.push(Remark::warning(format!(
            "Invalid settings in environment.conf at '{file}'. The following unknown setting(s) are being ignored: \
             {}{nowhere}",
            names.join(", ")
        )));
    }
    for name in names {
        if let Some(near) = nearest(&name, OF_ENVIRONMENT) {
            remarks.push(Remark::warning(format!("{file}: there is no setting {name}; did you mean {near}?")));
        }
    }
    remarks
}

/// The `environment.conf` of a folder, or what holds where there is none.
pub(super) struct Conf<'e> {
    pub(super) folder: &'e Path,
    pub(super) main: Option<&'e Section>,
    pub(super) environments: &'e Environments<'e>,
}

impl Conf<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.main?.get(name)
    }

    pub(super) fn values(&self, name: &str) -> Result<(EnvironmentSettings, Vec<Remark>), String> {
        let settings = self.environments.settings;
        let (manifest, remark) = self.manifest()?;
        let or_setting = |name: &'static str| -> Result<(&'static str, Value), String> {
            let given = self.get(name).cloned();
            Ok((name, given.map_or_else(|| settings.value(name), Ok)?))
        };
        let mut values = vec![
            ("modulepath", Value::from(self.modulepath()?)),
            ("manifest", Value::from(manifest)),
            ("config_version", self.get("config_version").map_or(Value::Undef, |command| self.absolute_value(command))),
            or_setting("environment_data_provider")?,
            or_setting("static_catalogs")?,
            or_setting("rich_data")?,
        ];
        let (timeout, value) = or_setting("environment_timeout")?;
        values.push((timeout, time_to_live(timeout, value)?));
        Ok((EnvironmentSettings { name: name.to_owned(), values }, remark.into_iter().collect()))
    }

    fn modulepath(&self) -> Result<String, String> {
        let settings = self.environments.settings;
        let given = self.get("modulepath").and_then(Value::as_str);
        let base = settings.text("basemodulepath")?;
        let own = self.folder.join("modules").to_string_lossy().into_owned();
        let folders: Vec<&str> = match given {
            Some(given) => divided(given, ":").collect(),
            None => std::iter::once(own.as_str()).chain(divided(&base, ":")).collect(),
        };
        let mut expanded = Vec::new();
        for folder in folders.into_iter().map(|folder| self.absolute(folder)) {
            if is_pattern(&folder) {
                let found = glob(self.environments.settings.disk(), &folder)?;
                expanded.extend(found.into_iter().map(|path| path.to_string_lossy().into_owned()));
            } else {
                expanded.push(folder);
            }
        }
        Ok(expanded.join(":"))
    }

    /// Returns the manifest, and what is said where the folder's own setting does not count.
    fn manifest(&self) -> Result<(String, Option<Remark>), String> {
        let settings = self.environments.settings;
        let default = settings.text("default_manifest")?;
        let fallback = match Path::new(&default).is_absolute() {
            true => default.clone(),
            false => format!("{}/{default}", self.folder.display()),
        };
        let own = self.get("manifest").and_then(Value::as_str).map(|own| self.absolute(own));
        if !settings.flag("disable_per_environment_manifest")? {
            return Ok((own.unwrap_or_else(|| self.absolute(&fallback)), None));
        }
        let remark = own.filter(|own| *own != fallback).map(|own| {
            Remark::error(format!(
                "The 'disable_per_environment_manifest' setting is true, but the environment located at {} has a \
                 manifest setting in its environment.conf of '{own}' which does not match the default_manifest \
                 setting '{default}'. If this environment is expecting to find modules in '{own}', they will not be \
                 available!",
                self.folder.display()
            ))
        });
        Ok((fallback, remark))
    }

    pub(super) fn conflicts(&self, name: &str) -> Result<Vec<String>, String> {
        let settings = self.environments.settings;
        let own = self.get("manifest").and_then(Value::as_str).unwrap_or_default();
        let is_none = own.is_empty() || own == settings.text("default_manifest")?;
        if is_none || !settings.flag("disable_per_environment_manifest")? {
            return Ok(Vec::new());
        }
        Ok(vec![format!(
            "The 'disable_per_environment_manifest' setting is true, and the '{name}' environment has an \
             environment.conf manifest that conflicts with the 'default_manifest' setting."
        )])
    }

    fn absolute_value(&self, value: &Value) -> Value {
        value.as_str().map_or_else(|| value.clone(), |text| Value::from(self.absolute(text)))
    }

    /// Makes a path absolute; one that begins with another setting is so when that is put in.
    fn absolute(&self, path: &str) -> String {
        if path.starts_with('$') {
            return path.to_owned();
        }
        if path.starts_with('~') {
            return expand_path(path);
        }
        clean_path(&self.folder.join(path)).to_string_lossy().into_owned()
    }
}

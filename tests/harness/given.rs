//! The block `settings` of an example.

use std::collections::BTreeMap;

use pantin::base::{Language, Strict};
use pantin::syntax::{MessageLimits, Settings};

use super::document::{Block, Mode};
use super::{stdlib, version};

/// Further settings that an example of a whole catalog may have.
const MORE: [&str; 9] = [
    "code",
    "data_binding_terminus",
    "default_manifest",
    "disable_per_environment_manifest",
    "disable_warnings",
    "freeze_main",
    "hiera_config",
    "ignoremissingtypes",
    "rich_data",
];

#[derive(Debug)]
pub(super) struct Given {
    /// The versions that the example is of; `None`: all.
    pub(super) puppet: Option<Vec<Language>>,
    pub(super) strict: Option<Strict>,
    pub(super) strict_variables: Option<bool>,
    pub(super) tasks: bool,
    /// What a catalog is of, when it is not the usual node and environment.
    pub(super) node: Option<String>,
    pub(super) environment: Option<String>,
    /// Whether the catalog is shown as its JSON stands.
    pub(super) json: bool,
    /// The version of the module stdlib that the environment has.
    pub(super) stdlib: Option<u32>,
    /// Other settings of Puppet's, as they are written.
    pub(super) more: BTreeMap<String, String>,
    pub(super) modulepath: Vec<String>,
    pub(super) manifest: String,
    pub(super) validate: bool,
    /// Whether the tree is part of the example.
    pub(super) ast: bool,
    pub(super) limits: MessageLimits,
}

impl Default for Given {
    fn default() -> Given {
        Given {
            puppet: None,
            strict: None,
            strict_variables: None,
            tasks: false,
            node: None,
            environment: None,
            json: false,
            stdlib: None,
            more: BTreeMap::new(),
            modulepath: vec!["modules".to_owned()],
            manifest: "manifests".to_owned(),
            validate: true,
            ast: true,
            limits: MessageLimits::default(),
        }
    }
}

impl Given {
    pub(super) fn for_version(&self, version: Language) -> Settings {
        let defaults = Settings::from_language(version);
        Settings { strict: self.strict.unwrap_or(defaults.strict), tasks: self.tasks, ..defaults }
    }
}

pub(super) fn read(block: &Block, mode: Mode) -> Result<Given, String> {
    let mut given = Given::default();
    for (offset, line) in block.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = block.lines.start + 2 + offset;
        let (key, value) = line.split_once('=').ok_or(format!("line {at}: a setting is `key = value`"))?;
        set(&mut given, mode, key.trim(), value.trim()).map_err(|error| format!("line {at}: {error}"))?;
    }
    Ok(given)
}

fn set(given: &mut Given, mode: Mode, key: &str, value: &str) -> Result<(), String> {
    let flag = || value.parse::<bool>().map_err(|_| format!("{key} = {value}: it is true or false"));
    let number = || value.parse::<usize>().map_err(|_| format!("{key} = {value}: it is a number"));
    let here = match mode {
        Mode::Parse => {
            !matches!(key, "strict_variables" | "stdlib" | "node" | "environment" | "json") && !MORE.contains(&key)
        }
        Mode::Evaluate => matches!(key, "strict_variables" | "tasks" | "stdlib"),
        Mode::Compile | Mode::Lookup => {
            matches!(key, "strict_variables" | "tasks" | "stdlib" | "node" | "environment" | "json")
                || MORE.contains(&key)
        }
    };
    match key {
        "puppet" => {
            given.puppet = Some(version::read(value)?);
        }
        "strict" => {
            given.strict = Some(match value {
                "off" => Strict::Off,
                "warning" => Strict::Warning,
                "error" => Strict::Error,
                _ => return Err(format!("strict = {value}: it is off, warning or error")),
            });
        }
        _ if !here => return Err(format!("an example of this room has no setting '{key}'; see tests/spec/README.md")),
        "strict_variables" => given.strict_variables = Some(flag()?),
        "tasks" => given.tasks = flag()?,
        "stdlib" => {
            let version = value.parse().ok().filter(|version| stdlib::files(*version).is_some());
            given.stdlib = Some(version.ok_or(format!("stdlib = {value}: it is 8 or 9"))?);
        }
        "node" => given.node = Some(value.to_owned()),
        "environment" => given.environment = Some(value.to_owned()),
        "json" => given.json = flag()?,
        _ if MORE.contains(&key) => drop(given.more.insert(key.to_owned(), value.to_owned())),
        "validate" => given.validate = flag()?,
        "ast" => given.ast = flag()?,
        "modulepath" => given.modulepath = value.split(':').map(str::to_owned).collect(),
        "manifest" => given.manifest = value.to_owned(),
        "max_errors" => given.limits.errors = number()?,
        "max_warnings" => given.limits.warnings = number()?,
        "max_deprecations" => given.limits.deprecations = number()?,
        _ => return Err(format!("no setting is called '{key}'; see tests/spec/README.md")),
    }
    Ok(())
}

//! The settings of this machine that an apply obeys: those of its own puppet.conf, whatever repository is around.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_apply::Level;
use pantin_base::Language;
use pantin_facts::{HostName, Tree};
use pantin_machine::RealSystem;
use pantin_repository::options::OpenError;
use pantin_values::Value;
use pantin_world::settings::{RunMode, Settings};
use pantin_world::{MachineDisk, absolute_text};

/// The settings of this machine that an apply obeys.
pub(crate) struct MachineSettings {
    settings: Settings,
    pub certname: String,
    /// The machine's own name; another one is applied only where that was asked for.
    pub own_name: String,
    pub language: Language,
}

/// What was typed of the settings of this machine.
#[derive(Clone, Copy, Default)]
pub(crate) struct TypedSettings<'a> {
    pub language: Option<Language>,
    pub confdir: Option<&'a Path>,
    pub settings: &'a [(String, String)],
    pub certname: Option<&'a str>,
    pub root: Option<&'a Path>,
}

impl MachineSettings {
    pub(crate) fn read(typed: TypedSettings<'_>, machine: &RealSystem) -> Result<MachineSettings, OpenError> {
        let language = typed.language.unwrap_or_default();
        let mut settings =
            Settings::new(language, Arc::new(MachineDisk::default())).with_run_mode(RunMode::for_current_user());
        let confdir = typed.confdir.map(|path| ("confdir".to_owned(), absolute_text(path)));
        for (name, value) in confdir.into_iter().chain(typed.settings.iter().cloned()) {
            settings.set(&name, &value).map_err(OpenError::Usage)?;
        }
        settings.read_conf()?;
        let own_name = match settings.is_set("certname") {
            true => settings.text("certname")?,
            false => HostName::read(Tree { machine, root: typed.root }).full().to_lowercase(),
        };
        let certname = typed.certname.map_or_else(|| own_name.clone(), str::to_owned);
        Ok(MachineSettings { settings, certname, own_name, language })
    }

    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, String> {
        self.settings.text(name).map(PathBuf::from)
    }

    pub(crate) fn text(&self, name: &str) -> Result<String, String> {
        self.settings.text(name)
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool, String> {
        self.settings.flag(name)
    }

    /// Returns the level that the settings say.
    pub(super) fn level(&self) -> Result<Level, String> {
        let name = self.settings.text("log_level")?;
        Level::from_name(&name).ok_or_else(|| format!("there is no level '{name}'"))
    }

    /// Returns a length of time; `None` where there is no end.
    pub(super) fn seconds(&self, name: &str) -> Result<Option<u64>, String> {
        Ok(match self.settings.value(name)? {
            Value::Integer(seconds) => u64::try_from(seconds).ok().filter(|seconds| *seconds > 0),
            _ => None,
        })
    }

    /// Returns the elements of a setting that is a list divided by commas.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<String>, String> {
        let text = self.settings.text(name)?;
        Ok(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_lowercase).collect())
    }
}

//! The environments that some settings lead to: found by name or folder, and put together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_values::Value;

use super::conf::{Conf, unknown};
use super::{BindingsSettings, Environment, LoadedEnvironment, Manifest};
use crate::clean_path;
use crate::ini::Ini;
use crate::settings::{EnvironmentSettings, Settings, divided};

const CONF: &str = "environment.conf";

/// The environments that some settings lead to.
#[derive(Clone, Copy, Debug)]
pub struct Environments<'s> {
    pub settings: &'s Settings,
}

impl Environments<'_> {
    /// Returns the environment of this name, from the first folder of `environmentpath` that has it.
    pub fn load(&self, name: &str) -> Result<LoadedEnvironment, String> {
        let path = self.settings.text("environmentpath")?;
        if is_name(name) {
            let folders = divided(&path, ":").map(|folder| Path::new(folder).join(name));
            if let Some(folder) = folders
                .map(|folder| clean_path(&folder).into_owned())
                .find(|folder| self.settings.disk().is_folder(folder))
            {
                return self.in_folder(name, &self.resolve_version_link(folder)?);
            }
        }
        // The one that everybody has may be empty.
        if name == "production" && self.settings.text("environment")? == name {
            return self.without_folder(name);
        }
        Err(not_found(name, &path))
    }

    /// The names of all environments, each once, in the order of the path and then of the names.
    pub fn names(&self) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        for folder in divided(&self.settings.text("environmentpath")?, ":") {
            let listed = self
                .settings
                .disk()
                .list(Path::new(folder))
                .map_err(|error| format!("cannot list {folder}: {error}"))?;
            let folders = listed.into_iter().flatten().filter(|entry| entry.is_folder);
            for name in folders.map(|entry| entry.name.to_string_lossy().into_owned()) {
                if is_name(&name) && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Ok(names)
    }

    /// Returns the environment in a folder, whatever the folder is called.
    pub fn in_folder(&self, name: &str, folder: &Path) -> Result<LoadedEnvironment, String> {
        if !is_name(name) {
            return Err(format!("'{name}' is no name for an environment: it consists of letters, digits and _"));
        }
        self.with_conf(name, folder, self.read_conf(folder)?.as_ref(), &[])
    }

    /// Returns the environment in a folder, whatever it is called, as its `environment.conf` has it. `more_names`: what
    /// that may say beside what is always known.
    pub(super) fn with_conf(
        &self,
        name: &str,
        folder: &Path,
        conf: Option<&Ini>,
        more_names: &[&str],
    ) -> Result<LoadedEnvironment, String> {
        let mut remarks = Vec::new();
        if let Some(conf) = conf {
            remarks.extend(unknown(&folder.join(CONF).to_string_lossy(), conf, more_names));
        }
        let main = conf.and_then(|conf| conf.section("main"));
        let of = Conf { folder, main, environments: self };
        let (own, more) = of.values(name)?;
        remarks.extend(more);
        remarks
            .extend(own.values.iter().filter_map(|(setting, _)| self.settings.environment_left(setting, Some(&own))));
        let mut environment = self.build_environment(&own)?;
        environment.folder = Some(folder.to_owned());
        environment.bindings.folder = Some(folder.join("bindings"));
        environment.conflicts = of.conflicts(name)?;
        Ok(LoadedEnvironment { environment: Arc::new(environment), remarks })
    }

    /// Returns an environment without a folder: modules as the settings say, no manifests but those of the command
    /// line.
    pub fn without_folder(&self, name: &str) -> Result<LoadedEnvironment, String> {
        let given = self.settings.text("modulepath")?;
        let modulepath = if given.is_empty() { self.settings.text("basemodulepath")? } else { given };
        let own = EnvironmentSettings { name: name.to_owned(), values: vec![("modulepath", Value::from(modulepath))] };
        let environment = self.build_environment(&own)?;
        Ok(LoadedEnvironment { environment: Arc::new(environment), remarks: Vec::new() })
    }

    fn build_environment(&self, own: &EnvironmentSettings) -> Result<Environment, String> {
        let text = |name: &str| -> Result<String, String> {
            let value = self.settings.value_in(name, Some(own))?;
            Ok(value.as_str().unwrap_or_default().to_owned())
        };
        let modulepath = text("modulepath")?;
        let manifest = text("manifest")?;
        let code = text("code")?;
        Ok(Environment {
            name: own.name.clone(),
            folder: None,
            module: None,
            modulepath: divided(&modulepath, ":").map(PathBuf::from).collect(),
            manifest: match (code.is_empty(), manifest.is_empty()) {
                (false, _) => Manifest::Code(code),
                (true, false) => Manifest::Path(PathBuf::from(manifest)),
                (true, true) => Manifest::None,
            },
            config_version: Some(text("config_version")?).filter(|command| !command.is_empty()),
            rich_data: self.settings.value_in("rich_data", Some(own))?.is_truthy(),
            static_catalogs: self.settings.value_in("static_catalogs", Some(own))?.is_truthy(),
            settings: self.settings.variables(own)?,
            conflicts: Vec::new(),
            bindings: BindingsSettings::default(),
        })
    }

    /// Reads the `environment.conf` in a folder, if there is one.
    pub(super) fn read_conf(&self, folder: &Path) -> Result<Option<Ini>, String> {
        let file = &folder.join(CONF);
        let shown = file.to_string_lossy();
        let bytes = self.settings.disk().read(file).map_err(|error| error.in_ruby(file))?;
        let Some(bytes) = bytes else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|_| format!("{shown}: invalid byte sequence in UTF-8"))?;
        Ini::parse(&shown, &text, None).map(Some)
    }

    /// Where the environments are links to folders with a version in their names, the folder is meant.
    fn resolve_version_link(&self, folder: PathBuf) -> Result<PathBuf, String> {
        if !self.settings.flag("versioned_environment_dirs")? {
            return Ok(folder);
        }
        Ok(self.settings.disk().link_target(&folder).unwrap_or(folder))
    }
}

/// Says that no folder of these has an environment of this name.
pub fn not_found(name: &str, path: &str) -> String {
    format!(
        "Could not find a directory environment named '{name}' anywhere in the path: {path}. Does the directory exist?"
    )
}

/// Returns true if an environment may have this name, by the rule of the real one. (A line break at the end, which it lets pass, is in no name of a folder of ours.)
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

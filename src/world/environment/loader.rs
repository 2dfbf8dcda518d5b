//! The environments that some settings lead to: found by name or folder, and put together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_values::Value;

use super::conf::{Conf, unknown};
use super::{BindingsSettings, Environment, EnvironmentAttributes, LoadedEnvironment, Manifest};
use crate::clean_path;
use crate::ini::Ini;
use crate::settings::{EnvironmentSettings, Settings, divided};

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

    /// The environment in a folder, whatever the folder is called.
    pub fn in_folder(&self, name: &str, folder: &Path) -> Result<LoadedEnvironment, String> {
        if !is_name(name) {
            return Err(format!("'{name}' is no name for an environment: it consists of letters, digits and _"));
        }
        self.in_any_folder(name, folder)
    }

    /// The same, whatever the environment is called.
    fn in_any_folder(&self, name: &str, folder: &Path) -> Result<LoadedEnvironment, String> {
        let file = folder.join("environment.conf");
        let mut remarks = Vec::new();
        let conf = self.read_conf(&file)?;
        if let Some(conf) = &conf {
            remarks.extend(unknown(&file.to_string_lossy(), conf));
        }
        let main = conf.as_ref().and_then(|conf| conf.section("main"));
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

    /// Returns an environment that `environments.pp` defines. `own`: what is said of it alone; `defaults`: what is said
    /// of all, which counts where its `environment.conf` says nothing.
    pub fn defined(
        &self,
        name: &str,
        folder: &Path,
        own: &EnvironmentAttributes,
        defaults: &EnvironmentAttributes,
    ) -> Result<LoadedEnvironment, String> {
        let loaded = self.in_any_folder(name, folder)?;
        let mut environment = Environment::clone(&loaded.environment);
        let conf = self.read_conf(&folder.join("environment.conf"))?;
        let main = conf.as_ref().and_then(|conf| conf.section("main"));
        let in_conf = |name: &str| main.is_some_and(|main| main.get(name).is_some());
        let value = |of: fn(&EnvironmentAttributes) -> &Option<String>, attribute: &str, setting: &str| {
            let of_all = || of(defaults).clone().filter(|_| !in_conf(setting) && !own.is_default(attribute));
            of(own).clone().or_else(of_all)
        };
        let below = |folder: &Path, path: &str| clean_path(&folder.join(path)).into_owned();
        let base_path = || Ok::<_, String>(format!("modules:{}", self.settings.text("basemodulepath")?));
        let modulepath = match own.is_default("modulepath") {
            true => Some(base_path()?),
            false => value(|of| &of.modulepath, "modulepath", "modulepath"),
        };
        if let Some(path) = modulepath {
            environment.modulepath = divided(&path, ":").map(|path| below(folder, path)).collect();
            let shown: Vec<String> = environment.modulepath.iter().map(|path| path.display().to_string()).collect();
            environment.settings.insert("modulepath".into(), shown.join(":").into());
        }
        let manifest = value(|of| &of.manifest, "manifest", "manifest");
        let manifests = value(|of| &of.manifestdir, "manifestdir", "manifest");
        let is_default = own.is_default("manifest") || own.is_default("manifestdir");
        if manifest.is_some() || manifests.is_some() || is_default || !in_conf("manifest") {
            let folder = below(folder, manifests.as_deref().unwrap_or("manifests"));
            let site = folder.join("site.pp");
            let path = match manifest {
                Some(manifest) => below(&folder, &manifest),
                None if self.settings.disk().exists(&site) => site,
                None => folder,
            };
            environment.settings.insert("manifest".into(), path.display().to_string().into());
            environment.manifest = Manifest::Path(path);
        }
        if let Some(path) = value(|of| &of.bindingsdir, "bindingsdir", "bindingsdir") {
            environment.bindings.folder = Some(below(folder, &path));
        }
        if let Some(command) = value(|of| &of.config_version, "config_version", "config_version") {
            environment.config_version = Some(command);
        }
        if let Some(flag) = own.rich_data.or_else(|| defaults.rich_data.filter(|_| !in_conf("rich_data"))) {
            environment.rich_data = flag;
        }
        if let Some(flag) =
            own.static_catalogs.or_else(|| defaults.static_catalogs.filter(|_| !in_conf("static_catalogs")))
        {
            environment.static_catalogs = flag;
        }
        environment.bindings.is_from_environments_file = true;
        Ok(LoadedEnvironment { environment: Arc::new(environment), ..loaded })
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

    fn read_conf(&self, file: &Path) -> Result<Option<Ini>, String> {
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

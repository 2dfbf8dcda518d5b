//! An environment as `environments.pp` defines it, with what its own `environment.conf` says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Environment, EnvironmentAttributes, Environments, LoadedEnvironment, Manifest};
use crate::clean_path;
use crate::ini::Section;
use crate::settings::divided;

/// What `environment.conf` may say of an environment that `environments.pp` defines, and else not.
const MORE_NAMES: [&str; 2] = ["bindingsdir", "manifestdir"];

/// The places where attributes of one environment are given.
struct AttributeSources<'s> {
    folder: &'s Path,
    /// What `environments.pp` says of it alone.
    own: &'s EnvironmentAttributes,
    /// What its `environment.conf` says.
    conf: Option<&'s Section>,
    /// What `environments.pp` says of all.
    defaults: &'s EnvironmentAttributes,
}

impl AttributeSources<'_> {
    fn is_in_conf(&self, setting: &str) -> bool {
        self.conf.is_some_and(|conf| conf.get(setting).is_some())
    }

    /// Returns what `environments.pp` says that counts here: what it says of all is below `environment.conf`, which
    /// has this setting for it.
    fn value<T: Clone>(
        &self,
        of: fn(&EnvironmentAttributes) -> &Option<T>,
        attribute: &str,
        setting: &str,
    ) -> Option<T> {
        let of_all =
            || of(self.defaults).clone().filter(|_| !self.is_in_conf(setting) && !self.own.is_default(attribute));
        of(self.own).clone().or_else(of_all)
    }

    /// Returns the value of an attribute that `environment.conf` may give under its own name.
    fn value_or_conf(&self, of: fn(&EnvironmentAttributes) -> &Option<String>, attribute: &str) -> Option<String> {
        let in_conf = || {
            let value = self.conf.filter(|_| !self.own.is_default(attribute))?.get(attribute)?;
            value.as_str().map(str::to_owned)
        };
        self.value(of, attribute, attribute).or_else(in_conf)
    }

    fn below(&self, path: &str) -> PathBuf {
        clean_path(&self.folder.join(path)).into_owned()
    }
}

impl Environments<'_> {
    /// Returns an environment that `environments.pp` defines. `own`: what is said of it alone; `defaults`: what is said
    /// of all, which counts where its `environment.conf` says nothing.
    pub fn defined(
        &self,
        name: &str,
        folder: &Path,
        own: &EnvironmentAttributes,
        defaults: &EnvironmentAttributes,
    ) -> Result<LoadedEnvironment, String> {
        let conf = self.read_conf(folder)?;
        let loaded = self.with_conf(name, folder, conf.as_ref(), &MORE_NAMES)?;
        let mut environment = Environment::clone(&loaded.environment);
        let sources =
            AttributeSources { folder, own, conf: conf.as_ref().and_then(|conf| conf.section("main")), defaults };
        let modulepath = match own.is_default("modulepath") {
            true => Some(format!("modules:{}", self.settings.text("basemodulepath")?)),
            false => sources.value(|of| &of.modulepath, "modulepath", "modulepath"),
        };
        if let Some(path) = modulepath {
            environment.modulepath = divided(&path, ":").map(|path| sources.below(path)).collect();
            let shown: Vec<String> = environment.modulepath.iter().map(|path| path.display().to_string()).collect();
            environment.settings.insert("modulepath".into(), shown.join(":").into());
        }
        if let Some(path) = self.defined_manifest(&sources) {
            environment.settings.insert("manifest".into(), path.display().to_string().into());
            environment.manifest = Manifest::Path(path);
        }
        if let Some(path) = sources.value_or_conf(|of| &of.bindingsdir, "bindingsdir") {
            environment.bindings.folder = Some(sources.below(&path));
        }
        if let Some(command) = sources.value(|of| &of.config_version, "config_version", "config_version") {
            environment.config_version = Some(command);
        }
        if let Some(flag) = sources.value(|of| &of.rich_data, "rich_data", "rich_data") {
            environment.rich_data = flag;
        }
        if let Some(flag) = sources.value(|of| &of.static_catalogs, "static_catalogs", "static_catalogs") {
            environment.static_catalogs = flag;
        }
        environment.bindings.is_from_environments_file = true;
        Ok(LoadedEnvironment { environment: Arc::new(environment), ..loaded })
    }

    /// Returns the manifest; `None`: the one that `environment.conf` names.
    fn defined_manifest(&self, sources: &AttributeSources) -> Option<PathBuf> {
        let manifest = sources.value(|of| &of.manifest, "manifest", "manifest");
        // The manifest that `environment.conf` names is below the environment's folder, whatever folder it names beside.
        let folder = match sources.is_in_conf("manifest") {
            true => sources.own.manifestdir.clone(),
            false => sources.value_or_conf(|of| &of.manifestdir, "manifestdir"),
        };
        let is_default = sources.own.is_default("manifest") || sources.own.is_default("manifestdir");
        if sources.is_in_conf("manifest") && manifest.is_none() && folder.is_none() && !is_default {
            return None;
        }
        let folder = sources.below(folder.as_deref().unwrap_or("manifests"));
        let site = folder.join("site.pp");
        Some(match manifest {
            Some(manifest) => clean_path(&folder.join(manifest)).into_owned(),
            None if self.settings.disk().exists(&site) => site,
            None => folder,
        })
    }
}

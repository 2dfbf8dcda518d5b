//! The environments that `environments.pp` says there are, and the one that a request gets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use pantin_base::Language;
use pantin_compile::{
    ChoiceRequest, EnvironmentChoice, EnvironmentsFile, LogLine, NoChoice, SettingFolders, WrittenEnvironments,
};
use pantin_model::trace::Level;
use pantin_world::environment::{EnvironmentAttributes, Environments, LoadedEnvironment};
use pantin_world::settings::{ENVIRONMENTS_MANIFEST, Settings};
use pantin_world::{Disk, TrackedDisk};

use super::World;
use super::home::Home;

/// An environment, and what was logged when it was chosen.
pub type ChosenEnvironment = (Arc<LoadedEnvironment>, Vec<LogLine>);

/// Returns where `environments.pp` is; `None` where it does not count.
pub(super) fn environments_path(settings: &Settings, reads_conf: bool) -> Option<PathBuf> {
    let confdir = settings.text("confdir").ok().filter(|_| reads_conf)?;
    let path = settings.text(ENVIRONMENTS_MANIFEST).ok().filter(|path| path != "none")?;
    Some(Path::new(&confdir).join(path))
}

impl World {
    /// Returns `environments.pp`, if it is there and counts.
    fn environments_file(&self, disk: &dyn Disk) -> Result<Option<Arc<EnvironmentsFile>>, String> {
        let Some(path) = self.environments_path() else { return Ok(None) };
        let bytes = disk.read(&path).map_err(|error| error.in_ruby(&path))?;
        let Some(bytes) = bytes else { return Ok(None) };
        let mut known = self.environments_file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_ref().filter(|known| known.is_of(&bytes)) {
            return Ok(Some(Arc::clone(known)));
        }
        let settings = pantin_eval::Settings {
            strict: self.settings.strict()?,
            strict_variables: self.settings.flag("strict_variables")?,
            ..pantin_eval::Settings::from_language(self.settings.language())
        };
        let file = EnvironmentsFile::parse(
            &path,
            bytes,
            &TrackedDisk::from(Arc::clone(&self.disk)),
            settings,
            self.functions.0,
        )?;
        Ok(Some(Arc::clone(known.insert(Arc::new(file)))))
    }

    fn setting_folders(&self) -> Result<SettingFolders, String> {
        let text = |name: &str| self.settings.text(name);
        Ok(SettingFolders { confdir: text("confdir")?, codedir: text("codedir")?, vardir: text("vardir")? })
    }

    /// Returns what `environments.pp` says without a request; `None`: there is no such file.
    pub fn written_environments(&self) -> Result<Option<WrittenEnvironments>, String> {
        let Some(file) = self.environments_file(&*self.disk)? else { return Ok(None) };
        Ok(Some(file.written(&self.setting_folders()?)))
    }

    /// Returns the names of all environments that are written out or are folders, each once.
    pub fn written_names(&self, written: &WrittenEnvironments) -> Result<Vec<String>, String> {
        let WrittenEnvironments { choice, left_to_requests, .. } = written;
        let mut names: Vec<String> = choice.environments.iter().map(|(name, _)| name.clone()).collect();
        names.extend(left_to_requests.names.iter().cloned());
        for (folder, _) in &choice.dynamic {
            let listed = self.disk.list(folder).map_err(|error| error.in_ruby(folder))?;
            let folders = listed.into_iter().flatten().filter(|entry| entry.is_folder);
            names.extend(folders.map(|entry| entry.name.to_string_lossy().into_owned()));
        }
        if choice.dynamic.is_empty() && !left_to_requests.dynamic {
            names.extend(Environments { settings: &self.settings }.names()?);
        }
        let mut met = BTreeSet::new();
        names.retain(|name| met.insert(name.clone()));
        Ok(names)
    }

    /// Returns the environment of this name as it is without a request. `Err`: there is none, or each request works
    /// out anew what it is.
    pub fn written_environment(&self, written: &WrittenEnvironments, name: &str) -> Result<LoadedEnvironment, String> {
        if written.leaves(name) {
            return Err(format!(
                "what the environment '{name}' is, environments.pp works out for each request; a node shows it"
            ));
        }
        let confdir = PathBuf::from(self.settings.text("confdir")?);
        match self.defined_environment(&written.choice, name, &confdir)? {
            Some(found) => self.with_site_bindings(found),
            None => Err(format!("unknown environment '{name}': it is not in environments.pp, nor in a folder of it")),
        }
    }

    /// Returns true if `environments.pp` says which environments there are.
    pub fn has_environments_file(&self, disk: &dyn Disk) -> bool {
        self.environments_path().is_some_and(|path| disk.exists(&path))
    }

    fn environments_path(&self) -> Option<PathBuf> {
        let counts = matches!(self.home, Home::Path) && self.settings.language() >= Language::Puppet8;
        environments_path(&self.settings, self.reads_conf).filter(|_| counts)
    }

    /// Returns the environment that `environments.pp` chooses for a request; `None`: there is no such file.
    /// `node_file`: what the file of the node names, which is the word of a person, as what is typed.
    pub fn chosen_environment(
        &self,
        disk: &dyn Disk,
        mut request: ChoiceRequest,
        node_file: Option<&str>,
    ) -> Result<Option<ChosenEnvironment>, NoChoice> {
        let failed = |text: String| NoChoice { text, log: Vec::new() };
        let Some(file) = self.environments_file(disk).map_err(failed)? else { return Ok(None) };
        request.folders = self.setting_folders().map_err(failed)?;
        let node = request.node.name.clone();
        let confdir = PathBuf::from(&request.folders.confdir);
        let mut choice = file.choose(&request)?;
        let typed = node_file.map(str::to_owned).or_else(|| self.typed_environment.clone());
        let chosen = choice.name.clone().unwrap_or_else(|| "production".to_owned());
        let name = typed.unwrap_or_else(|| chosen.clone());
        if name != chosen {
            let text = format!(
                "environments.pp chooses the environment '{chosen}'; '{name}' is what was asked for, and counts"
            );
            choice.log.push(LogLine::with_label(Level::Info, &text));
        }
        let found = self.defined_environment(&choice, &name, &confdir).map_err(failed)?;
        let Some(loaded) = found else {
            return Err(NoChoice { text: file.unknown(&name, &node), log: choice.log });
        };
        let loaded = self.with_site_bindings(loaded).map_err(failed)?;
        let loaded = Arc::new(loaded);
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(name, Arc::clone(&loaded));
        Ok(Some((loaded, choice.log)))
    }

    /// Returns an environment by its name, as the file and the folders define it.
    fn defined_environment(
        &self,
        choice: &EnvironmentChoice,
        name: &str,
        confdir: &Path,
    ) -> Result<Option<LoadedEnvironment>, String> {
        let environments = Environments { settings: &self.settings };
        let defaults = &choice.defaults;
        if let Some((_, own)) = choice.environments.iter().find(|(known, _)| known == name) {
            let of_all = defaults.envdir.as_deref().filter(|_| !own.is_default("envdir"));
            let named = own.envdir.as_deref().or(of_all).map(Path::new);
            if named.is_some_and(|folder| !self.disk.is_folder(folder)) {
                return Ok(None);
            }
            let folder = named.unwrap_or(confdir);
            return environments.defined(name, folder, own, defaults).map(Some);
        }
        let is_file_name = !name.is_empty() && !matches!(name, "." | "..") && !name.contains(['/', '\0']);
        for (folder, own) in choice.dynamic.iter().filter(|_| is_file_name) {
            let folder = folder.join(name);
            if self.disk.is_folder(&folder) {
                return environments.defined(name, &folder, own, defaults).map(Some);
            }
        }
        if choice.dynamic.is_empty() && is_file_name {
            for folder in self.settings.text("environmentpath")?.split(':').filter(|folder| !folder.is_empty()) {
                let folder = Path::new(folder).join(name);
                if self.disk.is_folder(&folder) {
                    let none = EnvironmentAttributes::default();
                    return environments.defined(name, &folder, &none, defaults).map(Some);
                }
            }
        }
        if name == "production" {
            let none = EnvironmentAttributes::default();
            return environments
                .defined(name, defaults.envdir.as_deref().map_or(confdir, Path::new), &none, defaults)
                .map(Some);
        }
        Ok(None)
    }
}

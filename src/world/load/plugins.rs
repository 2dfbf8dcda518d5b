//! What the older autoloader finds: types of resources, their providers, and functions of the older interface.
//!
//! It looks into `lib` of every folder of the module path: also of a module that another one of its name shadows, and of a
//! folder whose name is no module's. Earlier folders come first, in the order of the module path and of their names. Knows
//! nothing of what is in a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Modules, OLDER_FUNCTIONS};
use crate::Disk as _;

/// What the older autoloader looks for, each below a folder of its own that most modules have not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PluginKind {
    OlderFunctions,
    Types,
    Providers,
}

impl PluginKind {
    fn folder(self) -> &'static str {
        match self {
            PluginKind::OlderFunctions => OLDER_FUNCTIONS,
            PluginKind::Types => "lib/puppet/type",
            PluginKind::Providers => "lib/puppet/provider",
        }
    }
}

/// The folders that have plugins of one kind, in the order in which they are searched.
pub type PluginFolders = Arc<[PathBuf]>;

impl Modules {
    /// Returns the folders of the module path whose `lib` is searched for plugins.
    pub fn plugin_folders(&self) -> &[PathBuf] {
        &self.listed.plugin_folders
    }

    /// Returns the folders of the module path that are no module: another one of the name comes before, or the name is
    /// none.
    pub fn stray_folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.plugin_folders().iter().map(PathBuf::as_path);
        folders.filter(|folder| !self.all().iter().any(|module| module.folder == *folder))
    }

    /// Lists the folders that have plugins of a kind: a name need not be looked for elsewhere.
    pub fn folders_with(&self, kind: PluginKind) -> PluginFolders {
        let folders = self.plugin_folders().iter().map(|folder| folder.join(kind.folder()));
        folders.filter(|folder| self.disk.is_folder(folder)).collect()
    }

    /// Finds the file of a type of resources, or of a function of the older interface: the first of its name.
    pub fn plugin_file(&self, name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
        if !is_type_name(name) {
            return None;
        }
        folders.iter().map(|folder| folder.join(name).with_extension("rb")).find(|file| self.disk.exists(file))
    }

    /// Finds the table of a type of resources that was generated from its Ruby code, if there is one.
    pub fn generated_type_file(&self, name: &str) -> Option<PathBuf> {
        let folder = self.environment().filter(|_| is_type_name(name))?.join(".resource_types");
        let path = folder.join(name).with_extension("pp");
        self.disk.exists(&path).then_some(path)
    }

    /// Lists the files in which providers of a type of resources may be; those of the folder first in which the type
    /// stands, as nearly all do.
    pub fn provider_files(&self, name: &str, type_file: &Path, folders: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
        let beside = type_file.parent().and_then(Path::parent).map(|puppet| puppet.join("provider"));
        let beside = folders.iter().filter(move |folder| beside.as_deref() == Some(folder));
        let all = beside.chain(folders).map(move |folder| folder.join(name));
        let listed = all.filter_map(move |folder| Some((self.disk.list(&folder).ok()??, folder)));
        let files = listed.flat_map(|(entries, folder)| entries.into_iter().map(move |entry| folder.join(entry.name)));
        files.filter(|file| file.extension().is_some_and(|extension| extension == "rb"))
    }
}

fn is_type_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

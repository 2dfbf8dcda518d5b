//! The autoloader's rules: from a name to the files that may define it. Must not know what is in a file.
//!
//! Knows the rules of the module path, and nothing of what is in a file.

mod definitions;
mod plugins;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use definitions::{ENVIRONMENT, FunctionFile, TYPE_SET, TypeFile};
use pantin_base::{Language, Strict};
use pantin_values::{Digest, Digester, Fault};
pub use plugins::{PluginFolders, PluginKind};
use rustc_hash::FxHashMap;

use crate::modules::{Module, ModuleListing, modules_in};
use crate::{Disk, LeafKind, ModuleCheckout, Puppetfile, Remark, TrackedDisk};

/// The modules of an environment, listed once.
#[derive(Clone)]
pub struct Modules {
    pub disk: TrackedDisk,
    pub modulepath: Arc<[PathBuf]>,
    /// The module that is checked out by itself: its name and its folder, which may be called otherwise.
    own: Option<Arc<(String, PathBuf)>>,
    /// The environment's folder, where it has one: functions and types may stand there too.
    environment: Option<Arc<Path>>,
    listed: Arc<Listed>,
}

#[derive(Default)]
struct Listed {
    /// In the order of the module path.
    modules: Vec<Module>,
    by_name: FxHashMap<String, usize>,
    plugin_folders: Vec<PathBuf>,
    digest: Option<Digest>,
}

impl Listed {
    fn new(listing: ModuleListing) -> Listed {
        let ModuleListing { modules, plugin_folders } = listing;
        let by_name = modules.iter().enumerate().map(|(index, module)| (module.name.clone(), index)).collect();
        let mut digester = Digester::new(b"modules");
        digester.number(modules.len() as u64);
        for Module { name, folder, .. } in &modules {
            digester.text(name).bytes(folder.as_os_str().as_encoded_bytes());
        }
        for folder in &plugin_folders {
            digester.bytes(folder.as_os_str().as_encoded_bytes());
        }
        let digest = Some(digester.finish());
        Listed { modules, by_name, plugin_folders, digest }
    }
}

/// Where a module has its functions of the newer interface, and where those of the older one.
const FUNCTIONS: &str = "lib/puppet/functions";
pub const OLDER_FUNCTIONS: &str = "lib/puppet/parser/functions";
/// Modules by their places in the list.
pub type Places = Arc<[usize]>;

impl Modules {
    /// The Puppetfile of the environment, if it has one that can be read.
    pub fn puppetfile(&self) -> Option<Puppetfile> {
        let file = self.environment.as_ref()?.join("Puppetfile");
        let bytes = self.disk.read(&file).ok().flatten()?;
        Some(Puppetfile::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// With what is to be said of bad metadata.
    pub fn list(
        disk: impl Into<TrackedDisk>,
        modulepath: &[PathBuf],
        environment: Option<&Path>,
        strict: Strict,
        language: Language,
    ) -> Result<(Modules, Vec<Remark>), String> {
        Modules::list_beside(None, disk, modulepath, environment, strict, language)
    }

    /// The same with a module that is checked out by itself.
    pub fn list_beside(
        own: Option<&ModuleCheckout>,
        disk: impl Into<TrackedDisk>,
        modulepath: &[PathBuf],
        environment: Option<&Path>,
        strict: Strict,
        language: Language,
    ) -> Result<(Modules, Vec<Remark>), String> {
        let disk = disk.into();
        let (listing, remarks) = modules_in(&disk, own, modulepath, strict, language)?;
        let listed = Arc::new(Listed::new(listing));
        let environment = environment.map(Arc::from);
        let own = own.map(|own| Arc::new((own.name.clone(), own.folder.clone())));
        Ok((Modules { disk, modulepath: modulepath.into(), own, environment, listed }, remarks))
    }

    /// Returns an environment without modules.
    pub fn none(disk: impl Into<TrackedDisk>) -> Modules {
        Modules { disk: disk.into(), modulepath: Arc::default(), own: None, environment: None, listed: Arc::default() }
    }

    /// In the order of the module path.
    pub fn all(&self) -> &[Module] {
        &self.listed.modules
    }

    /// Digest of which modules and folders there are, whatever is in them; none where there are none.
    pub fn digest(&self) -> Option<Digest> {
        self.listed.digest
    }

    /// Lists the modules that have functions in Ruby: a name without a namespace need not be looked for in the others.
    pub fn with_functions(&self) -> Places {
        let folders = [FUNCTIONS, OLDER_FUNCTIONS];
        let has = |module: &Module| folders.iter().any(|folder| self.disk.is_folder(&module.folder.join(folder)));
        let places = self.all().iter().enumerate().filter(|(_, module)| has(module)).map(|(place, _)| place);
        places.collect()
    }

    fn modules_at(&self, places: &[usize]) -> impl Iterator<Item = &Module> {
        places.iter().filter_map(|place| self.all().get(*place))
    }

    pub fn named(&self, name: &str) -> Option<&Module> {
        self.listed.by_name.get(name).map(|&index| &self.listed.modules[index])
    }

    /// Returns the folder of the module that is checked out by itself.
    fn own_folder(&self) -> Option<&Path> {
        self.own.as_ref().map(|own| own.1.as_path())
    }

    /// Returns the environment's own folder, where it has one.
    pub fn environment(&self) -> Option<&Path> {
        self.environment.as_deref()
    }

    /// Returns the folder of a module: the first of the module path that has it.
    pub fn folder(&self, name: &str) -> Option<&Path> {
        self.named(name).map(|module| module.folder.as_path())
    }

    /// `module/rest`, or an absolute path, as a file in `folder` of that module.
    pub fn file_in(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let path = if Path::new(name).is_absolute() {
            PathBuf::from(name)
        } else {
            let (module, rest) = name.split_once('/')?;
            self.folder(module)?.join(folder).join(rest)
        };
        self.disk.exists(&path).then_some(path)
    }

    /// Finds the file that Ruby's `require` names: `lib/NAME.rb` of the first module that has it. An absolute path, as
    /// `require_relative` makes one, has to be within a folder of the module path, or the environment's own `lib`.
    pub fn library_file(&self, name: &str) -> Option<PathBuf> {
        let file = PathBuf::from(format!("{name}.rb"));
        if file.components().any(|part| matches!(part, std::path::Component::ParentDir)) {
            return None;
        }
        if file.is_absolute() {
            let is_own = self.environment.as_deref().is_some_and(|folder| file.starts_with(folder.join("lib")));
            let is_own = is_own || self.own_folder().is_some_and(|folder| file.starts_with(folder));
            let within = is_own || self.modulepath.iter().any(|path| file.starts_with(path));
            return (within && self.disk.exists(&file)).then_some(file);
        }
        self.all().iter().map(|module| module.folder.join("lib").join(&file)).find(|file| self.disk.exists(file))
    }

    /// The same modules, seen by somebody who notes apart what they ask.
    pub fn with_own_reads(&self) -> Modules {
        Modules { disk: self.disk.with_own_reads(), ..self.clone() }
    }

    /// Returns the content of a file, with what went wrong as the error of whoever asked.
    pub fn content(&self, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.text(LeafKind::Content, path)
    }

    /// The same, asked as code or as data is.
    pub fn text(&self, kind: LeafKind, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.disk.text(kind, path).map_err(|error| Fault::new(error.in_ruby(path)))
    }
}

impl std::fmt::Debug for Modules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Modules").field("modulepath", &self.modulepath).finish_non_exhaustive()
    }
}

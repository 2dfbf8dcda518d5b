//! The autoloader's rules: from a name to the files that may define it. Must not know what is in a file.
//!
//! Knows the rules of the module path, and nothing of what is in a file.

mod definitions;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use definitions::{ENVIRONMENT, FunctionFile, TYPE_SET, TypeFile};
use pantin_base::{Language, Strict};
use pantin_values::Fault;
use rustc_hash::FxHashMap;

use crate::modules::{Module, modules_in};
use crate::{Disk, LeafKind, ModuleCheckout, Remark, TrackedDisk};

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
}

/// Where a module has its functions of the newer interface, and where those of the older one.
const FUNCTIONS: &str = "lib/puppet/functions";
const OLDER_FUNCTIONS: &str = "lib/puppet/parser/functions";
/// Where types of resources, and where what carries them out.
const TYPES: &str = "lib/puppet/type";
const PROVIDERS: &str = "lib/puppet/provider";

/// What a module may have in Ruby, each in folders that many modules have not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InRuby {
    /// Of either interface.
    Functions,
    OlderFunctions,
    Types,
    Providers,
}

impl InRuby {
    fn folders(self) -> &'static [&'static str] {
        match self {
            InRuby::Functions => &[FUNCTIONS, OLDER_FUNCTIONS],
            InRuby::OlderFunctions => &[OLDER_FUNCTIONS],
            InRuby::Types => &[TYPES],
            InRuby::Providers => &[PROVIDERS],
        }
    }
}

/// Modules by their places in the list.
pub type Places = Arc<[usize]>;

impl Modules {
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
        let (modules, remarks) = modules_in(&disk, own, modulepath, strict, language)?;
        let by_name = modules.iter().enumerate().map(|(index, module)| (module.name.clone(), index)).collect();
        let listed = Arc::new(Listed { modules, by_name });
        let environment = environment.map(Arc::from);
        let own = own.map(|own| Arc::new((own.name.clone(), own.folder.clone())));
        Ok((Modules { disk, modulepath: modulepath.into(), own, environment, listed }, remarks))
    }

    /// An environment without modules.
    pub fn none(disk: impl Into<TrackedDisk>) -> Modules {
        Modules { disk: disk.into(), modulepath: Arc::default(), own: None, environment: None, listed: Arc::default() }
    }

    /// In the order of the module path.
    pub fn all(&self) -> &[Module] {
        &self.listed.modules
    }

    /// Those that have any of something: a name need not be looked for in the others.
    pub fn having(&self, some: InRuby) -> Places {
        let has =
            |module: &Module| some.folders().iter().any(|folder| self.disk.is_folder(&module.folder.join(folder)));
        let places = self.all().iter().enumerate().filter(|(_, module)| has(module)).map(|(place, _)| place);
        places.collect()
    }

    fn modules_at(&self, places: &[usize]) -> impl Iterator<Item = &Module> {
        places.iter().filter_map(|place| self.all().get(*place))
    }

    pub fn named(&self, name: &str) -> Option<&Module> {
        self.listed.by_name.get(name).map(|&index| &self.listed.modules[index])
    }

    /// The folder of the module that is checked out by itself.
    fn own_folder(&self) -> Option<&Path> {
        self.own.as_ref().map(|own| own.1.as_path())
    }

    /// The environment's own folder, where it has one.
    pub fn environment(&self) -> Option<&Path> {
        self.environment.as_deref()
    }

    /// The folder of a module: the first of the module path that has it.
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

    /// Where a type of resources is defined in Ruby, if anywhere, among the modules that have any.
    pub fn ruby_type_file(&self, name: &str, among: &[usize]) -> Option<PathBuf> {
        self.ruby_file(TYPES, name, among)
    }

    /// Where a function is defined in Ruby in the older way, if a module does so: the environment's own are not seen by
    /// who looks for those of the older way alone.
    pub fn older_function_file(&self, name: &str, among: &[usize]) -> Option<PathBuf> {
        self.ruby_file(OLDER_FUNCTIONS, name, among)
    }

    /// In the first module that has it.
    fn ruby_file(&self, folder: &str, name: &str, among: &[usize]) -> Option<PathBuf> {
        if !is_type_name(name) {
            return None;
        }
        let mut files = self.modules_at(among).map(|module| module.folder.join(folder).join(name).with_extension("rb"));
        files.find(|file| self.disk.exists(file))
    }

    /// Where the table of a type of resources is that was generated from its Ruby code, if anywhere.
    pub fn generated_type_file(&self, name: &str) -> Option<PathBuf> {
        let folder = self.environment.as_deref().filter(|_| is_type_name(name))?.join(".resource_types");
        let path = folder.join(name).with_extension("pp");
        self.disk.exists(&path).then_some(path)
    }

    /// The files in which providers of a type of resources may be; those of the module first in which the type stands, as
    /// nearly all do.
    pub fn provider_files(&self, name: &str, type_file: &Path, among: &[usize]) -> impl Iterator<Item = PathBuf> {
        let own = self.named(self.module_of_file(type_file));
        let others = self.modules_at(among).filter(move |module| own.is_none_or(|own| own.name != module.name));
        let folders = own.into_iter().chain(others).map(move |module| module.folder.join(PROVIDERS).join(name));
        let files = folders.filter_map(|folder| Some((self.disk.list(&folder).ok()??, folder)));
        let files = files.flat_map(|(entries, folder)| entries.into_iter().map(move |entry| folder.join(entry.name)));
        files.filter(|file| file.extension().is_some_and(|extension| extension == "rb"))
    }

    /// The file that Ruby's `require` names: `lib/NAME.rb` of the first module that has it. An absolute path, as
    /// `require_relative` makes one, has to be within the folder of a module, or the environment's own `lib`.
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
        let folders = self.modulepath.iter().filter_map(|path| Some((path, self.disk.list(path).ok()??)));
        let folders = folders.flat_map(|(path, entries)| entries.into_iter().map(|entry| path.join(entry.name)));
        let own = self.own_folder().map(Path::to_owned);
        own.into_iter().chain(folders).map(|module| module.join("lib").join(&file)).find(|file| self.disk.exists(file))
    }

    /// The same modules, seen by somebody who notes apart what they ask.
    pub fn with_own_reads(&self) -> Modules {
        Modules { disk: self.disk.with_own_reads(), ..self.clone() }
    }

    /// The content of a file, with what went wrong as the error of whoever asked.
    pub fn content(&self, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.text(LeafKind::Content, path)
    }

    /// The same, asked as code or as data is.
    pub fn text(&self, kind: LeafKind, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        self.disk.text(kind, path).map_err(|error| Fault::new(error.in_ruby(path)))
    }
}

fn is_type_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl std::fmt::Debug for Modules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Modules").field("modulepath", &self.modulepath).finish_non_exhaustive()
    }
}

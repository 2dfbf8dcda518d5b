//! From names to the files that may define them.
//!
//! Knows the rules of the module path, and nothing of what is in a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::pcore::Fault;
use crate::world::{Disk, ReadError};

/// The modules of an environment.
#[derive(Clone)]
pub struct Modules {
    pub disk: Arc<dyn Disk>,
    pub modulepath: Vec<PathBuf>,
}

impl Modules {
    /// The folder of a module: the first of the module path that has it.
    pub fn folder(&self, name: &str) -> Option<PathBuf> {
        if !is_module_name(name) {
            return None;
        }
        self.modulepath.iter().map(|path| path.join(name)).find(|folder| self.disk.exists(folder))
    }

    /// Where the function `module::a::b` is defined, if anywhere: `MODULE/functions/a/b.pp`.
    pub fn function_file(&self, name: &str) -> Option<PathBuf> {
        self.definition_file(name, "functions")
    }

    /// Where the type `Module::A::B` is defined, if anywhere: `MODULE/types/a/b.pp`, all in lower case. The one that is
    /// called like its module is a type set, in `MODULE/types/init_typeset.pp`.
    pub fn type_file(&self, name: &str) -> Option<PathBuf> {
        let name = name.to_lowercase();
        if name.contains("::") {
            return self.definition_file(&name, "types");
        }
        self.definition_file(&format!("{name}::init_typeset"), "types")
    }

    /// The files that may define the class or defined type `module::a::b`, in the order in which they are tried:
    /// `MODULE/manifests/a/b.pp`, `MODULE/manifests/a.pp`, `MODULE/manifests/init.pp`.
    pub fn manifest_files(&self, name: &str) -> Vec<PathBuf> {
        let mut segments = name.split("::");
        let Some(module) = segments.next().and_then(|module| self.folder(module)) else { return Vec::new() };
        let mut stem = module.join("manifests");
        let mut files = vec![stem.join("init.pp")];
        for segment in segments {
            if segment.is_empty() || segment.contains(['/', '.']) {
                return Vec::new();
            }
            stem.push(segment);
            files.push(stem.with_extension("pp"));
        }
        files.reverse();
        files.retain(|file| self.disk.exists(file));
        files
    }

    fn definition_file(&self, name: &str, folder: &str) -> Option<PathBuf> {
        let mut segments = name.split("::");
        let module = segments.next()?;
        let mut path = self.folder(module)?.join(folder);
        let mut any = false;
        for segment in segments {
            path.push(segment);
            any = true;
        }
        path.set_extension("pp");
        (any && self.disk.exists(&path)).then_some(path)
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

    /// Where a type of resources is defined in Ruby, if anywhere.
    pub fn ruby_type_file(&self, name: &str) -> Option<PathBuf> {
        if !is_module_name(name) {
            return None;
        }
        let folders = self.modulepath.iter().filter_map(|path| Some((path, self.disk.list(path).ok()??)));
        folders
            .flat_map(|(path, entries)| entries.into_iter().map(|entry| path.join(entry.name)))
            .map(|module| module.join("lib/puppet/type").join(name).with_extension("rb"))
            .find(|file| self.disk.exists(file))
    }

    /// Where a function is defined in Ruby, if anywhere.
    pub fn ruby_function_file(&self, name: &str) -> Option<PathBuf> {
        let (module, _) = name.split_once("::")?;
        let path = self.folder(module)?.join("lib/puppet/functions").join(name.replace("::", "/")).with_extension("rb");
        self.disk.exists(&path).then_some(path)
    }

    /// The same as [`Modules::read`], with what went wrong as the error of whoever asked.
    pub fn content(&self, path: &Path) -> Result<Option<Vec<u8>>, Fault> {
        self.read(path).map_err(|error| Fault::new(format!("{}: {error}", path.display())))
    }

    pub fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.disk.read(path)
    }
}

fn is_module_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl std::fmt::Debug for Modules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Modules").field("modulepath", &self.modulepath).finish_non_exhaustive()
    }
}

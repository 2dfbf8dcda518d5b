//! What modules bring for checks of resources: providers, the files of types that they declare themselves, and what these say.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_world::{Dependencies, Disk};

use super::catalog::Site;
use super::codebase::CodeBase;
use super::resource_checks::CheckedType;

/// Answers about what the modules of an environment bring, which note what they read.
pub struct ModulePlugins {
    base: CodeBase,
}

impl Site {
    /// Returns what the modules bring beside their Puppet code.
    pub fn module_plugins(&self) -> ModulePlugins {
        ModulePlugins { base: self.base().with_own_reads() }
    }

    /// Returns the folders in which the modules are, in the order in which they are looked through.
    pub fn modulepath(&self) -> Vec<PathBuf> {
        self.base().modules.modulepath.to_vec()
    }
}

impl ModulePlugins {
    /// Returns true if a module has a file for a provider of this name, or names it in the file of another one of the same type.
    pub fn has_provider(&self, type_name: &str, name: &str) -> bool {
        let modules = &self.base.modules;
        let folder = Path::new("lib/puppet/provider").join(type_name);
        modules.all().iter().map(|module| module.folder.join(&folder)).any(|folder| {
            let Ok(Some(entries)) = modules.disk.list(&folder) else { return false };
            let mut files = entries.iter().map(|entry| folder.join(&entry.name));
            files.any(|file| {
                let names_it = || {
                    let content = modules.content(&file).ok().flatten().unwrap_or_default();
                    String::from_utf8_lossy(&content).contains(name)
                };
                let is_ruby = file.extension().is_some_and(|extension| extension == "rb");
                is_ruby && (file.file_stem().is_some_and(|stem| stem == name) || names_it())
            })
        })
    }

    /// Returns the file in which a module declares a type of this name.
    pub fn type_file(&self, type_name: &str) -> Option<Vec<u8>> {
        let path = self.base.modules.library_file(&format!("puppet/type/{type_name}"))?;
        self.base.modules.content(&path).ok().flatten().map(|content| content.to_vec())
    }

    /// Returns what judges resources of a type that a module declares in Ruby, if anything does.
    pub fn checked_type(&self, name: &str) -> Option<Arc<CheckedType>> {
        self.base.checked_type(name)
    }

    /// Returns what the answers so far depend on.
    pub fn dependencies(&self) -> Dependencies {
        self.base.modules.disk.dependencies()
    }
}

//! Names that were probably meant, for errors about names that nothing has. They help a reader; nothing is decided by them.
//!
//! The modules are listed only where something is missing. What is read for it is noted like every read: an error with a
//! suggestion depends on it.

use std::path::Path;

use pantin_base::names::capitalized;
use pantin_base::nearest;
use pantin_eval::builtins::stdlib;
use pantin_model::catalog::kinds;
use pantin_model::trace::NameKind;
use pantin_values::types;
use pantin_world::Disk;
use pantin_world::load::PluginKind;

use super::known_modules;
use super::loader::Loader;

/// Folders of definitions are not nested deeper.
const DEEPEST: usize = 8;

/// What helps where a name of a class ends in nothing, or has nothing in it.
const EMPTY_PART: &str = "a part of the name is empty: most likely a fact that it is made of is not set; --fact NAME=VALUE sets \
                          one, --trusted extensions.NAME=VALUE a trusted one";

impl Loader<'_> {
    /// Returns what helps where no function or data type has this name.
    pub(super) fn help_for_name(&self, kind: NameKind, name: &str) -> Option<String> {
        if let (NameKind::Function, Some((module, _))) = (kind, name.split_once("::")) {
            return self.help_for_qualified(module, || {
                let puppet = self.names_below(module, "functions", "pp");
                let ruby = self.names_below(module, &format!("lib/puppet/functions/{module}"), "rb");
                nearest(name, puppet.iter().chain(&ruby).map(String::as_str)).map(meant)
            });
        }
        let older = if kind == NameKind::Function { self.plugin_names(PluginKind::OlderFunctions) } else { Vec::new() };
        let near = match kind {
            NameKind::Variable | NameKind::Key => None,
            NameKind::Function => {
                let own = self.manifests.iter().flat_map(|file| file.functions.iter().map(|one| one.name.as_str()));
                let older = older.iter().map(String::as_str);
                nearest(name, self.base.builtins.all().iter().map(|known| known.declared.name).chain(own).chain(older))
            }
            NameKind::Type => return self.help_for_type(name),
        };
        let of_stdlib = || {
            let is_there = self.base.modules.named("stdlib").is_some();
            let is_of_stdlib = kind == NameKind::Function && !is_there && stdlib::names().any(|known| known == name);
            let known = if is_of_stdlib { Some("puppetlabs/stdlib") } else { None };
            let of_function =
                || if kind == NameKind::Function { known_modules::module_of_function(name) } else { None };
            known.or_else(of_function).and_then(|module| self.help_for_absent_module(module))
        };
        of_stdlib().or_else(|| near.map(meant))
    }

    /// Returns what helps where no data type has this name, which may be meant for a resource type.
    fn help_for_type(&self, name: &str) -> Option<String> {
        let own = self.manifests.iter().flat_map(|file| file.aliases.iter().map(|(name, _)| name.as_str()));
        if let Some((module, _)) = name.to_lowercase().split_once("::") {
            return self.help_for_qualified(module, || {
                let aliases = self.names_below(module, "types", "pp");
                let definitions = self.names_below(module, "manifests", "pp");
                let below = aliases.iter().chain(&definitions).map(|name| capitalized_parts(name));
                let names: Vec<String> = below.chain(own.map(str::to_owned)).collect();
                nearest(name, names.iter().map(String::as_str)).map(meant)
            });
        }
        let natives = kinds::all().into_iter().map(|native| native.name().to_owned());
        let resources = natives.chain(self.plugin_names(PluginKind::Types));
        let resources: Vec<String> = resources.map(|name| capitalized_parts(&name)).collect();
        let known = types::DOCS.iter().map(|doc| doc.name).chain(own).chain(resources.iter().map(String::as_str));
        nearest(name, known).map(meant)
    }

    /// Returns what helps where no class has this name.
    pub(super) fn help_for_class(&self, name: &str) -> Option<String> {
        let name = name.trim_start_matches("::").to_lowercase();
        if name.split("::").any(str::is_empty) {
            return Some(EMPTY_PART.to_owned());
        }
        let module = name.split("::").next().unwrap_or_default();
        self.help_for_qualified(module, || {
            let names = self.names_below(module, "manifests", "pp");
            match nearest(&name, names.iter().map(String::as_str)) {
                None if name == module => {
                    Some(format!("the module {module} has no class of its own name, in manifests/init.pp"))
                }
                near => near.map(meant),
            }
        })
    }

    /// Returns what helps where no resource type has this name.
    pub(super) fn help_for_resource_type(&self, name: &str) -> Option<String> {
        let name = name.trim_start_matches("::").to_lowercase();
        if let Some((module, _)) = name.split_once("::") {
            return self.help_for_qualified(module, || {
                nearest(&name, self.names_below(module, "manifests", "pp").iter().map(String::as_str)).map(meant)
            });
        }
        let owner = known_modules::module_of_resource_type(&name);
        if let Some(help) = owner.and_then(|module| self.help_for_absent_module(module)) {
            return Some(help);
        }
        let modules = self.base.modules.all().iter().map(|module| module.name.as_str());
        let in_ruby = self.plugin_names(PluginKind::Types);
        let natives = kinds::all().into_iter().map(|native| native.name());
        nearest(&name, natives.chain(modules).chain(in_ruby.iter().map(String::as_str))).map(meant)
    }

    /// Returns what helps where no template has this name: `module/file`.
    pub(super) fn help_for_template(&self, name: &str) -> Option<String> {
        let (module, _) = name.split_once('/')?;
        self.help_for_qualified(module, || {
            let mut names = Vec::new();
            if let Some(known) = self.base.modules.named(module) {
                let folder = known.folder.join("templates");
                list_files(&self.base.modules.disk, &folder, module, DEEPEST, &mut names);
            }
            nearest(name, names.iter().map(String::as_str)).map(meant)
        })
    }

    /// Something of a module: the module itself may be missing.
    fn help_for_qualified(&self, module: &str, of_module: impl FnOnce() -> Option<String>) -> Option<String> {
        let modules = &self.base.modules;
        if modules.named(module).is_some() {
            return of_module();
        }
        let near = nearest(module, modules.all().iter().map(|known| known.name.as_str()));
        let told = match near {
            Some(near) => format!("; did you mean {near}?"),
            None => self.installation_of(module).map(|told| format!("; {told}")).unwrap_or_default(),
        };
        Some(format!("there is no module {module} in the module path{told}"))
    }

    /// Names the module that has something, if it is not there.
    fn help_for_absent_module(&self, full_name: &str) -> Option<String> {
        let (_, name) = full_name.split_once('/')?;
        if self.base.modules.named(name).is_some() {
            return None;
        }
        let listed = self.listed_module(name).map(|told| format!("; {told}")).unwrap_or_default();
        Some(format!("the module {full_name} has it, which is not in the module path{listed}"))
    }

    /// Where a module is to be had: the Puppetfile names it, or it is a well-known one.
    fn installation_of(&self, module: &str) -> Option<String> {
        let author = || known_modules::author_of_module(module);
        self.listed_module(module).or_else(|| author().map(|author| format!("{author}/{module} is on the Forge")))
    }

    /// Says that the Puppetfile names a module, which is not installed then.
    fn listed_module(&self, module: &str) -> Option<String> {
        let listed = self.base.modules.puppetfile()?;
        let found = listed.modules.into_iter().find(|listed| listed.name == module)?;
        Some(format!("the Puppetfile names {} at line {}: install its modules", found.full_version(), found.line))
    }

    /// The names of the plugins of a kind, as their files are called.
    fn plugin_names(&self, kind: PluginKind) -> Vec<String> {
        let disk = &self.base.modules.disk;
        let folders = self.base.folders_with(kind);
        let entries = folders.iter().flat_map(|folder| disk.list(folder).ok().flatten().unwrap_or_default());
        let files = entries.filter(|entry| !entry.is_folder);
        files.filter_map(|entry| Some(entry.name.to_str()?.strip_suffix(".rb")?.to_owned())).collect()
    }

    /// The names that files in a folder of a module define, by where they stand.
    fn names_below(&self, module: &str, folder: &str, extension: &str) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(known) = self.base.modules.named(module) {
            list_names(&self.base.modules.disk, &known.folder.join(folder), module, extension, DEEPEST, &mut names);
        }
        names
    }
}

/// Returns a definition's name as a reference to it is written: `Apache::Vhost`.
fn capitalized_parts(name: &str) -> String {
    name.split("::").map(capitalized).collect::<Vec<_>>().join("::")
}

fn meant(name: &str) -> String {
    format!("did you mean {name}?")
}

fn list_names(disk: &dyn Disk, folder: &Path, prefix: &str, extension: &str, depth: usize, names: &mut Vec<String>) {
    for entry in disk.list(folder).ok().flatten().unwrap_or_default() {
        let name = entry.name.to_string_lossy().into_owned();
        if entry.is_folder && depth > 1 {
            list_names(disk, &folder.join(&name), &format!("{prefix}::{name}"), extension, depth - 1, names);
        } else if let Some(stem) = name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')) {
            names.push(if stem == "init" { prefix.to_owned() } else { format!("{prefix}::{stem}") });
        }
    }
}

fn list_files(disk: &dyn Disk, folder: &Path, prefix: &str, depth: usize, files: &mut Vec<String>) {
    for entry in disk.list(folder).ok().flatten().unwrap_or_default() {
        let name = entry.name.to_string_lossy().into_owned();
        let file = format!("{prefix}/{name}");
        if !entry.is_folder {
            files.push(file);
        } else if depth > 1 {
            list_files(disk, &folder.join(&name), &file, depth - 1, files);
        }
    }
}

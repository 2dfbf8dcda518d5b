//! Modules that one side names otherwise than the other one, and that it was not compiled with: what is installed belongs to the other
//! side, or to none.
//!
//! A side names modules in its Puppetfile, in `.gitmodules` and by the module path of its environment.conf. Knows nothing of how
//! that is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pantin_world::modules::{Module, modules_in};
use pantin_world::{Disk, InstalledVersion, Puppetfile, PuppetfileModule};

use super::side::Side;
use crate::Repository;

/// A module that a side was not compiled with as it names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UninstalledModule {
    pub named_in: NamedIn,
    /// The name of a module, or the path of a submodule or of a folder.
    pub name: String,
    /// As the side names it; `None`: it does not.
    pub wanted: Option<String>,
    /// What is there; `None`: nothing is.
    pub installed: Option<String>,
}

/// Where a side names its modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedIn {
    Puppetfile,
    Gitmodules,
    ModulePath,
}

impl NamedIn {
    /// Returns a stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            NamedIn::Puppetfile => "Puppetfile",
            NamedIn::Gitmodules => ".gitmodules",
            NamedIn::ModulePath => "environment.conf",
        }
    }
}

impl UninstalledModule {
    /// Returns what is wrong, as a sentence without its end.
    pub fn sentence(&self) -> String {
        let UninstalledModule { named_in, name, wanted, installed } = self;
        match (named_in, wanted, installed) {
            (NamedIn::Puppetfile, Some(wanted), Some(installed)) => {
                format!("the Puppetfile names {wanted}, and {installed} is installed")
            }
            (NamedIn::Puppetfile, Some(wanted), None) => {
                format!("the Puppetfile names {wanted}, which is not installed")
            }
            (NamedIn::Puppetfile, None, installed) => {
                let installed = installed.as_deref().unwrap_or(name);
                format!("the Puppetfile does not name {name}, and {installed} is installed")
            }
            (NamedIn::Gitmodules, ..) => format!(".gitmodules names the submodule {name}, which is not checked out"),
            (NamedIn::ModulePath, ..) => format!("the module path names {name}, which is not there"),
        }
    }
}

/// Returns for each side the modules that it names otherwise than the other one and was not compiled with.
pub(super) fn uninstalled_modules(from: &Side, to: &Side) -> [Vec<UninstalledModule>; 2] {
    let named = (NamedModules::from_side(from), NamedModules::from_side(to));
    let (Some(from), Some(to)) = named else { return Default::default() };
    let installed = from.has_other_listed(&to).then(|| [from.installed(), to.installed()]);
    let [old, new] = installed.unwrap_or_default();
    [from.uninstalled(&to, &old, &new), to.uninstalled(&from, &new, &old)]
}

/// What a side says of its modules.
struct NamedModules<'s> {
    repository: &'s Repository,
    folder: PathBuf,
    puppetfile: Option<Puppetfile>,
    /// The text of the Puppetfile.
    text: Option<Vec<u8>>,
    submodules: BTreeSet<String>,
    modulepath: Vec<PathBuf>,
}

impl NamedModules<'_> {
    fn from_side(side: &Side) -> Option<NamedModules<'_>> {
        let repository = side.repository()?;
        let world = &repository.compiler.world;
        let environment = world.environment(&world.environment).ok()?.environment.clone();
        let folder = environment.folder.clone()?;
        let (puppetfile, _) = Puppetfile::read(&*world.disk, &environment).ok()?;
        let text = world.disk.read(&folder.join("Puppetfile")).ok().flatten().map(|bytes| bytes.to_vec());
        let gitmodules = world.disk.read(&folder.join(".gitmodules")).ok().flatten().unwrap_or_default();
        let submodules = submodule_paths(&String::from_utf8_lossy(&gitmodules));
        let modulepath = environment.modulepath.clone();
        Some(NamedModules { repository, folder, puppetfile, text, submodules, modulepath })
    }

    fn disk(&self) -> &dyn Disk {
        &*self.repository.compiler.world.disk
    }

    fn installed(&self) -> Vec<Module> {
        let world = &self.repository.compiler.world;
        let Ok(strict) = world.settings.strict() else { return Vec::new() };
        let found = modules_in(self.disk(), None, &self.modulepath, strict, world.settings.language());
        found.map(|(listing, _)| listing.modules).unwrap_or_default()
    }

    fn listed(&self) -> BTreeMap<&str, &PuppetfileModule> {
        let modules = self.puppetfile.iter().flat_map(|file| &file.modules);
        modules.map(|module| (module.name.as_str(), module)).collect()
    }

    /// Returns true if the Puppetfiles name other modules.
    fn has_other_listed(&self, other: &NamedModules<'_>) -> bool {
        let (own, others) = (self.listed(), other.listed());
        own.len() != others.len()
            || own.iter().any(|(name, module)| others.get(name).is_none_or(|one| !one.is_same(module)))
    }

    /// `own`, `others`: the modules that are installed on either side.
    fn uninstalled(&self, other: &NamedModules<'_>, own: &[Module], others: &[Module]) -> Vec<UninstalledModule> {
        let mut found = self.listed_and_uninstalled(other, own, others);
        if self.text != other.text && self.puppetfile.as_ref().is_some_and(|file| !file.unread.is_empty()) {
            found.push(UninstalledModule {
                named_in: NamedIn::Puppetfile,
                name: "Puppetfile".to_owned(),
                wanted: Some("modules that only Ruby can tell".to_owned()),
                installed: Some("what nobody can compare with them".to_owned()),
            });
        }
        for path in self.submodules.difference(&other.submodules) {
            let folder = self.folder.join(path);
            if !self.disk().list(&folder).is_ok_and(|entries| entries.is_some_and(|entries| !entries.is_empty())) {
                found.push(UninstalledModule::absent(NamedIn::Gitmodules, path.clone()));
            }
        }
        let within =
            |named: &NamedModules<'_>, path: &Path| path.strip_prefix(&named.folder).unwrap_or(path).to_owned();
        let others: BTreeSet<PathBuf> = other.modulepath.iter().map(|path| within(other, path)).collect();
        for path in self.modulepath.iter().filter(|path| !others.contains(&within(self, path))) {
            if !self.disk().is_folder(path) {
                let name = within(self, path).display().to_string();
                found.push(UninstalledModule::absent(NamedIn::ModulePath, name));
            }
        }
        found
    }

    fn listed_and_uninstalled(
        &self,
        other: &NamedModules<'_>,
        own: &[Module],
        others: &[Module],
    ) -> Vec<UninstalledModule> {
        let find = |modules: &[Module], name: &str| modules.iter().find(|module| module.name == name).cloned();
        let (listed, listed_there) = (self.listed(), other.listed());
        let names: BTreeSet<&str> = listed.keys().chain(listed_there.keys()).copied().collect();
        let mut found = Vec::new();
        for name in names {
            let (wanted, wanted_there) = (listed.get(name).copied(), listed_there.get(name).copied());
            let is_same = wanted.zip(wanted_there).is_some_and(|(one, there)| one.is_same(there));
            let (installed, installed_there) = (find(own, name), find(others, name));
            let is_right = match (wanted, &installed) {
                (None, None) => true,
                (Some(wanted), Some(installed)) => match wanted.compare_with(installed) {
                    InstalledVersion::Same => true,
                    InstalledVersion::Other => false,
                    // Each side has what it names where both have something else.
                    InstalledVersion::Unknown => {
                        self.modulepath != other.modulepath
                            || installed_there.is_some_and(|there| there.metadata != installed.metadata)
                    }
                },
                _ => false,
            };
            if !is_same && !is_right {
                found.push(UninstalledModule {
                    named_in: NamedIn::Puppetfile,
                    name: name.to_owned(),
                    wanted: wanted.map(PuppetfileModule::full_version),
                    installed: installed.as_ref().map(Module::full_version),
                });
            }
        }
        found
    }
}

impl UninstalledModule {
    fn absent(named_in: NamedIn, name: String) -> UninstalledModule {
        UninstalledModule { named_in, wanted: Some(name.clone()), name, installed: None }
    }
}

/// Returns the folders of the submodules that a `.gitmodules` names.
fn submodule_paths(text: &str) -> BTreeSet<String> {
    let path = |line: &str| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "path").then(|| value.trim().trim_matches('"').to_owned())
    };
    text.lines().filter_map(path).collect()
}

//! Modules of each side: what its Puppetfile names is installed, and takes the place of what lies in the folder of modules.
//!
//! Knows nothing of how a module is fetched.

use std::path::{Path, PathBuf};

use pantin_world::environment::Environment;
use pantin_world::settings::Wish;
use pantin_world::{MachineDisk, ModuleMounts, ModuleStore, Puppetfile, tracked_by_git};

use super::modules::NamedIn;
use super::origin::{OpenedSide, SideNames, open_sides};
use crate::configuration::Key;
use crate::options::{CacheOptions, OpenError, Options};
use crate::persist::cache_folder;

/// The folder of installed modules in that of the cache.
const MODULES: &str = "modules";

/// What both sides are opened with, so that each has the modules that it names.
#[derive(Default)]
pub struct SideModules {
    /// `None`: the side has no Puppetfile, or is no repository.
    pub(super) sides: [Option<InstalledSide>; 2],
    /// Modules that cannot be had, a sentence for each.
    pub remarks: Vec<String>,
}

/// Installs the modules that the Puppetfile of each side names.
pub fn install_modules(
    names: &SideNames<'_>,
    options: [&Options; 2],
    cache: &CacheOptions,
) -> Result<SideModules, OpenError> {
    let store = ModuleStore::new(store_folder(options[0], cache)?);
    let sides = open_sides(names, options, &SideModules::default(), &CacheOptions::Off)?;
    let mut modules = SideModules::default();
    for (at, opened) in sides.iter().enumerate() {
        let Some(side) = side_modules(opened, &store).map_err(OpenError::Failed)? else { continue };
        for (module, reason) in &side.missing {
            let remark = format!("the {} names {module}, which cannot be had: {reason}", NamedIn::Puppetfile.name());
            if !modules.remarks.contains(&remark) {
                modules.remarks.push(remark);
            }
        }
        modules.sides[at] = Some(side);
    }
    Ok(modules)
}

/// The folder in which modules are shared between runs.
fn store_folder(options: &Options, cache: &CacheOptions) -> Result<PathBuf, OpenError> {
    let disk = MachineDisk::default();
    let first = match cache {
        CacheOptions::In(folder) | CacheOptions::ReadOnly(folder) => folder.clone(),
        CacheOptions::Off => None,
    };
    let configured = options.configuration(&disk)?;
    let last = configured.and_then(|configuration| configuration.texts(Key::Cache).first().map(PathBuf::from));
    let folder = cache_folder(&disk, Wish { first, last });
    let none = || OpenError::Failed("--install: there is no folder for modules; --cache-dir names one".to_owned());
    Ok(pantin_world::absolute_path(&folder.ok_or_else(none)?).join(MODULES))
}

/// The modules that one side is compiled with.
pub(super) struct InstalledSide {
    pub(super) mounts: ModuleMounts,
    /// The module path, if that of the side does not have the folder of modules.
    pub(super) modulepath: Option<String>,
    /// Those that cannot be had, each with the reason.
    missing: Vec<(String, String)>,
}

impl InstalledSide {
    /// Returns true if the side has a module of this name as it names it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.mounts.modules.keys().any(|module| module.file_name().is_some_and(|it| it == name))
    }
}

/// `None`: the side has no Puppetfile, or is no repository.
fn side_modules(opened: &OpenedSide, store: &ModuleStore) -> Result<Option<InstalledSide>, String> {
    let Some(repository) = opened.side.repository() else { return Ok(None) };
    let world = &repository.compiler.world;
    let environment = world.environment(&world.environment)?.environment.clone();
    let (Some(puppetfile), _) = Puppetfile::read(&*world.disk, &environment)? else { return Ok(None) };
    let home = environment.folder.as_deref().unwrap_or(Path::new(""));
    let installed = store.install(&puppetfile, home)?;
    let folder = pantin_world::clean_path(&home.join(&puppetfile.module_folder)).into_owned();
    // What the Puppetfile does not name is not installed; where git knows something in the folder, that is of the repository.
    let is_emptied = matches!(tracked_by_git(&folder), Ok(None));
    let local = puppetfile.modules.iter().filter(|module| module.is_local);
    let mounts = ModuleMounts {
        kept: local.map(|module| puppetfile.folder_of_module(home, module)).collect(),
        emptied: is_emptied.then(|| folder.clone()),
        modules: installed.folders,
    };
    let modulepath = modulepath_with(&environment, &folder, &mounts);
    Ok(Some(InstalledSide { mounts, modulepath, missing: installed.missing }))
}

/// Returns the module path with the folder of modules, if nothing of it is in the path; `None`: the path is right.
fn modulepath_with(environment: &Environment, folder: &Path, mounts: &ModuleMounts) -> Option<String> {
    let is_in_path = |folder: &Path| environment.modulepath.iter().any(|path| path == folder);
    if is_in_path(folder) || mounts.modules.keys().all(|module| module.parent().is_some_and(is_in_path)) {
        return None;
    }
    let paths = std::iter::once(folder).chain(environment.modulepath.iter().map(PathBuf::as_path));
    Some(paths.map(|path| path.display().to_string()).collect::<Vec<_>>().join(":"))
}

//! Modules of each side: what its Puppetfile names is installed, and takes the place of what lies in the folder of modules.
//!
//! Knows nothing of how a module is fetched.

use std::path::{Path, PathBuf};

use pantin_world::environment::Environment;
use pantin_world::settings::Wish;
use pantin_world::{MachineDisk, ModuleStore, Puppetfile, tracked_by_git};

use super::modules::NamedIn;
use super::origin::{OpenedSide, SideNames, open_sides};
use crate::configuration::Key;
use crate::options::{CacheOptions, OpenError, Options};
use crate::persist::cache_folder;

/// The folder of installed modules in that of the cache.
const MODULES: &str = "modules";

/// The options of both sides, with the modules that each names.
pub struct SidesWithModules {
    pub options: [Options; 2],
    /// Modules that cannot be had, a sentence for each.
    pub remarks: Vec<String>,
}

/// Installs the modules that the Puppetfile of each side names, and has both sides compiled with their own.
pub fn install_modules(
    names: &SideNames<'_>,
    options: [&Options; 2],
    cache: &CacheOptions,
) -> Result<SidesWithModules, OpenError> {
    let store = store_folder(options[0], cache)?;
    let sides = open_sides(names, options, &CacheOptions::Off)?;
    let mut own: [Options; 2] = options.map(Options::clone);
    let mut remarks: Vec<String> = Vec::new();
    for (opened, options) in sides.iter().zip(&mut own) {
        let Some(modules) = side_modules(opened, &store).map_err(OpenError::Failed)? else { continue };
        options.world.modulepath = Some(modules.modulepath);
        options.world.fence.add.push(store.clone());
        for (module, reason) in modules.missing {
            let remark = format!("the {} names {module}, which cannot be had: {reason}", NamedIn::Puppetfile.name());
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
    }
    Ok(SidesWithModules { options: own, remarks })
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

/// What one side is compiled with.
struct SideModules {
    modulepath: String,
    missing: Vec<(String, String)>,
}

/// `None`: the side has no Puppetfile, or is no repository.
fn side_modules(opened: &OpenedSide, store: &Path) -> Result<Option<SideModules>, String> {
    let Some(repository) = opened.side.repository() else { return Ok(None) };
    let world = &repository.compiler.world;
    let environment = world.environment(&world.environment)?.environment.clone();
    let (Some(puppetfile), _) = Puppetfile::read(&*world.disk, &environment)? else { return Ok(None) };
    let installed = ModuleStore::new(store.to_owned()).install(&puppetfile)?;
    let modulepath = modulepath_with(&environment, &puppetfile, &installed.folder);
    Ok(Some(SideModules { modulepath, missing: installed.missing }))
}

/// The module path with what was installed in the place of the folder that modules are installed into. That folder stays behind it
/// where git knows something in it: then it has modules of the repository, too.
fn modulepath_with(environment: &Environment, puppetfile: &Puppetfile, installed: &Path) -> String {
    let folder = environment.folder.as_deref().unwrap_or(Path::new(""));
    let target = pantin_world::clean_path(&folder.join(&puppetfile.module_folder)).into_owned();
    let stays = !matches!(tracked_by_git(&target), Ok(None));
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in &environment.modulepath {
        if *path == target {
            paths.push(installed.to_owned());
            if !stays {
                continue;
            }
        }
        paths.push(path.clone());
    }
    if !paths.iter().any(|path| path == installed) {
        paths.insert(0, installed.to_owned());
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(":")
}

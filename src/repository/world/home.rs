//! Where environments are: in the folders of the settings, in one folder, or nowhere.

use std::path::{Path, PathBuf};

use pantin_world::settings::Settings;
use pantin_world::{Disk, ModuleCheckout, absolute_path, is_control_repository, repository_around};

use crate::options::{EnvironmentFolder, MainManifest, OpenError};

/// Where environments are.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// In the folders of the setting `environmentpath`.
    Path,
    /// The one that is asked for is here, whatever it is called; others are in the path.
    Folder(PathBuf),
    /// The one that is asked for is this module with those that it needs.
    Module(Box<ModuleCheckout>),
    /// The one that is asked for has no folder.
    Nowhere,
}

/// Returns where the environments of these options are, and sets what follows from it.
pub(super) fn home(folder: &EnvironmentFolder, settings: &mut Settings, disk: &dyn Disk) -> Result<Home, OpenError> {
    match folder {
        EnvironmentFolder::At(folder) => {
            let folder = folder_at(disk, folder)?;
            if let Some(module) = module_at(disk, &folder) {
                return Ok(Home::Module(Box::new(module)));
            }
            let brings_its_own = ["manifest", "code"].iter().any(|name| settings.is_set(name));
            if !brings_its_own && !is_control_repository(disk, &folder) {
                return Err(OpenError::Usage(format!(
                    "{} is no control repository: it has no environment.conf, Puppetfile, manifests, modules, site, \
                     site-modules, data or hiera.yaml",
                    folder.display()
                )));
            }
            Ok(Home::Folder(folder))
        }
        EnvironmentFolder::OrModules(folder) => {
            let folder = folder_at(disk, folder)?;
            if let Some(module) = module_at(disk, &folder) {
                return Ok(Home::Module(Box::new(module)));
            }
            if repository_around(disk, &folder).as_ref() != Some(&folder) && !settings.is_set("modulepath") {
                settings.set("modulepath", &folder.display().to_string()).map_err(OpenError::Usage)?;
            }
            Ok(Home::Folder(folder))
        }
        EnvironmentFolder::Discovered => Ok(found_home(settings, disk)),
    }
}

fn found_home(settings: &Settings, disk: &dyn Disk) -> Home {
    if settings.is_set("environmentpath") {
        return Home::Path;
    }
    if let Some(folder) = repository_around(disk, &absolute_path(Path::new("."))) {
        return Home::Folder(folder);
    }
    if let Some(module) = ModuleCheckout::around(disk, &absolute_path(Path::new("."))) {
        return Home::Module(Box::new(module));
    }
    let brings_its_own = ["manifest", "code"].iter().any(|name| settings.is_set(name));
    if brings_its_own { Home::Nowhere } else { Home::Path }
}

/// Returns the module in a folder, unless a file there says that it is a control repository.
fn module_at(disk: &dyn Disk, folder: &Path) -> Option<ModuleCheckout> {
    let is_repository = ["environment.conf", "Puppetfile"].iter().any(|name| disk.exists(&folder.join(name)));
    if is_repository { None } else { ModuleCheckout::at(disk, folder) }
}

/// Sets what a module by itself needs: modules, and its own class where no other code is given.
pub(super) fn use_module(
    module: &ModuleCheckout,
    settings: &mut Settings,
    disk: &dyn Disk,
    main: &MainManifest,
) -> Result<(), String> {
    if !settings.is_set("modulepath") {
        settings.set("modulepath", &module.modulepath(disk))?;
    }
    if *main == MainManifest::Configured && module.has_main_class(disk) {
        settings.set_code(&format!("include {}", module.name));
    }
    Ok(())
}

fn folder_at(disk: &dyn Disk, path: &Path) -> Result<PathBuf, OpenError> {
    let folder = absolute_path(path);
    if !disk.is_folder(&folder) {
        return Err(OpenError::Failed(format!("the environment {} is no folder", folder.display())));
    }
    Ok(folder)
}

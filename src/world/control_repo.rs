//! Finds out, from the folders above a manifest, which module it is in.
//!
//! Who says so, the first that can:
//! 1. `--modulepath` and `--manifest`. The real rules then hold without exception.
//! 2. The nearest folder above with an `environment.conf`: its `modulepath` (else `modules`) and
//!    its `manifest` (else `manifests`). The real rules hold here too.
//! 3. The nearest folder above that looks like a module and in whose `manifests`, `functions`,
//!    `types` or `plans` the file stands: one with a `metadata.json` (its name is what follows the
//!    author there, else the folder's), or one that stands in a folder called `modules`, or in a
//!    `site` or `site-modules` with a `manifests`, `modules`, `Puppetfile` or `hiera.yaml` beside
//!    it. As this is a guess, a file anywhere else in a module (`examples`, `spec`) may hold
//!    anything.
//!
//! What none of these knows may hold anything.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::syntax::Location;

use super::location::{self, DEFINITION_FOLDERS, Layout};
use super::{absolute_path, read_file};

/// No `environment.conf` or `metadata.json` of use is larger.
const SETTINGS_BYTES: u64 = 1 << 20;

/// What the person asked for.
#[derive(Clone, Debug, Default)]
pub struct LocationRules {
    /// No rule that ties names to places.
    pub off: bool,
    /// In place of what is found.
    pub modulepath: Option<Vec<PathBuf>>,
    pub manifest: Option<PathBuf>,
}

/// Answers where a file stands, and remembers the folders it has looked at.
#[derive(Debug)]
pub struct Locator {
    rules: LocationRules,
    folders: Mutex<HashMap<PathBuf, Arc<FolderSigns>>>,
}

/// What stands in a folder that tells what it is.
#[derive(Debug, Default)]
struct FolderSigns {
    environment: Option<Layout>,
    /// There is a `metadata.json`, with a name or without.
    metadata: Option<Option<String>>,
}

impl Locator {
    pub fn new(rules: LocationRules) -> Locator {
        let modulepath = rules.modulepath.map(|folders| folders.iter().map(|folder| absolute_path(folder)).collect());
        let manifest = rules.manifest.map(|manifest| absolute_path(&manifest));
        Locator { rules: LocationRules { off: rules.off, modulepath, manifest }, folders: Mutex::new(HashMap::new()) }
    }

    /// Where the manifest at `path` stands.
    pub fn locate(&self, path: &Path) -> Location {
        if self.rules.off || !location::is_manifest(path) {
            return Location::Anywhere;
        }
        let file = absolute_path(path);
        let given = Layout { manifest: self.rules.manifest.clone(), modulepath: Vec::new() };
        if given.holds_initial_manifest(&file) {
            return Location::Anywhere;
        }
        if let Some(modulepath) = &self.rules.modulepath {
            let mut layout = Layout { manifest: None, modulepath: modulepath.clone() };
            if self.rules.manifest.is_none() {
                layout.manifest = self.environment_of(&file).and_then(|found| found.manifest);
            }
            return layout.location(&file);
        }
        if let Some(mut layout) = self.environment_of(&file) {
            if self.rules.manifest.is_some() {
                layout.manifest = None;
            }
            return layout.location(&file);
        }
        self.guess(&file)
    }

    fn environment_of(&self, file: &Path) -> Option<Layout> {
        file.ancestors().skip(1).find_map(|folder| self.signs(folder).environment.clone())
    }

    fn guess(&self, file: &Path) -> Location {
        for folder in file.ancestors().skip(1) {
            let Ok(relative) = file.strip_prefix(folder) else { continue };
            let stands_in_definitions = relative.components().count() > 1
                && relative.components().next().is_some_and(|first| {
                    DEFINITION_FOLDERS.iter().any(|known| first.as_os_str().eq_ignore_ascii_case(known))
                });
            if !stands_in_definitions {
                continue;
            }
            if let Some(name) = self.module_name(folder) {
                return location::in_module(Some(&name), relative);
            }
        }
        Location::Anywhere
    }

    /// The name of the module that `folder` is, if it looks like one.
    fn module_name(&self, folder: &Path) -> Option<String> {
        let folder_name = folder.file_name()?.to_string_lossy().into_owned();
        if let Some(metadata_name) = &self.signs(folder).metadata {
            return Some(metadata_name.clone().unwrap_or(folder_name));
        }
        let parent = folder.parent()?;
        let holds_modules = match parent.file_name()?.to_str()? {
            "modules" => true,
            // A module, or a folder of manifests, may be called so as well.
            "site" | "site-modules" => parent.parent().is_some_and(|above| {
                !above.ends_with("modules")
                    && !above.ends_with("manifests")
                    && ["manifests", "modules", "Puppetfile", "hiera.yaml"].iter().any(|sign| above.join(sign).exists())
            }),
            _ => false,
        };
        holds_modules.then_some(folder_name)
    }

    fn signs(&self, folder: &Path) -> Arc<FolderSigns> {
        let lock = || self.folders.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = lock().get(folder) {
            return Arc::clone(known);
        }
        let signs = Arc::new(look_for_signs(folder));
        lock().insert(folder.to_owned(), Arc::clone(&signs));
        signs
    }
}

fn look_for_signs(folder: &Path) -> FolderSigns {
    let text_of = |name: &str| {
        let path = folder.join(name);
        // Most folders have neither: one question to the system for each.
        fs::symlink_metadata(&path).ok()?;
        Some(read_file(&path, SETTINGS_BYTES).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    };
    FolderSigns {
        environment: text_of("environment.conf")
            .map(|text| location::parse_environment_conf(&text.unwrap_or_default(), folder)),
        metadata: text_of("metadata.json")
            .map(|text| text.ok().and_then(|text| location::module_name_of_metadata(&text))),
    }
}

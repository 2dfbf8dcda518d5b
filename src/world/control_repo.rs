//! Finds out, from the folders above a manifest, which module it is in.
//!
//! Who says so, the first that can:
//! 1. `--modulepath` and `--manifest`. The real rules then hold without exception.
//! 2. The nearest folder above with an `environment.conf`: its `modulepath` (else `modules`) and
//!    its `manifest` (else `manifests`). The real rules hold here too, but that a file anywhere else in a module (`examples`,
//!    `spec`) may hold anything: a checkout is full of those.
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

use pantin_base::{Language, Location};

use super::environment::{Environment, Environments, Manifest};
use super::location::{self, DEFINITION_FOLDERS, Layout};
use super::settings::Settings;
use super::{Disk, MachineDisk, absolute_path, modules, read_file};

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
    metadata: Metadata,
}

/// What `metadata.json` says of the name of a module.
#[derive(Debug, Default)]
enum Metadata {
    #[default]
    Absent,
    Unnamed,
    Named(String),
}

impl Locator {
    pub fn new(rules: LocationRules) -> Locator {
        let modulepath = rules.modulepath.map(|folders| folders.iter().map(|folder| absolute_path(folder)).collect());
        let manifest = rules.manifest.map(|manifest| absolute_path(&manifest));
        Locator { rules: LocationRules { off: rules.off, modulepath, manifest }, folders: Mutex::new(HashMap::new()) }
    }

    /// Returns where the manifest at `path` stands.
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
            // Code is compiled as the environment says; what is checked may be an example, or a test of a module.
            return match layout.location(&file) {
                Location::BadModuleFile => Location::Anywhere,
                location => location,
            };
        }
        self.guess(&file)
    }

    /// Returns true if a manifest is a plan: it stands in the folder `plans` of a module or of a Bolt project.
    pub fn is_plan(&self, path: &Path) -> bool {
        let file = absolute_path(path);
        let is_in_plans = |folder: &Path| folder.file_name().is_some_and(|name| name == "plans");
        location::is_manifest(&file)
            && file.ancestors().skip(1).filter(|folder| is_in_plans(folder)).any(|plans| {
                plans.parent().is_some_and(|parent| {
                    let has = |name: &str| fs::symlink_metadata(parent.join(name)).is_ok();
                    self.module_name(parent).is_some() || has("bolt-project.yaml") || has("manifests") || has("tasks")
                })
            })
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
        match &self.signs(folder).metadata {
            Metadata::Named(name) => return Some(name.clone()),
            Metadata::Unnamed => return Some(folder_name),
            Metadata::Absent => {}
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
    let name = |text: &String| modules::name_in_metadata(text);
    let metadata = match text_of("metadata.json") {
        None => Metadata::Absent,
        Some(text) => text.ok().as_ref().and_then(name).map_or(Metadata::Unnamed, Metadata::Named),
    };
    FolderSigns { environment: text_of("environment.conf").map(|_| layout_of_environment(folder)), metadata }
}

/// Returns the nearest control repository that a folder is in or below: what would be checked out as an environment.
pub fn repository_around(disk: &dyn Disk, folder: &Path) -> Option<PathBuf> {
    let found = folder.ancestors().find(|folder| {
        let has = |name: &str| disk.exists(&folder.join(name));
        if has("environment.conf") || has("Puppetfile") {
            return true;
        }
        // A module may have manifests, data and hiera.yaml, too.
        has("manifests") && !has("metadata.json") && BESIDE_MANIFESTS.iter().any(|name| has(name))
    });
    found.map(Path::to_owned)
}

/// Returns true if anything in a folder is what an environment has: manifests, modules, data, or a file that describes
/// one.
pub fn is_control_repository(disk: &dyn Disk, folder: &Path) -> bool {
    let signs = ["environment.conf", "Puppetfile", "manifests"];
    signs.iter().chain(&BESIDE_MANIFESTS).any(|name| disk.exists(&folder.join(name)))
}

/// What makes a folder with manifests a control repository.
const BESIDE_MANIFESTS: [&str; 5] = ["modules", "site", "site-modules", "data", "hiera.yaml"];

/// Returns what its `environment.conf` says; one that is no good says nothing.
fn layout_of_environment(folder: &Path) -> Layout {
    let settings = Settings::new(Language::default(), Arc::new(MachineDisk { limit: SETTINGS_BYTES }));
    let found = Environments { settings: &settings }.in_folder("production", folder).map(|loaded| loaded.environment);
    match found.as_deref() {
        Ok(Environment { modulepath, manifest: Manifest::Path(manifest), .. }) => {
            Layout { manifest: Some(manifest.clone()), modulepath: modulepath.clone() }
        }
        _ => Layout { manifest: Some(folder.join("manifests")), modulepath: vec![folder.join("modules")] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn tree(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn located(files: &[(&str, &str)], rules: LocationRules, file: &str) -> Location {
        let folder = tree(files);
        let under = |path: PathBuf| folder.path().join(path);
        let rules = LocationRules {
            off: rules.off,
            modulepath: rules.modulepath.map(|folders| folders.into_iter().map(under).collect()),
            manifest: rules.manifest.map(under),
        };
        Locator::new(rules).locate(&folder.path().join(file))
    }

    fn found(files: &[(&str, &str)], file: &str) -> Location {
        located(files, LocationRules::default(), file)
    }

    fn named(name: &str) -> Location {
        Location::Namespace(name.to_owned())
    }

    #[test]
    fn an_environment_conf_decides_alone() {
        let files = [
            ("environment.conf", "modulepath = dist:$basemodulepath"),
            ("dist/a/metadata.json", r#"{"name":"me-other"}"#),
        ];
        assert_eq!(found(&files, "dist/a/manifests/b.pp"), named("a::b"));
        assert_eq!(found(&files, "dist/a/examples/b.pp"), Location::Anywhere);
        assert_eq!(found(&files, "modules/a/manifests/b.pp"), Location::Anywhere);
        assert_eq!(found(&files, "manifests/site.pp"), Location::Anywhere);
    }

    #[test]
    fn metadata_names_a_module_that_stands_alone() {
        let files = [("puppet-web/metadata.json", r#"{"name":"me/apache"}"#), ("plain/metadata.json", "{}")];
        assert_eq!(found(&files, "puppet-web/manifests/mod/ssl.pp"), named("apache::mod::ssl"));
        assert_eq!(found(&files, "puppet-web/examples/init.pp"), Location::Anywhere);
        assert_eq!(found(&files, "puppet-web/init.pp"), Location::Anywhere);
        assert_eq!(found(&files, "plain/types/port.pp"), named("plain::port"));
    }

    #[test]
    fn the_usual_folders_hold_modules() {
        assert_eq!(found(&[], "modules/a/manifests/init.pp"), named("a"));
        assert_eq!(found(&[("Puppetfile", "")], "site-modules/role/manifests/web.pp"), named("role::web"));
        assert_eq!(found(&[("manifests/site.pp", "")], "site/role/manifests/web.pp"), named("role::web"));
        assert_eq!(found(&[], "site/role/manifests/web.pp"), Location::Anywhere);
        assert_eq!(found(&[("manifests/site.pp", "")], "manifests/site.pp"), Location::Anywhere);
        // A module may be called site, and have folders called as those that hold definitions.
        let files = [("modules/hiera.yaml", ""), ("modules/site/hiera.yaml", "")];
        assert_eq!(found(&files, "modules/site/manifests/types/x.pp"), named("site::types::x"));
    }

    #[test]
    fn the_nearest_module_counts() {
        let path = "modules/a/spec/fixtures/modules/b/manifests/c.pp";
        assert_eq!(found(&[("modules/a/metadata.json", "{}")], path), named("b::c"));
    }

    #[test]
    fn what_a_person_says_comes_first() {
        let files = [("environment.conf", ""), ("code/a/metadata.json", "{}")];
        let modulepath = || Some(vec![PathBuf::from("code")]);
        let rules = |modulepath, manifest| LocationRules { off: false, modulepath, manifest };
        let anywhere = Location::Anywhere;
        assert_eq!(located(&files, rules(modulepath(), None), "code/a/manifests/b.pp"), named("a::b"));
        assert_eq!(located(&files, rules(modulepath(), None), "modules/a/manifests/b.pp"), anywhere);
        assert_eq!(located(&files, rules(None, Some("modules/a".into())), "modules/a/manifests/b.pp"), anywhere);
        assert_eq!(located(&files, rules(None, Some("modules/a".into())), "modules/b/manifests/b.pp"), named("b::b"));
        let off = LocationRules { off: true, ..LocationRules::default() };
        assert_eq!(located(&files, off, "modules/a/manifests/b.pp"), anywhere);
    }

    #[test]
    fn a_relative_path_is_taken_from_the_current_folder() {
        assert_eq!(Locator::new(LocationRules::default()).locate(Path::new("modules/x/manifests/y.pp")), named("x::y"));
    }
}

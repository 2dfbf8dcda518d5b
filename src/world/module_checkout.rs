//! A module that is checked out by itself, as its authors have it: which it is, what it needs, and which systems it is for.
//!
//! Its folder may have any name. Modules that it needs stand where its tests have them (`spec/fixtures/modules`), or beside it.

use std::path::{Path, PathBuf};

use pantin_values::{Hash, Value};

use super::facts::os_names;
use super::modules::{Dependency, Module, is_module_name};
use super::values::json_value;
use super::{Disk, Remark};

/// Where the tools of module authors put the modules that a module needs.
const FIXTURES: &str = "spec/fixtures/modules";

/// What makes a folder with a `metadata.json` a module.
const CONTENT: [&str; 7] = ["manifests", "functions", "types", "lib", "plans", "tasks", "data"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleCheckout {
    /// Without its author.
    pub name: String,
    pub folder: PathBuf,
    /// As `metadata.json` has them.
    pub dependencies: Vec<Dependency>,
    /// The systems that `metadata.json` names, and for which facts can be made up.
    pub systems: Vec<&'static str>,
    /// The systems that it names besides.
    pub unknown_systems: Vec<String>,
}

impl ModuleCheckout {
    /// Returns the module that a folder is in or below. `None`: there is none, or its `metadata.json` names none.
    pub fn around(disk: &dyn Disk, folder: &Path) -> Option<ModuleCheckout> {
        folder.ancestors().find_map(|folder| ModuleCheckout::at(disk, folder))
    }

    /// Returns the module in a folder.
    pub fn at(disk: &dyn Disk, folder: &Path) -> Option<ModuleCheckout> {
        let file = folder.join("metadata.json");
        if !disk.exists(&file) || !CONTENT.iter().any(|name| disk.is_folder(&folder.join(name))) {
            return None;
        }
        let Ok(Value::Hash(metadata)) = json_value(&disk.read(&file).ok()??) else { return None };
        let name = metadata.get_str("name")?.as_str()?.rsplit(['-', '/']).next()?.to_owned();
        if !is_module_name(&name) {
            return None;
        }
        let (systems, unknown_systems) = systems(&metadata);
        Some(ModuleCheckout {
            dependencies: dependencies(&metadata),
            systems,
            unknown_systems,
            folder: folder.to_owned(),
            name,
        })
    }

    /// The folders in which the modules stand that it needs, divided by colons.
    pub fn modulepath(&self, disk: &dyn Disk) -> String {
        let mut folders = vec![self.folder.join(FIXTURES)];
        if let Some(beside) = self.folder.parent().filter(|folder| folder.ends_with("modules")) {
            folders.push(beside.to_owned());
        }
        folders.retain(|folder| disk.is_folder(folder));
        let folders = folders.iter().map(|folder| folder.display().to_string());
        folders.chain(["$basemodulepath".to_owned()]).collect::<Vec<_>>().join(":")
    }

    /// Returns true if the module has a class of its own name: that is compiled where nothing else is named.
    pub fn has_main_class(&self, disk: &dyn Disk) -> bool {
        disk.exists(&self.folder.join("manifests/init.pp"))
    }

    /// Returns which of its systems are left out where facts are made up.
    pub fn left_out(&self) -> Option<Remark> {
        if self.unknown_systems.is_empty() {
            return None;
        }
        Some(Remark::warning(format!(
            "No facts can be made up for these systems of the module {}: {} (--facts has those of real machines)",
            self.name,
            self.unknown_systems.join(", ")
        )))
    }

    /// Returns what to do where there is no class that could be compiled.
    pub fn lack_of_main_class(&self) -> String {
        format!(
            "the module {name} has no class of its own name in manifests/init.pp: -e 'include {name}::…' says what to \
             compile, or --manifest examples",
            name = self.name
        )
    }

    /// Returns which of the modules that it needs are not there, with what helps.
    pub fn missing_modules(&self, modules: &[Module]) -> Option<Remark> {
        let is_missing = |name: &str| modules.iter().all(|module| module.name != name);
        let mut missing: Vec<String> = Vec::new();
        for dependency in &self.dependencies {
            let name = dependency.name.rsplit(['-', '/']).next().unwrap_or_default();
            if is_missing(name) {
                missing.push(format!("{} {}", dependency.name, dependency.requirement).trim_end().to_owned());
            }
        }
        if missing.is_empty() {
            return None;
        }
        Some(Remark::warning(format!(
            "The module {} needs modules that are not there: {} (rake spec_prep puts them into {FIXTURES}; --modulepath names \
             another folder)",
            self.name,
            missing.join(", ")
        )))
    }
}

fn dependencies(metadata: &Hash) -> Vec<Dependency> {
    let Some(Value::Array(items)) = metadata.get_str("dependencies") else { return Vec::new() };
    let text = |item: &Value, name: &str| match item {
        Value::Hash(item) => item.get_str(name).and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    let one = |item: &Value| {
        let requirement = text(item, "version_requirement").unwrap_or_default();
        text(item, "name").map(|name| Dependency { name: name.replace('/', "-"), requirement })
    };
    items.iter().filter_map(one).collect()
}

/// Returns those for which facts can be made up, and the others.
fn systems(metadata: &Hash) -> (Vec<&'static str>, Vec<String>) {
    let Some(Value::Array(items)) = metadata.get_str("operatingsystem_support") else { return Default::default() };
    let mut named: Vec<String> = Vec::new();
    for item in items.iter() {
        let Value::Hash(item) = item else { continue };
        let Some(name) = item.get_str("operatingsystem").and_then(Value::as_str) else { continue };
        let Some(Value::Array(releases)) = item.get_str("operatingsystemrelease") else {
            named.push(plain(name));
            continue;
        };
        named.extend(releases.iter().filter_map(Value::as_str).map(|release| plain(&format!("{name}-{release}"))));
    }
    let (known, unknown): (Vec<String>, Vec<String>) =
        named.into_iter().partition(|name| os_names().any(|known| known == name));
    (os_names().filter(|name| known.iter().any(|known| known == name)).collect(), unknown)
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;

    const METADATA: &str = r#"{"name": "me-web", "version": "1.0.0",
        "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 8.0.0 < 10.0.0"}],
        "operatingsystem_support": [
            {"operatingsystem": "Debian", "operatingsystemrelease": ["11", "12", "99"]},
            {"operatingsystem": "RedHat", "operatingsystemrelease": ["9"]}]}"#;

    fn disk(more: &[(&str, &str)]) -> TableDisk {
        let mut files = vec![("/src/puppet-web/metadata.json", METADATA), ("/src/puppet-web/manifests/init.pp", "")];
        files.extend_from_slice(more);
        TableDisk::from_files(&files)
    }

    #[test]
    fn a_module_is_what_its_metadata_says() {
        let disk =
            disk(&[("/src/puppet-web/.fixtures.yml", "fixtures:\n  repositories:\n    concat: x\n    stdlib: y\n")]);
        let module = ModuleCheckout::around(&disk, Path::new("/src/puppet-web/manifests")).unwrap();
        assert_eq!((module.name.as_str(), module.folder.to_str()), ("web", Some("/src/puppet-web")));
        let mut systems = module.systems.clone();
        systems.sort_unstable();
        assert_eq!(systems, ["debian-11", "debian-12", "redhat-9"]);
        assert!(module.left_out().unwrap().text.contains("systems of the module web: debian-99 (--facts"));
        let missing = module.missing_modules(&[]).unwrap().text;
        let start = "The module web needs modules that are not there: puppetlabs-stdlib >= 8.0.0 < 10.0.0 (rake";
        assert!(missing.starts_with(start), "{missing}");
        assert!(module.has_main_class(&disk));
    }

    #[test]
    fn modules_that_it_needs_stand_where_its_tests_have_them() {
        let fixture = [("/src/puppet-web/spec/fixtures/modules/stdlib/metadata.json", "{}")];
        let disk = disk(&fixture);
        let module = ModuleCheckout::at(&disk, Path::new("/src/puppet-web")).unwrap();
        assert_eq!(module.modulepath(&disk), "/src/puppet-web/spec/fixtures/modules:$basemodulepath");
        let there = Module { name: "stdlib".to_owned(), folder: PathBuf::new(), metadata: None };
        assert_eq!(module.missing_modules(&[there]), None);
    }

    #[test]
    fn other_folders_are_no_modules() {
        let files = [("/a/metadata.json", "{}"), ("/a/manifests/x.pp", ""), ("/b/metadata.json", METADATA)];
        let disk = TableDisk::from_files(&files);
        for folder in ["/a", "/b", "/c"] {
            assert_eq!(ModuleCheckout::around(&disk, Path::new(folder)), None, "{folder}");
        }
    }
}

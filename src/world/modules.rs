//! The modules of an environment: which there are, and what their `metadata.json` says.
//!
//! Every module sees every other: its dependencies only come first when a name without a module is looked for.

use std::path::{Path, PathBuf};

use pantin_base::{Language, Strict};
use pantin_values::sprintf::inspect;
use pantin_values::{Hash, SemVer, SemVerRange, Value, ruby_class};

use super::values::json_value;
use super::{Disk, ModuleCheckout, ReadError, Remark};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    pub name: String,
    pub folder: PathBuf,
    /// None where there is none, or none of use.
    pub metadata: Option<Metadata>,
}

impl Module {
    /// Returns its name with its author, and its version, as far as it says them.
    pub fn full_version(&self) -> String {
        match &self.metadata {
            None => format!("{} without a version", self.name),
            Some(metadata) => {
                let name =
                    metadata.full_name.as_ref().map_or_else(|| self.name.clone(), |name| name.replacen('-', "/", 1));
                format!("{name} {}", metadata.version)
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// With its author: `puppetlabs/apache`.
    pub full_name: Option<String>,
    pub version: String,
    pub dependencies: Vec<Dependency>,
    /// As a module said where its data is before there was `hiera.yaml` in it.
    pub data_provider: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// `author/name`.
    pub name: String,
    /// `>= 1.0.0 < 2.0.0`
    pub requirement: String,
}

/// Why a dependency is not met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmet {
    Missing,
    /// The version that is there.
    OtherVersion(String),
    /// It, or the requirement, is no version of three numbers.
    NotAVersion(String),
}

/// The modules of a module path, and the folders whose `lib` the older autoloader looks into.
#[derive(Default, Debug)]
pub struct ModuleListing {
    /// Each name from the first folder that has it, in the order of the module path.
    pub modules: Vec<Module>,
    /// Every folder in the module path but the hidden ones: also a module that another one of its name shadows, and a
    /// folder whose name is no module's. In the order of the module path.
    pub plugin_folders: Vec<PathBuf>,
}

/// Lists the module that is checked out by itself, if any, and the modules of a module path; returns what is said of bad
/// metadata as well. `Err`: why no catalog may be compiled, in the words of the real one.
pub fn modules_in(
    disk: &dyn Disk,
    own: Option<&ModuleCheckout>,
    modulepath: &[PathBuf],
    strict: Strict,
    language: Language,
) -> Result<(ModuleListing, Vec<Remark>), String> {
    let (mut modules, mut remarks): (Vec<Module>, Vec<Remark>) = (Vec::new(), Vec::new());
    let mut plugin_folders: Vec<PathBuf> = own.iter().map(|own| own.folder.clone()).collect();
    let mut places: Vec<Vec<(String, PathBuf)>> =
        vec![own.map(|own| (own.name.clone(), own.folder.clone())).into_iter().collect()];
    for folder in modulepath {
        let folders = visible_folders(disk, folder)?;
        places.push(folders.iter().filter_map(|folder| Some((module_name(folder)?, folder.clone()))).collect());
        plugin_folders.extend(folders);
    }
    for places in places {
        for (name, folder) in places {
            if modules.iter().any(|known| known.name == name) {
                continue;
            }
            match metadata_of(disk, &name, &folder, language) {
                Ok(metadata) => modules.push(Module { name, folder, metadata }),
                Err(Bad::Unreadable(reason)) if strict != Strict::Error => {
                    if strict == Strict::Warning {
                        remarks.push(Remark::warning(reason));
                    }
                    modules.push(Module { name, folder, metadata: None });
                }
                Err(Bad::Fatal(reason)) => return Err(reason),
                // The module is as good as not there.
                Err(Bad::Unreadable(reason) | Bad::Incomplete(reason)) => remarks.push(Remark::error(reason)),
            }
        }
    }
    Ok((ModuleListing { modules, plugin_folders }, remarks))
}

/// Lists the folders in a folder of the module path, but for hidden ones.
fn visible_folders(disk: &dyn Disk, folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !disk.is_folder(folder) {
        return Ok(Vec::new());
    }
    let listed = disk.list(folder).map_err(|error| error.ruby_folder_message(folder, " @ dir_initialize"))?;
    let folders = listed.into_iter().flatten().filter(|entry| entry.is_folder);
    let visible = folders.filter(|entry| !entry.name.as_encoded_bytes().starts_with(b"."));
    Ok(visible.map(|entry| folder.join(entry.name)).collect())
}

/// The name of the module that a folder is, if its name is a module's.
fn module_name(folder: &Path) -> Option<String> {
    folder.file_name()?.to_str().filter(|name| is_module_name(name)).map(str::to_owned)
}

/// A folder of another name is no module.
pub fn is_module_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Returns the name of a module as its `metadata.json` gives it: what follows the author.
pub fn name_in_metadata(text: &str) -> Option<String> {
    let Ok(Value::Hash(metadata)) = json_value(text.as_bytes()) else { return None };
    let full_name = metadata.get_str("name")?.as_str()?;
    let name = full_name.rsplit(['-', '/']).next()?;
    Some(name.to_owned()).filter(|name| !name.is_empty())
}

enum Bad {
    /// It is no JSON, or no object.
    Unreadable(String),
    /// It does not say what it must.
    Incomplete(String),
    /// It cannot be had, or the real one breaks at what it says.
    Fatal(String),
}

impl Bad {
    /// Returns what Ruby says where a value has not the type that is taken for granted, and of which file.
    fn fatal(problem: &str, file: &Path) -> Bad {
        Bad::Fatal(format!("{problem} (file: {})", file.display()))
    }

    fn no_method(method: &str, value: &Value, file: &Path) -> Bad {
        Bad::fatal(&format!("undefined method `{method}' for {}:{}", inspect(value), ruby_class(value)), file)
    }
}

const NO_INDEX: &str = "no implicit conversion of String into Integer";

fn metadata_of(disk: &dyn Disk, module: &str, folder: &Path, language: Language) -> Result<Option<Metadata>, Bad> {
    let file = folder.join("metadata.json");
    let unreadable = |reason: &str| {
        Bad::Unreadable(format!("{module} has an invalid and unparsable metadata.json file. The parse error: {reason}"))
    };
    let bytes = disk.read(&file).map_err(|error| match error {
        ReadError::NotAFile(_) | ReadError::TooLarge { .. } => unreadable(&error.to_string()),
        error => Bad::Fatal(error.in_ruby(&file)),
    })?;
    let Some(bytes) = bytes else { return Ok(None) };
    if bytes.is_empty() && language >= Language::Puppet8 {
        return Ok(None);
    }
    // Ruby minds bytes that are no text only where it does something to them.
    let text = String::from_utf8_lossy(&bytes);
    match json_value(text.as_bytes()).map_err(|error| unreadable(&error))? {
        Value::Array(items) if items.is_empty() => Ok(None),
        Value::String(text) if text.is_empty() => Ok(None),
        Value::Hash(members) if members.is_empty() => Ok(None),
        Value::Hash(members) => complete(module, &members, &file).map(Some),
        Value::Array(_) => Err(Bad::fatal(NO_INDEX, &file)),
        Value::String(_) => Err(missing("source", module)),
        other => Err(Bad::no_method("empty?", &other, &file)),
    }
}

fn missing(name: &str, module: &str) -> Bad {
    Bad::Incomplete(format!("No {name} module metadata provided for {module}"))
}

/// Returns a name with a slash after the author.
fn full_name(value: Option<&Value>, file: &Path) -> Result<Option<String>, Bad> {
    match value {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::String(name)) if name.contains('\u{fffd}') => {
            Err(Bad::fatal("invalid byte sequence in UTF-8", file))
        }
        Some(Value::String(name)) => Ok(Some(name.as_str().replace('-', "/"))),
        Some(other) => Err(Bad::no_method("tr", other, file)),
    }
}

/// None where it has no name: then nobody can have it, which the real one minds only once code of the module asks for
/// functions or types of others.
fn dependency(value: &Value, file: &Path) -> Result<Option<Dependency>, Bad> {
    let of = match value {
        Value::Hash(of) => of,
        Value::String(_) => return Err(Bad::fatal("string not matched", file)),
        Value::Array(_) | Value::Integer(_) => return Err(Bad::fatal(NO_INDEX, file)),
        other => return Err(Bad::no_method("[]", other, file)),
    };
    let requirement = of.get_str("version_requirement").and_then(Value::as_str).unwrap_or(">= 0.0.0").to_owned();
    Ok(full_name(of.get_str("name"), file)?.map(|name| Dependency { name, requirement }))
}

fn complete(module: &str, members: &Hash, file: &Path) -> Result<Metadata, Bad> {
    let name = full_name(members.get_str("name").filter(|name| name.is_truthy()), file)?;
    let given = |name: &str| match members.get_str(name) {
        None | Some(Value::Undef) => Err(missing(name, module)),
        Some(value) => Ok(value),
    };
    for name in ["source", "author"] {
        given(name)?;
    }
    let version = given("version")?;
    given("license")?;
    let Value::Array(listed) = given("dependencies")? else {
        return Err(Bad::Incomplete(format!(
            "The value for the key dependencies in the file metadata.json of the module {module} must be an array, \
             not: '{}'",
            shown(given("dependencies")?)
        )));
    };
    let dependencies = listed.iter().filter_map(|listed| dependency(listed, file).transpose());
    Ok(Metadata {
        full_name: name,
        version: shown(version),
        data_provider: members.get_str("data_provider").filter(|provider| **provider != Value::Undef).map(shown),
        dependencies: dependencies.collect::<Result<_, _>>()?,
    })
}

/// As Ruby's `to_s`.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| inspect(value), str::to_owned)
}

/// Returns the dependencies of a module that are not met by the others.
pub fn unmet<'m>(module: &'m Module, all: &[Module]) -> Vec<(&'m Dependency, Unmet)> {
    let dependencies = module.metadata.iter().flat_map(|metadata| &metadata.dependencies);
    dependencies.filter_map(|dependency| Some((dependency, why_unmet(dependency, all)?))).collect()
}

fn why_unmet(dependency: &Dependency, all: &[Module]) -> Option<Unmet> {
    let (_, name) = dependency.name.split_once('/')?;
    let found = all.iter().find(|module| module.name == name).and_then(|module| module.metadata.as_ref());
    let found = found.filter(|metadata| metadata.full_name.as_deref() == Some(&dependency.name));
    let Some(found) = found else { return Some(Unmet::Missing) };
    match (SemVerRange::parse(&dependency.requirement), SemVer::parse(&found.version)) {
        (Ok(range), Ok(version)) if range.includes(&version) => None,
        (Ok(_), Ok(_)) => Some(Unmet::OtherVersion(found.version.clone())),
        _ => Some(Unmet::NotAVersion(found.version.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;
    use pantin_base::Severity;

    const OK: &str = r#"{"name":"me-ok","version":"1.0.0","source":"s","author":"a","license":"l","dependencies":
        [{"name":"me/dep","version_requirement":">= 2.0.0"},{"name":"me-gone"}]}"#;
    const DEP: &str =
        r#"{"name":"me/dep","version":"1.2.3","source":"s","author":"a","license":"l","dependencies":[]}"#;

    fn list(files: &[(&str, &str)], strict: Strict) -> (ModuleListing, Vec<Remark>) {
        modules_in(&TableDisk::from_files(files), None, &["/m".into(), "/n".into()], strict, Language::Puppet7).unwrap()
    }

    fn read(files: &[(&str, &str)], strict: Strict) -> (Vec<Module>, Vec<(Severity, String)>) {
        let (listing, remarks) = list(files, strict);
        (listing.modules, remarks.into_iter().map(|remark| (remark.severity, remark.text)).collect())
    }

    /// What 7.23 says of the same files.
    #[test]
    fn bad_metadata_is_told_as_the_real_one_does() {
        let files = [
            ("/m/broken/metadata.json", "{"),
            (
                "/m/depsh/metadata.json",
                r#"{"source":"","author":"","version":"1","license":"l","dependencies":{"a":1}}"#,
            ),
            ("/m/empty/metadata.json", ""),
            ("/m/list/metadata.json", "[]"),
            ("/m/nodeps/metadata.json", r#"{"name":"a-nodeps","source":"","author":"","version":"1","license":"l"}"#),
            ("/m/nosrc/metadata.json", r#"{"name":"me-nosrc","version":"1"}"#),
        ];
        let unparsable = |name: &str, rest: &str| {
            format!(
                "{name} has an invalid and unparsable metadata.json file. The parse error: 859: unexpected token at '{rest}'"
            )
        };
        let said = |severity| {
            vec![
                (severity, unparsable("broken", "{")),
                (
                    Severity::Error,
                    "The value for the key dependencies in the file metadata.json of the module depsh must be an array, not: '{\"a\"=>1}'".to_owned(),
                ),
                (severity, unparsable("empty", "")),
                (Severity::Error, "No dependencies module metadata provided for nodeps".to_owned()),
                (Severity::Error, "No source module metadata provided for nosrc".to_owned()),
            ]
        };
        let names = |modules: &[Module]| modules.iter().map(|module| module.name.clone()).collect::<Vec<_>>();
        let (modules, remarks) = read(&files, Strict::Warning);
        assert_eq!(
            (names(&modules), remarks),
            (["broken", "empty", "list"].map(str::to_owned).into(), said(Severity::Warning))
        );
        let (modules, remarks) = read(&files, Strict::Error);
        assert_eq!((names(&modules), remarks), (vec!["list".to_owned()], said(Severity::Error)));
    }

    #[test]
    fn dependencies_are_met_by_versions() {
        let (modules, remarks) = read(&[("/m/ok/metadata.json", OK), ("/n/dep/metadata.json", DEP)], Strict::Warning);
        assert_eq!(remarks, []);
        let unmet: Vec<_> = unmet(&modules[0], &modules).into_iter().map(|(of, why)| (of.name.as_str(), why)).collect();
        assert_eq!(unmet, [("me/dep", Unmet::OtherVersion("1.2.3".to_owned())), ("me/gone", Unmet::Missing)]);
    }

    #[test]
    fn the_first_folder_with_a_good_name_counts() {
        let files = [
            ("/m/a/x", ""),
            ("/n/a/x", ""),
            ("/n/b/x", ""),
            ("/m/Bad/x", ""),
            ("/m/a-b/x", ""),
            ("/m/1x/x", ""),
            ("/m/.git/x", ""),
            ("/m/file", ""),
        ];
        let (listing, _) = list(&files, Strict::Warning);
        let folders: Vec<_> = listing.modules.iter().map(|module| module.folder.display().to_string()).collect();
        assert_eq!(folders, ["/m/a", "/n/b"]);
        let plugins: Vec<_> = listing.plugin_folders.iter().map(|folder| folder.display().to_string()).collect();
        assert_eq!(plugins, ["/m/1x", "/m/Bad", "/m/a", "/m/a-b", "/n/a", "/n/b"]);
    }

    #[test]
    fn metadata_names_a_module_after_its_author() {
        assert_eq!(name_in_metadata(r#"{"name":"puppetlabs-apache"}"#).as_deref(), Some("apache"));
        assert_eq!(name_in_metadata(r#"{"name":"puppetlabs/apache"}"#).as_deref(), Some("apache"));
        assert_eq!(name_in_metadata("{"), None);
    }
}

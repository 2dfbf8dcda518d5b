//! The configuration: what a person would otherwise type each time, and where each value comes from.
//!
//! An option of the command line counts before a variable `PANTIN_…`, this before `pantin.toml` in the repository (searched
//! upwards), and this before the person's own `~/.config/pantin/pantin.toml`. What could run a program or move secrets does not
//! count in a file of the repository.
//!
//! Everything is read through a [`Disk`]: whoever follows edits follows these files too.
//!
//! ```text
//! keys.rs    the keys, their forms, who may set them
//! file.rs    one pantin.toml
//! apply.rs   options, filled in where they say nothing
//! check.rs   whether what the values name is there
//! ```

mod apply;
mod check;
mod file;
mod keys;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use pantin_world::{Disk, expand_path};

pub use keys::{KEYS, Key, KeyDescription, KeyScope, ValueForm};

use crate::fence::is_in_ci;
use crate::options::OpenError;
use file::FileOwner;

/// The name of the file, in a repository and in a person's folder of configuration.
pub const FILE_NAME: &str = "pantin.toml";

/// The system follows no more on one way.
const MOST_LINKS: usize = 40;

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Variable(&'static str),
    File { path: PathBuf, line: u32 },
}

impl Origin {
    /// Returns the folder that a pattern of this value is meant for: that of its file.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Origin::File { path, .. } => path.parent(),
            Origin::Variable(_) => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Variable(name) => to.write_str(name),
            Origin::File { path, line } => write!(to, "{}:{line}", path.display()),
        }
    }
}

/// A value, and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfiguredValue {
    pub texts: Vec<String>,
    pub origin: Origin,
}

/// All values that are set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    values: BTreeMap<Key, ConfiguredValue>,
    /// The file of the repository, if there is one.
    pub repository_file: Option<PathBuf>,
    /// The person's own file, whether it is there or not.
    pub own_file: Option<PathBuf>,
    /// A service for continuous integration runs this.
    pub is_in_ci: bool,
}

impl Configuration {
    /// Reads variables and files. `folder`: where the search for the repository's file begins.
    pub fn read(disk: &dyn Disk, folder: &Path) -> Result<Configuration, OpenError> {
        let mut configuration = Configuration {
            own_file: own_file(disk),
            repository_file: file_around(disk, folder),
            is_in_ci: is_in_ci(disk),
            ..Configuration::default()
        };
        // The later ones count.
        for (path, owner) in
            [(&configuration.own_file, FileOwner::Person), (&configuration.repository_file, FileOwner::Repository)]
        {
            let Some(path) = path.clone() else { continue };
            if owner == FileOwner::Repository && configuration.own_file.as_ref() == Some(&path) {
                continue;
            }
            if owner == FileOwner::Repository {
                check_link(disk, &path).map_err(OpenError::Usage)?;
            }
            let values = read_file(disk, &path, owner).map_err(OpenError::Usage)?;
            configuration.values.extend(values);
        }
        for known in &KEYS {
            let Some(text) = disk.process_variable(known.variable).filter(|text| !text.is_empty()) else { continue };
            let texts = variable_texts(known, &text);
            file::check_form(known, &texts)
                .map_err(|reason| OpenError::Usage(format!("{}: {reason}", known.variable)))?;
            configuration.values.insert(known.key, ConfiguredValue { texts, origin: Origin::Variable(known.variable) });
        }
        Ok(configuration)
    }

    pub fn get(&self, key: Key) -> Option<&ConfiguredValue> {
        self.values.get(&key)
    }

    /// Returns the texts of a value; none, where it is not set.
    pub fn texts(&self, key: Key) -> &[String] {
        self.get(key).map(|value| value.texts.as_slice()).unwrap_or_default()
    }

    /// Returns the one text of a value.
    fn text(&self, key: Key) -> Option<&str> {
        self.texts(key).first().map(String::as_str)
    }
}

/// Refuses a file of a repository that is a link to somewhere else: what is wrong with it is told, with words of it.
fn check_link(disk: &dyn Disk, path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut at = path.to_owned();
    for _ in 0..MOST_LINKS {
        match disk.link_target(&at) {
            None => return Ok(()),
            Some(target) if target.starts_with(folder) => at = target,
            Some(target) => {
                return Err(format!("{} leads out of the repository, to {}", path.display(), target.display()));
            }
        }
    }
    Ok(())
}

/// Checks the text of a `pantin.toml` of a repository. `Err`: line, column and why it is refused.
pub fn check_repository_file(path: &Path, text: &str) -> Result<(), (u32, u32, String)> {
    let checked = file::parse(path, text, FileOwner::Repository);
    checked.map(|_| ()).map_err(|fault| (fault.line, fault.column, fault.reason))
}

fn read_file(disk: &dyn Disk, path: &Path, owner: FileOwner) -> Result<Vec<(Key, ConfiguredValue)>, String> {
    let bytes = disk.read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let Some(bytes) = bytes else { return Ok(Vec::new()) };
    let text = String::from_utf8(bytes).map_err(|_| format!("{}: it is not UTF-8", path.display()))?;
    let values = file::parse(path, &text, owner).map_err(|fault| fault.in_file(path))?;
    let configured = |(known, value): (&KeyDescription, file::FileValue)| {
        let origin = Origin::File { path: path.to_owned(), line: value.line };
        (known.key, ConfiguredValue { texts: value.texts, origin })
    };
    Ok(values.into_iter().map(configured).collect())
}

/// Returns the nearest file in a folder or above it.
fn file_around(disk: &dyn Disk, folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|file| disk.exists(file))
}

fn own_file(disk: &dyn Disk) -> Option<PathBuf> {
    let variable = |name: &str| disk.process_variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = variable("XDG_CONFIG_HOME").or_else(|| variable("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("pantin").join(FILE_NAME))
}

/// Paths are divided by colons, as in PATH, other texts by commas. Relative paths are taken from the current folder.
fn variable_texts(known: &KeyDescription, text: &str) -> Vec<String> {
    let divided = |by: char| text.split(by).filter(|part| !part.is_empty()).map(str::trim);
    match known.form {
        ValueForm::Paths => divided(':').map(expand_path).collect(),
        ValueForm::Texts => divided(',').map(str::to_owned).collect(),
        ValueForm::Path => vec![expand_path(text)],
        ValueForm::Text | ValueForm::Word(_) | ValueForm::PathOrFleet | ValueForm::Program => vec![text.to_owned()],
    }
}

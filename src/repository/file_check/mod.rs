//! Checks of files that are not Puppet code: ERB templates, YAML and JSON, and files that settings or data are read from.
//!
//! Each check takes a text and gives findings; nothing is compiled, and no node is known. What Puppet refuses is an error, what
//! it takes in silence and most likely nobody means is a warning.
//!
//! ```text
//! data.rs         YAML and JSON: syntax, keys that stand twice; data of Hiera in the types that Hiera takes
//! data_values.rs  keys that no look-up finds; expressions and encrypted texts in data
//! hierarchy.rs    hiera.yaml: what Puppet refuses, levels that lead to no file
//! template.rs     ERB: syntax, tags that are never closed
//! metadata.rs     metadata.json of a module
//! settings.rs     environment.conf and pantin.toml
//! ```

mod data;
mod data_values;
mod hierarchy;
mod metadata;
mod settings;
mod template;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::{Diagnostic, Place, Severity, Source};
use pantin_hiera::DataLevels;
use pantin_world::{Disk, absolute_path};

/// What a file is checked as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// An ERB template.
    Erb,
    Yaml,
    Json,
    /// A `hiera.yaml`.
    Hierarchy,
    /// The `metadata.json` of a module.
    Metadata,
    /// An `environment.conf`.
    EnvironmentSettings,
    /// A `pantin.toml`.
    Configuration,
}

impl FileKind {
    /// Tells by its name what a file is checked as.
    pub fn from_path(path: &Path) -> Option<FileKind> {
        match path.file_name()?.to_str()? {
            "hiera.yaml" => return Some(FileKind::Hierarchy),
            "metadata.json" => return Some(FileKind::Metadata),
            "environment.conf" => return Some(FileKind::EnvironmentSettings),
            crate::configuration::FILE_NAME => return Some(FileKind::Configuration),
            _ => {}
        }
        match path.extension()?.to_str()? {
            "erb" => Some(FileKind::Erb),
            "yaml" | "yml" | "eyaml" => Some(FileKind::Yaml),
            "json" => Some(FileKind::Json),
            _ => None,
        }
    }

    /// Tells what a file below a walked folder is checked as. What a module brings to machines, and what its tests are made
    /// of, may be wrong on purpose.
    pub fn from_walked_path(path: &Path) -> Option<FileKind> {
        let kind = FileKind::from_path(path)?;
        let mut above = path.parent()?.components().map(|part| part.as_os_str()).peekable();
        let mut is_content = false;
        while let Some(folder) = above.next() {
            is_content |= folder == "files" || folder == "templates";
            is_content |= folder == "spec" && above.peek().is_some_and(|below| *below == "fixtures");
        }
        (!is_content || kind == FileKind::Erb).then_some(kind)
    }
}

/// Checks files, and remembers which hiera.yaml leads to which data.
pub struct FileChecker {
    disk: Arc<dyn Disk>,
    /// The levels of the hiera.yaml in a folder, if there is one that can be read.
    levels: Mutex<HashMap<PathBuf, Option<Arc<DataLevels>>>>,
}

impl FileChecker {
    pub fn new(disk: Arc<dyn Disk>) -> FileChecker {
        FileChecker { disk, levels: Mutex::default() }
    }

    /// Returns what is wrong with a text. `path`: where it stands, if it stands anywhere.
    pub fn check(&self, kind: FileKind, source: &Source, path: Option<&Path>) -> Vec<Diagnostic> {
        let path = path.map(absolute_path);
        let path = path.as_deref();
        match kind {
            FileKind::Erb => template::check(source),
            FileKind::Yaml => data::check_yaml(source, path.is_some_and(|path| self.is_data(path))),
            FileKind::Json => data::check_json(source, path.is_some_and(|path| self.is_data(path))),
            FileKind::Hierarchy => hierarchy::check(&*self.disk, source, path),
            FileKind::Metadata => metadata::check(source),
            FileKind::EnvironmentSettings => settings::check_environment_conf(source),
            FileKind::Configuration => settings::check_pantin_toml(source, path),
        }
    }

    /// Returns true if Hiera reads this file for some node: the nearest hiera.yaml above leads to it.
    fn is_data(&self, path: &Path) -> bool {
        let levels = path.ancestors().skip(1).find_map(|folder| self.levels_in(folder));
        levels.is_some_and(|levels| levels.leads_to(path))
    }

    fn levels_in(&self, folder: &Path) -> Option<Arc<DataLevels>> {
        let lock = || self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(folder) {
            return known.clone();
        }
        let text = self.disk.read(&folder.join("hiera.yaml")).ok().flatten();
        let levels = text.and_then(|text| DataLevels::read(&text, folder).ok()).map(Arc::new);
        lock().insert(folder.to_owned(), levels.clone());
        levels
    }
}

/// Returns a finding at a line, underlined as far as something stands on it, or from a column on.
fn finding(
    source: &Source,
    severity: Severity,
    code: &'static str,
    message: &str,
    at: Option<(u32, Option<u32>)>,
) -> Diagnostic {
    let placed = at.and_then(|(line, column)| Diagnostic::in_source(source, line, column, message));
    let placed = placed.unwrap_or_else(|| Diagnostic {
        severity,
        code,
        message: message.to_owned(),
        place: Place::WholeFile,
        span: None,
        label: None,
        help: None,
        related: Vec::new(),
    });
    Diagnostic { severity, code, ..placed }
}

/// The line of a text, counted from one, that begins with a word, or has it anywhere.
fn line_with(text: &str, word: &str) -> Option<u32> {
    let line = text.lines().position(|line| line.trim_start().starts_with(word));
    let line = line.or_else(|| text.lines().position(|line| line.contains(word)))?;
    u32::try_from(line + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        let kind = |path: &str| FileKind::from_walked_path(Path::new(path));
        assert_eq!(kind("data/common.yaml"), Some(FileKind::Yaml));
        assert_eq!(kind("hiera.yaml"), Some(FileKind::Hierarchy));
        assert_eq!(kind("modules/m/metadata.json"), Some(FileKind::Metadata));
        assert_eq!(kind("modules/m/tasks/init.json"), Some(FileKind::Json));
        assert_eq!(kind("site/m/templates/a/b.json.erb"), Some(FileKind::Erb));
        assert_eq!(kind("site/m/files/broken.json"), None);
        assert_eq!(kind("site/m/templates/chart.yaml"), None);
        assert_eq!(kind("modules/m/spec/fixtures/hiera.yaml"), None);
        assert_eq!(kind("modules/m/spec/acceptance/nodes.yml"), Some(FileKind::Yaml));
        assert_eq!(kind("README.md"), None);
        assert_eq!(FileKind::from_path(Path::new("site/m/files/broken.json")), Some(FileKind::Json));
    }
}

//! Changes of what a comparison itself goes by: facts, and the file `pantin.toml` of the repository. Whoever opens a pull request
//! can edit both, so they are told first, and no report that has any says that nothing changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pantin_world::facts::Facts;
use pantin_world::{Disk, absolute_path};

use super::Side;
use crate::Repository;
use crate::configuration::{Configuration, ConfiguredValue, KEYS, Key, Origin};

/// What one side has otherwise of facts, and of what else is known of nodes or was recorded.
pub(super) struct ChangedInputs {
    /// In words.
    pub(super) changes: Vec<String>,
    /// Files of facts in which nodes of FROM are missing on the other side: FROM is compiled with its own.
    pub(super) files_of_from: Vec<PathBuf>,
}

/// Compares the inputs of both sides, which take those of TO; what TO does not have any more, FROM has.
/// `fact_sources`: those that may be files with the facts of several nodes.
pub(super) fn changed_inputs(
    paths: BTreeSet<PathBuf>,
    fact_sources: &[PathBuf],
    [from, to]: [&dyn Disk; 2],
) -> ChangedInputs {
    let mut files_of_from = Vec::new();
    let change = |path: &PathBuf| {
        let read = |disk: &dyn Disk| disk.read(path).ok().flatten();
        let name = path.display();
        let gone_nodes = || match fact_sources.contains(path) {
            true => gone_nodes(path, [from, to]),
            false => Vec::new(),
        };
        match (read(from), read(to)) {
            (Some(_), None) => Some(format!("{name} is gone: TO does not have its nodes or answers any more")),
            (Some(old), Some(new)) if old != new => match gone_nodes() {
                gone if gone.is_empty() => Some(format!("{name} differs: both sides are compiled with that of TO")),
                gone => {
                    files_of_from.push(path.clone());
                    let gone = gone.join(", ");
                    Some(format!(
                        "{name} differs: TO does not have {gone} any more; each side is compiled with its own"
                    ))
                }
            },
            _ => None,
        }
    };
    let changes = paths.iter().filter_map(change).collect();
    ChangedInputs { changes, files_of_from }
}

/// Names the nodes whose facts stand in a file on the first side, and not on the other one.
fn gone_nodes(path: &Path, [from, to]: [&dyn Disk; 2]) -> Vec<String> {
    let names = |disk: &dyn Disk| Facts::read(disk, path).map(|facts| facts.names()).unwrap_or_default();
    let kept: BTreeSet<_> = names(to).into_iter().collect();
    names(from).into_iter().filter(|name| !kept.contains(name)).map(|name| name.to_string()).collect()
}

/// Names a program that classifies nodes and differs between the sides: no side runs its own.
pub(super) fn changed_classifier(sides: [&Side; 2]) -> Option<String> {
    let [from, to] = [sides[0].repository()?, sides[1].repository()?];
    let classifier = to.compiler.sources.classifier().filter(|classifier| classifier.runs_program())?;
    let read = |repository: &Repository, path: &Path| repository.compiler.files().read(path).ok().flatten();
    let mut files = classifier.words().map(|word| absolute_path(Path::new(word)));
    let changed = files.find(|path| read(from, path) != read(to, path))?;
    Some(format!("{} differs: the classifier of the working tree is asked for both sides", changed.display()))
}

/// Returns what the repository's own file says otherwise on the other side.
pub fn changed_configuration(from: &Configuration, to: &Configuration) -> Vec<String> {
    let change = |key: Key, name: &str| {
        let [old, new] = [from, to].map(|configuration| own_texts(configuration, key));
        let count = match key {
            Key::DiffIgnore => "what FROM says counts",
            Key::Ignore => "pantin validate would leave out other files",
            _ => "what TO says counts on both sides",
        };
        (old != new).then(|| format!("pantin.toml has another {name}: {} → {}; {count}", shown(&old), shown(&new)))
    };
    KEYS.iter().filter_map(|known| change(known.key, known.name)).collect()
}

fn shown(texts: &[String]) -> String {
    if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") }
}

/// The texts of a value that the repository's file sets, paths from where that lies.
fn own_texts(configuration: &Configuration, key: Key) -> Vec<String> {
    let Some(ConfiguredValue { texts, origin: Origin::File { path, .. } }) = configuration.get(key) else {
        return Vec::new();
    };
    if configuration.repository_file.as_ref() != Some(path) {
        return Vec::new();
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    let from_folder = |text: &String| match Path::new(text).strip_prefix(folder) {
        Ok(below) => below.display().to_string(),
        Err(_) => text.clone(),
    };
    texts.iter().map(from_folder).collect()
}

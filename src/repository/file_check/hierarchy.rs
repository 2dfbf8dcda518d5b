//! A hiera.yaml: what Puppet refuses of it, keys that stand twice, and paths of levels that lead to no file.

use std::path::{Path, PathBuf};

use pantin_base::{Diagnostic, Severity, Source};
use pantin_hiera::{DataLevels, UnmatchedPath, check_configuration};
use pantin_world::{Disk, ModuleCheckout, glob_under};

use super::{data, finding, line_with};

/// The finding where Puppet refuses the file.
const CODE: &str = "HIERARCHY";

pub(super) fn check(disk: &dyn Disk, source: &Source, path: Option<&Path>) -> Vec<Diagnostic> {
    let mut found = data::check_yaml(source, false);
    if found.iter().any(|found| found.severity == Severity::Error) {
        return found;
    }
    let text = source.text().as_bytes();
    let folder = path.and_then(Path::parent);
    let module = folder.and_then(|folder| ModuleCheckout::at(disk, folder)).map(|module| module.name);
    let named = path.unwrap_or(Path::new("hiera.yaml"));
    if let Some(refused) = check_configuration(named, text, module.as_deref()) {
        found.push(Diagnostic { code: CODE, ..refused });
        return found;
    }
    if let Some(folder) = folder
        && let Ok(levels) = DataLevels::read(text, folder)
    {
        found.extend(unmatched(disk, source, &levels));
    }
    found
}

/// Warns of each path that leads to no file, and of each folder of data that is not there.
fn unmatched(disk: &dyn Disk, source: &Source, levels: &DataLevels) -> Vec<Diagnostic> {
    let files = levels.folders().map(|folder| glob_under(disk, folder, "**/*")).collect::<Result<Vec<_>, _>>();
    // Of a folder with too many names, or one that cannot be read, nothing is said.
    let Ok(files) = files else { return Vec::new() };
    let files = files.concat();
    let mut told: Vec<PathBuf> = Vec::new();
    let mut found = Vec::new();
    for UnmatchedPath { level, written, datadir } in levels.unmatched_paths(&files) {
        let is_fixed = !datadir.to_string_lossy().contains("%{");
        let message = if is_fixed && !disk.is_folder(&datadir) {
            if told.contains(&datadir) {
                continue;
            }
            told.push(datadir.clone());
            format!("the folder of data {} of the level '{level}' is not there", datadir.display())
        } else {
            format!("no file is at '{written}' of the level '{level}' in {}", datadir.display())
        };
        let line = line_with_path(source.text(), &written).or_else(|| line_with(source.text(), &level));
        found.push(finding(source, Severity::Warning, "LEVEL_WITHOUT_FILE", &message, line.map(|line| (line, None))));
    }
    found
}

/// Returns the line on which a path stands, and not only as a part of another one.
fn line_with_path(text: &str, path: &str) -> Option<u32> {
    let is_end = |letter: Option<char>| letter.is_none_or(|letter| letter.is_whitespace() || "\"',]".contains(letter));
    let has_path = |line: &str| line.match_indices(path).any(|(at, _)| is_end(line[at + path.len()..].chars().next()));
    let line = text.lines().position(has_path)?;
    u32::try_from(line + 1).ok()
}

#[cfg(test)]
mod tests {
    use pantin_world::table_disk::TableDisk;

    use super::*;

    #[test]
    fn levels_without_a_file_are_warnings_with_their_line() {
        let text = "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - name: node\n    path: nodes/%{trusted.certname}.yaml\n  - \
                    name: os\n    paths:\n      - os/%{facts.os.name}.yaml\n      - common.yml\n  - name: rest\n    path: \
                    common.yaml\n  - name: gone\n    datadir: elsewhere\n    path: a.yaml\n";
        let disk =
            TableDisk::from_files(&[("/e/hiera.yaml", text), ("/e/data/common.yaml", ""), ("/e/data/os/A.yaml", "")]);
        let source = Source::new(Some("hiera.yaml"), text).unwrap();
        let found = check(&disk, &source, Some(Path::new("/e/hiera.yaml")));
        let told: Vec<_> = found.iter().map(|found| (found.message.as_str(), found.place.line())).collect();
        assert_eq!(
            told,
            [
                ("no file is at 'nodes/%{trusted.certname}.yaml' of the level 'node' in /e/data", Some(5)),
                ("no file is at 'common.yml' of the level 'os' in /e/data", Some(9)),
                ("the folder of data /e/elsewhere of the level 'gone' is not there", Some(14)),
            ]
        );
    }
}

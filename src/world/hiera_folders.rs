//! Folders of data that an environment's hiera.yaml names by absolute paths, and that are not there. Knows no look-ups.

use std::collections::BTreeSet;
use std::path::Path;

use pantin_values::Value;

use super::values::yaml_value;
use super::{Disk, Remark};

/// Returns a warning for each such folder. A file that cannot be read says nothing: look-ups say what is wrong with it.
pub fn missing_data_folders(disk: &dyn Disk, environment: &Path) -> Vec<Remark> {
    let file = environment.join("hiera.yaml");
    let Some(bytes) = disk.read(&file).ok().flatten() else { return Vec::new() };
    let shown = file.display().to_string();
    let Ok(value) = yaml_value(&bytes, &shown) else { return Vec::new() };
    let mut folders = BTreeSet::new();
    collect_folders(&value, &mut folders);
    let text = String::from_utf8_lossy(&bytes);
    let missing = folders.into_iter().filter(|folder| !disk.is_folder(Path::new(folder)));
    let remark = |folder: &str| {
        let line = text.lines().position(|line| line.contains("datadir") && line.contains(folder));
        let place = line.map_or_else(|| shown.clone(), |line| format!("{shown}:{}", line + 1));
        Remark::warning(format!(
            "{place}: the folder of data {folder} is not there; a path relative to hiera.yaml, such as data, holds in every \
             checkout"
        ))
    };
    missing.map(remark).collect()
}

fn collect_folders<'v>(value: &'v Value, folders: &mut BTreeSet<&'v str>) {
    match value {
        Value::Hash(entries) => {
            for (key, value) in entries.iter() {
                match (key.as_str(), value.as_str()) {
                    (Some("datadir" | ":datadir"), Some(folder))
                        if folder.starts_with('/') && !folder.contains("%{") =>
                    {
                        folders.insert(folder);
                    }
                    _ => pantin_base::stack::with_room(|| collect_folders(value, folders)),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_folders(item, folders)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;

    #[test]
    fn absolute_folders_that_are_not_there_are_told_with_their_line() {
        let yaml = "version: 5\ndefaults:\n  datadir: /etc/nowhere\nhierarchy:\n  - name: A\n    datadir: /there\n  - name: B\n    \
                    datadir: /x/%{environment}\n  - name: C\n    datadir: data\n";
        let disk = TableDisk::from_files(&[("/e/hiera.yaml", yaml), ("/there/a.yaml", "")]);
        let remarks = missing_data_folders(&disk, Path::new("/e"));
        let texts: Vec<&str> = remarks.iter().map(|remark| remark.text.as_str()).collect();
        let expected = "/e/hiera.yaml:3: the folder of data /etc/nowhere is not there; a path relative to hiera.yaml, such as \
                        data, holds in every checkout";
        assert_eq!(texts, [expected]);
        assert!(missing_data_folders(&disk, Path::new("/none")).is_empty());
    }
}

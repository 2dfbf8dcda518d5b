//! The files of the module stdlib that the native functions stand in for, by their digests (`src/eval/builtins/stdlib/files.txt`):
//! whether those of the two versions that the oracle has are among them. More are added from a folder of another version
//! that was compared too:
//!
//!     PANTIN_ORACLE_DIR=FOLDER PANTIN_SPEC=check cargo test --test pantin -- stdlib/     with that version in FOLDER
//!     cargo test --test compare -- stdlib --write [8|9 FOLDER [FUNCTION,FUNCTION...]]    all but the functions that differ

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pantin::eval::builtins::stdlib::digest_of_code;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/builtins/stdlib/files.txt");

/// The packages that have the module, below the folder of the oracle.
const VERSIONS: [(&str, &str); 2] = [("8", "corpus/puppet-module-puppetlabs-stdlib"), ("9", "stdlib9")];

pub(super) fn run(arguments: &[String], writes: bool) -> Result<bool, String> {
    let known = std::fs::read_to_string(LIST).unwrap_or_default();
    let mut lines: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    let before = lines.len();
    for (version, package) in VERSIONS {
        let oracle = super::corpus_folder().parent().map(Path::to_owned).unwrap_or_default();
        lines.extend(files_of(version, &oracle.join(package).join(MODULE), "")?);
    }
    if let [version, folder, except @ ..] = arguments {
        let except = except.first().map(String::as_str).unwrap_or_default();
        lines.extend(files_of(version, Path::new(folder), except)?);
    }
    let new = lines.len() - before;
    println!("{} files of stdlib are known, {new} of which were not in the list", lines.len());
    if writes {
        let mut lines: Vec<&String> = lines.iter().collect();
        lines.sort_by_key(|line| line.split(' ').rev().collect::<Vec<_>>());
        let list: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(LIST, list).map_err(|error| format!("{LIST}: {error}"))?;
    }
    Ok(writes || new == 0)
}

/// Where the module is in a package.
const MODULE: &str = "usr/share/puppet/modules.available/puppetlabs-stdlib";

fn files_of(version: &str, module: &Path, except: &str) -> Result<Vec<String>, String> {
    let library = module.join("lib/puppet");
    let mut files = Vec::new();
    for folder in ["functions", "parser/functions"] {
        collect(&library.join(folder), &mut files);
    }
    if files.is_empty() {
        return Err(format!("no functions in {}", library.display()));
    }
    let is_meant = |file: &&PathBuf| {
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        !except.split(',').any(|other| other == name)
    };
    let line = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.strip_prefix(&library).unwrap_or(file).display();
        Ok(format!("{} {version} {name}", digest_of_code(&text)))
    };
    files.iter().filter(is_meant).map(line).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rb") {
            files.push(path);
        }
    }
}

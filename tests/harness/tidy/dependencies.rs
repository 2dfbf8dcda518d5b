//! Dependencies of a crate that none of its sources names: they cost time to build, and widen what has to be trusted.

use super::File;
use super::tokens::tokens;

/// Dependencies whose library has another name than the package.
const LIBRARIES: [(&str, &str); 1] = [("md-5", "md5")];

/// Dependencies that no source has to name, each with the crate's folder and the reason.
const UNNAMED: [(&str, &str, &str); 0] = [];

/// Every dependency in a manifest is named by a source of that crate, as `name::` or as `name as`.
pub(super) fn complaints(files: &[File]) -> Vec<String> {
    let manifests: Vec<&str> = files
        .iter()
        .filter_map(|file| folder_of(&file.path, "Cargo.toml"))
        .filter(|folder| !folder.is_empty())
        .collect();
    let mut complaints = Vec::new();
    for file in files {
        let Some(folder) = folder_of(&file.path, "Cargo.toml") else { continue };
        let is_inside = |path: &str| path.starts_with(folder);
        let is_of_inner = |path: &str| {
            manifests.iter().any(|other| other.len() > folder.len() && is_inside(other) && path.starts_with(other))
        };
        let sources: Vec<&File> = files
            .iter()
            .filter(|source| source.is_rust() && is_inside(&source.path) && !is_of_inner(&source.path))
            .collect();
        for (line, package) in dependencies(&file.text) {
            let library = LIBRARIES.iter().find(|(of, _)| *of == package).map_or(package, |(_, library)| library);
            let library = library.replace('-', "_");
            let is_listed = UNNAMED.iter().any(|(of, name, _)| *of == folder && *name == package);
            if !is_listed && !sources.iter().any(|source| names(&source.text, &library)) {
                complaints.push(format!(
                    "{}:{line}: no source of this crate names {library}: drop the dependency; where it is there for a \
                     feature or a derive alone, add it to UNNAMED in tests/harness/tidy/dependencies.rs",
                    file.path
                ));
            }
        }
    }
    complaints
}

/// Returns the folder of a file of this name, with `/` at its end; empty for the root.
fn folder_of<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    path.strip_suffix(name).filter(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Returns the packages in the sections of dependencies, each with its line. What a workspace offers its crates is none.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_section = false;
    for (line, text) in manifest.lines().enumerate() {
        if let Some(name) = text.strip_prefix('[') {
            let name = name.trim_end_matches(']');
            is_section = name.ends_with("dependencies") && !name.starts_with("workspace");
        } else if is_section && text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            found.extend(text.split(['.', ' ', '=']).next().map(|package| (line + 1, package)));
        }
    }
    found
}

fn names(source: &str, library: &str) -> bool {
    source.contains(library)
        && tokens(source).windows(2).any(|two| two[0].text == library && ["::", "as"].contains(&two[1].text))
}

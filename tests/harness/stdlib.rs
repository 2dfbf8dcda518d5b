//! What an example with the setting `stdlib` has of that module: which files in Ruby it has, each empty, and its version.
//!
//! The module's own files are not ours to have here, and need not be: Pantin looks at no more than this. The oracle takes
//! the real module.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The versions that may be asked for, with the names of the files of each.
const LISTS: [(u32, &str); 2] = [(8, include_str!("stdlib/8.txt")), (9, include_str!("stdlib/9.txt"))];

type Files = Vec<(String, Vec<u8>)>;

static FILES: LazyLock<Vec<(u32, Files)>> = LazyLock::new(|| LISTS.map(|(version, list)| (version, read(list))).into());

/// By their path below `modules`.
pub(super) fn files(version: u32) -> Option<&'static Files> {
    FILES.iter().find(|(known, _)| *known == version).map(|(_, files)| files)
}

/// The names of its functions in Ruby, of whichever kind.
pub(super) fn functions(version: u32) -> BTreeSet<String> {
    let name = |path: &str| Some(path.split_once("functions/")?.1.strip_suffix(".rb")?.replace('/', "::"));
    files(version).into_iter().flatten().filter_map(|(path, _)| name(path)).collect()
}

fn read(list: &str) -> Files {
    let (mut version, mut line) = ("", 1);
    let mut files = Files::new();
    for entry in list.lines() {
        match entry.split_once(' ') {
            Some(("version", written)) => version = written,
            Some(("deprecation", written)) => line = written.parse().unwrap(),
            _ => files.push((format!("stdlib/lib/puppet/{entry}"), Vec::new())),
        }
    }
    // A message tells in which line of this file Puppet is asked to warn.
    for (path, content) in &mut files {
        if path.ends_with("/functions/deprecation.rb") && !path.contains("/parser/") {
            *content = format!("{}Puppet.deprecation_warning(message, key)\n", "\n".repeat(line - 1)).into();
        }
    }
    let metadata = serde_json::json!({
        "name": "puppetlabs-stdlib", "version": version, "author": "puppetlabs", "license": "Apache-2.0",
        "source": "https://github.com/puppetlabs/puppetlabs-stdlib", "dependencies": [],
    });
    files.push(("stdlib/metadata.json".to_owned(), metadata.to_string().into()));
    files
}

//! What an example with the setting `stdlib` has of that module: its version, and files in Ruby that say no more than which
//! version they are of.
//!
//! The module's own files are not ours to have here, and need not be: the examples are run with functions that know these
//! files too (`builtins`), as nobody else does. The oracle takes the real module. With `PANTIN_STDLIB=ruby` so does Pantin, with a word more in each file: then it does not know them,
//! and the small Ruby runs them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use pantin::eval::Builtins;
use pantin::eval::builtins;
use pantin::eval::builtins::stdlib::{Behaviour, KnownFiles};

/// The versions that may be asked for, with the names of the files of each.
const LISTS: [(u32, &str); 2] = [(8, include_str!("stdlib/8.txt")), (9, include_str!("stdlib/9.txt"))];

type Files = Vec<(String, Vec<u8>)>;

/// Where the oracle has those of each version.
const PACKAGES: [(u32, &str); 2] = [(8, "corpus/puppet-module-puppetlabs-stdlib"), (9, "stdlib9")];

/// The text of every file of a version.
fn stand_in(version: u32) -> String {
    format!("the_examples_have_this_for_stdlib {version}\n")
}

/// The functions that the examples are run with: they stand in for these files as they do for the module's own.
pub(super) fn builtins() -> &'static Builtins {
    static BUILTINS: LazyLock<Builtins> = LazyLock::new(|| {
        let known = KnownFiles::published();
        let known = known.with_file(&stand_in(8), Behaviour::Eight).with_file(&stand_in(9), Behaviour::Nine);
        builtins::with_stdlib_files(known)
    });
    &BUILTINS
}

static FILES: LazyLock<Vec<(u32, Files)>> = LazyLock::new(|| {
    let mut all = LISTS.map(|(version, list)| (version, read(version, list)));
    if std::env::var_os("PANTIN_STDLIB").is_some_and(|wanted| wanted == "ruby") {
        all.iter_mut().for_each(|(version, files)| fill(*version, files));
    }
    all.into()
});

fn fill(version: u32, files: &mut Files) {
    let package = PACKAGES.iter().find(|(known, _)| *known == version).unwrap().1;
    let oracle = std::env::var_os("PANTIN_ORACLE_DIR").unwrap_or_else(|| "target/oracle".into());
    let module = Path::new(&oracle).join(package).join("usr/share/puppet/modules.available/puppetlabs-stdlib");
    for (path, content) in files.iter_mut().filter(|(path, _)| path.ends_with(".rb")) {
        let file = module.join(path.strip_prefix("stdlib/").unwrap());
        *content = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        content.truncate(content.trim_ascii_end().len());
        content.extend_from_slice(b" # another one\n");
    }
    let (mut folders, mut others) = (vec![module.join("lib/puppet_x"), module.join("lib/puppet/util")], Files::new());
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(&module).unwrap().display().to_string();
                    others.push((format!("stdlib/{name}"), std::fs::read(&path).unwrap()));
                }
            }
        }
    }
    files.extend(others);
}

/// By their path below `modules`.
pub(super) fn files(version: u32) -> Option<&'static Files> {
    FILES.iter().find(|(known, _)| *known == version).map(|(_, files)| files)
}

/// The names of its functions in Ruby, of whichever kind.
pub(super) fn functions(version: u32) -> BTreeSet<String> {
    let name = |path: &str| Some(path.split_once("functions/")?.1.strip_suffix(".rb")?.replace('/', "::"));
    files(version).into_iter().flatten().filter_map(|(path, _)| name(path)).collect()
}

fn read(major: u32, list: &str) -> Files {
    let (mut version, mut line) = ("", 1);
    let mut files = Files::new();
    for entry in list.lines() {
        match entry.split_once(' ') {
            Some(("version", written)) => version = written,
            Some(("deprecation", written)) => line = written.parse().unwrap(),
            _ => files.push((format!("stdlib/lib/puppet/{entry}"), stand_in(major).into_bytes())),
        }
    }
    // A message tells in which line of this file Puppet is asked to warn.
    for (path, content) in &mut files {
        if path.ends_with("/functions/deprecation.rb") && !path.contains("/parser/") {
            let before = "\n".repeat(line - 1);
            *content = format!("{before}# Puppet.deprecation_warning(message, key)\n{}", stand_in(major)).into();
        }
    }
    let metadata = serde_json::json!({
        "name": "puppetlabs-stdlib", "version": version, "author": "puppetlabs", "license": "Apache-2.0",
        "source": "https://github.com/puppetlabs/puppetlabs-stdlib", "dependencies": [],
    });
    files.push(("stdlib/metadata.json".to_owned(), metadata.to_string().into()));
    files
}

//! Compares Pantin with the real Puppet: on whole files (the corpus of real modules, and mutants of them), which are
//! parsed, on programs made at random, which are run, on the catalogs of the demo fleet and of real modules, and on what is
//! known of native types. Needs the oracle (`tests/oracle/setup`).
//!
//!     cargo test --release --test compare -- corpus
//!     cargo test --release --test compare -- mutants [COUNT] [SEED]
//!     cargo test --release --test compare -- folder FOLDER
//!     cargo test --test compare -- fleet [7|8|openvox] [NODE,NODE...] [--repository FOLDER] [--facts FOLDER] [--modules PATH]
//!     cargo test --test compare -- graph [--write] [FOLDER [MODULE_FOLDER...]]
//!     cargo test --test compare -- kinds [MODULE_FOLDER...]
//!     cargo test --test compare -- modules [MODULE...] [--puppet 7|8] [--budget SECONDS] [--show N]
//!     cargo test --test compare -- ruby [FILE]
//!     cargo test --test compare -- census
//!     cargo test --test compare -- checks [--seed N] [--count N] [--puppet 7|8] [--show N] [--repository FOLDER --facts FOLDER [--modules PATH]]
//!     cargo test --test compare -- stdlib [--write [8|9 FOLDER [FUNCTION,FUNCTION...]]]
//!     cargo test --test compare -- ruby-random [--seed N] [--count N] [--show]
//!     cargo test --test compare -- programs [--seed N] [--count N] [--puppet 7|8] [--show]
//!     cargo test --test compare -- environments [--seed N] [--count N] [--puppet 7|8] [--show]
//!
//! Exit code 0 if what is asked for holds, 1 if not, 3 if there is no oracle.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a tool of the tests may panic")]
#![allow(clippy::disallowed_methods, reason = "it reads files and runs the oracle")]

mod census;
mod checks;
#[path = "../oracle/client.rs"]
mod client;
mod corpus;
#[path = "../graph/describe.rs"]
mod describe;
mod environments;
mod fleet;
mod graph;
#[path = "../oracle/hidden.rs"]
mod hidden;
mod kinds;
mod modules;
mod mutants;
mod programs;
#[path = "../random/mod.rs"]
mod random;
#[path = "../oracle/request.rs"]
mod request;
mod ruby;
mod said;
#[path = "../oracle/show.rs"]
mod show;
mod snippets_random;
mod stdlib;
mod types;
mod verdict;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pantin::syntax::SourceKind;

/// A real file, or a mutant of one.
struct Case {
    /// Relative to the corpus.
    name: String,
    kind: SourceKind,
    text: String,
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let by_options = match arguments.first().map(String::as_str) {
        Some("programs") => Some(programs::run(&arguments[1..])),
        Some("environments") => Some(environments::run(&arguments[1..])),
        Some("checks") => Some(checks::run(&arguments[1..])),
        Some("fleet") => Some(fleet::run(&arguments[1..])),
        Some("modules") => Some(modules::run(&arguments[1..])),
        Some("ruby-random") => Some(snippets_random::run(&arguments[1..])),
        _ => None,
    };
    if let Some(ended_by_options) = by_options {
        return match ended_by_options {
            Ok(result) => ended(result),
            Err(usage) => {
                eprintln!("{usage}");
                ExitCode::from(2)
            }
        };
    }
    let writes = arguments.iter().any(|argument| argument == "--write");
    arguments.retain(|argument| !argument.starts_with("--"));
    let number = |at: usize, default: u64| arguments.get(at).map_or(default, |text| text.parse().expect("a number"));
    let result = match (arguments.first().map(String::as_str), arguments.get(1)) {
        (Some("corpus"), None) => read_folder(&corpus_folder()).and_then(|files| corpus::run(&files)),
        (Some("folder"), Some(folder)) => read_folder(Path::new(folder)).and_then(|files| corpus::run(&files)),
        (Some("graph"), _) => graph::run(&arguments[1..], writes),
        (Some("kinds"), _) => kinds::run(&arguments[1..]),
        (Some("ruby"), file) => ruby::run(file.map(String::as_str)),
        (Some("census"), None) => census::run(),
        (Some("types"), _) => types::run(&arguments[1..]),
        (Some("stdlib"), _) => stdlib::run(&arguments[1..], writes),
        (Some("mutants"), _) => read_folder(&corpus_folder())
            .and_then(|files| mutants::run(&files, number(1, 20_000) as usize, number(2, 1))),
        _ => {
            eprintln!(
                "usage: compare corpus | checks [OPTIONS] | folder FOLDER | fleet [7|8|openvox] [NODE,NODE...] | kinds [MODULE_FOLDER...] | types [MODULES...] | modules [MODULE...] | ruby [FILE] | census | stdlib [--write [8|9 FOLDER [FUNCTIONS]]] | ruby-random [OPTIONS] | mutants [COUNT] [SEED] | programs [OPTIONS] | environments [OPTIONS]"
            );
            return ExitCode::from(2);
        }
    };
    ended(result)
}

fn ended(result: Result<bool, String>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => missing(&why),
    }
}

fn missing(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(3)
}

/// Where `tests/oracle/setup` has put the real modules.
fn corpus_folder() -> PathBuf {
    std::env::var_os("PANTIN_ORACLE_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/oracle"), PathBuf::from)
        .join("corpus")
}

/// Every manifest and template of a folder that is text, in the order of names.
fn read_folder(root: &Path) -> Result<Vec<Case>, String> {
    let mut paths = Vec::new();
    collect(root, &mut paths);
    paths.sort();
    if paths.is_empty() {
        return Err(format!("no manifests in {}; the corpus comes from tests/oracle/setup", root.display()));
    }
    let case = |path: &PathBuf| {
        let kind = if path.extension()? == "epp" { SourceKind::Template } else { SourceKind::Manifest };
        let name = path.strip_prefix(root).ok()?.to_str()?.to_owned();
        Some(Case { name, kind, text: std::fs::read_to_string(path).ok()? })
    };
    Ok(paths.iter().filter_map(case).collect())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "pp" || extension == "epp") {
            paths.push(path);
        }
    }
}

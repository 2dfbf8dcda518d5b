//! The relationship graph, compared with the one that the real agent builds: drawings, order, cycles, what is missing.
//!
//! Of the manifests in `tests/graph`, which the real Puppet compiles, and of every catalog (`*.json`) in a folder.
//! `--write` writes what the real 7.23 says of the manifests beside them; `cargo test` holds Pantin to it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use pantin::base::Language;
use pantin::model::catalog::{Catalog, kinds};
use serde_json::{Value, json};

use crate::client;
use crate::describe::{described, short};

pub(super) fn run(arguments: &[String], writes: bool) -> Result<bool, String> {
    let manifests = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graph"), "pp")?;
    let (catalogs, modules) = match arguments {
        [] => (Vec::new(), arguments),
        [folder, modules @ ..] => (catalogs(folder)?, modules),
    };
    let mut holds = true;
    for language in [Language::Puppet7, Language::Puppet8] {
        let mut oracle = Oracle::start(language, modules)?;
        let mut differences = Vec::new();
        for path in &manifests {
            let manifest = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            let mut theirs = oracle.ask(&json!({ "manifest": manifest }))?;
            let Some(catalog) = theirs["catalog"].as_str().map(str::to_owned) else {
                return Err(format!("{}: {}", path.display(), theirs["error"]));
            };
            theirs.as_object_mut().expect("an answer").remove("catalog");
            differences.extend(difference(path, &catalog, &theirs));
            if writes && language == Language::Puppet7 {
                write(path, &catalog, theirs)?;
            }
        }
        let known: Vec<_> = kinds::all().iter().map(|kind| kind.name()).collect();
        oracle.ask(&json!({ "known": known }))?;
        for path in &catalogs {
            let catalog = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            let theirs = oracle.ask(&json!({ "catalog": catalog }))?;
            differences.extend(difference(path, &catalog, &theirs));
        }
        let (version, count) = (language.release(), manifests.len() + catalogs.len());
        println!("{version}: {count} catalogs, {} differ", differences.len());
        differences.iter().for_each(|difference| println!("  {difference}"));
        holds &= differences.is_empty();
    }
    Ok(holds)
}

fn difference(path: &Path, catalog: &str, theirs: &Value) -> Option<String> {
    let ours = match Catalog::read(catalog) {
        Ok(catalog) => described(&catalog),
        Err(error) => json!({ "error": error.to_string() }),
    };
    if ours == *theirs {
        return None;
    }
    let members = theirs.as_object()?.keys().filter(|name| ours[*name] != theirs[*name]);
    let shown = members.map(|name| match (ours[name].as_str(), theirs[name].as_str()) {
        (Some(ours), Some(theirs)) => {
            format!("\n  {name}:\n{}", similar::TextDiff::from_lines(theirs, ours).unified_diff())
        }
        _ => format!("\n  {name}\n    here:   {}\n    Puppet: {}", ours[name], theirs[name]),
    });
    Some(path.display().to_string() + &shown.collect::<String>())
}

fn write(manifest: &Path, catalog: &str, theirs: Value) -> Result<(), String> {
    let catalog: Value = serde_json::from_str(catalog).map_err(|error| error.to_string())?;
    let text = serde_json::to_string_pretty(&json!({ "catalog": catalog, "graph": short(theirs) }));
    let text = text.map_err(|error| error.to_string())? + "\n";
    std::fs::write(manifest.with_extension("json"), text).map_err(|error| error.to_string())
}

/// Catalogs, and not the logs of their compilation that may lie beside them.
fn catalogs(folder: &str) -> Result<Vec<PathBuf>, String> {
    let mut paths = files(Path::new(folder), "json")?;
    paths.retain(|path| !path.to_string_lossy().ends_with(".log.json"));
    Ok(paths)
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    Ok(paths)
}

struct Oracle {
    process: Child,
}

impl Oracle {
    fn start(language: Language, modules: &[String]) -> Result<Oracle, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/graph.rb");
        let mut command = Command::new("ruby");
        command.arg(script).args(client::option(language)).args(modules);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let process = command.spawn().map_err(|error| format!("ruby cannot be started: {error}"))?;
        Ok(Oracle { process })
    }

    fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let silent = || "the oracle has ended; run tests/oracle/setup".to_owned();
        writeln!(self.process.stdin.as_mut().ok_or_else(silent)?, "{question}").map_err(|_| silent())?;
        let mut line = String::new();
        // An answer is one line, and none comes without a question: nothing is left in the buffer.
        BufReader::new(self.process.stdout.as_mut().ok_or_else(silent)?).read_line(&mut line).map_err(|_| silent())?;
        serde_json::from_str(&line).map_err(|_| silent())
    }
}

impl Drop for Oracle {
    /// The end of the questions ends the process.
    fn drop(&mut self) {
        self.process.stdin = None;
        let _ = self.process.wait();
    }
}

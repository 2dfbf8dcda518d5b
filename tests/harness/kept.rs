//! Every example of a catalog, by the program: a second process answers from the cache what the first one compiled, byte by
//! byte. That the first process is right, the trials of the examples say.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use pantin::base::{Language, Strict};
use serde_json::{Map, Value, json};

use super::catalog;
use super::document::{Document, Mode, Section};
use super::example::Example;
use super::request::strict_name;

pub(super) fn trials(documents: &'static [Document]) -> Vec<Trial> {
    let of_catalogs = documents.iter().filter(|document| document.examples().any(|one| one.mode == Mode::Compile));
    of_catalogs.map(|document| Trial::test(format!("kept: {}", document.name), move || holds(document))).collect()
}

/// Examples whose answer is not stored, so that the second process compiles them: document, heading, reason.
const NOT_STORED: &[(&str, &str, &str)] = &[(
    "catalogs/known-differences.md",
    "And a type",
    "there is no text for its catalog, of which all formats are made",
)];

/// Every example is answered from the cache, but for those of [`NOT_STORED`].
fn holds(document: &Document) -> Result<(), Failed> {
    let not_stored = NOT_STORED.iter().filter(|(name, ..)| *name == document.name);
    let mut not_stored: BTreeMap<&str, &str> = not_stored.map(|(_, heading, reason)| (*heading, *reason)).collect();
    let mut wrong = Vec::new();
    for section in document.examples() {
        let (Ok(example), false) = (Example::read(section), section.confirmation.is_none()) else { continue };
        let heading = &section.heading;
        match (again(section, &example), not_stored.remove(heading.as_str())) {
            (Ok(true), None) | (Ok(false), Some(_)) => {}
            (Ok(true), Some(reason)) => wrong.push(format!("{heading}: is stored, although {reason}")),
            (Ok(false), None) => wrong.push(format!("{heading}: is compiled again")),
            (Err(reason), _) => wrong.push(format!("{heading}: {reason}")),
        }
    }
    wrong.extend(not_stored.keys().map(|heading| format!("{heading}: no such example")));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Whether the second process had the answer from the first.
fn again(section: &Section, example: &Example) -> Result<bool, String> {
    let version = example.usual_version().ok_or("it is for no version")?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = scratch.path().canonicalize().map_err(|error| error.to_string())?;
    let options = laid_out(&folder, example, version).map_err(|error| format!("{}: {error}", section.line))?;
    let [first, second] = ["first", "second"].map(|out| run(&folder, &options, out));
    let ((first, _), (second, kept)) = (first?, second?);
    match first == second {
        true => Ok(kept > 0),
        false => Err(format!("another process is told {second:?}\n  and the first was {first:?}")),
    }
}

/// Writes the example down; the options that compile it.
fn laid_out(folder: &Path, example: &Example, version: Language) -> std::io::Result<Vec<String>> {
    let given = catalog::given(example, version);
    let put = |path: &str, bytes: &[u8]| {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap_or(folder))?;
        fs::write(place, bytes)
    };
    fs::create_dir_all(folder.join("env"))?;
    given.files.iter().try_for_each(|(path, text)| put(&format!("env/{path}"), text))?;
    let trusted = json!({ "extensions": given.extensions });
    let known = json!({ "name": given.node, "trusted": trusted, "values": Map::clone(&given.facts) });
    put(&format!("facts/{}.json", given.node), known.to_string().as_bytes())?;
    let place = |name: &str| folder.join(name).display().to_string();
    // The folder is the environment that the node is in.
    let of_enc = given.enc.iter().flat_map(|enc| enc.lines()).find_map(|line| line.strip_prefix("environment: "));
    let name = of_enc.or(given.environment.as_deref()).unwrap_or("production");
    let mut options = vec!["--environment-dir".to_owned(), place("env"), "--environment".to_owned(), name.to_owned()];
    options.extend(["--puppet".to_owned(), version.name().to_owned(), "--facts".to_owned(), place("facts")]);
    if let Some(enc) = &given.enc {
        put(&format!("enc/{}.yaml", given.node), enc.as_bytes())?;
        options.extend(["--enc".to_owned(), "/bin/false".to_owned(), "--enc-answers".to_owned(), place("enc")]);
    }
    if let Some(list) = &given.exported {
        put("exported.json", Value::from(list.clone()).to_string().as_bytes())?;
        options.extend(["--exported".to_owned(), place("exported.json")]);
    }
    let strict = given.strict.map(|strict: Strict| ("strict", strict_name(strict).to_owned()));
    let variables = given.strict_variables.map(|flag| ("strict_variables", flag.to_string()));
    let more = given.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
    let settings = [("basemodulepath", String::new())].into_iter().chain(strict).chain(variables).chain(more);
    options.extend(settings.flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]));
    options.extend(given.tasks.then(|| "--tasks".to_owned()));
    Ok(options)
}

/// What is written by its file and what is said, without what is never the same; and how many answers come from the cache.
fn run(folder: &Path, options: &[String], out: &str) -> Result<(BTreeMap<String, String>, u64), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
    command.args(["fleet", "-q", "--format", "json", "--out", out]).args(options).current_dir(folder);
    command
        .env("PANTIN_CACHE", folder.join("cache"))
        .env("PANTIN_CACHE_KEY", "the key of these examples, long enough")
        .env("PANTIN_FENCE", "off");
    let ran = command.output().map_err(|error| error.to_string())?;
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    let mut written = BTreeMap::from([("said".to_owned(), format!("{} {said}", report["messages"]))]);
    for file in fs::read_dir(folder.join(out)).into_iter().flatten().flatten() {
        let bytes = fs::read(file.path()).map_err(|error| error.to_string())?;
        written.insert(file.file_name().to_string_lossy().into_owned(), String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok((written, report["summary"]["kept"].as_u64().unwrap_or_default()))
}

//! A fleet, the demo's or another: every node's catalog and log, by the command line of Pantin and by the real Puppet.
//!
//! Version and uuid aside, a catalog has to be the same text. The folder of the environment is called `/scratch` by both. What
//! is secret in the catalogs must not be readable in the cache.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use pantin::base::Language;
use serde_json::Value as Json;

use super::{client, hidden};

/// What one of the two says of a node.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    /// The catalog's text without what differs from run to run; none: there is no catalog.
    catalog: Option<String>,
    log: Vec<String>,
    error: Option<String>,
}

type Answers = BTreeMap<String, Answer>;

/// So many nodes that differ are shown.
const SHOWN: usize = 5;

/// What is asked for on the command line.
struct Options {
    language: Language,
    /// Names of nodes, none for all of them.
    only: Option<String>,
    repository: PathBuf,
    facts: PathBuf,
    /// Folders of modules beside those of the environment.
    modules: String,
}

/// The outer error is one of usage; the inner one says that there is no oracle.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    let options = options(arguments)?;
    Ok(compared(&options))
}

fn options(arguments: &[String]) -> Result<Options, String> {
    const USAGE: &str =
        "usage: compare fleet [7|8|openvox] [NODE,NODE...] [--repository FOLDER] [--facts FOLDER] [--modules PATH]";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut options = Options {
        language: Language::Puppet7,
        only: None,
        repository: root.join("fixtures/control-repo"),
        facts: root.join("fixtures/facts"),
        modules: String::new(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(USAGE);
        match argument.as_str() {
            "7" | "8" | "openvox" => options.language = Language::from_name(argument).unwrap_or_default(),
            "--repository" => options.repository = absolute(value()?)?,
            "--facts" => options.facts = absolute(value()?)?,
            "--modules" => {
                let folders: Result<Vec<PathBuf>, String> = value()?.split(':').map(absolute).collect();
                let folders = folders?.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>();
                options.modules = folders.join(":");
            }
            name if !name.starts_with("--") && options.only.is_none() => options.only = Some(name.to_owned()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

/// Both are told whole paths: what they say of a file is then the same.
fn absolute(path: impl AsRef<Path>) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| error.to_string())
}

fn compared(options: &Options) -> Result<bool, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let fleet = Fleet { options, scratch: scratch.path() };
    let theirs = fleet.ask_puppet()?;
    let ours = fleet.ask_pantin(theirs.keys(), "first")?;
    // Another process, which finds what the first one has kept.
    let kept = fleet.ask_pantin(theirs.keys(), "second")?;
    let leaked = fleet.leaked();
    if leaked > 0 {
        println!("{leaked} secrets of the catalogs can be read in the cache");
    }
    let forgotten = theirs.keys().filter(|node| ours.get(*node) != kept.get(*node)).count();
    if forgotten > 0 {
        println!("{forgotten} nodes are told something else by a second run, from the cache of the first");
    }
    let mut differing = forgotten + leaked;
    // What stops nodes here and not there, without what differs from node to node.
    let mut stopped: BTreeMap<String, usize> = BTreeMap::new();
    for (node, their) in &theirs {
        let our = ours.get(node).ok_or_else(|| format!("Pantin says nothing of {node}"))?;
        if our == their {
            continue;
        }
        differing += 1;
        match &our.error {
            Some(error) if their.error.is_none() => *stopped.entry(error.replace(node, "NODE")).or_default() += 1,
            _ if differing <= SHOWN => println!("{node}: {}", difference(our, their)),
            _ => {}
        }
    }
    for (error, count) in &stopped {
        println!("- {count} x {error}");
    }
    let version = options.language.release();
    let of = if options.modules.is_empty() { "nodes of the demo fleet" } else { "nodes" };
    println!("Puppet {version}: {} {of}, {differing} differ in catalog, log or error", theirs.len());
    Ok(differing == 0)
}

struct Fleet<'f> {
    options: &'f Options,
    scratch: &'f Path,
}

impl Fleet<'_> {
    /// Asks the real Puppet of all nodes, in as many processes as there are processors.
    fn ask_puppet(&self) -> Result<Answers, String> {
        let nodes = self.nodes()?;
        let count = std::thread::available_parallelism().map_or(1, usize::from).min(nodes.len());
        std::thread::scope(|scope| {
            let of_process = |process: usize| nodes.iter().skip(process).step_by(count).cloned().collect::<Vec<_>>();
            let processes: Vec<_> = (0..count)
                .map(|process| {
                    let nodes = of_process(process);
                    scope.spawn(move || self.ask_one_puppet(&nodes.join(","), &format!("puppet{process}.jsonl")))
                })
                .collect();
            let mut answers = Answers::new();
            for process in processes {
                answers.extend(process.join().map_err(|_| "a thread ended early")??);
            }
            Ok(answers)
        })
    }

    /// Returns the names of the nodes that are compared.
    fn nodes(&self) -> Result<Vec<String>, String> {
        if let Some(only) = &self.options.only {
            return Ok(only.split(',').map(str::to_owned).collect());
        }
        let folder = &self.options.facts;
        let files = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let names =
            files.flatten().filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".json")?.to_owned()));
        let mut names: Vec<String> = names.collect();
        names.sort();
        Ok(names)
    }

    fn ask_one_puppet(&self, nodes: &str, out: &str) -> Result<Answers, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let Options { language, repository, facts, modules, .. } = self.options;
        let out = self.scratch.join(out);
        let mut command = Command::new("ruby");
        // The library code of all modules, as a server has it.
        command.env("RUBYLIB", libraries(modules));
        command.arg(root.join("tests/oracle/fleet.rb")).args([repository, facts, &out]);
        command.args(client::option(*language)).args(["--nodes", nodes]);
        if !modules.is_empty() {
            command.arg("--set").arg(format!("basemodulepath={modules}"));
        }
        let output = command.output().map_err(|error| format!("no Ruby: {error}"))?;
        if !output.status.success() {
            return Err(format!("the oracle fails: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let text = std::fs::read_to_string(&out).map_err(|error| error.to_string())?;
        text.lines().map(their_answer).collect()
    }

    /// How many texts that are secret in the catalogs can be read in the cache.
    fn leaked(&self) -> usize {
        let files = std::fs::read_dir(self.scratch.join("first")).into_iter().flatten().flatten();
        let catalogs = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        let secrets = catalogs.flat_map(|text| hidden::secrets_of(&text)).collect();
        let shown = hidden::readable(&self.scratch.join("cache"), &secrets);
        println!("{} secrets in the catalogs", secrets.len());
        shown.len()
    }

    fn ask_pantin<'n>(&self, nodes: impl Iterator<Item = &'n String>, run: &str) -> Result<Answers, String> {
        let Options { language, repository, facts, modules, .. } = self.options;
        let out = self.scratch.join(run);
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(["compile", "--log-format", "puppet", "--environment", "production", "--environment-dir"]);
        command.arg(repository).args(["--puppet", language.name()]);
        command.arg("--out").arg(format!("{}/", out.display()));
        // With an empty PATH, and nothing of Ruby to be found, all is as ever.
        command.env_clear().env("PATH", "").env("PANTIN_CACHE", self.scratch.join("cache"));
        command.env("PANTIN_CACHE_KEY", "secrets of this comparison, long enough").env("PANTIN_FENCE", "off");
        command.arg("--facts").arg(facts).args(nodes);
        if !modules.is_empty() {
            command.arg("--set").arg(format!("basemodulepath={modules}"));
        }
        let output = command.output().map_err(|error| error.to_string())?;
        let folder = repository.display().to_string();
        let said = String::from_utf8_lossy(&output.stderr).replace(&folder, "/scratch");
        let mut answers = our_answers(&said);
        for (node, answer) in &mut answers {
            if let Ok(text) = std::fs::read_to_string(out.join(format!("{node}.json"))) {
                answer.catalog = Some(comparable(&text.replace(&folder, "/scratch"))?);
            }
        }
        Ok(answers)
    }
}

/// The folders `lib` of the modules.
pub(super) fn libraries(modules: &str) -> String {
    let folders = modules.split(':').filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut folders: Vec<String> = folders.map(|module| module.path().join("lib").display().to_string()).collect();
    folders.sort();
    folders.join(":")
}

fn their_answer(line: &str) -> Result<(String, Answer), String> {
    let json: Json = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let log = json["log"].as_array().into_iter().flatten().filter_map(|entry| text(&entry["text"]));
    let catalog = json["json"].as_str().map(comparable).transpose()?;
    let answer = Answer { catalog, log: log.collect(), error: text(&json["error"]["message"]) };
    Ok((text(&json["node"]).unwrap_or_default(), answer))
}

/// The lines of a node end with the one that says it was compiled, or with its error.
fn our_answers(said: &str) -> Answers {
    let mut answers = Answers::new();
    let mut log = Vec::new();
    for line in said.lines() {
        let compiled = line.strip_prefix("Notice: Compiled catalog for ").and_then(|rest| rest.split(' ').next());
        let failed = line.strip_prefix("Error: ");
        let node = compiled.or_else(|| failed.and_then(|text| text.rsplit(" on node ").next()));
        match node {
            Some(node) => {
                let error = failed.map(str::to_owned);
                answers.insert(node.to_owned(), Answer { catalog: None, log: std::mem::take(&mut log), error });
            }
            None => log.push(line.to_owned()),
        }
    }
    answers
}

/// The text without the version and the uuid, which stand one behind the other.
fn comparable(json: &str) -> Result<String, String> {
    let wrong = || "a catalog without version and uuid".to_owned();
    let (before, rest) = json.trim_end().split_once(r#""version":"#).ok_or_else(wrong)?;
    let (_, after) = rest.split_once(r#","code_id""#).ok_or_else(wrong)?;
    let (code, after) = after.split_once(r#""catalog_uuid":""#).ok_or_else(wrong)?;
    let (_, after) = after.split_once('"').ok_or_else(wrong)?;
    Ok(format!("{before}{code}{after}"))
}

fn difference(our: &Answer, their: &Answer) -> String {
    if our.error != their.error {
        return format!("error\n    Puppet: {:?}\n    Pantin: {:?}", their.error, our.error);
    }
    if our.log != their.log {
        let first = our.log.iter().zip(&their.log).find(|(our, their)| our != their);
        return format!("log of {} and {} lines, first {first:?}", our.log.len(), their.log.len());
    }
    let (our, their) = (our.catalog.as_deref().unwrap_or_default(), their.catalog.as_deref().unwrap_or_default());
    let at = our.bytes().zip(their.bytes()).take_while(|(our, their)| our == their).count();
    let around = |text: &str| {
        let start = at.saturating_sub(80);
        let bytes = &text.as_bytes()[start.min(text.len())..(at + 160).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    format!("catalog, at byte {at}\n    Puppet: {}\n    Pantin: {}", around(their), around(our))
}

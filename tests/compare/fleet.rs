//! The demo fleet: every node's catalog and log, by the command line of Pantin and by the real Puppet in one process.
//!
//! Version and uuid aside, a catalog has to be the same text. The folder of the environment is called `/scratch` by both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

/// What one of the two says of a node.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    /// The catalog's text without what differs from run to run; none: there is no catalog.
    catalog: Option<String>,
    log: Vec<String>,
    error: Option<String>,
}

type Answers = BTreeMap<String, Answer>;

/// `only`: names of nodes, none for all of them.
pub(super) fn run(eight: bool, only: Option<&str>) -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let fleet = Fleet { root, eight, only, scratch: scratch.path() };
    let theirs = fleet.ask_puppet()?;
    let ours = fleet.ask_pantin(theirs.keys())?;
    let mut differing = 0;
    for (node, their) in &theirs {
        let our = ours.get(node).ok_or_else(|| format!("Pantin says nothing of {node}"))?;
        if our != their {
            differing += 1;
            if differing <= 5 {
                println!("{node}: {}", difference(our, their));
            }
        }
    }
    let version = if eight { "8.10" } else { "7.23" };
    println!("Puppet {version}: {} nodes of the demo fleet, {differing} differ in catalog, log or error", theirs.len());
    Ok(differing == 0)
}

struct Fleet<'f> {
    root: &'f Path,
    eight: bool,
    only: Option<&'f str>,
    scratch: &'f Path,
}

impl Fleet<'_> {
    fn repository(&self) -> PathBuf {
        self.root.join("fixtures/control-repo")
    }

    fn facts(&self) -> PathBuf {
        self.root.join("fixtures/facts")
    }

    fn ask_puppet(&self) -> Result<Answers, String> {
        let out = self.scratch.join("puppet.jsonl");
        let mut command = Command::new("ruby");
        command.arg(self.root.join("tests/oracle/fleet.rb")).args([self.repository(), self.facts(), out.clone()]);
        if self.eight {
            command.arg("--puppet8");
        }
        if let Some(only) = self.only {
            command.args(["--nodes", only]);
        }
        let output = command.output().map_err(|error| format!("no Ruby: {error}"))?;
        if !output.status.success() {
            return Err(format!("the oracle fails: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let text = std::fs::read_to_string(&out).map_err(|error| error.to_string())?;
        text.lines().map(their_answer).collect()
    }

    fn ask_pantin<'n>(&self, nodes: impl Iterator<Item = &'n String>) -> Result<Answers, String> {
        let out = self.scratch.join("pantin");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.arg("compile").args(nodes).args(["--log-format", "puppet", "--environment", "production"]);
        command.arg("--environment-dir").arg(self.repository()).arg("--facts").arg(self.facts());
        command.args(["--puppet", if self.eight { "8" } else { "7" }]).arg("--out").arg(format!("{}/", out.display()));
        let output = command.output().map_err(|error| error.to_string())?;
        let folder = self.repository().display().to_string();
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

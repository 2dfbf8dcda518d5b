//! The commands, as a person runs them on a repository in a folder, and the nodes that each of them names.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::ways::Options;
use super::{Nodes, pantin};

/// A watcher that says nothing for so long has missed the edit.
const PATIENCE: Duration = Duration::from_secs(20);

/// After an edit was told, a second part of it would be told within this time.
const REST: Duration = Duration::from_millis(300);

/// All nodes, compiled with nothing kept: what each of them comes to.
pub(super) struct Compiled(BTreeMap<String, String>);

pub(super) fn compiled(options: Options, top: &Path) -> Compiled {
    let out = TempDir::new().unwrap();
    let mut command = pantin();
    command.args(["fleet", "-q", "--no-cache", "--format", "json", "--exported", "fleet", "--out"]).arg(out.path());
    let run = command.args(options.of(Path::new("."))).current_dir(top).output().unwrap();
    let report: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
    let messages = report["messages"].as_array().cloned().unwrap_or_default();
    let node = |node: &Value| {
        let name = node["name"].as_str().unwrap().to_owned();
        let said: Vec<&Value> = messages
            .iter()
            .filter(|message| message["nodes"].as_array().into_iter().flatten().any(|one| one == name.as_str()))
            .map(|message| &message["text"])
            .collect();
        let catalog = fs::read(out.path().join(format!("{name}.json"))).ok();
        let catalog = catalog.map(|bytes| without_places(serde_json::from_slice(&bytes).unwrap()));
        let text = format!("{} {} {said:?} {catalog:?}", node["ok"], node["environment"]);
        (name, text)
    };
    Compiled(report["nodes"].as_array().into_iter().flatten().map(node).collect())
}

/// A catalog as `watch` and `diff` compare it: an edit that only moves lines is no change.
fn without_places(mut catalog: Value) -> Value {
    catalog["version"] = json!(0);
    catalog["catalog_uuid"] = json!(0);
    for resource in catalog["resources"].as_array_mut().into_iter().flatten() {
        resource.as_object_mut().unwrap().remove("line");
        resource.as_object_mut().unwrap().remove("file");
        resource.as_object_mut().unwrap().remove("tags");
    }
    catalog
}

impl Compiled {
    /// Returns true if there is a node of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns true if nothing was compiled: the repository cannot be opened.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.0.keys().cloned()
    }

    /// Returns true if a node's catalog, log or error has this text in it.
    pub(super) fn says(&self, name: &str, text: &str) -> bool {
        self.0.get(name).is_some_and(|answer| answer.contains(text))
    }

    /// Returns how many nodes have no catalog.
    pub(super) fn failures(&self) -> usize {
        self.0.values().filter(|answer| answer.starts_with("false")).count()
    }

    /// Returns the nodes that come to something else, arrive or go.
    pub(super) fn changes(&self, new: &Compiled) -> Nodes {
        let names = self.0.keys().chain(new.0.keys());
        names.filter(|name| self.0.get(*name) != new.0.get(*name)).cloned().collect()
    }
}

/// The commands on one folder, with a cache of their own.
pub(super) struct Commands {
    options: Options,
    top: PathBuf,
    cache: TempDir,
}

impl Commands {
    pub(super) fn new(options: Options, top: &Path) -> Commands {
        Commands { options, top: top.to_owned(), cache: TempDir::new().unwrap() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = pantin();
        command.args(arguments).args(["--exported", "fleet"]).args(self.options.of(Path::new(".")));
        command.current_dir(&self.top).env("PANTIN_CACHE", self.cache.path());
        command.env("PANTIN_CACHE_KEY", "the key of these tests, long enough").env("PANTIN_FENCE", "off");
        command
    }

    /// Runs a command whose report is JSON. `Err`: it has none.
    fn report(&self, arguments: &[&str]) -> Result<Value, String> {
        let run = self.command(arguments).output().unwrap();
        let refused = || format!("{arguments:?}: {:?} {}", run.status.code(), String::from_utf8_lossy(&run.stderr));
        serde_json::from_slice(&run.stdout).map_err(|_| refused())
    }

    /// Returns the nodes that an edit of these paths may reach. Nodes of which it cannot say count as reached. `Err`: it refuses to
    /// say anything.
    pub(super) fn impact(&self, paths: &[String]) -> Result<Nodes, String> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.impacted(&[&["impact", "--quiet", "--format", "json"], &paths[..]].concat())
    }

    pub(super) fn impact_since(&self, revision: &str) -> Result<Nodes, String> {
        self.impacted(&["impact", "--quiet", "--format", "json", "--since", revision])
    }

    fn impacted(&self, arguments: &[&str]) -> Result<Nodes, String> {
        let report = self.report(arguments)?;
        let nodes = ["nodes", "unknown"].iter().flat_map(|key| report[*key].as_array().into_iter().flatten());
        Ok(nodes.filter_map(|node| node["name"].as_str().map(str::to_owned)).collect())
    }

    /// Returns the nodes of which `diff` says that something is different: their status, or what is said of them.
    pub(super) fn diff(&self, sides: &[&str]) -> Result<Nodes, String> {
        let report = self.report(&[&["diff"], sides, &["--quiet", "--format", "json"]].concat())?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let is_other = |node: &Value| node["status"] != "unchanged" && node["status"] != "failing";
        let nodes = list(&report["nodes"]).into_iter().filter(is_other).map(|node| node["name"].clone());
        let messages = list(&report["errors"]).into_iter().filter(|message| message["state"] != "same");
        let names = nodes.chain(messages.flat_map(|message| list(&message["nodes"])));
        Ok(names.map(|name| name.as_str().unwrap().to_owned()).collect())
    }

    /// Returns the files that nothing uses, as paths in the repository.
    pub(super) fn unused(&self) -> Nodes {
        let Ok(report) = self.report(&["unused", "--quiet", "--format", "json"]) else { return Nodes::new() };
        let items = report["unused"].as_array().into_iter().flatten();
        // A key of data stands in a file that is used.
        let files = items.filter(|item| item["kind"] != "key").filter_map(|item| item["file"].as_str());
        files.map(str::to_owned).collect()
    }

    pub(super) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "x"]);
    }

    pub(super) fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false", "-C"]);
        let ended = command.arg(&self.top).args(arguments).output().unwrap();
        assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

/// `pantin watch`, which was ready before the edit.
pub(super) struct Watcher {
    process: Child,
    events: Receiver<Value>,
}

impl Watcher {
    pub(super) fn start(commands: &Commands) -> Result<Watcher, String> {
        let mut command = commands.command(&["watch", "--format", "json"]);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let out = BufReader::new(process.stdout.take().unwrap());
        let (sender, events) = channel();
        let parse = |line: String| serde_json::from_str(&line).ok();
        thread::spawn(move || {
            out.lines().map_while(Result::ok).filter_map(parse).try_for_each(|event| sender.send(event))
        });
        let watcher = Watcher { process, events };
        let ready = watcher.events.recv_timeout(PATIENCE).map_err(|_| "watch is never ready")?;
        if ready["event"] == "ready" { Ok(watcher) } else { Err(format!("watch begins with {ready}")) }
    }

    /// Returns the nodes of which it tells that something is different, after it told of all of `expected`.
    pub(super) fn changed(&mut self, expected: &Nodes) -> Result<Nodes, String> {
        let mut told = Nodes::new();
        loop {
            let patience = if expected.is_subset(&told) { REST } else { PATIENCE };
            match self.events.recv_timeout(patience) {
                Ok(event) => told.extend(nodes_of_event(&event)),
                Err(_) => return Ok(told),
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn nodes_of_event(event: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let names = ["changed", "mended", "appeared", "gone"].iter().flat_map(|key| list(&event[*key]));
    let groups = ["errors", "log", "environments"]
        .iter()
        .flat_map(|key| list(&event[*key]))
        .flat_map(|group| list(&group["nodes"]));
    names.chain(groups).filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

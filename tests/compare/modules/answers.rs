//! The cases of each module, and what the real Puppet says of them: found and asked once, and kept.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pantin::base::Language;
use serde_json::{Map, Value as Json};

use super::systems;
use crate::client;

/// The catalog's text, or the error.
pub(super) type Outcome = Result<String, String>;

/// Which node on which system.
pub(super) type Key = (String, String);

/// A node that declares something.
pub(super) struct Case {
    pub(super) node: String,
    /// The class or definition.
    pub(super) subject: String,
    /// Who has it so: the defaults, a spec, a document.
    pub(super) from: String,
    pub(super) systems: Vec<String>,
    /// Beside those of the system.
    pub(super) facts: Map<String, Json>,
}

/// A folder with cases and answers.
pub(super) struct Answers<'f> {
    pub(super) folder: &'f Path,
    pub(super) language: Language,
}

impl Answers<'_> {
    fn version(&self) -> &'static str {
        self.language.name()
    }

    fn script(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/modules").join(name)
    }

    pub(super) fn facts_folder(&self) -> PathBuf {
        self.folder.join(format!("facts-{}", self.version()))
    }

    fn answers_file(&self, module: &str) -> PathBuf {
        self.folder.join("answers").join(self.version()).join(format!("{module}.jsonl"))
    }

    /// The modules that have cases, those with the fewest first.
    pub(super) fn prepare(&self, only: &[String]) -> Result<Vec<String>, String> {
        if systems::write_all(&self.facts_folder(), self.language)? {
            // What was answered for other facts; there may be none.
            let _ = std::fs::remove_dir_all(self.folder.join("answers").join(self.version()));
        }
        let mut command = Command::new("ruby");
        command.arg(Self::script("cases.rb")).arg(self.folder).arg(self.facts_folder()).args(only);
        let output = command.output().map_err(|error| format!("no Ruby: {error}"))?;
        if !output.status.success() {
            return Err(format!("the cases are not found: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut modules = Vec::new();
        for name in names.lines() {
            modules.push((self.cases(name)?.len(), name.to_owned()));
        }
        modules.sort();
        Ok(modules.into_iter().map(|(_, name)| name).collect())
    }

    /// Asks, in two processes, and says which modules have been answered in time. What is known is not asked again.
    pub(super) fn ask(&self, modules: &[String], budget: Duration) -> Result<Vec<String>, String> {
        let end = Instant::now() + budget;
        let mut answered = Vec::new();
        for module in modules {
            if self.is_answered(module)? {
                answered.push(module.clone());
            }
        }
        let open: Vec<&String> = modules.iter().filter(|module| !answered.contains(module)).collect();
        let left = Mutex::new(open.into_iter());
        let done = Mutex::new(answered);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..2).map(|_| scope.spawn(|| self.work(&left, &done, end))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a panic".to_owned())?)
        })?;
        let done = done.into_inner().map_err(|_| "a panic")?;
        Ok(modules.iter().filter(|module| done.contains(module)).cloned().collect())
    }

    fn work(
        &self,
        left: &Mutex<std::vec::IntoIter<&String>>,
        done: &Mutex<Vec<String>>,
        end: Instant,
    ) -> Result<(), String> {
        if Instant::now() >= end || left.lock().map_err(|_| "a panic")?.len() == 0 {
            return Ok(());
        }
        let mut command = Command::new("ruby");
        command.arg(Self::script("answers.rb")).arg(self.folder).arg(self.facts_folder());
        command.args(client::option(self.language));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| format!("no Ruby: {error}"))?;
        let mut to = process.stdin.take().ok_or("no standard input")?;
        let mut from = BufReader::new(process.stdout.take().ok_or("no standard output")?).lines();
        while let Some(module) = left.lock().map_err(|_| "a panic")?.next().filter(|_| Instant::now() < end) {
            writeln!(to, "{module}").map_err(|error| format!("the oracle is gone: {error}"))?;
            match from.next() {
                Some(Ok(name)) => done.lock().map_err(|_| "a panic")?.push(name),
                _ => return Err(format!("the oracle ends at {module}")),
            }
        }
        drop(to);
        process.wait().map(|_| ()).map_err(|error| error.to_string())
    }

    /// Everything that was answered of the cases of a module.
    pub(super) fn of(&self, module: &str) -> Result<BTreeMap<Key, Outcome>, String> {
        let path = self.answers_file(module);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        text.lines().filter_map(|line| answer(line).transpose()).collect()
    }

    fn is_answered(&self, module: &str) -> Result<bool, String> {
        let path = self.answers_file(module);
        if !path.exists() {
            return Ok(false);
        }
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let keys: BTreeSet<Key> = text.lines().map(|line| key(&parsed(line)?)).collect::<Result<_, String>>()?;
        let asked = |case: &Case| case.systems.iter().all(|os| keys.contains(&(case.node.clone(), os.clone())));
        Ok(self.cases(module)?.iter().all(asked))
    }

    /// The nodes of a module.
    pub(super) fn cases(&self, module: &str) -> Result<Vec<Case>, String> {
        let path = self.folder.join("cases").join(format!("{module}.jsonl"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let case = |line: &str| {
            let json = parsed(line)?;
            let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
            let systems = json["systems"].as_array().into_iter().flatten().filter_map(Json::as_str);
            let systems = systems.map(str::to_owned).collect();
            let facts = json["facts"].as_object().cloned().unwrap_or_default();
            Ok(Case { node: text("node"), subject: text("subject"), from: text("from"), systems, facts })
        };
        text.lines().map(case).collect()
    }
}

fn parsed(line: &str) -> Result<Json, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}

fn key(json: &Json) -> Result<Key, String> {
    let text = |name: &str| json[name].as_str().map(str::to_owned);
    text("node").zip(text("os")).ok_or_else(|| "an answer of nobody".to_owned())
}

/// `None`: the real Puppet did not come to an end.
fn answer(line: &str) -> Result<Option<(Key, Outcome)>, String> {
    let json = parsed(line)?;
    let text = |name: &str| json[name].as_str().map(str::to_owned);
    if json["timeout"] == true {
        return Ok(None);
    }
    let key = key(&json)?;
    let outcome = match (text("error"), text("json")) {
        (None, Some(catalog)) => Ok(at_usual_places(&catalog)),
        (error, _) => Err(error.unwrap_or_default()),
    };
    Ok(Some((key, outcome)))
}

/// The oracle has its folders in one that is made for each run; what code says of `$settings::confdir` is told of the
/// usual ones.
fn at_usual_places(text: &str) -> String {
    const MADE: &str = "/tmp/oracle";
    const FOLDERS: [(&str, &str); 2] = [("confdir", "/etc/puppetlabs/puppet"), ("codedir", "/etc/puppetlabs/code")];
    let mut pieces = text.split(MADE);
    let mut told = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let found = piece
            .split_once('/')
            .and_then(|(_, below)| FOLDERS.iter().find_map(|(name, usual)| Some((usual, below.strip_prefix(name)?))));
        match found {
            Some((usual, rest)) => told.extend([usual, rest]),
            None => told.extend([MADE, piece]),
        }
    }
    told
}

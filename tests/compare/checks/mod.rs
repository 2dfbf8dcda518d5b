//! Checks of resources, compared with what the real agent refuses: on resources made at random, and on every catalog of a fleet.
//!
//! What the agent takes must never be refused here; of what it refuses, hardly anything may be missed.

mod catalogs;
mod module_types;
mod resources;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use pantin::apply::{NoModulePlugins, NodeSystem, check_catalog};
use pantin::base::Language;
use pantin::model::catalog::Catalog;
use pantin::values::{Hash, Value};
use serde_json::{Value as Json, json};

use super::client;
use super::random::numbers::Numbers;
use resources::Kind;

/// The types whose checks are known here.
const TYPES: [&str; 23] = [
    "augeas",
    "cron",
    "exec",
    "file",
    "filebucket",
    "group",
    "host",
    "mailalias",
    "mount",
    "notify",
    "package",
    "resources",
    "schedule",
    "selboolean",
    "selmodule",
    "service",
    "ssh_authorized_key",
    "sshkey",
    "stage",
    "tidy",
    "user",
    "whit",
    "yumrepo",
];

/// Systems whose nodes the resources are for: kernel, name, family, release.
const SYSTEMS: [[&str; 4]; 7] = [
    ["Linux", "Debian", "Debian", "12"],
    ["Linux", "RedHat", "RedHat", "9"],
    ["Linux", "Debian", "Debian", "7"],
    ["Linux", "SLES", "Suse", "15"],
    ["Linux", "Ubuntu", "Debian", "24.04"],
    ["Linux", "CentOS", "RedHat", "7"],
    ["windows", "windows", "windows", "2022"],
];

/// So many resources are asked for at once.
const AT_ONCE: usize = 250;

/// So many differences are shown.
const SHOWN: usize = 60;

/// The share of refused resources that must be found, in hundredths.
const FOUND_AT_LEAST: f64 = 98.0;

struct Options {
    seed: u64,
    count: usize,
    language: Language,
    show: usize,
    repository: Option<PathBuf>,
    facts: PathBuf,
    modules: Option<String>,
    /// Types of modules are drawn, of the modules in these folders.
    types_of: Option<String>,
}

/// The outer error is one of usage; the inner one says that there is no oracle.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    const USAGE: &str = "usage: compare checks [--seed N] [--count N] [--puppet 7|8] [--show N] \
                         [--repository FOLDER --facts FOLDER [--modules PATH]] [--types-of PATH]";
    let mut options = Options {
        seed: 1,
        count: 10_000,
        language: Language::Puppet7,
        show: SHOWN,
        repository: None,
        facts: PathBuf::new(),
        modules: None,
        types_of: None,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().ok_or(USAGE)?;
        let number = || value.parse::<u64>().map_err(|_| USAGE);
        match argument.as_str() {
            "--seed" => options.seed = number()?,
            "--count" => options.count = number()? as usize,
            "--show" => options.show = number()? as usize,
            "--puppet" => options.language = Language::from_name(value).ok_or("--puppet: 7, 8 or openvox")?,
            "--repository" => options.repository = Some(PathBuf::from(value)),
            "--facts" => options.facts = PathBuf::from(value),
            "--modules" => options.modules = Some(value.clone()),
            "--types-of" => options.types_of = Some(value.clone()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(match (&options.repository, &options.types_of) {
        (Some(repository), _) => catalogs::compare(repository, &options),
        (None, Some(modules)) => module_types::compare(modules, &options),
        (None, None) => at_random(&options),
    })
}

/// What was compared so far.
#[derive(Default)]
struct Tally {
    /// Types of modules count as well: of these nobody has to find what the agent refuses.
    takes_all_types: bool,
    resources: usize,
    refused: usize,
    /// The agent takes what is refused here.
    false_alarms: Vec<String>,
    missed: Vec<String>,
    in_other_words: Vec<String>,
}

impl Tally {
    /// Compares what both say of the resources of a catalog, by their references.
    fn compare(&mut self, catalog: &Json, theirs: &BTreeMap<String, String>, ours: &BTreeMap<String, String>) {
        for resource in catalog["resources"].as_array().into_iter().flatten() {
            let text = |name: &str| resource[name].as_str().unwrap_or_default();
            if !self.takes_all_types && !TYPES.contains(&text("type").to_lowercase().as_str()) {
                continue;
            }
            self.resources += 1;
            let reference = format!("{}[{}]", text("type"), text("title"));
            let shown = || format!("{reference} {}", resource["parameters"]);
            match (theirs.get(&reference), ours.get(&reference)) {
                (None, None) => {}
                (None, Some(ours)) => self.false_alarms.push(format!("{}\n  here:   {ours}", shown())),
                (Some(theirs), None) => {
                    self.refused += 1;
                    self.missed.push(format!("{}\n  Puppet: {theirs}", shown()));
                }
                (Some(theirs), Some(ours)) => {
                    self.refused += 1;
                    if words(ours) != words(theirs) {
                        self.in_other_words.push(format!("{}\n  here:   {ours}\n  Puppet: {theirs}", shown()));
                    }
                }
            }
        }
    }

    fn report(&self, what: &str, show: usize) -> bool {
        let lists = [
            ("refused here alone", &self.false_alarms),
            ("refused by Puppet alone", &self.missed),
            ("in other words", &self.in_other_words),
        ];
        for (title, list) in lists {
            for one in list.iter().take(show) {
                println!("{title}: {one}");
            }
        }
        let percent = |part: usize| if self.refused == 0 { 0.0 } else { 100.0 * part as f64 / self.refused as f64 };
        let found = 100.0 - percent(self.missed.len());
        println!(
            "{what}: {} resources, {} refused by Puppet, {found:.1}% of them here; {} refused here alone, {} in other words ({:.1}%)",
            self.resources,
            self.refused,
            self.false_alarms.len(),
            self.in_other_words.len(),
            percent(self.in_other_words.len())
        );
        self.false_alarms.is_empty() && (self.takes_all_types || found >= FOUND_AT_LEAST)
    }
}

/// Returns a message without what Ruby adds to an error of its own: the code, and where an object lies.
fn words(message: &str) -> &str {
    let message = message.split_once("\n\n").map_or(message, |(message, _)| message);
    message.split_once(" for #<").map_or(message, |(message, _)| message).trim_end()
}

fn at_random(options: &Options) -> Result<bool, String> {
    let mut oracle = Oracle::start(options.language, None)?;
    let described = oracle.ask(&json!({"describe": TYPES}))?;
    let kinds: Vec<Kind> = TYPES.iter().filter_map(|name| Kind::from_json(name, &described["types"][*name])).collect();
    if kinds.len() != TYPES.len() {
        return Err("the oracle does not know all types; run tests/oracle/setup".to_owned());
    }
    // Of these there is nothing to be drawn.
    let drawn: Vec<&Kind> = kinds.iter().filter(|kind| !["stage", "whit"].contains(&kind.name.as_str())).collect();
    let mut numbers = Numbers::new(options.seed);
    let mut tally = Tally::default();
    let mut made = 0;
    while made < options.count {
        let wanted = AT_ONCE.min(options.count - made);
        let mut resources: Vec<Json> = (made..made + wanted)
            .map(|number| drawn[numbers.below(drawn.len())].resource(number, &mut numbers))
            .collect();
        made += wanted;
        let facts = facts_of(SYSTEMS[numbers.below(SYSTEMS.len())]);
        // Nobody here judges accounts of Windows.
        let is_account = |one: &Json| one["type"].as_str().is_some_and(|name| ["User", "Group"].contains(&name));
        resources.retain(|one| facts["kernel"] != "windows" || !is_account(one));
        let catalog = catalog_of(resources);
        let theirs = oracle.refused(&facts, &catalog)?;
        tally.compare(&catalog, &theirs, &refused_here(&facts, &catalog, options)?);
    }
    Ok(tally.report(&format!("seed {}, Puppet {}", options.seed, version(options)), options.show))
}

fn language(options: &Options) -> Language {
    options.language
}

fn version(options: &Options) -> &'static str {
    options.language.release()
}

fn catalog_of(mut resources: Vec<Json>) -> Json {
    // Titles of a few types say what they are about, and come twice.
    let mut known = std::collections::BTreeSet::new();
    resources.retain(|resource| known.insert((resource["type"].to_string(), resource["title"].to_string())));
    json!({"name": "n", "version": 1, "environment": "production", "tags": [], "classes": [], "edges": [], "resources": resources})
}

fn facts_of([kernel, name, family, major]: [&str; 4]) -> Json {
    json!({"kernel": kernel, "os": {"name": name, "family": family, "release": {"major": major, "full": major}}})
}

/// Returns the messages about refused resources, by their references.
fn refused_here(facts: &Json, catalog: &Json, options: &Options) -> Result<BTreeMap<String, String>, String> {
    let Value::Hash(facts) = value(facts) else { return Err("facts are a hash".to_owned()) };
    let facts: Hash = facts;
    let catalog = Catalog::read(&catalog.to_string()).map_err(|error| error.to_string())?;
    let refusals = check_catalog(&catalog, &NodeSystem::from_facts(&facts, language(options)), &NoModulePlugins);
    Ok(refusals
        .into_iter()
        .map(|refusal| (catalog.resources[refusal.resource as usize].reference(), refusal.message))
        .collect())
}

fn value(json: &Json) -> Value {
    match json {
        Json::Object(members) => {
            Value::hash(members.iter().map(|(name, member)| (Value::from(name.as_str()), value(member))))
        }
        Json::Array(items) => Value::array(items.iter().map(value)),
        Json::String(text) => Value::from(text.as_str()),
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Number(number) => number.as_i64().map_or(Value::Undef, Value::Integer),
        Json::Null => Value::Undef,
    }
}

/// The real Puppet, in one process.
struct Oracle {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// `libraries`: where the Ruby of modules is whose types the catalogs may have.
    fn start(language: Language, libraries: Option<&str>) -> Result<Oracle, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/checks.rb");
        let mut command = Command::new("ruby");
        command.arg(script).args(client::option(language));
        if let Some(libraries) = libraries {
            command.env("RUBYLIB", libraries);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("ruby cannot be started: {error}"))?;
        let answers = process.stdout.take().map(BufReader::new).ok_or("the oracle has no output")?;
        Ok(Oracle { process, answers })
    }

    fn ask(&mut self, question: &Json) -> Result<Json, String> {
        let lost = |_| "the oracle does not answer; run tests/oracle/setup".to_owned();
        let input = self.process.stdin.as_mut().ok_or("the oracle has no input")?;
        writeln!(input, "{question}").map_err(lost)?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(lost)?;
        serde_json::from_str(&line).map_err(|_| "the oracle does not answer; run tests/oracle/setup".to_owned())
    }

    fn refused(&mut self, facts: &Json, catalog: &Json) -> Result<BTreeMap<String, String>, String> {
        let answer = self.ask(&json!({"facts": facts, "catalog": catalog.to_string()}))?;
        let pairs = answer["refused"].as_array().into_iter().flatten();
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        Ok(pairs.map(|pair| (text(&pair[0]), text(&pair[1]))).collect())
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

//! The catalog of one node from files in memory, by Pantin. What is given, and what comes of it.
//!
//! Each request is compiled in several ways, which must all come to what a fresh run comes to. Knows nothing of where
//! what is given comes from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use pantin::base::{Language, Severity, Strict};
use pantin::compile::NodeRequest;
use pantin::compile::catalog::{Compilation, EnvironmentMemos, Site};
use pantin::eval::{Builtins, Settings as EvalSettings};
use pantin::model::catalog::Sent;
use pantin::model::trace::{Level, Secrets, Traces};
use pantin::values::data::yaml;
use pantin::values::{Digest, Hash, Str, Timestamp, Value as PantinValue};
use pantin::world::environment::{Environment, Environments, LoadedEnvironment};
use pantin::world::facts::sanitize;
use pantin::world::load::Modules;
use pantin::world::node::{NodeClasses, NodeData, Server};
use pantin::world::settings::Settings;
use pantin::world::{Disk, Entry, ExportedResource, ReadError, Remark, list_folder, node};
use serde_json::{Map, Value};

/// The folder of the environment.
pub(crate) const ROOT: &str = "/scratch";
const UUID: &str = "00000000-0000-0000-0000-000000000000";

/// An environment and a node.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) language: Language,
    /// By their path in the folder of the environment.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) node: String,
    /// The name of the environment, when it is not `production`.
    pub(crate) environment: Option<String>,
    pub(crate) facts: Map<String, Value>,
    /// The extensions of the node's certificate.
    pub(crate) extensions: Map<String, Value>,
    /// What an ENC prints for the node, YAML; `None`: there is no ENC.
    pub(crate) enc: Option<String>,
    /// What other nodes have exported; `None`: there is no such store.
    pub(crate) exported: Option<Vec<Value>>,
    pub(crate) strict: Option<Strict>,
    pub(crate) strict_variables: Option<bool>,
    pub(crate) tasks: bool,
    /// Other settings of Puppet's, as they are written.
    pub(crate) settings: BTreeMap<String, String>,
}

impl Given {
    /// `Err` within: what is wrong with the environment, which a node is told.
    pub(crate) fn environment(&self) -> Result<Result<LoadedEnvironment, String>, String> {
        let mut settings = Settings::new(self.language, self.disk());
        // As the oracle has it: no modules but those of the environment.
        settings.set("basemodulepath", "")?;
        for (name, value) in &self.settings {
            settings.set(name, value)?;
        }
        if let Some(strict) = self.strict {
            settings.set("strict", strict_name(strict))?;
        }
        let enc = self.enc()?;
        let name = enc.get_str("environment").and_then(PantinValue::as_str).map(str::to_owned);
        let name = name.or_else(|| self.environment.clone()).unwrap_or_else(|| "production".to_owned());
        Ok(Environments { settings: &settings }.in_folder(&name, Path::new(ROOT)))
    }

    fn disk(&self) -> Arc<dyn Disk> {
        let files = self.files.iter();
        let mut files: Vec<_> =
            files.map(|(path, text)| (PathBuf::from(format!("{ROOT}/{path}")), text.clone())).collect();
        // A folder without files is one nevertheless.
        files.push((PathBuf::from(format!("{ROOT}/.exists")), Vec::new()));
        Arc::new(Files(files))
    }

    fn eval_settings(&self) -> EvalSettings {
        let usual = EvalSettings::from_language(self.language);
        EvalSettings {
            strict: self.strict.unwrap_or(usual.strict),
            strict_variables: self.strict_variables.unwrap_or(usual.strict_variables),
            ..usual
        }
    }

    /// What the classifier says: YAML, as Puppet reads it.
    fn enc(&self) -> Result<Hash, String> {
        let Some(text) = self.enc.as_deref() else { return Ok(Hash::default()) };
        let options = yaml::Options { symbols: yaml::Symbols::Text, ..yaml::Options::default() };
        match yaml::load(text.as_bytes(), "<unknown>", options).map_err(|error| format!("`enc`: {error}"))? {
            PantinValue::Hash(enc) => Ok(enc),
            _ => Err("`enc`: no hash".to_owned()),
        }
    }

    fn node_data(&self, environment: &str) -> Result<NodeData, String> {
        let enc = self.enc()?;
        let server = Server {
            name: "puppet.example.org".to_owned(),
            address: "192.0.2.1".to_owned(),
            ..Server::new(self.language)
        };
        Ok(NodeData {
            name: self.node.clone(),
            facts: sanitize(&hash(&self.facts)),
            trusted: node::trusted_facts(&self.node, hash(&self.extensions)),
            server_facts: server.facts(environment),
            classes: enc.get_str("classes").map(classes).unwrap_or_default(),
            parameters: enc.get_str("parameters").and_then(members_of).unwrap_or_default(),
        })
    }
}

/// What Pantin says. `Err`: it says different things of one request, or what is given is not to be understood.
pub(crate) fn compile(given: &Given, functions: &'static Builtins) -> Result<Answer, String> {
    let LoadedEnvironment { environment, remarks } = match given.environment()? {
        Ok(loaded) => loaded,
        Err(error) => return Ok(Answer { log: Vec::new(), result: Err(error) }),
    };
    let (site, request, more) = prepared(given, environment, functions)?;
    let said: Vec<String> = remarks.iter().chain(&more).map(console_line).collect();
    let answer = all_ways(&site, &request)?;
    Ok(Answer { log: [said, answer.log].concat(), ..answer })
}

/// What answers, what is asked, and what the modules have to say.
pub(crate) fn prepared(
    given: &Given,
    environment: Arc<Environment>,
    functions: &'static Builtins,
) -> Result<(Site, NodeRequest, Vec<Remark>), String> {
    let settings = given.eval_settings();
    let folder = environment.folder.as_deref();
    let (modules, remarks) =
        Modules::list(given.disk(), &environment.modulepath, folder, settings.strict, settings.language)?;
    let site = Site::load(&environment, modules, settings, given.tasks, functions, &EnvironmentMemos::default());
    let exports = given.exported.as_ref().map(|list| ExportedResource::list(&Value::from(list.clone()).to_string()));
    let request = NodeRequest {
        node: Arc::new(given.node_data(&environment.name)?),
        environment,
        now: Timestamp::from_seconds(0),
        version: PantinValue::Integer(1),
        collects_exported: given.exported.is_some(),
        answers: Arc::default(),
        exports: Arc::new(exports.transpose()?.unwrap_or_default()),
        seconds: pantin::base::limits::NODE_SECONDS,
    };
    Ok((site, request, remarks))
}

fn console_line(remark: &Remark) -> String {
    let label = if remark.severity == Severity::Error { "Error" } else { "Warning" };
    format!("{label}: {}", remark.text)
}

/// As the setting has it.
pub(crate) fn strict_name(strict: Strict) -> &'static str {
    match strict {
        Strict::Off => "off",
        Strict::Warning => "warning",
        Strict::Error => "error",
    }
}

/// An answer as texts: what is logged, and the catalog's JSON or the error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) log: Vec<String>,
    pub(crate) result: Result<String, String>,
}

pub(crate) fn answer(site: &Site, request: &NodeRequest, traces: Option<&Traces>) -> Answer {
    as_texts(site.compile(request, traces))
}

fn as_texts(compiled: Compilation) -> Answer {
    let Compilation { log, result, .. } = compiled;
    let log = log.into_iter().filter(|line| line.level >= Level::Notice).map(|line| line.text).collect();
    let result = match result {
        Ok(catalog) => {
            let sent = Sent { catalog: &catalog, uuid: UUID };
            sent.to_json().map_err(|error| format!("no JSON: {error}"))
        }
        Err(ended) => Err(ended.text),
    };
    Answer { log, result }
}

/// Compiles with nothing known, with each evaluation recorded, again from the traces, for another node with one fact changed, and for both of
/// them at once; says what is not as a fresh run has it.
fn all_ways(site: &Site, request: &NodeRequest) -> Result<Answer, String> {
    let traces = Traces::new(Digest::from_text("specs"), Secrets::new([7; 32]));
    let mut node = NodeData::clone(&request.node);
    node.facts = with_one_fact_changed(&node.facts);
    let other = NodeRequest { node: Arc::new(renamed(node)), ..request.clone() };
    let fresh = answer(site, request, None);
    same("with each evaluation recorded", &fresh, &as_texts(site.compile_recorded(request).0))?;
    same("recorded", &fresh, &answer(site, request, Some(&traces)))?;
    same("replayed", &fresh, &answer(site, request, Some(&traces)))?;
    let fresh_other = answer(site, &other, None);
    same("walked for another node", &fresh_other, &answer(site, &other, Some(&traces)))?;
    same("walked for the first node again", &fresh, &answer(site, request, Some(&traces)))?;
    let traces = Traces::new(Digest::from_text("specs"), Secrets::new([7; 32]));
    let at_once = thread::scope(|scope| {
        let one = |request| {
            let traces = &traces;
            scope.spawn(move || answer(site, request, Some(traces)))
        };
        let threads = [request, &other, request, &other].map(one);
        threads.map(|thread| thread.join().map_err(|_| "Pantin panicked beside another node".to_owned()))
    });
    for (answer, fresh) in at_once.into_iter().zip([&fresh, &fresh_other, &fresh, &fresh_other]) {
        same("beside another node", fresh, &answer?)?;
    }
    Ok(fresh)
}

fn same(how: &str, fresh: &Answer, other: &Answer) -> Result<(), String> {
    if fresh == other {
        return Ok(());
    }
    let text = |answer: &Answer| {
        let (Ok(text) | Err(text)) = &answer.result;
        format!("{}\n{}", answer.log.join("\n"), in_lines(text))
    };
    Err(format!("{how}, it is another:\n{}\nand fresh:\n{}", text(other), text(fresh)))
}

fn renamed(node: NodeData) -> NodeData {
    let name = "other.example.com".to_owned();
    NodeData { trusted: node::trusted_facts(&name, Hash::default()), name, ..node }
}

/// A catalog with a line for each resource, so that a difference is seen.
pub(crate) fn in_lines(json: &str) -> String {
    json.replace("},{\"", "},\n{\"")
}

/// All the files that there are.
struct Files(Vec<(PathBuf, Vec<u8>)>);

impl Disk for Files {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.iter().find(|(file, _)| file == path).map(|(_, text)| text.clone()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.iter().any(|(file, _)| file.starts_with(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_folder(self.0.iter().map(|(file, _)| file.as_path()), folder))
    }
}

fn classes(classes: &PantinValue) -> NodeClasses {
    let name = |value: &PantinValue| value.as_str().map(Str::from);
    match classes {
        PantinValue::Hash(entries) => {
            let entries = entries.iter();
            NodeClasses::WithParameters(entries.filter_map(|(key, of)| Some((name(key)?, members_of(of)))).collect())
        }
        PantinValue::Array(items) => NodeClasses::Names(items.iter().filter_map(name).collect()),
        single => NodeClasses::Names(name(single).into_iter().collect()),
    }
}

fn members_of(value: &PantinValue) -> Option<Hash> {
    if let PantinValue::Hash(hash) = value { Some(hash.clone()) } else { None }
}

/// As the oracle takes them: a null within a fact is an empty string there.
pub(crate) fn from_json(value: &Value) -> PantinValue {
    match value {
        Value::Null => PantinValue::Undef,
        Value::Bool(value) => PantinValue::Boolean(*value),
        Value::Number(number) => match number.as_i64() {
            Some(number) => PantinValue::Integer(number),
            None => PantinValue::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => PantinValue::array(items.iter().map(from_json)),
        Value::Object(entries) => PantinValue::Hash(hash(entries)),
    }
}

pub(crate) fn hash(entries: &Map<String, Value>) -> Hash {
    entries.iter().map(|(key, value)| (key.as_str().into(), from_json(value))).collect()
}

/// The first fact that is a string or a number, at any depth of hashes, becomes another one.
pub(crate) fn with_one_fact_changed(facts: &Hash) -> Hash {
    let mut done = false;
    let change = |(key, value): (&PantinValue, &PantinValue)| {
        let value = match value {
            PantinValue::String(text) if !done => PantinValue::from(format!("{text}x")),
            PantinValue::Integer(number) if !done => PantinValue::Integer(number.wrapping_add(1)),
            PantinValue::Hash(inner) if !done => PantinValue::Hash(with_one_fact_changed(inner)),
            other => other.clone(),
        };
        done |= facts.get(key) != Some(&value);
        (key.clone(), value)
    };
    facts.iter().map(change).collect()
}

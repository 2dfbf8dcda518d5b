//! Where an example meets the compiler of catalogs. The one place to change when its interface changes.
//!
//! Each request is compiled in several ways, which must all come to what a fresh run comes to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use pantin::base::Severity;
use pantin::builtins;
use pantin::catalog::Sent;
use pantin::compile::NodeRequest;
use pantin::compile::catalog::{Compiled, Site};
use pantin::data::yaml;
use pantin::eval::Settings as EvalSettings;
use pantin::load::Modules;
use pantin::pcore::{Digest, Hash, Str, Timestamp, Value};
use pantin::syntax::Language;
use pantin::trace::{Level, Secrets, Traces};
use pantin::world::environment::{Environment, Environments, Loaded};
use pantin::world::facts::sanitized;
use pantin::world::node::{NodeClasses, NodeData, trusted};
use pantin::world::settings::Settings;
use pantin::world::{Disk, Entry, ExportedResource, ReadError, Remark, list_of};

use super::evaluation::{ROOT, hash, with_one_fact_changed};
use super::example::{Example, Version};
use super::given;
use super::rendering;
use super::said::Said;

/// A catalog's JSON as a block `catalog` has it: to be read, or as it stands.
pub(super) fn shown(json: &str, as_it_stands: bool) -> Result<String, String> {
    if as_it_stands { Ok(json.to_owned()) } else { rendering::render(json) }
}

/// What Pantin says.
pub(super) fn compile(example: &Example, version: Version) -> Result<Said, String> {
    let (environment, mut said) = match environment(example, version)? {
        Ok(Loaded { environment, remarks }) => (environment, remarks.iter().map(remark).collect::<Vec<String>>()),
        Err(error) => return Ok(Said::compiled(None, &[], Some(&error))),
    };
    let (site, request, remarks) = prepared(example, version, environment)?;
    said.extend(remarks.iter().map(remark));
    let answer = all_ways(&site, &request)?;
    let json = example.settings.json;
    let catalog = answer.result.as_ref().ok().map(|catalog| shown(catalog, json)).transpose()?;
    let log = [said, answer.log].concat();
    Ok(Said::compiled(catalog.as_deref(), &log, answer.result.err().as_deref()))
}

/// What answers the example, what is asked, and what the modules have to say.
fn prepared(
    example: &Example,
    version: Version,
    environment: Arc<Environment>,
) -> Result<(Site, NodeRequest, Vec<Remark>), String> {
    let language = language(version);
    let settings = EvalSettings {
        strict: example.settings.for_version(version).strict,
        strict_variables: example.settings.strict_variables.unwrap_or(version == Version::Eight),
        ..EvalSettings::of(language)
    };
    let folder = environment.folder.as_deref();
    let (modules, remarks) = Modules::list(disk(example), &environment.modulepath, folder, settings.strict)?;
    let site = Site::load(&environment, modules, settings, example.settings.tasks, builtins::all());
    let request = NodeRequest {
        node: Arc::new(node(example, version)?),
        environment,
        now: Timestamp::from_seconds(0),
        version: Value::Integer(1),
        collects_exported: example.surroundings.exported.is_some(),
        exports: Arc::new(exports(example)?),
    };
    Ok((site, request, remarks))
}

/// CPU seconds of one catalog and its JSON once all is loaded, without traces and with those of earlier ones; nothing
/// for one that fails. `seconds`: how long each is measured.
pub(super) fn seconds(example: &Example, version: Version, seconds: f64) -> Result<Option<(f64, f64)>, String> {
    let Ok(Loaded { environment, .. }) = environment(example, version)? else { return Ok(None) };
    let (site, request, _) = prepared(example, version, environment)?;
    let traces = Traces::new(Digest::of_text("speed"), Secrets::new([7; 32]));
    if answer(&site, &request, Some(&traces)).result.is_err() {
        return Ok(None);
    }
    let one = |traces| super::speed::seconds_of(seconds, || drop(answer(&site, &request, traces)));
    Ok(Some((one(None), one(Some(&traces)))))
}

/// As the console has it.
fn remark(remark: &Remark) -> String {
    let label = if remark.severity == Severity::Error { "Error" } else { "Warning" };
    format!("{label}: {}", remark.text)
}

fn exports(example: &Example) -> Result<Vec<ExportedResource>, String> {
    match &example.surroundings.exported {
        Some(list) => ExportedResource::list(&serde_json::to_string(list).map_err(|error| error.to_string())?),
        None => Ok(Vec::new()),
    }
}

/// An answer as texts: what is logged, and the catalog's JSON or the error.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    log: Vec<String>,
    result: Result<String, String>,
}

fn answer(site: &Site, request: &NodeRequest, traces: Option<&Traces>) -> Answer {
    let Compiled { log, result, .. } = site.compile(request, traces);
    let log = log.into_iter().filter(|line| line.level >= Level::Notice).map(|line| line.text).collect();
    let result = match result {
        Ok(catalog) => {
            let sent = Sent { catalog: &catalog, uuid: "00000000-0000-0000-0000-000000000000" };
            serde_json::to_string(&sent).map_err(|error| format!("no JSON: {error}"))
        }
        Err(ended) => Err(ended.text),
    };
    Answer { log, result }
}

/// Compiles with nothing known, again from the traces, for another node with one fact changed, and for both of
/// them at once; says what is not as a fresh run has it.
fn all_ways(site: &Site, request: &NodeRequest) -> Result<Answer, String> {
    let traces = Traces::new(Digest::of_text("specs"), Secrets::new([7; 32]));
    let mut node = NodeData::clone(&request.node);
    node.facts = with_one_fact_changed(&node.facts);
    let other = NodeRequest { node: Arc::new(renamed(node)), ..request.clone() };
    let fresh = answer(site, request, None);
    same("recorded", &fresh, &answer(site, request, Some(&traces)))?;
    same("replayed", &fresh, &answer(site, request, Some(&traces)))?;
    let fresh_other = answer(site, &other, None);
    same("walked for another node", &fresh_other, &answer(site, &other, Some(&traces)))?;
    same("walked for the first node again", &fresh, &answer(site, request, Some(&traces)))?;
    let traces = Traces::new(Digest::of_text("specs"), Secrets::new([7; 32]));
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
    let text = |answer: &Answer| match &answer.result {
        Ok(catalog) => rendering::render(catalog).unwrap_or_else(|error| error),
        Err(error) => error.clone(),
    };
    let text = |answer: &Answer| format!("{}\n{}", answer.log.join("\n"), text(answer));
    Err(format!("{how}, it is another:\n{}\nand fresh:\n{}", text(other), text(fresh)))
}

fn renamed(node: NodeData) -> NodeData {
    let name = "other.example.com".to_owned();
    NodeData { trusted: trusted(&name, Hash::default()), name, ..node }
}

fn language(version: Version) -> Language {
    match version {
        Version::Seven => Language::Puppet7,
        Version::Eight => Language::Puppet8,
    }
}

/// The files of an example, as the disk of one environment.
struct Files(Vec<(PathBuf, Vec<u8>)>);

impl Disk for Files {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.iter().find(|(file, _)| file == path).map(|(_, text)| text.clone()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.iter().any(|(file, _)| file.starts_with(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_of(self.0.iter().map(|(file, _)| file.as_path()), folder))
    }
}

fn disk(example: &Example) -> Arc<dyn Disk> {
    let files = example.surroundings.files.iter();
    let mut files: Vec<_> = files.map(|(path, text)| (PathBuf::from(format!("{ROOT}/{path}")), text.clone())).collect();
    if let Some(version) = example.settings.stdlib {
        let module = super::stdlib::files(version).into_iter().flatten();
        files.extend(module.map(|(path, text)| (PathBuf::from(format!("{ROOT}/modules/{path}")), text.clone())));
    }
    // A folder without files is one nevertheless.
    files.push((PathBuf::from(format!("{ROOT}/.exists")), Vec::new()));
    Arc::new(Files(files))
}

/// `Err` within: what is wrong with the environment, which a node is told.
fn environment(example: &Example, version: Version) -> Result<Result<Loaded, String>, String> {
    let given = &example.settings;
    let mut settings = Settings::new(language(version), disk(example));
    // As the oracle has it: no modules but those of the environment.
    settings.set("basemodulepath", "")?;
    for (name, value) in &given.more {
        settings.set(name, value)?;
    }
    if let Some(strict) = &given.strict {
        settings.set("strict", given::strict_name(*strict))?;
    }
    let enc = enc(example)?;
    let name = enc.get_str("environment").and_then(Value::as_str).map(str::to_owned);
    let name = name.or_else(|| given.environment.clone()).unwrap_or_else(|| "production".to_owned());
    Ok(Environments { settings: &settings }.in_folder(&name, Path::new(ROOT)))
}

/// What the classifier says: YAML, as Puppet reads it.
fn enc(example: &Example) -> Result<Hash, String> {
    let Some(text) = example.surroundings.enc.as_deref() else { return Ok(Hash::default()) };
    let options = yaml::Options { symbols: yaml::Symbols::Text, ..yaml::Options::default() };
    match yaml::load(text.as_bytes(), "<unknown>", options).map_err(|error| format!("`enc`: {error}"))? {
        Value::Hash(enc) => Ok(enc),
        _ => Err("`enc`: no hash".to_owned()),
    }
}

fn node(example: &Example, version: Version) -> Result<NodeData, String> {
    let name = example.settings.node.clone().unwrap_or_else(|| "node.example.org".to_owned());
    let around = &example.surroundings;
    let enc = enc(example)?;
    let environment = enc.get_str("environment").and_then(Value::as_str);
    let environment = environment.or(example.settings.environment.as_deref()).unwrap_or("production");
    let server_version = if version == Version::Seven { "7.23.0" } else { "8.10.0" };
    let members = [
        ("serverversion", server_version),
        ("servername", "puppet.example.org"),
        ("serverip", "192.0.2.1"),
        ("environment", environment),
    ];
    let extensions = around.trusted.as_ref().map(hash).unwrap_or_default();
    Ok(NodeData {
        facts: around.facts.as_ref().map(hash).map(|facts| sanitized(&facts)).unwrap_or_default(),
        trusted: trusted(&name, extensions),
        server_facts: members.into_iter().map(|(key, value)| (Value::from(key), Value::from(value))).collect(),
        classes: enc.get_str("classes").map(classes).unwrap_or_default(),
        parameters: enc.get_str("parameters").and_then(members_of).unwrap_or_default(),
        name,
    })
}

fn classes(classes: &Value) -> NodeClasses {
    let name = |value: &Value| value.as_str().map(Str::from);
    match classes {
        Value::Hash(entries) => {
            let entries = entries.iter();
            NodeClasses::WithParameters(entries.filter_map(|(key, of)| Some((name(key)?, members_of(of)))).collect())
        }
        Value::Array(items) => NodeClasses::Names(items.iter().filter_map(name).collect()),
        single => NodeClasses::Names(name(single).into_iter().collect()),
    }
}

fn members_of(value: &Value) -> Option<Hash> {
    if let Value::Hash(hash) = value { Some(hash.clone()) } else { None }
}

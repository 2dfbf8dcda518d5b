//! Where an example meets the evaluator. The one place to change when the evaluator's interface changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin::base::{Language, Source, Strict};
use pantin::compile::{ProgramOutput, Request};
use pantin::eval::Settings;
use pantin::model::trace::{Level, Secrets, Traces, WalkKind};
use pantin::syntax::SourceKind;
use pantin::values::{Digest, Timestamp, Value as PantinValue};
use pantin::world::load::Modules;
use pantin::world::{Disk, Entry, ReadError, list_folder};
use serde_json::{Map, Value};

use super::example::Example;
use super::request::{ROOT, hash, with_one_fact_changed};
use super::said::Said;
use super::stdlib;

#[path = "../oracle/show.rs"]
pub(super) mod show;

use show::shown;

/// One example for one version, with every default filled in. The node is `node.example.org` in the
/// environment `production`; `$server_facts` has servername `puppet.example.org`, serverip `192.0.2.1`
/// and serverversion `7.23.0` or `8.10.0`.
pub(super) struct Evaluation<'a> {
    pub(super) version: Language,
    /// A site manifest, or a template that the node's main class renders.
    pub(super) kind: SourceKind,
    pub(super) source: &'a [u8],
    /// The source as a file: `/scratch/manifests/site.pp`, or a template's path among `files`.
    pub(super) path: Option<String>,
    /// Files of modules, by their whole path; the module path is `/scratch/modules`.
    pub(super) files: BTreeMap<String, &'a [u8]>,
    pub(super) facts: Map<String, Value>,
    /// The extensions in `$trusted`.
    pub(super) trusted: Map<String, Value>,
    /// A template's parameters; `None`: it is given none.
    pub(super) params: Option<&'a Map<String, Value>>,
    pub(super) strict: Strict,
    pub(super) strict_variables: bool,
    pub(super) tasks: bool,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(example: &'a Example, version: Language) -> Evaluation<'a> {
        let around = &example.surroundings;
        let settings = &example.settings;
        let path = example.path.as_ref().map(|path| format!("{ROOT}/{path}"));
        let mut files: BTreeMap<String, &[u8]> =
            around.files.iter().map(|(path, text)| (format!("{ROOT}/{path}"), text.as_slice())).collect();
        if let Some(version) = settings.stdlib {
            let module = stdlib::files(version).into_iter().flatten();
            files.extend(module.map(|(path, text)| (format!("{ROOT}/modules/{path}"), text.as_slice())));
        }
        if let Some(path) = path.clone().filter(|_| example.kind == SourceKind::Template) {
            files.insert(path, &example.source);
        }
        Evaluation {
            version,
            kind: example.kind,
            source: &example.source,
            path,
            files,
            facts: around.facts.clone().unwrap_or_default(),
            trusted: around.trusted.clone().unwrap_or_default(),
            params: around.params.as_ref(),
            strict: settings.for_version(version).strict,
            strict_variables: settings.strict_variables.unwrap_or(version >= Language::Puppet8),
            tasks: settings.tasks,
        }
    }
}

/// The files of an example, as the disk of one request.
pub(super) struct ExampleDisk(pub(super) BTreeMap<PathBuf, Vec<u8>>);

impl Disk for ExampleDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.get(path).cloned())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.keys().any(|file| file.starts_with(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_folder(self.0.keys().map(PathBuf::as_path), folder))
    }
}

/// What Pantin says: `Said::evaluated`, and the issue of the error.
pub(super) fn evaluate(evaluation: &Evaluation) -> (Said, Option<&'static str>) {
    let wrong = |text: &str| (Said::evaluated(None, &[], Some(text)), None);
    let source = match Source::from_bytes(evaluation.path.as_deref(), evaluation.source.to_vec()) {
        Ok(source) => Arc::new(source),
        Err(error) => return wrong(&format!("not a source: {error:?}")),
    };
    match all_ways(&request(evaluation, source)) {
        Ok(answered) => {
            let failure = answered.result.as_ref().err().and_then(|ended| ended.failure.as_ref());
            let code = failure.map(|failure| failure.code).filter(|code| !code.is_empty());
            (said(evaluation, answered), code)
        }
        Err(contradiction) => wrong(&contradiction),
    }
}

/// Runs a request with nothing known, again from its trace, and for a world with one fact changed; says what
/// is not as a fresh run has it.
fn all_ways(request: &Request) -> Result<ProgramOutput, String> {
    let traces = Traces::new(Digest::from_text("specs"), Secrets::new([7; 32]));
    let fresh = request.answer(stdlib::builtins());
    if !is_volatile(request) {
        let (explained, _) = request.answer_recorded(stdlib::builtins());
        same("with each evaluation recorded", &fresh, &explained)?;
    }
    let (first, _) = request.answer_through(&traces, stdlib::builtins());
    same("recorded", &fresh, &first)?;
    let (replayed, again) = request.answer_through(&traces, stdlib::builtins());
    same("replayed", &fresh, &replayed)?;
    if !is_volatile(request)
        && let Some(walk) = again.iter().find(|walk| walk.how != WalkKind::Replayed)
    {
        return Err(format!("a second request ran {} again: {:?}", walk.name, walk.how));
    }
    let changed = Request {
        facts: with_one_fact_changed(&request.facts),
        node: "other.example.org".to_owned(),
        ..request.clone()
    };
    let (walked, _) = changed.answer_through(&traces, stdlib::builtins());
    same("walked with other facts", &changed.answer(stdlib::builtins()), &walked)?;
    Ok(fresh)
}

/// The time and the output of commands are never answered from a trace.
fn is_volatile(request: &Request) -> bool {
    ["Timestamp", "strftime", "generate", "shuffle", "time(", "str2saltedsha512", "m::command(", "%x("]
        .iter()
        .any(|name| request.source.text().contains(name))
}

fn same(how: &str, fresh: &ProgramOutput, other: &ProgramOutput) -> Result<(), String> {
    let shown = |answered: &ProgramOutput| {
        let result = match &answered.result {
            Ok(value) => shown(value),
            Err(ended) => ended.text.clone(),
        };
        let log: Vec<&str> = answered.log.iter().map(|line| line.text.as_str()).collect();
        format!("{result}\n{}", log.join("\n"))
    };
    let (fresh, other) = (shown(fresh), shown(other));
    if fresh == other { Ok(()) } else { Err(format!("{how}, it is another:\n{other}\nand fresh:\n{fresh}")) }
}

fn said(evaluation: &Evaluation, answered: ProgramOutput) -> Said {
    let log: Vec<String> =
        answered.log.into_iter().filter(|line| line.level >= Level::Notice).map(|line| line.text).collect();
    match answered.result {
        Ok(PantinValue::Undef) => Said::evaluated(None, &log, None),
        Ok(PantinValue::String(text)) if evaluation.kind == SourceKind::Template => {
            Said::evaluated(Some(&text), &log, None)
        }
        Ok(value) => Said::evaluated(Some(&shown(&value)), &log, None),
        Err(ended) => Said::evaluated(None, &log, Some(&ended.text)),
    }
}

fn request(evaluation: &Evaluation, source: Arc<Source>) -> Request {
    let language = evaluation.version;
    let files = evaluation.files.iter().map(|(path, text)| (PathBuf::from(path), text.to_vec())).collect();
    let modulepath = [format!("{ROOT}/modules").into()];
    let (modules, _) = Modules::list(Arc::new(ExampleDisk(files)), &modulepath, None, evaluation.strict, language)
        .unwrap_or_else(|error| panic!("{error}"));
    Request {
        source,
        kind: evaluation.kind,
        settings: Settings {
            strict: evaluation.strict,
            strict_variables: evaluation.strict_variables,
            ..Settings::from_language(language)
        },
        tasks: evaluation.tasks,
        facts: hash(&evaluation.facts),
        trusted_extensions: hash(&evaluation.trusted),
        node: "node.example.org".to_owned(),
        environment: "production".to_owned(),
        server_version: language.release().to_owned(),
        modules,
        now: Timestamp::from_seconds(0),
        params: evaluation.params.map(hash).unwrap_or_default(),
        own_ruby: None,
        ruby_reads: vec![ROOT.into()],
        context: None,
    }
}

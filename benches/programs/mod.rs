//! The programs that are measured, each a file of a folder, prepared for a node with the facts of the demo.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin::base::{Language, Source, Strict};
use pantin::compile::{Program, Request};
use pantin::eval::{Settings, builtins};
use pantin::syntax::SourceKind;
use pantin::values::{Hash, Timestamp, Value};
use pantin::world::MachineDisk;
use pantin::world::load::Modules;

pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) request: Request,
    pub(crate) program: Program,
}

impl Measured {
    /// One run: a new host, and what the program is worth.
    pub(crate) fn run(&self) -> Value {
        let answered = self.program.answer(&self.request);
        answered.result.unwrap_or_else(|ended| panic!("{}: {}", self.name, ended.text))
    }
}

/// Those of a folder, with their modules, in order of their names. A template beside the manifests is rendered without being
/// found and parsed again.
pub(crate) fn all(folder: &str, modulepath: &[PathBuf]) -> Vec<Measured> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join(folder);
    let modulepath: Vec<PathBuf> = modulepath.iter().map(|path| root.join(path)).collect();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pp"))
        .collect();
    files.sort();
    let mut measured: Vec<Measured> =
        files.iter().map(|file| measured(file, &modulepath, SourceKind::Manifest)).collect();
    let template = folder.join("modules/bench/templates/vhosts.epp");
    if template.exists() {
        measured.push(self::measured(&template, &modulepath, SourceKind::Template));
    }
    measured
}

fn measured(file: &Path, modulepath: &[PathBuf], kind: SourceKind) -> Measured {
    let bytes = std::fs::read(file).expect("a program");
    let disk = Arc::new(MachineDisk { limit: 1 << 20 });
    let (modules, _) = Modules::list(disk, modulepath, None, Strict::Warning, Language::Puppet8).expect("modules");
    let request = Request {
        source: Arc::new(Source::from_bytes(file.to_str(), bytes).expect("text")),
        kind,
        settings: Settings::from_language(Language::Puppet7),
        tasks: false,
        facts: facts(),
        trusted_extensions: Hash::default(),
        node: "web01.example.org".to_owned(),
        environment: "production".to_owned(),
        server_version: "7.23.0".to_owned(),
        modules,
        now: Timestamp::from_seconds(1_800_000_000),
        params: Hash::default(),
        own_ruby: None,
        ruby_reads: Vec::new(),
        context: None,
    };
    let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
    let program = match request.prepare(builtins::all()) {
        Ok(program) => program.expect("something to run"),
        Err(ended) => panic!("{name}: {}", ended.text),
    };
    Measured { name, request, program }
}

fn facts() -> Hash {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/facts/web01.example.org.json");
    let text = std::fs::read_to_string(file).expect("the facts");
    match value(&serde_json::from_str(&text).expect("JSON")) {
        Value::Hash(facts) => facts,
        _ => panic!("facts are a hash"),
    }
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Undef,
        serde_json::Value::Bool(value) => Value::Boolean(*value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().expect("a float")),
        },
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(items) => Value::array(items.iter().map(value)),
        serde_json::Value::Object(entries) => {
            Value::hash(entries.iter().map(|(key, item)| (key.as_str().into(), value(item))))
        }
    }
}

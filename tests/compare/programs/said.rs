//! What Pantin and the real Puppet say of a program that is run.

use std::path::Path;
use std::sync::Arc;

use pantin::base::{Language, Source};
use pantin::compile::Request;
use pantin::eval::{Settings, builtins};
use pantin::model::trace::Level;
use pantin::syntax::SourceKind;
use pantin::values::{Hash, Timestamp, Value as PantinValue};
use pantin::world::load::Modules;
use pantin::world::{Disk, Entry, ReadError};
use serde_json::{Value, json};

use super::super::said::{self, Said, or_panic};
use super::super::show::shown;

/// When all programs are run, in seconds: some day of these years, for bounds that were written in them.
pub(super) const NOW: i64 = 1_767_225_600;

pub(super) fn question(source: &str) -> Value {
    json!({ "id": 1, "op": "eval", "source": source, "facts": { "cores": 4, "kind": "a", "tags": ["x", "y"] }, "timeout": 4 })
}

pub(super) fn of_oracle(reply: &Value) -> Option<Said> {
    said::of_oracle(reply, |reply| reply["value"].as_str().map(str::to_owned))
}

pub(super) fn of_pantin(source: &str, language: Language) -> Said {
    or_panic(|| answer(source, language))
}

/// Whether a program gets to its end by the stricter version, as far as Pantin knows. A panic is not hidden by this: such a
/// program is kept.
pub(super) fn ends(source: &str) -> bool {
    let said = of_pantin(source, Language::Puppet8);
    said.result.is_ok() || said.is_crash
}

fn answer(source: &str, language: Language) -> Said {
    let source = Source::new(None, source.to_owned()).expect("a program is a source");
    let version = language.release();
    let request = Request {
        source: Arc::new(source),
        kind: SourceKind::Manifest,
        settings: Settings::from_language(language),
        tasks: false,
        facts: facts(),
        trusted_extensions: Hash::default(),
        node: "node.example.org".to_owned(),
        environment: "production".to_owned(),
        server_version: version.to_owned(),
        modules: Modules::none(Arc::new(Nothing)),
        now: Timestamp::from_seconds(NOW),
        params: Hash::default(),
        own_ruby: None,
        ruby_reads: Vec::new(),
        context: None,
    };
    let answered = request.answer(builtins::all());
    let log = answered.log.into_iter().filter(|line| line.level >= Level::Notice).map(|line| line.text).collect();
    let result = match answered.result {
        Ok(value) => Ok(shown(&value)),
        Err(ended) => Err(ended.text),
    };
    Said { result, log, is_crash: false }
}

/// The facts of [`question`].
fn facts() -> Hash {
    let tags = PantinValue::array(["x", "y"].map(PantinValue::from));
    [("cores", PantinValue::Integer(4)), ("kind", "a".into()), ("tags", tags)]
        .into_iter()
        .map(|(name, value)| (name.into(), value))
        .collect()
}

/// No file is anywhere.
struct Nothing;

impl Disk for Nothing {
    fn read(&self, _: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(None)
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }

    fn list(&self, _: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(None)
    }
}

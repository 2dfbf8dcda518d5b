//! What Pantin and the real Puppet say of a program that is run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use pantin::base::Source;
use pantin::builtins;
use pantin::compile::Request;
use pantin::eval::Settings;
use pantin::load::Modules;
use pantin::pcore::{Hash, Timestamp, Value as PantinValue};
use pantin::syntax::{Kind, Language};
use pantin::trace::Level;
use pantin::world::{Disk, Entry, ReadError};
use serde_json::{Value, json};

use super::super::show::shown;

/// The value as Puppet text or the error, and the log at notice and above.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Said {
    pub(in super::super) result: Result<String, String>,
    pub(in super::super) log: Vec<String>,
    /// An error of Ruby's own, or a panic.
    pub(in super::super) is_crash: bool,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let crash = if self.is_crash { "crash: " } else { "" };
        match &self.result {
            Ok(value) => write!(f, "{value}")?,
            Err(error) => write!(f, "{crash}{error}")?,
        }
        self.log.iter().try_for_each(|line| write!(f, "\n      {line}"))
    }
}

pub(super) fn question(source: &str) -> Value {
    json!({ "id": 1, "op": "eval", "source": source, "facts": { "cores": 4, "kind": "a", "tags": ["x", "y"] }, "timeout": 4 })
}

/// `None`: it does not say, the time was over.
pub(super) fn of_oracle(reply: &Value) -> Option<Said> {
    if reply["timeout"] == true {
        return None;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let log = reply["log"].as_array().into_iter().flatten().filter_map(|entry| text(&entry["text"])).collect();
    let crash = text(&reply["crash"]).or_else(|| text(&reply["bad_request"]));
    let is_crash = crash.is_some();
    let result = match crash.or_else(|| text(&reply["error"]["message"])) {
        Some(error) => Err(error),
        None => Ok(text(&reply["value"]).unwrap_or_default()),
    };
    Some(Said { result, log, is_crash })
}

pub(super) fn of_pantin(source: &str, language: Language) -> Said {
    or_panic(|| answer(source, language))
}

/// A panic is an answer too.
pub(in super::super) fn or_panic(answer: impl FnOnce() -> Said) -> Said {
    let answered = catch_unwind(AssertUnwindSafe(answer));
    answered.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        Said { result: Err(message.to_owned()), log: Vec::new(), is_crash: true }
    })
}

fn answer(source: &str, language: Language) -> Said {
    let source = Source::new(None, source.to_owned()).expect("a program is a source");
    let version = if language == Language::Puppet8 { "8.10.0" } else { "7.23.0" };
    let request = Request {
        source: Arc::new(source),
        kind: Kind::Manifest,
        settings: Settings::of(language),
        tasks: false,
        facts: facts(),
        trusted_extensions: Hash::default(),
        node: "node.example.org".to_owned(),
        environment: "production".to_owned(),
        server_version: version.to_owned(),
        modules: Modules::none(Arc::new(Nothing)),
        now: Timestamp::from_seconds(0),
        params: Hash::default(),
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

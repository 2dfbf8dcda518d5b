//! Examples of look-ups: what is asked, and what Pantin says, by the way that `pantin lookup` takes.

use std::sync::Arc;

use pantin::base::Language;
use pantin::compile::catalog::{DataQuestion, ExplainMode, LookupOutput};
use pantin::hiera::LookupRequest;
use pantin::model::trace::Level;
use pantin::values::{BuiltInOnly, types};
use pantin::world::NodeData;
use serde_json::{Map, Value, json};

use super::catalog;
use super::evaluation::show::shown;
use super::example::Example;
use super::request::{self, from_json};
use super::said::Said;
use super::stdlib;

/// The block `lookup`: the words of a command line, in single quotes where they have spaces.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    keys: Vec<String>,
    merge: Option<Value>,
    of: Option<String>,
    default: Option<Value>,
    /// `data` or `options`.
    explain: Option<&'static str>,
    overrides: Map<String, Value>,
    default_values: Map<String, Value>,
}

impl Lookup {
    pub(super) fn read(text: &str) -> Result<Lookup, String> {
        let mut lookup = Lookup::default();
        let mut words = words(text)?.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word}: its value is missing"));
            match word.as_str() {
                "--merge" => lookup.merge = Some(json_or_text(value()?)),
                "--type" => lookup.of = Some(value()?),
                "--default" => lookup.default = Some(json_or_text(value()?)),
                "--explain" => lookup.explain = Some("data"),
                "--explain-options" => lookup.explain = Some("options"),
                "--override" => lookup.overrides = read_hash(&value()?)?,
                "--default-values" => lookup.default_values = read_hash(&value()?)?,
                other if other.starts_with("--") => return Err(format!("no option {other}")),
                _ => lookup.keys.push(word),
            }
        }
        Ok(lookup)
    }

    /// As the oracle takes it.
    pub(super) fn put_into(&self, question: &mut Value) {
        question["keys"] = json!(self.keys);
        question["override"] = json!(self.overrides);
        question["default_values"] = json!(self.default_values);
        let of = self.of.as_ref().map(|of| json!(of));
        let explain = self.explain.map(|explain| json!(explain));
        let more = [("merge", &self.merge), ("type", &of), ("default", &self.default), ("explain", &explain)];
        for (name, value) in more {
            if let Some(value) = value {
                question[name] = value.clone();
            }
        }
    }
}

impl Lookup {
    fn question(&self) -> Result<DataQuestion, String> {
        let of = self.of.as_deref().map(|of| types::parse(of, &mut BuiltInOnly)).transpose();
        let keys = match self.keys.as_slice() {
            [] => vec!["__global__".into()],
            keys => keys.iter().map(|key| key.as_str().into()).collect(),
        };
        let asked = LookupRequest {
            keys,
            value_type: of.map_err(|fault| fault.message.into_owned())?,
            default: self.default.as_ref().map(from_json),
            merge: self.merge.as_ref().map(from_json).unwrap_or_default(),
            overrides: request::hash(&self.overrides),
            default_values: request::hash(&self.default_values),
        };
        let explains = self.explain.map(|explain| match explain {
            "options" => ExplainMode::Options,
            _ => ExplainMode::Everything,
        });
        Ok(DataQuestion { asked, compiles: false, explains })
    }
}

fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, behind) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').ok_or("a quote that nobody closes")?,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = behind.trim_start();
    }
    Ok(words)
}

/// A hash, an array or a number as JSON; any other word stands for itself.
fn json_or_text(text: String) -> Value {
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

fn read_hash(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("{text}: no JSON hash: {error}"))
}

/// What Pantin says: the value as Puppet text, or the explanation.
pub(super) fn said(example: &Example, version: Language) -> Result<Said, String> {
    let lookup = example.surroundings.lookup.as_ref().ok_or("no block `lookup`")?;
    let given = catalog::given(example, version);
    let environment = match given.environment()? {
        Ok(loaded) => loaded.environment,
        Err(error) => return Ok(Said::evaluated(None, &[], Some(&error))),
    };
    let (site, mut request, _) = request::prepared(&given, environment, stdlib::builtins())?;
    let mut node = NodeData::clone(&request.node);
    for (name, value) in example.surroundings.params.iter().flatten() {
        node.parameters.insert(name.as_str().into(), from_json(value));
    }
    request.node = Arc::new(node);
    let LookupOutput { log, result, explanation } = site.lookup(&request, &lookup.question()?);
    let log: Vec<String> = log.into_iter().filter(|line| line.level >= Level::Notice).map(|line| line.text).collect();
    let (value, error) = match (result, explanation) {
        (_, Some(explanation)) => (Some(explanation.to_string()), None),
        (Ok(value), None) => (Some(shown(&value)), None),
        (Err(ended), None) => (None, Some(ended.text)),
    };
    Ok(Said::evaluated(value.as_deref(), &log, error.as_deref()))
}

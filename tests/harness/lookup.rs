//! Examples of look-ups: what is asked, and what Pantin says. The one place to change when Hiera's interface changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin::hiera::{Asked, Explainer, Function, Hiera, Lookups, Module, Outside, Settings, Warning};
use pantin::pcore::{BuiltInOnly, Fault, Hash, Resolve, Str, Type, Value as PantinValue, types};
use pantin::syntax::{Language, Strict};
use pantin::trace::{Answer, Container, Question};
use pantin::world::{Disk, clean_path, glob};
use serde_json::{Map, Value, json};

use super::evaluation::{ExampleDisk, show::shown};
use super::example::{Example, Version};
use super::request::{ROOT, from_json};
use super::said::Said;

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
                "--override" => lookup.overrides = hash(&value()?)?,
                "--default-values" => lookup.default_values = hash(&value()?)?,
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

fn hash(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("{text}: no JSON hash: {error}"))
}

/// What Pantin says: the value as Puppet text, or the explanation.
pub(super) fn said(example: &Example, version: Version) -> Result<Said, String> {
    let lookup = example.surroundings.lookup.as_ref().ok_or("no block `lookup`")?;
    let mut outside = World::new(example);
    let lookups = Lookups::new(Arc::new(Hiera::default()), settings(example, version));
    if let Some(explain) = lookup.explain {
        lookups.explain_with(Explainer::new(explain == "options"));
    }
    let of = lookup.of.as_deref().map(|of| types::parse(of, &mut BuiltInOnly)).transpose();
    let asked = Asked {
        keys: if lookup.keys.is_empty() {
            vec!["__global__".into()]
        } else {
            lookup.keys.iter().map(|key| key.as_str().into()).collect()
        },
        of: of.map_err(|fault| fault.message.into_owned())?,
        default: lookup.default.as_ref().map(from_json),
        merge: lookup.merge.as_ref().map(from_json).unwrap_or_default(),
        overrides: hash_of(&lookup.overrides),
        default_values: hash_of(&lookup.default_values),
    };
    let answer = lookups.ask(&asked, &mut outside);
    let explainer = lookups.explained();
    let (value, error) = match (answer, explainer) {
        (Ok(value), None) => (Some(shown(&value)), None),
        (Ok(_), Some(explainer)) => (Some(explainer.to_string()), None),
        (Err(trouble), Some(mut explainer)) if trouble.is_lookup() => {
            explainer.text(trouble.message);
            (Some(explainer.to_string()), None)
        }
        (Err(trouble), _) => (None, Some(trouble.message)),
    };
    Ok(Said::evaluated(value.as_deref(), &outside.log, error.as_deref()))
}

fn settings(example: &Example, version: Version) -> Settings {
    let given = &example.settings;
    let language = match version {
        Version::Seven => Language::Puppet7,
        Version::Eight => Language::Puppet8,
    };
    let strict = match version {
        Version::Seven => Strict::Warning,
        Version::Eight => Strict::Error,
    };
    let more = |name: &str| given.more.get(name).map(String::as_str);
    Settings {
        language,
        strict: given.strict.unwrap_or(strict),
        strict_variables: given.strict_variables.unwrap_or(version == Version::Eight),
        hiera_config: more("hiera_config").unwrap_or("/puppet/hiera.yaml").into(),
        codedir: "/puppet/code".into(),
        environment: given.environment.as_deref().unwrap_or("production").into(),
        environment_path: Some(ROOT.into()),
        environment_data_provider: None,
        data_binding_terminus: more("data_binding_terminus").unwrap_or("hiera").into(),
    }
}

fn hash_of(entries: &Map<String, Value>) -> Hash {
    entries.iter().map(|(key, value)| (key.as_str().into(), from_json(value))).collect()
}

/// Facts have no null within: the real Puppet makes a text of it.
fn without_null(facts: Map<String, Value>) -> Map<String, Value> {
    fn filled(value: Value) -> Value {
        match value {
            Value::Null => json!(""),
            Value::Array(items) => items.into_iter().map(filled).collect(),
            Value::Object(entries) => Value::Object(without_null(entries)),
            other => other,
        }
    }
    facts.into_iter().map(|(name, value)| (name, filled(value))).collect()
}

/// The files and variables of an example.
struct World {
    disk: ExampleDisk,
    variables: BTreeMap<String, PantinValue>,
    log: Vec<String>,
    warned: Vec<String>,
}

impl World {
    fn new(example: &Example) -> World {
        let around = &example.surroundings;
        let files = around.files.iter().map(|(path, text)| (PathBuf::from(format!("{ROOT}/{path}")), text.clone()));
        let facts = without_null(around.facts.clone().unwrap_or_default());
        let node = example.settings.node.as_deref().unwrap_or("node.example.org");
        let environment = example.settings.environment.as_deref().unwrap_or("production");
        let mut variables: BTreeMap<String, PantinValue> =
            facts.iter().map(|(name, value)| (name.clone(), from_json(value))).collect();
        variables.insert("facts".into(), PantinValue::Hash(hash_of(&facts)));
        variables.insert("environment".into(), environment.into());
        let (host, domain) = node.split_once('.').unwrap_or((node, ""));
        let trusted = json!({
            "authenticated": "remote", "certname": node, "extensions": around.trusted.clone().unwrap_or_default(),
            "hostname": host, "domain": domain, "external": {},
        });
        variables.insert("trusted".into(), from_json(&trusted));
        let params = around.params.iter().flatten();
        variables.extend(params.map(|(name, value)| (name.clone(), from_json(value))));
        World { disk: ExampleDisk(files.collect()), variables, log: Vec::new(), warned: Vec::new() }
    }

    fn variable(&self, name: &str) -> Option<&PantinValue> {
        self.variables.get(name.strip_prefix("::").unwrap_or(name))
    }
}

impl Resolve for World {
    fn resolve(&mut self, _: &str) -> Result<Option<Type>, Fault> {
        Ok(None)
    }
}

impl Outside for World {
    fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Variable(name) => match self.variable(name) {
                None => Answer::Absent,
                Some(PantinValue::Hash(_)) => Answer::View(Container::Hash),
                Some(PantinValue::Array(_)) => Answer::View(Container::Array),
                Some(value) => Answer::Value(value.clone()),
            },
            Question::Part { variable, path } => {
                self.variable(variable).map_or(Answer::Absent, |whole| Answer::of_part(whole, path))
            }
            Question::Whole { variable, path } => {
                self.variable(variable).map_or(Answer::Absent, |whole| Answer::of_whole(whole, path))
            }
            _ => Answer::Absent,
        }
    }

    fn why_unknown(&mut self, name: &str) -> Option<String> {
        let (class, _) = name.rsplit_once("::")?;
        Some(format!("class {class} could not be found"))
    }

    fn calling_class(&mut self) -> Option<Str> {
        None
    }

    fn read(&mut self, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        let read = self.disk.read(&clean_path(path)).map_err(|error| Fault::new(error.to_string()))?;
        Ok(read.map(Arc::from))
    }

    fn exists(&mut self, path: &Path) -> bool {
        self.disk.exists(&clean_path(path))
    }

    fn glob(&mut self, pattern: &str) -> Result<Vec<PathBuf>, Fault> {
        let found = glob(&self.disk, pattern).map_err(Fault::new)?;
        Ok(found.into_iter().filter(|path| matches!(self.disk.read(path), Ok(Some(_)))).collect())
    }

    fn process_variable(&mut self, _: &str) -> Option<String> {
        None
    }

    fn module(&mut self, name: &str) -> Option<Module> {
        let path = PathBuf::from(format!("{ROOT}/modules/{name}"));
        let metadata = self.disk.read(&path.join("metadata.json")).ok().flatten();
        let metadata = metadata.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        let data_provider = metadata.as_ref().and_then(|metadata| metadata["data_provider"].as_str());
        let data_provider = data_provider.map(Str::from);
        self.exists(&path).then_some(Module { path, data_provider })
    }

    fn function(&mut self, _: &str) -> Result<Option<Function>, Fault> {
        Ok(None)
    }

    fn call(&mut self, name: &str, _: Vec<PantinValue>) -> Result<PantinValue, Fault> {
        Err(Fault::new(format!("no function {name} runs here")))
    }

    fn warn(&mut self, warning: Warning) {
        if let Some((_, key)) = &warning.once {
            if self.warned.contains(key) {
                return;
            }
            self.warned.push(key.clone());
        }
        self.log.push(format!("Warning: {}", warning.message));
    }
}

//! What Pantin and the real Puppet say of an environment whose site manifest is given.

use std::path::Path;
use std::sync::Arc;

use pantin::builtins;
use pantin::catalog::Sent;
use pantin::compile::NodeRequest;
use pantin::compile::catalog::Site;
use pantin::eval::Settings;
use pantin::load::Modules;
use pantin::pcore::{Hash, Timestamp, Value as PantinValue};
use pantin::syntax::Language;
use pantin::trace::Level;
use pantin::world::environment::{Environment, Manifest};
use pantin::world::node::NodeData;
use pantin::world::{Disk, Entry, ReadError, list_of};
use serde_json::{Value, json};

use super::super::programs::known::Known;
use super::super::programs::said::{Said, or_panic};

const SITE: &str = "/scratch/manifests/site.pp";
const UUID: &str = "00000000-0000-0000-0000-000000000000";

/// The differences that are meant.
pub(super) static KNOWN: [Known; 1] = [Known {
    why: "an error of Ruby's for a value that no code of Puppet is ready for",
    spec: "language/deliberate.md: Errors of Ruby",
    is: |_, theirs, ours| {
        let theirs = theirs.result.as_ref().err().map_or("", String::as_str);
        ours.result.is_err() && theirs.contains("undefined method `")
    },
}];

pub(super) fn question(source: &str) -> Value {
    json!({ "id": 1, "op": "catalog", "files": { "manifests/site.pp": source }, "facts": { "kind": "a", "cores": 4 } })
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
        None => Ok(lines(&text(&reply["json"]).unwrap_or_default())),
    };
    Some(Said { result, log, is_crash })
}

pub(super) fn of_pantin(source: &str, language: Language) -> Said {
    or_panic(|| answer(source, language))
}

fn answer(source: &str, language: Language) -> Said {
    let name = |text: &str| PantinValue::from(text);
    let hash = |members: &[(&str, PantinValue)]| -> Hash {
        members.iter().map(|(key, value)| (name(key), value.clone())).collect()
    };
    let environment = Arc::new(Environment {
        name: "production".to_owned(),
        folder: Some("/scratch".into()),
        manifest: Manifest::Path("/scratch/manifests".into()),
        rich_data: true,
        ..Environment::default()
    });
    let node = NodeData {
        name: "node.example.org".to_owned(),
        facts: hash(&[("cores", PantinValue::Integer(4)), ("kind", name("a"))]),
        trusted: hash(&[("certname", name("node.example.org"))]),
        ..NodeData::default()
    };
    let settings = Settings::of(language);
    let modules = Modules::none(Arc::new(SiteDisk(source.to_owned())));
    let site = Site::load(&environment, modules, settings, false, builtins::all());
    let request = NodeRequest {
        node: Arc::new(node),
        environment,
        now: Timestamp::from_seconds(0),
        version: PantinValue::Integer(1),
        collects_exported: false,
        exports: Arc::default(),
    };
    let compiled = site.compile(&request, None);
    let log = compiled.log.into_iter().filter(|line| line.level >= Level::Notice).map(|line| line.text).collect();
    let result = match compiled.result {
        Ok(catalog) => Ok(lines(&serde_json::to_string(&Sent { catalog: &catalog, uuid: UUID }).expect("JSON"))),
        Err(ended) => Err(ended.text),
    };
    Said { result, log, is_crash: false }
}

/// A line a resource, so that a difference is seen.
fn lines(json: &str) -> String {
    json.replace("},{\"", "},\n{\"")
}

/// The site manifest and nothing else.
struct SiteDisk(String);

impl Disk for SiteDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok((path == Path::new(SITE)).then(|| self.0.clone().into_bytes()))
    }

    fn exists(&self, path: &Path) -> bool {
        Path::new(SITE).starts_with(path)
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_of(std::iter::once(Path::new(SITE)), folder))
    }
}

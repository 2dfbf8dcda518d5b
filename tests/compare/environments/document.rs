//! An environment as one text: the blocks that an example of `tests/spec/catalogs` has. What both say of it.
//!
//! What differs can so be put into a document of the specs as it stands.

use std::collections::BTreeMap;

use pantin::base::{Language, Strict};
use serde_json::{Map, Value, json};

use super::super::random::environment::{Block, blocks};
use pantin::eval::builtins;

use super::super::request::{self, Answer, Given, in_lines, strict_name};
use super::super::said::{self, Said, or_panic};

/// `None`: a block is not what it has to be, as when too much was cut away.
fn read(text: &str, language: Language) -> Option<Given> {
    let mut given = Given {
        language,
        files: BTreeMap::new(),
        node: "node.example.org".to_owned(),
        environment: None,
        facts: Map::new(),
        extensions: Map::new(),
        enc: None,
        exported: None,
        strict: None,
        strict_variables: None,
        tasks: false,
        settings: BTreeMap::new(),
    };
    for Block { kind, path, text } in blocks(text) {
        match kind {
            "pp" => drop(given.files.insert("manifests/site.pp".to_owned(), text.into_bytes())),
            "file" => drop(given.files.insert(path.to_owned(), text.into_bytes())),
            "facts" => given.facts = serde_json::from_str(&text).ok()?,
            "trusted" => given.extensions = serde_json::from_str(&text).ok()?,
            "exported" => given.exported = Some(serde_json::from_str(&text).ok()?),
            "enc" => given.enc = Some(text),
            "settings" => text.lines().for_each(|line| set(&mut given, line)),
            _ => return None,
        }
    }
    Some(given)
}

fn set(given: &mut Given, line: &str) {
    let Some((name, value)) = line.split_once(" = ") else { return };
    match name {
        "strict" => {
            given.strict =
                [Strict::Off, Strict::Warning, Strict::Error].into_iter().find(|strict| strict_name(*strict) == value)
        }
        "strict_variables" => given.strict_variables = Some(value == "true"),
        _ => drop(given.settings.insert(name.to_owned(), value.to_owned())),
    }
}

pub(super) fn question(source: &str) -> Value {
    // The version is the oracle's own.
    let Some(given) = read(source, Language::Puppet8) else { return json!({ "id": 1, "op": "none" }) };
    let files = given.files.into_iter();
    let files: Map<String, Value> =
        files.map(|(path, text)| (path, String::from_utf8_lossy(&text).into_owned().into())).collect();
    let mut question = json!({ "id": 1, "op": "catalog", "files": files, "facts": given.facts,
        "trusted": given.extensions, "settings": given.settings, "node": given.node });
    if let Some(strict) = given.strict {
        question["settings"]["strict"] = strict_name(strict).into();
    }
    if let Some(strict) = given.strict_variables {
        question["settings"]["strict_variables"] = strict.into();
    }
    if let Some(enc) = given.enc {
        question["enc"] = enc.into();
    }
    if let Some(exported) = given.exported {
        question["exported"] = exported.into();
    }
    question
}

/// `None`: it does not say, the time was over or the text is no environment.
pub(super) fn of_oracle(reply: &Value) -> Option<Said> {
    if reply["bad_request"].is_string() {
        return None;
    }
    said::of_oracle(reply, |reply| reply["json"].as_str().map(in_lines))
}

pub(super) fn of_pantin(source: &str, language: Language) -> Said {
    let Some(given) = read(source, language) else { return Said::broken("no environment".to_owned()) };
    or_panic(|| match request::compile(&given, builtins::all()) {
        Ok(Answer { log, result }) => Said { result: result.map(|json| in_lines(&json)), log, is_crash: false },
        Err(why) => Said::broken(why),
    })
}

//! Asks the real Puppet: one process a version, all questions at once.

use pantin::base::Language;
use pantin::syntax::SourceKind;
use serde_json::{Map, Value, json};

use super::catalog;
use super::document::Mode;
use super::example::Example;
use super::request::{self, ROOT};
use super::said::Said;
use super::version;

#[path = "../oracle/client.rs"]
mod client;

/// What one version says of one example.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) said: Said,
    /// The same as one text; a crash of Ruby's is named as such.
    pub(super) whole: String,
    /// Why this cannot be what Pantin is to say: Ruby failed, not Puppet.
    pub(super) unfit: Option<String>,
}

pub(super) struct Answers {
    /// `7.23`
    pub(super) version: String,
    /// In the order of the questions.
    pub(super) answers: Vec<Result<Answer, String>>,
}

/// Asks one version. `Err`: there is no oracle, and why.
pub(super) fn ask(version: Language, examples: &[&Example]) -> Result<Answers, String> {
    let questions = examples.iter().enumerate().map(|(at, example)| question(example, at + 1));
    let replies = client::ask(version, questions)?;
    let about = &replies[0];
    let full = about["puppet"].as_str().unwrap_or_default();
    let mut answers: Vec<_> =
        replies.iter().skip(1).zip(examples).map(|(reply, example)| answer(reply, example)).collect();
    answers.resize_with(examples.len(), || Err(format!("the oracle of Puppet {full} ended before it answered")));
    Ok(Answers { version: version::short(full), answers })
}

/// The CPU seconds that Puppet 7 needs for each catalog; nothing for one that fails. `seconds`: how long it is measured.
pub(super) fn seconds(examples: &[&Example], seconds: f64) -> Result<Vec<Option<f64>>, String> {
    let questions = examples.iter().enumerate().map(|(at, example)| {
        let mut question = question(example, at + 1);
        question["seconds"] = json!(seconds);
        question
    });
    let replies = client::ask(Language::Puppet7, questions)?;
    Ok(replies.iter().skip(1).map(|reply| reply["seconds"].as_f64().filter(|_| reply["error"].is_null())).collect())
}

fn question(example: &Example, id: usize) -> Value {
    let mut question = match example.mode {
        Mode::Parse => parse_question(example),
        Mode::Evaluate => eval_question(example),
        Mode::Compile => catalog_question(example),
        Mode::Lookup => lookup_question(example),
    };
    question["id"] = json!(id);
    question["settings"]["tasks"] = json!(example.settings.tasks);
    if let Some(version) = example.settings.stdlib {
        question["stdlib"] = json!(version.to_string());
    }
    if let Some(strict) = example.settings.strict {
        question["settings"]["strict"] = json!(request::strict_name(strict));
    }
    if matches!(example.mode, Mode::Parse | Mode::Evaluate) {
        question["kind"] = json!(if example.kind == SourceKind::Template { "epp" } else { "pp" });
        match std::str::from_utf8(&example.source) {
            Ok(text) => question["source"] = json!(text),
            Err(_) => question["source_base64"] = json!(base64(&example.source)),
        }
    }
    question
}

fn parse_question(example: &Example) -> Value {
    let given = &example.settings;
    let settings = json!({
        "max_errors": given.limits.errors,
        "max_warnings": given.limits.warnings,
        "max_deprecations": given.limits.deprecations,
    });
    let mut question = json!({ "op": "parse", "want": ["pn"], "settings": settings, "validate": given.validate });
    if let Some(path) = &example.path {
        question["path"] = json!(path);
        question["modulepath"] = json!(given.modulepath);
        question["manifest"] = json!(given.manifest);
    }
    question
}

fn eval_question(example: &Example) -> Value {
    let mut files = files(example);
    let mut question = json!({ "op": "eval", "settings": {} });
    if let Some(path) = &example.path {
        question["path"] = json!(format!("{ROOT}/{path}"));
        if example.kind == SourceKind::Template {
            files.insert(path.clone(), content(&example.source));
        }
    }
    question["files"] = Value::Object(files);
    surround(&mut question, example);
    question
}

fn catalog_question(example: &Example) -> Value {
    let (around, given) = (&example.surroundings, &example.settings);
    let mut question = json!({ "op": "catalog", "settings": given.more, "files": files(example) });
    for (name, value) in [("node", &given.node), ("environment", &given.environment), ("enc", &around.enc)] {
        if let Some(value) = value {
            question[name] = json!(value);
        }
    }
    if let Some(exported) = &around.exported {
        question["exported"] = json!(exported);
    }
    surround(&mut question, example);
    question
}

fn lookup_question(example: &Example) -> Value {
    let mut question = catalog_question(example);
    question["op"] = json!("lookup");
    if let Some(lookup) = &example.surroundings.lookup {
        lookup.put_into(&mut question);
    }
    question
}

fn files(example: &Example) -> Map<String, Value> {
    let files = example.surroundings.files.iter();
    files.map(|(path, text)| (path.clone(), content(text))).collect()
}

fn content(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!(text),
        Err(_) => json!({ "base64": base64(bytes) }),
    }
}

/// What a question of evaluation and one of a catalog have in common.
fn surround(question: &mut Value, example: &Example) {
    let around = &example.surroundings;
    if let Some(strict) = example.settings.strict_variables {
        question["settings"]["strict_variables"] = json!(strict);
    }
    for (name, hash) in [("facts", &around.facts), ("trusted", &around.trusted), ("params", &around.params)] {
        if let Some(hash) = hash {
            question[name] = Value::Object(hash.clone());
        }
    }
}

fn answer(reply: &Value, example: &Example) -> Result<Answer, String> {
    if let Some(why) = reply["bad_request"].as_str() {
        return Err(format!("the oracle does not take the question: {why}"));
    }
    if reply["timeout"] == true {
        return Err("the oracle did not answer in time".to_owned());
    }
    let log = reply["log"].as_array().into_iter().flatten();
    let log: Vec<String> = log.filter_map(|entry| Some(entry["text"].as_str()?.to_owned())).collect();
    let error = reply["error"]["message"].as_str();
    let crash = reply["crash"].as_str();
    let (said, unfit) = match example.mode {
        Mode::Parse => {
            let ast = reply["pn"].as_str().filter(|_| example.settings.ast);
            let dump_crash = reply["dump_crash"].as_str().filter(|_| example.settings.ast);
            let unfit = dump_crash.map(|why| {
                format!("the oracle accepts it but cannot show its tree ({why}): add the setting `ast = false`")
            });
            (Said::new(ast, &log, error)?, unfit)
        }
        Mode::Evaluate => {
            let value = reply["value"].as_str();
            let value = value.filter(|&value| example.kind == SourceKind::Template || value != "undef");
            (Said::evaluated(value, &log, error), crashed(crash))
        }
        // An error of Ruby's is what the command prints, unless Ruby itself has failed.
        Mode::Lookup => {
            let value = reply["value"].as_str();
            (Said::evaluated(value, &log, error), crashed(crash.filter(|crash| crash.starts_with("SystemStack"))))
        }
        Mode::Compile => {
            let json = reply["json"].as_str().filter(|_| error.is_none());
            let shown = json.map(|json| catalog::shown(json, example.settings.json)).transpose()?;
            (Said::compiled(shown.as_deref(), &log, error), crashed(crash))
        }
    };
    let whole = said.whole(crash);
    Ok(Answer { said, whole, unfit })
}

fn crashed(crash: Option<&str>) -> Option<String> {
    crash.map(|why| format!("the real Puppet crashes ({why}): say <!-- differs: reason -->"))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize] as char;
            text.push(if place <= three.len() { letter } else { '=' });
        }
    }
    text
}

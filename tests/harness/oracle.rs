//! Asks the real Puppet: one process a version, all questions at once.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use pantin::syntax::{Kind, Strict};
use serde_json::{Value, json};

use super::example::{Example, Version};
use super::said::{Said, visible};

/// What one version says of one example.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) said: Said,
    /// The same as one text; a crash of Ruby's is named as such.
    pub(super) whole: String,
    /// The source is right, but the real Puppet cannot show its tree.
    pub(super) cannot_show: Option<String>,
}

pub(super) struct Answers {
    /// `7.23`
    pub(super) version: String,
    /// In the order of the questions.
    pub(super) answers: Vec<Result<Answer, String>>,
}

/// Asks one version. `Err`: there is no oracle, and why.
pub(super) fn ask(version: Version, examples: &[&Example]) -> Result<Answers, String> {
    let mut questions = json!({ "id": 0, "op": "version" }).to_string();
    for (at, example) in examples.iter().enumerate() {
        questions.push('\n');
        questions.push_str(&question(example, at + 1).to_string());
    }
    questions.push('\n');

    let script = super::root().join("tests/oracle/oracle.rb");
    let mut command = Command::new("ruby");
    command.arg(script).args((version == Version::Eight).then_some("--puppet8"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().map_err(|error| format!("ruby cannot be started: {error}"))?;
    let mut to = process.stdin.take().unwrap();
    let from = BufReader::new(process.stdout.take().unwrap());
    // The end of the questions ends the process; a process that has gone away is seen by its silence.
    let writer = std::thread::spawn(move || to.write_all(questions.as_bytes()));
    let replies: Vec<Value> = from.lines().map_while(Result::ok).map(|line| reply(&line)).collect();
    let _ = writer.join();
    let status = process.wait().map_err(|error| error.to_string())?;

    let about = replies.first().ok_or(format!("the oracle of Puppet {} does not start ({status})", version.digit()))?;
    let full = about["puppet"].as_str().unwrap_or_default();
    let short = full.split('.').take(2).collect::<Vec<_>>().join(".");
    let mut answers: Vec<_> =
        replies.iter().skip(1).zip(examples).map(|(reply, example)| answer(reply, example)).collect();
    answers.resize_with(examples.len(), || Err(format!("the oracle of Puppet {full} ended before it answered")));
    Ok(Answers { version: short, answers })
}

fn reply(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| json!({ "bad_request": format!("no JSON: {error}") }))
}

fn question(example: &Example, id: usize) -> Value {
    let given = &example.settings;
    let mut settings = json!({
        "tasks": given.tasks,
        "max_errors": given.limits.errors,
        "max_warnings": given.limits.warnings,
        "max_deprecations": given.limits.deprecations,
    });
    if let Some(strict) = given.strict {
        settings["strict"] = json!(match strict {
            Strict::Off => "off",
            Strict::Warning => "warning",
            Strict::Error => "error",
        });
    }
    let kind = if example.kind == Kind::Template { "epp" } else { "pp" };
    let mut question = json!({
        "id": id, "op": "parse", "kind": kind, "want": ["pn"], "settings": settings, "validate": given.validate,
    });
    match std::str::from_utf8(&example.source) {
        Ok(text) => question["source"] = json!(text),
        Err(_) => question["source_base64"] = json!(base64(&example.source)),
    }
    if let Some(path) = &example.path {
        question["path"] = json!(path);
        question["modulepath"] = json!(given.modulepath);
        question["manifest"] = json!(given.manifest);
    }
    question
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
    let ast = reply["pn"].as_str().filter(|_| example.settings.ast);
    let said = Said::new(ast, &log, reply["error"]["message"].as_str())?;
    let whole = match reply["crash"].as_str() {
        Some(crash) => Said { error: Some(format!("crash: {}", visible(crash))), ..said.clone() }.whole(),
        None => said.whole(),
    };
    let cannot_show = reply["dump_crash"].as_str().filter(|_| example.settings.ast).map(str::to_owned);
    Ok(Answer { said, whole, cannot_show })
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

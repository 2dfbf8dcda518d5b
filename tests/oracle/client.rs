//! Talks to the oracle: one process a version, questions in any number, answers in their order.
//!
//! Knows the protocol's frame alone; what is asked and answered is for those who use it.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pantin::base::Language;
use serde_json::{Value, json};

/// A process that answers until it is dropped.
pub(crate) struct Oracle {
    process: Child,
    /// Nothing once it is to end.
    to: Option<ChildStdin>,
    from: Lines<BufReader<ChildStdout>>,
    /// What it says of itself.
    about: Value,
}

impl Oracle {
    /// `Err`: there is no oracle, and why.
    pub(crate) fn start(version: Language) -> Result<Oracle, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/oracle.rb");
        let mut command = Command::new("ruby");
        // Ruby warns of odd regular expressions on standard error; they come back as answers too.
        command.arg(script).args(option(version)).stderr(Stdio::null());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("ruby cannot be started: {error}"))?;
        let to = process.stdin.take();
        let from = BufReader::new(process.stdout.take().ok_or("no standard output")?).lines();
        let mut oracle = Oracle { process, to, from, about: Value::Null };
        match oracle.ask(vec![json!({ "id": 0, "op": "version" })]).pop() {
            Some(about) => oracle.about = about,
            None => {
                let (product, release) = (version.product(), version.release());
                let more = if version == Language::OpenVox8 { " --openvox" } else { "" };
                return Err(format!("the oracle of {product} {release} does not start; run tests/oracle/setup{more}"));
            }
        }
        Ok(oracle)
    }

    /// Fewer answers than questions: the process has ended.
    pub(crate) fn ask(&mut self, questions: Vec<Value>) -> Vec<Value> {
        let Oracle { to: Some(to), from, .. } = self else { return Vec::new() };
        let count = questions.len();
        std::thread::scope(|scope| {
            // One that has gone away is seen by its silence.
            scope.spawn(move || questions.iter().all(|question| writeln!(to, "{question}").is_ok()));
            from.take(count).map_while(Result::ok).map(|line| reply(&line)).collect()
        })
    }
}

impl Drop for Oracle {
    /// The end of the questions ends the process.
    fn drop(&mut self) {
        self.to = None;
        let _ = self.process.wait();
    }
}

/// The option by which the scripts of the oracle take a version.
pub(crate) fn option(version: Language) -> Option<&'static str> {
    match version {
        Language::Puppet7 => None,
        Language::Puppet8 => Some("--puppet8"),
        Language::OpenVox8 => Some("--openvox"),
    }
}

/// Asks one version. `Err`: there is no oracle, and why. The first answer is about itself.
pub(crate) fn ask(version: Language, questions: impl Iterator<Item = Value>) -> Result<Vec<Value>, String> {
    let mut oracle = Oracle::start(version)?;
    let answers = oracle.ask(questions.collect());
    Ok(std::iter::once(oracle.about.take()).chain(answers).collect())
}

fn reply(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| json!({ "bad_request": format!("no JSON: {error}") }))
}

//! Talks to the oracle: one process a version, all questions at once, answers in their order.
//!
//! Knows the protocol's frame alone; what is asked and answered is for those who use it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Asks one version. `Err`: there is no oracle, and why. The first answer is about itself.
pub(crate) fn ask(eight: bool, questions: impl Iterator<Item = Value> + Send) -> Result<Vec<Value>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/oracle.rb");
    let mut command = Command::new("ruby");
    // Ruby warns of odd regular expressions on standard error; they come back as answers too.
    command.arg(script).args(eight.then_some("--puppet8")).stderr(Stdio::null());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().map_err(|error| format!("ruby cannot be started: {error}"))?;
    let mut to = process.stdin.take().ok_or("no standard input")?;
    let from = BufReader::new(process.stdout.take().ok_or("no standard output")?);
    let replies: Vec<Value> = std::thread::scope(|scope| {
        // The end of the questions ends the process; one that has gone away is seen by its silence.
        scope.spawn(move || {
            let about = json!({ "id": 0, "op": "version" });
            for question in std::iter::once(about).chain(questions) {
                if writeln!(to, "{question}").is_err() {
                    return;
                }
            }
        });
        from.lines().map_while(Result::ok).map(|line| reply(&line)).collect()
    });
    let status = process.wait().map_err(|error| error.to_string())?;
    if replies.is_empty() {
        let version = if eight { 8 } else { 7 };
        return Err(format!("the oracle of Puppet {version} does not start ({status}); run tests/oracle/setup"));
    }
    Ok(replies)
}

fn reply(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| json!({ "bad_request": format!("no JSON: {error}") }))
}

//! How a command is started, and what is said where it cannot be.

use std::ffi::OsString;

use pantin_machine::{Command, SpawnError, Stop, System};
use pantin_values::Value;

use super::super::provider_command::{not_started, start_message};
use super::shell_words;
use super::table::{elements, program_name};
use crate::value::text;

/// Runs a command that no resource owns. An error says in Puppet's words why it did not succeed.
pub(crate) fn execute(command: &str, machine: &dyn System, stop: &Stop) -> Result<(), String> {
    let value = Value::string(command);
    let (program, arguments) = words(&value);
    let output = match machine.run(&Command::new(program, arguments), stop) {
        Ok(output) => output,
        Err(SpawnError::Start(error)) => not_started(&start_message(&error, &program_name(&value))),
        Err(error) => return Err(error.to_string()),
    };
    match output.code() {
        Some(0) => Ok(()),
        code => {
            let code = code.map(|code| code.to_string()).unwrap_or_default();
            Err(format!("Execution of '{command}' returned {code}: {}", output.lossy()))
        }
    }
}

/// Returns the program and its arguments: a shell and a text, where the command needs a shell.
pub(in super::super) fn words(command: &Value) -> (OsString, Vec<OsString>) {
    let text_of = |word: &Value| OsString::from(&*text(word));
    match command {
        Value::Array(words) if words.len() > 1 => {
            let mut words = words.iter().map(text_of);
            (words.next().unwrap_or_default(), words.collect())
        }
        one => {
            let command = elements(one).first().map(|word| text(word).into_owned()).unwrap_or_default();
            match shell_words::split(&command) {
                Some(words) => {
                    let mut words = words.into_iter().map(OsString::from);
                    (words.next().unwrap_or_default(), words.collect())
                }
                None => ("/bin/sh".into(), vec!["-c".into(), command.into()]),
            }
        }
    }
}

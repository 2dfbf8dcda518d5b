//! Commands of tools that carry resources out, some of which take a secret: told about in Puppet's words.

use std::path::PathBuf;

use pantin_machine::{Command, Output, Reading, SpawnError};
use pantin_values::Value;

use super::file::fileset::plain_words;
use super::provider_command::find_program;
use super::ruby_values::no_method;
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::log::Level;
use crate::resource::Draft;

/// A command of a tool.
#[derive(Clone, Debug)]
pub(crate) struct ToolCommand {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// What it reads. No secret ever stands among the arguments.
    pub input: Vec<u8>,
    /// Neither the log nor a failure shows it.
    pub is_secret: bool,
}

impl ToolCommand {
    /// A command by the name of its program, which is looked for now.
    pub(crate) fn new(
        name: &str,
        arguments: impl IntoIterator<Item = impl Into<String>>,
        machine: &dyn Reading,
    ) -> Result<ToolCommand, Failure> {
        let program = find_program(name, machine).ok_or_else(|| Failure::new(format!("Command {name} is missing")))?;
        Ok(ToolCommand {
            program,
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
            input: Vec::new(),
            is_secret: false,
        })
    }

    /// Returns the command as the log shows it.
    pub(crate) fn shown(&self) -> String {
        if self.is_secret {
            return "[redacted]".to_owned();
        }
        let program = self.program.to_string_lossy().into_owned();
        std::iter::once(&program).chain(&self.arguments).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Runs the command, however it ends.
    pub(crate) fn run(&self, context: &ApplyContext<'_>) -> Result<Output, Failure> {
        if context.says(Level::Debug) {
            context.say_bare(Level::Debug, format!("Executing: '{}'", self.shown()));
        }
        let environment = self.environment.iter().map(|(name, value)| (name.into(), Some(value.into())));
        let command = Command {
            environment: environment.collect(),
            input: self.input.clone(),
            ..Command::new(&self.program, &self.arguments)
        };
        context.machine.run(&command, context.stop).map_err(|error| match error {
            SpawnError::Start(error) => {
                Failure::new(format!("Could not execute posix command: {}", plain_words(&error)))
            }
            SpawnError::Stopped => Failure::stopped(context.stop.signal().unwrap_or_default()),
            error @ (SpawnError::TimedOut | SpawnError::Refused) => Failure::new(error.to_string()),
        })
    }

    /// Runs the command, and fails where it does: `Execution of 'X' returned 1: OUTPUT`.
    pub(crate) fn run_to_success(&self, context: &ApplyContext<'_>) -> Result<String, Failure> {
        let output = self.run(context)?;
        match output.is_success() {
            true => Ok(output.lossy()),
            false => Err(Failure::new(self.failure_text(&output))),
        }
    }

    /// Tells how the command failed.
    pub(crate) fn failure_text(&self, output: &Output) -> String {
        let code = output.code().map(|code| code.to_string()).unwrap_or_default();
        format!("Execution of '{}' returned {code}: {}", self.shown(), output.lossy().trim())
    }
}

/// Checks the name of a provider, of which there are some for other machines.
pub(crate) fn check_provider(type_name: &str, known: &[&str], given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let given = match given {
        Value::Array(items) => items.first().unwrap_or(&Value::Undef),
        one => one,
    };
    let name = match given {
        Value::String(name) | Value::Symbol(name) => name.as_str(),
        other => {
            let detail = no_method("intern", other);
            return Err(Failure::new(format!("Validate method failed for class provider: {detail}")));
        }
    };
    match known.contains(&name) || draft.is_provider_of_module(type_name, name) {
        true => Ok(()),
        false => Err(Failure::new(format!("Invalid {type_name} provider '{name}'"))),
    }
}

/// Returns what a resource lacks whose provider needs programs: nothing, if all of them are here.
pub(crate) fn lack_of(
    (type_name, provider): (&str, &str),
    named: Option<String>,
    programs: &[&str],
    machine: &dyn Reading,
) -> Option<ProviderLack> {
    let works = named.as_deref().is_none_or(|named| named == provider)
        && programs.iter().all(|program| find_program(program, machine).is_some());
    match (works, named) {
        (true, _) => None,
        (false, Some(named)) => Some(ProviderLack::Named(named)),
        (false, None) => Some(ProviderLack::OfType(type_name.to_owned())),
    }
}

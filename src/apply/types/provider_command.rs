//! Commands of providers: run through the door, told in the debug log, their failures in Puppet's words.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use pantin_machine::{Command, Ended, FileKind, Output, Reading, SpawnError, SystemQuery, command_line};

use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;

/// Where a name without a slash is looked for if nothing says where.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs a command that changes something, to whatever end.
pub(super) fn run(command: &Command, context: &ApplyContext<'_>) -> Result<Output, Failure> {
    run_shown(command, &command_line(command), context)
}

/// Like `run`, for a command that is shown in other words.
pub(super) fn run_shown(command: &Command, shown: &str, context: &ApplyContext<'_>) -> Result<Output, Failure> {
    say_executing(shown, context);
    finished(context.machine.run(command, context.stop), &command.program, context)
}

/// Runs a command that looks at the system by means of somebody else's program: also where nothing may be changed.
pub(super) fn run_check(command: &Command, shown: &str, context: &ApplyContext<'_>) -> Result<Output, Failure> {
    say_executing(shown, context);
    finished(context.checks.run(command, context.stop), &command.program, context)
}

/// Runs a command that changes something. Whatever ends with another code than zero has failed.
pub(super) fn run_or_fail(command: &Command, context: &ApplyContext<'_>) -> Result<Output, Failure> {
    let output = run(command, context)?;
    succeeded(output, &command_line(command))
}

/// Runs a program that reads only.
pub(super) fn query(query: &SystemQuery, context: &ApplyContext<'_>) -> Result<Output, Failure> {
    let program = query.command().map(|command| {
        say_executing(&command_line(&command), context);
        command.program
    });
    finished(context.machine.query(query, context.stop), &program.unwrap_or_default(), context)
}

/// Returns the output of a program that reads only. Whatever ends with another code than zero has failed.
pub(super) fn query_or_fail(asked: &SystemQuery, context: &ApplyContext<'_>) -> Result<Output, Failure> {
    let output = query(asked, context)?;
    succeeded(output, &shown_query(asked, context.machine))
}

/// Returns a query as a command line, its program with its whole path.
pub(super) fn shown_query(query: &SystemQuery, machine: &dyn Reading) -> String {
    let Some(mut command) = query.command() else { return String::new() };
    if let Some(path) = find_program(&command.program.to_string_lossy(), machine) {
        command.program = path.into();
    }
    command_line(&command)
}

/// Returns the output of a command that ended with zero.
pub(super) fn succeeded(output: Output, shown: &str) -> Result<Output, Failure> {
    if output.is_success() {
        return Ok(output);
    }
    let code = output.code().map(|code| code.to_string()).unwrap_or_default();
    Err(Failure::new(format!("Execution of '{shown}' returned {code}: {}", output.lossy().trim())))
}

/// Finds a program by the path of this process.
pub(super) fn find_program(name: &str, machine: &dyn Reading) -> Option<PathBuf> {
    let is_program = |path: &Path| {
        matches!(machine.stat(path, true), Ok(Some(found)) if found.kind == FileKind::File)
            && machine.is_executable(path)
    };
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let path = machine.variable("PATH").unwrap_or_else(|| OsString::from(USUAL_PATH));
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn say_executing(shown: &str, context: &ApplyContext<'_>) {
    if context.says(Level::Debug) {
        context.say_bare(Level::Debug, format!("Executing: '{shown}'"));
    }
}

fn finished(
    output: Result<Output, SpawnError>,
    program: &OsString,
    context: &ApplyContext<'_>,
) -> Result<Output, Failure> {
    match output {
        Ok(output) => Ok(output),
        Err(SpawnError::Start(error)) => Ok(not_started(&start_message(&error, &program.to_string_lossy()))),
        Err(SpawnError::Stopped) => Err(Failure::stopped(context.stop.signal().unwrap_or_default())),
        Err(error @ (SpawnError::TimedOut | SpawnError::Refused)) => Err(Failure::new(error.to_string())),
    }
}

/// Returns the output of a command that the child could not start: its error is all that it says.
pub(super) fn not_started(message: &str) -> Output {
    let text = format!("Error: Could not execute posix command: {message}\n");
    Output { ended: Ended::Code(1), text: text.into_bytes(), is_cut: false }
}

/// Returns why a program could not be started, in Ruby's words.
pub(super) fn start_message(error: &io::Error, program: &str) -> String {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "No such file or directory",
        io::ErrorKind::PermissionDenied => "Permission denied",
        _ => return error.to_string(),
    };
    format!("{words} - {program}")
}

//! The type `exec`: runs a command, unless a check says that it need not run.

mod shell_words;
mod start;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use pantin_machine::{Command, Errors, FileKind, Locale, Output, SpawnError, System, Who};
use pantin_values::Value;

use super::environment_settings::{Variables, add_settings};
use super::file::source::kind_name;
use super::provider_command::{not_started, start_message};
use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::{FileFootprint, Footprint};
use crate::log::Level;
use crate::managed::{ChangeMessage, Managed, Observation, Property, StateCheck};
use crate::resource::AttributeValues;
use crate::value::{inspect, symbol, text};
pub(crate) use start::execute;
pub(super) use start::words;
use table::{elements, is_expanded, program_name};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "exec",
    namevar: Some("command"),
    provider: Some("posix"),
    attributes: table::ATTRIBUTES,
    validate: Some(table::validate),
    spread_secret: Some(table::spread_secret),
    make,
};

/// The exit code of a shell that does not find a command.
const NOT_FOUND: i32 = 127;

struct Exec {
    properties: Vec<Property>,
    values: AttributeValues,
    command: Value,
    is_secret: bool,
    is_shell: bool,
    limit: Option<Duration>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let values = new.values;
    if values.is("provider", "windows") {
        return Err(Failure::lack(ProviderLack::Named("windows".to_owned())));
    }
    let limit = match values.get("timeout") {
        Some(Value::Float(seconds)) if *seconds > 0.0 => Duration::try_from_secs_f64(*seconds).ok(),
        _ => None,
    };
    Ok(Box::new(Exec {
        properties: values.properties(),
        values: values.clone(),
        command: values.get("command").cloned().unwrap_or_default(),
        is_secret: values.is_secret("command"),
        is_shell: values.is("provider", "shell"),
        limit,
    }))
}

impl Managed for Exec {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let returns = match self.must_run(false, context)? {
            true => symbol("notrun"),
            false => self.properties.first().map(Property::should).unwrap_or_default(),
        };
        Ok(Observation::new().with("returns", returns))
    }

    fn change(&mut self, _: &Property, _: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.run_with_tries(context)
    }

    fn describe(&self, _: &Property, _: &Value, _: &ApplyContext<'_>) -> ChangeMessage {
        ChangeMessage::Text("executed successfully".to_owned())
    }

    fn event_name(&self, _property: &Property) -> Option<String> {
        Some("executed_command".to_owned())
    }

    fn can_refresh(&self) -> bool {
        true
    }

    /// Asks the checks again. What `refresh` gives in place of the command may end as it likes.
    fn refresh(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if !self.must_run(true, context)? {
            return Ok(());
        }
        match self.values.get("refresh").cloned() {
            Some(command) => {
                self.run(&command, false, context).map(drop).map_err(|error| error.failure("execution expired"))
            }
            None => self.run_with_tries(context),
        }
    }

    fn footprint(&self) -> Footprint {
        match self.state_check() {
            StateCheck::Command => Footprint::Anything,
            StateCheck::Look | StateCheck::Record => Footprint::Files(FileFootprint {
                reads: self.values.list("creates").iter().map(|path| PathBuf::from(&*text(path))).collect(),
                accounts: ["user", "group"].iter().filter_map(|name| self.values.text(name)).collect(),
                writes_anything: true,
                ..FileFootprint::default()
            }),
        }
    }

    /// `refreshonly` counts as a check that needs no command.
    fn state_check(&self) -> StateCheck {
        match () {
            () if self.values.has("onlyif") || self.values.has("unless") => StateCheck::Command,
            () if self.values.has("creates") || self.values.is_true("refreshonly") => StateCheck::Look,
            () => StateCheck::Record,
        }
    }
}

/// Why a command has no output.
enum RunError {
    Failure(Failure),
    /// It took too long. Nobody is told what it had said.
    TimedOut,
}

impl RunError {
    fn failure(self, timed_out: &str) -> Failure {
        match self {
            RunError::Failure(failure) => failure,
            RunError::TimedOut => Failure::new(timed_out),
        }
    }
}

impl From<Failure> for RunError {
    fn from(failure: Failure) -> RunError {
        RunError::Failure(failure)
    }
}

impl Exec {
    /// Asks the checks: returns true if all of them let the command run. A refresh does not ask `refreshonly`.
    fn must_run(&self, is_refresh: bool, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        if !is_refresh && self.values.is_true("refreshonly") {
            return Ok(self.refuse("refreshonly", context));
        }
        for path in self.values.list("creates") {
            let path = text(&path).into_owned();
            if context.says(Level::Debug) {
                context.say_of("creates", Level::Debug, format!("Checking that 'creates' path '{path}' exists"));
            }
            if matches!(context.machine.stat(Path::new(&path), true), Ok(Some(_))) {
                return Ok(self.refuse("creates", context));
            }
        }
        for (name, wanted) in [("unless", false), ("onlyif", true)] {
            for command in self.values.list(name) {
                match self.check(name, &command, context)? {
                    Some(is_success) if is_success == wanted => {}
                    _ => return Ok(self.refuse(name, context)),
                }
            }
        }
        Ok(true)
    }

    /// Says that a check kept the command from running.
    fn refuse(&self, check: &str, context: &ApplyContext<'_>) -> bool {
        if context.says(Level::Debug) {
            let command = if self.is_secret { "[command redacted]".into() } else { text(&self.command) };
            context.say(Level::Debug, format!("'{command}' won't be executed because of failed check '{check}'"));
        }
        false
    }

    /// Runs a check: returns whether it succeeded, or nothing if it took too long.
    fn check(&self, name: &str, command: &Value, context: &ApplyContext<'_>) -> Result<Option<bool>, Failure> {
        let output = match self.run(command, true, context) {
            Ok(output) => output,
            Err(RunError::Failure(failure)) => return Err(failure),
            Err(RunError::TimedOut) => {
                let shown = if self.is_secret { "[redacted]".to_owned() } else { inspect(command) };
                context.say_of(name, Level::Err, format!("Check {shown} exceeded timeout"));
                return Ok(None);
            }
        };
        if context.says(Level::Debug) {
            match self.values.is_secret(name) {
                true => context.say_of(name, Level::Debug, "[output redacted]"),
                false => lines(&output.lossy()).for_each(|line| context.say_of(name, Level::Debug, line)),
            }
        }
        Ok(Some(output.is_success()))
    }

    /// Runs the command until it ends as it should, as often as it may.
    fn run_with_tries(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let tries = match self.values.get("tries") {
            Some(Value::Integer(tries)) => *tries,
            _ => 1,
        };
        let pause = match self.values.get("try_sleep") {
            Some(Value::Float(seconds)) => Duration::try_from_secs_f64(*seconds).unwrap_or_default(),
            _ => Duration::ZERO,
        };
        let mut attempt = 0;
        let output = loop {
            attempt += 1;
            if tries > 1 && context.says(Level::Debug) {
                context.say_of("returns", Level::Debug, format!("Exec try {attempt}/{tries}"));
            }
            let output = match self.run(&self.command, false, context) {
                Ok(output) => output,
                Err(RunError::Failure(failure)) => return Err(failure),
                Err(RunError::TimedOut) => return Err(Failure::new("Command exceeded timeout")),
            };
            if self.is_expected(&output) || attempt >= tries {
                break output;
            }
            if !pause.is_zero() && tries > 1 {
                let seconds = self.values.text("try_sleep").unwrap_or_default();
                context.say_of("returns", Level::Debug, format!("Sleeping for {seconds} seconds between tries"));
                context.machine.wait(pause, context.stop);
            }
            if let Some(signal) = context.stop.signal() {
                return Err(Failure::stopped(signal));
            }
        };
        let is_expected = self.is_expected(&output);
        self.log_output(&output, is_expected, context)?;
        if is_expected {
            return Ok(());
        }
        let command =
            if self.is_secret { "[command redacted]".to_owned() } else { format!("'{}'", text(&self.command)) };
        let code = output.code().map(|code| code.to_string()).unwrap_or_default();
        let expected: Vec<String> = self.expected_codes();
        Err(Failure::new(format!("{command} returned {code} instead of one of [{}]", expected.join(","))))
    }

    fn expected_codes(&self) -> Vec<String> {
        let desired = self.properties.first().map(|property| property.desired.as_slice()).unwrap_or_default();
        desired.iter().map(|code| text(code).into_owned()).collect()
    }

    fn is_expected(&self, output: &Output) -> bool {
        output.code().is_some_and(|code| self.expected_codes().contains(&code.to_string()))
    }

    fn log_output(&self, output: &Output, is_expected: bool, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let is_logged = self.values.is_true("logoutput") || (self.values.is("logoutput", "on_failure") && !is_expected);
        let level = context.resource.metaparameters.level;
        if is_logged && self.is_secret {
            context.say_of("returns", level, "[output redacted]");
        } else if is_logged {
            let said = std::str::from_utf8(&output.text);
            let said = said.map_err(|_| Failure::new("invalid byte sequence in UTF-8"))?;
            lines(said).for_each(|line| context.say_of("returns", level, line));
        }
        Ok(())
    }

    /// Runs one command in the resource's surroundings.
    fn run(&self, command: &Value, is_check: bool, context: &ApplyContext<'_>) -> Result<Output, RunError> {
        let machine = if is_check { context.checks } else { context.machine };
        let command = match self.is_shell {
            true => Value::array(["/bin/sh", "-c", &text(command)].map(Value::string)),
            false => command.clone(),
        };
        self.find_program(&command, machine)?;
        self.say_executing(&command, is_check, context);
        let folder = self.values.text("cwd").map(PathBuf::from);
        if let Some(folder) = &folder
            && !matches!(machine.stat(folder, true), Ok(Some(found)) if found.kind == FileKind::Folder)
        {
            let message = format!("Working directory {} does not exist!", folder.display());
            return Err(Failure::new(message).into());
        }
        let spawned = match self.identity(machine) {
            Ok((user, group)) => {
                let (program, arguments) = words(&command);
                // A shell that nobody named is called by its name alone, which its errors begin with.
                let is_own_shell = program == "/bin/sh" && !self.is_shell && program_name(&command) != "/bin/sh";
                let spawned = Command {
                    called: is_own_shell.then(|| "sh".into()),
                    folder,
                    user,
                    group,
                    umask: match self.values.get("umask") {
                        Some(Value::Integer(umask)) => Some(*umask as u32),
                        _ => None,
                    },
                    locale: Locale::Inherited,
                    environment: self.environment(context),
                    time_limit: self.limit,
                    errors: Errors::Combined,
                    ..Command::new(program, arguments)
                };
                machine.run(&spawned, context.stop)
            }
            Err(unknown) => Ok(not_started(unknown.message())),
        };
        let output = match spawned {
            Ok(output) => output,
            Err(SpawnError::Start(error)) => not_started(&start_message(&error, &program_name(&command))),
            Err(SpawnError::TimedOut) => return Err(RunError::TimedOut),
            Err(SpawnError::Stopped) => return Err(Failure::stopped(context.stop.signal().unwrap_or_default()).into()),
            Err(error @ SpawnError::Refused) => return Err(Failure::new(error.to_string()).into()),
        };
        if output.code() == Some(NOT_FOUND) {
            return Err(Failure::new(output.lossy()).into());
        }
        Ok(output)
    }

    fn say_executing(&self, command: &Value, is_check: bool, context: &ApplyContext<'_>) {
        if !context.says(Level::Debug) {
            return;
        }
        let provider = if self.is_shell { "shell" } else { "posix" };
        let (check, shown) = (if is_check { " check" } else { "" }, text(command));
        let redacted = if self.is_secret { "[redacted]" } else { &*shown };
        context.say_of_provider(provider, Level::Debug, format!("Executing{check} '{redacted}'"));
        let joined: Vec<String> = elements(command).iter().map(|word| text(word).into_owned()).collect();
        let redacted = if self.is_secret { "[redacted]".to_owned() } else { joined.join(" ") };
        let who = |name: &str, key: &str| self.values.text(name).map(|who| format!(" {key}={who}")).unwrap_or_default();
        let who = who("user", "uid") + &who("group", "gid");
        let with = if who.is_empty() { "" } else { " with" };
        context.say_bare(Level::Debug, format!("Executing{with}{who}: '{redacted}'"));
    }

    /// Refuses a command whose program is not there, or is none.
    fn find_program(&self, command: &Value, machine: &dyn System) -> Result<(), Failure> {
        let program = program_name(command);
        if is_expanded(&program) {
            let path = Path::new(&program);
            return match machine.stat(path, true) {
                Ok(Some(found)) if found.kind != FileKind::File => {
                    let kind = machine.stat(path, false).ok().flatten().map_or(found.kind, |found| found.kind);
                    Err(Failure::new(format!("'{program}' is a {}, not a file", kind_name(kind))))
                }
                Ok(Some(_)) if !machine.is_executable(path) => {
                    Err(Failure::new(format!("'{program}' is not executable")))
                }
                Ok(Some(_)) => Ok(()),
                Ok(None) | Err(_) => Err(Failure::new(format!("Could not find command '{program}'"))),
            };
        }
        let is_program = |path: &Path| {
            matches!(machine.stat(path, true), Ok(Some(found)) if found.kind == FileKind::File)
                && machine.is_executable(path)
        };
        let is_found = match program.contains('/') {
            true => is_program(Path::new(&program)),
            false => {
                self.values.list("path").iter().any(|folder| is_program(&Path::new(&*text(folder)).join(&program)))
            }
        };
        match is_found && self.values.has("path") {
            true => Ok(()),
            false => Err(Failure::new(format!("Could not find command '{program}'"))),
        }
    }

    /// Returns the user and the group that the command runs as.
    fn identity(&self, machine: &dyn System) -> Result<(Option<u32>, Option<u32>), Failure> {
        let user = match self.values.text("user") {
            None => None,
            Some(name) => {
                let found = machine.user(Who::from_text(&name)).ok().flatten().map(|user| user.uid);
                let unknown = || match self.is_number("user") {
                    true => Failure::new(format!("can't find user for {name}")),
                    false => Failure::new(format!("Invalid user: {name}")),
                };
                Some(found.ok_or_else(unknown)?)
            }
        };
        let group = match self.values.text("group") {
            None => None,
            Some(name) => {
                let found = machine.group(Who::from_text(&name)).ok().flatten().map(|group| group.gid);
                // A number need be no group's, but a text has to be.
                let gid = found.or_else(|| name.parse().ok().filter(|_| self.is_number("group")));
                Some(gid.ok_or_else(|| Failure::new(format!("Invalid group: {name}")))?)
            }
        };
        Ok((user, group))
    }

    fn is_number(&self, name: &str) -> bool {
        matches!(self.values.get(name), Some(Value::Integer(_)))
    }

    /// Returns the variables that the resource sets.
    fn environment(&self, context: &ApplyContext<'_>) -> Variables {
        let provider = if self.is_shell { "shell" } else { "posix" };
        let mut variables = Variables::new();
        if self.values.has("path") {
            let folders: Vec<String> =
                self.values.list("path").iter().map(|folder| text(folder).into_owned()).collect();
            variables.push(("PATH".into(), Some(folders.join(":").into())));
        }
        let overriding = |name: &str, value: &str| format!("Overriding environment setting '{name}' with '{value}'");
        add_settings(&mut variables, &self.values.list("environment"), (context, provider), overriding);
        variables
    }
}

/// Returns the lines of an output; empty ones at its end are none.
fn lines(said: &str) -> impl Iterator<Item = &str> {
    let said = said.trim_end_matches('\n');
    said.split('\n').filter(move |_| !said.is_empty())
}

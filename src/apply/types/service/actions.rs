//! Starts, stops and restarts a service, and asks whether it runs: by commands of the resource's own, or of its provider.

use pantin_machine::{Command, Locale, Output};
use pantin_values::Value;

use super::super::exec::words;
use super::super::provider_command::{find_program, run_check, run_shown, succeeded};
use super::provider::ServiceProvider;
use super::{Service, command_words};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::value::{symbol, text};

/// What is done with a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Start,
    Stop,
    Restart,
    Status,
}

impl Action {
    pub(super) fn name(self) -> &'static str {
        match self {
            Action::Start => "start",
            Action::Stop => "stop",
            Action::Restart => "restart",
            Action::Status => "status",
        }
    }
}

impl Service {
    /// Returns `running` or `stopped`.
    pub(super) fn state(&mut self, context: &ApplyContext<'_>) -> Result<Value, Failure> {
        let is_running = match self.command(Action::Status, context)? {
            Some(command) => self.execute(Action::Status, &command, context)?.is_success(),
            None => self.find_process(context)?.is_some(),
        };
        Ok(symbol(if is_running { "running" } else { "stopped" }))
    }

    pub(super) fn start(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if self.provider == ServiceProvider::Systemd {
            let started = self.reload_unit(context).and_then(|()| self.run_action(Action::Start, context));
            return self.with_journal(Action::Start, started, context);
        }
        self.run_action(Action::Start, context)
    }

    pub(super) fn stop(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let stopped = match self.command(Action::Stop, context)? {
            Some(command) => self.execute(Action::Stop, &command, context).map(drop),
            None => self.end_process(context),
        };
        match self.provider {
            ServiceProvider::Systemd => self.with_journal(Action::Stop, stopped, context),
            _ => stopped,
        }
    }

    pub(super) fn restart(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if self.provider == ServiceProvider::Systemd {
            let restarted = self.reload_unit(context).and_then(|()| self.run_action(Action::Restart, context));
            return self.with_journal(Action::Restart, restarted, context);
        }
        match self.command(Action::Restart, context)? {
            Some(command) => self.execute(Action::Restart, &command, context).map(drop),
            None => {
                self.stop(context)?;
                self.start(context)
            }
        }
    }

    /// Runs the command of an action that cannot do without one.
    fn run_action(&mut self, action: Action, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match self.command(action, context)? {
            Some(command) => self.execute(action, &command, context).map(drop),
            None => Err(Failure::new("Services must specify a start command or a binary")),
        }
    }

    /// Returns the command of an action: the resource's own, or that of its provider.
    fn command(&mut self, action: Action, context: &ApplyContext<'_>) -> Result<Option<Value>, Failure> {
        if let Some(own) = self.values.get(action.name()) {
            return Ok(Some(own.clone()));
        }
        match (self.provider, action) {
            (ServiceProvider::Systemd, _) => self.unit_command(action, context).map(Some),
            (ServiceProvider::Debian | ServiceProvider::Init, _) => self.script_command(action, context),
            (ServiceProvider::Base, Action::Start) => Ok(self.values.get("binary").cloned()),
            (ServiceProvider::Base, _) => Ok(None),
        }
    }

    /// Runs a command in the surroundings of this process. Only that of a status may end as it likes.
    fn execute(&self, action: Action, command: &Value, context: &ApplyContext<'_>) -> Result<Output, Failure> {
        let (program, arguments) = words(command);
        let shown = match command {
            Value::Array(words) => words.iter().map(|word| text(word).into_owned()).collect::<Vec<_>>().join(" "),
            one => text(one).into_owned(),
        };
        let command = Command { locale: Locale::Inherited, ..Command::new(program, arguments) };
        if action == Action::Status {
            return run_check(&command, &shown, context);
        }
        let output = run_shown(&command, &shown, context)?;
        succeeded(output, &shown).map_err(|failure| {
            let reference = &context.resource.reference;
            Failure::new(format!("Could not {} {reference}: {failure}", action.name()))
        })
    }

    /// Ends the process that the pattern finds.
    fn end_process(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let name = self.name.clone();
        let Some(process) = self.find_process(context)? else {
            self.say(Level::Info, &format!("{name} is not running"), context);
            return Ok(());
        };
        let kill = find_program("kill", context.machine).unwrap_or_else(|| "kill".into());
        let kill = kill.to_string_lossy().into_owned();
        let (program, arguments) = words(&command_words([kill.as_str(), process.as_str()]));
        let command = Command::new(program, arguments);
        let output = run_shown(&command, &format!("{kill} {process}"), context)?;
        match output.is_success() {
            true => Ok(()),
            false => Err(Failure::new(format!("Could not kill {name}, PID {process}: "))),
        }
    }
}

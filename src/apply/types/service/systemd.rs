//! Services as units of systemd, by `systemctl`.

use std::path::Path;

use pantin_machine::{Command, SystemQuery};
use pantin_values::Value;

use super::super::provider_command::{find_program, query, query_or_fail, run, run_or_fail};
use super::actions::Action;
use super::{Service, command_words};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::Property;
use crate::value::is_word;

/// What systemd says of the start of a unit at boot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Enablement {
    /// `enabled`, `static` or another word; empty where there is no unit.
    pub word: String,
    pub is_success: bool,
}

impl Service {
    pub(super) fn unit_command(&mut self, action: Action, context: &ApplyContext<'_>) -> Result<Value, Failure> {
        let verb = match action {
            Action::Status => "is-active",
            action => action.name(),
        };
        if action == Action::Start {
            self.change_unit("unmask", context)?;
        }
        let systemctl = systemctl(context);
        Ok(command_words([systemctl.as_str(), verb, "--", self.name.as_str()]))
    }

    /// Reads the files of units again if those of this one were changed.
    pub(super) fn reload_unit(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let answer = query(&SystemQuery::UnitReload(self.name.clone()), context)?.lossy();
        if answer.trim().rsplit('=').next() == Some("yes") {
            run(&Command::new(systemctl(context), ["daemon-reload"]), context)?;
        }
        Ok(())
    }

    /// Says a failure with what the unit said lately.
    pub(super) fn with_journal(
        &self,
        action: Action,
        result: Result<(), Failure>,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        match result {
            Err(failure) if failure.signal().is_none() => {}
            result => return result,
        }
        let name = &self.name;
        let journal = query_or_fail(&SystemQuery::Journal(name.clone()), context).map_err(|failure| {
            // The command is one text there, with quotes.
            Failure::new(failure.message().replace("--since 5 minutes ago", "--since '5 minutes ago'"))
        })?;
        let action = action.name();
        Err(Failure::new(format!(
            "Systemd {action} for {name} failed!\njournalctl log for {name}:\n{}",
            journal.lossy()
        )))
    }

    /// Asks how the unit is started at boot, once until that is changed.
    fn enablement(&mut self, context: &ApplyContext<'_>) -> Result<Enablement, Failure> {
        if let Some(known) = &self.enablement {
            return Ok(known.clone());
        }
        let output = query(&SystemQuery::UnitEnablement(self.name.clone()), context)?;
        let said = output.lossy();
        let word = said.strip_suffix('\n').unwrap_or(&said).to_owned();
        let enablement = Enablement { word, is_success: output.is_success() };
        self.enablement = Some(enablement.clone());
        Ok(enablement)
    }

    /// Returns the value of `enable`. A masked unit is merely disabled where it is not to be masked.
    pub(super) fn unit_enabled(&mut self, context: &ApplyContext<'_>) -> Result<&'static str, Failure> {
        let Enablement { word, is_success } = self.enablement(context)?;
        let wants_mask = self.values.is("enable", "mask");
        Ok(match word.as_str() {
            "masked" if wants_mask => "mask",
            "indirect" => "false",
            _ if is_success => "true",
            "" if is_debian(context) && self.is_started_by_links(context)? => "true",
            _ => "false",
        })
    }

    /// Static units can only be masked, and indirect ones are left alone.
    pub(super) fn is_unit_as_desired(
        &mut self,
        property: &Property,
        is: &Value,
        context: &ApplyContext<'_>,
    ) -> Result<bool, Failure> {
        let should = property.should();
        let name = self.name.clone();
        match self.enablement(context)?.word.as_str() {
            "static" if !is_word(&should, "mask") => {
                self.say(Level::Debug, &format!("Unable to enable or disable static service {name}"), context);
                Ok(true)
            }
            "indirect" => {
                let text = format!("Service {name} is in 'indirect' state and cannot be enabled/disabled");
                self.say(Level::Debug, &text, context);
                Ok(true)
            }
            _ => Ok(*is == should),
        }
    }

    pub(super) fn enable_unit(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.change_unit("unmask", context)?;
        self.change_unit("enable", context)
    }

    pub(super) fn mask_unit(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if query(&SystemQuery::UnitText(self.name.clone()), context)?.is_success() {
            self.change_unit("disable", context)?;
        }
        self.change_unit("mask", context)
    }

    /// Runs `enable`, `disable`, `mask` or `unmask`, after which nothing is known of the unit's start at boot.
    pub(super) fn change_unit(&mut self, verb: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let command = Command::new(systemctl(context), [verb, "--", self.name.as_str()]);
        self.enablement = None;
        match run_or_fail(&command, context) {
            Ok(_) => Ok(()),
            Err(failure) if failure.signal().is_some() => Err(failure),
            Err(_) => Err(Failure::new(format!("Could not {verb} {}: ", self.name))),
        }
    }
}

fn systemctl(context: &ApplyContext<'_>) -> String {
    let found = find_program("systemctl", context.machine);
    found.map_or_else(|| "systemctl".to_owned(), |path| path.to_string_lossy().into_owned())
}

fn is_debian(context: &ApplyContext<'_>) -> bool {
    matches!(context.machine.stat(Path::new("/etc/debian_version"), true), Ok(Some(_)))
}

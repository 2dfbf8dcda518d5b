//! Services as init scripts, and the links that start them at boot.

use std::path::Path;

use pantin_machine::{Command, FileKind, SystemQuery};
use pantin_values::Value;

use super::super::provider_command::{query, run_or_fail};
use super::actions::Action;
use super::provider::ServiceProvider;
use super::{Service, command_words};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::value::text;

/// So many links make a service that is started at boot, where the policy does not say.
const START_LINKS: usize = 4;

/// The version of Debian's init scripts that can disable one.
const WITH_DISABLE: &str = "2.88";

impl Service {
    pub(super) fn script_command(&self, action: Action, context: &ApplyContext<'_>) -> Result<Option<Value>, Failure> {
        let is_wanted = match action {
            Action::Start | Action::Stop => true,
            Action::Restart => self.values.is_true("hasrestart"),
            Action::Status => self.values.is_true("hasstatus"),
        };
        if !is_wanted {
            return Ok(None);
        }
        if action == Action::Status && self.provider == ServiceProvider::Debian {
            return Ok(Some(command_words(["/usr/sbin/service", self.name.as_str(), "status"])));
        }
        let script = self.script(context)?;
        Ok(Some(command_words([script.as_str(), action.name()])))
    }

    /// Finds the init script.
    fn script(&self, context: &ApplyContext<'_>) -> Result<String, Failure> {
        let mut folders = Vec::new();
        for folder in self.values.list("path") {
            let folder = text(&folder).into_owned();
            match context.machine.stat(Path::new(&folder), true) {
                Ok(Some(found)) if found.kind == FileKind::Folder => folders.push(folder),
                Ok(Some(_)) => self.say(Level::Debug, &format!("Search path {folder} is not a directory"), context),
                _ => self.say(Level::Debug, &format!("Search path {folder} does not exist"), context),
            }
        }
        for name in [self.name.clone(), format!("{}.sh", self.name)] {
            for folder in &folders {
                let path = format!("{folder}/{name}");
                if matches!(context.machine.stat(Path::new(&path), true), Ok(Some(_))) {
                    return Ok(path);
                }
                self.say(Level::Debug, &format!("Could not find {name} in {folder}"), context);
            }
        }
        Err(Failure::new(format!("Could not find init script for '{}'", self.name)))
    }

    /// Asks the policy of the system, or counts the links, whether a script is started at boot.
    pub(super) fn is_started_by_links(&self, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        let answer = query(&SystemQuery::StartPolicy(self.name.clone()), context)?;
        Ok(match answer.code() {
            Some(104 | 106) => true,
            Some(101 | 105) => self.count_start_links(context) >= START_LINKS,
            _ => false,
        })
    }

    /// Counts the links `/etc/rc?.d/S??NAME`.
    fn count_start_links(&self, context: &ApplyContext<'_>) -> usize {
        let name = match self.provider == ServiceProvider::Systemd && self.name.contains(".service") {
            true => self.name.split('.').next().unwrap_or_default(),
            false => &self.name,
        };
        let names = |folder: &str| context.machine.list(Path::new(folder)).unwrap_or_default();
        let is_level = |folder: &String| folder.starts_with("rc") && folder.ends_with(".d");
        let levels = names("/etc").into_iter().map(|level| level.to_string_lossy().into_owned()).filter(is_level);
        let is_start = |link: &std::ffi::OsString| {
            let link = link.to_string_lossy();
            let rest = link.strip_prefix('S').map(|rest| rest.chars().skip(2).collect::<String>());
            rest.as_deref() == Some(name)
        };
        levels.map(|level| names(&format!("/etc/{level}")).iter().filter(|link| is_start(link)).count()).sum()
    }

    pub(super) fn enable_script(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        update_links(&["-f", &self.name, "remove"], context)?;
        update_links(&[&self.name, "defaults"], context)
    }

    pub(super) fn disable_script(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if can_disable(context)? {
            return update_links(&[&self.name, "disable"], context);
        }
        update_links(&["-f", &self.name, "remove"], context)?;
        update_links(&[&self.name, "stop", "00", "1", "2", "3", "4", "5", "6", "."], context)
    }
}

/// Returns true if Debian's init scripts are there, and new enough to disable one.
fn can_disable(context: &ApplyContext<'_>) -> Result<bool, Failure> {
    let package = query(&SystemQuery::Packages(Some("sysv-rc".to_owned())), context)?;
    let line = package.lossy();
    let Some(version) = line.split_whitespace().nth(4).filter(|_| package.is_success()) else { return Ok(false) };
    let asked = SystemQuery::IsPackageAtLeast(version.to_owned(), WITH_DISABLE.to_owned());
    Ok(query(&asked, context)?.is_success())
}

fn update_links(arguments: &[&str], context: &ApplyContext<'_>) -> Result<(), Failure> {
    run_or_fail(&Command::new("/usr/sbin/update-rc.d", arguments.iter().copied()), context).map(drop)
}

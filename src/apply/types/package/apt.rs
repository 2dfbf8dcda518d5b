//! Packages by `apt-get`, which fetches them.

use std::path::Path;

use pantin_machine::{Command, SystemQuery};
use pantin_values::Value;

use super::super::native_provider::NativeProvider;
use super::super::provider_command::{query_or_fail, run_or_fail};
use super::installed;
use super::job::PackageJob;
use super::table::option_words;
use super::version::{DebianVersion, VersionRange};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::value::text;

/// No list of sources is larger.
const LARGEST: u64 = 4 << 20;

/// Keeps everything from asking a person.
const NEVER_ASK: [(&str, &str); 3] =
    [("DEBIAN_FRONTEND", "noninteractive"), ("APT_LISTBUGS_FRONTEND", "none"), ("APT_LISTCHANGES_FRONTEND", "none")];

const SOURCES: &str = "/etc/apt/sources.list";

impl PackageJob<'_> {
    /// Installs the package, in the version that is desired if one is.
    pub(super) fn install_by_apt(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.preseed(context)?;
        let desired = self.values.get("ensure").cloned().unwrap_or_default();
        let version = match &desired {
            Value::Symbol(_) | Value::Boolean(_) | Value::Undef => None,
            Value::String(written) => Some(self.best_version(written, context)?),
            other => Some(text(other).into_owned()),
        };
        self.refuse_cdrom(context)?;
        let answers = if self.values.is("configfiles", "replace") { "confnew" } else { "confold" };
        let mut arguments =
            vec!["-q".to_owned(), "-y".to_owned(), "-o".to_owned(), format!("DPkg::Options::=--force-{answers}")];
        if version.is_some() {
            arguments.push("--force-yes".to_owned());
        }
        arguments.extend(option_words(&self.values.list("install_options")));
        arguments.push("install".to_owned());
        arguments.push(match (self.values.text("source"), &version) {
            (Some(source), _) => source,
            (None, Some(version)) => format!("{}={version}", self.name),
            (None, None) => self.name.clone(),
        });
        self.unhold_if_held(context)?;
        let command = self.with_environment(command("/usr/bin/apt-get", arguments), context);
        let installed = run_or_fail(&command, context);
        self.hold_if_desired(context)?;
        installed?;
        self.check_version_of_source(&desired, context)
    }

    /// Refuses a file whose package has another version than the desired one.
    fn check_version_of_source(&self, desired: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if !self.values.has("source") || matches!(desired, Value::Symbol(word) if word == "present") {
            return Ok(());
        }
        let is = installed::one(&self.name, context)?.ensure;
        match is_in_range(&is, desired) {
            true => Ok(()),
            false => {
                let (desired, is) = (text(desired), text(&is));
                Err(Failure::new(format!("Failed to update to version {desired}, got version {is} instead")))
            }
        }
    }

    /// Returns the highest version that lies in a range; what is no range, or has no version, stays as it is.
    fn best_version(&self, written: &str, context: &ApplyContext<'_>) -> Result<String, Failure> {
        let range = match VersionRange::parse(written) {
            Some(VersionRange::Exactly(_)) => return Ok(written.to_owned()),
            Some(range) => range,
            None => {
                say(
                    Level::Debug,
                    &format!("Cannot parse {written} as a debian version range, falling through"),
                    context,
                );
                return Ok(written.to_owned());
            }
        };
        let listed = query_or_fail(&SystemQuery::PackageVersions(self.name.clone()), context)?.lossy();
        let versions = listed.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
        let best = versions.filter_map(DebianVersion::parse).filter(|version| range.contains(version)).max();
        if best.is_none() {
            let text = format!("No available version for package {} is included in range {range}", self.name);
            say(Level::Debug, &text, context);
        }
        Ok(best.map_or_else(|| range.to_string(), |best| best.to_string()))
    }

    /// Returns the version that would be installed.
    pub(super) fn candidate(&self, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        let policy = query_or_fail(&SystemQuery::PackageCandidate(self.name.clone()), context)?.lossy();
        let mut words = policy.split_whitespace().skip_while(|word| !word.ends_with("Candidate:")).skip(1);
        let candidate = words.next().map(str::to_owned);
        if candidate.is_none() {
            context.say_of_provider(self.provider.name(), Level::Err, "Could not find latest version");
        }
        Ok(candidate)
    }

    pub(super) fn remove_by_apt(&self, with_files: bool, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.preseed(context)?;
        let mut arguments = vec!["-y", "-q"];
        if self.is_held {
            arguments.push("--allow-change-held-packages");
        }
        arguments.push("remove");
        arguments.extend(with_files.then_some("--purge"));
        arguments.push(&self.name);
        let arguments = arguments.into_iter().map(str::to_owned).collect();
        run_or_fail(&self.with_environment(command("/usr/bin/apt-get", arguments), context), context)?;
        // What was removed before is not purged by apt.
        if with_files { self.remove_by_dpkg("--purge", context) } else { Ok(()) }
    }

    /// Gives debconf the answers of the response file.
    fn preseed(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let Some(answers) = self.values.text("responsefile") else { return Ok(()) };
        let provider = self.provider.name();
        if !matches!(context.machine.stat(Path::new(&answers), true), Ok(Some(_))) {
            let text = "No responsefile specified or non existent, not preseeding anything";
            context.say_of_provider(provider, Level::Info, text);
            return Ok(());
        }
        context.say_of_provider(provider, Level::Info, format!("Preseeding {answers} to debconf-set-selections"));
        run_or_fail(&command("/usr/bin/debconf-set-selections", vec![answers]), context).map(drop)
    }

    /// Refuses a disc among the sources: apt would ask for it.
    fn refuse_cdrom(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let sources = context.machine.read(Path::new(SOURCES), LARGEST).unwrap_or_default();
        let sources = String::from_utf8_lossy(&sources);
        let has_disc = sources.lines().any(|line| line.split('#').next().unwrap_or_default().contains("cdrom:"));
        match has_disc && !self.values.is_true("allowcdrom") {
            true => Err(Failure::new(format!(
                "{SOURCES} contains a cdrom source; not installing.  Use 'allowcdrom' to override this failure."
            ))),
            false => Ok(()),
        }
    }
}

/// Marks a package as one that somebody asked for.
pub(super) fn mark_as_manual(name: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
    run_or_fail(&command("/usr/bin/apt-mark", vec!["manual".to_owned(), name.to_owned()]), context).map(drop)
}

/// Returns true if a version lies in the desired range.
pub(super) fn is_in_range(is: &Value, desired: &Value) -> bool {
    let (Value::String(is), Value::String(desired)) = (is, desired) else { return false };
    match (VersionRange::parse(desired), DebianVersion::parse(is)) {
        (Some(range), Some(version)) => range.contains(&version),
        _ => false,
    }
}

fn say(level: Level, text: &str, context: &ApplyContext<'_>) {
    if context.says(level) {
        context.say_bare(level, text);
    }
}

fn command(program: &str, arguments: Vec<String>) -> Command {
    let environment = NEVER_ASK.map(|(name, value)| (name.into(), Some(value.into())));
    Command { environment: environment.to_vec(), ..Command::new(program, arguments) }
}

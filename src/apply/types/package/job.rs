//! Work on one package: what is needed to install, remove or hold it.

use pantin_machine::{Command, SystemQuery};

use super::super::environment_settings::{Variables, add_settings};
use super::super::native_provider::NativeProvider;
use super::super::provider_command::query_or_fail;
use super::installed;
use super::provider::PackageProvider;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Property;
use crate::provider::Delta;
use crate::resource::AttributeValues;
use crate::value::is_word;

/// Work on one package.
pub(super) struct PackageJob<'a> {
    pub provider: PackageProvider,
    pub name: String,
    pub values: &'a AttributeValues,
    /// dpkg holds it at its version.
    pub is_held: bool,
}

impl<'a> PackageJob<'a> {
    /// The work of a change. A name that no package has may mean one that provides it.
    pub(super) fn from_delta(
        provider: PackageProvider,
        delta: &Delta<'a>,
        context: &ApplyContext<'_>,
    ) -> Result<PackageJob<'a>, Failure> {
        let mut name = delta.name.to_owned();
        if delta.values.is_true("allow_virtual") && !installed::one(&name, context)?.is_installed() {
            name = installed::provider_of(&name, &installed::provided(context)?).unwrap_or(name);
        }
        let is_held = delta.is.get("mark").is_some_and(|mark| is_word(mark, "hold"));
        Ok(PackageJob { provider, name, values: delta.values, is_held })
    }

    /// Adds the variables that the resource sets to a command that changes the package.
    pub(super) fn with_environment(&self, command: Command, context: &ApplyContext<'_>) -> Command {
        let mut variables = Variables::new();
        let overriding = |name: &str, _: &str| format!("Overriding environment setting '{name}'");
        let settings = self.values.list("environment");
        add_settings(&mut variables, &settings, (context, self.provider.name()), overriding);
        let environment = command.environment.iter().cloned().chain(variables).collect();
        Command { environment, ..command }
    }

    /// Brings one property about.
    pub(super) fn carry_out(&self, property: &Property, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let should = property.should();
        match (property.name, self.provider) {
            ("mark", _) => self.select(if is_word(&should, "hold") { "hold" } else { "install" }, context),
            (_, PackageProvider::Apt) if is_word(&should, "absent") => self.remove_by_apt(false, context),
            (_, PackageProvider::Apt) if is_word(&should, "purged") => self.remove_by_apt(true, context),
            (_, PackageProvider::Dpkg) if is_word(&should, "absent") => self.remove_by_dpkg("-r", context),
            (_, PackageProvider::Dpkg) if is_word(&should, "purged") => self.remove_by_dpkg("--purge", context),
            (_, PackageProvider::Apt) => self.install_by_apt(context),
            (_, PackageProvider::Dpkg) => self.install_file(context),
        }
    }

    /// Returns the newest version that could be there.
    pub(super) fn newest(&self, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        match self.provider {
            PackageProvider::Apt => self.candidate(context),
            PackageProvider::Dpkg => self.version_in_file(context),
        }
    }
}

/// Returns true if somebody asked for a package, and not another package.
pub(super) fn is_manual(name: &str, context: &ApplyContext<'_>) -> Result<bool, Failure> {
    let listed = query_or_fail(&SystemQuery::ManualPackages(None), context)?.lossy();
    Ok(listed.lines().any(|listed| listed == name))
}

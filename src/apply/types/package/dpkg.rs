//! Packages by `dpkg` alone: each comes from a file that the resource names.

use pantin_machine::{Command, Errors, SystemQuery};

use super::super::native_provider::NativeProvider;
use super::super::provider_command::{find_program, query_or_fail, run, run_or_fail};
use super::job::PackageJob;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;

impl PackageJob<'_> {
    /// Installs the package of the file.
    pub(super) fn install_file(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let source = self.values.text("source");
        let source = source.ok_or_else(|| Failure::new("You cannot install dpkg packages without a source"))?;
        let answers = if self.values.is("configfiles", "keep") { "--force-confold" } else { "--force-confnew" };
        self.unhold_if_held(context)?;
        let command = Command::new("/usr/bin/dpkg", [answers, "-i", &source]);
        let installed = run_or_fail(&self.with_environment(command, context), context);
        self.hold_if_desired(context)?;
        installed.map(drop)
    }

    /// Returns the version of the file's package.
    pub(super) fn version_in_file(&self, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        let source = self
            .values
            .text("source")
            .ok_or_else(|| Failure::new("Could not update: You cannot install dpkg packages without a source"))?;
        let shown = query_or_fail(&SystemQuery::PackageFile(source), context)?.lossy();
        let (name, version) = shown.lines().find_map(|line| line.split_once('\t')).unwrap_or_default();
        if !name.contains(&self.name) {
            let text = format!("source doesn't contain named package, but {name}");
            context.say_of_provider(self.provider.name(), Level::Warning, text);
        }
        Ok(Some(version.to_owned()))
    }

    pub(super) fn remove_by_dpkg(&self, how: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let command = Command::new("/usr/bin/dpkg", [how, &self.name]);
        run_or_fail(&self.with_environment(command, context), context).map(drop)
    }

    /// Sets what dpkg is to do with the package: `hold` or `install`.
    pub(super) fn select(&self, what: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let dpkg = find_program("dpkg", context.machine).unwrap_or_else(|| "/usr/bin/dpkg".into());
        let command = Command {
            errors: Errors::Discarded,
            input: format!("{} {what}\n", self.name).into_bytes(),
            ..Command::new(dpkg, ["--set-selections"])
        };
        run(&command, context).map(drop)
    }

    pub(super) fn unhold_if_held(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match self.is_held {
            true => self.select("install", context),
            false => Ok(()),
        }
    }

    pub(super) fn hold_if_desired(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match self.values.is("mark", "hold") {
            true => self.select("hold", context),
            false => Ok(()),
        }
    }
}

//! Programs that look at a system and are known to change nothing, as a closed list.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::process::{Command, Errors};

/// How the states of packages are told, a line for each.
const PACKAGE_FORMAT: &str = "${Status} ${Package} ${Version}\\n";
/// The same, with the names that a package provides.
const PROVIDES_FORMAT: &str = "${Status} ${Package} ${Version} [${Provides}]\\n";

/// Programs that look at the system and are known to change nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SystemQuery {
    /// Compares a file with a new content, which lies in a temporary file meanwhile: `diff -u OLD NEW`.
    Difference { program: String, arguments: Vec<String>, old: PathBuf, new: Vec<u8> },
    /// Shows the table of a user's jobs, or one's own.
    Crontab { program: PathBuf, user: Option<String> },
    /// Asks the name service for all entries of a database, or for one.
    Accounts { database: &'static str, name: Option<String> },
    /// The states of all packages that dpkg knows, or of one.
    Packages(Option<String>),
    /// The states of all packages, with the names that they provide.
    ProvidedPackages,
    /// The packages that somebody asked for, among all or this one alone.
    ManualPackages(Option<String>),
    /// The version of a package that would be installed.
    PackageCandidate(String),
    /// The versions of a package that can be installed.
    PackageVersions(String),
    /// The name and the version of a package that lies in a file.
    PackageFile(String),
    /// Returns with zero if the first version is not older than the second.
    IsPackageAtLeast(String, String),
    /// Whether units are active, a line for each.
    UnitStates(Vec<String>),
    /// Whether a unit is started at boot.
    UnitEnablement(String),
    /// Whether the files of a unit were changed since they were read.
    UnitReload(String),
    /// The files of a unit.
    UnitText(String),
    /// The files of all units, and whether each is started at boot.
    UnitFiles,
    /// The files of all services.
    ServiceFiles,
    /// The services that systemd has loaded, with their states.
    LoadedServices,
    /// What a unit said lately.
    Journal(String),
    /// Whether an init script may be started by the policy of the system.
    StartPolicy(String),
    /// The table of processes.
    Processes,
}

impl SystemQuery {
    /// Returns the command that answers, where one without further files does.
    pub fn command(&self) -> Option<Command> {
        let command = |program: &str, arguments: &[&str]| Some(Command::new(program, arguments.iter().copied()));
        match self {
            SystemQuery::Difference { .. } => None,
            SystemQuery::Crontab { program, user } => {
                let of_user = user.iter().flat_map(|user| ["-u", user.as_str()]);
                Some(Command::new(program, of_user.chain(["-l"])))
            }
            SystemQuery::Accounts { database, name } => {
                let command = Command::new("getent", std::iter::once(*database).chain(name.as_deref()));
                Some(Command { errors: Errors::Discarded, ..command })
            }
            SystemQuery::Packages(name) => {
                let arguments = ["-W", "--showformat", PACKAGE_FORMAT].into_iter().chain(name.as_deref());
                Some(Command::new("/usr/bin/dpkg-query", arguments))
            }
            SystemQuery::ProvidedPackages => command("/usr/bin/dpkg-query", &["-W", "--showformat", PROVIDES_FORMAT]),
            SystemQuery::ManualPackages(name) => {
                Some(Command::new("/usr/bin/apt-mark", ["showmanual"].into_iter().chain(name.as_deref())))
            }
            SystemQuery::PackageCandidate(name) => command("/usr/bin/apt-cache", &["policy", name]),
            SystemQuery::PackageVersions(name) => command("/usr/bin/apt-cache", &["madison", name]),
            SystemQuery::PackageFile(file) => command("/usr/bin/dpkg-deb", &["--show", file]),
            SystemQuery::IsPackageAtLeast(version, least) => {
                command("/usr/bin/dpkg", &["--compare-versions", version, "ge", least])
            }
            SystemQuery::UnitStates(units) => {
                let words = ["is-active", "--"].into_iter().chain(units.iter().map(String::as_str));
                Some(Command::new("systemctl", words))
            }
            SystemQuery::UnitEnablement(unit) => {
                let command = Command::new("systemctl", ["is-enabled", "--", unit]);
                Some(Command { errors: Errors::Discarded, ..command })
            }
            SystemQuery::UnitReload(unit) => {
                let command = Command::new("systemctl", ["show", "--property=NeedDaemonReload", "--", unit]);
                Some(Command { errors: Errors::Discarded, ..command })
            }
            SystemQuery::UnitText(unit) => command("systemctl", &["cat", "--", unit]),
            SystemQuery::UnitFiles => {
                command("systemctl", &["list-unit-files", "--full", "--all", "--no-pager", "--no-legend"])
            }
            SystemQuery::ServiceFiles => {
                command("systemctl", &["list-unit-files", "--type", "service", "--full", "--all", "--no-pager"])
            }
            SystemQuery::LoadedServices => command(
                "systemctl",
                &["list-units", "--type", "service", "--full", "--all", "--no-pager", "--plain", "--no-legend"],
            ),
            SystemQuery::Journal(unit) => {
                command("journalctl", &["-n", "50", "--since", "5 minutes ago", "-u", unit, "--no-pager"])
            }
            SystemQuery::StartPolicy(name) => command("/usr/sbin/invoke-rc.d", &["--quiet", "--query", name, "start"]),
            SystemQuery::Processes => command("ps", &["-ef"]),
        }
    }
}

/// Shows a command as one line, its words divided by blanks.
pub fn command_line(command: &Command) -> String {
    let words = std::iter::once(&command.program).chain(&command.arguments);
    words.map(|word: &OsString| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

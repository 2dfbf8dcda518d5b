//! Runs the command `git` in a working copy.
//!
//! What the configuration of the repository would have git run beside that is off, but for filters: git-crypt, LFS and line ends
//! need them. Each command has a limit on its time.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use pantin_base::limits;

use crate::command::{CommandOutput, NotRun, run_command};

/// Variables that a hook hands down, which would make git look at another repository.
const OF_HOOKS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// Settings that count whatever the repository's configuration says: it names no program, and files are told from what they were by all
/// that the system knows of them.
const SETTINGS: [&str; 5] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "core.trustctime=true",
    "core.checkStat=default",
];

/// The working copy that a folder is in.
#[derive(Clone, Debug)]
pub(super) struct Git {
    folder: PathBuf,
    /// How long a command may take.
    pub(super) patience: Duration,
}

impl Git {
    pub(super) fn in_folder(folder: &Path) -> Git {
        Git { folder: folder.to_owned(), patience: Duration::from_secs(limits::GIT_SECONDS) }
    }

    /// The same command for a repository within this one.
    pub(super) fn for_submodule(&self, folder: &Path) -> Git {
        Git { folder: folder.to_owned(), ..self.clone() }
    }

    pub(super) fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(arguments).stdin(Stdio::null());
        // It may not write while somebody else works there, nor ask anybody.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        for name in OF_HOOKS {
            command.env_remove(name);
        }
        command
    }

    /// Returns what it prints. `Err`: what it says is wrong.
    pub(super) fn output<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Vec<u8>, String> {
        self.output_of(arguments, Vec::new())
    }

    /// The same of what it reads.
    pub(super) fn output_of<A: AsRef<OsStr>>(&self, arguments: &[A], input: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut command = self.command(arguments);
        command.stderr(Stdio::piped());
        let ran = run_command(command, input, self.patience, limits::GIT_BYTES);
        let CommandOutput { code, out, errors } = ran.map_err(|error| self.not_run(error, arguments))?;
        if code == Some(0) {
            return Ok(out);
        }
        let said = String::from_utf8_lossy(&errors);
        let said = said.trim().strip_prefix("fatal: ").unwrap_or(said.trim());
        Err(match said {
            "" => format!("git ended with {}", code.unwrap_or_default()),
            said => format!("git says: {said}"),
        })
    }

    fn not_run<A: AsRef<OsStr>>(&self, error: NotRun, arguments: &[A]) -> String {
        let command = arguments.first().map(|command| command.as_ref().to_string_lossy()).unwrap_or_default();
        match error {
            NotRun::NotStarted(error) => not_started(error),
            NotRun::TooLong => self.too_long(&command),
            NotRun::TooMuch => format!("git {command} printed more than {} bytes", limits::GIT_BYTES),
        }
    }

    /// Returns what is said of a command that was ended.
    pub(super) fn too_long(&self, command: &str) -> String {
        format!(
            "git {command} took longer than {} seconds and was ended: a pipe in place of a .gitignore, or a filter that \
             never ends, does that",
            self.patience.as_secs()
        )
    }

    /// Returns the one line that it prints; `None`: it ends with an error.
    pub(super) fn line<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Option<String> {
        let out = String::from_utf8(self.output(arguments).ok()?).ok()?;
        let line = out.strip_suffix('\n').unwrap_or(&out);
        (!line.is_empty()).then(|| line.to_owned())
    }
}

fn not_started(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "revisions are read by git, and there is no command git".to_owned(),
        _ => format!("git cannot be started: {error}"),
    }
}

//! Runs the command `git` in a working copy.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Variables that a hook hands down, which would make git look at another repository.
const OF_HOOKS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// The working copy that a folder is in.
#[derive(Clone, Debug)]
pub(super) struct Git {
    folder: PathBuf,
}

impl Git {
    pub(super) fn in_folder(folder: &Path) -> Git {
        Git { folder: folder.to_owned() }
    }

    pub(super) fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-pager").args(arguments).stdin(Stdio::null());
        // It may not write while somebody else works there.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        for name in OF_HOOKS {
            command.env_remove(name);
        }
        command
    }

    /// What it prints. `Err`: what it says is wrong.
    pub(super) fn output<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Vec<u8>, String> {
        self.output_of(arguments, Vec::new())
    }

    /// The same of what it reads.
    pub(super) fn output_of<A: AsRef<OsStr>>(&self, arguments: &[A], input: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut command = self.command(arguments);
        if !input.is_empty() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(not_started)?;
        if let Some(mut to) = child.stdin.take() {
            // It may print before it has read all. If it does not read, what it says in the end counts.
            std::thread::spawn(move || drop(to.write_all(&input)));
        }
        let ended = child.wait_with_output().map_err(not_started)?;
        if ended.status.success() {
            return Ok(ended.stdout);
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        let said = said.trim().strip_prefix("fatal: ").unwrap_or(said.trim());
        Err(match said {
            "" => format!("git ended with {}", ended.status.code().unwrap_or_default()),
            said => format!("git says: {said}"),
        })
    }

    /// The one line that it prints; `None`: it ends with an error.
    pub(super) fn line<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Option<String> {
        let out = String::from_utf8(self.output(arguments).ok()?).ok()?;
        let line = out.strip_suffix('\n').unwrap_or(&out);
        (!line.is_empty()).then(|| line.to_owned())
    }
}

pub(super) fn not_started(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "revisions are read by git, and there is no command git".to_owned(),
        _ => format!("git cannot be started: {error}"),
    }
}

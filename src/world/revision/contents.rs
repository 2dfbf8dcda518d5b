//! The contents of files as git would check them out: from one process of `git cat-file`, and where a file is converted on its
//! way (line ends, filters), from a process for each.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::differences::path_of;
use super::git::Git;
use crate::ReadError;
use crate::command::{Watchdog, start_group};

pub(super) struct GitContents {
    git: Git,
    /// Files that git converts when it checks them out, by paths within its repository; `None`: all are.
    converted: Option<FxHashSet<PathBuf>>,
    /// Started when a content is first wanted.
    process: Mutex<Option<CatFile>>,
}

struct CatFile {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl GitContents {
    /// Of these files something will be read.
    pub(super) fn open<'p>(git: Git, paths: impl Iterator<Item = &'p Path>) -> Result<GitContents, String> {
        let converts_all = git.line(&["config", "core.autocrlf"]).as_deref() == Some("true")
            || git.line(&["config", "core.eol"]).as_deref() == Some("crlf");
        let converted = if converts_all { None } else { Some(converted(&git, paths)?) };
        Ok(GitContents { git, converted, process: Mutex::default() })
    }

    /// Returns the content of an object, which is that of a file or a link at this path.
    pub(super) fn content(&self, object: &str, path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let is_converted = self.converted.as_ref().is_none_or(|converted| converted.contains(path));
        let content = if is_converted { self.converted_content(object, path) } else { self.stored_content(object) };
        content.and_then(|content| match content.len() as u64 {
            bytes if bytes > limit => Err(ReadError::TooLarge { bytes, limit }),
            _ => Ok(content),
        })
    }

    fn converted_content(&self, object: &str, path: &Path) -> Result<Vec<u8>, ReadError> {
        let mut option = OsString::from("--path=");
        option.push(path);
        let content = self.git.output(&[OsStr::new("cat-file"), OsStr::new("--filters"), &option, OsStr::new(object)]);
        content.map_err(|reason| io::Error::other(reason).into())
    }

    fn stored_content(&self, object: &str) -> Result<Vec<u8>, ReadError> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let running = match &mut *process {
            Some(running) => running,
            none => none.insert(CatFile::start(&self.git)?),
        };
        let watchdog = Watchdog::set_on(running.child.id(), self.git.patience);
        let content = running.content(object);
        if watchdog.call_off() {
            *process = None;
            return Err(io::Error::other(self.git.too_long("cat-file")).into());
        }
        if matches!(content, Err(ReadError::System(_))) {
            *process = None;
        }
        content
    }
}

impl CatFile {
    fn start(git: &Git) -> io::Result<CatFile> {
        let mut command = git.command(&["cat-file", "--batch"]);
        start_group(&mut command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn()?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(CatFile { child, to, from: BufReader::new(from) })
    }

    fn content(&mut self, object: &str) -> Result<Vec<u8>, ReadError> {
        self.to.write_all(&[object.as_bytes(), b"\n"].concat())?;
        self.to.flush()?;
        let mut header = String::new();
        self.from.read_line(&mut header)?;
        let bytes = header.trim_end().strip_prefix(object).and_then(|rest| rest.strip_prefix(" blob ")?.parse().ok());
        let bytes: u64 = bytes.ok_or_else(|| {
            io::Error::other(format!("git does not have its content: {}", header.trim_end().replace(object, "").trim()))
        })?;
        let mut content = Vec::new();
        (&mut self.from).take(bytes + 1).read_to_end(&mut content)?;
        if content.pop() != Some(b'\n') || content.len() as u64 != bytes {
            return Err(io::Error::other("git has ended").into());
        }
        Ok(content)
    }
}

impl Drop for CatFile {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Attributes by which git converts a file.
const ATTRIBUTES: [&str; 4] = ["eol", "filter", "ident", "working-tree-encoding"];

/// Returns which of these files git converts when it checks them out, as the attributes of the working copy say.
fn converted<'p>(git: &Git, paths: impl Iterator<Item = &'p Path>) -> Result<FxHashSet<PathBuf>, String> {
    let mut asked = Vec::new();
    for path in paths {
        asked.extend_from_slice(path.as_os_str().as_encoded_bytes());
        asked.push(0);
    }
    if asked.is_empty() {
        return Ok(FxHashSet::default());
    }
    let said = git.output_of(&[&["check-attr", "-z", "--stdin"][..], &ATTRIBUTES].concat(), asked)?;
    let mut fields = said.split(|byte| *byte == 0);
    let mut converted = FxHashSet::default();
    while let (Some(path), Some(_), Some(value)) = (fields.next(), fields.next(), fields.next()) {
        if value != b"unspecified" && value != b"unset" {
            converted.insert(path_of(path));
        }
    }
    Ok(converted)
}

//! What a shell pipes into an argument, `<(command)`: read once, and held in a file for as long as the process runs.
//!
//! Whoever reads a file may read it again, or look at when it changed. A pipe has its content once.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pantin_base::limits;

use super::new_file::write_secret;

/// Files that hold what was piped in. Dropped, they are removed.
#[derive(Debug, Default)]
pub struct HeldPipes {
    files: Vec<PathBuf>,
}

impl HeldPipes {
    /// Reads the pipe that a shell has put in the place of an argument, such as `/dev/fd/63`, and returns the file that holds what
    /// was in it. `None`: the argument is no such pipe, or one to write to.
    pub fn hold(&mut self, argument: &Path) -> io::Result<Option<PathBuf>> {
        if !is_readable_pipe(argument) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(argument)?.take(limits::SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > limits::SOURCE_BYTES {
            return Err(io::Error::other(format!(
                "{} brings more than {} bytes",
                argument.display(),
                limits::SOURCE_BYTES
            )));
        }
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let ending = if matches!(first, Some(b'{' | b'[')) { "json" } else { "yaml" };
        let name = format!("pantin-{}-{}.{ending}", std::process::id(), self.files.len());
        let file = std::env::temp_dir().join(name);
        write_secret(&file, &bytes)?;
        self.files.push(file.clone());
        Ok(Some(file))
    }
}

impl Drop for HeldPipes {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
    }
}

/// Returns true for a pipe among the files that the process was started with, beside its standard ones, that is there to be read.
fn is_readable_pipe(argument: &Path) -> bool {
    let Some(number) = ["/dev/fd", "/proc/self/fd"].iter().find_map(|folder| argument.strip_prefix(folder).ok()) else {
        return false;
    };
    let is_standard = number.to_str().and_then(|number| number.parse::<u32>().ok()).is_none_or(|number| number < 3);
    if is_standard || !is_pipe(argument) {
        return false;
    }
    // The last two bits of the flags, in base 8: 0 for what is read.
    let about = fs::read_to_string(Path::new("/proc/self/fdinfo").join(number)).unwrap_or_default();
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & 3 == 0)
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|known| known.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

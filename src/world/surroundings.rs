//! What a process gets from its surroundings: the environment, the terminal, the current folder.
//!
//! Read once, at the start; what follows from it is decided elsewhere, by pure functions.

use std::env;
use std::io::{IsTerminal, Stdin, Stdout, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::location::clean_path;

#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    pub stdin_is_terminal: bool,
    /// Somebody hands something over there: neither a terminal nor `/dev/null`, which jobs have that nobody watches.
    pub stdin_is_given: bool,
    pub stdout_is_terminal: bool,
    /// It is a file, which no job shows as its log.
    pub stdout_is_file: bool,
    pub stderr_is_terminal: bool,
    /// `NO_COLOR` is set and not empty, or the terminal is dumb.
    pub colour_unwanted: bool,
    /// `CLICOLOR_FORCE` is set and not `0`.
    pub colour_forced: bool,
    /// `GITHUB_ACTIONS` is `true`.
    pub github_actions: bool,
    /// `GITLAB_CI` is `true`.
    pub gitlab_ci: bool,
}

impl Surroundings {
    pub fn read() -> Surroundings {
        let filled = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is = |name: &str, wanted: &str| env::var_os(name).is_some_and(|value| value == wanted);
        Surroundings {
            stdin_is_terminal: stdin().is_terminal(),
            stdin_is_given: is_given(&stdin()),
            stdout_is_terminal: stdout().is_terminal(),
            stdout_is_file: is_file(&stdout()),
            stderr_is_terminal: stderr().is_terminal(),
            colour_unwanted: filled("NO_COLOR") || is("TERM", "dumb"),
            colour_forced: filled("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0"),
            github_actions: is("GITHUB_ACTIONS", "true"),
            gitlab_ci: is("GITLAB_CI", "true"),
        }
    }
}

/// Returns true if it is a file, a pipe, or the socket that some programs have for a pipe. One that is closed is
/// `/dev/null` by now.
#[cfg(unix)]
fn is_given(input: &Stdin) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    // A second descriptor of the same file, for that of standard input must not be closed.
    let Ok(input) = input.as_fd().try_clone_to_owned() else { return false };
    let kind = std::fs::File::from(input).metadata().map(|facts| facts.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
}

#[cfg(not(unix))]
fn is_given(input: &Stdin) -> bool {
    !input.is_terminal()
}

#[cfg(unix)]
fn is_file(output: &Stdout) -> bool {
    use std::os::fd::AsFd;
    // A second descriptor of the same file, for that of standard output must not be closed.
    let Ok(output) = output.as_fd().try_clone_to_owned() else { return false };
    std::fs::File::from(output).metadata().is_ok_and(|facts| facts.is_file())
}

#[cfg(not(unix))]
fn is_file(_: &Stdout) -> bool {
    false
}

/// The names of the environment variables of the process that are texts.
pub fn process_variable_names() -> Vec<String> {
    env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect()
}

/// How many threads may work at once, where somebody has said so in this process; else 0.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets how many threads may work at once in this process.
pub fn limit_threads(threads: usize) {
    THREADS.store(threads, Ordering::Relaxed);
}

/// Returns how many threads may work at once: as was said, or as many as `RAYON_NUM_THREADS` says, or as there are
/// cores.
pub fn threads() -> usize {
    let limit = THREADS.load(Ordering::Relaxed);
    if limit > 0 {
        return limit;
    }
    let said = env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse().ok());
    said.filter(|threads| *threads > 0).unwrap_or_else(cores)
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns true if the system finds a program by its name.
pub fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Returns the path from the root, without `.` and `..`, as Ruby's `File.expand_path` gives it: by its text alone, so
/// that a link in it stays.
pub fn absolute_path(path: &Path) -> PathBuf {
    if path.is_absolute() {
        return clean_path(path).into_owned();
    }
    match env::current_dir() {
        Ok(folder) => clean_path(&folder.join(path)).into_owned(),
        // The folder was removed under us: what is left is the path itself.
        Err(_) => clean_path(path).into_owned(),
    }
}

/// Returns the path without links. `None`: it is not there.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

/// [`absolute_path`] as text.
pub fn absolute_text(path: &Path) -> String {
    absolute_path(path).to_string_lossy().into_owned()
}

/// [`absolute_text`], where `~` is the home of who asks.
pub fn expand_path(path: &str) -> String {
    let home = || env::var("HOME").ok().filter(|home| home.starts_with('/'));
    let in_home = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match in_home.and_then(|rest| Some(home()? + rest)) {
        Some(path) => absolute_text(Path::new(&path)),
        None => absolute_text(Path::new(path)),
    }
}

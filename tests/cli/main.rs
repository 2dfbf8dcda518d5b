//! Drives the real binary as a person or a script does: arguments in, streams and exit code out.
#![allow(clippy::disallowed_methods, reason = "a test sets up files and runs the binary")]
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]

mod access;
mod answers;
mod apply;
mod bad_paths;
mod bad_ruby;
mod binding_cases;
mod binding_migrations;
mod bindings;
mod bindings_real;
mod book;
mod book_examples;
mod cache;
mod cached_data;
mod checked_files;
mod checks;
mod commands;
mod comments;
mod compat;
mod compile;
mod configuration;
mod diff;
mod diff_data;
#[cfg(unix)]
mod diff_install;
mod diff_modules;
mod diff_outcomes;
mod doc;
mod encrypted;
mod evaluation;
mod explain;
mod explained;
#[cfg(target_os = "linux")]
mod facts;
#[cfg(target_os = "linux")]
mod facts_of_facter;
#[cfg(target_os = "linux")]
mod faults;
mod fence;
mod fenced;
mod fleet;
mod fleet_exports;
mod formats;
mod given_paths;
mod graph;
mod graph_drawing;
#[path = "../oracle/hidden.rs"]
mod hidden;
mod hints;
mod hints_of_options;
mod hostile;
mod hostile_attacks;
mod hostile_data;
mod hostile_nodes;
mod hostile_types;
mod identity;
mod impact;
mod impact_code;
#[cfg(unix)]
mod impact_paths;
mod inject;
mod injection;
mod json_schema;
mod limits;
mod location;
mod lookup;
mod module;
mod moved;
mod names;
mod node_names;
mod one_store;
mod openvox;
mod options_of_fleets;
mod other_commands;
mod out_path;
mod own_ruby;
mod packages;
mod pages;
#[cfg(unix)]
mod pipelines;
mod query;
mod reports;
mod revealed_paths;
mod review;
mod ruby_function;
mod secrets;
mod sensitive_errors;
mod stamps;
mod static_catalog;
mod stdlib_files;
mod streams;
#[cfg(target_os = "linux")]
mod terminal;
mod timings;
mod trace;
mod tree;
mod used_again;
mod verdicts;
mod watch;
mod watch_graph;
mod watch_stored;
mod watch_told;
mod watch_troubles;
#[cfg(target_os = "linux")]
mod watch_view;
mod why;
mod world;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// No run of these tests needs a tenth of it: longer is a hang.
const PATIENCE: Duration = Duration::from_secs(60);

struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

/// A folder with files, and runs of the binary in it.
struct Folder {
    folder: TempDir,
    /// What its runs keep for one another.
    cache: TempDir,
}

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder { folder: TempDir::new().unwrap(), cache: TempDir::new().unwrap() };
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// A file becomes another in one step, so that who looks at any moment never sees half of it.
    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let new = self.path().join(".new");
        std::fs::write(&new, text).unwrap();
        if let Ok(known) = std::fs::metadata(&path) {
            std::fs::set_permissions(&new, known.permissions()).unwrap();
        }
        std::fs::rename(new, path).unwrap();
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder's path as the operating system sees it from inside.
    fn real_path(&self) -> String {
        self.path().canonicalize().unwrap().to_str().unwrap().to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(arguments).current_dir(self.path());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL"] {
            command.env_remove(name);
        }
        // Whoever runs the tests may have a configuration of their own.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PANTIN_")) {
            command.env_remove(name);
        }
        command.env("XDG_CONFIG_HOME", self.cache.path());
        command.env("PANTIN_CACHE", self.cache.path().join("cache")).env("XDG_DATA_HOME", self.cache.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        finish(self.command(arguments).spawn().unwrap())
    }

    fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        finish(child)
    }
}

/// Gives a command the variables that another one would have, and takes from it those that the other one lacks.
fn take_environment(command: &mut Command, from: &Command) {
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Waits for a run, but not for ever.
fn finish(child: Child) -> Run {
    let process = child.id();
    let (done, waiting) = mpsc::channel();
    thread::spawn(move || done.send(child.wait_with_output()));
    let Ok(output) = waiting.recv_timeout(PATIENCE) else {
        let _ = Command::new("kill").args(["-9", &process.to_string()]).status();
        panic!("it hangs");
    };
    let output = output.unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

//! Commands, and what came of them, as data.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// A program with its arguments, and the surroundings in which it runs. Its input is empty, its session its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub program: OsString,
    /// What the program is told that it is called, if that is not its path.
    pub called: Option<OsString>,
    pub arguments: Vec<OsString>,
    pub folder: Option<PathBuf>,
    /// The user by name or number, with all groups of theirs.
    pub user: Option<u32>,
    pub group: Option<u32>,
    pub umask: Option<u32>,
    pub locale: Locale,
    /// Variables that are set, or taken away, on top of this process's.
    pub environment: Vec<(OsString, Option<OsString>)>,
    pub time_limit: Option<Duration>,
    pub errors: Errors,
    /// What it reads from its standard input.
    pub input: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locale {
    /// That of this process.
    Inherited,
    /// `C`, for programs whose output is read.
    C,
}

/// Where the error output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errors {
    /// Among the output.
    Combined,
    Discarded,
    /// To the error output of this process.
    Inherited,
}

impl Command {
    /// A command in the C locale whose output and errors are one.
    pub fn new<A: Into<OsString>>(program: impl Into<OsString>, arguments: impl IntoIterator<Item = A>) -> Command {
        Command {
            program: program.into(),
            called: None,
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: None,
            user: None,
            group: None,
            umask: None,
            locale: Locale::C,
            environment: Vec::new(),
            time_limit: None,
            errors: Errors::Combined,
            input: Vec::new(),
        }
    }
}

/// What a command said, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    pub ended: Ended,
    pub text: Vec<u8>,
    /// It said more than is kept.
    pub is_cut: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Code(i32),
    Signal(i32),
}

impl Output {
    pub fn code(&self) -> Option<i32> {
        match self.ended {
            Ended::Code(code) => Some(code),
            Ended::Signal(_) => None,
        }
    }

    pub fn is_success(&self) -> bool {
        self.ended == Ended::Code(0)
    }

    /// Returns the output as text; what is none is replaced.
    pub fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }
}

/// Why a command has no output.
#[derive(Debug)]
pub enum SpawnError {
    /// It could not be started.
    Start(io::Error),
    /// It took longer than it may.
    TimedOut,
    /// The run was stopped.
    Stopped,
    /// The door is closed: nothing may be changed.
    Refused,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpawnError::Start(error) => error.fmt(f),
            SpawnError::TimedOut => f.write_str("Command exceeded timeout"),
            SpawnError::Stopped => f.write_str("the run was stopped"),
            SpawnError::Refused => f.write_str("nothing is run where nothing may be changed"),
        }
    }
}

/// Says that a run should end. Set by a signal, looked at by whoever waits.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicI32>);

impl Stop {
    /// Asks for the end, because of a signal of this number.
    pub fn request(&self, signal: i32) {
        self.0.store(signal, Ordering::SeqCst);
    }

    /// Returns the signal that asked for the end.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }
}

//! Lines of the log: what is said of whom, at which level. Nothing is printed here.

use std::cell::RefCell;
use std::collections::BTreeSet;

use pantin_machine::{Reading, Time};
use pantin_model::catalog::Place;
use pantin_values::Str;

/// How much a line matters; later ones matter more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl Level {
    pub const ALL: [Level; 8] =
        [Level::Debug, Level::Info, Level::Notice, Level::Warning, Level::Err, Level::Alert, Level::Emerg, Level::Crit];

    /// As manifests and reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Err => "err",
            Level::Alert => "alert",
            Level::Emerg => "emerg",
            Level::Crit => "crit",
        }
    }

    pub fn from_name(name: &str) -> Option<Level> {
        match name {
            "verbose" => Some(Level::Info),
            "warn" => Some(Level::Warning),
            _ => Level::ALL.into_iter().find(|level| level.name() == name),
        }
    }
}

/// A line of the log.
#[derive(Clone, PartialEq, Debug)]
pub struct LogLine {
    pub level: Level,
    pub message: String,
    /// `Puppet` where no resource says it.
    pub source: String,
    pub tags: Vec<Str>,
    pub time: Time,
    pub place: Option<Place>,
}

/// Takes lines as they are said.
pub trait LogSink {
    fn line(&self, line: &LogLine);
}

/// A sink that drops all lines: what is said while something is only found out is said again in its turn.
pub(crate) struct NoLog;

impl LogSink for NoLog {
    fn line(&self, _line: &LogLine) {}
}

/// Passes lines on to a sink, and keeps them for the report.
pub(crate) struct Log<'a> {
    sink: &'a dyn LogSink,
    machine: &'a dyn Reading,
    lowest: Level,
    lines: RefCell<Vec<LogLine>>,
    /// Warnings that are said once in a run, by their keys.
    warned: RefCell<BTreeSet<String>>,
}

/// Of whom a line is.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub path: &'a str,
    pub tags: &'a [Str],
    pub place: Option<&'a Place>,
}

impl<'a> Log<'a> {
    pub(crate) fn new(sink: &'a dyn LogSink, machine: &'a dyn Reading, lowest: Level) -> Log<'a> {
        Log { sink, machine, lowest, lines: RefCell::default(), warned: RefCell::default() }
    }

    pub(crate) fn says(&self, level: Level) -> bool {
        level >= self.lowest
    }

    /// Says a line of nobody in particular.
    pub(crate) fn bare(&self, level: Level, message: impl Into<String>) {
        self.say(level, Source { path: "Puppet", tags: &[], place: None }, message.into());
    }

    /// Says a warning of nobody in particular, unless one of its key was said.
    pub(crate) fn warn_once(&self, key: &str, message: impl Into<String>) {
        if self.warned.borrow_mut().insert(key.to_owned()) {
            self.bare(Level::Warning, message);
        }
    }

    pub(crate) fn say(&self, level: Level, source: Source<'_>, message: String) {
        if !self.says(level) {
            return;
        }
        let mut tags = vec![Str::from(level.name())];
        tags.extend(source.tags.iter().filter(|tag| *tag != level.name()).cloned());
        let line = LogLine {
            level,
            message,
            source: source.path.to_owned(),
            tags,
            time: self.machine.now(),
            place: source.place.cloned(),
        };
        self.sink.line(&line);
        self.lines.borrow_mut().push(line);
    }

    /// Hands out the lines that were said so far.
    pub(crate) fn take_lines(&self) -> Vec<LogLine> {
        self.lines.take()
    }
}

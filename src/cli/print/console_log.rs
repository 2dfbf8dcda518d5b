//! The log of an evaluation as the real console prints it: notices to standard output, what is worse to standard
//! error, each level in its colour.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use pantin_base::Source;
use pantin_compile::{CompileError, LogLine};
use pantin_model::trace::Level;
use pantin_repository::answer::FailureReport;
use pantin_repository::messages::Group;
use pantin_repository::options::OpenError;
use pantin_world::{Disk, MachineDisk, Remark, Surroundings, absolute_path};

use super::check::Checked;
use super::colour::{Colour, report_width};
use super::failure;
use super::layout::Layout;
use super::message_text::{MessageText, nodes_line};
use super::report::{Format, Style, report};
use super::safe::workflow_log::LogReader;
use super::text_style::TextStyle;
use crate::Exit;

#[derive(Debug, Args)]
pub(crate) struct LogArguments {
    /// Print lines of the log from this level on
    #[arg(long, value_name = "LEVEL", default_value = "notice")]
    log_level: Threshold,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Threshold {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
}

impl Threshold {
    fn level(self) -> Level {
        match self {
            Threshold::Debug => Level::Debug,
            Threshold::Info => Level::Info,
            Threshold::Notice => Level::Notice,
            Threshold::Warning => Level::Warning,
            Threshold::Err => Level::Err,
        }
    }
}

/// Where the log and an error go, and how they look there.
pub(crate) struct ConsoleLog {
    threshold: Level,
    out: Stream,
    err: Stream,
    /// A person reads standard error.
    for_person: bool,
    /// Standard output is for something else.
    all_to_err: bool,
    width: usize,
    /// What a source without a name is called.
    unnamed: &'static str,
}

#[derive(Clone, Copy)]
struct Stream {
    colour: bool,
    reader: LogReader,
}

impl LogArguments {
    pub(crate) fn console(&self, surroundings: &Surroundings, unnamed: &'static str) -> ConsoleLog {
        let stream = |on_terminal| Stream {
            colour: self.color.is_on(surroundings, on_terminal),
            reader: LogReader::new(on_terminal, surroundings),
        };
        ConsoleLog {
            threshold: self.log_level.level(),
            out: stream(surroundings.stdout_is_terminal),
            err: stream(surroundings.stderr_is_terminal),
            for_person: surroundings.stderr_is_terminal && !surroundings.github_actions,
            all_to_err: false,
            width: report_width(&console::Term::stderr()),
            unnamed,
        }
    }
}

impl ConsoleLog {
    /// Returns a console that prints notices and what is worse.
    pub(crate) fn plain(color: Colour, surroundings: &Surroundings) -> ConsoleLog {
        LogArguments { log_level: Threshold::Notice, color }.console(surroundings, "<code>")
    }
}

impl LogArguments {
    /// Returns true if lines of this level are printed.
    pub(crate) fn shows(&self, level: Level) -> bool {
        level >= self.log_level.level()
    }

    /// Returns true if standard output gets colours.
    pub(crate) fn has_colour(&self, surroundings: &Surroundings) -> bool {
        self.color.is_on(surroundings, surroundings.stdout_is_terminal)
    }
}

impl ConsoleLog {
    /// Lines of the log are printed from this level on.
    pub(crate) fn with_level(self, threshold: Level) -> ConsoleLog {
        ConsoleLog { threshold, ..self }
    }

    pub(crate) fn with_all_to_err(mut self) -> ConsoleLog {
        self.all_to_err = true;
        self
    }

    /// Whether errors are reports for a person or the lines of the real console, whoever reads them.
    pub(crate) fn with_reports(mut self, reports: bool) -> ConsoleLog {
        self.for_person = reports;
        self
    }

    pub(crate) fn shows(&self, line: &LogLine) -> bool {
        line.level >= self.threshold
    }

    pub(crate) fn log(&self, lines: &[LogLine]) -> io::Result<()> {
        for line in lines.iter().filter(|line| self.shows(line)) {
            self.line(line.level, &line.text)?;
        }
        Ok(())
    }

    /// What reading the world had to say.
    pub(crate) fn remarks(&self, remarks: &[Remark]) {
        for remark in remarks {
            let line = LogLine::from_remark(remark);
            if self.shows(&line) {
                // Nothing can be done where nobody listens.
                let _ = self.line(line.level, &line.text);
            }
        }
    }

    /// Returns true if lines of this level are printed.
    pub(crate) fn shows_level(&self, level: Level) -> bool {
        level >= self.threshold
    }

    /// A line of the log that is no body's.
    pub(crate) fn say(&self, level: Level, text: &str) -> io::Result<()> {
        if level < self.threshold {
            return Ok(());
        }
        self.line(level, &format!("{}: {text}", level.label()))
    }

    fn line(&self, level: Level, text: &str) -> io::Result<()> {
        let to_err = self.all_to_err || level > Level::Notice;
        let stream = if to_err { self.err } else { self.out };
        let text = stream.reader.shown(text);
        let text = match (stream.colour, colour(level)) {
            (true, Some(colour)) => format!("{colour}{text}\x1b[0m\n"),
            _ => format!("{text}\n"),
        };
        if to_err {
            // Nothing can be done where nobody listens.
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// A report for a person at a terminal, for all others the line of the real console.
    pub(crate) fn error(&self, ended: &CompileError, source: &Arc<Source>) {
        self.failure(&FailureReport::from_ended(ended, Some(source)), &MachineDisk::default());
    }

    /// The same of a failure whose sources are read from this disk, if they have to be.
    pub(crate) fn failure(&self, report: &FailureReport, disk: &dyn Disk) {
        if !self.for_person {
            let _ = self.line(Level::Err, &format!("Error: {}", report.text));
            return;
        }
        let text = failure::human(report, disk, self.unnamed, &self.style());
        let _ = write!(io::stderr(), "{}", self.err.reader.laid_out(&text));
    }

    /// The same of several nodes: each error once, with its nodes.
    pub(crate) fn message_groups(&self, groups: &[Group]) {
        let layout = Layout { colour: self.err.colour, width: None, here: absolute_path(Path::new(".")) };
        for group in groups {
            let sign = layout.in_colour(TextStyle::Bad, "✗");
            let text = MessageText::from_group(group).render(&sign, &nodes_line(group), &layout);
            let _ = write!(io::stderr(), "{}", self.err.reader.laid_out(&text));
        }
    }

    /// Returns true if errors are reports.
    pub(crate) fn is_for_person(&self) -> bool {
        self.for_person
    }

    /// A report for a person.
    pub(crate) fn report(&self, checked: &Checked) {
        let text = report(Format::Human, self.style()).file(checked);
        let _ = write!(io::stderr(), "{}", self.err.reader.laid_out(&text));
    }

    fn style(&self) -> Style {
        Style {
            colour: self.err.colour,
            on_terminal: true,
            width: self.width,
            max_errors: 1,
            environment: String::new(),
        }
    }

    /// A line of the command's own.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        let text = self.out.reader.shown(text);
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// Says why a command does not start; how the process ends then.
    pub(crate) fn refuse(&self, error: OpenError) -> Exit {
        let (message, exit) = match error {
            OpenError::Usage(message) => (message, Exit::Failed),
            OpenError::Failed(message) => (message, Exit::Rejected),
        };
        self.complain(&message);
        exit
    }

    /// Says why a command does not start whose exit code 2 would say that something was changed.
    pub(crate) fn refuse_as_error(&self, error: OpenError) -> Exit {
        self.refuse(error);
        Exit::Rejected
    }

    /// Something that cannot be started with.
    pub(crate) fn complain(&self, message: &str) {
        let _ = self.line(Level::Err, &format!("Error: {message}"));
    }
}

fn colour(level: Level) -> Option<&'static str> {
    match level {
        Level::Debug => Some("\x1b[0;36m"),
        Level::Info => Some("\x1b[0;32m"),
        Level::Notice => None,
        Level::Warning => Some("\x1b[1;33m"),
        Level::Err | Level::Alert | Level::Emerg | Level::Crit => Some("\x1b[1;31m"),
    }
}

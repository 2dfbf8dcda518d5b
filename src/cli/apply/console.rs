//! The log of an apply as Puppet prints it: each level in its colour, what is worse than a notice to standard error; and log files.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pantin_apply::{Level, LogLine, LogSink};
use pantin_machine::{Reading, Time};
use pantin_model::trace;
use serde_json::json;

/// Where lines of the log go.
pub(crate) struct Destinations<'m> {
    machine: &'m dyn Reading,
    level: Level,
    console: Option<ConsoleColours>,
    files: Vec<RefCell<LogFile>>,
}

/// Which streams get colours.
#[derive(Clone, Copy)]
pub(crate) struct ConsoleColours {
    pub out: bool,
    pub err: bool,
}

struct LogFile {
    file: File,
    form: LogForm,
    has_entries: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LogForm {
    Text,
    /// One array, which is never closed.
    Json,
    JsonLines,
}

impl<'m> Destinations<'m> {
    /// Opens the destinations that `--logdest` names, divided by commas; without any it is the console.
    pub(crate) fn open(
        named: Option<&str>,
        colours: ConsoleColours,
        level: Level,
        machine: &'m dyn Reading,
    ) -> io::Result<Destinations<'m>> {
        let mut destinations = Destinations { machine, level, console: None, files: Vec::new() };
        for name in named.unwrap_or("console").split(',').map(str::trim) {
            match name {
                "console" => destinations.console = Some(colours),
                "syslog" => {
                    return Err(io::Error::other("--logdest syslog: Pantin writes to the console and to files"));
                }
                "eventlog" => return Err(io::Error::other("--logdest eventlog: there is none on this system")),
                path if path.starts_with('/') => destinations.files.push(RefCell::new(LogFile::open(path.into())?)),
                other => {
                    return Err(io::Error::other(format!(
                        "--logdest {other}: it is console or the absolute path of a file"
                    )));
                }
            }
        }
        Ok(destinations)
    }

    /// Says that a person has ended the run.
    pub(crate) fn say_exiting(&self) {
        // Nothing can be done where nobody listens.
        let _ = writeln!(io::stderr(), "Exiting");
    }

    /// Says a line of nobody in particular.
    pub(crate) fn say(&self, level: Level, message: &str) {
        self.say_with_source(level, "Puppet", message);
    }

    /// Says a line of a resource.
    pub(crate) fn say_of(&self, level: Level, resource: &str, message: &str) {
        self.say_with_source(level, resource, message);
    }

    fn say_with_source(&self, level: Level, source: &str, message: &str) {
        if level >= self.level {
            self.line(&LogLine {
                level,
                message: message.to_owned(),
                source: source.to_owned(),
                tags: vec![level.name().into()],
                time: self.machine.now(),
                place: None,
            });
        }
    }

    /// Says a line that the compiler said, with its level in front.
    pub(crate) fn say_compiled(&self, level: trace::Level, text: &str) {
        let label = format!("{}: ", level.label());
        self.say(level_of(level), text.strip_prefix(&label).unwrap_or(text));
    }
}

fn level_of(level: trace::Level) -> Level {
    match level {
        trace::Level::Debug => Level::Debug,
        trace::Level::Info => Level::Info,
        trace::Level::Notice => Level::Notice,
        trace::Level::Warning => Level::Warning,
        trace::Level::Err => Level::Err,
        trace::Level::Alert => Level::Alert,
        trace::Level::Emerg => Level::Emerg,
        trace::Level::Crit => Level::Crit,
    }
}

impl LogSink for Destinations<'_> {
    fn line(&self, line: &LogLine) {
        if let Some(colours) = self.console {
            print(line, colours);
        }
        for file in &self.files {
            // A log that cannot be written ends no run.
            let _ = file.borrow_mut().write(line, self.machine);
        }
    }
}

/// Returns the name of a level and its colour, as the console has them.
fn console_level(level: Level) -> (&'static str, &'static str) {
    match level {
        Level::Debug => ("Debug", "\x1b[0;36m"),
        Level::Info => ("Info", "\x1b[0;32m"),
        Level::Notice => ("Notice", "\x1b[m"),
        Level::Warning => ("Warning", "\x1b[1;33m"),
        Level::Err => ("Error", "\x1b[1;31m"),
        Level::Alert => ("Alert", "\x1b[1;31m"),
        Level::Emerg => ("Emergency", "\x1b[1;31m"),
        Level::Crit => ("Critical", "\x1b[1;31m"),
    }
}

/// A message behind its source, unless nobody in particular says it.
fn with_source(line: &LogLine) -> String {
    match line.source.as_str() {
        "Puppet" => line.message.clone(),
        source => format!("{source}: {}", line.message),
    }
}

fn print(line: &LogLine, colours: ConsoleColours) {
    let (name, colour) = console_level(line.level);
    let is_error = line.level >= Level::Warning;
    let has_colour = if is_error { colours.err } else { colours.out };
    let text = format!("{name}: {}", with_source(line));
    let text = if has_colour { format!("{colour}{text}\x1b[0m") } else { text };
    let text = if text.ends_with('\n') { text } else { text + "\n" };
    // Nothing can be done where nobody listens.
    let _ = match is_error {
        true => io::stderr().lock().write_all(text.as_bytes()),
        false => {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
    };
}

impl LogFile {
    fn open(path: PathBuf) -> io::Result<LogFile> {
        let form = match path.extension().and_then(|ending| ending.to_str()) {
            Some("json") => LogForm::Json,
            Some("jsonl") => LogForm::JsonLines,
            _ => LogForm::Text,
        };
        let named = |error: io::Error| io::Error::other(format!("cannot write {}: {error}", path.display()));
        make_folder(path.parent().unwrap_or(Path::new("/"))).map_err(named)?;
        let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(named)?;
        let size = file.metadata().map_err(named)?.len();
        if form == LogForm::Json && size == 0 {
            file.write_all(b"[\n").map_err(named)?;
        }
        Ok(LogFile { file, form, has_entries: size > 2 })
    }

    fn write(&mut self, line: &LogLine, machine: &dyn Reading) -> io::Result<()> {
        let date = machine.local(line.time);
        let text = match self.form {
            LogForm::Text => {
                format!("{} {} ({}): {}\n", date.plain(), line.source, line.level.name(), line.message)
            }
            LogForm::Json => {
                let comma = if std::mem::replace(&mut self.has_entries, true) { ",\n" } else { "" };
                format!("{comma}{}", structured(line, machine, line.time))
            }
            LogForm::JsonLines => format!("{}\n", structured(line, machine, line.time)),
        };
        self.file.write_all(text.as_bytes())
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

fn structured(line: &LogLine, machine: &dyn Reading, time: Time) -> serde_json::Value {
    let place = line.place.as_ref();
    json!({
        "level": line.level.name(),
        "message": line.message,
        "source": line.source,
        "tags": line.tags.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "time": machine.local(time).iso8601(),
        "file": place.map(|place| place.file.to_string()),
        "line": place.map(|place| place.line),
    })
}

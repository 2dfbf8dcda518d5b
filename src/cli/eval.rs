//! `pantin eval`: runs code, prints its log and on request its value.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use pantin_base::limits;
use pantin_compile::{LogLine, ProgramOutput};
use pantin_eval::builtins;
use pantin_model::catalog::Rich;
use pantin_syntax::SourceKind;
use pantin_values::{Hash, format};
use pantin_world::{Surroundings, inspect_argument, read_file, read_standard_input};
use serde::Serialize;

use super::Exit;
use super::args::evaluation::{EvaluationArguments, EvaluationContext, source};
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::failure::FailureJson;
use super::print::printable::escaped_json;
use super::prompt;

/// Evaluate code as the site manifest of a node
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin eval                                  a prompt; :help tells what it knows
  pantin eval -e 'notice([1, 2, 3].map |$x| { $x * 2 })'
  pantin eval --values -e '\"a-b\" =~ /-/'
  pantin eval --facts facts.yaml --modulepath modules site.pp
  pantin eval --set strict=warning --set max_depth=100 --json - < site.pp

Notices go to standard output, warnings and errors to standard error, as the real console has it.
--json prints one object in place of the log and the value: {value, log: [{level, text}], error}.
What JSON cannot say stands in it as {\"__ptype\": …, \"__pvalue\": …}. error is null, or {message, code, help, \
file, line, column, offset, length, calls: [{file, line, column, …}]}.
Exit codes:
  0  the code ran to its end
  1  it failed, or could not be read
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// A file, or - for standard input [default: standard input if it is piped, else a prompt]
    #[arg(value_name = "FILE", conflicts_with = "code")]
    file: Option<PathBuf>,

    /// Evaluate this text
    #[arg(short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    code: Option<String>,

    /// Print the value of the last expression
    #[arg(long, conflicts_with = "json")]
    values: bool,

    /// Print value, log and error as one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    evaluation: EvaluationArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let is_dialogue = arguments.code.is_none() && arguments.file.is_none() && surroundings.stdin_is_terminal;
    let console = arguments.log.console(surroundings, arguments.unnamed(is_dialogue));
    let ground = match arguments.evaluation.ground() {
        Ok(ground) => ground,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    console.remarks(&ground.remarks);
    if is_dialogue {
        return prompt::run(&ground, &console);
    }
    match arguments.evaluate(&ground, &console) {
        Ok(result) => result,
        Err(message) => Ok(refused(&console, &message)),
    }
}

fn refused(console: &ConsoleLog, message: &str) -> Exit {
    console.complain(message);
    Exit::Rejected
}

/// The bytes of a file, or of standard input for `-`.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, String> {
    let limit = limits::SOURCE_BYTES as u64;
    if file.as_os_str() == "-" {
        return read_standard_input(limit).map_err(|error| format!("Cannot read standard input: {error}"));
    }
    // Looked at first: a device may do something when it is opened, a socket cannot be.
    let bytes = inspect_argument(file).and_then(|_| read_file(file, limit));
    bytes.map_err(|error| format!("Cannot read {}: {error}{}", file.display(), error.hint()))
}

/// The name that messages have for a file; none for standard input.
pub(super) fn named(file: &Path) -> Option<&Path> {
    (file.as_os_str() != "-").then_some(file)
}

impl Arguments {
    fn unnamed(&self, is_dialogue: bool) -> &'static str {
        match self.code {
            Some(_) => "<code>",
            None if is_dialogue => "<input>",
            None => "<stdin>",
        }
    }

    fn evaluate(&self, ground: &EvaluationContext, console: &ConsoleLog) -> Result<io::Result<Exit>, String> {
        let source = match (&self.code, &self.file) {
            (Some(code), _) => source(None, code.clone().into_bytes())?,
            (None, Some(file)) => source(named(file), read(file)?)?,
            (None, None) => source(None, read(Path::new("-"))?)?,
        };
        let answered = ground.request(source.clone(), SourceKind::Manifest, Hash::default()).answer(builtins::all());
        let exit = if answered.result.is_ok() { Exit::Accepted } else { Exit::Rejected };
        let printed =
            if self.json { print_json(&answered, source.name(), console) } else { self.print(&answered, console) };
        if let (Err(ended), false) = (&answered.result, self.json) {
            console.error(ended, &source);
        }
        Ok(match printed {
            // Whoever closed the pipe has read enough; the verdict stands.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit),
            printed => printed.map(|()| exit),
        })
    }

    fn print(&self, answered: &ProgramOutput, console: &ConsoleLog) -> io::Result<()> {
        console.log(&answered.log)?;
        match &answered.result {
            Ok(value) if self.values => console.print(&format::literal(value)),
            _ => Ok(()),
        }
    }
}

/// The answer for a program.
#[derive(Serialize)]
struct AnswerJson<'a> {
    value: Option<Rich<'a>>,
    log: Vec<LineJson<'a>>,
    error: Option<FailureJson<'a>>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    level: String,
    text: &'a str,
}

impl<'a> LineJson<'a> {
    fn from_line(line: &'a LogLine) -> LineJson<'a> {
        LineJson { level: line.level.label().to_lowercase(), text: &line.text }
    }
}

fn print_json(answered: &ProgramOutput, file: Option<&str>, console: &ConsoleLog) -> io::Result<()> {
    let shown = answered.log.iter().filter(|line| console.shows(line));
    let answer = AnswerJson {
        value: answered.result.as_ref().ok().map(Rich::from_value),
        log: shown.map(LineJson::from_line).collect(),
        error: answered.result.as_ref().err().map(|ended| FailureJson::new(ended, file)),
    };
    let json = serde_json::to_string(&answer).map_err(io::Error::other)?;
    console.print(&escaped_json(json))
}

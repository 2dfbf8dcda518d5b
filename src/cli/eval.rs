//! `pantin eval`: runs code, prints its log and on request its value.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pantin_base::{Source, limits};
use pantin_compile::{LogLine, ProgramOutput};
use pantin_eval::builtins;
use pantin_model::catalog::Rich;
use pantin_repository::options::OpenError;
use pantin_syntax::SourceKind;
use pantin_values::{Hash, format};
use pantin_world::{ReadError, Surroundings, inspect_argument, read_file, read_standard_input};
use serde::Serialize;

use super::Exit;
use super::args::evaluation::{EvaluationArguments, EvaluationContext, source};
use super::args::format::FormatArguments;
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
  pantin eval --print -e '\"a-b\" =~ /-/'
  pantin eval --facts facts.yaml --modulepath modules site.pp
  pantin eval --facts facts/ --node 'web*' --print -e 'lookup(\"ntp::servers\")'
  pantin eval --set strict=warning --set max_depth=100 --format json - < site.pp

In the folder of a control repository, or below it, its modules, functions and data are there; its manifests are not \
evaluated. For several nodes the code runs once for each, below a line with the name.
Notices go to standard output, warnings and errors to standard error, as the real console has it.
--format json prints one object in place of the log and the value (of several nodes a line each, with node): {value, log: [{level, text}], error}.
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
    #[arg(long)]
    print: bool,

    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    evaluation: EvaluationArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let is_dialogue = arguments.code.is_none() && arguments.file.is_none() && surroundings.stdin_is_terminal;
    let console = arguments.log.console(surroundings, arguments.unnamed(is_dialogue));
    let typed = arguments.file.as_deref().map_or(Ok(()), |file| arguments.evaluation.check_typed(file));
    let contexts = match typed.and_then(|()| arguments.evaluation.contexts(&console, surroundings)) {
        Ok(contexts) => contexts,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let exit = match (is_dialogue, contexts.as_slice()) {
        (true, [context]) => prompt::run(context, &console)?,
        (true, many) => {
            let refused = format!("a prompt is for one node, not for {}", many.len());
            return Ok(console.refuse(OpenError::Usage(refused)));
        }
        (false, contexts) => match arguments.evaluate_all(contexts, &console) {
            Ok(result) => result?,
            Err(message) => return Ok(console.refuse(OpenError::Failed(message))),
        },
    };
    Ok(match arguments.evaluation.keep_answers(&contexts) {
        Ok(()) => exit,
        Err(refused) => console.refuse(refused),
    })
}

/// Returns the bytes of a file, or of standard input for `-`.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, String> {
    let limit = limits::SOURCE_BYTES as u64;
    if file.as_os_str() == "-" {
        return read_standard_input(limit).map_err(|error| format!("Cannot read standard input: {error}"));
    }
    // Looked at first: a device may do something when it is opened, a socket cannot be.
    let bytes = inspect_argument(file).and_then(|_| read_file(file, limit));
    bytes.map_err(|error| {
        let hint = match error {
            ReadError::Missing if is_like_code(file) => {
                format!("; code stands behind -e: pantin eval -e {}", quoted(&file.to_string_lossy()))
            }
            _ => error.hint().to_string(),
        };
        format!("Cannot read {}: {error}{hint}", file.display())
    })
}

/// Returns true if the name of a file looks like code.
fn is_like_code(file: &Path) -> bool {
    file.to_string_lossy().contains(['(', '$', '{', '[', '\'', '"', ' '])
}

/// As a word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Returns the name that messages have for a file; none for standard input.
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

    fn source(&self) -> Result<Arc<Source>, String> {
        match (&self.code, &self.file) {
            (Some(code), _) => source(None, code.clone().into_bytes()),
            (None, Some(file)) => source(named(file), read(file)?),
            (None, None) => source(None, read(Path::new("-"))?),
        }
    }

    fn evaluate_all(&self, contexts: &[EvaluationContext], console: &ConsoleLog) -> Result<io::Result<Exit>, String> {
        let source = self.source()?;
        let mut exit = Exit::Accepted;
        for context in contexts {
            let node = (contexts.len() > 1).then(|| context.name());
            match self.evaluate(context, node, &source, console) {
                Ok(Exit::Accepted) => {}
                Ok(other) => exit = other,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(exit))
    }

    /// `node`: its name, where there are several nodes.
    fn evaluate(
        &self,
        context: &EvaluationContext,
        node: Option<&str>,
        source: &Arc<Source>,
        console: &ConsoleLog,
    ) -> io::Result<Exit> {
        let answered = context.request(source.clone(), SourceKind::Manifest, Hash::default()).answer(builtins::all());
        let exit = if answered.result.is_ok() { Exit::Accepted } else { Exit::Rejected };
        let printed = match (self.format.is_json(), node) {
            (true, node) => print_json(&answered, node, source.name(), console),
            (false, None) => self.print(&answered, console),
            (false, Some(node)) => print_heading(node, console).and_then(|()| self.print(&answered, console)),
        };
        if let (Err(ended), false) = (&answered.result, self.format.is_json()) {
            context.report_error(ended, source, console);
        }
        match printed {
            // Whoever closed the pipe has read enough; the verdict stands.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit),
            printed => printed.map(|()| exit),
        }
    }

    fn print(&self, answered: &ProgramOutput, console: &ConsoleLog) -> io::Result<()> {
        console.log(&answered.log)?;
        match &answered.result {
            Ok(value) if self.print => console.print(&format::literal(value)),
            _ => Ok(()),
        }
    }
}

/// The line above what is printed for one of several nodes.
pub(super) fn print_heading(node: &str, console: &ConsoleLog) -> io::Result<()> {
    console.print(&format!("==> {node} <=="))
}

/// The answer for a program.
#[derive(Serialize)]
struct AnswerJson<'a> {
    /// Where there are several nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
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

fn print_json(
    answered: &ProgramOutput,
    node: Option<&str>,
    file: Option<&str>,
    console: &ConsoleLog,
) -> io::Result<()> {
    let shown = answered.log.iter().filter(|line| console.shows(line));
    let answer = AnswerJson {
        node,
        value: answered.result.as_ref().ok().map(Rich::from_value),
        log: shown.map(LineJson::from_line).collect(),
        error: answered.result.as_ref().err().map(|ended| FailureJson::new(ended, file)),
    };
    let json = serde_json::to_string(&answer).map_err(io::Error::other)?;
    console.print(&escaped_json(json))
}

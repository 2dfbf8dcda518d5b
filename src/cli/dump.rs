//! `pantin dump`: what the parser makes of a source, as a tree or as tokens.

use std::fmt::Write as _;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use pantin_base::{Diagnostic, Location, Place, Severity, Source, limits};
use pantin_syntax::ast::Ast;
use pantin_syntax::bindings::BindingsParse;
use pantin_syntax::{MessageLimits, Parse, Settings, ShownToken, SourceKind, pn};
use pantin_world::{ReadError, Surroundings, inspect_argument, read_file, read_standard_input};
use serde_json::json;

use super::Exit;
use super::args::language::LanguageArguments;
use super::args::targets::{display_path, source_kind};
use super::print::check::holds_bindings;
use super::print::safe::workflow_log::LogReader;

/// Show the syntax tree or the tokens of a source
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin dump site.pp
  pantin dump --format json --pretty -e 'notice(1)'
  pantin dump --tokens site.pp
  echo '<%= $x %>' | pantin dump --epp --format tree

The notation of a file stands after `--- FILE`, as `puppet parser dump --format pn` prints it, and each file's ends \
its line. JSON has no such head: one value for each source, in order. Files of bindings and site statements, which Puppet does not have, \
are written in the same notation.
With --tokens each token stands on a line: line and column, its name, its text in quotes; with --format json too it \
is an object {name, text, line, column, offset, length}, the last two in bytes.
Errors and warnings go to standard error.
Exit codes:
  0  everything was shown
  1  something could not be read, or was rejected
  2  wrong usage, or the tree could not be written")]
pub(super) struct Arguments {
    /// Files, or - for standard input [default: standard input]
    #[arg(value_name = "FILE", conflicts_with = "code")]
    files: Vec<PathBuf>,

    /// Take this text for the source
    #[arg(short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    code: Option<String>,

    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "pn")]
    format: Form,

    /// Spread it over lines (pn and json)
    #[arg(long)]
    pretty: bool,

    /// Show what parses, valid or not
    #[arg(long)]
    no_validate: bool,

    /// Show the tokens in place of the tree
    #[arg(long, conflicts_with_all = ["pretty", "no_validate"])]
    tokens: bool,

    /// Take the source for an EPP template, whatever it is called
    #[arg(long)]
    epp: bool,

    #[command(flatten)]
    language: LanguageArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// Puppet Extended S-Expression Notation
    Pn,
    /// An indented list of the nodes and their places
    Tree,
    /// The notation as JSON
    Json,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    if arguments.code.is_none() && arguments.files.is_empty() && surroundings.stdin_is_terminal {
        return Err(io::Error::other("nothing to dump: give a file, -e CODE, or pipe something in"));
    }
    let settings = arguments.language.settings().map_err(io::Error::other)?;
    let to = BufWriter::new(io::stdout().lock());
    let mut dumper = Dumper { arguments, settings, surroundings, to, all_shown: true };
    match dumper.dump_all() {
        // Whoever closed the pipe has read enough; what was rejected until then stays so.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(if dumper.all_shown { Exit::Accepted } else { Exit::Rejected })
}

/// Writes what the sources hold, one after the other.
struct Dumper<'a> {
    arguments: &'a Arguments,
    settings: Settings,
    surroundings: &'a Surroundings,
    to: BufWriter<StdoutLock<'static>>,
    all_shown: bool,
}

impl Dumper<'_> {
    fn dump_all(&mut self) -> io::Result<()> {
        let limit = limits::SOURCE_BYTES as u64;
        let given = if self.arguments.epp { SourceKind::Template } else { SourceKind::Manifest };
        if let Some(code) = &self.arguments.code {
            return self.dump(None, Ok(code.clone().into_bytes()), given);
        }
        if self.arguments.files.is_empty() {
            return self.dump(None, read_standard_input(limit), given);
        }
        for file in &self.arguments.files {
            let kind = if self.arguments.epp { given } else { source_kind(file) };
            if file.as_os_str() == "-" {
                self.dump(None, read_standard_input(limit), kind)?;
            } else {
                // Looked at first: a device may do something when it is opened, a socket cannot be.
                let bytes = inspect_argument(file).and_then(|_| read_file(file, limit));
                self.dump(Some(file), bytes, kind)?;
            }
        }
        Ok(())
    }

    fn dump(&mut self, file: Option<&Path>, bytes: Result<Vec<u8>, ReadError>, kind: SourceKind) -> io::Result<()> {
        let name = file.map(display_path);
        let name = name.as_deref();
        let (text, log, is_accepted) = match bytes {
            Ok(bytes) => match Source::from_bytes(name, bytes) {
                Ok(source) => self.dumped(&Arc::new(source), kind),
                Err(error) => (String::new(), vec![pantin_syntax::unreadable_source(error)], false),
            },
            Err(reason) => {
                self.complain(&format!(
                    "Error: Cannot read {}: {reason}{}",
                    name.unwrap_or("standard input"),
                    reason.hint()
                ));
                self.all_shown = false;
                return Ok(());
            }
        };
        self.all_shown &= is_accepted;
        // Tokens that were read come before what stopped them, a warning before the tree it is about.
        if !self.arguments.tokens {
            self.complain_of(&log, name);
        }
        let text = LogReader::of_stdout(self.surroundings).shown(&text);
        self.to.write_all(text.as_bytes())?;
        self.to.flush()?;
        if self.arguments.tokens {
            self.complain_of(&log, name);
        }
        Ok(())
    }

    /// Returns what to print of a source, what there is to say of it, and whether all of it could be shown.
    fn dumped(&self, source: &Arc<Source>, kind: SourceKind) -> (String, Vec<Diagnostic>, bool) {
        if self.arguments.tokens {
            let tokens = pantin_syntax::tokens(source, kind, self.settings);
            let log = Vec::from_iter(tokens.error);
            let is_accepted = log.is_empty();
            return (tokens_text(&tokens.list, source.name(), self.arguments.format), log, is_accepted);
        }
        let is_bindings = kind == SourceKind::Manifest
            && source.name().is_some_and(|name| holds_bindings(Path::new(name), source, self.settings));
        if is_bindings {
            return dumped_bindings(source, self.arguments, self.settings);
        }
        let (log, ast) = parsed(source, kind, self.arguments, self.settings);
        let text = ast.as_ref().map(|ast| tree_text(ast, source.name(), self.arguments));
        (text.unwrap_or_default(), log, ast.is_some())
    }

    fn complain_of(&self, log: &[Diagnostic], name: Option<&str>) {
        for found in log {
            let level = if found.severity == Severity::Error { "Error" } else { "Warning" };
            self.complain(&format!("{level}: {}", found.one_line(name)));
        }
    }

    fn complain(&self, text: &str) {
        let text = LogReader::new(self.surroundings.stderr_is_terminal, self.surroundings).shown(text);
        // Nothing can be done where nobody listens.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// Returns what there is to say of a source, and its tree if it is accepted.
fn parsed(
    source: &Arc<Source>,
    kind: SourceKind,
    arguments: &Arguments,
    settings: Settings,
) -> (Vec<Diagnostic>, Option<Ast>) {
    let source = Arc::clone(source);
    if arguments.no_validate {
        let Parse { warnings: mut log, result } = pantin_syntax::parse(source, kind, settings);
        return match result {
            Ok(ast) => (log, Some(ast)),
            Err(error) => {
                log.push(error);
                (log, None)
            }
        };
    }
    let outcome = pantin_syntax::check(source, kind, &Location::Anywhere, settings, MessageLimits::default());
    let mut log = outcome.log;
    match outcome.error {
        None => (log, outcome.ast),
        Some(error) => {
            log.push(error);
            (log, None)
        }
    }
}

/// Shows a file of bindings, and what there is to say of it. A list of nodes would not have its operations, so that the notation stands
/// for that as well.
fn dumped_bindings(source: &Arc<Source>, arguments: &Arguments, settings: Settings) -> (String, Vec<Diagnostic>, bool) {
    let BindingsParse { warnings: mut log, result, .. } = pantin_syntax::parse_bindings(source, settings);
    let is_error = |found: &Diagnostic| found.severity == Severity::Error;
    let text = match result {
        Ok(file) if !log.iter().any(is_error) => {
            let style = arguments.style().unwrap_or(pn::Style::PrettyText);
            headed(&pn::bindings_to_string(&file, style), source.name(), arguments)
        }
        Ok(_) => String::new(),
        Err(errors) => {
            log.extend(errors);
            String::new()
        }
    };
    let is_accepted = !text.is_empty();
    (text, log, is_accepted)
}

impl Arguments {
    /// Returns the style of the notation; `None`: the list of nodes is wanted.
    fn style(&self) -> Option<pn::Style> {
        match (self.format, self.pretty) {
            (Form::Tree, _) => None,
            (Form::Pn, false) => Some(pn::Style::Text),
            (Form::Pn, true) => Some(pn::Style::PrettyText),
            (Form::Json, false) => Some(pn::Style::Json),
            (Form::Json, true) => Some(pn::Style::PrettyJson),
        }
    }
}

fn tree_text(ast: &Ast, name: Option<&str>, arguments: &Arguments) -> String {
    match arguments.style() {
        Some(style) => headed(&pn::to_string(ast, style), name, arguments),
        None => {
            let mut text = name.map(|name| format!("--- {name}\n")).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = pantin_syntax::write_tree(ast, &mut text);
            text
        }
    }
}

/// Returns a line of output below the name of its file; JSON stands by itself.
fn headed(text: &str, name: Option<&str>, arguments: &Arguments) -> String {
    let head = name.filter(|_| arguments.format != Form::Json).map(|name| format!("--- {name}")).unwrap_or_default();
    head + text + "\n"
}

fn tokens_text(tokens: &[ShownToken], name: Option<&str>, format: Form) -> String {
    let as_json = format == Form::Json;
    let mut lines = String::new();
    if let Some(name) = name
        && !as_json
    {
        lines.push_str(&format!("--- {name}\n"));
    }
    for ShownToken { name, text, place, span } in tokens {
        let (line, column) = match *place {
            Place::At { line, column } => (line, column),
            Place::Nowhere | Place::WholeFile => (0, 0),
        };
        // Writing to a string cannot fail.
        let _ = if as_json {
            let object = json!({
                "name": name, "text": text, "line": line, "column": column,
                "offset": span.start, "length": span.len,
            });
            writeln!(lines, "{object}")
        } else {
            writeln!(lines, "{line}:{column} {name} {}", serde_json::Value::from(text.as_str()))
        };
    }
    lines
}

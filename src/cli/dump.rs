//! `pantin dump`: what the parser makes of a source, as a tree or as tokens.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::Exit;
use super::language::LanguageArguments;
use super::targets::{kind_of, shown};
use crate::base::{Diagnostic, Place, Severity, Source, limits};
use crate::syntax::ast::Ast;
use crate::syntax::{self, Kind, Location, MessageLimits, Parse, ShownToken, pn};
use crate::world::{ReadError, Surroundings, read_file, read_standard_input};

/// Show the syntax tree or the tokens of a source
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin dump site.pp
  pantin dump --format json --pretty -e 'notice(1)'
  pantin dump --tokens site.pp
  echo '<%= $x %>' | pantin dump --epp --format tree

The notation of a file stands after `--- FILE`, as `puppet parser dump --format pn` prints it, and
each file's ends its line. JSON has no such head: one value for each source, in order.
With --tokens each token stands on a line: line and column, its name, its text in quotes; with
--format json too it is an object {name, text, line, column, offset, length}, the last two in bytes.
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
    let limit = limits::SOURCE_BYTES as u64;
    let given = if arguments.epp { Kind::Template } else { Kind::Manifest };
    let mut to = io::BufWriter::new(io::stdout().lock());
    let mut all_shown = true;
    if let Some(code) = &arguments.code {
        all_shown &= dump(&mut to, None, Ok(code.clone().into_bytes()), given, arguments)?;
    } else if arguments.files.is_empty() {
        if surroundings.stdin_is_terminal {
            return Err(io::Error::other("nothing to dump: give a file, -e CODE, or pipe something in"));
        }
        all_shown &= dump(&mut to, None, read_standard_input(limit), given, arguments)?;
    }
    for file in &arguments.files {
        let kind = if arguments.epp { given } else { kind_of(file) };
        all_shown &= if file.as_os_str() == "-" {
            dump(&mut to, None, read_standard_input(limit), kind, arguments)?
        } else {
            dump(&mut to, Some(file), read_file(file, limit), kind, arguments)?
        };
    }
    Ok(if all_shown { Exit::Accepted } else { Exit::Rejected })
}

/// Writes what one source holds, and says whether all of it could be shown.
fn dump(
    to: &mut impl Write,
    file: Option<&Path>,
    bytes: Result<Vec<u8>, ReadError>,
    kind: Kind,
    arguments: &Arguments,
) -> io::Result<bool> {
    let name = file.map(shown);
    let name = name.as_deref();
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(reason) => {
            let _ = writeln!(io::stderr(), "Error: Cannot read {}: {reason}", name.unwrap_or("standard input"));
            return Ok(false);
        }
    };
    let source = match Source::from_bytes(name, bytes) {
        Ok(source) => Arc::new(source),
        Err(error) => {
            complain(&[error.into()], name);
            return Ok(false);
        }
    };
    if arguments.tokens {
        return write_tokens(to, &source, kind, arguments);
    }
    let (log, ast) = parsed(&source, kind, arguments);
    complain(&log, name);
    let Some(ast) = ast else { return Ok(false) };
    write_ast(to, &ast, name, arguments)?;
    to.flush()?;
    Ok(true)
}

/// What there is to say of a source, and its tree if it is accepted.
fn parsed(source: &Arc<Source>, kind: Kind, arguments: &Arguments) -> (Vec<Diagnostic>, Option<Ast>) {
    let settings = arguments.language.settings();
    let source = Arc::clone(source);
    if arguments.no_validate {
        let Parse { warnings: mut log, result } = syntax::parse(source, kind, settings);
        return match result {
            Ok(ast) => (log, Some(ast)),
            Err(error) => {
                log.push(error);
                (log, None)
            }
        };
    }
    let outcome = syntax::check(source, kind, &Location::Anywhere, settings, MessageLimits::default());
    let mut log = outcome.log;
    match outcome.error {
        None => (log, outcome.ast),
        Some(error) => {
            log.push(error);
            (log, None)
        }
    }
}

fn write_ast(to: &mut impl Write, ast: &Ast, name: Option<&str>, arguments: &Arguments) -> io::Result<()> {
    let style = match (arguments.format, arguments.pretty) {
        (Form::Tree, _) => {
            if let Some(name) = name {
                writeln!(to, "--- {name}")?;
            }
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = syntax::write_tree(ast, &mut text);
            return to.write_all(text.as_bytes());
        }
        (Form::Pn, false) => pn::Style::Text,
        (Form::Pn, true) => pn::Style::PrettyText,
        (Form::Json, false) => pn::Style::Json,
        (Form::Json, true) => pn::Style::PrettyJson,
    };
    if let (Form::Pn, Some(name)) = (arguments.format, name) {
        write!(to, "--- {name}")?;
    }
    writeln!(to, "{}", pn::to_string(ast, style))
}

fn write_tokens(to: &mut impl Write, source: &Arc<Source>, kind: Kind, arguments: &Arguments) -> io::Result<bool> {
    let as_json = arguments.format == Form::Json;
    if let Some(name) = source.name()
        && !as_json
    {
        writeln!(to, "--- {name}")?;
    }
    let tokens = syntax::tokens(source, kind, arguments.language.settings());
    for token in &tokens.list {
        let (line, column) = match token.place {
            Place::At { line, column } => (line, column),
            Place::Nowhere | Place::WholeFile => (0, 0),
        };
        let ShownToken { name, text, span, .. } = token;
        if as_json {
            let object = json!({
                "name": name, "text": text, "line": line, "column": column,
                "offset": span.start, "length": span.len,
            });
            writeln!(to, "{object}")?;
        } else {
            writeln!(to, "{line}:{column} {name} {}", serde_json::Value::from(text.as_str()))?;
        }
    }
    // What was read comes before what stopped it, should both go to the same place.
    to.flush()?;
    complain(tokens.error.as_slice(), source.name());
    Ok(tokens.error.is_none())
}

fn complain(log: &[Diagnostic], name: Option<&str>) {
    for found in log {
        let level = if found.severity == Severity::Error { "Error" } else { "Warning" };
        // Nothing can be done where nobody listens.
        let _ = writeln!(io::stderr(), "{level}: {}", found.one_line(name));
    }
}

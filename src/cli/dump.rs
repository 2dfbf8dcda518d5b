//! `pantin dump`: what the parser makes of a source.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::Exit;
use super::check::source_error;
use super::language::LanguageArguments;
use super::targets::{kind_of, shown};
use crate::base::{Diagnostic, Place, Source, limits};
use crate::syntax::{self, Kind, Settings, ShownToken};
use crate::world::{ReadError, Surroundings, read_file, read_standard_input};

/// Show the tokens of a source
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin dump --tokens site.pp
  pantin dump --tokens -e 'notice(1)'
  echo '<%= $x %>' | pantin dump --tokens --epp --json

Each token stands on a line of its own: line and column, its name, its text in quotes.
Before the tokens of each file stands a line `--- FILE`. With --json there is one object
for each token: {name, text, line, column, offset, length}; offset and length count bytes.
Exit codes:
  0  everything was read
  1  something could not be read, or broke off at an error
  2  wrong usage, or the tokens could not be written")]
pub(super) struct Arguments {
    /// Files, or - for standard input [default: standard input]
    #[arg(value_name = "FILE", conflicts_with = "code")]
    files: Vec<PathBuf>,

    /// Take this text for the source
    #[arg(short = 'e', value_name = "CODE")]
    code: Option<String>,

    /// Show the tokens
    #[arg(long, required = true)]
    tokens: bool,

    /// Show them as JSON lines
    #[arg(long)]
    json: bool,

    /// Take the source for an EPP template, whatever it is called
    #[arg(long)]
    epp: bool,

    #[command(flatten)]
    language: LanguageArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let given = if arguments.epp { Kind::Template } else { Kind::Manifest };
    let mut to = io::BufWriter::new(io::stdout().lock());
    let mut exit = Exit::Accepted;
    if let Some(code) = &arguments.code {
        exit = dump(&mut to, None, Ok(code.clone().into_bytes()), given, arguments)?;
    } else if arguments.files.is_empty() && surroundings.stdin_is_terminal {
        return Err(io::Error::other("nothing to dump: give a file, -e CODE, or pipe something in"));
    } else if arguments.files.is_empty() {
        exit = dump(&mut to, None, read_standard_input(limits::SOURCE_BYTES as u64), given, arguments)?;
    }
    for file in &arguments.files {
        let kind = if arguments.epp { given } else { kind_of(file) };
        let outcome = if file.as_os_str() == "-" {
            dump(&mut to, None, read_standard_input(limits::SOURCE_BYTES as u64), kind, arguments)?
        } else {
            dump(&mut to, Some(file), read_file(file, limits::SOURCE_BYTES as u64), kind, arguments)?
        };
        if outcome != Exit::Accepted {
            exit = outcome;
        }
    }
    to.flush()?;
    Ok(exit)
}

/// Writes what one source holds, as far as it can be read.
fn dump(
    to: &mut impl Write,
    file: Option<&Path>,
    bytes: Result<Vec<u8>, ReadError>,
    kind: Kind,
    arguments: &Arguments,
) -> io::Result<Exit> {
    let name = file.map(shown);
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(reason) => {
            let _ =
                writeln!(io::stderr(), "Error: Cannot read {}: {reason}", name.as_deref().unwrap_or("standard input"));
            return Ok(Exit::Rejected);
        }
    };
    let source = match Source::from_bytes(name.as_deref(), bytes) {
        Ok(source) => Arc::new(source),
        Err(error) => return Ok(complain(&source_error(error), name.as_deref())),
    };
    if let Some(name) = &name
        && !arguments.json
    {
        writeln!(to, "--- {name}")?;
    }
    let error = write_tokens(to, &source, kind, arguments.language.settings(), arguments.json)?;
    // What was read comes before what stopped it, should both go to the same place.
    to.flush()?;
    Ok(error.map_or(Exit::Accepted, |error| complain(&error, name.as_deref())))
}

fn write_tokens(
    to: &mut impl Write,
    source: &Arc<Source>,
    kind: Kind,
    settings: Settings,
    as_json: bool,
) -> io::Result<Option<Diagnostic>> {
    let tokens = syntax::tokens(source, kind, settings);
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
    Ok(tokens.error)
}

fn complain(error: &Diagnostic, name: Option<&str>) -> Exit {
    let _ = writeln!(io::stderr(), "Error: {}", error.one_line(name));
    Exit::Rejected
}

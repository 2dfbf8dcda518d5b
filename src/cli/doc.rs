//! `pantin doc`: what functions and types there are, and what each is for.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use pantin_base::nearest;
use pantin_eval::{BlockParam, Builtin, Overload, Param, builtins};
use pantin_values::signature::{Api, ParamKind};
use pantin_values::types::{DOCS, TypeDoc};
use pantin_world::Surroundings;
use serde_json::{Value as Json, json};

use super::Exit;
use super::args::candidates;
use super::print::printable::printable_line;

/// Describe a function or a type, or list them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin doc function map
  pantin doc type Struct
  pantin doc function            all functions, one a line
  pantin doc type --json

--json prints an object, or a list of them: for a function {name, api, signatures: [{parameters: [{name, type, \
kind}], block, returns}], text}, for a type {name, forms, text}.
Exit codes:
  0  it was described
  1  there is no such function or type
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// What to describe
    #[arg(value_name = "KIND")]
    kind: DocKind,

    /// Its name [default: all of them, in a line each]
    #[arg(value_name = "NAME", add = candidates::documented_names())]
    name: Option<String>,

    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DocKind {
    Function,
    Type,
}

pub(super) fn run(arguments: &Arguments, _surroundings: &Surroundings) -> io::Result<Exit> {
    let text = match (arguments.kind, &arguments.name) {
        (DocKind::Function, None) => list(functions(), arguments.json, function_json, |f| (f.name, f.doc)),
        (DocKind::Type, None) => list(DOCS.iter(), arguments.json, type_json, |of| (of.name, of.text)),
        (DocKind::Function, Some(name)) => match builtins::all().get(name) {
            Some(known) if arguments.json => format!("{}\n", function_json(known.declared)),
            Some(known) => function_text(known.declared),
            None => return Ok(unknown("function", name, nearest(name, functions().map(|known| known.name)))),
        },
        (DocKind::Type, Some(name)) => match TypeDoc::find(name) {
            Some(of) if arguments.json => format!("{}\n", type_json(of)),
            Some(of) => type_text(of),
            None => return Ok(unknown("type", name, nearest(name, DOCS.iter().map(|of| of.name)))),
        },
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Accepted)
}

/// What is known of a name: as a function, as a type, or as both.
pub(super) fn describe(name: &str) -> Option<String> {
    let function = builtins::all().get(name).map(|known| function_text(known.declared));
    let of = TypeDoc::find(name).filter(|_| function.is_none()).map(type_text);
    function.or(of)
}

fn functions() -> impl Iterator<Item = &'static Builtin> {
    builtins::all().all().into_iter().map(|known| known.declared)
}

fn unknown(kind: &str, name: &str, near: Option<&str>) -> Exit {
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    let _ = writeln!(io::stderr(), "Error: there is no {kind} '{}'{hint}", printable_line(name));
    Exit::Rejected
}

fn list<T: 'static>(
    all: impl Iterator<Item = &'static T>,
    json: bool,
    as_json: fn(&T) -> Json,
    entry: fn(&'static T) -> (&'static str, &'static str),
) -> String {
    if json {
        return format!("{}\n", Json::Array(all.map(as_json).collect()));
    }
    let entries: Vec<_> = all.map(entry).collect();
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let line = |(name, text): &(&str, &str)| format!("{name:width$}  {}\n", text.lines().next().unwrap_or_default());
    entries.iter().map(line).collect()
}

// ---- functions ----

fn function_text(function: &Builtin) -> String {
    let mut text = String::new();
    for overload in function.overloads {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", signature(function.name, overload));
    }
    let _ = writeln!(text, "\n{}", function.doc);
    text
}

/// `map(Hash $hash, Callable[2, 2] &$block) >> Array`
fn signature(name: &str, overload: &Overload) -> String {
    let mut taken: Vec<String> = overload.params.iter().map(parameter).collect();
    taken.extend(overload.block.as_ref().map(block));
    format!("{name}({}) >> {}", taken.join(", "), overload.returns)
}

fn parameter(param: &Param) -> String {
    match param.kind {
        ParamKind::Required => format!("{} ${}", param.type_text, param.name),
        ParamKind::Optional => format!("Optional[{}] ${}", param.type_text, param.name),
        ParamKind::Repeated => format!("{} *${}", param.type_text, param.name),
        ParamKind::RequiredRepeated => format!("{} +${}", param.type_text, param.name),
    }
}

fn block(block: &BlockParam) -> String {
    if block.optional {
        format!("Optional[{}] &${}", block.type_text, block.name)
    } else {
        format!("{} &${}", block.type_text, block.name)
    }
}

fn function_json(function: &Builtin) -> Json {
    let signatures: Vec<Json> = function
        .overloads
        .iter()
        .map(|overload| {
            let parameters: Vec<Json> = overload
                .params
                .iter()
                .map(|param| json!({ "name": param.name, "type": param.type_text, "kind": kind_name(param.kind) }))
                .collect();
            let block = overload
                .block
                .as_ref()
                .map(|block| json!({ "name": block.name, "type": block.type_text, "optional": block.optional }));
            json!({ "parameters": parameters, "block": block, "returns": overload.returns })
        })
        .collect();
    let api = if function.api == Api::Typed { "typed" } else { "untyped" };
    json!({ "name": function.name, "api": api, "signatures": signatures, "text": function.doc })
}

fn kind_name(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Required => "required",
        ParamKind::Optional => "optional",
        ParamKind::Repeated => "repeated",
        ParamKind::RequiredRepeated => "required repeated",
    }
}

// ---- types ----

fn type_text(of: &TypeDoc) -> String {
    let forms: String = of.forms.iter().map(|form| format!("{form}\n")).collect();
    format!("{}\n{forms}\n{}\n", of.name, of.text)
}

fn type_json(of: &TypeDoc) -> Json {
    json!({ "name": of.name, "forms": of.forms, "text": of.text })
}

//! `pantin doc`: what functions, types and classes there are, and what each is for.

mod definition;
mod error;
mod resource;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pantin_base::{Language, Source, nearest};
use pantin_eval::{BlockParam, Builtin, Overload, Param, builtins};
use pantin_model::catalog::kinds::{self, NativeType, TypeRef};
use pantin_values::signature::{Api, ParamKind};
use pantin_values::types::{DOCS, TypeDoc};
use pantin_world::Surroundings;
use serde_json::{Value as Json, json};

use super::Exit;
use super::args::candidates;
use super::args::format::FormatArguments;
use super::args::world::WorldArguments;
use super::print::printable::printable_line;
use definition::Described;

/// Describe functions, data types, resource types, classes and defined types
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin doc map                 whatever is called so
  pantin doc function map
  pantin doc type Struct
  pantin doc resource file
  pantin doc profile::web        a class of the repository, with the comment above it
  pantin doc function            all functions, one a line
  pantin doc error BINDINGS_CONFLICT   what an error of bindings means, and how to mend it
  pantin doc resource --format json

Functions and data types are those of Puppet. Resource types are Puppet's own and those that modules write in Ruby; \
classes, defined types and functions of the repository around the current folder are described by the comments above them, \
as puppet-strings reads them.
--format json prints an object, or a list of them: for a function {name, api, signatures: [{parameters: [{name, type, \
kind}], block, returns, since, until}], text}, for a type {name, forms, text}, for a resource type {name, namevars, properties, \
parameters, metaparameters, native, text}, for an error {code, severity, text, example, help}, for what the repository defines {kind, name, file, line, summary, text, \
parameters, returns}.
Exit codes:
  0  it was described
  1  nothing is called so
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// function, type, resource, class or error, and the name [default of KIND: whatever has the name]
    #[arg(value_names = ["KIND", "NAME"], num_args = 1..=2, required = true, add = candidates::documented_names())]
    words: Vec<String>,

    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    world: WorldArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DocKind {
    Function,
    Type,
    Resource,
    /// Also a defined type.
    Class,
    /// A rule of bindings, by its code.
    Error,
}

const KINDS: [(&str, DocKind); 5] = [
    ("function", DocKind::Function),
    ("type", DocKind::Type),
    ("resource", DocKind::Resource),
    ("class", DocKind::Class),
    ("error", DocKind::Error),
];

pub(super) fn run(arguments: &Arguments, _surroundings: &Surroundings) -> io::Result<Exit> {
    let kind = KINDS.iter().find(|(word, _)| *word == arguments.words[0]).map(|(_, kind)| *kind);
    let text = match (kind, arguments.words.as_slice()) {
        (Some(kind), [_]) => arguments.list_of(kind),
        (Some(kind), [_, name]) => arguments.described(&[kind], name),
        (None, [name]) => arguments.described(&KINDS.map(|(_, kind)| kind), name),
        (None, _) => {
            let kinds = KINDS.map(|(word, _)| word).join(", ");
            let _ = writeln!(io::stderr(), "Error: '{}' is none of {kinds}", printable_line(&arguments.words[0]));
            return Ok(Exit::Failed);
        }
        (Some(_), _) => None,
    };
    let Some(text) = text else {
        let word = kind.and(arguments.words.first()).map_or("nothing", String::as_str);
        return Ok(unknown(word, arguments.words.last().map_or("", String::as_str)));
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Accepted)
}

impl Arguments {
    fn list_of(&self, kind: DocKind) -> Option<String> {
        match kind {
            DocKind::Function => Some(list(functions(), self.format.is_json(), function_json, |f| (f.name, f.doc))),
            DocKind::Type => Some(list(DOCS.iter(), self.format.is_json(), type_json, |of| (of.name, of.text))),
            DocKind::Resource => {
                let as_json = |native: &NativeType| {
                    kinds::native(native.name()).map_or(Json::Null, |of| resource::json(&TypeRef::Native(of)))
                };
                Some(list(kinds::all().into_iter(), self.format.is_json(), as_json, |native| {
                    (native.name(), native.summary())
                }))
            }
            DocKind::Class => None,
            DocKind::Error => Some(error::list(self.format.is_json())),
        }
    }

    fn described(&self, kinds: &[DocKind], name: &str) -> Option<String> {
        let as_text = |json: Json, text: String| if self.format.is_json() { format!("{json}\n") } else { text };
        let built_in = |kind: &DocKind| match kind {
            DocKind::Function => {
                let known = builtins::all().get(name)?;
                Some(as_text(function_json(known.declared), function_text(known.declared)))
            }
            DocKind::Type => TypeDoc::find(name).map(|of| as_text(type_json(of), type_text(of))),
            DocKind::Resource => {
                let language = self.world.language().unwrap_or_default();
                let native = TypeRef::Native(kinds::native_in(name, language)?);
                Some(as_text(resource::json(&native), resource::text(&native)))
            }
            DocKind::Class => None,
            DocKind::Error => error::described(name).map(|(json, text)| as_text(json, text)),
        };
        let found: Vec<String> = kinds.iter().filter_map(built_in).collect();
        if !found.is_empty() {
            return Some(found.join("\n"));
        }
        self.describe_from_repository(kinds, name, as_text)
    }

    /// Returns what the repository around the current folder has of this name. One that cannot be read has nothing.
    fn describe_from_repository(
        &self,
        kinds: &[DocKind],
        name: &str,
        as_text: impl Fn(Json, String) -> String,
    ) -> Option<String> {
        let world = self.world.checked_world().ok()?;
        let loaded = world.environment(&world.environment).ok()?;
        let ready = world.ready(&loaded.environment).ok()?;
        let name = name.trim_start_matches("::").to_lowercase();
        if kinds.contains(&DocKind::Resource)
            && let Ok(Some(found)) = ready.site.resource_type(&name)
        {
            return Some(as_text(resource::json(&found), resource::text(&found)));
        }
        let mut files: Vec<PathBuf> = Vec::new();
        if kinds.contains(&DocKind::Class) {
            files.extend(ready.site.definition_file(&name));
        }
        if kinds.contains(&DocKind::Function) {
            files.extend(ready.site.function_file(&name));
        }
        let settings = self.world.syntax().ok()?;
        files.iter().find_map(|file| {
            let bytes = world.disk.read(file).ok()??;
            let source = Source::from_bytes(Some(&file.to_string_lossy()), bytes).ok()?;
            let described = Described::find(Arc::new(source), &name, settings)?;
            Some(as_text(described.json(), described.text()))
        })
    }
}

/// Returns what is known of a name: as a function, as a type, or as both.
pub(super) fn describe(name: &str) -> Option<String> {
    let function = builtins::all().get(name).map(|known| function_text(known.declared));
    let of = TypeDoc::find(name).filter(|_| function.is_none()).map(type_text);
    function.or(of)
}

fn functions() -> impl Iterator<Item = &'static Builtin> {
    builtins::all().all().into_iter().map(|known| known.declared)
}

fn unknown(kind: &str, name: &str) -> Exit {
    let natives = kinds::all();
    let resources = || natives.iter().map(|native| native.name());
    let names: Vec<&str> = match kind {
        "function" => functions().map(|known| known.name).collect(),
        "type" => DOCS.iter().map(|of| of.name).collect(),
        "resource" => resources().collect(),
        "error" => error::codes().collect(),
        _ => functions()
            .map(|known| known.name)
            .chain(DOCS.iter().map(|of| of.name))
            .chain(resources())
            .chain(error::codes())
            .collect(),
    };
    let hint = nearest(name, names).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    let what = if kind == "nothing" { "nothing is called".to_owned() } else { format!("there is no {kind}") };
    let _ = writeln!(io::stderr(), "Error: {what} '{}'{hint}", printable_line(name));
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
        let _ = writeln!(text, "{}{}", signature(function.name, overload), versions(overload));
    }
    let _ = writeln!(text, "\n{}", function.doc);
    text
}

/// Returns which versions have a signature, where not all do.
fn versions(overload: &Overload) -> String {
    let named = |language: Language| format!("{} {}", language.product(), language.release());
    let since = (overload.since > Language::Puppet7).then(|| format!("since {}", named(overload.since)));
    let until = overload.until.map(|last| format!("until {}", named(last)));
    let said: Vec<String> = since.into_iter().chain(until).collect();
    if said.is_empty() { String::new() } else { format!("  # {}", said.join(", ")) }
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
            let (since, until) = (overload.since.name(), overload.until.map(Language::name));
            json!({ "parameters": parameters, "block": block, "returns": overload.returns, "since": since, "until": until })
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

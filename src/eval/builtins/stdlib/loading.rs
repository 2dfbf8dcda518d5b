//! Functions that read values out of texts and files: JSON, YAML, HOCON.

use pantin_base::Language;
use pantin_model::trace::Level;
use pantin_values::data::{hocon, json, yaml};
use pantin_values::{Fault, Str, Value, unconvertible};

use super::ruby::{Result, check_arity, fail, older, older_with_call};
use crate::builtins::older::no_method;
use crate::{Builtin, Flow, Invocation, Overload, optional, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("parsejson", parsejson, "The value that a text of JSON has."),
    older!("parseyaml", parseyaml, "The value that a text of YAML has."),
];

pub(super) static OLD: &[Builtin] = &[
    older_with_call!("loadjson", loadjson_of_8, "The value that a file of JSON has."),
    older_with_call!("loadyaml", loadyaml_of_8, "The value that a file of YAML has."),
    Builtin::typed("parsehocon", HOCON, HOCON_DOC),
    Builtin::typed(
        "parsepson",
        &[overload(&[required("String[1]", "pson_string"), optional("Any", "default")], None, parsepson_of_8)],
        PSON_DOC,
    ),
];

pub(super) static NEW: &[Builtin] = &[
    older_with_call!("loadjson", loadjson_of_9, "The value that a file of JSON has."),
    older_with_call!("loadyaml", loadyaml_of_9, "The value that a file of YAML has."),
    Builtin::typed("stdlib::parsehocon", HOCON, HOCON_DOC),
    Builtin::typed(
        "parsepson",
        &[overload(&[required("String[1]", "pson_string"), optional("Any", "default")], None, parsepson_of_9)],
        PSON_DOC,
    ),
];

const HOCON_DOC: &str = "The value that a text of HOCON has.";
const HOCON: &[Overload] =
    &[overload(&[required("String", "hocon_string"), optional("Any", "default")], None, parsehocon)];
const PSON_DOC: &str = "The value that a text of PSON has, Puppet's older JSON.";

/// What a function of version 8 of the module comes to with Puppet 8.
pub(super) const NO_PSON: &str = "uninitialized constant Puppet::Parser::Functions::PSON";

/// Returns what was read, unless that is nothing; or the default, which also stands for an error.
fn or_default(read: Result, default: Option<&Value>) -> Result {
    match (read, default) {
        (Err(_), Some(default)) if default.is_truthy() => Ok(default.clone()),
        (Ok(value), default) if !value.is_truthy() => Ok(default.cloned().unwrap_or_default()),
        (read, _) => read,
    }
}

fn text(value: &Value) -> Result<&Str> {
    match value {
        Value::String(text) => Ok(text),
        other => fail(format!("no implicit conversion of {} into String", unconvertible(other))),
    }
}

fn no_arguments<T>() -> Result<T> {
    fail("Wrong number of arguments. 1 or 2 arguments should be provided.")
}

fn json_of(bytes: &[u8]) -> Result {
    json::load(bytes).map_err(|error| Fault::new(error.message))
}

fn parsejson(args: Vec<Value>) -> Result {
    let Some(source) = args.first() else { return no_arguments() };
    or_default(text(source).and_then(|text| json_of(text.as_bytes())), args.get(1))
}

/// Aliases are read though Ruby refuses them in some versions.
fn yaml_of(bytes: &[u8], name: &str, has_aliases: bool) -> Result {
    let options = yaml::Options { symbols: yaml::Symbols::Kept, ..yaml::Options::default() };
    if !has_aliases && let Some(alias) = yaml::first_alias(bytes) {
        return fail(format!("Unknown alias: {alias}"));
    }
    yaml::load(bytes, name, options).map_err(|error| {
        // Ruby's own loader names no file where it refuses a class.
        let message = match error.message.split_once("): Tried to load") {
            Some((_, what)) => format!("Tried to load{what}"),
            None => error.message,
        };
        Fault::new(message)
    })
}

fn parseyaml(args: Vec<Value>) -> Result {
    let Some(source) = args.first() else { return no_arguments() };
    or_default(text(source).and_then(|text| yaml_of(text.as_bytes(), "<unknown>", false)), args.get(1))
}

// ---- files ----

fn loadjson_of_8(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let is_8 = call.settings().language >= Language::Puppet8;
    load(call, "loadjson", &args, |bytes, _| if is_8 { fail(NO_PSON) } else { pson_of(bytes) })
}

fn loadjson_of_9(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let is_8 = call.settings().language >= Language::Puppet8;
    load(call, "loadjson", &args, |bytes, _| match is_8 {
        true => json_of(bytes),
        false => pson_of(bytes),
    })
}

fn loadyaml_of_8(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    load(call, "loadyaml", &args, |bytes, path| yaml_of(bytes, path, false))
}

fn loadyaml_of_9(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    load(call, "loadyaml", &args, |bytes, _| yaml_of(bytes, "<unknown>", true))
}

fn load(call: &mut Invocation<'_, '_>, name: &str, args: &[Value], read: impl Fn(&[u8], &str) -> Result) -> Flow {
    check_arity(name, args, -2)?;
    let default = args.get(1);
    let Value::String(path) = &args[0] else {
        return Ok(or_default(Err(no_method("start_with?", &args[0])), default)?);
    };
    if path.starts_with("http://") || path.starts_with("https://") {
        return Err(call.fault(format!("{name}(): {path} is not a file: nothing is fetched from a network")));
    }
    match call.content(path.clone())? {
        Some(bytes) => Ok(or_default(read(bytes.bytes(), path), default)?),
        None => {
            call.log(Level::Warning, format!("Can't load '{path}' File does not exist!").into())?;
            Ok(default.cloned().unwrap_or_default())
        }
    }
}

// ---- of the newer kind ----

/// The default stands for an error alone; undef is one where it is given.
fn or_given(call: &mut Invocation<'_, '_>, read: Result) -> Flow {
    match read {
        Err(_) if call.args().len() > 1 => Ok(call.take(1)),
        read => Ok(read?),
    }
}

fn parsehocon(call: &mut Invocation<'_, '_>) -> Flow {
    let source = call.arg(0).clone();
    let read = hocon::load(text(&source)?.as_bytes(), &|_| None).map_err(|error| Fault::new(error.message));
    or_given(call, read)
}

/// The same values as JSON, but no other words than these where there is none.
fn pson_of(bytes: &[u8]) -> Result {
    json_of(bytes).map_err(|_| Fault::new(format!("source '{}' not in PSON!", String::from_utf8_lossy(bytes))))
}

fn parsepson_of_8(call: &mut Invocation<'_, '_>) -> Flow {
    if call.settings().language >= Language::Puppet8 {
        let message = "uninitialized constant Puppet::Pops::Loader::RubyFunctionInstantiator::PSON";
        return or_given(call, fail(message));
    }
    parsepson(call)
}

fn parsepson(call: &mut Invocation<'_, '_>) -> Flow {
    let source = call.arg(0).clone();
    let read = pson_of(text(&source)?.as_bytes());
    or_given(call, read)
}

fn parsepson_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let message = "This method is deprecated. From Puppet 8, PSON is no longer natively supported. Please use \
                   JSON.parse().";
    match super::deprecation::deprecate(call, "parsepson", message, true) {
        // The error of the deprecation is one that the default stands for.
        Err(_) if call.args().len() > 1 => return Ok(call.take(1)),
        other => drop(other?),
    }
    if call.settings().language >= Language::Puppet8 {
        return Ok(Value::Undef);
    }
    parsepson(call)
}

//! Functions that find and read files of modules, and the one that runs a command.

use pantin_model::trace::{Answer, FileKind, Question};
use pantin_values::ops::to_s;
use pantin_values::{Value, ruby_class};

use super::older::{at_least, no_method};
use crate::{Builtin, Flow, Invocation, Stop, overload, repeated, required};

/// By name, or by an array of names.
macro_rules! finder {
    ($name:literal, $kind:ident, $one:literal, $several:literal, $doc:literal) => {
        Builtin::typed(
            $name,
            &[
                overload(&[repeated("String", $one)], None, |call| find_first(call, FileKind::$kind)),
                overload(&[repeated("Array[String]", $several)], None, |call| {
                    find_first_of_array(call, FileKind::$kind)
                }),
            ],
            $doc,
        )
    };
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    finder!("find_file", File, "paths", "paths_array", "The path of the first of these files that exists, or undef."),
    finder!(
        "find_template",
        Template,
        "paths",
        "paths_array",
        "The path of the first of these templates that exists, or undef."
    ),
    finder!("module_directory", Module, "names", "names", "The folder of the first of these modules, or undef."),
    Builtin::typed(
        "binary_file",
        &[overload(&[required("String", "path")], None, binary_file)],
        "What is in a file, as bytes.",
    ),
    Builtin::untyped(
        "file",
        &[overload(&[repeated("Any", "args")], None, file)],
        "What is in the first of these files that exists, as text.",
    ),
    Builtin::untyped(
        "generate",
        &[overload(&[repeated("Any", "args")], None, generate)],
        "What a command writes to its standard output.",
    ),
];

fn find_first(call: &mut Invocation<'_, '_>, kind: FileKind) -> Flow {
    let names: Vec<Value> = call.args().to_vec();
    first_of(call, kind, &names)
}

/// Several arrays pass the signature, but Ruby's method takes one (beside the scope, which counts).
fn find_first_of_array(call: &mut Invocation<'_, '_>, kind: FileKind) -> Flow {
    if call.args().len() > 1 {
        let given = call.args().len() + 1;
        return Err(call.fault(format!("wrong number of arguments (given {given}, expected 2)")));
    }
    match call.take(0) {
        Value::Array(names) => first_of(call, kind, &names),
        _ => Ok(Value::Undef),
    }
}

fn first_of(call: &mut Invocation<'_, '_>, kind: FileKind, names: &[Value]) -> Flow {
    for name in names {
        let Value::String(name) = name else { continue };
        if let Some(file) = call.find_file(kind, name.clone())? {
            return Ok(file.reveal(call));
        }
    }
    Ok(Value::Undef)
}

fn binary_file(call: &mut Invocation<'_, '_>) -> Flow {
    let Value::String(name) = call.take(0) else { return Ok(Value::Undef) };
    if let Some(file) = call.find_file(FileKind::File, name.clone())?
        && let Some(content) = call.read_content(&file)?
    {
        return Ok(Value::Binary(content));
    }
    Err(call.fault(format!("binary_file(): The given file '{name}' does not exist")))
}

fn file(call: &mut Invocation<'_, '_>) -> Flow {
    let names = at_least(call, 1)?;
    for name in &names {
        let Value::String(known) = name else { return Err(no_path(call, name)) };
        let Some(found) = call.find_file(FileKind::File, known.clone())? else { continue };
        if let Some(content) = call.read_content(&found)? {
            return match content.to_text() {
                // The mark of an encoding is no part of the text.
                Some(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).into()),
                None => {
                    let path = found.path();
                    Err(call.fault(format!("{path} is not text in UTF-8; binary_file() reads it")))
                }
            };
        }
    }
    let names: Vec<String> = names.iter().map(to_s).collect();
    Err(call.fault(format!("Could not find any files from {}", names.join(", "))))
}

/// Puppet warns when it wonders whether a path is absolute.
fn warn_of_path(call: &mut Invocation<'_, '_>, path: &Value) -> Flow<()> {
    let (text, class) = (to_s(path), ruby_class(path));
    call.warn(format!("Cannot check if {text} is an absolute path because it is a '{class}' and not a String'"))
}

/// Returns what is said of the path of a file that is no text: it wonders twice.
pub(super) fn no_path(call: &mut Invocation<'_, '_>, path: &Value) -> Stop {
    match warn_of_path(call, path).and_then(|()| warn_of_path(call, path)) {
        Ok(()) => no_method("split", path).into(),
        Err(stop) => stop,
    }
}

fn generate(call: &mut Invocation<'_, '_>) -> Flow {
    let args = at_least(call, 1)?;
    let Value::String(command) = &args[0] else {
        warn_of_path(call, &args[0])?;
        return Err(call.fault("Generators must be fully qualified"));
    };
    if !command.starts_with('/') {
        return Err(call.fault("Generators must be fully qualified"));
    }
    let is_allowed = |character: char| character.is_ascii_alphanumeric() || "-/_.+".contains(character);
    if !command.lines().any(|line| !line.is_empty() && line.chars().all(is_allowed)) {
        return Err(call.fault("Generators can only contain alphanumerics, file separators, and dashes"));
    }
    if command.contains("..") {
        return Err(call.fault("Can not use generators with '..' in them."));
    }
    match call.ask(&Question::Generate(args.iter().map(|arg| to_s(arg).into()).collect())) {
        Answer::Value(output) => Ok(output),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Err(call.fault(format!("Failed to execute generator {command}: it gave no output"))),
    }
}

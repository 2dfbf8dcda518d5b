//! Methods that are called without a receiver.

use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigInt;
use pantin_base::paths::expanded;
use pantin_values::sprintf::float_of as parsed_float;

use super::encode::is_broken;
use super::file::dirname;
use super::required;
use crate::class::Core;
use crate::code::Script;
use crate::interp::{CallArguments, Interp, LOAD_PATH, float_of};
use crate::native::{ANY, NativeMethod, Side, Table, private};
use crate::puppet::is_own_library;
use crate::stop::{Flow, Stop};
use crate::text::Text;
use crate::value::{Data, Proc, ProcKind, Value};

pub(super) const TABLES: &[Table] = &[(Core::Kernel, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    private("raise", 0, ANY, raise),
    private("fail", 0, ANY, raise),
    private("loop", 0, 0, run_loop),
    private("lambda", 0, 0, lambda),
    private("proc", 0, 0, |interp, given| match given.block {
        Some(block) => Ok(block.clone()),
        None => interp.raise(Core::ArgumentError, "tried to create Proc object without a block"),
    }),
    private("block_given?", 0, 0, |_, given| Ok(given.frame.is_some_and(|frame| frame.context.block.is_some()).into())),
    private("Array", 1, 1, array),
    private("String", 1, 1, |interp, given| Ok(Value::text(interp.text_of(given.arg(0))?))),
    private("Integer", 1, 3, integer),
    private("Float", 1, 2, float),
    private("Hash", 1, 1, |interp, given| match given.arg(0) {
        Value::Nil => Ok(Value::hash(crate::table::Table::default())),
        Value::Hash(_) => Ok(given.arg(0).clone()),
        Value::Array(list) if list.items.borrow().is_empty() => Ok(Value::hash(crate::table::Table::default())),
        other => {
            let of = interp.class_name_of(other);
            interp.raise(Core::TypeError, format!("can't convert {of} into Hash"))
        }
    }),
    private("format", 1, ANY, |interp, given| interp.format(given.args)),
    private("sprintf", 1, ANY, |interp, given| interp.format(given.args)),
    private("catch", 0, 1, catch),
    private("throw", 1, 2, throw),
    private("require", 1, 1, require),
    private("require_relative", 1, 1, require),
    private("load", 1, 2, require),
    private("__dir__", 0, 0, |interp, _| interp.script.clone().path.reveal(interp, |path| dirname(path).to_owned())),
    private("binding", 0, 0, |interp, _| interp.unsupported("binding")),
    private("__method__", 0, 0, |_, given| {
        let method = given.frame.and_then(|frame| frame.context.method.as_ref());
        Ok(method.map_or(Value::Nil, |(name, _)| Value::Symbol(name.clone())))
    }),
    private("_", 1, 1, |_, given| Ok(given.arg(0).clone())),
    private("n_", 3, 3, |interp, given| {
        let count = interp.int_arg(given.arg(2))?;
        Ok(given.arg(usize::from(count != 1)).clone())
    }),
];

fn raise(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut args = given.args.to_vec();
    let mut cause = None;
    if let Some(Value::Hash(options)) = args.last()
        && let Some(given) = options.get_symbol("cause")
    {
        cause = Some(given);
        args.pop();
    }
    let exception = match args.as_slice() {
        [] => match interp.globals.get("$!") {
            Some(current) => current.clone(),
            None => interp.new_exception(Core::RuntimeError.class(), Value::text("")),
        },
        [Value::String(_)] => interp.new_exception(Core::RuntimeError.class(), args[0].clone()),
        [Value::Class(class), rest @ ..] if interp.class_is_a(*class, Core::Exception.class()) => {
            interp.send(&Value::Class(*class), "new", &rest[..rest.len().min(1)])?
        }
        [exception @ Value::Object(object), rest @ ..] if matches!(&*object.data.borrow(), Data::Exception(_)) => {
            match rest.first() {
                Some(message) => interp.new_exception(object.class, message.clone()),
                None => exception.clone(),
            }
        }
        [other, ..] if interp.responds(other, "exception")? => interp.send(other, "exception", &args[1..])?,
        [other] => match interp.as_text(other)? {
            Some(message) => interp.new_exception(Core::RuntimeError.class(), Value::text(message)),
            None => return interp.raise(Core::TypeError, "exception class/object expected"),
        },
        _ => return interp.raise(Core::TypeError, "exception class/object expected"),
    };
    if let (Some(cause), Value::Object(object)) = (cause, &exception)
        && let Data::Exception(data) = &mut *object.data.borrow_mut()
    {
        data.cause = cause;
    }
    Err(interp.stop_with_exception(exception))
}

fn run_loop(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(block) = given.block else { return interp.enumerator(given) };
    loop {
        match interp.yield_to(block, &[]).map_err(|stop| *stop) {
            Ok(_) => {}
            Err(Stop::Raise(exception)) if interp.is_a(&exception, Core::StopIteration.class()) => {
                return Ok(Value::Nil);
            }
            Err(stop) => return Err(Box::new(stop)),
        }
    }
}

fn lambda(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.block {
        Some(Value::Proc(block)) => match &block.kind {
            ProcKind::Code { code, frame } => {
                let kind = ProcKind::Code { code: code.clone(), frame: frame.clone() };
                Ok(Value::Proc(Rc::new(Proc { tag: interp.tag(), kind, is_lambda: true })))
            }
            _ => Ok(Value::Proc(block.clone())),
        },
        _ => interp.raise(Core::ArgumentError, "tried to create Proc object without a block"),
    }
}

fn array(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(0) {
        Value::Array(_) => Ok(given.arg(0).clone()),
        other => match interp.as_array(other)? {
            Some(items) => Ok(Value::array(items)),
            None => Ok(Value::array(interp.splat(other.clone())?)),
        },
    }
}

/// `exception: false`
pub(super) fn is_quiet(given: &CallArguments<'_>) -> bool {
    match given.args.last() {
        Some(Value::Hash(options)) => options.get_symbol("exception").is_some_and(|wanted| !wanted.is_truthy()),
        _ => false,
    }
}

/// A number that is whole, made of what is no text.
pub(super) fn whole(interp: &mut Interp<'_>, value: &Value) -> Flow {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        Value::Float(_) => interp.send(value, "to_i", &[]),
        Value::Object(_) if interp.responds(value, "to_int")? => interp.send(value, "to_int", &[]),
        Value::Object(_) if interp.responds(value, "to_i")? => interp.send(value, "to_i", &[]),
        other => {
            let of = interp.conversion_name(other);
            interp.raise(Core::TypeError, format!("can't convert {of} into Integer"))
        }
    }
}

fn integer(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let quiet = is_quiet(given);
    match given.arg(0) {
        Value::Float(value) if quiet && !value.is_finite() => Ok(Value::Nil),
        Value::String(text) if is_broken(text) => no_number(interp, given, "Integer"),
        Value::String(text) => {
            let text = interp.str_of(text)?;
            let radix = match given.args.get(1) {
                Some(radix @ Value::Int(_)) => interp.int_arg(radix)?,
                _ => 0,
            };
            if radix == 1 || radix.abs() > 36 {
                return interp.raise(Core::ArgumentError, format!("invalid radix {radix}"));
            }
            match strict_integer(&text, radix) {
                Some(value) => Ok(Value::big(value)),
                None if quiet => Ok(Value::Nil),
                None => {
                    let shown = interp.inspect(&Value::text(text))?;
                    interp.raise(Core::ArgumentError, format!("invalid value for Integer(): {shown}"))
                }
            }
        }
        Value::Int(_) | Value::Big(_) | Value::Float(_) if matches!(given.args.get(1), Some(Value::Int(_))) => {
            interp.raise(Core::ArgumentError, "base specified for non string value")
        }
        value @ (Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Object(_)) => whole(interp, value),
        _ if quiet => Ok(Value::Nil),
        other => whole(interp, other),
    }
}

/// Returns a text that is an integer as a whole; radix nought looks at its prefix.
fn strict_integer(text: &str, radix: i64) -> Option<BigInt> {
    let text = text.trim_matches(|ch: char| ch.is_ascii_whitespace());
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let prefixes = [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)];
    let known = prefixes.iter().find(|(prefix, of)| lower.starts_with(prefix) && (radix == 0 || radix == *of));
    let (digits, radix) = match known {
        Some((prefix, of)) => (&lower[prefix.len()..], *of),
        None if radix == 0 && lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        None => (&*lower, if radix == 0 { 10 } else { radix }),
    };
    let well_formed =
        !digits.is_empty() && !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    if !well_formed || digits.len() > pantin_base::limits::NUMBER_DIGITS {
        return None;
    }
    let digits: String = digits.chars().filter(|ch| *ch != '_').collect();
    if !digits.chars().all(|ch| ch.is_ascii_alphanumeric()) {
        return None;
    }
    let value =
        BigInt::parse_bytes(digits.as_bytes(), u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix))?)?;
    Some(if negative { -value } else { value })
}

/// A text that is no UTF-8 is no number either.
fn no_number(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: &str) -> Flow {
    if is_quiet(given) { Ok(Value::Nil) } else { raise_no_number(interp, given.arg(0), name) }
}

pub(super) fn raise_no_number<T>(interp: &mut Interp<'_>, value: &Value, name: &str) -> Flow<T> {
    let shown = match value {
        Value::String(text) if name == "Float" => Value::String(Rc::new(Text::binary(text.bytes().to_vec()))),
        other => other.clone(),
    };
    let shown = interp.inspect(&shown)?;
    interp.raise(Core::ArgumentError, format!("invalid value for {name}(): {shown}"))
}

fn float(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let quiet = is_quiet(given);
    match given.arg(0) {
        Value::Float(_) => Ok(given.arg(0).clone()),
        number if let Some(value) = float_of(number) => Ok(Value::Float(value)),
        Value::String(text) if is_broken(text) => no_number(interp, given, "Float"),
        Value::String(text) => {
            let text = interp.str_of(text)?;
            match parsed_float(&pantin_values::Value::string(text)) {
                Ok(value) => Ok(Value::Float(value)),
                Err(_) if quiet => Ok(Value::Nil),
                Err(fault) => interp.raise(Core::ArgumentError, fault.message.to_string()),
            }
        }
        _ if quiet => Ok(Value::Nil),
        other => {
            let of = interp.conversion_name(other);
            interp.raise(Core::TypeError, format!("can't convert {of} into Float"))
        }
    }
}

fn catch(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let tag = match given.args.first() {
        Some(tag) => tag.clone(),
        None => Value::object(Core::Object.class(), Data::None),
    };
    let Some(block) = given.block else { return interp.raise(Core::LocalJumpError, "no block given") };
    interp.caught.push(tag.clone());
    let result = interp.yield_one(block, tag.clone());
    interp.caught.pop();
    match result.map_err(|stop| *stop) {
        Err(Stop::Throw(thrown, value)) if thrown.is_same(&tag) => Ok(value),
        Err(stop) => Err(Box::new(stop)),
        Ok(value) => Ok(value),
    }
}

fn throw(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let tag = given.arg(0);
    if interp.caught.iter().any(|caught| caught.is_same(tag)) {
        return Err(Box::new(Stop::Throw(tag.clone(), given.arg(1).clone())));
    }
    let shown = interp.inspect(tag)?;
    interp.raise_about(Core::UncaughtThrowError, format!("uncaught throw {shown}"), tag.clone())
}

/// Returns true if `require` of this name finds something that needs no file of a module.
pub fn is_built_in_library(name: &str) -> bool {
    required::is_known(name) || is_own_library(name)
}

fn require(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let wanted = interp.path_arg(given.arg(0))?;
    let name = wanted.strip_suffix(".rb").unwrap_or(&wanted).to_owned();
    let name = if given.name == "require_relative" { relative(interp, &name) } else { name };
    if required::is_loaded_by_puppet(&name) {
        return Ok(Value::Bool(false));
    }
    if required::is_known(&name) {
        return Ok(interp.loaded.insert(name.into()).into());
    }
    match library(interp, &name)? {
        // However it is called, a file is run once.
        Some(script) if !interp.loaded.insert(script.path.beyond_code().clone()) => Ok(Value::Bool(false)),
        Some(script) => {
            let main = interp.main.clone();
            interp.deeper(|interp| interp.run_script(&script, main))?;
            Ok(Value::Bool(true))
        }
        None if is_own_library(&name) => Ok(interp.loaded.insert(name.into()).into()),
        // There it may be, whatever the code would do without it.
        None if interp.outside.has_own_ruby() => interp.unsupported(format!("the library {wanted}")),
        None => {
            interp.missing = Some(wanted.as_str().into());
            interp.raise(Core::LoadError, format!("cannot load such file -- {wanted}"))
        }
    }
}

/// Returns a file of a module: under its own name, or in a folder that code has put on the load path.
fn library(interp: &mut Interp<'_>, name: &str) -> Flow<Option<Arc<Script>>> {
    // `File.join(__dir__, '..', 'util')`, as Ruby goes it: no link is looked at.
    let found = match name.starts_with('/') {
        true => interp.outside.library(&expanded(name)),
        false => interp.outside.library(name),
    };
    if let Some(script) = interp.outside(found)? {
        return Ok(Some(script));
    }
    let folders = match interp.globals.get(LOAD_PATH).cloned() {
        Some(folders) if !name.starts_with('/') => interp.array_arg(&folders)?,
        _ => Vec::new(),
    };
    for folder in folders {
        let folder = interp.text_arg(&folder)?;
        let found = interp.outside.library(&expanded(&format!("{folder}/{name}")));
        if let Some(script) = interp.outside(found)? {
            return Ok(Some(script));
        }
    }
    Ok(None)
}

/// Returns a name relative to the file that runs.
fn relative(interp: &Interp<'_>, name: &str) -> String {
    let here = interp.script.path.beyond_code().as_str();
    let mut parts: Vec<&str> = here.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

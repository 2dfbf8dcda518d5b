//! Functions that look outside: at facts, at modules and files, at the clock.

use std::sync::Arc;

use pantin_base::version_order;
use pantin_model::trace::{Answer, FileKind, Question, VariableName};
use pantin_values::data::json;
use pantin_values::{Str, Value, unconvertible};

use super::ruby::{Result, class_name, fail, older_with_call, text_of};
use crate::builtins::older::no_method;
use crate::{Builtin, Flow, FoundFile, Invocation, Overload, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older_with_call!("has_ip_address", has_ip_address, "Whether an interface of the node has an address."),
    older_with_call!("has_ip_network", has_ip_network, "Whether an interface of the node is in a network."),
    older_with_call!("get_module_path", get_module_path, "The folder of a module."),
    older_with_call!("glob", glob, "The paths that match patterns."),
    Builtin::typed(
        "fact",
        &[overload(&[required("String", "fact_name")], None, fact)],
        "A fact by its name, or a part of one by the names on the way to it.",
    ),
    older_with_call!("time", time, "How many seconds have passed since 1970."),
];

pub(super) static OLD: &[Builtin] = &[
    older_with_call!("has_interface_with", has_interface_with, INTERFACE),
    older_with_call!("load_module_metadata", metadata_of_8, METADATA),
    Builtin::typed("os_version_gte", OS_OLD, OS_DOC),
];

pub(super) static NEW: &[Builtin] = &[
    older_with_call!("load_module_metadata", metadata_of_9, METADATA),
    Builtin::typed(
        "stdlib::has_interface_with",
        &[
            overload(&[required("String[1]", "interface")], None, has_interface_of_9),
            overload(
                &[
                    required("Enum['macaddress','netmask','ipaddress','network','ip','mac']", "kind"),
                    required("String[1]", "value"),
                ],
                None,
                has_interface_with_of_9,
            ),
        ],
        INTERFACE,
    ),
    Builtin::typed("stdlib::os_version_gte", OS_NEW, OS_DOC),
    Builtin::typed(
        "stdlib::has_function",
        &[overload(&[required("String[1]", "function_name")], None, has_function)],
        "Whether there is a function.",
    ),
];

const METADATA: &str = "What a module says of itself.";
const INTERFACE: &str = "Whether the node has an interface, or one with an address.";
const OS_DOC: &str = "Whether the node has an operating system in a version, or a newer one.";
const OS: [crate::Param; 2] = [required("String[1]", "os"), required("String[1]", "version")];
const OS_OLD: &[Overload] =
    &[overload(&OS, None, |call| os_version(call, &["operatingsystem"], &["operatingsystemmajrelease"]))];
const OS_NEW: &[Overload] =
    &[overload(&OS, None, |call| os_version(call, &["os", "name"], &["os", "release", "major"]))];

// ---- facts ----

/// A part of the facts; undef where there is none.
fn fact_at(call: &mut Invocation<'_, '_>, path: &[Value]) -> Flow {
    let question = |whole: bool| {
        let (variable, path) = (VariableName::from("facts"), Arc::from(path));
        if whole { Question::Whole { variable, path } } else { Question::Part { variable, path } }
    };
    match call.ask(&question(false)) {
        Answer::Value(value) => Ok(value),
        Answer::Fault(fault) => Err(fault.into()),
        Answer::View(_) => match call.ask(&question(true)) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(Value::Undef),
        },
        _ => Ok(Value::Undef),
    }
}

fn fact_named(call: &mut Invocation<'_, '_>, path: &[&str]) -> Flow {
    let path: Vec<Value> = path.iter().map(|name| Value::from(*name)).collect();
    fact_at(call, &path)
}

/// What a fact is, as far as one has to know to go on.
enum Step {
    Array,
    Hash,
    Other,
    Missing,
}

fn step_at(call: &mut Invocation<'_, '_>, path: &[Value]) -> Flow<Step> {
    use pantin_model::trace::Container;
    match call.ask(&Question::Part { variable: "facts".into(), path: path.into() }) {
        Answer::View(Container::Array) => Ok(Step::Array),
        Answer::View(Container::Hash) => Ok(Step::Hash),
        Answer::Value(Value::Undef) | Answer::Absent => Ok(Step::Missing),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Ok(Step::Other),
    }
}

/// Names with dots between them; one with a dot in it stands in double quotes.
fn names_of(written: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        match first {
            '"' => match rest[1..].split_once('"') {
                Some((name, behind)) if !name.is_empty() => {
                    names.push(name.to_owned());
                    rest = behind;
                }
                _ => rest = &rest[1..],
            },
            '.' => rest = &rest[1..],
            _ => {
                let end = rest.find(['.', '"']).unwrap_or(rest.len());
                names.push(rest[..end].to_owned());
                rest = &rest[end..];
            }
        }
    }
    names
}

fn fact(call: &mut Invocation<'_, '_>) -> Flow {
    let written = call.take(0);
    let written = written.as_str().unwrap_or_default();
    let mut path: Vec<Value> = Vec::new();
    for name in names_of(written) {
        let walked = || {
            let dotted = |key: &Value| match text_of(key) {
                text if text.contains('.') => format!("\"{text}\""),
                text => text.to_string(),
            };
            path.iter().map(dotted).collect::<Vec<_>>().join(".")
        };
        let what = match step_at(call, &path)? {
            Step::Missing => return Ok(Value::Undef),
            Step::Hash => {
                path.push(name.into());
                continue;
            }
            Step::Array => match super::numbers::integer(&name.as_str().into()) {
                Ok(index) => {
                    let count = match fact_at(call, &path)? {
                        Value::Array(items) => items.len() as i64,
                        _ => 0,
                    };
                    path.push(Value::Integer(if index < 0 { count + index } else { index }));
                    continue;
                }
                Err(_) => format!("'{}' is an array; cannot index to '{name}'", walked()),
            },
            Step::Other => format!("'{}' is not a collection; cannot walk to '{name}'", walked()),
        };
        call.warn(format!("fact request for {written} returning nil: {what}"))?;
        return Ok(Value::Undef);
    }
    fact_at(call, &path)
}

/// A part of the facts, where what stands around it has to be there.
fn facts_around(call: &mut Invocation<'_, '_>, path: &[&str]) -> Flow {
    let found = fact_named(call, path)?;
    if let ([around @ .., _], true) = (path, found.is_undef())
        && !around.is_empty()
        && fact_named(call, around)?.is_undef()
    {
        return Err(no_method("[]", &Value::Undef).into());
    }
    Ok(found)
}

fn os_version(call: &mut Invocation<'_, '_>, name: &[&str], release: &[&str]) -> Flow {
    let (os, version) = (call.take(0), call.take(1));
    if facts_around(call, name)? != os {
        return Ok(false.into());
    }
    let release = facts_around(call, release)?;
    let Value::String(release) = &release else { return Err(no_method("scan", &release).into()) };
    let order = version_order::compare(release, version.as_str().unwrap_or_default());
    Ok((order != std::cmp::Ordering::Less).into())
}

// ---- interfaces ----

fn has_ip_address(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    has_of_kind(call, "has_ip_address", "ipaddress", args)
}

fn has_ip_network(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    has_of_kind(call, "has_ip_network", "network", args)
}

fn has_of_kind(call: &mut Invocation<'_, '_>, name: &str, kind: &str, mut args: Vec<Value>) -> Flow {
    if args.len() != 1 {
        return Ok(fail(format!("{name}(): Wrong number of arguments given ({} for 1)", args.len()))?);
    }
    // How the module gets at its other function, Puppet warns of too.
    for method in ["loaded?", "load"] {
        super::hashes::warn_of_loading(call, method, "has_interface_with")?;
    }
    has_interface_with(call, vec![kind.into(), args.remove(0)])
}

/// By the facts of older versions: `interfaces`, `ipaddress_eth0`.
fn has_interface_with(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    if !matches!(args.len(), 1 | 2) {
        let given = args.len();
        return Ok(fail(format!("has_interface_with(): Wrong number of arguments given ({given} for 1 or 2)"))?);
    }
    let interfaces = match call.required_variable("interfaces")? {
        Value::Undef => return Ok(false.into()),
        Value::String(names) => names,
        other => return Err(no_method("split", &other).into()),
    };
    let names = super::texts::split(&interfaces, ",");
    let [kind, value] = args.as_slice() else {
        return Ok(names.iter().any(|name| args[0].as_str() == Some(name)).into());
    };
    let kind = text_of(kind);
    if call.variable(&kind)?.as_ref() == Some(value) {
        return Ok(true.into());
    }
    for name in names {
        let found = call.variable(&format!("{kind}_{}", name.to_lowercase()))?;
        if found.unwrap_or_default() == *value {
            return Ok(true.into());
        }
    }
    Ok(false.into())
}

fn interfaces(call: &mut Invocation<'_, '_>) -> Flow<pantin_values::Hash> {
    let networking = fact_named(call, &["networking"])?;
    let Value::Hash(networking) = &networking else { return Err(no_method("[]", &networking).into()) };
    match networking.get_str("interfaces") {
        Some(Value::Hash(interfaces)) => Ok(interfaces.clone()),
        other => Err(no_method("key?", other.unwrap_or(&Value::Undef)).into()),
    }
}

fn has_interface_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let name = call.take(0);
    Ok(interfaces(call)?.contains_key(&name).into())
}

fn has_interface_with_of_9(call: &mut Invocation<'_, '_>) -> Flow {
    let (kind, value) = (call.take(0), call.take(1));
    let key = match kind.as_str() {
        Some("ipaddress") => "ip",
        Some("macaddress") => "mac",
        other => other.unwrap_or_default(),
    };
    let interfaces = interfaces(call)?;
    let has = |interface: &Value| matches!(interface, Value::Hash(of) if of.get_str(key) == Some(&value));
    Ok(interfaces.values().any(has).into())
}

// ---- modules and files ----

fn module_folder(call: &mut Invocation<'_, '_>, name: &Value) -> Flow<FoundFile> {
    match call.find_file(FileKind::Module, text_of(name))? {
        Some(folder) => Ok(folder),
        None => {
            let environment = match call.ask(&Question::Setting("environment".into())) {
                Answer::Value(name) => text_of(&name),
                _ => Str::default(),
            };
            Err(call.fault(format!("Could not find module {} in environment {environment}", text_of(name))))
        }
    }
}

fn get_module_path(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let [name] = args.as_slice() else {
        return Ok(fail("get_module_path(): Wrong number of arguments, expects one")?);
    };
    Ok(module_folder(call, name)?.reveal(call))
}

fn metadata_of_8(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    load_module_metadata(call, args, true)
}

fn metadata_of_9(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    load_module_metadata(call, args, false)
}

/// Version 8 of the module reads with what Puppet 8 has no more.
fn lacks_pson(call: &Invocation<'_, '_>, of_8: bool) -> bool {
    of_8 && call.settings().language >= pantin_base::Language::Puppet8
}

fn load_module_metadata(call: &mut Invocation<'_, '_>, args: Vec<Value>, of_8: bool) -> Flow {
    if !matches!(args.len(), 1 | 2) {
        return Ok(fail("load_module_metadata(): Wrong number of arguments, expects one or two")?);
    }
    let path: Str = format!("{}/metadata.json", module_folder(call, &args[0])?.path()).into();
    match call.content(path)? {
        Some(_) if lacks_pson(call, of_8) => Ok(fail(super::loading::NO_PSON)?),
        Some(bytes) => Ok(json::load(bytes.bytes()).map_err(|error| pantin_values::Fault::new(error.message))?),
        None if args.get(1).is_some_and(Value::is_truthy) => Ok(Value::hash([])),
        None => {
            let name = text_of(&args[0]);
            Ok(fail(format!("load_module_metadata(): No metadata.json file for module {name}"))?)
        }
    }
}

fn glob(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let [patterns] = args.as_slice() else {
        return Ok(fail(format!("glob(): Wrong number of arguments given ({} for 1)", args.len()))?);
    };
    let patterns = match patterns {
        Value::String(pattern) if pattern.is_empty() => return Ok(Value::array([])),
        Value::String(pattern) => vec![pattern.clone()],
        Value::Array(several) => several.iter().map(one_pattern).collect::<Result<_>>()?,
        _ => return Ok(fail("glob(): Requires either array or string to work")?),
    };
    call.matching(patterns.into())
}

fn one_pattern(value: &Value) -> Result<Str> {
    match value {
        Value::String(pattern) => Ok(pattern.clone()),
        other => fail(format!("no implicit conversion of {} into String", unconvertible(other))),
    }
}

// ---- the clock ----

fn time(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    if args.len() > 1 {
        return Ok(fail(format!("time(): Wrong number of arguments given {} for 0 or 1", args.len()))?);
    }
    // The zone changes nothing, but has to be one that can be empty.
    match args.first() {
        Some(zone @ (Value::Integer(_) | Value::Float(_) | Value::Boolean(true))) => {
            return Err(no_method("empty?", zone).into());
        }
        Some(Value::Array(_) | Value::Hash(_)) => {
            let class = class_name(&args[0]);
            if !matches!(&args[0], Value::Array(items) if items.is_empty()) {
                return Ok(fail(format!("no implicit conversion of {class} into String"))?);
            }
        }
        _ => {}
    }
    match call.ask(&Question::Now) {
        Answer::Value(Value::Timestamp(now)) => Ok(Value::Integer(now.whole_seconds())),
        Answer::Fault(fault) => Err(fault.into()),
        _ => Err(call.fault("There is no clock here to tell the time")),
    }
}

// ---- functions ----

fn has_function(call: &mut Invocation<'_, '_>) -> Flow {
    let name = call.take(0);
    let name = name.as_str().unwrap_or_default();
    Ok((call.has_function(name) || super::predicates::is_of_older_kind(call, name)).into())
}

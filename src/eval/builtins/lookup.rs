//! `lookup`, and the functions `hiera…` that came before it.
//!
//! Knows nothing of where data comes from: a key is a question to the outside ([`LookupQuestion`]). It is answered with the value,
//! merged and not checked, or with nothing.

use std::sync::Arc;

use pantin_base::{Language, Strict};
use pantin_model::trace::{Answer, Failure, LookupQuestion, Question, Shape};
use pantin_values::ops::to_s;
use pantin_values::regex::Options;
use pantin_values::{Fault, Hash, Regexp, Str, Type, Value, merge, mismatch};

use super::matching::parts;
use super::older::no_method;
use crate::{BlockParam, Builtin, Flow, Invocation, Stop, block, optional, optional_block, overload, required};

const TYPES: &[(&str, &str)] = &[
    ("NameType", "Variant[String, Array[String]]"),
    ("ValueType", "Type"),
    ("DefaultValueType", "Any"),
    ("MergeType", "Variant[String[1], Hash[String, Scalar]]"),
    ("BlockType", "Callable[NameType]"),
    (
        "OptionsWithName",
        "Struct[{name => NameType, value_type => Optional[ValueType], default_value => Optional[DefaultValueType], \
         override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], \
         merge => Optional[MergeType]}]",
    ),
    (
        "OptionsWithoutName",
        "Struct[{value_type => Optional[ValueType], default_value => Optional[DefaultValueType], \
         override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], \
         merge => Optional[MergeType]}]",
    ),
];

/// A key, an array that is meant as the arguments, or a key with a default or a block.
macro_rules! hiera_function {
    ($name:literal, $merge:literal, $doc:literal) => {
        Builtin::typed(
            $name,
            &[
                overload(&[required("Tuple[String, Any, Any, 1, 3]", "args")], None, hiera_of_array),
                overload(&[required("String", "key")], None, |call| hiera(call, $merge, None, None)),
                overload(
                    &[required("String", "key"), required("Any", "default"), optional("Any", "override")],
                    None,
                    |call| hiera(call, $merge, Some(1), Some(2)),
                ),
                overload(&[required("String", "key")], block_named("Callable[1,1]"), |call| {
                    hiera(call, $merge, None, None)
                }),
                overload(
                    &[required("String", "key"), required("Any", "override")],
                    block_named("Callable[1,1]"),
                    |call| hiera(call, $merge, None, Some(1)),
                ),
            ],
            $doc,
        )
        .finding_variables()
    };
}

const fn block_named(of: &'static str) -> Option<BlockParam> {
    Some(BlockParam { type_text: of, name: "default_block", optional: false })
}

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "lookup",
        &[
            overload(
                &[required("NameType", "name"), optional("ValueType", "value_type"), optional("MergeType", "merge")],
                None,
                lookup,
            ),
            overload(
                &[
                    required("NameType", "name"),
                    required("Optional[ValueType]", "value_type"),
                    required("Optional[MergeType]", "merge"),
                    required("DefaultValueType", "default_value"),
                ],
                None,
                lookup,
            ),
            overload(
                &[required("NameType", "name"), optional("ValueType", "value_type"), optional("MergeType", "merge")],
                block("BlockType"),
                lookup,
            ),
            overload(&[required("OptionsWithName", "options_hash")], optional_block("BlockType"), lookup_by_options),
            overload(
                &[required("Variant[String,Array[String]]", "name"), required("OptionsWithoutName", "options_hash")],
                optional_block("BlockType"),
                lookup_by_options,
            ),
        ],
        "The value of a key in the data, checked against a type; or a default.",
    )
    .with_types(TYPES)
    .finding_variables(),
    hiera_function!("hiera", "first", "The first value of a key in the data. Use lookup instead."),
    hiera_function!("hiera_array", "unique", "All values of a key in one array. Use lookup instead."),
    hiera_function!("hiera_hash", "hash", "All values of a key in one hash. Use lookup instead."),
    hiera_function!("hiera_include", "unique", "Declares the classes that a key names. Use lookup instead."),
];

/// What is looked up, and what is done when it is not there.
#[derive(Default)]
struct LookupArguments {
    /// A name, or an array of names.
    name: Value,
    value_type: Option<Type>,
    merge: Value,
    default: Option<Value>,
    overrides: Hash,
    default_values: Hash,
    /// One of the older functions is called.
    is_hiera_call: bool,
    /// The levels that it puts before all others.
    locations: Arc<[Str]>,
}

fn type_in(value: &Value) -> Option<Type> {
    match value {
        Value::Type(of) => Some(of.clone()),
        _ => None,
    }
}

fn lookup(call: &mut Invocation<'_, '_>) -> Flow {
    let wanted = LookupArguments {
        default: (call.args().len() > 3).then(|| call.take(3)),
        name: call.take(0),
        value_type: type_in(call.arg(1)),
        merge: call.take(2),
        ..LookupArguments::default()
    };
    look_up(call, &wanted)
}

fn lookup_by_options(call: &mut Invocation<'_, '_>) -> Flow {
    let (name, options) = match (call.take(0), call.take(1)) {
        (Value::Hash(options), _) => (options.get_str("name").cloned().unwrap_or_default(), options),
        (name, Value::Hash(options)) => (name, options),
        _ => return Ok(Value::Undef),
    };
    let hash = |key| match options.get_str(key) {
        Some(Value::Hash(entries)) => entries.clone(),
        _ => Hash::default(),
    };
    let wanted = LookupArguments {
        name,
        value_type: options.get_str("value_type").and_then(type_in),
        merge: options.get_str("merge").cloned().unwrap_or_default(),
        default: options.get_str("default_value").cloned(),
        overrides: hash("override"),
        default_values: hash("default_values_hash"),
        ..LookupArguments::default()
    };
    look_up(call, &wanted)
}

fn look_up(call: &mut Invocation<'_, '_>, wanted: &LookupArguments) -> Flow {
    let names = match &wanted.name {
        Value::Array(names) => names.clone(),
        name => [name.clone()].into_iter().collect(),
    };
    for name in names.iter() {
        if let Some(value) = wanted.overrides.get(name) {
            return checked(&format!("Value found for key '{}' in override hash", to_s(name)), wanted, value.clone());
        }
        if let Some(value) = search(call, name.as_str().unwrap_or_default(), wanted)? {
            return checked("Found value", wanted, value);
        }
    }
    if let Some((name, value)) = names.iter().find_map(|name| Some((name, wanted.default_values.get(name)?))) {
        let subject = format!("Value found for key '{}' in default values hash", to_s(name));
        return checked(&subject, wanted, value.clone());
    }
    if call.has_block() {
        let value = call.yield_values([wanted.name.clone()])?;
        return checked("Value returned from default block", wanted, value);
    }
    match &wanted.default {
        Some(default) => checked("Default value", wanted, default.clone()),
        None => Err(not_found(call, &names)),
    }
}

fn checked(subject: &str, wanted: &LookupArguments, value: Value) -> Flow {
    if let Some(of) = &wanted.value_type {
        mismatch::assert_instance(subject, of, &value)?;
    }
    Ok(value)
}

fn not_found(call: &mut Invocation<'_, '_>, names: &[Value]) -> Stop {
    let message = match names {
        [name] => format!("Function lookup() did not find a value for the name '{}'", to_s(name)),
        _ => {
            let names: Vec<String> = names.iter().map(|name| format!("'{}'", to_s(name))).collect();
            format!("Function lookup() did not find a value for any of the names [{}]", names.join(", "))
        }
    };
    let help = names.iter().filter_map(Value::as_str).find_map(|name| call.help_for_key(name));
    lookup_error(call, Fault::new(message).with_help_if(help))
}

/// The text of an error of a look-up tells no place; a person is shown it.
fn lookup_error(call: &Invocation<'_, '_>, fault: Fault) -> Stop {
    Failure::new(fault, Shape::Bare, Some(call.place())).into()
}

fn search(call: &mut Invocation<'_, '_>, name: &str, wanted: &LookupArguments) -> Flow<Option<Value>> {
    // How keys are to be looked up stands in the data too, but is no value itself.
    if name == "lookup_options" || name.starts_with("lookup_options.") {
        return Ok(None);
    }
    if !is_key(name)? {
        return Err(lookup_error(call, Fault::new(format!("Syntax error in key: '{name}'"))));
    }
    let mut local_names = call.local_names();
    local_names.extend(call.capture_names());
    let mut question = LookupQuestion {
        key: name.into(),
        merge: wanted.merge.clone(),
        is_hiera_call: wanted.is_hiera_call,
        locations: Arc::clone(&wanted.locations),
        overrides: wanted.overrides.clone(),
        defaults: wanted.default_values.clone(),
        local_names: local_names.into(),
        locals: Hash::default(),
    };
    loop {
        match call.ask(&Question::Lookup(Arc::new(question.clone()))) {
            Answer::Value(value) => return Ok(Some(value)),
            Answer::Fault(fault) => return Err(fault.into()),
            Answer::Wants(names) if names.iter().any(|name| question.locals.get_str(name).is_none()) => {
                for name in names.iter() {
                    let value = call.variable(name)?.unwrap_or_default();
                    question.locals.insert(name.clone().into(), value);
                }
            }
            _ => {
                // Without data nobody else would look at it.
                check_merge(&wanted.merge)?;
                return Ok(None);
            }
        }
    }
}

/// Returns true if a key is a name, or names and numbers with dots between them, each bare or in quotes.
fn is_key(name: &str) -> Result<bool, Fault> {
    if !name.contains(['\'', '"', '.']) {
        return Ok(true);
    }
    let segment = Regexp::new(r#"(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"#, Options::default());
    let segments = parts(name, &segment)?;
    let is_key = match segments.split_first() {
        Some((&"", rest)) => !rest.is_empty() && rest.iter().filter(|part| **part != ".").count() * 2 == rest.len() + 1,
        _ => false,
    };
    match segments.get(1).and_then(|first| number_of(first)).filter(|_| is_key) {
        Some(number) => Err(Fault::new(format!("undefined method `index' for {number}:Integer"))),
        None => Ok(is_key),
    }
}

/// Returns what a part of a key counts as where it is a number; behind a colon, Ruby reads nought.
fn number_of(part: &str) -> Option<String> {
    let part = part.trim();
    let unsigned = part.strip_prefix(':').unwrap_or(part).trim_start_matches(['+', '-']);
    let is_number = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| part.parse::<i64>().unwrap_or(0).to_string())
}

fn check_merge(merge: &Value) -> Result<(), Fault> {
    let (strategy, options) = match merge {
        Value::Undef => return Ok(()),
        Value::Hash(options) => match options.get_str("strategy") {
            Some(strategy) if !strategy.is_undef() => (strategy, (options.len() > 1).then_some(merge)),
            _ => {
                return Err(Fault::new(
                    "The hash given as 'merge' must contain the name of a strategy in string form for the key \
                     'strategy'",
                ));
            }
        },
        strategy => (strategy, None),
    };
    let Some(name) = strategy.as_str().filter(|name| merge::is_strategy(name)) else {
        return Err(Fault::new(format!("Unknown merge strategy: '{}'", to_s(strategy))));
    };
    match options {
        Some(options) => merge::check_options(name, options),
        None => Ok(()),
    }
}

// ---- the older functions ----

fn hiera_of_array(call: &mut Invocation<'_, '_>) -> Flow {
    let name = call.name();
    Err(call.fault(format!("{name}() does not take its arguments in an array")))
}

/// `default` and `overriding` say which arguments are these, if any.
fn hiera(call: &mut Invocation<'_, '_>, merge: &str, default: Option<usize>, overriding: Option<usize>) -> Flow {
    let function = call.name();
    if call.settings().strict != Strict::Off {
        let version = match call.settings().language {
            Language::Puppet7 => "7.23",
            Language::Puppet8 => "8.10",
            Language::OpenVox8 => "8.28",
        };
        let message = format!(
            "The function '{function}' is deprecated in favor of using 'lookup'. See \
             https://puppet.com/docs/puppet/{version}/deprecated_language.html"
        );
        call.deprecated(function, message, false)?;
    }
    let locations: Arc<[Str]> = match overriding.map(|index| call.take(index)).unwrap_or_default() {
        Value::Undef => Arc::default(),
        Value::Array(names) => names.iter().map(|name| Str::from(to_s(name))).collect(),
        name => [Str::from(to_s(&name))].into(),
    };
    let default = default.map(|index| call.take(index));
    let name = call.take(0);
    let wanted = LookupArguments {
        merge: merge.into(),
        name: name.clone(),
        default,
        is_hiera_call: true,
        locations,
        ..LookupArguments::default()
    };
    let value = look_up(call, &wanted)?;
    match function {
        "hiera_include" => include(call, &name, value),
        _ => Ok(value),
    }
}

fn include(call: &mut Invocation<'_, '_>, key: &Value, classes: Value) -> Flow {
    let is_empty = match &classes {
        Value::Undef => return Err(call.fault(format!("Could not find data item {}", to_s(key)))),
        Value::Array(names) => names.is_empty(),
        Value::Hash(entries) => entries.is_empty(),
        Value::String(name) => name.is_empty(),
        other => return Err(no_method("empty?", other).into()),
    };
    if is_empty { Ok(Value::Undef) } else { call.call_without_block("include", [classes].into_iter().collect()) }
}

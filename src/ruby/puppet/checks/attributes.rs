//! Parameters and properties of a resource that is made: how one takes its value.

use pantin_values::Str;

use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::puppet::checks::values::MatchedValue;
use crate::stop::{Flow, Stop};
use crate::value::{Data, Value};

pub(super) const OF_PARAMETERS: Table = (Core::PuppetParameter, Side::Instance, PARAMETERS);
pub(super) const OF_PROPERTIES: Table = (Core::PuppetProperty, Side::Instance, PROPERTIES);
pub(super) const OF_ENSURE: Table = (Core::PuppetEnsure, Side::Instance, &[method("default", 0, 0, default_of_ensure)]);
pub(super) const OF_BOOLEAN_PARAMETERS: Table = (Core::PuppetParameterBoolean, Side::Instance, BOOLEAN_PARAMETERS);
pub(super) const OF_BOOLEAN_PROPERTIES: Table =
    (Core::PuppetPropertyBoolean, Side::Instance, &[method("unsafe_munge", 1, 1, as_boolean)]);
pub(super) const OF_PATHS: Table = (Core::PuppetParameterPath, Side::Instance, NOT_JUDGED);
pub(super) const OF_PACKAGE_OPTIONS: Table = (Core::PuppetParameterPackageOptions, Side::Instance, NOT_JUDGED);
pub(super) const OF_LISTS: Table = (Core::PuppetPropertyList, Side::Instance, NOT_JUDGED);
pub(super) const OF_PAIRS: Table = (Core::PuppetPropertyKeyValue, Side::Instance, NOT_JUDGED);
pub(super) const OF_FILE_OWNERS: Table = (Core::PuppetTypeFileOwner, Side::Instance, NOT_JUDGED);
pub(super) const OF_FILE_GROUPS: Table = (Core::PuppetTypeFileGroup, Side::Instance, NOT_JUDGED);
pub(super) const OF_FILE_MODES: Table = (Core::PuppetTypeFileMode, Side::Instance, NOT_JUDGED);
pub(super) const OF_FILE_SOURCES: Table = (Core::PuppetTypeFileSource, Side::Instance, NOT_JUDGED);

const PARAMETERS: &[NativeMethod] = &[
    method("value=", 1, 1, set_value),
    method("value", 0, 0, |interp, given| {
        let value = interp.instance_variable(given.receiver, &VALUE.into())?;
        if value.is_nil() { Ok(value) } else { interp.send(given.receiver, "unmunge", &[value]) }
    }),
    method("validate", 1, 1, validate),
    method("unsafe_validate", 1, 1, validate_by_values),
    method("munge", 1, 1, munge),
    method("unsafe_munge", 1, 1, munge_by_values),
    method("unmunge", 1, 1, |interp, given| interp.send(given.receiver, "unsafe_unmunge", given.args)),
    method("unsafe_unmunge", 1, 1, |_, given| Ok(given.arg(0).clone())),
    method("resource", 0, 0, |interp, given| interp.instance_variable(given.receiver, &RESOURCE.into())),
    method("provider", 0, 0, |interp, given| {
        let resource = interp.instance_variable(given.receiver, &RESOURCE.into())?;
        interp.send(&resource, "provider", &[])
    }),
    method("name", 0, 0, |interp, given| interp.send(&class_of(given.receiver), "name", &[])),
    method("to_s", 0, 0, |interp, given| {
        let name = interp.send(given.receiver, "name", &[])?;
        Ok(Value::text(interp.text_of(&name)?))
    }),
    method("isnamevar?", 0, 0, |interp, given| interp.send(&class_of(given.receiver), "isnamevar?", &[])),
    method("fail", 0, ANY, |interp, given| fail(interp, given, Core::PuppetError)),
    method("devfail", 1, 1, |interp, given| fail(interp, given, Core::PuppetDevError)),
    method("debug", 0, ANY, say_nothing),
    method("info", 0, ANY, say_nothing),
    method("notice", 0, ANY, say_nothing),
    method("warning", 0, ANY, say_nothing),
    method("err", 0, ANY, say_nothing),
    method("respond_to?", 1, 2, responds),
    method("method_missing", 1, ANY, lacking),
];

const PROPERTIES: &[NativeMethod] = &[
    method("value=", 1, 1, |interp, given| interp.send(given.receiver, "should=", given.args)),
    method("value", 0, 0, |interp, given| interp.send(given.receiver, "should", &[])),
    method("should=", 1, 1, set_desired),
    method("should", 0, 0, desired),
    method("shouldorig", 0, 0, |interp, given| interp.instance_variable(given.receiver, &GIVEN.into())),
    method("match_all?", 0, 0, |interp, given| Ok(matches_all(interp, given.receiver).into())),
    method("unsafe_validate", 1, 1, |interp, given| {
        validate_by_values(interp, given)?;
        let needs_feature = find(interp, given)?.is_some_and(|found| found.needs_feature);
        if needs_feature { interp.unsupported("a value that some providers do not take") } else { Ok(Value::Nil) }
    }),
];

const BOOLEAN_PARAMETERS: &[NativeMethod] = &[
    method("unsafe_munge", 1, 1, as_boolean),
    method("unsafe_validate", 1, 1, |interp, given| {
        // Whatever else such a parameter names is taken as well.
        let is_named = find(interp, given)?.is_some();
        let text = interp.text_of(given.arg(0))?;
        if is_named || ["true", "false", "yes", "no"].contains(&text.as_str()) {
            return Ok(Value::Nil);
        }
        if values_of(interp, given.receiver).is_some_and(|values| !values.is_empty()) {
            return interp.unsupported("values beside those of a Boolean");
        }
        let shown = interp.inspect(given.arg(0))?;
        interp.raise(Core::ArgumentError, format!("Invalid value {shown}. Valid values are true, false, yes, no."))
    }),
];

/// Classes of attributes whose code is Puppet's own, and is not here.
const NOT_JUDGED: &[NativeMethod] =
    &[method("value=", 1, 1, |interp, _| interp.unsupported("an attribute of a class that Puppet brings"))];

pub(super) const RESOURCE: &str = "@resource";
const VALUE: &str = "@value";
const DESIRED: &str = "@should";
const GIVEN: &str = "@shouldorig";

pub(super) fn class_of(object: &Value) -> Value {
    match object {
        Value::Object(object) => Value::Class(object.class),
        _ => Value::Nil,
    }
}

fn own_class(object: &Value) -> Class {
    match object {
        Value::Object(object) => object.class,
        _ => Core::Object.class(),
    }
}

/// Makes the object of an attribute of a resource.
pub(super) fn new_attribute(interp: &mut Interp<'_>, class: Class, resource: &Value) -> Flow {
    let attribute = Value::object(class, Data::None);
    interp.set_instance_variable(&attribute, &RESOURCE.into(), resource.clone())?;
    Ok(attribute)
}

pub(super) fn say_nothing(_: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    Ok(Value::Nil)
}

pub(super) fn lacking(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let class = interp.class_name_of(given.receiver);
    interp.unsupported(format!("the method {name} of a {class}"))
}

pub(super) fn responds(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    match interp.method_of(given.receiver, &name) {
        Some(_) => Ok(Value::Bool(true)),
        None => interp.unsupported(format!("whether a resource or an attribute has the method {name}")),
    }
}

/// `fail "message"`, and `fail SomeError, "message"`.
pub(super) fn fail(interp: &mut Interp<'_>, given: &CallArguments<'_>, usual: Core) -> Flow {
    let (class, words) = match given.args.split_first() {
        Some((Value::Class(class), words)) => (*class, words),
        _ => (usual.class(), given.args),
    };
    // What stands at the end is the error that led to this one.
    let words = if words.len() > 1 { &words[..words.len() - 1] } else { words };
    let mut text = Vec::with_capacity(words.len());
    for word in words {
        text.push(interp.text_of(word)?);
    }
    let error = interp.send(&Value::Class(class), "new", &[Value::text(text.join(" "))])?;
    Err(interp.stop_with_exception(error))
}

fn set_value(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    interp.send(given.receiver, "validate", given.args)?;
    let value = interp.send(given.receiver, "munge", given.args)?;
    interp.set_instance_variable(given.receiver, &VALUE.into(), value.clone())?;
    Ok(value)
}

/// Sets the value of an attribute of which nothing is said, as its methods would.
pub(super) fn set_plainly(interp: &mut Interp<'_>, attribute: &Value, value: Value) -> Flow<()> {
    if !interp.is_a(attribute, Core::PuppetProperty.class()) {
        return interp.set_instance_variable(attribute, &VALUE.into(), value);
    }
    let values = match value {
        list @ Value::Array(_) => list,
        one => Value::array(vec![one]),
    };
    let items = interp.array_arg(&values)?;
    interp.set_instance_variable(attribute, &GIVEN.into(), values)?;
    interp.set_instance_variable(attribute, &DESIRED.into(), Value::array(items))
}

/// Sets a value of an attribute that is known to be taken.
pub(super) fn set_accepted(interp: &mut Interp<'_>, attribute: &Value, value: Value) -> Flow<()> {
    if !interp.is_a(attribute, Core::PuppetProperty.class()) {
        let value = interp.send(attribute, "munge", &[value])?;
        return interp.set_instance_variable(attribute, &VALUE.into(), value);
    }
    let values = items(&value);
    interp.set_instance_variable(attribute, &GIVEN.into(), Value::array(values.clone()))?;
    set_munged(interp, attribute, &values)
}

/// Returns the values that a property is given.
fn items(given: &Value) -> Vec<Value> {
    match given {
        Value::Array(list) => list.items.borrow().clone(),
        one => vec![one.clone()],
    }
}

fn set_munged(interp: &mut Interp<'_>, attribute: &Value, values: &[Value]) -> Flow<()> {
    let mut desired = Vec::with_capacity(values.len());
    for value in values {
        desired.push(interp.send(attribute, "munge", std::slice::from_ref(value))?);
    }
    interp.set_instance_variable(attribute, &DESIRED.into(), Value::array(desired))
}

/// A property has a list of values, of which often the first one counts.
fn set_desired(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let values = items(given.arg(0));
    interp.set_instance_variable(given.receiver, &GIVEN.into(), Value::array(values.clone()))?;
    for value in &values {
        interp.send(given.receiver, "validate", std::slice::from_ref(value))?;
    }
    set_munged(interp, given.receiver, &values)?;
    Ok(given.arg(0).clone())
}

fn desired(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let values = match interp.instance_variable(given.receiver, &DESIRED.into())? {
        Value::Nil => return Ok(Value::Nil),
        Value::Array(list) => list.items.borrow().clone(),
        _ => return interp.unsupported("the value of a property that is no list"),
    };
    let mut shown = Vec::with_capacity(values.len());
    let takes_all = matches_all(interp, given.receiver);
    for value in values.into_iter().take(if takes_all { usize::MAX } else { 1 }) {
        shown.push(interp.send(given.receiver, "unmunge", &[value])?);
    }
    Ok(if takes_all { Value::array(shown) } else { shown.pop().unwrap_or_default() })
}

fn matches_all(interp: &mut Interp<'_>, attribute: &Value) -> bool {
    let class = own_class(attribute);
    interp.checks().lists.contains(&class)
}

/// Asks the attribute's own code, and puts Puppet's words around what it raises.
fn validate(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let stop = match interp.send(given.receiver, "unsafe_validate", given.args) {
        Ok(_) => return Ok(Value::Nil),
        Err(stop) => stop,
    };
    let Stop::Raise(exception) = *stop else { return Err(stop) };
    interp.refuse_lack(&exception)?;
    if interp.is_a(&exception, Core::ArgumentError.class()) {
        let text = interp.exception_message(&exception)?;
        return interp.raise(Core::PuppetError, text);
    }
    if interp.is_a(&exception, Core::PuppetError.class()) || interp.is_a(&exception, Core::TypeError.class()) {
        return Err(Box::new(Stop::Raise(exception)));
    }
    let (name, text) = (name_of(interp, given.receiver)?, interp.exception_message(&exception)?);
    interp.raise(Core::PuppetDevError, format!("Validate method failed for class {name}: {text}"))
}

fn munge(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let stop = match interp.send(given.receiver, "unsafe_munge", given.args) {
        Ok(value) => return Ok(value),
        Err(stop) => stop,
    };
    let Stop::Raise(exception) = *stop else { return Err(stop) };
    interp.refuse_lack(&exception)?;
    if interp.is_a(&exception, Core::PuppetError.class()) {
        return Err(Box::new(Stop::Raise(exception)));
    }
    let (name, text) = (name_of(interp, given.receiver)?, interp.exception_message(&exception)?);
    let shown = interp.inspect(given.arg(0))?;
    interp.raise(Core::PuppetDevError, format!("Munging failed for value {shown} in class {name}: {text}"))
}

fn name_of(interp: &mut Interp<'_>, attribute: &Value) -> Flow<String> {
    let name = interp.send(attribute, "name", &[])?;
    interp.text_of(&name)
}

fn values_of(interp: &mut Interp<'_>, attribute: &Value) -> Option<std::rc::Rc<super::AllowedValues>> {
    let class = own_class(attribute);
    interp.checks().values.get(&class).cloned()
}

fn find(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<MatchedValue>> {
    match values_of(interp, given.receiver) {
        Some(values) => values.find(interp, given.arg(0)),
        None => Ok(None),
    }
}

fn validate_by_values(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some(values) = values_of(interp, given.receiver).filter(|values| !values.is_empty()) else {
        return Ok(Value::Nil);
    };
    if values.find(interp, given.arg(0))?.is_some() {
        return Ok(Value::Nil);
    }
    let complaint = values.complaint(interp, given.arg(0))?;
    interp.raise(Core::ArgumentError, complaint)
}

fn munge_by_values(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let word: Option<Str> = find(interp, given)?.and_then(|found| found.word);
    Ok(word.map_or_else(|| given.arg(0).clone(), Value::Symbol))
}

fn as_boolean(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let text = match given.arg(0) {
        Value::Bool(value) => return Ok(Value::Bool(*value)),
        Value::String(text) => interp.str_of(text)?.to_lowercase(),
        Value::Symbol(name) => name.to_lowercase().to_string(),
        _ => String::new(),
    };
    match text.as_str() {
        "true" | "yes" => Ok(Value::Bool(true)),
        "false" | "no" => Ok(Value::Bool(false)),
        _ => interp.raise(Core::RuntimeError, "expected a boolean value"),
    }
}

/// A resource that manages something is to be there.
fn default_of_ensure(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let resource = interp.instance_variable(given.receiver, &RESOURCE.into())?;
    let is_managed = interp.send(&resource, "managed?", &[])?.is_truthy();
    Ok(if is_managed { Value::symbol("present") } else { Value::Nil })
}

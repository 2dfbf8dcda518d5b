//! OpenStruct: an object whose attributes are whatever it is given.

use std::rc::Rc;

use pantin_values::Str;

use crate::class::Core;
use crate::interp::{CallArguments, Interp, Method, MethodKind, Visibility};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::table::Table as Entries;
use crate::value::{Data, Object, Value};

pub(super) const TABLES: &[Table] =
    &[(Core::OpenStruct, Side::Class, &[method("new", 0, ANY, new)]), (Core::OpenStruct, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    private("initialize", 0, 1, fill),
    method("[]", 1, 1, |interp, given| {
        let name = symbol(interp, given.arg(0))?;
        Ok(entries(given).get(&Value::Symbol(name)).unwrap_or_default())
    }),
    method("[]=", 2, 2, |interp, given| {
        let name = symbol(interp, given.arg(0))?;
        set(interp, given, name, given.arg(1).clone())
    }),
    private("method_missing", 1, ANY, missing),
    private("respond_to_missing?", 1, 2, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        Ok(entries(given).get(&Value::symbol(name.trim_end_matches('='))).is_some().into())
    }),
    method("to_h", 0, 0, |interp, given| {
        let table = Value::hash(entries(given).copy());
        match given.block {
            Some(_) => interp.send_with(&table, "to_h", &[], given.block),
            None => Ok(table),
        }
    }),
    method("each_pair", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for (name, value) in entries(given).pairs() {
            interp.yield_one(block, Value::pair(name, value))?;
        }
        Ok(given.receiver.clone())
    }),
    method("dig", 1, ANY, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        let found = entries(given).get(&Value::Symbol(name)).unwrap_or_default();
        interp.dig_on(found, &given.args[1..])
    }),
    method("delete_field", 1, 1, delete),
    method("inspect", 0, 0, shown),
    method("to_s", 0, 0, shown),
    method("==", 1, 1, |interp, given| {
        let Some(other) = entries_of(given.arg(0)) else { return Ok(Value::Bool(false)) };
        let (left, right) = (Value::Hash(entries(given)), Value::Hash(other));
        Ok(interp.equal(&left, &right)?.into())
    }),
];

/// What an attribute is read and set by that is called as something that all objects have (`format`, `class`).
static GETTER: NativeMethod =
    method("get", 0, 0, |_, given| Ok(entries(given).get(&Value::symbol(given.name)).unwrap_or_default()));
static SETTER: NativeMethod = method("set", 1, 1, |interp, given| {
    set(interp, given, given.name.trim_end_matches('=').into(), given.arg(0).clone())
});

fn new(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
    let object = Value::object(*class, Data::Open(Rc::default()));
    interp.call(&object, "initialize", given.rest(0), given.block, None, true, false)?;
    Ok(object)
}

fn entries_of(value: &Value) -> Option<Rc<Entries>> {
    match value {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Open(table) => Some(table.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn entries(given: &CallArguments<'_>) -> Rc<Entries> {
    entries_of(given.receiver).unwrap_or_default()
}

/// Its copies read attributes as it does itself, though all else that it alone can do is not theirs.
pub(in crate::classes) fn keeps_own_methods(object: &Object) -> bool {
    matches!(&*object.data.borrow(), Data::Open(_))
}

fn symbol(interp: &mut Interp<'_>, name: &Value) -> Flow<Str> {
    match name {
        Value::Symbol(name) => Ok(name.clone()),
        other => {
            let symbol = interp.send(other, "to_sym", &[])?;
            interp.name_arg(&symbol)
        }
    }
}

fn fill(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let pairs = match given.arg(0) {
        Value::Nil | Value::Bool(false) => return Ok(Value::Nil),
        Value::Hash(table) => table.pairs(),
        other => {
            let pairs = interp.send(other, "each_pair", &[])?;
            let mut all = Vec::new();
            for pair in interp.items(&pairs)? {
                let pair = interp.array_arg(&pair)?;
                all.push((pair.first().cloned().unwrap_or_default(), pair.get(1).cloned().unwrap_or_default()));
            }
            all
        }
    };
    for (name, value) in pairs {
        let name = symbol(interp, &name)?;
        set(interp, given, name, value)?;
    }
    Ok(Value::Nil)
}

fn set(interp: &mut Interp<'_>, given: &CallArguments<'_>, name: Str, value: Value) -> Flow {
    let table = entries(given);
    let key = Value::Symbol(name.clone());
    let is_new = table.get(&key).is_none();
    if let Value::Object(object) = given.receiver
        && object.frozen.get()
    {
        let shown = interp.inspect(&if is_new { given.receiver.clone() } else { Value::Hash(table) })?;
        let what = if is_new { "object" } else { "Hash" };
        return interp.raise(Core::FrozenError, format!("can't modify frozen {what}: {shown}"));
    }
    if is_new {
        for (name, kind) in [(name.clone(), &GETTER), (format!("{name}=").into(), &SETTER)] {
            reveal(interp, given.receiver, name, kind)?;
        }
    }
    interp.put_into(&table, key, value.clone())?;
    Ok(value)
}

/// An attribute goes before what all objects have of its name, not before what a class below says.
fn reveal(interp: &mut Interp<'_>, receiver: &Value, name: Str, native: &'static NativeMethod) -> Flow<()> {
    let Some(known) = interp.method_of(receiver, &name) else { return Ok(()) };
    let is_of_class = interp.class_is_a(known.owner, Core::OpenStruct.class())
        && !known.owner.is(Core::OpenStruct)
        && !interp.classes.is_of_one(known.owner);
    if name.ends_with('!') || is_of_class {
        return Ok(());
    }
    let owner = interp.singleton_of(receiver)?;
    let method = Method { kind: MethodKind::Native(native), owner, visibility: Visibility::Public };
    interp.classes.define(owner, Side::Instance, name, method);
    Ok(())
}

fn missing(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let args = &given.args[1..];
    match (name.strip_suffix('='), args) {
        (Some(attribute), [value]) => set(interp, given, attribute.into(), value.clone()),
        (Some(_), _) => {
            let message = format!("wrong number of arguments (given {}, expected 1)", args.len());
            interp.raise(Core::ArgumentError, message)
        }
        (None, []) => Ok(entries(given).get(&Value::Symbol(name)).unwrap_or_default()),
        (None, args) if entries(given).get(&Value::Symbol(name.clone())).is_some() => {
            let message = format!("wrong number of arguments (given {}, expected 0)", args.len());
            interp.raise(Core::ArgumentError, message)
        }
        (None, _) => {
            let message = format!("undefined method `{name}' for {}", interp.describe_receiver(given.receiver)?);
            interp.raise_about(Core::NoMethodError, message, Value::Symbol(name))
        }
    }
}

fn delete(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = symbol(interp, given.arg(0))?;
    match (entries(given).remove(&Value::Symbol(name.clone())), given.block) {
        (Some(value), _) => Ok(value),
        (None, Some(block)) => interp.yield_to(block, &[]),
        (None, None) => {
            let shown = interp.inspect(given.receiver)?;
            let message = format!("no field `{name}' in {shown}");
            interp.raise_about(Core::NameError, message, Value::Symbol(name))
        }
    }
}

/// `#<OpenStruct a=1, b=2>`
fn shown(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut parts = Vec::new();
    for (name, value) in entries(given).pairs() {
        let value = interp.deeper(|interp| interp.inspect(&value))?;
        parts.push(format!(" {}={value}", interp.text_of(&name)?));
    }
    let class = interp.classes.name(interp.real_class_of(given.receiver));
    Ok(Value::text(format!("#<{class}{}>", parts.join(","))))
}

//! Struct.

use pantin_values::Str;

use crate::class::{Class, Core};
use crate::interp::{Args, CallArguments, Interp, Method, MethodKind, Visibility};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::table::Table as HashTable;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[(Core::Struct, Side::Class, MAKE_STRUCT), (Core::Struct, Side::Instance, STRUCT)];

const MAKE_STRUCT: &[NativeMethod] = &[
    method("new", 0, ANY, |interp, given| {
        let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
        if class.is(Core::Struct) {
            return define(interp, given);
        }
        let object = Value::object(*class, Data::Struct);
        interp.call(&object, "initialize", given.rest(0), given.block, None, true, false)?;
        Ok(object)
    }),
    method("[]", 0, ANY, |interp, given| {
        interp.call(given.receiver, "new", given.rest(0), given.block, None, true, false)
    }),
    method("keyword_init?", 0, 0, |interp, given| {
        let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
        Ok(if is_by_keyword(interp, *class)? { Value::Bool(true) } else { Value::Nil })
    }),
    method("members", 0, 0, |interp, given| match given.receiver {
        Value::Class(class) => Ok(Value::array(members(interp, *class)?.into_iter().map(Value::Symbol).collect())),
        _ => Ok(Value::Nil),
    }),
];

const STRUCT: &[NativeMethod] = &[
    private("initialize", 0, ANY, fill),
    method("inspect", 0, 0, shown),
    method("to_s", 0, 0, shown),
    method("to_a", 0, 0, |interp, given| Ok(Value::array(values(interp, given)?))),
    method("to_h", 0, 0, |interp, given| {
        let names = members(interp, interp.real_class_of(given.receiver))?;
        let values = values(interp, given)?;
        let table = Value::hash(HashTable::from_pairs(names.into_iter().map(Value::Symbol).zip(values)));
        match given.block {
            Some(_) => interp.send_with(&table, "to_h", &[], given.block),
            None => Ok(table),
        }
    }),
    method("each", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        for value in values(interp, given)? {
            interp.yield_one(block, value)?;
        }
        Ok(given.receiver.clone())
    }),
    method("each_pair", 0, 0, |interp, given| {
        let Some(block) = given.block else { return interp.enumerator(given) };
        let names = members(interp, interp.real_class_of(given.receiver))?;
        for (name, value) in names.into_iter().zip(values(interp, given)?) {
            interp.yield_one(block, Value::pair(Value::Symbol(name), value))?;
        }
        Ok(given.receiver.clone())
    }),
    method("members", 0, 0, |interp, given| {
        let names = members(interp, interp.real_class_of(given.receiver))?;
        Ok(Value::array(names.into_iter().map(Value::Symbol).collect()))
    }),
    method("deconstruct", 0, 0, |interp, given| Ok(Value::array(values(interp, given)?))),
    method("values", 0, 0, |interp, given| Ok(Value::array(values(interp, given)?))),
    method("deconstruct_keys", 1, 1, deconstruct_keys),
    method("dig", 1, ANY, |interp, given| {
        let (names, all) = (members(interp, interp.real_class_of(given.receiver))?, values(interp, given)?);
        let place = match given.arg(0) {
            key @ (Value::Symbol(_) | Value::String(_)) => {
                let wanted = interp.name_arg(key)?;
                names.iter().position(|name| *name == wanted)
            }
            at => super::array::place(interp.int_arg(at)?, names.len()),
        };
        let found = place.and_then(|at| all.get(at).cloned()).unwrap_or_default();
        interp.dig_on(found, &given.args[1..])
    }),
    method("values_at", 0, ANY, |interp, given| {
        let all = Value::array(values(interp, given)?);
        interp.send(&all, "values_at", given.args)
    }),
    method("size", 0, 0, |interp, given| Ok(values(interp, given)?.len().into())),
    method("length", 0, 0, |interp, given| Ok(values(interp, given)?.len().into())),
    method("[]", 1, 1, |interp, given| {
        let name = member_name(interp, given)?;
        interp.instance_variable(given.receiver, &name)
    }),
    method("[]=", 2, 2, |interp, given| {
        let name = member_name(interp, given)?;
        interp.set_instance_variable(given.receiver, &name, given.arg(1).clone())?;
        Ok(given.arg(1).clone())
    }),
    method("==", 1, 1, |interp, given| {
        let (class, other) = (interp.real_class_of(given.receiver), interp.real_class_of(given.arg(0)));
        if class != other {
            return Ok(Value::Bool(false));
        }
        let left = Value::array(values(interp, given)?);
        let right = Value::array(values(interp, &CallArguments { receiver: given.arg(0), ..*given })?);
        Ok(interp.equal(&left, &right)?.into())
    }),
];

/// The members that a pattern names, up to the first that is none.
fn deconstruct_keys(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let names = members(interp, interp.real_class_of(given.receiver))?;
    let all: Vec<(Str, Value)> = names.into_iter().zip(values(interp, given)?).collect();
    let wanted = match given.arg(0) {
        Value::Nil => {
            return Ok(Value::hash(HashTable::from_pairs(
                all.into_iter().map(|(name, value)| (Value::Symbol(name), value)),
            )));
        }
        Value::Array(list) => list.items.borrow().clone(),
        other => {
            let of = interp.class_name_of(other);
            return interp.raise(Core::TypeError, format!("wrong argument type {of} (expected Array or nil)"));
        }
    };
    let found = HashTable::default();
    if wanted.len() <= all.len() {
        for key in wanted {
            let known = match &key {
                Value::Symbol(name) => all.iter().find(|(known, _)| known == name),
                Value::String(text) => text.as_str().and_then(|name| all.iter().find(|(known, _)| **known == *name)),
                _ => None,
            };
            let Some((_, value)) = known else { break };
            found.insert(key, value.clone());
        }
    }
    Ok(Value::hash(found))
}

const MEMBERS: &str = "__members__";

fn members(interp: &mut Interp<'_>, class: Class) -> Flow<Vec<Str>> {
    let mut next = Some(class);
    while let Some(class) = next {
        if let Some(names) = interp.instance_variable_if(&Value::Class(class), &MEMBERS.into())? {
            return interp.array_arg(&names)?.iter().map(|name| interp.name_arg(name)).collect();
        }
        next = interp.classes.parent(class);
    }
    Ok(Vec::new())
}

fn define(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut names = given.args.to_vec();
    let mut by_keyword = false;
    if given.keywords
        && let Some(Value::Hash(options)) = names.pop()
    {
        by_keyword = options.remove(&Value::symbol("keyword_init")).is_some_and(|wanted| wanted.is_truthy());
        if let Some(unknown) = options.keys().first() {
            let unknown = interp.inspect(unknown)?;
            return interp.raise(Core::ArgumentError, format!("unknown keyword: {unknown}"));
        }
    }
    let named = match names.first() {
        Some(Value::String(_)) => Some(interp.text_arg(&names.remove(0))?),
        _ => None,
    };
    let owner = interp.classes.add(Str::new(), Some(Core::Struct.class()), false);
    let class = Value::Class(owner);
    if let Some(name) = named {
        if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
            let message = format!("identifier {name} needs to be constant");
            return interp.raise_about(Core::NameError, message, Value::symbol(&name));
        }
        interp.set_constant(Core::Struct.class(), &name.into(), class.clone());
    }
    for name in &names {
        let name = interp.name_arg(name)?;
        let variable: Str = format!("@{name}").into();
        let reader = Method { kind: MethodKind::Reader(variable.clone()), owner, visibility: Visibility::Public };
        interp.classes.define(owner, Side::Instance, name.clone(), reader);
        let writer = Method { kind: MethodKind::Writer(variable), owner, visibility: Visibility::Public };
        interp.classes.define(owner, Side::Instance, format!("{name}=").into(), writer);
    }
    interp.set_instance_variable(&class, &MEMBERS.into(), Value::array(names))?;
    interp.set_instance_variable(&class, &"__by_keyword__".into(), Value::Bool(by_keyword))?;
    if let Some(block) = given.block {
        let block = interp.proc_of(block)?;
        let args = Args::from_values(vec![class.clone()]);
        interp.call_proc_as(&block, args, None, Some(&class), None)?;
    }
    Ok(class)
}

fn fill(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = interp.real_class_of(given.receiver);
    let names = members(interp, class)?;
    let values = match is_by_keyword(interp, class)? {
        true => by_keyword(interp, given, &names)?,
        false if given.args.len() > names.len() => {
            return interp.raise(Core::ArgumentError, "struct size differs");
        }
        false => given.args.to_vec(),
    };
    for (at, name) in names.iter().enumerate() {
        let value = values.get(at).cloned().unwrap_or_default();
        interp.set_instance_variable(given.receiver, &format!("@{name}").into(), value)?;
    }
    Ok(Value::Nil)
}

/// `#<struct S a=1>`
fn shown(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let class = interp.real_class_of(given.receiver);
    let mut parts = Vec::new();
    for (name, value) in members(interp, class)?.iter().zip(values(interp, given)?) {
        parts.push(format!("{name}={}", interp.inspect(&value)?));
    }
    let name = interp.classes.name(class);
    let name = if name.is_empty() { String::new() } else { format!("{name} ") };
    Ok(Value::text(format!("#<struct {name}{}>", parts.join(", "))))
}

fn is_by_keyword(interp: &mut Interp<'_>, class: Class) -> Flow<bool> {
    let mut next = Some(class);
    while let Some(class) = next {
        if let Some(found) = interp.instance_variable_if(&Value::Class(class), &"__by_keyword__".into())? {
            return Ok(found.is_truthy());
        }
        next = interp.classes.parent(class);
    }
    Ok(false)
}

fn by_keyword(interp: &mut Interp<'_>, given: &CallArguments<'_>, names: &[Str]) -> Flow<Vec<Value>> {
    let pairs = match given.args {
        [] => Vec::new(),
        [Value::Hash(table)] => table.pairs(),
        args => {
            let message = format!("wrong number of arguments (given {}, expected 0)", args.len());
            return interp.raise(Core::ArgumentError, message);
        }
    };
    let mut values = vec![Value::Nil; names.len()];
    let mut unknown = Vec::new();
    for (key, value) in pairs {
        let name = interp.text_of(&key)?;
        match names.iter().position(|known| *known == name) {
            Some(at) => values[at] = value,
            None => unknown.push(name),
        }
    }
    if !unknown.is_empty() {
        return interp.raise(Core::ArgumentError, format!("unknown keywords: {}", unknown.join(", ")));
    }
    Ok(values)
}

fn values(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    let names = members(interp, interp.real_class_of(given.receiver))?;
    names.iter().map(|name| interp.instance_variable(given.receiver, &format!("@{name}").into())).collect()
}

fn member_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Str> {
    let names = members(interp, interp.real_class_of(given.receiver))?;
    let name = match given.arg(0) {
        Value::Symbol(_) | Value::String(_) => {
            let wanted = interp.name_arg(given.arg(0))?;
            names.into_iter().find(|name| *name == wanted)
        }
        at => {
            let (at, count) = (interp.int_arg(at)?, names.len());
            let Some(name) = super::array::place(at, count).and_then(|at| names.get(at).cloned()) else {
                let size = if at < 0 { "small" } else { "large" };
                return interp.raise(Core::IndexError, format!("offset {at} too {size} for struct(size:{count})"));
            };
            Some(name)
        }
    };
    match name {
        Some(name) => Ok(format!("@{name}").into()),
        None => {
            let shown = interp.text_of(given.arg(0))?;
            interp.raise(Core::NameError, format!("no member '{shown}' in struct"))
        }
    }
}

//! What every object can do.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::ruby::class::Core;
use crate::ruby::interp::{Args, Given, Interp, MethodKind};
use crate::ruby::memory::{OBJECT, Weight};
use crate::ruby::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::ruby::stop::Flow;
use crate::ruby::table::{Table as HashTable, eql, hash_of};
use crate::ruby::text::Text;
use crate::ruby::value::{Data, Exception, List, Object, Value};

pub(super) const TABLES: &[Table] =
    &[(Core::Kernel, Side::Instance, METHODS), (Core::BasicObject, Side::Instance, ROOT)];

const ROOT: &[NativeMethod] = &[
    method("==", 1, 1, |interp, given| Ok(interp.equal(given.receiver, given.arg(0))?.into())),
    method("!=", 1, 1, not_equal),
    method("!", 0, 0, |_, given| Ok((!given.receiver.is_truthy()).into())),
    method("equal?", 1, 1, |_, given| Ok(given.receiver.is_same(given.arg(0)).into())),
    method("instance_eval", 0, 3, instance_exec),
    method("instance_exec", 0, ANY, instance_exec),
    method("__send__", 1, ANY, send),
    method("__id__", 0, 0, |_, given| Ok(given.receiver.identity().into())),
    private("initialize", 0, ANY, |_, _| Ok(Value::Nil)),
];

const METHODS: &[NativeMethod] = &[
    method("class", 0, 0, |interp, given| Ok(Value::Class(interp.real_class_of(given.receiver)))),
    method("singleton_class", 0, 0, |interp, given| Ok(Value::Class(interp.singleton_of(given.receiver)?))),
    method("is_a?", 1, 1, is_a),
    method("kind_of?", 1, 1, is_a),
    method("instance_of?", 1, 1, |interp, given| {
        Ok(matches!(given.arg(0), Value::Class(class) if interp.real_class_of(given.receiver) == *class).into())
    }),
    method("nil?", 0, 0, |_, given| Ok(given.receiver.is_nil().into())),
    method("===", 1, 1, |interp, given| Ok(interp.equal(given.receiver, given.arg(0))?.into())),
    method("=~", 1, 1, |_, _| Ok(Value::Nil)),
    method("!~", 1, 1, |interp, given| Ok((!interp.call_named(given, "=~")?.is_truthy()).into())),
    method("<=>", 1, 1, |interp, given| {
        Ok(if interp.equal(given.receiver, given.arg(0))? { Value::Int(0) } else { Value::Nil })
    }),
    method("eql?", 1, 1, |_, given| Ok(eql(given.receiver, given.arg(0)).into())),
    method("hash", 0, 0, hash),
    method("object_id", 0, 0, |_, given| Ok(given.receiver.identity().into())),
    method("to_s", 0, 0, |interp, given| Ok(Value::text(interp.text_of(given.receiver)?))),
    method("inspect", 0, 0, |interp, given| Ok(Value::text(interp.inspect(given.receiver)?))),
    method("dup", 0, 0, |interp, given| copy(interp, given, false)),
    method("clone", 0, 1, |interp, given| copy(interp, given, true)),
    method("itself", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("then", 0, 0, with_block),
    method("yield_self", 0, 0, with_block),
    method("tap", 0, 0, |interp, given| {
        with_block(interp, given)?;
        Ok(given.receiver.clone())
    }),
    method("freeze", 0, 0, freeze),
    method("frozen?", 0, 0, |_, given| Ok(is_frozen(given.receiver).into())),
    method("respond_to?", 1, 2, responds),
    method("send", 1, ANY, send),
    method("public_send", 1, ANY, send),
    method("method", 1, 1, method_object),
    method("methods", 0, 1, |interp, _| interp.unsupported("the method Object#methods")),
    method("extend", 1, ANY, extend),
    method("instance_variable_get", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.instance_variable(given.receiver, &name)
    }),
    method("instance_variable_set", 2, 2, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.set_instance_variable(given.receiver, &name, given.arg(1).clone())?;
        Ok(given.arg(1).clone())
    }),
    method("instance_variable_defined?", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        Ok(interp.instance_variable_if(given.receiver, &name)?.is_some().into())
    }),
    method("instance_variables", 0, 0, |interp, given| match given.receiver {
        Value::Object(object) if !object.class.is(Core::PuppetTemplateWrapper) => {
            Ok(Value::array(object.variables.borrow().iter().map(|(name, _)| Value::Symbol(name.clone())).collect()))
        }
        _ => interp.unsupported("the list of all variables that a template sees"),
    }),
    method("define_singleton_method", 1, 2, define_singleton_method),
    method("enum_for", 0, ANY, enum_for),
    method("to_enum", 0, ANY, enum_for),
    method("display", 0, 1, |interp, _| interp.unsupported("writing to the standard output")),
];

impl Interp<'_> {
    /// Calls another method with the same arguments.
    pub(super) fn call_named(&mut self, given: &Given<'_>, name: &str) -> Flow {
        self.call(given.receiver, name, given.rest(0), given.block, given.frame, true, false)
    }
}

fn not_equal(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let is_own = interp.classes.is_mixed() && interp.method_of(given.receiver, "==").is_some_and(|own| own.is_own());
    let is_equal = match is_own {
        true => interp.send(given.receiver, "==", given.args)?.is_truthy(),
        false => interp.equal(given.receiver, given.arg(0))?,
    };
    Ok((!is_equal).into())
}

fn is_a(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.arg(0) {
        Value::Class(class) => Ok(interp.is_a(given.receiver, *class).into()),
        _ => interp.raise(Core::TypeError, "class or module required"),
    }
}

fn hash(_: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    Ok(Value::Int((hash_of(given.receiver) >> 2) as i64))
}

fn with_block(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.block {
        Some(block) => interp.yield_one(block, given.receiver.clone()),
        None => interp.enumerator(given),
    }
}

fn instance_exec(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.block {
        Some(block) => {
            let block = interp.proc_of(block)?;
            let args =
                if given.name == "instance_eval" { Args::of(vec![given.receiver.clone()]) } else { given.rest(0) };
            interp.call_proc_as(&block, args, None, Some(given.receiver), None)
        }
        None => interp.unsupported("the evaluation of a text as code"),
    }
}

fn copy(interp: &mut Interp<'_>, given: &Given<'_>, keeps_frozen: bool) -> Flow {
    let thaw = match given.arg(0) {
        Value::Hash(options) => options.get_symbol("freeze").is_some_and(|freeze| !freeze.is_truthy()),
        _ => false,
    };
    let frozen = keeps_frozen && !thaw;
    Ok(match given.receiver {
        Value::String(text) => {
            let copy = Text::new(String::new());
            copy.set_content(text.content());
            copy.frozen.set(frozen && text.frozen.get());
            Value::String(Rc::new(copy))
        }
        Value::Array(list) => {
            let copy = List::of(list.items.borrow().clone());
            copy.frozen.set(frozen && list.frozen.get());
            Value::Array(Rc::new(copy))
        }
        Value::Hash(table) => {
            let copy = HashTable::default();
            copy.entries.borrow_mut().clone_from(&table.entries.borrow());
            copy.default.borrow_mut().clone_from(&table.default.borrow());
            copy.maker.borrow_mut().clone_from(&table.maker.borrow());
            copy.frozen.set(frozen && table.frozen.get());
            copy.by_identity.set(table.by_identity.get());
            copy.weigh();
            Value::hash(copy)
        }
        Value::Object(object) => {
            let data = match &*object.data.borrow() {
                Data::None => Data::None,
                Data::Struct => Data::Struct,
                Data::Set(table) => Data::Set(Rc::new(HashTable::of(table.pairs()))),
                Data::Match(found) => Data::Match(found.clone()),
                Data::Time(moment) => Data::Time(*moment),
                Data::Enumerator { receiver, method, args } => {
                    Data::Enumerator { receiver: receiver.clone(), method: method.clone(), args: args.clone() }
                }
                Data::Exception(exception) => Data::Exception(Exception {
                    message: exception.message.clone(),
                    about: exception.about.clone(),
                    ..Exception::default()
                }),
                _ => {
                    return interp
                        .unsupported(format!("a copy of an object of {}", interp.class_name_of(given.receiver)));
                }
            };
            let copy = Value::Object(Rc::new(Object {
                class: object.class,
                singleton: Cell::new(if keeps_frozen { object.singleton.get() } else { None }),
                variables: RefCell::new(object.variables.borrow().clone()),
                data: RefCell::new(data),
                frozen: Cell::new(frozen && object.frozen.get()),
                weight: Weight::of(4 * OBJECT),
            }));
            if interp.method_of(&copy, "initialize_copy").is_some() {
                interp.send(&copy, "initialize_copy", std::slice::from_ref(given.receiver))?;
            }
            copy
        }
        Value::Class(_) => return interp.unsupported("a copy of a class"),
        other => other.clone(),
    })
}

fn freeze(_: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    match given.receiver {
        Value::String(text) => text.frozen.set(true),
        Value::Array(list) => list.frozen.set(true),
        Value::Hash(table) => table.frozen.set(true),
        Value::Object(object) => object.frozen.set(true),
        _ => {}
    }
    Ok(given.receiver.clone())
}

pub(in crate::ruby) fn is_frozen(value: &Value) -> bool {
    match value {
        Value::String(text) => text.frozen.get(),
        Value::Array(list) => list.frozen.get(),
        Value::Hash(table) => table.frozen.get(),
        Value::Object(object) => object.frozen.get(),
        Value::Class(_) | Value::Proc(_) => false,
        _ => true,
    }
}

fn responds(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    if let Some(method) = interp.method_of(given.receiver, &name) {
        let visible = !method.is_private || given.arg(1).is_truthy();
        return Ok((visible && !matches!(method.kind, MethodKind::Undefined)).into());
    }
    Ok(interp.responds(given.receiver, &name)?.into())
}

fn send(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    interp.call(given.receiver, &name, given.rest(1), given.block, given.frame, given.name != "public_send", false)
}

fn method_object(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    if !interp.responds(given.receiver, &name)? && interp.method_of(given.receiver, &name).is_none() {
        let of = interp.class_name_of(given.receiver);
        return interp.raise(Core::NameError, format!("undefined method `{name}' for class `{of}'"));
    }
    Ok(Value::object(Core::Method.class(), Data::Method { receiver: given.receiver.clone(), name }))
}

fn extend(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    for module in given.args {
        let Value::Class(module) = module else {
            return interp.raise(Core::TypeError, "wrong argument type (expected module)");
        };
        match given.receiver {
            Value::Class(class) => interp.classes.mix(*class, Side::Class, *module),
            other => {
                let class = interp.singleton_of(other)?;
                interp.classes.mix(class, Side::Instance, *module);
            }
        }
    }
    Ok(given.receiver.clone())
}

fn define_singleton_method(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let body = match (given.args.get(1), given.block) {
        (Some(body), _) | (None, Some(body)) => interp.proc_of(body)?,
        _ => return interp.raise(Core::ArgumentError, "tried to create Proc object without a block"),
    };
    let (owner, side) = match given.receiver {
        Value::Class(class) => (*class, Side::Class),
        other => (interp.singleton_of(other)?, Side::Instance),
    };
    let method = crate::ruby::interp::Method { kind: MethodKind::Proc(body), owner, is_private: false };
    interp.classes.define(owner, side, name.clone(), method);
    Ok(Value::Symbol(name))
}

fn enum_for(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let method = if given.args.is_empty() { "each".into() } else { interp.name_arg(given.arg(0))? };
    let args = given.rest(1);
    Ok(Value::object(Core::Enumerator.class(), Data::Enumerator { receiver: given.receiver.clone(), method, args }))
}

//! Copies of objects, and what is frozen.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::library::keeps_own_methods;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::memory::{OBJECT, Weight};
use crate::native::{NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::{Data, Exception, List, Object, Range, Value};

pub(super) const TABLES: &[Table] = &[(Core::Kernel, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("dup", 0, 0, |interp, given| copy(interp, given, Some(false))),
    method("clone", 0, 1, |interp, given| {
        let frozen = frozen_option(interp, given)?;
        interp.check_lent_value(given.receiver)?;
        copy(interp, given, frozen)
    }),
    private("initialize_copy", 1, 1, |_, given| Ok(given.receiver.clone())),
    private("initialize_dup", 1, 1, initialize_copy),
    private("initialize_clone", 1, 2, initialize_copy),
    method("freeze", 0, 0, freeze),
    method("frozen?", 0, 0, |interp, given| match given.receiver {
        // Only the one that is written out is.
        Value::Regex(_) => interp.unsupported("the method Regexp#frozen?"),
        receiver => {
            interp.check_lent_value(receiver)?;
            Ok(is_frozen(receiver).into())
        }
    }),
];

fn initialize_copy(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    interp.send(given.receiver, "initialize_copy", &given.args[..1])
}

/// Whether a clone is to be frozen, or to be as what it is one of.
fn frozen_option(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<bool>> {
    let frozen = match given.arg(0) {
        Value::Hash(options) => options.get_symbol("freeze").unwrap_or_default(),
        _ => Value::Nil,
    };
    match frozen {
        Value::Nil => Ok(None),
        Value::Bool(frozen) => Ok(Some(frozen)),
        other => {
            let of = interp.class_name_of(&other);
            interp.raise(Core::ArgumentError, format!("unexpected value for freeze: {of}"))
        }
    }
}

fn copy(interp: &mut Interp<'_>, given: &CallArguments<'_>, frozen: Option<bool>) -> Flow {
    let frozen = |was: &Cell<bool>| Cell::new(frozen.unwrap_or(was.get()));
    Ok(match given.receiver {
        Value::String(text) => {
            let copy = Text::new(String::new());
            copy.set_content(text.content());
            copy.frozen.swap(&frozen(&text.frozen));
            Value::String(Rc::new(copy))
        }
        Value::Array(list) => {
            let copy = List::from_values(list.items.borrow().clone());
            copy.frozen.swap(&frozen(&list.frozen));
            copy.singleton.set(list.singleton.get().filter(|_| given.name == "clone"));
            Value::Array(Rc::new(copy))
        }
        Value::Hash(table) => {
            let copy = table.copy();
            copy.default.borrow_mut().clone_from(&table.default.borrow());
            copy.maker.borrow_mut().clone_from(&table.maker.borrow());
            copy.frozen.swap(&frozen(&table.frozen));
            copy.singleton.set(table.singleton.get().filter(|_| given.name == "clone"));
            Value::hash(copy)
        }
        Value::Range(range) => {
            let copy = Range::new(range.from.clone(), range.to.clone(), range.exclusive);
            copy.frozen.swap(&frozen(&range.frozen));
            Value::Range(Rc::new(copy))
        }
        Value::Object(object) => copy_object(interp, given, object, &frozen(&object.frozen))?,
        Value::Class(_) => return interp.unsupported("a copy of a class"),
        plain @ (Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Symbol(_)) => {
            if given.name == "clone" && !frozen(&Cell::new(true)).get() {
                let of = interp.class_name_of(plain);
                return interp.raise(Core::ArgumentError, format!("can't unfreeze {of}"));
            }
            plain.clone()
        }
        other => other.clone(),
    })
}

fn copy_object(interp: &mut Interp<'_>, given: &CallArguments<'_>, object: &Rc<Object>, frozen: &Cell<bool>) -> Flow {
    let data = match &*object.data.borrow() {
        Data::None => Data::None,
        Data::Struct => Data::Struct,
        Data::Set(table) => Data::Set(Rc::new(table.copy())),
        Data::Match(found) => Data::Match(found.clone()),
        Data::Time(moment) => Data::Time(*moment),
        Data::Date(days) => Data::Date(*days),
        Data::Pathname(path) => Data::Pathname(path.clone()),
        Data::Open(table) => Data::Open(Rc::new(table.copy())),
        Data::Enumerator { receiver, method, args } => {
            Data::Enumerator { receiver: receiver.clone(), method: method.clone(), args: args.clone() }
        }
        Data::Exception(exception) => Data::Exception(Exception {
            message: exception.message.clone(),
            about: exception.about.clone(),
            ..Exception::default()
        }),
        _ => {
            return interp.unsupported(format!("a copy of an object of {}", interp.class_name_of(given.receiver)));
        }
    };
    let is_clone = given.name == "clone";
    let copied = Rc::new(Object {
        class: object.class,
        singleton: Cell::new(object.singleton.get().filter(|_| is_clone || keeps_own_methods(object))),
        variables: RefCell::new(object.variables.borrow().clone()),
        data: RefCell::new(data),
        frozen: Cell::new(false),
        weight: Weight::from_bytes(4 * OBJECT),
    });
    let copy = Value::Object(copied.clone());
    let hook = if is_clone { "initialize_clone" } else { "initialize_dup" };
    let is_own = |name: &str| interp.method_of(&copy, name).is_some_and(|method| method.is_own());
    if is_own(hook) || is_own("initialize_copy") {
        interp.send(&copy, hook, std::slice::from_ref(given.receiver))?;
    }
    copied.frozen.swap(frozen);
    Ok(copy)
}

fn freeze(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.receiver {
        Value::String(text) => text.frozen.set(true),
        Value::Array(list) => list.frozen.set(true),
        Value::Hash(table) => table.frozen.set(true),
        Value::Range(range) => range.frozen.set(true),
        Value::Object(object) => object.frozen.set(true),
        _ => {}
    }
    Ok(given.receiver.clone())
}

pub(crate) fn is_frozen(value: &Value) -> bool {
    match value {
        Value::String(text) => text.frozen.get(),
        Value::Array(list) => list.frozen.get(),
        Value::Hash(table) => table.frozen.get(),
        Value::Range(range) => range.frozen.get(),
        Value::Object(object) => object.frozen.get(),
        Value::Class(_) | Value::Proc(_) => false,
        _ => true,
    }
}

//! What classes and modules can do with methods: define them by their names, and say who may call them.

use pantin_values::Str;

use super::module::own;
use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp, Method, MethodKind, Visibility};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::Module, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("attr_reader", 0, ANY, |interp, given| attributes(interp, given, true, false)),
    method("attr", 0, ANY, |interp, given| attributes(interp, given, true, false)),
    method("attr_writer", 0, ANY, |interp, given| attributes(interp, given, false, true)),
    method("attr_accessor", 0, ANY, |interp, given| attributes(interp, given, true, true)),
    method("define_method", 1, 2, define_method),
    method("alias_method", 2, 2, |interp, given| {
        let (new, old) = (interp.name_arg(given.arg(0))?, interp.name_arg(given.arg(1))?);
        interp.alias_in(own(given), &new, &old)?;
        Ok(Value::Symbol(new))
    }),
    method("private", 0, ANY, |interp, given| visible(interp, given, Visibility::Private)),
    method("protected", 0, ANY, |interp, given| visible(interp, given, Visibility::Protected(own(given)))),
    method("public", 0, ANY, |interp, given| visible(interp, given, Visibility::Public)),
    method("private_class_method", 0, ANY, |interp, given| set_class_visibility(interp, given, Visibility::Private)),
    method("public_class_method", 0, ANY, |interp, given| set_class_visibility(interp, given, Visibility::Public)),
    method("private_constant", 0, ANY, |interp, given| constants(interp, given, true)),
    method("public_constant", 0, ANY, |interp, given| constants(interp, given, false)),
    method("module_function", 0, ANY, module_function),
    method("remove_method", 0, ANY, remove),
    method("undef_method", 0, ANY, undefine),
    method("instance_method", 1, 1, |interp, _| interp.unsupported("a method without its object")),
    method("instance_methods", 0, 1, |interp, given| methods(interp, given, |of| of != Visibility::Private)),
    method("public_instance_methods", 0, 1, |interp, given| methods(interp, given, |of| of == Visibility::Public)),
    method("protected_instance_methods", 0, 1, |interp, given| methods(interp, given, is_protected)),
    method("private_instance_methods", 0, 1, |interp, given| methods(interp, given, |of| of == Visibility::Private)),
    method("method_defined?", 1, 2, |interp, given| is_defined(interp, given, |of| of != Visibility::Private)),
    method("public_method_defined?", 1, 2, |interp, given| is_defined(interp, given, |of| of == Visibility::Public)),
    method("protected_method_defined?", 1, 2, |interp, given| is_defined(interp, given, is_protected)),
    method("private_method_defined?", 1, 2, |interp, given| is_defined(interp, given, |of| of == Visibility::Private)),
];

fn is_protected(visibility: Visibility) -> bool {
    matches!(visibility, Visibility::Protected(_))
}

/// Returns what a method gets that is defined without a word about who may call it.
fn current_visibility(given: &CallArguments<'_>) -> Visibility {
    match given.frame {
        Some(frame) if frame.context.self_value.is_same(given.receiver) => frame.context.visibility.get(),
        _ => Visibility::Public,
    }
}

fn attributes(interp: &mut Interp<'_>, given: &CallArguments<'_>, reads: bool, writes: bool) -> Flow {
    let (owner, visibility) = (own(given), current_visibility(given));
    let mut made = Vec::new();
    for name in given.args {
        let name = interp.name_arg(name)?;
        let variable: Str = format!("@{name}").into();
        if reads {
            let method = Method { kind: MethodKind::Reader(variable.clone()), owner, visibility };
            interp.classes.define(owner, Side::Instance, name.clone(), method);
            interp.tell_of_method(owner, &name)?;
            made.push(Value::Symbol(name.clone()));
        }
        if writes {
            let name: Str = format!("{name}=").into();
            let method = Method { kind: MethodKind::Writer(variable), owner, visibility };
            interp.classes.define(owner, Side::Instance, name.clone(), method);
            interp.tell_of_method(owner, &name)?;
            made.push(Value::Symbol(name));
        }
    }
    Ok(Value::array(made))
}

fn define_method(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let body = match (given.args.get(1), given.block) {
        (Some(body), _) | (None, Some(body)) => interp.proc_of(body)?,
        _ => return interp.raise(Core::ArgumentError, "tried to create Proc object without a block"),
    };
    let method = Method { kind: MethodKind::Proc(body), owner: own(given), visibility: current_visibility(given) };
    interp.classes.define(own(given), Side::Instance, name.clone(), method);
    interp.tell_of_method(own(given), &name)?;
    Ok(Value::Symbol(name))
}

/// The names that are given, be they written one by one or in an array.
fn names(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Str>> {
    let mut names = Vec::new();
    for name in given.args {
        match name {
            Value::Array(list) => {
                for name in list.items.borrow().clone() {
                    names.push(interp.name_arg(&name)?);
                }
            }
            name => names.push(interp.name_arg(name)?),
        }
    }
    Ok(names)
}

/// `private` and its like give back what they are given.
fn as_given(given: &CallArguments<'_>) -> Value {
    match given.args {
        [] => Value::Nil,
        [only] => only.clone(),
        all => Value::array(all.to_vec()),
    }
}

fn visible(interp: &mut Interp<'_>, given: &CallArguments<'_>, visibility: Visibility) -> Flow {
    if given.args.is_empty()
        && let Some(frame) = given.frame
    {
        frame.context.visibility.set(visibility);
        frame.context.module_function.set(false);
    }
    let owner = own(given);
    for name in names(interp, given)? {
        let method = existing(interp, owner, &name)?;
        interp.classes.define(owner, Side::Instance, name, Method { visibility, ..method });
    }
    Ok(as_given(given))
}

/// Returns the method of this name; a module may name those of all objects.
fn existing(interp: &mut Interp<'_>, owner: Class, name: &Str) -> Flow<Method> {
    let mut found = interp.method_named(owner, name);
    if found.is_none() && interp.classes.is_module(owner) {
        found = interp.instance_method(Core::Object.class(), name);
    }
    match found {
        Some(method) if !matches!(method.kind, MethodKind::Undefined) => Ok((*method).clone()),
        _ => {
            let kind = if interp.classes.is_module(owner) { "module" } else { "class" };
            let of = interp.classes.name(owner);
            let message = format!("undefined method `{name}' for {kind} `{of}'");
            interp.raise_about(Core::NameError, message, Value::Symbol(name.clone()))
        }
    }
}

/// `private_class_method`
fn set_class_visibility(interp: &mut Interp<'_>, given: &CallArguments<'_>, visibility: Visibility) -> Flow {
    let owner = own(given);
    for name in names(interp, given)? {
        match interp.method_of(given.receiver, &name) {
            Some(method) if !matches!(method.kind, MethodKind::Undefined) => {
                let method = Method { visibility, ..(*method).clone() };
                interp.classes.define(owner, Side::Class, name, method);
            }
            _ => {
                let message = format!("undefined method `{name}' for class `#<Class:{}>'", interp.classes.name(owner));
                return interp.raise_about(Core::NameError, message, Value::Symbol(name));
            }
        }
    }
    Ok(Value::Nil)
}

fn constants(interp: &mut Interp<'_>, given: &CallArguments<'_>, is_private: bool) -> Flow {
    let owner = own(given);
    for name in given.args {
        let name = interp.name_arg(name)?;
        if interp.own_constant(owner, &name).is_none() {
            let message = format!("constant {}::{name} not defined", interp.classes.name(owner));
            return interp.raise_about(Core::NameError, message, Value::Symbol(name));
        }
        interp.classes.set_private(owner, name, is_private);
    }
    Ok(given.receiver.clone())
}

fn module_function(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if given.args.is_empty()
        && let Some(frame) = given.frame
    {
        frame.context.module_function.set(true);
    }
    let owner = own(given);
    for name in names(interp, given)? {
        let method = existing(interp, owner, &name)?;
        let set_class_visibility = Method { visibility: Visibility::Public, ..method.clone() };
        interp.classes.define(owner, Side::Class, name.clone(), set_class_visibility);
        interp.classes.define(owner, Side::Instance, name, Method { visibility: Visibility::Private, ..method });
    }
    Ok(as_given(given))
}

fn remove(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let owner = own(given);
    for name in given.args {
        let name = interp.name_arg(name)?;
        if interp.classes.remove(owner, &name) {
            continue;
        }
        let of = interp.classes.name(owner);
        if owner.core().is_some() {
            return interp.unsupported(format!("to remove a method of {of}"));
        }
        let message = format!("method `{name}' not defined in {of}");
        return interp.raise_about(Core::NameError, message, Value::Symbol(name));
    }
    Ok(given.receiver.clone())
}

fn undefine(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let owner = own(given);
    for name in given.args {
        let name = interp.name_arg(name)?;
        interp.classes.define(
            owner,
            Side::Instance,
            name,
            Method { kind: MethodKind::Undefined, owner, visibility: Visibility::Public },
        );
    }
    Ok(given.receiver.clone())
}

/// Those that code has defined in the class itself.
fn methods(interp: &mut Interp<'_>, given: &CallArguments<'_>, is_wanted: fn(Visibility) -> bool) -> Flow {
    let owner = own(given);
    if given.args.first().is_none_or(Value::is_truthy) && interp.classes.ancestors(owner).len() > 1 {
        return interp.unsupported(format!("the method {} of all that a class has", given.name));
    }
    let names = interp.classes.method_names(owner, Side::Instance).into_iter();
    let is_there = |name: &Str| {
        let found = interp.instance_method(owner, name);
        found.is_some_and(|method| is_wanted(method.visibility) && !matches!(method.kind, MethodKind::Undefined))
    };
    Ok(Value::array(names.filter(is_there).map(Value::Symbol).collect()))
}

fn is_defined(interp: &mut Interp<'_>, given: &CallArguments<'_>, is_wanted: fn(Visibility) -> bool) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let owner = own(given);
    let is_above = given.args.get(1).is_some_and(|inherit| !inherit.is_truthy())
        && !interp.classes.method_names(owner, Side::Instance).contains(&name);
    let found = if is_above { None } else { interp.instance_method(owner, &name) };
    Ok(found.is_some_and(|method| is_wanted(method.visibility) && !matches!(method.kind, MethodKind::Undefined)).into())
}

//! What every object can do.

use crate::class::Core;
use crate::interp::{Args, CallArguments, Interp, Method, MethodKind, Visibility};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::value::{Data, Value};

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
    method("__id__", 0, 0, |interp, given| Ok(Value::Int(interp.object_id(given.receiver)))),
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
    method("eql?", 1, 1, |interp, given| Ok(interp.eql_within(given.receiver, given.arg(0))?.into())),
    method("hash", 0, 0, |interp, given| Ok(Value::Int(interp.shown_hash(given.receiver)? as i64))),
    method("object_id", 0, 0, |interp, given| Ok(Value::Int(interp.object_id(given.receiver)))),
    method("to_s", 0, 0, |interp, given| Ok(Value::text(interp.text_of(given.receiver)?))),
    method("inspect", 0, 0, |interp, given| Ok(Value::text(interp.inspect(given.receiver)?))),
    method("itself", 0, 0, |_, given| Ok(given.receiver.clone())),
    method("then", 0, 0, with_block),
    method("yield_self", 0, 0, with_block),
    method("tap", 0, 0, |interp, given| {
        with_block(interp, given)?;
        Ok(given.receiver.clone())
    }),
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
        Value::Object(_) => interp.names_in_template(given.receiver),
        _ => Ok(Value::array(Vec::new())),
    }),
    method("define_singleton_method", 1, 2, define_singleton_method),
    method("enum_for", 0, ANY, enum_for),
    method("to_enum", 0, ANY, enum_for),
    method("display", 0, 1, |interp, _| interp.unsupported("writing to the standard output")),
];

impl Interp<'_> {
    /// Calls another method with the same arguments.
    pub(super) fn call_named(&mut self, given: &CallArguments<'_>, name: &str) -> Flow {
        self.call(given.receiver, name, given.rest(0), given.block, given.frame, true, false)
    }
}

fn not_equal(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let is_own = interp.classes.is_mixed() && interp.method_of(given.receiver, "==").is_some_and(|own| own.is_own());
    let is_equal = match is_own {
        true => interp.send(given.receiver, "==", given.args)?.is_truthy(),
        false => interp.equal(given.receiver, given.arg(0))?,
    };
    Ok((!is_equal).into())
}

fn is_a(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.arg(0) {
        Value::Class(class) => Ok(interp.is_a(given.receiver, *class).into()),
        _ => interp.raise(Core::TypeError, "class or module required"),
    }
}

fn with_block(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.block {
        Some(block) => interp.yield_one(block, given.receiver.clone()),
        None => interp.enumerator(given),
    }
}

fn instance_exec(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match given.block {
        Some(block) => {
            let block = interp.proc_of(block)?;
            let args = if given.name == "instance_eval" {
                Args::from_values(vec![given.receiver.clone()])
            } else {
                given.rest(0)
            };
            interp.call_proc_as(&block, args, None, Some(given.receiver), None)
        }
        None => interp.unsupported("the evaluation of a text as code"),
    }
}

fn responds(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    if given.arg(1).is_truthy()
        && let Some(method) = interp.method_of(given.receiver, &name)
    {
        return Ok((!matches!(method.kind, MethodKind::Undefined)).into());
    }
    Ok(interp.responds(given.receiver, &name)?.into())
}

fn send(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let is_own = given.name != "public_send";
    if !is_own
        && let Some(method) = interp.method_of(given.receiver, &name)
        && method.visibility != Visibility::Public
    {
        return interp.hidden(method.visibility, given.receiver, &name, given.rest(1), given.block);
    }
    interp.call(given.receiver, &name, given.rest(1), given.block, given.frame, is_own, false)
}

fn method_object(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    if !interp.responds(given.receiver, &name)? && interp.method_of(given.receiver, &name).is_none() {
        let of = interp.class_name_of(given.receiver);
        return interp.raise(Core::NameError, format!("undefined method `{name}' for class `{of}'"));
    }
    Ok(Value::object(Core::Method.class(), Data::Method { receiver: given.receiver.clone(), name }))
}

fn extend(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    for module in given.args.iter().rev() {
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
        interp.send(&Value::Class(*module), "extended", std::slice::from_ref(given.receiver))?;
    }
    Ok(given.receiver.clone())
}

fn define_singleton_method(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let body = match (given.args.get(1), given.block) {
        (Some(body), _) | (None, Some(body)) => interp.proc_of(body)?,
        _ => return interp.raise(Core::ArgumentError, "tried to create Proc object without a block"),
    };
    let (owner, side) = match given.receiver {
        Value::Class(class) => (*class, Side::Class),
        other => (interp.singleton_of(other)?, Side::Instance),
    };
    let method = Method { kind: MethodKind::Proc(body), owner, visibility: Visibility::Public };
    interp.classes.define(owner, side, name.clone(), method);
    Ok(Value::Symbol(name))
}

fn enum_for(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let method = if given.args.is_empty() { "each".into() } else { interp.name_arg(given.arg(0))? };
    let args = given.rest(1);
    Ok(Value::object(Core::Enumerator.class(), Data::Enumerator { receiver: given.receiver.clone(), method, args }))
}

//! Exceptions.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::outside::RubyPlace;
use crate::path_texts::ExceptionMessage;
use crate::stop::Flow;
use crate::value::{Data, Exception, Value};

pub(super) const TABLES: &[Table] = &[(Core::Exception, Side::Instance, METHODS), (Core::Exception, Side::Class, MAKE)];

const MAKE: &[NativeMethod] =
    &[method("exception", 0, ANY, |interp, given| interp.send(given.receiver, "new", given.args))];

const METHODS: &[NativeMethod] = &[
    method("message", 0, 0, message),
    method("to_s", 0, 0, message),
    method("full_message", 0, ANY, message),
    method("initialize", 0, ANY, |_, given| {
        if let Value::Object(object) = given.receiver
            && let Data::Exception(exception) = &mut *object.data.borrow_mut()
        {
            exception.message = ExceptionMessage::new(given.arg(0).clone());
        }
        Ok(Value::Nil)
    }),
    method("cause", 0, 0, |_, given| Ok(with(given, |exception| exception.cause.clone()))),
    method("backtrace", 0, 0, |interp, given| match place_of(given) {
        Some((file, line)) => {
            let place = file.reveal(interp, |path| format!("{path}:{line}"))?;
            Ok(Value::array(vec![place]))
        }
        None => Ok(Value::Nil),
    }),
    method("set_backtrace", 1, 1, |_, given| Ok(given.arg(0).clone())),
    method("name", 0, 0, |_, given| Ok(with(given, |exception| exception.about.clone()))),
    method("key", 0, 0, |_, given| Ok(with(given, |exception| exception.about.clone()))),
    method("exception", 0, 1, |interp, given| match given.args.first() {
        None => Ok(given.receiver.clone()),
        Some(message) => {
            let class = interp.real_class_of(given.receiver);
            Ok(interp.new_exception(class, message.clone()))
        }
    }),
    method("==", 1, 1, same),
];

/// Returns where it was raised.
fn place_of(given: &CallArguments<'_>) -> Option<RubyPlace> {
    let Value::Object(object) = given.receiver else { return None };
    let Data::Exception(exception) = &*object.data.borrow() else { return None };
    exception.place.clone()
}

fn message(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok(Value::text(interp.exception_message(given.receiver)?))
}

/// Two of one class that say the same, and come from the same place.
fn same(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (one, other) = (given.receiver, given.arg(0));
    if one.is_same(other) || interp.real_class_of(one) != interp.real_class_of(other) {
        return Ok(one.is_same(other).into());
    }
    let place = |interp: &mut Interp<'_>, of: &Value| interp.send(of, "backtrace", &[]);
    let (here, there) = (place(interp, one)?, place(interp, other)?);
    if !interp.equal(&here, &there)? {
        return Ok(Value::Bool(false));
    }
    if !here.is_nil() {
        return interp.unsupported("a comparison of errors that were raised");
    }
    let (said, others) = (interp.send(one, "message", &[])?, interp.send(other, "message", &[])?);
    Ok(interp.equal(&said, &others)?.into())
}

fn with(given: &CallArguments<'_>, look: impl FnOnce(&Exception) -> Value) -> Value {
    match given.receiver {
        Value::Object(object) => match &*object.data.borrow() {
            Data::Exception(exception) => look(exception),
            _ => Value::Nil,
        },
        _ => Value::Nil,
    }
}

//! The function `annotate`: what types declare of their own annotations. A value of Puppet code has no identity here, so that
//! nothing can be put onto one.

use pantin_values::object::{construct, constructor};
use pantin_values::{Fault, Type, Value, mismatch};

use crate::{Builtin, Flow, Invocation, optional_block, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[Builtin::typed(
    "annotate",
    &[
        overload(
            &[required("Type[Annotation]", "type"), required("Any", "value")],
            optional_block("Callable[0, 0]"),
            annotate,
        ),
        overload(
            &[
                required("Type[Annotation]", "type"),
                required("Any", "value"),
                required("Variant[Enum[clear],Hash[Pcore::MemberName,Any]]", "annotation_hash"),
            ],
            None,
            annotate_new,
        ),
        overload(
            &[
                required("Type[Pcore]", "type"),
                required("Any", "value"),
                required("Hash[Type[Annotation], Hash[Pcore::MemberName,Any]]", "annotations"),
            ],
            None,
            annotate_multi,
        ),
    ],
    "The annotation that a type declares of itself; to annotate other values is not supported.",
)];

/// Returns the annotations that a type was declared with.
fn declared(value: &Value) -> Option<&Value> {
    match value {
        Value::Type(Type::Object(object)) => object.annotations.as_ref(),
        Value::Type(Type::TypeSet(Some(set))) => set.annotations.as_ref(),
        _ => None,
    }
}

fn name_of(value: &Value) -> &str {
    let name = match value {
        Value::Type(Type::Object(object)) => object.name.as_deref(),
        Value::Type(Type::TypeSet(Some(set))) => set.name.as_deref(),
        _ => None,
    };
    name.unwrap_or_default()
}

fn declared_as(value: &Value, annotation: &Value) -> Option<Value> {
    match declared(value) {
        Some(Value::Hash(annotations)) => annotations.get(annotation).cloned(),
        _ => None,
    }
}

fn annotate(call: &mut Invocation<'_, '_>) -> Flow {
    let (of, value) = (call.take(0), call.take(1));
    match (declared_as(&value, &of), of) {
        (Some(init), Value::Type(Type::Object(class))) => {
            let [of_hash, ..] = &constructor(&class)?.forms[..] else { return Ok(Value::Undef) };
            if let [hash] = &of_hash.params[..] {
                let name = class.name.as_deref().unwrap_or_default();
                mismatch::assert_instance(format!("{name} initializer"), &hash.param_type, &init)?;
            }
            Ok(construct(&class, &[init])?)
        }
        _ if call.has_block() => Err(unsupported("with a block")),
        _ => Ok(Value::Undef),
    }
}

fn annotate_new(call: &mut Invocation<'_, '_>) -> Flow {
    let (of, value, init) = (call.take(0), call.take(1), call.take(2));
    let is_clear = matches!(init, Value::String(_));
    if let (Some(_), Value::Type(Type::Object(class))) = (declared_as(&value, &of), &of) {
        let action = if is_clear { "clear" } else { "redefine" };
        let (name, on) = (class.name.as_deref().unwrap_or_default(), name_of(&value));
        return Err(Fault::new(format!("attempt to {action} {name} annotation declared on {on}")).into());
    }
    // There is none that could be cleared.
    if is_clear { Ok(Value::Undef) } else { Err(unsupported("with a hash")) }
}

fn annotate_multi(call: &mut Invocation<'_, '_>) -> Flow {
    let (value, annotations) = (call.take(1), call.take(2));
    match annotations {
        Value::Hash(annotations) if annotations.is_empty() => Ok(value),
        _ => Err(unsupported("with annotations by their types")),
    }
}

fn unsupported(how: &str) -> crate::Stop {
    let message =
        format!("annotate() {how} is not supported by Pantin: only the annotations that types declare are known");
    Fault::limit(message).into()
}

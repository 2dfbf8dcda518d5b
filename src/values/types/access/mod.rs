//! What `[]` makes of a type: `Integer[1, 2]`, `File['a', 'b']`.

mod collections;
mod labels;
mod references;
mod scalars;
mod wrappers;

use pantin_base::names::capitalized;

use labels::a_an;

use super::{IntegerRange, Size, Type};
use crate::label::{key_type, type_label};
use crate::{Fault, Resolve, Value};

pub(super) use collections::{callable_of, is_bound, struct_of, type_of};
pub(super) use labels::class_name;
pub(super) use references::{as_type_name, is_type_name};
pub(super) use scalars::{compiled, float_range, pattern_of};

/// Returns the type that parameters in brackets make of a type; of a reference, an array of types where there are many
/// titles.
///
/// The parameter of a resource, `File['a']['mode']`, is no business of types: who has a catalog asks it first.
pub fn access(of: &Type, keys: &[Value], resolve: &mut dyn Resolve) -> Result<Value, Fault> {
    match of {
        Type::Resource(resource) => return references::resource(of, resource.as_deref(), keys),
        Type::Class(name) => return references::class(name.as_deref(), keys),
        Type::Hash(_) | Type::Struct(_) | Type::Callable(_) | Type::Init(_) => {}
        _ => {
            if keys.iter().any(|key| matches!(key, Value::Array(_))) {
                let keys = flattened(keys);
                return parameterized(of, &keys, resolve).map(Value::Type);
            }
        }
    }
    parameterized(of, keys, resolve).map(Value::Type)
}

fn parameterized(of: &Type, keys: &[Value], resolve: &mut dyn Resolve) -> Result<Type, Fault> {
    match of {
        Type::Array(_) => collections::array(keys),
        Type::Hash(_) => collections::hash(&flattened(keys)),
        Type::Tuple(_) => collections::tuple(of, keys),
        Type::Struct(_) => collections::strukt(of, keys),
        Type::Collection(_) => collections::collection(keys),
        Type::Callable(_) => collections::callable(of, keys),
        Type::Integer(_) => scalars::integer(keys),
        Type::Float(_) => scalars::float(keys),
        Type::String(_) | Type::StringValue(_) => scalars::string(keys),
        Type::Boolean(_) => scalars::boolean(of, keys),
        Type::Enum(_) => scalars::enumeration(of, keys),
        Type::Pattern(_) => scalars::pattern(of, keys),
        Type::Regexp(_) => scalars::regexp(of, keys),
        Type::SemVer(_) => scalars::sem_ver(of, keys),
        Type::Timespan(_) => scalars::timespan(of, keys),
        Type::Timestamp(_) => scalars::timestamp(of, keys),
        Type::Uri(_) => scalars::uri(keys),
        Type::Runtime(_) => scalars::runtime(of, keys),
        Type::Variant(_) => wrappers::variant(of, keys),
        Type::Optional(_) => wrappers::optional(keys),
        Type::NotUndef(_) => wrappers::not_undef(keys),
        Type::Type(_) => wrappers::one_type("Type", keys).map(Type::type_of),
        Type::Sensitive(_) => wrappers::one_type("Sensitive", keys).map(|of| Type::sensitive(&of)),
        Type::Iterable(_) => wrappers::one_type("Iterable", keys).map(Type::iterable),
        Type::Iterator(_) => wrappers::one_type("Iterator", keys).map(|of| Type::Iterator(Some(of.into()))),
        Type::Init(_) => wrappers::init(keys),
        Type::Object(object) => wrappers::object(object, keys, resolve.language()),
        Type::TypeSet(_) => wrappers::type_set(keys, resolve.language()),
        Type::Reference(name) => Err(unknown_resource_type(name.as_deref())),
        _ => Err(Fault::issue(
            "OPERATOR_NOT_APPLICABLE",
            format!("Operator '[]' is not applicable to {}.", a_an(&type_label(of))),
        )),
    }
}

pub(super) fn unknown_resource_type(name: Option<&str>) -> Fault {
    Fault::issue("UNKNOWN_RESOURCE_TYPE", format!("Resource type not found: {}", name.unwrap_or("UnresolvedReference")))
}

/// Arrays among the keys replaced by what they hold, at any depth.
fn flattened(keys: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(keys.len());
    let mut open = vec![keys.iter()];
    while let Some(level) = open.last_mut() {
        match level.next() {
            None => {
                open.pop();
            }
            Some(Value::Array(items)) => open.push(items.iter()),
            Some(key) => flat.push(key.clone()),
        }
    }
    flat
}

/// How many keys a type takes, as the message says it.
#[derive(Clone, Copy)]
enum Arity {
    Exactly(usize),
    Between(usize, usize),
    AtLeast(usize),
}

/// `label`: `Array-Type`, with or without an article as the case may be.
fn wrong_arity(label: &str, takes: Arity, actual: usize) -> Fault {
    let takes = match takes {
        Arity::Exactly(1) => "1 argument".to_owned(),
        Arity::Exactly(count) => format!("{count} arguments"),
        Arity::Between(min, max) => format!("{min} to {max} arguments"),
        Arity::AtLeast(min) => format!("{min} or more arguments"),
    };
    Fault::issue("BAD_TYPE_SLICE_ARITY", format!("{label}[] accepts {takes}. Got {actual}"))
}

/// `index` is the place of the key.
fn not_a_type(name: &str, key: &Value, index: usize) -> Fault {
    let message = format!("{name}-Type[] arguments must be types. Got {}", class_name(key));
    Fault::issue("BAD_TYPE_SLICE_TYPE", message).about_key(index)
}

fn cannot_specialize(of: &Type, key: &Value, expected: &str) -> Fault {
    Fault::issue(
        "BAD_TYPE_SPECIALIZATION",
        format!(
            "Error creating type specialization of {}, Cannot use {} where {expected} is expected",
            a_an(&type_label(of)),
            key_type(key)
        ),
    )
}

/// Every key is of one of the expected kinds, and there is at least one (at most `max`).
fn check_keys(
    of: &Type,
    keys: &[Value],
    max: Option<usize>,
    expected: &str,
    fits: impl Fn(&Value) -> bool,
) -> Result<(), Fault> {
    let within = !keys.is_empty() && max.is_none_or(|max| keys.len() <= max);
    if !within {
        let takes = match max {
            Some(1) => Arity::Exactly(1),
            Some(max) => Arity::Between(1, max),
            None => Arity::AtLeast(1),
        };
        return Err(wrong_arity(&capitalized(&a_an(&type_label(of))), takes, keys.len()));
    }
    match keys.iter().position(|key| !fits(key)) {
        Some(index) => Err(cannot_specialize(of, &keys[index], expected).about_key(index)),
        None => Ok(()),
    }
}

/// Returns a size: one type of integers, or one or two integers (or default). `first` is the place of the first key.
fn size_of(keys: &[Value], first: usize) -> Result<Size, Fault> {
    if let [Value::Type(Type::Integer(range))] = keys {
        return Ok(Size::from_range(*range));
    }
    for (index, key) in keys.iter().enumerate() {
        if !matches!(key, Value::Integer(_) | Value::Default) {
            return Err(Fault::issue(
                "BAD_COLLECTION_SLICE_TYPE",
                format!(
                    "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {}",
                    a_an(&labels::class_label(key))
                ),
            )
            .about_key(first + index));
        }
    }
    Ok(Size::from_range(range_of(keys)?))
}

/// Returns a range of integers, of one or two integers or defaults.
pub(super) fn range_of(keys: &[Value]) -> Result<IntegerRange, Fault> {
    let bound = |key: Option<&Value>, open: i64| match key {
        Some(Value::Integer(value)) => *value,
        _ => open,
    };
    let (from, to) = (bound(keys.first(), i64::MIN), bound(keys.get(1), i64::MAX));
    if from > to {
        return Err(Fault::new(format!("'from' must be less or equal to 'to'. Got ({from}, {to}")));
    }
    Ok(IntegerRange { from, to })
}

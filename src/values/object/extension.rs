//! Object types with values of their type parameters: `Error['kind']`.

use std::sync::Arc;

use super::Object;
use super::members::Feature;
use crate::mismatch::assert_instance;
use crate::types::{Attribute, NamedMembers, ObjectType, Type};
use crate::{Fault, Hash, Str, Value};

/// `P[args…]`: values in the order of the type parameters, or one hash of them; `default` leaves one open.
pub fn extend(class: &Arc<ObjectType>, args: &[Value]) -> Result<Type, Fault> {
    let label = class.label();
    let parameters = class.all_type_parameters();
    let Some((_, first)) = parameters.first() else {
        return Err(Fault::new(format!("The {label}-Type cannot be parameterized using []")));
    };
    let values = match args {
        [Value::Hash(named)] if !first.attribute_type.accepts(&args[0])? => by_name(class, &parameters, named)?,
        _ => in_order(class, &parameters, args)?,
    };
    if values.is_empty() {
        return Err(Fault::new(format!("The {label}-Type cannot be parameterized using an empty parameter list")));
    }
    Ok(Type::ObjectExtension(Arc::new((class.clone(), values))))
}

fn by_name(class: &ObjectType, parameters: &NamedMembers<Attribute>, given: &Hash) -> Result<Vec<(Str, Value)>, Fault> {
    let mut values = Vec::new();
    for (name, value) in given.iter() {
        let Some((name, parameter)) = name.as_str().and_then(|name| parameters.get_key_value(name)) else {
            let (name, label) = (crate::text::display(name), class.label());
            return Err(Fault::new(format!("'{name}' is not a known type parameter for {label}-Type")));
        };
        add(&mut values, class, name, parameter, value)?;
    }
    Ok(values)
}

fn in_order(
    class: &ObjectType,
    parameters: &NamedMembers<Attribute>,
    given: &[Value],
) -> Result<Vec<(Str, Value)>, Fault> {
    let mut values = Vec::new();
    for ((name, parameter), value) in parameters.iter().zip(given) {
        add(&mut values, class, name, parameter, value)?;
    }
    Ok(values)
}

fn add(
    values: &mut Vec<(Str, Value)>,
    class: &ObjectType,
    name: &Str,
    parameter: &Attribute,
    value: &Value,
) -> Result<(), Fault> {
    if matches!(value, Value::Default) {
        return Ok(());
    }
    let owner = class.line().find(|owner| owner.type_parameters.contains_key(name)).unwrap_or(class);
    assert_instance(Feature::TypeParameter.label(owner, name), &parameter.attribute_type, value)?;
    values.push((name.clone(), value.clone()));
    Ok(())
}

/// The type of an object, with what its attributes say of the type parameters of their names.
pub fn extension_of(object: &Object) -> Type {
    let parameters = object.class.all_type_parameters();
    if parameters.is_empty() {
        return Type::Object(object.class.clone());
    }
    let value = |name: &Str| object.get(name).cloned().unwrap_or_default();
    let values = parameters.keys().map(|name| (name.clone(), value(name))).collect();
    Type::ObjectExtension(Arc::new((object.class.clone(), values)))
}

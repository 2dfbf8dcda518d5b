//! Instances made: of a hash of attributes, or of attributes in their order.

use std::sync::Arc;

use super::Object;
use crate::new::{Constructor, form};
use crate::signature::{Param, ParamKind, Signature};
use crate::types::{Attribute, Member, ObjectType, Type};
use crate::{Fault, Str, Value};

/// `P(args…)`
pub fn construct(class: &Arc<ObjectType>, args: &[Value]) -> Result<Value, Fault> {
    let form = constructor(class)?.choose(args)?;
    let values: Vec<Value> = match args {
        [Value::Hash(given)] if form == 0 => {
            let value = |(name, attribute): &(Str, Attribute)| match given.get_str(name) {
                Some(value) => value.clone(),
                None => default_of(attribute),
            };
            class.all_attributes.iter().map(value).collect()
        }
        _ => positional(class, args)?,
    };
    Ok(Value::Object(Arc::new(Object { class: class.clone(), values: values.into() })))
}

fn default_of(attribute: &Attribute) -> Value {
    attribute.value.clone().unwrap_or_default()
}

fn positional(class: &ObjectType, args: &[Value]) -> Result<Vec<Value>, Fault> {
    let attributes = &class.all_attributes;
    // An attribute that may be undef but has no default may be left out of a hash, and yet not of this list.
    let needed = attributes.iter().filter(|(_, attribute)| attribute.value.is_none()).count();
    if args.len() < needed {
        let expected =
            if needed == attributes.len() { needed.to_string() } else { format!("{needed}..{}", attributes.len()) };
        return Err(Fault::new(format!("wrong number of arguments (given {}, expected {expected})", args.len())));
    }
    let mut values: Vec<Value> = attributes.iter().map(|(_, attribute)| default_of(attribute)).collect();
    for (place, arg) in places(class).zip(args) {
        values[place] = arg.clone();
    }
    Ok(values)
}

/// Returns the indices of the attributes in the order of a constructor's parameters: those with a default come last.
fn places(class: &ObjectType) -> impl Iterator<Item = usize> + '_ {
    let with = |has_default: bool| {
        let attributes = class.all_attributes.iter().enumerate();
        attributes.filter(move |(_, (_, attribute))| attribute.value.is_some() == has_default).map(|(index, _)| index)
    };
    with(false).chain(with(true))
}

/// Returns what `new` takes for a type: a hash of its attributes, or as many values.
pub fn constructor(class: &ObjectType) -> Result<&Constructor, Fault> {
    let Some(name) = &class.name else {
        // Puppet looks for an implementation by name, and falls over where there is none.
        return Err(Fault::new("undefined method `sub' for nil:NilClass"));
    };
    Ok(class.constructor.get_or_init(|| {
        let members = class.all_attributes.iter().map(|(name, attribute)| Member {
            name: name.clone(),
            optional: attribute.is_optional(),
            value: attribute.attribute_type.clone(),
        });
        let hash = form([("hash", Type::Struct(members.collect()))]);
        let required = class.all_attributes.iter().filter(|(_, attribute)| !attribute.is_optional()).count();
        let params = places(class).enumerate().map(|(index, place)| {
            let (name, attribute) = &class.all_attributes[place];
            let kind = if index < required { ParamKind::Required } else { ParamKind::Optional };
            Param { name: name.clone(), param_type: attribute.attribute_type.clone(), kind }
        });
        Constructor {
            name: format!("new_{name}").into(),
            forms: vec![hash, Signature { params: params.collect(), block: None }],
            refused: Vec::new(),
        }
    }))
}

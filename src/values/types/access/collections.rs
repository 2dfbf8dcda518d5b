//! `Array`, `Hash`, `Tuple`, `Struct`, `Collection` and `Callable` with parameters.

use pantin_base::names::capitalized;

use super::labels::{a_an, class_name};
use super::{Arity, check_keys, not_a_type, range_of, size_of, wrong_arity};
use crate::label::type_label;
use crate::types::{Alias, Member, Size, TupleType};
use crate::{Fault, Type, Value};

pub(super) fn array(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [Value::Type(of)] => Ok(Type::array_of(of.clone())),
        [other] => Err(not_a_type("Array", other, 0)),
        [Value::Type(of), size] => Ok(Type::array(of.clone(), size_of(std::slice::from_ref(size), 1)?)),
        [_, _] => Ok(Type::array(Type::Any, size_of(keys, 0)?)),
        [Value::Type(of), size @ ..] if size.len() == 2 => Ok(Type::array(of.clone(), size_of(size, 1)?)),
        [other, _, _] => Err(not_a_type("Array", other, 0)),
        _ => Err(wrong_arity("Array-Type", Arity::Between(1, 3), keys.len())),
    }
}

pub(super) fn hash(keys: &[Value]) -> Result<Type, Fault> {
    if let [Value::Integer(_), Value::Integer(_)] = keys {
        return Ok(Type::hash(Type::Any, Type::Any, Size::from_range(range_of(keys)?)));
    }
    if let Some(index) = keys.iter().take(2).position(|key| !matches!(key, Value::Type(_))) {
        return Err(not_a_type("Hash", &keys[index], index));
    }
    let [Value::Type(key), Value::Type(value), size @ ..] = keys else {
        return Err(wrong_arity("Hash-Type", Arity::Between(2, 4), keys.len()));
    };
    let size = match size {
        [] => Size::ANY,
        [one] => hash_size(one)?,
        [_, _] => size_of(size, 2)?,
        _ => return Err(wrong_arity("Hash-Type", Arity::Between(2, 4), keys.len())),
    };
    Ok(Type::hash(key.clone(), value.clone(), size))
}

/// Nobody checks a lone size of a hash: what is no number fails where the range is made.
fn hash_size(key: &Value) -> Result<Size, Fault> {
    match key {
        Value::Type(Type::Integer(_)) | Value::Integer(_) | Value::Default | Value::Undef => {
            size_of(std::slice::from_ref(if key.is_undef() { &Value::Default } else { key }), 2)
        }
        Value::Float(number) => Ok(Size { min: number.max(0.0).ceil() as u64, max: Size::UNBOUNDED }),
        Value::String(_) => Err(Fault::new("comparison of String with Float failed")),
        other => Err(Fault::new(format!("undefined method `>' for an instance of {}", class_name(other)))),
    }
}

pub(super) fn collection(keys: &[Value]) -> Result<Type, Fault> {
    match keys {
        [_] | [_, _] => Ok(Type::Collection(size_of(keys, 0)?)),
        _ => Err(wrong_arity("Collection-Type", Arity::Between(1, 2), keys.len())),
    }
}

/// Returns true if a key can be the bound of a size: the word "default" as well.
pub(in crate::types) fn is_bound(key: Option<&Value>) -> bool {
    match key {
        Some(Value::Integer(_) | Value::Default) => true,
        Some(Value::String(text)) => text == "default",
        _ => false,
    }
}

/// Returns the keys without a size at their end, and that size.
pub(in crate::types) fn split_size(keys: &[Value]) -> Result<(&[Value], Option<Size>), Fault> {
    let bounds = match keys {
        [.., min, max] if is_bound(Some(min)) && is_bound(Some(max)) => 2,
        [.., min] if is_bound(Some(min)) => 1,
        _ => return Ok((keys, None)),
    };
    let (types, size) = keys.split_at(keys.len() - bounds);
    Ok((types, Some(Size::from_range(range_of(size)?))))
}

pub(super) fn tuple(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    let (types, size) = split_size(keys)?;
    check_keys(of, types, None, "Any-Type", |key| matches!(key, Value::Type(_)))?;
    Ok(Type::tuple(types.iter().map(type_of).collect::<Result<_, _>>()?, size))
}

/// Returns a type as it is, a string as the name of a class of Ruby's, and any other value's type.
pub(in crate::types) fn type_of(key: &Value) -> Result<Type, Fault> {
    match key {
        Value::Type(of) => Ok(of.clone()),
        Value::String(name) if name.is_empty() => Err(super::scalars::runtime_without_name()),
        Value::String(name) => Ok(crate::types::nominal::ruby_class(name)),
        _ => Ok(Type::reduced(key).generalize()),
    }
}

pub(super) fn strukt(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    check_keys(of, keys, Some(1), "Hash", |key| matches!(key, Value::Hash(_)))?;
    match keys {
        [Value::Hash(members)] => struct_of(members),
        _ => Ok(of.clone()),
    }
}

/// `Struct[{…}]` of its hash.
pub(in crate::types) fn struct_of(members: &crate::Hash) -> Result<Type, Fault> {
    let members = members.iter().map(|(key, value)| member(key, type_of(value)?));
    members.collect::<Result<Vec<Member>, Fault>>().map(Type::strukt)
}

fn key_type(key: &Value) -> Type {
    match key {
        Value::Type(of) => of.clone(),
        _ => Type::reduced(key).generalize(),
    }
}

fn member(key: &Value, value: Type) -> Result<Member, Fault> {
    let no_name = || {
        let message = "Unable to extract a non-empty literal string from Struct member key type";
        Fault::new(format!("{message} {}", key_type(key)))
    };
    let (name, optional) = match key {
        Value::String(name) if name.is_empty() => {
            return Err(Fault::new("Struct element key cannot be an empty String"));
        }
        Value::String(name) => (name.clone(), value.accepts_undef()),
        Value::Type(of) => match of {
            Type::NotUndef(of) | Type::Optional(of) => {
                let optional = matches!(key, Value::Type(Type::Optional(_)));
                match of.as_deref() {
                    Some(Type::StringValue(name)) => (name.clone(), optional),
                    _ => return Err(no_name()),
                }
            }
            Type::StringValue(name) => (name.clone(), false),
            Type::Enum(of) => match of.values.as_slice() {
                [name] => (name.clone(), false),
                _ => return Err(no_name()),
            },
            Type::String(_) => return Err(no_name()),
            _ => return Err(illegal_member_key(key)),
        },
        _ => return Err(illegal_member_key(key)),
    };
    Ok(Member { name, optional, value })
}

fn illegal_member_key(key: &Value) -> Fault {
    let message = "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum.";
    Fault::new(format!("{message} Got: {}", class_name(key)))
}

pub(super) fn callable(of: &Type, keys: &[Value]) -> Result<Type, Fault> {
    if let [Value::Array(_), rest @ ..] = keys {
        match rest {
            [Value::Type(_)] => {}
            [other] => return Err(super::cannot_specialize(of, other, "Any-Type").about_key(1)),
            _ => return Err(wrong_arity(&capitalized(&a_an(&type_label(of))), Arity::Exactly(2), keys.len())),
        }
    }
    callable_of(keys)
}

/// Returns a callable of its parameters; with a list of them first, of what it returns, too.
pub(in crate::types) fn callable_of(keys: &[Value]) -> Result<Type, Fault> {
    let (params, returns) = match keys {
        [Value::Array(params), returns] => (&params[..], Some(type_of(returns)?)),
        _ => (keys, None),
    };
    let (params, block) = match params {
        [rest @ .., Value::Type(last)] if last.is_kind_of_callable() => (rest, Some(last.clone())),
        _ => (params, None),
    };
    let (params, size) = split_size(params)?;
    let mut types: Vec<Type> = params.iter().map(type_of).collect::<Result<_, _>>()?;
    if types.is_empty() && size.is_some_and(|size| size.max > 0) {
        types.push(Type::Unit);
    }
    Ok(Type::callable(Some(TupleType { types, size }), block, returns))
}

impl Type {
    /// Returns true if it stands for something to call, or perhaps nothing to call.
    pub fn is_kind_of_callable(&self) -> bool {
        self.is_kind_of_callable_within(&mut Vec::new())
    }

    /// `open`: the aliases that it stands in. What leads back to one of them is nothing to call.
    fn is_kind_of_callable_within<'t>(&'t self, open: &mut Vec<&'t Alias>) -> bool {
        match self {
            Type::Callable(_) => true,
            Type::Optional(Some(of)) => of.is_kind_of_callable_within(open),
            Type::Variant(types) => types.iter().all(|of| of.is_kind_of_callable_within(open)),
            Type::Alias(alias) if open.iter().any(|known| std::ptr::eq(*known, &raw const **alias)) => false,
            Type::Alias(alias) => {
                open.push(alias);
                let is_kind = alias.resolved().is_some_and(|of| of.is_kind_of_callable_within(open));
                open.pop();
                is_kind
            }
            _ => false,
        }
    }
}

//! The conversion of a reference to the value of a parameter.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use pantin_base::names::class_title;

use super::types::Type;
use super::{Fault, Str, Value};

/// A resource as the older parts of Puppet have it, by which the values of parameters go. It is no type: it has another
/// text than a reference, and is equal to its like alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Referred {
    /// Each segment with a capital.
    pub type_name: Str,
    /// Empty, where a type of resources was given.
    pub title: Str,
}

impl Referred {
    pub fn reference(&self) -> Type {
        Type::resource(self.type_name.clone(), Some(self.title.clone()))
    }

    /// Of a type, if it is one of what a catalog has.
    fn from_type(of: &Type) -> Result<Option<Referred>, Fault> {
        let (type_name, title) = match of {
            Type::Class(Some(name)) => ("Class".into(), class_title(name).into()),
            Type::Class(None) => return Err(class_without_title()),
            Type::Resource(Some(of)) if of.type_name == "Class" => match &of.title {
                Some(title) => (of.type_name.clone(), class_title(title).into()),
                None => return Err(class_without_title()),
            },
            Type::Resource(Some(of)) => (of.type_name.clone(), of.title.clone().unwrap_or_default()),
            Type::Resource(None) => return Err(Fault::new("undefined method `include?' for nil:NilClass")),
            Type::CatalogEntry => {
                return Err(Fault::new(
                    "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither a PClassType, nor \
                     a PResourceType.",
                ));
            }
            _ => return Ok(None),
        };
        Ok(Some(Referred { type_name, title }))
    }
}

impl Display for Referred {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.type_name, self.title)
    }
}

pub fn class_without_title() -> Fault {
    Fault::new("No title provided and \"class\" is not a valid resource reference")
}

impl Value {
    /// The same as a parameter has it: references are resources there. Not everything can be the value of one.
    pub fn as_parameter(self) -> Result<Value, Fault> {
        if self.is_as_parameter() { Ok(self) } else { self.made_parameter(false) }
    }

    /// The same of what the data says of a parameter of a class, which takes larger integers.
    pub fn as_found_parameter(self) -> Result<Value, Fault> {
        if self.is_as_parameter() { Ok(self) } else { self.made_parameter(true) }
    }

    /// Returns true if all that is in it can stay as it is.
    fn is_as_parameter(&self) -> bool {
        match self {
            Value::Type(_) | Value::Iterator(_) | Value::Large(_) => false,
            Value::Array(items) => items.iter().all(Value::is_as_parameter),
            Value::Hash(entries) => entries.iter().all(|(key, value)| key.is_as_parameter() && value.is_as_parameter()),
            _ => true,
        }
    }

    fn made_parameter(self, takes_large: bool) -> Result<Value, Fault> {
        match &self {
            Value::Large(number) if !takes_large => Err(out_of_range(number)),
            Value::Iterator(_) => Err(Fault::new("Use of an Iterator is not supported here")),
            Value::Type(of) => match Referred::from_type(of)? {
                Some(resource) => Ok(Value::Resource(Arc::new(resource))),
                None => Ok(self),
            },
            Value::Array(items) => {
                let items: Result<Vec<_>, _> =
                    items.iter().map(|item| item.clone().made_parameter(takes_large)).collect();
                Ok(Value::Array(items?.into()))
            }
            Value::Hash(entries) => {
                let made = |(key, value): (&Value, &Value)| {
                    Ok((key.clone().made_parameter(takes_large)?, value.clone().made_parameter(takes_large)?))
                };
                entries.iter().map(made).collect::<Result<_, _>>().map(Value::Hash)
            }
            _ => Ok(self),
        }
    }
}

/// An integer that 64 bits do not hold, where the older parts of Puppet would be given it.
pub(super) fn out_of_range(number: &BigInt) -> Fault {
    let end = if number.sign() == Sign::Minus { "min" } else { "max" };
    let digits = hexadecimal(number);
    Fault::new(format!("Use of a Ruby Integer outside of Puppet Integer {end} range, got '0x{digits}'"))
}

/// As Ruby's `%x`: below nought the digits of two's complement, behind two points and one of the `f` without end.
fn hexadecimal(number: &BigInt) -> String {
    if number.sign() != Sign::Minus {
        return format!("{number:x}");
    }
    let digits: String = number.to_signed_bytes_be().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("..f{}", digits.trim_start_matches('f'))
}

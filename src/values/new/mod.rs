//! New values of a type: `Integer('0xFF')`, `Timespan.new(…)`, `P({'a' => 1})`.
//!
//! Each type that can be made has a [`Constructor`](constructor::Constructor), the forms of
//! arguments that its `new` takes, and a function that makes a value of a call in one of the forms.

mod binary;
mod collection;
mod constructor;
mod digits;
mod init;
mod iteration;
mod number;
mod plain;
pub(super) mod shapes;
#[cfg(test)]
mod tests;
mod time;
mod tree;
mod uri;
mod version;

use std::sync::Arc;

pub use constructor::{Constructor, form};
pub use init::{init_accepts, init_assignable};
pub use iteration::{check_count, elements};
pub use tree::receiver;

use super::scalar::ScalarError;
use super::types::{ObjectType, Type};
use super::{Fault, Hash, Resolve, Value};
use super::{mismatch, object, unencoded};

/// `T.new(args…)`: the value, which is an instance of the type.
pub fn new_instance(of: &Type, args: &[Value], names: &mut dyn Resolve) -> Result<Value, Fault> {
    if let [only] = args
        && !matches!(of, Type::Init(_))
        && of.accepts(only)?
    {
        return Ok(only.clone());
    }
    if let Some(value) = number::plain_decimal(of, args) {
        return Ok(value);
    }
    refuse_large(of, args)?;
    let value = pantin_base::stack::with_room(|| make(of, args, names))?;
    assert_instance_with(|| format!("Converted value from {of}.new()"), of, &value)?;
    Ok(value)
}

fn make(of: &Type, args: &[Value], names: &mut dyn Resolve) -> Result<Value, Fault> {
    let maker = Maker::from_type(of)?;
    match (of, args) {
        _ if !args.iter().any(Value::holds_unencoded) => maker.make(args, names),
        // Its letters, each a text like that.
        (Type::Array(_) | Type::Tuple(_), [Value::Unencoded(letters)]) => {
            unencoded::join_all_letters(maker.make(&[Value::String(letters.clone())], names)?)
        }
        (Type::Array(_) | Type::Tuple(_) | Type::Hash(_) | Type::Struct(_), _)
        | (Type::Sensitive(_) | Type::Object(_) | Type::ObjectExtension(_), _) => maker.make(args, names),
        _ => maker.make(&unencoded::all_in_utf8(args, || of.to_string())?, names),
    }
}

/// What is made of a number is made of 64 bits.
fn refuse_large(of: &Type, args: &[Value]) -> Result<(), Fault> {
    if matches!(of, Type::String(_) | Type::Boolean(_) | Type::Sensitive(_) | Type::Array(_) | Type::Hash(_)) {
        return Ok(());
    }
    match args.iter().find(|value| matches!(value, Value::Large(_))) {
        Some(number) => Err(Fault::limit(format!("The number {number:?} is too large to make {of} of it"))),
        None => Ok(()),
    }
}

/// A call that its constructor has accepted.
pub struct Call<'a> {
    /// Which of the constructor's forms it is in.
    form: usize,
    args: &'a [Value],
    names: &'a mut dyn Resolve,
}

impl<'a> Call<'a> {
    /// `undef` where it is left out.
    fn arg(&self, index: usize) -> &'a Value {
        self.args.get(index).unwrap_or(&Value::Undef)
    }

    /// Returns the hash that is the first argument.
    fn hash(&self) -> Option<&'a Hash> {
        match self.args.first() {
            Some(Value::Hash(hash)) => Some(hash),
            _ => None,
        }
    }

    /// Returns an entry of the hash that is the first argument; `undef` where it is left out.
    fn named_argument(&self, key: &str) -> &'a Value {
        self.hash().and_then(|hash| hash.get_str(key)).unwrap_or(&Value::Undef)
    }
}

type Make = fn(&mut Call<'_>) -> Result<Value, Fault>;

/// What makes the values of a type.
enum Maker<'a> {
    Simple(&'static Constructor, Make),
    Object(&'a Arc<ObjectType>),
    Init(init::Convertible<'a>),
}

impl<'a> Maker<'a> {
    fn from_type(of: &'a Type) -> Result<Maker<'a>, Fault> {
        let (constructor, make): (&'static Constructor, Make) = match of {
            Type::Integer(_) => (&number::INTEGER, number::make_integer),
            Type::Float(_) => (&number::FLOAT, number::make_float),
            Type::Numeric => (&number::NUMERIC, number::make_numeric),
            Type::Boolean(_) => (&number::BOOLEAN, number::make_boolean),
            Type::String(_) | Type::StringValue(_) => (&plain::STRING, plain::make_string),
            Type::Regexp(_) => (&plain::REGEXP, plain::make_regexp),
            Type::Sensitive(_) => (&plain::SENSITIVE, plain::make_sensitive),
            Type::Type(_) => (&plain::TYPE, plain::make_type),
            Type::NotUndef(None) | Type::Unit => (&plain::UNIT, plain::make_unit),
            Type::Array(_) | Type::Tuple(_) => (&collection::ARRAY, collection::make_array),
            Type::Hash(_) | Type::Struct(_) => (&collection::HASH, collection::make_hash),
            Type::Timespan(_) => (&time::TIMESPAN, time::make_timespan),
            Type::Timestamp(_) => (&time::TIMESTAMP, time::make_timestamp),
            Type::SemVer(_) => (&version::SEM_VER, version::make_sem_ver),
            Type::SemVerRange => (&version::SEM_VER_RANGE, version::make_sem_ver_range),
            Type::Uri(_) => (&uri::URI, uri::make_uri),
            Type::Binary => (&binary::BINARY, binary::make_binary),
            Type::Optional(Some(of)) | Type::NotUndef(Some(of)) => return Maker::from_type(of),
            // Puppet asks nothing for its constructor.
            Type::Optional(None) => return Err(Fault::new("undefined method `new_function' for nil:NilClass")),
            Type::Alias(alias) => match alias.resolved() {
                Some(of) => return Maker::from_type(of),
                None => return Err(unsupported(of)),
            },
            Type::Object(class) => return Ok(Maker::Object(class)),
            Type::ObjectExtension(extension) => return Ok(Maker::Object(&extension.0)),
            Type::Init(Some(init)) => match &init.target {
                Some(contained) => return init::Convertible::new(of, contained, &init.args).map(Maker::Init),
                None => return Err(unsupported(of)),
            },
            _ => return Err(unsupported(of)),
        };
        Ok(Maker::Simple(constructor, make))
    }

    fn make(&self, args: &[Value], names: &mut dyn Resolve) -> Result<Value, Fault> {
        match self {
            Maker::Simple(constructor, make) => {
                let form = constructor.choose(args)?;
                make(&mut Call { form, args, names })
            }
            Maker::Object(class) => object::construct(class, args),
            Maker::Init(convertible) => convertible.convert(args, names),
        }
    }

    fn constructor(&self) -> Result<&Constructor, Fault> {
        match self {
            Maker::Simple(constructor, _) => Ok(constructor),
            Maker::Object(class) => object::constructor(class),
            Maker::Init(convertible) => Ok(convertible.constructor()),
        }
    }
}

/// Asks that a value is an instance of a type; the subject is only written where it is needed.
pub(super) fn assert_instance_with(
    subject: impl FnOnce() -> String,
    expected: &Type,
    value: &Value,
) -> Result<(), Fault> {
    if expected.accepts(value)? {
        return Ok(());
    }
    mismatch::assert_instance(subject(), expected, value)
}

fn unsupported(of: &Type) -> Fault {
    Fault::new(format!("Creation of new instance of type '{of}' is not supported"))
}

/// Returns the error of a plain value's own room, as one of this.
pub(super) fn fault(error: ScalarError) -> Fault {
    match error {
        ScalarError::Limit(message) => Fault::limit(message),
        _ => Fault::new(error.to_string()),
    }
}

//! What a type's `new` takes, as data: forms of arguments, the first that accepts a call is the one used.
//!
//! Some forms are there to refuse in better words than a list of all forms: see [`Form::refusing`].

use crate::pcore::types::Type;
use crate::pcore::{Fault, Str, Value};

#[derive(Debug)]
pub struct Constructor {
    /// As messages name it: `new_float`.
    pub name: Str,
    pub forms: Vec<Form>,
}

#[derive(Debug)]
pub struct Form {
    pub params: Vec<Param>,
    /// A call of this form fails, and the maker says how.
    pub refuses: bool,
}

#[derive(Debug)]
pub struct Param {
    pub name: Str,
    pub of: Type,
    pub is_optional: bool,
}

impl Form {
    /// A name with `?` at its end is of a parameter that may be left out.
    pub fn new<const N: usize>(params: [(&str, Type); N]) -> Form {
        let param = |(name, of): (&str, Type)| match name.strip_suffix('?') {
            Some(name) => Param { name: name.into(), of, is_optional: true },
            None => Param { name: name.into(), of, is_optional: false },
        };
        Form { params: params.into_iter().map(param).collect(), refuses: false }
    }

    pub fn refusing<const N: usize>(params: [(&str, Type); N]) -> Form {
        Form { refuses: true, ..Form::new(params) }
    }

    /// How many arguments it needs.
    pub fn required(&self) -> usize {
        self.params.iter().filter(|param| !param.is_optional).count()
    }

    pub fn accepts(&self, args: &[Value]) -> Result<bool, Fault> {
        if args.len() < self.required() || args.len() > self.params.len() {
            return Ok(false);
        }
        for (param, arg) in self.params.iter().zip(args) {
            if !param.of.accepts(arg)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Constructor {
    pub fn new<const N: usize>(name: &str, forms: [Form; N]) -> Constructor {
        Constructor { name: name.into(), forms: forms.into() }
    }

    /// The index of the form to use, or the error that tells what would have been accepted.
    pub fn choose(&self, args: &[Value]) -> Result<usize, Fault> {
        for (index, form) in self.forms.iter().enumerate() {
            if form.accepts(args)? {
                return Ok(index);
            }
        }
        Err(super::mismatch::of_call(self, args))
    }

    /// The error of a refusing form.
    pub fn refusal(&self, message: impl std::fmt::Display) -> Fault {
        Fault::new(format!("'{}' {message}", self.name))
    }

    /// The usual refusal: what was given cannot become what was asked for.
    pub fn not_convertible(&self, from: &Value, target: &str) -> Fault {
        match from {
            Value::String(text) => self.refusal(format_args!("The string '{text}' cannot be converted to {target}")),
            _ => self.refusal(not_convertible(from, target)),
        }
    }
}

/// Says that a value's type cannot be converted.
pub(super) fn not_convertible(from: &Value, target: &str) -> String {
    format!("Value of type {} cannot be converted to {target}", Type::reduced(from).generalize())
}

//! What a type's `new` takes, as data: forms of arguments, the first that accepts a call is the one used.

use crate::signature::{Param, ParamKind, Signature};
use crate::types::Type;
use crate::{Fault, Str, Value, mismatch};

#[derive(Debug)]
pub struct Constructor {
    /// As messages name it: `new_float`.
    pub name: Str,
    pub forms: Vec<Signature>,
    /// Forms of calls that fail, and for which the maker has better words than a list of all forms.
    pub refused: Vec<Signature>,
}

/// A name with `?` at its end is of a parameter that may be left out.
pub fn form<const N: usize>(params: [(&str, Type); N]) -> Signature {
    let param = |(name, of): (&str, Type)| match name.strip_suffix('?') {
        Some(name) => Param { name: name.into(), param_type: of, kind: ParamKind::Optional },
        None => Param { name: name.into(), param_type: of, kind: ParamKind::Required },
    };
    Signature { params: params.into_iter().map(param).collect(), block: None }
}

impl Constructor {
    pub fn new<const N: usize>(name: &str, forms: [Signature; N]) -> Constructor {
        Constructor { name: name.into(), forms: forms.into(), refused: Vec::new() }
    }

    pub(super) fn refusing<const N: usize>(self, refused: [Signature; N]) -> Constructor {
        Constructor { refused: refused.into(), ..self }
    }

    /// Returns the index of the form to use, those that are refused counted after the others; or the error that tells
    /// what would have been accepted.
    pub fn choose(&self, args: &[Value]) -> Result<usize, Fault> {
        for (index, form) in self.forms.iter().chain(&self.refused).enumerate() {
            if form.check(args, None)? {
                return Ok(index);
            }
        }
        Err(self.mismatch(args))
    }

    /// That no form takes these arguments.
    pub fn mismatch(&self, args: &[Value]) -> Fault {
        mismatch::call_fault(&self.name, &self.forms, args, None)
    }

    /// Returns the error of a refused form.
    pub(super) fn refusal(&self, message: impl std::fmt::Display) -> Fault {
        Fault::new(format!("'{}' {message}", self.name))
    }

    /// Returns the usual refusal: what was given cannot become what was asked for.
    pub(super) fn not_convertible(&self, from: &Value, target: &str) -> Fault {
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

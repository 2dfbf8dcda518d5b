//! Implicit conversion: what a method makes of an argument that is not what it wants. An object of the program says by
//! `to_str`, `to_int`, `to_ary` and `to_hash` that it is one.

use std::rc::Rc;

use pantin_values::Str;

use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;
use crate::text::Text;
use crate::value::Value;

/// What a value is to become: its class and the method that makes it.
#[derive(Clone, Copy)]
struct ConversionTarget {
    class: Core,
    name: &'static str,
    method: &'static str,
}

const TEXT: ConversionTarget = ConversionTarget { class: Core::String, name: "String", method: "to_str" };
const INTEGER: ConversionTarget = ConversionTarget { class: Core::Integer, name: "Integer", method: "to_int" };
const ARRAY: ConversionTarget = ConversionTarget { class: Core::Array, name: "Array", method: "to_ary" };
const HASH: ConversionTarget = ConversionTarget { class: Core::Hash, name: "Hash", method: "to_hash" };

impl Interp<'_> {
    /// Returns what an object says that it is.
    fn converted(&mut self, value: &Value, wanted: ConversionTarget) -> Flow<Option<Value>> {
        if !matches!(value, Value::Object(_)) || !self.responds(value, wanted.method)? {
            return Ok(None);
        }
        Ok(Some(self.send(value, wanted.method, &[])?))
    }

    /// The same; nil is nothing, and anything else has to be what is wanted.
    fn converted_if(&mut self, value: &Value, wanted: ConversionTarget) -> Flow<Option<Value>> {
        match self.converted(value, wanted)? {
            None | Some(Value::Nil) => Ok(None),
            Some(made) if self.is_a(&made, wanted.class.class()) => Ok(Some(made)),
            Some(made) => self.gives_another(value, &made, wanted),
        }
    }

    fn converted_or_raise(&mut self, value: &Value, wanted: ConversionTarget) -> Flow {
        match self.converted(value, wanted)? {
            Some(made) if self.is_a(&made, wanted.class.class()) => Ok(made),
            Some(made) => self.gives_another(value, &made, wanted),
            None => {
                let (of, into) = (self.conversion_name(value), wanted.name);
                self.raise(Core::TypeError, format!("no implicit conversion of {of} into {into}"))
            }
        }
    }

    fn gives_another<T>(&mut self, value: &Value, made: &Value, wanted: ConversionTarget) -> Flow<T> {
        let (of, made, ConversionTarget { name, method, .. }) =
            (self.class_name_of(value), self.class_name_of(made), wanted);
        self.raise(Core::TypeError, format!("can't convert {of} to {name} ({of}#{method} gives {made})"))
    }

    /// Returns a text, or something that is one to Ruby.
    pub(crate) fn text_arg(&mut self, value: &Value) -> Flow<String> {
        match value {
            Value::String(text) => self.str_of(text),
            other => match self.converted_or_raise(other, TEXT)? {
                Value::String(text) => self.str_of(&text),
                _ => Ok(String::new()),
            },
        }
    }

    /// Returns the path of a file: a text, or what says by `to_path` which one it is.
    pub(crate) fn path_arg(&mut self, value: &Value) -> Flow<String> {
        if matches!(value, Value::Object(_)) && self.responds(value, "to_path")? {
            let path = self.send(value, "to_path", &[])?;
            return self.text_arg(&path);
        }
        self.text_arg(value)
    }

    /// The text itself, whatever its bytes are, or what is one to Ruby; anything else is an error.
    pub(crate) fn whole_text_arg(&mut self, value: &Value) -> Flow<Rc<Text>> {
        match value {
            Value::String(text) => Ok(text.clone()),
            other => match self.converted_or_raise(other, TEXT)? {
                Value::String(text) => Ok(text),
                _ => Ok(Rc::new(Text::new(String::new()))),
            },
        }
    }

    /// Whether it is a text, whatever its bytes are, or something that is one to Ruby; if not, that is an error.
    pub(crate) fn text_like(&mut self, value: &Value) -> Flow<()> {
        match value {
            Value::String(_) => Ok(()),
            other => self.converted_or_raise(other, TEXT).map(|_| ()),
        }
    }

    /// Returns the elements of an array, or of something that is one to Ruby; nothing of anything else.
    pub(crate) fn as_array(&mut self, value: &Value) -> Flow<Option<Vec<Value>>> {
        match value {
            Value::Array(list) => Ok(Some(list.items.borrow().clone())),
            other => match self.converted_if(other, ARRAY)? {
                Some(Value::Array(list)) => Ok(Some(list.items.borrow().clone())),
                _ => Ok(None),
            },
        }
    }

    /// Returns the letters of a text, or of something that is one to Ruby; nothing of anything else.
    pub(crate) fn as_text(&mut self, value: &Value) -> Flow<Option<String>> {
        match value {
            Value::String(text) => Ok(Some(self.str_of(text)?)),
            other => match self.converted_if(other, TEXT)? {
                Some(Value::String(text)) => Ok(Some(self.str_of(&text)?)),
                _ => Ok(None),
            },
        }
    }

    pub(crate) fn array_arg(&mut self, value: &Value) -> Flow<Vec<Value>> {
        match value {
            Value::Array(list) => Ok(list.items.borrow().clone()),
            other => match self.converted_or_raise(other, ARRAY)? {
                Value::Array(list) => Ok(list.items.borrow().clone()),
                _ => Ok(Vec::new()),
            },
        }
    }

    pub(crate) fn hash_arg(&mut self, value: &Value) -> Flow<Vec<(Value, Value)>> {
        match value {
            Value::Hash(table) => Ok(table.pairs()),
            other => match self.converted_or_raise(other, HASH)? {
                Value::Hash(table) => Ok(table.pairs()),
                _ => Ok(Vec::new()),
            },
        }
    }

    pub(crate) fn int_arg(&mut self, value: &Value) -> Flow<i64> {
        /// Beyond these no float is a whole number of 64 bits.
        const BOUND: f64 = 9_223_372_036_854_775_808.0;
        match value {
            Value::Int(value) => Ok(*value),
            Value::Float(value) if (-BOUND..BOUND).contains(value) => Ok(value.trunc() as i64),
            Value::Float(value) => {
                let shown =
                    pantin_values::sprintf::format("%.10g", &[pantin_values::Value::Float(*value)]).unwrap_or_default();
                self.raise(Core::RangeError, format!("float {shown} out of range of integer"))
            }
            Value::Nil => self.raise(Core::TypeError, "no implicit conversion from nil to integer"),
            Value::Big(_) => self.raise(Core::RangeError, "bignum too big to convert into `long'"),
            other => {
                let made = self.converted_or_raise(other, INTEGER)?;
                self.int_arg(&made)
            }
        }
    }

    /// Returns a name: a symbol or a text.
    pub(crate) fn name_arg(&mut self, value: &Value) -> Flow<Str> {
        if let Value::Symbol(name) = value {
            return Ok(name.clone());
        }
        match self.as_text(value)? {
            Some(name) => Ok(name.into()),
            None => {
                let shown = self.inspect(value)?;
                self.raise(Core::TypeError, format!("{shown} is not a symbol nor a string"))
            }
        }
    }

    /// The letters of a text, of a symbol, or of what is a text to Ruby.
    pub(crate) fn letters_arg(&mut self, value: &Value) -> Flow<Str> {
        match value {
            Value::Symbol(name) => Ok(name.clone()),
            other => Ok(self.text_arg(other)?.into()),
        }
    }

    /// Returns a value, as errors of conversions name it.
    pub(crate) fn conversion_name(&self, value: &Value) -> String {
        match value {
            Value::Nil => "nil".to_owned(),
            Value::Bool(value) => value.to_string(),
            other => self.class_name_of(other).to_string(),
        }
    }
}

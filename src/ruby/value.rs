//! Values of Ruby: cheap to clone, with an identity that is shared, and mutable where Ruby's are.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigInt;
use pantin_values::{Regexp, Str};

use super::class::Class;
use super::code::Code;
use super::interp::{Args, Frame, Interp};
use super::memory::{ITEM, OBJECT, Weight};
use super::path_texts::ExceptionMessage;
use super::stop::Flow;
use super::table::Table;
use super::text::Text;
use crate::outside::{RubyPlace, View};

#[derive(Clone, Default)]
pub(super) enum Value {
    #[default]
    Nil,
    Bool(bool),
    Int(i64),
    Big(Rc<BigInt>),
    Float(f64),
    Symbol(Str),
    String(Rc<Text>),
    Array(Rc<List>),
    Hash(Rc<Table>),
    Range(Rc<Range>),
    Regex(Arc<Regexp>),
    Proc(Rc<Proc>),
    Class(Class),
    Object(Rc<Object>),
    /// A container of the outside that nobody has looked into. Never an element of another value, nor an argument of
    /// a method that is built in.
    View(Rc<View>),
    /// A value of Puppet's that Ruby code only hands on: a type, a version, a secret …
    Foreign(Rc<pantin_values::Value>),
}

#[derive(Default)]
pub(super) struct List {
    pub(super) items: RefCell<Vec<Value>>,
    pub(super) frozen: Cell<bool>,
    /// A copy of what the outside has.
    pub(super) lent: Cell<bool>,
    pub(super) singleton: Cell<Option<Class>>,
    weight: Weight,
}

impl List {
    pub(super) fn from_values(items: Vec<Value>) -> List {
        let list = List::default();
        list.items.replace(items);
        list.weigh();
        list
    }

    pub(super) fn weigh(&self) {
        self.weight.set(OBJECT + ITEM * self.items.borrow().len());
    }
}

pub(super) struct Range {
    pub(super) from: Value,
    pub(super) to: Value,
    pub(super) exclusive: bool,
    /// Those that are written or made are frozen, copies are not.
    pub(super) frozen: Cell<bool>,
}

impl Range {
    pub(super) fn new(from: Value, to: Value, exclusive: bool) -> Range {
        Range { from, to, exclusive, frozen: Cell::new(true) }
    }
}

/// A block, a lambda, or something that is called like one.
pub(super) struct Proc {
    /// Of the call that it was written for: what `break` ends.
    pub(super) tag: u64,
    pub(super) kind: ProcKind,
    pub(super) is_lambda: bool,
}

pub(super) type NativeBlock = dyn Fn(&mut Interp<'_>, &[Value]) -> Flow;

pub(super) enum ProcKind {
    Code {
        code: Arc<Code>,
        frame: Frame,
    },
    Symbol(Str),
    Method {
        receiver: Value,
        name: Str,
    },
    Native(Rc<NativeBlock>),
    /// `first >> second`
    Composed(Value, Value),
    /// Waits until there are so many arguments.
    Curried {
        proc: Rc<Proc>,
        given: Vec<Value>,
        count: usize,
    },
    /// A lambda of the Puppet code that called the function.
    Outside,
}

pub(super) struct Object {
    pub(super) class: Class,
    pub(super) singleton: Cell<Option<Class>>,
    pub(super) variables: RefCell<Vec<(Str, Value)>>,
    pub(super) data: RefCell<Data>,
    pub(super) frozen: Cell<bool>,
    pub(super) weight: Weight,
}

/// What an object of a class that is built in holds.
#[derive(Default)]
pub(super) enum Data {
    #[default]
    None,
    Exception(Exception),
    Match(Rc<Match>),
    Enumerator {
        receiver: Value,
        method: Str,
        args: Args,
    },
    Lazy(Rc<super::classes::Lazy>),
    /// What an enumerator asks for elements, where code makes them.
    Source(Rc<super::classes::Source>),
    Set(Rc<Table>),
    /// Its members are its variables.
    Struct,
    Address(super::classes::Address),
    Uri(Box<super::classes::UriParts>),
    Version(Box<super::classes::GemVersion>),
    Time(super::classes::Moment),
    Pathname(Str),
    /// Days since 1970.
    Date(i64),
    Rational(Rc<super::classes::Fraction>),
    /// The attributes of an OpenStruct.
    Open(Rc<Table>),
    Stream(super::classes::Stream),
    Binding(Rc<super::classes::Binding>),
    Digest(super::classes::Digesting),
    Random(Rc<super::classes::Generator>),
    Encoding(super::text::Encoding),
    Xml(super::classes::XmlNode),
    Wrapper(Rc<super::puppet::TemplateWrapper>),
    /// An object of Puppet's, by what it stands for.
    Scope,
    TopScope,
    Method {
        receiver: Value,
        name: Str,
    },
}

#[derive(Default)]
pub(super) struct Exception {
    pub(super) message: ExceptionMessage,
    pub(super) cause: Value,
    /// Where it was raised.
    pub(super) place: Option<RubyPlace>,
    /// What was raised outside, as it came in.
    pub(super) origin: Option<Box<dyn Any>>,
    /// Of a KeyError, NameError or StopIteration: what it is about.
    pub(super) about: Value,
    /// Whether its message tells a place in a file of Puppet's.
    pub(super) is_placed: bool,
}

/// What a regular expression found.
pub(super) struct Match {
    pub(super) text: Str,
    pub(super) captures: pantin_values::regex::Captures,
    pub(super) regex: Arc<Regexp>,
}

impl Match {
    pub(super) fn group(&self, number: usize) -> Option<&str> {
        let (from, to) = self.captures.get(number)?;
        self.text.get(from..to)
    }

    pub(super) fn value(&self, number: usize) -> Value {
        self.group(number).map_or(Value::Nil, Value::text)
    }

    /// Returns the last of the groups with this name that took part.
    pub(super) fn named(&self, name: &str) -> Option<Value> {
        let regex = self.regex.regex().ok()?;
        let (_, numbers) = regex.group_names().iter().find(|(known, _)| known == name)?;
        let found = numbers.iter().rev().find_map(|number| self.group(*number));
        Some(found.map_or(Value::Nil, Value::text))
    }
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Value {
        Value::String(Rc::new(Text::new(text.into())))
    }

    pub(super) fn frozen_text(text: impl Into<String>) -> Value {
        let text = Text::new(text.into());
        text.frozen.set(true);
        Value::String(Rc::new(text))
    }

    pub(super) fn symbol(name: &str) -> Value {
        Value::Symbol(name.into())
    }

    pub(super) fn array(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(List::from_values(items)))
    }

    pub(super) fn pair(first: Value, second: Value) -> Value {
        Value::array(vec![first, second])
    }

    pub(super) fn hash(table: Table) -> Value {
        Value::Hash(Rc::new(table))
    }

    pub(super) fn big(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Rc::new(value)),
        }
    }

    pub(super) fn object(class: Class, data: Data) -> Value {
        let within = match &data {
            Data::Match(found) => found.text.len(),
            Data::Pathname(path) => path.len(),
            Data::Rational(value) => value.bytes(),
            Data::Random(_) => size_of::<super::classes::Generator>(),
            _ => 0,
        };
        Value::Object(Rc::new(Object {
            class,
            singleton: Cell::new(None),
            variables: RefCell::default(),
            data: RefCell::new(data),
            frozen: Cell::new(false),
            weight: Weight::from_bytes(4 * OBJECT + within),
        }))
    }

    pub(super) fn native_block(block: impl Fn(&mut Interp<'_>, &[Value]) -> Flow + 'static) -> Value {
        Value::Proc(Rc::new(Proc { tag: 0, kind: ProcKind::Native(Rc::new(block)), is_lambda: false }))
    }

    /// Where the class is kept that one object alone has; `None`: of such a value it is not known which one it is.
    pub(super) fn singleton(&self) -> Option<&Cell<Option<Class>>> {
        match self {
            Value::Object(object) => Some(&object.singleton),
            Value::Array(list) => Some(&list.singleton),
            Value::Hash(table) => Some(&table.singleton),
            _ => None,
        }
    }

    pub(super) fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    pub(super) fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Returns true if both are the same object.
    pub(super) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Symbol(a), Value::Symbol(b)) => a == b,
            (Value::Class(a), Value::Class(b)) => a == b,
            (Value::String(a), Value::String(b)) => Rc::ptr_eq(a, b),
            (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
            (Value::Hash(a), Value::Hash(b)) => Rc::ptr_eq(a, b),
            (Value::Range(a), Value::Range(b)) => Rc::ptr_eq(a, b),
            (Value::Proc(a), Value::Proc(b)) => Rc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b),
            (Value::Foreign(a), Value::Foreign(b)) => Rc::ptr_eq(a, b),
            (Value::Regex(a), Value::Regex(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// A number that says who it is: `object_id`, for as long as it lives.
    pub(super) fn identity(&self) -> usize {
        match self {
            Value::String(it) => Rc::as_ptr(it) as usize,
            Value::Array(it) => Rc::as_ptr(it) as usize,
            Value::Hash(it) => Rc::as_ptr(it) as usize,
            Value::Object(it) => Rc::as_ptr(it) as usize,
            Value::Proc(it) => Rc::as_ptr(it) as usize,
            _ => 0,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Value {
        Value::Int(value as i64)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::text(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::text(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::array(items)
    }
}

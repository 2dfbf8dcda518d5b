//! `Init[T, args…]`: what `T.new(value, args…)` can be asked to make a `T` of.

use std::sync::{Arc, LazyLock};

use super::constructor::{Constructor, form};
use super::shapes::*;
use super::{Maker, new_instance};
use crate::signature::Signature;
use crate::types::{InitType, Size, TupleType, Type};
use crate::{Fault, Resolve, Value};

/// Of `Init[T]`: an array is taken for the arguments.
static WITHOUT_ARGS: LazyLock<Constructor> =
    LazyLock::new(|| Constructor::new("new_Init", [form([("value", any_array())]), form([("value", Type::Any)])]));

/// Of `Init[T, args…]`.
static WITH_ARGS: LazyLock<Constructor> =
    LazyLock::new(|| Constructor::new("new_Init", [form([("value", Type::Any)])]));

/// A type with what its constructor takes.
pub(super) struct Convertible<'a> {
    target: &'a Type,
    args: &'a [Value],
    /// The type itself, and those of which one argument is enough.
    single: Type,
    /// The other lists of arguments, as tuples.
    several: Option<Type>,
    /// Whether one of those lists may consist of one argument.
    may_be_one: bool,
}

impl<'a> Convertible<'a> {
    /// `init` is the whole, for messages.
    pub(super) fn new(init: &Type, of: &'a Type, args: &'a [Value]) -> Result<Convertible<'a>, Fault> {
        // An Init of an Init would ask itself, and what else is kept out here has nothing of its own to make.
        let asks = |of: &Type| matches!(of, Type::Init(_) | Type::Optional(_) | Type::NotUndef(_));
        let maker = match of {
            of if asks(of) => None,
            // So does one of an alias that leads back to it.
            Type::Alias(alias) if asks(of.resolved()) && alias.is_recursive() => None,
            _ => Maker::from_type(of).ok(),
        };
        let maker = maker.ok_or_else(|| super::unsupported(of))?;
        let forms = &maker.constructor()?.forms;
        let mut single = vec![of.clone()];
        let mut several = Vec::new();
        for form in forms {
            let first = form.params.first().map(|param| param.param_type.clone());
            if !args.is_empty() {
                single.extend(first.filter(|first| takes_after(form, first, args)));
            } else if form.count() == Size::exactly(1) {
                single.extend(first);
            } else {
                several.push(form);
            }
        }
        if !args.is_empty() && single.len() == 1 {
            return Err(Fault::new(format!(
                "The type '{init}' does not represent a valid set of parameters for {}.new()",
                own_name(&of.generalize())
            )));
        }
        Ok(Convertible {
            target: of,
            args,
            single: Type::variant(single),
            may_be_one: several.iter().any(|form| form.count().min == 1),
            several: (!several.is_empty()).then(|| Type::variant(several.iter().map(|form| tuple_of(form)))),
        })
    }

    pub(super) fn constructor(&self) -> &'static Constructor {
        if self.args.is_empty() { &WITHOUT_ARGS } else { &WITH_ARGS }
    }

    pub(super) fn convert(&self, args: &[Value], names: &mut dyn Resolve) -> Result<Value, Fault> {
        let constructor = self.constructor();
        let form = constructor.choose(args)?;
        let value = args.first().unwrap_or(&Value::Undef);
        if !self.args.is_empty() {
            let all: Vec<Value> = std::iter::once(value).chain(self.args).cloned().collect();
            return new_instance(self.target, &all, names);
        }
        match value {
            // An array that one argument may be goes before the arguments it may hold.
            Value::Array(items) if form == 0 && !self.single.accepts(value)? => new_instance(self.target, items, names),
            _ => new_instance(self.target, std::slice::from_ref(value), names),
        }
    }

    fn accepts(&self, value: &Value) -> Result<bool, Fault> {
        if self.target.accepts(value)? || self.single.accepts(value)? {
            return Ok(true);
        }
        let Some(several) = &self.several else { return Ok(false) };
        Ok(several.accepts(value)? || self.may_be_one && several.accepts(&Value::array([value.clone()]))?)
    }

    /// Ruby has no answer where a type is none of those of which one argument is enough, and there are no others.
    fn assignable(&self, other: &Type) -> Option<bool> {
        if self.target.assignable(other) || self.single.assignable(other) {
            return Some(true);
        }
        let several = self.several.as_ref()?;
        Some(several.assignable(other) || self.may_be_one && several.assignable(&tuple(vec![other.clone()])))
    }
}

/// Returns a type as messages about its `new` call it: an object by its own name.
fn own_name(of: &Type) -> &str {
    let name = match of {
        Type::Object(class) => class.name.as_deref().and_then(|name| name.rsplit("::").next()),
        Type::Alias(alias) => Some(alias.name()),
        _ => None,
    };
    name.unwrap_or_else(|| of.simple_name())
}

/// Returns true if a form takes the arguments after a first one of its own type.
fn takes_after(form: &Signature, first: &Type, args: &[Value]) -> bool {
    let count = args.len() + 1;
    let given = std::iter::once(first.clone()).chain(args.iter().map(Type::infer)).collect();
    form.count().contains(count) && tuple_of(form).assignable(&tuple(given))
}

fn tuple_of(form: &Signature) -> Type {
    let types: Vec<Type> = form.params.iter().map(|param| param.param_type.clone()).collect();
    Type::Tuple(Arc::new(TupleType { types, size: Some(form.count()) }))
}

/// Returns true if a value is an instance of an `Init` type. Asking is an error where nothing can be made of the type.
pub fn init_accepts(init: &Arc<InitType>, value: &Value) -> Result<bool, Fault> {
    match &init.target {
        None => crate::types::rich_data().accepts(value),
        Some(of) => Convertible::new(&Type::Init(Some(init.clone())), of, &init.args)?.accepts(value),
    }
}

/// Whether another type than an `Init` fits an `Init` type, if Ruby has an answer.
pub fn init_assignable(init: &Arc<InitType>, other: &Type) -> Option<bool> {
    match &init.target {
        None => Some(crate::types::rich_data().assignable(other)),
        Some(of) => match Convertible::new(&Type::Init(Some(init.clone())), of, &init.args) {
            Ok(convertible) => convertible.assignable(other),
            Err(_) => Some(false),
        },
    }
}

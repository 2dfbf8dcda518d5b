//! The parameters of a lambda: its signature, and how arguments and defaults are bound.

use std::sync::Arc;

use pantin_values::signature::{ParamKind, Signature};
use pantin_values::types::Size;
use pantin_values::{Fault, Str, Type, Value, mismatch, signature};

use super::calls::Args;
use super::code::{Expr, Lambda, ParamType};
use super::issue;
use super::machine::Machine;
use super::stop::{Flow, Reason};
use super::variable_value::VariableValue;

impl Machine<'_> {
    /// Binds the parameters in the frame that was just entered; those without an argument get their defaults.
    pub(super) fn bind_params(
        &mut self,
        lambda: &Lambda,
        name: &str,
        mut args: impl Iterator<Item = Value>,
    ) -> Flow<()> {
        let mut defaulted = false;
        for (index, param) in lambda.params.iter().enumerate() {
            let value = if param.rest {
                let rest: Vec<Value> = args.by_ref().collect();
                match (&param.default, rest.as_slice()) {
                    (Some(default), [] | [Value::Undef]) => {
                        defaulted = true;
                        as_list(self.default_value(default)?)
                    }
                    _ => Value::Array(rest.into()),
                }
            } else {
                match (args.next(), &param.default) {
                    (Some(value), _) => value,
                    (None, Some(default)) => {
                        defaulted = true;
                        self.default_value(default)?
                    }
                    (None, None) => return Err(self.fail(issue::missing_required_parameter(&param.name), param.at)),
                }
            };
            *self.slot(index as u32) = Some(VariableValue::Value(value));
        }
        if defaulted {
            self.check_bound(lambda, name)?;
        }
        lambda.check_names()
    }

    /// Checks the bound parameters: a default is checked like an argument.
    pub(super) fn check_bound(&mut self, lambda: &Lambda, name: &str) -> Flow<()> {
        let signature = self.signature(lambda)?;
        let mut bound = Args::new();
        for (index, param) in lambda.params.iter().enumerate() {
            match self.slot(index as u32).clone() {
                Some(VariableValue::Value(Value::Array(items))) if param.rest => bound.extend(items.iter().cloned()),
                Some(VariableValue::Value(value)) => bound.push(value),
                _ => bound.push(Value::Undef),
            }
        }
        if signature.check(&bound, None)? {
            return Ok(());
        }
        Err(mismatch::call_fault(name, std::slice::from_ref(&*signature), &bound, None).into())
    }

    /// Evaluates a default. It sees what matched around it; what matches in it is its own.
    pub(super) fn default_value(&mut self, default: &Expr) -> Flow {
        let matched = self.matched.clone();
        let result = self.value(default);
        self.matched = matched;
        // A look ahead is the error of the call, not of the expression that looked.
        result.map_err(|stop| match *stop.0 {
            Reason::TooEarly(fault) => fault.into(),
            other => other.into(),
        })
    }

    /// Checks the value that a lambda returns against its written type.
    pub(super) fn check_returned(&mut self, returns: &ParamType, value: &Value) -> Flow<()> {
        let computed;
        let of = match returns {
            ParamType::Fixed(of) => of,
            returns => {
                computed = self.param_type(returns)?;
                &computed
            }
        };
        Ok(mismatch::assert_instance(format_args!("value returned from lambda"), of, value)?)
    }

    /// Returns the written type of a parameter, evaluated where it is not a literal.
    pub(super) fn param_type(&mut self, of: &ParamType) -> Flow<Type> {
        match of {
            ParamType::Fixed(of) => Ok(of.clone()),
            ParamType::Computed(expr) => match self.value(expr)? {
                Value::Type(of) => Ok(of),
                other => Err(Fault::new(format!("{} is not a type", Type::infer(&other))).into()),
            },
        }
    }

    /// Returns the signature of a lambda. One whose types are literals is made once.
    pub(super) fn signature(&mut self, lambda: &Lambda) -> Flow<Arc<Signature>> {
        if let Some(known) = lambda.signature.get() {
            return Ok(known.clone());
        }
        let address = std::ptr::from_ref(lambda) as usize;
        if let Some(known) = self.signatures.get(&address) {
            return Ok(known.clone());
        }
        let made = Arc::new(self.make_signature(lambda)?);
        let types = lambda.params.iter().map(|param| &param.param_type).chain([&lambda.returns]);
        let is_fixed = types.flatten().all(|of| matches!(of, ParamType::Fixed(_)));
        if is_fixed {
            return Ok(lambda.signature.get_or_init(|| made).clone());
        }
        self.signatures.insert(address, made.clone());
        Ok(made)
    }

    fn make_signature(&mut self, lambda: &Lambda) -> Flow<Signature> {
        let mut params = Vec::with_capacity(lambda.params.len());
        let mut optional = false;
        for param in &lambda.params {
            let of = match &param.param_type {
                Some(of) => self.param_type(of)?,
                None => Type::Any,
            };
            let kind = match (&of, &param.default, param.rest) {
                // `Array[Integer, 1, 2] *$x` says of what, and how many.
                (Type::Array(array), _, true) if array.size.min > 0 => ParamKind::Required,
                (_, _, true) => ParamKind::Repeated,
                (_, Some(_), false) => ParamKind::Optional,
                (_, None, false) => ParamKind::Required,
            };
            if matches!(kind, ParamKind::Optional | ParamKind::Repeated) {
                optional = true;
            } else if optional {
                return Err(self.fail(issue::required_after_optional(&param.name), param.at));
            }
            match of {
                Type::Array(array) if param.rest => {
                    push_captured(&mut params, &param.name, &array.element, array.size);
                }
                of => params.push(signature::Param { name: param.name.clone(), param_type: of, kind }),
            }
        }
        // What is wrong with the type of the result is told before anything is said of the arguments.
        if let Some(returns) = &lambda.returns {
            self.param_type(returns)?;
        }
        Ok(Signature { params, block: None })
    }
}

fn as_list(value: Value) -> Value {
    match value {
        Value::Array(_) => value,
        other => Value::array([other]),
    }
}

/// More captured arguments than these are not counted one by one.
const COUNTED_CAPTURES: u64 = 10_000;

/// The parameters that stand for captured arguments of a certain number.
fn push_captured(params: &mut Vec<signature::Param>, name: &Str, of: &Type, size: Size) {
    let mut push = |kind| params.push(signature::Param { name: name.clone(), param_type: of.clone(), kind });
    let needed = size.min.min(COUNTED_CAPTURES);
    if size.max > COUNTED_CAPTURES {
        (1..needed).for_each(|_| push(ParamKind::Required));
        push(if needed > 0 { ParamKind::RequiredRepeated } else { ParamKind::Repeated });
    } else {
        (0..needed).for_each(|_| push(ParamKind::Required));
        (needed..size.max).for_each(|_| push(ParamKind::Optional));
    }
}

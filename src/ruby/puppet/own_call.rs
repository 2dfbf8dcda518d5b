//! Functions of the newer kind that have a method `call` of their own: around the choice of a way to call them, or in its
//! place.

use std::rc::Rc;

use super::function::Declaration;
use crate::class::Core;
use crate::interp::{Args, CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::outside::{Trouble, TroubleKind};
use crate::stop::Flow;
use crate::value::{Data, ProcKind, Value};

pub(super) const TABLES: [Table; 3] = [
    (Core::PuppetFunction, Side::Class, &[method("dispatcher", 0, 0, dispatcher)]),
    (Core::PuppetFunction, Side::Instance, &[method("call", 1, ANY, called_by_super)]),
    (Core::PuppetDispatcher, Side::Instance, DISPATCHER),
];

const DISPATCHER: &[NativeMethod] =
    &[method("dispatch", 3, 3, called_by_dispatcher), method("method_missing", 1, ANY, super::catalog::lacking)];

/// What `super` of such a method does.
fn called_by_super(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Some((scope, args)) = given.args.split_first() else { return Ok(Value::Nil) };
    interp.dispatched(given.receiver, scope, args, given.block)
}

/// `self.class.dispatcher`
fn dispatcher(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
    match &interp.declared.called {
        Some(called) if called.name == interp.classes.name(*class) => {
            Ok(Value::object(Core::PuppetDispatcher.class(), Data::None))
        }
        _ => interp.unsupported("the dispatcher of a function that has no method call of its own"),
    }
}

/// `dispatcher.dispatch(function, scope, args)`
fn called_by_dispatcher(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let args = interp.items(given.arg(2))?;
    interp.dispatched(given.arg(0), given.arg(1), &args, given.block)
}

impl Interp<'_> {
    /// Calls a function by its own method `call`, which is given the scope of who calls. It may take anything, and give it.
    pub(super) fn call_by_own(
        &mut self,
        declaration: Declaration,
        instance: &Value,
        args: Vec<Value>,
    ) -> Flow<pantin_values::Value> {
        self.declared.called = Some(Rc::new(declaration));
        let mut values = vec![Value::object(Core::PuppetScope.class(), Data::Scope)];
        values.extend(args);
        let block = self.caller_lambda();
        let result = self.call(instance, "call", Args::from_values(values), block.as_ref(), None, true, false)?;
        self.value_to_outside(&result)
    }

    /// Has the way run that takes these arguments.
    fn dispatched(&mut self, instance: &Value, scope: &Value, args: &[Value], block: Option<&Value>) -> Flow {
        let Some(declaration) = self.declared.called.clone() else {
            return self.unsupported("the method call of a function that has none of its own");
        };
        if self.class_name_of(instance) != declaration.name {
            return self.unsupported("a dispatcher of another function");
        }
        match block {
            None => {}
            Some(Value::Proc(block)) if matches!(block.kind, ProcKind::Outside) => {}
            Some(_) => {
                return self.unsupported("a block of Ruby that a function is called with by its own method call");
            }
        }
        let told: Vec<pantin_values::Value> =
            args.iter().map(|arg| self.argument_for_types(&declaration, arg)).collect::<Flow<_>>()?;
        let chosen = self.outside.choose(&declaration, &told, block.is_some());
        let chosen = self.outside(chosen.map_err(as_argument_error))?;
        let dispatch = &declaration.dispatches[chosen.min(declaration.dispatches.len() - 1)];
        let values = dispatch.woven(args.to_vec(), scope);
        let result = self.call(instance, &dispatch.method, Args::from_values(values), block, None, true, false)?;
        let value = self.value_to_outside(&result)?;
        let checked = self.outside.check_result(&declaration, chosen, &value);
        self.outside(if dispatch.explains { checked.map_err(as_argument_error) } else { checked })?;
        Ok(result)
    }

    /// Returns an argument as the types of parameters see it. A scope is an object of Ruby's to them, of which they
    /// know nothing else: so a symbol stands in for it, which is one, too.
    fn argument_for_types(&mut self, declaration: &Declaration, arg: &Value) -> Flow<pantin_values::Value> {
        if !self.is_a(arg, Core::PuppetScope.class()) {
            return self.leaving(arg);
        }
        let mut types = declaration.dispatches.iter().flat_map(|dispatch| &dispatch.params);
        if types.any(|param| param.type_text.as_ref().is_some_and(|of| of.contains("Runtime"))) {
            return self.unsupported("a scope where a type Runtime is among those of parameters");
        }
        Ok(pantin_values::Value::Symbol("scope".into()))
    }
}

fn as_argument_error(trouble: Trouble) -> Trouble {
    match trouble.kind {
        TroubleKind::Parse => Trouble { kind: TroubleKind::Argument, ..trouble },
        TroubleKind::Argument | TroubleKind::Fatal | TroubleKind::Refused => trouble,
    }
}

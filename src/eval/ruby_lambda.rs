//! Lambdas whose code runs elsewhere: blocks that a Ruby of the person's own hands to functions of Puppet's.

use std::sync::{Arc, OnceLock};

use pantin_model::trace::UNNAMED;
use pantin_ruby::RubyBlock;
use pantin_values::{Str, Value};

use super::calls::{Args, Caller};
use super::code::{Expr, ExprKind, Lambda, Param};
use super::invocation::{Block, Invocation};
use super::machine::Machine;
use super::ruby::World;
use super::ruby_calls::stop_of_ruby;
use super::stop::Flow;
use super::variable_value::VariableValue;

/// What such a lambda runs.
#[derive(Debug)]
pub struct RubyLambda {
    block: Arc<dyn RubyBlock>,
    /// Whether the last parameter takes all that is left.
    has_rest: bool,
}

/// As many parameters as the block has, without types.
/// `at`: the call that it is given to.
fn lambda(block: Arc<dyn RubyBlock>, at: u32) -> Lambda {
    let arity = block.arity();
    let has_rest = arity < 0;
    // Ruby counts those before the rest as -1, -2 …
    let before = usize::try_from(if has_rest { -(arity + 1) } else { arity }).unwrap_or_default();
    let param = |index: usize| Param {
        at,
        name: format!("p{index}").into(),
        param_type: None,
        default: None,
        rest: has_rest && index == before,
    };
    let params: Box<[Param]> = (0..before + usize::from(has_rest)).map(param).collect();
    Lambda {
        number: UNNAMED,
        slots: params.iter().map(|param| param.name.clone()).collect::<Vec<Str>>().into(),
        params,
        returns: None,
        body: Expr { at, kind: ExprKind::Elsewhere(Box::new(RubyLambda { block, has_rest })) },
        signature: OnceLock::new(),
        is_plain: !has_rest,
        may_clash: false,
        is_read: Box::default(),
        may_break: false,
        callable: OnceLock::new(),
        declared: OnceLock::new(),
        positions: OnceLock::new(),
    }
}

impl Invocation<'_, '_> {
    /// Calls a function with a block that runs elsewhere.
    pub(super) fn call_with_block_elsewhere(&mut self, name: &str, args: Args, block: Arc<dyn RubyBlock>) -> Flow {
        let lambda = lambda(block, self.at);
        let block = Block { lambda: &lambda, frame: self.machine.frame };
        let caller = Caller { block: Some(block), at: self.at, locals: self.locals() };
        self.machine.call_by_name(name, args, caller)
    }
}

impl Machine<'_> {
    /// Runs such a lambda with what its parameters hold.
    pub(super) fn run_elsewhere(&mut self, elsewhere: &RubyLambda, at: u32) -> Flow {
        let base = self.frames[self.frame].base;
        let held = self.slots[base..].iter().map(|slot| match slot {
            Some(VariableValue::Value(value)) => value.clone(),
            _ => Value::Undef,
        });
        let mut values: Vec<Value> = held.collect();
        if elsewhere.has_rest
            && let Some(Value::Array(rest)) = values.pop()
        {
            values.extend(rest.iter().cloned());
        }
        let locals = self.locals_here();
        let mut call = Invocation { machine: self, args: &mut Args::new(), block: None, name: "", at, locals: &locals };
        elsewhere.block.call(values, &mut World::for_block(&mut call)).map_err(stop_of_ruby)
    }
}

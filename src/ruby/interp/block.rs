//! Blocks and parameters, with Ruby's rules of how arguments are spread over them.

use std::cell::Cell;
use std::rc::Rc;

use super::call::expected;
use super::{Args, Context, Env, Frame, Interp, Nesting};
use crate::pcore::Str;
use crate::ruby::class::{Class, Core};
use crate::ruby::code::{Code, Params, Target};
use crate::ruby::stop::{Flow, Stop};
use crate::ruby::table::Table;
use crate::ruby::value::{Proc, ProcKind, Value};

impl Interp<'_> {
    /// Calls a block with values, as `yield` does.
    pub(in crate::ruby) fn yield_to(&mut self, block: &Value, values: &[Value]) -> Flow {
        let result = self.call_block_args(block, Args { values: values.to_vec(), keywords: false })?;
        self.settle(result)
    }

    /// The same for one value.
    pub(in crate::ruby) fn yield_one(&mut self, block: &Value, value: Value) -> Flow {
        let result = self.call_block_args(block, Args { values: vec![value], keywords: false })?;
        self.settle(result)
    }

    pub(super) fn call_block_args(&mut self, block: &Value, args: Args) -> Flow {
        self.step()?;
        let block = self.proc_of(block)?;
        self.call_proc_as(&block, args, None, None, None)
    }

    /// Calls a block, on request for another self, or as the body of a method.
    pub(in crate::ruby) fn call_proc_as(
        &mut self,
        block: &Rc<Proc>,
        mut args: Args,
        passed: Option<&Value>,
        self_value: Option<&Value>,
        method: Option<(Str, Class)>,
    ) -> Flow {
        match &block.kind {
            ProcKind::Code { code, frame } => {
                let (code, outer) = (code.clone(), frame.clone());
                self.deeper(|interp| interp.run_block(block, &code, &outer, args, passed, self_value, method))
            }
            ProcKind::Symbol(name) => {
                if args.values.is_empty() {
                    return self.raise(Core::ArgumentError, "no receiver given");
                }
                let receiver = args.values.remove(0);
                self.call(&receiver, name, args, passed, None, false, false)
            }
            ProcKind::Method { receiver, name } => self.call(receiver, name, args, passed, None, true, false),
            ProcKind::Native(run) => {
                let run = run.clone();
                self.settle_all(&mut args.values)?;
                run(self, &args.values)
            }
            ProcKind::Outside => self.call_outside_block(args.values),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a block is called in so many ways")]
    fn run_block(
        &mut self,
        block: &Proc,
        code: &Code,
        outer: &Frame,
        args: Args,
        passed: Option<&Value>,
        self_value: Option<&Value>,
        method: Option<(Str, Class)>,
    ) -> Flow {
        let strict = block.is_lambda || method.is_some();
        let context = if strict || self_value.is_some() {
            self.context_for(outer, &args, strict, self_value, method)
        } else {
            outer.context.clone()
        };
        let frame = Frame { env: Env::new(code.slots, Some(outer.env.clone())), context };
        let caller = (self.script.clone(), self.at);
        if strict {
            self.bind_method(&code.params, args, passed, &frame)?;
        } else {
            self.bind_block(&code.params, args, passed, &frame)?;
        }
        self.script = frame.context.script.clone();
        let result = self.expr(&code.body, &frame);
        let result = match result.map_err(|stop| *stop) {
            Err(Stop::Next(value)) => Ok(value),
            Err(Stop::Break(0, value)) if block.is_lambda => Ok(value),
            Err(Stop::Break(0, value)) => Err(Box::new(Stop::Break(block.tag, value))),
            Err(Stop::Return(tag, value)) if strict && tag == frame.context.tag => Ok(value),
            Err(stop) => Err(Box::new(stop)),
            Ok(value) => Ok(value),
        };
        if result.is_ok() {
            (self.script, self.at) = caller;
        }
        result
    }

    fn context_for(
        &mut self,
        outer: &Frame,
        args: &Args,
        strict: bool,
        self_value: Option<&Value>,
        method: Option<(Str, Class)>,
    ) -> Rc<Context> {
        let around = &outer.context;
        let nesting = match self_value {
            // What is defined in a block for a class becomes the class's.
            Some(Value::Class(class)) => Nesting::of_block(around.nesting.clone(), *class),
            _ => around.nesting.clone(),
        };
        Rc::new(Context {
            self_value: self_value.unwrap_or(&around.self_value).clone(),
            args: if method.is_some() { args.clone() } else { around.args.clone() },
            method: method.or_else(|| around.method.clone()),
            block: around.block.clone(),
            nesting,
            script: around.script.clone(),
            tag: if strict { self.tag() } else { around.tag },
            matched: around.matched.clone(),
            private: Cell::new(false),
            module_function: Cell::new(false),
        })
    }

    // ---- parameters ----

    /// As methods and lambdas take arguments: their number has to be right.
    pub(super) fn bind_method(
        &mut self,
        params: &Params,
        mut args: Args,
        block: Option<&Value>,
        frame: &Frame,
    ) -> Flow<()> {
        let keywords = self.take_keywords(params, &mut args)?;
        let (least, most) = params.arity();
        let given = args.values.len();
        if given < least || most.is_some_and(|most| given > most) {
            let message = format!("wrong number of arguments (given {given}, expected {})", expected(least, most));
            return self.raise(Core::ArgumentError, message);
        }
        self.bind(params, args.values, keywords, block, frame)
    }

    /// As blocks take arguments: what is missing is nil, what is too much is dropped, and one array is spread.
    fn bind_block(&mut self, params: &Params, mut args: Args, block: Option<&Value>, frame: &Frame) -> Flow<()> {
        // The ways that nearly every block goes.
        if let ([Target::Local(0, slot)], [], []) = (&*params.required, &*params.optional, &*params.posts)
            && params.rest.is_none()
            && !params.trailing_comma
            && !params.takes_keywords()
            && params.block.is_none()
        {
            let first = if args.values.is_empty() { Value::Nil } else { args.values.swap_remove(0) };
            frame.env.set(0, *slot, first);
            return Ok(());
        }
        let keywords = self.take_keywords(params, &mut args)?;
        let places = params.required.len() + params.optional.len() + params.posts.len();
        let spreads = places > 1 || params.trailing_comma || (places > 0 && params.rest.is_some());
        if spreads && args.values.len() == 1 {
            let only = self.settle(args.values[0].clone())?;
            args.values = match &only {
                Value::Array(list) => list.items.borrow().clone(),
                _ => vec![only],
            };
        }
        let (least, most) = params.arity();
        if args.values.len() < least {
            args.values.resize(least, Value::Nil);
        }
        if let Some(most) = most {
            args.values.truncate(most);
        }
        self.bind(params, args.values, keywords, block, frame)
    }

    fn take_keywords(&mut self, params: &Params, args: &mut Args) -> Flow<Option<Value>> {
        if !params.takes_keywords() || !args.keywords {
            return Ok(None);
        }
        Ok(args.values.pop())
    }

    fn bind(
        &mut self,
        params: &Params,
        values: Vec<Value>,
        keywords: Option<Value>,
        block: Option<&Value>,
        frame: &Frame,
    ) -> Flow<()> {
        let mut optional = values.len().saturating_sub(params.required.len() + params.posts.len());
        let mut rest = optional.saturating_sub(params.optional.len());
        let mut values = values.into_iter();
        for target in &params.required {
            self.assign_value(target, values.next().unwrap_or_default(), frame)?;
        }
        for (slot, default) in &params.optional {
            let value = if optional > 0 {
                optional -= 1;
                values.next().unwrap_or_default()
            } else {
                self.expr(default, frame)?
            };
            frame.env.set(0, *slot, value);
        }
        let mut remaining = Vec::new();
        while rest > 0 {
            rest -= 1;
            remaining.push(self.settle(values.next().unwrap_or_default())?);
        }
        if let Some(Some(slot)) = params.rest {
            frame.env.set(0, slot, Value::array(remaining));
        }
        for target in &params.posts {
            self.assign_value(target, values.next().unwrap_or_default(), frame)?;
        }
        if params.takes_keywords() {
            self.bind_keywords(params, keywords, frame)?;
        }
        if let Some(slot) = params.block {
            frame.env.set(0, slot, block.cloned().unwrap_or_default());
        }
        Ok(())
    }

    fn bind_keywords(&mut self, params: &Params, given: Option<Value>, frame: &Frame) -> Flow<()> {
        let given = match given {
            Some(Value::Hash(given)) => Table::of(given.pairs()),
            _ => Table::default(),
        };
        let mut missing = Vec::new();
        for keyword in &params.keywords {
            let value = match (given.remove(&Value::Symbol(keyword.name.clone())), &keyword.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.expr(default, frame)?,
                (None, None) => {
                    missing.push(format!(":{}", keyword.name));
                    Value::Nil
                }
            };
            frame.env.set(0, keyword.slot, value);
        }
        if !missing.is_empty() {
            let s = if missing.len() == 1 { "" } else { "s" };
            return self.raise(Core::ArgumentError, format!("missing keyword{s}: {}", missing.join(", ")));
        }
        match params.keyword_rest {
            Some(Some(slot)) => frame.env.set(0, slot, Value::hash(given)),
            Some(None) => {}
            None if given.len() > 0 => {
                let mut unknown = Vec::new();
                for key in given.keys() {
                    unknown.push(self.inspect(&key)?);
                }
                let s = if unknown.len() == 1 { "" } else { "s" };
                return self.raise(Core::ArgumentError, format!("unknown keyword{s}: {}", unknown.join(", ")));
            }
            None => {}
        }
        Ok(())
    }

    /// How many arguments a block takes, as `arity` counts them.
    pub(in crate::ruby) fn arity_of(&self, block: &Proc) -> i64 {
        match &block.kind {
            ProcKind::Code { code, .. } => {
                let (least, most) = code.params.arity();
                let is_fixed = most == Some(least) || (!block.is_lambda && params_are_plain(&code.params));
                if is_fixed { least as i64 } else { -(least as i64) - 1 }
            }
            ProcKind::Symbol(_) => -2,
            ProcKind::Outside => self.outside.block_arity(),
            _ => -1,
        }
    }
}

fn params_are_plain(params: &Params) -> bool {
    params.optional.is_empty() && params.rest.is_none()
}

//! Blocks and parameters, with Ruby's rules of how arguments are spread over them.

use std::cell::Cell;
use std::rc::Rc;

use pantin_values::Str;

use super::form::symbol_text;
use super::{Args, Context, Env, Frame, Interp, MethodKind, Nesting};
use crate::class::{Class, Core};
use crate::code::{Code, Keyword, Params, Rest, Target};
use crate::stop::{Flow, Stop};
use crate::table::Table;
use crate::value::{Proc, ProcKind, Value};

impl Interp<'_> {
    /// Calls a block with values, as `yield` does.
    pub(crate) fn yield_to(&mut self, block: &Value, values: &[Value]) -> Flow {
        let result = self.call_block_args(block, Args::from_values(values.to_vec()))?;
        self.settle(result)
    }

    /// The same for one value.
    pub(crate) fn yield_one(&mut self, block: &Value, value: Value) -> Flow {
        let result = self.call_block_args(block, Args::from_values(vec![value]))?;
        self.settle(result)
    }

    pub(super) fn call_block_args(&mut self, block: &Value, args: Args) -> Flow {
        self.step()?;
        let block = self.proc_of(block)?;
        self.call_proc_as(&block, args, None, None, None)
    }

    /// Calls a block, on request for another self, or as the body of a method.
    pub(crate) fn call_proc_as(
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
            ProcKind::Composed(first, second) => {
                let middle = self.call(first, "call", args, passed, None, true, false)?;
                self.send(second, "call", &[middle])
            }
            ProcKind::Curried { proc: of, given, count } => {
                let given = given.iter().cloned().chain(args.values).collect();
                self.curry(of, given, *count)
            }
            ProcKind::Outside => self.call_outside_block(args.values),
        }
    }

    /// Calls a block that has enough arguments, and keeps those of one that has not.
    pub(crate) fn curry(&mut self, of: &Rc<Proc>, given: Vec<Value>, count: usize) -> Flow {
        if given.len() >= count {
            return self.call_proc_as(of, Args::from_values(given), None, None, None);
        }
        let kind = ProcKind::Curried { proc: of.clone(), given, count };
        Ok(Value::Proc(Rc::new(Proc { tag: 0, kind, is_lambda: of.is_lambda })))
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
            self.context_for(outer, strict, self_value, method)
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
            self.back_to(caller);
        }
        result
    }

    fn context_for(
        &mut self,
        outer: &Frame,
        strict: bool,
        self_value: Option<&Value>,
        method: Option<(Str, Class)>,
    ) -> Rc<Context> {
        let around = &outer.context;
        let nesting = match self_value {
            // What is defined in a block for a class becomes the class's.
            Some(Value::Class(class)) => Nesting::in_block(around.nesting.clone(), *class),
            _ => around.nesting.clone(),
        };
        Rc::new(Context {
            self_value: self_value.unwrap_or(&around.self_value).clone(),
            method: method.or_else(|| around.method.clone()),
            block: around.block.clone(),
            nesting,
            script: around.script.clone(),
            tag: if strict { self.tag() } else { around.tag },
            matched: around.matched.clone(),
            visibility: Cell::default(),
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
        self.check_argument_count(args.values.len(), least, most, &required_keywords(params))?;
        self.bind(params, args.values, keywords, block, frame)
    }

    /// As blocks take arguments: what is missing is nil, what is too much is dropped, and one array is spread.
    fn bind_block(&mut self, params: &Params, mut args: Args, block: Option<&Value>, frame: &Frame) -> Flow<()> {
        // The ways that nearly every block goes.
        if let ([Target::Local(0, slot)], [], []) = (&*params.required, &*params.optional, &*params.posts)
            && params.rest.is_absent()
            && !params.trailing_comma
            && !params.takes_keywords()
            && !params.no_keywords
            && params.block.is_none()
        {
            let first = if args.values.is_empty() { Value::Nil } else { args.values.swap_remove(0) };
            frame.env.set(0, *slot, first);
            return Ok(());
        }
        let had_keywords = args.keywords;
        let keywords = self.take_keywords(params, &mut args)?;
        let needed = params.required.len() + params.posts.len();
        let is_one_alone = needed == 1
            && params.optional.is_empty()
            && params.rest.is_absent()
            && !params.trailing_comma
            && !params.takes_keywords();
        // Where keywords were handed on, though none, only what is nothing but needed parameters spreads an array.
        let is_simple = params.optional.is_empty()
            && params.posts.is_empty()
            && params.rest.is_absent()
            && params.block.is_none()
            && !params.takes_keywords()
            && !params.no_keywords;
        let spreads = !had_keywords
            && (is_simple || !args.no_keywords)
            && ((needed > 0 && !is_one_alone) || params.optional.len() > 1 || params.trailing_comma);
        if spreads && args.values.len() == 1 {
            let only = self.settle(args.values[0].clone())?;
            args.values = self.as_array(&only)?.unwrap_or_else(|| vec![only]);
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
        if params.no_keywords && args.keywords {
            return self.raise(Core::ArgumentError, "no keywords accepted");
        }
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
        let keywords = if params.takes_keywords() { self.check_keywords(params, keywords)? } else { Table::default() };
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
        if let Rest::Slot(slot) = params.rest {
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

    /// The keywords of a call, if there are all that have to be and no others; before anything is bound.
    fn check_keywords(&mut self, params: &Params, given: Option<Value>) -> Flow<Table> {
        let given = match given {
            Some(Value::Hash(given)) => Table::from_pairs(given.pairs()),
            _ => Table::default(),
        };
        let is_given = |keyword: &Keyword| given.contains(&Value::Symbol(keyword.name.clone()));
        let missing = params.keywords.iter().filter(|keyword| keyword.default.is_none() && !is_given(keyword));
        let missing: Vec<String> = missing.map(|keyword| symbol_text(&keyword.name)).collect();
        if !missing.is_empty() {
            let s = if missing.len() == 1 { "" } else { "s" };
            return self.raise(Core::ArgumentError, format!("missing keyword{s}: {}", missing.join(", ")));
        }
        if params.keyword_rest.is_absent() {
            let is_known = |key: &Value| {
                params.keywords.iter().any(|known| matches!(key, Value::Symbol(key) if *key == known.name))
            };
            let mut unknown = Vec::new();
            for key in given.keys().iter().filter(|key| !is_known(key)) {
                unknown.push(self.inspect(key)?);
            }
            if !unknown.is_empty() {
                let s = if unknown.len() == 1 { "" } else { "s" };
                return self.raise(Core::ArgumentError, format!("unknown keyword{s}: {}", unknown.join(", ")));
            }
        }
        Ok(given)
    }

    fn bind_keywords(&mut self, params: &Params, given: Table, frame: &Frame) -> Flow<()> {
        for keyword in &params.keywords {
            let value = match (given.remove(&Value::Symbol(keyword.name.clone())), &keyword.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.expr(default, frame)?,
                (None, None) => Value::Nil,
            };
            frame.env.set(0, keyword.slot, value);
        }
        if let Rest::Slot(slot) = params.keyword_rest {
            frame.env.set(0, slot, Value::hash(given));
        }
        Ok(())
    }

    /// Returns how many arguments a block takes at least and at most; one more where keywords are needed, or may be
    /// given.
    pub(crate) fn argument_bounds(&self, block: &Proc) -> (usize, Option<usize>) {
        match &block.kind {
            ProcKind::Code { code, .. } => bounds(&code.params),
            ProcKind::Symbol(_) => (1, None),
            ProcKind::Method { receiver, name } => self.bounds_of_method(receiver, name),
            ProcKind::Composed(first, _) => match first {
                Value::Proc(first) => self.argument_bounds(first),
                _ => (0, None),
            },
            ProcKind::Curried { .. } | ProcKind::Native(_) | ProcKind::Outside => (0, None),
        }
    }

    /// Returns how many it takes at least.
    pub(crate) fn least_arguments(&mut self, block: &Value) -> Flow<usize> {
        let block = self.proc_of(block)?;
        Ok(self.argument_bounds(&block).0)
    }

    fn bounds_of_method(&self, receiver: &Value, name: &str) -> (usize, Option<usize>) {
        match self.method_of(receiver, name).as_deref().map(|method| &method.kind) {
            Some(MethodKind::Code { code, .. }) => bounds(&code.params),
            Some(MethodKind::Proc(body)) => self.argument_bounds(body),
            Some(MethodKind::Reader(_)) => (0, Some(0)),
            Some(MethodKind::Writer(_)) => (1, Some(1)),
            Some(MethodKind::Native(native)) if native.min_args == native.max_args => {
                (native.min_args.into(), Some(native.max_args.into()))
            }
            _ => (0, None),
        }
    }

    /// Returns how many arguments a block takes, as `arity` counts them.
    pub(crate) fn arity_of(&self, block: &Proc) -> i64 {
        if let ProcKind::Outside = block.kind {
            return self.outside.block_arity();
        }
        let (least, most) = self.argument_bounds(block);
        let is_fixed = if block.is_lambda { most == Some(least) } else { most.is_some() };
        if is_fixed { least as i64 } else { -(least as i64) - 1 }
    }
}

impl Interp<'_> {
    /// What `parameters` says of a proc or method: `[[:req, :a], [:rest]]`.
    pub(crate) fn parameters_of(&mut self, block: &Proc) -> Flow {
        match &block.kind {
            ProcKind::Code { code, .. } => Ok(described(&code.params, block.is_lambda)),
            ProcKind::Symbol(_) => Ok(described_as(&["req", "rest"])),
            ProcKind::Method { receiver, name } => match self.method_of(receiver, name).as_deref().map(|it| &it.kind) {
                Some(MethodKind::Code { code, .. }) => Ok(described(&code.params, true)),
                Some(MethodKind::Proc(body)) => match &body.kind {
                    ProcKind::Code { code, .. } => Ok(described(&code.params, true)),
                    _ => self.parameters_of(&body.clone()),
                },
                Some(MethodKind::Reader(_)) => Ok(described_as(&[])),
                Some(MethodKind::Writer(_)) => Ok(described_as(&["req"])),
                Some(MethodKind::Native(native)) if native.min_args == native.max_args => {
                    Ok(described_as(&vec!["req"; native.min_args.into()]))
                }
                _ => Ok(described_as(&["rest"])),
            },
            ProcKind::Composed(..) | ProcKind::Curried { .. } | ProcKind::Native(_) => Ok(described_as(&["rest"])),
            ProcKind::Outside => self.unsupported("parameters of a lambda of Puppet code"),
        }
    }
}

fn described_as(kinds: &[&str]) -> Value {
    Value::array(kinds.iter().map(|kind| Value::array(vec![Value::symbol(kind)])).collect())
}

/// A block that is no lambda can do without what it names. What it takes apart has no name: it shows as nil there.
fn described(params: &Params, is_lambda: bool) -> Value {
    let one = |(kind, name): &(&str, Option<Str>)| {
        let is_required = *kind == "req";
        let kind = if is_required && !is_lambda { "opt" } else { kind };
        let mut parts = vec![Value::symbol(kind)];
        match name {
            Some(name) => parts.push(Value::symbol(name)),
            None if is_required && !is_lambda => parts.push(Value::Nil),
            None => {}
        }
        Value::array(parts)
    };
    Value::array(params.described.iter().map(one).collect())
}

fn bounds(params: &Params) -> (usize, Option<usize>) {
    let (least, most) = params.arity();
    let needs_keywords = params.keywords.iter().any(|keyword| keyword.default.is_none());
    (least + usize::from(needs_keywords), most.map(|most| most + usize::from(params.takes_keywords())))
}

/// Returns what an error about the number of arguments says of keywords that have to be given.
fn required_keywords(params: &Params) -> String {
    let names = params.keywords.iter().filter(|keyword| keyword.default.is_none());
    let names: Vec<&str> = names.map(|keyword| keyword.name.as_str()).collect();
    match names.len() {
        0 => String::new(),
        1 => format!("; required keyword: {}", names[0]),
        _ => format!("; required keywords: {}", names.join(", ")),
    }
}

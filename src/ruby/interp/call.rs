//! Calls: which method a name means, and how it gets its arguments.

use super::{Context, Env, Frame, Interp, Method, MethodKind, Visibility};
use crate::class::{Class, Core};
use crate::classes::{broken, extreme_of_written, in_bytes};
use crate::code::{BlockArg, Call, Expr, ExprKind};
use crate::native::{NativeMethod, Side};
use crate::stop::{Flow, Stop};
use crate::value::{Data, Proc, ProcKind, Value};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::budget;
use pantin_values::Str;

/// Arguments of a call. `keywords`: the last of them is a hash of keywords.
#[derive(Clone, Default)]
pub(crate) struct Args {
    pub(crate) values: Vec<Value>,
    pub(crate) keywords: bool,
    /// Keywords were handed on, and there were none.
    pub(crate) no_keywords: bool,
}

/// What a method that is built in is called with.
pub(crate) struct CallArguments<'a> {
    pub(crate) receiver: &'a Value,
    pub(crate) args: &'a [Value],
    /// The last of them is a hash of keywords.
    pub(crate) keywords: bool,
    pub(crate) no_keywords: bool,
    pub(crate) block: Option<&'a Value>,
    pub(crate) name: &'a str,
    /// The frame of the code that calls.
    pub(crate) frame: Option<&'a Frame>,
}

impl Args {
    /// Values alone: a hash at their end is a hash.
    pub(crate) fn from_values(values: Vec<Value>) -> Args {
        Args { values, ..Args::default() }
    }
}

impl CallArguments<'_> {
    /// Returns the arguments behind the first so many, to be handed on as they were given.
    pub(crate) fn rest(&self, from: usize) -> Args {
        let values = self.args.get(from..).unwrap_or_default().to_vec();
        Args { keywords: self.keywords && !values.is_empty(), values, no_keywords: self.no_keywords }
    }

    pub(crate) fn arg(&self, index: usize) -> &Value {
        self.args.get(index).unwrap_or(&Value::Nil)
    }
}

impl Interp<'_> {
    pub(super) fn call_expr(&mut self, call: &Call, at: u32, frame: &Frame) -> Flow {
        let receiver = match &call.receiver {
            Some(receiver) => self.expr(receiver, frame)?,
            None => frame.context.self_value.clone(),
        };
        if call.safe && receiver.is_nil() {
            return Ok(Value::Nil);
        }
        if let (Some(written), Value::Array(list)) = (&call.receiver, &receiver)
            && is_short_cut(call, written)
        {
            self.at = at;
            let items = list.items.borrow().clone();
            return extreme_of_written(self, items, &call.name);
        }
        if let [literal] = call.args.as_slice()
            && let ExprKind::FrozenString(literal) | ExprKind::String(literal) = &literal.kind
            && let Some(value) = self.with_literal(&receiver, &call.name, literal, at)?
        {
            return Ok(value);
        }
        let args = self.call_args(&call.args, frame)?;
        let block = self.block_value(&call.block, frame)?;
        self.at = at;
        let assigned = if call.assigns { args.values.last().cloned() } else { None };
        let own = call.receiver.as_ref().is_none_or(|receiver| matches!(receiver.kind, ExprKind::SelfValue));
        let result = self.call(&receiver, &call.name, args, block.as_ref(), Some(frame), own, call.bare);
        let result = match (&call.block, &block) {
            (BlockArg::Code(_), Some(Value::Proc(block))) => unbroken(result, block),
            _ => result,
        };
        result.map(|value| assigned.unwrap_or(value))
    }

    pub(super) fn call_args(&mut self, exprs: &[Expr], frame: &Frame) -> Flow<Args> {
        let mut args = Args { values: Vec::with_capacity(exprs.len()), ..Args::default() };
        for expr in exprs {
            match &expr.kind {
                ExprKind::Splat(inside) => {
                    let value = self.expr(inside, frame)?;
                    args.values.extend(self.splat(value)?);
                }
                ExprKind::Keywords(pairs) => {
                    let hash = self.hash_literal(pairs, frame)?;
                    // `**{}` hands on nothing.
                    args.no_keywords = matches!(&hash, Value::Hash(table) if table.len() == 0);
                    if !args.no_keywords {
                        args.values.push(hash);
                        args.keywords = true;
                    }
                }
                _ => args.values.push(self.expr(expr, frame)?),
            }
        }
        Ok(args)
    }

    /// Calls a method as code outside of an object does.
    pub(crate) fn send(&mut self, receiver: &Value, name: &str, args: &[Value]) -> Flow {
        self.send_with(receiver, name, args, None)
    }

    pub(crate) fn send_with(&mut self, receiver: &Value, name: &str, args: &[Value], block: Option<&Value>) -> Flow {
        self.call(receiver, name, Args::from_values(args.to_vec()), block, None, true, false)
    }

    #[allow(clippy::too_many_arguments, reason = "a call is made of so much")]
    pub(crate) fn call(
        &mut self,
        receiver: &Value,
        name: &str,
        args: Args,
        block: Option<&Value>,
        frame: Option<&Frame>,
        own: bool,
        bare: bool,
    ) -> Flow {
        self.step()?;
        if let Value::View(view) = receiver {
            return self.call_view(view, name, args, block, frame);
        }
        match self.method_of(receiver, name) {
            Some(method) if !own && !self.is_open(receiver, &method, frame) => {
                self.hidden(method.visibility, receiver, name, args, block)
            }
            Some(method) if !matches!(method.kind, MethodKind::Undefined) => {
                self.invoke(&method, receiver, args, block, frame, name)
            }
            None if !own && self.is_function_alone(receiver, name) => {
                self.hidden(Visibility::Private, receiver, name, args, block)
            }
            _ => self.missing(receiver, name, args, block, bare),
        }
    }

    /// Returns true if it is one of the functions that every object has for itself, `select` or `open`, and nothing
    /// else.
    fn is_function_alone(&self, receiver: &Value, name: &str) -> bool {
        if matches!(receiver, Value::Class(_)) || !self.tables.is_known(Core::Kernel.class(), Side::Class, name) {
            return false;
        }
        let ancestors = self.classes.ancestors(self.real_class_of(receiver));
        !ancestors.iter().any(|class| !class.is(Core::Kernel) && self.tables.is_known(*class, Side::Instance, name))
    }

    /// What templates do most of all: to add a text that is written out, to compare with one, to look one up. It does not
    /// become a value first.
    fn with_literal(&mut self, receiver: &Value, name: &str, literal: &str, at: u32) -> Flow<Option<Value>> {
        if self.classes.is_mixed() {
            return Ok(None);
        }
        self.at = at;
        let value = match (receiver, name) {
            (Value::String(text), "==") => Value::Bool(text.is_letters(literal)),
            (Value::String(text), "!=") => Value::Bool(!text.is_letters(literal)),
            (Value::String(text), "<<") if text.is_utf8() && !text.frozen.get() && !text.lent.get() => {
                text.push_str(literal);
                self.check_bytes(text.bytes().len())?;
                receiver.clone()
            }
            (Value::Hash(table), "[]") if table.is_plain() => table.get_text(literal).unwrap_or_default(),
            _ => return Ok(None),
        };
        self.step()?;
        Ok(Some(value))
    }

    /// Returns true if code that stands there may call the method of another object.
    pub(super) fn is_open(&self, receiver: &Value, method: &Method, frame: Option<&Frame>) -> bool {
        match (method.visibility, frame) {
            (Visibility::Public, _) => true,
            // `Kernel.format`: what all objects have for themselves it has for everybody.
            _ if matches!(receiver, Value::Class(class) if class.is(Core::Kernel)) && !method.is_own() => true,
            (Visibility::Protected(class), Some(frame)) => {
                let caller = &frame.context.self_value;
                // The methods of classes are those of the classes below as well.
                self.is_a(caller, class) || matches!(caller, Value::Class(own) if self.class_is_a(*own, class))
            }
            _ => false,
        }
    }

    /// A method is there, and is not for everybody.
    pub(crate) fn hidden(
        &mut self,
        visibility: Visibility,
        receiver: &Value,
        name: &str,
        args: Args,
        block: Option<&Value>,
    ) -> Flow {
        if let Some(method) = self.method_of(receiver, "method_missing") {
            return self.answer_for_missing(&method, receiver, name, args, block);
        }
        let what = if visibility == Visibility::Private { "private" } else { "protected" };
        let text = format!("{what} method `{name}' called for {}", self.describe_receiver(receiver)?);
        self.raise_no_method(Core::NoMethodError, text, receiver, name)
    }

    /// Runs a method that was found.
    fn invoke(
        &mut self,
        method: &Method,
        receiver: &Value,
        mut args: Args,
        block: Option<&Value>,
        frame: Option<&Frame>,
        name: &str,
    ) -> Flow {
        match &method.kind {
            MethodKind::Native(native) => self.call_native(native, receiver, args, block, frame, name),
            MethodKind::Code { .. } => self.call_code(method, receiver, args, block, name),
            MethodKind::Proc(body) => {
                let body = body.clone();
                self.settle_all(&mut args.values)?;
                self.call_proc_as(&body, args, block, Some(receiver), Some((name.into(), method.owner)))
            }
            MethodKind::Reader(variable) => {
                self.check_argument_count(args.values.len(), 0, Some(0), "")?;
                self.instance_variable(receiver, variable)
            }
            MethodKind::Writer(variable) => {
                self.check_argument_count(args.values.len(), 1, Some(1), "")?;
                let value = self.settle(args.values.pop().unwrap_or_default())?;
                self.set_instance_variable(receiver, variable, value.clone())?;
                Ok(value)
            }
            MethodKind::Undefined => self.missing(receiver, name, args, block, false),
        }
    }

    /// Whether there are as many arguments as there have to be; `more` stands at the end of the error.
    pub(crate) fn check_argument_count(
        &mut self,
        given: usize,
        least: usize,
        most: Option<usize>,
        more: &str,
    ) -> Flow<()> {
        if given >= least && most.is_none_or(|most| given <= most) {
            return Ok(());
        }
        let expected = expected(least, most);
        self.raise(Core::ArgumentError, format!("wrong number of arguments (given {given}, expected {expected}{more})"))
    }

    pub(super) fn call_native(
        &mut self,
        native: &NativeMethod,
        receiver: &Value,
        mut args: Args,
        block: Option<&Value>,
        frame: Option<&Frame>,
        name: &str,
    ) -> Flow {
        let most = (native.max_args != u8::MAX).then_some(native.max_args as usize);
        self.check_argument_count(args.values.len(), native.min_args as usize, most, "")?;
        self.settle_all(&mut args.values)?;
        let at = self.at;
        // Whoever calls from code stands in the script of the frame.
        let script = frame.is_none().then(|| self.script.clone());
        let Args { values, keywords, no_keywords } = &args;
        let given = CallArguments {
            receiver,
            args: values,
            keywords: *keywords,
            no_keywords: *no_keywords,
            block,
            name,
            frame,
        };
        let result = self.deeper(|interp| {
            if native.by_letters && broken::is_among(&given) {
                broken::by_letters(native.run, interp, &given)
            } else if in_bytes::follows(native, receiver) {
                in_bytes::follow(native, interp, &given)
            } else {
                (native.run)(interp, &given)
            }
        });
        if let Ok(made) = &result {
            self.run.weigh(receiver, made);
            budget::spend(receiver.steps_to_see() + made.steps_to_see());
            if self.run.has_given_up() || budget::is_over() {
                self.check_room(0)?;
            }
            let before = script.as_ref().or(frame.map(|frame| &frame.context.script));
            if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &self.script)) {
                self.script = before.clone();
            }
            self.at = at;
        }
        result
    }

    /// Calls a method that is written in Ruby.
    fn call_code(&mut self, method: &Method, receiver: &Value, args: Args, block: Option<&Value>, name: &str) -> Flow {
        let MethodKind::Code { code, nesting, script } = &method.kind else { return Ok(Value::Nil) };
        let context = Rc::new(Context {
            self_value: receiver.clone(),
            method: Some((name.into(), method.owner)),
            block: block.cloned(),
            nesting: nesting.clone(),
            script: script.clone(),
            tag: self.tag(),
            matched: Rc::default(),
            visibility: Cell::default(),
            module_function: Cell::new(false),
        });
        let frame = Frame { env: Env::new(code.slots, None), context };
        self.deeper(|interp| {
            let caller = (interp.script.clone(), interp.at);
            // An error of the arguments is one of the place that calls.
            interp.bind_method(&code.params, args, block, &frame)?;
            interp.script = script.clone();
            let result = interp.expr(&code.body, &frame);
            let result = match result.map_err(|stop| *stop) {
                Err(Stop::Return(tag, value)) if tag == frame.context.tag => Ok(value),
                Err(Stop::Break(0, _)) => interp.raise(Core::LocalJumpError, "break from proc-closure"),
                Err(stop) => Err(Box::new(stop)),
                Ok(value) => Ok(value),
            };
            interp.back_to(caller);
            result
        })
    }

    // ---- what is not there ----

    fn missing(&mut self, receiver: &Value, name: &str, args: Args, block: Option<&Value>, bare: bool) -> Flow {
        if let Some(method) = self.method_of(receiver, "method_missing") {
            return self.answer_for_missing(&method, receiver, name, args, block);
        }
        self.unknown(receiver, name, bare)
    }

    fn answer_for_missing(
        &mut self,
        method: &Method,
        receiver: &Value,
        name: &str,
        mut args: Args,
        block: Option<&Value>,
    ) -> Flow {
        args.values.insert(0, Value::symbol(name));
        self.invoke(method, receiver, args, block, None, "method_missing")
    }

    /// Nobody has a method of this name.
    fn unknown(&mut self, receiver: &Value, name: &str, bare: bool) -> Flow {
        let class = self.real_class_of(receiver);
        if let Some(core) = self.unknown_core_method(class, receiver, name) {
            return self.unsupported(format!("the method {core}"));
        }
        let described = self.describe_receiver(receiver)?;
        if bare {
            let message = format!("undefined local variable or method `{name}' for {described}");
            return self.raise_no_method(Core::NameError, message, receiver, name);
        }
        let message = format!("undefined method `{name}' for {described}");
        self.raise_no_method(Core::NoMethodError, message, receiver, name)
    }

    /// Raises what Ruby raises of a method whose library nobody has asked for.
    pub(crate) fn check_required(&mut self, library: &str, given: &CallArguments<'_>) -> Flow<()> {
        if self.has_library(library) {
            return Ok(());
        }
        let described = self.describe_receiver(given.receiver)?;
        let message = format!("undefined method `{}' for {described}", given.name);
        self.raise_no_method(Core::NoMethodError, message, given.receiver, given.name)
    }

    fn raise_no_method<T>(&mut self, class: Core, message: String, receiver: &Value, name: &str) -> Flow<T> {
        let message = match self.did_you_mean(receiver, name) {
            Some(similar) => format!("{message}\nDid you mean?  {similar}"),
            None => message,
        };
        self.raise_about(class, message, Value::symbol(name))
    }

    /// Returns a receiver, as errors about its methods name it.
    pub(crate) fn describe_receiver(&mut self, receiver: &Value) -> Flow<String> {
        Ok(match receiver {
            Value::Nil => "nil:NilClass".to_owned(),
            Value::Bool(true) => "true:TrueClass".to_owned(),
            Value::Bool(false) => "false:FalseClass".to_owned(),
            Value::Class(class) => {
                let kind = if self.classes.is_module(*class) { "Module" } else { "Class" };
                format!("{}:{kind}", self.classes.name(*class))
            }
            Value::Object(object)
                if matches!(&*object.data.borrow(), Data::None | Data::Scope | Data::TopScope | Data::Wrapper(_)) =>
            {
                format!("#<{}>", self.class_name_of(receiver))
            }
            _ => {
                let shown = self.inspect(receiver)?;
                let class = self.class_name_of(receiver);
                if shown.starts_with('#') { shown } else { format!("{shown}:{class}") }
            }
        })
    }

    // ---- super, yield ----

    pub(super) fn call_super(&mut self, args: Option<&[Expr]>, block: &BlockArg, at: u32, frame: &Frame) -> Flow {
        let Some(args) = args else {
            let message = "implicit argument passing of super from method defined by define_method() is not supported. \
                           Specify all arguments explicitly.";
            return self.raise(Core::RuntimeError, message);
        };
        let args = self.call_args(args, frame)?;
        let given = self.block_value(block, frame)?;
        let passed = given.as_ref().or(frame.context.block.as_ref());
        self.at = at;
        let Some((name, owner)) = frame.context.method.clone() else {
            return self.raise(Core::RuntimeError, "super called outside of method");
        };
        let receiver = frame.context.self_value.clone();
        match self.method_above(&receiver, owner, &name) {
            Some(method) => self.invoke(&method, &receiver, args, passed, Some(frame), &name),
            None if name == "method_missing" && !args.values.is_empty() => {
                let wanted = self.name_arg(&args.values[0])?;
                self.unknown(&receiver, &wanted, false)
            }
            None if matches!(name.as_str(), "initialize" | "inherited" | "included") => Ok(Value::Nil),
            None if name == "respond_to_missing?" => Ok(Value::Bool(false)),
            None => {
                let described = self.describe_receiver(&receiver)?;
                self.raise(Core::NoMethodError, format!("super: no superclass method `{name}' for {described}"))
            }
        }
    }

    pub(super) fn call_yield(&mut self, args: &[Expr], at: u32, frame: &Frame) -> Flow {
        let args = self.call_args(args, frame)?;
        self.at = at;
        let Some(block) = frame.context.block.clone() else {
            return self.raise(Core::LocalJumpError, "no block given (yield)");
        };
        self.call_block_args(&block, args)
    }

    // ---- classes of values ----

    pub(crate) fn real_class_of(&self, value: &Value) -> Class {
        match value {
            Value::Nil => Core::NilClass,
            Value::Bool(true) => Core::TrueClass,
            Value::Bool(false) => Core::FalseClass,
            Value::Int(_) | Value::Big(_) => Core::Integer,
            Value::Float(_) => Core::Float,
            Value::Symbol(_) => Core::Symbol,
            Value::String(_) => Core::String,
            Value::Array(_) => Core::Array,
            Value::Hash(_) => Core::Hash,
            Value::Range(_) => Core::Range,
            Value::Regex(_) => Core::Regexp,
            Value::Proc(_) => Core::Proc,
            Value::Class(class) if self.classes.is_module(*class) => Core::Module,
            Value::Class(_) => Core::ClassClass,
            Value::Object(object) => return object.class,
            Value::View(view) => match view.container {
                pantin_model::trace::Container::Array => Core::Array,
                pantin_model::trace::Container::Hash => Core::Hash,
            },
            Value::Foreign(value) => return crate::border::class_of_foreign(value),
        }
        .class()
    }

    pub(crate) fn class_name_of(&self, value: &Value) -> Str {
        match value {
            Value::Foreign(value) => crate::border::foreign_class_name(value),
            _ => self.classes.name(self.real_class_of(value)),
        }
    }

    pub(crate) fn responds(&mut self, value: &Value, name: &str) -> Flow<bool> {
        let found = self.method_of(value, name);
        match &found {
            Some(method) if matches!(method.kind, MethodKind::Undefined) => return Ok(false),
            Some(method) if self.is_open(value, method, None) => return Ok(true),
            _ => {}
        }
        if self.method_of(value, "respond_to_missing?").is_some() {
            let args = [Value::symbol(name), Value::Bool(false)];
            return Ok(self.send(value, "respond_to_missing?", &args)?.is_truthy());
        }
        let class = self.real_class_of(value);
        Ok(found.is_none() && self.unknown_core_method(class, value, name).is_some())
    }

    pub(crate) fn proc_of(&mut self, block: &Value) -> Flow<Rc<Proc>> {
        match block {
            Value::Proc(block) => Ok(block.clone()),
            Value::Object(object) => match &*object.data.borrow() {
                Data::Method { receiver, name } => {
                    let kind = ProcKind::Method { receiver: receiver.clone(), name: name.clone() };
                    Ok(Rc::new(Proc { tag: 0, kind, is_lambda: true }))
                }
                _ => self.raise(Core::TypeError, "this is no block"),
            },
            _ => self.raise(Core::TypeError, "this is no block"),
        }
    }
}

/// `[a, b].max`: an array that is made for the call alone is not made at all by Ruby, which goes another way then.
fn is_short_cut(call: &Call, receiver: &Expr) -> bool {
    let is_fixed = |item: &Expr| {
        matches!(
            item.kind,
            ExprKind::Nil
                | ExprKind::True
                | ExprKind::False
                | ExprKind::Integer(_)
                | ExprKind::Big(_)
                | ExprKind::Float(_)
                | ExprKind::Symbol(_)
        )
    };
    match &receiver.kind {
        ExprKind::Array(items) => {
            matches!(call.name.as_str(), "max" | "min")
                && call.args.is_empty()
                && matches!(call.block, BlockArg::None)
                && !call.safe
                && !items.iter().all(is_fixed)
                && !items.iter().any(|item| matches!(item.kind, ExprKind::Splat(_)))
        }
        _ => false,
    }
}

/// A `break` out of the block is the value of the call.
pub(super) fn unbroken(result: Flow, block: &Proc) -> Flow {
    match result {
        Err(stop) => match *stop {
            Stop::Break(tag, value) if tag == block.tag => Ok(value),
            other => Err(Box::new(other)),
        },
        done => done,
    }
}

/// Returns how many arguments are expected, as errors say it.
pub(crate) fn expected(least: usize, most: Option<usize>) -> String {
    match most {
        Some(most) if most == least => least.to_string(),
        Some(most) => format!("{least}..{most}"),
        None => format!("{least}+"),
    }
}

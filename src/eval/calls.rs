//! Calls: core functions, functions of modules, lambdas.

use std::rc::Rc;
use std::sync::Arc;

use pantin_model::trace::{Answer, FunctionCaller, NameKind, Question, Standing};
use pantin_values::ops::MatchData;
use pantin_values::signature::{Api, ParamKind, Signature};
use pantin_values::{Fault, Object, Str, Type, Value, mismatch, object, types, unencoded};
use smallvec::SmallVec;

use super::builtins::injection::question_of_producer;
use super::code::{Body, Call, Callee, Expr, ExprKind, Lambda, Locals, ParamType};
use super::function::{Builtin, Overload, RegisteredFunction};
use super::invocation::{Block, Invocation};
use super::issue;
use super::machine::{Machine, NO_FRAME};
use super::stand_in::Function;
use super::stop::{Flow, Reason, Stop};
use super::variable_value::{VariableValue, View};

pub(super) type Args = SmallVec<[Value; 4]>;

/// Which arguments are containers of the outside that nobody has looked at yet.
type Views = SmallVec<[(usize, Rc<View>); 2]>;

/// What a call of a core function brings beside the arguments.
pub(super) struct Caller<'c> {
    pub(super) block: Option<Block<'c>>,
    pub(super) at: u32,
    pub(super) locals: &'c Locals,
}

impl Machine<'_> {
    /// A call is under way once its arguments are there.
    fn begun<T>(&mut self, at: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        self.under_way.begin(at);
        let result = run(self);
        self.under_way.end();
        result
    }

    #[inline(never)]
    pub(super) fn call(&mut self, call: &Call, at: u32) -> Flow {
        match &call.callee {
            Callee::Builtin(builtin) => {
                let mut args = Args::with_capacity(call.args.len());
                if builtin.declared.looks {
                    let mut views = Views::new();
                    self.push_looked(&mut args, &mut views, &call.args)?;
                    if let [(0, view)] = &*views
                        && let Some(part) = self.begun(at, |machine| machine.find_part(builtin, view, &args))?
                    {
                        return Ok(part);
                    }
                    self.settle_all(&mut args, &mut views)?;
                } else {
                    self.push_arguments(&mut args, &call.args)?;
                }
                if call.is_method
                    && let Some(member) = self.member(&args, call, at)?
                {
                    return Ok(member);
                }
                let caller = self.caller(call, at);
                self.begun(at, |machine| machine.call_builtin(builtin, &mut args, caller))
            }
            Callee::Named(name) => {
                let (mut args, mut views) = (Args::with_capacity(call.args.len()), Views::new());
                self.push_looked(&mut args, &mut views, &call.args)?;
                if let Some(producer) = producer_of(call, &args) {
                    self.settle_all(&mut args, &mut views)?;
                    return self.begun(at, |machine| machine.produce(&producer, &args[1..]));
                }
                if call.is_method
                    && let Some(Value::Object(object)) = args.first()
                    && object.class.name.as_deref() == Some("Puppet::LookupContext")
                    && (object.class.functions.contains_key(&call.name)
                        || object.class.attributes.contains_key(&call.name))
                {
                    let object = object.clone();
                    let block = call.lambda.as_deref().map(|lambda| Block { lambda, frame: self.frame });
                    return self.context_method(object, &call.name, &args[1..], block);
                }
                if call.is_method
                    && let Some(member) = self.member(&args, call, at)?
                {
                    return Ok(member);
                }
                let block = call.lambda.as_deref().map(|lambda| Block { lambda, frame: self.frame });
                let from = FunctionCaller::from_module(&self.unit.module);
                self.begun(at, |machine| {
                    machine.call_named(name, &from, (&mut args, &mut views, &call.args), block, at)
                })
            }
            Callee::New(of) => {
                let of = self.value(of)?;
                let mut args = Args::with_capacity(call.args.len() + 1);
                args.push(of);
                self.push_arguments(&mut args, &call.args)?;
                match self.builtins.get("new") {
                    Some(new) => {
                        let caller = self.caller(call, at);
                        self.begun(at, |machine| machine.call_builtin(new, &mut args, caller))
                    }
                    None => Err(issue::unknown_function("new").into()),
                }
            }
            Callee::Wrong(wrong, at) => Err(Reason::FaultAt(wrong.fault(), *at).into()),
        }
    }

    fn caller<'c>(&self, call: &'c Call, at: u32) -> Caller<'c> {
        let block = call.lambda.as_deref().map(|lambda| Block { lambda, frame: self.frame });
        Caller { block, at, locals: call.locals.as_deref().unwrap_or_default() }
    }

    /// `$object.attribute`, or a function that the type of the object declares.
    fn member(&mut self, args: &[Value], call: &Call, at: u32) -> Flow<Option<Value>> {
        let name = &call.name;
        match args.split_first() {
            Some((Value::Object(object), rest)) => {
                if let Some(file) = object::implementation(object, name, rest).transpose()?
                    && let Some(member) = self.member_in_ruby(file, object, call, rest, at)?
                {
                    return Ok(Some(member));
                }
                Ok(object::member(object, name, rest).transpose()?)
            }
            Some((Value::Uri(uri), [])) => Ok(types::uri_member(uri, name)),
            _ => Ok(None),
        }
    }

    /// The value of a producer that was injected.
    fn produce(&mut self, producer: &Object, arguments: &[Value]) -> Flow {
        let question = question_of_producer(producer, arguments);
        match self.host.ask(&Question::Injection(Arc::new(question))) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(Value::Undef),
        }
    }

    /// A method of what a back end of Hiera is given. Those with a block are made of several without: the block runs
    /// here, between them.
    fn context_method(&mut self, object: Arc<Object>, name: &Str, args: &[Value], block: Option<Block<'_>>) -> Flow {
        let ask = |machine: &mut Self, name: &str, arguments: &[Value]| -> Flow {
            let question = Question::Method { object: object.clone(), name: name.into(), arguments: arguments.into() };
            match machine.host.ask(&question) {
                Answer::Value(value) => Ok(value),
                Answer::Fault(fault) => Err(fault.into()),
                _ => Ok(Value::Undef),
            }
        };
        match (name.as_str(), block) {
            ("explain", Some(block)) => {
                if ask(self, name, &[])?.is_truthy() {
                    let text = self.call_block(&block, Args::new())?;
                    ask(self, name, &[text])?;
                }
                Ok(Value::Undef)
            }
            ("cached_entries", Some(block)) => {
                if let Value::Array(pairs) = ask(self, name, args)? {
                    for pair in pairs.iter() {
                        let Value::Array(pair) = pair else { continue };
                        let given = if block.lambda.params.len() == 1 {
                            [Value::Array(pair.clone())].into_iter().collect()
                        } else {
                            pair.iter().cloned().collect()
                        };
                        self.call_block(&block, given)?;
                    }
                }
                Ok(Value::Undef)
            }
            ("cached_file_data", block) => {
                let Value::Hash(found) = ask(self, name, args)? else { return Ok(Value::Undef) };
                if let Some(kept) = found.get_str("kept") {
                    return Ok(kept.clone());
                }
                let content = found.get_str("content").cloned().unwrap_or_default();
                let made = match block {
                    Some(block) => self.call_block(&block, [content].into_iter().collect())?,
                    None => content,
                };
                let path = args.first().cloned().unwrap_or_default();
                ask(self, "keep_file_data", &[path, made])
            }
            _ => ask(self, name, args),
        }
    }

    fn push_arguments(&mut self, args: &mut Args, exprs: &[Expr]) -> Flow<()> {
        for expr in exprs {
            match &expr.kind {
                ExprKind::Unfold(operand) => {
                    let value = self.value(operand)?;
                    args.extend(self.splat(value)?);
                }
                _ => args.push(self.value(expr)?),
            }
        }
        Ok(())
    }

    /// Arguments for a function of a module: a container of the outside stays a view, with undef in its place.
    fn push_looked(&mut self, args: &mut Args, views: &mut Views, exprs: &[Expr]) -> Flow<()> {
        for expr in exprs {
            match &expr.kind {
                ExprKind::Unfold(operand) => {
                    let value = self.value(operand)?;
                    args.extend(self.splat(value)?);
                }
                _ => match self.look(expr)? {
                    VariableValue::Value(value) => args.push(value),
                    VariableValue::View(view) => {
                        views.push((args.len(), view));
                        args.push(Value::Undef);
                    }
                },
            }
        }
        Ok(())
    }

    /// The arguments stay where they are, and what the function leaves of them is the caller's to drop.
    pub(super) fn call_builtin(
        &mut self,
        known: &'static RegisteredFunction,
        args: &mut Args,
        caller: Caller<'_>,
    ) -> Flow {
        let builtin = known.declared;
        self.spend_on_arguments(args)?;
        if builtin.takes_scope {
            args.insert(0, Value::Undef);
        }
        let signatures = known.signatures_with(self)?;
        if builtin.api == Api::Untyped {
            // Nobody asks what its block takes.
            known.note_call(0);
            return match builtin.overloads.first() {
                Some(overload) => self.run_overload(overload, builtin.name, args, caller),
                None => Err(issue::unknown_function(builtin.name).into()),
            };
        }
        let callable = match &caller.block {
            Some(block) => Some(self.callable(block)?),
            None => None,
        };
        let callable = callable.as_deref();
        let language = self.settings.language;
        for (index, (overload, signature)) in builtin.overloads.iter().zip(signatures.iter()).enumerate() {
            if overload.is_in(language) && signature.check(args, callable)? {
                signature.refuse_large(builtin.name, args)?;
                known.note_call(index);
                let result = self.run_overload(overload, builtin.name, args, caller)?;
                if overload.explains {
                    let message = format!("'{}' {}", builtin.name, pantin_values::text::display(&result));
                    return Err(Fault::new(message).into());
                }
                return Ok(result);
            }
        }
        Err(self.not_accepted(builtin, &signatures, args, callable).into())
    }

    #[cold]
    fn not_accepted(&self, builtin: &Builtin, signatures: &[Signature], args: &[Value], block: Option<&Type>) -> Fault {
        let language = self.settings.language;
        let shown: Vec<Signature> = builtin
            .overloads
            .iter()
            .zip(signatures)
            .filter(|(overload, _)| overload.is_in(language) && !overload.explains)
            .map(|(_, signature)| signature.clone())
            .collect();
        mismatch::call_fault(builtin.name, &shown, args, block)
    }

    fn run_overload(&mut self, overload: &Overload, name: &'static str, args: &mut Args, caller: Caller<'_>) -> Flow {
        if unencoded::are_any() && args.iter().any(Value::holds_unencoded) {
            return self.run_among_bytes(overload, name, args, caller);
        }
        self.run_builtin(overload, name, args, caller)
    }

    pub(super) fn run_builtin(
        &mut self,
        overload: &Overload,
        name: &'static str,
        args: &mut Args,
        caller: Caller<'_>,
    ) -> Flow {
        let Caller { block, at, locals } = caller;
        (overload.run)(&mut Invocation { machine: self, args, block, name, at, locals })
    }

    /// A function by its name, whatever kind it is, as the environment sees it.
    pub(super) fn call_by_name(&mut self, name: &str, args: Args, caller: Caller<'_>) -> Flow {
        self.call_seen_from(&FunctionCaller::Environment, name, args, caller)
    }

    /// The same as a module sees it.
    pub(super) fn call_seen_from(
        &mut self,
        from: &FunctionCaller,
        name: &str,
        mut args: Args,
        caller: Caller<'_>,
    ) -> Flow {
        let name = name.strip_prefix("::").unwrap_or(name);
        match self.builtins.get(name) {
            Some(builtin) => self.call_builtin(builtin, &mut args, caller),
            None => self.call_named(&name.into(), from, (&mut args, &mut Views::new(), &[]), caller.block, caller.at),
        }
    }

    /// The arguments, those of them that nobody has looked at, and as what they are written, where that is known.
    fn call_named(
        &mut self,
        name: &Str,
        from: &FunctionCaller,
        (args, views, written): (&mut Args, &mut Views, &[Expr]),
        block: Option<Block<'_>>,
        at: u32,
    ) -> Flow {
        let Some(function) = self.find_function(name, from)? else { return self.call_recorded(name, args, views) };
        match function {
            Function::Puppet(body) => self.call_function(&body, args, views, block, at),
            Function::StandIn(known) => {
                self.settle_all(args, views)?;
                let locals = if known.declared.finds_variables { self.locals_here() } else { Rc::from([]) };
                self.call_builtin(known, args, Caller { block, at, locals: &locals })
            }
            Function::Ruby(function) => {
                self.settle_all(args, views)?;
                let locals = self.locals_here();
                let mut call = Invocation { machine: self, args, block, name: "", at, locals: &locals };
                call.call_ruby(&function, written)
            }
        }
    }

    /// Returns a function as the code of a module sees it; each is asked for once.
    pub(super) fn find_function(&mut self, name: &Str, from: &FunctionCaller) -> Flow<Option<Function>> {
        let from = if name.contains("::") { &FunctionCaller::Environment } else { from };
        let known = self.functions.get(name).and_then(|known| known.iter().find(|(caller, _)| caller == from));
        if let Some((_, function)) = known {
            return Ok(Some(function.clone()));
        }
        match self.host.ask(&Question::function(name, from)) {
            Answer::Definition(definition) => {
                let function = Function::from_definition(definition, name)?;
                self.functions.entry(name.clone()).or_default().push((from.clone(), function.clone()));
                Ok(Some(function))
            }
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(None),
        }
    }

    /// What a function that is not code here said when it was asked elsewhere.
    fn call_recorded(&mut self, name: &Str, args: &mut Args, views: &mut Views) -> Flow {
        self.settle_all(args, views)?;
        let arguments = args.drain(..).collect();
        match self.host.ask(&Question::Recorded { function: name.clone(), arguments }) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Err(self.suggest(issue::unknown_function(name), NameKind::Function, name).into()),
        }
    }

    /// Calls code by itself, as a function that nobody has named.
    pub(super) fn call_body(&mut self, body: &Arc<Body>, mut args: Args) -> Flow {
        self.call_function(body, &mut args, &mut Views::new(), None, 0)
    }

    fn call_function(
        &mut self,
        body: &Arc<Body>,
        args: &mut Args,
        views: &mut Views,
        block: Option<Block<'_>>,
        at: u32,
    ) -> Flow {
        self.count_call()?;
        let lambda = &body.lambda;
        // No function of a module takes a block, so that one is a mismatch like any other.
        let callable = match &block {
            Some(block) => Some(self.callable(block)?),
            None => None,
        };
        let made;
        let signature = match lambda.signature.get() {
            Some(known) => known,
            None => {
                made = self.in_unit(body, |machine| machine.signature(lambda))?;
                &made
            }
        };
        if !views.is_empty() {
            self.settle_views(signature, args, views)?;
        }
        if !signature.check(args, callable.as_deref())? {
            let signatures = std::slice::from_ref(&**signature);
            return Err(mismatch::call_fault(&body.name, signatures, args, callable.as_deref()).into());
        }
        let computed;
        let returns = match &lambda.returns {
            Some(ParamType::Fixed(of)) => Some(of),
            Some(of) => {
                computed = self.in_unit(body, |machine| machine.param_type(of))?;
                Some(&computed)
            }
            None => None,
        };
        self.depth += 1;
        let mut result = self.in_unit(body, |machine| {
            let is_bound = lambda.is_plain && args.len() == lambda.params.len();
            machine.standing_apart(Standing::Top, |machine| {
                let caller = match is_bound {
                    true => machine.enter_with(lambda, NO_FRAME, args.drain(..)),
                    false => machine.enter(lambda, NO_FRAME, false),
                };
                let bound = match is_bound {
                    true => Ok(()),
                    false => machine.bind_params(lambda, &body.name, args.drain(..)),
                };
                let result = bound.and_then(|()| machine.run(lambda, views));
                machine.leave(caller);
                result
            })
        });
        self.depth -= 1;
        if let Err(stop) = result {
            result = match *stop.0 {
                Reason::Next(value, _) => Ok(value),
                // What `return()` gives is not checked, in the real one either.
                Reason::Return(value, _) => return Ok(value),
                Reason::Failure(failure) => Err(failure.with_call(self.place(at)).into()),
                other => Err(Stop(Box::new(other))),
            };
        }
        if let (Some(of), Ok(value)) = (returns, &result) {
            mismatch::assert_instance(format_args!("value returned from {}", body.name), of, value)?;
        }
        result
    }

    fn settle_all(&mut self, args: &mut Args, views: &mut Views) -> Flow<()> {
        for (index, view) in views.drain(..) {
            args[index] = self.settle(VariableValue::View(view))?;
        }
        Ok(())
    }

    /// A parameter with a type wants the value; one that takes anything may keep the view.
    fn settle_views(&mut self, signature: &Signature, args: &mut Args, views: &mut Views) -> Flow<()> {
        for (index, view) in std::mem::take(views) {
            let takes_anything = signature.params.get(index).is_some_and(|param| {
                param.param_type == Type::Any && matches!(param.kind, ParamKind::Required | ParamKind::Optional)
            });
            if takes_anything {
                views.push((index, view));
            } else {
                args[index] = self.settle(VariableValue::View(view))?;
            }
        }
        Ok(())
    }

    pub(super) fn in_unit<T>(&mut self, body: &Body, run: impl FnOnce(&mut Self) -> T) -> T {
        if Arc::ptr_eq(&self.unit, &body.unit) {
            return run(self);
        }
        let unit = std::mem::replace(&mut self.unit, body.unit.clone());
        self.under_way.leave_unit(unit, self.frames.len());
        let result = run(self);
        if let Some(unit) = self.under_way.back_to_unit() {
            self.unit = unit;
        }
        result
    }

    /// Evaluates the body in the frame that was just entered, whose arguments are bound but for the views.
    fn run(&mut self, lambda: &Lambda, views: &mut Views) -> Flow {
        for (index, view) in views.drain(..) {
            *self.slot(index as u32) = Some(VariableValue::View(view));
        }
        self.value(&lambda.body)
    }

    /// Returns the type of a lambda. Its parameters' types are worked out where it stands.
    pub(super) fn callable(&mut self, block: &Block<'_>) -> Flow<Arc<Type>> {
        if let Some(known) = block.lambda.callable.get() {
            return Ok(known.clone());
        }
        let signature = self.signature(block.lambda)?;
        let returns = match &block.lambda.returns {
            Some(returns) => Some(self.param_type(returns)?),
            None => None,
        };
        let made = Arc::new(Type::Callable(Arc::new(signature.callable(returns))));
        let is_fixed =
            block.lambda.signature.get().is_some() && !matches!(block.lambda.returns, Some(ParamType::Computed(_)));
        Ok(if is_fixed { block.lambda.callable.get_or_init(|| made).clone() } else { made })
    }

    /// As many values as the block has parameters is what nearly every call gives.
    pub(super) fn call_block_with<const N: usize>(&mut self, block: &Block<'_>, values: [Value; N]) -> Flow {
        let lambda = block.lambda;
        if !lambda.is_plain || lambda.params.len() != N || !takes(lambda, &values)? {
            return self.call_block(block, values.into_iter().collect());
        }
        self.count_call()?;
        let matched = self.matched.clone();
        self.depth += 1;
        let caller = self.enter_with(lambda, block.frame, values);
        let mut result = self.value(&lambda.body);
        self.leave_block(lambda, caller, matched, &mut result);
        result
    }

    pub(super) fn call_block(&mut self, block: &Block<'_>, args: Args) -> Flow {
        self.count_call()?;
        let lambda = block.lambda;
        let matched = self.matched.clone();
        self.depth += 1;
        let caller = self.enter(lambda, block.frame, false);
        let mut result = self.run_block(lambda, args);
        self.leave_block(lambda, caller, matched, &mut result);
        result
    }

    fn leave_block(&mut self, lambda: &Lambda, caller: usize, matched: Option<Rc<MatchData>>, result: &mut Flow) {
        self.leave(caller);
        self.depth -= 1;
        self.matched = matched;
        if let Err(stop) = result
            && let Reason::Next(value, _) = &mut *stop.0
        {
            *result = Ok(std::mem::take(value));
        }
        if let (Some(returns), Ok(value)) = (&lambda.returns, &*result)
            && let Err(stop) = self.check_returned(returns, value)
        {
            *result = Err(stop);
        }
    }

    fn run_block(&mut self, lambda: &Lambda, mut args: Args) -> Flow {
        let signature = self.signature(lambda)?;
        let captures = lambda.params.iter().any(|param| param.rest);
        if !captures {
            args.truncate(lambda.params.len());
        }
        if !captures && args.len() == lambda.params.len() && !signature.check(&args, None)? {
            return Err(mismatch::call_fault("lambda", std::slice::from_ref(&*signature), &args, None).into());
        }
        self.bind_params(lambda, "lambda", args.into_iter())?;
        if captures {
            self.check_bound(lambda, "lambda")?;
        }
        self.value(&lambda.body)
    }
}

/// Returns the producer of a binding whose value is asked for.
fn producer_of(call: &Call, args: &[Value]) -> Option<Arc<Object>> {
    match args.first() {
        Some(Value::Object(object)) if call.is_method && call.name == "produce" => {
            Some(Arc::clone(object)).filter(|object| object.class.name.as_deref() == Some("Bindings::Producer"))
        }
        _ => None,
    }
}

/// Returns true if values fit the types that parameters are written with.
fn takes(lambda: &Lambda, values: &[Value]) -> Result<bool, Fault> {
    for (param, value) in lambda.params.iter().zip(values) {
        if let Some(ParamType::Fixed(of)) = &param.param_type
            && !of.accepts(value)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

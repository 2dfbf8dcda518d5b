//! Functions written in Ruby: what a file declares, and how it is called.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use pantin_values::signature::{Api, Signature};
use pantin_values::{Str, Type};

use super::declare::{Declaring, Older};
use super::declared::Plain;
use crate::border;
use crate::class::{Class, Core};
use crate::code::Script;
use crate::error::RubyError;
use crate::interp::{Args, Interp};
use crate::outside::Outside;
use crate::stop::{Flow, Stop};
use crate::user_ruby::OwnRuby;
use crate::value::{Data, Proc, ProcKind, Value};

/// A file that defines a function.
#[derive(Debug)]
pub struct FunctionFile {
    pub name: Str,
    /// Where the file stands says which.
    pub api: Api,
    /// The one that has it; empty: none.
    pub module: Str,
    pub script: Arc<Script>,
    /// What runs it where it wants more than the small Ruby has.
    pub own_ruby: Option<Arc<dyn OwnRuby>>,
    /// What it declares, once that is known to be the same for each call.
    plain: OnceLock<Option<Plain>>,
}

impl FunctionFile {
    pub fn new(
        name: Str,
        api: Api,
        module: Str,
        script: Arc<Script>,
        own_ruby: Option<Arc<dyn OwnRuby>>,
    ) -> FunctionFile {
        FunctionFile { name, api, module, script, own_ruby, plain: OnceLock::new() }
    }
}

impl pantin_model::trace::Code for FunctionFile {
    fn unit(&self) -> Option<&Arc<pantin_model::trace::Unit>> {
        None
    }
}

/// What a function says of itself. The types are texts: whoever knows them reads them.
#[derive(Clone, Debug, Default)]
pub struct Declaration {
    pub name: Str,
    pub dispatches: Vec<Dispatch>,
    /// `Name = Type`, each.
    pub local_types: Vec<String>,
    /// The ways to call it once their types are read, if those are the same for whoever calls.
    pub signatures: OnceLock<Arc<[RubySignature]>>,
}

impl Dispatch {
    /// One whose method is run elsewhere, where it is known in which order it gets its arguments.
    pub fn elsewhere(
        method: Str,
        params: Vec<DeclaredParam>,
        block: Option<DeclaredBlock>,
        returns: Option<String>,
        explains: bool,
    ) -> Dispatch {
        Dispatch { method, params, block, returns, explains, weaving: Vec::new() }
    }
}

/// One way to call a function, with its types.
#[derive(Debug)]
pub struct RubySignature {
    pub takes: Signature,
    pub gives: Option<Type>,
    pub explains: bool,
}

/// One way to call a function.
#[derive(Clone, Debug, Default)]
pub struct Dispatch {
    /// The method that it runs.
    pub method: Str,
    pub params: Vec<DeclaredParam>,
    pub block: Option<DeclaredBlock>,
    pub returns: Option<String>,
    /// Whether it takes what is wrong, and says why.
    pub explains: bool,
    /// In which order the method gets its arguments.
    pub(super) weaving: Vec<Weave>,
}

impl Dispatch {
    /// Returns what its method gets, in its order.
    pub(super) fn woven(&self, args: Vec<Value>, scope: &Value) -> Vec<Value> {
        if !self.weaving.contains(&Weave::Scope) {
            return args;
        }
        let mut values = Vec::with_capacity(args.len() + 1);
        for weave in &self.weaving {
            match weave {
                Weave::Argument(at) => values.extend(args.get(*at).cloned()),
                Weave::From(at) => values.extend(args.iter().skip(*at).cloned()),
                Weave::Scope => values.push(scope.clone()),
            }
        }
        values
    }
}

#[derive(Clone, Debug)]
pub struct DeclaredParam {
    /// None: anything.
    pub type_text: Option<String>,
    pub name: Str,
    pub kind: pantin_values::signature::ParamKind,
}

#[derive(Clone, Debug)]
pub struct DeclaredBlock {
    pub type_text: Option<String>,
    pub name: Str,
    pub optional: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weave {
    Argument(usize),
    /// This one and all behind it.
    From(usize),
    Scope,
}

/// Calls a function with arguments. `is_by_scope`: one of the older kind is loaded as `scope.function_x` loads it, without a look at
/// what its file is worth.
pub fn call_function(
    function: &FunctionFile,
    args: &[pantin_values::Value],
    is_by_scope: bool,
    outside: &mut dyn Outside,
) -> Result<pantin_values::Value, RubyError> {
    let mut interp = Interp::new(function.script.clone(), outside);
    let result = match function.api {
        Api::Typed => interp.call_newer(function, args),
        Api::Untyped => interp.call_older(function, args, is_by_scope),
    };
    match result.and_then(|value| interp.give_back().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(stop) => Err(ended(interp, *stop)),
    }
}

/// Returns what a function of the newer kind says of itself, without a call of it.
pub fn declaration(function: &FunctionFile, outside: &mut dyn Outside) -> Result<Declaration, RubyError> {
    let mut interp = Interp::new(function.script.clone(), outside);
    let declared = interp.declaration_of(function).map(|(declaration, _)| declaration.into_owned());
    declared.map_err(|stop| ended(interp, *stop))
}

fn ended(interp: Interp<'_>, stop: Stop) -> RubyError {
    let lacks = interp.lacks;
    match interp.into_error(stop) {
        RubyError::Fatal(fault, None) if lacks => RubyError::Lacks(fault),
        other => other,
    }
}

/// Returns what is said of a number of arguments that a function of the older kind does not take.
pub fn wrong_count(name: &str, arity: i64, given: usize) -> Option<String> {
    let given = given as i64;
    match arity {
        0.. if given != arity => Some(format!("{name}(): Wrong number of arguments given ({given} for {arity})")),
        ..0 if given < -(arity + 1) => {
            let least = -(arity + 1);
            Some(format!("{name}(): Wrong number of arguments given ({given} for minimum {least})"))
        }
        _ => None,
    }
}

impl Interp<'_> {
    fn declaration_of<'f>(&mut self, function: &'f FunctionFile) -> Flow<(Cow<'f, Declaration>, Class)> {
        if let Some(Some(plain)) = function.plain.get() {
            return Ok((Cow::Borrowed(&plain.declaration), plain.declare(self)));
        }
        let declaring = self.declared_by(function)?;
        function.plain.get_or_init(|| Plain::from_declaring(self, &declaring));
        Ok((Cow::Owned(declaring.declaration), declaring.class))
    }

    fn call_newer(&mut self, function: &FunctionFile, args: &[pantin_values::Value]) -> Flow<pantin_values::Value> {
        let (declaration, class) = self.declaration_of(function)?;
        let instance = Value::object(class, Data::None);
        if self.method_of(&instance, "call").is_some_and(|method| method.is_own()) {
            self.initialize_function(&instance)?;
            let args = self.arguments(args);
            return self.call_by_own(declaration.into_owned(), &instance, args);
        }
        let has_block = self.outside.has_block();
        let chosen = self.outside.choose(&declaration, args, has_block);
        let chosen = self.outside(chosen)?;
        let dispatch = &declaration.dispatches[chosen.min(declaration.dispatches.len() - 1)];
        self.initialize_function(&instance)?;
        let scope = Value::object(Core::PuppetScope.class(), Data::Scope);
        let args = Args::from_values(dispatch.woven(self.arguments(args), &scope));
        let block = self.caller_lambda();
        let result = self.call(&instance, &dispatch.method, args, block.as_ref(), None, true, false)?;
        let value = self.value_to_outside(&result)?;
        let checked = self.outside.check_result(&declaration, chosen, &value);
        self.outside(checked)?;
        Ok(value)
    }

    /// Where a function has an `initialize` of its own, it is given a scope and who loads functions.
    fn initialize_function(&mut self, instance: &Value) -> Flow<()> {
        if !self.method_of(instance, "initialize").is_some_and(|method| method.is_own()) {
            return Ok(());
        }
        let scope = self.send(instance, "closure_scope", &[])?;
        let loader = Value::object(Core::PuppetLoader.class(), Data::None);
        self.call(instance, "initialize", Args::from_values(vec![scope, loader]), None, None, true, false).map(drop)
    }

    /// Runs the file.
    fn declared_by(&mut self, function: &FunctionFile) -> Flow<Declaring> {
        let main = self.main.clone();
        let made = self.run_script(&function.script, main)?;
        let file = function.script.path.beyond_code();
        let declaring = self.declared.newer.take();
        if declaring.is_none() && !matches!(made, Value::Class(_)) {
            let message = format!(
                "The code loaded from {file} does not seem to be a Puppet 4x API function - no create_function call."
            );
            return self.raise(Core::ArgumentError, message);
        }
        let (Value::Class(class), Some(declaring)) = (&made, declaring) else {
            let of = self.class_name_of(&made);
            let message =
                format!("The code loaded from {file} did not produce a Function class when evaluated. Got '{of}'");
            return self.raise(Core::ArgumentError, message);
        };
        if declaring.class != *class || declaring.declaration.name != function.name {
            let message = format!(
                "The code loaded from {file} produced mis-matched name, expected '{}', got {}",
                function.name, declaring.declaration.name
            );
            return self.raise(Core::ArgumentError, message);
        }
        Ok(declaring)
    }

    fn arguments(&mut self, args: &[pantin_values::Value]) -> Vec<Value> {
        args.iter().enumerate().map(|(index, arg)| self.argument(index, arg)).collect()
    }

    /// Returns the lambda that the function was given.
    pub(super) fn caller_lambda(&self) -> Option<Value> {
        let lambda = || Value::Proc(std::rc::Rc::new(Proc { tag: 0, kind: ProcKind::Outside, is_lambda: true }));
        self.outside.has_block().then(lambda)
    }

    /// One that is changed in place goes back to who calls.
    fn argument(&mut self, index: usize, original: &pantin_values::Value) -> Value {
        let value = border::inward(original);
        self.lend_argument(index, original, &value);
        value
    }

    fn call_older(
        &mut self,
        function: &FunctionFile,
        args: &[pantin_values::Value],
        is_by_scope: bool,
    ) -> Flow<pantin_values::Value> {
        let module = Value::Class(Core::PuppetParserFunctions.class());
        let made = self.run_script(&function.script, module)?;
        let file = function.script.path.beyond_code();
        if !is_by_scope && !self.declared.older.is_empty() {
            self.check_worth(function, &made)?;
        }
        let Some(older) = self.declared.older.iter().find(|older| older.name == function.name).cloned() else {
            let message = match self.declared.older.last() {
                Some(other) => format!(
                    "The code loaded from {file} produced mis-matched name, expected 'function_{}', got 'function_{}'",
                    function.name, other.name
                ),
                None => format!(
                    "The code loaded from {file} does not seem to be a Puppet 3x API function - no 'newfunction' call."
                ),
            };
            return self.raise(Core::ArgumentError, message);
        };
        let result = self.run_older(&older, args.iter().map(border::inward).collect())?;
        if older.is_value { self.value_to_outside(&result) } else { Ok(pantin_values::Value::Undef) }
    }

    /// The file of one of the older kind has to be worth what `newfunction` gave.
    fn check_worth(&mut self, function: &FunctionFile, made: &Value) -> Flow<()> {
        let (file, name) = (function.script.path.beyond_code(), &function.name);
        let Value::Hash(info) = made else {
            let of = self.class_name_of(made);
            let message = format!(
                "Illegal legacy function definition! The code loaded from {file} did not return the result of calling \
                 'newfunction'. Got '{of}'"
            );
            return self.raise(Core::ArgumentError, message);
        };
        let found = match info.get_symbol("name") {
            Some(found) => self.text_of(&found)?,
            None => String::new(),
        };
        if found == format!("function_{name}") {
            return Ok(());
        }
        let message =
            format!("The code loaded from {file} produced mis-matched name, expected 'function_{name}', got '{found}'");
        self.raise(Core::ArgumentError, message)
    }

    fn run_older(&mut self, older: &Older, args: Vec<Value>) -> Flow {
        let name = &older.name;
        if let Some(message) = wrong_count(name, older.arity, args.len()) {
            return self.raise(Core::ArgumentError, message);
        }
        let scope = Value::object(Core::PuppetScope.class(), Data::Scope);
        let body = self.proc_of(&older.body)?;
        let method = Some((format!("real_function_{name}").into(), Core::PuppetScope.class()));
        self.call_proc_as(&body, Args::from_values(vec![Value::array(args)]), None, Some(&scope), method)
    }

    /// Calls a function that the file of another one declares beside it; `None` where this run has declared none.
    pub(super) fn call_beside(&mut self, name: &str, args: &[Value]) -> Flow<Option<Value>> {
        let Some(older) = self.declared.older.iter().find(|older| older.name == name).cloned() else { return Ok(None) };
        self.run_older(&older, args.to_vec()).map(Some)
    }
}

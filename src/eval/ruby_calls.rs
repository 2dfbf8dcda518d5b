//! How Ruby code is run: templates, functions of modules, members of objects; and how it ends.

use std::any::Any;
use std::sync::Arc;

use pantin_model::trace::{Answer, Question, RubyFile};
use pantin_ruby::{Around, Declaration, FunctionFile, MethodPlace, RaisedException, RubyError, Script};
use pantin_values::signature::Api;
use pantin_values::{Fault, FaultKind, Object, Str, Value};

use super::builtins::extlib::CACHE_FUNCTION;
use super::calls::Args;
use super::code::{Call, Expr};
use super::effect_log::EffectLog;
use super::invocation::Invocation;
use super::machine::Machine;
use super::ruby::{OWN_RUBY, World};
use super::stop::{Flow, Reason, Stop};

impl Invocation<'_, '_> {
    /// Returns a template in Ruby by its name; `None` where there is none.
    pub fn ruby_template(&mut self, name: &Str) -> Flow<Option<Arc<Script>>> {
        self.script(RubyFile::Template, name)
    }

    pub(super) fn script(&mut self, file: RubyFile, name: &Str) -> Flow<Option<Arc<Script>>> {
        match self.ask(&Question::Ruby { file, name: name.clone() }) {
            Answer::Definition(definition) => Ok(Some(Script::from_definition(definition, name)?)),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(None),
        }
    }

    /// Renders a template written in Ruby, which sees the variables of the code that calls.
    pub fn render_ruby(&mut self, template: &Arc<Script>) -> Flow<Result<Value, RubyError>> {
        self.machine.count_call()?;
        self.machine.depth += 1;
        let result = pantin_ruby::render(template, &mut World::new(self, None, false, EffectLog::default()));
        self.machine.depth -= 1;
        match result {
            Err(RubyError::Fatal(fault, origin)) => Err(stop_of(fault, origin)),
            other => Ok(other),
        }
    }
}

impl Invocation<'_, '_> {
    /// Returns what a function of the newer kind says of itself.
    pub(super) fn read_declaration(&mut self, function: &FunctionFile) -> Flow<Declaration> {
        self.machine.count_call()?;
        let effects = EffectLog::default();
        let mut world = World::new(self, Some(function), true, effects);
        pantin_ruby::declaration(function, &mut world).map_err(stop_of_ruby)
    }

    /// Calls a function that is written in Ruby with the arguments of this call; as what they are written, where that is
    /// known.
    pub(super) fn call_ruby(&mut self, function: &FunctionFile, written: &[Expr]) -> Flow {
        self.machine.count_call()?;
        let is_by_scope = std::mem::take(&mut self.machine.is_called_by_scope);
        if !is_by_scope {
            check_methods(function)?;
        }
        let args = match function.api {
            Api::Untyped if !is_by_scope => self.older_args()?,
            Api::Typed | Api::Untyped => self.args.to_vec(),
        };
        if function.own_ruby.is_some() && &*function.name == CACHE_FUNCTION {
            let message = format!(
                "{CACHE_FUNCTION} runs in your Ruby: it reads files of the server below vardir, and writes new ones"
            );
            self.warn(message)?;
        }
        self.machine.depth += 1;
        let effects = EffectLog::new(function.own_ruby.is_some());
        let mut world =
            World::new(self, Some(function), function.api == Api::Typed, effects).with_argument_exprs(written);
        let result = match (pantin_ruby::call_function(function, &args, is_by_scope, &mut world), &function.own_ruby) {
            (Err(RubyError::Lacks(_)), Some(own_ruby)) => world.call_elsewhere(function, &**own_ruby, &args),
            (result, _) => result,
        };
        self.machine.depth -= 1;
        result.map_err(stop_of_ruby)
    }
}

impl Machine<'_> {
    /// Returns a member of an object whose type a module has in Ruby; `None`: the implementation has no such method.
    pub(super) fn member_in_ruby(
        &mut self,
        file: &Str,
        object: &Object,
        call: &Call,
        args: &[Value],
        at: u32,
    ) -> Flow<Option<Value>> {
        if call.lambda.is_some() {
            let message = format!("a lambda for {}, which Ruby code implements, is not supported", call.name);
            return Err(Fault::limit(message).into());
        }
        let locals = call.locals.as_deref().unwrap_or_default();
        let mut invocation = Invocation { machine: self, args: &mut Args::new(), block: None, name: "new", at, locals };
        let Some(script) = invocation.script(RubyFile::Library, file)? else {
            return Err(Fault::new(format!("there is no file {file}.rb any more")).into());
        };
        invocation.machine.count_call()?;
        invocation.machine.depth += 1;
        let mut world = World::new(&mut invocation, None, true, EffectLog::default());
        let result = pantin_ruby::call_member(&script, object, &call.name, args, &mut world);
        self.depth -= 1;
        result.map_err(stop_of_ruby)
    }
}

/// The file of a function of the older kind may define no method. (The real one ends as a whole then: nobody handles its
/// exception, which tells the column for the line.)
fn check_methods(function: &FunctionFile) -> Result<(), Fault> {
    let first = function.script.first_method.as_ref().filter(|_| function.api == Api::Untyped);
    let Some(MethodPlace { name, line }) = first else { return Ok(()) };
    let file = function.script.path.beyond_code();
    Err(Fault::new(format!(
        "Illegal method definition of method '{name}' in source {file} on line {line} in legacy function. See \
         https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html for more information"
    )))
}

/// Returns the end of a run of a function.
pub(super) fn stop_of_ruby(error: RubyError) -> Stop {
    match error {
        RubyError::Fatal(fault, origin) => stop_of(fault, origin),
        RubyError::Lacks(fault) => Fault { message: format!("{}; {OWN_RUBY}", fault.message).into(), ..fault }.into(),
        RubyError::Raised(RaisedException { class, message, origin, missing: Some(_), .. }) if class == "LoadError" => {
            stop_of(Fault::new(format!("{message}; {OWN_RUBY}")), origin)
        }
        // The code does without it, or says itself what that means.
        RubyError::Raised(RaisedException {
            message,
            origin,
            around: around @ (Around::Node | Around::Nothing),
            ..
        }) => stop_of(if around == Around::Nothing { Fault::logged(message) } else { Fault::located(message) }, origin),
        RubyError::Raised(RaisedException { message, place, origin, missing, .. }) => {
            let help = missing.map(|library| format!("there is no library {library} here; {OWN_RUBY}"));
            let stop = stop_of(Fault { help, ..Fault::new(message) }, origin);
            match (*stop.0, place) {
                (Reason::Fault(fault), Some(place)) if fault.kind == FaultKind::Plain => {
                    Reason::Raised(fault, place).into()
                }
                (reason, _) => reason.into(),
            }
        }
    }
}

/// What came from outside goes back as it came; anything else is a fault of its own.
fn stop_of(fault: Fault, origin: Option<Box<dyn Any>>) -> Stop {
    match origin.map(Box::<dyn Any>::downcast::<Stop>) {
        Some(Ok(stop)) => *stop,
        _ => fault.into(),
    }
}

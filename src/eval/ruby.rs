//! Ruby code, as the evaluator runs it: what a template or a function written in Ruby sees of the code that calls it.

use std::any::Any;
use std::sync::Arc;

use super::invocation::Invocation;
use super::seen::Seen;
use super::stop::{Flow, Reason, Stop};
use crate::pcore::{Fault, FaultKind, Str, Value};
use crate::ruby::{self, Called, Outside, RubyError, Script, Trouble, TroubleKind};
use crate::syntax::Strict;
use crate::trace::{Answer, Definition, Level, Log, LogSource, Path, Question, RubyFile};

impl Invocation<'_, '_> {
    /// A template in Ruby by its name; `None` where there is none.
    pub fn ruby_template(&mut self, name: &Str) -> Flow<Option<Arc<Script>>> {
        self.script(RubyFile::Template, name)
    }

    fn script(&mut self, file: RubyFile, name: &Str) -> Flow<Option<Arc<Script>>> {
        match self.ask(&Question::Ruby { file, name: name.clone() }) {
            Answer::Definition(definition) => Ok(Some(script_of(definition, name)?)),
            Answer::Fault(fault) => Err(fault.into()),
            _ => Ok(None),
        }
    }

    /// Renders a template written in Ruby, which sees the variables of the code that calls.
    pub fn render_ruby(&mut self, template: &Arc<Script>) -> Flow<Result<String, RubyError>> {
        self.machine.count_call()?;
        self.machine.depth += 1;
        let result = ruby::render(template, &mut World { call: self });
        self.machine.depth -= 1;
        match result {
            Err(RubyError::Fatal(fault, origin)) => Err(stop_of(fault, origin)),
            other => Ok(other),
        }
    }
}

fn script_of(definition: Definition, name: &str) -> Result<Arc<Script>, Fault> {
    let code: Arc<dyn Any + Send + Sync> = definition.code;
    code.downcast().map_err(|_| Fault::new(format!("internal error: {name} is no Ruby code")))
}

/// What came from outside goes back as it came; anything else is a fault of its own.
fn stop_of(fault: Fault, origin: Option<Box<dyn Any>>) -> Stop {
    match origin.map(Box::<dyn Any>::downcast::<Stop>) {
        Some(Ok(stop)) => *stop,
        _ => fault.into(),
    }
}

/// The evaluator, as the world of Ruby code.
struct World<'c, 'm, 'h> {
    call: &'c mut Invocation<'m, 'h>,
}

fn trouble(stop: Stop) -> Trouble {
    let (message, kind) = match &*stop.0 {
        Reason::Fault(fault) | Reason::TooEarly(fault) | Reason::FaultAt(fault, _)
            if fault.kind == FaultKind::Limit =>
        {
            (fault.message.to_string(), TroubleKind::Fatal)
        }
        Reason::Fault(fault) | Reason::TooEarly(fault) | Reason::FaultAt(fault, _) => {
            (fault.message.to_string(), TroubleKind::Parse)
        }
        Reason::Failure(failure) if failure.code == "LIMIT" => (failure.message.to_string(), TroubleKind::Fatal),
        Reason::Failure(failure) => (failure.message.to_string(), TroubleKind::Parse),
        Reason::Next(..) | Reason::Return(..) | Reason::Break(_) => ("a jump".to_owned(), TroubleKind::Fatal),
    };
    Trouble { message, kind, origin: Some(Box::new(stop)) }
}

fn troubled(fault: Fault) -> Trouble {
    trouble(fault.into())
}

impl Outside for World<'_, '_, '_> {
    fn variable(&mut self, name: &str) -> Result<Option<ruby::Seen>, Trouble> {
        let locals = self.call.locals;
        let seen = self.call.machine.named_seen(name, locals).map_err(trouble)?;
        Ok(seen.map(|seen| match seen {
            Seen::Value(value) => ruby::Seen::Value(value),
            Seen::View(view) => ruby::Seen::View(ruby::Place {
                container: view.container,
                variable: view.variable.clone(),
                path: view.path.to_vec(),
            }),
        }))
    }

    fn part(&mut self, variable: &Str, path: &[Value]) -> Result<Option<ruby::Seen>, Trouble> {
        let asked: Path = path.into();
        match self.call.machine.host.ask(&Question::Part { variable: variable.clone(), path: asked }) {
            Answer::Value(value) => Ok(Some(ruby::Seen::Value(value))),
            Answer::View(container) => {
                Ok(Some(ruby::Seen::View(ruby::Place { container, variable: variable.clone(), path: path.to_vec() })))
            }
            Answer::Fault(fault) => Err(troubled(fault)),
            _ => Ok(None),
        }
    }

    fn whole(&mut self, variable: &Str, path: &[Value]) -> Result<Value, Trouble> {
        let path: Path = path.into();
        match self.call.machine.host.ask(&Question::Whole { variable: variable.clone(), path }) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(troubled(fault)),
            _ => Ok(Value::Undef),
        }
    }

    fn unknown_variable(&mut self, name: &str) -> Result<(), Trouble> {
        let message = format!("Undefined variable '{name}'; ");
        match self.call.settings().strict {
            _ if matches!(name, "module_name" | "caller_module_name") => Ok(()),
            Strict::Off => Ok(()),
            Strict::Warning => self.call.deprecated(&format!("Variable: {name}"), message, false).map_err(trouble),
            Strict::Error => Err(Trouble { message, kind: TroubleKind::Argument, origin: None }),
        }
    }

    fn call_function(&mut self, name: &str, args: Vec<Value>, _how: Called) -> Result<Value, Trouble> {
        self.call.call_without_block(name, args.into_iter().collect()).map_err(trouble)
    }

    fn library(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble> {
        self.call.script(RubyFile::Library, &name.into()).map_err(trouble)
    }

    fn has_function(&mut self, name: &str) -> Result<bool, Trouble> {
        if self.call.machine.builtins.get(name).is_some() {
            return Ok(true);
        }
        match self.call.ask(&Question::Function(name.into())) {
            Answer::Definition(_) => Ok(true),
            Answer::Fault(fault) => Err(troubled(fault)),
            _ => Ok(false),
        }
    }

    fn log(&mut self, level: Level, message: &str) -> Result<(), Trouble> {
        let log = Log { level, source: LogSource::Puppet, message: message.into(), at: None, once: None };
        self.call.apply(&crate::trace::Effect::Log(log)).map(|_| ()).map_err(trouble)
    }

    fn setting(&mut self, name: &str) -> Result<Value, Trouble> {
        match self.call.ask(&Question::Setting(name.into())) {
            Answer::Value(value) => Ok(value),
            Answer::Fault(fault) => Err(troubled(fault)),
            _ => Err(troubled(Fault::limit(format!("Ruby code asks for the setting {name}, which is not known here")))),
        }
    }

    fn now(&mut self) -> Result<(i64, u32), Trouble> {
        use crate::pcore::Resolve;
        let now = self.call.machine.now().map_err(troubled)?;
        let nanoseconds = now.nanoseconds();
        Ok((nanoseconds.div_euclid(1_000_000_000) as i64, nanoseconds.rem_euclid(1_000_000_000) as u32))
    }
}

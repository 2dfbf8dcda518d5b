//! One call of a function in a worker: what it asks meanwhile is answered.

use std::sync::{Arc, PoisonError};

use pantin_model::trace::Level;
use pantin_ruby::{
    Around, CallForm, Declaration, FunctionFile, HeldValue, Outside, OutsideVariable, Place, RaisedException,
    RubyError, RubyPlace, ScriptPath, Trouble, TroubleKind, wrong_count,
};
use pantin_values::signature::Api;
use pantin_values::{Digest, Fault, Str, Value};

use super::block::WorkerBlock;
use super::described;
use super::pool::SharedSession;
use super::secrets::Secrets;
use super::session::Session;

pub(super) struct Conversation<'c> {
    /// Whose code runs, for errors.
    who: &'c str,
    session: &'c SharedSession,
    outside: &'c mut dyn Outside,
    /// What failed outside while the function ran: it may rescue that.
    troubles: Vec<(i64, Trouble)>,
    /// Why the worker is told to stop: nothing that it says then counts.
    stops: Option<ConversationError>,
    secrets: Secrets,
}

/// Why there is no value.
#[derive(Debug)]
pub(super) enum ConversationError {
    Error(RubyError),
    /// A file of a module is another than the one that the worker has loaded.
    Stale,
}

impl From<RubyError> for ConversationError {
    fn from(error: RubyError) -> ConversationError {
        ConversationError::Error(error)
    }
}

type ConversationResult = Result<Value, ConversationError>;

impl<'c> Conversation<'c> {
    pub(super) fn new(who: &'c str, session: &'c SharedSession, outside: &'c mut dyn Outside) -> Self {
        let (troubles, secrets) = (Vec::new(), Secrets::default());
        Conversation { who, session, outside, troubles, stops: None, secrets }
    }

    pub(super) fn call(mut self, function: &FunctionFile, args: &[Value]) -> ConversationResult {
        args.iter().for_each(|arg| self.secrets.note(arg));
        let (key, description) = self.load(function)?;
        match function.api {
            Api::Typed => self.call_newer(&function.name, key, &description, args),
            Api::Untyped => self.call_older(&function.name, key, &description, args),
        }
    }

    /// Has a block run, which the worker knows by its number.
    pub(super) fn call_block(mut self, number: i64, args: Vec<Value>) -> ConversationResult {
        args.iter().for_each(|arg| self.secrets.note(arg));
        self.converse(Value::array(["block".into(), number.into(), Value::array(args)]))
    }

    /// Has its file loaded, if this worker has not yet; what it declares.
    fn load(&mut self, function: &FunctionFile) -> Result<(Value, Value), ConversationError> {
        let FunctionFile { name, script, .. } = function;
        let path = script.path.beyond_code();
        let content = match self.outside.content(path) {
            Ok(Some(content)) => String::from_utf8_lossy(&content).into_owned(),
            Ok(None) => return Err(self.fatal("has no file any more")),
            Err(trouble) => return Err(fatal_trouble(trouble)),
        };
        let key: Str = format!("{name} {path} {}", Digest::from_text(&content).to_hex()).into();
        let is_new = self.with_session(|session| session.functions.insert(key.clone()));
        let content = if is_new { content.into() } else { Value::Undef };
        let is_older = function.api == Api::Untyped;
        let message =
            ["load".into(), key.clone().into(), is_older.into(), name.clone().into(), path.clone().into(), content];
        let description = self.converse(Value::array(message)).inspect_err(|_| {
            // It is not loaded, then.
            self.with_session(|session| session.functions.remove(&key));
        })?;
        Ok((key.into(), description))
    }

    fn call_newer(&mut self, name: &Str, key: Value, description: &Value, args: &[Value]) -> ConversationResult {
        let Some(declaration) = described::declaration(name, description) else {
            return Err(self.fatal("is described by the worker in a form that nobody knows"));
        };
        let has_block = self.outside.has_block();
        let chosen = match self.outside.choose(&declaration, args, has_block) {
            Ok(chosen) => chosen.min(declaration.dispatches.len().saturating_sub(1)),
            Err(trouble) => return Err(raised_trouble(trouble)),
        };
        let arity = if self.outside.has_block() { self.outside.block_arity().into() } else { Value::Undef };
        let args = Value::array(args.iter().cloned());
        let message = ["call".into(), key, (chosen as i64).into(), args, arity];
        let value = self.converse(Value::array(message))?;
        self.check_result(&declaration, chosen, value)
    }

    fn check_result(&mut self, declaration: &Declaration, chosen: usize, value: Value) -> ConversationResult {
        match self.outside.check_result(declaration, chosen, &value) {
            Ok(()) => Ok(value),
            Err(trouble) => Err(raised_trouble(trouble)),
        }
    }

    fn call_older(&mut self, name: &str, key: Value, description: &Value, args: &[Value]) -> ConversationResult {
        let Some((arity, is_value)) = described::older(description) else {
            return Err(self.fatal("is described by the worker in a form that nobody knows"));
        };
        if let Some(message) = wrong_count(name, arity, args.len()) {
            return Err(raised("ArgumentError", message, None).into());
        }
        let message = ["call".into(), key, 0.into(), Value::array(args.iter().cloned()), Value::Undef];
        let value = self.converse(Value::array(message))?;
        Ok(if is_value { value } else { Value::Undef })
    }

    /// Has something done, and answers until it is.
    fn converse(&mut self, message: Value) -> ConversationResult {
        let mut message = message;
        loop {
            let exchanged = self.with_session(|session| session.exchange(&message));
            let answer = match (exchanged, self.stops.take()) {
                (Ok(answer), stops) => {
                    self.stops = stops;
                    answer
                }
                (Err(_), Some(stops)) => return Err(stops),
                (Err(why), None) => return Err(self.fatal(&why)),
            };
            let kind = answer.first().and_then(Value::as_str).unwrap_or_default();
            let is_end = matches!(kind, "gives" | "raised" | "stopped" | "no value" | "no way");
            if is_end && let Some(stops) = self.stops.take() {
                return Err(stops);
            }
            let part = |at: usize| answer.get(at).cloned().unwrap_or_default();
            match kind {
                "gives" => return Ok(part(1)),
                "raised" => return Err(self.error_from_worker(&answer[1..])),
                "no value" => {
                    return Err(
                        self.fatal(&format!("hands {} to Puppet code, which has nothing for it", text(&part(1))))
                    );
                }
                "no way" | "stopped" => return Err(self.fatal(&text(&part(1)))),
                _ => message = self.reply(kind, &answer[1..]),
            }
        }
    }

    fn with_session<T>(&self, with: impl FnOnce(&mut Session) -> T) -> T {
        with(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what a question is answered.
    fn reply(&mut self, kind: &str, question: &[Value]) -> Value {
        if self.stops.is_none() {
            match self.answer_question(kind, question) {
                Ok(value) => {
                    self.secrets.note(&value);
                    return Value::array(["is".into(), value]);
                }
                Err(ConversationError::Error(RubyError::Raised(RaisedException {
                    class,
                    message,
                    place,
                    origin,
                    ..
                }))) => {
                    let trouble = Trouble { message, kind: TroubleKind::Parse, place, origin };
                    return self.fails(if class == "ArgumentError" { "argument" } else { "parse" }, trouble);
                }
                Err(stops) => self.stops = Some(stops),
            }
        }
        Value::array(["stops".into()])
    }

    fn fails(&mut self, kind: &str, trouble: Trouble) -> Value {
        let number = self.with_session(Session::new_number);
        let reply = ["fails".into(), kind.into(), trouble.message.clone().into(), number.into()];
        self.troubles.push((number, trouble));
        Value::array(reply)
    }

    fn answer_question(&mut self, kind: &str, question: &[Value]) -> ConversationResult {
        let name = question.first().and_then(Value::as_str).unwrap_or_default();
        let part = |at: usize| question.get(at).cloned().unwrap_or_default();
        let list = |at: usize| match part(at) {
            Value::Array(items) => items.to_vec(),
            _ => Vec::new(),
        };
        let how = if part(3).is_truthy() { CallForm::Older } else { CallForm::Newer };
        let done = match kind {
            "variable" => self.variable(name),
            "unknown variable" => self.outside.unknown_variable(name).map(|()| Value::Undef),
            "set" => {
                let value = part(1);
                self.outside.set_variable(&name.into(), HeldValue::from_value(&value), value).map(|()| Value::Undef)
            }
            "change" => self.outside.change_variable(&name.into(), part(1)).map(|()| Value::Undef),
            "defaults" => self.outside.defaults(name),
            "method" => match part(0) {
                Value::Object(object) => self.outside.method(&object, &text(&part(1)), list(2)),
                _ => return Err(self.fatal("calls a method of what is no object")),
            },
            "call" => match list(2)[..] {
                [Value::Integer(number), Value::Integer(arity)] => {
                    let (who, session) = (self.who.to_owned(), Arc::clone(self.session));
                    let block = WorkerBlock { who, session, number, arity };
                    self.outside.call_with_block(name, list(1), how, Arc::new(block))
                }
                _ => self.outside.call_function(name, list(1), how),
            },
            "yield" => self.outside.call_block(list_of(question.first())),
            "library" => return self.library(name, part(1).is_truthy()),
            "function" => self.outside.has_function(name).map(Value::Boolean),
            "log" => {
                let level = level(name);
                self.outside.log(level, &text(&part(1))).map(|()| Value::Undef)
            }
            "setting" => self.outside.setting(name).map(known),
            _ => return Err(self.fatal("asks in words that nobody knows")),
        };
        done.map_err(raised_trouble)
    }

    /// A variable, and whether there is one.
    fn variable(&mut self, name: &str) -> Result<Value, Trouble> {
        let value = match self.outside.variable(name)? {
            None => None,
            Some(OutsideVariable::Value(value)) => Some(value),
            Some(OutsideVariable::Held(held)) => Some(held.value().map_err(|fault| Trouble {
                message: fault.message.into_owned(),
                kind: TroubleKind::Parse,
                place: None,
                origin: None,
            })?),
            Some(OutsideVariable::View(Place { variable, path, .. })) => {
                Some(self.outside.whole_variable(&variable, &path)?)
            }
        };
        Ok(known(value))
    }

    /// Returns the file of a module that `require` names: its path, and its content if the worker has not got it yet,
    /// or wants it again.
    fn library(&mut self, name: &str, again: bool) -> ConversationResult {
        let script = self.outside.library(name).map_err(raised_trouble)?;
        let Some(script) = script else { return Ok(Value::array([Value::Undef, Value::Undef])) };
        let path = script.path.beyond_code();
        let Some(content) = self.outside.content(path).map_err(raised_trouble)? else {
            return Ok(Value::array([Value::Undef, Value::Undef]));
        };
        // Its code knows its own file.
        self.outside.reveal(path).map_err(raised_trouble)?;
        let content = String::from_utf8_lossy(&content).into_owned();
        let digest = Digest::from_text(&content);
        let loaded = self.with_session(|session| session.libraries.insert(path.clone(), digest));
        match loaded {
            None => Ok(Value::array([path.clone().into(), content.into()])),
            Some(loaded) if loaded == digest => {
                let content = if again { content.into() } else { Value::Undef };
                Ok(Value::array([path.clone().into(), content]))
            }
            Some(loaded) => {
                self.with_session(|session| {
                    session.libraries.insert(path.clone(), loaded);
                    session.is_stale = true;
                });
                Err(ConversationError::Stale)
            }
        }
    }

    fn error_from_worker(&mut self, parts: &[Value]) -> ConversationError {
        let part = |at: usize| parts.get(at).cloned().unwrap_or_default();
        if let Value::Integer(number) = part(2)
            && let Some(at) = self.troubles.iter().position(|(known, _)| *known == number)
        {
            return raised_trouble(self.troubles.swap_remove(at).1);
        }
        let (class, mut message) = (text(&part(0)), text(&part(1)));
        if self.secrets.are_in(&message) {
            message = format!("{class} (what it says has a secret in it)");
        }
        let place = match (part(3), part(4)) {
            (Value::String(file), Value::Integer(line)) => {
                u32::try_from(line).ok().map(|line| (ScriptPath::new(&file), line))
            }
            _ => None,
        };
        raised(&class, message, place).into()
    }

    /// Returns an end that no Ruby code may hinder.
    fn fatal(&self, why: &str) -> ConversationError {
        let why = if self.secrets.are_in(why) { "ended, and what it said has a secret in it" } else { why };
        let message = format!("{}, run by the Ruby of --ruby, {why}", self.who);
        ConversationError::Error(RubyError::Fatal(Fault::limit(message), None))
    }
}

fn level(name: &str) -> Level {
    match name {
        "debug" => Level::Debug,
        "info" => Level::Info,
        "warning" => Level::Warning,
        "err" => Level::Err,
        "alert" => Level::Alert,
        "crit" => Level::Crit,
        "emerg" => Level::Emerg,
        _ => Level::Notice,
    }
}

fn known(value: Option<Value>) -> Value {
    Value::array([value.is_some().into(), value.unwrap_or_default()])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list_of(value: Option<&Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(items)) => items.to_vec(),
        _ => Vec::new(),
    }
}

fn raised(class: &str, message: String, place: Option<RubyPlace>) -> RubyError {
    RubyError::Raised(RaisedException {
        class: class.into(),
        message,
        place,
        around: Around::Evaluation,
        is_standard: true,
        origin: None,
        missing: None,
    })
}

fn fatal_trouble(trouble: Trouble) -> ConversationError {
    RubyError::Fatal(Fault::limit(trouble.message), trouble.origin).into()
}

fn raised_trouble(trouble: Trouble) -> ConversationError {
    let class = match trouble.kind {
        TroubleKind::Fatal | TroubleKind::Refused => return fatal_trouble(trouble),
        TroubleKind::Argument => "ArgumentError",
        TroubleKind::Parse => "Puppet::ParseError",
    };
    let Trouble { message, place, origin, .. } = trouble;
    RubyError::Raised(RaisedException {
        class: class.into(),
        message,
        place,
        around: Around::Evaluation,
        is_standard: true,
        origin,
        missing: None,
    })
    .into()
}

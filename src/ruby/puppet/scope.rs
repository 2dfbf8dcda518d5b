//! `scope`, the module `Puppet`, and secrets.

use pantin_base::names::is_reserved_variable;
use pantin_model::trace::Level;
use pantin_values::Str;

use crate::border::{self, UndefSymbol};
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Run, Side, Table, method};
use crate::outside::{CallForm, HeldValue};
use crate::stop::{Flow, Stop};
use crate::table::Table as Entries;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 5] = [
    (Core::PuppetScope, Side::Instance, SCOPE),
    (Core::PuppetResourceParam, Side::Instance, PARAM),
    (Core::Puppet, Side::Class, PUPPET),
    (Core::PuppetSensitiveValue, Side::Instance, UNWRAP),
    (Core::PuppetSensitiveValue, Side::Class, &[method("new", 1, 1, secret)]),
];

const SCOPE: &[NativeMethod] = &[
    method("[]", 1, 2, |interp, given| run_in_scope(interp, given, lookup)),
    method("lookupvar", 1, 2, |interp, given| run_in_scope(interp, given, lookup)),
    method("setvar", 2, 3, |interp, given| run_in_scope(interp, given, set_variable)),
    method("[]=", 2, 3, |interp, given| run_in_scope(interp, given, set_variable)),
    method("include?", 1, 1, |interp, given| run_in_scope(interp, given, includes)),
    method("exist?", 1, 1, |interp, given| run_in_scope(interp, given, exists)),
    method("lookupdefaults", 1, 1, |interp, given| run_in_scope(interp, given, defaults)),
    method("call_function", 1, 2, |interp, given| run_in_scope(interp, given, call_function)),
    method("debug", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("info", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("notice", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("warning", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("err", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("alert", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("crit", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("emerg", 1, 1, |interp, given| run_in_scope(interp, given, said)),
    method("fail", 0, ANY, failed),
    method("find_global_scope", 0, 0, global),
    method("method_missing", 1, ANY, |interp, given| run_in_scope(interp, given, missing)),
    method("respond_to_missing?", 1, 2, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        let Some(function) = name.strip_prefix("function_") else { return Ok(Value::Bool(false)) };
        let known = interp.outside.is_method_of_scope(function);
        Ok(interp.outside(known)?.into())
    }),
    method("to_s", 0, 0, |interp, given| shown(interp, given.receiver).map(Value::text)),
];

const PARAM: &[NativeMethod] = &[
    method("name", 0, 0, |interp, given| interp.instance_variable(given.receiver, &"@name".into())),
    method("value", 0, 0, |interp, given| interp.instance_variable(given.receiver, &"@value".into())),
];

const PUPPET: &[NativeMethod] = &[
    method("debug", 0, 1, |interp, given| log(interp, given, Level::Debug)),
    method("info", 1, 1, |interp, given| log(interp, given, Level::Info)),
    method("notice", 1, 1, |interp, given| log(interp, given, Level::Notice)),
    method("warning", 1, 1, |interp, given| log(interp, given, Level::Warning)),
    method("err", 1, 1, |interp, given| log(interp, given, Level::Err)),
    method("alert", 1, 1, |interp, given| log(interp, given, Level::Alert)),
    method("crit", 1, 1, |interp, given| log(interp, given, Level::Crit)),
    method("emerg", 1, 1, |interp, given| log(interp, given, Level::Emerg)),
    method("[]", 1, 1, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        let known = interp.outside.setting(&name);
        match interp.outside(known)? {
            // What is one of a few words is a symbol there.
            Some(pantin_values::Value::String(word)) if name == "strict" => Ok(Value::Symbol(word)),
            Some(value) => Ok(border::inward(&value)),
            None => interp.unsupported(format!("the setting {name}")),
        }
    }),
    method("version", 0, 0, |interp, _| Ok(Value::text(interp.release()))),
    method("minor_version", 0, 0, |interp, _| {
        let release = interp.release();
        Ok(Value::text(release.rsplit_once('.').map_or(release, |(minor, _)| minor)))
    }),
    method("settings", 0, 0, |_, given| Ok(given.receiver.clone())),
];

const UNWRAP: &[NativeMethod] = &[method("unwrap", 0, 0, |_, given| Ok(unwrap_sensitive(given.receiver)))];

pub(super) fn unwrap_sensitive(value: &Value) -> Value {
    match value {
        Value::Foreign(foreign) => match &**foreign {
            pantin_values::Value::Sensitive(secret) => border::inward(secret),
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// `Puppet::Pops::Types::PSensitiveType::Sensitive.new(value)`
fn secret(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    wrap_sensitive(interp, given.arg(0))
}

pub(super) fn wrap_sensitive(interp: &mut Interp<'_>, value: &Value) -> Flow {
    let value = interp.leaving(value)?;
    Ok(Value::Foreign(std::rc::Rc::new(pantin_values::Value::Sensitive(std::sync::Arc::new(value)))))
}

/// Returns true if it is the scope at the top, which a function of the newer kind has as its own.
pub(super) fn is_top(scope: &Value) -> bool {
    matches!(scope, Value::Object(object) if matches!(&*object.data.borrow(), Data::TopScope))
}

/// The scope of the node, or that at the top, whichever is nearer: of that at the top itself.
fn global(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match is_top(given.receiver) {
        true => Ok(given.receiver.clone()),
        false => interp
            .unsupported("the method Puppet::Parser::Scope#find_global_scope of another scope than that at the top"),
    }
}

/// What a scope is asked, and does, is asked and done there.
pub(super) fn run_in_scope(interp: &mut Interp<'_>, given: &CallArguments<'_>, run: Run) -> Flow {
    let has_left = is_top(given.receiver) && interp.outside.enter_top();
    let result = run(interp, given);
    if has_left {
        interp.outside.leave_top();
    }
    result
}

fn includes(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    Ok((!find(interp, given)?.is_none_or(|value| value.is_nil())).into())
}

fn exists(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.text_of(given.arg(0))?;
    Ok(by_name(interp, &name)?.is_some().into())
}

fn call_function(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let args = match given.args.get(1) {
        None => Vec::new(),
        Some(args) => interp.splat(args.clone())?,
    };
    called(interp, &name, &args)
}

fn find(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Option<Value>> {
    let name = variable_name(interp, given)?;
    by_name(interp, &name)
}

/// `@` stands before what a template has for its own, and no variable is called so.
fn by_name(interp: &mut Interp<'_>, name: &str) -> Flow<Option<Value>> {
    if name.starts_with('@') { Ok(None) } else { interp.outer_variable(name) }
}

/// A symbol is not the name of a variable.
fn variable_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<String> {
    let Value::String(name) = given.arg(0) else {
        let (shown, of) = (interp.inspect(given.arg(0))?, interp.class_name_of(given.arg(0)));
        let message = format!("Scope variable name {shown} is a {of}, not a string");
        return interp.raise(Core::PuppetParseError, message);
    };
    interp.str_of(name)
}

fn lookup(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    match find(interp, given)? {
        Some(value) => Ok(value),
        None => {
            let name = variable_name(interp, given)?;
            let tag = Value::symbol("undefined_variable");
            if interp.caught.iter().any(|caught| caught.is_same(&tag)) {
                let absence = interp.outside.absence_of(&name);
                return match interp.outside(absence)? {
                    Some(reason) => Err(Box::new(Stop::Throw(tag, border::inward(&reason)))),
                    None => Ok(Value::Nil),
                };
            }
            let unknown = interp.outside.unknown_variable(&name);
            interp.outside(unknown)?;
            Ok(Value::Nil)
        }
    }
}

/// `scope.lookupdefaults(type)`: by their names as symbols, a `Param` each.
fn defaults(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let of = interp.text_of(given.arg(0))?;
    let found = interp.outside.defaults(&of);
    let found = interp.outside(found)?;
    let table = Entries::default();
    let pantin_values::Value::Hash(found) = found else { return Ok(Value::hash(table)) };
    for (name, value) in found.iter() {
        let name = Value::Symbol(pantin_values::text::display(name));
        let param = Value::object(Core::PuppetResourceParam.class(), Data::None);
        interp.set_instance_variable(&param, &"@name".into(), name.clone())?;
        interp.set_instance_variable(&param, &"@value".into(), border::inward(value))?;
        table.insert(name, param);
    }
    Ok(Value::hash(table))
}

/// `scope.setvar(name, value)`
fn set_variable(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    if !matches!(given.arg(2), Value::Nil) && !matches!(given.arg(2), Value::Hash(options) if options.len() == 0) {
        return interp.unsupported("a variable of the scope that is set with options");
    }
    let name = variable_name(interp, given)?;
    if name.lines().any(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())) {
        let message = format!("Cannot assign to a numeric match result variable '${name}'");
        return interp.raise(Core::PuppetParseError, message);
    }
    if is_reserved_variable(&name) {
        let message = format!("Attempt to assign to a reserved variable name: '{name}'");
        return interp.raise(Core::PuppetParseError, message);
    }
    if name.contains("::") {
        return interp.unsupported(format!("to set the variable {name} of another scope"));
    }
    let value = interp.settle(given.arg(1).clone())?;
    let outward = interp.leaving(&value)?;
    let name = name.into();
    let set = interp.outside.set_variable(&name, HeldValue(value.clone()), outward);
    interp.outside(set)?;
    interp.set.push(name);
    Ok(value)
}

impl Interp<'_> {
    /// Calls a function of Puppet's.
    pub(crate) fn call_puppet(&mut self, name: &str, args: &[Value], how: CallForm) -> Flow {
        self.give_back()?;
        let mut given = Vec::with_capacity(args.len());
        let symbol = if how == CallForm::Older { UndefSymbol::Symbol } else { UndefSymbol::Undef };
        for arg in args {
            given.push(self.leaving_with(arg, symbol)?);
        }
        let value = self.outside.call_function(name, given, how);
        let value = self.outside(value)?;
        if name == "template" {
            self.adopt_methods_of(args)?;
        }
        Ok(border::inward(&value))
    }
}

/// `scope.function_name([…])`
fn missing(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let Some(function) = name.strip_prefix("function_") else {
        if let Some(known) = interp.unknown_core_method(Core::PuppetScope.class(), given.receiver, &name) {
            return interp.unsupported(format!("the method {known}"));
        }
        return no_method(interp, given.receiver, name);
    };
    let known = interp.outside.is_method_of_scope(function);
    if !interp.outside(known)? {
        let args = match given.args.get(1) {
            Some(args @ Value::Array(_)) => interp.array_arg(args)?,
            _ => Vec::new(),
        };
        return match interp.call_beside(function, &args)? {
            Some(result) => Ok(result),
            None => no_method(interp, given.receiver, name.clone()),
        };
    }
    let args = match given.args.get(1) {
        Some(args @ Value::Array(_)) => interp.array_arg(args)?,
        Some(_) => {
            return interp.raise(
                Core::ArgumentError,
                "custom functions must be called with a single array that contains the arguments. For example, \
                 function_example([1]) instead of function_example(1)",
            );
        }
        None => Vec::new(),
    };
    super::newer_only::check(interp, function, args.len())?;
    let result = interp.call_puppet(function, &args, CallForm::Older)?;
    if !["contain", "include", "require"].contains(&function) {
        return Ok(result);
    }
    // They answer nothing in the older way.
    let message =
        format!("Calling function_{function} via the Scope class is deprecated. Use Scope#call_function instead");
    let told = interp.outside.deprecated(&format!("3xfunction#{function}"), &message);
    interp.outside(told)?;
    Ok(Value::Nil)
}

/// In the words of the scope. (The real one also guesses at what was meant.)
fn no_method(interp: &mut Interp<'_>, scope: &Value, name: Str) -> Flow {
    let message = format!("undefined method `{name}' for {}:Puppet::Parser::Scope", shown(interp, scope)?);
    interp.raise_about(Core::NoMethodError, message, Value::Symbol(name))
}

/// `Scope(Class[main])`
fn shown(interp: &mut Interp<'_>, scope: &Value) -> Flow<String> {
    if is_top(scope) {
        return Ok("Scope(Class[main])".to_owned());
    }
    let around = interp.outside.resource_around();
    Ok(format!("Scope({})", interp.outside(around)?.unwrap_or_default()))
}

/// A function that is not there is another error for Ruby code than for Puppet's.
fn called(interp: &mut Interp<'_>, name: &str, args: &[Value]) -> Flow {
    let known = interp.outside.has_function(name);
    match interp.outside(known)? {
        true => interp.call_puppet(name, args, CallForm::ByScope),
        false => match interp.call_beside(name, args)? {
            Some(result) => Ok(result),
            None => interp.raise(Core::ArgumentError, format!("Unknown function '{name}'")),
        },
    }
}

/// `scope.warning(text)`: what the function of this name says.
fn said(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let message = message_of(interp, given)?;
    interp.call_puppet(given.name, std::slice::from_ref(&message), CallForm::ByScope)?;
    Ok(if matches!(given.name, "debug" | "info") { Value::Nil } else { message })
}

/// `scope.fail(class, text, …, original)`: the class may be left out. In functions of the older kind `fail` is this one.
fn failed(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let (class, texts) = match given.args {
        [class @ Value::Class(_), texts @ ..] => (class.clone(), texts),
        texts => (Value::Class(Core::PuppetError.class()), texts),
    };
    let texts = if texts.len() > 1 { &texts[..texts.len() - 1] } else { texts };
    let message = interp.send(&Value::array(texts.to_vec()), "join", &[Value::text(" ")])?;
    let exception = interp.send(&class, "new", &[message])?;
    Err(interp.stop_with_exception(exception))
}

fn message_of(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let message = match given.block {
        Some(block) if given.args.is_empty() => interp.yield_to(block, &[])?,
        _ => given.arg(0).clone(),
    };
    interp.text_of(&message).map(Value::text)
}

/// What is not logged is worth nothing.
fn log(interp: &mut Interp<'_>, given: &CallArguments<'_>, level: Level) -> Flow {
    let message = message_of(interp, given)?;
    let text = interp.text_of(&message)?;
    let logged = interp.outside.log(level, &text);
    interp.outside(logged)?;
    Ok(if matches!(level, Level::Debug | Level::Info) { Value::Nil } else { message })
}

//! Commands that Ruby code wants to run. What one says is answered as it was written down; where a person has that recorded,
//! it is run. Anything else is an error that no `rescue` sees.

use std::rc::Rc;

use pantin_base::shell;
use pantin_model::trace::Level;
use pantin_values::Str;

use crate::class::Core;
use crate::classes::Stream;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method, private};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 7] = [
    (Core::Kernel, Side::Instance, &[private("`", 1, 1, backticks), private("system", 1, ANY, system)]),
    (Core::Kernel, Side::Class, &[method("`", 1, 1, backticks), method("system", 1, ANY, system)]),
    (Core::Io, Side::Class, &[method("popen", 1, ANY, popen)]),
    (Core::Open3, Side::Class, OPEN3),
    (Core::ProcessStatus, Side::Instance, STATUS),
    (Core::PuppetExecution, Side::Class, PUPPET),
    (Core::FacterExecution, Side::Class, FACTER),
];

const OPEN3: &[NativeMethod] = &[
    method("capture2", 1, ANY, |interp, given| {
        let ran = captured(interp, given)?;
        let status = interp.child_status();
        Ok(Value::pair(Value::text(ran.output), status))
    }),
    method("capture2e", 1, ANY, |interp, given| {
        let ran = captured(interp, given)?;
        let status = interp.child_status();
        Ok(Value::pair(Value::text(ran.output + &ran.errors), status))
    }),
    method("capture3", 1, ANY, |interp, given| {
        let ran = captured(interp, given)?;
        let status = interp.child_status();
        Ok(Value::array(vec![Value::text(ran.output), Value::text(ran.errors), status]))
    }),
];

const STATUS: &[NativeMethod] = &[
    method("success?", 0, 0, |interp, given| Ok((status_of(interp, given)? == 0).into())),
    method("exitstatus", 0, 0, |interp, given| status_of(interp, given).map(Value::Int)),
    method("exited?", 0, 0, |_, _| Ok(Value::Bool(true))),
    method("signaled?", 0, 0, |_, _| Ok(Value::Bool(false))),
    method("to_i", 0, 0, |interp, given| Ok(Value::Int(status_of(interp, given)? << 8))),
];

const PUPPET: &[NativeMethod] = &[method("execute", 1, 2, execute), method("execpipe", 1, 2, execpipe)];

const FACTER: &[NativeMethod] = &[method("execute", 1, 2, facter_execute), method("exec", 1, 1, facter_exec)];

/// A command that has ended.
struct CommandResult {
    output: String,
    errors: String,
    status: i64,
    /// There is no such program.
    is_missing: bool,
}

fn backticks(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let ran = interp.run_command(given.args)?;
    interp.is_there(&ran, given.arg(0))?;
    Ok(Value::text(ran.output))
}

fn system(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let words = words(interp, given)?;
    let ran = interp.run_command(&words)?;
    Ok(if ran.is_missing { Value::Nil } else { (ran.status == 0).into() })
}

fn captured(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<CommandResult> {
    let words = words(interp, given)?;
    let ran = interp.run_command(&words)?;
    interp.is_there(&ran, &words[0])?;
    Ok(ran)
}

/// The command is read whole, and then from the text.
fn popen(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mode = match given.args.get(1) {
        None | Some(Value::Hash(_)) => "r".to_owned(),
        Some(mode) => interp.text_arg(mode)?,
    };
    if !mode.starts_with('r') || mode.contains('+') {
        return interp.unsupported("a command that is written to");
    }
    let given_words = match given.arg(0) {
        Value::Array(list) => list.items.borrow().clone(),
        one => vec![one.clone()],
    };
    let words = match given_words.as_slice() {
        // As an array it never goes through a shell.
        [one] if matches!(given.arg(0), Value::Array(_)) => {
            let word = interp.text_arg(one)?;
            vec![Value::text(if shell::is_for_shell(&word) { shell::quoted(&word) } else { word })]
        }
        _ => given_words,
    };
    let ran = interp.run_command(&words)?;
    interp.is_there(&ran, &words[0])?;
    let stream = stream_of(ran.output);
    let Some(block) = given.block else { return Ok(stream) };
    let result = interp.yield_one(block, stream.clone());
    interp.send(&stream, "close", &[])?;
    result
}

fn stream_of(text: String) -> Value {
    Value::object(Core::File.class(), Data::Stream(Stream::to_read(Rc::new(Text::new(text)))))
}

/// `Puppet::Util::Execution.execute`: without options it fails where the command fails, and takes what it says of errors too.
fn execute(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    const TAKEN: &[&str] = &["failonfail", "combine", "squelch", "sensitive", "override_locale", "suppress_window"];
    let options = match given.args.get(1) {
        None => None,
        Some(Value::Hash(options)) => Some(options.clone()),
        Some(_) => return interp.unsupported("options of a command that are no hash"),
    };
    let flag = |name: &str| match &options {
        Some(options) => options.get_symbol(name).is_some_and(|value| value.is_truthy()),
        None => name == "failonfail" || name == "combine",
    };
    for key in options.iter().flat_map(|options| options.keys()) {
        let value = options.as_ref().and_then(|options| options.get(&key)).unwrap_or_default();
        let is_taken = matches!(&key, Value::Symbol(name) if TAKEN.contains(&name.as_str()));
        let is_empty = matches!(&value, Value::Nil) || matches!(&value, Value::Hash(pairs) if pairs.keys().is_empty());
        if !is_taken && !is_empty {
            let shown = interp.inspect(&key)?;
            return interp.unsupported(format!("the option {shown} of Puppet::Util::Execution.execute"));
        }
    }
    let words = list_of(interp, given.arg(0))?;
    let shown = match flag("sensitive") {
        true => "[redacted]".to_owned(),
        false => interp.shown_command(&words)?,
    };
    interp.say_debug(&format!("Executing: '{shown}'"))?;
    let ran = interp.run_command(&words)?;
    // A program that is not there is noticed by the process that was to become it, which ends with one.
    let status = if ran.is_missing { 1 } else { ran.status };
    let mut output = if flag("squelch") { String::new() } else { ran.output };
    if flag("combine") && !flag("squelch") {
        output.push_str(&ran.errors);
    }
    if flag("failonfail") && status != 0 {
        let message = format!("Execution of '{shown}' returned {status}: {}", output.trim());
        return interp.raise(Core::PuppetExecutionFailure, message);
    }
    // What it gives has more methods than a text; they are known to be missing from here on.
    interp.loaded.insert("puppet/util/execution".into());
    Ok(Value::text(output))
}

/// `Puppet::Util::Execution.execpipe`: always through a shell, with what it says of errors.
fn execpipe(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let words = list_of(interp, given.arg(0))?;
    let shown = interp.shown_command(&words)?;
    interp.say_debug(&format!("Executing '{shown}'"))?;
    let ran = interp.run_command(&[Value::text(format!("{shown} 2>&1"))])?;
    let Some(block) = given.block else { return interp.raise(Core::LocalJumpError, "no block given (yield)") };
    let result = interp.yield_one(block, stream_of(ran.output))?;
    if given.args.get(1).is_none_or(|wanted| wanted.is_truthy()) && ran.status != 0 {
        let message = interp.text_of(&result)?;
        return interp.raise(Core::PuppetExecutionFailure, message);
    }
    Ok(result)
}

fn facter_execute(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let options = match given.args.get(1) {
        None => None,
        Some(Value::Hash(options)) => Some(options.clone()),
        Some(_) => return interp.unsupported("options of a command that are no hash"),
    };
    let ran = interp.run_command(&given.args[..1])?;
    if ran.is_missing {
        let on_fail = options.and_then(|options| options.get_symbol("on_fail"));
        return match on_fail {
            Some(value) if !matches!(&value, Value::Symbol(name) if name == "raise") => Ok(value),
            _ => {
                let command = interp.text_of(given.arg(0))?;
                let message = format!("Could not execute '{command}': command not found");
                interp.raise(Core::FacterExecutionFailure, message)
            }
        };
    }
    Ok(Value::text(ran.output.trim().to_owned()))
}

/// The older name: what fails is nil.
fn facter_exec(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let ran = interp.run_command(given.args)?;
    Ok(if ran.is_missing { Value::Nil } else { Value::text(ran.output.trim().to_owned()) })
}

/// Returns the words of a command: variables before them, and options behind them, are not taken.
fn words(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Vec<Value>> {
    if matches!(given.arg(0), Value::Hash(_)) {
        return interp.unsupported("a command with an environment of its own");
    }
    let mut words = given.args.to_vec();
    if let Some(Value::Hash(options)) = words.last().cloned() {
        if let Some(key) = options.keys().first() {
            let shown = interp.inspect(key)?;
            return interp.unsupported(format!("the option {shown} of a command"));
        }
        words.pop();
    }
    Ok(words)
}

/// Returns a command as Puppet's own code takes it: a text, or words in lists.
fn list_of(interp: &mut Interp<'_>, command: &Value) -> Flow<Vec<Value>> {
    match command {
        Value::Array(_) => {
            let flat = interp.send(command, "flatten", &[])?;
            interp.array_arg(&flat)
        }
        one => Ok(vec![one.clone()]),
    }
}

fn status_of(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<i64> {
    let status = interp.instance_variable(given.receiver, &"@status".into())?;
    interp.int_arg(&status)
}

impl Interp<'_> {
    /// Has a command answered, and sets `$?`.
    fn run_command(&mut self, words: &[Value]) -> Flow<CommandResult> {
        let mut command: Vec<Str> = Vec::with_capacity(words.len());
        for word in words {
            command.push(self.text_of(word)?.into());
        }
        let answered = self.outside.command(&command);
        let Some(answer) = self.outside(answered)? else {
            let shown = command.join(" ");
            // There it may be run: a person has opened that hole.
            if self.outside.has_own_ruby() {
                return self.unsupported(format!("the command '{shown}'"));
            }
            return self.fatal(format!(
                "Ruby code of modules would run '{shown}': commands are not run here; --answers FILE says what it \
                 prints, and with --record it is run and its output kept there"
            ));
        };
        let part = |name: &str| match &answer {
            pantin_values::Value::Hash(parts) => parts.get_str(name).cloned().unwrap_or_default(),
            _ => pantin_values::Value::Undef,
        };
        let text = |name: &str| part(name).as_str().map(str::to_owned).unwrap_or_default();
        let status = if let pantin_values::Value::Integer(status) = part("status") { status } else { 0 };
        let goes_directly = command.len() > 1 || command.first().is_some_and(|line| !shell::is_for_shell(line));
        let is_missing = status == shell::NOT_FOUND && goes_directly;
        let object = Value::object(Core::ProcessStatus.class(), Data::None);
        self.set_instance_variable(&object, &"@status".into(), Value::Int(status))?;
        self.globals.insert("$?".into(), object);
        Ok(CommandResult { output: text("output"), errors: text("errors"), status, is_missing })
    }

    fn child_status(&self) -> Value {
        self.globals.get("$?").cloned().unwrap_or_default()
    }

    fn is_there(&mut self, ran: &CommandResult, command: &Value) -> Flow<()> {
        if !ran.is_missing {
            return Ok(());
        }
        let command = self.text_of(command)?;
        let program = command.split_whitespace().next().unwrap_or_default().to_owned();
        self.raise(Core::ErrnoEnoent, format!("No such file or directory - {program}"))
    }

    fn shown_command(&mut self, words: &[Value]) -> Flow<String> {
        let words = words.iter().map(|word| self.text_of(word)).collect::<Flow<Vec<_>>>()?;
        Ok(words.join(" "))
    }

    fn say_debug(&mut self, message: &str) -> Flow<()> {
        let said = self.outside.log(Level::Debug, message);
        self.outside(said)
    }
}

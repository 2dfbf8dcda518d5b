//! The attributes of `exec`: how they are checked and converted.

use std::path::Path;

use pantin_machine::Who;
use pantin_values::{Str, Value, ruby_class, unconvertible};

use crate::check::NodeSystem;
use crate::failure::Failure;
use crate::log::Level;
use crate::resource::{AttributeRule, AttributeValues, Draft, munging_failed};
use crate::types::ruby_values::{any_line, as_text, float, integer, no_method};
use crate::types::tool_command::check_provider as check_named_provider;
use crate::value::{inspect, is_word, text};

const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::list_property("returns").converted(convert_code).default_text("0"),
    AttributeRule::parameter("command").checked(check_command),
    AttributeRule::parameter("path").converted(convert_search_path),
    AttributeRule::parameter("user").checked(check_user),
    AttributeRule::parameter("group"),
    AttributeRule::parameter("cwd").checked(|given, draft| check_path("cwd", given, draft)),
    AttributeRule::parameter("logoutput")
        .words(&[("true", "true"), ("false", "false"), ("on_failure", "on_failure")])
        .default_text("on_failure"),
    AttributeRule::parameter("refresh").checked(check_own_command),
    AttributeRule::parameter("environment").checked(check_environment),
    AttributeRule::parameter("umask").converted(convert_umask),
    AttributeRule::parameter("timeout").converted(convert_timeout).default_integer(300),
    AttributeRule::parameter("tries").converted(convert_tries).default_integer(1),
    AttributeRule::parameter("try_sleep").converted(convert_try_sleep).default_integer(0),
    AttributeRule::parameter("refreshonly").words(TRUE_FALSE),
    AttributeRule::parameter("creates").checked(|given, draft| check_path("creates", given, draft)),
    AttributeRule::parameter("unless").checked(check_commands),
    AttributeRule::parameter("onlyif").checked(check_commands),
    AttributeRule::parameter("provider").checked(check_provider).converted(convert_provider).default_text("posix"),
];

/// Commands of which any one is a secret hide the others.
pub(super) fn spread_secret(secret: &str, values: &mut AttributeValues) -> bool {
    const COMMANDS: [&str; 3] = ["command", "unless", "onlyif"];
    let is_command = COMMANDS.contains(&secret);
    if is_command {
        COMMANDS.iter().for_each(|name| values.hide(name));
    }
    is_command
}

/// Checks the command when all else is known: the search path is needed.
pub(super) fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    match draft.get("command").cloned() {
        Some(command) => {
            // The real one looks for a path in what is none.
            if elements(&command).first().is_none_or(|word| text(word).trim().is_empty()) {
                let what = "Cannot check if  is an absolute path because it is a 'NilClass' and not a String'";
                draft.log.bare(Level::Warning, what);
            }
            check_own_command(&command, draft)
        }
        None => Ok(()),
    }
}

fn convert_code(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::string(&*text(given)))
}

fn check_command(given: &Value, _draft: &Draft<'_>) -> Result<(), Failure> {
    if matches!(given, Value::String(_) | Value::Array(_)) {
        return Ok(());
    }
    let class = ruby_class(given);
    Err(Failure::new(format!("Command must be a String or Array<String>, got value of class {class}")))
}

fn convert_search_path(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let mut folders = Vec::new();
    collect_folders(given, &mut folders)?;
    Ok(Value::array(folders))
}

fn collect_folders(given: &Value, folders: &mut Vec<Value>) -> Result<(), Failure> {
    match given {
        Value::Array(items) => items.iter().try_for_each(|item| collect_folders(item, folders)),
        Value::String(text) => {
            folders.extend(text.split(':').map(Value::string));
            Ok(())
        }
        other => Err(Failure::whole(format!("Could not set path on exec: {}", no_method("split", other)))),
    }
}

fn check_user(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    if draft.node().is_some_and(NodeSystem::is_windows) {
        return Err(Failure::new("Unable to execute commands as other users on Windows"));
    }
    let (uid, _) = draft.machine.identity();
    let own = draft.machine.user(Who::Id(uid)).ok().flatten();
    if uid == 0 || own.is_some_and(|own| own.name == *text(given)) {
        return Ok(());
    }
    Err(Failure::new("Only root can execute commands as other users"))
}

fn check_path(name: &str, given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    if matches!(given, Value::Array(_)) && name == "cwd" {
        return Err(Failure::new(format!("{name} only accepts a single path, not an array of paths")));
    }
    if matches!(given, Value::Hash(members) if members.is_empty()) {
        return Ok(());
    }
    if elements(given).iter().all(|path| draft.is_absolute_path(&text(path))) {
        return Ok(());
    }
    Err(Failure::new(format!("{name} must be a fully qualified path")))
}

fn check_environment(given: &Value, _draft: &Draft<'_>) -> Result<(), Failure> {
    let is_setting = |setting: &str| {
        setting.match_indices('=').any(|(place, _)| {
            setting[..place].chars().next_back().is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        })
    };
    let is_wrong = |setting: &&Value| !matches!(setting, Value::String(setting) if is_setting(setting));
    match elements(given).iter().find(is_wrong) {
        Some(wrong) => Err(Failure::new(format!("Invalid environment setting '{}'", text(wrong)))),
        None => Ok(()),
    }
}

fn convert_umask(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let written = text(given).into_owned();
    let digits = written.lines().next().unwrap_or_default();
    let is_octal = (1..=5).contains(&digits.len())
        && digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit))
        && (digits.len() < 5 || digits.starts_with('0'));
    match i64::from_str_radix(digits, 8) {
        // A number is none of the texts that are matched.
        Ok(umask) if is_octal && matches!(given, Value::String(_)) => Ok(Value::Integer(umask)),
        _ => Err(Failure::new(format!("The umask specification is invalid: {}", inspect(given)))),
    }
}

fn convert_timeout(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    // The real one takes the first of a list out of it.
    let (first, rest) = match given {
        Value::Array(items) => match items.split_first() {
            Some((first, rest)) => (first.clone(), Value::array(rest.iter().cloned())),
            None => (Value::Undef, given.clone()),
        },
        one => (one.clone(), one.clone()),
    };
    let seconds = match &first {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        Value::String(text) => {
            float(text).ok_or_else(|| munging_failed("timeout", &rest, "The timeout must be a number."))?
        }
        other => {
            let detail = format!("can't convert {} into Float", unconvertible(other));
            return Err(munging_failed("timeout", &rest, &detail));
        }
    };
    Ok(Value::Float(seconds.max(0.0)))
}

/// Compares a number with another as Ruby does, or fails in its words.
fn is_below(name: &str, given: &Value, limit: f64) -> Result<bool, Failure> {
    match given {
        Value::Integer(number) => Ok((*number as f64) < limit),
        Value::Float(number) => Ok(*number < limit),
        Value::Hash(_) => Err(munging_failed(name, given, "no implicit conversion of Integer into Hash")),
        other => Err(munging_failed(name, given, &no_method("<", other))),
    }
}

fn convert_tries(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let tries = match given {
        Value::String(written) => {
            let is_number = |line: &str| !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit());
            if !any_line(written, is_number) {
                return Err(munging_failed("tries", given, "Tries must be an integer"));
            }
            let detail = || format!("invalid value for Integer(): {}", inspect(given));
            Value::Integer(integer(written).ok_or_else(|| munging_failed("tries", given, &detail()))?)
        }
        other => other.clone(),
    };
    match is_below("tries", &tries, 1.0)? {
        true => Err(munging_failed("tries", given, "Tries must be an integer >= 1")),
        false => Ok(tries),
    }
}

fn convert_try_sleep(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let seconds = match given {
        Value::String(written) => {
            let is_number = |line: &str| {
                !line.is_empty() && line.chars().all(|letter| letter.is_ascii_digit() || "-.".contains(letter))
            };
            if !any_line(written, is_number) {
                return Err(munging_failed("try_sleep", given, "try_sleep must be a number"));
            }
            let detail = || format!("invalid value for Float(): {}", inspect(given));
            Value::Float(float(written).ok_or_else(|| munging_failed("try_sleep", given, &detail()))?)
        }
        other => other.clone(),
    };
    match is_below("try_sleep", &seconds, 0.0)? {
        true => Err(munging_failed("try_sleep", given, "try_sleep cannot be a negative number")),
        false => Ok(seconds),
    }
}

/// Checks one command, or each of a list of commands.
fn check_commands(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    elements(given).iter().try_for_each(|command| check_own_command(command, draft))
}

/// Refuses a command that nobody could find.
fn check_own_command(command: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let is_shell = draft.get("provider").is_some_and(|provider| is_word(provider, "shell"));
    if is_shell {
        return Ok(());
    }
    if !matches!(command, Value::Array(_)) {
        as_text(command)?;
    }
    let program = program_name(command);
    if draft.is_absolute_path(&program) || draft.get("path").is_some() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "'{program}' is not qualified and no path was specified. Please qualify the command or specify a path."
    )))
}

fn check_provider(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    check_named_provider("exec", &["posix", "shell", "windows"], given, draft)
}

fn convert_provider(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::Symbol(Str::from(&*text(given))))
}

/// Returns the elements of an array, or the one value.
pub(super) fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.to_vec(),
        one => vec![one.clone()],
    }
}

/// Returns the program in a command: its first word, or what stands in quotes at its beginning.
pub(super) fn program_name(command: &Value) -> String {
    let command = match command {
        Value::Array(words) => return words.first().map(|word| text(word).into_owned()).unwrap_or_default(),
        one => text(one),
    };
    for quote in ['"', '\''] {
        let quoted = command.lines().find_map(|line| line.strip_prefix(quote)?.split_once(quote));
        if let Some((program, _)) = quoted.filter(|(program, _)| !program.is_empty()) {
            return program.to_owned();
        }
    }
    command.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns true if a path is written as the machine would resolve it.
pub(super) fn is_expanded(path: &str) -> bool {
    Path::new(path).is_absolute() && pantin_base::paths::expanded(path) == path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_the_first_word_or_what_is_quoted() {
        for (command, program) in
            [("/bin/echo a", "/bin/echo"), ("'/opt/a b/c' d", "/opt/a b/c"), ("\"x\" y", "x"), ("true", "true")]
        {
            assert_eq!(program_name(&Value::string(command)), program);
        }
        assert_eq!(program_name(&Value::array([Value::string("/bin/a b"), Value::string("c")])), "/bin/a b");
    }
}

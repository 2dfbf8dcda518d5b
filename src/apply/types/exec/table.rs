//! The attributes of `exec`: how they are checked and converted.

use std::path::Path;

use pantin_machine::Who;
use pantin_values::{Str, Value, ruby_class};

use crate::failure::Failure;
use crate::log::Level;
use crate::resource::{AttributeRule, AttributeValues, Draft, munging_failed};
use crate::value::{inspect, is_word, text};

const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::list_property("returns").converted(convert_code).default_text("0"),
    AttributeRule::parameter("command").checked(check_command),
    AttributeRule::parameter("path").converted(convert_search_path),
    AttributeRule::parameter("user").checked(check_user),
    AttributeRule::parameter("group"),
    AttributeRule::parameter("cwd").checked(|given, _| check_path("cwd", given, false)),
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
    AttributeRule::parameter("creates").checked(|given, _| check_path("creates", given, true)),
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
    let folders = elements(given);
    let folders = folders.iter().flat_map(|folders| text(folders).split(':').map(Value::string).collect::<Vec<_>>());
    Ok(Value::array(folders))
}

fn check_user(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let (uid, _) = draft.machine.identity();
    let own = draft.machine.user(Who::Id(uid)).ok().flatten();
    if uid == 0 || own.is_some_and(|own| own.name == *text(given)) {
        return Ok(());
    }
    Err(Failure::new("Only root can execute commands as other users"))
}

fn check_path(name: &str, given: &Value, takes_several: bool) -> Result<(), Failure> {
    if matches!(given, Value::Array(_)) && !takes_several {
        return Err(Failure::new(format!("{name} only accepts a single path, not an array of paths")));
    }
    if elements(given).iter().all(|path| text(path).starts_with('/')) {
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
    match elements(given).iter().find(|setting| !is_setting(&text(setting))) {
        Some(wrong) => Err(Failure::new(format!("Invalid environment setting '{}'", text(wrong)))),
        None => Ok(()),
    }
}

fn convert_umask(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let digits = text(given);
    let is_octal = (1..=5).contains(&digits.len())
        && digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit))
        && (digits.len() < 5 || digits.starts_with('0'));
    match i64::from_str_radix(&digits, 8) {
        Ok(umask) if is_octal => Ok(Value::Integer(umask)),
        _ => Err(Failure::new(format!("The umask specification is invalid: {}", inspect(given)))),
    }
}

fn number(given: &Value) -> Option<f64> {
    match given {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::String(number) => number.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn convert_timeout(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let first = elements(given).into_iter().next().unwrap_or_default();
    match number(&first) {
        Some(seconds) => Ok(Value::Float(seconds.max(0.0))),
        None => Err(munging_failed("timeout", given, "The timeout must be a number.")),
    }
}

fn convert_tries(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    let tries = match given {
        Value::Integer(tries) => Some(*tries),
        Value::String(tries) if !tries.is_empty() && tries.bytes().all(|digit| digit.is_ascii_digit()) => {
            tries.parse().ok()
        }
        _ => None,
    };
    match tries {
        None => Err(munging_failed("tries", given, "Tries must be an integer")),
        Some(tries) if tries < 1 => Err(munging_failed("tries", given, "Tries must be an integer >= 1")),
        Some(tries) => Ok(Value::Integer(tries)),
    }
}

fn convert_try_sleep(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    match number(given) {
        None => Err(munging_failed("try_sleep", given, "try_sleep must be a number")),
        Some(seconds) if seconds < 0.0 => {
            Err(munging_failed("try_sleep", given, "try_sleep cannot be a negative number"))
        }
        Some(seconds) => Ok(Value::Float(seconds)),
    }
}

/// Checks one command, or each of a list of commands.
fn check_commands(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    elements(given).iter().try_for_each(|command| check_own_command(command, draft))
}

/// Refuses a command that nobody could find.
fn check_own_command(command: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let is_shell = draft.get("provider").is_some_and(|provider| is_word(provider, "shell"));
    let program = program_name(command);
    if is_shell || program.starts_with('/') || draft.get("path").is_some() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "'{program}' is not qualified and no path was specified. Please qualify the command or specify a path."
    )))
}

fn check_provider(given: &Value, _draft: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given) {
        "posix" | "shell" | "windows" => Ok(()),
        other => Err(Failure::new(format!("Invalid exec provider '{other}'"))),
    }
}

fn convert_provider(given: &Value, _draft: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::Symbol(Str::from(&*text(given))))
}

/// The elements of an array, or the one value.
pub(super) fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.to_vec(),
        one => vec![one.clone()],
    }
}

/// The program in a command: its first word, or what stands in quotes at its beginning.
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

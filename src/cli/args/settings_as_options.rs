//! Settings as long options, for the command that has them from Puppet: `--statedir DIR`, `--strict=warning`, `--no-trace`.
//!
//! Knows nothing of what a setting does.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use clap::{Arg, Command};
use pantin_base::Language;
use pantin_values::Value;
use pantin_world::MachineDisk;
use pantin_world::settings::Settings;

/// The commands whose long options may be settings.
const COMMANDS: [&str; 3] = ["apply", "plan", "resource"];

/// Returns the arguments of the process with `--set NAME=VALUE` for each long option that is a setting and nothing else.
pub(crate) fn with_settings(given: Vec<OsString>, program: &Command) -> Vec<OsString> {
    let name = given.get(1).filter(|name| COMMANDS.iter().any(|command| **name == *command));
    let command = name.and_then(|name| program.find_subcommand(name));
    let Some(command) = command else { return given };
    let settings = Settings::new(Language::default(), Arc::new(MachineDisk::default()));
    let mut translated = Vec::with_capacity(given.len());
    let mut words = given.into_iter();
    translated.extend(words.by_ref().take(2));
    while let Some(word) = words.next() {
        if word == "--" {
            translated.push(word);
            break;
        }
        if let Some(setting) = setting_of(&word, command, &settings) {
            let value = match setting.value {
                Some(value) => value,
                None => match words.next() {
                    Some(value) => value,
                    // Nothing follows: the parser says so.
                    None => {
                        translated.push(word);
                        break;
                    }
                },
            };
            let mut pair = OsString::from(format!("{}=", setting.name));
            pair.push(value);
            translated.extend([OsString::from("--set"), pair]);
            continue;
        }
        // What follows is code, whatever it looks like.
        let is_code = word == "-e" || word == "--execute";
        translated.push(word);
        if is_code {
            translated.extend(words.next());
        }
    }
    translated.extend(words);
    translated
}

/// A setting that was given as an option.
struct GivenSetting {
    name: String,
    /// `None`: the next word.
    value: Option<OsString>,
}

fn setting_of(word: &OsStr, command: &Command, settings: &Settings) -> Option<GivenSetting> {
    let written = word.to_str()?.strip_prefix("--")?;
    let (name, value) = match written.split_once('=') {
        Some((name, value)) => (name, Some(OsString::from(value))),
        None => (written, None),
    };
    if is_option(command, name) {
        return None;
    }
    let given = |name: &str, value| Some(GivenSetting { name: name.to_owned(), value });
    if let Some(denied) = name.strip_prefix("no-").filter(|denied| is_flag(settings, denied) == Some(true)) {
        return given(denied, Some("false".into()));
    }
    match is_flag(settings, name)? {
        true => given(name, value.or(Some("true".into()))),
        false => given(name, value),
    }
}

/// Returns true for a setting that is on or off; `None` where there is no such setting.
fn is_flag(settings: &Settings, name: &str) -> Option<bool> {
    let is_setting = settings.names().any(|known| known == name);
    is_setting.then(|| matches!(settings.value(name), Ok(Value::Boolean(_))))
}

fn is_option(command: &Command, name: &str) -> bool {
    let has = |argument: &Arg| {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        argument.get_long() == Some(name) || aliases.contains(&name)
    };
    command.get_arguments().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let option = |name: &'static str| Arg::new(name).long(name);
        let apply = Command::new("apply").arg(option("environment").alias("env")).arg(option("set"));
        let program = Command::new("pantin").subcommand(apply).subcommand(Command::new("eval"));
        let words = line.split(' ').map(OsString::from).collect();
        let words: Vec<String> =
            with_settings(words, &program).into_iter().map(|word| word.into_string().unwrap_or_default()).collect();
        words.join(" ")
    }

    #[test]
    fn settings_may_be_options() {
        for (given, meant) in [
            ("pantin apply --statedir /s a.pp", "pantin apply --set statedir=/s a.pp"),
            ("pantin apply --statedir=/s a.pp", "pantin apply --set statedir=/s a.pp"),
            ("pantin apply --trace a.pp", "pantin apply --set trace=true a.pp"),
            ("pantin apply --no-trace a.pp", "pantin apply --set trace=false a.pp"),
            ("pantin apply --strict=off", "pantin apply --set strict=off"),
        ] {
            assert_eq!(translated(given), meant);
        }
    }

    #[test]
    fn what_is_no_setting_stays() {
        for line in [
            "pantin apply --environment x",
            "pantin apply --env x",
            "pantin apply --nosuch x",
            "pantin apply --no-statedir x",
            "pantin apply -e --trace",
            "pantin apply -- --trace",
            "pantin apply --statedir",
            "pantin eval --trace",
        ] {
            assert_eq!(translated(line), line);
        }
    }
}

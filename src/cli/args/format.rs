//! The option that says how an answer is printed that is for a person or for a program, and other names of it.

use std::ffi::{OsStr, OsString};

use clap::{Args, Command, ValueEnum};

/// The option of commands that print text or JSON, and nothing else.
#[derive(Debug, Args)]
pub(crate) struct FormatArguments {
    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "text", alias = "render-as")]
    format: TextOrJson,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TextOrJson {
    /// For a person
    Text,
    /// For a program
    Json,
}

/// Text or JSON, for commands whose help says nothing more of either.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PlainFormat {
    Text,
    Json,
}

impl FormatArguments {
    pub(crate) fn is_json(&self) -> bool {
        self.format == TextOrJson::Json
    }
}

/// The arguments of the process with `--format json` for `--json`, if their command has that option.
pub(crate) fn with_format_option(mut given: Vec<OsString>, program: &Command) -> Vec<OsString> {
    let command = given.get(1).and_then(|name| program.find_subcommand(name));
    let has_format =
        command.is_some_and(|command| command.get_arguments().any(|option| option.get_long() == Some("format")));
    let end = given.iter().position(|word| word == "--").unwrap_or(given.len());
    if has_format {
        for at in 2..end {
            // Code may be called so.
            if given[at] == OsStr::new("--json") && given[at - 1] != OsStr::new("-e") {
                given[at] = "--format=json".into();
            }
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    #[test]
    fn json_stands_for_the_format() {
        let program = Command::new("pantin")
            .subcommand(Command::new("eval").arg(Arg::new("format").long("format")))
            .subcommand(Command::new("epp"));
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for (given, meant) in [
            ("pantin eval --json a.pp", "pantin eval --format=json a.pp"),
            ("pantin eval -e --json", "pantin eval -e --json"),
            ("pantin eval -- --json", "pantin eval -- --json"),
            ("pantin epp --json", "pantin epp --json"),
            ("pantin --json", "pantin --json"),
        ] {
            assert_eq!(with_format_option(words(given), &program), words(meant));
        }
    }
}

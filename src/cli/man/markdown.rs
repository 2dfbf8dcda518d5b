//! The reference of all commands as Markdown: a chapter of the book.

use std::collections::BTreeMap;

use clap::{Arg, Command};

/// Returns all commands with their options, in the order of the help.
pub(super) fn reference(command: &Command) -> String {
    let mut text =
        "# Commands\n\nWhat `pantin COMMAND --help` says, for all commands. This page is made by `pantin man \
                    --markdown`.\n"
            .to_owned();
    let commands =
        || command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    text.push('\n');
    for command in commands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("- [`pantin {name}`](#pantin-{name}): {about}\n", name = command.get_name()));
    }
    text.push_str("- [Options, and the commands that have them](#options-and-the-commands-that-have-them)\n");
    for command in commands() {
        add_command(&mut text, command, 2, &format!("pantin {}", command.get_name()));
    }
    add_option_table(&mut text, &commands().collect::<Vec<_>>());
    text
}

/// A table of the options that several commands have: an option means the same wherever it is.
fn add_option_table(text: &mut String, commands: &[&Command]) {
    let mut options: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for command in commands {
        for option in command.get_arguments().filter(|argument| !argument.is_hide_set()).filter_map(Arg::get_long) {
            options.entry(option).or_default().push(command.get_name());
        }
    }
    options.retain(|option, commands| *option != "help" && commands.len() > 1);
    text.push_str("\n## Options, and the commands that have them\n\n| option | commands |\n|---|---|\n");
    for (option, having) in options {
        text.push_str(&format!("| `--{option}` | {} |\n", having.join(", ")));
    }
}

fn add_command(text: &mut String, command: &Command, level: usize, name: &str) {
    text.push_str(&format!("\n{} {name}\n\n", "#".repeat(level)));
    let about = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string).unwrap_or_default();
    text.push_str(&format!("{}.\n\n", escape(about.trim().trim_end_matches('.'))));
    let usage = command.clone().render_usage().to_string();
    text.push_str(&format!("```text\n{}\n```\n", usage.trim()));
    let shown = || command.get_arguments().filter(|argument| !argument.is_hide_set() && argument.get_id() != "help");
    let mut headings: Vec<Option<&str>> = Vec::new();
    for argument in shown() {
        if !headings.contains(&argument.get_help_heading()) {
            headings.push(argument.get_help_heading());
        }
    }
    for heading in headings {
        text.push_str(&format!("\n**{}**\n\n", heading.unwrap_or("Arguments and options")));
        let of_heading = shown().filter(|argument| argument.get_help_heading() == heading);
        of_heading.for_each(|argument| add_argument(text, argument));
    }
    if let Some(after) = command.get_after_long_help().or_else(|| command.get_after_help()) {
        text.push_str(&format!("\n```text\n{}\n```\n", after.to_string().trim()));
    }
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        add_command(text, inner, level + 1, &format!("{name} {}", inner.get_name()));
    }
}

fn add_argument(text: &mut String, argument: &Arg) {
    let help = argument.get_long_help().or_else(|| argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let default: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let default = match default.is_empty() || !argument.get_action().takes_values() {
        true => String::new(),
        false => format!(" [default: {}]", default.join(", ")),
    };
    let words: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|_| argument.get_action().takes_values())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    let words = if words.is_empty() { String::new() } else { format!(" One of {}.", words.join(", ")) };
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    text.push_str(&format!("- `{argument}`: {}{}{words}\n", escape(&help), escape(&default)));
}

/// Text in which nothing is markup of Markdown or HTML.
fn escape(text: &str) -> String {
    text.replace('<', "&lt;").replace('*', "\\*").replace('_', "\\_")
}

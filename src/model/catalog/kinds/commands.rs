//! The native types for commands: `exec`, `cron`, `scheduled_task`.

use std::sync::LazyLock;

use pantin_values::{Regexp, Str, Value};

use super::automatic::{AutomaticTarget, Rule, Subject, is_number, one_line, scan};
use super::declaration::{Declaration, PLAIN};

pub(super) static TYPES: &[Declaration] = &[
    Declaration {
        name: "exec",
        summary: "A command to run.",
        properties: "returns",
        parameters: "command* path user group cwd logoutput refresh environment umask timeout tries try_sleep
            refreshonly creates unless onlyif provider",
        is_isomorphic: false,
        automatic: &[Rule::require("file", files_of_commands), Rule::require("user", user_of_command)],
        ..PLAIN
    },
    Declaration {
        name: "cron",
        module: Some("cron_core"),
        summary: "A job of a user's crontab.",
        properties: "ensure command special minute hour weekday month monthday environment user target",
        parameters: "name* provider",
        automatic: &[Rule::require("user", |job| {
            job.first_text("user").map(AutomaticTarget::Named).into_iter().collect()
        })],
        ..PLAIN
    },
    Declaration {
        name: "scheduled_task",
        module: Some("scheduled_task"),
        summary: "A task that Windows runs at its time.",
        properties: "ensure enabled command working_dir arguments description user compatibility trigger",
        parameters: "name* password provider",
        ..PLAIN
    },
];

/// A path at the start of a line.
static PATH: LazyLock<Regexp> = LazyLock::new(|| one_line(r"^(/\S+)"));
static QUOTED: LazyLock<Regexp> = LazyLock::new(|| one_line(r#"^"([^"]+)""#));

/// Returns its working folder, and the files that its command lines begin with.
fn files_of_commands(exec: &Subject) -> Vec<AutomaticTarget> {
    let mut files: Vec<Str> = exec.first_text("cwd").into_iter().collect();
    let command = match exec.value("command") {
        Some(Value::Array(words)) => words.first().and_then(Value::as_str).map(Str::from),
        _ => exec.text("command"),
    };
    if let Some(command) = command {
        files.extend(scan(&PATH, &command));
        files.extend(scan(&QUOTED, &command));
    }
    for check in ["onlyif", "unless"] {
        for line in exec.values(check) {
            let first = match line {
                Value::Array(words) => words.first().and_then(Value::as_str),
                line => line.as_str(),
            };
            files.extend(first.map(|line| scan(&PATH, line)).unwrap_or_default());
        }
    }
    files.into_iter().map(AutomaticTarget::Named).collect()
}

fn user_of_command(exec: &Subject) -> Vec<AutomaticTarget> {
    match exec.value("user") {
        Some(Value::String(name)) if is_number(name) => Vec::new(),
        // A number is looked up like a name, unless it is written as a text.
        _ => exec.first_text("user").map(AutomaticTarget::Named).into_iter().collect(),
    }
}

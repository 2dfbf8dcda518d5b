//! The log of a job: GitHub's runner takes lines that begin with `::`, and whatever stands behind `##[`, for commands.

use std::borrow::Cow;

use pantin_world::Surroundings;

use super::printable::printable;

/// Stands between two signs, and is not to be seen.
const APART: char = '\u{200B}';

/// What begins a command wherever it stands in a line.
const OLD_COMMAND: &str = "##[";

/// Who reads standard output or error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LogReader {
    /// A program, or a file: it gets the text as it is.
    Program,
    /// A person at a terminal, or at the log of a job, which shows it as a terminal would.
    Person,
    /// GitHub's runner, and then a person.
    Runner,
}

impl LogReader {
    pub(crate) fn new(on_terminal: bool, surroundings: &Surroundings) -> LogReader {
        match (surroundings.github_actions, on_terminal || surroundings.gitlab_ci) {
            (true, _) => LogReader::Runner,
            (false, true) => LogReader::Person,
            (false, false) => LogReader::Program,
        }
    }

    /// Returns the reader of standard output.
    pub(crate) fn of_stdout(surroundings: &Surroundings) -> LogReader {
        match surroundings.stdout_is_file {
            true => LogReader::Program,
            false => LogReader::new(surroundings.stdout_is_terminal, surroundings),
        }
    }

    /// Text as this reader gets it.
    pub(crate) fn shown(self, text: &str) -> Cow<'_, str> {
        match self {
            LogReader::Program => Cow::Borrowed(text),
            LogReader::Person => printable(text),
            LogReader::Runner => Cow::Owned(without_commands(&printable(text)).into_owned()),
        }
    }

    /// Text that has colours, and is safe for terminals already.
    pub(crate) fn laid_out(self, text: &str) -> Cow<'_, str> {
        if self == LogReader::Runner { without_commands(text) } else { Cow::Borrowed(text) }
    }
}

/// Returns the text with nothing in it that a runner would obey.
pub(crate) fn without_commands(text: &str) -> Cow<'_, str> {
    let begins_command = |line: &str| line.trim_start().starts_with("::");
    if !text.contains(OLD_COMMAND) && !text.lines().any(begins_command) {
        return Cow::Borrowed(text);
    }
    let apart = |line: &str| match begins_command(line) {
        true => line.replacen("::", &format!(":{APART}:"), 1),
        false => line.to_owned(),
    };
    let lines: String = text.split_inclusive('\n').map(apart).collect();
    Cow::Owned(lines.replace(OLD_COMMAND, &format!("#{APART}#[")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_command() {
        assert!(matches!(without_commands("a ::error::b\nc # ["), Cow::Borrowed(_)));
        let commands = "::error::a\n \t::add-mask::b\nc ##[error]d\nApp::Db\n";
        assert_eq!(
            without_commands(commands),
            ":\u{200B}:error::a\n \t:\u{200B}:add-mask::b\nc #\u{200B}#[error]d\nApp::Db\n"
        );
    }
}

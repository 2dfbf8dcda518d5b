//! A message about nodes as text for a person: where it comes from, the line of code, what probably mends it, and its nodes.

use std::path::Path;

use pantin_repository::messages::{About, FilePlace, Group};
use pantin_repository::read_to_show;
use pantin_values::Str;

use super::counting::count;
use super::layout::Layout;
use super::printable::{printable, printable_line};
use super::relative_path::relative_paths;
use super::text_style::TextStyle;

/// So many lines of the terminal a message may take: what went wrong stands at its end.
const LINES_OF_MESSAGE: usize = 6;

/// Longer lines of code are cut.
const LINE_WIDTH: usize = 100;

/// What is said of nodes.
pub(crate) struct MessageText<'m> {
    pub(crate) text: &'m str,
    pub(crate) place: Option<&'m FilePlace>,
    pub(crate) help: Option<&'m str>,
}

impl<'m> MessageText<'m> {
    pub(crate) fn from_group(group: &'m Group) -> MessageText<'m> {
        MessageText { text: &group.text, place: group.place.as_ref(), help: group.help.as_deref() }
    }

    /// `sign` takes one column, and stands before the message; `nodes` stands below it.
    pub(crate) fn render(&self, sign: &str, nodes: &str, layout: &Layout) -> String {
        let told = relative_paths(self.text);
        let lines: Vec<String> = told.lines().map(|line| layout.cut_to(LINES_OF_MESSAGE, line, 4)).collect();
        let mut text = format!("{sign} {}\n", lines.join("\n    "));
        if let Some(FilePlace { file, line, column }) = self.place {
            let line = column.map_or(line.to_string(), |column| format!("{line}:{column}"));
            let place = layout.cut_place(file, line, 4);
            text.push_str(&format!("    {}\n", layout.in_colour(TextStyle::Faint, &place)));
        }
        for line in self.code_line().iter().map(String::as_str).chain(self.help_lines().iter().map(String::as_str)) {
            text.push_str(&format!("    {}\n", layout.cut_to(LINES_OF_MESSAGE, line, 4)));
        }
        text.push_str(&format!("    {}\n", layout.in_colour(TextStyle::Faint, &layout.cut(nodes, 4))));
        text
    }

    /// The line of code that it is about, as it is now, with its number. A file that cannot be read shows nothing.
    pub(crate) fn code_line(&self) -> Option<String> {
        let FilePlace { file, line, .. } = self.place?;
        let bytes = read_to_show(Path::new(file))?;
        let text = String::from_utf8(bytes).ok()?;
        let code = text.lines().nth(usize::try_from(*line).ok()?.checked_sub(1)?)?;
        let shown = code.trim_end().chars().take(LINE_WIDTH).collect::<String>();
        (!shown.trim().is_empty()).then(|| format!("{line:>4} │ {}", printable_line(&shown)))
    }

    /// Returns what probably mends it.
    pub(crate) fn help_lines(&self) -> Vec<String> {
        let help = self.help.map(|help| format!("help: {help}")).unwrap_or_default();
        relative_paths(&help).lines().map(|line| printable_line(line).into_owned()).collect()
    }
}

/// So many names are shown of those that a message is of.
const NAMES: usize = 6;

/// Some of the names, and how many more there are.
pub(crate) fn some_names(nodes: &[&Str]) -> String {
    // In the place of `and 1 more` there is room for the name.
    let most = if nodes.len() == NAMES + 1 { NAMES + 1 } else { NAMES };
    let shown: Vec<&str> = nodes.iter().take(most).map(|name| name.as_str()).collect();
    let more = nodes.len() - shown.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", printable(&shown.join(", ")))
}

/// Returns the nodes of a group.
pub(crate) fn nodes_line(group: &Group) -> String {
    let nodes: Vec<&Str> = group.nodes.iter().collect();
    format!("{}: {}", count(nodes.len(), "node"), some_names(&nodes))
}

/// The text of a group where no heading says what it is about.
pub(crate) fn title(group: &Group) -> String {
    match group.about {
        About::Cycle => format!("Dependency cycle: {}", group.text),
        About::Failure | About::Missing | About::Refused | About::Error | About::Warning => group.text.clone(),
    }
}

//! The report as Markdown: for the summary of a job, and for a comment on a pull request.
//!
//! GitHub takes 65,536 characters. Whatever the size of the fleet, the report stays below: what hurts comes first, and what has no
//! room is counted.

use pantin_repository::messages::{About, Group};

use super::{FinishedRun, SECTIONS};
use crate::print::counting::count;
use crate::print::repository_path::repository_path;

/// Below what GitHub takes, for a line or two around the report.
const MOST_CHARACTERS: usize = 60_000;

/// One message is shown up to here.
const MESSAGE_CHARACTERS: usize = 2_000;

/// So many names are shown of those that a message is of.
const NAMES: usize = 10;

pub(super) fn report(done: &FinishedRun<'_>) -> String {
    let summary = &done.summary;
    let failed = summary.failed_count();
    let verdict = match failed {
        0 => format!("✅ {}: all ok", count(summary.nodes.len(), "node")),
        _ => format!("❌ {}: {failed} failed, {} ok", count(summary.nodes.len(), "node"), summary.ok()),
    };
    let mut report = LimitedText { text: format!("## {verdict}\n"), characters: 0, left_out: 0 };
    report.characters = report.text.chars().count();
    for (about, title) in SECTIONS {
        let groups: Vec<&Group> = summary.groups(about).collect();
        if groups.is_empty() {
            continue;
        }
        report.add(&format!("\n### {title}\n\n"));
        groups.iter().for_each(|group| report.add(&item(group)));
    }
    if let Some(unsettled) = &done.ended.settled.unsettled {
        report.add(&format!("\n### Not settled\n\n{}\n", shortened(&unsettled.to_string())));
    }
    report.finish(done)
}

struct LimitedText {
    text: String,
    characters: usize,
    left_out: usize,
}

impl LimitedText {
    fn add(&mut self, text: &str) {
        let characters = text.chars().count();
        if self.left_out > 0 || self.characters + characters > MOST_CHARACTERS {
            self.left_out += usize::from(text.starts_with("- "));
            return;
        }
        self.characters += characters;
        self.text.push_str(text);
    }

    fn finish(mut self, done: &FinishedRun<'_>) -> String {
        if self.left_out > 0 {
            let left_out = count(self.left_out, "more message");
            self.text.push_str(&format!("\n{left_out} not shown here: `--format json` has all.\n"));
        }
        self.text.push_str(&format!(
            "\n{} compiled, {} as stored; {:.1} s\n",
            done.summary.nodes.len() - done.summary.reused_count(),
            done.summary.reused_count(),
            done.seconds
        ));
        self.text
    }
}

fn item(group: &Group) -> String {
    let names: Vec<String> = group.nodes.iter().take(NAMES).map(|name| format!("`{name}`")).collect();
    let more = group.nodes.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let place = group.place.as_ref().map(|place| format!("`{}:{}` · ", repository_path(&place.file), place.line));
    let nodes = count(group.nodes.len(), "node");
    let help = group.help.as_ref().map(|help| format!("  {}\n", escape(&shortened(help)))).unwrap_or_default();
    format!("- {}\n{help}  {}{nodes}: {}{more}\n", message(group), place.unwrap_or_default(), names.join(", "))
}

fn message(group: &Group) -> String {
    let text = shortened(&group.text);
    match group.about {
        // It is a chain of resources.
        About::Cycle => code(&text),
        _ => escape(&text).replace('\n', "\n  "),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MESSAGE_CHARACTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Text in which nothing is markup: neither of Markdown, nor of HTML, nor a name that would be called.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Code, whatever backquotes are in it.
fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_message_is_markup() {
        assert_eq!(escape("<b> *x* @you [a](b)"), r"&lt;b&gt; \*x\* &#64;you \[a\](b)");
        assert_eq!(code("a => b"), "`a => b`");
        assert_eq!(code("a `b`` c"), "``` a `b`` c ```");
    }

    #[test]
    fn a_report_has_an_end() {
        let mut text = LimitedText { text: String::new(), characters: 0, left_out: 0 };
        for _ in 0..100 {
            text.add(&format!("- {}\n", "é".repeat(1_000)));
        }
        assert_eq!((text.text.chars().count() <= MOST_CHARACTERS, text.left_out), (true, 41));
    }
}

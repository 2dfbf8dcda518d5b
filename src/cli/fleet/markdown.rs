//! The report as Markdown: for the summary of a job, and for a comment on a pull request.
//!
//! GitHub takes 65,536 characters. Whatever the size of the fleet, the report stays below: what hurts comes first, and what has no
//! room is counted.

use pantin_repository::messages::{About, Group};

use super::{FinishedRun, SECTIONS};
use crate::print::counting::count;
use crate::print::markdown::{LimitedText, code, escape, shortened};
use crate::print::repository_path::repository_path;

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
    let mut report = LimitedText::new(format!("## {verdict}\n"));
    for (about, title) in SECTIONS {
        let groups: Vec<&Group> = summary.groups(about).collect();
        if groups.is_empty() {
            continue;
        }
        report.add(&format!("\n### {title}\n\n"));
        for group in groups {
            report.add(&item(group));
        }
    }
    if let Some(unsettled) = &done.ended.settled.unsettled {
        report
            .add(&format!("\n### Not settled\n\n{}\n", escape(&shortened(&unsettled.to_string(), MESSAGE_CHARACTERS))));
    }
    let left_out = match report.left_out {
        0 => String::new(),
        number => format!("\n{} not shown here: `--format json` has all.\n", count(number, "more message")),
    };
    let end = format!(
        "{left_out}\n{} compiled, {} answered from the cache; {:.1} s\n",
        summary.nodes.len() - summary.reused_count(),
        summary.reused_count(),
        done.seconds
    );
    report.finish(&end)
}

fn item(group: &Group) -> String {
    let names: Vec<String> = group.nodes.iter().take(NAMES).map(|name| code(name)).collect();
    let more = group.nodes.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let place = group
        .place
        .as_ref()
        .map(|place| format!("{} · ", code(&format!("{}:{}", repository_path(&place.file), place.line))));
    let nodes = count(group.nodes.len(), "node");
    let help = group
        .help
        .as_ref()
        .map(|help| format!("  {}\n", escape(&shortened(help, MESSAGE_CHARACTERS))))
        .unwrap_or_default();
    format!("- {}\n{help}  {}{nodes}: {}{more}\n", message(group), place.unwrap_or_default(), names.join(", "))
}

fn message(group: &Group) -> String {
    let text = shortened(&group.text, MESSAGE_CHARACTERS);
    match group.about {
        // It is a chain of resources.
        About::Cycle => code(&text),
        _ => escape(&text),
    }
}

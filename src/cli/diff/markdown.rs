//! The differences as Markdown: for the summary of a job, and for a comment on a pull request.
//!
//! Whatever the size of the fleet, it stays below GitHub's limit: what hurts comes first, and what has no room is counted.

use pantin_model::catalog::diff::Change;
use pantin_repository::comparison::{DifferenceGroup, MessageGroup, MessageState, NodeStatus, Verdict};
use pantin_values::Str;

use super::Compared;
use super::order::by_concern;
use super::text::{
    FAILS_OTHERWISE, LAST_MESSAGES, MODULES, MODULES_HELP, NEW_MESSAGES, REVIEW, Section, data_file, fact_age,
    key_lines, left_out, lines_of, messages, module_lines, named, of_state, side_names, unreadable, verdict,
};
use super::values::{ChangeLine, Sign};
use crate::print::counting::count;
use crate::print::markdown::{LimitedText, code, code_block, escape, shortened};
use crate::print::printable::printable;
use crate::print::repository_path::repository_path;

/// One message or change is shown up to here.
const ITEM_CHARACTERS: usize = 2_000;

/// So many names are shown of those that a change is of.
const NAMES: usize = 10;

/// Sections with more are folded.
const FOLDED_AFTER: usize = 10;

pub(super) fn report(compared: &Compared<'_>) -> String {
    let comparison = &compared.comparison;
    let sign = match compared.verdict() {
        Verdict::FailsNewly => "❌",
        Verdict::Unknown => "❓",
        Verdict::Differs | Verdict::Unsure => "🔶",
        Verdict::Same => "✅",
    };
    let [from, to] = side_names(compared);
    let mut report =
        LimitedText::new(format!("## {sign} {}\n\n{} → {}\n", escape(&verdict(compared)), escape(&from), escape(&to)));
    let review = compared.review.iter().map(|change| format!("- {}\n", escape(change)));
    section(&mut report, REVIEW, review);
    let modules = module_lines(compared);
    let help = (!modules.is_empty()).then(|| format!("- {}\n", escape(MODULES_HELP)));
    section(&mut report, MODULES, modules.iter().map(|line| format!("- {}\n", escape(line))).chain(help));
    for (about, title) in NEW_MESSAGES {
        section(&mut report, title, messages(compared, MessageState::New, about).into_iter().map(message));
    }
    let otherwise = of_state(compared, MessageState::Otherwise);
    section(&mut report, FAILS_OTHERWISE, otherwise.into_iter().map(message));
    resources(&mut report, compared, Section::Removed);
    let refreshed = comparison.refreshed.iter().map(|group| format!("- {} {}\n", code(&group.what), on(&group.nodes)));
    section(&mut report, "Restarted or run, because something else changes", refreshed);
    Section::ALL[1..].iter().for_each(|section| resources(&mut report, compared, *section));
    data(&mut report, compared);
    let mended = of_state(compared, MessageState::Mended);
    section(&mut report, "Mended", mended.into_iter().map(message));
    for (status, title) in [(NodeStatus::Added, "New nodes"), (NodeStatus::Removed, "Nodes that are no more")] {
        let nodes: Vec<Str> =
            comparison.nodes.iter().filter(|node| node.status == status).map(|node| node.name.clone()).collect();
        section(
            &mut report,
            title,
            (!nodes.is_empty()).then(|| format!("- {}\n", escape(&named(&nodes, NAMES)))).into_iter(),
        );
    }
    for (state, title) in LAST_MESSAGES {
        section(&mut report, title, of_state(compared, state).into_iter().map(message));
    }
    let more = match report.left_out {
        0 => String::new(),
        number => format!("\n{} not shown here: `--format json` has all.\n", count(number, "more item")),
    };
    let facts: Vec<String> = compared.facts.iter().map(|age| escape(&fact_age(age))).collect();
    let facts = if facts.is_empty() { String::new() } else { format!("; facts: {}", facts.join(", ")) };
    let ignored = if comparison.ignored > 0 { format!("; {}", left_out(comparison.ignored)) } else { String::new() };
    let notes: String = compared.remarks.iter().map(|remark| format!("\nNote: {}\n", escape(remark))).collect();
    report.finish(&format!(
        "{more}\n<sub>{} compared: {} compiled, {} from the cache; {:.1} s{facts}{ignored}</sub>\n{notes}",
        count(comparison.nodes.len(), "node"),
        count(comparison.compiled, "catalog"),
        comparison.stored,
        compared.seconds,
    ))
}

fn data(report: &mut LimitedText, compared: &Compared<'_>) {
    let Some(data) = &compared.data else { return };
    let files = data.files.iter().map(|file| {
        let lines: Vec<ChangeLine> = file.keys.iter().flat_map(key_lines).collect();
        format!("- {}\n\n{}", code(&data_file(file)), change_block(&lines))
    });
    let unreadable = data.unreadable.iter().map(|one| format!("- {}\n", escape(&unreadable(one))));
    let nothing = (data.files.is_empty() && data.unreadable.is_empty()).then(|| "- no key differs\n".to_owned());
    section(report, "Data", files.chain(unreadable).chain(nothing));
}

/// Changes as a block that shows them in colour.
fn change_block(lines: &[ChangeLine]) -> String {
    let text: String = lines
        .iter()
        .map(|line| {
            let sign = if line.sign == Sign::Heading { "@@ " } else { line.sign.text() };
            format!("{sign}{}\n", printable(&line.text))
        })
        .collect();
    code_block("diff", &shortened(&text, ITEM_CHARACTERS), "  ")
}

/// A part of the report; a long one is folded.
fn section(report: &mut LimitedText, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return;
    }
    let is_folded = items.len() > FOLDED_AFTER;
    let heading = match is_folded {
        true => format!("\n<details><summary><b>{title}</b>: {}</summary>\n\n", items.len()),
        false => format!("\n### {title}\n\n"),
    };
    if report.left_out > 0 || !report.add(&heading) {
        report.left_out += items.len();
        return;
    }
    for item in &items {
        report.add(item);
    }
    if is_folded {
        report.close("\n</details>\n");
    }
}

fn resources(report: &mut LimitedText, compared: &Compared<'_>, which: Section) {
    let groups = compared.comparison.differences.iter().filter(|group| Section::for_difference(group.first()) == which);
    section(report, which.title(), by_concern(groups).into_iter().map(resource));
}

fn resource(group: &DifferenceGroup) -> String {
    let first = group.first();
    let sign = match first.change {
        Change::Added => "➕",
        Change::Removed => "➖",
        Change::Changed(_) => "✏️",
    };
    let place = first
        .place
        .as_ref()
        .map(|place| format!(" · {}", code(&format!("{}:{}", repository_path(&place.file), place.line))));
    let mut item =
        format!("- {sign} {} {}{}\n", code(&first.reference), on(&group.ways[0].nodes), place.unwrap_or_default());
    let lines = lines_of(first);
    if !lines.is_empty() {
        item.push_str(&format!("\n{}", change_block(&lines)));
    }
    let others: Vec<Str> = group.ways[1..].iter().flat_map(|way| way.nodes.iter().cloned()).collect();
    if !others.is_empty() {
        item.push_str(&format!("  with other values {}\n", on(&others)));
    }
    item
}

fn message(MessageGroup { group, .. }: &MessageGroup) -> String {
    let place = group
        .place
        .as_ref()
        .map(|place| format!(" · {}", code(&format!("{}:{}", repository_path(&place.file), place.line))));
    let text = escape(&shortened(&group.text, ITEM_CHARACTERS));
    let help = group.help.as_ref().map(|help| format!("  {}\n", escape(&shortened(help, ITEM_CHARACTERS))));
    format!("- {text}\n{}  {}{}\n", help.unwrap_or_default(), on(&group.nodes), place.unwrap_or_default())
}

fn on(nodes: &[Str]) -> String {
    format!("on {}", escape(&named(nodes, NAMES)))
}

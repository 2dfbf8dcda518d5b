//! The report for a person.

use std::fmt::Write;
use std::path::Path;

use pantin_repository::messages::{About, Group};
use pantin_values::Str;
use pantin_world::absolute_path;

use super::explain::Explanation;
use super::{FinishedRun, SECTIONS, short};
use crate::print::counting::count;
use crate::print::layout::Layout;
use crate::print::message_text::{MessageText, nodes_line, some_names};
use crate::print::printable::printable;
use crate::print::relative_path::relative_paths;
use pantin_repository::node_compiler::{WITHOUT_FACTS, lacks_facts};

const SLOWEST: usize = 5;

/// So many reasons for compiling are shown.
const REASONS: usize = 20;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const GREEN: &str = "\x1b[1;32m";
const DIM: &str = "\x1b[2m";

struct Text {
    text: String,
    layout: Layout,
}

pub(super) fn report(done: &FinishedRun<'_>, colour: bool, shows_warnings: bool) -> String {
    let layout = Layout { colour, width: None, here: absolute_path(Path::new(".")) };
    let mut to = Text { text: String::new(), layout };
    for (about, title) in SECTIONS {
        let shade = if about == About::Warning { YELLOW } else { RED };
        let groups: Vec<&Group> = done.summary.groups(about).collect();
        if groups.is_empty() || (about == About::Warning && !shows_warnings) {
            continue;
        }
        to.line(&to.shaded(title, shade));
        groups.iter().for_each(|group| to.group(group));
        if about == About::Failure && done.has_no_facts && groups.iter().any(|group| lacks_facts(&group.text)) {
            to.line(&format!("  {WITHOUT_FACTS}"));
        }
        to.line("");
    }
    if let Some(unsettled) = &done.ended.settled.unsettled {
        to.line(&to.shaded("Not settled", RED));
        to.line(&format!("  {unsettled}\n"));
    }
    to.explained(done);
    to.recompile_reasons(done);
    to.totals(done);
    to.text
}

impl Text {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn shaded(&self, text: &str, shade: &str) -> String {
        if self.layout.colour { format!("{shade}{text}\x1b[0m") } else { text.to_owned() }
    }

    /// What was asked about one node, or one class.
    fn explained(&mut self, done: &FinishedRun<'_>) {
        match &done.explained {
            Explanation::Nothing | Explanation::Everything => {}
            Explanation::Node(name) => {
                let Some(node) = done.summary.nodes.iter().find(|node| node.name == *name) else { return };
                let dependencies = format!("it depends on {} of files and folders", count(node.dependencies, "read"));
                let how = match node.is_kept {
                    true => format!("answered from the cache: {dependencies}, and none of them finds anything new"),
                    false => format!("compiled anew: {dependencies}"),
                };
                self.line(&format!("{}: {how}\n", printable(name)));
            }
            Explanation::Definition { name, near, files, kept, compiled } => {
                let [file, ..] = &files[..] else {
                    let near = near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                    return self
                        .line(&format!("There is no node, class or defined type '{name}'{}\n", printable(&near)));
                };
                let reached = kept.len() + compiled.len();
                let all = count(done.summary.nodes.len(), "node");
                self.line(&format!("{name}, in {}", printable(short(&file.display().to_string()))));
                for file in &files[1..] {
                    self.line(&format!("  and in {}", printable(short(&file.display().to_string()))));
                }
                self.line(&format!("  an edit to it recompiles {reached} of {all}"));
                for (how, nodes) in [("answered from the cache", kept), ("compiled this time", compiled)] {
                    let nodes: Vec<&Str> = nodes.iter().collect();
                    if !nodes.is_empty() {
                        self.line(&format!("  {how}, {}: {}", count(nodes.len(), "node"), some_names(&nodes)));
                    }
                }
                self.line("");
            }
        }
    }

    /// Why nodes were compiled anew.
    fn recompile_reasons(&mut self, done: &FinishedRun<'_>) {
        let reasons = done.summary.nodes_by_reason(|node| done.explained.concerns(node));
        if reasons.is_empty() {
            return;
        }
        self.line("Compiled anew, since something else was found");
        for (reason, nodes) in reasons.iter().take(REASONS) {
            self.line(&format!("  {}", printable(&relative_paths(&reason.to_string()))));
            let nodes = format!("    {}: {}", count(nodes.len(), "node"), some_names(nodes));
            self.line(&self.shaded(&nodes, DIM));
        }
        if reasons.len() > REASONS {
            self.line(&format!("  and {} more", reasons.len() - REASONS));
        }
        self.line("");
    }

    fn group(&mut self, group: &Group) {
        self.text.push_str(&MessageText::from_group(group).render(" ", &nodes_line(group), &self.layout));
    }

    fn totals(&mut self, done: &FinishedRun<'_>) {
        let summary = &done.summary;
        let all = summary.nodes.len();
        let verdict = match (summary.failed_count(), done.ended.is_stopped) {
            (0, _) => self.shaded("all ok", GREEN),
            (failed, false) => format!("{} ok, {}", summary.ok(), self.shaded(&format!("{failed} failed"), RED)),
            (failed, true) => {
                format!("{} ok, {}, stopped there", summary.ok(), self.shaded(&format!("{failed} failed"), RED))
            }
        };
        let shard = done.shard.map(|shard| format!(" of shard {shard}")).unwrap_or_default();
        self.line(&format!(
            "{}{shard}: {verdict}; {:.2} s on {}, {} a second",
            count(all, "node"),
            done.seconds,
            count(done.threads, "thread"),
            count(done.nodes_a_second().round() as usize, "node")
        ));
        if summary.reused_count() > 0 {
            self.line(&format!(
                "{} answered from the cache: nothing that {} on has changed",
                count(summary.reused_count(), "node"),
                if summary.reused_count() == 1 { "it depends" } else { "they depend" }
            ));
        }
        if done.exchanges {
            let (exports, rounds) = (done.ended.settled.exports, done.ended.settled.rounds);
            let settled = if done.ended.settled.unsettled.is_none() { "settled" } else { "not settled" };
            self.line(&format!("{} exported, {settled} after {}", count(exports, "resource"), count(rounds, "round")));
        }
        let slowest: Vec<String> = summary
            .slowest(SLOWEST)
            .iter()
            .map(|node| format!("{} {:.0} ms", printable(&node.name), node.seconds * 1e3))
            .collect();
        if slowest.len() > 1 && summary.reused_count() < all {
            self.line(&format!("Slowest: {}", slowest.join(", ")));
        }
        if let Some(out) = done.out {
            let written = summary.nodes.iter().filter(|node| node.resources.is_some()).count();
            self.line(&format!("{} written to {}", count(written, "catalog"), out.display()));
        }
    }
}

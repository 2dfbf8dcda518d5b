//! The report as one page that needs nothing else: no file beside it, no network.

use std::fmt::Write;

use pantin_repository::fleet::NodeReport;
use pantin_repository::messages::{About, Group};
use pantin_world::{MachineDisk, absolute_path, git_revision, now};

use super::{FinishedRun, SECTIONS, short};
use crate::print::counting::count;
use crate::print::page::{self, REPORT_STYLE, escape};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub(super) fn report(done: &FinishedRun<'_>) -> String {
    let mut page = page::head(&format!("Fleet: {}", verdict(done)), &format!("{REPORT_STYLE}{STYLE}"));
    header(done, &mut page);
    page.push_str("<main>\n");
    if let Some(unsettled) = &done.ended.settled.unsettled {
        let _ = writeln!(
            page,
            "<section><h2>Not settled</h2><p class=\"bad\">{}</p></section>",
            escape(&unsettled.to_string())
        );
    }
    let anchors = Anchors::new(done);
    for (about, title) in SECTIONS {
        section(title, about, &anchors, &mut page);
    }
    table(done, &anchors, &mut page);
    page.push_str("</main>\n");
    page::finish(&mut page, SCRIPT);
    page
}

fn verdict(done: &FinishedRun<'_>) -> String {
    let all = count(done.summary.nodes.len(), "node");
    match done.summary.failed_count() {
        0 => format!("{all}, all ok"),
        failed => format!("{all}, {failed} failed"),
    }
}

fn header(done: &FinishedRun<'_>, page: &mut String) {
    let summary = &done.summary;
    let all = summary.nodes.len().max(1);
    let is_fine = summary.failed_count() == 0 && done.ended.settled.unsettled.is_none();
    let state = if is_fine { "good" } else { "bad" };
    let _ = writeln!(
        page,
        "<header class=\"{state}\">\n<h1>{}</h1>\n<div class=\"bar\" role=\"img\" aria-label=\"{} ok, {} failed\"><i \
         style=\"width:{:.2}%\"></i></div>\n<dl>",
        escape(&verdict(done)),
        summary.ok(),
        summary.failed_count(),
        100.0 * summary.ok() as f64 / all as f64
    );
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value));
    };
    let (date, revision) = origin();
    fact("Date", date);
    if let Some(revision) = revision {
        fact("Revision", revision);
    }
    fact("Time", format!("{:.2} s on {}", done.seconds, count(done.threads, "thread")));
    fact("Nodes a second", format!("{:.0}", done.nodes_a_second()));
    if summary.reused_count() > 0 {
        fact("As in an earlier run", count(summary.reused_count(), "node"));
    }
    if done.exchanges {
        fact(
            "Exported",
            format!(
                "{} in {}",
                count(done.ended.settled.exports, "resource"),
                count(done.ended.settled.rounds, "round")
            ),
        );
    }
    if let Some(shard) = done.shard {
        fact("Shard", shard.to_string());
    }
    page.push_str("</dl>\n</header>\n");
}

/// When, and of which revision of the repository around the current folder.
fn origin() -> (String, Option<String>) {
    let revision = git_revision(&MachineDisk::default(), &absolute_path(".".as_ref()));
    let now = now().to_string();
    let minute = now.get(..16).unwrap_or(&now).replace('T', " ");
    (format!("{minute} UTC"), revision.map(|revision| revision.chars().take(12).collect()))
}

/// The groups by their numbers on the page, which links name.
struct Anchors<'a> {
    groups: Vec<&'a Group>,
}

impl<'a> Anchors<'a> {
    fn new(done: &'a FinishedRun<'_>) -> Anchors<'a> {
        Anchors { groups: SECTIONS.iter().flat_map(|(about, _)| done.summary.groups(*about)).collect() }
    }

    fn section_groups(&self, about: About) -> impl Iterator<Item = (usize, &'a Group)> {
        self.groups.iter().enumerate().filter(move |(_, group)| group.about == about).map(|(at, group)| (at, *group))
    }

    /// Returns the first thing that is wrong with a node.
    fn first_failure(&self, node: &NodeReport) -> Option<usize> {
        self.groups.iter().position(|group| group.about.is_failing() && group.nodes.contains(&node.name))
    }
}

fn section(title: &str, about: About, anchors: &Anchors<'_>, page: &mut String) {
    let groups: Vec<(usize, &Group)> = anchors.section_groups(about).collect();
    if groups.is_empty() {
        return;
    }
    let _ = writeln!(page, "<section class=\"{}\">\n<h2>{title} <small>{}</small></h2>", about.name(), groups.len());
    for (at, group) in groups {
        let place = group.place.as_ref().map(|place| {
            let text = place.to_string();
            format!("<code>{}</code>", escape(short(&text)))
        });
        let help = group.help.as_ref().map(|help| format!("<em>{}</em>", escape(help))).unwrap_or_default();
        let names: Vec<String> = group.nodes.iter().map(|name| format!("<li>{}</li>", escape(name))).collect();
        let _ = writeln!(
            page,
            "<details id=\"m{at}\">\n<summary><span>{}</span>{}<b>{}</b>{help}</summary>\n<ul>{}</ul>\n</details>",
            escape(&group.text),
            place.unwrap_or_default(),
            count(group.nodes.len(), "node"),
            names.concat()
        );
    }
    page.push_str("</section>\n");
}

fn table(done: &FinishedRun<'_>, anchors: &Anchors<'_>, page: &mut String) {
    page.push_str(
        "<section>\n<h2>Nodes</h2>\n<p><input id=\"filter\" type=\"search\" placeholder=\"Filter by name\" \
         aria-label=\"Filter by name\"></p>\n<table id=\"nodes\">\n<thead><tr><th data-by=\"text\">Node</th><th \
         data-by=\"text\">Environment</th><th data-by=\"text\">State</th><th data-by=\"number\">Resources</th><th \
         data-by=\"number\">Time, ms</th><th data-by=\"text\">As before</th></tr></thead>\n<tbody>\n",
    );
    let slowest = done.summary.slowest(1).first().map_or(1.0, |node| node.seconds.max(1e-9));
    let (ok, failed): (Vec<&NodeReport>, Vec<&NodeReport>) = done.summary.nodes.iter().partition(|node| node.is_ok());
    failed.iter().chain(&ok).for_each(|node| row(node, slowest, anchors.first_failure(node), page));
    page.push_str("</tbody>\n</table>\n</section>\n");
}

fn row(node: &NodeReport, slowest: f64, anchor: Option<usize>, page: &mut String) {
    let state = if node.is_ok() { "ok" } else { "failed" };
    let link = anchor.map_or_else(|| state.to_owned(), |at| format!("<a href=\"#m{at}\">{state}</a>"));
    let resources = node.resources.map(|count| count.to_string()).unwrap_or_default();
    let kept = if node.is_kept { "yes" } else { "" };
    let _ = writeln!(
        page,
        "<tr class=\"{state}\"><td>{}</td><td>{}</td><td>{link}</td><td>{resources}</td><td><i \
         style=\"width:{:.0}%\"></i><span>{:.1}</span></td><td>{kept}</td></tr>",
        escape(&node.name),
        escape(&node.environment),
        100.0 * node.seconds / slowest,
        node.seconds * 1e3
    );
}

//! The differences as text: what hurts comes first.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use pantin_model::catalog::diff::{Change, ParameterChange, ShownValue};
use pantin_repository::comparison::{
    DataFileDifference, DifferenceGroup, MessageGroup, MessageState, NodeStatus, Origin, ResourceDifference,
    UnreadableData,
};
use pantin_repository::messages::About;
use pantin_repository::node_groups::NodeGroup;
use pantin_values::Str;
use pantin_world::{absolute_path, now};

use super::Compared;
use super::order::by_concern;
use super::sides::FactAge;
use super::values::{ChangeLine, Sign, content_lines, parameter_lines};
use crate::print::counting::count;
use crate::print::layout::{Layout, short_path};
use crate::print::message_text::MessageText;
use crate::print::printable::printable_line;
use crate::print::repository_path::repository_path;

const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";

/// So many nodes are named.
const NAMED: usize = 4;

/// So many lines of one text are shown.
const LINES: usize = 14;

/// The parts of a report, in the order in which they are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    Removed,
    Secret,
    Changed,
    Added,
    Order,
}

impl Section {
    pub(super) const ALL: [Section; 5] =
        [Section::Removed, Section::Secret, Section::Changed, Section::Added, Section::Order];

    pub(super) fn title(self) -> &'static str {
        match self {
            Section::Removed => "Removed",
            Section::Secret => "Secrets that change",
            Section::Changed => "Changed",
            Section::Added => "Added",
            Section::Order => "Order and relationships",
        }
    }

    /// Returns a stable name for pages and styles.
    pub(super) fn name(self) -> &'static str {
        match self {
            Section::Removed => "removed",
            Section::Secret => "secret",
            Section::Changed => "changed",
            Section::Added => "added",
            Section::Order => "order",
        }
    }

    /// Returns where a resource is told of.
    pub(super) fn for_difference(difference: &ResourceDifference) -> Section {
        let is_secret = |value: &ShownValue| *value == ShownValue::Secret;
        match &difference.change {
            Change::Added => Section::Added,
            Change::Removed => Section::Removed,
            Change::Changed(parameters) if parameters.is_empty() && difference.contents.is_empty() => Section::Order,
            Change::Changed(parameters) if parameters.iter().any(|one| is_secret(&one.old) || is_secret(&one.new)) => {
                Section::Secret
            }
            Change::Changed(_) => Section::Changed,
        }
    }
}

/// What is told of messages, in this order.
pub(super) const NEW_MESSAGES: [(About, &str); 6] = [
    (About::Failure, "Fails newly"),
    (About::Cycle, "New dependency cycles"),
    (About::Missing, "New missing dependencies"),
    (About::Refused, "Newly refused resources"),
    (About::Error, "New errors in the log"),
    (About::Warning, "New warnings"),
];

/// The title of reasons for which nodes fail that failed for others before.
pub(super) const FAILS_OTHERWISE: &str = "Fails otherwise";

/// What is told of messages at the end.
pub(super) const LAST_MESSAGES: [(MessageState, &str); 2] =
    [(MessageState::Same, "Fails on both sides"), (MessageState::Before, "Before, on nodes that fail now or are gone")];
/// The heading of what changes the comparison itself.
pub(super) const REVIEW: &str = "Changes what is compared, and what is shown of it";

struct Report {
    text: String,
    layout: Layout,
}

pub(super) fn report(compared: &Compared<'_>, colour: bool) -> String {
    let layout = Layout { colour, width: None, here: absolute_path(Path::new(".")) };
    let mut to = Report { text: String::new(), layout };
    let comparison = &compared.comparison;
    let [from, new] = side_names(compared);
    to.line(&to.shaded(&format!("{from} → {new}"), DIM));
    to.line(&to.shaded(&verdict(compared), BOLD));
    if !compared.review.is_empty() {
        to.line("");
        to.line(&to.shaded(REVIEW, RED));
        compared.review.iter().for_each(|change| to.line(&format!("  ! {}", printable_line(change))));
    }
    to.modules(compared);
    for (about, title) in NEW_MESSAGES {
        let groups = messages(compared, MessageState::New, about);
        to.messages(title, &groups, RED);
    }
    to.messages(FAILS_OTHERWISE, &of_state(compared, MessageState::Otherwise), RED);
    to.resources(compared, Section::Removed);
    if !comparison.refreshed.is_empty() {
        to.line("");
        to.line(&to.shaded("Restarted or run, because something else changes", BOLD));
        for NodeGroup { what: reference, nodes } in &comparison.refreshed {
            to.line(&format!("  {} {}", to.shaded("↻", YELLOW), printable_line(reference)));
            to.nodes(nodes);
        }
    }
    for section in &Section::ALL[1..] {
        to.resources(compared, *section);
    }
    to.messages("Mended", &of_state(compared, MessageState::Mended), GREEN);
    for (status, title) in [(NodeStatus::Added, "New nodes"), (NodeStatus::Removed, "Nodes that are no more")] {
        let nodes: Vec<Str> =
            comparison.nodes.iter().filter(|node| node.status == status).map(|node| node.name.clone()).collect();
        if !nodes.is_empty() {
            to.line("");
            to.line(&to.shaded(title, BOLD));
            to.nodes(&nodes);
        }
    }
    to.data(compared);
    to.moved(compared);
    for (state, title) in LAST_MESSAGES {
        to.messages(title, &of_state(compared, state), DIM);
    }
    to.footer(compared);
    to.text
}

pub(super) fn messages<'c>(compared: &'c Compared<'_>, state: MessageState, about: About) -> Vec<&'c MessageGroup> {
    compared.comparison.messages.iter().filter(|group| group.state == state && group.group.about == about).collect()
}

/// Returns the messages of a state, whatever they are about.
pub(super) fn of_state<'c>(compared: &'c Compared<'_>, state: MessageState) -> Vec<&'c MessageGroup> {
    compared.comparison.messages.iter().filter(|group| group.state == state).collect()
}

/// Both sides, with what each has of its own.
pub(super) fn side_names(compared: &Compared<'_>) -> [String; 2] {
    let side = |at: usize| {
        std::iter::once(origin(compared.origins[at]))
            .chain(compared.own_options[at].iter().cloned())
            .collect::<Vec<_>>()
    };
    [side(0).join(", "), side(1).join(", ")]
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Revision { commit, .. } => {
            let short: String = commit.id.chars().take(10).collect();
            let name = if commit.id.starts_with(&commit.name) { String::new() } else { format!("{} ", commit.name) };
            format!("{name}{short} ({})", age(commit.seconds))
        }
        Origin::WorkingTree { head: Some(head) } => {
            let short: String = head.id.chars().take(10).collect();
            format!("working tree (HEAD is {short})")
        }
        Origin::WorkingTree { head: None } => "working tree".to_owned(),
        Origin::Folder(path) | Origin::Saved(path) => short(&path.display().to_string()).to_owned(),
    }
}

/// Returns how long ago something was, in words.
fn age(seconds: i64) -> String {
    let passed = now().whole_seconds().saturating_sub(seconds).max(0);
    match passed {
        0..120 => "just now".to_owned(),
        120..7_200 => format!("{} minutes ago", passed / 60),
        7_200..172_800 => format!("{} hours ago", passed / 3_600),
        _ => format!("{} days ago", passed / 86_400),
    }
}

/// A path as it is read from here, if it is below the current folder.
pub(super) fn short(file: &str) -> String {
    short_path(&absolute_path(Path::new(".")), file).to_owned()
}

/// Returns the first line: how many nodes change, and how.
pub(super) fn verdict(compared: &Compared<'_>) -> String {
    let nodes = &compared.comparison.nodes;
    let of = |status: NodeStatus| nodes.iter().filter(|node| node.status == status).count();
    let changed = compared.changed_nodes();
    let failing = [NodeStatus::NewlyFailing, NodeStatus::FailingOtherwise, NodeStatus::Unknown, NodeStatus::Failing];
    let known = nodes.len() - failing.map(of).iter().sum::<usize>();
    let mut parts = vec![match changed {
        0 if known == 0 && !nodes.is_empty() => "no catalogs to compare".to_owned(),
        0 => format!("no catalog of {} changes", count(known, "node")),
        1 => format!("1 of {} changes", count(nodes.len(), "node")),
        changed => format!("{changed} of {} change", count(nodes.len(), "node")),
    }];
    let others = [
        (NodeStatus::NewlyFailing, "fails newly", "fail newly"),
        (NodeStatus::FailingOtherwise, "fails otherwise", "fail otherwise"),
        (NodeStatus::Unknown, "is unknown", "are unknown"),
        (NodeStatus::Failing, "fails on both sides", "fail on both sides"),
        (NodeStatus::Mended, "no longer fails", "no longer fail"),
        (NodeStatus::Added, "is new", "are new"),
        (NodeStatus::Removed, "is gone", "are gone"),
    ];
    for (status, one, many) in others {
        match of(status) {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            number => parts.push(format!("{number} {many}")),
        }
    }
    if !compared.review.is_empty() {
        parts.push("what is compared is changed".to_owned());
    }
    parts.extend(log_counts(compared));
    // Both sides may name a module that is not installed.
    let modules = compared.modules.into_iter().flatten().map(|module| (module.named_in.name(), module.name.as_str()));
    match modules.collect::<BTreeSet<_>>().len() {
        0 => {}
        1 => parts.push("not certain: 1 module is not installed as a side names it".to_owned()),
        number => parts.push(format!("not certain: {number} modules are not installed as the sides name them")),
    }
    let number = |section: Section| {
        compared.comparison.differences.iter().filter(|group| Section::for_difference(group.first()) == section).count()
    };
    let resources: Vec<String> = [
        (Section::Added, "added"),
        (Section::Changed, "changed"),
        (Section::Secret, "with another secret"),
        (Section::Removed, "removed"),
        (Section::Order, "ordered otherwise"),
    ]
    .into_iter()
    .filter_map(|(section, how)| Some((number(section), how)).filter(|(number, _)| *number > 0))
    .map(|(number, how)| format!("{number} {how}"))
    .collect();
    let resources = if resources.is_empty() { String::new() } else { format!("; resources: {}", resources.join(", ")) };
    format!("{}{resources}", parts.join(", "))
}

/// The title of modules that a side was not compiled with.
pub(super) const MODULES: &str = "Modules that are not installed as the sides name them";

/// What to do about them.
pub(super) const MODULES_HELP: &str = "--from-modulepath and --to-modulepath say where the modules of each side are";

/// Returns which modules a side was not compiled with.
pub(super) fn module_lines(compared: &Compared<'_>) -> Vec<String> {
    let sides = ["before", "after"].into_iter().zip(compared.modules);
    let all = sides.flat_map(|(side, modules)| modules.iter().map(move |module| (side, module)));
    all.map(|(side, module)| format!("{side} the change {}", module.sentence())).collect()
}

/// Returns how many lines of the log are on one side alone.
fn log_counts(compared: &Compared<'_>) -> Vec<String> {
    let lines = [
        (MessageState::New, About::Error, "new logged error"),
        (MessageState::New, About::Warning, "new warning"),
        (MessageState::Mended, About::Error, "mended logged error"),
        (MessageState::Mended, About::Warning, "mended warning"),
    ];
    let counts = lines.map(|(state, about, what)| (messages(compared, state, about).len(), what));
    counts.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| count(number, what)).collect()
}

/// Some of the names, and how many there are.
pub(super) fn named(nodes: &[Str], most: usize) -> String {
    let names: Vec<&str> = nodes.iter().take(most).map(Str::as_str).collect();
    let more = if nodes.len() > most { ", …" } else { "" };
    match nodes.len() {
        1 => names.join(""),
        number => format!("{number} nodes: {}{more}", names.join(", ")),
    }
}

impl Compared<'_> {
    /// Returns how many nodes have another catalog.
    pub(super) fn changed_nodes(&self) -> usize {
        let mut names: Vec<&Str> =
            self.comparison.differences.iter().flat_map(|group| group.ways.iter().flat_map(|way| &way.nodes)).collect();
        let moved = self.comparison.nodes.iter().filter(|node| node.moved.is_some());
        names.extend(moved.map(|node| &node.name));
        names.sort_unstable();
        names.dedup();
        names.len()
    }
}

impl Report {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn shaded(&self, text: &str, shade: &str) -> String {
        if self.layout.colour { format!("{shade}{text}\x1b[0m") } else { text.to_owned() }
    }

    fn nodes(&mut self, nodes: &[Str]) {
        let nodes = printable_line(&named(nodes, NAMED)).into_owned();
        self.line(&format!("      {}", self.shaded(&format!("on {nodes}"), DIM)));
    }

    fn messages(&mut self, title: &str, groups: &[&MessageGroup], shade: &str) {
        if groups.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.shaded(title, BOLD));
        for group in groups {
            let sign = match group.state {
                MessageState::Mended => "✓",
                MessageState::Before => "·",
                MessageState::New | MessageState::Otherwise | MessageState::Same => "✗",
            };
            let nodes = format!("on {}", named(&group.group.nodes, NAMED));
            let text = MessageText::from_group(&group.group).render(&self.shaded(sign, shade), &nodes, &self.layout);
            for line in text.lines() {
                self.line(&format!("  {line}"));
            }
        }
    }

    fn resources(&mut self, compared: &Compared<'_>, section: Section) {
        let groups =
            compared.comparison.differences.iter().filter(|group| Section::for_difference(group.first()) == section);
        let groups = by_concern(groups);
        if groups.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.shaded(section.title(), BOLD));
        for group in groups.iter().take(compared.limit) {
            self.group(group);
        }
        if groups.len() > compared.limit {
            self.line(&format!("  and {}; --limit shows more", count(groups.len() - compared.limit, "more resource")));
        }
    }

    fn group(&mut self, group: &DifferenceGroup) {
        let first = group.first();
        let (sign, shade) = match first.change {
            Change::Added => ("+", GREEN),
            Change::Removed => ("-", RED),
            Change::Changed(_) => ("~", YELLOW),
        };
        let place = first.place.as_ref().map(|place| {
            let place = format!(" ({}:{})", short(&place.file), place.line);
            self.shaded(&printable_line(&place), DIM)
        });
        let reference = printable_line(&first.reference).into_owned();
        self.line(&format!("  {} {reference}{}", self.shaded(sign, shade), place.unwrap_or_default()));
        for line in lines_of(first) {
            self.change_line(&line);
        }
        self.nodes(&group.ways[0].nodes);
        let others: Vec<Str> = group.ways[1..].iter().flat_map(|way| way.nodes.iter().cloned()).collect();
        if !others.is_empty() {
            let others = printable_line(&named(&others, NAMED)).into_owned();
            self.line(&format!("      {}", self.shaded(&format!("with other values on {others}"), DIM)));
        }
    }

    fn change_line(&mut self, line: &ChangeLine) {
        let text = printable_line(&line.text).into_owned();
        let text = format!("{}{text}", line.sign.text());
        let text = match line.sign {
            Sign::Heading | Sign::Same => text,
            Sign::Old => self.shaded(&text, RED),
            Sign::New => self.shaded(&text, GREEN),
        };
        self.line(&format!("      {text}"));
    }

    fn data(&mut self, compared: &Compared<'_>) {
        let Some(data) = &compared.data else { return };
        self.line("");
        self.line(&self.shaded("Data", BOLD));
        if data.files.is_empty() && data.unreadable.is_empty() {
            self.line("  no key differs");
        }
        for file in &data.files {
            self.line(&format!("  {} {}", self.shaded("~", YELLOW), printable_line(&data_file(file))));
            for line in file.keys.iter().take(compared.limit).flat_map(key_lines) {
                self.change_line(&line);
            }
            if file.keys.len() > compared.limit {
                let more = count(file.keys.len() - compared.limit, "more key");
                self.line(&format!("      and {more}; --limit shows more"));
            }
        }
        for one in &data.unreadable {
            self.line(&format!("  {} {}", self.shaded("✗", RED), printable_line(&unreadable(one))));
        }
    }

    fn modules(&mut self, compared: &Compared<'_>) {
        let lines = module_lines(compared);
        if lines.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.shaded(MODULES, BOLD));
        for line in &lines {
            self.line(&format!("  {} {}", self.shaded("?", YELLOW), printable_line(line)));
        }
        self.line(&format!("      {}", self.shaded(MODULES_HELP, DIM)));
    }

    fn moved(&mut self, compared: &Compared<'_>) {
        let moved: Vec<_> =
            compared.comparison.nodes.iter().filter_map(|node| Some((node, node.moved.as_ref()?))).collect();
        if moved.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.shaded("In another environment", BOLD));
        for (node, (from, to)) in moved.iter().take(compared.limit) {
            self.line(&format!("  {}: {} → {}", printable_line(&node.name), printable_line(from), printable_line(to)));
        }
        if moved.len() > compared.limit {
            self.line(&format!("  and {}", count(moved.len() - compared.limit, "more node")));
        }
    }

    /// What was compared: whoever reads "nothing changes" wants to know that it was looked at.
    fn footer(&mut self, compared: &Compared<'_>) {
        let comparison = &compared.comparison;
        self.line("");
        let answers = comparison.compiled + comparison.stored;
        let mut text = format!("Compared {}", count(comparison.nodes.len(), "node"));
        if answers > 0 {
            let _ = write!(
                text,
                ": {} compiled, {} from the cache",
                count(comparison.compiled, "catalog"),
                comparison.stored
            );
        }
        let _ = write!(text, "; {:.1} s", compared.seconds);
        self.line(&self.shaded(&text, DIM));
        for age in &compared.facts {
            self.line(&self.shaded(&format!("Facts: {}", printable_line(&fact_age(age))), DIM));
        }
        let untracked = compared.origins.iter().filter_map(|origin| match origin {
            Origin::Revision { untracked, .. } if *untracked > 0 => Some(*untracked),
            _ => None,
        });
        for number in untracked {
            let text =
                format!("{} of the working copy that git does not know: no revision has them", count(number, "file"));
            self.line(&self.shaded(&text, DIM));
        }
        if comparison.ignored > 0 {
            self.line(&self.shaded(&left_out(comparison.ignored), DIM));
        }
        for remark in &compared.remarks {
            self.line(&format!("Note: {}", printable_line(remark)));
        }
    }
}

/// Where facts come from, and how old they are, in words.
pub(super) fn fact_age(facts: &FactAge) -> String {
    match facts.written {
        None => facts.source.clone(),
        Some((oldest, newest)) if age(oldest) == age(newest) => {
            format!("{} ({}, written {})", facts.source, count(facts.files, "file"), age(newest))
        }
        Some((oldest, newest)) => format!(
            "{} ({}, written between {} and {})",
            facts.source,
            count(facts.files, "file"),
            age(oldest),
            age(newest)
        ),
    }
}

/// Returns all that differs of a resource, as lines; of long texts the beginning.
pub(super) fn lines_of(difference: &ResourceDifference) -> Vec<ChangeLine> {
    let parameters = difference.parameters().iter().map(parameter_lines);
    let contents = difference.contents.iter().map(content_lines);
    let mut lines: Vec<ChangeLine> = parameters.chain(contents).flat_map(shortened_lines).collect();
    let relationships = difference.relationships.iter().map(|one| ChangeLine {
        sign: if one.is_added { Sign::New } else { Sign::Old },
        text: format!("{} {} {}", one.source, verb(one), one.target),
    });
    lines.extend(relationships);
    lines
}

/// Returns how much nobody wants to see.
pub(super) fn left_out(ignored: usize) -> String {
    format!("{} left out by --ignore-resource or diff_ignore", count(ignored, "difference"))
}

/// Returns a file of data with its level.
pub(super) fn data_file(file: &DataFileDifference) -> String {
    let path = repository_path(&file.file.to_string_lossy());
    file.level.as_ref().map_or_else(|| path.clone(), |level| format!("{path} ({level})"))
}

/// Returns what cannot be compared, and on which side.
pub(super) fn unreadable(one: &UnreadableData) -> String {
    let side = if one.is_new { "after" } else { "before" };
    format!("{} cannot be compared: {side} the change {}", repository_path(&one.file.to_string_lossy()), one.reason)
}

/// Returns how a key of data differs; of a long text the beginning.
pub(super) fn key_lines(change: &ParameterChange) -> Vec<ChangeLine> {
    shortened_lines(parameter_lines(change))
}

fn shortened_lines(mut part: Vec<ChangeLine>) -> Vec<ChangeLine> {
    let more = part.len().saturating_sub(LINES);
    part.truncate(LINES);
    if more > 0 {
        part.push(ChangeLine { sign: Sign::Same, text: format!("… {}", count(more, "more line")) });
    }
    part
}

/// Returns how a relationship is said.
pub(super) fn verb(change: &pantin_repository::comparison::RelationshipChange) -> &'static str {
    use pantin_model::graph::RelationshipKind;
    match change.kind {
        RelationshipKind::Require => "requires",
        RelationshipKind::Before => "comes before",
        RelationshipKind::Notify => "notifies",
        RelationshipKind::Subscribe => "subscribes to",
        RelationshipKind::Automatic => "is related by itself to",
        RelationshipKind::Contains => "contains",
    }
}

//! The items of a page: changes, nodes and resources, each with its details.

use std::path::Path;
use std::sync::Arc;

use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::diff::{Change, ResourceChange};
use pantin_model::catalog::{Place, Resource, diff};
use pantin_repository::catalog_check::Finding;
use pantin_repository::hidden::hide_decrypted;
use pantin_repository::messages::Group;
use pantin_repository::query::Answer;
use pantin_repository::watch::{GroupedChanges, NodeGroup, Round};
use pantin_values::Str;

use crate::print::counting::count;
use crate::print::layout::short_path;
use crate::print::message_text::{MessageText, title};
use crate::watch::applying::AppliedRun;
use crate::watch::text::{LOST, looks, mended_title, moved_title, nodes, value_text};

/// What an item is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ItemStyle {
    Good,
    Bad,
    Odd,
    Plain,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) sort: ItemStyle,
    /// One character.
    pub(super) sign: &'static str,
    pub(super) title: String,
    /// What stands behind it.
    pub(super) tail: String,
    pub(super) details: Vec<String>,
    pub(super) nodes: Vec<Str>,
    pub(super) is_open: bool,
}

impl Item {
    fn new(sort: ItemStyle, sign: &'static str, title: &str) -> Item {
        let (tail, details, nodes) = Default::default();
        Item { sort, sign, title: title.to_owned(), tail, details, nodes, is_open: false }
    }

    fn on(mut self, nodes: &[Str]) -> Item {
        let on = count(nodes.len(), "node");
        self.tail = if self.tail.is_empty() { on } else { format!("{} · {on}", self.tail) };
        self.nodes = nodes.to_vec();
        self
    }

    /// Returns true if there is more to say of it.
    pub(super) fn can_open(&self) -> bool {
        !self.details.is_empty() || !self.nodes.is_empty()
    }

    /// Returns true if this text, in lower case, stands in it.
    pub(super) fn has(&self, wanted: &str) -> bool {
        let is_in = |text: &str| text.to_lowercase().contains(wanted);
        is_in(&self.title)
            || is_in(&self.tail)
            || self.details.iter().any(|text| is_in(text))
            || self.nodes.iter().any(|name| is_in(name))
    }

    /// All nodes, each with how it is.
    pub(super) fn node_items(answers: &[Arc<Answer>]) -> Vec<Item> {
        let of = |answer: &Arc<Answer>| {
            let mut item = match &answer.result {
                Ok(catalog) => {
                    let resources = count(catalog.resource_count(), "resource");
                    match check_error(answer) {
                        None => Item { tail: resources, ..Item::new(ItemStyle::Good, "✓", &answer.node) },
                        Some(error) => {
                            let tail = format!("{resources} · {error}");
                            Item { tail, ..Item::new(ItemStyle::Bad, "✗", &answer.node) }
                        }
                    }
                }
                Err(failed) => {
                    Item { tail: failed.text().to_owned(), ..Item::new(ItemStyle::Bad, "✗", &answer.node) }
                }
            };
            item.nodes = vec![answer.node.clone()];
            item
        };
        answers.iter().map(of).collect()
    }
}

/// Returns why an agent could not apply the catalog of a node.
fn check_error(answer: &Answer) -> Option<&'static str> {
    answer.findings.get()?.findings.first().map(|finding| match finding {
        Finding::RefusedResource { .. } => "refused resource",
        Finding::MissingDependency { .. } => "missing dependency",
        Finding::Cycles { .. } => "dependency cycle",
    })
}

/// Returns what an edit changed: what went wrong first.
pub(super) fn round_items(round: &Round, here: &Path) -> Vec<Item> {
    let mut items: Vec<Item> = round.broken.iter().map(|group| error_item(group, here)).collect();
    let lists = [
        (ItemStyle::Good, "✓", "compiles again", &round.mended),
        (ItemStyle::Bad, "?", LOST, &round.lost),
        (ItemStyle::Plain, "+", "new node", &round.appeared),
        (ItemStyle::Plain, "-", "no longer a node", &round.gone),
    ];
    for (sort, sign, title, nodes) in lists {
        if !nodes.is_empty() {
            items.push(Item::new(sort, sign, title).on(nodes));
        }
    }
    let moved =
        round.moved.iter().map(|group| Item::new(ItemStyle::Plain, "~", &moved_title(&group.what)).on(&group.nodes));
    items.extend(moved);
    items.extend(round.changes.iter().filter_map(item_from_change));
    items.extend(round.said.iter().map(|group| Item::new(ItemStyle::Odd, "»", &group.what.text).on(&group.nodes)));
    items
}

/// Returns what keeps nodes from having a catalog, or an agent from applying it.
pub(super) fn error_item(group: &Group, here: &Path) -> Item {
    let text = title(group);
    let first = text.lines().next().unwrap_or_default();
    // Where it is cut, all of it is to be read when it is opened.
    let mut details = if first.len() > 60 || text.contains('\n') { wrapped(&text) } else { Vec::new() };
    let message = MessageText::from_group(group);
    details.extend(message.place.map(|place| format!("at {}", short_path(here, &place.to_string()))));
    details.extend(message.code_line());
    details.extend(message.help_lines());
    Item { details, ..Item::new(ItemStyle::Bad, "✗", first).on(&group.nodes) }
}

/// Returns what no longer keeps an agent from applying catalogs.
pub(super) fn mended_item(group: &Group) -> Item {
    Item::new(ItemStyle::Good, "✓", &mended_title(group)).on(&group.nodes)
}

fn item_from_change(group: &NodeGroup<GroupedChanges>) -> Option<Item> {
    let ResourceChange { reference, change, place } = &group.what.first()?.what;
    let (sort, sign) = match change {
        Change::Added => (ItemStyle::Good, "+"),
        Change::Removed => (ItemStyle::Bad, "-"),
        Change::Changed(_) => (ItemStyle::Odd, "~"),
    };
    let looks = looks(&group.what);
    let is_one = looks.len() == 1;
    let told = |(lines, of): (Vec<String>, Vec<Str>)| {
        // All nodes are listed below.
        let on = (!is_one).then(|| format!("on {}", nodes(&of)));
        lines.into_iter().chain(on)
    };
    let details = looks.into_iter().flat_map(told).chain(place.iter().map(at)).collect();
    Some(Item { details, ..Item::new(sort, sign, reference).on(&group.nodes) })
}

fn at(place: &Place) -> String {
    format!("at {}:{}", place.file, place.line)
}

/// Marks what a run on the machine came to.
const RUN: &str = "⇒";

impl Item {
    pub(super) fn is_run(&self) -> bool {
        self.sign == RUN
    }
}

/// Returns what a run on the machine did and left alone, with its log.
pub(super) fn run_item(run: &AppliedRun) -> Item {
    let (style, title) = match run.code {
        Some(0) => (ItemStyle::Plain, "the machine is in step"),
        Some(2) if run.is_noop => (ItemStyle::Odd, "the machine would be changed"),
        Some(2) => (ItemStyle::Good, "applied to the machine"),
        Some(4 | 6) => (ItemStyle::Bad, "applied to the machine, with failures"),
        _ => (ItemStyle::Bad, "not applied to the machine"),
    };
    let selection = run.log.iter().find_map(|line| line.strip_prefix("Notice: Only what changed: "));
    let scope = selection.unwrap_or(if run.is_full { "everything" } else { "what changed" });
    let tail = format!("{scope} · {:.2} s", run.took.as_secs_f64());
    let details = run.errors.iter().chain(&run.log).flat_map(|line| wrapped(line)).collect();
    Item { tail, details, is_open: style == ItemStyle::Bad, ..Item::new(style, RUN, title) }
}

/// Returns what is said beside changes.
pub(super) fn notes(text: &str) -> Vec<Item> {
    vec![Item { details: wrapped(text), ..Item::new(ItemStyle::Odd, "!", text.lines().next().unwrap_or_default()) }]
}

/// So many letters are on a line of a long text.
const LINE: usize = 70;

/// At blanks, so that it can be read where lines are cut.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut now = String::new();
        for word in line.split(' ') {
            if !now.is_empty() && now.chars().count() + word.chars().count() >= LINE {
                lines.push(std::mem::take(&mut now));
            }
            if !now.is_empty() {
                now.push(' ');
            }
            now.push_str(word);
        }
        lines.push(now);
    }
    lines
}

/// The resources of a node, or why there are none.
pub(super) fn catalog_items(answer: &Answer) -> Vec<Item> {
    match &answer.result {
        Ok(catalog) => match catalog.read() {
            Some(catalog) => {
                catalog.resources.iter().map(|resource| of_resource(resource, &answer.decrypted)).collect()
            }
            None => vec![Item::new(ItemStyle::Bad, "✗", "its catalog is no longer in the cache")],
        },
        Err(failed) => vec![Item {
            is_open: true,
            details: wrapped(failed.text()),
            ..Item::new(ItemStyle::Bad, "✗", "it has no catalog")
        }],
    }
}

fn of_resource(resource: &Resource, decrypted: &DecryptedTexts) -> Item {
    let value = |name: &Str| hide_decrypted(diff::shown_value(resource, name), decrypted);
    let parameter = |(name, _): (&Str, _)| format!("{name} => {}", value_text(&value(name)));
    let details = resource.parameters.iter().map(parameter).chain(resource.place.iter().map(at)).collect();
    let tail = if resource.exported { "exported".to_owned() } else { String::new() };
    Item { tail, details, ..Item::new(ItemStyle::Plain, " ", &resource.reference()) }
}

//! The differences between two sides of a repository: revisions, folders, options, or catalogs that somebody has saved.
//!
//! Both sides answer one node after another, so that only the catalogs of a few nodes are in memory. Where both sides find the
//! same stored answer, no catalog is read. Knows nothing of git, nor of how a difference is shown.
//!
//! ```text
//! side.rs          one side: a repository that is opened, or saved catalogs
//! origin.rs        what a side is: a revision, the working tree, a folder, saved catalogs
//! node.rs          what differs on one node: resources, relationships, messages, what is refreshed
//! relationships.rs relationships that one side alone has
//! served_files.rs  contents of the module files that `source => 'puppet:///…'` names
//! review.rs        changes of what a comparison itself goes by: facts, pantin.toml
//! ignore.rs        differences that nobody wants to see
//! installation.rs  the modules of each side, installed
//! modules.rs       modules that a side names, and was not compiled with
//! data.rs          what differs in the data itself, whether a node looks it up or not
//! groups.rs        the same difference on several nodes
//! saved.rs         catalogs in files: those of Pantin and Puppet, and those of PuppetDB
//! ```

mod bindings;
mod data;
mod groups;
mod ignore;
mod installation;
mod modules;
mod node;
mod origin;
mod relationships;
mod review;
mod saved;
mod saved_systems;
mod served_files;
mod side;

use std::io;

use indexmap::IndexSet;
use pantin_values::Str;
use rustc_hash::FxBuildHasher;

pub use data::{DataDifferences, DataFileDifference, UnreadableData, compare_data};
pub use groups::{DifferenceGroup, MessageGroup};
pub use ignore::IgnoreRule;
pub use installation::{SideModules, install_modules};
pub use modules::{NamedIn, UninstalledModule};
pub use node::{ContentChange, MessageState, NodeStatus, ResourceDifference};
pub use origin::{OpenedSide, Origin, SideInputs, SideNames, open_sides};
pub use relationships::RelationshipChange;
pub use review::changed_configuration;
pub use saved::SavedCatalogs;
pub use saved_systems::SavedSystems;
pub use served_files::ServedContent;
pub(crate) use served_files::ServedFiles;
pub use side::Side;

use crate::fleet::Crew;
use crate::node_groups::NodeGroup;
use groups::Groups;
use node::NodeDifference;

/// What differs between two sides.
#[derive(Default, Debug)]
pub struct Comparison {
    /// Every node of either side, in the order of the second one.
    pub nodes: Vec<ComparedNode>,
    /// Resources that differ. The same resource that differs alike on several nodes stands once, with all ways in which it does.
    pub differences: Vec<DifferenceGroup>,
    /// Services and mounts that an agent would restart, commands that it would run, because something else changes.
    pub refreshed: Vec<NodeGroup<Str>>,
    pub messages: Vec<MessageGroup>,
    /// How many answers were compiled, and how many found in the store.
    pub compiled: usize,
    pub stored: usize,
    /// How much was left out because somebody does not want to see it.
    pub ignored: usize,
}

/// What a comparison comes to, the worst of it last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Same,
    /// Nothing differs, but a side was not compiled with the modules that it names, or a node fails on both sides: nobody knows what
    /// is behind its error.
    Unsure,
    Differs,
    /// A side of a node took longer than it may, or Pantin itself is wrong: nobody knows whether it differs.
    Unknown,
    /// A node fails that did not fail before.
    FailsNewly,
}

impl Verdict {
    /// Returns a stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Unsure => "unsure",
            Verdict::Differs => "differs",
            Verdict::Unknown => "unknown",
            Verdict::FailsNewly => "fails_newly",
        }
    }
}

impl Comparison {
    /// Returns what the differences of the nodes come to: headlines, sections and exit codes say the same.
    pub fn verdict(&self) -> Verdict {
        let is_same = |node: &ComparedNode| matches!(node.status, NodeStatus::Unchanged | NodeStatus::Failing);
        if self.nodes.iter().any(|node| node.status == NodeStatus::NewlyFailing) {
            return Verdict::FailsNewly;
        }
        if self.nodes.iter().any(|node| node.status == NodeStatus::Unknown) {
            return Verdict::Unknown;
        }
        let is_same = self.differences.is_empty()
            && self.nodes.iter().all(is_same)
            && self.messages.iter().all(|message| message.state == MessageState::Same);
        match self.nodes.iter().any(|node| node.status == NodeStatus::Failing) {
            _ if !is_same => Verdict::Differs,
            true => Verdict::Unsure,
            false => Verdict::Same,
        }
    }
}

/// One node of a comparison.
#[derive(Clone, Debug)]
pub struct ComparedNode {
    pub name: Str,
    pub status: NodeStatus,
    /// The environments that it has on both sides, where these differ.
    pub moved: Option<(String, String)>,
}

/// Compares the sides, node by node. `progress` is told of each node.
pub fn compare(
    sides: [&Side; 2],
    names: &[Str],
    rules: &[IgnoreRule],
    mut progress: impl FnMut() + Send,
) -> io::Result<Comparison> {
    let [from, to] = sides;
    let crew = match sides.iter().find_map(|side| side.repository()) {
        Some(repository) => repository.crew(0, names.len())?,
        None => Crew::for_items(0, names.len())?,
    };
    let served = ServedFiles::default();
    let mut comparison = Comparison::default();
    let mut groups = Groups::default();
    let prepare = |wave: &[Str]| from.prepare(wave).into_iter().zip(to.prepare(wave)).collect::<Vec<_>>();
    let work = |(old, new): &(_, _)| NodeDifference::between((from, old), (to, new), &served, rules);
    crew.each_in_waves(names, prepare, work, |at, _, difference| {
        progress();
        comparison.compiled += difference.compiled;
        comparison.stored += difference.stored;
        comparison.ignored += difference.ignored;
        let NodeDifference { status, moved, .. } = &difference;
        comparison.nodes.push(ComparedNode { name: names[at].clone(), status: *status, moved: moved.clone() });
        groups.add(&names[at], difference);
    })?;
    groups.finish(&mut comparison);
    Ok(comparison)
}

/// Returns the nodes of both sides: those of the second one in its order, then those that the first one alone has.
pub fn all_names(from: &[Str], to: &[Str]) -> Vec<Str> {
    let names: IndexSet<&Str, FxBuildHasher> = to.iter().chain(from).collect();
    names.into_iter().cloned().collect()
}

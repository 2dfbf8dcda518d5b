//! Why a stored answer does not hold: the dependency that has changed.
//!
//! Of what was said then the digest alone is kept, so that the old answer is known only where there are few that it can
//! have been.

use pantin_base::hex::hex;
use pantin_world::{LeafKind, Leaves};

use super::index::{Answer, Index};
use super::validator::Validator;
use crate::node_dependency::NodeChange;

/// What is not as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChangedDependency {
    /// What the disk says.
    Disk {
        kind: LeafKind,
        path: String,
        was: DiskState,
        is: DiskState,
        /// Of a file of bindings: what of it has changed and was looked at, as far as it still has a name.
        rows: Vec<String>,
    },
    /// Where the folder is that it was told from, and it may not be told from another one.
    Place(String),
    /// What was asked beside it: the place of what was said, and by which names was asked.
    Reply { at: usize, questions: Vec<String> },
    /// What is known of its subject, and was read.
    Node(NodeChange),
    /// A secret went into it, and there is no key to it, or another one.
    Sealed,
}

/// What the disk says, as far as it may be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiskState {
    /// There is nothing.
    Nothing,
    Yes,
    No,
    /// By its digest.
    Something(String),
    /// It may be a secret.
    Hidden,
}

/// So many bytes of a digest tell two answers apart.
const TOLD: usize = 4;

impl DiskState {
    fn new(kind: LeafKind, digest: &[u8; 16], is_hidden: bool) -> DiskState {
        let is_nothing = digest == kind.digest_of_nothing().bytes();
        match kind {
            LeafKind::Exists | LeafKind::Named | LeafKind::Folder | LeafKind::BindingsFile => match is_nothing {
                true => DiskState::No,
                false => DiskState::Yes,
            },
            _ if is_nothing => DiskState::Nothing,
            LeafKind::Variable => DiskState::Hidden,
            _ if is_hidden => DiskState::Hidden,
            _ => DiskState::Something(hex(&digest[..TOLD])),
        }
    }
}

/// Returns what the disk says otherwise than it did when this was answered.
pub(super) fn disk_changes(
    answer: &Answer,
    index: &Index,
    validator: &Validator,
    leaves: &Leaves,
    except_nodes: bool,
) -> Vec<ChangedDependency> {
    let changed = validator.changed_leaves(answer, index, leaves, except_nodes);
    let changed = changed.into_iter().map(|leaf| {
        let path = validator.path(leaf);
        let now = leaves.digest(leaf.kind, &path);
        let state = |digest: &[u8; 16]| DiskState::new(leaf.kind, digest, answer.is_sealed);
        let (was, is) = (state(&leaf.digest), state(now.bytes()));
        let rows = validator.changed_rows(leaf, answer, index, leaves);
        ChangedDependency::Disk { kind: leaf.kind, path: path.display().to_string(), was, is, rows }
    });
    changed.collect()
}

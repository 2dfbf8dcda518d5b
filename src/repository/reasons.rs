//! The reasons for compiling a node, in words.

use pantin_world::LeafKind;

use crate::fleet::Reason;
use crate::node_dependency::NodeChange;
use crate::persist::{ChangedDependency, DiskState};

pub(crate) fn no_answer() -> Reason {
    Reason::new("no_answer", "it has no answer in the cache")
}

/// Only another build of this program has answers to the same question.
pub(crate) fn other_build() -> Reason {
    Reason::new("other_build", "it has no answer in the cache; another build of pantin has some")
}

pub(crate) fn unreadable() -> Reason {
    Reason::new("unreadable", "its answer in the cache cannot be read")
}

/// No cache is asked at all.
pub(crate) fn no_cache() -> Reason {
    Reason::new("no_cache", "with these options nothing is kept, or there is no place for a cache")
}

pub(crate) fn volatile() -> Reason {
    Reason::new(
        "volatile",
        "it is not kept: it depends on the time, on chance, on what a command printed, or on a function that --ruby ran",
    )
}

pub(crate) fn no_key() -> Reason {
    Reason::new("sealed", "it is not kept: a secret went into it, and there is no key to seal it with")
}

pub(crate) fn unkept() -> Reason {
    Reason::new("unkept", "it is not kept: it says, or depends on, what cannot be written down")
}

pub(crate) fn reason_for_change(changed: &ChangedDependency) -> Reason {
    match changed {
        ChangedDependency::Disk { kind, path, was, is, rows } => reason_on_disk((*kind, path), rows, was, is),
        ChangedDependency::Place(folder) => {
            Reason::with_subject("place", folder, &format!("where the repository lies, which was {folder}"))
        }
        ChangedDependency::Reply { at, questions } => reason_beside_disk(*at, questions),
        ChangedDependency::Node(NodeChange { name, was, is }) => {
            let mut reason = Reason::with_subject("fact", name, &format!("{name} of the node"));
            (reason.was, reason.is) = (was.clone(), is.clone());
            reason
        }
        ChangedDependency::Sealed => Reason::new("sealed", "it is sealed, and there is no key to it, or another one"),
    }
}

fn reason_on_disk((kind, path): (LeafKind, &str), rows: &[String], was: &DiskState, is: &DiskState) -> Reason {
    let (name, text) = match kind {
        LeafKind::Puppetfile => ("content", format!("which modules {path} names")),
        LeafKind::Bindings if !rows.is_empty() => ("content", format!("what {path} says of {}", rows.join(", "))),
        LeafKind::Content
        | LeafKind::Code
        | LeafKind::Data
        | LeafKind::Bindings
        | LeafKind::Text
        | LeafKind::Key
        | LeafKind::NodeFacts => ("content", format!("the content of {path}")),
        LeafKind::List | LeafKind::BindingsList => ("list", format!("which files are in {path}")),
        LeafKind::Exists | LeafKind::Named | LeafKind::Folder | LeafKind::BindingsFile => {
            ("existence", format!("whether {path} is there"))
        }
        LeafKind::Link => ("link", format!("where {path} leads")),
        LeafKind::Facts | LeafKind::LinkFacts => ("metadata", format!("owner, mode or times of {path}")),
        LeafKind::Revealed => ("place", format!("where {path} is, which code was told")),
        LeafKind::Variable => ("variable", format!("the environment variable {path}")),
    };
    let mut reason = Reason::with_subject(name, path, &text);
    (reason.was, reason.is) = (state_text(was), state_text(is));
    reason
}

/// `None`: it may not be told.
fn state_text(saying: &DiskState) -> Option<String> {
    Some(match saying {
        DiskState::Nothing => "nothing".to_owned(),
        DiskState::Yes => "yes".to_owned(),
        DiskState::No => "no".to_owned(),
        DiskState::Something(digest) => format!("#{digest}"),
        DiskState::Hidden => return None,
    })
}

/// Returns what was asked beside the disk, in the order of `Memory::told`.
fn reason_beside_disk(at: usize, questions: &[String]) -> Reason {
    match (at, at.checked_sub(4).and_then(|at| questions.get(at))) {
        (0, _) => Reason::new("facts", "where its facts come from"),
        (1, _) => Reason::new("enc", "what the ENC says of it"),
        (2, _) => Reason::new("settings", "what settings say"),
        (3, _) => Reason::new("sources", "who says what is known of nodes: the server, the ENC, a node's file"),
        (4, Some(name)) => {
            Reason::with_subject("environment", name, &format!("what is said of the environment {name}"))
        }
        (_, Some(name)) => Reason::with_subject("exports", name, &format!("what the nodes export of the type {name}")),
        (_, None) => unreadable(),
    }
}

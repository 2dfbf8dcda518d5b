//! The root folder of stored answers: paths below it are stored relative to it, so that answers hold in another checkout
//! or on another machine.
//!
//! That is so only if nothing it was made of depends on where that is: whatever lies outside must be the same from
//! everywhere, no text that was read may name the folder, and none that was handed to code (`LeafKind::Revealed`). Knows
//! nothing of what is read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem::{self, Finder};
use pantin_world::{LeafId, LeafKind, Leaves};

/// A shorter name would be found in texts that do not mean it.
const SHORTEST: usize = 4;

#[derive(Clone)]
pub struct Root {
    folder: Arc<str>,
    finder: Arc<Finder<'static>>,
    /// Folders that are where they are, wherever this one lies.
    fixed: Vec<PathBuf>,
    /// Its name can be found in a text, and another put in its place.
    is_plain: bool,
}

impl Root {
    /// `question`: what is asked there. If it names the folder, the answers are for this one alone.
    pub fn new(folder: &Path, fixed: &[PathBuf], question: &str) -> Root {
        let text: Arc<str> = folder.to_string_lossy().into();
        let is_printable = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'\'');
        let names = memmem::find(question.as_bytes(), text.as_bytes()).is_some();
        let is_plain = text.len() >= SHORTEST && text.bytes().all(is_printable) && !text.ends_with('/') && !names;
        // One that is above it, or below, can be meant by a path that leads there from it.
        let is_apart = |other: &&PathBuf| !folder.starts_with(other) && !other.starts_with(folder);
        Root {
            finder: Arc::new(Finder::new(text.as_bytes()).into_owned()),
            folder: text,
            fixed: fixed.iter().filter(is_apart).cloned().collect(),
            is_plain,
        }
    }

    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns true if there may be answers here that are right elsewhere, and those of elsewhere may be right here.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Returns the way to it from this folder; `None`: it is not below.
    pub(super) fn inside<'p>(&self, kind: LeafKind, path: &'p str) -> Option<&'p str> {
        let rest =
            path.strip_prefix(&*self.folder).filter(|_| !matches!(kind, LeafKind::Variable | LeafKind::Revealed))?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }

    /// Returns where that way leads.
    pub(super) fn outside(&self, inside: &str) -> PathBuf {
        if inside.is_empty() { PathBuf::from(&*self.folder) } else { Path::new(&*self.folder).join(inside) }
    }

    /// Returns true if this question to the disk, and what it said, is the same wherever the folder lies.
    pub(super) fn is_indifferent_to(&self, id: LeafId, leaves: &Leaves) -> bool {
        let Some(leaf) = leaves.leaf(id).filter(|_| self.is_plain) else { return false };
        let names_folder = |text: &[u8]| self.finder.find(text).is_some();
        let is_there = match (leaf.kind, leaf.path.to_str()) {
            (LeafKind::Variable, _) => true,
            (LeafKind::Revealed, _) => return !names_folder(leaf.path.as_os_str().as_encoded_bytes()),
            (kind, Some(path)) => {
                self.inside(kind, path).is_some() || self.fixed.iter().any(|fixed| leaf.path.starts_with(fixed))
            }
            (_, None) => false,
        };
        is_there && leaves.text(id).is_none_or(|text| !names_folder(&text))
    }
}

impl std::fmt::Debug for Root {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Root").field("folder", &self.folder).finish_non_exhaustive()
    }
}

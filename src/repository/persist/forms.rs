//! The form of a file's content for a comparison: the meaning of code without its lines, the modules that a Puppetfile names, the values
//! of the keys of data that were looked up. Whoever opens a ledger brings the readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Form as CodeForm, MovedLines};
use pantin_values::Digest;
use pantin_world::LeafKind;
use serde::{Deserialize, Serialize};

use super::index::Numbers;
use super::{Seal, codec};

/// The hashes of keys, each with the digest of what stands there, ascending.
pub type Keys = Vec<(u128, Digest)>;

/// Each `None`: all of the file counts.
#[derive(Clone, Copy)]
pub struct Readers {
    pub code: fn(&[u8]) -> Option<CodeForm>,
    pub puppetfile: fn(&[u8]) -> Option<CodeForm>,
    pub data: fn(&Path, &[u8]) -> Option<Keys>,
    /// Of a file of bindings: its rows in the place of keys.
    pub bindings: fn(&Path, &[u8]) -> Option<Keys>,
    /// The names of those of its rows that have these hashes.
    pub row_names: fn(&Path, &[u8], &[u128]) -> Vec<String>,
}

/// A file of code that means what it meant.
#[derive(Clone, PartialEq, Debug)]
pub struct MovedFile {
    pub path: PathBuf,
    pub lines: Arc<MovedLines>,
}

/// What counts of a file, as it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Form {
    Code {
        #[serde(with = "codec::digest")]
        meaning: [u8; 16],
        lines: Numbers,
    },
    /// Digests are sealed: a value may be a secret, and short.
    Data(Vec<(u128, u128)>),
}

/// What is not as it was, and may yet make no difference.
pub(super) enum Difference {
    Lines(Arc<MovedLines>),
    /// Of keys, ascending.
    Keys(Arc<[u128]>),
}

/// How a file's form is made.
pub(super) struct Forms {
    pub(super) readers: Readers,
    pub(super) seal: Option<Seal>,
}

impl Forms {
    pub(super) fn compute(&self, kind: LeafKind, path: &Path, text: &[u8]) -> Option<Form> {
        match kind {
            LeafKind::Code | LeafKind::Puppetfile => {
                let read = if kind == LeafKind::Code { self.readers.code } else { self.readers.puppetfile };
                let CodeForm { meaning, lines } = read(text)?;
                Some(Form::Code { meaning, lines: Numbers::from_numbers(lines) })
            }
            LeafKind::Data | LeafKind::Bindings => {
                let seal = self.seal.as_ref()?;
                let sealed = |digest: Digest| u128::from_le_bytes(*seal.digest(digest).bytes());
                let read = if kind == LeafKind::Data { self.readers.data } else { self.readers.bindings };
                let keys = read(path, text)?;
                Some(Form::Data(keys.into_iter().map(|(key, digest)| (key, sealed(digest))).collect()))
            }
            _ => None,
        }
    }
}

impl Form {
    /// `None`: they have nothing to do with each other.
    pub(super) fn difference(&self, now: &Form) -> Option<Difference> {
        match (self, now) {
            (Form::Code { .. }, Form::Code { .. }) => {
                self.code()?.moved_to(&now.code()?).map(|lines| Difference::Lines(Arc::new(lines)))
            }
            (Form::Data(before), Form::Data(now)) => Some(Difference::Keys(changed_keys(before, now).into())),
            _ => None,
        }
    }

    fn code(&self) -> Option<CodeForm> {
        match self {
            Form::Code { meaning, lines } => Some(CodeForm { meaning: *meaning, lines: lines.iter().collect() }),
            Form::Data(_) => None,
        }
    }
}

/// The keys of what stands in one of the two alone.
fn changed_keys(before: &[(u128, u128)], now: &[(u128, u128)]) -> Vec<u128> {
    let only = |here: &[(u128, u128)], there: &[(u128, u128)]| {
        here.iter().filter(|entry| there.binary_search(entry).is_err()).map(|(key, _)| *key).collect::<Vec<_>>()
    };
    let mut keys = [only(before, now), only(now, before)].concat();
    keys.sort_unstable();
    keys.dedup();
    keys
}

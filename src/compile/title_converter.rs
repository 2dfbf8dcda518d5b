//! What code of a type makes of its titles: the type's file is run again, on what it has read before.
//! It must not read anything else, so that an answer depends on what the table of the type depends on.

use std::hash::Hash as Hashed;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::Language;
use pantin_model::catalog::kinds::TitleConverter;
use pantin_ruby::{Script, Trouble, TroubleKind, TypeFile};
use pantin_values::{Fault, Hash, Str, Value};
use rustc_hash::FxHashMap;

use super::codebase::CodeBase;
use super::resource_types::{TypeWorld, error_message};

/// What the file of a type has read, by what was asked for.
#[derive(Default, Debug)]
pub(super) struct RecordedReads {
    pub(super) libraries: Answers<Str, Option<Arc<Script>>>,
    pub(super) revealed: Answers<Str, ()>,
    pub(super) beyond: Answers<Arc<[Str]>, Option<(Str, Str)>>,
    pub(super) contents: Answers<Str, Option<Vec<u8>>>,
    pub(super) existing: Answers<Str, bool>,
    pub(super) folders: Answers<Str, bool>,
    pub(super) matching: Answers<Arc<[Str]>, Value>,
}

type Answers<K, T> = Mutex<FxHashMap<K, T>>;

/// Reads for the file of a type.
#[derive(Clone, Debug)]
pub(super) enum TypeReader<'b> {
    /// From the disk, and records it.
    Disk(&'b CodeBase),
    /// What is recorded, and nothing else.
    Record,
}

impl TypeReader<'_> {
    /// `what` is a sentence's object.
    pub(super) fn read<K: Hashed + Eq, T: Clone>(
        &self,
        recorded: &Answers<K, T>,
        key: K,
        what: &str,
        from_disk: impl FnOnce(&CodeBase) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let lock = || recorded.lock().unwrap_or_else(PoisonError::into_inner);
        match self {
            TypeReader::Disk(base) => {
                let found = from_disk(base)?;
                lock().insert(key, found.clone());
                Ok(found)
            }
            TypeReader::Record => {
                let found = lock().get(&key).cloned();
                found.map_or_else(|| refuse_for_title(&format!("reads {what}, which the type has not read before")), Ok)
            }
        }
    }
}

/// Titles are taken apart as often as somebody looks at them, and what comes of one is kept.
pub(super) fn refuse_for_title<T>(what: &str) -> Result<T, Trouble> {
    let message = format!("code of a title pattern {what}, and a title is taken apart once for all nodes");
    Err(Trouble { message, kind: TroubleKind::Refused, place: None, origin: None })
}

/// One way in which the file was run: for a made-up server, if it has asked for one.
#[derive(Debug)]
pub(super) struct TypeRun {
    pub(super) file: TypeFile,
    pub(super) language: Language,
    pub(super) facts: Option<Hash>,
    /// How much it has said while it was run: nothing else may be said for a title.
    pub(super) messages: usize,
    pub(super) reads: Arc<RecordedReads>,
}

/// So many titles of a type are kept.
const MOST_KNOWN: usize = 10_000;

/// The number of a pattern, and what its groups have found.
type FoundTexts = (usize, Box<[Option<Str>]>);

/// Converts titles, and keeps what it has made of them.
#[derive(Debug)]
pub(super) struct RubyTitles {
    runs: Vec<Arc<TypeRun>>,
    known: Answers<FoundTexts, Result<Vec<Value>, Fault>>,
}

impl RubyTitles {
    pub(super) fn new(run: TypeRun) -> RubyTitles {
        RubyTitles { runs: vec![Arc::new(run)], known: Mutex::default() }
    }

    /// Adds the runs on another server, which have to give the same.
    pub(super) fn with_other_server(mut self, other: RubyTitles) -> RubyTitles {
        self.runs.extend(other.runs);
        self
    }

    /// Returns the run of the file, if it has not asked for facts of the server.
    pub(super) fn only_run(&self) -> Option<Arc<TypeRun>> {
        match &self.runs[..] {
            [only] => Some(Arc::clone(only)),
            _ => None,
        }
    }

    fn run(&self, pattern: usize, found: &[Option<Str>]) -> Result<Vec<Value>, Fault> {
        let convert = |run: &Arc<TypeRun>| {
            let mut world = TypeWorld::recorded(run);
            pantin_ruby::convert_title(&run.file, pattern, found, &mut world)
                .map_err(|error| Fault::new(error_message(error)))
        };
        let mut values = self.runs.iter().map(convert);
        let Some(first) = values.next() else { return Ok(Vec::new()) };
        let first = first?;
        for other in values {
            if other? != first {
                return Err(Fault::new(format!(
                    "what {} makes of a title depends on facts of the server, whose system Pantin does not look at",
                    self.runs[0].file.name
                )));
            }
        }
        Ok(first)
    }
}

impl TitleConverter for RubyTitles {
    fn convert(&self, pattern: usize, found: &[Option<Str>]) -> Result<Vec<Value>, Fault> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (pattern, Box::from(found));
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        // Others need not wait for it.
        let values = self.run(pattern, found);
        let mut known = lock();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(key, values.clone());
        values
    }
}

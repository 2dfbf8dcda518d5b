//! What earlier runs of a command were answered about nodes, and what this one adds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_compile::catalog::Compiled;
use pantin_compile::{digests_by_type, may_tell_where};
use pantin_repository::fleet::Reason;
use pantin_repository::persist::{Cache, Found, Ledger, New, Root, decoded, encoded_in};
use pantin_values::{Digest, Str};
use pantin_world::{LeafKind, MachineDisk, absolute_path, expand_path, repository_around};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::catalogs::{AtHand, Catalogs, Exports, ToPrepare};
use super::movable::Movable;
use super::moved_files::MovedFiles;
use super::reasons;

pub(crate) struct Memory<'a> {
    ledger: Ledger,
    catalogs: &'a Catalogs,
    root: Root,
    /// What settings say, and who knows nodes.
    around: [Digest; 2],
    /// What is said of environments, by their names.
    environments: Mutex<BTreeMap<String, Digest>>,
    exported: Exported,
}

/// Something that was answered about a node.
pub(crate) struct Remembered<Kernel> {
    pub(crate) kernel: Kernel,
    found: Found,
}

/// A question about a node.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) node: &'a ToPrepare,
    /// What its collectors find.
    pub(crate) exports: Option<&'a Exports>,
}

impl<'a> Memory<'a> {
    /// `question`: all that decides what is answered, but for where one stands and is at home, and the world.
    pub(crate) fn open(catalogs: &'a Catalogs, cache: &Cache, question: &str) -> Option<Memory<'a>> {
        let (here, home) = (absolute_path(Path::new(".")), expand_path("~"));
        let folder = repository_around(&MachineDisk::default(), &here).unwrap_or_else(|| here.clone());
        // Where one stands in it is a part of the question; where it lies is not.
        let inside = here.strip_prefix(&folder).unwrap_or(Path::new(""));
        // What is stored is printed text, so it is also of the code that prints.
        let question = format!("{} {inside:?} {home:?} {question}", env!("PANTIN_PRINTER"));
        let root = Root::new(&folder, &fixed(&home), may_tell_where, &question);
        let ledger = catalogs.ledger(cache, &question, root.clone())?;
        let around = catalogs.shapes(root.folder());
        Some(Memory { ledger, catalogs, root, around, environments: Mutex::default(), exported: Exported::default() })
    }

    /// The answer of an earlier run, if the world is still what it rests on.
    pub(crate) fn find<Kernel: DeserializeOwned + Movable>(&self, asked: Asked<'_>) -> Option<Remembered<Kernel>> {
        let origins = self.origins(asked)?;
        let found = self.ledger.find(&asked.node.name, |put| self.told(origins, put, asked.exports))?;
        Some(Remembered { kernel: self.here(decoded(&found.summary)?, &found)?, found })
    }

    /// Why there is none.
    pub(crate) fn why_not(&self, asked: Asked<'_>) -> Vec<Reason> {
        let Some(origins) = self.origins(asked) else { return Vec::new() };
        match self.ledger.why_not(&asked.node.name, |put| self.told(origins, put, asked.exports)) {
            None => vec![reasons::no_answer(self.ledger.has_other_builds())],
            Some(changed) if changed.is_empty() => vec![reasons::unreadable()],
            Some(changed) => changed.iter().map(reasons::of_change).collect(),
        }
    }

    /// On how many answers of the disk it rests, and on how many of these something is so.
    pub(crate) fn rests_on<Kernel>(
        &self,
        known: &Remembered<Kernel>,
        is_so: impl Fn(LeafKind, &Path) -> bool,
    ) -> (usize, usize) {
        self.ledger.rests_on(&known.found, is_so)
    }

    /// The larger part of it. `None`: it is lost.
    pub(crate) fn content<Kernel, Content>(&self, known: &Remembered<Kernel>) -> Option<Content>
    where
        Content: DeserializeOwned + Movable,
    {
        self.here(decoded(&self.ledger.content(&known.found)?)?, &known.found)
    }

    /// As it is told here and now, wherever it was told before. `None`: what it says of a line cannot be told any more.
    fn here<T: Movable>(&self, mut told: T, found: &Found) -> Option<T> {
        if let Some(from) = &found.moved_from {
            told.go(from, self.root.folder());
        }
        let moved = MovedFiles::of(&found.moved_lines)?;
        (moved.is_empty() || told.go_to_lines(&moved)).then_some(told)
    }

    fn origins(&self, asked: Asked<'_>) -> Option<[Digest; 2]> {
        self.catalogs.origins(asked.node, self.root.folder())
    }

    /// Keeps an answer for later runs, unless the next one could not trust it: then why.
    pub(crate) fn keep<T>(
        &self,
        asked: Asked<'_>,
        node: &AtHand,
        compiled: &Compiled<T>,
        kernel: &mut (impl Serialize + Movable),
        content: &mut (impl Serialize + Movable),
    ) -> Option<Reason> {
        if compiled.is_volatile {
            return Some(reasons::volatile());
        }
        let is_kept = self.put(asked, node, compiled, kernel, content).is_some();
        (!is_kept).then(|| reasons::unkept(compiled.is_secret && !self.ledger.has_key()))
    }

    fn put<T>(
        &self,
        asked: Asked<'_>,
        node: &AtHand,
        compiled: &Compiled<T>,
        kernel: &mut (impl Serialize + Movable),
        content: &mut (impl Serialize + Movable),
    ) -> Option<()> {
        let origins = self.origins(asked)?;
        let collects = compiled.exchange.collects.iter().map(Str::to_string);
        let put: Vec<String> = std::iter::once(node.prepared.environment.name.clone()).chain(collects).collect();
        let told = self.told(origins, &put, asked.exports);
        let folder = self.root.folder();
        let is_movable = kernel.can_leave(folder) && content.can_leave(folder);
        let (of_kernel, of_content) = (text_bytes(kernel), text_bytes(content));
        let (summary, content) = (encoded_in(kernel, of_kernel)?, encoded_in(content, of_content)?);
        self.ledger.keep(New {
            name: &asked.node.name,
            rests: self.catalogs.rests(node, compiled),
            keys: &compiled.keys,
            asked: put,
            told,
            is_movable,
            is_secret: compiled.is_secret,
            summary,
            content: &content,
        })
    }

    /// Writes what was added.
    pub(crate) fn close(self) {
        self.ledger.close();
    }

    /// What the node is told beside files, as `reasons` knows it: who says what is known of it, what settings say, what is
    /// said of its environment, and what others export of the types it collects. `put`: the name of that environment, and
    /// those types.
    fn told(&self, origins: [Digest; 2], put: &[String], exports: Option<&Exports>) -> Vec<Digest> {
        let mut told: Vec<Digest> = origins.into_iter().chain(self.around).collect();
        let Some((environment, collects)) = put.split_first() else { return told };
        told.push(self.of_environment(environment));
        let exported = |name: &String| exports.map_or(Digest::atom(0), |exports| self.exported.of_type(exports, name));
        told.extend(collects.iter().map(exported));
        told
    }

    fn of_environment(&self, name: &str) -> Digest {
        let mut known = self.environments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(name) {
            return *known;
        }
        let shape = self.catalogs.shape_of(name, self.root.folder());
        known.insert(name.to_owned(), shape);
        shape
    }
}

/// What its texts take, and somewhat more.
fn text_bytes(told: &mut impl Movable) -> usize {
    let mut bytes = 1024;
    told.each_text(&mut |_, text| bytes += text.len() + 16);
    bytes
}

/// Folders of settings and of modules that are in their places wherever a repository lies.
fn fixed(home: &str) -> [PathBuf; 3] {
    ["/etc/puppetlabs".into(), "/opt/puppetlabs".into(), Path::new(home).join(".puppetlabs")]
}

/// Digests of what is exported, by type: all nodes of a round are told of the same.
#[derive(Default)]
struct Exported(Mutex<Option<(Exports, BTreeMap<Str, Digest>)>>);

impl Exported {
    fn of_type(&self, exports: &Exports, type_name: &str) -> Digest {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let digests = match &*known {
            Some((of, digests)) if Arc::ptr_eq(of, exports) => digests,
            _ => &known.insert((Arc::clone(exports), digests_by_type(exports))).1,
        };
        digests.get(type_name).copied().unwrap_or(Digest::atom(0))
    }
}

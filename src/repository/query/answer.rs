//! The answer of a node in memory. Its catalog is at hand, or can be read from the store.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pantin_apply::NodeSystem;
use pantin_base::Language;
use pantin_compile::{CompileError, Exchange, LogLine};
use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::diff::{ResourceChange, diff};
use pantin_model::catalog::{Catalog, CatalogView};
use pantin_values::{Hash, Str};
use pantin_world::Remark;

use super::PatchRefusal;
use super::ready::ReadyEnvironment;
use crate::answer::FailureReport;
use crate::catalog_check::CatalogFindings;
use crate::own_words::OwnWords;

/// The answer to a node's request.
#[derive(Debug)]
pub struct Answer {
    pub node: Str,
    /// The environment that it is in. `None`: what is known of the node cannot be read.
    pub environment: Option<Str>,
    /// What finding the node, and its environment, had to say.
    pub remarks: Vec<Remark>,
    pub log: Vec<LogLine>,
    pub result: Result<NodeCatalog, AnswerFailure>,
    /// The bodies of which code was run, in the order in which they ended.
    pub bodies_run: Vec<Str>,
    pub how: HowComputed,
    /// Why the catalog was not made out of the one before; `None` where it was, and where none is.
    pub not_patched: Option<PatchRefusal>,
    /// What it has to do with other nodes, where they exchange what they export.
    pub exchange: Exchange,
    /// Names and addresses of the node, which messages of several nodes leave out.
    pub own_words: Arc<OwnWords>,
    /// What eyaml decrypted for the node, which nobody is shown.
    pub decrypted: DecryptedTexts,
    /// What keeps an agent from applying the catalog; unset until somebody checks it.
    pub findings: FindingsCell,
    /// The system of the node, by its facts.
    pub system: NodeSystem,
    /// The environment that the catalog was last compiled in, whose modules may bring providers.
    pub ready: Option<Arc<ReadyEnvironment>>,
}

impl Answer {
    /// Returns the folders of the modules that the catalog was compiled with. `None`: it was stored, and nobody has compiled it since.
    pub fn module_folders(&self) -> Option<Vec<PathBuf>> {
        self.ready.as_ref().map(|ready| ready.site.modulepath())
    }
}

/// What a check found last. What modules bring decides too: after an edit of that the catalog is checked again.
#[derive(Debug, Default)]
pub struct FindingsCell(Mutex<Option<(u64, Arc<CatalogFindings>)>>);

impl FindingsCell {
    /// Returns what was found last.
    pub fn get(&self) -> Option<Arc<CatalogFindings>> {
        self.lock().as_ref().map(|(_, findings)| Arc::clone(findings))
    }

    /// Returns what was found with what modules have brought since this edit of it.
    pub(crate) fn get_since(&self, edit: u64) -> Option<Arc<CatalogFindings>> {
        self.lock().as_ref().filter(|(known, _)| *known == edit).map(|(_, findings)| Arc::clone(findings))
    }

    /// Sets what was found. `edit`: the last edit of what modules bring.
    pub fn set(&self, edit: u64, findings: Arc<CatalogFindings>) {
        *self.lock() = Some((edit, findings));
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, Arc<CatalogFindings>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for FindingsCell {
    fn clone(&self) -> FindingsCell {
        FindingsCell(Mutex::new(self.lock().clone()))
    }
}

/// How an answer was computed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HowComputed {
    /// Code of some of its bodies was run.
    #[default]
    Compiled,
    /// All bodies were replayed from traces of before.
    Walked,
    /// The catalog was made out of the one before.
    Patched,
    /// All that the last good answer depends on is as it was: a mistake was taken back.
    Restored,
    /// An earlier process stored it.
    Stored,
}

/// The catalog of a node.
#[derive(Clone, Debug)]
pub enum NodeCatalog {
    Compiled(Arc<Catalog>),
    Stored(Arc<dyn ReadCatalog>),
}

/// A stored catalog, read when somebody shows or compares it.
pub trait ReadCatalog: Send + Sync + Debug {
    /// Returns how many resources it has.
    fn resource_count(&self) -> usize;

    /// `None`: it is no longer in the store.
    fn read(&self) -> Option<Catalog>;

    /// Returns true if a compiled catalog would be stored alike, but for its version: that is known without reading
    /// either as data.
    fn is_stored_like(&self, compiled: &Catalog) -> bool;

    /// Returns what keeps an agent from applying it, which is stored with it.
    fn findings(&self) -> &Arc<CatalogFindings>;
}

impl NodeCatalog {
    pub fn resource_count(&self) -> usize {
        match self {
            NodeCatalog::Compiled(catalog) => catalog.resources.len(),
            NodeCatalog::Stored(stored) => stored.resource_count(),
        }
    }

    /// Returns the catalog as data; `None`: it is no longer in the store.
    pub fn read(&self) -> Option<Arc<Catalog>> {
        match self {
            NodeCatalog::Compiled(catalog) => Some(Arc::clone(catalog)),
            NodeCatalog::Stored(stored) => stored.read().map(Arc::new),
        }
    }

    /// Returns what changes from this catalog to another. `None`: one of them is no longer in the store.
    pub fn diff(&self, new: &NodeCatalog) -> Option<Vec<ResourceChange>> {
        let (old, new) = (self.read()?, new.read()?);
        Some(diff(CatalogView::Data(&old), CatalogView::Data(&new)).ok()?.changes)
    }

    /// Returns true if nothing changes from this catalog to another.
    pub(crate) fn is_unchanged_in(&self, new: &NodeCatalog) -> bool {
        match (self, new) {
            (NodeCatalog::Stored(stored), NodeCatalog::Compiled(new)) if stored.is_stored_like(new) => true,
            (old, new) => old.diff(new).is_some_and(|changes| changes.is_empty()),
        }
    }
}

/// How many nodes were answered in which way after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AnswerCounts {
    /// Nothing that the answer depends on has changed.
    pub unaffected: usize,
    pub patched: usize,
    pub restored: usize,
    pub walked: usize,
    pub compiled: usize,
}

impl AnswerCounts {
    pub(crate) fn add(&mut self, how: HowComputed) {
        match how {
            HowComputed::Patched => self.patched += 1,
            HowComputed::Restored => self.restored += 1,
            HowComputed::Walked => self.walked += 1,
            HowComputed::Compiled => self.compiled += 1,
            // It is the answer of before, on other lines.
            HowComputed::Stored => {}
        }
    }

    /// Nodes that depend on what was edited.
    pub fn affected(&self) -> usize {
        self.patched + self.restored + self.walked + self.compiled
    }
}

/// Why there is no catalog.
#[derive(Debug)]
pub enum AnswerFailure {
    /// The compiler says so, in the words of the real one.
    Compiling(CompileError),
    /// An earlier process stored this error.
    Stored(FailureReport),
    /// What it needs could not be had.
    Reading(String),
}

impl AnswerFailure {
    pub fn text(&self) -> &str {
        match self {
            AnswerFailure::Compiling(ended) => &ended.text,
            AnswerFailure::Stored(report) => &report.text,
            AnswerFailure::Reading(text) => text,
        }
    }

    /// The same with all that is known of it.
    pub fn report(&self) -> FailureReport {
        match self {
            AnswerFailure::Compiling(ended) => FailureReport::from_ended(ended, None),
            AnswerFailure::Stored(report) => report.clone(),
            AnswerFailure::Reading(text) => FailureReport::from_text(text.clone()),
        }
    }
}

impl Answer {
    pub fn is_patched(&self) -> bool {
        self.how == HowComputed::Patched
    }

    /// The same with its catalog patched.
    pub(super) fn with_patched_catalog(&self, catalog: &Arc<Catalog>) -> Answer {
        Answer {
            node: self.node.clone(),
            environment: self.environment.clone(),
            remarks: self.remarks.clone(),
            log: self.log.clone(),
            result: Ok(NodeCatalog::Compiled(Arc::clone(catalog))),
            bodies_run: Vec::new(),
            how: HowComputed::Patched,
            not_patched: None,
            exchange: self.exchange.clone(),
            own_words: Arc::clone(&self.own_words),
            decrypted: self.decrypted.clone(),
            findings: FindingsCell::default(),
            system: self.system,
            ready: self.ready.clone(),
        }
    }

    /// The same answer, given once more after a mistake was taken back.
    pub(super) fn restored(&self, catalog: &Arc<Catalog>) -> Answer {
        let findings = self.findings.clone();
        Answer { how: HowComputed::Restored, findings, ..self.with_patched_catalog(catalog) }
    }

    /// Of a node of which nothing can be read.
    pub(super) fn unread(node: &Str, reason: &str) -> Answer {
        Answer {
            node: node.clone(),
            environment: None,
            remarks: Vec::new(),
            log: Vec::new(),
            result: Err(AnswerFailure::Reading(reason.to_owned())),
            bodies_run: Vec::new(),
            how: HowComputed::Compiled,
            not_patched: None,
            exchange: Exchange::default(),
            own_words: Arc::new(OwnWords::new(node, &Hash::default())),
            decrypted: DecryptedTexts::default(),
            findings: FindingsCell::default(),
            system: NodeSystem::unknown(Language::default()),
            ready: None,
        }
    }
}

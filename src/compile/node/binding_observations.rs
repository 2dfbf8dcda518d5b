//! What a node asked its injector: enough to ask it again after an edit of bindings, without compiling.
//! See `compile::injection_replayer` and `query::patch`.

use std::path::PathBuf;
use std::sync::Arc;

use pantin_base::name_hash;
use pantin_base::names::is_reserved_variable;
use pantin_bindings::{Injector, Row, Rows, STRUCTURE, State, shown_row};
use pantin_hiera::{KeyHash, hash_of_name};
use pantin_model::catalog::Catalog;
use pantin_model::trace::Question;
use pantin_values::{Digest, Fault, Str, Value};
use pantin_world::LeafKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use crate::bindings::{BindingsFolders, LayerRequests};
use crate::report::LogLine;

/// Stands for a row of an injector.
pub type RowHash = u128;

/// The injector of a node, and what was asked of it.
#[derive(Clone, Debug)]
pub struct BindingObservations {
    /// The categories with their values for the node: those of the injector may be of another node in its state.
    pub state: Arc<State>,
    pub(crate) layers: Arc<LayerRequests>,
    pub injector: Arc<Injector>,
    pub reads: Arc<BindingReads>,
}

/// The rows of an injector that a node's catalog depends on.
#[derive(Clone, Default, Debug)]
pub struct BindingReads {
    /// Those that questions of bodies looked at: by the place of the body among the walks, ascending.
    pub asked: Box<[(u32, RowHash)]>,
    /// Those that were looked at otherwise, ascending: for classes, variables, resources, and by look-ups.
    pub outside: Box<[RowHash]>,
    /// The keys of data that code of bindings looked up, ascending.
    pub data_keys: Box<[KeyHash]>,
    /// The types of the resources whose parameters may be bound, in their order.
    pub resource_types: Box<[Str]>,
    /// Functions provide bindings.
    pub has_providers: bool,
    /// Something was wrong with the bindings, or doubtful.
    pub has_problems: bool,
    /// What code of bindings came to. `None`: not the same whenever it is asked.
    results: FxHashMap<Digest, Option<CodeResult>>,
}

/// The value that code of bindings came to, and the rows that it looked at.
#[derive(Clone, Debug)]
pub(crate) struct CodeResult {
    pub(crate) value: Value,
    pub(crate) rows: Box<[RowHash]>,
}

/// Notes it.
#[derive(Default)]
pub(super) struct BindingLog {
    asked: Vec<(u32, RowHash)>,
    data_keys: FxHashSet<KeyHash>,
    pub(super) resource_types: FxHashSet<Str>,
    pub(super) has_providers: bool,
    pub(super) has_problems: bool,
    results: FxHashMap<Digest, Option<CodeResult>>,
    /// All rows that were looked at.
    pub(super) all_rows: Rows,
    /// Code of bindings is running, inside so much other code of bindings.
    code_depth: usize,
    /// That code has asked what another moment may answer otherwise.
    is_of_moment: bool,
}

impl BindingObservations {
    /// Returns these observations with another injector, and with more rows that bodies looked at.
    pub fn with_asked(&self, injector: &Arc<Injector>, more: &[(u32, RowHash)]) -> BindingObservations {
        let reads = if more.is_empty() {
            Arc::clone(&self.reads)
        } else {
            let mut asked: Vec<(u32, RowHash)> = self.reads.asked.iter().chain(more).copied().collect();
            asked.sort_unstable();
            asked.dedup();
            Arc::new(BindingReads { asked: asked.into(), ..(*self.reads).clone() })
        };
        let (state, layers) = (Arc::clone(&self.state), Arc::clone(&self.layers));
        BindingObservations { state, layers, injector: Arc::clone(injector), reads }
    }
}

impl BindingReads {
    /// Returns the rows that the questions of a body looked at.
    pub fn asked_by(&self, walk: u32) -> &[(u32, RowHash)] {
        let from = self.asked.partition_point(|(known, _)| *known < walk);
        let count = self.asked[from..].partition_point(|(known, _)| *known == walk);
        &self.asked[from..from + count]
    }

    /// Returns what code of bindings came to, if that is the same whenever it is asked.
    pub(crate) fn result(&self, code: &Digest) -> Option<&CodeResult> {
        self.results.get(code)?.as_ref()
    }
}

/// Returns the hashes of rows, ascending.
pub(crate) fn row_hashes(rows: &Rows) -> Box<[RowHash]> {
    let mut hashes: Vec<RowHash> = rows.iter().map(|row| name_hash(row)).collect();
    hashes.sort_unstable();
    hashes.into()
}

/// By what a stored answer knows that it depends on a row: which bindings of a key are effective, and which there are, is one there.
pub fn hash_of_row(row: &str) -> KeyHash {
    name_hash(&format!("row {}", shown_row(row)))
}

impl Compiler<'_> {
    /// Asks the injector for the body that runs, and notes for it which rows were looked at.
    pub(super) fn noting_rows<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        if self.bindings.log.code_depth > 0 {
            return ask(self);
        }
        let outer = self.bindings.runtime.take_rows();
        let result = ask(self);
        let own = self.bindings.runtime.take_rows();
        outer.into_iter().for_each(|row| self.bindings.runtime.note_row(row));
        let is_of_body = self.look_ups == 0 && self.is_remembered();
        match self.frames.last_mut().filter(|_| is_of_body) {
            Some(frame) => frame.injected.extend(own.iter().cloned()),
            None => own.iter().cloned().for_each(|row| self.bindings.runtime.note_row(row)),
        }
        self.bindings.log.all_rows.extend(own);
        result
    }

    /// The rows that a walk looked at; `walk`: its place, or none where it is not recorded.
    pub(super) fn note_injected(&mut self, walk: Option<u32>, rows: &[Row]) {
        match walk {
            Some(walk) => self.bindings.log.asked.extend(rows.iter().map(|row| (walk, name_hash(row)))),
            None => rows.iter().cloned().for_each(|row| self.bindings.runtime.note_row(row)),
        }
    }

    /// Runs code of bindings, and keeps what it came to.
    pub(super) fn run_binding_code(
        &mut self,
        code: impl FnOnce() -> Digest,
        run: impl FnOnce(&mut Self) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        if !self.is_remembered() {
            return self.in_binding_code(run);
        }
        let outer = self.bindings.runtime.take_rows();
        let was_of_moment = std::mem::take(&mut self.bindings.log.is_of_moment);
        let result = self.in_binding_code(run);
        let own = self.bindings.runtime.take_rows();
        let log = &mut self.bindings.log;
        if let Ok(value) = &result {
            let made = CodeResult { value: value.clone(), rows: row_hashes(&own) };
            let made = Some(made).filter(|_| !log.is_of_moment);
            let known = log.results.entry(code()).or_insert_with(|| made.clone());
            let is_same = match (&*known, &made) {
                (Some(known), Some(made)) => known.value.digest() == made.value.digest(),
                _ => false,
            };
            if !is_same {
                *known = None;
            }
        }
        log.is_of_moment |= was_of_moment;
        outer.into_iter().chain(own).for_each(|row| self.bindings.runtime.note_row(row));
        result
    }

    fn in_binding_code<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.bindings.log.code_depth += 1;
        let result = run(self);
        self.bindings.log.code_depth -= 1;
        result
    }

    /// Code asks something: if it is code of bindings, notes whether another moment may answer otherwise.
    #[inline]
    pub(super) fn note_code_question(&mut self, question: &Question) {
        if self.bindings.log.code_depth > 0 {
            self.note_moment(question);
        }
    }

    fn note_moment(&mut self, question: &Question) {
        let is_of_moment = match question {
            Question::Variable(name)
            | Question::Part { variable: name, .. }
            | Question::Whole { variable: name, .. } => {
                let name = name.written().strip_prefix("::").unwrap_or(name.written());
                !(is_reserved_variable(name) || name == "environment" || self.state.is_known_of_node(name))
            }
            Question::Lookup(asked) => {
                self.bindings.log.data_keys.insert(hash_of_name(&asked.key));
                false
            }
            Question::Function { .. } | Question::Type(_) | Question::Setting(_) | Question::Injection(_) => false,
            _ => true,
        };
        self.bindings.log.is_of_moment |= is_of_moment;
    }

    /// An injector looks a key up in the data.
    pub(super) fn note_data_key(&mut self, key: &str) {
        self.bindings.log.data_keys.insert(hash_of_name(key));
    }

    /// All rows that the answer depends on, as a stored answer knows them.
    pub(super) fn rows_for_store(&self) -> impl Iterator<Item = KeyHash> {
        let constrained = self.bindings.injector.iter().flat_map(|injector| injector.constrained());
        let structure = self.bindings.is_known.then(|| hash_of_row(STRUCTURE));
        let own = self.bindings.runtime.rows().map(|row| hash_of_row(row));
        let asked = self.bindings.log.all_rows.iter().chain(constrained).map(|row| hash_of_row(row));
        own.chain(asked).chain(structure)
    }

    /// Makes an answer that names places in files of bindings depend on all of these files.
    pub(crate) fn depend_on_whole_bindings(&self, log: &[LogLine], catalog: Option<&Catalog>) {
        if !self.bindings.is_known {
            return;
        }
        let base = self.loader.base;
        let is_told = catalog.is_none_or(|catalog| !catalog.bound_edges.is_empty()) || self.bindings.log.has_problems;
        let paths: Vec<PathBuf> = match &self.bindings.injector {
            Some(injector) => injector.table.paths().map(PathBuf::from).collect(),
            None => {
                let folders = BindingsFolders::from_environment(&self.request.environment);
                let files = base.all_definition_files(&folders).unwrap_or_default();
                files.into_iter().map(|file| file.path).collect()
            }
        };
        for path in paths {
            let is_named = |path: &str| log.iter().any(|line| line.text.contains(path));
            if is_told || path.to_str().is_none_or(is_named) {
                // Who reads it depends on it, whatever it says.
                let _ = base.modules.text(LeafKind::Content, &path);
            }
        }
    }

    pub(crate) fn take_binding_observations(&mut self) -> Option<BindingObservations> {
        let injector = self.bindings.injector.clone().filter(|_| self.is_remembered())?;
        let mut log = std::mem::take(&mut self.bindings.log);
        log.asked.sort_unstable();
        log.asked.dedup();
        let mut data_keys: Vec<KeyHash> = log.data_keys.into_iter().collect();
        data_keys.sort_unstable();
        let mut resource_types: Vec<Str> = log.resource_types.into_iter().collect();
        resource_types.sort();
        let reads = BindingReads {
            asked: log.asked.into(),
            outside: row_hashes(&self.bindings.runtime.take_rows()),
            data_keys: data_keys.into(),
            resource_types: resource_types.into(),
            has_providers: log.has_providers,
            has_problems: log.has_problems,
            results: log.results,
        };
        let (state, layers) = (Arc::clone(&self.bindings.state), Arc::clone(&self.bindings.layers));
        Some(BindingObservations { state, layers, injector, reads: Arc::new(reads) })
    }
}

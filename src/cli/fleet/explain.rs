//! The output of `--explain-cache`: why nodes were recompiled, one node in detail, or which nodes an edit to a class would
//! reach.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pantin_base::nearest;
use pantin_repository::fleet::{NodeReport, Summary};
use pantin_repository::node_compiler::NodeCompiler;
use pantin_repository::options::OpenError;
use pantin_values::Str;
use pantin_world::LeafKind;
use serde_json::{Value, json};

/// What is to be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Subject {
    /// Every node that was compiled anew.
    Everything,
    Node(Str),
    /// A class, or a defined type; or a misspelt node, for which another was probably meant.
    Definition {
        name: String,
        near: Option<Str>,
    },
}

impl Subject {
    /// A node is meant sooner than a class of the same name.
    pub(super) fn new(name: &str, nodes: &[Str]) -> Result<Subject, OpenError> {
        if name.is_empty() {
            return Ok(Subject::Everything);
        }
        if let Some(node) = nodes.iter().find(|node| node.as_str() == name) {
            return Ok(Subject::Node(node.clone()));
        }
        let lower = name.trim_start_matches("::").to_lowercase();
        let is_segment = |segment: &str| {
            segment.starts_with(|first: char| first.is_ascii_lowercase())
                && segment.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        };
        let near = nearest(name, nodes.iter().map(Str::as_str)).map(Str::from);
        if lower.split("::").all(is_segment) {
            return Ok(Subject::Definition { name: lower, near });
        }
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        Err(OpenError::Usage(format!("there is no node '{name}' in this run, and no class is called so{near}")))
    }
}

/// Answers while nodes are compiled, or found.
pub(super) struct ReuseExplainer<'a> {
    pub(super) subject: Subject,
    compiler: &'a NodeCompiler,
    /// Where the class is defined, by the name of the environment.
    files: Mutex<BTreeMap<String, Option<PathBuf>>>,
}

impl<'a> ReuseExplainer<'a> {
    pub(super) fn new(subject: Subject, compiler: &'a NodeCompiler) -> ReuseExplainer<'a> {
        ReuseExplainer { subject, compiler, files: Mutex::default() }
    }

    /// Notes how many answers of the disk a node depends on, and whether those that are asked about are among them.
    pub(super) fn note(
        &self,
        report: &mut NodeReport,
        depends_on: impl FnOnce(&dyn Fn(LeafKind, &Path) -> bool) -> (usize, usize),
    ) {
        let file = match &self.subject {
            Subject::Everything => return,
            Subject::Node(node) if *node != report.name => return,
            Subject::Node(_) => None,
            Subject::Definition { name, .. } => self.file_in(&report.environment, name),
        };
        let is_asked = |kind: LeafKind, path: &Path| {
            let is_of_file = kind.is_text() || matches!(kind, LeafKind::Facts | LeafKind::LinkFacts);
            is_of_file && file.as_deref() == Some(path)
        };
        let (all, asked) = depends_on(&is_asked);
        (report.dependencies, report.is_touched) = (all, asked > 0);
    }

    /// Returns an environment that cannot be read defines nothing.
    fn file_in(&self, environment: &str, name: &str) -> Option<PathBuf> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let known = files.entry(environment.to_owned());
        known.or_insert_with(|| self.compiler.definition_file(environment, name).ok().flatten()).clone()
    }

    /// Returns what there is to say when all nodes are told.
    pub(super) fn explained(self, summary: &Summary) -> Explanation {
        match self.subject {
            Subject::Everything => Explanation::Everything,
            Subject::Node(name) => Explanation::Node(name),
            Subject::Definition { name, near } => {
                let files = self.files.into_inner().unwrap_or_else(PoisonError::into_inner);
                let mut files: Vec<PathBuf> = files.into_values().flatten().collect();
                files.sort();
                files.dedup();
                let reached = |is_kept| {
                    let nodes = summary.nodes.iter().filter(move |node| node.is_touched && node.is_kept == is_kept);
                    nodes.map(|node| node.name.clone()).collect()
                };
                Explanation::Definition { name, near, files, kept: reached(true), compiled: reached(false) }
            }
        }
    }
}

/// What is said beside why each node was compiled anew.
#[derive(Debug)]
pub(super) enum Explanation {
    Nothing,
    Everything,
    Node(Str),
    Definition {
        name: String,
        /// A node that was probably meant.
        near: Option<Str>,
        files: Vec<PathBuf>,
        /// Those that an edit asks again, and that were answered from the cache this time,
        kept: Vec<Str>,
        /// or compiled.
        compiled: Vec<Str>,
    },
}

impl Explanation {
    /// Returns true if it is to be told why this node was compiled anew.
    pub(super) fn concerns(&self, node: &NodeReport) -> bool {
        match self {
            Explanation::Nothing => false,
            Explanation::Everything => true,
            Explanation::Node(name) => *name == node.name,
            Explanation::Definition { .. } => node.is_touched,
        }
    }

    /// Returns true if there is no such class.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Explanation::Definition { files, .. } if files.is_empty())
    }

    pub(super) fn json(&self, summary: &Summary) -> Value {
        let names = |names: &[Str]| names.iter().map(Str::as_str).map(Value::from).collect::<Vec<_>>();
        match self {
            Explanation::Nothing | Explanation::Everything => Value::Null,
            Explanation::Node(name) => {
                let node = summary.nodes.iter().find(|node| node.name == *name);
                json!({
                    "node": name.as_str(),
                    "kept": node.map(|node| node.is_kept),
                    "depends_on": node.map(|node| node.dependencies),
                })
            }
            Explanation::Definition { name, files, kept, compiled, .. } => {
                json!({"class": name, "files": files, "kept": names(kept), "compiled": names(compiled)})
            }
        }
    }
}

//! The store of answers that all commands share: which answers may be stored, and their dependencies beside the disk.
//!
//! Knows nothing of how an answer is shown, nor of how it is written. `stored_uses` stores answers to another question in the same way.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pantin_compile::catalog::Compilation;
use pantin_compile::digests_by_type;
use pantin_model::catalog::CatalogFragments;
use pantin_values::{Digest, Str};
use pantin_world::{Dependencies, LeafKind, expand_path};

use crate::answer::{AnsweredCatalog, Attacher, Detacher, Head, StoredCatalog, StoredHead};
use crate::fleet::Reason;
use crate::node_compiler::{Exports, NodeCompiler, NodeToPrepare, PreparedNode, READERS};
use crate::node_dependency::{NodeChange, NodeDependency};
use crate::persist::{Asker, Cache, ChangedDependency, Ledger, NewAnswer, Readers, Root, decoded, encoded_in};
pub(crate) use crate::persist::{MovedFile, StoredHit};
use crate::query::Prepared;
use crate::reasons;

/// Answers in this form. Another build of the program never reads them, so it changes where a form means another thing.
const FORM: u32 = 2;

/// Bytes of a usual head.
const HEAD_BYTES: usize = 2048;

pub(crate) struct StoredAnswers {
    ledger: Ledger,
    root: Root,
    /// What settings say, and who knows nodes.
    shapes: [Digest; 2],
    /// What is said of environments, by their names.
    environments: Mutex<BTreeMap<String, Digest>>,
    exported: ExportDigests,
}

/// What is asked of every node of a run: answers to another question are stored apart.
#[derive(Clone, Copy)]
pub(crate) struct StoredQuestion {
    /// Collectors look for exported resources, whatever the settings say.
    pub(crate) has_exports: bool,
    /// The answer says which resources the agent would refuse.
    pub(crate) checks_resources: bool,
}

/// A question about a node.
#[derive(Clone, Copy)]
pub(crate) struct NodeQuestion<'a> {
    pub(crate) compiler: &'a NodeCompiler,
    pub(crate) node: &'a NodeToPrepare,
    /// What its collectors find.
    pub(crate) exports: Option<&'a Exports>,
}

/// An answer that was compiled, with all that is stored of it.
#[derive(Clone, Copy)]
pub(crate) struct NewlyCompiled<'a> {
    pub(crate) node: &'a PreparedNode,
    pub(crate) compiled: &'a Compilation,
    pub(crate) head: &'a Head,
    pub(crate) dependencies: &'a [Dependencies],
    pub(crate) uuid: &'a str,
}

/// What is said of a node, as it is written.
pub(crate) struct StoredText<'a> {
    /// Paths in it can be relocated to another root.
    pub(crate) is_movable: bool,
    /// The part that every hit reads.
    pub(crate) summary: Vec<u8>,
    pub(crate) content: &'a [u8],
}

impl StoredAnswers {
    /// `None`: what the options ask for is not stored.
    pub(crate) fn open(compiler: &NodeCompiler, cache: &Cache, asked: StoredQuestion) -> Option<StoredAnswers> {
        let StoredQuestion { has_exports, checks_resources } = asked;
        StoredAnswers::open_ledger(compiler, cache, "answers", &format!("{has_exports} {checks_resources}"), READERS)
    }

    /// Opens the answers to what `kind` names, asked in the way that `options` tell.
    pub(crate) fn open_ledger(
        compiler: &NodeCompiler,
        cache: &Cache,
        kind: &str,
        options: &str,
        readers: Readers,
    ) -> Option<StoredAnswers> {
        let home = expand_path("~");
        let answers = compiler.answers_digest;
        let fence = &compiler.fence;
        let question = format!("{kind} {FORM} {home} {options} {answers} {fence}");
        let root = Root::new(&compiler.root, &fixed_folders(&home), &question);
        let ledger = compiler.ledger(cache, &question, root.clone(), readers)?;
        let shapes = compiler.shapes(root.folder());
        let (environments, exported) = (Mutex::default(), ExportDigests::default());
        Some(StoredAnswers { ledger, root, shapes, environments, exported })
    }

    /// The head of an answer of an earlier run, if all that it depends on is as it was.
    pub(crate) fn find(&self, question: NodeQuestion<'_>) -> Option<(Head, StoredHit)> {
        let found = self.find_hit(question)?;
        let head: StoredHead = decoded(&found.summary)?;
        Some((head.attach(&self.attacher(&found)?)?, found))
    }

    /// Finds what an earlier run has stored of a node, if all that it depends on is as it was.
    pub(crate) fn find_hit(&self, question: NodeQuestion<'_>) -> Option<StoredHit> {
        self.ledger.find(&question.node.name, &self.asker(question)?)
    }

    /// Returns the catalog of such an answer. `Err`: it is lost, or names lines that nobody can find any more.
    pub(crate) fn catalog(&self, found: &StoredHit) -> Result<Option<AnsweredCatalog>, Lost> {
        let content = self.content(found).ok_or(Lost)?;
        let stored: Option<StoredCatalog> = decoded(&content).ok_or(Lost)?;
        let attacher = self.attacher(found).ok_or(Lost)?;
        stored.map(|stored| stored.attach(&attacher).ok_or(Lost)).transpose()
    }

    fn attacher<'f>(&'f self, found: &'f StoredHit) -> Option<Attacher<'f>> {
        Attacher::new(self.root.folder(), &found.moved_lines)
    }

    /// Returns why there is none that holds.
    pub(crate) fn why_not(&self, question: NodeQuestion<'_>) -> Vec<Reason> {
        let Some(asker) = self.asker(question) else { return Vec::new() };
        match self.ledger.why_not(&question.node.name, &asker) {
            None if self.ledger.has_other_builds() => vec![reasons::other_build()],
            None => vec![reasons::no_answer()],
            Some(changed) if changed.is_empty() => vec![reasons::unreadable()],
            Some(changed) => changed.iter().map(reasons::reason_for_change).collect(),
        }
    }

    /// The paths whose state is why a node has no answer that holds.
    pub(crate) fn changed_paths(&self, question: NodeQuestion<'_>) -> Vec<String> {
        let Some(asker) = self.asker(question) else { return Vec::new() };
        let changed = self.ledger.why_not(&question.node.name, &asker);
        let path = |changed| match changed {
            ChangedDependency::Disk { path, .. } => Some(path),
            _ => None,
        };
        changed.into_iter().flatten().filter_map(path).collect()
    }

    /// On how many answers of the disk it depends, and for how many of these something is so.
    pub(crate) fn count_dependencies(
        &self,
        found: &StoredHit,
        is_so: impl Fn(LeafKind, &Path) -> bool,
    ) -> (usize, usize) {
        self.ledger.depends_on(found, is_so)
    }

    /// Returns what answers depend on, and look up.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn asker<'a>(&'a self, question: NodeQuestion<'a>) -> Option<NodeAsker<'a>> {
        let origins = question.compiler.origins(question.node, self.root.folder())?;
        Some(NodeAsker { answers: self, question, origins, known: OnceCell::new() })
    }

    /// Stores an answer for later runs, unless the next one could not trust it: then why.
    pub(crate) fn store(&self, question: NodeQuestion<'_>, new: NewlyCompiled<'_>) -> Option<Reason> {
        if new.compiled.is_volatile {
            return Some(reasons::volatile());
        }
        if self.store_answer(question, new).is_some() {
            return None;
        }
        let is_keyless = new.compiled.is_secret && !self.ledger.has_key();
        Some(if is_keyless { reasons::no_key() } else { reasons::unkept() })
    }

    fn store_answer(&self, question: NodeQuestion<'_>, new: NewlyCompiled<'_>) -> Option<()> {
        let NewlyCompiled { node, compiled, head, dependencies, uuid } = new;
        let mut detacher = Detacher::new(self.root.folder());
        let stored_head = StoredHead::detach(head, &mut detacher)?;
        let stored_catalog = match &compiled.result {
            Ok(catalog) => {
                let fragments = CatalogFragments::from_catalog(catalog).ok()?;
                Some(StoredCatalog::detach(fragments, uuid, &mut detacher))
            }
            Err(_) => None,
        };
        let size = stored_catalog.as_ref().map_or(0, StoredCatalog::size);
        let said = StoredText {
            is_movable: detacher.is_movable,
            summary: encoded_in(&stored_head, HEAD_BYTES)?,
            content: &encoded_in(&stored_catalog, size)?,
        };
        self.store_text(question, &node.prepared, compiled, dependencies, said)
    }

    /// Stores what was said of a node. `None`: it could not be stored.
    pub(crate) fn store_text(
        &self,
        question: NodeQuestion<'_>,
        prepared: &Prepared,
        compiled: &Compilation,
        dependencies: &[Dependencies],
        said: StoredText<'_>,
    ) -> Option<()> {
        let asker = self.asker(question)?;
        let collects = compiled.exchange.collects.iter().map(Str::to_string);
        let environment = &prepared.environment.name;
        let questions: Vec<String> = std::iter::once(environment.clone()).chain(collects).collect();
        let reply_digests = asker.reply_digests(&questions);
        let known = question.compiler.sources.known_digest(&question.node.name);
        let node_reads = NodeDependency::new(compiled, &prepared.node, environment).to_bytes(known)?;
        self.ledger.keep(NewAnswer {
            name: &question.node.name,
            dependencies,
            keys: &compiled.keys,
            questions,
            reply_digests,
            node_reads,
            is_movable: said.is_movable,
            is_secret: compiled.is_secret,
            summary: said.summary,
            content: said.content,
        })
    }

    /// Reads what was said of a node at length. `None`: it is lost.
    pub(crate) fn content(&self, found: &StoredHit) -> Option<Vec<u8>> {
        self.ledger.content(found)
    }

    /// Returns every path that a stored answer depends on.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.ledger.paths()
    }

    /// Writes what was added.
    pub(crate) fn close(self) {
        self.ledger.close();
    }

    fn environment_shape(&self, compiler: &NodeCompiler, name: &str) -> Digest {
        let mut known = self.environments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(name) {
            return *known;
        }
        let shape = compiler.environment_shape(name, self.root.folder());
        known.insert(name.to_owned(), shape);
        shape
    }
}

/// How things stand with a node beside the disk.
struct NodeAsker<'a> {
    answers: &'a StoredAnswers,
    question: NodeQuestion<'a>,
    origins: [Digest; 2],
    /// What is known of it, once that was wanted.
    known: OnceCell<Option<Prepared>>,
}

impl NodeAsker<'_> {
    fn known_node(&self) -> Option<&Prepared> {
        self.known.get_or_init(|| self.question.compiler.known_node(self.question.node)).as_ref()
    }
}

impl Asker for NodeAsker<'_> {
    /// Returns what is said beside files, as `reasons` knows it: where what is known of the node comes from, what
    /// settings say, what is said of its environment, and what others export of the types that it collects.
    /// `questions`: the name of that environment, and those types.
    fn reply_digests(&self, questions: &[String]) -> Vec<Digest> {
        let NodeAsker { answers, question, .. } = self;
        let mut digests: Vec<Digest> = self.origins.into_iter().chain(answers.shapes).collect();
        let Some((environment, collects)) = questions.split_first() else { return digests };
        digests.push(answers.environment_shape(question.compiler, environment));
        let exported = |name: &String| {
            question.exports.map_or(Digest::atom(0), |exports| answers.exported.digest_of_type(exports, name))
        };
        digests.extend(collects.iter().map(exported));
        digests
    }

    fn node_holds(&self, node_reads: &[u8], is_other_file: bool) -> bool {
        let known = self.question.compiler.sources.known_digest(&self.question.node.name);
        if !is_other_file && NodeDependency::is_known_as_before(node_reads, known) {
            return true;
        }
        let dependency = NodeDependency::from_bytes(node_reads);
        dependency
            .zip(self.known_node())
            .is_some_and(|(dependency, known)| dependency.holds(&known.node, &known.environment.name))
    }

    fn node_changes(&self, node_reads: &[u8]) -> Option<Vec<NodeChange>> {
        let Prepared { node, environment, .. } = self.known_node()?;
        Some(NodeDependency::from_bytes(node_reads)?.changes(node, &environment.name))
    }
}

/// A stored catalog cannot be had any more: the node is compiled.
#[derive(Debug)]
pub(crate) struct Lost;

/// Folders of settings and of modules that are in their places wherever a repository lies.
fn fixed_folders(home: &str) -> [PathBuf; 3] {
    ["/etc/puppetlabs".into(), "/opt/puppetlabs".into(), Path::new(home).join(".puppetlabs")]
}

/// Digests of what is exported, by type: all nodes of a round see the same.
#[derive(Default)]
struct ExportDigests(Mutex<Option<(Exports, BTreeMap<Str, Digest>)>>);

impl ExportDigests {
    fn digest_of_type(&self, exports: &Exports, type_name: &str) -> Digest {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let digests = match &*known {
            Some((of, digests)) if std::sync::Arc::ptr_eq(of, exports) => digests,
            _ => &known.insert((Exports::clone(exports), digests_by_type(exports))).1,
        };
        digests.get(type_name).copied().unwrap_or(Digest::atom(0))
    }
}

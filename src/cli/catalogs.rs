//! The catalogs of nodes, as the commands that want them come by them: what is known of a node, its environment made ready
//! once for all, and the compiler.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::answers::AnswerArguments;
use super::encrypted::EncryptedArguments;
use super::graph_check::GraphArguments;
use super::node_args::{RepositoryArguments, Sources};
use super::world_args::{Refused, World};
use crate::compile::Ended;
use crate::compile::catalog::Compiled;
use crate::pcore::{Str, Timestamp};
use crate::query::{Prepared, Ready, Shelf};
use crate::world::{Answers, Disk, ExportedResource, Stopwatch, absolute_path, now};

/// The options that change what is in a catalog, and which say what is known of nodes.
#[derive(Debug, Args)]
pub(super) struct CatalogArguments {
    #[command(flatten)]
    pub(super) answers: AnswerArguments,

    #[command(flatten)]
    encrypted: EncryptedArguments,

    /// The version of the code, which makes catalogs static: they hold what a server would say of the files of modules,
    /// unless the environment has static_catalogs = false
    #[arg(long, value_name = "ID")]
    code_id: Option<String>,

    /// Run the environment's config_version for the version of catalogs [default: the time]
    #[arg(long)]
    run_config_version: bool,

    #[command(flatten)]
    pub(super) graph: GraphArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

/// What the nodes have exported.
pub(super) type Exports = Arc<Vec<ExportedResource>>;

/// What all nodes of a command share.
pub(super) struct Catalogs {
    pub(super) world: World,
    pub(super) sources: Sources,
    pub(super) answers: Arc<Answers>,
    code_id: Option<String>,
    runs_version: bool,
    /// One time for all nodes: what they export is not another thing each time they are compiled.
    now: Timestamp,
    /// By the name of the environment.
    ready: Mutex<BTreeMap<String, Result<Arc<Ready>, String>>>,
}

/// A node that can be compiled as far as it is known.
pub(super) struct AtHand {
    pub(super) prepared: Prepared,
    pub(super) ready: Result<Arc<Ready>, String>,
}

/// How a node is to be compiled.
pub(super) struct Wish {
    /// What its collectors find; `None`: the settings say whether they look.
    pub(super) exports: Option<Exports>,
    /// What one node's bodies were told serves the others; one alone has nobody to leave it to.
    pub(super) by_traces: bool,
}

/// What came of it, with the time it took.
pub(super) struct Timed<T> {
    pub(super) compiled: Compiled<T>,
    pub(super) seconds: f64,
    /// How long a static catalog took beside that.
    pub(super) static_seconds: Option<f64>,
}

impl<T> Timed<T> {
    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Timed<U> {
        let Timed { compiled, seconds, static_seconds } = self;
        Timed { compiled: compiled.map(change), seconds, static_seconds }
    }
}

impl CatalogArguments {
    pub(super) fn catalogs(&self) -> Result<Catalogs, Refused> {
        let (mut world, sources) = self.repository.open()?;
        self.encrypted.tell(&mut world);
        let answers = self.answers.read(&*world.disk)?;
        let (code_id, runs_version) = (self.code_id.clone(), self.run_config_version);
        Ok(Catalogs { world, sources, answers, code_id, runs_version, now: now(), ready: Mutex::default() })
    }
}

/// PuppetDB's list of exported resources.
pub(super) fn read_exports(disk: &dyn Disk, file: &Path) -> Result<Exports, String> {
    let wrong = |reason: String| format!("cannot take exported resources from {}: {reason}", file.display());
    let bytes = disk.read(&absolute_path(file)).map_err(|error| wrong(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| wrong("no such file or directory".to_owned()))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text in UTF-8".to_owned()))?;
    ExportedResource::list(&text).map(Arc::new).map_err(wrong)
}

impl Catalogs {
    /// The nodes, each with its environment made ready, in the order of the names.
    pub(super) fn prepare(&self, names: &[Str]) -> Vec<Result<AtHand, String>> {
        let prepared = self.sources.prepare(&self.world, names);
        prepared.into_iter().map(|prepared| prepared.map(|prepared| self.at_hand(prepared))).collect()
    }

    fn at_hand(&self, prepared: Prepared) -> AtHand {
        let environment = &prepared.environment;
        let disk = Arc::clone(&self.world.disk);
        let get_ready = || self.world.ready_on(disk, environment, self.runs_version, &Shelf::default()).map(Arc::new);
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = known.entry(environment.name.clone()).or_insert_with(get_ready).clone();
        AtHand { prepared, ready }
    }

    pub(super) fn compile(&self, node: &AtHand, wish: &Wish) -> Result<Timed<crate::catalog::Catalog>, String> {
        let watch = Stopwatch::start();
        let ready = node.ready.as_ref().map_err(String::clone)?;
        let collects = self.world.collects_exported()?;
        let compiled = self.compiled(&node.prepared, ready, collects, wish);
        let (compiled, static_seconds) = self.made_static(compiled, &node.prepared, ready);
        Ok(Timed { compiled, seconds: watch.elapsed().as_secs_f64(), static_seconds })
    }

    fn compiled(&self, prepared: &Prepared, ready: &Ready, collects: bool, wish: &Wish) -> Compiled {
        let mut request = ready.request(prepared);
        request.now = self.now;
        request.collects_exported = collects || wish.exports.is_some();
        request.exports = wish.exports.clone().unwrap_or_default();
        request.answers = Arc::clone(&self.answers);
        ready.site.compile(&request, wish.by_traces.then_some(&*ready.traces))
    }

    /// With the time that it took, if the catalog is static.
    fn made_static(&self, mut compiled: Compiled, prepared: &Prepared, ready: &Ready) -> (Compiled, Option<f64>) {
        let (Ok(catalog), Some(code_id)) = (&mut compiled.result, &self.code_id) else {
            return (compiled, None);
        };
        let watch = Stopwatch::start();
        match ready.site.make_static(catalog, &prepared.environment, code_id) {
            Ok(made) => {
                compiled.log.extend(made.log);
                (compiled, made.is_static.then(|| watch.elapsed().as_secs_f64()))
            }
            Err(text) => {
                compiled.result = Err(Ended { text, failure: None, diagnostic: None });
                (compiled, None)
            }
        }
    }
}

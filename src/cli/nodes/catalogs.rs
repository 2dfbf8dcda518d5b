//! The catalogs of nodes, as the commands that want them come by them: what is known of a node, its environment made ready
//! once for all, and the compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use pantin_compile::catalog::Compiled;
use pantin_compile::{Bodies, BodyClock, Ended};
use pantin_hiera::keys_of_data;
use pantin_model::trace::Purpose;
use pantin_repository::persist::{Cache, Ledger, Readers, Root};
use pantin_repository::query::{Prepared, Ready, Shelf};
use pantin_syntax::form_of_manifest;
use pantin_values::{Digest, Str, Timestamp};
use pantin_world::enc::Classified;
use pantin_world::environment::Environment;
use pantin_world::{
    Answers, Disk, ExportedResource, LeafId, LeafKind, MachineDisk, Rests, Stopwatch, TrackedDisk, now, threads,
};

use super::graph_check::GraphArguments;
use super::timings::Timings;
use crate::args::answers::AnswerArguments;
use crate::args::encrypted::EncryptedArguments;
use crate::args::node::{RepositoryArguments, Sources};
use crate::args::world::{Refused, World};

/// The options that change what is in a catalog, and which say what is known of nodes.
#[derive(Debug, Args)]
pub(crate) struct CatalogArguments {
    #[command(flatten)]
    pub(crate) answers: AnswerArguments,

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
    pub(crate) graph: GraphArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

/// What helps where facts are wanted and nobody has given any.
pub(crate) const WITHOUT_FACTS: &str = "no facts were given: --facts says where those of nodes are, --os makes some up";

/// More would have nothing to do.
const MOST_READERS: usize = 3;

/// Files of which less counts than their bytes.
const READERS: Readers = Readers { code: form_of_manifest, data: keys_of_data };

/// What the nodes have exported.
pub(crate) type Exports = Arc<Vec<ExportedResource>>;

/// What all nodes of a command share.
pub(crate) struct Catalogs {
    /// Of its own view of the disk: what was read here, every answer rests on. What settings and environments were read
    /// from is not among it: what they say counts.
    disk: TrackedDisk,
    pub(crate) world: World,
    pub(crate) sources: Sources,
    pub(crate) answers: Arc<Answers>,
    pub(crate) timings: Arc<Timings>,
    code_id: Option<String>,
    runs_version: bool,
    /// One time for all nodes: what they export is not another thing each time they are compiled.
    now: Timestamp,
    /// How many threads have nothing to do but to read ahead.
    readers: usize,
    /// By the name of the environment.
    ready: Mutex<BTreeMap<String, Result<MadeReady, String>>>,
    /// Of all nodes that were compiled.
    bodies: Mutex<Bodies>,
}

/// An environment, and what it rests on.
type MadeReady = (Arc<Ready>, Rests);

/// A node of which nothing is known yet but what the ENC says.
pub(crate) struct ToPrepare {
    pub(crate) name: Str,
    classified: Result<Classified, String>,
}

/// A node that can be compiled as far as it is known.
pub(crate) struct AtHand {
    pub(crate) prepared: Prepared,
    pub(crate) ready: Result<Arc<Ready>, String>,
    /// What the two rest on.
    rests: Vec<Rests>,
}

/// What came of it, with the time it took.
pub(crate) struct Timed<T> {
    pub(crate) compiled: Compiled<T>,
    pub(crate) seconds: f64,
    /// How long a static catalog took beside that.
    pub(crate) static_seconds: Option<f64>,
}

impl<T> Timed<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Timed<U> {
        let Timed { compiled, seconds, static_seconds } = self;
        Timed { compiled: compiled.map(change), seconds, static_seconds }
    }
}

impl CatalogArguments {
    /// For as long as the process: it ends with the command, and to take apart what all nodes shared takes a while.
    pub(crate) fn catalogs(&self, timings: Timings) -> Result<ManuallyDrop<Catalogs>, Refused> {
        let timings = Arc::new(timings);
        let read = timings.during("read settings", || self.read())?;
        Ok(ManuallyDrop::new(Catalogs { timings, ..read }))
    }

    fn read(&self) -> Result<Catalogs, Refused> {
        self.repository.check()?;
        let disk: Arc<dyn Disk> = Arc::new(MachineDisk::default());
        let disk = TrackedDisk::from(disk);
        let (mut world, sources) = self.repository.open_on(Arc::new(disk.apart()), &disk.apart())?;
        self.encrypted.tell(&mut world);
        let answers = self.answers.read(&disk)?;
        let (code_id, runs_version) = (self.code_id.clone(), self.run_config_version);
        Ok(Catalogs {
            disk,
            world,
            sources,
            answers,
            timings: Arc::new(Timings::none()),
            code_id,
            runs_version,
            now: now(),
            readers: 0,
            ready: Mutex::default(),
            bodies: Mutex::default(),
        })
    }
}

impl Catalogs {
    /// One node is compiled: all threads but one may read ahead.
    pub(crate) fn of_one_node(&mut self) {
        self.readers = (threads() - 1).min(MOST_READERS);
    }

    /// PuppetDB's list of exported resources.
    pub(crate) fn exports(&self, file: &Path) -> Result<Exports, String> {
        ExportedResource::of_file(&self.disk, file).map(Arc::new)
    }

    /// What settings say, and who knows nodes.
    pub(crate) fn shapes(&self, folder: &str) -> [Digest; 2] {
        [self.world.shape(folder), self.sources.shape(folder)]
    }

    /// What is said of an environment.
    pub(crate) fn shape_of(&self, environment: &str, folder: &str) -> Digest {
        match self.world.environment(environment) {
            Ok(loaded) => loaded.shape(folder),
            Err(reason) => Digest::of_text(&reason),
        }
    }

    /// The nodes as the ENC classifies them, in the order of the names.
    pub(crate) fn classified(&self, names: &[Str]) -> Vec<ToPrepare> {
        let classified = self.timings.during("classify", || self.sources.classified(&self.disk, names));
        let nodes = names.iter().cloned().zip(classified);
        nodes.map(|(name, classified)| ToPrepare { name, classified }).collect()
    }

    /// A node with all that is known of it, and its environment made ready.
    pub(crate) fn at_hand(&self, node: &ToPrepare) -> Result<AtHand, String> {
        let disk = self.disk.apart();
        let classified = node.classified.clone()?;
        let prepare = || self.sources.one(&disk, &self.world, &node.name, classified);
        let prepared = self.timings.during("read facts", prepare)?;
        let mut rests = vec![disk.rests()];
        let made = self.ready(&prepared.environment);
        rests.extend(made.as_ref().ok().map(|(_, rests)| Arc::clone(rests)));
        Ok(AtHand { prepared, ready: made.map(|(ready, _)| ready), rests })
    }

    /// An environment, made ready when it is first wanted.
    fn ready(&self, environment: &Arc<Environment>) -> Result<MadeReady, String> {
        let get_ready = || {
            let disk = self.disk.apart();
            let make = || self.world.ready_on(disk.clone(), environment, self.runs_version, &Shelf::of(Purpose::Nodes));
            let mut ready = self.timings.during("make the environment ready", make)?;
            ready.remarks.extend(self.world.lack_of_manifests(&disk, environment));
            let clock = self.timings.are_wanted().then(|| Arc::clone(&self.timings) as Arc<dyn BodyClock>);
            Ok((Arc::new(ready.with_clock(clock).reading_ahead(self.readers)), disk.rests()))
        };
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(environment.name.clone()).or_insert_with(get_ready).clone()
    }

    /// Environments that are ready are made so again when they are wanted next: memory is tight.
    pub(crate) fn let_go(&self) {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The file that defines a class, or a defined type, in an environment.
    pub(crate) fn file_of(&self, environment: &str, definition: &str) -> Result<Option<PathBuf>, String> {
        let loaded = self.world.environment(environment)?;
        let (ready, _) = self.ready(&loaded.environment)?;
        Ok(ready.site.file_of(definition))
    }

    /// On how many answers of the disk a node that was compiled rests, and on how many of these something is so.
    pub(crate) fn rests_on<T>(
        &self,
        node: &AtHand,
        compiled: &Compiled<T>,
        is_so: impl Fn(LeafKind, &Path) -> bool,
    ) -> (usize, usize) {
        let rests = self.rests(node, compiled);
        let all: BTreeSet<LeafId> = rests.iter().flat_map(|rests| rests.iter().map(|(id, _)| *id)).collect();
        let leaves = all.iter().filter_map(|id| self.disk.leaves().leaf(*id));
        (all.len(), leaves.filter(|leaf| is_so(leaf.kind, &leaf.path)).count())
    }

    /// What decides what is known of a node, beside files: where its facts come from, and what the ENC says. What is below
    /// the folder is named from there. `None`: the ENC does not say.
    pub(crate) fn origins(&self, node: &ToPrepare, folder: &str) -> Option<[Digest; 2]> {
        Some([self.sources.origin(&node.name, folder), node.classified.as_ref().ok()?.digest()])
    }

    /// The answers of earlier runs to `question`, where these are answers that can be kept.
    pub(crate) fn ledger(&self, cache: &Cache, question: &str, root: Root) -> Option<Ledger> {
        let is_told_more = self.code_id.is_some() || self.runs_version || self.answers.records();
        (!is_told_more).then(|| Ledger::open(cache, question, Arc::clone(self.disk.leaves()), root, READERS))
    }

    /// All that an answer rests on.
    pub(crate) fn rests<T>(&self, node: &AtHand, compiled: &Compiled<T>) -> Vec<Rests> {
        let own = [self.disk.rests(), compiled.rests()];
        node.rests.iter().cloned().chain(own).collect()
    }

    /// `exports`: what its collectors find; `None`: the settings say whether they look.
    pub(crate) fn compile(
        &self,
        node: &AtHand,
        exports: Option<&Exports>,
    ) -> Result<Timed<pantin_model::catalog::Catalog>, String> {
        let watch = Stopwatch::start();
        let ready = node.ready.as_ref().map_err(String::clone)?;
        let collects = self.world.collects_exported()?;
        let compiled = self.timings.during("compile", || self.compiled(&node.prepared, ready, collects, exports));
        let make_static = || self.made_static(compiled, &node.prepared, ready);
        let (compiled, static_seconds) = match self.code_id {
            Some(_) => self.timings.during("make it static", make_static),
            None => make_static(),
        };
        Ok(Timed { compiled, seconds: watch.elapsed().as_secs_f64(), static_seconds })
    }

    fn compiled(&self, prepared: &Prepared, ready: &Ready, collects: bool, exports: Option<&Exports>) -> Compiled {
        let mut request = ready.request(prepared);
        request.now = self.now;
        request.collects_exported = collects || exports.is_some();
        request.exports = exports.cloned().unwrap_or_default();
        request.answers = Arc::clone(&self.answers);
        let mut compiled = ready.site.compile(&request, Some(&ready.traces));
        if let Err(ended) = &mut compiled.result
            && self.sources.have_no_facts()
        {
            help_without_facts(ended);
        }
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        bodies.run += compiled.bodies.run;
        bodies.replayed += compiled.bodies.replayed;
        compiled
    }

    /// The run is over: writes what it did, if that is wanted. `about`: what is said of the whole.
    pub(crate) fn finish(&self, about: &[(&'static str, serde_json::Value)]) -> io::Result<()> {
        let Bodies { run, replayed } = *self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let bodies = [("bodies_run", run.into()), ("bodies_replayed", replayed.into())];
        self.timings.write(&[about, &bodies].concat())
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
                compiled.result = Err(Ended::told(text));
                (compiled, None)
            }
        }
    }
}

/// What is said of code that looks into a fact that is not there, in Puppet's words.
const LOOKS_INTO_NOTHING: &str = "Operator '[]' is not applicable to an Undef Value";

/// Whether an error is what comes of code that wants a fact where there are none at all.
pub(crate) fn lacks_facts(message: &str) -> bool {
    message.contains(LOOKS_INTO_NOTHING)
}

fn help_without_facts(ended: &mut Ended) {
    let Some(failure) = &mut ended.failure else { return };
    if failure.help.is_none() && lacks_facts(&failure.message) {
        failure.help = Some(WITHOUT_FACTS.to_owned());
    }
}

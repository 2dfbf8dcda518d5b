//! Compiles the nodes of one run: facts and classification, the environment, the catalog.
//!
//! Knows nothing of how a catalog is stored or shown.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_compile::catalog::Compilation;
use pantin_compile::{Bodies, BodyClock, CompileError};
use pantin_compile::{named_rows, rows_of_bindings};
use pantin_hiera::keys_of_data;
use pantin_model::trace::Purpose;
use pantin_syntax::form_of_manifest;
use pantin_values::{Digest, Digester, Str, Timestamp};
use pantin_world::enc::Classified;
use pantin_world::environment::Environment;
use pantin_world::{
    Answers, Dependencies, Disk, ExportedResource, Leaf, LeafId, LeafKind, Leaves, MachineDisk, ModuleCheckout,
    Puppetfile, Stopwatch, TrackedDisk, absolute_path, now, repository_around, threads,
};

use crate::fence;
use crate::node_sources::NodeSources;
use crate::options::{AnswerFile, OpenError, Options};
use crate::persist::{Cache, Ledger, Readers, Root};
use crate::query::{EnvironmentShelf, Prepared, ReadyEnvironment};
use crate::timings::Timings;
use crate::world::{World, open_world};

/// What helps where facts are wanted and nobody has given any.
pub const WITHOUT_FACTS: &str = "no facts were given: --facts says where those of nodes are, --os makes some up";

/// What helps a command that is about all nodes where none are known.
pub const WITHOUT_NODES: &str = "there are no nodes: --facts says where their facts are (a file, a folder with a file for each node, or PuppetDB's \
                                 export), --os debian-12 makes up a node";

/// More would have nothing to do.
const MOST_READERS: usize = 3;

/// Files of which less counts than their bytes.
pub(crate) const READERS: Readers = Readers {
    code: form_of_manifest,
    puppetfile: Puppetfile::form,
    data: keys_of_data,
    bindings: rows_of_bindings,
    row_names: named_rows,
};

/// What the nodes have exported.
pub type Exports = Arc<Vec<ExportedResource>>;

/// What all nodes of a command share.
pub struct NodeCompiler {
    /// Of its own view of the disk: what was read here, every answer depends on. What settings and environments were read
    /// from is not among it: what they say counts.
    disk: TrackedDisk,
    /// What settings were read from when the repository was opened.
    opening: Dependencies,
    pub world: World,
    pub sources: NodeSources,
    pub answers: Arc<Answers>,
    /// Names what the file of answers says.
    pub answers_digest: Digest,
    pub timings: Arc<Timings>,
    code_id: Option<String>,
    runs_version: bool,
    /// Of the traces.
    purpose: Purpose,
    /// The folder that stored answers are relative to.
    pub root: PathBuf,
    /// Names the fence in keys of stored answers.
    pub fence: String,
    /// One time for all nodes: what they export is not another thing each time they are compiled.
    now: Timestamp,
    /// How many threads have nothing to do but to read ahead.
    readers: usize,
    ready: Mutex<BTreeMap<EnvironmentKey, Result<ReadyWithDependencies, String>>>,
    /// Of all nodes that were compiled.
    bodies: Mutex<Bodies>,
}

/// Something that a file defines, by its name.
#[derive(Clone, Copy, Debug)]
pub enum Definition<'n> {
    /// A class, or a defined type.
    Resource(&'n str),
    Function(&'n str),
    Template(&'n str),
}

/// The name of an environment, and what `environments.pp` says of it.
type EnvironmentKey = (String, Option<Digest>);

/// An environment, and what it depends on.
type ReadyWithDependencies = (Arc<ReadyEnvironment>, Dependencies);

/// A node of which nothing is known yet but what the ENC says.
pub struct NodeToPrepare {
    pub name: Str,
    classified: Result<Classified, String>,
}

/// A node that can be compiled as far as it is known.
pub struct PreparedNode {
    pub prepared: Prepared,
    pub ready: Result<Arc<ReadyEnvironment>, String>,
    /// What the two depend on.
    pub dependencies: Vec<Dependencies>,
}

/// What came of a node, with the time it took.
pub struct TimedNode {
    pub compiled: Compilation,
    pub seconds: f64,
    /// How long a static catalog took beside that.
    pub static_seconds: Option<f64>,
}

impl NodeCompiler {
    /// Reads what these options say. For as long as the process: it ends with the command, and to take apart what all nodes
    /// shared takes a while.
    pub fn open(
        files: Arc<dyn Disk>,
        options: &Options,
        timings: Timings,
    ) -> Result<ManuallyDrop<NodeCompiler>, OpenError> {
        let timings = Arc::new(timings);
        let read = timings.during("read settings", || NodeCompiler::read(files, options))?;
        Ok(ManuallyDrop::new(NodeCompiler { timings, ..read }))
    }

    fn read(files: Arc<dyn Disk>, options: &Options) -> Result<NodeCompiler, OpenError> {
        let root = root(options);
        let (files, fence) = fence::fenced(files, options, &root);
        let disk = TrackedDisk::from(files);
        let around = disk.with_own_reads();
        let (mut world, sources) = open_world(options, Arc::new(around.clone()), &disk.with_own_reads())?;
        let opening = around.dependencies();
        let AnswerFile { file, record } = &options.catalogs.answers;
        let file = file.as_deref().map(absolute_path);
        let read = file.as_deref().map(|file| Answers::read(&disk, file, *record)).transpose()?;
        let mut answers = read.unwrap_or_default();
        answers.runs_functions = answers.records() && world.own_ruby.is_some();
        let answers = Arc::new(answers);
        if answers.runs_functions {
            world.record_own_ruby(&answers);
        }
        let bytes = file.and_then(|file| disk.read(&file).ok().flatten());
        let answers_digest = Digester::new(b"answers").bytes(&bytes.unwrap_or_default()).finish();
        Ok(NodeCompiler {
            disk,
            opening,
            world,
            sources,
            answers,
            answers_digest,
            timings: Arc::new(Timings::none()),
            code_id: options.catalogs.code_id.clone(),
            runs_version: options.catalogs.run_config_version,
            purpose: if options.catalogs.keeps_every_trace { Purpose::Edits } else { Purpose::Nodes },
            root,
            fence,
            now: now(),
            readers: 0,
            ready: Mutex::default(),
            bodies: Mutex::default(),
        })
    }
}

impl NodeCompiler {
    /// One node is compiled: all threads but one may read ahead.
    pub fn enable_read_ahead(&mut self) {
        self.readers = (threads() - 1).min(MOST_READERS);
    }

    /// PuppetDB's list of exported resources.
    pub fn exports(&self, file: &Path) -> Result<Exports, String> {
        ExportedResource::from_file(&self.disk, file).map(Arc::new)
    }

    /// Returns what settings say, and who knows nodes.
    pub fn shapes(&self, folder: &str) -> [Digest; 2] {
        [self.world.shape(folder), self.sources.shape(folder)]
    }

    /// Returns what is said of an environment.
    pub fn environment_shape(&self, environment: &str, folder: &str) -> Digest {
        match self.world.environment(environment) {
            Ok(loaded) => loaded.shape(folder),
            Err(reason) => Digest::from_text(&reason),
        }
    }

    /// Returns the nodes as the ENC classifies them, in the order of the names.
    pub fn classify(&self, names: &[Str]) -> Vec<NodeToPrepare> {
        let classified = self.timings.during("classify", || self.sources.classify(&self.disk, names));
        let nodes = names.iter().cloned().zip(classified);
        nodes.map(|(name, classified)| NodeToPrepare { name, classified }).collect()
    }

    /// Returns a node with all that is known of it, and its environment made ready.
    pub fn prepared_node(&self, node: &NodeToPrepare) -> Result<PreparedNode, String> {
        let disk = self.disk.with_own_reads();
        let classified = node.classified.clone()?;
        let prepare = || self.sources.one(&disk, &self.world, &node.name, classified);
        let prepared = self.timings.during("read facts", prepare)?;
        let mut dependencies = vec![disk.dependencies()];
        let made = self.ready(&prepared.environment);
        dependencies.extend(made.as_ref().ok().map(|(_, dependencies)| Arc::clone(dependencies)));
        Ok(PreparedNode { prepared, ready: made.map(|(ready, _)| ready), dependencies })
    }

    /// Returns what is known of a node today.
    pub fn known_node(&self, node: &NodeToPrepare) -> Option<Prepared> {
        let disk = self.disk.with_own_reads();
        self.sources.one(&disk, &self.world, &node.name, node.classified.clone().ok()?).ok()
    }

    /// Returns an environment, made ready when it is first wanted.
    fn ready(&self, environment: &Arc<Environment>) -> Result<ReadyWithDependencies, String> {
        let get_ready = || {
            let disk = self.disk.with_own_reads();
            let shelf = EnvironmentShelf::from_purpose(self.purpose);
            let make = || self.world.ready_on(disk.clone(), environment, self.runs_version, &shelf);
            let ready = self.timings.during("make the environment ready", make)?;
            let clock = self.timings.is_enabled().then(|| Arc::clone(&self.timings) as Arc<dyn BodyClock>);
            Ok((Arc::new(ready.with_clock(clock).with_read_ahead(self.readers)), disk.dependencies()))
        };
        // Facts may decide what the file says of an environment.
        let defined = environment.bindings.is_from_environments_file.then(|| environment.shape());
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((environment.name.clone(), defined)).or_insert_with(get_ready).clone()
    }

    /// Environments that are ready are made so again when they are wanted next: memory is tight.
    pub fn let_go(&self) {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the file that defines a class, or a defined type, in an environment.
    pub fn definition_file(&self, environment: &str, definition: &str) -> Result<Option<PathBuf>, String> {
        let loaded = self.world.environment(environment)?;
        let (ready, _) = self.ready(&loaded.environment)?;
        Ok(ready.site.definition_file(definition))
    }

    /// Returns the file or folder that a source such as `puppet:///modules/ntp/ntp.conf` means in an environment.
    pub fn served_path(&self, environment: &str, source: &str) -> Result<Option<PathBuf>, String> {
        let loaded = self.world.environment(environment)?;
        let (ready, _) = self.ready(&loaded.environment)?;
        Ok(ready.site.served_path(source))
    }

    /// On how many answers of the disk something depends, and for how many of these something is so.
    pub fn count_dependencies(
        &self,
        dependencies: &[Dependencies],
        is_so: impl Fn(LeafKind, &Path) -> bool,
    ) -> (usize, usize) {
        let all: BTreeSet<LeafId> =
            dependencies.iter().flat_map(|dependencies| dependencies.iter().map(|(id, _)| *id)).collect();
        let leaves = all.iter().filter_map(|id| self.disk.leaves().leaf(*id));
        (all.len(), leaves.filter(|leaf| is_so(leaf.kind, &leaf.path)).count())
    }

    /// Returns the files, unrecorded.
    pub fn files(&self) -> &dyn Disk {
        self.disk.leaves().disk()
    }

    /// Returns what the settings of all nodes were read from: of these, what they say counts for an answer, and not the
    /// files.
    pub(crate) fn opening_reads(&self) -> &Dependencies {
        &self.opening
    }

    /// Returns what an environment is read from, beside what is in it. An environment that cannot be read depends on it
    /// as well.
    pub(crate) fn environment_reads(&self, environment: &str) -> Dependencies {
        let disk = self.disk.with_own_reads();
        // What comes of it is known already.
        let _ = self.world.with_disk(&disk).environment(environment);
        disk.dependencies()
    }

    /// Returns every leaf that was read.
    pub(crate) fn all_leaves(&self) -> &Leaves {
        self.disk.leaves()
    }

    /// The leaves that something depends on.
    pub(crate) fn leaves(&self, dependencies: &[Dependencies]) -> BTreeSet<LeafId> {
        dependencies.iter().flat_map(|dependencies| dependencies.iter().map(|(id, _)| *id)).collect()
    }

    pub(crate) fn leaf(&self, id: LeafId) -> Option<Leaf> {
        self.disk.leaves().leaf(id)
    }

    /// Returns the file of an environment in which something is defined.
    pub fn file_of(&self, environment: &str, what: Definition<'_>) -> Result<Option<PathBuf>, String> {
        let loaded = self.world.environment(environment)?;
        let (ready, _) = self.ready(&loaded.environment)?;
        Ok(match what {
            Definition::Resource(name) => ready.site.definition_file(name),
            Definition::Function(name) => ready.site.function_file(name),
            Definition::Template(name) => ready.site.template_file(name),
        })
    }

    /// Returns what helps where an environment does not have something of this name.
    pub fn help_for(&self, environment: &str, what: Definition<'_>) -> Option<String> {
        let loaded = self.world.environment(environment).ok()?;
        let (ready, _) = self.ready(&loaded.environment).ok()?;
        match what {
            Definition::Resource(name) => ready.site.help_for_definition(name),
            Definition::Function(name) => ready.site.help_for_function(name),
            Definition::Template(name) => ready.site.help_for_template(name),
        }
    }

    /// Where the facts of a node come from, and what the ENC says. What is below the folder is named from there. `None`: the ENC
    /// does not say.
    pub fn origins(&self, node: &NodeToPrepare, folder: &str) -> Option<[Digest; 2]> {
        Some([self.sources.origin(&node.name, folder), node.classified.as_ref().ok()?.digest()])
    }

    /// The answers of earlier runs to `question`, where these are answers that can be kept.
    pub fn ledger(&self, cache: &Cache, question: &str, root: Root, readers: Readers) -> Option<Ledger> {
        let is_told_more = self.code_id.is_some() || self.runs_version || self.answers.records();
        (!is_told_more).then(|| Ledger::open(cache, question, Arc::clone(self.disk.leaves()), root, readers))
    }

    /// Returns all that an answer depends on. `inputs`: what the inputs of the node do.
    pub fn dependencies(&self, inputs: &[Dependencies], compiled: &Compilation) -> Vec<Dependencies> {
        let own = [self.disk.dependencies(), compiled.dependencies()];
        inputs.iter().cloned().chain(own).collect()
    }

    /// `exports`: what its collectors find; `None`: the settings say whether they look. `Err`: the environment cannot be made
    /// ready.
    pub fn compile(&self, node: &PreparedNode, exports: Option<&Exports>) -> Result<TimedNode, String> {
        let watch = Stopwatch::start();
        let ready = node.ready.as_ref().map_err(String::clone)?;
        let collects = self.world.collects_exported()?;
        let compiled =
            self.timings.during("compile", || self.compile_prepared(&node.prepared, ready, collects, exports));
        let make_static = || self.made_static(compiled, &node.prepared, ready);
        let (compiled, static_seconds) = match self.code_id {
            Some(_) => self.timings.during("make it static", make_static),
            None => make_static(),
        };
        Ok(TimedNode { compiled, seconds: watch.elapsed().as_secs_f64(), static_seconds })
    }

    fn compile_prepared(
        &self,
        prepared: &Prepared,
        ready: &ReadyEnvironment,
        collects: bool,
        exports: Option<&Exports>,
    ) -> Compilation {
        let mut request = ready.request(prepared);
        request.now = self.now;
        request.collects_exported = collects || exports.is_some();
        request.exports = exports.cloned().unwrap_or_default();
        request.answers = Arc::clone(&self.answers);
        let mut compiled = ready.site.compile(&request, Some(&ready.traces));
        if prepared.environment.bindings.is_from_environments_file {
            // Facts have chosen the environment, and no answer says which of them: it is never the answer of another day.
            compiled.is_volatile = true;
            compiled.log.splice(0..0, prepared.log.iter().cloned());
        }
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
    pub fn finish(&self, about: &[(&'static str, serde_json::Value)]) -> io::Result<()> {
        let Bodies { run, replayed } = *self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let bodies = [("bodies_run", run.into()), ("bodies_replayed", replayed.into())];
        self.timings.write(&[about, &bodies].concat())
    }

    /// With the time that it took, if the catalog is static.
    fn made_static(
        &self,
        mut compiled: Compilation,
        prepared: &Prepared,
        ready: &ReadyEnvironment,
    ) -> (Compilation, Option<f64>) {
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
                compiled.result = Err(CompileError::from_text(text));
                (compiled, None)
            }
        }
    }
}

fn root(options: &Options) -> PathBuf {
    let here = absolute_path(Path::new("."));
    match &options.root {
        Some(root) => absolute_path(root),
        None => {
            let disk = MachineDisk::default();
            let module = || ModuleCheckout::around(&disk, &here).map(|module| module.folder);
            repository_around(&disk, &here).or_else(module).unwrap_or(here)
        }
    }
}

/// What is said of code that looks into a fact that is not there, in Puppet's words.
const LOOKS_INTO_NOTHING: &str = "Operator '[]' is not applicable to an Undef Value";

/// Returns true if an error is what comes of code that wants a fact where there are none at all.
pub fn lacks_facts(message: &str) -> bool {
    message.contains(LOOKS_INTO_NOTHING)
}

fn help_without_facts(ended: &mut CompileError) {
    let Some(failure) = &mut ended.failure else { return };
    if failure.help.is_none() && lacks_facts(&failure.message) {
        failure.help = Some(WITHOUT_FACTS.to_owned());
    }
}

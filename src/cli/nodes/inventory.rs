//! What the arguments say of a control repository, for the engine: read again whenever what they rest on has changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Parser};
use pantin_compile::{BodyClock, NodeRequest};
use pantin_repository::query::{Inventory, NodeClock, Opened, Prepared, Ready, Shelf};
use pantin_values::{Digest, Digester, Hash, Str};
use pantin_world::{Answers, Disk, ExportedResource, Footing, Remark, TrackedDisk, absolute_path};

use super::timings::Timings;
use crate::args::node::{RepositoryArguments, Sources};
use crate::args::world::{Refused, World};

/// The arguments that say what there is.
#[derive(Debug, Parser)]
pub(crate) struct Given {
    pub(crate) nodes: Vec<String>,

    #[command(flatten)]
    pub(crate) told: ToldArguments,

    #[command(flatten)]
    pub(crate) repository: RepositoryArguments,

    /// Who wants to know how long everything takes.
    #[arg(skip)]
    pub(crate) timings: Option<Arc<Timings>>,
}

/// What is asked elsewhere than in the repository, as files say it.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ToldArguments {
    /// What functions that ask elsewhere would answer, puppetdb_query and generate among them: a JSON array of
    /// {function, arguments, answer}
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// What the nodes collect of exported resources: what the other nodes that are watched export (the word fleet), or
    /// PuppetDB's answer to a query for resources, as JSON
    #[arg(long, value_name = "fleet|FILE")]
    exported: Option<PathBuf>,
}

/// The same, read.
struct ToldElsewhere {
    answers: Arc<Answers>,
    exports: Option<Arc<Vec<ExportedResource>>>,
    /// What names the two.
    shape: Digest,
}

impl ToldArguments {
    /// Whether the nodes collect what the others export.
    fn exchanges(&self) -> bool {
        self.exported.as_deref() == Some(Path::new("fleet"))
    }

    fn read(&self, disk: &TrackedDisk) -> Result<ToldElsewhere, String> {
        let mut digester = Digester::new(b"elsewhere");
        let exported = self.exported.as_ref().filter(|_| !self.exchanges());
        let files = [self.answers.as_ref(), exported];
        for file in files {
            let bytes = file.map(|file| disk.content(&absolute_path(file)));
            digester.bytes(&bytes.and_then(Result::ok).flatten().unwrap_or_default());
        }
        let answers = self.answers.as_ref().map(|file| Answers::read(disk, &absolute_path(file), false)).transpose()?;
        let exports = exported.map(|file| ExportedResource::of_file(disk, file)).transpose()?;
        let (answers, exports) = (Arc::new(answers.unwrap_or_default()), exports.map(Arc::new));
        Ok(ToldElsewhere { answers, exports, shape: digester.finish() })
    }
}

/// The repository that these options of `pantin watch` mean, for those who drive the engine themselves.
pub fn repository(options: &[&str]) -> Result<Arc<dyn Inventory>, String> {
    let given = Given::try_parse_from(["pantin"].iter().chain(options)).map_err(|error| error.to_string())?;
    Ok(Arc::new(given))
}

struct Repository {
    world: World,
    sources: Sources,
    elsewhere: ToldElsewhere,
    exchanges: bool,
    timings: Option<Arc<Timings>>,
    names: Vec<Str>,
    remarks: Vec<Remark>,
}

impl Given {
    fn repository(&self, disk: TrackedDisk) -> Result<Repository, Refused> {
        let (world, sources) = self.repository.open_on(Arc::new(disk.clone()), &disk)?;
        let elsewhere = self.told.read(&disk)?;
        let names = sources.names(&self.nodes);
        let remarks = world.remarks.clone();
        let (exchanges, timings) = (self.told.exchanges(), self.timings.clone());
        Ok(Repository { world, sources, elsewhere, exchanges, timings, names, remarks })
    }

    /// What is wrong with the arguments themselves, before anything is watched.
    pub(crate) fn refused(&self, disk: Arc<dyn Disk>) -> Option<Refused> {
        let checked = self.repository.check();
        checked.and_then(|()| self.repository(TrackedDisk::from(disk))).err()
    }
}

impl Inventory for Given {
    fn open(&self, disk: TrackedDisk) -> Result<Arc<dyn Opened>, String> {
        match self.repository(disk) {
            Ok(repository) => Ok(Arc::new(repository)),
            Err(Refused::Usage(reason) | Refused::Wrong(reason)) => Err(reason),
        }
    }
}

impl Opened for Repository {
    fn shape(&self) -> Digest {
        let mut digester = Digester::new(b"repository");
        digester.digest(self.world.shape("")).digest(self.sources.shape(""));
        digester.digest(self.elsewhere.shape).number(u64::from(self.exchanges));
        digester.finish()
    }

    fn origin(&self, node: &str) -> Digest {
        self.sources.origin(node, "")
    }

    fn names(&self) -> Vec<Str> {
        self.names.clone()
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn node(&self, disk: &TrackedDisk, name: &str) -> Result<Prepared, String> {
        let mut prepared = self.sources.prepare_on(disk, &self.world.on(disk), &[name.into()]);
        prepared.pop().unwrap_or_else(|| Err(format!("there is no node {name}")))
    }

    fn reads_facts_again(&self, name: &str) -> bool {
        self.sources.reads_facts_again(name)
    }

    fn facts_again(&self, disk: &TrackedDisk, name: &str) -> Result<Hash, String> {
        self.sources.facts_again(disk, name)
    }

    fn ready(&self, disk: TrackedDisk, environment: &str, shelf: &Shelf) -> Result<Ready, String> {
        // What is said of the environment is known by what it says, what is in it by what was read.
        let around = disk.apart();
        let loaded = self.world.on(&around).environment(environment)?;
        let mut ready = self.world.ready_on(disk.clone(), &loaded.environment, false, shelf)?;
        ready.remarks.extend(self.world.lack_of_manifests(&disk, &loaded.environment));
        let mut digester = Digester::new(b"ready");
        digester.digest(self.world.shape("")).digest(loaded.shape(""));
        for (id, digest) in disk.rests().iter() {
            digester.number(id.index() as u64).digest(*digest);
        }
        ready.shape = Some(digester.finish());
        disk.uses(&Footing::new(around.rests()));
        Ok(ready.with_clock(self.timings.clone().map(|timings| timings as Arc<dyn BodyClock>)))
    }

    fn exchanges(&self) -> bool {
        self.exchanges
    }

    fn clock(&self) -> Option<Arc<dyn NodeClock>> {
        self.timings.clone().map(|timings| timings as Arc<dyn NodeClock>)
    }

    fn request(&self, prepared: &Prepared, ready: &Ready) -> Result<NodeRequest, String> {
        let mut request = ready.request(prepared);
        let ToldElsewhere { answers, exports, .. } = &self.elsewhere;
        request.collects_exported = self.world.collects_exported()? || exports.is_some();
        request.answers = Arc::clone(answers);
        request.exports = exports.clone().unwrap_or_default();
        Ok(request)
    }
}

//! The nodes of a repository for the engine of `watch`: read again when their dependencies change.

use std::sync::Arc;

use pantin_compile::{BodyClock, NodeRequest};
use pantin_values::{Digest, Digester, Hash, Str};
use pantin_world::{Answers, CheckedDependencies, Disk, ExportedResource, Remark, TrackedDisk, absolute_path};

use crate::node_sources::NodeSources;
use crate::options::{CatalogOptions, ExportedSource, OpenError, Options};
use crate::query::{
    EnvironmentShelf, Inventory, NodeClock, OpenedRepository, Prepared, ReadyEnvironment, WantedEnvironment,
};
use crate::timings::Timings;
use crate::world::{World, open_world};

/// What somebody asked for: which repository, and which of its nodes.
#[derive(Debug)]
pub struct OptionsInventory {
    pub options: Options,
    /// Names and patterns; without any, all nodes that there are facts of.
    pub nodes: Vec<String>,
    /// Told how long everything takes, where that is asked for.
    pub timings: Option<Arc<Timings>>,
}

/// The same, read.
struct ToldElsewhere {
    answers: Arc<Answers>,
    exports: Option<Arc<Vec<ExportedResource>>>,
    /// What names the two.
    shape: Digest,
}

impl ToldElsewhere {
    fn read(options: &CatalogOptions, disk: &TrackedDisk) -> Result<ToldElsewhere, String> {
        let answers_file = options.answers.file.as_deref().map(absolute_path);
        let exports_file = match &options.exported {
            ExportedSource::File(file) => Some(absolute_path(file)),
            ExportedSource::None | ExportedSource::Fleet => None,
        };
        let mut digester = Digester::new(b"elsewhere");
        for file in [&answers_file, &exports_file] {
            let bytes = file.as_deref().map(|file| disk.content(file));
            digester.bytes(&bytes.and_then(Result::ok).flatten().unwrap_or_default());
        }
        let answers = answers_file.map(|file| Answers::read(disk, &file, false)).transpose()?;
        let exports = exports_file.map(|file| ExportedResource::from_file(disk, &file)).transpose()?;
        let (answers, exports) = (Arc::new(answers.unwrap_or_default()), exports.map(Arc::new));
        Ok(ToldElsewhere { answers, exports, shape: digester.finish() })
    }
}

struct Repository {
    world: World,
    sources: NodeSources,
    elsewhere: ToldElsewhere,
    exchanges: bool,
    timings: Option<Arc<Timings>>,
    names: Vec<Str>,
    remarks: Vec<Remark>,
}

impl OptionsInventory {
    fn repository(&self, disk: TrackedDisk) -> Result<Repository, OpenError> {
        let configuration = self.options.configuration(&disk)?;
        if let Some(configuration) = &configuration {
            configuration.check_names(&disk, &self.options)?;
        }
        let options = self.options.filled_by(configuration.as_ref());
        let (world, sources) = open_world(&options, Arc::new(disk.clone()), &disk)?;
        let elsewhere = ToldElsewhere::read(&options.catalogs, &disk)?;
        let names = sources.select_leniently(&self.nodes);
        let mut remarks = world.remarks.clone();
        remarks.extend(sources.remarks(&disk, &names, !self.nodes.is_empty()));
        let exchanges = options.catalogs.exported == ExportedSource::Fleet;
        Ok(Repository { world, sources, elsewhere, exchanges, timings: self.timings.clone(), names, remarks })
    }

    /// What is wrong with the options themselves, before anything is watched.
    pub fn check(&self, disk: Arc<dyn Disk>) -> Result<(), OpenError> {
        let repository = self.repository(TrackedDisk::from(disk))?;
        repository.sources.select_named(&repository.world, &self.nodes)?;
        repository.world.lack_of_code().map_or(Ok(()), |reason| Err(OpenError::Usage(reason)))
    }
}

impl Inventory for OptionsInventory {
    fn open(&self, disk: TrackedDisk) -> Result<Arc<dyn OpenedRepository>, String> {
        match self.repository(disk) {
            Ok(repository) => Ok(Arc::new(repository)),
            Err(OpenError::Usage(reason) | OpenError::Failed(reason)) => Err(reason),
        }
    }
}

impl OpenedRepository for Repository {
    fn shape(&self) -> Digest {
        let mut digester = Digester::new(b"repository");
        digester.digest(self.world.shape("")).digest(self.sources.shape(""));
        digester.digest(self.elsewhere.shape).number(u64::from(self.exchanges));
        digester.finish()
    }

    fn origin(&self, node: &str) -> Digest {
        let known = self.sources.known_digest(node).unwrap_or(Digest::atom(0));
        Digester::new(b"origin").digest(self.sources.origin(node, "")).digest(known).finish()
    }

    fn names(&self) -> Vec<Str> {
        self.names.clone()
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn node(&self, disk: &TrackedDisk, name: &str) -> Result<Prepared, String> {
        self.sources.prepare(disk, &self.world.with_disk(disk), name)
    }

    fn can_reread_facts(&self, name: &str) -> bool {
        self.sources.can_reread_facts(name)
    }

    fn reread_facts(&self, disk: &TrackedDisk, name: &str) -> Result<Hash, String> {
        self.sources.reread_facts(disk, name)
    }

    fn ready(
        &self,
        disk: TrackedDisk,
        environment: WantedEnvironment<'_>,
        shelf: &EnvironmentShelf,
    ) -> Result<ReadyEnvironment, String> {
        // What is said of the environment is known by what it says, what is in it by what was read.
        let around = disk.with_own_reads();
        let (environment, shape) = match environment {
            WantedEnvironment::Named(name) => {
                let loaded = self.world.with_disk(&around).environment(name)?;
                (Arc::clone(&loaded.environment), loaded.shape(""))
            }
            WantedEnvironment::Defined(environment) => (Arc::clone(environment), environment.shape()),
        };
        let mut ready = self.world.ready_on(disk.clone(), &environment, false, shelf)?;
        let mut digester = Digester::new(b"ready");
        digester.digest(self.world.shape("")).digest(shape);
        for (id, digest) in disk.dependencies().iter() {
            digester.number(id.index() as u64).digest(*digest);
        }
        ready.shape = Some(digester.finish());
        disk.uses(&CheckedDependencies::new(around.dependencies()));
        Ok(ready.with_clock(self.timings.clone().map(|timings| timings as Arc<dyn BodyClock>)))
    }

    fn exchanges(&self) -> bool {
        self.exchanges
    }

    fn clock(&self) -> Option<Arc<dyn NodeClock>> {
        self.timings.clone().map(|timings| timings as Arc<dyn NodeClock>)
    }

    fn request(&self, prepared: &Prepared, ready: &ReadyEnvironment) -> Result<NodeRequest, String> {
        let mut request = ready.request(prepared);
        let ToldElsewhere { answers, exports, .. } = &self.elsewhere;
        request.collects_exported = self.world.collects_exported()? || exports.is_some();
        request.answers = Arc::clone(answers);
        request.exports = exports.clone().unwrap_or_default();
        Ok(request)
    }
}

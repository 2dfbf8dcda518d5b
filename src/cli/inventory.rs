//! What the arguments say of a control repository, for the engine: read again whenever what they rest on has changed.

use std::sync::Arc;

use clap::Parser;

use super::node_args::{RepositoryArguments, Sources};
use super::world_args::{Refused, World};
use crate::compile::NodeRequest;
use crate::pcore::Str;
use crate::query::{Inventory, Opened, Prepared, Ready, Shelf};
use crate::world::{Disk, Remark, TrackedDisk};

/// The arguments that say what there is.
#[derive(Debug, Parser)]
pub(super) struct Given {
    pub(super) nodes: Vec<String>,

    #[command(flatten)]
    pub(super) repository: RepositoryArguments,
}

/// The repository that these options of `pantin watch` mean, for those who drive the engine themselves.
pub fn repository(options: &[&str]) -> Result<Arc<dyn Inventory>, String> {
    let given = Given::try_parse_from(["pantin"].iter().chain(options)).map_err(|error| error.to_string())?;
    Ok(Arc::new(given))
}

struct Repository {
    disk: TrackedDisk,
    world: World,
    sources: Sources,
    names: Vec<Str>,
    remarks: Vec<Remark>,
}

impl Given {
    fn repository(&self, disk: TrackedDisk) -> Result<Repository, Refused> {
        let (world, sources) = self.repository.open_on(Arc::new(disk.clone()), &disk)?;
        let names = sources.names(&self.nodes);
        let remarks = world.remarks.clone();
        Ok(Repository { disk, world: world.reading_anew(), sources, names, remarks })
    }

    /// What is wrong with the arguments themselves, before anything is watched.
    pub(super) fn refused(&self, disk: Arc<dyn Disk>) -> Option<Refused> {
        self.repository(TrackedDisk::from(disk)).err()
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
    fn disk(&self) -> &TrackedDisk {
        &self.disk
    }

    fn names(&self) -> Vec<Str> {
        self.names.clone()
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn node(&self, disk: &TrackedDisk, name: &str) -> Result<Prepared, String> {
        let mut prepared = self.sources.prepare_on(disk, &self.world, &[name.into()]);
        prepared.pop().unwrap_or_else(|| Err(format!("there is no node {name}")))
    }

    fn ready(&self, disk: TrackedDisk, environment: &str, shelf: &Shelf) -> Result<Ready, String> {
        let loaded = self.world.environment(environment)?;
        self.world.ready_on(disk, &loaded.environment, false, shelf)
    }

    fn request(&self, prepared: &Prepared, ready: &Ready) -> Result<NodeRequest, String> {
        let mut request = ready.request(prepared);
        request.collects_exported = self.world.collects_exported()?;
        Ok(request)
    }
}

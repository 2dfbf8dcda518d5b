//! An environment that is ready for the requests of its nodes.

use std::sync::Arc;

use super::node_args::Prepared;
use super::world_args::World;
use crate::builtins;
use crate::compile::NodeRequest;
use crate::compile::catalog::Site;
use crate::eval;
use crate::load::Modules;
use crate::pcore::{Digest, Timestamp, Value};
use crate::trace::{Secrets, Traces};
use crate::world::environment::Environment;
use crate::world::{Puppetfile, Remark, missing_from, nanoseconds_since_1970};

/// An environment that is ready, and what is said of it before its first catalog.
pub(super) struct Ready {
    pub(super) site: Site,
    /// What the bodies of one node were told, for the others.
    pub(super) traces: Traces,
    version: Value,
    pub(super) remarks: Vec<Remark>,
}

impl Ready {
    /// `runs_version`: the environment's own command says the version of its catalogs.
    pub(super) fn new(world: &World, environment: &Arc<Environment>, runs_version: bool) -> Result<Ready, String> {
        let strict = world.settings.strict()?;
        let folder = environment.folder.as_deref();
        let (modules, mut remarks) = Modules::list(Arc::clone(&world.disk), &environment.modulepath, folder, strict)?;
        let (listed, more) = Puppetfile::of(&*world.disk, environment)?;
        remarks.extend(more);
        let missing = listed.map(|listed| missing_from(&listed, modules.all())).unwrap_or_default();
        if !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(|listed| listed.full_name.as_str()).collect();
            remarks.push(Remark::warning(format!(
                "The Puppetfile names modules that are not there: {} (r10k puppetfile install fetches them)",
                names.join(", ")
            )));
        }
        let language = world.settings.language();
        let settings = eval::Settings {
            strict,
            strict_variables: world.settings.flag("strict_variables")?,
            ..eval::Settings::of(language)
        };
        let tasks = world.settings.flag("tasks")?;
        let site = Site::load(environment, modules, settings, tasks, builtins::all());
        let asked = if runs_version { environment.version()? } else { None };
        let seconds = i64::try_from(nanoseconds_since_1970() / 1_000_000_000).unwrap_or_default();
        let version = asked.map_or(Value::Integer(seconds), Value::from);
        let traces = Traces::new(Digest::of_text(env!("PANTIN_COMMIT")), Secrets::of_process());
        Ok(Ready { site, traces, version, remarks })
    }

    /// What a node asks, without exported resources.
    pub(super) fn request(&self, prepared: &Prepared) -> NodeRequest {
        NodeRequest {
            node: Arc::new(prepared.node.clone()),
            environment: Arc::clone(&prepared.environment),
            // Far from the ends of what a timestamp can be.
            now: Timestamp::from_nanoseconds(nanoseconds_since_1970()).unwrap_or(Timestamp::from_seconds(0)),
            version: self.version.clone(),
            collects_exported: false,
            answers: Arc::default(),
            exports: Arc::default(),
        }
    }
}

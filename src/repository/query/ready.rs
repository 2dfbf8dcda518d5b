//! An environment ready to compile its nodes.

use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::limits::MAX_NODE_SECONDS;
use pantin_compile::catalog::{EnvironmentMemos, Site};
use pantin_compile::{BodyClock, NodeRequest};
use pantin_eval::Builtins;
use pantin_hiera::MissingKey;
use pantin_model::trace::{Purpose, Secrets, Traces};
use pantin_ruby::OwnRuby;
use pantin_values::{Digest, Digester, Value};
use pantin_world::environment::Environment;
use pantin_world::load::Modules;
use pantin_world::modules::Module;
use pantin_world::settings::Settings;
use pantin_world::{
    Puppetfile, Remark, TrackedDisk, missing_data_folders, missing_from, nanoseconds_since_1970, now, other_versions,
};
use rustc_hash::FxHashMap;

use super::Prepared;

/// An environment that is ready, and what is said of it before its first catalog.
pub struct ReadyEnvironment {
    pub site: Site,
    /// What the bodies of one node were told, for the others.
    pub traces: Arc<Traces>,
    version: Value,
    /// What reading it had to say.
    pub remarks: Vec<Remark>,
    /// What Pantin alone says of it, and Puppet in no node's log: about the Puppetfile.
    pub own_remarks: Vec<Remark>,
    /// It has no manifests: that is to be said before its catalogs.
    pub lack_of_manifests: Option<Remark>,
    /// What names all that it was made of, if whoever made it has said so.
    pub shape: Option<Digest>,
    /// So many seconds of the processor each node may take.
    seconds: u64,
}

impl std::fmt::Debug for ReadyEnvironment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadyEnvironment").finish_non_exhaustive()
    }
}

/// What stays when an environment is made ready again: files as they were parsed, and traces.
#[derive(Default)]
pub struct EnvironmentShelf {
    /// Of the traces.
    purpose: Purpose,
    kept: Mutex<FxHashMap<Digest, (EnvironmentMemos, Arc<Traces>)>>,
}

impl EnvironmentShelf {
    pub fn from_purpose(purpose: Purpose) -> EnvironmentShelf {
        EnvironmentShelf { purpose, ..EnvironmentShelf::default() }
    }

    /// Of an environment with the same settings and folders, whatever is in them.
    fn take(&self, key: Digest) -> (EnvironmentMemos, Arc<Traces>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || (EnvironmentMemos::default(), Arc::new(new_traces().held_for(self.purpose)));
        kept.entry(key).or_insert_with(fresh).clone()
    }
}

fn new_traces() -> Traces {
    Traces::new(Digest::from_text(env!("PANTIN_BUILD")), Secrets::for_process())
}

/// Says which modules are there in another version than the Puppetfile names.
fn other_versions_remark(listed: &Puppetfile, modules: &[Module]) -> Option<Remark> {
    let others = other_versions(listed, modules);
    if others.is_empty() {
        return None;
    }
    let others =
        others.iter().map(|(listed, module)| format!("{} ({} is there)", listed.full_version(), module.full_version()));
    Some(Remark::warning(format!(
        "The Puppetfile names other modules than those that are there: {} (r10k puppetfile install fetches them)",
        others.collect::<Vec<_>>().join(", ")
    )))
}

impl ReadyEnvironment {
    /// `runs_version`: the environment's own command says the version of its catalogs.
    pub fn new(
        settings: &Settings,
        disk: impl Into<TrackedDisk>,
        environment: &Arc<Environment>,
        runs_version: bool,
        shelf: &EnvironmentShelf,
        functions: &'static Builtins,
    ) -> Result<ReadyEnvironment, String> {
        let disk = disk.into();
        let strict = settings.strict()?;
        let folder = environment.folder.as_deref();
        let (listed, mut own_remarks) = Puppetfile::read(&disk, environment)?;
        own_remarks.extend(folder.iter().flat_map(|folder| missing_data_folders(&disk, folder)));
        let language = settings.language();
        let own = environment.module.as_ref();
        let all = Modules::list_beside(own, disk.clone(), &environment.modulepath, folder, strict, language);
        let (modules, remarks, refused) = match all {
            Ok((modules, remarks)) => (modules, remarks, None),
            Err(reason) => (Modules::none(disk), Vec::new(), Some(reason)),
        };
        let listed = listed.filter(|_| refused.is_none());
        own_remarks.extend(listed.iter().filter_map(|listed| other_versions_remark(listed, modules.all())));
        let missing = listed.map(|listed| missing_from(&listed, modules.all())).unwrap_or_default();
        if !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(|listed| listed.full_name.as_str()).collect();
            own_remarks.push(Remark::warning(format!(
                "The Puppetfile names modules that are not there: {} (r10k puppetfile install fetches them)",
                names.join(", ")
            )));
        }
        own_remarks.extend(own.and_then(|own| own.missing_modules(modules.all())));
        let mut limits = pantin_eval::Limits::default();
        for name in Settings::limit_names() {
            limits.set(name, settings.limit(name)?);
        }
        let settings_of_code = pantin_eval::Settings {
            strict,
            limits,
            strict_variables: settings.flag("strict_variables")?,
            ..pantin_eval::Settings::from_language(language)
        };
        let tasks = settings.flag("tasks")?;
        let (worked_out, traces) = shelf.take(shelf_key(environment, settings_of_code, tasks));
        let site = Site::load(environment, modules, settings_of_code, tasks, functions, &worked_out);
        let site = site.with_refusal(refused).with_ruby_reads(settings.ruby_reads()?);
        let asked = if runs_version { environment.version()? } else { None };
        let node_seconds = settings.limit(MAX_NODE_SECONDS)?;
        let seconds = i64::try_from(nanoseconds_since_1970() / 1_000_000_000).unwrap_or_default();
        let version = asked.map_or(Value::Integer(seconds), Value::from);
        Ok(ReadyEnvironment {
            site,
            traces,
            version,
            remarks,
            own_remarks,
            lack_of_manifests: None,
            shape: None,
            seconds: node_seconds,
        })
    }

    /// What is said of it before its catalogs, in the log of each node.
    pub fn catalog_remarks(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().chain(&self.lack_of_manifests)
    }

    /// What stands for encrypted data whose key is not at hand.
    pub fn with_missing_key(self, missing_key: MissingKey) -> ReadyEnvironment {
        ReadyEnvironment { site: self.site.with_missing_key(missing_key), ..self }
    }

    /// What runs functions that want more than the small Ruby has.
    pub fn with_own_ruby(self, own_ruby: Option<Arc<dyn OwnRuby>>) -> ReadyEnvironment {
        ReadyEnvironment { site: self.site.with_own_ruby(own_ruby), ..self }
    }

    /// Each node makes all of its resources, whatever others had.
    pub fn with_nothing_alike(self) -> ReadyEnvironment {
        ReadyEnvironment { site: self.site.with_nothing_alike(), ..self }
    }

    /// So many threads read what the code names before a node gets to it.
    pub fn with_read_ahead(self, threads: usize) -> ReadyEnvironment {
        ReadyEnvironment { site: self.site.with_read_ahead(threads), ..self }
    }

    /// Who is told how long each body takes.
    pub fn with_clock(self, clock: Option<Arc<dyn BodyClock>>) -> ReadyEnvironment {
        ReadyEnvironment { site: self.site.with_clock(clock), ..self }
    }

    /// Returns what a node asks, without exported resources.
    pub fn request(&self, prepared: &Prepared) -> NodeRequest {
        NodeRequest {
            node: Arc::clone(&prepared.node),
            environment: Arc::clone(&prepared.environment),
            now: now(),
            version: self.version.clone(),
            collects_exported: false,
            answers: Arc::default(),
            exports: Arc::default(),
            seconds: self.seconds,
        }
    }
}

/// All that parsing a file, or running a body, depends on beside files and what a body asks.
fn shelf_key(environment: &Environment, settings: pantin_eval::Settings, tasks: bool) -> Digest {
    let mut digester = Digester::new(b"shelf");
    digester.item(&settings).item(&tasks).item(&environment.manifest).item(&environment.folder);
    digester.item(&environment.module.as_ref().map(|module| module.folder.clone()));
    digester.item(&environment.bindings.confdir).item(&environment.bindings.folder);
    digester.item(&environment.modulepath).finish()
}

//! Settings and environments: everything that is known before any node.
//!
//! Knows nothing of nodes and facts.

mod environments_file;
mod home;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pantin_base::limits;
use pantin_compile::EnvironmentsFile;
use pantin_hiera::MissingKey;
use pantin_ruby::OwnRuby;
use pantin_values::{Digest, Digester};
use pantin_world::environment::{Environment, Environments, LoadedEnvironment};
use pantin_world::settings::{Settings, from_folder};
use pantin_world::{Answers, Disk, MachineDisk, ModuleCheckout, Remark, TrackedDisk, absolute_path, absolute_text};

use crate::bridge::{Bridge, RecordingRuby};
use crate::environment_name;
use crate::fence;
use crate::node_compiler::WITHOUT_NODES;
use crate::node_sources::NodeSources;
use crate::options::{FunctionSet, MainManifest, OpenError, Options, RubyOptions, WorldOptions};
use crate::query::{EnvironmentShelf, ReadyEnvironment};
pub use environments_file::ChosenEnvironment;
use environments_file::environments_path;
use home::{Home, home, use_module};

/// Settings, and the environments that they lead to.
pub struct World {
    pub disk: Arc<dyn Disk>,
    pub settings: Settings,
    /// What reading the settings had to say.
    pub remarks: Vec<Remark>,
    /// The environment that is asked for.
    pub environment: String,
    /// What stands for encrypted data.
    pub missing_key: MissingKey,
    /// What runs functions that want more than the small Ruby has.
    pub own_ruby: Option<Arc<dyn OwnRuby>>,
    /// The program that it runs; empty where there is none.
    pub ruby_program: String,
    /// The functions that are known natively.
    pub functions: FunctionSet,
    /// Something else than manifests says of which classes nodes are.
    pub has_classifier: bool,
    /// Code was given that is compiled in place of the environment's: it may be for any node.
    is_code_given: bool,
    home: Home,
    /// Environments as they were read last, by their names: as long as one says the same, its nodes share it.
    loaded: Arc<Mutex<BTreeMap<String, Arc<LoadedEnvironment>>>>,
    /// Every environment is read each time.
    reads_anew: bool,
    /// The folder of settings counts.
    reads_conf: bool,
    /// The environment that somebody has typed.
    typed_environment: Option<String>,
    /// `environments.pp`, parsed.
    environments_file: Arc<Mutex<Option<Arc<EnvironmentsFile>>>>,
}

impl World {
    /// Returns what these options say, read from this disk.
    pub fn open(disk: Arc<dyn Disk>, options: &WorldOptions, main: &MainManifest) -> Result<World, OpenError> {
        let mut settings = language_settings(Arc::clone(&disk), options).map_err(OpenError::Usage)?;
        let manifest = match main {
            MainManifest::At(path) => Some(absolute_text(path)),
            MainManifest::Configured | MainManifest::Code(_) => None,
        };
        let given = [
            ("confdir", options.confdir.as_deref().map(absolute_text)),
            ("manifest", manifest),
            ("environment", options.environment.clone()),
            ("environmentpath", options.environmentpath.clone()),
            ("modulepath", options.modulepath.clone()),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let named = options.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in given.chain(named) {
            settings.set(name, &value).map_err(OpenError::Usage)?;
        }
        if let MainManifest::Code(code) = main {
            settings.set_code(code);
        }
        // A file of settings that somebody names may say where environments are.
        let names_conf = settings.is_set("confdir") || settings.is_set("config");
        let mut remarks = if names_conf { settings.read_conf()? } else { Vec::new() };
        let home = home(&options.folder, &mut settings, &*disk)?;
        let is_of_machine = matches!(home, Home::Path) && options.environmentpath.is_none();
        if is_of_machine && !names_conf {
            remarks = settings.read_conf()?;
        }
        let reads_conf = names_conf || is_of_machine;
        if let Some(name) = &options.environment {
            let origin = options.environment_origin.as_ref();
            match &home {
                Home::Folder(folder) => {
                    environment_name::check_in_folder(&MachineDisk::default(), name, origin, folder)?
                }
                // What environments.pp defines need not be a folder.
                Home::Path
                    if environments_path(&settings, reads_conf).is_some_and(|path| settings.disk().exists(&path)) => {}
                Home::Path => environment_name::check_in_path(&settings, name, origin)?,
                Home::Module(_) | Home::Nowhere => {}
            }
        }
        if let Home::Module(module) = &home {
            use_module(module, &mut settings, &*disk, main).map_err(OpenError::Usage)?;
        }
        let environment = settings.text("environment")?;
        Ok(World {
            disk,
            settings,
            remarks,
            environment,
            missing_key: MissingKey::Error,
            own_ruby: None,
            ruby_program: String::new(),
            functions: FunctionSet::default(),
            has_classifier: false,
            is_code_given: *main != MainManifest::Configured,
            home,
            loaded: Arc::default(),
            reads_anew: false,
            reads_conf,
            typed_environment: options.environment.clone(),
            environments_file: Arc::default(),
        })
    }

    /// What runs functions that need more than the small Ruby has, and what Ruby code may read.
    pub fn set_ruby(&mut self, options: &RubyOptions) -> Result<(), String> {
        let reads: Vec<PathBuf> = options.reads.iter().map(|path| absolute_path(path)).collect();
        self.settings.add_ruby_reads(&reads)?;
        let Some(program) = &options.program else { return Ok(()) };
        let seconds = self.settings.limit(limits::MAX_RUBY_SECONDS)?;
        let functions = self.settings.deterministic_functions()?;
        self.own_ruby = Some(Arc::new(Bridge::new(program, Duration::from_secs(seconds), functions)));
        self.ruby_program.clone_from(program);
        Ok(())
    }

    /// From now on what functions give that are run by a Ruby of the person's own is noted among these answers.
    pub fn record_own_ruby(&mut self, answers: &Arc<Answers>) {
        if let Some(ruby) = self.own_ruby.take() {
            self.own_ruby = Some(Arc::new(RecordingRuby { ruby, answers: Arc::clone(answers) }));
        }
    }

    /// The same world, whose environments are read each time from this disk.
    pub fn with_disk(&self, disk: &TrackedDisk) -> World {
        let disk: Arc<dyn Disk> = Arc::new(disk.clone());
        World {
            settings: self.settings.with_disk(Arc::clone(&disk)),
            disk,
            remarks: self.remarks.clone(),
            environment: self.environment.clone(),
            missing_key: self.missing_key,
            own_ruby: self.own_ruby.clone(),
            ruby_program: self.ruby_program.clone(),
            functions: self.functions,
            has_classifier: self.has_classifier,
            is_code_given: self.is_code_given,
            home: self.home.clone(),
            loaded: Arc::clone(&self.loaded),
            reads_anew: true,
            reads_conf: self.reads_conf,
            typed_environment: self.typed_environment.clone(),
            environments_file: Arc::default(),
        }
    }

    /// Digest of everything that is known before an environment is read. `folder` is named in one way wherever it lies;
    /// empty: as it is.
    pub fn shape(&self, folder: &str) -> Digest {
        let mut digester = Digester::new(b"world");
        digester.digest(self.settings.shape(folder)).text(&self.environment);
        digester.number(u64::from(self.missing_key == MissingKey::Placeholder));
        digester.number(u64::from(self.has_classifier));
        digester.text(&from_folder(&self.ruby_program, folder));
        match &self.home {
            Home::Path => digester.number(0),
            Home::Nowhere => digester.number(1),
            Home::Module(module) => digester.number(3).text(&from_folder(&module.folder.to_string_lossy(), folder)),
            Home::Folder(path) => digester.number(2).text(&from_folder(&path.to_string_lossy(), folder)),
        };
        digester.number(self.remarks.len() as u64);
        for remark in &self.remarks {
            digester.number(remark.severity as u64).text(&from_folder(&remark.text, folder));
        }
        digester.finish()
    }

    /// Returns an environment by its name, read once.
    pub fn environment(&self, name: &str) -> Result<Arc<LoadedEnvironment>, String> {
        let loaded = || self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.reads_anew
            && let Some(known) = loaded().get(name)
        {
            return Ok(Arc::clone(known));
        }
        let found = self.with_site_bindings(self.read_environment(name)?)?;
        let mut loaded = loaded();
        if let Some(known) = loaded.get(name).filter(|known| known.shape("") == found.shape("")) {
            return Ok(Arc::clone(known));
        }
        let found = Arc::new(found);
        loaded.insert(name.to_owned(), Arc::clone(&found));
        Ok(found)
    }

    /// The same environment, with the bindings of the site where the settings of a machine are read.
    fn with_site_bindings(&self, found: LoadedEnvironment) -> Result<LoadedEnvironment, String> {
        if !self.reads_conf {
            return Ok(found);
        }
        let mut environment = Environment::clone(&found.environment);
        environment.bindings.confdir = Some(PathBuf::from(self.settings.text("confdir")?));
        Ok(LoadedEnvironment { environment: Arc::new(environment), ..found })
    }

    fn read_environment(&self, name: &str) -> Result<LoadedEnvironment, String> {
        let environments = Environments { settings: &self.settings };
        match &self.home {
            Home::Folder(folder) if name == self.environment => environments.in_folder(name, folder),
            Home::Module(module) if name == self.environment => {
                let loaded = environments.without_folder(name)?;
                let mut environment = Environment::clone(&loaded.environment);
                environment.module = Some(ModuleCheckout::clone(module));
                Ok(LoadedEnvironment { environment: Arc::new(environment), ..loaded })
            }
            Home::Nowhere if name == self.environment => environments.without_folder(name),
            _ => self.in_path(environments, name),
        }
    }

    /// Returns an environment, ready for its nodes, as far as this disk tells of it.
    pub fn ready_on(
        &self,
        disk: impl Into<TrackedDisk>,
        environment: &Arc<Environment>,
        runs_version: bool,
        shelf: &EnvironmentShelf,
    ) -> Result<ReadyEnvironment, String> {
        let disk = disk.into();
        let lack_of_manifests = environment.lack_of_manifests(&disk, !self.has_classifier);
        let ready = ReadyEnvironment::new(&self.settings, disk, environment, runs_version, shelf, self.functions.0)?;
        let mut ready = ready.with_missing_key(self.missing_key).with_own_ruby(self.own_ruby.clone());
        ready.lack_of_manifests = lack_of_manifests;
        Ok(ready)
    }

    /// The same for one use, whose catalogs have the time for their version.
    pub fn ready(&self, environment: &Arc<Environment>) -> Result<ReadyEnvironment, String> {
        self.ready_on(Arc::clone(&self.disk), environment, false, &EnvironmentShelf::default())
    }

    /// The module that is compiled by itself, if it is one.
    pub fn module(&self) -> Option<&ModuleCheckout> {
        match &self.home {
            Home::Module(module) => Some(module),
            Home::Path | Home::Folder(_) | Home::Nowhere => None,
        }
    }

    /// Returns why there is nothing to compile: a module by itself that has no main class, and nobody says what else.
    pub fn lack_of_code(&self) -> Option<String> {
        let says_what = ["manifest", "code"].iter().any(|name| self.settings.is_set(name));
        self.module().filter(|_| !says_what).map(ModuleCheckout::lack_of_main_class)
    }

    /// `Err`: there is nothing that could be compiled for a node that nobody has named.
    pub fn check_unnamed_node(&self) -> Result<(), OpenError> {
        if self.is_code_given {
            return Ok(());
        }
        // Where there is no repository at all, that is what has to be said.
        self.environment(&self.environment)?;
        Err(OpenError::Usage(WITHOUT_NODES.to_owned()))
    }

    /// Returns true if environments are in the folders of the settings.
    pub fn is_in_path(&self) -> bool {
        matches!(self.home, Home::Path)
    }

    /// Returns true if code and data of a repository or of a module count.
    pub fn is_in_repository(&self) -> bool {
        !matches!(self.home, Home::Nowhere)
    }

    /// Returns true if environments are looked for in the folders of the setting `environmentpath`.
    pub(crate) fn is_in_environmentpath(&self) -> bool {
        matches!(self.home, Home::Path)
    }

    /// Returns true if there is something that stores what nodes export.
    pub fn collects_exported(&self) -> Result<bool, String> {
        self.settings.flag("storeconfigs")
    }

    /// Returns true if an environment of this name may be looked for: where one folder is all there is, it is the one.
    pub fn knows(&self, name: &str) -> bool {
        name == self.environment || matches!(self.home, Home::Path)
    }

    fn in_path(&self, environments: Environments<'_>, name: &str) -> Result<LoadedEnvironment, String> {
        let found = environments.load(name)?;
        // The real one would go on with an environment in which there is nothing at all.
        let is_empty = found.environment.folder.is_none() && !self.settings.is_set("environmentpath");
        let brings_its_own = ["manifest", "code"].iter().any(|name| self.settings.is_set(name));
        if is_empty && !brings_its_own {
            return Err(format!(
                "there is no control repository around this folder (a folder with an environment.conf, a Puppetfile, or \
                 manifests beside modules, site, data or hiera.yaml), and no environment '{name}' in {}; \
                 --environment-dir names one",
                self.settings.text("environmentpath")?
            ));
        }
        Ok(found)
    }
}

/// Settings as the options for the language have them.
fn language_settings(disk: Arc<dyn Disk>, options: &WorldOptions) -> Result<Settings, String> {
    let mut settings = Settings::new(options.language.unwrap_or_default(), disk).with_run_mode(options.run_mode);
    if let Some(strict) = options.strict {
        settings.set("strict", strict.name())?;
    }
    if options.tasks {
        settings.set("tasks", "true")?;
    }
    Ok(settings)
}

/// Settings and sources of these options, read from this disk; which nodes have facts, from another view of it.
pub fn open_world(
    options: &Options,
    disk: Arc<dyn Disk>,
    facts_disk: &dyn Disk,
) -> Result<(World, NodeSources), OpenError> {
    fence::check(options)?;
    let mut world = World::open(disk, &options.world, &options.main)?;
    let sources = NodeSources::open(&mut world, facts_disk, &options.nodes)?;
    world.set_ruby(&options.ruby)?;
    world.missing_key = options.catalogs.missing_key.unwrap_or_default();
    world.functions = options.functions;
    Ok((world, sources))
}

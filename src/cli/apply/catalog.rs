//! Where the catalog comes from that is applied: compiled here for this machine, or read.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pantin_apply::Level;
use pantin_compile::{Request, deferred_functions};
use pantin_machine::{RealSystem, Stop};
use pantin_model::catalog::Catalog;
use pantin_repository::answer::Outcome;
use pantin_repository::options::{FactSource, MainManifest, NodeOptions, OpenError, Options};
use pantin_repository::timings::Timings;
use pantin_repository::{AnswerNeeds, Repository};
use pantin_values::Str;
use pantin_world::environment;
use pantin_world::settings::RunMode;
use pantin_world::{MachineDisk, absolute_path};

use super::Arguments;
use super::console::Destinations;
use super::facts::machine_facts;
use super::machine_settings::MachineSettings;
use super::sources::modules_in;
use crate::nodes::catalog_output::catalog_data;
use crate::print::console_log::ConsoleLog;

/// A catalog to be applied.
pub(super) struct ObtainedCatalog {
    pub catalog: Catalog,
    /// The modules whose files it may copy.
    pub modules: Vec<(String, PathBuf)>,
    pub environment: String,
    /// How long it took to compile.
    pub seconds: f64,
    /// Where its deferred values find their functions; `None` if it has no such values.
    pub functions: Option<Request>,
}

/// Why there is none.
pub(super) enum NoCatalog {
    /// It was said already.
    Told,
    Refused(OpenError),
}

impl From<OpenError> for NoCatalog {
    fn from(error: OpenError) -> NoCatalog {
        NoCatalog::Refused(error)
    }
}

impl From<String> for NoCatalog {
    fn from(message: String) -> NoCatalog {
        NoCatalog::Refused(OpenError::Failed(message))
    }
}

impl From<io::Error> for NoCatalog {
    fn from(error: io::Error) -> NoCatalog {
        NoCatalog::Refused(OpenError::Failed(error.to_string()))
    }
}

/// Gets the catalog of this machine.
pub(super) fn obtain(
    arguments: &Arguments,
    (settings, main): (&MachineSettings, MainManifest),
    machine: &RealSystem,
    console: &ConsoleLog,
    log: &Destinations<'_>,
) -> Result<ObtainedCatalog, NoCatalog> {
    match &arguments.catalog {
        Some(file) => read(arguments, settings, file, machine, log),
        None => compile(arguments, (settings, main), machine, console, log),
    }
}

fn read(
    arguments: &Arguments,
    settings: &MachineSettings,
    file: &Path,
    machine: &RealSystem,
    log: &Destinations<'_>,
) -> Result<ObtainedCatalog, NoCatalog> {
    let named = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", file.display());
    let text = if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| named(&error))?;
        text
    } else {
        std::fs::read_to_string(file).map_err(|error| named(&error))?
    };
    let catalog = match Catalog::read(&text) {
        Ok(catalog) => catalog,
        Err(malformed) => {
            log.say(Level::Err, &format!("Could not deserialize catalog from json: {malformed}"));
            return Err(NoCatalog::Told);
        }
    };
    let folders: Vec<PathBuf> =
        arguments.repository.modulepath().iter().flat_map(|folders| folders.split(':')).map(PathBuf::from).collect();
    let modules = modules_in(machine, &folders);
    let environment =
        if catalog.environment.is_empty() { "production".to_owned() } else { catalog.environment.clone() };
    let functions = match deferred_functions(&catalog).is_empty() {
        true => None,
        false => {
            let options = options(arguments, settings, machine, MainManifest::Code(String::new()), log)?;
            let repository = Repository::open(&options, &arguments.cache.options(), Timings::none())?;
            Some(functions_of(&repository, &settings.certname)?)
        }
    };
    Ok(ObtainedCatalog { catalog, modules, environment, seconds: 0.0, functions })
}

/// Refuses an environment that is not there, also where nothing of it is needed.
fn check_environment(arguments: &Arguments, settings: &MachineSettings) -> Result<(), String> {
    let Some((name, folders)) = arguments.repository.named_environment() else { return Ok(()) };
    let folders = folders.map_or_else(|| settings.text("environmentpath"), |folders| Ok(folders.to_owned()))?;
    let is_there = folders.split(':').any(|folder| Path::new(folder).join(name).is_dir());
    if is_there { Ok(()) } else { Err(environment::not_found(name, &folders)) }
}

/// Returns what the functions of a node's environment are called by.
fn functions_of(repository: &Repository, node: &str) -> Result<Request, NoCatalog> {
    let inputs = repository.inputs(node).map_err(|error| error.to_string())?;
    Ok(inputs.program_request().map_err(|error| error.to_string())?)
}

/// Returns the options of the compiler: what is evaluated first, and the facts of this machine if none are given.
fn options(
    arguments: &Arguments,
    settings: &MachineSettings,
    machine: &RealSystem,
    main: MainManifest,
    log: &Destinations<'_>,
) -> Result<Options, OpenError> {
    let mut options = arguments.repository.options(main)?;
    options.world.run_mode = RunMode::for_current_user();
    if options.nodes.facts.is_empty() && options.nodes.node_file.is_none() {
        let found = machine_facts(machine, arguments.root.as_deref(), settings, &Stop::default())?;
        found.troubles.iter().for_each(|trouble| log.say(Level::Err, trouble));
        let source = FactSource::Known(Str::from(settings.certname.as_str()), found.facts);
        options.nodes = NodeOptions { facts: vec![source], ..options.nodes };
    }
    Ok(options)
}

fn compile(
    arguments: &Arguments,
    (settings, main): (&MachineSettings, MainManifest),
    machine: &RealSystem,
    console: &ConsoleLog,
    log: &Destinations<'_>,
) -> Result<ObtainedCatalog, NoCatalog> {
    if let Some(manifest) = &arguments.manifest
        && !absolute_path(manifest).exists()
    {
        log.say(Level::Err, &format!("Could not find file {}", manifest.display()));
        return Err(NoCatalog::Told);
    }
    check_environment(arguments, settings)?;
    let options = options(arguments, settings, machine, main, log)?;
    let mut repository = Repository::open(&options, &arguments.cache.options(), Timings::none())?;
    console.remarks(&repository.compiler.world.remarks);
    if let Some(reason) = repository.compiler.world.lack_of_code() {
        return Err(NoCatalog::Refused(OpenError::Usage(reason)));
    }
    repository.enable_read_ahead();
    repository.open_store();
    let node = match arguments.certname.as_deref() {
        None if options.nodes.facts.iter().any(|source| matches!(source, FactSource::At(_))) => {
            repository.one_node(None).unwrap_or_else(|_| Str::from(settings.certname.as_str()))
        }
        _ => Str::from(settings.certname.as_str()),
    };
    let needs = AnswerNeeds { catalog: true, reasons: false };
    let answer = repository.answer(&node, needs).map_err(|error| error.to_string())?;
    for line in answer.head.all_lines() {
        log.say_compiled(line.level, &line.text);
    }
    if let Outcome::Failure(failure) = &answer.head.outcome {
        match failure.detail.is_some() && console.is_for_person() {
            true => console.failure(failure, &MachineDisk::default()),
            false => log.say(Level::Err, &failure.text),
        }
        return Err(NoCatalog::Told);
    }
    let environment = answer.head.environment.clone();
    let Some(answered) = &answer.catalog else { return Err(NoCatalog::from("there is no catalog".to_owned())) };
    let catalog = catalog_data(answered)?.into_owned();
    let text = format!("Compiled catalog for {node} in environment {environment} in {:.2} seconds", answer.seconds);
    log.say(Level::Notice, &text);
    let modulepath = repository.compiler.world.environment(&environment)?.environment.modulepath.clone();
    let (modules, seconds) = (modules_in(machine, &modulepath), answer.seconds);
    let functions = match deferred_functions(&catalog).is_empty() {
        true => None,
        false => Some(functions_of(&repository, &node)?),
    };
    arguments.repository.close(&mut repository, console)?;
    Ok(ObtainedCatalog { catalog, modules, environment, seconds, functions })
}

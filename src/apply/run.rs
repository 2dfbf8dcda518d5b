//! A run: resources are made of a catalog, the transaction walks through them, and state and report are written.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use pantin_machine::{ReadOnly, Stop, System, Time};
use pantin_model::catalog::Catalog;
use pantin_model::graph::{Graph, Vertex, Walk};
use pantin_values::Value;

use crate::deferred::{DeferredValues, resolve_catalog, resolve_where_possible};
use crate::failure::{Failure, place_suffix};
use crate::known_sums::KnownSums;
use crate::log::{Level, Log, LogSink};
use crate::plan::{DriftMode, Plan};
use crate::provider::Providers;
use crate::report::{Report, Status};
use crate::resource::ResourceInfo;
use crate::settings::ApplySettings;
use crate::sources::Sources;
use crate::state::{Applied as AppliedTable, LockError, MachineState, StateFile, TableAccess, take_lock};
use crate::transaction::{Prepared, Seeds, Surroundings, Transaction, Walked, prepare};
use crate::types::{execute, required_file};
use crate::value::text;

/// What is asked of a run.
#[derive(Clone)]
pub struct ApplyRequest<'a> {
    pub catalog: Catalog,
    pub settings: &'a ApplySettings,
    pub machine: &'a dyn System,
    pub sources: &'a dyn Sources,
    pub deferred: &'a dyn DeferredValues,
    pub stop: &'a Stop,
    pub sink: &'a dyn LogSink,
    /// When the command began.
    pub begin: Time,
    /// How long it took to get the catalog.
    pub retrieval_seconds: f64,
    /// Names the run in its report.
    pub transaction_uuid: String,
    /// Names the catalog there.
    pub catalog_uuid: String,
}

/// What came of a run.
pub struct Applied {
    /// `None`: the catalog was refused, and nothing was applied.
    pub report: Option<Report>,
    /// The run did not come to its end.
    pub has_failed: bool,
    /// The signal that ended it.
    pub stopped: Option<i32>,
    /// What was selected of a partial run, and why.
    pub plan: Plan,
}

/// Brings a machine into the state that a catalog describes. An error is one of writing state; what goes wrong with resources is
/// told by the log and the report.
pub fn apply(request: ApplyRequest<'_>) -> io::Result<Applied> {
    let ApplyRequest { catalog, settings, machine, sources, deferred, stop, sink, .. } = &request;
    let log = Log::new(*sink, *machine, settings.level);
    let (providers, no_sums) = (Providers::default(), KnownSums::nothing());
    let around = Surroundings {
        machine: *machine,
        settings,
        sources: *sources,
        deferred: *deferred,
        stop,
        log: &log,
        providers: &providers,
        sums: &no_sums,
    };
    let mut catalog = catalog.clone();
    let scope = &settings.scope;
    let resolved = match settings.preprocess_deferred {
        true => resolve_catalog(&mut catalog, *deferred),
        false => Ok(()),
    };
    if scope.is_partial && !scope.is_plan {
        resolve_where_possible(&mut catalog, *deferred);
    }
    let prepared = match resolved.and_then(|()| prepare(catalog, around)).and_then(checked_relations) {
        Ok(prepared) => prepared,
        Err(failure) => {
            log.bare(Level::Err, failure.log_text(None));
            return Ok(Applied { report: None, has_failed: true, stopped: None, plan: Plan::default() });
        }
    };
    let _lock = match lock(settings, *machine, stop)? {
        Ok(lock) => lock,
        Err(held) => {
            log.bare(Level::Notice, held);
            return Ok(Applied { report: None, has_failed: true, stopped: None, plan: Plan::default() });
        }
    };
    let history = open_history(settings, *machine, &log)?;
    let sums = history.as_ref().map_or_else(KnownSums::nothing, |history| {
        KnownSums::open(*machine, history.file_of_sums(), settings.reads_all_files)
    });
    let around = Surroundings { sums: &sums, ..around };
    let file = state_file(settings);
    let mut state = match settings.scope.is_plan {
        // A broken one is put aside by runs, and not by plans.
        true => load_state(file.as_ref(), &ReadOnly(*machine), &log).unwrap_or_default(),
        false => load_state(file.as_ref(), *machine, &log)?,
    };
    // What was said before the report began is not in it.
    log.take_lines();
    log.bare(Level::Info, format!("Using environment '{}'", settings.environment));
    let is_begun = run_command("prerun_command", &settings.prerun_command, around);
    let (mut walked, mut times) = match is_begun {
        true => walk_and_record(prepared, around, (&mut state, history), file.as_ref())?,
        false => (Walked::default(), Vec::new()),
    };
    let plan = std::mem::take(&mut walked.plan);
    let is_ended = run_command("postrun_command", &settings.postrun_command, around);
    let has_failed = walked.failure.is_some() || walked.stopped.is_some() || !is_begun || !is_ended;
    times.insert(0, ("config_retrieval", request.retrieval_seconds));
    let stopped = walked.stopped;
    let report = Report::new(&request, walked, log.take_lines(), times);
    Ok(Applied { report: Some(report), has_failed, stopped, plan })
}

/// Walks through all resources, and writes what Puppet keeps of them. With how long it took.
fn walk_and_record(
    prepared: Prepared,
    around: Surroundings<'_>,
    (state, history): (&mut MachineState, Option<AppliedTable<'_>>),
    file: Option<&StateFile>,
) -> io::Result<(Walked, Vec<(&'static str, f64)>)> {
    let Surroundings { machine, log, settings, .. } = around;
    let begin = machine.now();
    let version = prepared.catalog.version.clone();
    let catalog = prepared.catalog.clone();
    let Selected { prepared, seeds, full_because, graph } =
        prepare_selection(prepared, &catalog, around, history.as_ref());
    if let Some(reason) = &full_because {
        log.bare(Level::Notice, format!("All resources are applied: {reason}"));
    }
    if version != Value::Undef {
        log.bare(Level::Info, format!("Applying configuration version '{}'", text(&version)));
    }
    let mut walked = walk(prepared, graph, around, (&mut *state, history), seeds);
    walked.plan.full_because = full_because;
    let evaluation_seconds = machine.now().seconds_since(begin);
    if let Some(file) = file.filter(|_| !settings.scope.is_plan) {
        if !file.exists(machine) {
            log.bare(Level::Info, format!("Creating state file {}", file.path.display()));
        }
        file.store(machine, state, settings.state_lifetime)?;
    }
    if !settings.scope.is_plan {
        machine.sync_folders()?;
    }
    if !settings.scope.is_plan && !settings.noop {
        let is_whole = walked.is_completed && (!settings.scope.is_partial || walked.plan.full_because.is_some());
        around.sums.store(machine, is_whole)?;
    }
    if let Some(error) = walked.history_error.take() {
        log.bare(Level::Err, format!("What was applied could not be recorded: {error}"));
    }
    let application_seconds = machine.now().seconds_since(begin);
    let mut times = Vec::new();
    match (&walked.failure, walked.stopped) {
        (Some(failure), _) => {
            log.bare(Level::Err, failure.log_text(Some(&format!("Failed to apply catalog: {failure}"))));
        }
        (None, stopped) => {
            if stopped.is_none() {
                log.bare(Level::Notice, format!("Applied catalog in {application_seconds:.2} seconds"));
                tell_selection(&walked.plan, settings, log);
            }
            times.push(("transaction_evaluation", evaluation_seconds));
            times.push(("catalog_application", application_seconds));
        }
    }
    Ok((walked, times))
}

/// A catalog with what its resources have made, and what is applied of it.
struct Selected<'c> {
    prepared: Prepared,
    /// The resources that a partial run begins with.
    seeds: Option<Seeds>,
    /// Why a full run is made although a partial one was asked for.
    full_because: Option<String>,
    /// The graph of the catalog, if resources have made nothing and somebody needed it.
    graph: Option<Graph<'c>>,
}

/// Finds out what a partial run begins with, and lets resources make others: all of them in a full run. `catalog`: without what they
/// make.
fn prepare_selection<'c>(
    mut prepared: Prepared,
    catalog: &'c Catalog,
    around: Surroundings<'_>,
    history: Option<&AppliedTable<'_>>,
) -> Selected<'c> {
    let scope = &around.settings.scope;
    let full_because = match (scope.is_partial, history) {
        (false, _) => {
            let prepared = prepared.generate(around, |_| true);
            return Selected { prepared, seeds: None, full_because: None, graph: None };
        }
        (true, _) if scope.is_full => Some("--full".to_owned()),
        (true, None) => Some("there is no state of earlier runs".to_owned()),
        (true, Some(history)) => match history.headers() {
            (Some(table), own) if table.boot != own.boot => {
                Some("the machine was started anew since the last run".to_owned())
            }
            _ => None,
        },
    };
    let Some(history) = history.filter(|_| full_because.is_none()) else {
        let prepared = prepared.generate(around, |_| true);
        return Selected { prepared, seeds: None, full_because, graph: None };
    };
    let graph = Graph::with_files_of_modules(catalog, required_file);
    let walk = Walk::from_graph(&graph);
    let seeds = prepared.find_seeds(&walk, around, history);
    let makers = match scope.drift {
        Some(DriftMode::Mend) => None,
        _ => Some(prepared.makers(&walk, &seeds)),
    };
    let is_maker = |reference: &str| makers.as_ref().is_none_or(|makers| makers.contains(reference));
    let prepared = prepared.generate(around, is_maker);
    let graph = prepared.declared_order.is_none().then_some(graph);
    Selected { prepared, seeds: Some(seeds), full_because: None, graph }
}

/// Tells what a partial run has done and left alone.
fn tell_selection(plan: &Plan, settings: &ApplySettings, log: &Log<'_>) {
    let scope = &settings.scope;
    if !scope.is_partial || scope.is_plan || plan.full_because.is_some() {
        return;
    }
    let (seeds, looked_at, left_alone) = (plan.seeds.len(), plan.looked_at.len(), plan.left_alone);
    let plural = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let seeds = plural(seeds, "resource", "resources");
    log.bare(
        Level::Notice,
        format!("Only what changed: {seeds} of the edit, {looked_at} that follow from it, {left_alone} left alone"),
    );
    if !plan.drifted.is_empty() {
        log.bare(Level::Notice, format!("Changed by others: {}", plan.drifted.join(", ")));
    }
    let pruned = &plan.pruned;
    let left: Vec<&str> = plan.removed.iter().filter(|name| !pruned.contains(name)).map(String::as_str).collect();
    if !left.is_empty() {
        log.bare(Level::Notice, format!("No longer in the catalog, and left on the machine: {}", left.join(", ")));
    }
}

/// Runs the command of a setting, if it has one. Returns false, and says why, if the run cannot go on.
fn run_command(setting: &str, command: &str, around: Surroundings<'_>) -> bool {
    if command.is_empty() || around.settings.scope.is_plan {
        return true;
    }
    match execute(command, around.machine, around.stop) {
        Ok(()) => true,
        Err(reason) => {
            around.log.bare(Level::Err, format!("Could not run command from {setting}: {reason}"));
            false
        }
    }
}

/// Returns where Puppet keeps what it knows of resources.
fn state_file(settings: &ApplySettings) -> Option<StateFile> {
    let folder = settings.state.as_ref()?;
    let path = settings.puppet_state.clone().unwrap_or_else(|| folder.join("state.yaml"));
    Some(StateFile { path })
}

/// Takes the lock of the machine's state, or says who has it.
fn lock(
    settings: &ApplySettings,
    machine: &dyn System,
    stop: &Stop,
) -> io::Result<Result<Option<pantin_machine::Lock>, String>> {
    let takes_none = settings.takes_no_lock || settings.scope.is_plan;
    let Some(state) = settings.state.as_ref().filter(|_| !takes_none) else { return Ok(Ok(None)) };
    match take_lock(machine, state, settings.lock_wait, stop) {
        Ok(lock) => Ok(Ok(Some(lock))),
        Err(LockError::Held(held)) => Ok(Err(held)),
        Err(LockError::Io(error)) => Err(error),
    }
}

/// Opens what is known of earlier runs of this entry.
fn open_history<'m>(
    settings: &ApplySettings,
    machine: &'m dyn System,
    log: &Log<'_>,
) -> io::Result<Option<AppliedTable<'m>>> {
    let Some(state) = &settings.state else { return Ok(None) };
    let entry = format!("{}\n{}", settings.certname, settings.entry);
    let access = if settings.scope.is_plan { TableAccess::Read } else { TableAccess::Write };
    let (history, said) = AppliedTable::open(machine, state, &entry, access)?;
    said.into_iter().for_each(|said| log.bare(Level::Warning, said));
    Ok(Some(history))
}

fn load_state(file: Option<&StateFile>, machine: &dyn System, log: &Log<'_>) -> io::Result<MachineState> {
    let Some(file) = file else { return Ok(MachineState::default()) };
    let (state, said) = file.load(machine)?;
    if let Some(said) = said {
        let level = if said.ends_with("ignoring") { Level::Warning } else { Level::Err };
        log.bare(level, said);
    }
    Ok(state)
}

/// Refuses a catalog in which a resource is related to one that is not there.
fn checked_relations(prepared: Prepared) -> Result<Prepared, Failure> {
    let missing = Graph::missing_relations(&prepared.catalog);
    match missing.first() {
        None => Ok(prepared),
        Some(missing) => {
            let resource = prepared.catalog.resources.get(missing.resource as usize);
            let place = place_suffix(resource.and_then(|resource| resource.place.as_ref()));
            Err(Failure::new(format!("{}{place}", missing.message(&prepared.catalog))))
        }
    }
}

/// Walks through the graph, unless it has a cycle.
fn walk<'a>(
    prepared: Prepared,
    known: Option<Graph<'_>>,
    around: Surroundings<'a>,
    records: (&'a mut MachineState, Option<AppliedTable<'a>>),
    seeds: Option<Seeds>,
) -> Walked {
    let catalog = prepared.catalog.clone();
    let graph = known.unwrap_or_else(|| Graph::with_files_of_modules(&catalog, required_file));
    let cycles = graph.cycles();
    if cycles.is_empty() {
        let walk = Walk::from_graph(&graph);
        return Transaction::new(prepared, &graph, walk, around, records, seeds).run();
    }
    around.log.bare(Level::Err, graph.message(&cycles, None));
    let now = around.machine.now();
    let mut members: Vec<u32> = Vec::new();
    for vertex in cycles.iter().flat_map(|cycle| &cycle.members) {
        match vertex {
            Vertex::Resource(at) if !members.contains(at) => members.push(*at),
            _ => {}
        }
    }
    let failed = |at: u32| -> Option<(Arc<ResourceInfo>, Status)> {
        let mut status = Status::new(now);
        status.fail("resource is part of a dependency cycle", now);
        Some((Arc::clone(&prepared.resources.get(at as usize)?.info), status))
    };
    Walked {
        nodes: members.into_iter().filter_map(failed).collect(),
        has_failed_to_generate: prepared.has_failed_to_generate,
        is_completed: false,
        failure: Some(Failure::new("One or more resource dependency cycles detected in graph")),
        stopped: None,
        history_error: None,
        plan: Plan::default(),
    }
}

impl ApplySettings {
    /// Returns where a file of the state lies.
    pub fn state_file(&self, name: &str) -> Option<PathBuf> {
        self.state.as_ref().map(|folder| folder.join(name))
    }
}

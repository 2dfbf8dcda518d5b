//! The ways to come by what the nodes of a repository are told. All must come to the same, byte by byte.
//!
//! A further way is a type that implements [`Way`], and a line in [`all`].

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use pantin::compile::{CompileError, Exchange, LogLine, settle};
use pantin::eval::builtins::stdlib::{Behaviour, KnownFiles};
use pantin::eval::{Builtins, builtins};
use pantin::model::catalog::{Catalog, Sent};
use pantin::repository::inventory::OptionsInventory;
use pantin::repository::options as repository;
use pantin::repository::options::FunctionSet;
use pantin::repository::query::{Answer, AnswerFailure, Engine, EnvironmentShelf, Inventory, ReadyEnvironment};
use pantin::values::Value;
use pantin::world::{ExportedResource, MachineDisk, Remark, Touched, TrackedDisk};

use super::kinds::STAND_IN;

/// What is watched: the options that say so, in which `{}` stands for the folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options(pub(crate) &'static [&'static str]);

/// All that is known of the nodes is in the folder. Exports are those of the fleet itself, for every node.
pub(crate) const OPTIONS: Options = Options(&[
    "--environment-dir",
    "{}",
    "--facts",
    "{}/facts",
    "--confdir",
    "{}/conf",
    "--enc",
    "/bin/false",
    "--enc-answers",
    "{}/enc",
]);

/// Those that the command has, and those of stdlib that the tests write.
fn functions() -> &'static Builtins {
    static FUNCTIONS: LazyLock<Builtins> =
        LazyLock::new(|| builtins::with_stdlib_files(KnownFiles::published().with_file(STAND_IN, Behaviour::Nine)));
    &FUNCTIONS
}

impl Options {
    fn inventory(self, folder: &Path) -> Arc<dyn Inventory> {
        let options = self.plain(folder);
        Arc::new(OptionsInventory { options, nodes: Vec::new(), timings: None })
    }

    /// The same as the engine takes them.
    fn plain(self, folder: &Path) -> repository::Options {
        let mut plain = repository::Options { functions: FunctionSet(functions()), ..repository::Options::default() };
        let given = self.of(folder);
        for pair in given.chunks(2) {
            let [option, value] = pair else { panic!("{option:?} has no value", option = pair) };
            match option.as_str() {
                "--environment-dir" => plain.world.folder = repository::EnvironmentFolder::At(value.into()),
                "--facts" => plain.nodes.facts = vec![repository::FactSource::At(value.into())],
                "--environmentpath" => plain.world.environmentpath = Some(value.clone()),
                "--confdir" => plain.world.confdir = Some(value.into()),
                "--enc" => plain.nodes.enc.command = Some(value.clone()),
                "--enc-answers" => plain.nodes.enc.answers = Some(value.into()),
                "--exported" if value == "fleet" => plain.catalogs.exported = repository::ExportedSource::Fleet,
                other => panic!("these tests know no {other}"),
            }
        }
        plain
    }

    pub(crate) fn of(self, folder: &Path) -> Vec<String> {
        let folder = folder.to_str().unwrap();
        self.0.iter().map(|option| option.replace("{}", folder)).collect()
    }
}

/// What each node is told, or why nothing can be said: remarks, log, and the catalog or the error.
pub(crate) type Told = Vec<(String, String)>;

/// A way to come by it.
pub(crate) trait Way {
    fn name(&self) -> &'static str;

    /// What is told of the folder as it stands now.
    fn told(&mut self) -> Told;

    /// How many catalogs were patched for it, in all.
    fn patched(&self) -> usize;
}

/// All ways that keep something from one state to the next.
pub(crate) fn all(options: Options, folder: &Path) -> Vec<Box<dyn Way>> {
    vec![
        Box::new(Warm::new("warm", options, folder)),
        Box::new(Warm::new("warm, in parallel", options, folder).in_parallel()),
        Box::new(Warm::new("warm, some first", options, folder).in_parallel().with_some_first()),
        Box::new(Warm::new("warm, without patching", options, folder).in_parallel().without_patching()),
    ]
}

/// With nothing kept: no engine, no traces, every file read anew. This is what is right.
pub(crate) fn afresh(options: Options, folder: &Path) -> Told {
    let disk = TrackedDisk::from(Arc::new(MachineDisk::default()));
    let opened = match options.inventory(folder).open(disk.with_own_reads()) {
        Ok(opened) => opened,
        Err(reason) => return nothing(&reason),
    };
    let mut environments = BTreeMap::new();
    let mut answer = |name: &str, exports: Option<Vec<ExportedResource>>| -> Result<(String, Exchange), String> {
        let prepared = opened.node(&disk, name)?;
        let environment = prepared.environment.shape();
        let get_ready = || {
            let wanted = prepared.wanted_environment();
            let ready = opened.ready(disk.with_own_reads(), wanted, &EnvironmentShelf::default());
            ready.map(ReadyEnvironment::with_nothing_alike)
        };
        let ready = environments.entry(environment).or_insert_with(get_ready).as_ref().map_err(String::clone)?;
        let mut request = opened.request(&prepared, ready)?;
        request.collects_exported |= exports.is_some();
        request.exports = exports.map_or(request.exports, Arc::new);
        // To record each evaluation changes nothing.
        let compiled = match name.len() % 2 {
            0 => ready.site.compile(&request, None),
            _ => ready.site.compile_recorded(&request).0,
        };
        let remarks = ready.remarks.iter().chain(&ready.own_remarks).chain(&prepared.remarks);
        let log = [&prepared.log[..], &compiled.log].concat();
        let told = text(remarks, &log, compiled.result.as_ref().map_err(error));
        Ok((told, compiled.exchange))
    };
    let mut told = |name: &str, exports| {
        let answered = answer(name, exports).unwrap_or_else(|reason| (text([], &[], Err(reason)), Exchange::default()));
        ((name.to_owned(), answered.0), answered.1)
    };
    let names = opened.names();
    let mut all: Told = match opened.exchanges() {
        false => names.iter().map(|name| told(name, None).0).collect(),
        true => settled(names.len(), |at, exports| told(&names[at], Some(exports))),
    };
    all.extend(opened.remarks().iter().map(|remark| ("all".to_owned(), remark.text.clone())));
    all
}

/// What nodes are told that collect what the others export, when that has settled.
fn settled(nodes: usize, mut told: impl FnMut(usize, Vec<ExportedResource>) -> ((String, String), Exchange)) -> Told {
    let mut all: BTreeMap<usize, (String, String)> = BTreeMap::new();
    settle(nodes, (0..nodes).collect(), |_, wanted, exports| {
        let mut tell = |at: &usize| {
            let (text, exchange) = told(*at, exports.clone());
            all.insert(*at, text);
            (*at, exchange)
        };
        ControlFlow::Continue(wanted.iter().map(&mut tell).collect())
    });
    all.into_values().collect()
}

/// What an engine answers, and what opening the repository had to say.
pub(crate) type Answers = (Vec<Arc<Answer>>, Vec<Remark>);

/// An engine that is told when to look again.
pub(crate) struct Warm {
    name: &'static str,
    engine: Engine,
    in_parallel: bool,
    some_first: bool,
    patched: usize,
}

impl Warm {
    pub(crate) fn new(name: &'static str, options: Options, folder: &Path) -> Warm {
        let engine = Engine::new(Arc::new(MachineDisk::default()), options.inventory(folder));
        Warm { name, engine, in_parallel: false, some_first: false, patched: 0 }
    }

    /// All nodes are asked at once, and traces of code that is gone are dropped.
    pub(crate) fn in_parallel(self) -> Warm {
        Warm { in_parallel: true, engine: self.engine.sweeping_always(), ..self }
    }

    /// No catalog is patched: each affected node is compiled.
    fn without_patching(self) -> Warm {
        Warm { engine: self.engine.without_patching(), ..self }
    }

    /// And half of them before that, as somebody looks at them.
    fn with_some_first(self) -> Warm {
        Warm { some_first: true, ..self }
    }

    /// Takes in what was edited.
    pub(crate) fn look(&mut self) {
        self.engine.refresh(&Touched::Everything);
    }

    /// Half of the nodes are asked, and what was edited since is not looked at.
    pub(crate) fn answer_some(&mut self) -> Result<(), Arc<str>> {
        let (names, _) = self.engine.names()?;
        self.engine.answers_of(&names[names.len() / 2..]);
        Ok(())
    }

    /// Whatever may have been edited is looked at.
    pub(crate) fn answers(&mut self) -> Result<Answers, Arc<str>> {
        self.engine.refresh(&Touched::Everything);
        let (names, remarks) = self.engine.names()?;
        if self.some_first {
            self.engine.answers_of(&names[names.len() / 2..]);
        }
        if !self.in_parallel {
            names.iter().for_each(|name| drop(self.engine.answers_of(std::slice::from_ref(name))));
        }
        let answers = self.engine.answers(&names).answers;
        self.engine.free_unused();
        Ok((answers, remarks))
    }
}

impl Way for Warm {
    fn name(&self) -> &'static str {
        self.name
    }

    fn told(&mut self) -> Told {
        match self.answers() {
            Ok((answers, remarks)) => {
                self.patched += answers.iter().filter(|answer| answer.is_patched()).count();
                told(&answers, &remarks)
            }
            Err(reason) => nothing(&reason),
        }
    }

    fn patched(&self) -> usize {
        self.patched
    }
}

pub(crate) fn told(answers: &[Arc<Answer>], remarks: &[Remark]) -> Told {
    let answers = answers.iter().map(|answer| {
        let result = answer.result.as_ref().map(|catalog| catalog.read().expect("it was compiled"));
        let result = result.as_deref().map_err(|failed| match failed {
            AnswerFailure::Compiling(ended) => error(ended),
            AnswerFailure::Stored(report) => report.text.clone(),
            AnswerFailure::Reading(reason) => reason.clone(),
        });
        (answer.node.to_string(), text(&answer.remarks, &answer.log, result))
    });
    answers.chain(remarks.iter().map(|remark| ("all".to_owned(), remark.text.clone()))).collect()
}

/// The repository cannot be opened.
pub(crate) fn nothing(reason: &str) -> Told {
    vec![("all".to_owned(), reason.to_owned())]
}

/// What went wrong, and what may help.
fn error(ended: &CompileError) -> String {
    let help = ended.failure.as_ref().and_then(|failure| failure.help.as_deref());
    help.map_or_else(|| ended.text.clone(), |help| format!("{}; {help}", ended.text))
}

/// Without what is never the same twice: the version of the catalog, which is the time, and its number.
fn text<'a>(
    remarks: impl IntoIterator<Item = &'a Remark>,
    log: &[LogLine],
    result: Result<&Catalog, String>,
) -> String {
    let mut lines: Vec<String> = remarks.into_iter().map(|remark| format!("{remark:?}")).collect();
    lines.extend(log.iter().map(|line| format!("{:?} {}", line.level, line.text)));
    lines.push(match result {
        Ok(catalog) => {
            let mut catalog = catalog.clone();
            catalog.version = Value::Integer(1);
            serde_json::to_string_pretty(&Sent { catalog: &catalog, uuid: "" }).unwrap()
        }
        Err(error) => format!("Error: {error}"),
    });
    lines.join("\n")
}

//! The ways to come by what the nodes of a repository are told. All must come to the same, byte by byte.

use std::path::Path;
use std::sync::Arc;

use pantin::catalog::{Catalog, Sent};
use pantin::cli;
use pantin::compile::LogLine;
use pantin::pcore::Value;
use pantin::query::{Answer, Engine, Inventory, Shelf};
use pantin::world::{MachineDisk, Remark, TrackedDisk};

/// What is watched: the options that say so, in which `{}` stands for the folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options(pub(crate) &'static [&'static str]);

impl Options {
    fn inventory(self, folder: &Path) -> Arc<dyn Inventory> {
        let folder = folder.to_str().unwrap();
        let options: Vec<String> = self.0.iter().map(|option| option.replace("{}", folder)).collect();
        cli::repository(&options.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
    }
}

/// What each node is told, or why nothing can be said: remarks, log, and the catalog or the error.
pub(crate) type Told = Vec<(String, String)>;

/// With nothing kept: no engine, no traces, every file read anew. This is what is right.
pub(crate) fn afresh(options: Options, folder: &Path) -> Told {
    let disk = || TrackedDisk::from(Arc::new(MachineDisk::default()));
    let opened = match options.inventory(folder).open(disk()) {
        Ok(opened) => opened,
        Err(reason) => return nothing(&reason),
    };
    let answer = |name: &str| -> Result<String, String> {
        let prepared = opened.node(&disk(), name)?;
        let ready = opened.ready(disk(), &prepared.environment.name, &Shelf::default())?;
        let compiled = ready.site.compile(&opened.request(&prepared, &ready)?, None);
        let remarks = ready.remarks.iter().chain(&prepared.remarks);
        Ok(text(remarks, &compiled.log, compiled.result.as_ref().map_err(|ended| ended.text.as_str())))
    };
    let told = |name: &str| (name.to_owned(), answer(name).unwrap_or_else(|reason| text([], &[], Err(&reason))));
    let mut all: Told = opened.names().iter().map(|name| told(name)).collect();
    all.extend(opened.remarks().iter().map(|remark| ("all".to_owned(), remark.text.clone())));
    all
}

/// What an engine answers, and what opening the repository had to say.
pub(crate) type Answers = (Vec<Arc<Answer>>, Vec<Remark>);

/// An engine that is told when to look again.
pub(crate) struct Warm {
    engine: Engine,
}

impl Warm {
    pub(crate) fn new(options: Options, folder: &Path) -> Warm {
        let engine = Engine::new(Arc::new(MachineDisk::default()), options.inventory(folder));
        Warm { engine }
    }

    /// Whatever may have been edited is looked at.
    pub(crate) fn answers(&mut self) -> Result<Answers, Arc<str>> {
        self.engine.refresh(|_| true);
        let (names, remarks) = self.engine.names()?;
        Ok((names.iter().map(|name| self.engine.answer(name)).collect(), remarks))
    }
}

pub(crate) fn told(answers: &[Arc<Answer>], remarks: &[Remark]) -> Told {
    let answers = answers.iter().map(|answer| {
        let result = answer.result.as_deref().map_err(|failed| failed.text());
        (answer.node.to_string(), text(&answer.remarks, &answer.log, result))
    });
    answers.chain(remarks.iter().map(|remark| ("all".to_owned(), remark.text.clone()))).collect()
}

/// The repository cannot be opened.
pub(crate) fn nothing(reason: &str) -> Told {
    vec![("all".to_owned(), reason.to_owned())]
}

/// Without what is never the same twice: the version of the catalog, which is the time, and its number.
fn text<'a>(remarks: impl IntoIterator<Item = &'a Remark>, log: &[LogLine], result: Result<&Catalog, &str>) -> String {
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

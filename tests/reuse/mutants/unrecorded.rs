//! Whether code of the compiler can look at a catalog and record nothing: it must not compile.
//! It must not know what is made of the records.
//!
//! A file of reads is added to a copy of the sources under `target/unrecorded`. As it is, it compiles; with one read that
//! records nothing in the place of one that does, it must fail with the error named here.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};

use super::copy::Copy;
use super::{LIVING, root};

/// The folder of the module that reads the catalog.
const MODULE_ROOT: &str = "src/compile/node/mod.rs";

const ADDED: &str = "src/compile/node/reads.rs";

/// Reads that record what they look at.
const READS: &str = r#"//! Reads of the catalog.

use pantin_model::trace::{Answer, Question};
use pantin_values::{Str, Value};

use super::Compiler;
use super::state::{ObservationLog, ObservedResource, Observer, ResourceId};

#[allow(dead_code)]
fn read(compiler: &mut Compiler<'_>, question: &Question) -> Option<(Value, Value, u32, Option<Answer>)> {
    let log: ObservationLog = compiler.state.log(Observer::Data);
    let there: ResourceId = compiler.state.find_presence("File", "/x", &log)?;
    let found: ObservedResource = compiler.state.observe_all(there, &log);
    let mode = compiler.state.parameter(found, "mode", &log);
    let variable = compiler.state.variable_of_class("a", "x", &log).cloned()?;
    let _: Vec<Str> = compiler.state.classes(&log).to_vec();
    let count = compiler.state.next_place();
    let answer = compiler.loader.answer_from_files(question, &log);
    Some((mode, variable, count, answer))
}
"#;

/// A read that records nothing, in the place of one that does.
struct Unrecorded {
    recorded: &'static str,
    unrecorded: &'static str,
    error: &'static str,
}

const fn unrecorded(recorded: &'static str, unrecorded: &'static str, error: &'static str) -> Unrecorded {
    Unrecorded { recorded, unrecorded, error }
}

const ALL: [Unrecorded; 9] = [
    // A read without a log.
    unrecorded("find_presence(\"File\", \"/x\", &log)", "find_presence(\"File\", \"/x\")", "E0061"),
    unrecorded("parameter(found, \"mode\", &log)", "parameter(found, \"mode\")", "E0061"),
    unrecorded("variable_of_class(\"a\", \"x\", &log)", "variable_of_class(\"a\", \"x\")", "E0061"),
    unrecorded("answer_from_files(question, &log)", "answer_from_files(question)", "E0061"),
    // A resource of which no more is recorded than that it is there.
    unrecorded("parameter(found,", "parameter(there,", "E0308"),
    // A field of the state, and a function behind the one that records.
    unrecorded("compiler.state.next_place()", "compiler.state.resources.len() as u32", "E0616"),
    unrecorded("answer_from_files(question, &log)", "read_files(question)", "E0624"),
    // A log, and the id of a resource, that code makes itself.
    unrecorded("compiler.state.log(Observer::Data)", "ObservationLog { record: None }", "E0451"),
    unrecorded("compiler.state.find_presence(\"File\", \"/x\", &log)?", "ResourceId(7)", "E0423"),
];

pub(crate) fn trial() -> Trial {
    let is_copy = std::env::var_os(LIVING).is_some();
    Trial::test("mutants: a read that records nothing does not compile", check).with_ignored_flag(is_copy)
}

fn check() -> Result<(), Failed> {
    let sources = Sources { folder: root().join("target/unrecorded") };
    if let Err(errors) = sources.check(READS)? {
        return Err(format!("what is recorded does not compile: {errors}").into());
    }
    for Unrecorded { recorded, unrecorded, error } in &ALL {
        if READS.matches(recorded).count() != 1 {
            return Err(format!("{recorded} is there more than once, or not at all").into());
        }
        match sources.check(&READS.replace(recorded, unrecorded))? {
            Ok(()) => return Err(format!("{unrecorded} compiles, and records nothing").into()),
            Err(errors) if codes(&errors) == [*error] => {}
            Err(errors) => return Err(format!("{unrecorded} fails with other errors than {error}:\n{errors}").into()),
        }
    }
    Ok(())
}

struct Sources {
    folder: PathBuf,
}

impl Sources {
    /// Checks the compiler with these reads. The errors are those of rustc.
    fn check(&self, reads: &str) -> Result<Result<(), String>, Failed> {
        let module = fs::read_to_string(root().join(MODULE_ROOT)).map_err(|error| format!("{MODULE_ROOT}: {error}"))?;
        let module = module.replacen("mod references;", "mod reads;\nmod references;", 1);
        let changed = [(MODULE_ROOT, module), (ADDED, reads.to_owned())];
        let changed: BTreeMap<String, String> = changed.map(|(path, text)| (path.to_owned(), text)).into();
        Copy { root: root().to_owned(), folder: self.folder.clone() }.make(&changed, "//! Nothing lives here.\n")?;
        let mut cargo = Command::new("cargo");
        cargo.args(["check", "--quiet", "-p", "pantin-compile"]).current_dir(&self.folder);
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target")).env("CARGO_TERM_COLOR", "never");
        let checked = cargo.stdin(Stdio::null()).output().map_err(|error| format!("cargo: {error}"))?;
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        Ok(if checked.status.success() { Ok(()) } else { Err(said) })
    }
}

/// The codes of the errors, in order.
fn codes(errors: &str) -> Vec<&str> {
    errors.lines().filter_map(|line| line.strip_prefix("error[")?.split(']').next()).collect()
}

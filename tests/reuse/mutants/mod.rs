//! Whether these tests would notice: sources in which a read is forgotten, or a field left out of a digest, must fail them.
//!
//! All mutants are built at once, in a copy of the working copy under `target/mutants`; a variable of the process says which
//! of them lives. Too slow for the gate.

mod copy;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use copy::Copy;
use libtest_mimic::Trial;
use table::{CHANGES, Change};

/// Whoever takes longer hangs, and is noticed.
const PATIENCE: Duration = Duration::from_secs(300);

/// Names of tests begin so.
const KINDS: &str = "kinds/";
const ALL: &str = "";

/// The variable that says which mutant lives.
const LIVING: &str = "PANTIN_MUTANT";

/// What the copy has beside: `is` and `is_of` say which mutant lives.
const MODULE: &str = r#"//! Which mutant lives.
use std::fmt::Debug;
use std::sync::OnceLock;

fn living() -> &'static str {
    static LIVING: OnceLock<String> = OnceLock::new();
    LIVING.get_or_init(|| std::env::var("PANTIN_MUTANT").unwrap_or_default())
}

pub fn is(name: &str) -> bool {
    living() == name
}

/// `PREFIX VARIANT`, by the variant of a value.
pub fn is_of(prefix: &str, value: &dyn Debug) -> bool {
    let Some(variant) = living().strip_prefix(prefix) else { return false };
    let shown = format!("{value:?}");
    shown.split(|c: char| !c.is_alphanumeric()).next() == Some(variant.trim_start())
}
"#;

pub(crate) fn run(filter: Option<&str>) -> ExitCode {
    let mutants: Vec<&str> = CHANGES.iter().flat_map(|change| change.mutants).copied().collect();
    let wanted =
        mutants.iter().filter(|mutant| filter.is_none_or(|filter| filter.split(',').any(|part| mutant.contains(part))));
    let copy = Mutants { folder: root().join("target/mutants") };
    if let Err(why) = copy.make() {
        println!("{why}");
        return ExitCode::FAILURE;
    }
    if let Noticed::By(_, first) = copy.test("", ALL) {
        println!("with no mutant at all, the tests fail: {first}");
        return ExitCode::FAILURE;
    }
    println!("| mutant | noticed by | of them |\n|---|---|---|");
    let mut survived = 0;
    for mutant in wanted {
        match copy.noticed(mutant) {
            Noticed::By(count, first) => println!("| {mutant} | {count} | {first} |"),
            Noticed::NotAtAll => {
                survived += 1;
                println!("| {mutant} | nothing | |");
            }
        }
    }
    println!("\n{survived} survived");
    if survived == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every place that is to be another is there, once: else no mutant could be made. In the copy they are others.
pub(crate) fn trial() -> Trial {
    let is_copy = std::env::var_os(LIVING).is_some();
    Trial::test("mutants: every place of theirs is there", || {
        for Change { path, .. } in &CHANGES {
            let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
            with_changes(path, text)?;
        }
        Ok(())
    })
    .with_ignored_flag(is_copy)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How many tests failed, and one of them.
enum Noticed {
    By(usize, String),
    NotAtAll,
}

struct Mutants {
    folder: PathBuf,
}

impl Mutants {
    /// The copy, with every change made to it.
    fn make(&self) -> Result<(), String> {
        let mut changed = BTreeMap::new();
        for Change { path, .. } in &CHANGES {
            let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
            changed.insert((*path).to_owned(), with_changes(path, text)?);
        }
        Copy { root: root().to_owned(), folder: self.folder.clone() }.make(&changed, MODULE)
    }

    /// By the kinds of edit alone, which take seconds; if by none of them, by any test.
    fn noticed(&self, mutant: &str) -> Noticed {
        match self.test(mutant, KINDS) {
            Noticed::NotAtAll => self.test(mutant, ALL),
            noticed => noticed,
        }
    }

    fn test(&self, mutant: &str, filter: &str) -> Noticed {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--quiet", "--test", "reuse", "--", filter]).current_dir(&self.folder);
        // Apart from the target folder of the project: cargo takes the copy for the same package.
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target")).env(LIVING, mutant);
        let said = self.folder.join("said.txt");
        let out = fs::File::create(&said).unwrap();
        let mut process = cargo.stdin(Stdio::null()).stdout(out.try_clone().unwrap()).stderr(out).spawn().unwrap();
        // Building comes first.
        let patience = if mutant.is_empty() { PATIENCE * 10 } else { PATIENCE };
        let started = Instant::now();
        let ended = loop {
            match process.try_wait().unwrap() {
                Some(status) => break status,
                None if started.elapsed() > patience => {
                    process.kill().unwrap();
                    break process.wait().unwrap();
                }
                None => thread::sleep(Duration::from_millis(50)),
            }
        };
        let said = fs::read_to_string(said).unwrap_or_default();
        let failed: Vec<&str> =
            said.lines().filter_map(|line| line.strip_prefix("---- ")?.strip_suffix(" ----")).collect();
        match ended.success() {
            true => Noticed::NotAtAll,
            false => {
                Noticed::By(failed.len(), failed.first().unwrap_or(&said.lines().last().unwrap_or("")).to_string())
            }
        }
    }
}

fn with_changes(path: &str, text: String) -> Result<String, String> {
    CHANGES.iter().filter(|change| change.path == path).try_fold(text, |text, Change { old, new, .. }| {
        match text.matches(old).count() {
            1 => Ok(text.replace(old, new)),
            count => Err(format!("{path}: there {count} times, not once:\n{old}")),
        }
    })
}

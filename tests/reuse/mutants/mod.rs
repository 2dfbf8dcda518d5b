//! Whether these tests would notice: sources in which a read is forgotten, or a field left out of a digest, must fail them.
//!
//! All mutants are built at once, in a copy of the working copy under `target/mutants`; a variable of the process says which
//! of them lives. Everything is built a second time, so the gate tries none: `just mutants-reuse` does.

mod copy;
mod table;
pub(crate) mod unrecorded;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use copy::Copy;
use libtest_mimic::Trial;
use table::{CHANGES, Change};

use super::random::numbers::Numbers;

/// Parts of the names of tests: the tests that a mutant is tried on, the quick ones first.
const STAGES: [&str; 5] = ["kinds/", "kept/", "patched:", "inputs/", ALL];
const ALL: &str = "";

/// How long a stage may take where not all tests were run without a mutant.
const PATIENCE: Duration = Duration::from_secs(1200);

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

/// Which mutants are tried.
enum Choice<'a> {
    All,
    /// Those whose names have one of these parts.
    Named(Vec<&'a str>),
    /// So many, by the seed. Without a mutant the first stage alone is run: the others are part of every run of the tests.
    Sample {
        count: usize,
        seed: u64,
    },
}

impl Choice<'_> {
    fn from_options(options: &[String]) -> Option<Choice<'_>> {
        match options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Some(Choice::All),
            ["--sample", count, "--seed", seed] => {
                Some(Choice::Sample { count: count.parse().ok()?, seed: seed.parse().ok()? })
            }
            [filter] if !filter.starts_with('-') => Some(Choice::Named(filter.split(',').collect())),
            _ => None,
        }
    }

    fn from(&self, mut mutants: Vec<&'static str>) -> Vec<&'static str> {
        match self {
            Choice::All => {}
            Choice::Named(parts) => mutants.retain(|mutant| parts.iter().any(|part| mutant.contains(part))),
            Choice::Sample { count, seed } => {
                let mut numbers = Numbers::new(*seed);
                while mutants.len() > *count {
                    mutants.remove(numbers.below(mutants.len()));
                }
            }
        }
        mutants
    }
}

pub(crate) fn run(options: &[String]) -> ExitCode {
    let Some(choice) = Choice::from_options(options) else {
        println!("usage: reuse mutants [NAME,... | --sample COUNT --seed SEED]");
        return ExitCode::FAILURE;
    };
    let mutants = choice.from(CHANGES.iter().flat_map(|change| change.mutants).copied().collect());
    let copy = Mutants { folder: root().join("target/mutants") };
    if let Err(why) = copy.make() {
        println!("{why}");
        return ExitCode::FAILURE;
    }
    let stages = match copy.stages_without_mutant(matches!(choice, Choice::Sample { .. })) {
        Ok(stages) => stages,
        Err(why) => {
            println!("with no mutant at all, {why}");
            return ExitCode::FAILURE;
        }
    };
    println!("| mutant | noticed by |\n|---|---|");
    let (mut survived, mut undecided) = (0, 0);
    for mutant in mutants {
        match copy.noticed(mutant, &stages) {
            Noticed::By(test) => println!("| {mutant} | {test} |"),
            Noticed::NotAtAll => {
                survived += 1;
                println!("| {mutant} | nothing |");
            }
            Noticed::Unknown => {
                undecided += 1;
                println!("| {mutant} | not known: the tests took too long |");
            }
        }
    }
    println!("\n{survived} survived, {undecided} not known");
    if survived + undecided == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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

/// What has noticed a mutant.
enum Noticed {
    /// A test that failed, or the last words where none is named.
    By(String),
    NotAtAll,
    /// The tests took too long.
    Unknown,
}

struct Mutants {
    folder: PathBuf,
}

/// Tests that a mutant is tried on.
struct Stage {
    /// A part of their names.
    filter: &'static str,
    /// What takes longer is ended: whether it hangs, or the machine is busy, is not known.
    patience: Duration,
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

    /// Builds the copy, and runs the stages without a mutant. `Err`: they fail.
    fn stages_without_mutant(&self, is_sample: bool) -> Result<Vec<Stage>, String> {
        let mut build = self.cargo("", &["--no-run"]);
        if !build.status().is_ok_and(|status| status.success()) {
            return Err("the copy cannot be built".to_owned());
        }
        let filter = if is_sample { STAGES[0] } else { ALL };
        let started = Instant::now();
        match self.test("", &Stage { filter, patience: PATIENCE }) {
            Noticed::NotAtAll => {}
            Noticed::By(test) => return Err(format!("a test fails: {test}")),
            Noticed::Unknown => return Err("the tests take too long".to_owned()),
        }
        let patience = if is_sample { PATIENCE } else { started.elapsed() * 2 + Duration::from_secs(60) };
        Ok(STAGES.map(|filter| Stage { filter, patience }).into())
    }

    /// Tries one stage after the other, until one notices the mutant.
    fn noticed(&self, mutant: &str, stages: &[Stage]) -> Noticed {
        for stage in stages {
            match self.test(mutant, stage) {
                Noticed::NotAtAll => {}
                noticed => return noticed,
            }
        }
        Noticed::NotAtAll
    }

    fn cargo(&self, mutant: &str, words: &[&str]) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--quiet", "--test", "reuse"]).args(words).current_dir(&self.folder);
        // Apart from the target folder of the project: cargo takes the copy for the same package.
        cargo.env("CARGO_TARGET_DIR", self.folder.join("target")).env(LIVING, mutant);
        cargo
    }

    fn test(&self, mutant: &str, stage: &Stage) -> Noticed {
        let mut cargo = self.cargo(mutant, &["--", stage.filter]);
        let said = self.folder.join("said.txt");
        let out = fs::File::create(&said).unwrap();
        cargo.process_group(0).stdin(Stdio::null()).stdout(out.try_clone().unwrap()).stderr(out);
        let mut process = cargo.spawn().unwrap();
        let started = Instant::now();
        loop {
            let ended = process.try_wait().unwrap();
            let text = fs::read_to_string(&said).unwrap_or_default();
            let failed = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix("... FAILED"));
            let is_late = started.elapsed() > stage.patience;
            // One test that fails is enough.
            if ended.is_none() && (failed.is_some() || is_late) {
                end_group(process.id());
                process.wait().unwrap();
            }
            match (failed, ended) {
                (Some(failed), _) => return Noticed::By(failed.trim_end().to_owned()),
                (None, Some(status)) if status.success() => return Noticed::NotAtAll,
                (None, Some(_)) => return Noticed::By(text.lines().last().unwrap_or_default().to_owned()),
                (None, None) if is_late => return Noticed::Unknown,
                (None, None) => thread::sleep(Duration::from_millis(100)),
            }
        }
    }
}

/// Ends a process and all that it has started.
fn end_group(leader: u32) {
    let group = format!("-{leader}");
    let ended = Command::new("kill").args(["-KILL", "--", &group]).status();
    assert!(ended.is_ok_and(|status| status.success()), "cannot end the processes of {leader}");
}

fn with_changes(path: &str, text: String) -> Result<String, String> {
    CHANGES.iter().filter(|change| change.path == path).try_fold(text, |text, Change { old, new, .. }| {
        match text.matches(old).count() {
            1 => Ok(text.replace(old, new)),
            count => Err(format!("{path}: there {count} times, not once:\n{old}")),
        }
    })
}

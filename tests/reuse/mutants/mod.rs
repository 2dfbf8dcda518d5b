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

/// What takes longer is ended: whether it hangs, or the machine is busy, is not known.
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

/// Which mutants are tried.
enum Choice<'a> {
    All,
    /// Those whose names have one of these parts.
    Named(Vec<&'a str>),
    /// So many, by the seed. What no kind of edit notices is then tried on the other tests, but these are not run without a
    /// mutant first: they are part of every run of the tests.
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
    let unchanged = if matches!(choice, Choice::Sample { .. }) { KINDS } else { ALL };
    match copy.test("", unchanged) {
        Noticed::NotAtAll => {}
        Noticed::By(_, first) => {
            println!("with no mutant at all, the tests fail: {first}");
            return ExitCode::FAILURE;
        }
        Noticed::Unknown => {
            println!("with no mutant at all, the tests take too long");
            return ExitCode::FAILURE;
        }
    }
    println!("| mutant | noticed by | of them |\n|---|---|---|");
    let (mut survived, mut undecided) = (0, 0);
    for mutant in mutants {
        match copy.noticed(mutant) {
            Noticed::By(count, first) => println!("| {mutant} | {count} | {first} |"),
            Noticed::NotAtAll => {
                survived += 1;
                println!("| {mutant} | nothing | |");
            }
            Noticed::Unknown => {
                undecided += 1;
                println!("| {mutant} | not known: it took longer than {} s | |", PATIENCE.as_secs());
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

/// How many tests failed, and one of them.
enum Noticed {
    By(usize, String),
    NotAtAll,
    /// The tests took too long.
    Unknown,
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

    /// Tries the kinds of edit alone, which take seconds; if none of them notices it, all tests.
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
        cargo.process_group(0).stdin(Stdio::null()).stdout(out.try_clone().unwrap()).stderr(out);
        let mut process = cargo.spawn().unwrap();
        // Building comes first.
        let patience = if mutant.is_empty() { PATIENCE * 10 } else { PATIENCE };
        let started = Instant::now();
        let ended = loop {
            match process.try_wait().unwrap() {
                Some(status) => break status,
                None if started.elapsed() > patience => {
                    end_group(process.id());
                    process.wait().unwrap();
                    return Noticed::Unknown;
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

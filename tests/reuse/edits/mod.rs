//! Edits at random, one after the other, valid or not, several at once and taken back: after each, every way to come by
//! what the nodes are told has to come to what is right.
//!
//! A run consists of lives: a repository, and the steps that it goes through. A life is told by the seed of the run and
//! its number, so that one alone can be gone through again. What is not right is made small before it is shown.

pub(crate) mod generate;
pub(crate) mod repositories;
mod shrink;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};

use super::kept::Kept;
use super::random::numbers::Numbers;
use super::state::{Folder, State};
use super::ways::{self, OPTIONS, Told, Way};
use repositories::Fleet;

/// So many steps has a life at most.
const LIFE: usize = 60;

/// So many states before the present one can be gone back to.
const REMEMBERED: usize = 8;

/// What is run with all tests.
const SHORT: Wanted = Wanted { seed: 20_261_122, steps: 120, life: None, fleet: None };

struct Wanted {
    seed: u64,
    steps: usize,
    /// This one alone.
    life: Option<u64>,
    /// What is edited, where it is not what the tests have.
    fleet: Option<Fleet>,
}

pub(crate) fn trial() -> Trial {
    Trial::test(format!("edits at random: {} steps", SHORT.steps), || {
        let mut tally = Tally::default();
        live(&SHORT, &mut tally).map_err(Failed::from)
    })
}

pub(crate) fn run(options: &[String]) -> ExitCode {
    let Some(wanted) = wanted(options) else {
        eprintln!(
            "usage: reuse edits [--seed N] [--steps N] [--life N] [--fleet FOLDER --facts FOLDER --modules FOLDER]"
        );
        return ExitCode::from(2);
    };
    let mut tally = Tally::default();
    let lived = live(&wanted, &mut tally);
    println!(
        "seed {}: {} steps of {} repositories, {} edits; after {} of the steps some node has no catalog, after {} none has; {} nodes from the cache, {} patched",
        wanted.seed,
        tally.steps,
        tally.lives,
        tally.edits,
        tally.some_failed,
        tally.all_failed,
        tally.kept,
        tally.patched
    );
    match lived {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn wanted(options: &[String]) -> Option<Wanted> {
    let mut wanted = Wanted { seed: 1, steps: 2000, life: None, fleet: None };
    for pair in options.chunks(2) {
        let [name, value] = pair else { return None };
        match name.as_str() {
            "--seed" => wanted.seed = value.parse().ok()?,
            "--steps" => wanted.steps = value.parse().ok()?,
            "--life" => wanted.life = Some(value.parse().ok()?),
            "--fleet" => wanted.fleet.get_or_insert_default().repository = absolute(value)?,
            "--facts" => wanted.fleet.get_or_insert_default().facts = absolute(value)?,
            "--modules" => wanted.fleet.get_or_insert_default().modules = absolute(value)?,
            _ => return None,
        }
    }
    let is_whole =
        |fleet: &Fleet| [&fleet.repository, &fleet.facts, &fleet.modules].into_iter().all(|path| path.is_dir());
    wanted.fleet.as_ref().is_none_or(is_whole).then_some(wanted)
}

fn absolute(path: &str) -> Option<PathBuf> {
    std::path::absolute(path).ok()
}

#[derive(Default)]
struct Tally {
    lives: usize,
    steps: usize,
    edits: usize,
    some_failed: usize,
    /// Nodes that the program answered from its cache.
    kept: u64,
    /// Catalogs that were patched, those also that nobody asked anew since.
    patched: usize,
    all_failed: usize,
}

fn live(wanted: &Wanted, tally: &mut Tally) -> Result<(), String> {
    let mut number = wanted.life.unwrap_or(0);
    while tally.steps < wanted.steps {
        let numbers = Numbers::new(wanted.seed.wrapping_mul(0x0100_0000_01B3).wrapping_add(number));
        let steps = LIFE.min(wanted.steps - tally.steps);
        Life::begin(numbers, wanted.fleet.as_ref()).go_on(steps, tally).map_err(|why| {
            format!("--seed {} --life {number}, after {} steps in all: {why}", wanted.seed, tally.steps)
        })?;
        if wanted.life.is_some() {
            break;
        }
        number += 1;
    }
    Ok(())
}

/// One repository.
struct Life {
    numbers: Numbers,
    name: &'static str,
    /// All states it went through.
    states: Vec<State>,
    /// The places of those in which the fewest nodes had no catalog.
    best: Vec<usize>,
    fewest: usize,
}

impl Life {
    fn begin(mut numbers: Numbers, fleet: Option<&Fleet>) -> Life {
        let (name, first) = repositories::repository(&mut numbers, fleet);
        Life { numbers, name, states: vec![first], best: Vec::new(), fewest: usize::MAX }
    }

    fn go_on(mut self, steps: usize, tally: &mut Tally) -> Result<(), String> {
        tally.lives += 1;
        let mut watched = Watched::new(&self.states[0]);
        let mut told = watched.look()?;
        for _ in 0..steps {
            let failed = told.iter().filter(|told| has_failed(told)).count();
            self.judge(failed);
            let state = self.next(failed, told.len(), tally);
            self.states.push(state);
            tally.steps += 1;
            told = match watched.become_state(self.states.last().unwrap()) {
                Ok(told) => told,
                Err(difference) => {
                    let shown = shrink::shown(&self.states);
                    return Err(format!("{}: {difference}\nthe shortest way to one like it:\n{shown}", self.name));
                }
            };
            tally.some_failed += usize::from(told.iter().any(has_failed));
            tally.all_failed += usize::from(told.iter().all(has_failed));
        }
        tally.kept += watched.kept_nodes;
        tally.patched += watched.ways.iter().map(|way| way.patched()).sum::<usize>();
        Ok(())
    }

    /// How good the last state is.
    fn judge(&mut self, failed: usize) {
        if failed < self.fewest {
            self.fewest = failed;
            self.best.clear();
        }
        if failed == self.fewest {
            self.best.push(self.states.len() - 1);
        }
    }

    /// Mostly an edit or a few; else what was before. What is broken is mended soon.
    fn next(&mut self, failed: usize, nodes: usize, tally: &mut Tally) -> State {
        let now = self.states.len() - 1;
        let is_worse = failed > self.fewest;
        if is_worse && self.numbers.below(4) < if failed == nodes { 3 } else { 1 } {
            let best = &self.best[self.best.len().saturating_sub(REMEMBERED)..];
            return self.states[self.numbers.pick(best)].clone();
        }
        if now > 0 && self.numbers.one_in(8) {
            return self.states[now - 1 - self.numbers.below(now.min(REMEMBERED))].clone();
        }
        let count = match self.numbers.below(40) {
            0 => 30,
            1..=8 => 2 + self.numbers.below(3),
            _ => 1,
        };
        let mut state = self.states[now].clone();
        for _ in 0..count {
            let edit = generate::edit(&state, &self.states[0], &mut self.numbers);
            state.edit(&edit);
            tally.edits += 1;
        }
        state
    }
}

fn has_failed((_, text): &(String, String)) -> bool {
    !text.ends_with('}')
}

/// A folder, and all ways to come by what is told of it.
struct Watched {
    folder: Folder,
    ways: Vec<Box<dyn Way>>,
    kept: Kept,
    /// How many states it was in.
    states: usize,
    /// How many nodes were answered by an earlier process, in all states together.
    kept_nodes: u64,
}

/// Every so many states the program is run as well.
const RUNS: usize = 2;

impl Watched {
    fn new(state: &State) -> Watched {
        let folder = Folder::of(state);
        let ways = ways::all(OPTIONS, &folder.path());
        let kept = Kept::new(OPTIONS, &folder.path());
        Watched { folder, ways, kept, states: 0, kept_nodes: 0 }
    }

    fn become_state(&mut self, state: &State) -> Result<Told, String> {
        self.folder.become_state(state);
        self.look()
    }

    /// What is right, if all ways come to it.
    fn look(&mut self) -> Result<Told, String> {
        let path = self.folder.path();
        let right = catch_unwind(AssertUnwindSafe(|| ways::afresh(OPTIONS, &path)));
        let right = right.map_err(|_| "a panic, with nothing kept".to_owned())?;
        for way in &mut self.ways {
            let told = catch_unwind(AssertUnwindSafe(|| way.told()));
            let told = told.map_err(|_| format!("a panic, {}", way.name()))?;
            if told != right {
                return Err(format!("not right, {}:\n{}", way.name(), difference(&told, &right)));
            }
        }
        self.states += 1;
        if self.states % RUNS == 1 {
            self.kept_nodes += self.kept.check()?;
        }
        Ok(right)
    }
}

/// The first lines in which they differ.
fn difference(told: &Told, right: &Told) -> String {
    let names = |told: &Told| told.iter().map(|(node, _)| node.clone()).collect::<Vec<_>>();
    if names(told) != names(right) {
        return format!("  told are {:?}\n  right are {:?}", names(told), names(right));
    }
    let pairs = told.iter().zip(right);
    let Some(((node, told), (_, right))) = pairs.into_iter().find(|(told, right)| told != right) else {
        return String::new();
    };
    let (mut told, mut right) = (told.lines(), right.lines());
    loop {
        match (told.next(), right.next()) {
            (told, right) if told == right => {}
            (told, right) => {
                let line = |line: Option<&str>| line.unwrap_or("nothing more").trim().to_owned();
                return format!("  {node} is told {}\n  right is {}", line(told), line(right));
            }
        }
    }
}

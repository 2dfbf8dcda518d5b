//! Whether the tests would notice a source that is wrong: in a copy, places chosen at random become other than they are, all
//! built at once; a variable of the process says which of them lives. Each must make a test fail.
//!
//!     cargo run --release --manifest-path tests/mutation/Cargo.toml -- [--count N] [--seed N] [--only N] [FOLDER…]
//!
//! Without a folder, `src/values` and `src/eval`. The tests are those of their crates, and all specs.

#[path = "../../reuse/mutants/copy.rs"]
mod copy;
#[path = "../../random/numbers.rs"]
#[allow(dead_code, reason = "it is shared")]
mod numbers;
mod places;
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use copy::Copy;
use numbers::Numbers;
use places::Place;
use tests::{Noticed, Tests};

/// What the copy has beside: `is` says whether a mutant lives. Where it is asked to, it notes which were asked for at all.
const MODULE: &str = r#"//! Which mutant lives.
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

struct Run { living: usize, record: Option<String> }
static RUN: OnceLock<Run> = OnceLock::new();
static ASKED: [AtomicBool; 10_000] = [const { AtomicBool::new(false) }; 10_000];

#[inline]
pub fn is(number: usize) -> bool {
    let run = RUN.get_or_init(|| Run {
        living: std::env::var("PANTIN_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(usize::MAX),
        record: std::env::var("PANTIN_MUTANTS_ASKED").ok(),
    });
    if let Some(path) = &run.record && !ASKED[number].swap(true, Ordering::Relaxed) {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        let _ = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
    }
    run.living == number
}
"#;

/// A place of a file.
struct Mutant {
    path: String,
    place: Place,
}

struct Options {
    count: usize,
    seed: u64,
    only: Option<usize>,
    folders: Vec<String>,
}

fn main() -> ExitCode {
    let run = options().and_then(|options| run(&options));
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    const USAGE: &str = "usage: mutation [--count N] [--seed N] [--only N] [FOLDER...]";
    let mut options = Options { count: 400, seed: 1, only: None, folders: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<usize>().ok()).ok_or(USAGE);
        match argument.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()? as u64,
            "--only" => options.only = Some(number()?),
            folder if !folder.starts_with('-') => options.folders.push(folder.to_owned()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if options.folders.is_empty() {
        options.folders = ["src/values", "src/eval"].map(str::to_owned).into();
    }
    Ok(options)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(options: &Options) -> Result<(), String> {
    let all = mutants(&options.folders)?;
    println!("{} places in {}, seed {}", all.len(), options.folders.join(" "), options.seed);
    let mut chosen = choose(all, options.count, options.seed);
    let mut tests = loop {
        let copy = Copy { root: root(), folder: root().join("target/mutation") };
        let lines = write(&copy, &chosen)?;
        match Tests::build(&root(), &copy.folder, &options.folders) {
            Ok(tests) => break tests,
            Err(complaints) => {
                let before = chosen.len();
                let is_refused = |at: usize, mutant: &Mutant| {
                    complaints.places.iter().any(|(path, line)| *path == mutant.path && lines[at].contains(line))
                };
                let kept = chosen.into_iter().enumerate().filter(|(at, mutant)| !is_refused(*at, mutant));
                chosen = kept.map(|(_, mutant)| mutant).collect();
                if chosen.len() == before {
                    return Err(complaints.text);
                }
                println!("{} do not compile, and are left out", before - chosen.len());
            }
        }
    };
    let asked = tests.asked()?;
    println!("{} mutants, {} of them in code that the tests run\n", chosen.len(), asked.len());
    report(&chosen, &tests, &asked, options.only);
    Ok(())
}

fn report(chosen: &[Mutant], tests: &Tests, asked: &BTreeSet<usize>, only: Option<usize>) {
    let (mut by_test, mut by_time, mut survived, mut untouched) = (0, 0, 0, 0);
    for (number, mutant) in chosen.iter().enumerate().filter(|(number, _)| only.is_none_or(|only| only == *number)) {
        let noticed = if asked.contains(&number) { tests.run(number) } else { Noticed::NotRun };
        let said = match &noticed {
            Noticed::By(test) => {
                by_test += 1;
                format!("noticed: {test}")
            }
            Noticed::ByTime => {
                by_time += 1;
                "noticed: it takes too long".to_owned()
            }
            Noticed::NotAtAll => {
                survived += 1;
                "SURVIVED".to_owned()
            }
            Noticed::NotRun => {
                untouched += 1;
                "NOT RUN by any test".to_owned()
            }
        };
        println!("{number} {}:{}: {} -- {said}", mutant.path, mutant.place.line, mutant.place.what);
    }
    println!(
        "\n{by_test} noticed by a test, {by_time} by the time they take; {survived} survived, {untouched} are not run"
    );
}

/// Every place in the sources of these folders, in the order of the files.
fn mutants(folders: &[String]) -> Result<Vec<Mutant>, String> {
    let mut paths = Vec::new();
    for folder in folders {
        sources(&root().join(folder), folder, &mut paths);
    }
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = fs::read_to_string(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
        let places = places::of(&text).map_err(|error| format!("{path}: {error}"))?;
        all.extend(places.into_iter().map(|place| Mutant { path: path.clone(), place }));
    }
    Ok(all)
}

fn sources(folder: &Path, name: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let entry_name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{name}/{entry_name}");
        if entry.path().is_dir() {
            sources(&entry.path(), &path, found);
        } else if entry_name.ends_with(".rs") && !["tests.rs", "laws.rs", "docs.rs"].contains(&entry_name.as_str()) {
            found.push(path);
        }
    }
}

/// So many of them, none within another.
fn choose(mut all: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut numbers = Numbers::new(seed);
    let mut chosen: Vec<Mutant> = Vec::new();
    while chosen.len() < count && !all.is_empty() {
        let mutant = all.swap_remove(numbers.below(all.len()));
        let (start, end) = (mutant.place.range.start, mutant.place.range.end);
        let apart = |other: &Mutant| {
            other.path != mutant.path || end < other.place.range.start || other.place.range.end < start
        };
        if chosen.iter().all(apart) {
            chosen.push(mutant);
        }
    }
    chosen.sort_by(|a, b| (&a.path, a.place.range.start).cmp(&(&b.path, b.place.range.start)));
    chosen
}

/// Writes the copy; which lines of it each mutant takes.
fn write(copy: &Copy, chosen: &[Mutant]) -> Result<Vec<std::ops::RangeInclusive<usize>>, String> {
    let mut changed: BTreeMap<String, String> = BTreeMap::new();
    let mut lines = Vec::new();
    let mut at = 0;
    while at < chosen.len() {
        let path = &chosen[at].path;
        let text = fs::read_to_string(copy.root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        let (mut new, mut copied) = (String::new(), 0);
        while let Some(Mutant { place, .. }) = chosen.get(at).filter(|mutant| mutant.path == *path) {
            new.push_str(&text[copied..place.range.start]);
            let first = new.lines().count();
            new.push_str(&place.new.replace(places::IS, &format!("{}::mutant::is({at})", copy::path_of_mutant_crate(path))));
            lines.push(first..=new.lines().count());
            copied = place.range.end;
            at += 1;
        }
        new.push_str(&text[copied..]);
        changed.insert(path.clone(), new);
    }
    copy.make(&changed, MODULE)?;
    Ok(lines)
}

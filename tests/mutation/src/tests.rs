//! The tests of the copy: how they are built, and whether one of them fails. Knows nothing of what a mutant is.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Trials that look at the sources, or at all specs once more, or spend their time on what no mutant touches.
const LEFT_OUT: [&str; 7] =
    ["tidy:", "fuzz:", "specs themselves:", "seeds:", "issues:", "coverage", "stdlib/passwords.md"];
/// The rooms of the specs: most mutants are noticed by the first, which are quick.
const QUICK: [&str; 4] = ["types/", "language/", "functions/", "epp/"];
const OTHERS: [&str; 8] =
    ["catalogs/", "stdlib/", "ruby/", "hiera/", "lookup/", "loading/", "ducks/", "relationships/"];
/// Rooms that evaluate nothing.
const PARSED: [&str; 2] = ["syntax/", "validation/"];
/// So many times the usual time is too long; and never less than this.
const TOO_LONG: u32 = 4;
const PATIENCE: Duration = Duration::from_secs(60);
/// In KiB: whoever takes more memory fails.
const MEMORY: u64 = 10_000_000;

pub(crate) enum Noticed {
    By(String),
    ByTime,
    NotAtAll,
    NotRun,
}

pub(crate) struct Tests {
    folder: PathBuf,
    /// Programs with their arguments.
    programs: Vec<(PathBuf, Vec<String>)>,
    patience: Duration,
}

/// What a compiler says against the copy: all of it, and the places it names.
pub(crate) struct Complaints {
    pub(crate) text: String,
    pub(crate) places: BTreeSet<(String, usize)>,
}

impl Tests {
    /// The unit tests of the crates in which these folders lie, and the specs.
    pub(crate) fn build(root: &Path, folder: &Path, folders: &[String]) -> Result<Tests, Complaints> {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--no-run", "--message-format=short", "--lib", "--test", "pantin", "--package", "pantin"]);
        for sources in folders {
            let name = sources.trim_start_matches("src/").split('/').next().unwrap_or_default();
            cargo.args(["--package", &format!("pantin-{name}")]);
        }
        cargo.current_dir(folder);
        // What the sources need is built already.
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        cargo.env("CARGO_TARGET_DIR", target);
        let output = cargo.output().map_err(|error| Complaints { text: error.to_string(), places: BTreeSet::new() })?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            let places = text.lines().filter_map(place_of).collect();
            return Err(Complaints { text, places });
        }
        let mut programs = Vec::new();
        for line in text.lines() {
            let Some((what, path)) = line.trim().strip_prefix("Executable ").and_then(|said| said.split_once(" ("))
            else {
                continue;
            };
            let path = PathBuf::from(path.trim_end_matches(')'));
            if what.starts_with("unittests ") {
                programs.push((path, Vec::new()));
                continue;
            }
            for other_rooms in [&OTHERS[..], &QUICK] {
                let left_out = LEFT_OUT.iter().chain(other_rooms).chain(&PARSED);
                let arguments = left_out.flat_map(|left_out| ["--skip".to_owned(), (*left_out).to_owned()]);
                programs.push((path.clone(), arguments.collect()));
            }
        }
        Ok(Tests { folder: folder.to_owned(), programs, patience: PATIENCE * 20 })
    }

    /// Which mutants were asked for, when none lives. From then on the time that this took is what is usual.
    pub(crate) fn asked(&mut self) -> Result<BTreeSet<usize>, String> {
        let record = self.folder.join("asked.txt");
        let _ = std::fs::remove_file(&record);
        let started = Instant::now();
        match self.run_with(&[("PANTIN_MUTANTS_ASKED", &record.to_string_lossy())]) {
            Noticed::NotAtAll => {}
            Noticed::By(test) => return Err(format!("with no mutant at all, a test fails: {test}")),
            Noticed::ByTime | Noticed::NotRun => return Err("the tests take too long".to_owned()),
        }
        println!("the tests take {:.0} s", started.elapsed().as_secs_f32());
        self.patience = PATIENCE.max(started.elapsed() * TOO_LONG);
        let text = std::fs::read_to_string(&record).unwrap_or_default();
        Ok(text.lines().filter_map(|line| line.parse().ok()).collect())
    }

    pub(crate) fn run(&self, mutant: usize) -> Noticed {
        self.run_with(&[("PANTIN_MUTANT", &mutant.to_string())])
    }

    fn run_with(&self, variables: &[(&str, &str)]) -> Noticed {
        for (program, arguments) in &self.programs {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh"]).arg(program).args(arguments);
            command.envs(variables.iter().copied()).current_dir(&self.folder);
            match first_failure(&mut command, self.patience) {
                Noticed::NotAtAll => {}
                noticed => return noticed,
            }
        }
        Noticed::NotAtAll
    }
}

/// Runs until a test fails, and no longer.
fn first_failure(command: &mut Command, patience: Duration) -> Noticed {
    let process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut process = match process {
        Ok(process) => process,
        Err(error) => return Noticed::By(error.to_string()),
    };
    let (failed, failures) = channel();
    let said = process.stdout.take();
    let reader = std::thread::spawn(move || {
        let lines = said.into_iter().flat_map(|said| BufReader::new(said).lines().map_while(Result::ok));
        for line in lines {
            if let Some(test) = line.strip_prefix("test ").and_then(|line| line.strip_suffix("... FAILED")) {
                let _ = failed.send(test.trim().to_owned());
            }
        }
    });
    let noticed = match failures.recv_timeout(patience) {
        Ok(test) => Noticed::By(test),
        Err(RecvTimeoutError::Timeout) => Noticed::ByTime,
        Err(RecvTimeoutError::Disconnected) => match process.wait() {
            Ok(status) if status.success() => Noticed::NotAtAll,
            Ok(status) => Noticed::By(format!("the tests break off: {status}")),
            Err(error) => Noticed::By(error.to_string()),
        },
    };
    let _ = process.kill();
    let _ = process.wait();
    let _ = reader.join();
    noticed
}

/// `src/values/a.rs:12:5: error…`
fn place_of(line: &str) -> Option<(String, usize)> {
    let (place, _) = line.split_once(": error")?;
    let mut parts = place.split(':');
    Some((parts.next()?.to_owned(), parts.next()?.parse().ok()?))
}

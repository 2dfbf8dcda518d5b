//! `pantin diff` between commits of a git repository that is edited at random, against catalogs that are compiled afresh in
//! separate checkouts and compared as JSON.

mod differences;
pub(crate) mod replay;
mod wire;

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;

use super::edits::{generate, repositories};
use super::random::numbers::Numbers;
use super::state::{Edit, Folder, State};
use super::ways::OPTIONS;
use differences::{first_contradiction, from_report};
use wire::Compiled;

/// What is run with all tests, and what is run on request.
const SHORT: usize = 100;
const LONG: usize = 300;

const SEED: u64 = 20_261_128;

/// So many commits has a repository at most.
const LIFE: usize = 20;

/// So many commits can be the side before.
const REMEMBERED: usize = 4;

/// What is known of nodes, and no part of what is compared.
const INPUTS: [&str; 2] = ["facts", "enc"];

/// After so many commits the stores are compared.
const STORES: usize = 10;

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |commits: usize, seed: u64| {
        Trial::test(format!("revisions: diff after {commits} random edits"), move || {
            run(&RunOptions { seed, commits, life: None, keep: None }).map(drop).map_err(Failed::from)
        })
    };
    vec![trial(SHORT, SEED), trial(LONG, SEED + 1).with_ignored_flag(true)]
}

/// `revisions [--seed N] [--commits N] [--life N] [--keep FOLDER]`: what a contradiction was found in is kept in a new folder.
pub(crate) fn run_tool(options: &[String]) -> ExitCode {
    let option = |name: &str| options.chunks(2).find(|pair| pair[0] == name)?.get(1);
    let number = |name: &str| option(name)?.parse::<u64>().ok();
    let commits = number("--commits").map_or(LONG, |number| number as usize);
    let wanted = RunOptions {
        seed: number("--seed").unwrap_or(1),
        commits,
        life: number("--life"),
        keep: option("--keep").cloned(),
    };
    match run(&wanted) {
        Ok(tally) => {
            println!("{tally:?}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            println!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// What was seen: a run in which nothing differs proves nothing.
#[derive(Default, Debug)]
struct Tally {
    commits: usize,
    refused: usize,
    nodes: usize,
    failing: usize,
    changed_resources: usize,
    changed_parameters: usize,
    changed_relationships: usize,
    stores: usize,
}

struct RunOptions {
    seed: u64,
    commits: usize,
    /// This repository alone.
    life: Option<u64>,
    keep: Option<String>,
}

fn run(wanted: &RunOptions) -> Result<Tally, String> {
    let RunOptions { seed, commits, life, ref keep } = *wanted;
    let mut tally = Tally::default();
    let mut number = life.unwrap_or(0);
    while tally.commits < commits {
        let numbers = Numbers::new(seed.wrapping_mul(0x0100_0000_01B3).wrapping_add(number));
        let count = LIFE.min(commits - tally.commits);
        let mut history = History::begin(numbers);
        history.go_on(count, &mut tally).map_err(|reason| {
            if let Some(folder) = keep {
                history.keep(Path::new(folder));
            }
            format!(
                "--seed {seed} --life {number}, of {}, after {} commits in all: {reason}",
                history.name, tally.commits
            )
        })?;
        if life.is_some() {
            break;
        }
        number += 1;
    }
    let has_seen_all = tally.changed_resources > 0 && tally.changed_parameters > 0 && tally.changed_relationships > 0;
    if !has_seen_all && life.is_none() && commits >= SHORT {
        return Err(format!("no edit changed anything of a kind: {tally:?}"));
    }
    Ok(tally)
}

/// A git repository, with what each of its last commits comes to.
struct History {
    numbers: Numbers,
    name: &'static str,
    first: State,
    folder: Folder,
    cache: TempDir,
    commits: Vec<Revision>,
}

struct Revision {
    commit: String,
    state: State,
    compiled: Compiled,
}

impl History {
    fn begin(mut numbers: Numbers) -> History {
        let (name, first) = repositories::repository(&mut numbers, None);
        let folder = Folder::of(&first);
        git(&folder.path(), &["init", "--quiet", "--initial-branch=main"]);
        let mut history = History { numbers, name, first, folder, cache: TempDir::new().unwrap(), commits: Vec::new() };
        let first = history.first.clone();
        let compiled = history.commit(&first);
        history.commits.push(compiled);
        history
    }

    fn keep(&self, folder: &Path) {
        std::fs::create_dir(folder).unwrap();
        for (from, name) in [(self.folder.path(), "repository"), (self.cache.path().to_owned(), "cache")] {
            assert!(Command::new("cp").arg("-a").arg(from).arg(folder.join(name)).status().unwrap().success());
        }
    }

    fn go_on(&mut self, count: usize, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..count {
            let state = self.next_state();
            self.folder.become_state(&state);
            make_option_folders(&self.folder.path());
            let is_committed = self.numbers.one_in(2);
            let from = self.numbers.below(self.commits.len());
            let base = self.commits[from].commit.clone();
            // What nobody has committed is the working tree's alone.
            let uncommitted = (!is_committed).then(|| self.diff(&[&base], self.cache.path()));
            let revision = self.commit(&state);
            let said = uncommitted.unwrap_or_else(|| self.diff(&[&base, &revision.commit], self.cache.path()));
            self.judge(&self.commits[from], &revision, &said, tally).map_err(|reason| {
                let edits = self.commits[from].state.edits_to(&revision.state);
                let edits: String = edits.iter().map(|edit| format!("  {edit}\n")).collect();
                format!(
                    "{reason}\nfrom {base} to {}, the edits, {}:\n{edits}",
                    revision.commit,
                    if is_committed { "committed" } else { "uncommitted" }
                )
            })?;
            if tally.commits.is_multiple_of(STORES) {
                self.compare_stores(&base, &revision.commit)?;
                tally.stores += 1;
            }
            tally.commits += 1;
            self.commits.push(revision);
            self.forget();
        }
        Ok(())
    }

    /// Another edit or a few, mostly of the last state in which the fewest nodes fail: where all fail, nothing is compared.
    fn next_state(&mut self) -> State {
        let fewest = self.commits.iter().map(|revision| revision.compiled.failures()).min();
        let is_good = |revision: &&Revision| Some(revision.compiled.failures()) == fewest;
        let good = self.commits.iter().rev().find(is_good).map(|revision| &revision.state);
        let last = self.commits.last().map(|revision| &revision.state);
        let base = if self.numbers.one_in(5) { last } else { good };
        let mut state = base.unwrap_or(&self.first).clone();
        if self.numbers.one_in(4) {
            self.relate(&mut state);
        }
        for _ in 0..1 + self.numbers.below(2) {
            let edit = generate::edit(&state, &self.first, &mut self.numbers);
            let is_link_of_inputs = matches!(&edit, Edit::Link { path, target }
                if INPUTS.iter().any(|name| path.starts_with(name) || target.contains(&format!("{name}/"))));
            // git knows no empty folders, and a link to the inputs would lead to those of its own side.
            if !matches!(edit, Edit::Folder(_)) && !is_link_of_inputs {
                state.edit(&edit);
            }
        }
        state
    }

    /// Three resources, of which one is related to another in one way or another.
    fn relate(&mut self, state: &mut State) {
        let kind = self.numbers.pick(&["require", "before", "notify", "subscribe", "tag"]);
        let (other, mode) = (self.numbers.pick(&["Notify['two']", "File['/three']"]), self.numbers.below(3));
        let text = format!(
            "notify {{ 'one': {kind} => {other} }}\nnotify {{ 'two': }}\nfile {{ 'third': path => '/three', mode => '060{mode}' }}\n"
        );
        state.edit(&Edit::Write("manifests/related.pp".to_owned(), text.into_bytes()));
    }

    /// The worst of many commits is no side any more.
    fn forget(&mut self) {
        if self.commits.len() > REMEMBERED {
            let failures = |at: &usize| (self.commits[*at].compiled.failures(), usize::MAX - *at);
            let worst = (0..self.commits.len() - 1).max_by_key(failures);
            worst.map(|at| self.commits.remove(at));
        }
    }

    fn commit(&self, state: &State) -> Revision {
        let top = self.folder.path();
        git(&top, &["add", "--all"]);
        git(&top, &["commit", "--quiet", "--allow-empty", "--message", "x"]);
        let commit = git(&top, &["rev-parse", "HEAD"]).trim().to_owned();
        let compiled = self.compile(&commit, false);
        Revision { commit, state: state.clone(), compiled }
    }

    /// A commit in a checkout of its own. `has_inputs_of_today`: with the facts and the recorded answers of the working copy, as
    /// `diff` takes them from the second side for both.
    fn compile(&self, commit: &str, has_inputs_of_today: bool) -> Compiled {
        let top = self.folder.path();
        let elsewhere = TempDir::new().unwrap();
        let checkout = elsewhere.path().canonicalize().unwrap().join("checkout");
        git(&top, &["worktree", "add", "--quiet", "--detach", checkout.to_str().unwrap(), commit]);
        for name in INPUTS.iter().filter(|_| has_inputs_of_today) {
            let run = |program: &str, arguments: &[&Path]| {
                let mut command = Command::new(program);
                assert!(
                    command.arg(if program == "rm" { "-rf" } else { "-a" }).args(arguments).status().unwrap().success()
                );
            };
            if is_folder(&top.join(name)) && is_folder(&checkout.join(name)) {
                // What is gone today is that of the commit.
                remove_of_other_kind(&top.join(name), &checkout.join(name));
                run("cp", &[&top.join(name).join("."), &checkout.join(name)]);
                continue;
            }
            run("rm", &[&checkout.join(name)]);
            if top.join(name).symlink_metadata().is_ok() {
                run("cp", &[&top.join(name), &checkout.join(name)]);
            }
        }
        make_option_folders(&checkout);
        let compiled = Compiled::from_checkout(&checkout, &OPTIONS.of(Path::new(".")), top.to_str().unwrap());
        git(&top, &["worktree", "remove", "--force", checkout.to_str().unwrap()]);
        compiled
    }

    /// A report as JSON, or why there is none.
    fn diff(&self, sides: &[&str], cache: &Path) -> Result<Value, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.arg("diff").args(sides).args(["--quiet", "--format", "json", "--exported", "fleet"]);
        command.args(OPTIONS.of(Path::new("."))).current_dir(self.folder.path());
        command
            .env("PANTIN_CACHE", cache)
            .env("PANTIN_CACHE_KEY", "the key of these tests, long enough")
            .env("PANTIN_FENCE", "off");
        let run = command.output().unwrap();
        let refused = || format!("{:?}: {}", run.status.code(), String::from_utf8_lossy(&run.stderr));
        if run.status.success() { serde_json::from_slice(&run.stdout).map_err(|_| refused()) } else { Err(refused()) }
    }

    fn judge(
        &self,
        from: &Revision,
        to: &Revision,
        said: &Result<Value, String>,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let before = self.compile(&from.commit, true);
        let (report, right) = match (said, before.differences(&to.compiled)) {
            (Ok(report), Some(right)) => (report, right),
            (Err(reason), None) if reason.starts_with("Some(1)") => {
                tally.refused += 1;
                return Ok(());
            }
            (said, _) => {
                let refusals = [before.refusal(), to.compiled.refusal()];
                return Err(format!("a side is refused or not: said {said:?}, right {refusals:?}"));
            }
        };
        let said = from_report(report);
        let resources = || right.values().flat_map(|node| node.resources.values());
        tally.nodes += right.len();
        tally.failing += right.values().filter(|node| node.status != "ok").count();
        tally.changed_resources += resources().count();
        tally.changed_parameters += resources().map(|one| one.parameters.len()).sum::<usize>();
        tally.changed_relationships += resources().map(|one| one.relationships.len()).sum::<usize>();
        match first_contradiction(&said, &right) {
            None => Ok(()),
            Some(contradiction) => Err(format!("{contradiction}\nthe errors that it says: {:#}", report["errors"])),
        }
    }

    /// Whatever is stored of either side, the same is said.
    fn compare_stores(&self, from: &str, to: &str) -> Result<(), String> {
        let report = |warm: &[&[&str]]| -> Result<Value, String> {
            let cache = TempDir::new().unwrap();
            for sides in warm {
                let _ = self.diff(sides, cache.path());
            }
            let mut report = self.diff(&[from, to], cache.path())?;
            report.as_object_mut().unwrap().remove("compared");
            Ok(report)
        };
        let nothing = report(&[]);
        for (stored, warm) in [
            ("FROM", &[&[from, from][..]][..]),
            ("TO", &[&[to, to]]),
            ("both, apart", &[&[from, from], &[to, to]]),
            ("both, together", &[&[from, to]]),
        ] {
            let other = report(warm);
            if other != nothing {
                return Err(format!("with {stored} stored:\n{other:#?}\nwith nothing stored:\n{nothing:#?}"));
            }
        }
        Ok(())
    }
}

/// Folders that options name have to be there, and git knows none that is empty.
fn make_option_folders(top: &Path) {
    for name in ["facts", "conf", "enc"] {
        // A file or a link may be called so.
        let _ = std::fs::create_dir(top.join(name));
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false", "-C"]);
    let ended = command.arg(folder).args(arguments).output().unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// Removes files that are folders in another folder, and folders that are files there: nothing can be copied over them.
fn remove_of_other_kind(from: &Path, to: &Path) {
    for entry in from.read_dir().unwrap() {
        let entry = entry.unwrap();
        let (new, old) = (entry.path(), to.join(entry.file_name()));
        match (is_folder(&new), is_folder(&old)) {
            (true, true) => remove_of_other_kind(&new, &old),
            (true, false) if old.symlink_metadata().is_ok() => std::fs::remove_file(&old).unwrap(),
            (false, true) => std::fs::remove_dir_all(&old).unwrap(),
            _ => {}
        }
    }
}

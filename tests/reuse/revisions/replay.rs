//! The commits of a repository of others as differences: each is compared with its parent by `pantin diff`, and with what its two
//! states come to when they are compiled afresh.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use serde_json::Value;
use tempfile::TempDir;

use super::differences::{Differences, first_contradiction, from_report};
use super::git;
use super::wire::Compiled;

/// What was seen.
#[derive(Default)]
struct Replay {
    commits: usize,
    /// No node of a side has a catalog, or a side is refused.
    without_catalogs: usize,
    with_differences: usize,
    catalogs: usize,
    contradictions: Vec<String>,
    /// Of each `diff`, with a cache that has the answers of the commits before.
    milliseconds: Vec<u128>,
}

struct Repository {
    /// A clone of its own.
    clone: TempDir,
    cache: TempDir,
    options: Vec<String>,
}

/// `replay --repository FOLDER --facts FOLDER [--commits N] [-- OPTION…]`: options of `pantin fleet` and `pantin diff`.
pub(crate) fn run_tool(options: &[String]) -> ExitCode {
    let end = options.iter().position(|option| option == "--").unwrap_or(options.len());
    let (options, more) = (&options[..end], options.get(end + 1..).unwrap_or_default());
    let option = |name: &str| options.chunks(2).find(|pair| pair[0] == name)?.get(1);
    let (Some(repository), Some(facts)) = (option("--repository"), option("--facts")) else {
        println!("--repository FOLDER --facts FOLDER [--commits N] [-- OPTION…]");
        return ExitCode::FAILURE;
    };
    let count = option("--commits").and_then(|count| count.parse().ok()).unwrap_or(100);
    let facts = Path::new(facts).canonicalize().unwrap();
    let repository = Repository::clone_of(Path::new(repository), &facts, more);
    let replay = repository.replay(count);
    println!("{}", replay.row());
    replay.contradictions.iter().for_each(|contradiction| println!("{contradiction}"));
    if replay.contradictions.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Repository {
    fn clone_of(source: &Path, facts: &Path, more: &[String]) -> Repository {
        let clone = TempDir::new().unwrap();
        git(clone.path(), &["clone", "--quiet", "--shared", source.canonicalize().unwrap().to_str().unwrap(), "clone"]);
        let mut options: Vec<String> =
            ["--environment-dir", ".", "--environment", "production", "--facts", facts.to_str().unwrap()]
                .map(str::to_owned)
                .into();
        options.extend(more.iter().cloned());
        Repository { clone, cache: TempDir::new().unwrap(), options }
    }

    fn folder(&self) -> PathBuf {
        self.clone.path().canonicalize().unwrap().join("clone")
    }

    /// The oldest commit first.
    fn replay(&self, count: usize) -> Replay {
        let (count, format) = (count.to_string(), "--format=%H %P");
        let log = git(&self.folder(), &["log", "--no-merges", "--min-parents=1", "--reverse", "-n", &count, format]);
        let mut replay = Replay::default();
        // The parent is mostly the commit before.
        let mut last: Option<(String, Compiled)> = None;
        for line in log.lines() {
            let (commit, parent) = line.split_once(' ').unwrap();
            let before = match last.take() {
                Some((name, compiled)) if name == parent => compiled,
                _ => self.compile(parent),
            };
            let after = self.compile(commit);
            let said = self.diff(parent, commit, &mut replay.milliseconds);
            replay.judge(commit, said, &before, &after);
            last = Some((commit.to_owned(), after));
        }
        replay
    }

    fn compile(&self, commit: &str) -> Compiled {
        let elsewhere = TempDir::new().unwrap();
        let checkout = elsewhere.path().canonicalize().unwrap().join("checkout");
        git(&self.folder(), &["worktree", "add", "--quiet", "--detach", checkout.to_str().unwrap(), commit]);
        let compiled = Compiled::from_checkout(&checkout, &self.options, self.folder().to_str().unwrap());
        git(&self.folder(), &["worktree", "remove", "--force", checkout.to_str().unwrap()]);
        compiled
    }

    fn diff(&self, from: &str, to: &str, milliseconds: &mut Vec<u128>) -> Result<Value, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(["diff", from, to, "--quiet", "--format", "json", "--exported", "fleet"]).args(&self.options);
        command.current_dir(self.folder());
        command
            .env("PANTIN_CACHE", self.cache.path())
            .env("PANTIN_CACHE_KEY", "the key of these tests, long enough")
            .env("PANTIN_FENCE", "off");
        let running = Instant::now();
        let run = command.output().unwrap();
        milliseconds.push(running.elapsed().as_millis());
        let refused = || format!("{:?}: {}", run.status.code(), String::from_utf8_lossy(&run.stderr));
        if run.status.success() { serde_json::from_slice(&run.stdout).map_err(|_| refused()) } else { Err(refused()) }
    }
}

impl Replay {
    fn judge(&mut self, commit: &str, said: Result<Value, String>, before: &Compiled, after: &Compiled) {
        self.commits += 1;
        let (said, right): (Differences, Differences) = match (said, before.differences(after)) {
            (Ok(report), Some(right)) => (from_report(&report), right),
            (Err(_), None) => {
                self.without_catalogs += 1;
                return;
            }
            (said, _) => {
                let refusals = [before.refusal(), after.refusal()];
                self.contradictions.push(format!("{commit}: said {said:?}, right {refusals:?}"));
                return;
            }
        };
        let catalogs = before.catalogs().min(after.catalogs());
        self.catalogs += catalogs;
        self.without_catalogs += usize::from(catalogs == 0);
        self.with_differences += usize::from(right.values().any(|node| !node.resources.is_empty()));
        self.contradictions.extend(first_contradiction(&said, &right).map(|reason| format!("{commit}: {reason}")));
    }

    /// Commits, those without catalogs, pairs of catalogs, commits with differences, contradictions, median and longest time.
    fn row(&self) -> String {
        let mut times = self.milliseconds.clone();
        times.sort_unstable();
        format!(
            "commits {}, without catalogs {}, pairs of catalogs {}, with differences {}, contradictions {}, median {} ms, \
             longest {} ms",
            self.commits,
            self.without_catalogs,
            self.catalogs,
            self.with_differences,
            self.contradictions.len(),
            times.get(times.len() / 2).unwrap_or(&0),
            times.last().unwrap_or(&0)
        )
    }
}

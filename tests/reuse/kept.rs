//! What one process keeps for the next: the program, which finds what it answered to earlier states of the folder, has to
//! write what it writes with nothing kept, also after one that was killed.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::kinds::repository;
use super::state::{Edit, Folder};
use super::ways::Options;

/// A cache that outlives states, and is carried from folder to folder.
pub(crate) struct Kept {
    options: Options,
    folder: PathBuf,
    cache: TempDir,
    /// So many states were seen.
    seen: Cell<usize>,
}

/// Before every so many runs another one is killed.
const CRASHES: usize = 3;

/// So many microseconds after its beginning, or earlier.
const LATEST_CRASH: u64 = 50_000;

/// A command says what a node is: nobody can know what it has read for that.
const OF_COMMAND: Options =
    Options(&["--environment-dir", "{}", "--facts", "{}/facts", "--confdir", "{}/conf", "--enc", "{}/enc/command"]);

pub(crate) fn trials() -> [Trial; 2] {
    [classified_anew(), facts_of_another_folder()]
}

/// What is known of nodes stands in another folder than before: what was read of it differs for one of them.
fn facts_of_another_folder() -> Trial {
    const OTHERS: Options = Options(&["--environment-dir", "{}", "--facts", "{}/others", "--confdir", "{}/conf"]);
    Trial::test("kept: facts of another folder", || {
        let mut state = repository();
        for node in ["db1", "web1", "web2"] {
            let facts =
                state.text(&format!("facts/{node}.yaml")).unwrap_or_default().replace("pp_role: db", "pp_role: web");
            state.edit(&Edit::Write(format!("others/{node}.yaml"), facts.into_bytes()));
        }
        let folder = Folder::of(&state);
        let mut kept = Kept::new(super::ways::OPTIONS, &folder.path());
        kept.check()?;
        kept.options = OTHERS;
        kept.check()?;
        match kept.check()? {
            0 => Err("nothing comes from the cache".into()),
            _ => Ok(()),
        }
    })
}

fn classified_anew() -> Trial {
    Trial::test("kept: a command classifies in another way", || {
        let mut state = repository();
        state.edit(&Edit::Write("enc/command".to_owned(), b"#!/bin/sh\ncat \"${0%/*}/$1.yaml\"\n".to_vec()));
        state.edit(&Edit::Mode("enc/command".to_owned(), 0o755));
        let mut folder = Folder::of(&state);
        let kept = Kept::new(OF_COMMAND, &folder.path());
        kept.check()?;
        state.edit(&Edit::Write("enc/web1.yaml".to_owned(), b"classes: [db]\n".to_vec()));
        folder.become_state(&state);
        // Once in another folder, and once in that of before.
        kept.check()?;
        match kept.check()? {
            0 => Err("those of whom the command says the same do not come from the cache".into()),
            _ => Ok(()),
        }
    })
}

/// What a run says and writes: by the name of the file, its text.
type Written = BTreeMap<String, String>;

impl Kept {
    pub(crate) fn new(options: Options, folder: &Path) -> Kept {
        Kept { options, folder: folder.to_owned(), cache: TempDir::new().unwrap(), seen: Cell::new(0) }
    }

    /// How many nodes were answered by an earlier process, if all are told what is right.
    pub(crate) fn check(&self) -> Result<u64, String> {
        self.seen.set(self.seen.get() + 1);
        let elsewhere = TempDir::new().unwrap();
        let folder = match self.seen.get() % 2 {
            1 => self.folder.clone(),
            _ => copied(&self.folder, &elsewhere.path().canonicalize().unwrap().join("some/where else")),
        };
        if self.seen.get().is_multiple_of(CRASHES) {
            self.crash(&folder);
        }
        let (kept, count) = self.written(&folder, &[]);
        let (right, _) = self.written(&folder, &["--no-cache"]);
        let names = kept.keys().chain(right.keys()).find(|name| kept.get(*name) != right.get(*name));
        let Some(name) = names else { return Ok(count) };
        let text = |written: &Written| written.get(name).cloned().unwrap_or_else(|| "nothing".to_owned());
        Err(format!("not right, kept from an earlier process: {name}\n  {}\n  right is {}", text(&kept), text(&right)))
    }

    /// A process is killed at some point, which those after it are not to notice.
    fn crash(&self, folder: &Path) {
        let out = TempDir::new().unwrap();
        let mut command = self.command(folder, &out);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(self.seen.get() as u64 * 7919 % LATEST_CRASH));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn command(&self, folder: &Path, out: &TempDir) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(["fleet", "-q", "--format", "json", "--exported", "fleet", "--out"]).arg(out.path());
        // All that is named is named from the folder itself.
        command.args(self.options.of(Path::new("."))).current_dir(folder);
        command
            .env("PANTIN_CACHE", self.cache.path())
            .env("PANTIN_CACHE_KEY", "the key of these tests, long enough")
            .env("PANTIN_FENCE", "off");
        command
    }

    fn written(&self, folder: &Path, more: &[&str]) -> (Written, u64) {
        let out = TempDir::new().unwrap();
        let run = self.command(folder, &out).args(more).output().unwrap();
        let report: Value = serde_json::from_slice(&run.stdout).unwrap_or_default();
        let mut written = Written::from([
            ("messages".to_owned(), format!("{} {}", report["messages"], report["exported"])),
            ("errors".to_owned(), String::from_utf8_lossy(&run.stderr).into_owned()),
        ]);
        for entry in fs::read_dir(out.path()).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap();
            written.insert(entry.file_name().to_string_lossy().into_owned(), without_version(text));
        }
        (written, report["summary"]["kept"].as_u64().unwrap_or_default())
    }
}

/// The same files with the same modes and links, in another place.
fn copied(from: &Path, to: &Path) -> PathBuf {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
    to.to_owned()
}

fn without_version(text: String) -> String {
    let Ok(mut catalog) = serde_json::from_str::<Value>(&text) else { return text };
    catalog["version"] = json!(0);
    catalog["catalog_uuid"] = json!(0);
    catalog.to_string()
}

//! What one process keeps for the next: the program, which finds what it answered to earlier states of the folder, has to
//! write what it writes with nothing kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::ways::Options;

/// A cache that outlives states.
pub(crate) struct Kept {
    options: Options,
    folder: PathBuf,
    cache: TempDir,
}

/// What a run says and writes: by the name of the file, its text.
type Written = BTreeMap<String, String>;

impl Kept {
    pub(crate) fn new(options: Options, folder: &Path) -> Kept {
        Kept { options, folder: folder.to_owned(), cache: TempDir::new().unwrap() }
    }

    /// How many nodes were answered by an earlier process, if all are told what is right.
    pub(crate) fn check(&self) -> Result<u64, String> {
        let (kept, count) = self.written(&[]);
        let (right, _) = self.written(&["--no-cache"]);
        let names = kept.keys().chain(right.keys()).find(|name| kept.get(*name) != right.get(*name));
        let Some(name) = names else { return Ok(count) };
        let text = |written: &Written| written.get(name).cloned().unwrap_or_else(|| "nothing".to_owned());
        Err(format!("not right, kept from an earlier process: {name}\n  {}\n  right is {}", text(&kept), text(&right)))
    }

    fn written(&self, more: &[&str]) -> (Written, u64) {
        let out = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(["fleet", "-q", "--format", "json", "--exported", "fleet", "--out"]).arg(out.path());
        command.args(self.options.of(&self.folder)).args(more);
        command.env("PANTIN_CACHE", self.cache.path()).env("PANTIN_CACHE_KEY", "the key of these tests");
        let run = command.output().unwrap();
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

fn without_version(text: String) -> String {
    let Ok(mut catalog) = serde_json::from_str::<Value>(&text) else { return text };
    catalog["version"] = json!(0);
    catalog["catalog_uuid"] = json!(0);
    catalog.to_string()
}

//! Where the disk of the cache is full, or may only be read: each run is right, says so, and ends. For that a file system
//! is mounted in namespaces of its own (`unshare -Urm`), which not every machine or container allows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::Folder;
use crate::cache::{repository, without_version, written};

/// What a run is told to do in a namespace in which `$CACHE` is a file system of its own.
const FULL: &str = "mount -t tmpfs -o size=16k tmpfs \"$CACHE\"";
const READ_ONLY: &str =
    "mount -t tmpfs tmpfs \"$CACHE\" && cp -r \"$BEFORE\"/. \"$CACHE\" && mount -o remount,ro \"$CACHE\"";

/// How often a run in such a place had an answer from the cache, what it wrote, and what it said.
type Came = (u64, BTreeMap<PathBuf, Vec<u8>>, String);

/// Runs one after the other, all in the same place. Each writes its own folder.
fn runs(folder: &Folder, prepare: &str, count: usize) -> Vec<Came> {
    let cache = folder.path().join("mounted");
    std::fs::create_dir_all(&cache).unwrap();
    let program = env!("CARGO_BIN_EXE_pantin");
    let one = |number: usize| {
        format!(
            "{program} fleet --facts facts --format json -q --out out{number} > {number}.json 2> {number}.err || exit 9"
        )
    };
    let all: Vec<String> = (0..count).map(one).collect();
    let script = format!("{prepare} && {}", all.join(" && "));
    let command = folder.command(&[]);
    let before = folder.cache.path().join("cache");
    let mut inside = Command::new("unshare");
    inside.args(["-Urm", "sh", "-c", &script]).current_dir(folder.path());
    crate::take_environment(&mut inside, &command);
    inside.env("CACHE", &cache).env("BEFORE", before).env("PANTIN_CACHE", &cache);
    let output = inside.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let came = |number: usize| {
        let text = |name: String| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let report: Value = serde_json::from_str(&text(format!("{number}.json"))).unwrap();
        let files = crate::cache::files(&folder.path().join(format!("out{number}")));
        let named = files.into_iter().map(|(path, bytes)| (path.file_name().unwrap().into(), bytes)).collect();
        (report["summary"]["kept"].as_u64().unwrap(), without_version(named), text(format!("{number}.err")))
    };
    (0..count).map(came).collect()
}

fn right(folder: &Folder) -> BTreeMap<PathBuf, Vec<u8>> {
    crate::cache::fleet(folder, &["--out", "out", "--no-cache"]);
    let named = written(folder).into_iter().map(|(path, bytes)| (path.file_name().unwrap().into(), bytes)).collect();
    without_version(named)
}

#[test]
#[ignore = "needs namespaces of users and mounts; `.ci/run` runs it"]
fn a_full_disk_costs_answers_and_nothing_else() {
    let folder = repository();
    let right = right(&folder);
    for (_, files, said) in runs(&folder, FULL, 2) {
        assert_eq!(files, right);
        assert!(said.contains("the cache is of no use") && said.contains("No space left on device"), "{said}");
    }
}

#[test]
#[ignore = "needs namespaces of users and mounts; `.ci/run` runs it"]
fn a_cache_that_may_only_be_read_is_read() {
    let folder = repository();
    crate::cache::fleet(&folder, &["--out", "out"]);
    let first = right(&folder);
    let came = runs(&folder, READ_ONLY, 1);
    assert_eq!((came[0].0, &came[0].1), (4, &first));
    let data = std::fs::read_to_string(folder.path().join("data/common.yaml")).unwrap();
    folder.write("data/common.yaml", data.replace("'80'", "'81'"));
    let second = right(&folder);
    assert_ne!(first, second);
    for (_, files, said) in runs(&folder, READ_ONLY, 2) {
        assert_eq!(files, second);
        assert!(said.contains("Read-only file system"), "{said}");
    }
}

//! Runs on a machine on which something goes wrong, at every call of the door in turn: crashes, errors of the disk, commands that hang.
//!
//! After each of them every file is whole, no temporary file is left, and the next run comes to the described state.

mod cases;
mod crash;
mod errors;
mod secrets;

use std::collections::BTreeMap;
use std::path::PathBuf;

use pantin_machine::{InMemory, System};

use crate::log::Level;
use crate::settings::ApplySettings;
use crate::transaction::testing::{TestRun, catalog_of, try_run};
use cases::Case;

const STATE: &str = "/var/state";

/// More steps than any case takes.
const MOST_STEPS: u64 = 3000;

fn settings() -> ApplySettings {
    ApplySettings {
        level: Level::Debug,
        show_diff: true,
        state: Some(STATE.into()),
        bucket: "/var/bucket".into(),
        ..ApplySettings::new("web01")
    }
}

/// Applies a case. An error is one of writing state.
fn apply(case: &Case, machine: &dyn System) -> std::io::Result<TestRun> {
    try_run(machine, &settings(), &catalog_of(case.resources))
}

/// Returns the files of a machine without what runs record, and without the modes of the bucket's folders: a crash may leave one narrower than
/// it is made, as the mask of the process has it, and a run does not widen what somebody may have narrowed.
fn tree(machine: &InMemory) -> BTreeMap<PathBuf, String> {
    let without_mode =
        |path: &PathBuf, line: String| match path.starts_with("/var/bucket") && line.starts_with("folder") {
            true => "folder".to_owned(),
            false => line,
        };
    let tree = machine.tree().into_iter().filter(|(path, _)| !path.starts_with(STATE));
    tree.map(|(path, line)| (path.clone(), without_mode(&path, line))).collect()
}

/// Returns the tree after a run in which nothing goes wrong. What it does not need a second run for.
fn goal(case: &Case) -> BTreeMap<PathBuf, String> {
    let machine = (case.machine)();
    let report = apply(case, &machine).unwrap().report.unwrap();
    assert!(report.statuses.iter().all(|(_, status)| !status.has_failed()), "{}", case.name);
    let tree = tree(&machine);
    check_in_step(case, &machine, "after an undisturbed run");
    tree
}

/// A run that changes nothing but what runs each time.
fn check_in_step(case: &Case, machine: &InMemory, when: &str) {
    let run = apply(case, machine).unwrap();
    for (info, status) in &run.report.unwrap().statuses {
        let is_repeated = case.repeats.contains(&info.reference.as_str());
        assert!(is_repeated || !status.is_changed, "{}, {when}: {} changed again", case.name, info.reference);
        assert!(!status.has_failed(), "{}, {when}: {} failed: {:?}", case.name, info.reference, run.lines);
    }
}

/// Every file has the content that it had, or one that a run gives it.
fn check_whole(case: &Case, machine: &InMemory, goal: &BTreeMap<PathBuf, String>, when: &str) {
    let before = (case.machine)().tree();
    let content = |line: &str| line.splitn(4, ' ').nth(3).map(str::to_owned).filter(|_| line.starts_with("file"));
    for (path, line) in tree(machine) {
        let Some(is) = content(&line) else { continue };
        let known = [before.get(&path), goal.get(&path)].into_iter().flatten().filter_map(|line| content(line));
        let is_whole = known.chain(case.passing.iter().map(|text| (*text).to_owned())).any(|known| known == is);
        assert!(is_whole || is_temporary(&path), "{}, {when}: {} holds {is:?}", case.name, path.display());
    }
}

fn is_temporary(path: &std::path::Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') && name.matches('-').count() >= 2
}

fn check_no_temporary(case: &Case, machine: &InMemory, when: &str) {
    let temporary: Vec<PathBuf> = machine.paths().into_iter().filter(|path| is_temporary(path)).collect();
    assert!(temporary.is_empty(), "{}, {when}: {temporary:?}", case.name);
}

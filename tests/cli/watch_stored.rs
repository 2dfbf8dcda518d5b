//! A watch that starts from stored answers.

use std::fs;
use std::sync::Arc;

use pantin::repository::Repository;
use pantin::repository::options::{CacheOptions, EnvironmentFolder, ExportedSource, FactSource, Options};
use pantin::repository::query::{Answer, HowComputed};
use pantin::repository::timings::Timings;
use pantin::repository::watch::{Round, Session, WatchOptions};
use pantin::values::Str;
use pantin::world::{MachineDisk, Touched};

use crate::Folder;
use crate::watch::{Watcher, replace, repository};

fn options(folder: &Folder) -> Options {
    let path = |name: &str| folder.path().join(name);
    let mut options = Options { root: Some(path("")), ..Options::default() };
    options.world.folder = EnvironmentFolder::At(path(""));
    options.world.confdir = Some(path("conf"));
    options.nodes.facts = vec![FactSource::At(path("facts"))];
    options
}

fn cache(folder: &Folder) -> CacheOptions {
    CacheOptions::In(Some(folder.path().join("stored")))
}

/// Compiles and stores all nodes, as `pantin fleet` does.
pub(crate) fn store_all(folder: &Folder) {
    store_all_with(&options(folder), folder);
}

fn store_all_with(options: &Options, folder: &Folder) {
    let mut repository = Repository::open(options, &cache(folder), Timings::none()).unwrap();
    repository.open_store();
    for name in repository.node_names(&[]).unwrap() {
        repository.answer(&name, Default::default()).unwrap();
    }
    repository.close_store();
}

fn session(options: Options, cache: CacheOptions) -> Session {
    let watched = WatchOptions { options, nodes: Vec::new(), cache, checks_graph: true, timings: None };
    let mut session = Session::open(watched, Arc::new(MachineDisk::default())).unwrap();
    session.first().unwrap();
    session
}

pub(crate) fn started(folder: &Folder) -> Session {
    session(options(folder), cache(folder))
}

pub(crate) fn stored(answers: &[Arc<Answer>]) -> Vec<&str> {
    let is_stored = |answer: &&Arc<Answer>| answer.how == HowComputed::Stored;
    answers.iter().filter(is_stored).map(|answer| answer.node.as_str()).collect()
}

pub(crate) fn compile_all(session: &mut Session) {
    while session.is_pending() {
        session.compile_some();
    }
}

fn names(nodes: &[Str]) -> Vec<&str> {
    nodes.iter().map(Str::as_str).collect()
}

pub(crate) fn round(session: &mut Session) -> Round {
    let edit = session.look(&Touched::Everything).unwrap();
    session.round(edit).unwrap()
}

/// The nodes have the answers that a session has which starts now, from nothing.
fn is_right(session: &Session, folder: &Folder) {
    let fresh = self::session(options(folder), CacheOptions::Off);
    for (answer, right) in session.answers().iter().zip(fresh.answers()) {
        assert_eq!(answer.node, right.node);
        match (&answer.result, &right.result) {
            (Ok(catalog), Ok(right)) => assert_eq!(catalog.diff(right).unwrap(), []),
            (Err(failure), Err(right)) => assert_eq!(failure.text(), right.text()),
            _ => panic!("{}", answer.node),
        }
        assert_eq!(answer.log, right.log);
    }
    assert_eq!(session.answers().len(), fresh.answers().len());
}

#[test]
fn nothing_is_compiled_for_nodes_with_stored_answers() {
    let folder = repository();
    fs::write(folder.path().join("facts/bad1.json"), r#"{"role": "missing"}"#).unwrap();
    store_all(&folder);
    let session = started(&folder);
    assert_eq!(stored(session.answers()), ["bad1", "db1", "web1", "web2"]);
    assert!(session.is_pending());
    is_right(&session, &folder);
    // With no cache, all are compiled.
    assert_eq!(stored(self::session(options(&folder), CacheOptions::Off).answers()), [""; 0]);
}

#[test]
fn the_program_starts_from_what_fleet_has_stored() {
    let folder = repository();
    let first = |more: &[&str]| {
        let watcher = Watcher::start(&folder, &[&["--format", "json"], more].concat());
        watcher.event()
    };
    assert_eq!(first(&[])["stored"], 0);
    let run = folder.run(&["fleet", "--facts", "facts"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let ready = first(&[]);
    assert_eq!((&ready["stored"], &ready["compiled"]), (&3.into(), &3.into()));
    assert_eq!(first(&["--no-cache"])["stored"], 0);
}

#[test]
fn only_affected_nodes_are_compiled_after_an_edit() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    folder.write("data/common.yaml", "port: '8080'\n");
    let round = round(&mut session);
    assert_eq!(names(&round.changed), ["web1", "web2"]);
    assert_eq!((round.counts.compiled + round.counts.walked, round.counts.unaffected), (2, 1));
    assert!(round.edited[0].ends_with("data/common.yaml"), "{:?}", round.edited);
    assert_eq!(stored(session.answers()), ["db1"]);
    is_right(&session, &folder);
    // What follows is compared with what is there now, and not with what was stored.
    folder.write("data/common.yaml", "port: '8081'\n");
    let again = self::round(&mut session);
    assert_eq!(names(&again.changed), ["web1", "web2"]);
    compile_all(&mut session);
    assert_eq!(stored(session.answers()), [""; 0]);
    assert!(session.look(&Touched::Everything).is_none());
    is_right(&session, &folder);
}

#[test]
fn once_all_are_compiled_edits_are_patched() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    compile_all(&mut session);
    assert!(session.look(&Touched::Everything).is_none());
    folder.write("data/common.yaml", "port: '8080'\n");
    // One after the other: the first is compiled, and the second learns from it.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let round = alone.install(|| round(&mut session));
    assert_eq!((names(&round.changed), round.counts.patched), (vec!["web1", "web2"], 1));
    is_right(&session, &folder);
}

#[test]
fn lines_that_move_change_nothing() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    let path = "modules/role_web/manifests/init.pp";
    let text = fs::read_to_string(folder.path().join(path)).unwrap();
    folder.write(path, format!("# A comment.\n{text}"));
    let edit = session.look(&Touched::Everything).unwrap();
    let beforehand = session.beforehand(&edit).unwrap();
    assert!(beforehand.moves_lines_alone && beforehand.edited[0].ends_with(path));
    let round = session.round(edit).unwrap();
    assert!(round.is_quiet());
    assert_eq!((round.counts.affected(), stored(session.answers()).len()), (0, 3));
    is_right(&session, &folder);
    compile_all(&mut session);
    assert!(session.look(&Touched::Everything).is_none());
    is_right(&session, &folder);
}

/// An edit that no event tells of is found when the node is compiled.
#[test]
fn an_edit_that_nobody_heard_of_is_shown() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    folder.write("data/common.yaml", "port: '8080'\n");
    compile_all(&mut session);
    assert!(session.has_unshown());
    let edit = session.look(&Touched::nothing()).unwrap();
    assert_eq!(names(&session.round(edit).unwrap().changed), ["web1", "web2"]);
    is_right(&session, &folder);
}

/// What nobody heard of is shown once, also with an edit that somebody heard of.
#[test]
fn an_edit_that_nobody_heard_of_is_shown_with_the_next_one() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    folder.write("data/common.yaml", "port: '8080'\n");
    compile_all(&mut session);
    let path = "modules/role_web/manifests/init.pp";
    let text = fs::read_to_string(folder.path().join(path)).unwrap();
    folder.write(path, format!("# A comment.\n{text}"));
    let edit = session.look(&Touched::Everything).unwrap();
    assert!(session.beforehand(&edit).is_none(), "more than lines has changed");
    assert_eq!(names(&session.round(edit).unwrap().changed), ["web1", "web2"]);
    assert!(session.look(&Touched::nothing()).is_none());
    is_right(&session, &folder);
}

/// A file has to be watched before any node is compiled.
#[test]
fn paths_that_stored_answers_depend_on_are_known_at_once() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    assert_eq!(stored(session.answers()).len(), 3);
    let paths = session.new_paths();
    let data = folder.path().join("data/common.yaml").canonicalize().unwrap();
    assert!(paths.iter().any(|path| **path == *data), "{data:?} is not among {} paths", paths.len());
}

#[test]
fn nodes_come_and_go() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    let facts = folder.path().join("facts");
    fs::copy(facts.join("web2.json"), facts.join("web3.json")).unwrap();
    fs::remove_file(facts.join("web1.json")).unwrap();
    let round = round(&mut session);
    assert_eq!((names(&round.appeared), names(&round.gone)), (vec!["web3"], vec!["web1"]));
    is_right(&session, &folder);
}

#[test]
fn a_catalog_that_is_lost_is_no_catalog_without_changes() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    fs::remove_dir_all(folder.path().join("stored")).unwrap();
    folder.write("data/common.yaml", "port: '8080'\n");
    let round = round(&mut session);
    assert_eq!(names(&round.lost), ["db1", "web1", "web2"]);
    is_right(&session, &folder);
}

#[test]
fn nodes_that_exchange_what_they_export_are_compiled() {
    let folder = repository();
    let mut options = options(&folder);
    options.catalogs.exported = ExportedSource::Fleet;
    store_all_with(&options, &folder);
    let session = session(options, cache(&folder));
    assert_eq!(stored(session.answers()), [""; 0]);
}

#[test]
fn events_are_heard_of_files_that_no_node_was_compiled_from() {
    let folder = repository();
    let run = folder.run(&["fleet", "--facts", "facts"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    assert_eq!(watcher.event()["stored"], 3);
    replace(&folder, "data/common.yaml", "port: '8080'\n");
    let event = watcher.event();
    assert_eq!(event["changed"], serde_json::json!(["web1", "web2"]), "{event}");
}

#[test]
fn a_cache_that_cannot_be_used_is_warned_of() {
    let folder = repository();
    folder.write("stored", "no folder");
    let watched = WatchOptions {
        options: options(&folder),
        nodes: Vec::new(),
        cache: cache(&folder),
        checks_graph: true,
        timings: None,
    };
    let mut session = Session::open(watched, Arc::new(MachineDisk::default())).unwrap();
    let remarks: Vec<String> = session.first().unwrap().into_iter().map(|remark| remark.text).collect();
    assert!(remarks.iter().any(|text| text.starts_with("the cache is of no use: ")), "{remarks:?}");
    assert_eq!((stored(session.answers()), session.answers().len()), (vec![], 3));
}

/// Somebody saves a file by emptying it and writing it again, while another edit is looked at.
#[test]
fn a_file_that_is_being_written_is_no_edit_yet() {
    let folder = repository();
    store_all(&folder);
    let mut session = started(&folder);
    let path = |name: &str| folder.path().join(name);
    let common = fs::read_to_string(path("data/common.yaml")).unwrap();
    fs::write(path("data/common.yaml"), "").unwrap();
    let class = "modules/role_db/manifests/init.pp";
    folder.write(class, "class role_db { notify { 'other': } }\n");
    let edit = session.look(&Touched::from_paths([path(class)])).unwrap();
    let one = session.round(edit).unwrap();
    assert_eq!(names(&one.changed), ["db1"]);
    assert_eq!(stored(session.answers()), ["web1", "web2"]);
    fs::write(path("data/common.yaml"), common).unwrap();
    assert!(session.look(&Touched::from_paths([path("data/common.yaml")])).is_none());
    is_right(&session, &folder);
}

#[test]
fn a_file_that_is_emptied_and_written_again_is_one_edit() {
    let folder = repository();
    assert_eq!(folder.run(&["fleet", "--facts", "facts"]).code, Some(0));
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    let path = folder.path().join("data/common.yaml");
    fs::write(&path, "").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(120));
    fs::write(&path, "port: '8080'\n").unwrap();
    let event = watcher.change();
    assert_eq!(event["changed"], serde_json::json!(["web1", "web2"]), "{event}");
    assert_eq!(event["errors"], serde_json::json!([]), "{event}");
}

#[cfg(unix)]
#[test]
fn the_targets_of_links_are_watched() {
    use std::os::unix::fs::symlink;
    let folder = repository();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("shared/far")).unwrap();
    fs::rename(path("data/common.yaml"), path("shared/far/real.yaml")).unwrap();
    symlink("far/real.yaml", path("shared/common.yaml")).unwrap();
    symlink("../shared/common.yaml", path("data/common.yaml")).unwrap();
    fs::create_dir_all(path("elsewhere")).unwrap();
    fs::rename(path("modules/role_db"), path("elsewhere/role_db")).unwrap();
    symlink("../elsewhere/role_db", path("modules/role_db")).unwrap();
    for stores in [false, true] {
        folder.write("shared/far/real.yaml", "port: '80'\n");
        folder.write("elsewhere/role_db/manifests/init.pp", "class role_db { notify { 'db': } }\n");
        if stores {
            assert_eq!(folder.run(&["fleet", "--facts", "facts"]).code, Some(0));
        }
        let watcher = Watcher::start(&folder, &["--format", "json"]);
        watcher.event();
        folder.write("shared/far/real.yaml", "port: '8080'\n");
        assert_eq!(watcher.change()["changed"], serde_json::json!(["web1", "web2"]));
        folder.write("elsewhere/role_db/manifests/init.pp", "class role_db { notify { 'other': } }\n");
        assert_eq!(watcher.change()["changed"], serde_json::json!(["db1"]));
        // The link leads elsewhere, and what it leads to now is followed.
        fs::remove_file(path("shared/common.yaml")).unwrap();
        folder.write("shared/near.yaml", "port: '81'\n");
        symlink("near.yaml", path("shared/common.yaml")).unwrap();
        watcher.change();
        folder.write("shared/near.yaml", "port: '82'\n");
        watcher.until_told(|event| event.to_string().contains("\"82\""));
        fs::remove_file(path("shared/common.yaml")).unwrap();
        symlink("far/real.yaml", path("shared/common.yaml")).unwrap();
    }
}

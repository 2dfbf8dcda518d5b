//! What `pantin watch` tells of an edit: first of whom, since when, and how often.

use std::sync::Arc;

use pantin::repository::options::{CacheOptions, EnvironmentFolder, ExportedSource, FactSource, Options};
use pantin::repository::watch::{Round, Session, WatchOptions};
use pantin::values::Str;
use pantin::world::{MachineDisk, Touched};
use serde_json::{Value, json};

use crate::Folder;
use crate::watch::{Watcher, replace, repository};

const BROKEN: &str = "node default { include \n";

fn session(folder: &Folder, exchanges: bool) -> Session {
    let path = |name: &str| format!("{}/{name}", folder.path().display());
    let (all, facts, conf) = (path(""), path("facts"), path("conf"));
    let mut options = Options::default();
    options.world.folder = EnvironmentFolder::At(all.into());
    options.world.confdir = Some(conf.into());
    options.nodes.facts = vec![FactSource::At(facts.into())];
    if exchanges {
        options.catalogs.exported = ExportedSource::Fleet;
    }
    let watched =
        WatchOptions { options, nodes: Vec::new(), cache: CacheOptions::Off, checks_graph: true, timings: None };
    let mut session = Session::open(watched, Arc::new(MachineDisk::default())).unwrap();
    session.first().unwrap();
    session
}

fn names(nodes: &[Str]) -> Vec<&str> {
    nodes.iter().map(Str::as_str).collect()
}

fn look_and_round(session: &mut Session) -> Round {
    let edit = session.look(&Touched::Everything).unwrap();
    session.round(edit).unwrap()
}

#[test]
fn who_is_looked_at_is_asked_before_the_others() {
    let folder = repository();
    let mut session = session(&folder, false);
    folder.write("data/common.yaml", "port: '8080'\n");
    let edit = session.look(&Touched::Everything).unwrap();
    let looked_at = ["web2", "db1", "nobody"].map(Str::from);
    let (round, answers) = session.early(&edit, &looked_at).unwrap();
    assert_eq!((round.nodes, round.counts.affected()), (3, 1));
    assert_eq!((names(&round.changed), names(&round.changes[0].nodes)), (vec!["web2"], vec!["web2"]));
    assert_eq!((round.gone.len(), round.edited.len()), (0, 1));
    assert_eq!(answers.iter().map(|answer| answer.node.as_str()).collect::<Vec<_>>(), ["db1", "web2"]);
    // What all are told is not less for that.
    let round = session.round(edit).unwrap();
    assert_eq!((round.counts.affected(), names(&round.changed)), (2, vec!["web1", "web2"]));
}

#[test]
fn nothing_is_told_early_of_which_there_is_nothing_to_tell() {
    let folder = repository();
    let mut session = session(&folder, false);
    folder.write("data/common.yaml", "port: '8080'\n");
    let edit = session.look(&Touched::Everything).unwrap();
    for looked_at in [&["db1"][..], &["db1", "web1", "web2"], &[]] {
        let looked_at: Vec<Str> = looked_at.iter().map(|name| Str::from(*name)).collect();
        assert!(session.early(&edit, &looked_at).is_none(), "{looked_at:?}");
    }
}

/// What one of them is answered is not certain before the others were asked.
#[test]
fn nobody_is_asked_first_of_those_who_exchange_what_they_export() {
    let folder = repository();
    let mut session = session(&folder, true);
    folder.write("data/common.yaml", "port: '8080'\n");
    let edit = session.look(&Touched::Everything).unwrap();
    assert!(session.early(&edit, &["web2".into()]).is_none());
    assert_eq!(names(&session.round(edit).unwrap().changed), ["web1", "web2"]);
}

#[test]
fn what_changed_while_nothing_compiled_is_told_when_it_is_mended() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    let site = std::fs::read_to_string(folder.path().join("manifests/site.pp")).unwrap();
    replace(&folder, "manifests/site.pp", BROKEN);
    assert_eq!(watcher.change()["errors"][0]["nodes"], json!(["db1", "web1", "web2"]));
    replace(&folder, "data/common.yaml", "port: '8080'\n");
    // Another error is not what one compares with.
    replace(&folder, "manifests/site.pp", &format!("{BROKEN} }}"));
    watcher.change();
    replace(&folder, "manifests/site.pp", &site);
    let event = watcher.change();
    assert_eq!(event["mended"], json!(["db1", "web1", "web2"]));
    assert_eq!(
        (&event["changed"], &event["changes"][0]["nodes"]),
        (&json!(["web1", "web2"]), &json!(["web1", "web2"]))
    );
    let parameters = json!([{"name": "content", "secret": false, "from": "80", "to": "8080"}]);
    assert_eq!((&event["changes"][0]["parameters"], event["changes"].as_array().unwrap().len()), (&parameters, 1));
}

#[test]
fn the_last_good_answer_is_remembered_while_there_is_none() {
    let folder = repository();
    let class = "modules/role_db/manifests/init.pp";
    let sound = "class role_db { warning('old')\n notify { 'db': } }\n";
    folder.write(class, sound);
    folder.write("facts/new1.json", r#"{"role": "none"}"#);
    let mut session = session(&folder, false);
    folder.write(class, "class role_db { fail('no') }\n");
    assert_eq!(names(&look_and_round(&mut session).broken[0].nodes), ["db1"]);
    // A warning of then is no news, and nothing changed since.
    folder.write(class, sound);
    let round = look_and_round(&mut session);
    assert_eq!((names(&round.mended), round.said.len(), round.changes.len()), (vec!["db1"], 0, 0));
    assert_eq!(names(&round.changed), Vec::<&str>::new());
    // What is good now is what is compared with, when there is an error again.
    folder.write(class, "class role_db { warning('new')\n notify { 'other': } }\n");
    assert_eq!(look_and_round(&mut session).changes.len(), 2);
    folder.write(class, "class role_db { fail('no') }\n");
    look_and_round(&mut session);
    folder.write(class, sound);
    let round = look_and_round(&mut session);
    let told: Vec<&str> = round.changes.iter().map(|group| group.what[0].what.reference.as_str()).collect();
    assert_eq!((told, round.said[0].what.text.contains("old")), (vec!["Notify[db]", "Notify[other]"], true));
    // Who never had a catalog has nothing to compare with, and who went is forgotten.
    folder.write("facts/new1.json", r#"{"role": "db"}"#);
    let round = look_and_round(&mut session);
    assert_eq!((names(&round.mended), round.changes.len()), (vec!["new1"], 0));
    folder.write("facts/db1.json", r#"{"role": "none"}"#);
    look_and_round(&mut session);
    std::fs::remove_file(folder.path().join("facts/db1.json")).unwrap();
    assert_eq!(names(&look_and_round(&mut session).gone), ["db1"]);
    folder.write("facts/db1.json", r#"{"role": "none"}"#);
    look_and_round(&mut session);
    folder.write("facts/db1.json", r#"{"role": "web"}"#);
    let round = look_and_round(&mut session);
    assert_eq!((names(&round.mended), round.changes.len()), (vec!["db1"], 0));
}

/// A text of each node, with its name in it: of one line, and of several.
fn motd() -> Folder {
    let folder = repository();
    let class = |port: &str| format!("class role_db {{\n  file {{ '/m':\n    content => {port},\n  }}\n}}\n");
    folder.write("modules/role_db/manifests/init.pp", class("\"${trusted['certname']} ${lookup('port')}\""));
    let lines = class("\"I am ${trusted['certname']}\\nport ${lookup('port')}\\n\"").replace("role_db", "role_web");
    folder.write("modules/role_web/manifests/init.pp", lines.replace("/m", "/w"));
    folder.write("facts/db2.json", r#"{"role": "db"}"#);
    folder.write("facts/db3.json", r#"{"role": "db"}"#);
    folder
}

#[test]
fn a_change_that_differs_from_node_to_node_is_told_once() {
    let folder = motd();
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never"]);
    assert!(watcher.line().starts_with("5 nodes in "));
    replace(&folder, "data/common.yaml", "port: '81'\n");
    let lines = watcher.rest();
    let place = |class: &str| format!("(modules/{class}/manifests/init.pp:2)");
    let told = [
        format!("~ File[/m] {}", place("role_db")),
        "    content: 'db1 80' → 'db1 81'".to_owned(),
        "    on db1".to_owned(),
        "    with other values on 2 nodes: db2, db3".to_owned(),
        format!("~ File[/w] {}", place("role_web")),
        // The same line, whatever stands in the others.
        "    content, line 2: 'port 80' → 'port 81'".to_owned(),
        "    on 2 nodes: web1, web2".to_owned(),
    ];
    assert_eq!(lines[lines.len() - told.len()..], told);
}

#[test]
fn for_editors_each_of_its_ways_is_there() {
    let folder = motd();
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    replace(&folder, "data/common.yaml", "port: '81'\n");
    let event = watcher.change();
    let news =
        |change: &Value| (change["resource"].clone(), change["parameters"][0]["to"].clone(), change["nodes"].clone());
    let told: Vec<_> = event["changes"].as_array().unwrap().iter().map(news).collect();
    let way = |resource: &str, new: &str, node: &str| (json!(resource), json!(new), json!([node]));
    let all = [
        way("File[/m]", "db1 81", "db1"),
        way("File[/m]", "db2 81", "db2"),
        way("File[/m]", "db3 81", "db3"),
        way("File[/w]", "I am web1\nport 81\n", "web1"),
        way("File[/w]", "I am web2\nport 81\n", "web2"),
    ];
    assert_eq!(told, all);
}

/// How many there are, whose it is and where stand where nothing cuts them off.
#[test]
fn an_error_is_told_with_its_nodes_and_its_place() {
    let folder = repository();
    let long = "a message of many words that no terminal has a line for, ".repeat(3);
    let class =
        |mode: &str| format!("class role_web {{ file {{ '/w': mode => '{mode}' }}\n  fail('{long}at last') }}\n");
    folder.write("modules/role_web/manifests/init.pp", class("1"));
    for number in 3..8 {
        folder.write(&format!("facts/web{number}.json"), r#"{"role": "web"}"#);
    }
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never"]);
    let told = |lines: &mut dyn FnMut() -> String| {
        let error = lines();
        assert!(error.starts_with("✗ Evaluation Error: ") && error.ends_with(&format!("{long}at last")), "{error}");
        assert_eq!(lines(), "    modules/role_web/manifests/init.pp:2:3");
        assert!(lines().starts_with("       2 │   fail('"));
        assert_eq!(lines(), "    on 7 nodes: web1, web2, web3, web4, …");
    };
    let first = watcher.line();
    assert!(first.starts_with("8 nodes in ") && first.ends_with(": 1 ok, 7 failed"), "{first}");
    told(&mut || watcher.line());
    assert_eq!(watcher.line(), "watching; Ctrl-C ends it");
    replace(&folder, "modules/role_web/manifests/init.pp", &class("1").replace("fail(", "fail('Sorry.', "));
    let mut lines = watcher.rest().into_iter().skip_while(|line| !line.starts_with('✗'));
    told(&mut || lines.next().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_narrow_terminal_cuts_names_and_not_how_many_there_are() {
    let folder = repository();
    for number in 0..6 {
        folder.write(&format!("facts/a-rather-long-name-{number}.example.org.json"), r#"{"role": "db"}"#);
    }
    let mut command = folder.command(&["watch", "--facts", "facts", "--edits", "1"]);
    let terminal = crate::terminal::Terminal::start(command.env("NO_COLOR", "1"), 60, 24);
    terminal.shows("watching; Ctrl-C ends it");
    replace(&folder, "modules/role_db/manifests/init.pp", "class role_db { notify { 'db': message => 'new' } }\n");
    let page = terminal.shows("message: added 'new'");
    let page = if page.contains("    on ") { page } else { terminal.shows("    on ") };
    assert!(page.contains("~ Notify[db] (modules/role_db/manifests/init.pp:1)\n"), "{page}");
    assert!(page.contains("    on 7 nodes: a-rather-long-name-0.example.org, a-rather-…"), "{page}");
}

#[test]
fn a_node_is_named_once_however_often_it_is_told_a_line() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    folder
        .write("modules/role_db/manifests/init.pp", "class role_db { warning('so') warning('so') notify { 'db': } }\n");
    let event = watcher.until_told(|event| event["log"] != json!([]));
    assert_eq!(event["log"].as_array().unwrap().len(), 1, "{event}");
    assert_eq!(event["log"][0]["nodes"], json!(["db1"]));
}

#[test]
fn what_a_command_prints_is_no_json() {
    let folder = repository();
    let run = ["--format", "json", "--edits", "1", "--exec", "echo said by the command"];
    let mut watcher = Watcher::start(&folder, &run);
    watcher.event();
    folder.write("data/common.yaml", "port: '81'\n");
    assert_eq!(watcher.change()["event"], json!("edit"));
    assert_eq!(watcher.rest(), Vec::<String>::new());
    let mut said = String::new();
    std::io::Read::read_to_string(&mut watcher.errors(), &mut said).unwrap();
    assert_eq!(said, "said by the command\n");
}

/// Of two web servers one is compiled and shows what an edit does; a reader of what changes is compiled as well.
#[test]
fn reasons_against_patching_are_told() {
    let folder = repository();
    let class = "modules/role_web/manifests/init.pp";
    folder.write(class, "class role_web { file { '/w': content => 'a' } }\n");
    folder.write(
        "modules/role_db/manifests/init.pp",
        "class role_db { include role_web\n notify { \"${File['/w']['content']}\": } }\n",
    );
    let reasons = |event: &Value| -> Vec<(String, u64)> {
        let reason = |one: &Value| (one["reason"].as_str().unwrap().to_owned(), one["count"].as_u64().unwrap());
        event["not_patched"].as_array().unwrap().iter().map(reason).collect()
    };
    let watcher = Watcher::start(&folder, &["--format", "json", "--no-cache"]);
    watcher.event();
    replace(&folder, class, "class role_web { file { '/w': content => 'b' } }\n");
    let event = watcher.change();
    let told = reasons(&event);
    let count: u64 = told.iter().map(|(_, count)| count).sum();
    assert_eq!(
        Some(count),
        event["affected"].as_u64().zip(event["patched"].as_u64()).map(|(all, patched)| all - patched)
    );
    assert!(
        told.iter().all(|(reason, _)| ["nothing_learnt", "resource_observed"].contains(&reason.as_str())),
        "{event}"
    );
    replace(&folder, class, "class role_web { file { '/w': content => 'b' } notice('new') }\n");
    let event = watcher.event();
    assert!(reasons(&event).iter().any(|(reason, _)| reason != "nothing_learnt"), "{event}");

    let watcher = Watcher::start(&folder, &["--explain-cache", "--edits", "1", "--no-cache"]);
    while !watcher.line().starts_with("watching") {}
    replace(&folder, class, "class role_web { file { '/w': content => 'c' } }\n");
    let text = watcher.rest().join("\n");
    assert!(
        text.contains(
            "· compiled, not patched: no compiled node has shown yet what the edit does to catalogs\n    on "
        ),
        "{text}"
    );
}

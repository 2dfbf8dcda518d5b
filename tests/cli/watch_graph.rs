//! The verdict of `pantin watch`: dependency cycles, missing dependencies, and errors as `pantin fleet` has them.

use std::sync::Arc;

use pantin::repository::query::Answer;
use pantin::repository::watch::Session;
use serde_json::{Value, json};

use crate::Folder;
use crate::watch::{Watcher, replace, repository};
use crate::watch_stored::{compile_all, round, started, store_all, stored};

const WEB: &str = "modules/role_web/manifests/init.pp";
const DB: &str = "modules/role_db/manifests/init.pp";

/// The class of the web servers: `a` and `b` with these parameters.
fn class(a: &str, b: &str) -> String {
    format!("class role_web {{\n  notify {{ 'a': {a} }}\n  notify {{ 'b': {b} }}\n}}\n")
}

/// The agent has no alias `vim` where the package is not named so: the compiler does not see that.
const MISSING: &str =
    "class role_db {\n  package { 'editor': name => 'vim' }\n  notify { 'db': require => Package['vim'] }\n}\n";

const SAYS_MISSING: &str = "Could not find dependency Package[vim] for Notify[db]";

/// What is told of a group: about what, the text, the line, the nodes.
fn told(group: &Value) -> [&Value; 4] {
    ["about", "text", "line", "nodes"].map(|name| &group[name])
}

#[test]
fn a_cycle_that_an_edit_makes_and_mends_is_told_after_its_changes() {
    let folder = repository();
    folder.write(WEB, class("", ""));
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    assert_eq!(watcher.event()["ok"], 3);
    replace(&folder, WEB, &class("require => Notify['b']", "require => Notify['a']"));
    let event = watcher.change();
    assert_eq!((&event["event"], &event["changed"]), (&json!("edit"), &json!(["web1", "web2"])));
    let event = watcher.event();
    assert_eq!((&event["event"], &event["checked"], &event["mended"]), (&json!("graph"), &json!(2), &json!([])));
    let cycle = "Notify[a] => Notify[b] => Notify[a]";
    assert_eq!(event["errors"].as_array().unwrap().len(), 1);
    let error = &event["errors"][0];
    assert_eq!(told(error), [&json!("cycle"), &json!(cycle), &json!(2), &json!(["web1", "web2"])]);
    assert!(error["file"].as_str().unwrap().ends_with(WEB), "{error}");
    // An edit that leaves it alone says nothing of it, wherever it stands by then.
    let moved = class("require => Notify['b']", "require => Notify['a'], message => 'new'");
    replace(&folder, WEB, &format!("# moved\n{moved}"));
    assert_eq!(watcher.change()["changes"][0]["parameters"][0]["to"], "new");
    // Nor does one after which there is no catalog to look at.
    replace(&folder, WEB, "class role_web { fail('no') }");
    assert_eq!(watcher.change()["errors"][0]["about"], "failure");
    replace(&folder, WEB, &class("", ""));
    assert_eq!(watcher.change()["mended"], json!(["web1", "web2"]));
    let event = watcher.event();
    assert_eq!((&event["event"], &event["errors"]), (&json!("graph"), &json!([])));
    assert_eq!(told(&event["mended"][0])[..2], [&json!("cycle"), &json!(cycle)]);
    assert_eq!(event["mended"][0]["nodes"], json!(["web1", "web2"]));
}

#[test]
fn a_missing_dependency_at_the_start_is_told_and_mended() {
    let folder = repository();
    folder.write(DB, MISSING);
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never", "--exec", "echo the command"]);
    let first = watcher.line();
    assert!(first.starts_with("3 nodes in ") && first.ends_with(": 2 ok, 1 failed"), "{first}");
    let lines = [
        &format!("✗ {SAYS_MISSING}"),
        &format!("    {DB}:3"),
        "       3 │   notify { 'db': require => Package['vim'] }",
        "    on db1",
        "watching; Ctrl-C ends it",
    ];
    lines.into_iter().for_each(|line| assert_eq!(watcher.line(), line));
    replace(&folder, DB, &MISSING.replace("'editor': name =>", "'vim': name =>"));
    let rest = watcher.rest();
    let graph = [&format!("✓ mended: {SAYS_MISSING}"), "    on db1", "the command"];
    assert_eq!(rest[rest.len() - 3..], graph);
    assert!(rest.iter().any(|line| line.starts_with("+ Package[vim]")), "{rest:?}");
}

#[test]
fn a_missing_dependency_that_an_edit_makes_is_told_with_its_line() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never"]);
    assert!(watcher.line().ends_with(": all ok"));
    watcher.line();
    replace(&folder, DB, MISSING);
    let rest = watcher.rest();
    let graph = [
        &format!("✗ {SAYS_MISSING}"),
        &format!("    {DB}:3"),
        "       3 │   notify { 'db': require => Package['vim'] }",
        "    on db1",
    ];
    assert_eq!(rest[rest.len() - 4..], graph);
}

#[test]
fn nothing_is_told_of_graphs_that_nobody_wants_checked() {
    let folder = repository();
    folder.write(DB, MISSING);
    let run = folder.run(&["fleet", "--facts", "facts"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    for more in [&[][..], &["--no-cache"]] {
        let arguments = [&["--format", "json", "--no-check-graph", "--edits", "1"], more].concat();
        let watcher = Watcher::start(&folder, &arguments);
        let ready = watcher.event();
        assert_eq!((&ready["ok"], &ready["messages"]), (&json!(3), &json!([])));
        replace(&folder, WEB, &class("require => Notify['b']", "require => Notify['a']"));
        assert_eq!(watcher.change()["event"], "edit");
        assert_eq!(watcher.rest(), Vec::<String>::new());
        replace(&folder, WEB, &class("", ""));
    }
}

fn findings(session: &Session) -> Vec<(&str, usize)> {
    let count = |answer: &Arc<Answer>| answer.findings.get().unwrap().findings.len();
    session.answers().iter().map(|answer| (answer.node.as_str(), count(answer))).collect()
}

#[test]
fn findings_are_stored_with_answers_and_found_again() {
    let folder = repository();
    folder.write(DB, MISSING);
    store_all(&folder);
    let mut session = started(&folder);
    assert_eq!(stored(session.answers()), ["db1", "web1", "web2"]);
    assert_eq!(findings(&session), [("db1", 1), ("web1", 0), ("web2", 0)]);
    // What is compiled in the background is no news.
    compile_all(&mut session);
    assert_eq!(stored(session.answers()), [""; 0]);
    assert!(session.check_catalogs(&mut || false).is_quiet());
    assert_eq!(findings(&session), [("db1", 1), ("web1", 0), ("web2", 0)]);
}

#[test]
fn only_catalogs_whose_graphs_may_have_changed_are_checked() {
    let folder = repository();
    let class = |owner: &str, content: &str| {
        format!(
            "class role_web {{\n  file {{ '/w': owner => '{owner}', content => '{content}' }}\n  notify {{ 'between': \
             require => File['/w'] }}\n  user {{ 'www': require => Notify['between'] }}\n}}\n"
        )
    };
    folder.write(WEB, class("root", "one"));
    let mut session = started(&folder);
    assert!(session.check_catalogs(&mut || false).is_quiet());
    let mut checked = |owner: &str, content: &str| {
        folder.write(WEB, class(owner, content));
        assert_eq!(round(&mut session).changed.len(), 2);
        let changes = session.check_catalogs(&mut || false);
        let texts = |groups: &[pantin::repository::messages::Group]| {
            groups.iter().map(|group| group.text.clone()).collect::<Vec<_>>()
        };
        (changes.checked, texts(&changes.broken), texts(&changes.mended))
    };
    let none = Vec::<String>::new;
    assert_eq!(checked("root", "two"), (0, none(), none()));
    // An owner is an automatic relationship with a user.
    let (count, broken, mended) = checked("www", "two");
    assert_eq!((count, mended), (2, none()));
    assert!(broken.len() == 1 && broken[0].contains("Notify[between]"), "{broken:?}");
    // What is wrong is looked at again, for its place may be another.
    assert_eq!(checked("www", "three"), (2, none(), none()));
    assert_eq!(checked("root", "three"), (2, none(), broken));
}

const APPS: [&str; 3] = ["app01.example.org", "app02.example.org", "app03.example.org"];

/// Three nodes whose names and addresses stand in the message of an error.
fn with_own_names() -> Folder {
    let mut files = vec![("environment.conf".to_owned(), "modulepath = modules\n".to_owned())];
    files.push((
        "manifests/site.pp".to_owned(),
        "node default {\n  include \"gone::${facts['networking']['ip']}\"\n}\n".to_owned(),
    ));
    files.extend(APPS.map(|node| (format!("facts/{node}.json"), facts(&node[..5]))));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Folder::with(&files)
}

fn facts(ip: &str) -> String {
    format!(r#"{{"networking": {{"ip": "ip_of_{ip}"}}}}"#)
}

/// What the start says of nodes, and what is wrong with them.
fn start(folder: &Folder) -> (String, Vec<String>) {
    let watcher = Watcher::start(folder, &["--color", "never"]);
    let lines = std::iter::from_fn(|| Some(watcher.line()));
    let mut lines: Vec<String> = lines.take_while(|line| !line.starts_with("watching")).collect();
    (lines.remove(0), lines)
}

#[test]
fn errors_at_the_start_are_those_of_fleet() {
    let folder = with_own_names();
    let fleet = folder.run(&["fleet", "--facts", "facts"]);
    let from_store = start(&folder);
    APPS.iter().for_each(|node| folder.write(&format!("facts/{node}.json"), facts("another")));
    let compiled = start(&folder);
    for ((first, lines), end) in [(from_store, "3 failed; 3 answered from the cache"), (compiled, "3 failed")] {
        assert!(first.starts_with("3 nodes in ") && first.ends_with(&format!(": 0 ok, {end}")), "{first}");
        // Both say what is wrong in four lines, and name the nodes in the fifth.
        let of_fleet: Vec<&str> = fleet.out.lines().skip(1).take(4).collect();
        assert_eq!(lines[0].strip_prefix('✗').unwrap(), &of_fleet[0][1..]);
        assert_eq!(lines[1..4], of_fleet[1..]);
        assert!(of_fleet[3].starts_with("    help: ") && lines[0].contains("gone::<ip> for <node>"), "{lines:?}");
        assert_eq!(lines[4..], [format!("    on 3 nodes: {}", APPS.join(", "))]);
    }
}

#[test]
fn an_error_of_an_edit_has_its_line_and_its_help() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never"]);
    watcher.line();
    replace(&folder, WEB, "class role_web {\n  include role_bd\n}\n");
    let rest = watcher.rest();
    let error = rest.iter().position(|line| line.starts_with('✗')).unwrap();
    assert_eq!(
        rest[error + 1..],
        [
            &format!("    {WEB}:2:3"),
            "       2 │   include role_bd",
            "    help: there is no module role_bd in the module path; did you mean role_db?",
            "    on 2 nodes: web1, web2",
        ]
    );
}

/// Which providers there are is no part of any catalog.
#[test]
fn a_provider_that_comes_or_goes_is_noticed() {
    let folder = repository();
    folder.write(WEB, "class role_web {\n  package { 'a': provider => 'crate' }\n}\n");
    let provider = "modules/rust/lib/puppet/provider/package/crate.rb";
    folder.write("modules/rust/lib/puppet/provider/package/other.rb", "");
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    let refused = |group: &Value| group["text"].as_str().unwrap().contains("Invalid package provider 'crate'");
    assert!(refused(&watcher.event()["messages"][0]));
    folder.write(provider, "");
    let event = next_graph(&watcher);
    assert!(refused(&event["mended"][0]) && event["errors"] == json!([]), "{event}");
    assert_eq!(event["mended"][0]["nodes"], json!(["web1", "web2"]));
    std::fs::remove_file(folder.path().join(provider)).unwrap();
    let event = next_graph(&watcher);
    assert!(refused(&event["errors"][0]) && event["mended"] == json!([]), "{event}");
}

fn next_graph(watcher: &Watcher) -> Value {
    loop {
        let event = watcher.event();
        if event["event"] == "graph" {
            return event;
        }
    }
}

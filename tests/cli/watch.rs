//! `pantin watch`: a real repository that is edited while somebody watches.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Folder, PATIENCE};

pub(crate) fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "node default { include \"role_${facts['role']}\" }\n"),
        ("modules/role_web/manifests/init.pp", "class role_web { file { '/w': content => lookup('port') } }\n"),
        ("modules/role_db/manifests/init.pp", "class role_db { notify { 'db': } }\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n- name: all\n  path: common.yaml\n"),
        ("data/common.yaml", "port: '80'\n"),
        ("facts/db1.json", r#"{"role": "db"}"#),
        ("facts/web1.json", r#"{"role": "web"}"#),
        ("facts/web2.json", r#"{"role": "web"}"#),
    ])
}

/// A process that watches, and what it prints.
pub(crate) struct Watcher {
    process: Child,
    lines: Receiver<String>,
}

impl Watcher {
    pub(crate) fn start(folder: &Folder, more: &[&str]) -> Watcher {
        let arguments = [&["watch", "--facts", "facts"], more].concat();
        Watcher::of(folder.command(&arguments))
    }

    pub(crate) fn of(mut command: Command) -> Watcher {
        let mut process = command.spawn().unwrap();
        let out = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watcher { process, lines }
    }

    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    pub(crate) fn event(&self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// What it prints until it ends.
    pub(crate) fn rest(&self) -> Vec<String> {
        self.lines.iter().collect()
    }

    /// What it complains of.
    pub(crate) fn errors(&mut self) -> impl Read + use<> {
        self.process.stderr.take().unwrap()
    }

    /// The next event, if there is one within so many seconds.
    pub(crate) fn event_within(&self, seconds: u64) -> Option<Value> {
        serde_json::from_str(&self.lines.recv_timeout(Duration::from_secs(seconds)).ok()?).ok()
    }

    /// The first event of which this is so.
    pub(crate) fn until_told(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = self.event();
            if is_so(&event) {
                return event;
            }
        }
    }

    /// The next event that tells a change: an edit may be seen in two halves.
    pub(crate) fn change(&self) -> Value {
        loop {
            let event = self.event();
            if ["changes", "errors", "mended", "appeared", "gone"].iter().any(|key| event[key] != json!([])) {
                return event;
            }
        }
    }
}

impl Watcher {
    /// Waits until each of the three nodes was named.
    fn until_all(&self, names: impl Fn(&Value) -> Vec<&Value>) {
        let mut waiting = BTreeSet::from(["db1", "web1", "web2"]);
        while !waiting.is_empty() {
            let event = self.change();
            let names = names(&event);
            waiting.retain(|waiting| !names.iter().any(|name| *name == waiting));
        }
    }
}

fn listed(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn an_edit_is_told_with_its_nodes_and_nothing_else_is_asked() {
    for polling in [&["--format", "json"][..], &["--format", "json", "--poll", "0.05"]] {
        let folder = repository();
        let watcher = Watcher::start(&folder, polling);
        let ready = watcher.event();
        assert_eq!((&ready["event"], &ready["nodes"], &ready["compiled"]), (&json!("ready"), &json!(3), &json!(3)));

        folder.write("data/common.yaml", "port: '8080'\n");
        let event = watcher.change();
        let change = &event["changes"][0];
        assert_eq!((&change["resource"], &change["action"]), (&json!("File[/w]"), &json!("changed")));
        assert_eq!(change["parameters"], json!([{"name": "content", "secret": false, "from": "80", "to": "8080"}]));
        assert_eq!(change["nodes"], json!(["web1", "web2"]));
        assert_eq!(event["affected"], json!(2));

        folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'db' } }\n");
        let event = watcher.change();
        assert!(event["errors"][0]["text"].as_str().unwrap().contains("Syntax error"), "{event}");
        assert_eq!(event["errors"][0]["nodes"], json!(["db1"]));
        folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'db': } }\n");
        assert_eq!(watcher.change()["mended"], json!(["db1"]));

        folder.write("facts/db2.json", r#"{"role": "db"}"#);
        assert_eq!(watcher.change()["appeared"], json!(["db2"]));
        std::fs::remove_file(folder.path().join("facts/db2.json")).unwrap();
        assert_eq!(watcher.change()["gone"], json!(["db2"]));
    }
}

#[test]
fn a_repository_that_goes_and_comes_back_is_watched_on() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--format", "json", "--environment-dir", "."]);
    watcher.event();
    std::fs::rename(folder.path().join("modules"), folder.path().join("away")).unwrap();
    watcher.until_all(|event| listed(&event["errors"]).flat_map(|error| listed(&error["nodes"])).collect());
    std::fs::rename(folder.path().join("away"), folder.path().join("modules")).unwrap();
    watcher.until_all(|event| listed(&event["mended"]).collect());
    folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'other': } }\n");
    let event = watcher.change();
    let told: Vec<_> = event["changes"].as_array().unwrap().iter().map(|change| &change["resource"]).collect();
    assert_eq!(told, [&json!("Notify[other]"), &json!("Notify[db]")]);
}

#[test]
fn a_person_reads_what_changed() {
    let folder = repository();
    let run = "cat > /dev/null; echo done > ran";
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never", "--exec", run]);
    let first = watcher.line();
    assert!(first.starts_with("3 nodes in "), "{first}");
    assert_eq!(watcher.line(), "watching; Ctrl-C ends it");
    folder.write(
        "modules/role_web/manifests/init.pp",
        "# moved\nclass role_web { file { '/w': mode => '0600', content => lookup('port') } }\n",
    );
    let lines = watcher.rest();
    assert_eq!(lines[0], "");
    let heading = &lines[1];
    assert!(heading.starts_with("modules/role_web/manifests/init.pp · 2 of 3 nodes affected, "), "{heading}");
    assert_eq!(lines[2], "~ File[/w] (modules/role_web/manifests/init.pp:2)");
    assert_eq!(lines[3..], ["    mode: added '0600'", "    on 2 nodes: web1, web2"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("ran")).unwrap(), "done\n");
}

#[test]
fn what_still_fails_is_told_after_each_edit() {
    let folder = repository();
    folder.write("modules/role_db/manifests/init.pp", "class role_db { fail('no data') }\n");
    let watcher = Watcher::start(&folder, &["--edits", "1", "--color", "never"]);
    while watcher.line() != "watching; Ctrl-C ends it" {}
    folder.write("modules/role_web/manifests/init.pp", "class role_web { notify { 'other': } }\n");
    let lines = watcher.rest();
    let still = lines.iter().position(|line| line.starts_with("✗ still: ") && line.contains("no data"));
    let still = still.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(lines[still..].iter().any(|line| line.trim() == "on db1"), "{lines:#?}");
    assert!(lines[..still].iter().any(|line| line.starts_with("+ Notify[other]")), "{lines:#?}");
}

#[test]
fn an_environment_that_contradicts_the_settings_has_no_catalogs_here_either() {
    let folder = repository();
    folder.write("environment.conf", "manifest = other.pp\n");
    let settings = ["--set", "default_manifest=/site.pp", "--set", "disable_per_environment_manifest=true"];
    let watcher = Watcher::start(&folder, &[&["--format", "json"][..], &settings].concat());
    let ready = watcher.event();
    assert_eq!(ready["compiled"], json!(0));
    let error = ready["failed"][0]["error"].as_str().unwrap();
    assert!(error.starts_with("Compilation has been halted because: "), "{error}");
}

#[test]
fn what_reading_the_environment_had_to_say_is_told_once() {
    let folder = repository();
    folder.write("Puppetfile", "mod 'puppetlabs/stdlib', '9.0.0'\n");
    let mut watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    watcher.process.kill().unwrap();
    let mut said = String::new();
    watcher.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said.matches("The Puppetfile names modules that are not there").count(), 1, "{said}");
}

#[test]
fn there_has_to_be_something_to_watch() {
    let folder = Folder::with(&[("x", "")]);
    let run = folder.run(&["watch"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    for options in [["--poll", "0"], ["--edits", "0"]] {
        let run = folder.run(&[&["watch"], &options[..]].concat());
        assert_eq!(run.code, Some(2), "{}", run.err);
    }
}

#[test]
fn while_git_changes_the_working_copy_one_waits() {
    for polling in [&["--format", "json"][..], &["--format", "json", "--poll", "0.05"]] {
        let folder = repository();
        folder.write(".git/HEAD", "ref: refs/heads/main\n");
        let watcher = Watcher::start(&folder, polling);
        watcher.event();
        folder.write(".git/index.lock", "");
        // A look that had begun before sees what it sees.
        thread::sleep(Duration::from_millis(500));
        // Half of a switch: what is there is neither the one branch nor the other.
        folder.write("modules/role_db/manifests/init.pp", "class role_db { syntax error }\n");
        let early = watcher.lines.recv_timeout(Duration::from_millis(700));
        assert!(early.is_err(), "{early:?}");
        folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'other': } }\n");
        std::fs::remove_file(folder.path().join(".git/index.lock")).unwrap();
        let event = watcher.change();
        assert_eq!((&event["errors"], event["changes"].as_array().unwrap().len()), (&json!([]), 2), "{event}");
    }
}

#[test]
fn the_lock_of_a_further_working_copy_is_elsewhere() {
    let folder = repository();
    folder.write(".git", "gitdir: main/.git/worktrees/here\n");
    folder.write("main/.git/worktrees/here/index.lock", "");
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    folder.write("data/common.yaml", "port: '81'\n");
    assert!(watcher.lines.recv_timeout(Duration::from_millis(700)).is_err());
    std::fs::remove_file(folder.path().join("main/.git/worktrees/here/index.lock")).unwrap();
    assert_eq!(watcher.change()["changes"][0]["nodes"], json!(["web1", "web2"]));
}

#[test]
fn what_is_answered_elsewhere_is_watched_too() {
    let folder = repository();
    let asking = "class role_db { Notify <<| |>>\n  file { '/q': content => puppetdb_query('nodes')[0] } }\n";
    folder.write("modules/role_db/manifests/init.pp", asking);
    let answers = |name: &str| {
        folder.write(
            "answers.json",
            json!([{"function": "puppetdb_query", "arguments": ["nodes"], "answer": [name]}]).to_string(),
        );
    };
    let exported = |title: &str| {
        let one = json!({"certname": "other", "type": "Notify", "title": title, "tags": [], "exported": true, "parameters": {}});
        folder.write("exported.json", json!([one]).to_string());
    };
    answers("first");
    exported("one");
    let options = ["--format", "json", "--answers", "answers.json", "--exported", "exported.json"];
    let watcher = Watcher::start(&folder, &options);
    assert_eq!(watcher.event()["compiled"], json!(3));
    answers("second");
    let event = watcher.change();
    assert_eq!(
        event["changes"][0]["parameters"],
        json!([{"name": "content", "secret": false, "from": "first", "to": "second"}])
    );
    assert_eq!(event["changes"][0]["nodes"], json!(["db1"]));
    exported("two");
    let event = watcher.change();
    let told: Vec<_> = event["changes"].as_array().unwrap().iter().map(|change| &change["resource"]).collect();
    assert_eq!(told, [&json!("Notify[two]"), &json!("Notify[one]")]);
    let run = folder.run(&["watch", "--answers", "none.json"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("cannot take answers from none.json") || run.err.contains("none.json: no such"),
        "{}",
        run.err
    );
}

#[test]
fn what_the_other_nodes_export_reaches_its_collectors() {
    let folder = crate::fleet_exports::fleet();
    let watcher = Watcher::start(&folder, &["--format", "json", "--exported", "fleet"]);
    assert_eq!(watcher.event()["compiled"], json!(4));
    folder.write("facts/web01.example.org.json", r#"{"role": "web", "port": 8009}"#);
    let event = watcher.change();
    let told: Vec<(&Value, &Value)> =
        event["changes"].as_array().unwrap().iter().map(|change| (&change["resource"], &change["nodes"])).collect();
    let reaches = |resource: &str, node: &str| {
        let is_there = told.contains(&(&json!(resource), &json!([node])));
        assert!(is_there, "{resource} of {node}: {event}");
    };
    reaches("Backend[web01.example.org]", "lb.example.org");
    reaches("Probe[lb.example.org web01.example.org]", "mon.example.org");
    assert_eq!(event["affected"], json!(3), "{event}");
    std::fs::remove_file(folder.path().join("facts/web02.example.org.json")).unwrap();
    let event = watcher.change();
    assert_eq!((&event["gone"], &event["errors"]), (&json!(["web02.example.org"]), &json!([])));
    let is_gone = |change: &Value| {
        change["resource"] == json!("Host[web02.example.org alias]") && change["action"] == json!("removed")
    };
    assert!(event["changes"].as_array().unwrap().iter().any(is_gone), "{event}");
}

#[test]
fn what_never_settles_is_warned_of() {
    let folder = crate::fleet_exports::growing();
    let mut watcher = Watcher::start(&folder, &["--format", "json", "--exported", "fleet"]);
    assert_eq!(watcher.event()["nodes"], json!(2));
    let mut said = BufReader::new(watcher.process.stderr.take().unwrap()).lines();
    let said = said.next().unwrap().unwrap();
    assert!(said.contains("what the nodes export still changes after 21 rounds, because"), "{said}");
}

#[test]
fn what_was_done_is_written_after_each_edit() {
    let folder = repository();
    let mut command = folder.command(&["watch", "--facts", "facts", "--format", "json", "--timings", "run.json"]);
    // Two threads may both run a body that meets something new, before either has left a trace of it.
    command.env("RAYON_NUM_THREADS", "1");
    let watcher = Watcher::of(command);
    watcher.event();
    // It is written when the edit has been told.
    let stats = |is_there: &dyn Fn(&Value) -> bool| {
        for _ in 0..PATIENCE.as_millis() / 20 {
            let run = folder.run(&["stats", "run.json", "--format", "json"]);
            if let Ok(stats) = serde_json::from_str::<Value>(&run.out)
                && is_there(&stats)
            {
                return stats;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("{}", folder.run(&["stats", "run.json"]).out);
    };
    let first = stats(&|_| true);
    assert_eq!((&first["nodes"], &first["run"]["command"]), (&json!(3), &json!("watch")));
    let of_class = |stats: &Value| {
        let reads = stats["reads"].as_array().unwrap().iter();
        reads.filter(|read| read["body"] == json!("role_web")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(of_class(&first), Vec::<Value>::new());
    folder.write("data/common.yaml", "port: '8080'\n");
    watcher.change();
    let second = stats(&|stats| !of_class(stats).is_empty());
    let [read] = &of_class(&second)[..] else { panic!("{second}") };
    assert_eq!(read["times"], json!(1));
    let [asked, old, new] = ["asked", "old", "new"].map(|key| read[key].as_str().unwrap());
    assert!(asked.starts_with("ask data ") && asked.contains("port"), "{read}");
    assert_eq!((old, new), ("\"80\"", "\"8080\""));
    let class = format!("{}/modules/role_web/manifests/init.pp", folder.real_path());
    let file_of_class =
        |stats: &Value| stats["files"].as_array().unwrap().iter().find(|file| file["file"] == class).cloned();
    assert_eq!(file_of_class(&second).unwrap()["times"], json!(2), "{second}");
    assert!(file_of_class(&second).unwrap()["parsing"].as_f64().unwrap() > 0.0, "{second}");
    let text = folder.run(&["stats", "run.json"]).out;
    assert!(text.contains("      1 times  role_web: ask data ") && text.contains("Files that took longest"), "{text}");
}

/// In one step, so that nobody sees half of it.
pub(crate) fn replace(folder: &Folder, name: &str, text: &str) {
    folder.write("new", text);
    std::fs::rename(folder.path().join("new"), folder.path().join(name)).unwrap();
}

#[test]
fn that_lines_alone_moved_is_told_at_once_and_is_no_change() {
    let folder = repository();
    let class = "modules/role_web/manifests/init.pp";
    let body = "class role_web {\n  file { '/w': content => lookup('port') }\n  warning('odd')\n  fail('no')\n}\n";
    let sound = body.replace("  fail('no')\n", "");
    folder.write(class, &sound);
    // What reads a manifest as text sees more of it than what it means.
    let reads = format!("class role_db {{ notify {{ file('{}/{class}'): }} }}\n", folder.real_path());
    folder.write("modules/role_db/manifests/init.pp", reads);
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    assert_eq!(watcher.event()["compiled"], json!(3));
    let moved = |event: &Value| {
        let what = ["changes", "errors", "mended", "log"].map(|key| event[key].as_array().unwrap().len());
        (event["lines_alone"] == json!(true), what)
    };
    replace(&folder, class, &format!("# more\n{sound}"));
    assert_eq!(moved(&watcher.event()), (true, [0, 0, 0, 0]));
    // It was told before anybody was asked: what came of it beyond that comes after.
    let event = watcher.event();
    assert_eq!((&event["changed"], moved(&event)), (&json!(["db1"]), (true, [2, 0, 0, 0])));
    // Errors that are the same elsewhere are no news, and mended ones are.
    folder.write("modules/role_db/manifests/init.pp", "class role_db { }\n");
    watcher.change();
    replace(&folder, class, body);
    let event = watcher.change();
    assert_eq!((moved(&event), &event["errors"][0]["nodes"]), ((false, [0, 1, 0, 0]), &json!(["web1", "web2"])));
    replace(&folder, class, &format!("# more\n# and more\n{body}"));
    assert_eq!(moved(&watcher.event()), (true, [0, 0, 0, 0]));
    replace(&folder, class, &sound);
    assert_eq!(moved(&watcher.event()), (false, [0, 0, 2, 0]));
}

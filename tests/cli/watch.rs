//! `pantin watch`: a real repository that is edited while somebody watches.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Folder, PATIENCE};

fn repository() -> Folder {
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
struct Watcher {
    process: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(folder: &Folder, more: &[&str]) -> Watcher {
        let arguments = [&["watch", "--facts", "facts"], more].concat();
        let mut process = folder.command(&arguments).spawn().unwrap();
        let out = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watcher { process, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    fn event(&self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// The next event that tells a change: an edit may be seen in two halves.
    fn change(&self) -> Value {
        loop {
            let event = self.event();
            if ["changes", "errors", "mended", "appeared", "gone"].iter().any(|key| event[key] != json!([])) {
                return event;
            }
        }
    }
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
        assert_eq!((&change["resource"], &change["change"]), (&json!("File[/w]"), &json!("changed")));
        assert_eq!(change["parameters"], json!([{"name": "content", "old": "80", "new": "8080"}]));
        assert_eq!(change["nodes"], json!(["web1", "web2"]));
        assert_eq!(event["asked"], json!(2));

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
    assert_eq!(watcher.change()["errors"][0]["nodes"], json!(["db1"]));
    std::fs::rename(folder.path().join("away"), folder.path().join("modules")).unwrap();
    assert_eq!(watcher.change()["mended"], json!(["db1", "web1", "web2"]));
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
    assert!(first.starts_with("3 nodes compiled in "), "{first}");
    assert_eq!(watcher.line(), "watching; Ctrl-C ends it");
    folder.write(
        "modules/role_web/manifests/init.pp",
        "# moved\nclass role_web { file { '/w': mode => '0600', content => lookup('port') } }\n",
    );
    let lines: Vec<String> = watcher.lines.iter().collect();
    assert_eq!(lines[0], "");
    let (heading, place) = (&lines[1], format!("{}/modules/role_web/manifests/init.pp:2", folder.real_path()));
    assert!(heading.starts_with("modules/role_web/manifests/init.pp · 2 of 3 nodes asked, "), "{heading}");
    assert_eq!(lines[2], format!("~ File[/w] ({place})"));
    assert_eq!(lines[3..], ["    mode: added '0600'", "    on web1, web2"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("ran")).unwrap(), "done\n");
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
    let run = folder.run(&["watch", "--poll", "0"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
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
    assert_eq!(event["changes"][0]["parameters"], json!([{"name": "content", "old": "first", "new": "second"}]));
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

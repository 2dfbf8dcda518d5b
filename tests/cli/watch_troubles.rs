//! `pantin watch` where something is in its way: no watches, a repository that is gone, a broken site manifest, thousands of
//! files at once.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Folder;
use crate::watch::{Watcher, repository};

fn changed(event: &Value) -> Vec<&str> {
    event["changes"].as_array().unwrap().iter().map(|change| change["resource"].as_str().unwrap()).collect()
}

/// A namespace of its own has limits of its own.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs namespaces of users; `.ci/run` runs it"]
fn without_watches_one_looks_again_and_again() {
    use std::io::{BufRead, BufReader};
    let few = "echo 2 > /proc/sys/user/max_inotify_watches";
    let folder = repository();
    let plain = folder.command(&[]);
    let mut command = Command::new("unshare");
    let program = env!("CARGO_BIN_EXE_pantin");
    let script = format!("{few} && exec {program} watch --facts facts --format json --log-level notice");
    command.args(["-Ur", "sh", "-c", &script]).current_dir(folder.path());
    crate::take_environment(&mut command, &plain);
    command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut watcher = Watcher::of(command);
    assert_eq!(watcher.event()["compiled"], json!(3));
    let mut said = BufReader::new(watcher.errors()).lines();
    let said = said.next().unwrap().unwrap();
    assert_eq!(
        said,
        "Warning: there are no more watches to be had (fs.inotify.max_user_watches); looking every 1 s instead"
    );
    folder.write("data/common.yaml", "port: '8080'\n");
    let change = watcher.change();
    assert_eq!(changed(&change), ["File[/w]"], "{change}");
}

#[test]
fn a_repository_that_is_deleted_as_a_whole_comes_back() {
    let folder = Folder::with(&[]);
    let inside = repository();
    let place = folder.path().join("repository");
    let copy = || assert!(Command::new("cp").arg("-r").arg(inside.path()).arg(&place).status().unwrap().success());
    copy();
    let all = ["watch", "--environment-dir", "repository", "--facts", "repository/facts", "--format", "json"];
    let watcher = Watcher::of(folder.command(&all));
    assert_eq!(watcher.event()["compiled"], json!(3));
    std::fs::remove_dir_all(&place).unwrap();
    // Whatever is told meanwhile: it goes on.
    let _ = watcher.event_within(2);
    copy();
    inside.write("data/common.yaml", "port: '8080'\n");
    std::fs::copy(inside.path().join("data/common.yaml"), place.join("data/common.yaml")).unwrap();
    watcher.until_told(|event| {
        event["event"] == json!("edit") && event["errors"] == json!([]) && event["nodes"] == json!(3)
    });
    inside.write("data/common.yaml", "port: '8081'\n");
    std::fs::copy(inside.path().join("data/common.yaml"), place.join("data/common.yaml")).unwrap();
    watcher.until_told(|event| event["changes"][0]["parameters"][0]["to"] == json!("8081"));
}

#[test]
fn a_broken_site_manifest_is_told_and_mended() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    let site = std::fs::read_to_string(folder.path().join("manifests/site.pp")).unwrap();
    folder.write("manifests/site.pp", "node default { include \n");
    let event = watcher.change();
    assert_eq!(event["errors"][0]["nodes"], json!(["db1", "web1", "web2"]), "{event}");
    assert!(event["errors"][0]["text"].as_str().unwrap().contains("Syntax error at"), "{event}");
    assert_eq!(event["changes"], json!([]));
    folder.write("manifests/site.pp", &site);
    watcher.until_told(|event| event["mended"] == json!(["db1", "web1", "web2"]));
    folder.write("data/common.yaml", "port: '8080'\n");
    assert_eq!(changed(&watcher.change()), ["File[/w]"]);
}

#[test]
fn another_branch_is_one_step() {
    const FILES: usize = 2_000;
    let folder = repository();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0"]);
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let all = |text: &str| {
        for number in 0..FILES {
            folder.write(&format!("modules/more/manifests/c{}/n{number}.pp", number % 40), text);
        }
    };
    all("# one\n");
    git(&["init", "-q", "-b", "one"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "one"]);
    git(&["checkout", "-q", "-b", "two"]);
    all("# two\n");
    folder.write("data/common.yaml", "port: '8080'\n");
    folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'other': } }\n");
    git(&["commit", "-q", "-a", "-m", "two"]);
    let watcher = Watcher::start(&folder, &["--format", "json"]);
    watcher.event();
    for (branch, other, port) in [("one", "Notify[db]", "80"), ("two", "Notify[other]", "8080")] {
        let began = Instant::now();
        git(&["checkout", "-q", branch]);
        // One does not wait for git for ever.
        let is_slow = began.elapsed() > Duration::from_secs(5);
        let mut event = watcher.change();
        while is_slow && changed(&event).len() < 3 {
            let more = watcher.change()["changes"].as_array().unwrap().clone();
            event["changes"].as_array_mut().unwrap().extend(more);
        }
        let told = changed(&event);
        assert!(told.contains(&"File[/w]") && told.contains(&other), "{event}");
        let file = event["changes"].as_array().unwrap().iter().find(|change| change["resource"] == json!("File[/w]"));
        assert_eq!(file.unwrap()["parameters"][0]["to"], json!(port));
    }
}

#[test]
fn nodes_may_be_named_by_an_option() {
    let folder = repository();
    let watcher = Watcher::start(&folder, &["--format", "json", "--node", "web1", "--node", "db1"]);
    assert_eq!(watcher.event()["nodes"], json!(2));
}

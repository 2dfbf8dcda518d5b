//! A change that would silence its own review: rules, facts and ignored files that it brings itself, and a cache that it forges.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{Folder, Run, finish};

fn git(folder: &Folder, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-C"]).arg(folder.path()).args(arguments);
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

fn commit(folder: &Folder) {
    git(folder, &["add", "--all", "--force"]);
    git(folder, &["commit", "--quiet", "--message", "x"]);
}

/// A repository with a node in each of two files of facts, committed.
fn repository(more: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "file { '/etc/motd': content => 'old' }"),
        ("facts/one.yaml", "role: web\n"),
        ("facts/two.yaml", "role: db\n"),
    ]);
    more.iter().for_each(|(name, text)| folder.write(name, text));
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    folder
}

fn diff(folder: &Folder, format: &str) -> Run {
    folder.run(&["diff", "HEAD", "--facts", "facts", "--quiet", "--exit-code", "--format", format])
}

/// No format says that nothing changes, and the exit code says that something does.
fn assert_told(folder: &Folder, what: &str) {
    for format in ["text", "markdown", "json", "html", "junit"] {
        let run = diff(folder, format);
        assert_eq!(run.code, Some(2), "{format}: {}{}", run.out, run.err);
        assert!(run.out.contains(what) && !run.out.contains('✅'), "{format}: {}", run.out);
    }
    assert!(diff(folder, "html").out.contains("<header class=\"odd\">"));
}

#[test]
fn rules_of_the_change_do_not_hide_it() {
    let folder = repository(&[]);
    folder.write("manifests/site.pp", "file { '/etc/motd': content => 'new' }");
    folder.write("pantin.toml", "diff_ignore = ['*[*]']\n");
    assert_told(&folder, "/etc/motd");
    assert_told(&folder, "pantin.toml has another");
    // Rules that were there before count, and those that are gone count as well.
    let folder = repository(&[("pantin.toml", "diff_ignore = ['File[/etc/motd]']\nignore = ['x']\n")]);
    folder.write("manifests/site.pp", "file { '/etc/motd': content => 'new' }");
    let run = diff(&folder, "json");
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &report["compared"]["ignored"]), (Some(0), &2.into()), "{}", run.out);
    assert_eq!(report["review"], serde_json::json!([]));
    folder.write("pantin.toml", "ignore = ['*']\n");
    let report: Value = serde_json::from_str(&diff(&folder, "json").out).unwrap();
    assert_eq!(report["compared"]["ignored"], 2, "{report}");
    assert_eq!(report["review"].as_array().unwrap().len(), 2, "{report}");
}

#[test]
fn nodes_whose_facts_are_gone_are_gone() {
    let folder = repository(&[]);
    std::fs::remove_file(folder.path().join("facts/two.yaml")).unwrap();
    assert_told(&folder, "facts/two.yaml is gone");
    let report: Value = serde_json::from_str(&diff(&folder, "json").out).unwrap();
    let nodes: Vec<_> = report["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (node["name"].as_str().unwrap(), node["status"].as_str().unwrap()))
        .collect();
    assert_eq!(nodes, [("one", "unchanged"), ("two", "removed")]);
    let folder = repository(&[]);
    folder.write("facts/two.yaml", "role: other\n");
    assert_told(&folder, "facts/two.yaml differs");
    let folder = repository(&[]);
    assert_eq!(diff(&folder, "text").code, Some(0));
}

/// A file with several nodes, from which one is taken.
#[test]
fn nodes_that_are_gone_from_a_file_of_several_are_gone() {
    let facts = |names: &[&str]| {
        let node = |name: &&str| format!(r#"{{"certname": "{name}", "facts": {{"role": "web"}}}}"#);
        format!("[{}]", names.iter().map(node).collect::<Vec<_>>().join(", "))
    };
    let folder = repository(&[("nodes.json", &facts(&["one", "two", "three"]))]);
    folder.write("nodes.json", facts(&["one", "three", "four"]));
    let run = |format: &str| {
        folder.run(&["diff", "HEAD", "--facts", "nodes.json", "--quiet", "--exit-code", "--format", format])
    };
    let (text, json) = (run("text"), run("json"));
    assert!(text.out.contains("nodes.json differs: TO does not have two any more"), "{}{}", text.out, text.err);
    assert_eq!((text.code, json.code), (Some(2), Some(2)));
    let report: Value = serde_json::from_str(&json.out).unwrap();
    let status =
        |node: &Value| (node["name"].as_str().unwrap().to_owned(), node["status"].as_str().unwrap().to_owned());
    let mut nodes: Vec<_> = report["nodes"].as_array().unwrap().iter().map(status).collect();
    nodes.sort();
    let wanted = [("four", "added"), ("one", "unchanged"), ("three", "unchanged"), ("two", "removed")];
    assert_eq!(nodes, wanted.map(|(name, status)| (name.to_owned(), status.to_owned())), "{report}");
}

#[test]
fn a_check_of_nothing_is_no_success() {
    let folder = repository(&[("manifests/broken.pp", "class {"), ("docs/x.md", "")]);
    let run = folder.run(&["validate"]);
    assert_eq!(run.code, Some(1));
    for (name, text, ignored) in [(".gitignore", "*\n", 5), ("pantin.toml", "ignore = ['*']\n", 6)] {
        folder.write(name, text);
        let run = folder.run(&["validate", "."]);
        assert!(run.code == Some(1) && run.err.contains("all that was found is ignored"), "{name}: {}", run.err);
        assert!(run.err.contains(&format!("{ignored} ignored")), "{}", run.err);
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    folder.write(".gitignore", "broken.pp\n");
    let run = folder.run(&["validate", "."]);
    assert!(run.code == Some(0) && run.err.contains("; 1 ignored"), "{}", run.err);
    let run = folder.run(&["validate", "docs"]);
    assert!(run.code == Some(1) && run.err.contains("docs holds nothing that is checked"), "{}", run.err);
    let empty = repository(&[]);
    std::fs::remove_file(empty.path().join("manifests/site.pp")).unwrap();
    assert_eq!(empty.run(&["validate", "."]).code, Some(0));
}

const KEY: &str = "a key of these tests, of more than 32 letters";

fn fleet(folder: &Folder, cache: &Path, more: &[&str]) -> Value {
    let mut command = folder.command(&[&["fleet", "--facts", "facts", "-q", "--format", "json"], more].concat());
    let run = finish(command.env("PANTIN_CACHE", cache).env("PANTIN_CACHE_KEY", KEY).spawn().unwrap());
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err))
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => all.extend(files(&path)),
            path => all.push(path),
        }
    }
    all
}

/// What somebody without the key, or with another one, has written into the folder is not there.
#[test]
fn a_forged_cache_answers_nothing() {
    let folder = repository(&[]);
    let cache = folder.cache.path().join("shared");
    let kept = |more: &[&str]| fleet(&folder, &cache, more)["summary"]["kept"].as_u64();
    assert_eq!(kept(&[]), Some(0));
    assert_eq!(kept(&[]), Some(2));
    // Whoever has no key writes answers of their own; the same bundles stand where signed ones are looked for.
    let forged = folder.cache.path().join("forged");
    for key in ["another key, which somebody else has drawn", ""] {
        let mut command = folder.command(&["fleet", "--facts", "facts", "-q", "--format", "json"]);
        command.env("PANTIN_CACHE", &forged).env("PANTIN_CACHE_KEY", key);
        assert_eq!(finish(command.spawn().unwrap()).code, Some(0));
        for file in files(&cache).into_iter().filter(|file| file.extension().is_some_and(|it| it == "bundle")) {
            std::fs::remove_file(file).unwrap();
        }
        for file in files(&forged) {
            let to = cache.join(file.strip_prefix(&forged).unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(file, to).unwrap();
        }
        assert_eq!(kept(&[]), Some(0), "{key}");
        assert_eq!(kept(&[]), Some(2), "{key}");
        std::fs::remove_dir_all(&forged).unwrap();
    }
}

#[test]
fn who_may_only_read_adds_nothing() {
    let folder = repository(&[]);
    let cache = folder.cache.path().join("shared");
    let kept = |more: &[&str]| fleet(&folder, &cache, more)["summary"]["kept"].as_u64();
    assert_eq!(kept(&["--cache-read-only"]), Some(0));
    assert_eq!(files(&cache), [""; 0].map(std::path::PathBuf::from));
    assert_eq!(kept(&[]), Some(0));
    let before = files(&cache).len();
    folder.write("facts/three.yaml", "role: web\n");
    assert_eq!(kept(&["--cache-read-only"]), Some(2));
    assert_eq!(kept(&["--cache-read-only"]), Some(2));
    assert_eq!(files(&cache).len(), before);
}

#[test]
fn a_cache_that_git_tracks_is_refused() {
    let folder = repository(&[]);
    let run = |cache: &str| folder.run(&["fleet", "--facts", "facts", "-q", "--cache-dir", cache]);
    assert_eq!(run(".pantin").code, Some(0));
    assert_eq!(run(".pantin").code, Some(0));
    commit(&folder);
    let refused = run(".pantin");
    assert!(refused.code == Some(1) && refused.err.contains("is refused: git tracks .pantin/"), "{}", refused.err);
    assert_eq!(run("other").code, Some(0));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".pantin", folder.path().join("link")).unwrap();
        let refused = run("link");
        assert!(refused.err.contains("is refused: git tracks"), "{}", refused.err);
    }
}

/// No side runs a classifier of its own, and nobody knows what a program reads.
#[cfg(unix)]
#[test]
fn a_classifier_that_differs_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = repository(&[("classify", "#!/bin/sh\necho 'classes: {}'\n")]);
    let program = folder.path().join("classify");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    commit(&folder);
    let enc = ["--facts", "facts", "--quiet", "--enc", program.to_str().unwrap()];
    let same = folder.run(&[&["diff", "HEAD", "--exit-code"], &enc[..]].concat());
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    let unknown = |told: &str| {
        let run = folder.run(&[&["impact", "--since", "HEAD", "--format", "json"], &enc[..]].concat());
        let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err));
        assert_eq!(report["unknown"].as_array().map(Vec::len), Some(2), "{report}");
        assert!(report["unknown"].to_string().contains(told), "{report}");
    };
    unknown("may read any file");
    folder.write("classify", "#!/bin/sh\necho 'classes: []'\n");
    unknown("differs");
    for format in ["text", "markdown", "json", "html", "junit"] {
        let run = folder.run(&[&["diff", "HEAD", "--exit-code", "--format", format], &enc[..]].concat());
        assert_eq!(run.code, Some(2), "{format}: {}{}", run.out, run.err);
        assert!(run.out.contains("differs: the classifier of the working tree is asked"), "{format}: {}", run.out);
    }
}

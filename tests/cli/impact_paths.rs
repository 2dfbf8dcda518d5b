//! `pantin impact PATH`: every kind of file that an answer can depend on, and files that are not there yet.
//!
//! A row makes an edit after it was asked about, and holds what was said against the catalogs that change.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::diff::{commit, git, replace, repository};
use crate::{Folder, Run};

const OPTIONS: [&str; 4] = ["--cache-dir", "cache", "--quiet", "--facts"];

fn run(folder: &Folder, command: &str, facts: &str, more: &[&str]) -> Run {
    folder.run(&[&[command], &OPTIONS[..], &[facts], more].concat())
}

fn impact(folder: &Folder, more: &[&str]) -> Run {
    run(folder, "impact", "facts", more)
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

fn names(json: &Value, is_meant: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let nodes = json["nodes"].as_array().unwrap().iter().filter(|node| is_meant(node));
    nodes.map(|node| node["name"].as_str().unwrap().to_owned()).collect()
}

/// The nodes that an edit can reach.
fn reached(folder: &Folder, more: &[&str]) -> Vec<String> {
    names(&json(&impact(folder, &[more, &["--format", "json"]].concat())), |_| true).into_iter().collect()
}

/// The nodes whose catalogs differ from those of the last commit.
fn changed(folder: &Folder, more: &[&str]) -> BTreeSet<String> {
    let run = run(folder, "diff", "facts", &[&["HEAD", "--format", "json"], more].concat());
    names(&json(&run), |node| !["unchanged", "failing"].contains(&node["status"].as_str().unwrap()))
}

const ALL: [&str; 3] = ["db", "web1", "web2"];

/// Asks about a path, edits it, and holds the answer against what changes; the edit is taken back.
fn assert_reaches(folder: &Folder, path: &str, more: &[&str], expected: &[&str], edit: impl FnOnce(&Folder)) {
    let said = reached(folder, &[more, &[path]].concat());
    edit(folder);
    let since = reached(folder, &[more, &["--since", "HEAD"]].concat());
    let changes = changed(folder, more);
    git(folder, &["clean", "--quiet", "-df"]);
    git(folder, &["checkout", "--quiet", "--", "."]);
    assert_eq!(said, expected, "{path}");
    assert!(!changes.is_empty(), "{path}: the edit changes nothing");
    let is_in = |names: &[String]| changes.iter().all(|name| names.contains(name));
    assert!(is_in(&said), "{path}: {changes:?}, and {said:?} are told");
    assert!(is_in(&since), "{path}: {changes:?}, and {since:?} are told since");
}

#[test]
fn what_is_said_of_the_environment_reaches_all_its_nodes() {
    let folder = repository();
    folder.write("other/base/manifests/init.pp", "class base (*$any) { notify { 'other': } }\n");
    folder.write("conf/puppet.conf", "[main]\nstrict = warning\n");
    folder.write("pantin.toml", "facts = ['facts']\n");
    commit(&folder);
    assert_reaches(&folder, "environment.conf", &[], &ALL, |folder| {
        folder.write("environment.conf", "modulepath = other:site\n");
    });
    let conf = ["--environment-dir", ".", "--confdir", "conf", "conf/puppet.conf"];
    assert_eq!(reached(&folder, &conf), ALL);
    assert_eq!(reached(&folder, &["conf/puppet.conf", "--nodes", "db"]), [""; 0]);
    assert_eq!(reached(&folder, &["pantin.toml"]), ALL);
    let run = impact(&folder, &["environment.conf", "--explain"]);
    assert!(run.out.contains("      reads environment.conf\n"), "{}", run.out);
}

#[test]
fn the_target_of_a_link_is_what_the_link_is_read_for() {
    let folder = repository();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("shared")).unwrap();
    fs::rename(path("data/all.yaml"), path("shared/real.yaml")).unwrap();
    symlink("real.yaml", path("shared/all.yaml")).unwrap();
    symlink("../shared/all.yaml", path("data/all.yaml")).unwrap();
    fs::rename(path("site/store"), path("shared/store")).unwrap();
    symlink("../shared/store", path("site/store")).unwrap();
    commit(&folder);
    let edit = |file: &'static str, old: &'static str, new: &'static str| {
        move |folder: &Folder| replace(folder, file, old, new)
    };
    assert_reaches(&folder, "shared/real.yaml", &[], &ALL, edit("shared/real.yaml", "hello", "welcome"));
    assert_reaches(&folder, "data/all.yaml", &[], &ALL, edit("shared/real.yaml", "hello", "welcome"));
    let store = "shared/store/manifests/init.pp";
    assert_reaches(&folder, store, &[], &["db"], edit(store, "'15'", "'16'"));
    assert_reaches(&folder, "site/store/manifests/init.pp", &[], &["db"], edit(store, "'15'", "'16'"));
    assert_eq!(reached(&folder, &["shared"]), ALL);
}

#[test]
fn a_file_that_is_not_there_yet_is_seen_by_whoever_would_find_it() {
    let folder = repository();
    folder.write("environment.conf", "modulepath = first:site\n");
    replace(&folder, "hiera.yaml", "path: all.yaml", "paths: ['nodes/%{trusted.certname}.yaml', all.yaml]");
    folder.write(
        "site/base/lib/puppet/functions/base/listed.rb",
        "Puppet::Functions.create_function(:'base::listed') do\n  def listed\n    \
         Dir.glob(File.join(__dir__, '../../../../files/*/*.conf')).map { |file| File.basename(file) }\n  end\nend\n",
    );
    folder.write(
        "site/store/manifests/init.pp",
        "class store {\n  package { 'postgresql': ensure => '15' }\n  notify { \"found ${base::listed()}\": }\n  notify { \
         \"later ${find_file('store/later')}\": }\n}\n",
    );
    commit(&folder);
    let make = |file: &'static str, text: &'static str| move |folder: &Folder| folder.write(file, text);
    assert_reaches(&folder, "manifests/sub/a.pp", &[], &ALL, make("manifests/sub/a.pp", "notify { 'new': }\n"));
    assert_reaches(
        &folder,
        "data/nodes/web1.yaml",
        &[],
        &["web1"],
        make("data/nodes/web1.yaml", "base::greeting: good day\n"),
    );
    assert_reaches(&folder, "site/base/files/d/a.conf", &[], &["db"], make("site/base/files/d/a.conf", ""));
    assert_reaches(&folder, "site/store/files/later", &[], &["db"], make("site/store/files/later", ""));
    let shadow = "class store { notify { 'shadow': } }\n";
    assert_reaches(&folder, "first/store/manifests/init.pp", &[], &ALL, make("first/store/manifests/init.pp", shadow));
    // Every node lists the modules.
    assert_eq!(reached(&folder, &["site/fresh/lib/puppet/type/thing.rb"]), ALL);
}

#[test]
fn who_has_copies_of_a_file_is_reached() {
    let folder = repository();
    replace(
        &folder,
        "site/store/manifests/init.pp",
        "class store {",
        "class store {\n  file { '/d': source => 'puppet://server/modules/store/d', recurse => true }",
    );
    folder.write("site/store/files/d/x", "one\n");
    commit(&folder);
    assert_reaches(&folder, "site/base/files/served", &[], &ALL, |folder| {
        folder.write("site/base/files/served", "three\n")
    });
    assert_reaches(&folder, "site/store/files/d/x", &[], &["db"], |folder| {
        folder.write("site/store/files/d/x", "two\n")
    });
    assert_reaches(&folder, "site/store/files/d/new/y", &[], &["db"], |folder| {
        folder.write("site/store/files/d/new/y", "y\n")
    });
    let run = impact(&folder, &["site/base/files/served", "--explain"]);
    assert!(run.out.contains("      has files that are copies of puppet:///modules/base/served\n"), "{}", run.out);
}

#[test]
fn who_collects_what_a_node_exports_is_reached_with_it() {
    let folder = repository();
    replace(
        &folder,
        "site/store/manifests/init.pp",
        "class store {",
        "class store {\n  @@notify { 'store': message => 'one' }",
    );
    replace(&folder, "manifests/site.pp", "node default", "node 'web1' { Notify <<| |>> }\nnode default");
    commit(&folder);
    let fleet = ["--exported", "fleet"];
    assert_reaches(&folder, "site/store/manifests/init.pp", &fleet, &["db", "web1"], |folder| {
        replace(folder, "site/store/manifests/init.pp", "'one'", "'two'");
    });
    assert_eq!(reached(&folder, &["site/store/manifests/init.pp"]), ["db"]);
    let asked = ["site/store/manifests/init.pp", "--nodes", "web1", "--explain"];
    let run = impact(&folder, &[&asked[..], &fleet].concat());
    assert!(run.out.contains("1 of 1 node\n  web1\n      collects Notify, which db exports\n"), "{}", run.out);
}

#[test]
fn facts_and_recorded_answers_of_the_repository_are_compared_since_a_revision() {
    let folder = repository();
    replace(
        &folder,
        "manifests/site.pp",
        "include base\n",
        "include base\nnotify { \"${facts['role']} ${puppetdb_query('nodes {}')}\": }\nNotify <<| |>>\n",
    );
    folder.write("answers.json", r#"[{"function": "puppetdb_query", "arguments": ["nodes {}"], "answer": []}]"#);
    folder.write("exported.json", "[]");
    folder
        .write("all.json", r#"[{"certname": "a", "facts": {"role": "x"}}, {"certname": "b", "facts": {"role": "x"}}]"#);
    commit(&folder);
    let files = ["--answers", "answers.json", "--exported", "exported.json"];
    let since = |facts: &str| {
        let run = run(&folder, "impact", facts, &[&files[..], &["--since", "HEAD", "--format", "json"]].concat());
        names(&json(&run), |_| true).into_iter().collect::<Vec<_>>()
    };
    assert_eq!((since("facts"), since("all.json")), (vec![], vec![]));
    replace(&folder, "facts/web1.json", "{", r#"{"role": "web", "#);
    assert_eq!(since("facts"), ["web1"]);
    folder.write("facts/new.json", "{}");
    assert_eq!(since("facts"), ["new", "web1"]);
    replace(&folder, "all.json", r#""b", "facts": {"role": "x""#, r#""b", "facts": {"role": "y""#);
    assert_eq!(since("all.json"), ["b"]);
    git(&folder, &["clean", "--quiet", "-df"]);
    for (file, text) in [
        ("answers.json", r#"[{"function": "puppetdb_query", "arguments": ["nodes {}"], "answer": [1]}]"#),
        (
            "exported.json",
            r#"[{"certname": "x", "type": "Notify", "title": "x", "exported": true, "tags": [], "parameters": {}}]"#,
        ),
    ] {
        git(&folder, &["checkout", "--quiet", "--", "."]);
        folder.write(file, text);
        assert_eq!(since("facts"), ALL, "{file}");
        let run = impact(&folder, &[&files[..], &[file, "--format", "json"]].concat());
        assert_eq!(names(&json(&run), |_| true), ALL.map(str::to_owned).into(), "{file}");
    }
    git(&folder, &["checkout", "--quiet", "--", "."]);
    // A file with the facts of several nodes is one that each of them is made from.
    let run = run(&folder, "impact", "all.json", &[&files[..], &["all.json", "--format", "json"]].concat());
    assert_eq!(names(&json(&run), |_| true), ["a", "b"].map(str::to_owned).into());
}

#[test]
fn a_configuration_that_differs_is_told_as_unknown() {
    let folder = repository();
    folder.write("pantin.toml", "facts = ['facts']\n");
    commit(&folder);
    folder.write("pantin.toml", "facts = ['facts']\nstrict = 'warning'\n");
    let run = impact(&folder, &["--since", "HEAD"]);
    assert!(
        run.out.contains("not known of db, web1, web2, for pantin.toml differs, and both sides are read"),
        "{}",
        run.out
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_path_that_nobody_looks_for_is_an_error() {
    let folder = repository();
    for (path, said) in [
        ("nosuchfile.pp", "nosuchfile.pp is not there, and no node looks for it\n"),
        ("data/al.yaml", "data/al.yaml is not there, and no node looks for it; did you mean data/all.yaml?\n"),
        ("dta/all.yaml", "dta/all.yaml is not there, and no node looks for it; did you mean data/all.yaml?\n"),
        ("site/base/manifests/init.p", "; did you mean site/base/manifests/init.pp?\n"),
    ] {
        let run = impact(&folder, &[path]);
        assert!(run.err.starts_with("Error: ") && run.err.ends_with(said), "{path}: {}", run.err);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{path}");
    }
    let run = impact(&folder, &["nosuchfile.pp", "site/store"]);
    assert!(
        run.out.starts_with("1 of 3 nodes\n  db\n") && run.err.contains("Error: nosuchfile.pp is not there"),
        "{}",
        run.err
    );
    assert_eq!(run.code, Some(2));
    let run = impact(&folder, &["facts/new.json"]);
    assert!(run.err.contains("facts/new.json is not there: a file of facts there makes another node"), "{}", run.err);
    assert_eq!((run.out.lines().next(), run.code), (Some("0 of 3 nodes"), Some(0)));
}

#[test]
fn a_path_is_taken_from_the_current_folder() {
    let folder = repository();
    let run_in = |path: &str| {
        let arguments = ["impact", "--facts", "../facts", "--cache-dir", "../cache", "--quiet", path];
        let mut command = folder.command(&arguments);
        crate::finish(command.current_dir(folder.path().join("data")).spawn().unwrap())
    };
    let run = run_in("all.yaml");
    assert!(run.out.starts_with("3 of 3 nodes\n"), "{}{}", run.out, run.err);
    let run = run_in("../site/store/manifests/init.pp");
    assert!(run.out.starts_with("1 of 3 nodes\n  db\n"), "{}{}", run.out, run.err);
    let run = run_in("site/store/manifests/init.pp");
    assert!(run.err.contains("did you mean ") && run.err.contains("site/store/manifests/init.pp?"), "{}", run.err);
    assert_eq!(run.code, Some(2));
}

#[test]
fn what_programs_read_is_not_known() {
    let folder = repository();
    folder.write("enc.sh", "#!/bin/sh\necho 'classes: []'\n");
    let mut mode = fs::metadata(folder.path().join("enc.sh")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(folder.path().join("enc.sh"), mode).unwrap();
    let enc = folder.path().join("enc.sh");
    let enc = ["--enc", enc.to_str().unwrap()];
    let run = impact(&folder, &[&enc[..], &["site/store"]].concat());
    assert!(run.out.contains("not known of web1, web2, for the classifier "), "{}{}", run.out, run.err);
    assert_eq!(run.code, Some(1));
    assert_eq!(reached(&folder, &[&enc[..], &["enc.sh"]].concat()), ALL);
    // What it has said before is all that counts.
    let kept = [&enc[..], &["--enc-answers", "enc", "site/store"]].concat();
    let run = impact(&folder, &kept);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

/// What a node looks for behind its error is not known.
#[test]
fn a_node_without_a_catalog_may_look_for_any_path() {
    let folder = repository();
    assert_eq!(impact(&folder, &["nosuch/file"]).code, Some(2));
    replace(&folder, "manifests/site.pp", "include store", "include nowhere");
    let run = impact(&folder, &["nosuch/file", "--format", "json"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert_eq!(json(&run)["unknown"][0]["name"], "db", "{}", run.out);
    assert!(run.err.contains("nosuch/file is not there; nodes without a catalog may look for it"), "{}", run.err);
}

//! `pantin diff`: two sides of a repository in git, compared node by node.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::json_schema::Schema;
use crate::{Folder, Run};

/// A repository in git: a class that all nodes have, and one that only `db` has.
pub(crate) fn repository() -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        (".gitignore", "/cache/\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: all.yaml\n"),
        (
            "data/all.yaml",
            "base::greeting: hello\nbase::password: old-secret\nlookup_options:\n  base::password: {convert_to: Sensitive}\n",
        ),
        ("manifests/site.pp", "include base\nnode 'db' { include store }\nnode default { }\n"),
        (
            "site/base/manifests/init.pp",
            "class base (String $greeting, Sensitive $password) {\n  file { '/etc/motd': content => \"${greeting} from \
             ${trusted['certname']}\\n\" }\n  file { '/etc/key': content => $password }\n  file { '/etc/served': source => \
             'puppet:///modules/base/served' }\n  service { 'ssh': ensure => running, subscribe => File['/etc/motd'] }\n}\n",
        ),
        ("site/base/files/served", "one\ntwo\n"),
        ("site/store/manifests/init.pp", "class store {\n  package { 'postgresql': ensure => '15' }\n}\n"),
        ("facts/db.json", r#"{"networking": {"fqdn": "db"}}"#),
        ("facts/web1.json", r#"{"networking": {"fqdn": "web1"}}"#),
        ("facts/web2.json", r#"{"networking": {"fqdn": "web2"}}"#),
    ]);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    folder
}

pub(crate) fn git(folder: &Folder, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-C"]).arg(folder.path()).args(arguments);
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

pub(crate) fn commit(folder: &Folder) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "x"]);
}

pub(crate) fn replace(folder: &Folder, file: &str, old: &str, new: &str) {
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file} has no {old}");
    fs::write(path, text.replace(old, new)).unwrap();
}

fn diff(folder: &Folder, more: &[&str]) -> Run {
    let cache: &[&str] = if more.contains(&"--no-cache") { &[] } else { &["--cache-dir", "cache"] };
    folder.run(&[&["diff", "--facts", "facts", "--quiet"], cache, more].concat())
}

/// Every report as JSON is one that the schema allows.
fn diff_json(folder: &Folder, more: &[&str]) -> Value {
    parsed(&diff(folder, &[more, &["--format", "json"]].concat()))
}

pub(crate) fn parsed(run: &Run) -> Value {
    let json = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
    let violations = Schema::read("diff.schema.json").violations(&json);
    assert!(violations.is_empty(), "{violations:#?}");
    json
}

const FORMATS: [&str; 5] = ["text", "json", "markdown", "html", "junit"];

/// What a text report says, without the lines that tell of times and of commits.
fn told(run: &Run) -> String {
    let lines = run.out.lines().skip(1).filter(|line| !line.starts_with("Compared") && !line.starts_with("Facts"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_change_is_told_once_for_all_its_nodes() {
    let folder = repository();
    replace(&folder, "data/all.yaml", "hello", "welcome");
    replace(&folder, "site/store/manifests/init.pp", "'15'", "'16'");
    let run = diff(&folder, &[]);
    let expected = "\
3 of 3 nodes change; resources: 3 changed

Restarted or run, because something else changes
  ↻ Service[ssh]
      on 3 nodes: db, web1, web2

Changed
  ~ Class[Base]
      greeting: 'hello' → 'welcome'
      on 3 nodes: db, web1, web2
  ~ File[/etc/motd] (site/base/manifests/init.pp:2)
      content:
      - hello from db
      + welcome from db
      on db
      with other values on 2 nodes: web1, web2
  ~ Package[postgresql] (site/store/manifests/init.pp:2)
      ensure: '15' → '16'
      on db

";
    assert_eq!((told(&run).as_str(), run.code), (expected, Some(0)), "{}", run.err);
    assert!(run.out.starts_with("merge base with main "), "{}", run.out);
    assert!(run.out.contains("→ working tree (HEAD is "), "{}", run.out);
    assert_eq!(diff(&folder, &["--exit-code"]).code, Some(2));
    let some = diff(&folder, &["HEAD", "--nodes", "web*"]);
    assert!(some.out.contains("2 of 2 nodes change; resources: 2 changed"), "{}", some.out);
}

#[test]
fn nothing_changes_between_a_revision_and_itself() {
    let folder = repository();
    let run = diff(&folder, &["HEAD", "HEAD", "--exit-code"]);
    assert!(run.out.contains("no catalog of 3 nodes changes"), "{}", run.out);
    assert!(run.out.contains("Compared 3 nodes"), "{}", run.out);
    assert_eq!(run.code, Some(0));
    let again = diff_json(&folder, &[]);
    assert_eq!(again["compared"]["compiled"], 0);
    assert_eq!(again["nodes"][0], json!({"name": "db", "status": "unchanged"}));
}

#[test]
fn comments_and_lines_are_no_change() {
    let folder = repository();
    diff(&folder, &[]);
    replace(&folder, "site/base/manifests/init.pp", "class base", "# A comment.\n\nclass base");
    let json = diff_json(&folder, &[]);
    assert_eq!((&json["changes"], &json["compared"]["compiled"]), (&json!([]), &json!(0)));
}

#[test]
fn a_node_that_fails_newly_comes_first() {
    let folder = repository();
    replace(&folder, "site/store/manifests/init.pp", "package", "fail('no disk')\n  package");
    let run = diff(&folder, &["--exit-code"]);
    assert_eq!(run.code, Some(3));
    assert!(run.out.contains("no catalog of 2 nodes changes, 1 fails newly\n\nFails newly\n  ✗ "), "{}", run.out);
    let failure = "no disk\n      site/store/manifests/init.pp:2:3\n         2 │   fail('no disk')\n      on db\n";
    assert!(run.out.contains(failure), "{}", run.out);
    commit(&folder);
    replace(&folder, "site/store/manifests/init.pp", "fail('no disk')", "");
    let mended = diff(&folder, &["HEAD", "--exit-code"]);
    assert_eq!(mended.code, Some(2));
    assert!(mended.out.contains("1 no longer fails"), "{}", mended.out);
    let json = diff_json(&folder, &["HEAD"]);
    assert_eq!((&json["errors"][0]["state"], &json["nodes"][0]["status"]), (&json!("mended"), &json!("mended")));
    let same = diff_json(&folder, &["HEAD", "HEAD"]);
    assert_eq!((&same["errors"][0]["state"], &same["nodes"][0]["status"]), (&json!("same"), &json!("failing")));
}

#[test]
fn a_cycle_is_a_failure() {
    let folder = repository();
    replace(&folder, "site/store/manifests/init.pp", "'15'", "'15', require => Package['other']");
    replace(
        &folder,
        "site/store/manifests/init.pp",
        "}\n}",
        "}\n  package { 'other': require => Package['postgresql'] }\n}",
    );
    let json = diff_json(&folder, &[]);
    assert_eq!((&json["errors"][0]["kind"], &json["errors"][0]["state"]), (&json!("cycle"), &json!("new")));
    assert_eq!(json["nodes"][0]["status"], "newly_failing");
}

#[test]
fn facts_are_those_of_the_second_side() {
    let folder = repository();
    git(&folder, &["rm", "--quiet", "--cached", "-r", "facts"]);
    git(&folder, &["commit", "--quiet", "--message", "x"]);
    replace(&folder, "site/store/manifests/init.pp", "'15'", "$facts['networking']['fqdn']");
    commit(&folder);
    replace(&folder, "facts/db.json", r#""fqdn": "db""#, r#""fqdn": "other""#);
    // They came later than the first revision, and were edited since.
    let json = diff_json(&folder, &["HEAD~2"]);
    assert_eq!(json["changes"][0]["parameters"][0]["to"], "other", "{json:#}");
    let same = diff_json(&folder, &["HEAD"]);
    assert_eq!(same["changes"], json!([]), "{same:#}");
}

#[test]
fn nodes_come_and_go_with_their_facts() {
    let folder = repository();
    for (name, fqdn) in [("db", "db"), ("web1", "web1"), ("web3", "web3")] {
        folder.write(&format!("later/{name}.json"), format!(r#"{{"networking": {{"fqdn": "{fqdn}"}}}}"#));
    }
    let run = diff(&folder, &["HEAD", "HEAD", "--from-facts", "facts", "--to-facts", "later"]);
    assert!(run.out.contains("1 is new, 1 is gone"), "{}", run.out);
    assert!(run.out.contains("New nodes\n      on web3\n"), "{}", run.out);
    assert!(run.out.contains("Nodes that are no more\n      on web2\n"), "{}", run.out);
}

#[test]
fn relationships_are_told_apart_from_parameters() {
    let folder = repository();
    replace(
        &folder,
        "site/base/manifests/init.pp",
        "subscribe => File['/etc/motd']",
        "require => File['/etc/motd'], before => File['/etc/served']",
    );
    let json = diff_json(&folder, &["--nodes", "db"]);
    let change = &json["changes"][0];
    assert_eq!((&change["resource"], &change["parameters"]), (&json!("Service[ssh]"), &json!([])));
    let mut kinds: Vec<(&str, &str, &str)> = change["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["target"].as_str().unwrap(), one["action"].as_str().unwrap()))
        .collect();
    kinds.sort_unstable();
    let expected = [
        ("before", "File[/etc/served]", "added"),
        ("require", "File[/etc/motd]", "added"),
        ("subscribe", "File[/etc/motd]", "removed"),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(json["changes"].as_array().unwrap().len(), 1);
}

#[test]
fn the_content_of_a_served_file_is_a_change() {
    let folder = repository();
    diff(&folder, &[]);
    replace(&folder, "site/base/files/served", "two", "2");
    let run = diff(&folder, &[]);
    let expected = "  ~ File[/etc/served] (site/base/manifests/init.pp:4)\n      content of puppet:///modules/base/served:\n        \
                    one\n      - two\n      + 2\n      on 3 nodes: db, web1, web2\n";
    assert!(run.out.contains(expected), "{}", run.out);
    let json = diff_json(&folder, &[]);
    assert_eq!(json["compared"]["compiled"], 0);
    let content = &json["changes"][0]["contents"][0];
    assert_eq!((&content["from"]["bytes"], &content["to"]["bytes"]), (&json!(8), &json!(6)));
    assert!(content["diff"].as_str().unwrap().contains("-two\n+2\n"), "{content}");
}

/// JSON has other values than the code: a type and a regular expression are objects, and so is a secret in a list.
#[test]
fn a_stored_side_differs_in_no_value_from_one_that_is_compiled() {
    let folder = repository();
    let odd = "define odd($values) { notify { \"odd ${title}\": } }\nodd { 'a': values => [File['/etc/motd'], Integer[1, 2], \
               /x/, default, 1.0, Sensitive('x'), { 1 => Sensitive('y') }] }\n";
    let site = fs::read_to_string(folder.path().join("manifests/site.pp")).unwrap();
    fs::write(folder.path().join("manifests/site.pp"), odd.to_owned() + &site).unwrap();
    commit(&folder);
    assert_eq!(diff_json(&folder, &["HEAD"])["changes"], json!([]));
    replace(&folder, "data/all.yaml", "hello", "good day");
    let first = diff_json(&folder, &["HEAD"]);
    assert_eq!((&first["compared"]["compiled"], &first["compared"]["stored"]), (&json!(3), &json!(3)));
    let second = diff_json(&folder, &["HEAD"]);
    assert_eq!((&second["compared"]["compiled"], &second["compared"]["stored"]), (&json!(0), &json!(6)));
    assert_eq!(first["changes"], second["changes"]);
    assert_eq!(first["changes"], diff_json(&folder, &["HEAD", "--no-cache"])["changes"]);
    let names: BTreeSet<&str> =
        first["changes"].as_array().unwrap().iter().map(|change| change["resource"].as_str().unwrap()).collect();
    assert!(names.contains("File[/etc/motd]") && !names.contains("Odd[a]"), "{names:?}");
}

#[test]
fn a_secret_is_told_to_be_another_one_and_no_more() {
    let folder = repository();
    replace(&folder, "data/all.yaml", "old-secret", "new-secret");
    for format in FORMATS {
        let run = diff(&folder, &["--format", format]);
        assert!(run.out.contains("File[/etc/key]"), "{format}: {}", run.out);
        assert!(!run.out.contains("-secret") && !run.err.contains("-secret"), "{format}: {}{}", run.out, run.err);
    }
    let json = diff_json(&folder, &[]);
    let secret = json!({"secret": true, "changed": true});
    let changes = json["changes"].as_array().unwrap();
    let of_file = changes.iter().find(|change| change["resource"] == "File[/etc/key]").unwrap();
    assert_eq!(of_file["parameters"], json!([{"name": "content", "secret": true, "from": secret, "to": secret}]));
    // What was none on the other side may be one now.
    replace(&folder, "site/base/manifests/init.pp", "content => $password", "content => 'old-secret'");
    let json = diff_json(&folder, &[]).to_string();
    assert!(json.contains("File[/etc/key]") && !json.contains("-secret"), "{json}");
}

#[test]
fn long_values_are_told_by_digest_and_difference() {
    let folder = repository();
    let long = |word: &str| format!("\"{}{word}\"", "line\\n".repeat(2000));
    replace(&folder, "data/all.yaml", "hello", &long("old"));
    commit(&folder);
    replace(&folder, "data/all.yaml", &long("old"), &long("new"));
    let json = diff_json(&folder, &["HEAD", "--nodes", "db"]);
    let changes = json["changes"].as_array().unwrap();
    let of_file = changes.iter().find(|change| change["resource"] == "File[/etc/motd]").unwrap();
    let parameter = &of_file["parameters"][0];
    assert_eq!(parameter["to"]["bytes"], 10_000 + "new from db\n".len());
    assert_eq!(parameter["from"]["sha256"].as_str().unwrap().len(), 64);
    assert!(parameter["to"]["diff"].as_str().unwrap().contains("-old from db\n+new from db\n"), "{parameter}");
}

#[test]
fn what_somebody_ignores_is_counted() {
    let folder = repository();
    replace(&folder, "data/all.yaml", "hello", "welcome");
    let run =
        diff(&folder, &["--ignore-resource", "File[/etc/*]::content", "--ignore-resource", "Class[*]", "--exit-code"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert!(run.out.contains("no catalog of 3 nodes changes"), "{}", run.out);
    assert!(run.out.contains("6 differences left out by --ignore-resource"), "{}", run.out);
    let refused = diff(&folder, &["--ignore-resource", "File"]);
    assert!(refused.err.contains("TYPE[TITLE]") && refused.code == Some(1), "{}", refused.err);
}

#[test]
fn saved_catalogs_are_sides_too() {
    let folder = repository();
    let fleet = |out: &str| {
        let run = folder.run(&["fleet", "--facts", "facts", "--no-cache", "--quiet", "--out", out]);
        assert_eq!(run.code, Some(0), "{}", run.err);
    };
    fleet("before");
    replace(&folder, "data/all.yaml", "hello", "welcome");
    fleet("after");
    let saved = folder.run(&["diff", "before/", "after/", "--format", "json"]);
    let saved = parsed(&saved);
    let compiled = diff_json(&folder, &[]);
    assert_eq!(saved["changes"], compiled["changes"]);
    let mixed = diff_json(&folder, &["before/web1.json", "--nodes", "web1"]);
    assert_eq!(mixed["changes"][1]["resource"], "File[/etc/motd]");
    assert_eq!(mixed["from"]["kind"], "saved");
}

/// A catalog as PuppetDB would have stored it.
fn as_in_puppetdb(catalog: &Value) -> Value {
    let resource = |resource: &Value| {
        let mut stored = resource.clone();
        stored["parameters"] = resource.get("parameters").cloned().unwrap_or_else(|| json!({}));
        // Secrets are left out.
        if let (Some(secrets), Some(parameters)) =
            (resource["sensitive_parameters"].as_array(), stored["parameters"].as_object_mut())
        {
            parameters.retain(|name, _| !secrets.contains(&json!(name)));
        }
        if resource["type"] == "File" {
            stored["parameters"]["alias"] = json!([resource["title"]]);
            stored["parameters"]["path"] = resource["title"].clone();
        }
        stored
    };
    let edge = |edge: &Value| {
        let end = |side: &str| {
            let (kind, title) = edge[side].as_str().unwrap().split_once('[').unwrap();
            (kind.to_owned(), title.strip_suffix(']').unwrap().to_owned())
        };
        let ((source_type, source_title), (target_type, target_title)) = (end("source"), end("target"));
        json!({"source_type": source_type, "source_title": source_title, "target_type": target_type,
            "target_title": target_title, "relationship": "contains"})
    };
    let list = |name: &str, one: &dyn Fn(&Value) -> Value| -> Vec<Value> {
        catalog[name].as_array().unwrap().iter().map(one).collect()
    };
    json!({"certname": catalog["name"], "version": catalog["version"], "environment": catalog["environment"],
        "resources": {"href": "/pdb", "data": list("resources", &resource)},
        "edges": {"href": "/pdb", "data": list("edges", &edge)}})
}

#[test]
fn catalogs_of_puppetdb_are_read() {
    let folder = repository();
    let run = folder.run(&["compile", "db", "--facts", "facts", "--no-cache", "--log-level", "err"]);
    let catalog: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    fs::write(folder.path().join("pdb.json"), as_in_puppetdb(&catalog).to_string()).unwrap();
    let same = diff_json(&folder, &["./pdb.json", "--nodes", "db", "--ignore-resource", "File[*]::path"]);
    assert_eq!(same["changes"], json!([]), "{same:#}");
    replace(&folder, "site/store/manifests/init.pp", "'15'", "'16'");
    let json = diff_json(&folder, &["./pdb.json", "--nodes", "db", "--ignore-resource", "File[*]::path"]);
    assert_eq!(json["changes"].as_array().unwrap().len(), 1, "{json:#}");
    assert_eq!(json["changes"][0]["resource"], "Package[postgresql]");
}

/// Versions 3 and 4 of a server's interface put an object around a catalog; a title may be a number, an edge lead nowhere.
#[test]
fn catalogs_of_other_interfaces_are_read() {
    let folder = Folder::with(&[]);
    let catalog = |title: Value, target: &str| {
        json!({"name": "web", "version": 1, "environment": "e", "tags": [], "classes": [],
            "resources": [{"type": "Class", "title": "main"}, {"type": "Notify", "title": title}],
            "edges": [{"source": "Class[main]", "target": target}]})
    };
    let plain = catalog(json!("5"), "Notify[5]");
    let write = |name: &str, value: &Value| fs::write(folder.path().join(name), value.to_string()).unwrap();
    write("plain.json", &plain);
    let mut resources = plain.clone();
    resources.as_object_mut().unwrap().remove("edges");
    resources["certname"] = json!("web");
    let others = [
        json!({"document_type": "Catalog", "data": plain}),
        json!({"catalog": catalog(json!(5), "Notify[5]")}),
        resources,
    ];
    for other in others {
        write("other.json", &other);
        let report = parsed(&folder.run(&["diff", "./plain.json", "./other.json", "--format", "json"]));
        assert_eq!((&report["changes"], &report["nodes"][0]["status"]), (&json!([]), &json!("unchanged")), "{other}");
    }
    write("other.json", &catalog(json!("5"), "Notify[6]"));
    let run = folder.run(&["diff", "./plain.json", "./other.json"]);
    assert!(run.out.contains("lead to no resource, and are left out: 1"), "{}{}", run.out, run.err);
    write("other.json", &json!({"data": {"resources": [{"type": 5}]}}));
    let run = folder.run(&["diff", "./plain.json", "./other.json"]);
    assert!(run.code == Some(1) && run.err.contains("is no catalog"), "{}", run.err);
}

#[test]
fn junit_has_a_case_for_each_node() {
    let folder = repository();
    replace(&folder, "site/store/manifests/init.pp", "package", "fail('no <disk>')\n  package");
    replace(&folder, "data/all.yaml", "hello", "welcome");
    let run = diff(&folder, &["--format", "junit"]);
    let xml = roxmltree::Document::parse(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out));
    let suite = xml.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("3"), Some("1")));
    let cases: Vec<_> = xml.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let told: Vec<_> = cases.iter().map(|case| (case.attribute("name"), case.attribute("classname"))).collect();
    let expected = [("db", "newly_failing"), ("web1", "changed"), ("web2", "changed")];
    assert_eq!(told, expected.map(|(name, status)| (Some(name), Some(status))));
    let inside = |case: &roxmltree::Node<'_, '_>, tag: &str| {
        let found = case.children().find(|node| node.has_tag_name(tag));
        found.map(|node| {
            (node.attribute("message").unwrap_or_default().to_owned(), node.text().unwrap_or_default().to_owned())
        })
    };
    let (message, text) = inside(&cases[0], "failure").unwrap();
    assert!(message.starts_with("site/store/manifests/init.pp:2: ") && message.contains("no <disk>"), "{message}");
    assert!(text.contains("no <disk>"), "{text}");
    let (_, changes) = inside(&cases[1], "system-out").unwrap();
    assert!(
        changes.contains("~ File[/etc/motd]\n    content:\n    - hello from web1\n    + welcome from web1\n"),
        "{changes}"
    );
    assert!(inside(&cases[1], "failure").is_none(), "{}", run.out);
    commit(&folder);
    let same = diff(&folder, &["HEAD", "--format", "junit"]);
    assert!(same.out.contains("failures=\"0\"") && same.out.contains("no &lt;disk"), "{}", same.out);
}

#[test]
fn two_versions_of_puppet_are_compared() {
    let folder = repository();
    replace(&folder, "site/store/manifests/init.pp", "package", "notify { \"x${legacy}\": }\n  package");
    let json = diff_json(&folder, &["--from-puppet", "7", "--to-puppet", "8", "--nodes", "db"]);
    assert_eq!(json["nodes"][0]["status"], "newly_failing", "{json:#}");
    assert_eq!(json["from"]["kind"], "working_tree");
    let os = folder.run(&["diff", "--from-os", "debian-12", "--to-os", "debian-13", "--no-cache"]);
    assert!(os.out.contains("no catalog of 1 node changes"), "{}{}", os.out, os.err);
}

#[test]
fn modules_that_git_ignores_are_the_same_on_both_sides() {
    let folder = repository();
    fs::write(folder.path().join(".gitignore"), "/cache/\n/modules/\n").unwrap();
    fs::write(folder.path().join("environment.conf"), "modulepath = site:modules\n").unwrap();
    replace(&folder, "site/store/manifests/init.pp", "class store {", "class store {\n  include installed");
    commit(&folder);
    fs::create_dir_all(folder.path().join("modules/installed/manifests")).unwrap();
    fs::write(folder.path().join("modules/installed/manifests/init.pp"), "class installed { }").unwrap();
    replace(&folder, "site/store/manifests/init.pp", "'15'", "'16'");
    let json = diff_json(&folder, &["HEAD"]);
    assert_eq!(json["changes"].as_array().unwrap().len(), 1, "{json:#}");
    assert_eq!(json["nodes"][0]["status"], "changed");
}

#[test]
fn a_markdown_report_fits_into_a_comment() {
    let folder = repository();
    let files: String = (0..2000)
        .map(|number| format!("  file {{ '/very/long/path/of/a/file/{number}': content => 'x' }}\n"))
        .collect();
    replace(&folder, "site/store/manifests/init.pp", "class store {\n", &format!("class store {{\n{files}"));
    let run = diff(&folder, &["--format", "markdown"]);
    assert!(run.out.chars().count() < 65_536, "{}", run.out.chars().count());
    assert!(
        run.out.contains("more items not shown here: `--format json` has all."),
        "{}",
        &run.out[run.out.len() - 300..]
    );
    assert!(run.out.starts_with("## 🔶 1 of 3 nodes changes; resources: 2000 added\n"), "{}", &run.out[..200]);
    assert_eq!(run.out.matches("<details>").count(), run.out.matches("</details>").count());
}

#[test]
fn wrong_usage_is_no_difference() {
    let folder = repository();
    for (arguments, said) in [
        (&["nowhere"][..], "nowhere is neither a revision that git knows nor a path"),
        (&["./nowhere"], "./nowhere is not there"),
        (&["HEAD", "--nodes", "wbe1"], "did you mean web1?"),
        (&["HEAD", "--no-such-option"], "unexpected argument"),
    ] {
        let run = diff(&folder, &[arguments, &["--exit-code"]].concat());
        assert!(run.err.contains(said) && run.code == Some(1), "{arguments:?}: {:?} {}", run.code, run.err);
    }
    let bare = Folder::with(&[("environment.conf", ""), ("manifests/site.pp", "")]);
    let run = bare.run(&["diff", "--os", "debian-12", "--no-cache"]);
    assert!(run.err.contains("in no working copy of a git repository") && run.code == Some(1), "{}", run.err);
}

#[test]
fn the_demo_fleet_has_no_difference_from_itself() {
    let folder = Folder::with(&[]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    copy(&fixtures.join("control-repo"), &folder.path().join("repo"));
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    let facts = fixtures.join("facts");
    let run = |more: &[&str]| {
        let arguments =
            ["diff", "--environment-dir", "repo", "--facts", facts.to_str().unwrap(), "--cache-dir", "cache"];
        let run = folder.run(&[&arguments, more, &["--quiet", "--format", "json", "--exported", "fleet"]].concat());
        parsed(&run)
    };
    let json = run(&["HEAD"]);
    let statuses: BTreeSet<&str> =
        json["nodes"].as_array().unwrap().iter().map(|node| node["status"].as_str().unwrap()).collect();
    assert_eq!((statuses, json["nodes"].as_array().unwrap().len()), (BTreeSet::from(["unchanged"]), 200));
    assert_eq!((&json["changes"], &json["errors"]), (&json!([]), &json!([])));
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

#[test]
fn files_that_a_sparse_checkout_leaves_out_are_told() {
    let folder = repository();
    git(&folder, &["sparse-checkout", "set", "--no-cone", "/*", "!/site/base/files/"]);
    let told = "the sparse checkout leaves out 1 file: the working tree does not have it";
    assert_eq!(diff_json(&folder, &["HEAD"])["compared"]["remarks"], json!([told]));
    for format in ["text", "markdown", "html"] {
        let run = diff(&folder, &["HEAD", "--format", format]);
        assert!(run.out.contains("leaves out 1 file"), "{format}: {}{}", run.out, run.err);
    }
    // Of two revisions neither is the working tree.
    assert_eq!(diff_json(&folder, &["HEAD", "HEAD"])["compared"]["remarks"], json!([]));
    git(&folder, &["sparse-checkout", "disable"]);
    assert_eq!(diff_json(&folder, &["HEAD"])["compared"]["remarks"], json!([]));
}

//! `pantin impact` down to the code: who uses a fact, which bodies use a key, a template or a file, what comes after a resource.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pantin::base::random::MersenneTwister;
use serde_json::{Value, json};

use crate::diff::copy;
use crate::{Folder, Run};

fn impact(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["impact", "--facts", "facts", "--quiet", "--no-cache"], more].concat())
}

/// The lines below the nodes, each without what a line begins with.
fn told(run: &Run) -> Vec<&str> {
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{}", run.out);
    run.out.lines().filter_map(|line| line.strip_prefix("      ")).collect()
}

fn repository() -> Folder {
    let facts =
        |os: &str| json!({ "os": { "family": os, "release": { "major": "12" } }, "virtual": "kvm" }).to_string();
    Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: OS\n    path: \"%{facts.os.family}.yaml\"\n"),
        ("data/Debian.yaml", "base::size: 3\nbase::other: 4\n"),
        ("manifests/site.pp", "include base\nif $facts['os']['family'] == 'Debian' {\n  include debian\n}\n"),
        (
            "site/base/manifests/init.pp",
            "class base (Integer $size = 1) {\n  file { '/motd': content => epp('base/motd.epp') }\n  exec { '/bin/x': \
             subscribe => File['/motd'] }\n  $label = base::label('a')\n  notify { $label: }\n}\n",
        ),
        ("site/base/functions/label.pp", "function base::label(String $text) {\n  \"<${text}>\"\n}\n"),
        ("site/base/templates/motd.epp", "on <%= $facts['virtual'] %>\n"),
        ("site/base/files/text", "x\n"),
        ("site/debian/manifests/init.pp", "class debian {\n  file { '/t': content => file('base/text') }\n}\n"),
        ("facts/deb.json", &facts("Debian")),
        ("facts/red.json", &facts("RedHat")),
    ])
}

#[test]
fn the_code_that_uses_a_fact_is_named_and_no_other() {
    let folder = repository();
    let of_virtual = impact(&folder, &["--uses-fact", "virtual"]);
    assert_eq!(told(&of_virtual), ["Class[Base]: $facts['virtual']  (site/base/templates/motd.epp:1)"]);
    // The first key that is looked up leads through the levels.
    assert_eq!(
        told(&impact(&folder, &["--uses-fact", "os.family", "--nodes", "deb"])),
        [
            "Class[Base], through the key base::size of the data  (site/base/manifests/init.pp)",
            "Class[main]: $facts['os']['family']  (manifests/site.pp:2)",
        ]
    );
    // What is around a part changes with it; what is beside it does not.
    assert_eq!(told(&impact(&folder, &["--uses-fact", "os", "--nodes", "red"])).len(), 2);
    let beside = impact(&folder, &["--uses-fact", "os.release.major"]);
    assert!(beside.out.starts_with("0 of 2 nodes\n"), "{}", beside.out);
    folder.write(
        "site/debian/manifests/init.pp",
        "class debian {\n  notify { $facts.dig('os', 'release', 'major'): }\n}\n",
    );
    let dug = impact(&folder, &["--uses-fact", "os.release.major"]);
    assert_eq!(told(&dug), ["Class[Debian]: $facts.dig('os', 'release', 'major')  (site/debian/manifests/init.pp:2)"]);
    assert!(
        impact(&folder, &["--uses-fact", "virtual"]).out.contains("Class[Base]")
            && told(&impact(&folder, &["--uses-fact", "virtual"])).len() == 1
    );
}

#[test]
fn only_nodes_whose_answers_read_a_fact_are_compiled_to_name_the_code() {
    let folder = repository();
    folder.write("facts/red.json", r#"{"os": {"family": "RedHat"}, "virtual": "kvm", "uptime": "1 day"}"#);
    folder.write("manifests/site.pp", "if $trusted['certname'] == 'deb' { notify { $facts['virtual']: } }\n");
    let asked = |fact: &str| {
        let run = folder.run(&["impact", "--facts", "facts", "--quiet", "--uses-fact", fact]);
        let compiled = run.out.lines().last().unwrap().split(" compiled").next().unwrap().to_owned();
        (compiled, told(&run).into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let used = vec!["Class[main]: $facts['virtual']  (manifests/site.pp:1)".to_owned()];
    // Nothing is stored before the first.
    assert_eq!(asked("virtual"), ("2 nodes".to_owned(), used.clone()));
    // What its code uses is stored by now, as long as nothing changes that the node depends on.
    assert_eq!(asked("virtual"), ("0 nodes".to_owned(), used.clone()));
    assert_eq!(asked("uptime"), ("0 nodes".to_owned(), vec![]));
    folder.write(
        "facts/deb.json",
        r#"{"os": {"family": "Debian", "release": {"major": "12"}}, "virtual": "kvm", "uptime": "3 days"}"#,
    );
    assert_eq!(asked("virtual"), ("0 nodes".to_owned(), used));
}

#[test]
fn what_code_uses_is_stored_and_is_never_older_than_the_files() {
    let folder = repository();
    let asked = |cache: &[&str]| {
        let question =
            ["impact", "--facts", "facts", "--quiet", "--template", "base/motd.epp", "--bodies", "--nodes", "deb"];
        let run = folder.run(&[&question[..], cache].concat());
        let compiled = run.out.lines().last().unwrap().split(" compiled").next().unwrap().to_owned();
        (compiled, told(&run).into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    let place = |text: &str| vec![format!("Class[Base]: {text}")];
    let first = "epp('base/motd.epp')  (site/base/manifests/init.pp:2)";
    assert_eq!(asked(&[]).1, place(first));
    assert_eq!(asked(&[]), ("0 nodes".to_owned(), place(first)));
    // Lines that move change no catalog, and neither do spaces; the code is shown as it stands there.
    let path = "site/base/manifests/init.pp";
    let text = fs::read_to_string(folder.path().join(path)).unwrap();
    folder.write(path, format!("# why\n{}", text.replace("epp('base/motd.epp')", "epp( 'base/motd.epp' )")));
    let moved = "epp( 'base/motd.epp' )  (site/base/manifests/init.pp:3)";
    assert_eq!(asked(&[]), ("1 node".to_owned(), place(moved)));
    assert_eq!(asked(&[]), ("0 nodes".to_owned(), place(moved)));
    folder.write("site/base/templates/motd.epp", "otherwise\n");
    let (compiled, told) = asked(&[]);
    assert!(compiled != "0 nodes" && told == place(moved), "{compiled} {told:?}");
    folder.write(path, text.replace("epp('base/motd.epp')", "'none'"));
    let none = asked(&[]).1;
    assert!(none.is_empty(), "{none:?}");
    assert_eq!(none, asked(&["--no-cache"]).1);
}

#[test]
fn bodies_are_named_that_use_a_key_a_template_a_function_or_a_file() {
    let folder = repository();
    let bodies = |arguments: &[&str]| {
        let run = impact(&folder, &[arguments, &["--bodies", "--nodes", "deb"]].concat());
        told(&run).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let of_data = ["Class[Base], through the key base::size of the data  (site/base/manifests/init.pp)"];
    assert_eq!(bodies(&["--key", "base::size"]), of_data);
    assert_eq!(bodies(&["data/Debian.yaml"]), of_data);
    assert_eq!(
        bodies(&["--template", "base/motd.epp"]),
        ["Class[Base]: epp('base/motd.epp')  (site/base/manifests/init.pp:2)"]
    );
    assert_eq!(
        bodies(&["--function", "base::label"]),
        ["Class[Base]: base::label('a')  (site/base/manifests/init.pp:4)"]
    );
    assert_eq!(
        bodies(&["site/base/files/text"]),
        ["Class[Debian]: file('base/text')  (site/debian/manifests/init.pp:2)"]
    );
    assert_eq!(bodies(&["--class", "debian"]), ["Class[Debian]  (site/debian/manifests/init.pp)"]);
    let json = impact(&folder, &["--key", "base::size", "--bodies", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    let used = json!({
        "body": "Class[Base]", "file": "site/base/manifests/init.pp", "line": null, "code": null, "key": "base::size",
    });
    assert_eq!(json["nodes"][0]["uses"], json!([used]));
}

#[test]
fn nodes_with_a_resource_say_what_comes_after_it() {
    let folder = repository();
    let run = impact(&folder, &["--resource", "File[/motd]", "--explain", "--nodes", "deb"]);
    let lines = told(&run);
    assert_eq!(lines, ["has File[/motd] in site/base/manifests/init.pp:2", "Exec[/bin/x] comes after it (subscribe)"]);
    let of_debian = impact(&folder, &["--resource", "File[/t]"]);
    assert!(of_debian.out.starts_with("1 of 2 nodes\n  deb\n"), "{}", of_debian.out);
}

#[test]
fn a_node_that_fails_is_not_known() {
    let folder = repository();
    folder.write("site/debian/manifests/init.pp", "class debian {\n  fail('no')\n}\n");
    let run = impact(&folder, &["--uses-fact", "virtual"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("not known of deb, for ") && run.out.contains("no (file: "), "{}", run.out);
    // A node that fails may depend on what it did not come to.
    for asked in [&["--class", "debian"][..], &["--key", "base::size"], &["site/base"]] {
        let run = impact(&folder, asked);
        assert_eq!(run.code, Some(1), "{asked:?}");
        assert!(run.out.contains("not known of deb, for ") && run.out.contains("no (file: "), "{}", run.out);
    }
    folder.write("manifests/site.pp", "include bas\n");
    let run = impact(&folder, &["--class", "base"]);
    assert!(
        run.out.contains("  not known of deb, red, for ") && run.out.matches("not known").count() == 1,
        "{}",
        run.out
    );
}

#[test]
fn what_no_node_has_may_be_a_slip() {
    let folder = repository();
    for (asked, said) in [
        (&["--uses-fact", "virtal"][..], "Warning: no node has the fact virtal; did you mean virtual?\n"),
        (&["--uses-fact", "os.famly"], "Warning: no node has the fact os.famly; did you mean os.family?\n"),
        (&["--resource", "File[/mot]"], "Warning: no node has File[/mot]; did you mean File[/motd]?\n"),
    ] {
        let run = impact(&folder, asked);
        assert_eq!((run.err.as_str(), run.code), (said, Some(0)), "{asked:?}");
    }
    let run = impact(&folder, &["--resource", "motd"]);
    assert!(run.code == Some(2) && run.err.contains("motd is no resource, such as File[/etc/motd]"), "{}", run.err);
}

/// All facts of a node that are no container, with the keys that lead to them.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members.iter().filter(|(name, _)| !name.contains('.') && !name.is_empty()) {
                leaves(value, &format!("{path}{}{name}", if path.is_empty() { "" } else { "." }), found);
            }
        }
        Value::Array(_) => {}
        _ => found.push(path.to_owned()),
    }
}

fn other(value: &Value) -> Value {
    match value {
        Value::Bool(is) => (!is).into(),
        Value::Number(number) => (number.as_i64().unwrap_or_default() + 1).into(),
        Value::String(text) => format!("{text}9").into(),
        _ => "9".into(),
    }
}

/// Facts of the demo fleet are changed at random: whoever has another catalog then was told before.
#[test]
fn never_a_node_too_few() {
    let folder = Folder::with(&[]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    copy(&fixtures.join("control-repo"), &folder.path().join("repository"));
    let names = ["ad01", "app01", "db01", "gw01", "mail01", "ns01", "runner01", "web01", "wts01", "lab01"];
    let files: Vec<String> = names.iter().map(|name| format!("{name}.example.org.json")).collect();
    for folder_name in ["facts", "changed"] {
        fs::create_dir_all(folder.path().join(folder_name)).unwrap();
    }
    let mut all = Vec::new();
    for file in &files {
        let text = fs::read_to_string(fixtures.join("facts").join(file)).unwrap();
        folder.write(&format!("facts/{file}"), &text);
        leaves(&serde_json::from_str(&text).unwrap(), "", &mut all);
    }
    all.sort();
    all.dedup();
    let mut twister = MersenneTwister::from_integer(20_261_129);
    // What code is sure to look at, and any others.
    let chosen =
        ["os.family", "virtual", "os.release.major", "networking.domain", "os.distro.codename"].map(str::to_owned);
    let random = (0..7).map(|_| all[twister.below(all.len() as u64).unwrap() as usize].clone());
    let mut changed_nodes = 0;
    for fact in chosen.into_iter().chain(random) {
        let pointer = format!("/{}", fact.replace('.', "/"));
        for file in &files {
            let text = fs::read_to_string(folder.path().join("facts").join(file)).unwrap();
            let mut facts: Value = serde_json::from_str(&text).unwrap();
            if let Some(value) = facts.pointer_mut(&pointer) {
                *value = other(value);
            }
            folder.write(&format!("changed/{file}"), facts.to_string());
        }
        let repository = ["--environment-dir", "repository", "--format", "json", "--quiet", "--cache-dir", "cache"];
        let nodes = |arguments: &[&str], is_told: &dyn Fn(&Value) -> bool| -> BTreeSet<String> {
            let run = folder.run(&[arguments, &repository].concat());
            let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{fact}: {}", run.err));
            let nodes = json["nodes"].as_array().unwrap().iter().filter(|node| is_told(node));
            nodes.map(|node| node["name"].as_str().unwrap().to_owned()).collect()
        };
        let told = nodes(&["impact", "--uses-fact", &fact, "--facts", "facts"], &|_| true);
        let diff = ["diff", "repository", "repository", "--from-facts", "facts", "--to-facts", "changed"];
        let changed = nodes(&diff, &|node| node["status"] != "unchanged");
        assert!(changed.is_subset(&told), "{fact}: {changed:?} {told:?}");
        changed_nodes += changed.len();
    }
    assert!(changed_nodes > 20, "{changed_nodes}");
}

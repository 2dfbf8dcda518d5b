//! Which nodes are meant: names and patterns, several sources of facts, facts that are set by hand.

use serde_json::Value;

use crate::{Folder, Run};

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "notify { \"${facts['role']} ${facts['os']['name']}\": }\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - { name: node, path: '%{facts.role}.yaml' }\n"),
        ("data/web.yaml", "port: 80\n"),
        ("data/db.yaml", "port: 5432\n"),
        ("facts/web01.a.json", r#"{"role": "web", "os": {"name": "Debian"}}"#),
        ("facts/web02.a.json", r#"{"role": "web", "os": {"name": "Debian"}}"#),
        ("facts/db01.a.json", r#"{"role": "db", "os": {"name": "Debian"}}"#),
    ])
}

/// The nodes that a run wrote catalogs of, in their order.
fn compiled(run: &Run) -> Vec<String> {
    let catalogs = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    catalogs.map(|catalog| catalog["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_command_takes_names_and_patterns() {
    let folder = repository();
    let names = |arguments: &[&str]| compiled(&folder.run(&[&["compile", "--facts", "facts"], arguments].concat()));
    assert_eq!(names(&["web*"]), ["web01.a", "web02.a"]);
    assert_eq!(names(&["db01.a", "--nodes", "web0?.a"]), ["db01.a", "web01.a", "web02.a"]);
    assert_eq!(names(&["--node", "web02.a"]), ["web02.a"]);
    for command in [&["compile"][..], &["fleet", "-q"], &["trace"], &["watch", "--edits", "1"], &["node"]] {
        let run = folder.run(&[command, &["wep01", "--facts", "facts"]].concat());
        let said = "Error: no node matches 'wep01'; did you mean web01.a?\n";
        assert_eq!((run.err.as_str(), run.code), (said, Some(2)), "{command:?}");
    }
    let run = folder.run(&["fleet", "-q", "db*", "web01.a", "--facts", "facts", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["summary"]["nodes"], 2, "{}", run.err);
}

#[test]
fn a_question_is_asked_of_several_nodes() {
    let folder = repository();
    let run = folder.run(&["lookup", "port", "--facts", "facts", "--node", "*"]);
    assert_eq!((run.out.as_str(), run.code), ("---\ndb01.a: 5432\nweb01.a: 80\nweb02.a: 80\n", Some(0)), "{}", run.err);
    let run = folder.run(&["lookup", "port", "--facts", "facts", "--node", "web01.a"]);
    assert_eq!(run.out, "--- 80\n");
    let eval = ["eval", "--print", "--facts", "facts", "--node", "web*", "-e", "lookup('port') + 1"];
    let run = folder.run(&eval);
    assert_eq!(run.out, "==> web01.a <==\n81\n==> web02.a <==\n81\n", "{}", run.err);
    folder.write("x.epp", "<%= $facts['role'] %>\n");
    let run = folder.run(&["epp", "x.epp", "--facts", "facts", "--node", "db01.a"]);
    assert_eq!(run.out, "db\n", "{}", run.err);
    let run = folder.run(&["eval", "-e", "1", "--facts", "facts"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err, "Warning: of 3 nodes db01.a is taken; --node NAME says another\n");
}

#[test]
fn facts_come_from_several_places() {
    let folder = repository();
    folder.write("more/mail.json", r#"{"role": "web", "os": {"name": "Debian"}}"#);
    let run = folder.run(&["compile", "--facts", "facts", "--facts", "more/mail.json", "--os", "debian-12"]);
    assert_eq!(compiled(&run), ["db01.a", "web01.a", "web02.a", "mail", "debian-12"], "{}", run.err);
    let run = folder.run(&["compile", "--os", "debian-12", "--os", "redhat-9"]);
    assert_eq!(compiled(&run), ["debian-12", "redhat-9"], "{}", run.err);
    let run = folder.run(&["fleet", "-q", "--facts", "facts", "--facts", "facts"]);
    assert!(run.err.starts_with("Error: there are two sources of facts for db01.a: facts and facts"), "{}", run.err);
    assert_eq!(run.code, Some(2));
}

#[test]
fn a_fact_is_set_for_every_node() {
    let folder = repository();
    let titles = |facts: &[&str]| {
        let run = folder.run(&[&["compile", "web01.a", "--facts", "facts"], facts].concat());
        let catalog: Value = serde_json::from_str(&run.out).expect(&run.err);
        let resources = catalog["resources"].as_array().unwrap().clone();
        resources
            .iter()
            .filter(|of| of["type"] == "Notify")
            .map(|of| of["title"].as_str().unwrap().to_owned())
            .collect()
    };
    let changed: Vec<String> = titles(&["--fact", "os.name=RedHat", "--fact", "role=db"]);
    assert_eq!(changed, ["db RedHat"]);
    // What was stored of the same node with other facts is not its answer.
    assert_eq!(titles(&[]), ["web Debian"]);
    assert_eq!(titles(&["--fact", "os.name=RedHat", "--fact", "role=db"]), ["db RedHat"]);
    let run = folder.run(&["compile", "web01.a", "--facts", "facts", "--fact", "role.x=1"]);
    assert!(run.err.contains("the fact role.x cannot be set"), "{}", run.err);
    let run = folder.run(&["compile", "web01.a", "--facts", "facts", "--fact", "role"]);
    assert!(run.err.contains("it has the form NAME=VALUE"), "{}", run.err);
}

#[test]
fn a_slip_is_one_error_before_any_node() {
    let folder = repository();
    let refused = |arguments: &[&str]| {
        let run = folder.run(&[&["fleet", "-q"], arguments].concat());
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{arguments:?}: {}", run.err);
        run.err
    };
    let said = refused(&["--facts", "facts", "--environment", "prodcution"]);
    assert!(said.starts_with("Error: --environment prodcution: did you mean production?"), "{said}");
    let said = refused(&[]);
    assert!(said.starts_with("Error: there are no nodes: --facts says where"), "{said}");
    std::fs::create_dir_all(folder.path().join("empty/sub")).unwrap();
    let said = refused(&["--facts", "facts", "--environment-dir", "empty"]);
    assert!(said.contains("empty is no control repository: it has no environment.conf"), "{said}");
    folder.write("environments/production/manifests/site.pp", "");
    let said = refused(&["--facts", "facts", "--environmentpath", "environments", "--environment", "prod"]);
    assert!(said.contains("there is no environment 'prod' in ") && said.contains("there are production"), "{said}");
    let said = refused(&["--facts", "nosuch"]);
    assert!(said.starts_with("Error: --facts: nosuch: no such file"), "{said}");
    let run = folder.run(&["compile", "--facts", "manifests/site.pp"]);
    assert!(run.err.contains("site.pp") && run.err.lines().count() == 1, "{}", run.err);
}

#[test]
fn what_all_nodes_export_is_collected_by_one() {
    let folder = Folder::with(&[
        ("manifests/site.pp", "node /web/ { @@notify { $trusted['certname']: } }\nnode 'mon' { Notify <<| |>> }\n"),
        ("modules/x", ""),
        ("facts/web01.json", "{}"),
        ("facts/web02.json", "{}"),
        ("facts/mon.json", "{}"),
    ]);
    let collected = |arguments: &[&str]| {
        let run = folder.run(&[arguments, &["--facts", "facts", "--exported", "fleet"]].concat());
        let catalog: Value = serde_json::from_str(&run.out).expect(&run.err);
        catalog["resources"].as_array().unwrap().iter().filter(|of| of["type"] == "Notify").count()
    };
    assert_eq!(collected(&["compile", "mon"]), 2);
    // From the store, too.
    assert_eq!(collected(&["compile", "mon"]), 2);
    let run = folder.run(&["fleet", "-q", "mon", "--facts", "facts", "--exported", "fleet", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&report["summary"]["nodes"], &report["exported"]["resources"]), (&1.into(), &2.into()));
}

//! Nodes that collect what other nodes of the same run export.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::Folder;

/// A balancer collects what the backends export; a monitor collects what the balancer exports for having collected it.
pub(crate) fn fleet() -> Folder {
    let site = "define backend($port, $options = {}) {\n\
                  notify { \"backend ${title} ${port} ${options}\": }\n\
                  @@probe { \"${trusted['certname']} ${title}\": port => $port }\n\
                }\n\
                define probe($port) { notify { \"probe ${title} ${port}\": } }\n\
                case $facts['role'] {\n\
                  'web': {\n\
                    @@backend { $trusted['certname']: port => $facts['port'], tag => 'pool', options => { 'a' => [1, 2.5, true] } }\n\
                    @@host { \"${trusted['certname']} alias\": ip => '192.0.2.7', name => $trusted['certname'] }\n\
                  }\n\
                  'lb': { Backend <<| tag == 'pool' |>> }\n\
                  'mon': { Probe <<| |>> Host <<| ip == '192.0.2.7' |>> }\n\
                  default: { }\n\
                }\n";
    Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        ("manifests/site.pp", site),
        ("facts/lb.example.org.json", r#"{"role": "lb"}"#),
        ("facts/mon.example.org.json", r#"{"role": "mon"}"#),
        ("facts/web01.example.org.json", r#"{"role": "web", "port": 8001}"#),
        ("facts/web02.example.org.json", r#"{"role": "web", "port": 8002}"#),
    ])
}

fn notifies(catalog: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(catalog).unwrap();
    let catalog: Value = serde_json::from_str(&text).unwrap();
    let of_type = |name: &str| {
        let resources = catalog["resources"].as_array().unwrap().iter();
        let named = resources.filter(|resource| resource["type"] == name);
        named.map(|resource| resource["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    [of_type("Notify"), of_type("Host")].concat()
}

#[test]
fn they_are_settled_in_rounds() {
    let folder = fleet();
    let run = folder.run(&["fleet", "--facts", "facts", "--exported", "fleet", "--out", "out", "--jobs", "1"]);
    assert!(run.out.contains("6 resources exported, settled after 3 rounds"), "{}", run.out);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
    let backends = [
        "backend web01.example.org 8001 {a => [1, 2.5, true]}",
        "backend web02.example.org 8002 {a => [1, 2.5, true]}",
    ];
    assert_eq!(notifies(&folder.path().join("out/lb.example.org.json")), backends);
    assert_eq!(
        notifies(&folder.path().join("out/mon.example.org.json")),
        [
            "probe lb.example.org web01.example.org 8001",
            "probe lb.example.org web02.example.org 8002",
            "web01.example.org alias",
            "web02.example.org alias",
        ]
    );
    // As PuppetDB has it: what a resource is called is an alias where its title is another.
    let text = std::fs::read_to_string(folder.path().join("out/mon.example.org.json")).unwrap();
    let catalog: Value = serde_json::from_str(&text).unwrap();
    let host = catalog["resources"].as_array().unwrap().iter().find(|resource| resource["type"] == "Host").unwrap();
    assert_eq!(host["parameters"]["alias"], json!(["web01.example.org"]));
    // Other threads, an archive in which nodes are written again, and a shard that sees what others export.
    let run = folder.run(&["fleet", "--facts", "facts", "--exported", "fleet", "--out", "out.tar", "--jobs", "4"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let mut archive = tar::Archive::new(std::fs::File::open(folder.path().join("out.tar")).unwrap());
    let names: Vec<String> =
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect();
    assert_eq!(names.len(), 8);
    assert_eq!((names[0].as_str(), names[7].as_str()), ("lb.example.org.json", "web02.example.org.log"));
    for number in 1..=4 {
        let shard = format!("{number}/4");
        folder.run(&["fleet", "--facts", "facts", "--exported", "fleet", "--out", "shards", "--shard", &shard]);
    }
    for node in ["lb", "mon", "web01", "web02"] {
        let name = format!("{node}.example.org.json");
        assert_eq!(
            notifies(&folder.path().join("shards").join(&name)),
            notifies(&folder.path().join("out").join(&name))
        );
    }
}

/// Two nodes, each of which exports more for what it collects of the other.
pub(crate) fn growing() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        (
            "manifests/site.pp",
            "$me = $trusted['certname']\n\
             define grows() { @@grows { \"${title}x\": tag => \"of_${trusted['certname']}\" } }\n\
             @@grows { $me: tag => \"of_${me}\" }\n\
             if $me == 'a.example.org' { Grows <<| tag == 'of_b.example.org' |>> }\n\
             else { Grows <<| tag == 'of_a.example.org' |>> }\n",
        ),
        ("facts/a.example.org.json", "{}"),
        ("facts/b.example.org.json", "{}"),
    ])
}

#[test]
fn what_never_settles_is_an_error() {
    let folder = growing();
    let run = folder.run(&["fleet", "--facts", "facts", "--exported", "fleet"]);
    assert!(
        run.out.contains("Not settled\n  what the nodes export still changes after 21 rounds, because"),
        "{}",
        run.out
    );
    assert_eq!(run.code, Some(1));
}

/// The same catalogs as the real Puppet's, for which the exports are those of a PuppetDB.
#[test]
#[ignore = "needs the real Puppet 7.23; `.ci/run` runs it"]
fn catalogs_are_those_of_the_real_one() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/fleet.rb");
    let folder = fleet();
    // The real one takes one step, so that what depends on collecting is left out.
    let site = std::fs::read_to_string(folder.path().join("manifests/site.pp")).unwrap();
    // Nor has it the type `host`, and it stores no aliases.
    let site = site
        .replace("@@probe { \"${trusted['certname']} ${title}\": port => $port }\n", "")
        .replace(
            "@@host { \"${trusted['certname']} alias\": ip => '192.0.2.7', name => $trusted['certname'] }",
            "@@file { \"/etc/${trusted['certname']}\": content => 'x' }",
        )
        .replace("Host <<| ip == '192.0.2.7' |>>", "File <<| content == 'x' |>>");
    assert!(!site.contains("host {") && !site.contains("@@probe") && site.contains("File <<|"), "{site}");
    folder.write("manifests/site.pp", site);
    let oracle = Command::new("ruby")
        .arg(script)
        .args([".", "facts", "real.jsonl", "--exported"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(oracle.status.success(), "{}", String::from_utf8_lossy(&oracle.stderr));
    let run = folder.run(&["fleet", "--facts", "facts", "--exported", "fleet", "--out", "out", "--puppet", "7"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    let real = std::fs::read_to_string(folder.path().join("real.jsonl")).unwrap();
    assert_eq!(real.lines().count(), 4);
    for line in real.lines() {
        let real: Value = serde_json::from_str(line).unwrap();
        let name = real["node"].as_str().unwrap();
        let real: Value = serde_json::from_str(real["json"].as_str().unwrap()).unwrap();
        let text = std::fs::read_to_string(folder.path().join(format!("out/{name}.json"))).unwrap();
        let text = text.replace(&folder.real_path(), "/scratch");
        let own: Value = serde_json::from_str(&text).unwrap();
        for member in ["resources", "edges", "classes", "tags"] {
            assert_eq!(own[member], real[member], "{member} of {name}");
        }
        let collected = if name.starts_with("lb") { "Backend" } else { "File" };
        let is_collected = |resource: &Value| resource["type"] == json!(collected);
        let expects = !name.starts_with("web");
        assert_eq!(real["resources"].as_array().unwrap().iter().any(is_collected), expects, "{name}");
    }
}

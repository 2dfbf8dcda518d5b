//! Environments that both can load: bindings lie beside the manifests, and the real Puppet 8.10 reads nothing of them.

use std::path::Path;
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::Folder;

const NODE: &str = "web1.example.org";

/// An environment whose manifests have no `site` statement and no `inject`, and need no bound parameter.
const FILES: [(&str, &str); 9] = [
    ("environment.conf", "modulepath = modules\n"),
    (
        "manifests/site.pp",
        "$tier = 'site'
node default {
  include ntp
  include web
  file { '/etc/motd': content => \"${tier} on ${facts['kind']}\\n\" }
}
",
    ),
    (
        "modules/ntp/manifests/init.pp",
        "class ntp(Array[String] $servers = ['pool.ntp.org'], Boolean $enable = true) {
  file { '/etc/ntp.conf': content => $servers.join(\"\\n\") }
  service { 'ntp': ensure => running, enable => $enable, require => File['/etc/ntp.conf'] }
}
",
    ),
    ("modules/ntp/manifests/chrony.pp", "class ntp::chrony {\n  notify { 'chrony': }\n}\n"),
    ("modules/web/manifests/init.pp", "class web($port = 80) {\n  notify { \"port ${port}\": }\n}\n"),
    (
        "modules/ntp/bindings/default.pp",
        "bindings ntp::default {
  bind \"ntp::contact\" to 'ops@example.com'
  multibind Array[String], \"ntp::peers\" as 'ntp::peers'
  bind map Web to Sql { port => port }
}
",
    ),
    (
        "modules/web/bindings/default.pp",
        "bindings web::default {\n  bind 'web1' to 'x' in 'ntp::peers'\n  bind \"site\" to $facts['kind']\n}\n",
    ),
    ("bindings/default.pp", "bindings default {\n  bind override \"ntp::contact\" to 'me@example.com'\n}\n"),
    ("bindings/site.pp", "site {\n  categories { node => $trusted['certname'], kind => $facts['kind'] }\n}\n"),
];

/// What is bound for parameters counts for Pantin alone.
const BOUND: &str = "bindings default {
  include ntp::chrony
  bind parameters ntp to { servers => ['10.0.0.1'], enable => false }
  bind parameters Notify to { withpath => true }
  bind variables to { rack => 'r1' }
}
";

fn environment(without_bindings: bool) -> Folder {
    let files: Vec<(&str, &str)> =
        FILES.iter().filter(|(path, _)| !without_bindings || !path.contains("bindings/")).copied().collect();
    let folder = Folder::with(&files);
    folder.write(&format!("facts/{NODE}.json"), format!(r#"{{"name": "{NODE}", "values": {{"kind": "vm"}}}}"#));
    folder
}

/// What of a catalog does not come of the folder that it stands in.
fn compared(mut catalog: Json, folder: &Path) -> Json {
    for name in ["version", "catalog_uuid", "catalog_format", "code_id"] {
        if let Some(members) = catalog.as_object_mut() {
            members.remove(name);
        }
    }
    let text = catalog.to_string().replace(folder.to_str().unwrap(), "/scratch");
    serde_json::from_str(&text).unwrap()
}

fn by_pantin(folder: &Folder) -> Json {
    let run = folder.run(&["compile", NODE, "--format", "json", "--environment-dir", ".", "--facts", "facts"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    compared(serde_json::from_str(&run.out).unwrap(), folder.path())
}

fn by_the_real_one(folder: &Folder) -> Json {
    let out = folder.path().join("real.jsonl");
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/fleet.rb");
    let run = Command::new("ruby")
        .arg(oracle)
        .args([folder.path(), &folder.path().join("facts"), &out])
        .arg("--puppet8")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let answer: Json = serde_json::from_str(std::fs::read_to_string(out).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!(answer["accepted"], json!(true), "{answer}");
    compared(serde_json::from_str(answer["json"].as_str().unwrap()).unwrap(), folder.path())
}

#[test]
#[ignore = "needs the real Puppet 8.10; `.ci/run` runs it"]
fn bindings_that_fill_nothing_leave_the_catalog_of_the_real_one() {
    let folder = environment(false);
    let (ours, real) = (by_pantin(&folder), by_the_real_one(&folder));
    assert!(real["resources"].as_array().unwrap().len() > 6, "{real}");
    assert_eq!(ours, real);
}

#[test]
#[ignore = "needs the real Puppet 8.10; `.ci/run` runs it"]
fn the_real_one_compiles_what_pantin_gives_without_bindings() {
    let bound = environment(false);
    bound.write("bindings/default.pp", BOUND);
    let real = by_the_real_one(&bound);
    assert_eq!(by_pantin(&environment(true)), real);
    assert_ne!(by_pantin(&bound), real);
}

//! The five ways from what people write today to bindings (`tests/bindings/migrations`, told in `docs/bindings.md`): the catalogs of a
//! step are those of the step before it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::Folder;

const NODES: [&str; 2] = ["web1.example.org", "db1.example.org"];

/// The parameters of all resources of a node, by their references.
fn resources(folder: &Folder, step: &Path, node: &str) -> BTreeMap<String, Json> {
    let facts = migrations().join("facts");
    let words = ["compile", node, "--format", "json", "--environment-dir", step.to_str().unwrap(), "--facts"];
    let run = folder.run(&[&words[..], &[facts.to_str().unwrap()]].concat());
    assert_eq!(run.code, Some(0), "{}: {}", step.display(), run.err);
    let catalog: Json = serde_json::from_str(&run.out).unwrap();
    let resource = |one: &Json| {
        let reference = format!("{}[{}]", one["type"].as_str().unwrap(), one["title"].as_str().unwrap());
        (reference, one["parameters"].clone())
    };
    catalog["resources"].as_array().unwrap().iter().map(resource).collect()
}

fn migrations() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bindings/migrations")
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn each_step_leaves_the_catalogs_as_they_were() {
    let folder = Folder::with(&[]);
    let mut steps_taken = 0;
    for migration in folders(&migrations()).iter().filter(|path| !path.ends_with("facts")) {
        let steps = folders(migration);
        for node in NODES {
            let first = resources(&folder, &steps[0], node);
            assert!(first.len() > 4, "{}: only {first:?}", migration.display());
            for step in &steps[1..] {
                assert_eq!(resources(&folder, step, node), first, "{} of {node}", step.display());
                steps_taken += 1;
            }
        }
    }
    assert_eq!(steps_taken, 14);
}

#[test]
fn a_misspelt_override_is_an_error_once_it_is_a_binding() {
    let step = migrations().join("1-defaults/1-bindings");
    let folder = Folder::with(&[]);
    for file in ["manifests/site.pp", "modules/ntp/manifests/init.pp", "modules/ntp/bindings/default.pp"] {
        folder.write(file, std::fs::read(step.join(file)).unwrap());
    }
    let written = std::fs::read_to_string(step.join("bindings/default.pp")).unwrap();
    folder.write("environment.conf", "");
    folder.write("bindings/default.pp", written.replace("servers", "server"));
    let run = folder.run(&["bindings", "check", "."]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("Class[ntp] has no parameter 'server'"), "{}", run.out);
}

//! What is said of a catalog's graph, and drawn of it: as the real agent says it (`tests/graph`, written by the oracle).

use std::path::Path;

use serde_json::Value;

use crate::{Folder, Run};

/// Each manifest of `tests/graph`, compiled by the binary, with what the real agent says of its catalog.
fn each(check: impl Fn(&str, &Folder, &Value)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graph");
    let names = ["aliases", "containers", "cycle", "cycle_of_itself", "cycles", "missing", "quotes", "stages"];
    for name in names {
        let read = |extension: &str| std::fs::read_to_string(folder.join(name).with_extension(extension)).unwrap();
        let committed: Value = serde_json::from_str(&read("json")).unwrap();
        check(name, &Folder::with(&[("manifests/site.pp", &read("pp"))]), &committed["graph"]);
    }
}

fn compile(folder: &Folder, more: &[&str]) -> Run {
    let arguments = ["compile", "node.example.org", "--manifest", "manifests/site.pp", "--log-level", "err"];
    folder.run(&[&arguments[..], more].concat())
}

#[test]
fn what_keeps_the_agent_from_applying_a_catalog_is_said_in_its_words() {
    each(|name, folder, real| {
        let run = compile(folder, &["--check-graph", "--format", "tree"]);
        let said = run.err.replace(&folder.real_path(), "/scratch");
        let lines = |text: &Value| text.as_str().map(|text| format!("Error: {text}\n"));
        match (lines(&real["missing"]), lines(&real["cycles"])) {
            // The agent gives up at the first; here all of them are said.
            (Some(first), _) => assert!(said.starts_with(&first), "{name}: {said}"),
            (None, Some(cycles)) => {
                let end = "Error: Failed to apply catalog: One or more resource dependency cycles detected in graph\n";
                assert_eq!(said, cycles + end, "{name}");
            }
            (None, None) => assert_eq!(said, "", "{name}"),
        }
        assert_eq!(run.code, Some(i32::from(!said.is_empty())), "{name}");
        assert_eq!(compile(folder, &["--no-check-graph"]).code, Some(0), "{name}");
    });
}

#[test]
fn the_drawings_are_those_of_the_agent() {
    each(|name, folder, real| {
        if real["missing"].is_string() {
            return;
        }
        let run = compile(folder, &["--graph", "dots", "--no-check-graph"]);
        assert_eq!((run.err.as_str(), run.code), ("", Some(0)), "{name}");
        let drawn = |file: &str| std::fs::read_to_string(folder.path().join("dots").join(file)).unwrap();
        for drawing in ["resources", "relationships", "expanded_relationships"] {
            let drawn = drawn(&format!("{drawing}.dot"));
            let edges = drawn.lines().filter(|line| line.contains(" -> "));
            let edges: Vec<&str> = edges.map(|line| line.trim().trim_end_matches(" [")).collect();
            assert_eq!(serde_json::json!(edges), real[drawing], "{name}: {drawing}");
        }
        if let Some(cycles) = real["cycles_dot"].as_str() {
            assert_eq!(drawn("cycles.dot"), cycles, "{name}");
            let said = compile(folder, &["--graph", "dots", "--check-graph"]).err;
            let end = format!("Cycle graph written to {}/dots/cycles.dot.", folder.real_path());
            assert!(said.lines().any(|line| line.ends_with(&end)), "{name}: {said}");
        }
    });
}

const CYCLE: &str = "class a {\n  file { '/a': require => Notify['y'] }\n}\nclass b {\n  notify { 'y':\n    \
                     require => Class['c'],\n  }\n}\nclass c {\n  require a\n  notify { 'z': }\n}\ninclude a, b, c\n";

#[test]
fn a_summary_looks_at_the_graph_and_a_person_sees_the_shortest_way_around() {
    let folder = Folder::with(&[("manifests/site.pp", CYCLE)]);
    let run = compile(&folder, &["--format", "summary", "--log-format", "human"]);
    let steps = [
        "Dependency cycle in the catalog of node.example.org",
        "2 │   file { '/a': require => Notify['y'] }",
        "5 │   notify { 'y':",
        "Notify[y] comes before File[/a], which requires it",
        "manifests/site.pp:2) is a part of Class[A]",
        "Class[C] comes before Notify[y], which requires it",
    ];
    for step in steps {
        assert!(run.err.contains(step), "{step}\n{}", run.err);
    }
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 5));
    assert_eq!(compile(&folder, &["--format", "summary", "--check-graph=false"]).code, Some(0));
    let both = folder.run(&["compile", "a", "b", "--manifest", "manifests/site.pp", "--graph", "dots", "--out", "out"]);
    assert_eq!(both.code, Some(1));
    assert!(folder.path().join("dots/a/cycles.dot").is_file() && folder.path().join("dots/b/resources.dot").is_file());
}

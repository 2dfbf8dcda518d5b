//! What a run did when: the file of `--timings`, and what `pantin stats` says of it.

use std::fs;

use serde_json::{Value, json};

use crate::Folder;

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "node default { notify { 'x': } }\n"),
        ("facts/a.json", "{}"),
        ("facts/b.json", "{}"),
    ])
}

fn trace(folder: &Folder) -> Value {
    serde_json::from_slice(&fs::read(folder.path().join("run.json")).unwrap()).unwrap()
}

/// The names of what was done, of one sort, in their order.
fn done<'t>(trace: &'t Value, sort: &str) -> Vec<&'t str> {
    let events = trace["traceEvents"].as_array().unwrap().iter();
    events.filter(|event| event["cat"] == json!(sort)).map(|event| event["name"].as_str().unwrap()).collect()
}

const FLEET: [&str; 7] = ["fleet", "-q", "--facts", "facts", "--jobs", "1", "--timings"];

#[test]
fn a_trace_tells_what_was_done_for_which_node() {
    let folder = repository();
    let run = folder.run(&[&FLEET[..], &["run.json", "--out", "out"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let first = trace(&folder);
    assert_eq!(done(&first, "node"), ["a", "b"]);
    let phases = [
        "read settings",
        "choose nodes",
        "open the cache",
        "classify",
        "look in the cache",
        "read facts",
        "make the environment ready",
        "compile",
        "look at the graph",
        "look at the resources",
        "store the answer",
        "write it as JSON",
        "write",
        "look in the cache",
        "read facts",
        "compile",
        "look at the graph",
        "look at the resources",
        "store the answer",
        "write it as JSON",
        "write",
        "write the cache",
        "report",
    ];
    assert_eq!(done(&first, "phase"), phases);
    let (main, node) = (done(&first, "body")[0], done(&first, "body")[1]);
    assert!(main.ends_with("manifests/site.pp") && node == "default", "{main} {node}");
    // Whatever stands within another ends before it does, on every thread: so Perfetto draws it.
    let events: Vec<&Value> = first["traceEvents"].as_array().unwrap().iter().filter(|one| one["ph"] == "X").collect();
    let end = |event: &Value| event["ts"].as_f64().unwrap() + event["dur"].as_f64().unwrap();
    for (at, one) in events.iter().enumerate() {
        for other in &events[at + 1..] {
            let is_within = end(other) <= end(one) + 0.001;
            let is_after = other["ts"].as_f64().unwrap() >= end(one) - 0.001;
            assert!(one["tid"] != other["tid"] || is_within || is_after, "{one} {other}");
        }
    }
    folder.run(&[&FLEET[..], &["run.json"]].concat());
    let second = trace(&folder);
    assert_eq!(done(&second, "node"), ["a", "b"]);
    assert!(!done(&second, "phase").contains(&"compile"));
    folder.run(&["compile", "a", "--facts", "facts", "--timings", "run.json"]);
    assert_eq!(done(&trace(&folder), "node"), ["a"]);
    // What is measured is no part of the question.
    let report = folder.run(&[&FLEET[..6], &["--format", "json"]].concat()).out;
    assert_eq!(serde_json::from_str::<Value>(&report).unwrap()["summary"]["kept"], json!(2));
}

#[test]
fn a_trace_is_summed_up() {
    let folder = repository();
    folder.run(&[&FLEET[..], &["run.json"]].concat());
    let stats = |more: &[&str]| folder.run(&[&["stats", "run.json"], more].concat());
    let text = stats(&[]);
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert!(text.out.starts_with("2 nodes in "), "{}", text.out);
    assert!(text.out.contains("\n0 answered from the cache (0%), 2 compiled\n"), "{}", text.out);
    assert!(text.out.contains("  2 times  compile\n") && text.out.contains("  1 times  default\n"), "{}", text.out);
    // The site manifest and the node block, of two nodes.
    let bodies = "\nOf 4 bodies (classes, defined types, node blocks) 2 were run, and 2 replayed (50%)\n";
    assert!(text.out.contains(bodies), "{}", text.out);
    let json: Value = serde_json::from_str(&stats(&["--format", "json", "--limit", "1"]).out).unwrap();
    assert_eq!((&json["run"]["bodies_run"], &json["run"]["bodies_replayed"]), (&json!(2), &json!(2)));
    assert_eq!((&json["nodes"], &json["kept"], &json["threads"]), (&json!(2), &json!(0), &json!(1)));
    assert_eq!((&json["run"]["command"], json["slowest"].as_array().unwrap().len()), (&json!("fleet"), 1));
    folder.run(&[&FLEET[..], &["run.json"]].concat());
    assert!(stats(&[]).out.contains("\n2 answered from the cache (100%), 0 compiled\n"));
}

#[test]
fn what_made_a_node_be_compiled_is_told() {
    let folder = repository();
    folder.write("manifests/site.pp", "node default { notify { 'x': message => $facts['x'] } }\n");
    let run = || folder.run(&[&FLEET[..], &["run.json"]].concat()).out;
    run();
    folder.write("facts/a.json", r#"{"x": 1}"#);
    // It is told of nowhere else.
    assert!(!run().contains("Compiled anew"));
    let stats = folder.run(&["stats", "run.json", "--format", "json"]).out;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let anew = &stats["anew"][0];
    assert_eq!((&anew["asked"], &anew["nodes"]), (&json!("facts.x of the node"), &json!(["a"])));
    assert_eq!((&anew["old"], &anew["new"]), (&json!("nothing"), &json!("1")));
    let site = format!("{}/manifests/site.pp", folder.real_path());
    let site = stats["files"].as_array().unwrap().iter().find(|file| file["file"] == site).unwrap();
    // The main class, and the node block.
    assert_eq!(site["times"], json!(2), "{stats}");
    assert!(folder.run(&["stats", "run.json"]).out.contains("      1 nodes  facts.x of the node: "));
}

#[test]
fn what_is_no_trace_is_said_to_be_none() {
    let folder = repository();
    for (text, said) in [("{}", "it is no file of --timings"), ("{\"traceEvents\": []}", "it is no file of --timings")]
    {
        folder.write("run.json", text);
        let run = folder.run(&["stats", "run.json"]);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains(said), "{}", run.err);
    }
    let run = folder.run(&["stats", "none.json"]);
    assert!(run.err.contains("none.json: no such file or directory"), "{}", run.err);
    let run = folder.run(&[&FLEET[..], &["facts/a.json/run.json"]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("cannot write"), "{}", run.err);
}

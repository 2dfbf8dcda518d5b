//! One store of answers, whichever command asked: what one command has compiled, another finds.

use std::fs;

use serde_json::{Value, json};

use crate::cache::{anew, fleet, repository};
use crate::{Folder, Run};

const FORMATS: [&str; 4] = ["json", "pretty", "summary", "tree"];

/// The usual repository; a node whose code fails in a file, one that fails in a template, one whose graph is a circle, and one
/// that wants what is not there.
fn repository_with_troubles() -> Folder {
    let folder = repository();
    folder.write(
        "modules/role_bad/manifests/init.pp",
        "class role_bad {\n  notice('before')\n  $x = [1, 2]\n  fail(\"no ${x[0]}\")\n}\n",
    );
    folder.write(
        "modules/role_odd/manifests/init.pp",
        "class role_odd { notify { 'odd': message => template('role_odd/t.erb') } }\n",
    );
    folder.write("modules/role_odd/templates/t.erb", "one\n<%= nothing.at_all %>\n");
    folder.write(
        "modules/role_circle/manifests/init.pp",
        "class role_circle {\n  warning('round')\n  notify { 'a': require => Notify['b'] }\n  notify { 'b': require => \
         Notify['a'] }\n}\n",
    );
    folder.write(
        "modules/role_lost/manifests/init.pp",
        "class role_lost {\n  notify { 'a': require => File['/gone'] }\n  nosuchtype { 'x': }\n}\n",
    );
    folder
        .write("modules/role_none/manifests/init.pp", "class role_none { notify { 'n': require => File['/gone'] } }\n");
    for (node, role) in [("bad1", "bad"), ("odd1", "odd"), ("circle1", "circle"), ("lost1", "lost"), ("none1", "none")]
    {
        folder.write(&format!("facts/{node}.json"), format!(r#"{{"role": "{role}", "ip": "10.0.0.9"}}"#));
    }
    folder
}

const NODES: [&str; 9] = ["bad1", "circle1", "db1", "db2", "lost1", "none1", "odd1", "web1", "web2"];

/// What a run did, and what it printed without what is never the same.
fn compile(folder: &Folder, node: &str, more: &[&str]) -> (usize, String, String, Option<i32>) {
    let arguments = ["compile", node, "--facts", "facts", "--timings", "run.json"];
    let Run { out, err, code } = folder.run(&[&arguments[..], more].concat());
    let timings: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("run.json")).unwrap()).unwrap();
    let events = timings["traceEvents"].as_array().unwrap();
    let compiled = events.iter().filter(|event| event["cat"] == "phase" && event["name"] == "compile").count();
    (compiled, without_identity(&out), without_seconds(&err), code)
}

fn without_seconds(text: &str) -> String {
    let lines =
        text.lines().map(|line| line.split_once(" in environment production in ").map_or(line, |(line, _)| line));
    lines.collect::<Vec<_>>().join("\n")
}

fn without_identity(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(mut catalog) => {
            let is_pretty = text.lines().count() > 1;
            catalog["version"] = json!(0);
            catalog["catalog_uuid"] = json!(0);
            // The order of keys is that of the text, which is compared as it is but for these two.
            let kept: Vec<&str> =
                text.lines().filter(|line| !is_pretty || !line.contains("uuid") && !line.contains("version")).collect();
            if is_pretty { kept.join("\n") } else { catalog.to_string() }
        }
        Err(_) => text.to_owned(),
    }
}

#[test]
fn what_a_fleet_has_compiled_is_printed_in_every_format() {
    let folder = repository_with_troubles();
    assert_eq!(anew(&fleet(&folder, &[])).len(), NODES.len());
    for node in NODES {
        for format in FORMATS {
            for more in [&[][..], &["--log-format", "human"], &["--check-graph"]] {
                let with = |cache: &[&'static str]| {
                    let fixed = ["--format", format];
                    compile(&folder, node, &[&fixed[..], more, cache].concat())
                };
                let (compiled, out, err, code) = with(&[]);
                assert_eq!(compiled, 0, "{node} {format} {more:?}: {err}");
                let (afresh, right_out, right_err, right_code) = with(&["--no-cache"]);
                assert_eq!(afresh, 1);
                assert_eq!((out, err, code), (right_out, right_err, right_code), "{node} {format} {more:?}");
            }
        }
    }
    // A drawing is made from a stored catalog.
    let (compiled, _, err, _) = compile(&folder, "circle1", &["--graph", "dots", "--check-graph"]);
    assert!(compiled == 0 && err.contains("Cycle graph written to"), "{err}");
    assert!(folder.path().join("dots/cycles.dot").is_file());
}

#[test]
fn what_was_compiled_alone_a_fleet_does_not_compile() {
    let folder = repository_with_troubles();
    for node in ["web1", "bad1", "circle1"] {
        assert_eq!(compile(&folder, node, &["--format", "tree"]).0, 1);
    }
    let report = fleet(&folder, &["--out", "out"]);
    assert_eq!(anew(&report), ["db1", "db2", "lost1", "none1", "odd1", "web2"]);
    let right = fleet(&folder, &["--no-cache"]);
    assert_eq!(report["messages"], right["messages"]);
    let catalog: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("out/web1.json")).unwrap()).unwrap();
    let (_, printed, ..) = compile(&folder, "web1", &[]);
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(catalog["resources"], printed["resources"]);
}

#[test]
fn a_failure_of_code_that_is_in_no_file_is_shown_as_it_was() {
    let folder = repository();
    let run = |more: &[&str]| {
        let arguments = ["-e", "$a = 1\nfail(\"no ${a}\")", "--log-format", "human"];
        compile(&folder, "web1", &[&arguments[..], more].concat())
    };
    let (first, second, afresh) = (run(&[]), run(&[]), run(&["--no-cache"]));
    assert_eq!((first.0, second.0, afresh.0), (1, 0, 1));
    assert!(second.2.contains("fail(\"no ${a}\")"), "{}", second.2);
    assert_eq!((&first.1, &first.2, first.3), (&second.1, &second.2, second.3));
    assert_eq!((&afresh.1, &afresh.2, afresh.3), (&second.1, &second.2, second.3));
}

#[test]
fn lines_that_move_are_told_as_they_are_now() {
    let folder = repository_with_troubles();
    fleet(&folder, &[]);
    for role in ["db", "circle", "bad", "odd", "none"] {
        let path = format!("modules/role_{role}/manifests/init.pp");
        let text = fs::read_to_string(folder.path().join(&path)).unwrap();
        folder.write(&path, format!("# one line more\n{text}"));
    }
    let mut moved = 0;
    for node in NODES {
        for more in [&["--check-graph"][..], &["--log-format", "human"]] {
            let (compiled, out, err, code) = compile(&folder, node, more);
            moved += usize::from(compiled == 0);
            let right = compile(&folder, node, &[more, &["--no-cache"]].concat());
            assert_eq!((out, err, code), (right.1, right.2, right.3), "{node} {more:?}");
        }
    }
    // Those whose log or error names no line: the two web nodes, and the node with a dependency on nothing.
    assert!(moved >= 6, "{moved}");
}

//! Many nodes at once: the demo fleet, and fleets in which something is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::{Folder, Run};

/// The demo fleet.
fn demo(folder: &Folder, arguments: &[&str]) -> Run {
    let root = env!("CARGO_MANIFEST_DIR");
    let (repository, facts) = (format!("{root}/fixtures/control-repo"), format!("{root}/fixtures/facts"));
    let where_from = ["--environment-dir", &repository, "--environment", "production", "--facts", &facts];
    folder.run(&[arguments, &where_from[..]].concat())
}

/// Three nodes of which one fails, one has a cycle, and all get the same warning.
pub(crate) fn troubled() -> Folder {
    let site = "warning('old code')\n\
                if $facts['role'] == 'db' { include gone }\n\
                if $facts['role'] == 'loop' { notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] } }\n";
    Folder::with(&[
        ("environment.conf", "modulepath = site\n"),
        ("manifests/site.pp", site),
        ("facts/web01.example.org.json", r#"{"role": "web"}"#),
        ("facts/db01.example.org.json", r#"{"role": "db"}"#),
        ("facts/db02.example.org.json", r#"{"role": "db"}"#),
        ("facts/loop01.example.org.json", r#"{"role": "loop"}"#),
    ])
}

fn as_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"))
}

/// Without the name of this catalog alone, and the time.
fn constant(catalog: &str) -> String {
    let mut constant = catalog.to_owned();
    for name in ["\"catalog_uuid\":", "\"version\":"] {
        let Some(start) = constant.find(name) else { continue };
        let end = start + constant[start..].find(',').unwrap();
        constant.replace_range(start..end, "");
    }
    constant
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), constant(&text))
        })
        .collect()
}

#[test]
fn the_demo_fleet_has_the_catalogs_of_compile_on_any_number_of_threads() {
    let folder = Folder::with(&[]);
    let run = demo(&folder, &["fleet", "--quiet", "--jobs", "1", "--out", "one"]);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
    assert!(run.out.contains("200 nodes: all ok; "), "{}", run.out);
    assert!(run.out.contains("200 catalogs written to one"), "{}", run.out);
    let one = files(&folder.path().join("one"));
    assert_eq!(one.len(), 400);
    let run = demo(&folder, &["fleet", "--quiet", "--jobs", "4", "--out", "four/"]);
    assert!(run.out.contains(" on 4 threads, "), "{}", run.out);
    assert_eq!(files(&folder.path().join("four")), one);
    let run = demo(&folder, &["compile", "--out", "compiled/", "--log-level", "err"]);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
    let compiled = files(&folder.path().join("compiled"));
    assert_eq!(compiled.len(), 200);
    for (name, catalog) in compiled {
        assert_eq!(one.get(&name), Some(&catalog), "{name}");
    }
    let alone = demo(&folder, &["compile", "web01.example.org"]);
    let said: String =
        alone.err.lines().filter(|line| !line.contains(" Compiled catalog ")).map(|line| format!("{line}\n")).collect();
    assert_eq!(one["web01.example.org.log"], said);
}

#[test]
fn shards_are_the_whole() {
    let folder = Folder::with(&[]);
    let mut seen: Vec<String> = Vec::new();
    for number in 1..=3 {
        let shard = format!("{number}/3");
        let run = demo(&folder, &["fleet", "--shard", &shard, "--nodes", "app*", "--nodes", "db*", "--format", "json"]);
        let report = as_json(&run.out);
        assert_eq!(report["summary"]["shard"], shard);
        seen.extend(report["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap().to_owned()));
    }
    let whole = as_json(&demo(&folder, &["fleet", "--nodes", "app*", "--nodes", "db*", "--format", "json"]).out);
    let whole: BTreeSet<String> =
        whole["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect();
    assert!(whole.len() > 30 && seen.len() == whole.len(), "{} {}", whole.len(), seen.len());
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), whole);
    let run = demo(&folder, &["fleet", "--shard", "4/3"]);
    assert!(run.err.contains("it is one of 1/3 to 3/3"), "{}", run.err);
    assert_eq!(run.code, Some(2));
}

#[test]
fn what_fails_is_told_once_for_all_nodes() {
    let folder = troubled();
    let run = folder.run(&["fleet", "--facts", "facts", "--out", "out"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[..20],
        [
            "Failed",
            "  Evaluation Error: Error while evaluating a Function Call, Could not find class ::gone for <node>",
            "    manifests/site.pp:2:29",
            "       2 │ if $facts['role'] == 'db' { include gone }",
            "    help: there is no module gone in the module path",
            "    2 nodes: db01.example.org, db02.example.org",
            "",
            "Dependency cycles",
            "  Notify[a] => Notify[b] => Notify[a]",
            "    manifests/site.pp:3",
            "       3 │ if $facts['role'] == 'loop' { notify { 'a': require => Notify['b'] } notify { 'b': require => Notify",
            "    1 node: loop01.example.org",
            "",
            "Warnings",
            "  Scope(Class[main]): old code",
            "    4 nodes: db01.example.org, db02.example.org, loop01.example.org, web01.example.org",
            "",
            lines[17],
            lines[18],
            lines[19],
        ],
        "{}",
        run.out
    );
    assert!(lines[17].starts_with("4 nodes: 1 ok, 3 failed; "), "{}", run.out);
    assert_eq!((run.err.as_str(), run.code), ("", Some(1)));
    let out = files(&folder.path().join("out"));
    assert_eq!(out.keys().filter(|name| name.ends_with(".json")).count(), 2);
    let log = format!(
        "Warning: Scope(Class[main]): old code\nError: Evaluation Error: Error while evaluating a Function Call, Could \
         not find class ::gone for db01.example.org (file: {}/manifests/site.pp, line: 2, column: 29) on node \
         db01.example.org\n",
        folder.real_path()
    );
    assert_eq!(out["db01.example.org.log"], log);
    let unchecked = folder.run(&["fleet", "--facts", "facts", "--check-graph=false", "--nodes", "loop*"]);
    assert_eq!(unchecked.code, Some(0), "{}", unchecked.out);
}

#[test]
fn the_first_failure_may_end_it() {
    let folder = troubled();
    for jobs in ["1", "4"] {
        let arguments = ["fleet", "--facts", "facts", "--fail-fast", "--format", "json", "--jobs", jobs, "--out", jobs];
        let run = folder.run(&arguments);
        let report = as_json(&run.out);
        assert_eq!(report["summary"]["nodes"], 1);
        assert_eq!((&report["summary"]["stopped"], run.code), (&json!(true), Some(1)));
        assert_eq!(files(&folder.path().join(jobs)).len(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let folder = troubled();
    let fleet = |memory: &str| folder.run(&["fleet", "--facts", "facts", "-q", "--no-cache", "--memory", memory]);
    let free = fleet("8G");
    // Where it is tight from the beginning, the same is told, by one after the other.
    let megabytes = ["40M", "60M", "80M", "120M", "200M"].map(|memory| (memory, fleet(memory)));
    let of_nodes = |run: &Run| run.out.split("\n\n").next().unwrap_or_default().to_owned();
    let told = megabytes.iter().filter(|(_, run)| of_nodes(run) == of_nodes(&free)).count();
    assert!(told > 0 && !free.out.is_empty(), "{}", free.out);
    let little = fleet("1M");
    assert_eq!(little.code, Some(2), "{}", little.err);
    assert!(little.err.contains("MB of memory, and --memory allows 1M; --jobs 1"), "{}", little.err);
    let wrong = fleet("much");
    assert_eq!((wrong.code, wrong.err.contains("--memory: 'much' is no size such as 500M")), (Some(2), true));
}

#[test]
fn every_format_can_be_read() {
    let folder = troubled();
    let run = |format: &str| folder.run(&["fleet", "--facts", "facts", "--format", format]).out;
    let report = as_json(&run("json"));
    assert_eq!((&report["schema"], &report["summary"]["failed"]), (&json!(1), &json!(3)));
    let first = &report["messages"][0];
    assert_eq!((&first["about"], &first["line"], &first["column"]), (&json!("failure"), &json!(2), &json!(29)));
    assert_eq!(first["nodes"], json!(["db01.example.org", "db02.example.org"]));

    let xml = run("junit");
    let document = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    assert_eq!(cases.count(), 4);
    let failures: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("failure"))
        .filter_map(|node| node.attribute("type"))
        .collect();
    assert_eq!(failures, ["failure", "failure", "cycle"]);
    let suites = document.root_element();
    assert_eq!((suites.attribute("tests"), suites.attribute("failures")), (Some("4"), Some("3")));

    let log = as_json(&run("sarif"));
    let results = log["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!((&log["version"], rules), (&json!("2.1.0"), vec!["NODE_FAILED", "DEPENDENCY_CYCLE", "WARNING"]));
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "manifests/site.pp");
    assert_eq!((&place["region"]["startLine"], &results[2]["locations"]), (&json!(2), &Value::Null));
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), 3);

    let lines = run("github");
    let first = "::error file=manifests/site.pp,line=2,col=29,title=NODE_FAILED::Evaluation Error: ";
    assert!(lines.starts_with(first), "{lines}");
    assert!(lines.ends_with("::notice title=pantin fleet::4 nodes: 1 ok, 3 failed\n"), "{lines}");

    let page = run("html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>Fleet: 4 nodes, 3 failed</title>"), "{page}");
    assert!(page.contains("Could not find class ::gone for &lt;node&gt;"), "{page}");
    assert!(!page.contains("src=") && !page.contains("href=\"h"), "it needs nothing else: {page}");
    assert_eq!(page.matches("<tr class=").count(), 4);
}

#[test]
fn catalogs_may_go_into_an_archive() {
    let folder = troubled();
    let run = folder.run(&["fleet", "--facts", "facts", "--out", "deep/catalogs.tar"]);
    assert_eq!((run.err.as_str(), run.code), ("", Some(1)));
    folder.run(&["fleet", "--facts", "facts", "--out", "plain"]);
    let mut archive = tar::Archive::new(std::fs::File::open(folder.path().join("deep/catalogs.tar")).unwrap());
    let mut found = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut entry, &mut text).unwrap();
        found.insert(entry.path().unwrap().display().to_string(), constant(&text));
    }
    assert_eq!(found, files(&folder.path().join("plain")));
    assert_eq!(std::fs::read_dir(folder.path().join("deep")).unwrap().count(), 1);
}

#[test]
fn a_node_with_broken_facts_fails_alone() {
    let folder = troubled();
    folder.write("facts/broken.example.org.json", "{");
    let run = folder.run(&["fleet", "--facts", "facts", "--nodes", "web*", "--nodes", "broken*", "--format", "json"]);
    let report = as_json(&run.out);
    assert_eq!((&report["summary"]["ok"], &report["summary"]["failed"], run.code), (&json!(1), &json!(1), Some(1)));
    let said = report["messages"][0]["text"].as_str().unwrap();
    assert!(said.contains("facts/broken.example.org.json") || said.contains("facts/<node>.json"), "{said}");
}

/// The real Puppet reads no Puppetfile: its logs say nothing of one.
#[test]
fn modules_that_are_not_there_are_told_once_and_in_no_log() {
    let folder = troubled();
    folder.write("Puppetfile", "mod 'me/gone', '1.0.0'\n");
    // The second run finds stored answers.
    for _ in 0..2 {
        let run = folder.run(&["fleet", "-q", "--facts", "facts", "--out", "out", "--format", "json"]);
        assert_eq!(
            run.err.matches("The Puppetfile names modules that are not there: me/gone").count(),
            1,
            "{}",
            run.err
        );
        assert_eq!(run.out.matches("Puppetfile").count(), 1, "as help beside the message: {}", run.out);
        let logs = files(&folder.path().join("out"));
        assert_eq!(logs.keys().filter(|name| name.ends_with(".log")).count(), 4, "{logs:?}");
        assert!(logs.values().all(|log| !log.contains("Puppetfile")), "{logs:?}");
    }
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let folder = troubled();
    let facts = r#"[{"certname": "../../evil", "facts": {"role": "x"}}, {"certname": "a/b", "facts": {"role": "x"}},
                    {"certname": "fine.example.org", "facts": {"role": "x"}}]"#;
    folder.write("deep/er/inventory.json", facts);
    let arguments = ["fleet", "--facts-from", "puppetdb-export", "deep/er/inventory.json", "--out", "deep/er/out"];
    let run = folder.run(&arguments);
    assert!(run.out.contains("is no name of a node") && run.out.contains("2 nodes: ../../evil, a/b"), "{}", run.out);
    assert_eq!(run.code, Some(1));
    let names: Vec<String> = files(&folder.path().join("deep/er/out")).into_keys().collect();
    assert_eq!(names, ["fine.example.org.json", "fine.example.org.log"]);
    assert_eq!(std::fs::read_dir(folder.path().join("deep")).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(folder.path().join("deep/er")).unwrap().count(), 2);
}

#[test]
fn what_cannot_be_done_is_told() {
    let folder = troubled();
    folder.write("taken", "");
    for (arguments, said, code) in [
        (
            &["--nodes", "web02.example.org"][..],
            "Error: no node matches 'web02.example.org'; did you mean web01.example.org?\n",
            2,
        ),
        (&["--nodes", "mail*"], "Error: no node matches 'mail*'; there are 4 nodes\n", 2),
        (&["--out", "taken"], "Error: --out taken: is a file; ", 2),
        (&["--out", "taken/x.tar"], "error: cannot write ", 2),
        (&["--exported", "gone.json"], "Error: cannot take exported resources from gone.json: no such file", 1),
    ] {
        let run = folder.run(&[&["fleet", "--facts", "facts"], arguments].concat());
        assert!(run.err.starts_with(said), "{}", run.err);
        assert_eq!((run.out.as_str(), run.code), ("", Some(code)), "{arguments:?}");
    }
    let run = folder.run(&["fleet", "--facts-from", "elsewhere", "x"]);
    assert_eq!(
        (run.err.as_str(), run.code),
        ("Error: facts are taken from puppetdb-export, not from 'elsewhere'\n", Some(2))
    );
    let leftovers = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(leftovers.into_iter().all(|name| !name.to_string_lossy().starts_with('.')));
}

//! Hostile nodes among others: one that makes Pantin panic, one whose edit takes too many steps while somebody watches, and files
//! that a person names and a pull request has made links.

use std::process::Command;

use serde_json::Value;

use crate::hostile::FEW_STEPS;
use crate::watch::Watcher;
use crate::{Folder, Run, finish};

/// Three nodes, of which the last one has two classes.
fn repository(first: &str, second: &str) -> Folder {
    let class = |name: &str, count: &str| {
        let steps = format!("Integer[1, {count}].each |$i| {{ $x = $i }}");
        format!("class {name} {{\n  {steps}\n  file {{ '/{name}': content => 'one' }}\n}}\n")
    };
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "node 'zboth' { include first include second }\nnode default { include first }\n"),
        ("modules/first/manifests/init.pp", &class("first", first)),
        ("modules/second/manifests/init.pp", &class("second", second)),
        ("facts/zboth.yaml", "name: zboth\nvalues: {a: 1}\n"),
        ("facts/one.yaml", "name: one\nvalues: {a: 1}\n"),
        ("facts/two.yaml", "name: two\nvalues: {a: 1}\n"),
    ])
}

fn statuses(report: &Value) -> Vec<(String, bool)> {
    let nodes = report["nodes"].as_array().unwrap();
    let status = |node: &Value| (node["name"].as_str().unwrap().to_owned(), node["ok"] == true);
    nodes.iter().map(status).collect()
}

/// Only builds for tests have such a node.
#[cfg(debug_assertions)]
#[test]
fn a_panic_is_the_error_of_its_node() {
    let folder = repository("2", "2");
    let fleet = |format: &str| {
        let arguments = ["fleet", "-q", "--facts", "facts", "--out", "out", "--format", format];
        finish(folder.command(&arguments).env("PANTIN_TEST_PANIC", "one").spawn().unwrap())
    };
    for format in ["json", "text", "markdown", "junit"] {
        let _ = std::fs::remove_dir_all(folder.path().join("out"));
        let run = fleet(format);
        assert_eq!(run.code, Some(1), "{format}: {}{}", run.out, run.err);
        assert!(run.out.contains("internal error: a test wants this of one"), "{format}: {}{}", run.out, run.err);
        for (node, is_written) in [("one", false), ("two", true), ("zboth", true)] {
            assert_eq!(folder.path().join(format!("out/{node}.json")).exists(), is_written, "{format}: {node}");
        }
    }
    let report: Value = serde_json::from_str(&fleet("json").out).unwrap();
    let wanted = [("one", false), ("two", true), ("zboth", true)].map(|(name, is_fine)| (name.to_owned(), is_fine));
    assert_eq!(statuses(&report), wanted, "{report}");
    // What is not known to be the same is no success.
    crate::diff::git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    crate::diff::commit(&folder);
    let arguments = ["diff", "HEAD", "--facts", "facts", "--quiet", "--exit-code", "--format", "markdown"];
    let run = finish(folder.command(&arguments).env("PANTIN_TEST_PANIC", "one").spawn().unwrap());
    assert!(run.code != Some(0) && !run.out.contains('✅'), "{}{}", run.out, run.err);
}

/// A node is not patched past the steps that a compilation from nothing would have stopped it at.
#[test]
fn a_patched_node_has_the_budget_of_a_compiled_one() {
    let folder = repository("10", "600000");
    let watcher = Watcher::start(&folder, &["--format", "json", "--no-cache", "--set", FEW_STEPS]);
    // What the first node shows is known when the last one's turn comes.
    let ready = watcher.event();
    assert_eq!((&ready["event"], &ready["nodes"]), (&"ready".into(), &3.into()), "{ready}");
    let first = std::fs::read_to_string(folder.path().join("modules/first/manifests/init.pp")).unwrap();
    let edited = first.replace("1, 10]", "1, 600000]").replace("'one'", "'two'");
    folder.write("modules/first/manifests/init.pp", edited);
    let event = watcher.change();
    let text = event["errors"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("may take 3000000 steps at most"), "{event}");
    assert_eq!(event["errors"][0]["nodes"], serde_json::json!(["zboth"]), "{event}");
    assert_eq!(event["changes"][0]["nodes"], serde_json::json!(["one", "two"]), "{event}");
    // From nothing.
    let run = folder.run(&["fleet", "-q", "--facts", "facts", "--no-cache", "--set", FEW_STEPS, "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let wanted = [("one", true), ("two", true), ("zboth", false)].map(|(name, is_fine)| (name.to_owned(), is_fine));
    assert_eq!(statuses(&report), wanted, "{report}");
}

/// Data that is asked again after an edit takes no more steps than where it is asked from nothing.
#[test]
fn data_that_was_edited_has_the_budget_of_a_compilation() {
    let data = |value: &str| {
        let double = |n: u32| format!("k{n}: [\"%{{alias('k{0}')}}\", \"%{{alias('k{0}')}}\"]\n", n - 1);
        (1..14).map(double).fold(format!("second::v: {value}\nk0: x\n"), |all, one| all + &one)
    };
    let folder = repository("2", "2");
    folder.write("hiera.yaml", "version: 5\nhierarchy: [{name: all, path: common.yaml}]\n");
    folder.write("data/common.yaml", data("x"));
    folder.write("modules/second/manifests/init.pp", "class second($v) { notify { 'v': message => \"${v}\" } }");
    let watcher = Watcher::start(&folder, &["--format", "json", "--no-cache", "--set", FEW_STEPS]);
    let ready = watcher.event();
    assert_eq!((&ready["event"], &ready["compiled"]), (&"ready".into(), &3.into()), "{ready}");
    folder.write("data/common.yaml", data("\"%{alias('k13')}\""));
    let event = watcher.change();
    let text = event["errors"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("may take 3000000 steps at most"), "{event}");
    assert_eq!(event["errors"][0]["nodes"], serde_json::json!(["zboth"]), "{event}");
}

/// A value that no catalog has a form for.
#[test]
fn a_catalog_that_cannot_be_written_is_the_error_of_its_node() {
    let folder = repository("2", "2");
    folder.write("modules/first/manifests/init.pp", "class first { notify { 'x': } }");
    folder.write("modules/m/types/r.pp", "type M::R = Variant[Integer, Array[M::R]]");
    folder.write("modules/second/manifests/init.pp", "class second { notify { 'r': message => M::R } }");
    let words = "the catalog cannot be written: the type M::R = Variant[Integer, Array[M::R]] cannot be sent";
    for command in ["fleet", "compile"] {
        let run = folder.run(&[command, "--facts", "facts", "--no-cache", "--out", command]);
        assert_eq!(run.code, Some(1), "{command}: {}{}", run.out, run.err);
        assert!(run.out.contains(words) || run.err.contains(words), "{command}: {}{}", run.out, run.err);
        for (node, is_written) in [("one", true), ("two", true), ("zboth", false)] {
            let file = folder.path().join(format!("{command}/{node}.json"));
            assert_eq!(file.exists(), is_written, "{command}: {node}");
        }
    }
    let alone = folder.run(&["compile", "zboth", "--facts", "facts", "--no-cache"]);
    assert!(alone.code == Some(1) && alone.err.contains(words), "{}{}", alone.out, alone.err);
}

const SECRET: &str = "the-secret-of-the-job";

/// A repository of git in `repo`, with links to a secret beside it and to what git keeps of its own.
#[cfg(unix)]
fn linked() -> Folder {
    let folder = Folder::with(&[
        ("secret.epp", SECRET),
        ("values.yaml", "a: 1\n"),
        ("repo/environment.conf", "modulepath = modules\n"),
        ("repo/manifests/site.pp", ""),
        ("repo/modules/m/manifests/init.pp", "class m { }"),
        ("repo/inside.epp", "from inside"),
        ("repo/modules/m/templates/x", ""),
    ]);
    let repo = folder.path().join("repo");
    assert!(Command::new("git").args(["init", "--quiet"]).arg(&repo).status().unwrap().success());
    std::fs::write(repo.join(".git/config"), format!("[core]\n# {SECRET}\n")).unwrap();
    for (to, name) in [
        ("../secret.epp", "out.epp"),
        ("../secret.epp", "out.pp"),
        (".git/config", "config.epp"),
        (".git/config", "config.pp"),
        ("../../../../secret.epp", "modules/m/templates/out.epp"),
        ("inside.epp", "in.epp"),
    ] {
        std::os::unix::fs::symlink(to, repo.join(name)).unwrap();
    }
    folder
}

#[cfg(unix)]
fn in_job(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(arguments);
    finish(command.current_dir(folder.path().join("repo")).env("CI", "true").spawn().unwrap())
}

/// A file that is typed is read, unless it is a link that the repository leads away with.
#[cfg(unix)]
#[test]
fn links_of_the_repository_lead_no_typed_file_away() {
    let folder = linked();
    for arguments in [
        &["epp", "out.epp"][..],
        &["epp", "config.epp"],
        &["epp", "m/out.epp"],
        &["epp", "m/out"],
        &["epp", "in.epp", "--values-file", "config.epp"],
        &["eval", "out.pp"],
        &["eval", "config.pp"],
        &["compile", "n", "--facts", "config.pp"],
        &["compile", "n", "--manifest", "config.pp"],
        &["compile", "--node-file", "out.pp"],
        &["validate", "out.pp"],
        &["validate", "config.pp"],
    ] {
        let run = in_job(&folder, arguments);
        assert!(run.code != Some(0), "{arguments:?}: {}{}", run.out, run.err);
        assert!(!run.out.contains(SECRET) && !run.err.contains(SECRET), "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.err.contains("outside of the fence") || run.out.contains("outside of the fence"), "{}", run.err);
    }
    for (arguments, text) in [
        (&["epp", "in.epp"][..], "from inside"),
        (&["epp", "../secret.epp"], SECRET),
        (&["epp", "inside.epp", "--values-file", "../values.yaml"], "from inside"),
        (&["epp", "out.epp", "--no-fence"], SECRET),
    ] {
        let run = in_job(&folder, arguments);
        assert!(run.out.contains(text), "{arguments:?}: {}{}", run.out, run.err);
    }
}

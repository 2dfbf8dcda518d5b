//! Catalogs from the command line: where they come from, where they go, what is said beside them.

use serde_json::{Value, json};

use crate::{Folder, Run};

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = site:modules\n"),
        ("manifests/site.pp", "node default { include profile notice(\"for ${trusted['certname']}\") }"),
        ("site/profile/manifests/init.pp", "class profile {\n  file { '/x': content => $facts['role'] }\n}\n"),
        ("facts/web01.example.org.json", r#"{"role": "web"}"#),
        ("facts/db01.example.org.json", r#"{"role": "db"}"#),
    ])
}

fn said(run: &Run) -> (&str, &str, Option<i32>) {
    (&run.out, &run.err, run.code)
}

fn as_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"))
}

/// The log without what a clock says.
fn untimed(log: &str) -> String {
    let line = |line: &str| match line.split_once(" in environment production in ") {
        Some((compiled, _)) => compiled.to_owned(),
        None => line.to_owned(),
    };
    log.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn a_catalog_of_the_repository_around_goes_to_standard_output() {
    let folder = repository();
    let run = folder.run(&["compile", "web01.example.org", "--facts", "facts"]);
    let catalog = as_json(&run.out);
    assert_eq!((&catalog["name"], &catalog["environment"]), (&json!("web01.example.org"), &json!("production")));
    let file = catalog["resources"].as_array().unwrap().iter().find(|resource| resource["type"] == "File").unwrap();
    let place = format!("{}/site/profile/manifests/init.pp", folder.real_path());
    assert_eq!((&file["parameters"], &file["file"]), (&json!({ "content": "web" }), &json!(place)));
    assert!(catalog["version"].as_i64().unwrap() > 1_000_000_000, "{}", catalog["version"]);
    assert_eq!(catalog["catalog_uuid"].as_str().unwrap().len(), 36);
    let log = "Notice: Scope(Node[default]): for web01.example.org\nNotice: Compiled catalog for web01.example.org\n";
    assert_eq!((untimed(&run.err).as_str(), run.code), (log, Some(0)));
    let pretty = folder.run(&["compile", "web01.example.org", "--facts", "facts", "--format", "pretty"]).out;
    assert_eq!(as_json(&pretty)["resources"], catalog["resources"]);
    assert!(pretty.lines().count() > 20);
}

#[test]
fn all_nodes_of_the_facts_are_compiled() {
    let folder = repository();
    let run = folder.run(&["compile", "--facts", "facts"]);
    let names: Vec<Value> = run.out.lines().map(|line| as_json(line)["name"].clone()).collect();
    assert_eq!((names, run.code), (vec![json!("db01.example.org"), json!("web01.example.org")], Some(0)));
    let run = folder.run(&["compile", "--facts", "facts", "--out", "catalogs", "--log-level", "err"]);
    assert_eq!(said(&run), ("", "", Some(0)));
    let written = std::fs::read_to_string(folder.path().join("catalogs/db01.example.org.json")).unwrap();
    assert_eq!(as_json(&written)["name"], "db01.example.org");
    let run = folder.run(&["compile", "web01.example.org", "gone", "--facts", "facts", "--log-level", "err"]);
    assert_eq!((run.err.as_str(), run.code), ("Error: no node matches 'gone'; there are 2 nodes\n", Some(2)));
    assert_eq!(run.out, "");
}

#[test]
fn summaries_and_trees_are_for_readers() {
    let folder = repository();
    let run = folder.run(&[
        "compile",
        "a",
        "--os",
        "debian-12",
        "-e",
        "class c { notify { 'x': } } include c",
        "--format",
        "tree",
    ]);
    assert_eq!(run.out, "a\n  Stage[main]\n    Class[Settings]\n    Class[main]\n    Class[C]\n      Notify[x]\n");
    let run = folder.run(&["compile", "a", "-e", "notify { ['x', 'y']: } file { '/x': }", "--format", "summary"]);
    let expected = "a in environment production: 6 resources, 4 of them native, 0 defined; 2 classes\n     \
                    2 Class\n     2 Notify\n     1 File\n     1 Stage\n";
    assert_eq!(run.out, expected);
    // A node block is no class.
    let run = folder.run(&["compile", "a", "-e", "node default { include x } class x { }", "--format", "summary"]);
    assert!(
        run.out.starts_with("a in environment production: 5 resources, 1 of them native, 0 defined; 3 classes\n"),
        "{}",
        run.out
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_tree_fits_the_terminal() {
    let folder = repository();
    let code = "notify { 'a title that is longer than the terminal has columns, for it has sixty': }";
    let words = ["compile", "a", "--os", "debian-12", "-e", code, "--format", "tree"];
    let (text, _) = crate::terminal::Terminal::start(&folder.command(&words), 60, 12).end();
    assert!(text.contains("the terminal has\n          columns, for it has sixty]"), "{text}");
}

#[test]
fn what_fails_is_told_as_the_real_one_tells_it() {
    let folder = repository();
    folder.write("manifests/site.pp", "include gone");
    let run = folder.run(&["compile", "web01", "--os", "debian-12"]);
    let error = format!(
        "Error: Evaluation Error: Error while evaluating a Function Call, Could not find class ::gone for web01 (file: \
         {}/manifests/site.pp, line: 1, column: 1) on node web01\n",
        folder.real_path()
    );
    assert_eq!(said(&run), ("", error.as_str(), Some(1)));
    folder.write("manifests/site.pp", "$x = }");
    let run = folder.run(&["compile", "web01", "--os", "debian-12"]);
    let error = format!(
        "Error: Could not parse for environment production: Syntax error at '}}' (file: {}/manifests/site.pp, line: 1, \
         column: 6) on node web01\n",
        folder.real_path()
    );
    assert_eq!(said(&run), ("", error.as_str(), Some(1)));
    let human = folder.run(&["compile", "web01", "-e", "$x = 1 + undef", "--log-format", "human"]).err;
    assert!(human.contains("1 + undef"), "{human}");
}

#[test]
fn settings_that_contradict_the_environment_halt_it() {
    let folder = repository();
    folder.write("environment.conf", "manifest = site.pp\n");
    let settings = ["--set", "default_manifest=/def", "--set", "disable_per_environment_manifest=true"];
    let run = folder.run(&[&["compile", "a"], &settings[..]].concat());
    let error = "Error: Compilation has been halted because: The 'disable_per_environment_manifest' setting is true, and \
                 the 'production' environment has an environment.conf manifest that conflicts with the \
                 'default_manifest' setting. For more information, see \
                 https://puppet.com/docs/puppet/latest/environments_about.html on node a\n";
    assert!(run.err.ends_with(error), "{}", run.err);
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
}

#[test]
fn modules_that_are_not_there_are_told_at_once() {
    let folder = repository();
    folder.write("Puppetfile", "mod 'me/gone', '1.0.0'\nmod 'me/away'\n");
    let run = folder.run(&["compile", "web01.example.org", "--facts", "facts", "--log-level", "warning"]);
    let warning = "Warning: The Puppetfile names modules that are not there: me/gone, me/away (r10k puppetfile install \
                   fetches them)\n";
    assert_eq!((run.err.as_str(), run.code), (warning, Some(0)));
}

#[cfg(unix)]
#[test]
fn a_version_is_asked_for_where_that_is_wanted() {
    let folder = repository();
    folder.write("environment.conf", "modulepath = site\nconfig_version = version $environment\n");
    folder.write("version", "#!/bin/sh\necho \" $1-7 \"\n");
    let file = folder.path().join("version");
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let arguments = ["compile", "web01.example.org", "--facts", "facts"];
    let run = folder.run(&[&arguments[..], &["--run-config-version"]].concat());
    assert_eq!(as_json(&run.out)["version"], "production-7");
    assert!(as_json(&folder.run(&arguments).out)["version"].is_i64());
    folder.write("version", "exit 3");
    let run = folder.run(&[&arguments[..], &["--run-config-version"]].concat());
    assert!(
        run.err.contains("Execution of config_version command `") && run.err.contains("returned 3: "),
        "{}",
        run.err
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn an_error_of_several_nodes_is_told_once_with_its_nodes() {
    let site = "node /^web/ { $x = 1 + undef }\nnode default { fail(\"not ${trusted['certname']}\") }\n";
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", site),
        ("facts/db01.json", "{}"),
        ("facts/web01.json", "{}"),
        ("facts/web02.json", "{}"),
    ]);
    let run = folder.run(&["compile", "--facts", "facts", "--log-format", "text"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
    assert_eq!(run.err.matches("manifests/site.pp:1:").count(), 1, "{}", run.err);
    assert!(run.err.contains("2 nodes: web01, web02\n") && run.err.contains("1 node: db01\n"), "{}", run.err);
    // A script has the lines of the real one.
    let run = folder.run(&["compile", "--facts", "facts"]);
    assert_eq!(run.err.matches(" on node web0").count(), 2, "{}", run.err);
}

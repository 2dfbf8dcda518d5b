//! What exit codes and reports for pipelines promise.

use serde_json::Value;

use crate::Folder;

/// A node whose relationships lead in a circle and nowhere, one with a warning, and one that is fine.
fn repository() -> Folder {
    let manifest = "node 'bad' {\n  notify { 'a': require => Notify['b'] }\n  notify { 'b': require => Notify['a'] }\n  \
                    package { 'editor': name => 'vim', ensure => present }\n  notify { 'told': require => Package['vim'] }\n}\nnode 'odd' { warning('odd') }\nnode default { }\n";
    Folder::with(&[
        ("repo/environment.conf", ""),
        ("repo/.git/HEAD", "0123456789abcdef0123\n"),
        ("repo/puppet/environment.conf", ""),
        ("repo/puppet/manifests/site.pp", manifest),
        ("repo/puppet/facts/bad.json", "{}"),
        ("repo/puppet/facts/odd.json", "{}"),
        ("repo/puppet/facts/good.json", "{}"),
    ])
}

fn run(folder: &Folder, arguments: &[&str]) -> crate::Run {
    let mut command = folder.command(arguments);
    command.current_dir(folder.path().join("repo/puppet"));
    crate::finish(command.spawn().unwrap())
}

#[test]
fn compile_checks_the_graph_in_every_format() {
    let folder = repository();
    for format in ["json", "pretty", "summary", "tree"] {
        let found = run(&folder, &["compile", "bad", "--facts", "facts", "--format", format]);
        assert_eq!(found.code, Some(1), "{format}");
        // A missing dependency does not hide a cycle.
        assert!(
            found.err.contains("Could not find dependency Package[vim] for Notify[told]"),
            "{format}: {}",
            found.err
        );
        assert!(found.err.contains("dependency cycle"), "{format}: {}", found.err);
        let found = run(&folder, &["compile", "bad", "--facts", "facts", "--format", format, "--no-check-graph"]);
        assert_eq!(found.code, Some(0), "{format}: {}", found.err);
    }
}

#[test]
fn a_warning_fails_a_run_that_wants_it_so() {
    let folder = repository();
    let code = |arguments: &[&str]| run(&folder, &[&["fleet", "-q", "--facts", "facts"], arguments].concat()).code;
    assert_eq!((code(&["odd", "good"]), code(&["odd", "good", "--fail-on", "warning"])), (Some(0), Some(1)));
    assert_eq!(code(&["good", "--fail-on", "warning"]), Some(0));
}

#[test]
fn a_stored_answer_has_the_warnings_of_the_parser() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "include m\n"),
        ("modules/m/manifests/init.pp", "class m { notify { \"C:\\\\windows\": } }\n"),
        ("facts/one.json", "{}"),
    ]);
    let fleet = || folder.run(&["fleet", "-q", "--facts", "facts", "--fail-on", "warning"]);
    assert_eq!(fleet().code, Some(0));
    folder.write("modules/m/manifests/init.pp", "class m { notify { \"C:\\windows\": } }\n");
    let warned = fleet();
    assert_eq!(warned.code, Some(1), "{}", warned.out);
    assert!(warned.out.contains("Unrecognized escape sequence '\\w'"), "{}", warned.out);
}

#[test]
fn paths_are_told_from_the_root_of_the_checkout() {
    let folder = repository();
    let report = |format: &str| run(&folder, &["fleet", "-q", "--facts", "facts", "--format", format]).out;
    assert!(report("github").contains("file=puppet/manifests/site.pp,line=2"), "{}", report("github"));
    let sarif: Value = serde_json::from_str(&report("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let place = |of: &Value| of["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert!(results.iter().any(|of| place(of) == "puppet/manifests/site.pp"), "{sarif:#}");
    assert!(results.iter().all(|of| of["partialFingerprints"]["pantin/v1"].is_string()), "{sarif:#}");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().all(|of| of["shortDescription"]["text"].is_string()), "{sarif:#}");
    let gitlab: Value = serde_json::from_str(&report("gitlab")).unwrap();
    let found = gitlab.as_array().unwrap();
    assert!(found.iter().any(|of| of["location"]["path"] == "puppet/manifests/site.pp"), "{gitlab:#}");
    let junit = report("junit");
    assert!(
        junit.contains("<failure message=\"puppet/manifests/site.pp:") && junit.contains("(and 1 more)"),
        "{junit}"
    );
    let markdown = report("markdown");
    assert!(markdown.starts_with("## ❌ 3 nodes: 1 failed, 2 ok\n"), "{markdown}");
    assert!(
        markdown.contains("### Dependency cycles") && markdown.contains("`puppet/manifests/site.pp:"),
        "{markdown}"
    );
    let page = report("html");
    assert!(page.contains("0123456789ab") && page.contains("<a href=\"#m0\">failed</a>"), "{page}");
}

#[test]
fn validate_says_what_it_does_not_check() {
    let folder = repository();
    folder.write("repo/puppet/README.md", "a: 1");
    let found = run(&folder, &["validate", "README.md", "manifests/site.pp"]);
    assert_eq!(found.code, Some(0));
    assert!(found.err.contains("Not checked, for validate checks manifests, templates and data: README.md"));
    let mut command =
        folder.command(&["validate", "--stdin-filename", "modules/m/manifests/a.pp", "--format", "json", "-"]);
    command.stdin(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"class m::other { }").unwrap();
    drop(child.stdin.take());
    let found = crate::finish(child);
    let file: Value = serde_json::from_str(found.out.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&file["file"], &file["accepted"]),
        (&"modules/m/manifests/a.pp".into(), &false.into()),
        "{}",
        found.out
    );
    let junit = run(&folder, &["validate", "--format", "junit", "manifests"]).out;
    assert!(junit.contains("<testcase name=\"puppet/manifests/site.pp\" classname=\"validate\""), "{junit}");
    let gitlab = run(&folder, &["validate", "--format", "gitlab", "manifests"]).out;
    assert_eq!(serde_json::from_str::<Value>(&gitlab).unwrap(), Value::Array(Vec::new()));
}

#[test]
fn a_command_of_puppet_that_is_missing_has_an_honest_answer() {
    let folder = repository();
    let found = run(&folder, &["agent", "-t"]);
    assert!(found.err.starts_with("error: Pantin is no agent of a server: `pantin apply` applies"), "{}", found.err);
    assert_eq!((found.out.as_str(), found.code), ("", Some(2)));
}

#[test]
fn a_shell_is_offered_nodes() {
    let folder = repository();
    let script = run(&folder, &["completions", "bash"]);
    assert!(script.out.contains("COMPLETE") && script.out.contains("pantin"), "{}", script.out);
    let mut command = folder.command(&["--", "pantin", "compile", "g"]);
    command.current_dir(folder.path().join("repo/puppet"));
    command.envs([("COMPLETE", "bash"), ("_CLAP_COMPLETE_INDEX", "2"), ("_CLAP_IFS", "\n")]);
    let offered = crate::finish(command.spawn().unwrap());
    assert_eq!(offered.out.trim(), "good", "{}", offered.err);
}

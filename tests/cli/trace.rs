//! Several nodes on one command line leave each other what their bodies were told, and it can be shown.

use serde_json::Value;

use crate::Folder;

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "include a\nclass { 's': secret => Sensitive('hunter2') }\n"),
        ("modules/a/manifests/init.pp", "class a {\n  if $facts['role'] == 'web' {\n    a::d { 'x': }\n  }\n}\n"),
        ("modules/a/manifests/d.pp", "define a::d { notify { $title: } }"),
        (
            "modules/s/manifests/init.pp",
            "class s(Sensitive $secret) { notice($secret) file { '/s': content => $secret } }",
        ),
        ("facts/web01.json", r#"{"role": "web"}"#),
        ("facts/web02.json", r#"{"role": "web"}"#),
        ("facts/db01.json", r#"{"role": "db"}"#),
    ])
}

/// A catalog without what is never the same twice.
fn steady(json: &str) -> Value {
    let mut catalog: Value = serde_json::from_str(json).unwrap();
    for name in ["version", "catalog_uuid"] {
        catalog.as_object_mut().unwrap().remove(name);
    }
    catalog
}

#[test]
fn several_nodes_have_the_catalogs_that_each_has_alone() {
    let folder = repository();
    let names = ["web01", "db01", "web02"];
    let together = folder.run(&[&["compile", "--facts", "facts"], &names[..]].concat());
    assert_eq!(together.out.lines().count(), 3);
    for (name, line) in names.iter().zip(together.out.lines()) {
        let alone = folder.run(&["compile", name, "--facts", "facts"]);
        assert_eq!(steady(line), steady(&alone.out), "{name}");
    }
}

#[test]
fn bodies_are_listed_with_how_often_their_code_was_run() {
    let run = repository().run(&["trace", "web01", "db01", "web02", "--facts", "facts", "--log-level", "err"]);
    let lines: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let of = |name: &str| lines.iter().find(|line| line.last() == Some(&name)).map(|line| line[1..5].to_vec());
    assert_eq!(of("a"), Some(vec!["2", "1", "1", "1"]), "{}", run.out);
    assert_eq!(of("a::d"), Some(vec!["1", "1", "0", "1"]), "{}", run.out);
    assert_eq!(of("s"), Some(vec!["1", "1", "0", "2"]), "{}", run.out);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
}

#[test]
fn a_body_is_shown_step_by_step_and_without_secrets() {
    let folder = repository();
    let run = folder.run(&["trace", "web01", "db01", "--facts", "facts", "--log-level", "err", "--body", "a"]);
    let wanted = ["a in production:", "ask $facts[\"role\"]", "→ \"web\"", "declare a::d x", "→ \"db\""];
    let mut rest = run.out.as_str();
    for wanted in wanted {
        let at = rest.find(wanted).unwrap_or_else(|| panic!("{wanted}: {}", run.out));
        rest = &rest[at + wanted.len()..];
    }
    let secret = folder.run(&["trace", "web01", "--facts", "facts", "--body", "s"]);
    assert!(secret.out.contains("declare file /s"), "{}", secret.out);
    assert!(!format!("{}{}", secret.out, secret.err).contains("hunter2"), "{}", secret.out);
    let unknown = folder.run(&["trace", "web01", "--facts", "facts", "--body", "gone"]);
    assert!(unknown.err.ends_with("no body that was evaluated is called 'gone'; without --body they are listed\n"));
    assert_eq!(unknown.code, Some(1));
}

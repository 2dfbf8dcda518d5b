//! OpenVox's language: how it is chosen, what it changes, and that no answer of another version is taken for it.

use std::fs;

use crate::Folder;
use crate::diff::{commit, git};

const SITE: &str =
    "notice($serverversion)\nnotice(regsubst(Sensitive('a'), 'a', 'b').unwrap)\nnotice($facts['implementation'])\n";
const SAID: [&str; 3] = ["8.28.1", "b", "openvox"];

fn repository() -> Folder {
    Folder::with(&[("manifests/site.pp", SITE), ("facts/a.json", r#"{"os": {"name": "x"}}"#)])
}

fn notices(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("Notice: Scope(Class[main]): ")).collect()
}

#[test]
fn options_variables_and_the_configuration_choose_it() {
    let folder = repository();
    let world = ["compile", "a", "--environment-dir", ".", "--facts", "facts"];
    for version in ["openvox", "openvox8"] {
        let run = folder.run(&[&world[..], &["--puppet", version]].concat());
        assert_eq!(notices(&run.err), SAID, "{version}: {}", run.err);
    }
    let default = folder.run(&world);
    assert!(notices(&default.err) == ["8.10.0"] && default.err.contains("got Sensitive[String]"), "{}", default.err);
    folder.write("pantin.toml", "puppet = 'openvox'\n");
    let run = folder.run(&world);
    assert_eq!(notices(&run.err), SAID, "{}", run.err);
    // What is typed counts before it.
    let run = folder.run(&[&world[..], &["--puppet", "8"]].concat());
    assert_eq!(notices(&run.err), ["8.10.0"], "{}", run.err);
}

#[test]
fn facts_of_an_agent_stay_as_they_are() {
    let folder = Folder::with(&[
        ("manifests/site.pp", "notice($facts['implementation'], $facts['clientnoop'], $facts['clientcert'])\n"),
        ("facts/none.json", "{}"),
        ("facts/older.json", r#"{"clientversion": "8.10.0"}"#),
        ("facts/own.json", r#"{"implementation": "mine"}"#),
    ]);
    for (node, said) in [("none", "openvox false none"), ("older", "undef undef older"), ("own", "mine false own")] {
        let world = ["compile", node, "--environment-dir", ".", "--facts", "facts", "--puppet", "openvox"];
        let run = folder.run(&world);
        let said = said.replace("undef", "");
        assert_eq!(notices(&run.err), [said.as_str()], "{node}: {}", run.err);
    }
}

#[test]
fn its_answers_are_stored_apart() {
    let folder = Folder::with(&[("manifests/site.pp", "notify { $serverversion: }\n"), ("facts/a.json", "{}")]);
    let fleet = |version: &str, out: &str| {
        let world = ["fleet", "-q", "--environment-dir", ".", "--facts", "facts", "--format", "json", "--out", out];
        let run = folder.run(&[&world[..], &["--puppet", version, "--cache-dir", "cache"]].concat());
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let catalog = fs::read_to_string(folder.path().join(out).join("a.json")).unwrap();
        (catalog, report["summary"]["kept"].as_u64().unwrap())
    };
    for version in ["8", "openvox"] {
        let (first, kept) = fleet(version, "first");
        assert_eq!(kept, 0, "{version}");
        let (second, kept) = fleet(version, "second");
        assert_eq!((first == second, kept), (true, 1), "{version}");
        assert_eq!(first.contains("8.28.1"), version == "openvox", "{first}");
    }
}

#[test]
fn a_difference_shows_what_moving_to_it_changes() {
    let folder = Folder::with(&[
        ("manifests/site.pp", "node /^(?!x)a/ { notify { 'found': } }\nnode default { notify { 'same': } }\n"),
        ("facts/a.json", "{}"),
        ("facts/b.json", "{}"),
    ]);
    git(&folder, &["init", "--quiet"]);
    commit(&folder);
    let world = ["diff", "--environment-dir", ".", "--facts", "facts", "--from-puppet", "8", "--to-puppet", "openvox"];
    let run = folder.run(&world);
    assert!(run.out.contains("OpenVox 8.28.1"), "{}{}", run.out, run.err);
    assert!(run.out.contains("Cannot find definition Node"), "{}{}", run.out, run.err);
    assert!(run.out.contains("no catalog of 2 nodes changes, 1 no longer fails"), "{}", run.out);
}

/// In the words of OpenVox 8.28.1 and Puppet 8.10, as `tests/oracle/checks.rb` has them.
#[test]
fn resources_are_refused_as_its_agent_refuses_them() {
    let facts = r#"{"kernel": "Linux", "os": {"name": "Debian", "family": "Debian", "release": {"major": "12"}}}"#;
    let refused = |resource: &str, version: &str| {
        let folder = Folder::with(&[("manifests/site.pp", resource), ("facts/a.json", facts)]);
        let world = ["compile", "a", "--environment-dir", ".", "--facts", "facts", "--format", "summary"];
        let run = folder.run(&[&world[..], &["--puppet", version]].concat());
        let said = run.err.lines().find_map(|line| line.strip_prefix("Error: ")).unwrap_or_default().to_owned();
        said.split(" (file: ").next().unwrap_or_default().to_owned()
    };
    for (resource, by_8, by_openvox) in [
        (
            "package { 'a': environment => 'no setting' }",
            "no parameter named 'environment'",
            "Parameter environment failed on Package[a]: Invalid environment setting 'no setting'",
        ),
        ("package { 'a': environment => ['A=1', 'B='] }", "no parameter named 'environment'", ""),
        (
            "package { 'a': environment => [{ 'A' => 1 }] }",
            "no parameter named 'environment'",
            "Parameter environment failed on Package[a]: Invalid environment setting '{\"A\"=>1}'",
        ),
        (
            "package { 'a': environment => 5 }",
            "no parameter named 'environment'",
            "Parameter environment failed on Package[a]: Invalid environment setting '5'",
        ),
        (
            "package { 'a': ensure => latest, provider => openbsd }",
            "",
            "Parameter ensure failed on Package[a]: Provider openbsd must have features 'upgradeable' to set 'ensure' to 'latest'",
        ),
        ("file { '/a': source => 'http://x.example.org/a', checksum => etag }", "", ""),
        (
            "file { '/a': content => 'a', checksum => etag, checksum_value => '0123' }",
            "Validation of File[/a] failed: Invalid value \"etag\". Valid values are sha256, sha256lite, md5, md5lite, sha1, \
             sha1lite, sha512, sha384, sha224, mtime, ctime, none.",
            "Validation of File[/a] failed: Checksum value '0123' is not a valid checksum type etag",
        ),
    ] {
        assert_eq!(refused(resource, "8"), by_8, "{resource}");
        assert_eq!(refused(resource, "openvox"), by_openvox, "{resource}");
    }
}

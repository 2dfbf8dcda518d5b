//! `pantin.toml` and the variables `PANTIN_…`: what they set, in which order they count, and what they may not set.

use serde_json::Value;

use crate::watch::Watcher;
use crate::{Folder, Run, finish};

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "notify { \"${facts['role']} ${server_facts['environment']}\": }\n"),
        ("facts/web01.json", r#"{"role": "web"}"#),
        ("other/web02.json", r#"{"role": "other"}"#),
        ("site/profile/manifests/init.pp", ""),
    ])
}

fn run_in(folder: &Folder, below: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = folder.command(arguments);
    command.current_dir(folder.path().join(below)).envs(variables.iter().copied());
    finish(command.spawn().unwrap())
}

/// The titles of the notices in the catalogs of a run.
fn titles(run: &Run) -> Vec<String> {
    let mut titles = Vec::new();
    for line in run.out.lines() {
        let catalog: Value = serde_json::from_str(line).unwrap();
        let resources = catalog["resources"].as_array().unwrap().clone();
        let own =
            resources.iter().filter(|of| of["type"] == "Notify").map(|of| of["title"].as_str().unwrap().to_owned());
        titles.extend(own);
    }
    titles
}

#[test]
fn a_file_of_the_repository_says_what_need_not_be_typed() {
    let folder = repository();
    folder.write("pantin.toml", "facts = ['facts']\nenvironment = 'staging'\n");
    // From a folder below, too: paths are taken from the folder of the file.
    let run = run_in(&folder, "site/profile", &["compile"], &[]);
    assert_eq!(titles(&run), ["web staging"], "{}", run.err);
    // What is typed comes first, then variables.
    let variables = [("PANTIN_FACTS", "other")];
    assert_eq!(titles(&run_in(&folder, ".", &["compile"], &variables)), ["other staging"]);
    let typed = ["compile", "--facts", "facts", "--environment", "mine"];
    assert_eq!(titles(&run_in(&folder, ".", &typed, &variables)), ["web mine"]);
    // A change of the file is a change of what it says.
    folder.write("pantin.toml", "facts = ['other']\n");
    assert_eq!(titles(&run_in(&folder, ".", &["compile"], &[])), ["other production"]);
}

#[test]
fn a_persons_own_file_comes_last_and_may_say_more() {
    let folder = repository();
    folder.write("home/pantin/pantin.toml", "facts = '../../facts'\nruby = 'no-such-ruby'\nenvironment = 'mine'\n");
    let home = folder.path().join("home");
    let home = [("XDG_CONFIG_HOME", home.to_str().unwrap())];
    let run = run_in(&folder, ".", &["compile"], &home);
    assert_eq!(titles(&run), ["web mine"], "{}", run.err);
    folder.write("pantin.toml", "environment = 'theirs'\n");
    assert_eq!(titles(&run_in(&folder, ".", &["compile"], &home)), ["web theirs"]);
    let run = run_in(&folder, ".", &["config", "--format", "json"], &home);
    let config: Value = serde_json::from_str(&run.out).expect(&run.err);
    let value = |key: &str| {
        let keys = config["keys"].as_array().unwrap();
        keys.iter().find(|of| of["key"] == key).map(|of| of["origin"].as_str().unwrap_or_default().to_owned()).unwrap()
    };
    assert!(value("environment").ends_with("/pantin.toml:1") && value("ruby").ends_with("home/pantin/pantin.toml:2"));
    assert_eq!(value("cache"), "PANTIN_CACHE");
}

#[test]
fn what_could_run_a_program_is_refused_in_a_repository() {
    let folder = repository();
    for key in ["ruby", "ruby_reads", "enc", "enc_answers", "cache"] {
        folder.write("pantin.toml", format!("# not so\n{key} = 'x'\n"));
        for command in [&["compile", "--os", "debian-12"][..], &["fleet", "-q"], &["validate"], &["config"]] {
            let run = run_in(&folder, ".", command, &[]);
            let said = format!("pantin.toml:2:1: '{key}' does not count in a file of a repository");
            assert!(run.err.contains(&said), "{command:?}: {}", run.err);
            assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{command:?}");
        }
    }
    folder.write("pantin.toml", "factz = 'x'\n");
    let run = run_in(&folder, ".", &["fleet"], &[]);
    assert!(run.err.contains("pantin.toml:1:1: there is no key 'factz'; did you mean facts?"), "{}", run.err);
    folder.write("pantin.toml", "");
    let run = run_in(&folder, ".", &["fleet"], &[("PANTIN_PUPPET", "9")]);
    assert!(run.err.contains("PANTIN_PUPPET: 'puppet' is one of 7, 8, openvox, openvox8, not '9'"), "{}", run.err);
}

#[test]
fn validate_leaves_out_what_is_ignored() {
    let folder = repository();
    folder.write("vendor/x/a.pp", "}");
    folder.write("site/profile/spec/b.pp", "}");
    assert_eq!(run_in(&folder, ".", &["validate", "."], &[]).code, Some(1));
    folder.write("pantin.toml", "ignore = ['/vendor/', 'spec']\n");
    let run = run_in(&folder, "site", &["validate", ".."], &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    folder.write("pantin.toml", "ignore = 'spec'\n");
    assert_eq!(run_in(&folder, ".", &["validate", "."], &[]).code, Some(1));
    assert_eq!(run_in(&folder, ".", &["validate", ".", "--ignore", "vendor"], &[]).code, Some(0));
    // What is named is checked.
    assert_eq!(run_in(&folder, ".", &["validate", "vendor/x/a.pp", "--ignore", "vendor"], &[]).code, Some(1));
}

#[test]
fn an_edit_of_the_file_is_followed() {
    let folder = repository();
    folder.write("other/web01.json", r#"{"role": "mail"}"#);
    std::fs::remove_file(folder.path().join("other/web02.json")).unwrap();
    folder.write("pantin.toml", "facts = 'facts'\n");
    let watcher = Watcher::of(folder.command(&["watch", "--edits", "1", "--no-cache", "--poll", "0.2"]));
    while !watcher.line().starts_with("watching") {}
    folder.write("pantin.toml", "facts = 'other'\n");
    let told = watcher.rest().join("\n");
    assert!(told.contains("+ Notify[mail production]") && told.contains("- Notify[web production]"), "{told}");
}

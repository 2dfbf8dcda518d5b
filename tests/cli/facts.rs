//! `pantin facts`: what it prints of this machine, and what files, programs and variables add.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::{Folder, Run, finish};

fn facts(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["facts"], arguments].concat())
}

fn as_json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

#[test]
fn the_facts_of_this_machine_are_printed() {
    let folder = Folder::with(&[]);
    let all = as_json(&facts(&folder, &["--json", "--no-external-facts"]));
    assert_eq!(all["kernel"], "Linux");
    assert!(all["memory"]["system"]["total_bytes"].as_u64().unwrap() > 0, "{all}");
    assert!(all["processors"]["count"].as_u64().unwrap() > 0, "{all}");
    assert!(all["networking"]["interfaces"]["lo"].is_object(), "{all}");
    assert_eq!(all.get("osfamily"), None);
    let with_legacy = as_json(&facts(&folder, &["-j", "--legacy", "--no-external-facts"]));
    assert_eq!(with_legacy["osfamily"], all["os"]["family"]);
    assert_eq!(with_legacy["processorcount"], all["processors"]["count"]);
}

#[test]
fn one_fact_is_printed_alone_and_several_by_name() {
    let folder = Folder::with(&[]);
    assert_eq!(facts(&folder, &["kernel"]).out, "Linux\n");
    assert_eq!(facts(&folder, &["kernel", "nothing.at.all"]).out, "kernel => Linux\nnothing.at.all => \n");
    assert_eq!(as_json(&facts(&folder, &["-j", "kernel", "nothing"])), json!({"kernel": "Linux", "nothing": null}));
    assert_eq!(facts(&folder, &["-y", "kernel"]).out, "kernel: \"Linux\"\n");
    let run = facts(&folder, &["nothing"]);
    assert_eq!((run.out.as_str(), run.code), ("\n", Some(0)));
    let run = facts(&folder, &["--strict", "nothing"]);
    assert_eq!((run.err.as_str(), run.code), ("Error: there is no fact 'nothing'\n", Some(1)));
}

#[test]
fn external_facts_come_from_a_folder_and_from_variables() {
    let folder = Folder::with(&[
        ("d/role.txt", "role=web\nsite=here\n"),
        ("d/more.yaml", "deep: {list: [1, two]}\nkernel: Mine\n"),
        ("d/program", "#!/bin/sh\necho from_program=$PWD\necho noise >&2\n"),
    ]);
    let program = folder.path().join("d/program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let names = ["role", "site", "deep.list.1", "kernel", "from_program"];
    let mut command = folder.command(&["facts", "-j", "--external-dir", "d"]);
    let run = finish(command.args(names).env("FACTER_role", "of the environment").spawn().unwrap());
    let expected = json!({
        "deep.list.1": "two", "from_program": folder.real_path(), "kernel": "Mine", "role": "of the environment", "site": "here"
    });
    assert_eq!((as_json(&run), run.err.as_str(), run.code), (expected, "noise\n", Some(0)));
    let without = facts(&folder, &["-j", "--no-external-facts", "site"]);
    assert_eq!(as_json(&without), json!({"site": null}));
    folder.write("d/wrong.json", "[");
    let run = facts(&folder, &["--external-dir", "d", "site"]);
    assert_eq!((run.out.as_str(), run.code), ("here\n", Some(1)));
    assert!(run.err.contains("Error: cannot take facts from d/wrong.json: "), "{}", run.err);
}

#[test]
fn what_facter_takes_and_pantin_does_not_is_refused_by_name() {
    let folder = Folder::with(&[]);
    for option in ["--custom-dir=x", "--hocon", "--list-block-groups", "--list-cache-groups"] {
        let run = facts(&folder, &[option]);
        let name = option.split('=').next().unwrap();
        assert!(run.err.starts_with(&format!("Error: {name}: ")), "{}", run.err);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{option}");
    }
    assert_eq!(facts(&folder, &["--no-ruby", "--no-custom-facts", "--no-cache", "kernel"]).out, "Linux\n");
}

#[test]
fn facter_conf_blocks_facts() {
    let conf = "facts : { blocklist : [ \"operating system\", \"memory.system\", \"path\", \"a.txt\" ] }\n";
    let folder = Folder::with(&[("facter.conf", conf), ("d/a.txt", "a=1\n"), ("d/b.txt", "b=1\n")]);
    let run = facts(&folder, &["-j", "--legacy", "--config", "facter.conf", "--external-dir", "d"]);
    let all = as_json(&run);
    assert_eq!((all.get("os"), all.get("osfamily"), all.get("path"), all.get("a")), (None, None, None, None));
    assert_eq!((all["memory"].get("system"), &all["kernel"], &all["b"]), (None, &json!("Linux"), &json!("1")));
    let run = facts(&folder, &["--config", "facter.conf", "--no-block", "os.family"]);
    assert_ne!(run.out, "\n");
    let run = facts(&folder, &["--config", "nothing.conf"]);
    assert!(run.err.starts_with("Error: cannot read nothing.conf: "), "{}", run.err);
}

#[test]
fn timing_tells_the_sources() {
    let run = facts(&Folder::with(&[]), &["--timing", "os.family", "--no-external-facts"]);
    let first = run.out.lines().next().unwrap();
    assert!(first.starts_with("fact 'os', took: (0.") && first.ends_with(") seconds"), "{}", run.out);
}

#[test]
fn puppet_facts_show_is_understood() {
    let run = Folder::with(&[]).run(&["facts", "show", "puppetversion", "--puppet", "7"]);
    assert_eq!(as_json(&run), json!({"puppetversion": "7.23.0"}));
}

/// A catalog sees the facts of this machine, and those that are external.
#[test]
fn apply_knows_the_facts_of_this_machine() {
    let folder = Folder::with(&[]);
    let code = "notice(\"${facts['kernel']} ${facts['role']} ${$facts['memory']['system']['total_bytes'] > 0} \
                ${facts['puppetversion']}\")";
    let at = folder.real_path();
    let (confdir, vardir) = (format!("{at}/conf"), format!("vardir={at}/var"));
    folder.write("conf/puppet.conf", "");
    folder.write("var/facts.d/role.txt", "role=web\n");
    let run = folder.run(&["apply", "-e", code, "--confdir", &confdir, "--set", &vardir, "--noop"]);
    assert!(run.out.contains("Linux web true 8.10.0"), "{}{}", run.out, run.err);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

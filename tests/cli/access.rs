//! Files and folders that cannot be had, and metadata that is not as it should be: what is said is what the real one says
//! (`tests/oracle/access.rb`).
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;

use serde_json::Value;

use crate::Folder;

/// What is meant to differ: the case, what is said here, and why.
const DELIBERATE: [(&str, &str, &str); 8] = [
    ("a template: a folder", "Is a directory @ io_fread - ", TEMPLATE),
    ("a template: unreadable", "Permission denied @ rb_sysopen - ", TEMPLATE),
    ("data that is found by a pattern: a link to nowhere", ": default", "what leads nowhere is not found"),
    ("data that is found by a pattern: a link to itself", ": default", "what leads nowhere is not found"),
    ("the folder of functions: a link to itself", "Unknown function: 'm::f'", "what leads nowhere is not found"),
    (
        "metadata.json: a dependency without a name",
        "Notice: Scope(Class[main]): default",
        "Ruby's own error at the call",
    ),
    (
        "metadata.json: a dependency whose name is nothing",
        "Notice: Scope(Class[main]): default",
        "Ruby's own error at the call",
    ),
    ("metadata.json: no entries, as an array", "Notice: Scope(Class[main]): default", "Ruby's own error at the lookup"),
];

const TEMPLATE: &str = "the real one names the file and the line of its own code that reads";

fn spoil(path: &Path, how: &str) {
    if how == "unreadable" {
        return std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
    }
    if path.is_dir() {
        std::fs::remove_dir_all(path).unwrap()
    } else {
        std::fs::remove_file(path).unwrap()
    }
    match how {
        "a folder" => std::fs::create_dir(path).unwrap(),
        "a file" => std::fs::write(path, "").unwrap(),
        "a link to nowhere" => symlink("nowhere", path).unwrap(),
        _ => symlink(path.file_name().unwrap(), path).unwrap(),
    }
}

/// What is logged of the environment of a case; the superuser is refused nothing, so somebody else asks.
fn said(case: &Value, version: &str) -> String {
    let folder = Folder::with(&[]);
    for (name, text) in case["files"].as_object().unwrap() {
        match text["bytes"].as_array() {
            Some(bytes) => {
                folder.write(name, bytes.iter().map(|byte| byte.as_u64().unwrap() as u8).collect::<Vec<u8>>())
            }
            None => folder.write(name, text.as_str().unwrap()),
        }
    }
    let target = case["target"].as_str().map(|target| folder.path().join(target));
    if let Some(target) = &target {
        spoil(target, case["how"].as_str().unwrap());
    }
    let at = folder.real_path();
    let global = format!("hiera_config={at}/global/hiera.yaml");
    let arguments = ["compile", "node.example.org", "--environment-dir", ".", "--no-cache", "--log-format", "puppet"];
    let settings = ["--puppet", version, "--set", &global, "--set", "static_catalogs=false"];
    let mut command = folder.command(&[&arguments[..], &settings[..]].concat());
    if std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        command.uid(65_534).gid(65_534);
    }
    let run = crate::finish(command.spawn().unwrap());
    if let Some(target) = target.filter(|_| case["how"] == "unreadable") {
        std::fs::set_permissions(target, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    // That manifests are not found, or facts not given, the real one does not say.
    let is_own = |line: &str| {
        let begins = [
            "Warning: The environment 'production' has no manifest: ",
            "Warning: Manifests in ",
            "Warning: there are no facts of ",
        ];
        line.contains("Compiled catalog for ") || begins.iter().any(|begin| line.starts_with(begin))
    };
    let lines = run.err.lines().filter(|line| !is_own(line));
    lines.map(|line| line.replace(&at, "/scratch") + "\n").collect()
}

#[test]
fn what_cannot_be_had_is_told_as_the_real_one_tells_it() {
    let cases: Value = serde_json::from_str(include_str!("../data/access.json")).unwrap();
    let mut wrong = String::new();
    for case in cases.as_array().unwrap() {
        let name = case["case"].as_str().unwrap();
        for version in ["7", "8"] {
            let lines = case[version].as_array().unwrap().iter();
            let theirs: String = lines.map(|line| format!("{}\n", line.as_str().unwrap())).collect();
            // Where Ruby has an error of its own, the file is told here.
            let ours = said(case, version).replace(" (file: /scratch/modules/m/metadata.json) on node", " on node");
            let is_right = match DELIBERATE.iter().find(|(deliberate, ..)| *deliberate == name) {
                Some((_, words, _)) => ours.contains(words) && ours != theirs,
                None => ours == theirs,
            };
            if !is_right {
                wrong.push_str(&format!("{name}, {version}\n  here:   {ours}  Puppet: {theirs}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

//! The version, the help, completions and manual pages.

use crate::Folder;

#[test]
fn the_version_names_a_commit() {
    let run = Folder::with(&[]).run(&["--version"]);
    let commit = run.out.trim_end().strip_prefix(concat!("pantin ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let commit = commit.strip_suffix(')').unwrap();
    let is_hash = commit.len() >= 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_hash || commit == "unknown", "{commit}");
}

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::with(&[]);
    for command in ["validate", "completions", "man"] {
        let run = folder.run(&[command, "--help"]);
        assert!(run.out.contains(&format!("Examples:\n  pantin {command}")), "{}", run.out);
    }
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::with(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = folder.run(&["completions", shell]);
        assert!(run.out.contains("validate") && run.out.contains("max-errors"), "{shell}");
    }
}

#[test]
fn manual_pages_of_all_commands() {
    let folder = Folder::with(&[]);
    assert!(folder.run(&["man"]).out.contains(".TH pantin 1"));
    let run = folder.run(&["man", "--out", "out/man1"]);
    assert_eq!(run.code, Some(0));
    for page in ["pantin.1", "pantin-validate.1", "pantin-completions.1", "pantin-man.1"] {
        let text = std::fs::read_to_string(folder.path().join("out/man1").join(page)).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
}

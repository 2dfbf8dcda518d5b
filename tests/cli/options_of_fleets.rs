//! Options that mean the same in every command that asks many nodes.

use crate::Folder;
use crate::diff::{commit, repository};

/// A command that asks the nodes of the folder, with the words that it needs.
const COMMANDS: [&[&str]; 6] =
    [&["fleet"], &["compile"], &["query", "Notify"], &["impact", "site"], &["unused"], &["diff", "HEAD"]];

/// Nobody's manifest, and an environment of which it uses one class.
fn with_another_manifest() -> Folder {
    let folder = repository();
    folder.write("other/site.pp", "include store\n");
    commit(&folder);
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_in_each_of_them() {
    let folder = repository();
    for command in COMMANDS {
        let run =
            |memory: &str| folder.run(&[command, &["--facts", "facts", "--no-cache", "--memory", memory]].concat());
        let little = run("1M");
        assert!(little.err.contains("MB of memory, and --memory allows 1M; --jobs 1"), "{command:?}: {}", little.err);
        assert!(little.code == Some(1) || little.code == Some(2), "{command:?}: {:?}", little.code);
        let enough = run("8G");
        assert_eq!(enough.code, Some(0), "{command:?}: {}", enough.err);
        let wrong = run("much");
        assert!(wrong.err.contains("--memory: 'much' is no size such as 500M"), "{command:?}: {}", wrong.err);
    }
}

#[test]
fn another_manifest_is_evaluated_in_place_of_the_environments() {
    let folder = with_another_manifest();
    let run = |words: &[&str]| folder.run(&[words, &["--facts", "facts", "--no-cache", "--quiet"]].concat());
    let other = ["--manifest", "other/site.pp"];
    let without = run(&["impact", "--class", "store"]);
    assert!(without.out.starts_with("1 of 3 nodes\n"), "{}{}", without.out, without.err);
    let with = run(&[&["impact", "--class", "store"][..], &other].concat());
    assert!(with.out.starts_with("3 of 3 nodes\n"), "{}{}", with.out, with.err);
    let since = run(&[&["impact", "--since", "HEAD"][..], &other].concat());
    assert!(since.out.starts_with("0 of 3 nodes\n"), "{}{}", since.out, since.err);
    let read_only =
        folder.run(&["impact", "--since", "HEAD", "--facts", "facts", "--cache-dir", "cache", "--cache-read-only"]);
    assert!(read_only.out.starts_with("0 of 3 nodes\n"), "{}{}", read_only.out, read_only.err);
    // What only the environment's own manifest uses is unused with another one.
    assert!(!run(&["unused"]).out.contains("  base ("));
    let unused = run(&[&["unused"][..], &other].concat());
    assert!(unused.out.contains("  base ("), "{}{}", unused.out, unused.err);
    let gone = run(&["unused", "--manifest", "none/site.pp"]);
    assert!(gone.err.contains("--manifest") && gone.code == Some(2), "{}", gone.err);
}

#[test]
fn a_revision_has_its_own_text_of_the_manifest() {
    let folder = with_another_manifest();
    folder.write("other/site.pp", "include store\nnotify { 'new': }\n");
    folder.write("manifests/site.pp", "notify { 'not evaluated': }\n");
    let words = ["diff", "HEAD", "--facts", "facts", "--no-cache", "--manifest", "other/site.pp"];
    let run = folder.run(&words);
    assert!(run.out.contains("Notify[new]") && !run.out.contains("not evaluated"), "{}{}", run.out, run.err);
}

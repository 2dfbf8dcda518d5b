//! A revision is compared with checkouts of it, in real repositories.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use tempfile::TempDir;

use super::*;
use crate::{LeafKind, Leaves};

/// A repository in a folder of its own.
struct Made(TempDir);

impl Made {
    fn new() -> Made {
        let made = Made(tempfile::tempdir().unwrap());
        made.git(&["init", "--quiet", "--initial-branch=main"]);
        made
    }

    fn path(&self) -> PathBuf {
        fs::canonicalize(self.0.path()).unwrap()
    }

    fn git(&self, arguments: &[&str]) {
        git_in(&self.path(), arguments);
    }

    fn write(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "x"]);
        WorkingCopy::around(&self.path()).unwrap().commit("HEAD").unwrap().id
    }

    fn revision(&self, name: &str) -> Revision {
        let copy = WorkingCopy::around(&self.path()).unwrap();
        copy.revision(copy.commit(name).unwrap(), &[]).unwrap()
    }
}

fn git_in(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    for (key, value) in [("user.name", "a"), ("user.email", "a@example.org"), ("protocol.file.allow", "always")] {
        command.args(["-c", &format!("{key}={value}")]);
    }
    let ended = command.arg("-C").arg(folder).args(arguments).output().unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

/// Returns what a disk says of all paths below a folder, and of some that another disk has.
fn all_answers(disk: Arc<dyn Disk>, root: &Path, paths: &[PathBuf]) -> Vec<(LeafKind, PathBuf, String)> {
    let leaves = Leaves::new(disk);
    let kinds = [LeafKind::Content, LeafKind::Exists, LeafKind::Named, LeafKind::Folder, LeafKind::List];
    let answers = paths.iter().flat_map(|path| kinds.map(|kind| (kind, path)));
    let told = |(kind, path): (LeafKind, &PathBuf)| {
        (kind, path.clone(), format!("{:?}", leaves.digest(kind, &root.join(path)).bytes()))
    };
    answers.map(told).collect()
}

fn paths_below(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        found.push(path.strip_prefix(root).unwrap().to_owned());
        if path.symlink_metadata().unwrap().is_dir() {
            paths_below(root, &path, found);
        }
    }
}

/// A revision says what a checkout of it would say, of every path that either of them has.
fn assert_is_like_checkout(made: &Made, name: &str) {
    let other = tempfile::tempdir().unwrap();
    let checkout = fs::canonicalize(other.path()).unwrap().join("checkout");
    git_in(&made.path(), &["worktree", "add", "--quiet", "--detach", checkout.to_str().unwrap(), name]);
    let mut paths = vec!["none/there".into()];
    paths_below(&made.path(), &made.path(), &mut paths);
    paths_below(&checkout, &checkout, &mut paths);
    let behind_links: Vec<PathBuf> =
        paths.iter().flat_map(|path| [path.join("x"), path.join("none"), path.join("../a.pp")]).collect();
    paths.extend(behind_links);
    paths.sort();
    paths.dedup();
    // The file `.git` of a worktree is no part of it.
    let of_checkout = all_answers(Arc::new(MachineDisk::default()), &checkout, &paths);
    let of_revision = all_answers(made.revision(name).disk(), &made.path(), &paths);
    for (one, other) in of_checkout.iter().zip(&of_revision) {
        assert_eq!(one, other, "{name}");
    }
    git_in(&made.path(), &["worktree", "remove", "--force", checkout.to_str().unwrap()]);
}

#[test]
fn a_revision_says_what_a_checkout_would_say() {
    let made = Made::new();
    made.write(&[
        ("a.pp", "one"),
        ("site/b/init.pp", "b"),
        ("site/b/only/deep.pp", "deep"),
        ("becomes_folder", "file"),
        ("becomes_file/x", "x"),
        ("becomes_file/deep/y", "y"),
        ("becomes_link/x", "x"),
        ("becomes_link/deep/y", "y"),
        ("data/common.yaml", "a: 1"),
        (".gitattributes", "*.crlf text eol=crlf\n"),
        ("t.crlf", "one\r\ntwo\r\n"),
    ]);
    symlink("site/b", made.path().join("to_b")).unwrap();
    symlink("data/common.yaml", made.path().join("to_data")).unwrap();
    symlink("round", made.path().join("round")).unwrap();
    let first = made.commit();
    fs::remove_dir_all(made.path().join("site/b/only")).unwrap();
    fs::remove_file(made.path().join("becomes_folder")).unwrap();
    fs::remove_dir_all(made.path().join("becomes_file")).unwrap();
    fs::remove_dir_all(made.path().join("becomes_link")).unwrap();
    symlink("site", made.path().join("becomes_link")).unwrap();
    fs::remove_file(made.path().join("to_b")).unwrap();
    symlink("site/c", made.path().join("to_b")).unwrap();
    made.write(&[
        ("a.pp", "two"),
        ("site/c/x", "c"),
        ("becomes_folder/x", "x"),
        ("becomes_file", "file"),
        ("data/common.yaml", "a: 2"),
        ("t.crlf", "one\r\nthree\r\n"),
    ]);
    let second = made.commit();
    made.write(&[("site/b/init.pp", "dirty"), ("site/new/x", "untracked")]);
    // git has no empty folders, and leaves those of the working copy alone.
    fs::remove_dir_all(made.path().join("site/c")).unwrap();
    for name in [&first, &second, "HEAD"] {
        assert_is_like_checkout(&made, name);
    }
    assert_eq!(made.revision("HEAD").untracked, 1);
}

#[test]
fn what_is_untracked_now_may_be_of_the_revision() {
    let made = Made::new();
    made.write(&[("a.pp", "one"), ("templates/t.epp", "one"), ("b/x", "x")]);
    symlink("a.pp", made.path().join("to_a")).unwrap();
    let first = made.commit();
    made.git(&["rm", "--quiet", "-r", "--cached", "templates", "to_a", "b"]);
    made.git(&["commit", "--quiet", "--message", "x"]);
    made.write(&[("templates/t.epp", "two"), ("templates/new.epp", "new")]);
    for name in [&first, "HEAD"] {
        assert_is_like_checkout(&made, name);
    }
    assert_eq!(made.revision(&first).untracked, 1);
}

#[test]
fn a_walk_through_a_link_to_a_folder_around_it_ends() {
    let made = Made::new();
    made.write(&[("manifests/a.pp", "one")]);
    symlink("..", made.path().join("manifests/up")).unwrap();
    symlink("../manifests/b", made.path().join("manifests/away")).unwrap();
    let first = made.commit();
    fs::remove_file(made.path().join("manifests/up")).unwrap();
    made.write(&[("manifests/a.pp", "two")]);
    made.commit();
    let disk = made.revision(&first).disk();
    let ends_after = |count: usize| {
        let path = made.path().join("manifests/up/".repeat(count)).join("manifests/a.pp");
        // Folder by folder, as a walk asks.
        path.ancestors().collect::<Vec<_>>().iter().rev().for_each(|above| drop(disk.list(above)));
        disk.read(&path)
    };
    assert_eq!(ends_after(40).unwrap().unwrap(), b"one");
    assert!(ends_after(41).is_err());
}

#[test]
fn what_git_ignores_is_there_in_every_revision() {
    let made = Made::new();
    made.write(&[(".gitignore", "/modules/\n"), ("a.pp", "one"), ("modules/stdlib/x", "x")]);
    made.commit();
    made.write(&[("a.pp", "two"), ("modules/stdlib/x", "y"), ("vendor/new", "n"), ("facts/n.json", "{}")]);
    fs::create_dir_all(made.path().join("cloned")).unwrap();
    git_in(&made.path().join("cloned"), &["init", "--quiet"]);
    made.write(&[("cloned/x", "x")]);
    let copy = WorkingCopy::around(&made.path()).unwrap();
    let revision = copy.revision(copy.commit("HEAD").unwrap(), &[made.path().join("facts")]).unwrap();
    let read = |path: &str| {
        let bytes = revision.disk().read(&made.path().join(path)).unwrap();
        bytes.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(read("a.pp").as_deref(), Some("one"));
    assert_eq!(read("modules/stdlib/x").as_deref(), Some("y"));
    assert_eq!(read("cloned/x").as_deref(), Some("x"));
    assert_eq!(read("facts/n.json").as_deref(), Some("{}"));
    assert_eq!(read("vendor/new"), None);
    let list = revision.disk().list(&made.path()).unwrap().unwrap();
    let names: Vec<OsString> = list.into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, [".git", ".gitignore", "a.pp", "cloned", "facts", "modules"]);
}

#[test]
fn a_submodule_is_read_at_the_commit_of_the_revision() {
    let inner = Made::new();
    inner.write(&[("manifests/init.pp", "class inner {}")]);
    inner.commit();
    let outer = Made::new();
    outer.write(&[("a", "a")]);
    let without = outer.commit();
    outer.git(&["submodule", "--quiet", "add", inner.path().to_str().unwrap(), "modules/inner"]);
    let first = outer.commit();
    inner.write(&[("manifests/init.pp", "class inner { notice(1) }")]);
    inner.commit();
    git_in(&outer.path().join("modules/inner"), &["pull", "--quiet", "origin", "main"]);
    let second = outer.commit();
    let path = outer.path().join("modules/inner/manifests/init.pp");
    let read =
        |name: &str| outer.revision(name).disk().read(&path).unwrap().map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(read(&without), None);
    assert_eq!(read(&first).as_deref(), Some("class inner {}"));
    assert_eq!(read(&second).as_deref(), Some("class inner { notice(1) }"));
    fs::write(&path, "dirty").unwrap();
    assert_eq!(read(&second).as_deref(), Some("class inner { notice(1) }"));
}

#[test]
fn the_base_is_where_the_main_branch_was_left() {
    let made = Made::new();
    made.write(&[("a", "1")]);
    let first = made.commit();
    made.git(&["checkout", "--quiet", "-b", "topic"]);
    made.write(&[("a", "2")]);
    made.commit();
    let copy = WorkingCopy::around(&made.path()).unwrap();
    assert_eq!(copy.base().map(|base| (base.id, base.name)), Ok((first, "merge base with main".to_owned())));
    assert_eq!(copy.commit("nowhere"), None);
    assert_eq!(copy.commit("--help"), None);
    let elsewhere = tempfile::tempdir().unwrap();
    assert!(WorkingCopy::around(elsewhere.path()).unwrap_err().contains("in no working copy"));
}

#[test]
fn a_shallow_clone_says_what_is_missing() {
    let made = Made::new();
    made.write(&[("a", "1")]);
    made.commit();
    made.git(&["checkout", "--quiet", "-b", "topic"]);
    for text in ["2", "3"] {
        made.write(&[("a", text)]);
        made.commit();
    }
    let clone = tempfile::tempdir().unwrap();
    let from = format!("file://{}", made.path().display());
    git_in(clone.path(), &["clone", "--quiet", "--depth=1", "--no-single-branch", &from, "."]);
    let said = WorkingCopy::around(clone.path()).unwrap().merge_base("origin/main").unwrap_err();
    assert!(said.contains("git fetch --unshallow"), "{said}");
}

/// What is ignored is the same in all revisions, but not where a revision has a folder of that name.
#[test]
fn an_ignored_file_is_no_folder_of_the_revision() {
    let made = Made::new();
    made.write(&[("a.pp", "one"), ("build/x", "x")]);
    let first = made.commit();
    fs::remove_dir_all(made.path().join("build")).unwrap();
    made.write(&[(".gitignore", "/build\n")]);
    made.commit();
    made.write(&[("build", "a file")]);
    let disk = made.revision(&first).disk();
    assert_eq!(disk.read(&made.path().join("build/x")).unwrap().unwrap(), b"x");
    assert!(disk.read(&made.path().join("build/none")).unwrap().is_none());
    assert!(disk.is_folder(&made.path().join("build")));
}

/// The files of revisions that git takes for unchanged in the working copy.
#[test]
fn flags_of_the_index_hide_nothing() {
    let made = Made::new();
    let files = ["assumed", "skipped", "plain", "same"];
    let text = |name: &str| made.write(&files.map(|file| (file, if file == "same" { "same" } else { name })));
    text("one");
    symlink("plain", made.path().join("link")).unwrap();
    let first = made.commit();
    text("two");
    let second = made.commit();
    made.git(&["update-index", "--assume-unchanged", "assumed", "link", "same"]);
    made.git(&["update-index", "--skip-worktree", "skipped"]);
    text("dirty");
    fs::remove_file(made.path().join("link")).unwrap();
    symlink("same", made.path().join("link")).unwrap();
    for name in [&first, &second, "HEAD"] {
        assert_is_like_checkout(&made, name);
    }
    // What is the same is read from the working copy, with its stamp.
    let disk = made.revision("HEAD").disk();
    assert_ne!(disk.stamp(&made.path().join("same"), true), crate::Stamped::Unknown);
}

#[test]
fn a_sparse_checkout_leaves_nothing_out_of_a_revision() {
    let made = Made::new();
    made.write(&[("in/x", "one"), ("out/x", "one"), ("out/y", "one")]);
    let first = made.commit();
    made.write(&[("in/x", "two"), ("out/x", "two")]);
    fs::remove_file(made.path().join("out/y")).unwrap();
    let second = made.commit();
    made.git(&["sparse-checkout", "set", "in"]);
    assert!(!made.path().join("out").exists());
    let read = |revision: &str, path: &str| {
        let content = made.revision(revision).disk().read(&made.path().join(path)).unwrap();
        content.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    for (revision, text, gone) in [(&first, "one", Some("one".to_owned())), (&second, "two", None)] {
        assert_eq!(read(revision, "in/x").as_deref(), Some(text));
        assert_eq!(read(revision, "out/x").as_deref(), Some(text));
        assert_eq!(read(revision, "out/y"), gone);
    }
    assert_eq!(made.revision("HEAD").left_out, 1);
}

#[test]
fn files_whose_state_git_never_looks_at_are_compared() {
    let made = Made::new();
    made.git(&["config", "core.ignoreStat", "true"]);
    made.write(&[("a.pp", "one"), ("b.pp", "one")]);
    made.commit();
    made.git(&["reset", "--quiet", "--hard"]);
    made.write(&[("a.pp", "two")]);
    let disk = made.revision("HEAD").disk();
    assert_eq!(disk.read(&made.path().join("a.pp")).unwrap().unwrap(), b"one");
}

/// Whoever can write the configuration of a repository could have any program run.
#[test]
fn programs_of_the_configuration_are_not_run() {
    let made = Made::new();
    made.write(&[("a", "1"), ("watcher", "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n")]);
    made.commit();
    let watcher = made.path().join("watcher");
    fs::set_permissions(&watcher, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    made.git(&["config", "core.fsmonitor", watcher.to_str().unwrap()]);
    made.write(&[("a", "2"), ("b", "")]);
    let revision = made.revision("HEAD");
    assert_eq!(revision.disk().read(&made.path().join("a")).unwrap().as_deref(), Some(&b"1"[..]));
    assert!(!made.path().join("ran").exists());
}

#[test]
fn a_command_that_never_ends_is_ended() {
    let made = Made::new();
    made.write(&[("a", "1")]);
    made.commit();
    let made_pipe = Command::new("mkfifo").arg(made.path().join(".gitignore")).status().unwrap();
    assert!(made_pipe.success());
    let mut copy = WorkingCopy::around(&made.path()).unwrap();
    copy.git.patience = std::time::Duration::from_millis(500);
    let refused = copy.revision(copy.commit("HEAD").unwrap(), &[]).unwrap_err();
    assert!(refused.contains("took longer than"), "{refused}");
}

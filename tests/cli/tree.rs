//! Which files of a tree are checked, and in which order they are told.

use std::fmt::Write;

use crate::Folder;

fn checked(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let run = folder.run(&[&["validate", "--format", "json"], arguments].concat());
    run.out
        .lines()
        .filter(|line| line.starts_with("{\"file\""))
        .filter_map(|line| line.split('"').nth(3))
        .map(str::to_owned)
        .collect()
}

#[test]
fn manifests_and_templates_in_order() {
    let folder =
        Folder::with(&[("b.pp", ""), ("a/z.epp", ""), ("a.pp", ""), ("a/b.pp", ""), ("README", ""), ("x.ppx", "")]);
    assert_eq!(checked(&folder, &["."]), ["a/b.pp", "a/z.epp", "a.pp", "b.pp"]);
    assert_eq!(checked(&folder, &["b.pp", "a", "./b.pp"]), ["b.pp", "a/b.pp", "a/z.epp"]);
}

#[test]
fn templates_are_told_by_their_ending() {
    let folder = Folder::with(&[("a.epp", "<%= $x %>\n"), ("b.pp", "<%= $x %>\n")]);
    let run = folder.run(&["validate", "--format", "json", "."]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with(r#"{"file":"a.epp","accepted":true"#), "{}", lines[0]);
    assert!(lines[1].starts_with(r#"{"file":"b.pp","accepted":false"#), "{}", lines[1]);
}

#[test]
fn ignored_and_hidden_files_are_left_out() {
    let folder = Folder::with(&[
        (".gitignore", "vendor/\n*.tmp.pp\n"),
        ("a.pp", ""),
        ("b.tmp.pp", ""),
        ("vendor/c.pp", ""),
        (".hidden/d.pp", ""),
    ]);
    assert_eq!(checked(&folder, &["."]), ["a.pp"]);
    assert_eq!(checked(&folder, &["--no-ignore", "."]), ["a.pp", "b.tmp.pp", "vendor/c.pp"]);
    assert_eq!(checked(&folder, &["--hidden", "."]), [".hidden/d.pp", "a.pp"]);
    // What a person names is meant.
    assert_eq!(checked(&folder, &["b.tmp.pp", ".hidden/d.pp"]), ["b.tmp.pp", ".hidden/d.pp"]);
}

#[test]
fn a_gitignore_above_counts_within_a_repository_alone() {
    let folder = Folder::with(&[(".gitignore", "*\n"), ("repo/a.pp", "")]);
    assert_eq!(checked(&folder, &["repo"]), ["repo/a.pp"]);
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    assert!(checked(&folder, &["repo"]).is_empty());
}

#[test]
fn many_files_come_in_the_same_order_however_many_work() {
    let folder = Folder::with(&[]);
    let mut expected = String::new();
    let path = folder.real_path();
    for number in 0..20_000 {
        let name = format!("m{:02}/f{number:05}.pp", number / 200);
        let is_bad = number % 100 == 0;
        // One is large, so that those after it are done before it.
        let filler = if number == 5_000 { "# filler\n".repeat(100_000) } else { String::new() };
        folder.write(&name, format!("{filler}{}", if is_bad { "$x = }" } else { "notice(1)" }));
        if is_bad {
            let line = if number == 5_000 { 100_001 } else { 1 };
            let _ = writeln!(
                expected,
                "Error: Could not parse for environment production: Syntax error at '}}' \
                 (file: {path}/{name}, line: {line}, column: 6)"
            );
        }
    }
    for jobs in ["1", "2", "8"] {
        let run = folder.run(&["validate", "--jobs", jobs, "."]);
        assert!(run.out == expected, "in another order with {jobs} jobs");
        assert!(run.err.contains("20000 files"), "{}", run.err);
        assert!(run.err.contains("200 rejected, 200 errors"), "{}", run.err);
    }
}

#[test]
fn an_empty_folder_is_accepted_and_said_to_be_empty() {
    let run = Folder::with(&[("README", "")]).run(&["validate", "."]);
    assert_eq!(
        (run.out.as_str(), run.err.as_str(), run.code),
        ("", "Nothing was checked: no manifests, templates or data found\n", Some(0))
    );
}

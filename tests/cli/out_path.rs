//! Where catalogs go: what is refused before anything is compiled, and what does not stay from an earlier run.

use crate::{Folder, Run};

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "if $facts['fails'] { fail('it does') }\n"),
        ("facts/a.json", "{}"),
        ("facts/b.json", "{}"),
    ])
}

fn run(folder: &Folder, command: &str, out: &str) -> Run {
    let quiet: &[&str] = if command == "fleet" { &["-q"] } else { &["--log-level", "err"] };
    folder.run(&[&[command, "--facts", "facts", "--out", out][..], quiet].concat())
}

#[test]
fn a_path_of_which_nothing_comes_is_refused_at_once() {
    let folder = repository();
    folder.write("afile", "mine");
    folder.write("folder.tar/x", "");
    let (fleet, compile) =
        ("a folder is wanted, or an archive whose name ends in .tar", "for several nodes a folder is wanted");
    let packed = "a folder would get the name of an archive";
    for (command, out, reason) in [
        ("fleet", "afile", format!("is a file; {fleet}")),
        ("fleet", "t.tar.gz", format!("{packed}; {fleet}")),
        ("fleet", "x.TAR", format!("{packed}; {fleet}")),
        ("fleet", "folder.tar", format!("is a folder; {fleet}")),
        ("compile", "afile", format!("is a file; {compile}")),
        ("compile", "x.tar", format!("{packed}; {compile}")),
    ] {
        let run = run(&folder, command, out);
        assert_eq!((run.err, run.code), (format!("Error: --out {out}: {reason}\n"), Some(2)));
        assert_eq!(run.out, "");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("afile")).unwrap(), "mine");
    assert!(!folder.path().join("t.tar.gz").exists() && !folder.path().join("x.TAR").exists());
    for (command, out) in [("fleet", "new.tar"), ("fleet", "t.tgz/"), ("compile", "folder.tar"), ("compile", "new")] {
        let run = run(&folder, command, out);
        assert_eq!(run.code, Some(0), "{command} {out}: {}", run.err);
    }
}

#[test]
fn the_catalog_of_an_earlier_run_goes_where_there_is_none_now() {
    for command in ["fleet", "compile"] {
        let folder = repository();
        let names = || {
            let entries = std::fs::read_dir(folder.path().join("out")).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.retain(|name| !name.ends_with(".log"));
            names.sort();
            names
        };
        assert_eq!(run(&folder, command, "out").code, Some(0));
        folder.write("out/other.json", "");
        assert_eq!(names(), ["a.json", "b.json", "other.json"]);
        folder.write("facts/a.json", r#"{"fails": true}"#);
        assert_eq!(run(&folder, command, "out").code, Some(1));
        assert_eq!(names(), ["b.json", "other.json"], "{command}");
        folder.write("facts/b.json", "{");
        assert_eq!(run(&folder, command, "out").code, Some(1));
        assert_eq!(names(), ["other.json"], "{command}");
    }
    let folder = repository();
    let alone = |out: &str| folder.run(&["compile", "a", "--facts", "facts", "--out", out]).code;
    assert_eq!((alone("out/"), alone("one.json")), (Some(0), Some(0)));
    folder.write("facts/a.json", r#"{"fails": true}"#);
    assert_eq!((alone("out/"), alone("one.json")), (Some(1), Some(1)));
    // A file that is named is the person's own.
    assert!(!folder.path().join("out/a.json").exists() && folder.path().join("one.json").exists());
}

//! Paths that are typed as options, and what is said where one leads nowhere or to something of which nothing comes.

use serde_json::Value;

use crate::Folder;

/// An environment that compiles, with the facts of a node.
fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "notify { 'x': }\n"),
        ("facts/web01.json", "{}"),
    ])
}

#[test]
fn what_is_typed_and_not_there_is_wrong_usage() {
    let folder = repository();
    folder.write("file", "");
    let world = ["--environment-dir", ".", "--os", "debian-12", "--no-cache"];
    let missing = "no such file or directory";
    for (option, path, said) in [
        ("--manifest", "nosuch", missing),
        ("--modulepath", "modules/../nosuch:also", missing),
        ("--modulepath", "manifests:nosuch", missing),
        ("--modulepath", "file", "is no folder"),
        ("--confdir", "nosuch", missing),
        ("--confdir", "file", "is no folder"),
        ("--ruby", "./nosuch", missing),
    ] {
        let run = folder.run(&[&["compile", "a", option, path][..], &world].concat());
        let begin = format!("Error: {option}: ");
        assert!(run.err.starts_with(&begin) && run.err.ends_with(&format!(": {said}\n")), "{path}: {}", run.err);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)), "{option}");
    }
    let run = folder.run(&[&["fleet", "-q", "--ruby", "no-such-ruby"][..], &world].concat());
    assert_eq!((run.err.as_str(), run.code), ("Error: --ruby: there is no program no-such-ruby\n", Some(2)));
    let run = folder.run(&["fleet", "-q", "--environmentpath", "nosuch", "--facts", "facts"]);
    assert!(run.err.contains("--environmentpath: ") && run.err.contains("nosuch: no such file"), "{}", run.err);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
    for command in [&["eval", "-e", "1"][..], &["epp", "file"], &["modules"], &["watch"], &["lookup", "k"]] {
        let run = folder.run(&[command, &["--modulepath", "nosuch"]].concat());
        assert!(run.err.starts_with("Error: --modulepath: "), "{command:?}: {}", run.err);
        assert_eq!(run.code, Some(2), "{command:?}");
    }
    // What stands in a setting's place is known later; what settings say may be missing, as in the real one.
    for more in [&["--modulepath", "modules/..:$codedir/none"][..], &["--set", "basemodulepath=/nowhere"]] {
        let run = folder.run(&[&["compile", "a"][..], &world, more].concat());
        assert_eq!(run.code, Some(0), "{more:?}: {}", run.err);
    }
}

#[test]
fn an_environment_without_manifests_is_told() {
    let folder = repository();
    let said = |arguments: &[&str]| {
        let run = folder.run(&[&["compile", "web01", "--facts", "facts", "--no-cache"][..], arguments].concat());
        let first = run.err.lines().next().unwrap_or_default().replace(&folder.real_path(), "AT");
        (first, run.code)
    };
    let warning = |text: &str| (format!("Warning: {text}"), Some(0));
    assert!(said(&["--environment-dir", "."]).0.starts_with("Notice: Compiled catalog for web01"));
    let none = "Error: AT/facts is no control repository: it has no environment.conf, Puppetfile, manifests, modules, \
                site, site-modules, data or hiera.yaml";
    assert_eq!(said(&["--environment-dir", "facts"]), (none.to_owned(), Some(2)));
    folder.write("data/hiera.yaml", "version: 5\n");
    let none = "The environment 'production' has no manifest: there is no AT/data/manifests";
    assert_eq!(said(&["--environment-dir", "data"]), warning(none));
    folder.write("empty/manifests/README", "");
    let none = "The environment 'production' has no manifest: there is no .pp file in AT/empty/manifests";
    assert_eq!(said(&["--environment-dir", "empty"]), warning(none));
    folder.write("environments/other/x", "");
    let none = "The environment 'production' has no folder, and so no manifest";
    assert_eq!(said(&["--environmentpath", "environments"]), warning(none));
    assert!(said(&["--environment-dir", "empty", "-e", "1"]).0.starts_with("Notice: Compiled"));
    let run = folder.run(&["fleet", "-q", "--environment-dir", "empty", "--facts", "facts"]);
    assert!(run.out.starts_with("Warnings\n  The environment 'production' has no manifest: "), "{}", run.out);
}

/// Where something else names the classes of a node, no manifest is needed.
#[test]
fn who_has_a_classifier_needs_no_manifest() {
    let folder = Folder::with(&[
        ("modules/m/manifests/init.pp", "class m { }"),
        ("node.json", r#"{"name": "a", "classes": ["m"]}"#),
        ("bare.json", r#"{"name": "a"}"#),
    ]);
    let compile = |file: &str| folder.run(&["compile", "--environment-dir", ".", "--node-file", file, "--no-cache"]);
    assert!(!compile("node.json").err.contains("Warning: "));
    assert!(compile("bare.json").err.contains("has no manifest"));
}

#[cfg(unix)]
#[test]
fn manifests_that_may_not_be_read_are_told() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = Folder::with(&[("manifests/site.pp", ""), ("manifests/nodes/a.pp", ""), ("facts/a.json", "{}")]);
    let forbid = |name: &str, mode: u32| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for closed in ["manifests", "manifests/nodes"] {
        forbid(closed, 0o000);
        let arguments = ["fleet", "-q", "--environment-dir", ".", "--facts", "facts", "--no-cache"];
        let mut command = folder.command(&arguments);
        if std::fs::read_dir(folder.path().join(closed)).is_ok() {
            // The superuser is refused nothing, so somebody else has to ask.
            forbid("", 0o755);
            command.uid(65_534).gid(65_534);
        }
        let run = crate::finish(command.spawn().unwrap());
        forbid(closed, 0o755);
        let warning = format!("Manifests in {closed} are left out: it cannot be read: permission denied\n");
        assert!(run.out.contains(&warning), "{}{}", run.out, run.err);
    }
}

/// That `-` helps is said only where it does.
#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files_are_told_truly() {
    let folder = repository();
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    folder.write("t.epp", "");
    for (arguments, what) in [
        (&["compile", "a", "--facts", "pipe"][..], "values"),
        (&["compile", "--node-file", "pipe"], "values"),
        (&["epp", "t.epp", "--values-file", "pipe"], "values"),
        (&["compile", "a", "--answers", "pipe"], "answers"),
    ] {
        let run = folder.run(arguments);
        let begin = format!("Error: cannot take {what} from ");
        assert!(run.err.starts_with(&begin), "{}", run.err);
        assert!(run.err.ends_with("pipe: is a pipe, not a file\n"), "{}", run.err);
        assert_eq!(run.code, Some(1));
    }
    let run = folder.run(&["eval", "pipe"]);
    assert_eq!(run.err, "Error: Cannot read pipe: is a pipe, not a file; use - to read standard input\n");
}

#[test]
fn what_is_wrong_with_json_has_a_place() {
    let folder = repository();
    folder.write("zero.json", "");
    folder.write("bad.json", "{\n  \"a\": é]\n}\n");
    for (option, file, place) in [
        ("--facts", "zero.json", "line 1, column 1: unexpected end of the text"),
        ("--facts", "bad.json", "line 2, column 8: unexpected 'é'"),
        ("--node-file", "bad.json", "line 2, column 8: unexpected 'é'"),
        ("--answers", "bad.json", "line 2, column 8: unexpected 'é'"),
        ("--exported", "bad.json", "line 2, column 8: unexpected 'é'"),
    ] {
        let node = if option == "--node-file" { &[][..] } else { &["a"] };
        let run = folder.run(&[&["compile", option, file][..], node].concat());
        assert!(run.err.contains(&format!("{file}: {place}")), "{option}: {}", run.err);
        assert_eq!(run.code, Some(1));
    }
}

#[test]
fn who_gives_no_facts_is_told_of_them() {
    let folder = Folder::with(&[("manifests/site.pp", "notice($facts['os']['family'])"), ("facts/a.json", "{}")]);
    let help = "no facts were given: --facts says where those of nodes are, --os makes some up";
    let compile = |more: &[&str]| {
        let arguments = ["compile", "a", "--environment-dir", ".", "--log-format"];
        folder.run(&[&arguments[..], more].concat()).err.replace("\n", " ").replace("│", "")
    };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&compile(&["human"])).contains(help), "{}", compile(&["human"]));
    assert!(!compile(&["puppet"]).contains("no facts were given"), "{}", compile(&["puppet"]));
    assert!(!compile(&["human", "--facts", "facts"]).contains("--os"));
    let run = folder.run(&["fleet", "-q", "a", "--environment-dir", "."]);
    assert!(run.out.contains(&format!("  {help}\n")), "{}", run.out);
    let run = folder.run(&["fleet", "-q", "--environment-dir", ".", "--facts", "facts", "--format", "json"]);
    assert!(serde_json::from_str::<Value>(&run.out).is_ok() && !run.out.contains("--os"), "{}", run.out);
}

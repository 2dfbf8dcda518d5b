//! Standard input, exit codes, and readers who leave.

use std::io::{BufRead, BufReader};

use crate::Folder;

#[test]
fn standard_input_is_read_without_a_path_or_with_a_dash() {
    let folder = Folder::with(&[]);
    let expected = "Error: Could not parse for environment production: Syntax error at '}' (line: 2, column: 3)\n";
    for arguments in [&["validate"][..], &["validate", "-"]] {
        let run = folder.run_with_input(arguments, b"$x = 1\n  } foo\n");
        assert_eq!((run.out.as_str(), run.code), (expected, Some(1)));
    }
    let run = folder.run_with_input(&["validate", "--format", "json", "-"], b"notice(1)");
    assert!(run.out.starts_with(r#"{"file":"<stdin>","accepted":true"#), "{}", run.out);
}

#[test]
fn without_a_path_and_without_input_the_folder_is_checked() {
    let folder = Folder::with(&[("bad.pp", "$x = }\n")]);
    // As jobs have it that nobody watches.
    let run = folder.run(&["validate"]);
    assert!(run.err.starts_with("Checked 1 file (7 B)"), "{}", run.err);
    assert_eq!(run.code, Some(1));
    assert_eq!(folder.run(&["validate", "-"]).code, Some(0));
    folder.write("in", "notice(1)\nnotice(2)\n");
    let file = std::fs::File::open(folder.path().join("in")).unwrap();
    let run = crate::finish(folder.command(&["validate"]).stdin(file).spawn().unwrap());
    assert!(run.err.starts_with("Checked 1 file (20 B)"), "{}", run.err);
    let closed = "exec \"$0\" validate <&-";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", closed, env!("CARGO_BIN_EXE_pantin")]).current_dir(folder.path());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let run = crate::finish(command.spawn().unwrap());
    assert_eq!(run.code, Some(1), "{}", run.err);
}

#[test]
fn a_template_may_be_piped_in() {
    let folder = Folder::with(&[]);
    assert_eq!(folder.run_with_input(&["validate"], b"<%= 1 %>").code, Some(1));
    assert_eq!(folder.run_with_input(&["validate", "--epp"], b"<%= 1 %>").code, Some(0));
}

#[test]
fn exit_codes() {
    let folder = Folder::with(&[("good.pp", "notice(1)\n"), ("bad.pp", "$x = }\n"), ("warned.pp", "$x = \"\\q\"\n")]);
    let code = |arguments: &[&str]| folder.run(arguments).code;
    assert_eq!(code(&["validate", "good.pp"]), Some(0));
    assert_eq!(code(&["validate", "warned.pp"]), Some(0));
    assert_eq!(code(&["validate", "good.pp", "bad.pp"]), Some(1));
    assert_eq!(code(&["validate", "gone.pp"]), Some(1));
    assert_eq!(code(&["validate", "--format", "nonsense", "good.pp"]), Some(2));
    assert_eq!(code(&["validate", "--jobs", "0", "good.pp"]), Some(2));
    assert_eq!(code(&["nonsense"]), Some(2));
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["--help"]), Some(0));
}

#[test]
fn quiet_leaves_the_findings() {
    let folder = Folder::with(&[("bad.pp", "$x = }\n")]);
    let run = folder.run(&["validate", "--quiet", "bad.pp"]);
    assert!(run.out.starts_with("Error: "));
    assert_eq!((run.err.as_str(), run.code), ("", Some(1)));
}

#[test]
fn plan_is_a_keyword_with_tasks() {
    let folder = Folder::with(&[("p.pp", "plan foo() { }\n")]);
    assert_eq!(folder.run(&["validate", "p.pp"]).code, Some(1));
    assert_eq!(folder.run(&["validate", "--tasks", "p.pp"]).code, Some(0));
}

#[test]
fn a_reader_who_leaves_ends_it_quietly() {
    let folder = Folder::with(&[]);
    for number in 0..3_000 {
        folder.write(&format!("f{number:04}.pp"), "$x = }\n");
    }
    let mut child = folder.command(&["validate", "."]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let run = crate::finish(child);
    assert!(line.starts_with("Error: "), "{line}");
    assert_eq!((run.err.as_str(), run.code), ("", Some(1)));
}

#[test]
fn the_exit_code_is_right_though_nobody_reads() {
    let folder = Folder::with(&[("a.pp", "$x = \"\\q\"\n"), ("b.pp", "$x = \"\\q\"\n"), ("bad.pp", "$x = }\n")]);
    let unread = |arguments: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        crate::finish(folder.command(arguments).stdout(writer).spawn().unwrap()).code
    };
    for format in ["puppet", "sarif", "json", "human", "github"] {
        assert_eq!(unread(&["validate", "--format", format, "a.pp", "b.pp", "bad.pp"]), Some(1), "{format}");
        assert_eq!(unread(&["validate", "--format", format, "a.pp", "b.pp"]), Some(0), "{format}");
    }
    assert_eq!(unread(&["dump", "bad.pp", "a.pp"]), Some(1));
    assert_eq!(unread(&["dump", "a.pp"]), Some(0));
    assert_eq!(unread(&["--version"]), Some(0));
}

#[test]
fn standard_input_is_checked_once() {
    let run = Folder::with(&[]).run_with_input(&["validate", "-", "-"], b"notice(1)");
    assert!(run.err.starts_with("Checked 1 file (9 B)"), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = Folder::with(&[("bad.pp", "$x = }\n")]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = crate::finish(folder.command(&["validate", "bad.pp"]).stdout(full).spawn().unwrap());
    assert!(run.err.starts_with("error: cannot write to standard output: No space left on device"), "{}", run.err);
    assert_eq!(run.code, Some(2));
    for arguments in [&["--version"][..], &["--help"], &["man"], &["completions", "fish"], &["dump", "-e", "1"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = crate::finish(folder.command(arguments).stdout(full).spawn().unwrap());
        assert!(
            run.err.starts_with("error: cannot write to standard output: No space left on device"),
            "{arguments:?}: {}",
            run.err
        );
        assert_eq!(run.code, Some(2));
    }
}

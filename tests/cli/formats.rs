//! What each form of report prints, to the letter.

use crate::{Folder, Run};

const REJECTED: &str = "$x = 1\n  } foo\n";
const WARNED: &str = "$x = \"a\\qb\"\n";

fn run_in(format: &str) -> (Run, String) {
    let folder = Folder::with(&[("a/bad.pp", REJECTED), ("a/good.pp", "notice(1)\n"), ("b.pp", WARNED)]);
    let run = folder.run(&["validate", "--format", format, "."]);
    let path = folder.real_path();
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("Checked 3 files (37 B) in "), "{}", run.err);
    assert!(run.err.ends_with(" s: 1 rejected, 1 error, 1 warning\n"), "{}", run.err);
    (run, path)
}

#[test]
fn puppet() {
    let (run, path) = run_in("puppet");
    let expected = format!(
        "Error: Could not parse for environment production: Syntax error at '}}' \
         (file: {path}/a/bad.pp, line: 2, column: 3)\n\
         Warning: Unrecognized escape sequence '\\q' (file: {path}/b.pp, line: 1, column: 12)\n"
    );
    assert_eq!(run.out, expected);
}

#[test]
fn human() {
    let (run, _) = run_in("human");
    let expected = "\
SYNTAX_ERROR

  × Syntax error at '}'
   ╭─[a/bad.pp:2:3]
 1 │ $x = 1
 2 │   } foo
   ·   ─
   ╰────
  help: no brace is open here: there is one too many, here or above

UNRECOGNIZED_ESCAPE

  ⚠ Unrecognized escape sequence '\\q'
   ╭─[b.pp:1:12]
 1 │ $x = \"a\\qb\"
   ·            ▲
   ╰────
  help: write \\\\ for a backslash, or use single quotes

";
    assert_eq!(run.out, expected);
}

#[test]
fn json() {
    let (run, _) = run_in("json");
    let expected = r#"{"file":"a/bad.pp","accepted":false,"errors":1,"warnings":0,"findings":[{"severity":"error","code":"SYNTAX_ERROR","message":"Syntax error at '}'","line":2,"column":3,"offset":9,"length":1,"label":null,"help":"no brace is open here: there is one too many, here or above","related":[]}]}
{"file":"a/good.pp","accepted":true,"errors":0,"warnings":0,"findings":[]}
{"file":"b.pp","accepted":true,"errors":0,"warnings":1,"findings":[{"severity":"warning","code":"UNRECOGNIZED_ESCAPE","message":"Unrecognized escape sequence '\\q'","line":1,"column":12,"offset":11,"length":1,"label":null,"help":"write \\\\ for a backslash, or use single quotes","related":[]}]}
{"summary":{"schema":1,"files":3,"rejected":1,"errors":1,"warnings":1,"bytes":37}}
"#;
    assert_eq!(run.out, expected);
}

#[test]
fn sarif() {
    let (run, _) = run_in("sarif");
    let log: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a/bad.pp");
    let region = serde_json::json!({
        "startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 4, "byteOffset": 9, "byteLength": 1,
    });
    assert_eq!(place["region"], region);
    assert_eq!(results[0]["level"], "error");
    assert_eq!(results[0]["ruleId"], "SYNTAX_ERROR");
    let text = "Syntax error at '}'\n\nHelp: no brace is open here: there is one too many, here or above";
    assert_eq!(results[0]["message"]["text"], text);
    assert_eq!(results[1]["level"], "warning");
    let rules = &log["runs"][0]["tool"]["driver"]["rules"];
    let told = |at: usize| (rules[at]["id"].as_str().unwrap(), rules[at]["shortDescription"]["text"].as_str().unwrap());
    let expected = [("SYNTAX_ERROR", "Syntax error"), ("UNRECOGNIZED_ESCAPE", "Unrecognized escape")];
    assert_eq!([told(0), told(1)], expected);
}

#[test]
fn sarif_without_findings_is_a_log_too() {
    let run = Folder::with(&[("a.pp", "")]).run(&["validate", "--format", "sarif", "a.pp"]);
    let log: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(run.code, Some(0));
}

#[test]
fn github() {
    let (run, _) = run_in("github");
    let expected = "\
::error file=a/bad.pp,line=2,col=3,title=SYNTAX_ERROR::Syntax error at '}'%0A\
help: no brace is open here: there is one too many, here or above
::warning file=b.pp,line=1,col=12,title=UNRECOGNIZED_ESCAPE::Unrecognized escape sequence '\\q'%0A\
help: write \\\\ for a backslash, or use single quotes
";
    assert_eq!(run.out, expected);
}

#[test]
fn github_escapes_names_and_messages() {
    let folder = Folder::with(&[("50%,a:b.pp", "$x = %\n")]);
    let run = folder.run(&["validate", "--format", "github", "50%,a:b.pp"]);
    let expected = "::error file=50%25%2Ca%3Ab.pp,line=1,col=6,title=SYNTAX_ERROR::Syntax error at '%25'\n";
    assert_eq!(run.out, expected);
}

#[test]
fn github_gets_nothing_that_plays_with_a_terminal() {
    let folder = Folder::with(&[("bad\u{1b}[1m.pp", "fail(\u{1b}[2J\u{7f})\n")]);
    let run = folder.run(&["validate", "--format", "github", "."]);
    assert!(run.out.starts_with("::error file=bad\u{FFFD}[1m.pp,line=1,col="), "{}", run.out);
    assert!(!run.out.contains(|letter: char| letter.is_control() && letter != '\n'), "{}", run.out);
}

#[test]
fn the_form_follows_the_surroundings() {
    let folder = Folder::with(&[("bad.pp", REJECTED)]);
    let piped = folder.run(&["validate", "bad.pp"]);
    assert!(piped.out.starts_with("Error: Could not parse"), "{}", piped.out);
    let in_actions =
        crate::finish(folder.command(&["validate", "bad.pp"]).env("GITHUB_ACTIONS", "true").spawn().unwrap());
    assert!(in_actions.out.starts_with("::error file=bad.pp,"), "{}", in_actions.out);
}

#[test]
fn colours_are_as_asked() {
    let folder = Folder::with(&[("bad.pp", REJECTED)]);
    let run = |arguments: &[&str], variable: Option<&str>| {
        let mut command = folder.command(&[&["validate", "bad.pp"], arguments].concat());
        command.envs(variable.map(|name| (name, "1")));
        crate::finish(command.spawn().unwrap()).out
    };
    assert!(run(&["--color", "always"], Some("NO_COLOR")).starts_with("\x1b[1;31mError: "));
    assert!(run(&["--color", "always"], None).ends_with("column: 3)\x1b[0m\n"));
    assert!(run(&[], Some("CLICOLOR_FORCE")).starts_with("\x1b[1;31m"));
    assert!(run(&["--color", "never"], Some("CLICOLOR_FORCE")).starts_with("Error: "));
    assert!(run(&[], None).starts_with("Error: "));
}

#[test]
fn the_environment_is_named() {
    let folder = Folder::with(&[("bad.pp", REJECTED)]);
    let run = folder.run(&["validate", "--environment", "staging", "bad.pp"]);
    assert!(run.out.starts_with("Error: Could not parse for environment staging: "), "{}", run.out);
}

#[test]
fn bytes_that_are_no_source() {
    let folder = Folder::with(&[]);
    folder.write("bom.pp", b"\xFF\xFE");
    folder.write("latin.pp", b"a \xE9 b");
    let run = folder.run(&["validate", "bom.pp", "latin.pp"]);
    let path = folder.real_path();
    let expected = format!(
        "Error: Could not parse for environment production: Illegal UTF-16 Byte Order mark at beginning of \
         input: [FF FE] - remove these from the puppet source\n\
         Error: Could not parse for environment production: Invalid byte 0xE9: the source is not UTF-8 \
         (file: {path}/latin.pp, line: 1, column: 3)\n"
    );
    assert_eq!(run.out, expected);
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_long_line_is_shown_in_part_and_nothing_reaches_the_terminal() {
    let folder =
        Folder::with(&[("long.pp", &format!("$x = '{}' }} \x1b[31m {}\n", "é".repeat(100_000), "b".repeat(100_000)))]);
    let run = folder.run(&["validate", "--format", "human", "long.pp"]);
    assert!(run.out.contains("[long.pp:1:100009]"), "{}", run.out);
    assert!(run.out.len() < 2_000, "{} bytes", run.out.len());
    assert!(!run.out.contains('\x1b'));
}

/// Control characters of one, two and three bytes, in the source, the message and the name.
const HARMFUL: &str = "# \u{9b}2J \u{202e}\n$x = \"\\\u{1b}\"\n\u{7f}\u{9b} }\n";

#[test]
fn no_form_for_programs_holds_control_characters() {
    let folder = Folder::with(&[("a\u{1b}\u{9b}.pp", HARMFUL)]);
    let is_harmful = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
    for format in ["human", "json", "sarif"] {
        let run = folder.run(&["validate", "--format", format, "."]);
        assert!(run.out.contains("Unrecognized escape sequence"), "{}", run.out);
        assert!(!run.out.contains(is_harmful), "{format}: {:?}", run.out);
        assert_eq!(run.code, Some(1));
    }
    let name_with_line_end = Folder::with(&[("a\nError: forged.pp", "$x = }")]);
    let run = name_with_line_end.run(&["validate", "--format", "human", "."]);
    assert!(run.out.contains("[a\u{FFFD}Error: forged.pp:1:6]"), "{}", run.out);
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_of_a_source_reaches_a_terminal_raw() {
    let folder = Folder::with(&[("a\u{1b}\u{9b}.pp", HARMFUL), ("b.pp", "$x = '\u{1b}\u{9b}'\n")]);
    let on_terminal = |arguments: &str| {
        let script = format!("{} {arguments}", env!("CARGO_BIN_EXE_pantin"));
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &script, "/dev/null"]).current_dir(folder.path()).env("TERM", "xterm");
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
        command.stderr(std::process::Stdio::piped()).spawn().ok().map(|child| crate::finish(child).out)
    };
    let is_harmful = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r');
    for arguments in [
        "validate --format puppet --color never .",
        "validate --format github .",
        "dump *.pp",
        "dump --format json --no-validate *.pp",
        "dump --format tree --no-validate *.pp",
        "dump --tokens *.pp",
    ] {
        // Not every system has `script`.
        let Some(out) = on_terminal(arguments) else { return };
        assert!(out.contains(".pp") && !out.contains(is_harmful), "{arguments}: {out:?}");
    }
}

#[test]
fn many_findings_on_a_long_line_take_no_time_each_from_its_start() {
    let folder = Folder::with(&[("a.pp", &format!("# {}\r\n{}", "é".repeat(2_000_000), "\"\\q\"\r\n".repeat(3_000)))]);
    for format in ["human", "json", "sarif"] {
        let run = folder.run(&["validate", "--format", format, "a.pp"]);
        assert_eq!(run.out.matches("Unrecognized escape sequence").count(), 3_000);
    }
}

#[test]
fn json_has_one_option_in_every_command() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("hiera.yaml", "version: 5\n"),
        ("data/common.yaml", "k: 1\n"),
        ("facts/a.json", "{}"),
    ]);
    for command in [
        &["eval", "-e", "1"][..],
        &["settings", "noop"],
        &["modules"],
        &["doc", "function", "map"],
        &["lookup", "k", "--facts", "facts"],
        &["compile", "--facts", "facts"],
        &["fleet", "--facts", "facts", "-q"],
        &["config"],
        &["validate", "."],
    ] {
        let json = folder.run(&[command, &["--format", "json"]].concat());
        let parsed = json.out.lines().next().map(serde_json::from_str::<serde_json::Value>);
        let whole = serde_json::from_str::<serde_json::Value>(&json.out);
        assert!(whole.is_ok() || parsed.is_some_and(|line| line.is_ok()), "{command:?}: {}{}", json.out, json.err);
        let short = folder.run(&[command, &["--json"]].concat());
        assert_eq!(short.code, json.code, "{command:?}: {}", short.err);
    }
    for command in [
        &["lookup", "k", "--facts", "facts"][..],
        &["compile", "--facts", "facts"],
        &["modules"],
        &["settings", "noop"],
    ] {
        let run = folder.run(&[command, &["--render-as", "json"]].concat());
        assert_eq!(run.code, Some(0), "{command:?}: {}", run.err);
    }
}

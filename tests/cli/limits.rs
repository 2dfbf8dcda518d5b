//! Several errors in one file: what is raised, what is logged, what is counted. Word for word from
//! the real command.

use crate::Folder;

const FOUR_ERRORS: &str = "$x = \"a\\qb\"\n1 = 2\n\"x\" = 3\n2 = 1\n3 = 1\n";
const WARNING: &str = "Warning: Unrecognized escape sequence '\\q' (line: 1, column: 12)\n";
const SECOND: &str =
    "Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference (line: 2, column: 1)\n";
const THIRD: &str = "Illegal attempt to assign to 'a String'. Not an assignable reference (line: 3, column: 1)\n";
const REST: &str = "\
Error: Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference (line: 4, column: 1)
Error: Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference (line: 5, column: 1)
";
const GIVING_UP: &str = "Error: Language validation logged 4 errors. Giving up\n";

fn printed(max_errors: &str) -> String {
    let run = Folder::with(&[]).run_with_input(&["validate", "--max-errors", max_errors], FOUR_ERRORS.as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains(": 1 rejected, 4 errors, 1 warning\n"), "{}", run.err);
    run.out
}

#[test]
fn errors_are_limited_and_counted() {
    assert_eq!(printed("10"), format!("{WARNING}Error: {SECOND}Error: {THIRD}{REST}{GIVING_UP}"));
    assert_eq!(printed("2"), format!("{WARNING}Error: {SECOND}Error: {THIRD}{GIVING_UP}"));
    assert_eq!(printed("1"), format!("{WARNING}Error: Could not parse for environment production: {SECOND}"));
}

#[test]
fn each_finding_is_told_once_and_the_hidden_ones_are_counted() {
    let folder = Folder::with(&[("a.pp", FOUR_ERRORS)]);
    let run = folder.run(&["validate", "--format", "human", "--max-errors", "3", "a.pp"]);
    assert_eq!(run.out.matches("Illegal attempt to assign").count(), 3, "{}", run.out);
    assert!(run.out.ends_with("1 more error in a.pp: see it with --max-errors\n\n"), "{}", run.out);
    assert!(!run.out.contains("Giving up"));
    let run = folder.run(&["validate", "--format", "json", "--max-errors", "3", "a.pp"]);
    let file: serde_json::Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    assert_eq!((file["errors"].as_u64(), file["findings"].as_array().map(Vec::len)), (Some(4), Some(4)));
}

/// Word for word from the real command, but for the path.
#[test]
fn errors_of_puppet_text_in_a_heredoc_come_before_what_they_led_to() {
    let folder = Folder::with(&[("a.pp", "$x = @(E:pp)\n  1 = 2\n  3 = 4\n  | E\n$Q = 1\n")]);
    let run = folder.run(&["validate", "a.pp"]);
    let assignment = "Error: Illegal attempt to assign to 'a Literal Integer'. Not an assignable reference";
    let expected = format!(
        "{assignment} (line: 1, column: 1)\n{assignment} (line: 2, column: 1)\n\
         Error: Could not parse for environment production: Invalid produced text having syntax: 'pp'. \
         PP syntax checker: \"Language validation logged 2 errors. Giving up\" (file: {}/a.pp, line: 2, column: 1)\n",
        folder.real_path()
    );
    assert_eq!(run.out, expected);
    let run = folder.run(&["validate", "--format", "json", "a.pp"]);
    assert!(run.out.starts_with(r#"{"file":"a.pp","accepted":false,"errors":3,"#), "{}", run.out);
    assert_eq!(run.out.matches(r#""severity":"error""#).count(), 3, "{}", run.out);
}

#[test]
fn errors_beyond_those_that_are_kept_are_counted() {
    let folder = Folder::with(&[("a.pp", &"$A = 1\n".repeat(10_002))]);
    let run = folder.run(&["validate", "--format", "json", "--max-errors", "3", "a.pp"]);
    assert!(run.out.starts_with(r#"{"file":"a.pp","accepted":false,"errors":10002,"#), "{}", run.out);
    assert!(run.out.contains(r#""rejected":1,"errors":10002,"#), "{}", run.out);
    assert!(run.err.contains(": 1 rejected, 10002 errors, 0 warnings\n"), "{}", run.err);
    let last_line = |max_errors: &str, format: &str| {
        let run = folder.run(&["validate", "--format", format, "--max-errors", max_errors, "a.pp"]);
        run.out.trim_end().lines().last().unwrap().to_owned()
    };
    assert_eq!(last_line("2", "human"), "10000 more errors in a.pp: see them with --max-errors");
    assert_eq!(last_line("20000", "human"), "2 more errors in a.pp: too many to be kept");
    let notice = "::notice file=a.pp::10001 more errors in a.pp: see them with --max-errors";
    assert_eq!(last_line("1", "github"), notice);
}

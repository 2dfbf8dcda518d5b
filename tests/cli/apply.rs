//! What `pantin apply` and `pantin resource` refuse, and say before they change anything.

use crate::Folder;

#[test]
fn options_of_puppet_that_are_not_here_are_refused_with_a_reason() {
    for (option, reason) in [
        ("--graph", "--graph: the graph of a catalog is drawn by pantin graph"),
        ("--loadclasses", "--loadclasses: classes of an earlier run are not loaded"),
    ] {
        let run = Folder::with(&[]).run(&["apply", "--noop", option, "-e", "notify { 'x': }"]);
        assert!(run.err.contains(reason), "{}", run.err);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    }
}

#[test]
fn a_log_that_goes_nowhere_is_refused() {
    for (destination, reason) in [
        ("syslog", "Pantin writes to the console and to files"),
        ("eventlog", "there is none on this system"),
        ("work/log", "it is console or the absolute path of a file"),
    ] {
        let run = Folder::with(&[]).run(&["apply", "--noop", "--logdest", destination, "-e", "notify { 'x': }"]);
        assert!(run.err.contains(reason), "{}", run.err);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    }
}

#[test]
fn an_option_that_is_neither_here_nor_a_setting_is_refused() {
    let run = Folder::with(&[]).run(&["apply", "--noop", "--nosuchoption", "-e", "notify { 'x': }"]);
    assert!(run.err.contains("--nosuchoption"), "{}", run.err);
    assert_eq!(run.code, Some(1));
}

#[test]
fn resources_of_no_type_are_refused_in_the_words_of_the_real_one() {
    let run = Folder::with(&[]).run(&["resource"]);
    let expected = ("", "Error: Could not run: You must specify the type to display\n", Some(1));
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), expected);
}

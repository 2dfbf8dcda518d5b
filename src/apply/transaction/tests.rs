//! The transaction on a machine in memory.

use pantin_machine::InMemory;

use super::testing::{run, settings};
use crate::settings::ApplySettings;

#[test]
fn a_notify_says_its_message_and_that_it_changed() {
    let machine = InMemory::new();
    let run = run(&machine, &settings(), r#"{"type":"Notify","title":"x","parameters":{"message":"hello"}}"#);
    assert_eq!(
        run.lines,
        ["Notice: hello", "Notice: /Stage[main]/Main/Notify[x]/message: defined 'message' as 'hello'"]
    );
    assert_eq!(run.report.unwrap().exit_code(), 2);
}

#[test]
fn a_noop_has_the_words_of_the_change_in_8_and_its_own_in_7() {
    let notify = r#"{"type":"Notify","title":"x","parameters":{"loglevel":"err"}}"#;
    let noop = ApplySettings { noop: true, ..settings() };
    let lines = run(&InMemory::new(), &noop, notify).lines;
    let path = "/Stage[main]/Main/Notify[x]/message";
    assert_eq!(lines[0], format!("Error: {path}: defined 'message' as 'x' (noop)"));
    assert_eq!(lines[1], "Notice: Class[Main]: Would have triggered 'refresh' from 1 event");
    assert_eq!(lines[2], "Notice: Stage[main]: Would have triggered 'refresh' from 1 event");
    let seven = ApplySettings { language: pantin_base::Language::Puppet7, ..noop };
    let lines = run(&InMemory::new(), &seven, notify).lines;
    assert_eq!(lines[0], format!("Error: {path}: current_value 'absent', should be 'x' (noop)"));
}

/// Commands that touch files named after themselves.
fn machine() -> InMemory {
    InMemory::new().with_folder("/srv").with_program("/bin/touch", |machine, command| {
        let path = command.arguments[0].to_string_lossy().into_owned();
        pantin_machine::System::replace(machine, path.as_ref(), &pantin_machine::NewFile::new(b"", 0o644)).unwrap();
        pantin_machine::Output { ended: pantin_machine::Ended::Code(0), text: Vec::new(), is_cut: false }
    })
}

fn exec(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Exec","title":"{title}","parameters":{{{parameters}}}}}"#)
}

#[test]
fn a_waiting_resource_runs_right_behind_what_it_waits_for() {
    let resources = [
        exec("z1", r#""command":"/bin/echo z1","require":"Exec[late]""#),
        exec("first", r#""command":"/bin/echo first""#),
        exec("late", r#""command":"/bin/echo late""#),
        exec("last", r#""command":"/bin/echo last""#),
    ];
    let machine = machine();
    run(&machine, &settings(), &resources.join(","));
    assert_eq!(machine.commands(), ["/bin/echo first", "/bin/echo late", "/bin/echo z1", "/bin/echo last"]);
}

#[test]
fn an_exec_that_is_notified_runs_twice_and_several_events_are_one_refresh() {
    let resources = [
        exec("a", r#""command":"/bin/echo a","notify":"Exec[t]""#),
        exec("b", r#""command":"/bin/echo b","notify":"Exec[t]""#),
        exec("t", r#""command":"/bin/echo t""#),
    ];
    let machine = machine();
    let run = run(&machine, &settings(), &resources.join(","));
    assert_eq!(machine.commands(), ["/bin/echo a", "/bin/echo b", "/bin/echo t", "/bin/echo t"]);
    let path = "/Stage[main]/Main/Exec";
    assert_eq!(
        run.lines,
        [
            format!("Notice: {path}[a]/returns: executed successfully"),
            format!("Info: {path}[a]: Scheduling refresh of Exec[t]"),
            format!("Notice: {path}[b]/returns: executed successfully"),
            format!("Info: {path}[b]: Scheduling refresh of Exec[t]"),
            format!("Notice: {path}[t]/returns: executed successfully"),
            format!("Notice: {path}[t]: Triggered 'refresh' from 2 events"),
        ]
    );
}

#[test]
fn a_refresh_asks_the_checks_again_and_is_told_whatever_they_say() {
    let resources = [
        exec("a", r#""command":"/bin/touch /srv/a","notify":"Exec[t]""#),
        exec("t", r#""command":"/bin/echo t","refreshonly":true,"creates":"/srv/a","notify":"Exec[u]""#),
        exec("u", r#""command":"/bin/echo u","refreshonly":true"#),
    ];
    let machine = machine();
    let lines = run(&machine, &settings(), &resources.join(",")).lines;
    assert_eq!(machine.commands(), ["/bin/touch /srv/a", "/bin/echo u"]);
    assert!(lines.contains(&"Notice: /Stage[main]/Main/Exec[t]: Triggered 'refresh' from 1 event".to_owned()));
}

#[test]
fn the_exit_code_of_a_refresh_command_is_not_looked_at() {
    let resources = [
        exec("a", r#""command":"/bin/echo a","notify":"Exec[t]""#),
        exec("t", r#""command":"/bin/echo t","refreshonly":true,"refresh":"/bin/false""#),
    ];
    let run = run(&machine(), &settings(), &resources.join(","));
    assert_eq!(run.report.unwrap().exit_code(), 2);
}

#[test]
fn a_refresh_that_fails_says_so_twice_and_its_dependents_are_skipped() {
    let resources = [
        exec("a", r#""command":"/bin/echo a","notify":"Exec[t]""#),
        exec("t", r#""command":"/bin/false","refreshonly":true"#),
        exec("after", r#""command":"/bin/echo after","require":"Exec[t]""#),
    ];
    let run = run(&machine(), &settings(), &resources.join(","));
    let path = "/Stage[main]/Main/Exec";
    let reason = "'/bin/false' returned 1 instead of one of [0]";
    assert_eq!(
        run.lines[2..],
        [
            format!("Error: {path}[t]: Failed to call refresh: {reason}"),
            format!("Error: {path}[t]: {reason}"),
            format!("Notice: {path}[after]: Dependency Exec[t] has failures: true"),
            format!("Warning: {path}[after]: Skipping because of failed dependencies"),
            "Info: Class[Main]: Unscheduling all events on Class[Main]".to_owned(),
        ]
    );
    let report = run.report.unwrap();
    assert_eq!((report.exit_code(), report.status), (6, "failed"));
}

#[test]
fn a_failure_is_two_lines_and_is_told_once_to_those_who_depend_on_it() {
    let resources = [
        exec("bad", r#""command":"/bin/false""#),
        exec("one", r#""command":"/bin/echo one","require":"Exec[bad]""#),
        exec("two", r#""command":"/bin/echo two","require":"Exec[one]""#),
    ];
    let path = "/Stage[main]/Main/Exec";
    let reason = "'/bin/false' returned 1 instead of one of [0]";
    assert_eq!(
        run(&machine(), &settings(), &resources.join(",")).lines,
        [
            format!("Error: {reason}"),
            format!("Error: {path}[bad]/returns: change from 'notrun' to ['0'] failed: {reason}"),
            format!("Notice: {path}[one]: Dependency Exec[bad] has failures: true"),
            format!("Warning: {path}[one]: Skipping because of failed dependencies"),
            format!("Warning: {path}[two]: Skipping because of failed dependencies"),
        ]
    );
}

#[test]
fn tags_let_through_and_keep_out() {
    let notify = |title: &str, tag: &str| {
        format!(r#"{{"type":"Notify","title":"{title}","tags":["notify","{tag}"],"parameters":{{}}}}"#)
    };
    let resources = [notify("a", "x"), notify("b", "y")].join(",");
    let with = |tags: &[&str], skip: &[&str]| {
        let text = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect();
        let settings = ApplySettings { tags: text(tags), skip_tags: text(skip), ..settings() };
        let lines = run(&InMemory::new(), &settings, &resources).lines;
        lines.into_iter().filter(|line| line.starts_with("Notice: ") && !line.contains("/Stage")).collect::<Vec<_>>()
    };
    assert_eq!(with(&["x"], &[]), ["Notice: a"]);
    assert_eq!(with(&[], &["x"]), ["Notice: b"]);
    assert_eq!(with(&["x", "y"], &["y"]), ["Notice: a"]);
}

#[test]
fn a_schedule_that_is_missing_ends_the_run_when_its_turn_comes() {
    let resources = [
        exec("a", r#""command":"/bin/echo a""#),
        exec("b", r#""command":"/bin/echo b","schedule":"bogus""#),
        exec("c", r#""command":"/bin/echo c""#),
    ];
    let machine = machine();
    let run = run(&machine, &settings(), &resources.join(","));
    assert_eq!(machine.commands(), ["/bin/echo a"]);
    assert_eq!(run.lines.last().unwrap(), "Error: Failed to apply catalog: Could not find schedule bogus");
    let report = run.report.unwrap();
    assert_eq!((report.status, report.is_completed), ("failed", false));
}

#[test]
fn what_is_never_scheduled_is_skipped_unless_schedules_are_ignored() {
    let resources = exec("a", r#""command":"/bin/echo a","schedule":"never""#);
    let never = machine();
    run(&never, &settings(), &resources);
    assert!(never.commands().is_empty());
    let ignored = machine();
    run(&ignored, &ApplySettings { ignore_schedules: true, ..settings() }, &resources);
    assert_eq!(ignored.commands(), ["/bin/echo a"]);
}

#[test]
fn a_cycle_is_told_and_nothing_is_applied() {
    let resources = [
        exec("a", r#""command":"/bin/echo a","require":"Exec[b]""#),
        exec("b", r#""command":"/bin/echo b","require":"Exec[a]""#),
    ];
    let machine = machine();
    let run = run(&machine, &settings(), &resources.join(","));
    assert!(machine.commands().is_empty());
    assert!(run.lines[0].starts_with("Error: Found 1 dependency cycle:\n(Exec["), "{:?}", run.lines);
    let last = "Error: Failed to apply catalog: One or more resource dependency cycles detected in graph";
    assert_eq!(run.lines[1], last);
    assert_eq!(run.report.unwrap().statuses.len(), 2);
}

#[test]
fn noop_runs_checks_and_changes_nothing() {
    let resources = [
        exec("a", r#""command":"/bin/echo a","unless":"/bin/false","notify":"Exec[t]""#),
        exec("t", r#""command":"/bin/echo t","refreshonly":true"#),
    ];
    let machine = machine();
    let noop = ApplySettings { noop: true, ..settings() };
    let run = run(&machine, &noop, &resources.join(","));
    assert_eq!(machine.commands(), ["/bin/false"]);
    let path = "/Stage[main]/Main/Exec";
    assert_eq!(run.lines[0], format!("Notice: {path}[a]/returns: executed successfully (noop)"));
    assert_eq!(run.lines[2], format!("Notice: {path}[t]: Would have triggered 'refresh' from 1 event"));
    let report = run.report.unwrap();
    assert_eq!((report.exit_code(), report.status, report.is_noop_pending), (0, "unchanged", true));
}

#[test]
fn a_wrong_attribute_refuses_the_catalog() {
    let machine = machine();
    for (parameters, message) in [
        (
            r#""command":"echo a""#,
            "Validation of Exec[x] failed: 'echo' is not qualified and no path was specified. Please qualify the command or specify a path.",
        ),
        (
            r#""command":"/bin/echo","tries":0"#,
            "Parameter tries failed on Exec[x]: Munging failed for value 0 in class tries: Tries must be an integer >= 1",
        ),
        (
            r#""command":"/bin/echo","logoutput":"maybe""#,
            "Parameter logoutput failed on Exec[x]: Invalid value \"maybe\". Valid values are true, false, on_failure.",
        ),
        (r#""command":"/bin/echo","nope":1"#, "no parameter named 'nope'"),
        (r#""command":"/bin/echo","require":"Exec[y]""#, "Could not find dependency Exec[y] for Exec[x]"),
    ] {
        let run = run(&machine, &settings(), &exec("x", parameters));
        assert_eq!(run.lines, [format!("Error: {message}")]);
        assert!(run.report.is_none());
    }
    assert!(machine.commands().is_empty());
}

#[test]
fn a_type_without_a_provider_fails_its_resource_alone() {
    let resources =
        format!(r#"{{"type":"Yumrepo","title":"p","parameters":{{}}}},{}"#, exec("a", r#""command":"/bin/echo a""#));
    let machine = machine();
    let run = run(&machine, &settings(), &resources);
    let message = "Could not evaluate: no native provider yet for the type 'yumrepo'";
    assert_eq!(run.lines[0], format!("Error: /Stage[main]/Main/Yumrepo[p]: {message}"));
    assert_eq!(machine.commands(), ["/bin/echo a"]);
    assert_eq!(run.report.unwrap().exit_code(), 6);
}

#[test]
fn secrets_are_in_no_line() {
    let resources = r#"{"type":"Exec","title":"x","sensitive_parameters":["command"],"parameters":{"command":"/bin/false secret"}}"#;
    let lines = run(&machine(), &settings(), resources).lines;
    assert_eq!(lines[0], "Notice: /Stage[main]/Main/Exec[x]/returns: [output redacted]");
    assert_eq!(lines[1], "Error: [command redacted] returned 1 instead of one of [0]");
    assert!(lines.iter().all(|line| !line.contains("secret")), "{lines:?}");
}

#[test]
fn what_has_no_provider_waits_until_nothing_else_moves_and_then_fails() {
    let resources = [
        exec("w", r#""command":"/bin/echo w","provider":"windows""#),
        exec("a", r#""command":"/bin/echo a""#),
        exec("after", r#""command":"/bin/echo after","require":"Exec[w]""#),
    ];
    let path = "/Stage[main]/Main/Exec";
    assert_eq!(
        run(&machine(), &settings(), &resources.join(",")).lines,
        [
            format!("Notice: {path}[a]/returns: executed successfully"),
            format!("Error: {path}[w]: Provider windows is not functional on this host"),
            format!("Notice: {path}[after]: Dependency Exec[w] has failures: true"),
            format!("Warning: {path}[after]: Skipping because of failed dependencies"),
            "Info: Class[Main]: Unscheduling all events on Class[Main]".to_owned(),
        ]
    );
}

#[test]
fn an_audited_property_has_no_default_and_is_told_when_it_changes() {
    let resources = exec("x", r#""command":"/bin/echo x","audit":"returns""#);
    let machine = machine();
    let lines = run(&machine, &settings(), &resources).lines;
    assert_eq!(lines, ["Notice: /Stage[main]/Main/Exec[x]/returns: audit change: newly-recorded value notrun"]);
    assert!(machine.commands().is_empty());
}

#[test]
fn unless_is_asked_before_onlyif() {
    let resources =
        exec("x", r#""command":"/bin/echo x","onlyif":"/bin/false","unless":"/bin/false","creates":"/none""#);
    let machine = machine();
    run(&machine, &settings(), &resources);
    assert_eq!(machine.commands(), ["/bin/false", "/bin/false"]);
}

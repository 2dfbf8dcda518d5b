//! Services on a machine in memory: which commands are run, in which order.

use pantin_machine::{Command, Ended, InMemory, Output};

use crate::settings::ApplySettings;
use crate::transaction::testing::{run, settings};

fn said(code: i32, text: &str) -> Output {
    Output { ended: Ended::Code(code), text: text.as_bytes().to_vec(), is_cut: false }
}

/// Returns a machine whose first process is systemd. A unit whose name has a part of these is as that says.
fn machine() -> InMemory {
    let systemctl = |_: &InMemory, command: &Command| {
        let words: Vec<String> = command.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let is_named = |part: &str| words.last().is_some_and(|unit| unit.contains(part));
        match words[0].as_str() {
            "is-active" => said(if is_named("runs") { 0 } else { 3 }, ""),
            "is-enabled" if is_named("static") => said(0, "static\n"),
            "is-enabled" if is_named("masked") => said(1, "masked\n"),
            "is-enabled" => said(if is_named("enabled") { 0 } else { 1 }, "word\n"),
            "show" => said(0, if is_named("stale") { "NeedDaemonReload=yes\n" } else { "NeedDaemonReload=no\n" }),
            verb => said(i32::from(is_named("broken") && verb != "unmask"), ""),
        }
    };
    InMemory::new()
        .with_folder("/proc")
        .with_folder("/proc/1")
        .with_file("/proc/1/comm", "systemd\n")
        .with_program("/usr/bin/systemctl", systemctl)
        .with_program("/usr/bin/journalctl", |_, _| said(0, "-- nothing --\n"))
}

fn service(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Service","title":"{title}","parameters":{{{parameters}}}}}"#)
}

/// Returns the verbs of `systemctl` in a run.
fn verbs(machine: &InMemory) -> Vec<String> {
    let verb = |command: String| command.split_whitespace().nth(1).map(str::to_owned);
    machine.commands().into_iter().filter_map(verb).collect()
}

#[test]
fn two_commands_look_at_each_service() {
    let machine = machine();
    let resource = service("runs-enabled", r#""ensure":"running","enable":true"#);
    assert!(run(&machine, &settings(), &resource).lines.is_empty());
    assert_eq!(verbs(&machine), ["is-active", "is-enabled"]);
}

#[test]
fn two_commands_look_at_all_services() {
    let machine = machine().with_program("/usr/bin/systemctl", |_, command: &Command| {
        match command.arguments[0].to_string_lossy().as_ref() {
            "is-active" => said(3, "active\nactive\ninactive\n"),
            "list-unit-files" => said(0, "a.service enabled enabled\nb.service static -\nc.socket disabled enabled\n"),
            other => said(1, &format!("{other} was not expected")),
        }
    });
    let resources = [
        service("a", r#""ensure":"running","enable":true"#),
        service("b.service", r#""ensure":"running","enable":true"#),
        service("c.socket", r#""ensure":"stopped","enable":false"#),
    ];
    assert!(run(&machine, &settings(), &resources.join(",")).lines.is_empty());
    assert_eq!(verbs(&machine), ["is-active", "list-unit-files"]);
}

#[test]
fn a_start_sets_the_rest_in_the_same_go() {
    let machine = machine();
    let lines = run(&machine, &settings(), &service("stale", r#""ensure":"running","enable":true"#)).lines;
    assert_eq!(lines[0], "Notice: /Stage[main]/Main/Service[stale]/ensure: ensure changed 'stopped' to 'running'");
    assert_eq!(lines[1], "Info: /Stage[main]/Main/Service[stale]: Unscheduling refresh on Service[stale]");
    let expected =
        ["is-active", "is-enabled", "show", "daemon-reload", "unmask", "start", "is-enabled", "unmask", "enable"];
    assert_eq!(verbs(&machine), expected);
}

#[test]
fn a_mask_disables_first() {
    let machine = machine();
    run(&machine, &settings(), &service("x", r#""enable":"mask""#));
    assert_eq!(verbs(&machine), ["is-enabled", "cat", "disable", "mask"]);
}

#[test]
fn a_masked_service_is_disabled_and_a_static_one_is_left_alone() {
    let machine = machine();
    let resources = [
        service("masked", r#""enable":"mask""#),
        service("masked-too", r#""enable":false"#),
        service("static", r#""enable":true"#),
    ];
    assert!(run(&machine, &settings(), &resources.join(",")).lines.is_empty());
}

#[test]
fn a_failure_tells_the_journal() {
    let machine = machine();
    let lines = run(&machine, &settings(), &service("broken", r#""ensure":"running""#)).lines;
    let words = "Systemd start for broken failed!\njournalctl log for broken:\n-- nothing --\n";
    assert_eq!(lines[0], format!("Error: {words}"));
    let path = "/Stage[main]/Main/Service[broken]/ensure";
    assert_eq!(lines[1], format!("Error: {path}: change from 'stopped' to 'running' failed: {words}"));
}

#[test]
fn nothing_is_changed_where_nothing_may_be() {
    let machine = machine();
    let noop = ApplySettings { noop: true, ..settings() };
    run(&machine, &noop, &service("x", r#""ensure":"running","enable":true"#));
    assert_eq!(verbs(&machine), ["is-active", "is-enabled"]);
}

#[test]
fn a_service_that_does_not_run_is_not_restarted() {
    let machine = machine();
    let file =
        r#"{"type":"File","title":"/a","parameters":{"content":"x","notify":["Service[down]","Service[runs]"]}}"#;
    run(&machine, &settings(), &[file.to_owned(), service("down", ""), service("runs", "")].join(","));
    assert_eq!(verbs(&machine), ["is-active", "is-active", "show", "restart"]);
}

#[test]
fn a_provider_that_is_not_carried_out_says_its_name() {
    let machine = machine().with_folder("/usr/bin").with_program("/usr/bin/sv", |_, _| said(0, ""));
    let lines = run(&machine, &settings(), &service("x", r#""provider":"runit","ensure":"running""#)).lines;
    let path = "/Stage[main]/Main/Service[x]";
    assert_eq!(
        lines[0],
        format!("Error: {path}: Could not evaluate: no native provider yet: 'runit' of the type service")
    );
}

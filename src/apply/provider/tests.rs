//! Resources of a provider, on a machine in memory.

use pantin_machine::{Ended, InMemory, Output};

use crate::settings::ApplySettings;
use crate::transaction::testing::{TestRun, run, settings};

const PATH: &str = "/Stage[main]/Main/Entry";

fn machine(entries: &str) -> InMemory {
    let said = |code, text: String| Output { ended: Ended::Code(code), text: text.into_bytes(), is_cut: false };
    InMemory::new().with_folder("/etc").with_file("/etc/entries", entries).with_program(
        "/bin/entries",
        move |machine, _| match machine.text("/etc/entries") {
            Some(text) if text.starts_with("broken") => said(1, text.trim().to_owned()),
            text => said(0, text.unwrap_or_default()),
        },
    )
}

fn entry(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Entry","title":"{title}","parameters":{{{parameters}}}}}"#)
}

fn apply(machine: &InMemory, resources: &[String]) -> TestRun {
    run(machine, &settings(), &resources.join(","))
}

#[test]
fn a_provider_reads_once_for_all_that_is_in_step() {
    let machine = machine("a=1=\nb=2=\n");
    let resources = [entry("a", r#""value":"1""#), entry("b", r#""value":"2""#), entry("c", r#""ensure":"absent""#)];
    assert!(apply(&machine, &resources).lines.is_empty());
    assert_eq!(machine.commands(), ["/bin/entries"]);
}

#[test]
fn what_is_out_of_step_is_made_together_at_the_flush() {
    let machine = machine("a=1=x\ngone=1=\n");
    let resources = [
        entry("a", r#""value":"2","note":"y""#),
        entry("new", r#""ensure":"present","value":"3""#),
        entry("gone", r#""ensure":"absent""#),
    ];
    let lines = apply(&machine, &resources).lines;
    assert_eq!(
        lines,
        [
            format!("Notice: {PATH}[a]/value: value changed '1' to '2'"),
            format!("Notice: {PATH}[a]/note: note changed 'x' to 'y'"),
            format!("Notice: {PATH}[new]/ensure: created"),
            format!("Notice: {PATH}[gone]/ensure: removed"),
        ]
    );
    assert_eq!(machine.text("/etc/entries").unwrap(), "a=2=y\nnew=3=\n");
    assert!(apply(&machine, &resources).lines.is_empty());
}

#[test]
fn a_provider_of_single_properties_sets_each_before_it_is_told() {
    let machine = machine("a=1=x\n");
    let resources = [entry("a", r#""value":"2","note":"y","provider":"each""#)];
    let sets = |machine: &InMemory| machine.commands().len() - 1;
    assert_eq!(apply(&machine, &resources).lines.len(), 2);
    assert_eq!(sets(&machine), 2);
    assert_eq!(machine.text("/etc/entries").unwrap(), "a=2=y\n");
}

#[test]
fn a_run_that_may_change_nothing_reads_and_does_not_set() {
    let machine = machine("a=1=\n");
    let noop = ApplySettings { noop: true, ..settings() };
    let lines = run(&machine, &noop, &entry("a", r#""value":"2""#)).lines;
    assert_eq!(lines[0], format!("Notice: {PATH}[a]/value: value changed '1' to '2' (noop)"));
    assert_eq!(machine.text("/etc/entries").unwrap(), "a=1=\n");
}

#[test]
fn a_provider_that_cannot_read_fails_all_its_resources() {
    let machine = machine("broken\n");
    let notify = |title: &str, more: &str| format!(r#"{{"type":"Notify","title":"{title}","parameters":{{{more}}}}}"#);
    let resources = [
        r#"{"type":"Schedule","title":"never","parameters":{"period":"never"}}"#.to_owned(),
        entry("skipped", r#""value":"1","schedule":"never""#),
        notify("between", ""),
        entry("a", r#""value":"1""#),
        entry("b", r#""value":"1""#),
        notify("z", r#""require":"Entry[b]""#),
    ];
    let run = apply(&machine, &resources);
    assert_eq!(
        run.lines,
        [
            "Error: Could not prefetch entry provider 'lines': /bin/entries says broken".to_owned(),
            "Notice: between".to_owned(),
            "Notice: /Stage[main]/Main/Notify[between]/message: defined 'message' as 'between'".to_owned(),
            format!("Warning: {PATH}[a]: Skipping because provider prefetch failed"),
            format!("Warning: {PATH}[b]: Skipping because provider prefetch failed"),
            "Notice: /Stage[main]/Main/Notify[z]: Dependency Entry[b] has failures: true".to_owned(),
            "Warning: /Stage[main]/Main/Notify[z]: Skipping because of failed dependencies".to_owned(),
            "Info: Class[Main]: Unscheduling all events on Class[Main]".to_owned(),
        ]
    );
    assert_eq!(machine.commands().len(), 1);
    let report = run.report.unwrap();
    let skipped = report.statuses.iter().find(|(info, _)| info.reference == "Entry[skipped]").unwrap();
    assert!(skipped.1.is_failed && skipped.1.is_skipped);
    assert_eq!(skipped.1.events[0].message, "Prefetch failed for entry provider 'lines'");
}

#[test]
fn rows_are_read_again_after_a_change_that_they_may_show() {
    let file = |path: &str, content: &str| {
        format!(r#"{{"type":"File","title":"{path}","parameters":{{"content":"{content}"}}}}"#)
    };
    let machine = machine("a=1=\nb=2=\n");
    let resources = [entry("a", r#""value":"1""#), file("/etc/other", "x"), entry("b", r#""value":"2""#)];
    apply(&machine, &resources);
    assert_eq!(machine.commands().len(), 1, "another file is no reason");

    let resources = [entry("a", r#""value":"1""#), file("/etc/entries", "b=3=\\n"), entry("b", r#""value":"2""#)];
    let lines = apply(&machine, &resources).lines;
    assert!(lines.contains(&format!("Notice: {PATH}[b]/value: value changed '3' to '2'")), "{lines:?}");
    assert_eq!(machine.text("/etc/entries").unwrap(), "b=2=\n");
}

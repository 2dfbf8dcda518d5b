//! Jobs on a machine in memory, whose program `crontab` keeps one table.

use pantin_machine::{Ended, InMemory, NewFile, Output, System as _};

use crate::transaction::testing::{run, settings};

const TABLE: &str = "/table";

fn machine(table: &str) -> InMemory {
    let said = |code, text: String| Output { ended: Ended::Code(code), text: text.into_bytes(), is_cut: false };
    InMemory::new().with_variable("PATH", "/bin").with_file(TABLE, table).with_program(
        "/bin/crontab",
        move |machine, command| match command.arguments.last().and_then(|last| last.to_str()) {
            Some("-l") => said(0, machine.text(TABLE).unwrap_or_default()),
            _ if String::from_utf8_lossy(&command.input).contains("refuse") => said(1, "bad minute".to_owned()),
            _ => {
                machine.replace(TABLE.as_ref(), &NewFile::new(&command.input, 0o600)).unwrap();
                said(0, String::new())
            }
        },
    )
}

fn job(title: &str, parameters: &str) -> String {
    format!(r#"{{"type":"Cron","title":"{title}","parameters":{{{parameters}}}}}"#)
}

fn table(machine: &InMemory) -> String {
    let text = machine.text(TABLE).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with("# HEADER")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_job_is_named_and_others_stay() {
    let machine = machine("5 5 * * * /bin/hand\n");
    let resources = [
        job("new", r#""command":"/bin/a","minute":[0,"30"],"weekday":"Mon","environment":"A=1""#),
        job("by hand", r#""command":"/bin/hand","minute":5,"hour":5"#),
    ];
    let said = run(&machine, &settings(), &resources.join(",")).lines;
    assert_eq!(said, ["Notice: /Stage[main]/Main/Cron[new]/ensure: created"]);
    assert_eq!(table(&machine), "5 5 * * * /bin/hand\n# Puppet Name: new\nA=1\n0,30 * * * 1 /bin/a\n");
    assert!(run(&machine, &settings(), &resources.join(",")).lines.is_empty());
}

#[test]
fn times_that_are_changed_are_told_one_by_one() {
    let machine = machine("# Puppet Name: a\n5 5 * * * /bin/a\n");
    let said =
        run(&machine, &settings(), &job("a", r#""command":"/bin/a","minute":6,"hour":"absent","month":2"#)).lines;
    let path = "Notice: /Stage[main]/Main/Cron[a]";
    assert_eq!(
        said,
        [
            format!("{path}/minute: minute changed ['5'] to ['6']"),
            format!("{path}/hour: undefined 'hour' from ['5']"),
            format!("{path}/month: defined 'month' as ['2']"),
        ]
    );
    assert_eq!(table(&machine), "# Puppet Name: a\n6 * * 2 * /bin/a\n");
}

#[test]
fn a_table_that_is_refused_is_a_failure() {
    let machine = machine("");
    let said = run(&machine, &settings(), &job("a", r#""command":"refuse""#)).lines;
    let failed = "Could not evaluate: Execution of '/bin/crontab -' returned 1: bad minute";
    assert!(said.iter().any(|line| line.ends_with(failed)), "{said:?}");
}

#[test]
fn jobs_that_no_catalog_names_are_removed() {
    let machine = machine(
        "# note\n5 5 * * * /bin/hand\n# Puppet Name: old\nA=1\n@daily /bin/old\n# Puppet Name: kept\n1 * * * * k\n",
    );
    let resources = [
        r#"{"type":"Resources","title":"cron","parameters":{"purge":true}}"#.to_owned(),
        job("kept", r#""command":"k","minute":1"#),
    ];
    run(&machine, &settings(), &resources.join(","));
    assert_eq!(table(&machine), "# note\n# Puppet Name: kept\n1 * * * * k\n");
}

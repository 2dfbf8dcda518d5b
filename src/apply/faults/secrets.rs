//! A secret is in nothing that a run says or records, whatever goes wrong.

use pantin_machine::{DiskError, Ended, Fault, FaultyMachine, InMemory, NewFile, Output, System};

use super::cases::Case;
use super::{MOST_STEPS, STATE, apply};

const SECRET: &str = "hunter2";

fn machine() -> InMemory {
    InMemory::new()
        .with_folder("/etc")
        .with_folder("/var")
        .with_folder("/proc")
        .with_file("/etc/password", "hunter2 of old\n")
        .with_program("/bin/set", |machine, command| {
            machine.replace("/etc/set".as_ref(), &NewFile::new(b"", 0o600)).unwrap();
            // A command may repeat what it was given.
            let said = command.arguments[0].to_string_lossy().into_owned();
            Output { ended: Ended::Code(0), text: said.into_bytes(), is_cut: false }
        })
        .with_program("/bin/refuse", |_, command| {
            let said = command.arguments[0].to_string_lossy().into_owned();
            Output { ended: Ended::Code(1), text: said.into_bytes(), is_cut: false }
        })
}

const CASE: Case = Case {
    name: "secrets",
    machine,
    resources: r#"
        {"type":"File","title":"/etc/password","parameters":{"content":"hunter2\n","mode":"0600"},"sensitive_parameters":["content"]},
        {"type":"File","title":"/etc/new","parameters":{"content":"hunter2 new\n","mode":"0600","audit":["content"]},"sensitive_parameters":["content"]},
        {"type":"Exec","title":"set","parameters":{"command":"/bin/set hunter2","creates":"/etc/set","logoutput":true},"sensitive_parameters":["command"]},
        {"type":"Exec","title":"refused","parameters":{"command":"/bin/refuse hunter2"},"sensitive_parameters":["command"]},
        {"type":"Notify","title":"said","parameters":{"message":"hunter2"},"sensitive_parameters":["message"]}"#,
    passing: &[],
    repeats: &[],
};

fn check_silence(machine: &InMemory, run: std::io::Result<crate::transaction::testing::TestRun>, when: &str) {
    match run {
        Ok(run) => {
            for line in &run.lines {
                assert!(!line.contains(SECRET), "{when}: {line}");
            }
            if let Some(report) = run.report {
                let report = report.to_yaml(machine).unwrap();
                assert!(!report.contains(SECRET), "{when}: {report}");
            }
        }
        Err(error) => assert!(!error.to_string().contains(SECRET), "{when}: {error}"),
    }
    for (path, line) in machine.tree().iter().filter(|(path, _)| path.starts_with(STATE)) {
        assert!(!line.contains(SECRET), "{when}: {}: {line}", path.display());
    }
}

#[test]
fn a_secret_is_in_no_line_report_state_or_journal_whatever_goes_wrong() {
    let machine = machine();
    let run = apply(&CASE, &machine);
    assert_eq!(machine.text("/etc/new").unwrap(), "hunter2 new\n");
    check_silence(&machine, run, "in a run without faults");

    let ending: fn(u64) -> Fault = Fault::EndAt;
    let failing: fn(u64) -> Fault = |place| Fault::FailAt(place, DiskError::NoSpace);
    let blind: fn(u64) -> Fault = |place| Fault::BlindAt(place, DiskError::Hardware);
    for fault in [ending, failing, blind, Fault::HangAt] {
        for place in 1..MOST_STEPS {
            let machine = (CASE.machine)();
            let faulty = FaultyMachine::new(&machine, fault(place));
            let run = apply(&CASE, &faulty);
            if !faulty.has_struck() {
                break;
            }
            check_silence(&machine, run, &format!("{:?}", fault(place)));
        }
    }
}

#[test]
fn a_file_with_a_secret_is_never_readable_by_others() {
    for place in 1..MOST_STEPS {
        let machine = (CASE.machine)();
        let faulty = FaultyMachine::new(&machine, Fault::EndAt(place));
        let _ = apply(&CASE, &faulty);
        if !faulty.has_struck() {
            break;
        }
        for (path, line) in machine.tree() {
            let is_new = line.contains(SECRET) && path != std::path::Path::new("/etc/password");
            assert!(!is_new || line.starts_with("file 600"), "step {place}: {}: {line}", path.display());
        }
    }
}

//! A call of the door fails, or a command hangs: every call in turn.

use pantin_machine::{DiskError, Fault, FaultyMachine};

use super::cases::{CASES, Case};
use super::{MOST_STEPS, apply, check_in_step, check_no_temporary, check_whole, goal, tree};

/// Tries a fault at every place, as long as it comes up. Returns how often it did.
fn walk(case: &Case, fault: impl Fn(u64) -> Fault, most_failures: usize) -> u64 {
    let goal = goal(case);
    for place in 1..MOST_STEPS {
        let machine = (case.machine)();
        let faulty = FaultyMachine::new(&machine, fault(place));
        let run = apply(case, &faulty);
        if !faulty.has_struck() {
            return place - 1;
        }
        let when = format!("after {:?}", fault(place));
        check_whole(case, &machine, &goal, &when);
        check_no_temporary(case, &machine, &when);
        if let Ok(run) = &run
            && let Some(report) = &run.report
        {
            let failed: Vec<&str> = report
                .statuses
                .iter()
                .filter(|(_, status)| status.has_failed())
                .map(|(info, _)| info.reference.as_str())
                .collect();
            assert!(failed.len() <= most_failures, "{}, {when}: {failed:?} failed", case.name);
        }
        let next = apply(case, &machine);
        assert!(next.is_ok(), "{}, {when}: {:?}", case.name, next.err());
        assert_eq!(tree(&machine), goal, "{}, {when}: {:?}", case.name, run.map(|run| run.lines));
        check_in_step(case, &machine, &when);
    }
    panic!("{}: no end", case.name);
}

#[test]
fn one_failed_change_fails_one_resource_and_leaves_files_whole() {
    for case in CASES {
        for error in DiskError::ALL {
            assert!(walk(case, |place| Fault::FailAt(place, error), 1) >= 2, "{}", case.name);
        }
    }
}

#[test]
fn one_failed_look_fails_one_resource_and_leaves_files_whole() {
    for case in CASES {
        for error in [DiskError::NoPermission, DiskError::Hardware] {
            assert!(walk(case, |place| Fault::BlindAt(place, error), 1) >= 4, "{}", case.name);
        }
    }
}

#[test]
fn a_command_that_hangs_ends_with_the_run_and_the_next_run_comes_to_the_end() {
    let case = CASES.iter().find(|case| case.name == "commands and refreshes").unwrap();
    assert!(walk(case, Fault::HangAt, 1) >= 4);
}

#[test]
fn a_disk_on_which_nothing_can_be_written_is_an_error_and_changes_nothing() {
    for case in CASES {
        for error in [DiskError::NoSpace, DiskError::ReadOnly] {
            let machine = (case.machine)();
            let before = machine.tree();
            let run = apply(case, &FaultyMachine::new(&machine, Fault::FailOn("/".into(), error)));
            assert!(run.is_err(), "{}: there is no place for the state", case.name);
            assert_eq!(machine.tree(), before, "{}", case.name);
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_fails_what_lies_in_it_alone() {
    let case = &CASES[0];
    for error in DiskError::ALL {
        let machine = (case.machine)();
        let run = apply(case, &FaultyMachine::new(&machine, Fault::FailOn("/etc/new".into(), error))).unwrap();
        let failed: Vec<String> = run
            .report
            .unwrap()
            .statuses
            .iter()
            .filter(|(_, status)| status.has_failed())
            .map(|(info, _)| info.reference.clone())
            .collect();
        assert_eq!(failed, ["File[/etc/new]"]);
        assert_eq!(machine.text("/etc/old").unwrap(), "newer content\n");
    }
}

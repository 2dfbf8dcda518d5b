//! The process ends at every step in turn.

use pantin_machine::{Fault, FaultyMachine, InMemory};

use super::cases::CASES;
use super::{MOST_STEPS, STATE, apply, check_in_step, check_no_temporary, check_whole, goal, settings, tree};
use crate::state::{Applied, TableAccess};

#[test]
fn after_a_crash_at_any_step_files_are_whole_and_the_next_run_comes_to_the_end() {
    for case in CASES {
        let goal = goal(case);
        let mut steps = 0;
        for step in 1..MOST_STEPS {
            let machine = (case.machine)();
            let faulty = FaultyMachine::new(&machine, Fault::EndAt(step));
            // A process that has ended reports nothing.
            let _ = apply(case, &faulty);
            if !faulty.has_struck() {
                break;
            }
            steps = step;
            let when = format!("after a crash at step {step}");
            check_whole(case, &machine, &goal, &when);
            let next = apply(case, &machine);
            assert!(next.is_ok(), "{}, {when}: {:?}", case.name, next.err());
            check_no_temporary(case, &machine, &when);
            assert_eq!(tree(&machine), goal, "{}, {when}", case.name);
            check_in_step(case, &machine, &when);
        }
        assert!((4..MOST_STEPS - 1).contains(&steps), "{}: {steps} steps", case.name);
    }
}

#[test]
fn a_second_crash_while_the_first_is_mended_does_no_harm() {
    let case = &CASES[0];
    let goal = goal(case);
    for first in (1..60).step_by(3) {
        for second in 1..60 {
            let machine = (case.machine)();
            let _ = apply(case, &FaultyMachine::new(&machine, Fault::EndAt(first)));
            let _ = apply(case, &FaultyMachine::new(&machine, Fault::EndAt(second)));
            let when = format!("after crashes at steps {first} and {second}");
            apply(case, &machine).unwrap();
            check_no_temporary(case, &machine, &when);
            assert_eq!(tree(&machine), goal, "{when}");
        }
    }
}

/// Returns who is owed a refresh, and because of whom, by the table and the journal.
fn owed(machine: &InMemory) -> Vec<(String, Vec<String>)> {
    let entry = format!("{}\n{}", settings().certname, settings().entry);
    let (applied, said) = Applied::open(machine, STATE.as_ref(), &entry, TableAccess::Write).unwrap();
    assert!(said.is_empty(), "{said:?}");
    applied.owed().map(|(target, sources)| (target.to_owned(), sources.to_vec())).collect()
}

#[test]
fn a_refresh_that_a_crash_took_is_owed() {
    let case = CASES.iter().find(|case| case.name == "commands and refreshes").unwrap();
    let (mut was_owed, mut was_made) = (0, 0);
    for step in 1..MOST_STEPS {
        let machine = (case.machine)();
        let faulty = FaultyMachine::new(&machine, Fault::EndAt(step));
        let _ = apply(case, &faulty);
        if !faulty.has_struck() {
            break;
        }
        let is_changed = machine.text("/etc/conf").is_some();
        let is_refreshed = machine.commands().iter().any(|command| command == "/bin/reload");
        let owed = owed(&machine);
        let is_owed = owed == [("Exec[reload]".to_owned(), vec!["File[/etc/conf]".to_owned()])];
        assert!(is_owed || owed.is_empty(), "{owed:?}");
        assert!(!is_changed || is_refreshed || is_owed, "the refresh is lost after step {step}");
        was_owed += u32::from(is_owed);
        was_made += u32::from(is_refreshed && !is_owed);
    }
    assert!(was_owed > 0 && was_made > 0);
}

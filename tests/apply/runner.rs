//! Runs a case on a fresh machine, and compares what came of it with what was recorded.

use similar::TextDiff;

use crate::apply_case::{Applier, ApplyCase, RunRecord};
use crate::log_text;
use crate::looks::Look;
use crate::machine::Machine;
use crate::report_text;
use crate::tree_text;
use crate::workspace::Workspace;

/// Runs a case with Pantin, in the words of both versions where they are not the same.
pub(crate) fn compare_with_pantin(case: &ApplyCase, workspace: &Workspace, look: Look) -> Result<(), String> {
    let mut appliers = vec![Applier::Pantin { words_of_7: false }];
    if case.expected_of_7.is_some() && case.differs.is_none() {
        appliers.push(Applier::Pantin { words_of_7: true });
    }
    for applier in appliers {
        let expected =
            case.expectation(applier).ok_or("nothing is recorded: PANTIN_SPEC=oracle cargo test --test apply")?;
        let found = run(case, workspace, applier, look)?;
        difference(&expected, &found)?;
    }
    Ok(())
}

/// Returns an error that shows what is not as expected, line by line.
pub(crate) fn difference(expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(TextDiff::from_lines(expected, found).unified_diff().context_radius(4).header("recorded", "now").to_string())
}

/// Runs a case, and renders what each run did.
pub(crate) fn run(case: &ApplyCase, workspace: &Workspace, applier: Applier, look: Look) -> Result<String, String> {
    let mut machine = Machine::start(workspace, case, applier)?;
    if case.before.is_some() {
        let code = machine.run("/bin/sh -e /case/before.sh >/case/said/before 2>&1")?;
        if code != 0 {
            let said = String::from_utf8_lossy(&machine.read("/case/said/before")).into_owned();
            return Err(format!("`sh before` ended with {code}: {said}"));
        }
    }
    let mut records = Vec::new();
    for (index, command) in case.runs.iter().enumerate() {
        if index > 0 && case.between.is_some() {
            machine.run(&format!("/bin/sh /case/between.sh {} >/case/said/between 2>&1", index + 1))?;
        }
        records.push(run_once(&mut machine, command, applier, look)?);
    }
    Ok(RunRecord::render(&records))
}

fn run_once(machine: &mut Machine, command: &str, applier: Applier, look: Look) -> Result<RunRecord, String> {
    let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
    let (program, words_of_7) = match applier {
        Applier::Pantin { words_of_7 } => ("pantin", if words_of_7 { "--puppet 7 " } else { "" }),
        Applier::Puppet7 | Applier::Puppet8 => ("puppet", ""),
    };
    let given = match name {
        "apply" => format!("{words_of_7}--modulepath /case/modules:/opt/modules /case/site.pp {arguments}"),
        _ => format!("{words_of_7}{arguments}"),
    };
    let tree_before = machine.tree();
    let report_before = report_text::find(machine.upper());
    let variable = look.variable();
    let code = machine.run(&format!("{variable}{program} {name} {given} >/case/said/out 2>/case/said/err"))?;
    let mut record = RunRecord { command: command.to_owned(), exit: code.to_string(), ..RunRecord::default() };
    record.out = log_text::lines(&machine.read("/case/said/out"));
    record.err = log_text::lines(&machine.read("/case/said/err"));
    let report = report_text::find(machine.upper());
    if let Some((path, _)) = report.as_ref().filter(|_| report != report_before) {
        record.report = report_text::lines(path);
    }
    record.tree = tree_text::changes(&tree_before, &machine.tree());
    Ok(record)
}

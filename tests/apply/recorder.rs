//! Asks the real Puppet what it does, and writes that into the documents, or compares it with them.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use crate::apply_case::{Applier, ApplyCase, shortened};
use crate::document::{Document, Recording};
use crate::looks::Look;
use crate::runner;
use crate::workspace::Workspace;

/// How often a case is asked again whose Ruby hung.
const ATTEMPTS: usize = 3;

/// Writes what both versions do into the documents.
pub(crate) fn record(arguments: &Arguments, documents: Vec<Document>, workspace: &Workspace) -> ExitCode {
    let mut failures = 0;
    for document in documents {
        let cases = chosen(arguments, &document);
        let answers: Vec<_> = cases.par_iter().map(|case| (case, recording(case, workspace))).collect();
        let mut recordings = Vec::new();
        for (case, answer) in answers {
            match answer {
                Ok(recording) => recordings.push(recording),
                Err(problem) => {
                    failures += 1;
                    println!("not written: {}: {problem}", document.trial_name(case));
                }
            }
        }
        if !recordings.is_empty() {
            println!("{}: {} cases", document.name, recordings.len());
            std::fs::write(&document.path, document.with_recordings(&recordings)).unwrap();
        }
    }
    ExitCode::from(u8::from(failures > 0))
}

fn recording(case: &ApplyCase, workspace: &Workspace) -> Result<Recording, String> {
    let by_7 = ask(case, workspace, Applier::Puppet7)?;
    let by_8 = ask(case, workspace, Applier::Puppet8)?;
    let by_7 = (by_7 != by_8).then(|| shortened(&by_7, &by_8));
    Ok(Recording { heading: case.heading.clone(), by_8, by_7 })
}

fn ask(case: &ApplyCase, workspace: &Workspace, applier: Applier) -> Result<String, String> {
    let mut answer = runner::run(case, workspace, applier, Look::Usual);
    for _ in 1..ATTEMPTS {
        if answer.is_ok() {
            break;
        }
        answer = runner::run(case, workspace, applier, Look::Usual);
    }
    answer
}

/// Compares what both versions do with what is written.
pub(crate) fn check(arguments: &Arguments, documents: &[Document], workspace: &Workspace) -> ExitCode {
    let mut cases: Vec<(String, ApplyCase)> = Vec::new();
    for document in documents {
        // What is not recorded says nothing that could be compared.
        let recorded = chosen(arguments, document).into_iter().filter(|case| case.expected.is_some());
        cases.extend(recorded.map(|case| (document.trial_name(&case), case)));
    }
    let cases = sample(cases);
    let count = cases.len();
    let differences: Vec<String> = cases
        .into_par_iter()
        .flat_map(|(name, case)| {
            [Applier::Puppet7, Applier::Puppet8].map(|applier| (name.clone(), case.clone(), applier))
        })
        .filter_map(|(name, case, applier)| {
            let expected = case.expectation(applier).unwrap_or_default();
            let answer = ask(&case, workspace, applier);
            let problem = answer.and_then(|found| runner::difference(&expected, &found)).err()?;
            Some(format!("{name}: {applier:?}:\n{problem}"))
        })
        .collect();
    differences.iter().for_each(|difference| println!("{difference}"));
    println!("{count} cases were asked of both versions, {} answers differ", differences.len());
    ExitCode::from(u8::from(!differences.is_empty()))
}

/// Writes what Pantin does, into the cases in which it is meant to differ.
pub(crate) fn bless(arguments: &Arguments, documents: Vec<Document>, workspace: &Workspace) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for document in documents {
        let mut records = Vec::new();
        for case in chosen(arguments, &document).into_iter().filter(|case| case.differs.is_some()) {
            match runner::run(&case, workspace, Applier::Pantin { words_of_7: false }, Look::Usual) {
                Ok(record) => records.push((case.heading, record)),
                Err(problem) => {
                    println!("{}: {}: {problem}", document.name, case.heading);
                    code = ExitCode::FAILURE;
                }
            }
        }
        if !records.is_empty() {
            std::fs::write(&document.path, document.with_own_records(&records)).unwrap();
        }
    }
    code
}

/// Returns the cases that the filter names; with `PANTIN_SPEC_NEW` only those that are not recorded yet.
fn chosen(arguments: &Arguments, document: &Document) -> Vec<ApplyCase> {
    let is_new_only = std::env::var_os("PANTIN_SPEC_NEW").is_some();
    let is_chosen = |case: &&ApplyCase| {
        let name = document.trial_name(case);
        let matches = arguments.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()));
        let is_skipped = arguments.skip.iter().any(|skip| name.contains(skip.as_str()));
        matches && !is_skipped && case.lacks.is_none() && (!is_new_only || case.expected.is_none())
    };
    document.cases.iter().filter(is_chosen).cloned().collect()
}

/// Returns as many of the cases as `PANTIN_SPEC_SAMPLE` says, chosen by `PANTIN_SEED`.
fn sample(mut cases: Vec<(String, ApplyCase)>) -> Vec<(String, ApplyCase)> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let Some(count) = number("PANTIN_SPEC_SAMPLE") else { return cases };
    let seed = number("PANTIN_SEED").unwrap_or_default();
    cases.sort_by_key(|(name, _)| order_of(seed, name));
    cases.truncate(usize::try_from(count).unwrap());
    cases
}

/// Mixes a seed and a name (FNV-1a), so that another seed gives another order.
pub(crate) fn order_of(seed: u64, name: &str) -> u64 {
    let bytes = seed.to_le_bytes();
    let mixed = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().chain(name.as_bytes()).fold(0xcbf2_9ce4_8422_2325, mixed)
}

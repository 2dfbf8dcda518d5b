//! Cases run again in other ways of looking: whether files are read ahead on all threads or each in its turn, and whatever happens to them
//! in between, a run has to do the same.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use libtest_mimic::Trial;

use crate::apply_case::ApplyCase;
use crate::document::Document;
use crate::recorder::order_of;
use crate::runner;
use crate::workspace::Workspace;

/// How a run looks at files before the first resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    /// As it does for people.
    Usual,
    /// Each file is read in its turn.
    InTurn,
    /// All are read ahead, and believed: they are old enough.
    Ahead,
    /// All are read ahead while they say something else; they are put back before the first turn.
    Disturbed,
}

/// The programs that a run calls before and after it reads ahead.
pub(crate) const PROGRAMS: [(&str, &str); 2] =
    [("/case/look-ahead", include_str!("look-ahead.sh")), ("/case/look-disturbed", include_str!("look-disturbed.sh"))];

/// So many cases are run by the gate in each way; `PANTIN_APPLY_LOOKS=all` runs all.
const SAMPLE: usize = 12;

/// They wait most of the time, for files to be old enough.
const AT_ONCE: usize = 8;

impl Look {
    /// The variable by which a run is told, in front of its command.
    pub(crate) fn variable(self) -> &'static str {
        match self {
            Look::Usual => "",
            Look::InTurn => "PANTIN_TEST_READ_AHEAD=never ",
            Look::Ahead => "PANTIN_TEST_READ_AHEAD=/case/look-ahead ",
            Look::Disturbed => "PANTIN_TEST_READ_AHEAD=/case/look-disturbed ",
        }
    }

    /// Returns true if a case can be run this way.
    fn fits(self, case: &ApplyCase) -> bool {
        // Who disturbs a file changes its times, and what a run tells of them.
        let tells_times = case.manifest.contains("ctime") || case.manifest.contains("audit");
        self != Look::Disturbed || !tells_times
    }
}

/// Returns a trial for each way.
pub(crate) fn trials(documents: &[Document], workspace: Option<&Arc<Workspace>>) -> Vec<Trial> {
    let wants_all = std::env::var("PANTIN_APPLY_LOOKS").is_ok_and(|wish| wish == "all");
    let seed = std::env::var("PANTIN_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_default();
    let ways = [
        (Look::InTurn, "files that are each read in their turn"),
        (Look::Ahead, "files that are read ahead"),
        (Look::Disturbed, "files that are disturbed while they are read ahead"),
    ];
    let trial = |(look, what): (Look, &str)| {
        let name = format!("look: {what}");
        let Some(workspace) = workspace.cloned() else {
            return Trial::test(name, || Ok(())).with_ignored_flag(true);
        };
        let cases = cases(documents, look, (!wants_all).then_some(seed));
        Trial::test(name, move || compare(&cases, look, &workspace).map_err(Into::into))
    };
    ways.into_iter().map(trial).collect()
}

/// Returns the cases that are run in a way: all, or a sample by a seed of those that say anything of files.
fn cases(documents: &[Document], look: Look, seed: Option<u64>) -> Vec<(String, ApplyCase)> {
    let named = documents
        .iter()
        .flat_map(|document| document.cases.iter().map(move |case| (document.trial_name(case), case.clone())));
    let mut cases: Vec<(String, ApplyCase)> =
        named.filter(|(_, case)| case.lacks.is_none() && case.is_recorded() && look.fits(case)).collect();
    if let Some(seed) = seed {
        cases.retain(|(_, case)| !case.boots && case.manifest.contains("file {"));
        cases.sort_by_key(|(name, _)| order_of(seed, name));
        cases.truncate(SAMPLE);
    }
    cases
}

/// Runs cases, several at once. The error tells of all that do something else.
fn compare(cases: &[(String, ApplyCase)], look: Look, workspace: &Workspace) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some((name, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(difference) = runner::compare_with_pantin(case, workspace, look) {
                wrong.lock().unwrap().push(format!("{name}:\n{difference}"));
            }
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    match wrong.len() {
        0 => Ok(()),
        count => Err(format!("{count} of {} cases:\n{}", cases.len(), wrong.join("\n"))),
    }
}

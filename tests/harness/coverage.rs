//! Every signature of a core function, and every issue of the evaluator, has a spec that comes to it.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use pantin::{builtins, eval};

use super::document::{Document, Mode};
use super::issues;
use super::spec;

/// Signatures that no example can call, as `name/place`, and why. May only shrink.
const UNCALLED: [(&str, &str); 0] = [];

/// Issues that no example provokes, and why. May only shrink.
const UNPROVOKED: [(&str, &str); 0] = [];

/// Runs all examples of evaluation by itself, so that neither order nor filters of the trials matter.
pub(super) fn trial(documents: &'static [Document]) -> Trial {
    Trial::test("coverage: a spec calls every signature and provokes every issue of the evaluator", || {
        let evaluated = documents.iter().flat_map(Document::examples).filter(|section| section.mode == Mode::Evaluate);
        let provoked: BTreeSet<&str> = evaluated.flat_map(spec::codes_provoked).collect();
        issues::problem(eval::issue::CODES, &provoked, &UNPROVOKED).map_err(Failed::from)?;
        let uncalled: Vec<String> = builtins::all()
            .all()
            .into_iter()
            .flat_map(|known| known.never_called().map(|place| format!("{}/{place}", known.declared.name)))
            .filter(|name| !UNCALLED.iter().any(|(excused, _)| excused == name))
            .collect();
        if uncalled.is_empty() {
            return Ok(());
        }
        Err(Failed::from(format!(
            "{} signatures have no spec that calls them:\n{}",
            uncalled.len(),
            uncalled.join("\n")
        )))
    })
}

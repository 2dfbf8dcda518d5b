//! Every issue code has a spec that provokes it.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use pantin::syntax::Issue;

use super::document::{Document, Mode};
use super::spec;

/// Codes that no document can provoke, and why. May only shrink.
const OUT_OF_REACH: [(&str, &str); 1] = [("SOURCE_TOO_LARGE", "needs a source of more than 1 GiB")];

/// Runs all examples by itself, so that neither order nor filters of the trials matter.
pub(super) fn trial(documents: &'static [Document]) -> Trial {
    Trial::test("issues: a spec provokes every code", || {
        let parsed = documents.iter().flat_map(Document::examples).filter(|section| section.mode == Mode::Parse);
        let provoked: BTreeSet<&str> = parsed.flat_map(spec::codes_provoked).collect();
        problem(Issue::CODES, &provoked, &OUT_OF_REACH).map_err(Failed::from)
    })
}

pub(super) fn problem(codes: &[&str], provoked: &BTreeSet<&str>, excused: &[(&str, &str)]) -> Result<(), String> {
    let codes: BTreeSet<&str> = codes.iter().copied().collect();
    let excused: BTreeSet<&str> = excused.iter().map(|(code, _)| *code).collect();
    let missing: Vec<&str> =
        codes.iter().filter(|code| !provoked.contains(*code) && !excused.contains(*code)).copied().collect();
    let needless: Vec<&str> =
        excused.into_iter().filter(|code| provoked.contains(code) || !codes.contains(code)).collect();
    if !missing.is_empty() {
        return Err(format!(
            "{} codes of src/syntax/issue.rs have no spec, write one for each:\n{}",
            missing.len(),
            missing.join("\n")
        ));
    }
    if !needless.is_empty() {
        return Err(format!("take these from OUT_OF_REACH in tests/harness/issues.rs: {}", needless.join(", ")));
    }
    Ok(())
}

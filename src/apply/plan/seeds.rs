//! The resources with which a partial run begins, by what is known of each from the last runs.

use super::SeedReason;
use crate::state::{Outcome, Row};

/// What is known of a resource now.
pub(crate) struct SeedInputs<'s> {
    /// Names what is desired; `None` if that is known only in its turn.
    pub digest: Option<&'s str>,
    /// Another version of Pantin wrote the table.
    pub is_other_build: bool,
}

/// Returns why a resource is a seed, by its row: in the order in which a person would name the reasons.
pub(crate) fn reason_of_row(row: Option<&Row>, now: &SeedInputs<'_>) -> Option<SeedReason> {
    let Some(row) = row.filter(|row| !row.digest.is_empty()) else { return Some(SeedReason::Added) };
    let Some(digest) = now.digest else { return Some(SeedReason::NotKnownBefore) };
    match row.outcome {
        Outcome::UnderWay => return Some(SeedReason::UnderWay),
        _ if row.digest != digest && now.is_other_build => return Some(SeedReason::OtherBuild),
        _ if row.digest != digest => return Some(SeedReason::Changed),
        Outcome::RefreshUnderWay => return Some(SeedReason::RefreshUnderWay),
        Outcome::Failed => return Some(SeedReason::Failed),
        Outcome::FailedToRestart => return Some(SeedReason::FailedToRestart),
        Outcome::SkippedForFailure => return Some(SeedReason::SkippedForFailure),
        Outcome::Unknown => return Some(SeedReason::Unknown),
        Outcome::InStep | Outcome::Changed | Outcome::KeptAway => {}
    }
    (!row.owed.is_empty()).then(|| SeedReason::OwesRefresh(row.owed.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(row: &Row, digest: &str) -> Option<SeedReason> {
        reason_of_row(Some(row), &SeedInputs { digest: Some(digest), is_other_build: false })
    }

    #[test]
    fn what_is_as_it_was_and_in_step_is_no_seed() {
        let row = |outcome| Row { digest: "d".into(), outcome, ..Row::unknown("File[/a]") };
        assert_eq!(reason(&row(Outcome::InStep), "d"), None);
        assert_eq!(reason(&row(Outcome::InStep), "e"), Some(SeedReason::Changed));
        assert_eq!(reason(&row(Outcome::Failed), "d"), Some(SeedReason::Failed));
        let owing = Row { owed: vec!["File[/b]".into()], ..row(Outcome::Changed) };
        assert_eq!(reason(&owing, "d"), Some(SeedReason::OwesRefresh(vec!["File[/b]".into()])));
        // A journal may know only the name of a resource.
        assert_eq!(reason(&Row::unknown("File[/a]"), "d"), Some(SeedReason::Added));
        assert_eq!(reason_of_row(None, &SeedInputs { digest: None, is_other_build: false }), Some(SeedReason::Added));
    }
}

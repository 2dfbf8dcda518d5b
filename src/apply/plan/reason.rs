//! Why a resource is applied by a partial run, in words for people.

/// Why a resource is a seed: the edit, or what is known of it, asks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SeedReason {
    Added,
    Changed,
    /// Its last turn failed.
    Failed,
    FailedToRestart,
    SkippedForFailure,
    /// Something that was done later has put it out of step, or another manifest has applied it.
    Unknown,
    /// It was under way when a run ended.
    UnderWay,
    /// Its refresh was under way when a run ended.
    RefreshUnderWay,
    /// Its place in the walk and that of another one, which it meets, have changed.
    Order(String),
    /// A refresh was lost because of these.
    OwesRefresh(Vec<String>),
    /// What is desired is known only when its turn comes.
    NotKnownBefore,
    /// Another version of Pantin carried it out.
    OtherBuild,
}

impl SeedReason {
    /// Returns true if a command that runs once for each description runs again.
    pub(crate) fn runs_again(&self) -> bool {
        !matches!(self, SeedReason::OwesRefresh(_) | SeedReason::RefreshUnderWay)
    }

    pub(crate) fn text(&self) -> String {
        match self {
            SeedReason::Added => "added".to_owned(),
            SeedReason::Changed => "changed".to_owned(),
            SeedReason::Failed => "failed in the last run".to_owned(),
            SeedReason::FailedToRestart => "could not be refreshed in the last run".to_owned(),
            SeedReason::SkippedForFailure => "skipped in the last run, because a dependency failed".to_owned(),
            SeedReason::Unknown => "unknown: something may have changed it since its last turn".to_owned(),
            SeedReason::UnderWay => "unknown: it was under way when a run ended".to_owned(),
            SeedReason::RefreshUnderWay => "unknown: its refresh was under way when a run ended".to_owned(),
            SeedReason::Order(other) => format!("its order with {other} has changed"),
            SeedReason::OwesRefresh(because) => format!("owes a refresh because of {}", because.join(", ")),
            SeedReason::NotKnownBefore => "what it should be is known only when it is applied".to_owned(),
            SeedReason::OtherBuild => "another version of Pantin applied it".to_owned(),
        }
    }
}

/// Who made a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeOrigin {
    /// The vertex of this number.
    ThisRun(u32),
    /// A resource of a run before, which may have left the catalog.
    EarlierRun,
}

/// Why a resource that is no seed is looked at, asked or refreshed; each names the other resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Because {
    Seed,
    /// It comes before a seed, or before what a seed may refresh.
    Before(u32),
    /// Events of this run wait for it.
    Told,
    /// What was changed may show in it.
    Meets(ChangeOrigin),
    /// It waits for what was changed.
    Behind(u32),
    /// It stands in the same class or defined resource, later.
    SameContainer(u32),
    /// All checks behind a change are run.
    BehindAll,
    /// It is made by another resource that is applied.
    MadeBy(u32),
    /// Drift is looked for everywhere.
    Drift,
}

//! What a partial run does, or would do, for people and programs.

/// What a partial run has done, or what a plan says that it would do.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Plan {
    /// What the edit asks for, each with the reason.
    pub seeds: Vec<PlannedResource>,
    /// What is looked at, asked or refreshed besides, each with the reason.
    pub looked_at: Vec<PlannedResource>,
    /// What would be changed, as it is and as it should be.
    pub changes: Vec<PlannedChange>,
    /// How many resources nothing is done with.
    pub left_alone: u32,
    /// What left the catalog and is still there.
    pub removed: Vec<String>,
    /// What is removed from the machine.
    pub pruned: Vec<String>,
    /// What is known only when it is applied, each with the reason.
    pub unknown: Vec<PlannedResource>,
    /// Whose checks were run.
    pub checks_run: Vec<String>,
    /// Why the run is a full one although a partial one was asked for.
    pub full_because: Option<String>,
    /// More would be removed than may be in one run, so nothing was.
    pub has_too_many_removals: bool,
    /// What others have changed, where that was looked for and not mended.
    pub drifted: Vec<String>,
    /// Something waits for a refresh, or for its checks.
    pub has_more_to_do: bool,
}

/// A resource and why it is in a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedResource {
    pub resource: String,
    pub because: String,
}

/// A property that would be changed, in the words of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedChange {
    pub resource: String,
    pub property: String,
    pub is: String,
    pub should: String,
}

impl Plan {
    /// Returns true if a run would do something.
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty() || !self.pruned.is_empty() || self.has_more_to_do
    }
}

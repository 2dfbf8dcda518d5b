//! What a run is asked to apply, as plain data.

/// Which resources a run applies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scope {
    /// Only what changed since the last run, and what follows from it.
    pub is_partial: bool,
    /// Everything, although only what changed was asked for.
    pub is_full: bool,
    /// Makes refreshes that earlier runs lost.
    pub makes_owed: bool,
    /// Runs the checks of everything behind a change, wherever it stands.
    pub asks_all: bool,
    pub drift: Option<DriftMode>,
    pub prune: Option<Prune>,
    pub max_removals: u32,
    /// Changes nothing, writes nothing, and finds out what a run would do.
    pub is_plan: bool,
    /// Runs checks also in order to plan.
    pub plans_checks: bool,
    /// A plan of everything that tells what is out of step, but for what looking cannot tell.
    pub is_verification: bool,
}

impl Scope {
    /// Returns a look at everything, which changes nothing.
    pub fn verification() -> Scope {
        Scope { is_plan: true, plans_checks: true, is_verification: true, ..Scope::default() }
    }

    /// Returns a run of what changed.
    pub fn partial() -> Scope {
        Scope { is_partial: true, makes_owed: true, max_removals: MAX_REMOVALS, ..Scope::default() }
    }
}

/// More is not removed in one run unless somebody says so.
pub const MAX_REMOVALS: u32 = 10;

/// What becomes of changes that others have made on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DriftMode {
    /// They are told.
    Look,
    /// They are undone.
    Mend,
}

/// Which resources are removed from the machine that left the catalog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prune {
    /// All but packages and users.
    Usual,
    /// Those of these types, in lower case.
    Types(Vec<String>),
}

impl Prune {
    /// Returns true if resources of a type are removed.
    pub(crate) fn includes(&self, type_name: &str) -> bool {
        let type_name = type_name.to_lowercase();
        match self {
            Prune::Usual => !["package", "user"].contains(&type_name.as_str()),
            Prune::Types(types) => types.contains(&type_name),
        }
    }
}

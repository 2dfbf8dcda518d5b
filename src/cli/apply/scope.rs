//! The options that say which resources a run applies: only what changed, what it owes, what others have changed.

use clap::{Args, ValueEnum};
use pantin_apply::{DriftMode, MAX_REMOVALS, Prune, Scope};
use pantin_repository::options::OpenError;

/// The options of runs that apply less than everything, or more.
#[derive(Debug, Args)]
pub(crate) struct ScopeArguments {
    /// Apply only what changed since the last run, and what follows from it
    #[arg(long)]
    changed: bool,

    /// Apply everything, although --changed is given: it makes refreshes that are owed as well
    #[arg(long)]
    full: bool,

    /// Make the refreshes that earlier runs lost. --changed implies it
    #[arg(long)]
    owed: bool,

    /// With --changed, whose checks are run: those that the change can concern by its place, or all behind a change
    #[arg(long, value_name = "WHOM", default_value = "near")]
    ask: AskScope,

    /// With --changed, look for what others have changed on the machine: tell it, or undo it
    #[arg(long, value_name = "WHAT")]
    drift: Option<Drift>,

    /// Remove what Pantin made and what has left the catalog since, where it is as Pantin left it: of these types, or of all but packages
    /// and users
    #[arg(long, value_name = "TYPE[,TYPE]…", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    prune: Option<String>,

    /// After a run with --changed, look at everything and say what a full run would still change
    #[arg(long, requires = "changed")]
    verify: bool,

    /// Read all files, also those whose stamps (inode, size and times) are as the last run left them
    #[arg(long = "no-stamps")]
    no_stamps: bool,

    /// Remove nothing if it would be more
    #[arg(long = "max-removals", value_name = "NUMBER", default_value_t = MAX_REMOVALS)]
    max_removals: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum AskScope {
    Near,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Drift {
    Look,
    Mend,
}

impl ScopeArguments {
    /// Returns what a run is asked to apply.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            is_partial: self.changed,
            is_full: self.full,
            makes_owed: self.owed || self.changed,
            asks_all: self.ask == AskScope::All,
            drift: self.drift.map(|drift| match drift {
                Drift::Look => DriftMode::Look,
                Drift::Mend => DriftMode::Mend,
            }),
            prune: self.prune.as_deref().map(|types| match types {
                "" => Prune::Usual,
                types => Prune::Types(types.split(',').map(|name| name.trim().to_lowercase()).collect()),
            }),
            max_removals: self.max_removals,
            ..Scope::default()
        }
    }

    /// Returns true if everything is looked at after the run.
    pub(super) fn verifies(&self) -> bool {
        self.verify
    }

    /// Returns true if the stamps of files say nothing.
    pub(super) fn reads_all_files(&self) -> bool {
        self.no_stamps
    }

    /// Returns true if only what changed is applied.
    pub(super) fn is_partial(&self) -> bool {
        self.changed && !self.full
    }

    /// Refuses what says how a partial run goes, where there is none.
    pub(super) fn check_partial(&self) -> Result<(), OpenError> {
        let option = match () {
            () if self.changed => return Ok(()),
            () if self.full => "--full",
            () if self.ask == AskScope::All => "--ask all",
            () if self.drift.is_some() => "--drift",
            () => return Ok(()),
        };
        Err(OpenError::Usage(format!("{option} goes with --changed: a run without it applies everything")))
    }

    /// Refuses types that cannot be removed.
    pub(super) fn check(&self) -> Result<(), OpenError> {
        let Some(Prune::Types(types)) = self.scope().prune else { return Ok(()) };
        match types.iter().find(|name| !pantin_apply::is_removable(name)) {
            Some(name) => Err(OpenError::Usage(format!("--prune={name}: resources of this type cannot be removed"))),
            None => Ok(()),
        }
    }
}

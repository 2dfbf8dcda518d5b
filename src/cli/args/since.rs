//! Both sides of `--since`: a revision of git, and the working tree.

use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::comparison::{SideNames, open_sides};
use pantin_repository::options::{MainManifest, OpenError};
use pantin_values::Str;

use super::cache::CacheArguments;
use super::repository::{RepositoryArguments, settle_exports};
use crate::print::console_log::ConsoleLog;

/// A repository that is open, its store too, with the nodes that are meant.
pub(crate) type OpenedFleet = (Repository, Vec<Str>);

/// Opens the revision and the working tree for the nodes that fit these patterns, and says what there is to say of either.
pub(crate) fn open_since(
    revision: &str,
    arguments: &RepositoryArguments,
    cache: &CacheArguments,
    patterns: &[String],
    console: &ConsoleLog,
) -> Result<[OpenedFleet; 2], OpenError> {
    let options = arguments.options(MainManifest::Configured)?;
    let names = SideNames { from: Some(revision), to: None };
    let [from, to] = open_sides(&names, [&options, &options], &cache.options())?.map(|opened| {
        for remark in &opened.remarks {
            console.say(Level::Warning, remark).map_err(|error| error.to_string())?;
        }
        let repository = opened.side.into_repository().ok_or_else(|| {
            OpenError::Usage(format!("{revision} is saved catalogs: nobody knows what they were made from"))
        })?;
        console.remarks(&repository.compiler.world.remarks);
        open_fleet(repository, patterns)
    });
    Ok([from?, to?])
}

/// Chooses the nodes, opens the store, and compiles what they collect from each other.
pub(crate) fn open_fleet(mut repository: Repository, patterns: &[String]) -> Result<OpenedFleet, OpenError> {
    let names = repository.named_nodes(patterns)?;
    repository.open_store();
    settle_exports(&mut repository, &names)?;
    Ok((repository, names))
}

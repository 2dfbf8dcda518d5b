//! Both sides of `--since`: a revision of git, and the working tree.

use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::comparison::{SideInputs, SideNames, open_sides};
use pantin_repository::options::{MainManifest, OpenError};
use pantin_values::Str;

use super::cache::CacheArguments;
use super::repository::{RepositoryArguments, settle_exports};
use crate::print::console_log::ConsoleLog;

/// A repository that is open, its store too, with the nodes that are meant.
pub(crate) type OpenedFleet = (Repository, Vec<Str>);

/// Opens the revision and the working tree for the nodes that fit these patterns, and says what there is to say of either. `inputs`:
/// where the facts of the revision come from.
pub(crate) fn open_since(
    revision: &str,
    inputs: SideInputs,
    arguments: &RepositoryArguments,
    cache: &CacheArguments,
    patterns: &[String],
    console: &ConsoleLog,
) -> Result<[OpenedFleet; 2], OpenError> {
    let options = arguments.options(MainManifest::Configured)?;
    let names = SideNames { from: Some(revision), to: None, inputs };
    let [from, to] = open_sides(&names, [&options, &options], &cache.options())?.map(|opened| {
        for remark in &opened.remarks {
            console.say(Level::Warning, remark).map_err(|error| error.to_string())?;
        }
        for module in &opened.modules {
            console.say(Level::Warning, &module.sentence()).map_err(|error| error.to_string())?;
        }
        let repository = opened.side.into_repository().ok_or_else(|| {
            OpenError::Usage(format!("{revision} is saved catalogs: nobody knows what they were made from"))
        })?;
        console.remarks(&repository.compiler.world.remarks);
        Ok::<_, OpenError>(repository)
    });
    let (from, to) = (from?, open_fleet(to?, patterns)?);
    let from = match inputs {
        SideInputs::Shared => open_fleet(from, patterns)?,
        // A node may be new.
        SideInputs::OfEachSide => {
            let names = from.named_nodes(patterns).unwrap_or_default();
            open_fleet_of(from, names)?
        }
    };
    Ok([from, to])
}

/// Chooses the nodes, opens the store, and compiles what they collect from each other.
pub(crate) fn open_fleet(repository: Repository, patterns: &[String]) -> Result<OpenedFleet, OpenError> {
    let names = repository.named_nodes(patterns)?;
    open_fleet_of(repository, names)
}

fn open_fleet_of(mut repository: Repository, names: Vec<Str>) -> Result<OpenedFleet, OpenError> {
    repository.open_store();
    settle_exports(&mut repository, &names)?;
    Ok((repository, names))
}

//! Where an example meets the compiler of catalogs. The one place to change when its interface changes.

use super::example::{Example, Version};
use super::rendering;
use super::said::Said;

/// A catalog's JSON as a block `catalog` has it: to be read, or as it stands.
pub(super) fn shown(json: &str, as_it_stands: bool) -> Result<String, String> {
    if as_it_stands { Ok(json.to_owned()) } else { rendering::render(json) }
}

/// What Pantin says.
pub(super) fn compile(_: &Example, version: Version) -> Result<Said, String> {
    Err(format!("Pantin does not yet compile the catalog of a whole node, for Puppet {}", version.digit()))
}

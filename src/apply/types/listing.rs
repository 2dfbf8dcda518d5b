//! How all resources of a type are found on a machine, without a catalog.

use pantin_machine::Reading;
use pantin_values::Value;

use super::{package, service};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Observation;
use crate::provider::ProviderEntry;

/// How all resources of a type are found.
pub(crate) enum Listing {
    /// The provider of this machine lists them.
    Provided(fn(&dyn Reading) -> Option<&'static ProviderEntry>),
    Found(fn(&ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure>),
    /// There is none but in catalogs.
    Nothing,
}

/// A resource that was found.
pub(crate) struct ListedResource {
    pub name: String,
    /// What tells where it was found.
    pub parameters: Vec<(&'static str, Value)>,
    /// Its properties, where they were found in the same go.
    pub state: Option<Observation>,
}

/// Returns how resources of a type are found; nothing if they cannot be.
pub(crate) fn listing(type_name: &str) -> Option<Listing> {
    match type_name {
        "package" => Some(Listing::Provided(package::provider_entry)),
        "service" => Some(Listing::Found(service::list)),
        "exec" => Some(Listing::Nothing),
        _ => None,
    }
}

//! From a catalog's resource to one that can be applied: attributes checked and converted, in Puppet's words.

mod attribute;
mod build;
mod draft;
mod info;
mod metaparameters;
mod values;

pub use attribute::AttributeRule;
pub(crate) use attribute::{Feature, Pattern, munging_failed};
pub(crate) use build::{Built, Completeness, build, is_surely_taken};
pub use draft::Draft;
pub(crate) use draft::Judge;
pub use info::{Metaparameters, ResourceInfo};
pub use values::AttributeValues;

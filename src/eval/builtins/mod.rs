//! The core functions, one family a file.
//!
//! A function is declared as data ([`Builtin`]): its signatures as Puppet writes them, a line of
//! documentation, and the code of each signature. Dispatch, the texts of errors, `pantin doc` and
//! the editor all read that one declaration.

mod annotations;
mod case;
mod catalog;
mod collections;
mod control;
mod defined;
mod digests;
pub mod extlib;
mod files;
pub(crate) mod injection;
mod iteration;
mod iterators;
mod logging;
mod lookup;
mod matching;
pub(crate) mod navigation;
mod numbers;
mod older;
mod order;
mod regsubst;
pub mod stdlib;
mod strip;
mod templates;
mod text;
mod tree;
mod types;

pub use digests::checksum;
pub use injection::injection_function;

use std::sync::LazyLock;

use crate::{Builtin, Builtins};
use stdlib::KnownFiles;

static FAMILIES: &[&[Builtin]] = &[
    annotations::FUNCTIONS,
    case::FUNCTIONS,
    collections::FUNCTIONS,
    control::FUNCTIONS,
    digests::FUNCTIONS,
    files::FUNCTIONS,
    iteration::FUNCTIONS,
    iterators::FUNCTIONS,
    logging::FUNCTIONS,
    matching::FUNCTIONS,
    navigation::FUNCTIONS,
    numbers::FUNCTIONS,
    order::FUNCTIONS,
    regsubst::FUNCTIONS,
    strip::FUNCTIONS,
    text::FUNCTIONS,
    catalog::FUNCTIONS,
    defined::FUNCTIONS,
    lookup::FUNCTIONS,
    templates::FUNCTIONS,
    tree::FUNCTIONS,
    types::FUNCTIONS,
];

static ALL: LazyLock<Builtins> = LazyLock::new(|| with_stdlib_files(KnownFiles::published()));

/// Returns all core functions.
pub fn all() -> &'static Builtins {
    &ALL
}

/// The core functions, and those of stdlib where the module has one of these files.
pub fn with_stdlib_files(known: KnownFiles) -> Builtins {
    Builtins::new(FAMILIES, stdlib::names(), known)
}

#[cfg(test)]
mod tests {
    use super::{all, stdlib};
    use crate::unencoded;

    #[test]
    fn what_is_known_of_functions_and_bytes_is_of_functions_that_are_there() {
        let is_there = |name: &str| all().get(name).is_some() || stdlib::names().any(|known| known == name);
        let missing: Vec<&str> = unencoded::function_names().filter(|name| !is_there(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

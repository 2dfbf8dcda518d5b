//! The core functions, one family a file.
//!
//! A function is declared as data ([`Builtin`]): its signatures as Puppet writes them, a line of
//! documentation, and the code of each signature. Dispatch, the texts of errors, `pantin doc` and
//! the editor all read that one declaration.

mod collections;
mod control;
mod iteration;
mod iterators;
mod logging;
mod navigation;
mod order;
mod tree;
mod types;

use std::sync::LazyLock;

use crate::eval::{Builtin, Builtins};

static FAMILIES: &[&[Builtin]] = &[
    collections::FUNCTIONS,
    control::FUNCTIONS,
    iteration::FUNCTIONS,
    iterators::FUNCTIONS,
    logging::FUNCTIONS,
    navigation::FUNCTIONS,
    order::FUNCTIONS,
    tree::FUNCTIONS,
    types::FUNCTIONS,
];

static ALL: LazyLock<Builtins> = LazyLock::new(|| Builtins::new(FAMILIES));

/// All core functions.
pub fn all() -> &'static Builtins {
    &ALL
}

//! The core functions, one family a file.
//!
//! A function is declared as data ([`Builtin`]): its signatures as Puppet writes them, a line of
//! documentation, and the code of each signature. Dispatch, the texts of errors, `pantin doc` and
//! the editor all read that one declaration.

mod case;
mod control;
mod digests;
mod files;
mod iteration;
mod iterators;
mod logging;
mod matching;
mod numbers;
mod older;
mod regsubst;
mod strip;
mod text;
mod tree;

use std::sync::LazyLock;

use crate::eval::{Builtin, Builtins};

static FAMILIES: &[&[Builtin]] = &[
    control::FUNCTIONS,
    iteration::FUNCTIONS,
    iterators::FUNCTIONS,
    logging::FUNCTIONS,
    tree::FUNCTIONS,
    case::FUNCTIONS,
    digests::FUNCTIONS,
    files::FUNCTIONS,
    matching::FUNCTIONS,
    numbers::FUNCTIONS,
    regsubst::FUNCTIONS,
    strip::FUNCTIONS,
    text::FUNCTIONS,
];

static ALL: LazyLock<Builtins> = LazyLock::new(|| Builtins::new(FAMILIES));

/// All core functions.
pub fn all() -> &'static Builtins {
    &ALL
}

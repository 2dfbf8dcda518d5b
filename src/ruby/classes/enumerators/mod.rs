//! Enumerators that code makes itself, those that are lazy, and the next element of one.

mod generator;
mod lazy;
mod next;

use super::enumerable;
use crate::native::Table;
pub(crate) use generator::Source;
pub(crate) use lazy::{Lazy, lazy_text};

pub(super) fn tables() -> Vec<Table> {
    [generator::TABLES, lazy::TABLES, next::TABLES].concat()
}

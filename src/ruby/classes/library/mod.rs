//! Libraries of Ruby that have classes or modules of their own.

mod cgi;
mod open_struct;
mod pathname;

use super::{file, libraries};
use crate::ruby::native::Table;
pub(super) use open_struct::keeps_own_methods;

pub(super) fn tables() -> Vec<Table> {
    [cgi::TABLES, open_struct::TABLES, pathname::TABLES].concat()
}

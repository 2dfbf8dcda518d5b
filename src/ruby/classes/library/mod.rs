//! Libraries of Ruby that have classes or modules of their own.

mod cgi;
mod delegating;
mod open_struct;
mod pathname;
pub(super) mod standard_error;
mod timeout;

use super::{file, libraries};
use crate::native::Table;
pub(super) use open_struct::keeps_own_methods;

pub(super) fn tables() -> Vec<Table> {
    [cgi::TABLES, delegating::TABLES, open_struct::TABLES, pathname::TABLES, standard_error::TABLES, timeout::TABLES]
        .concat()
}

//! URIs stand-in.

use crate::pcore::{Fault, Uri, Value};

pub(super) fn equal(left: &Uri, right: &Uri) -> bool {
    left == right
}

pub(super) fn join(_left: &Uri, _right: &str) -> Result<Value, Fault> {
    Err(Fault::limit("URIs cannot be joined"))
}

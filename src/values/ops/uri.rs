//! Operators on URIs.

use std::sync::Arc;

use crate::scalar::ScalarError;
use crate::{Fault, Uri, Value};

pub(super) fn equal(left: &Uri, right: &Uri) -> bool {
    left == right
}

/// Where a URI, absolute or relative, leads to from another one.
pub(super) fn join(left: &Uri, right: &str) -> Result<Value, Fault> {
    match left.merge_text(right) {
        Ok(uri) => Ok(Value::Uri(Arc::new(uri))),
        Err(ScalarError::Limit(message)) => Err(Fault::limit(message)),
        Err(error) => Err(Fault::new(error.to_string())),
    }
}

//! A path as a key, compared as text: `Path` hashes and compares component by component, which is slow where a table is asked
//! thousands of times for each catalog.

use std::borrow::Borrow;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::Path;

#[derive(Clone, Debug)]
pub struct LiteralPath<P>(pub P);

impl<P: AsRef<Path>> Borrow<OsStr> for LiteralPath<P> {
    fn borrow(&self) -> &OsStr {
        self.0.as_ref().as_os_str()
    }
}

impl<P: AsRef<Path>> Hash for LiteralPath<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ref().as_os_str().hash(state);
    }
}

impl<P: AsRef<Path>> PartialEq for LiteralPath<P> {
    fn eq(&self, other: &LiteralPath<P>) -> bool {
        self.0.as_ref().as_os_str() == other.0.as_ref().as_os_str()
    }
}

impl<P: AsRef<Path>> Eq for LiteralPath<P> {}

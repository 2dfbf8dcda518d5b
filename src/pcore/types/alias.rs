//! A name given to a type, in which it may stand itself.

use std::sync::OnceLock;

use super::Type;
use crate::pcore::Str;

/// An alias is made before its type is worked out, so that the type can speak of the alias.
/// A recursive alias therefore holds itself, and lives as long as the process: there are few of them.
pub struct Alias {
    name: Str,
    resolved: OnceLock<Type>,
}

impl Alias {
    pub fn new(name: impl Into<Str>) -> Alias {
        Alias { name: name.into(), resolved: OnceLock::new() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it stands for; `None` while that is being worked out.
    pub fn resolved(&self) -> Option<&Type> {
        self.resolved.get()
    }

    /// Says what it stands for, once.
    pub fn resolve(&self, to: Type) {
        // A second resolution is of the same definition, and says the same.
        let _ = self.resolved.set(to);
    }
}

/// By name: an alias that holds itself has no end.
impl std::fmt::Debug for Alias {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl PartialEq for Alias {
    fn eq(&self, other: &Alias) -> bool {
        std::ptr::eq(self, other) || self.name == other.name
    }
}

impl Eq for Alias {}

impl std::hash::Hash for Alias {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

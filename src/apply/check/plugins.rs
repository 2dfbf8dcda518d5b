//! What modules bring for types of the agent: providers, and other versions of types that the agent's package has from modules.
//!
//! Must not know where modules are.

use std::sync::Arc;

use pantin_base::hex::hex;
use pantin_model::catalog::Resource;
use pantin_model::catalog::kinds;
use sha2::{Digest as _, Sha256};

/// Whoever knows what modules bring.
pub trait ModulePlugins {
    /// Returns true if some module has a provider of this name for a type, or if nobody knows.
    fn has_provider(&self, type_name: &str, name: &str) -> bool;

    /// Returns the file in which a module declares a type of this name; `None` if there is none.
    fn type_file(&self, type_name: &str) -> Option<Vec<u8>>;

    /// Returns how often what the modules bring was edited: what was found of resources before counts for nothing.
    fn edits(&self) -> u64 {
        0
    }

    /// Returns what judges resources of a type that a module declares, if anything does.
    fn module_type(&self, name: &str) -> Option<Arc<dyn ModuleType>> {
        let _ = name;
        None
    }

    /// Returns true if a module declares a type of this name, or if nobody knows.
    fn has_type(&self, type_name: &str) -> bool {
        self.type_file(type_name).is_some()
    }
}

/// A type of a module, whose own code says what its resources take.
pub trait ModuleType: Send + Sync {
    /// Names the type as it is now. Never zero.
    fn number(&self) -> u64;

    /// Returns why the agent would refuse a resource, in its words. `None`: it takes it, or nobody knows.
    fn refusal(&self, resource: &Resource) -> Option<String>;
}

/// No module brings anything.
#[derive(Clone, Copy, Debug)]
pub struct NoModulePlugins;

impl ModulePlugins for NoModulePlugins {
    fn has_provider(&self, _: &str, _: &str) -> bool {
        false
    }

    fn type_file(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

/// Modules may bring any provider: a name that is not known is not judged.
#[derive(Clone, Copy, Debug)]
pub struct AnyModulePlugins;

impl ModulePlugins for AnyModulePlugins {
    fn has_provider(&self, _: &str, _: &str) -> bool {
        true
    }

    fn has_type(&self, _: &str) -> bool {
        true
    }

    fn type_file(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

/// The files of the types of modules whose checks are those of here, by the first half of their SHA-256.
const COMPARED: &[(&str, &str)] = &[
    ("augeas", "1b8fe183607c21efb9a3a6431a8644d1"),
    ("augeas", "d7b7e3072abec6ba2473451eb788c651"),
    ("cron", "6d53e6173f6fdc2279145885ddd7a952"),
    ("host", "14418128103d61706528b132a97bb075"),
    ("host", "e0d448a5835a12a2565d309b348ed071"),
    ("mailalias", "dddd3956b653e978ea3d19ac5da486cc"),
    ("mount", "0939199693c7c8f3bfe76c4dce93b626"),
    ("mount", "390592eead2cfc249009e0f932d2357b"),
    ("selboolean", "ad0328e6556fdee9d96e8f88f757a46d"),
    ("selmodule", "4d94ca0f8021eca141d8412bfb26608f"),
    ("ssh_authorized_key", "694d7468678ebe894fa022b7f4f38f9c"),
    ("sshkey", "1583904b917788b8f8a80304089c8971"),
    ("sshkey", "c0f00e286c10ed0e26193b37e23d56db"),
    ("yumrepo", "d6cdc0f0eab044ddd7f97ec017e87640"),
];

/// Returns true if a module declares the type in a version whose checks may be others.
pub(super) fn is_other_version(type_name: &str, modules: &dyn ModulePlugins) -> bool {
    if kinds::native(type_name).is_none_or(|native| native.module().is_none()) {
        return false;
    }
    let Some(file) = modules.type_file(type_name) else { return false };
    let digest: String = hex(&Sha256::digest(&file)[..16]);
    !COMPARED.contains(&(type_name, digest.as_str()))
}

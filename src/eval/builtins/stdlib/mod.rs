//! The functions of the module puppetlabs-stdlib, version 8 and 9, one family a file.
//!
//! They stand in for the files in Ruby that the module has: a function is there only where its file is, and which of
//! the two behaviours it has is a matter of what that says ([`KnownFiles`]). Whoever loads functions looks for both.

mod addresses;
mod booleans;
mod commands;
mod deprecation;
mod files;
mod hashes;
mod kinds;
mod legacy;
mod lists;
mod loading;
mod numbers;
mod ordering;
mod outside;
mod passwords;
mod paths;
mod predicates;
mod random;
mod resources;
mod ruby;
mod shell;
mod shims;
mod successors;
mod text_sets;
mod texts;
mod toml;
mod validation;
mod writing;

use std::sync::LazyLock;

use pantin_values::signature::Api;

use crate::{Builtin, Builtins, RegisteredFunction};
pub use files::{Behaviour, KnownFiles, digest_of_code};

/// Those that both versions have.
static BOTH: &[&[Builtin]] = &[
    addresses::FUNCTIONS,
    booleans::FUNCTIONS,
    commands::FUNCTIONS,
    hashes::FUNCTIONS,
    kinds::FUNCTIONS,
    lists::FUNCTIONS,
    loading::FUNCTIONS,
    numbers::FUNCTIONS,
    outside::FUNCTIONS,
    passwords::FUNCTIONS,
    paths::FUNCTIONS,
    random::FUNCTIONS,
    resources::FUNCTIONS,
    shell::FUNCTIONS,
    texts::FUNCTIONS,
];

static EIGHT: &[&[Builtin]] = &[
    deprecation::OLD,
    hashes::OLD,
    kinds::OLD,
    legacy::OLD,
    lists::OLD,
    loading::OLD,
    outside::OLD,
    passwords::OLD,
    predicates::OLD,
    random::OLD,
    resources::OLD,
    shell::OLD,
    texts::OLD,
    validation::OLD,
    writing::OLD,
];

static NINE: &[&[Builtin]] = &[
    deprecation::NEW,
    hashes::NEW,
    kinds::NEW,
    legacy::NEW,
    lists::NEW,
    loading::NEW,
    outside::NEW,
    passwords::NEW,
    random::NEW,
    resources::NEW,
    shell::NEW,
    shims::NEW,
    texts::NEW,
    writing::NEW,
];

/// Of earlier versions only what depends on Puppet's own or on the server's environment, and has stayed the same: their Ruby
/// code is run.
static EARLIER: &[&[Builtin]] = &[deprecation::OLD, resources::EARLIER];

static SIX: &[&[Builtin]] = &[deprecation::OLD, resources::SINCE_6_4];

/// The functions of one version: those of the older and of the newer kind are in files of their own, and may share a
/// name.
#[derive(Debug)]
pub struct Functions {
    /// Of the version whose behaviour they have.
    major: u32,
    newer: Builtins,
    older: Builtins,
}

impl Functions {
    fn new(major: u32, own: &'static [&'static [Builtin]]) -> Functions {
        Functions::from_major(major, BOTH.iter().chain(own))
    }

    fn from_major(major: u32, families: impl Iterator<Item = &'static &'static [Builtin]> + Clone) -> Functions {
        let of =
            |api: Api| Builtins::from_functions(families.clone().copied().flatten().filter(move |one| one.api == api));
        Functions { major, newer: of(Api::Typed), older: of(Api::Untyped) }
    }

    pub fn major(&self) -> u32 {
        self.major
    }

    pub fn get(&self, api: Api, name: &str) -> Option<&RegisteredFunction> {
        match api {
            Api::Typed => self.newer.get(name),
            Api::Untyped => self.older.get(name),
        }
    }

    /// In the order of their names, the newer kind first.
    pub fn all(&self) -> impl Iterator<Item = &RegisteredFunction> {
        self.newer.all().into_iter().chain(self.older.all())
    }
}

static OF_8: LazyLock<Functions> = LazyLock::new(|| Functions::new(8, EIGHT));
static OF_9: LazyLock<Functions> = LazyLock::new(|| Functions::new(9, NINE));
static SINCE_4_24: LazyLock<Functions> = LazyLock::new(|| Functions::from_major(4, EARLIER.iter()));
static SINCE_6_4: LazyLock<Functions> = LazyLock::new(|| Functions::from_major(6, SIX.iter()));

/// The names of the functions of all versions.
pub fn names() -> impl Iterator<Item = &'static str> {
    BOTH.iter().chain(EIGHT).chain(NINE).copied().flatten().map(|function| function.name)
}

/// Returns the functions of a version of the module that are known natively, whatever its files say.
pub fn functions_for_version(version: &str) -> Option<&'static Functions> {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    match (parts.next().unwrap_or_default(), parts.next().unwrap_or_default()) {
        (8, _) => Some(&OF_8),
        (9, _) => Some(&OF_9),
        (7, _) | (6, 4..) => Some(&SINCE_6_4),
        (5 | 6, _) | (4, 24..) => Some(&SINCE_4_24),
        _ => None,
    }
}

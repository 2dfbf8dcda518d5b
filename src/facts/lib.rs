//! Facts of a machine: core facts, which are read natively, external ones, which files and programs tell, and those of the
//! environment. Each value is the one that Facter gives on the same machine.
//!
//! ```text
//! collect.rs        which facts there are, which of them are meant, and which of two of one name counts
//! configuration.rs  what `facter.conf` says
//! core/             the core facts: one file for each kind
//! probe.rs          looks at a machine, or at a tree
//! external/         files and programs of `facts.d`, and variables `FACTER_…`
//! render/           facts as text, JSON and YAML
//! ```
//!
//! Must not know the evaluator, and how facts get into a catalog.

mod collect;
mod configuration;
mod core;
mod external;
mod found;
mod probe;
mod render;
mod units;

use pantin_base::Language;

pub use self::collect::{FactSet, Timing, collect_core};
pub use self::configuration::Configuration;
pub use self::core::host_name::HostName;
pub use self::external::{EXTERNAL_TIME_LIMIT, ExternalFacts, Programs, default_folders, read_external};
pub use self::probe::Tree;
pub use self::render::{SingleFact, to_json, to_text, to_yaml};

/// Returns the version of Facter whose facts these are: the one that comes with the release that is followed.
pub fn facter_version(language: Language) -> &'static str {
    match language {
        Language::Puppet7 => "4.3.0",
        Language::Puppet8 => "4.10.0",
        Language::OpenVox8 => "5.6.1",
    }
}

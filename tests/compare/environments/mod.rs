//! Environments made at random, compiled for a node by Pantin and by the real Puppet: catalog, log and error must be
//! equal. What differs is made as small as it goes.

mod generate;
mod said;

use super::programs::{self, Subject};

/// The outer error is one of usage; the inner one says that there is no oracle.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    let subject = Subject {
        name: "environments",
        make: &generate::environment,
        question: said::question,
        of_oracle: said::of_oracle,
        of_pantin: said::of_pantin,
        known: &said::KNOWN,
    };
    programs::run_subject(&subject, arguments)
}

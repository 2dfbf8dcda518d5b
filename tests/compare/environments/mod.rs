//! Environments made at random, compiled for a node by Pantin and by the real Puppet: catalog, log and error must be
//! equal. What differs is made as small as it goes.

mod document;
mod known;

use super::programs::{self, Subject};
use super::random::environment::environment;

/// The outer error is one of usage; the inner one says that there is no oracle.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    let subject = Subject {
        name: "environments",
        make: &environment,
        question: document::question,
        of_oracle: document::of_oracle,
        of_pantin: document::of_pantin,
        known: &known::KNOWN,
    };
    programs::run_subject(&subject, arguments)
}

//! The differences that are meant: why, and the spec that shows each.

use super::super::programs::known::Known;

/// At most ten.
pub(super) static KNOWN: [Known; 2] = [
    Known {
        why: "an error of Ruby's for a value that no code of Puppet is ready for",
        spec: "language/deliberate.md: Errors of Ruby",
        is: |_, theirs, ours| ours.result.is_err() && theirs.error().contains("undefined method `"),
    },
    Known {
        why: "break() in the block of a node: the name of a class of Ruby, and no place",
        spec: "catalogs/definitions.md: In the block of a node",
        is: |_, theirs, ours| {
            theirs.error().starts_with("Puppet::Pops::Evaluator::PuppetStopIteration on node")
                && ours.error().starts_with("break() from context where this is illegal")
        },
    },
];

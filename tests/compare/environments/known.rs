//! The differences that are meant: why, and the spec that shows each.

use super::super::programs::known::Known;

/// At most ten.
pub(super) static KNOWN: [Known; 1] = [Known {
    why: "an error of Ruby's for a value that no code of Puppet is ready for",
    spec: "language/deliberate.md: Errors of Ruby",
    is: |_, theirs, ours| ours.result.is_err() && theirs.error().contains("undefined method `"),
}];

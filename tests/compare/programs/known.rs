//! The differences that are meant: why, and the spec that shows each.

use super::super::said::Said;

pub(in super::super) struct Known {
    pub(in super::super) why: &'static str,
    /// A spec's document and heading; or where it is written down, if no spec can show it.
    pub(in super::super) spec: &'static str,
    /// The program, what Puppet says, what Pantin says.
    pub(in super::super) is: fn(&str, &Said, &Said) -> bool,
}

/// At most fifteen.
pub(super) static KNOWN: [Known; 9] = [
    Known {
        why: "Ruby's own way to show an object, with its address and its members",
        spec: "language/deliberate.md: Objects of Ruby in messages",
        is: |_, theirs, _| {
            theirs.error().contains("#<Puppet::") || theirs.log.iter().any(|line| line.contains("#<Puppet::"))
        },
    },
    Known {
        why: "help that Ruby adds to errors of its own: a piece of its code, names that may be meant",
        spec: "language/deliberate.md: Help of Ruby for those who read its code",
        is: |_, theirs, ours| {
            let (theirs, ours) = (theirs.error(), ours.error());
            theirs != ours && without_help(theirs) == ours
        },
    },
    Known {
        why: "an error of Ruby's for a value that no code of Puppet is ready for",
        spec: "language/deliberate.md: Errors of Ruby",
        is: |_, theirs, ours| {
            let theirs = theirs.error();
            ours.result.is_err()
                && [
                    "undefined method `",
                    "uninitialized constant ",
                    "wrong number of arguments (",
                    "no implicit conversion of ",
                    "can't convert ",
                ]
                .iter()
                .any(|text| theirs.contains(text))
        },
    },
    Known {
        why: "a program that makes Ruby itself fail",
        spec: "language/deliberate.md: Programs that make Ruby fail",
        is: |_, theirs, ours| theirs.is_crash && !ours.is_crash,
    },
    Known {
        why: "an integer of so many digits that the error alone would fill the screen many times",
        spec: "src/base/limits.rs: NUMBER_DIGITS",
        is: |_, theirs, ours| {
            theirs.error().contains("Puppet Integer max range") && ours.error().contains("shift width too big")
        },
    },
    Known {
        why: "an integer that 64 bits do not hold",
        spec: "language/deliberate.md: Integers beyond 64 bits",
        is: |_, _, ours| ours.error().contains(" is outside of Puppet Integer range"),
    },
    Known {
        why: "the pattern of all URIs, which is a screen long",
        spec: "language/deliberate.md: The pattern of URIs",
        is: |_, theirs, ours| {
            let start = "URI-Type parameter has wrong type";
            [start, "bad URI(is not URI?)"].iter().any(|text| theirs.error().contains(text))
                && ours.error().contains(start)
        },
    },
    Known {
        why: "what needs a catalog",
        spec: "language/deliberate.md: What needs a catalog",
        is: |_, _, ours| ours.error().contains("which is not supported yet"),
    },
    Known {
        why: "the time of the request",
        spec: "none can hold a time",
        is: |source, theirs, ours| {
            let now = |said: &Said| said.log.iter().any(|line| line.contains("(String format, [String timezone])"));
            (now(theirs) && now(ours)) || NOW.iter().any(|call| source.contains(call))
        },
    },
];

/// Which of them a difference is.
pub(super) fn known(of: &[Known], source: &str, theirs: &Said, ours: &Said) -> Option<usize> {
    of.iter().position(|known| (known.is)(source, theirs, ours))
}

/// An error of Ruby's without what stands between its text and its place.
fn without_help(error: &str) -> String {
    let Some(at) = ["\n\n", "\nDid you mean?"].iter().filter_map(|mark| error.find(mark)).min() else {
        return error.to_owned();
    };
    let place = error.rfind(" (line:").filter(|place| *place > at).unwrap_or(error.len());
    format!("{}{}", &error[..at], &error[place..])
}

/// Calls that ask the clock.
const NOW: [&str; 4] = ["Timestamp()", "Timestamp.new()", "(Timestamp).new()", "new(Timestamp)"];

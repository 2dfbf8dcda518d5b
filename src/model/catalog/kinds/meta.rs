//! Types that say something about the catalog itself, and the one that says something to people.

use super::declaration::{Declaration, PLAIN};

pub(super) static TYPES: &[Declaration] = &[
    Declaration { name: "component", summary: "What a class or a defined type becomes for the agent.", ..PLAIN },
    Declaration {
        name: "notify",
        summary: "A message in the agent's log.",
        properties: "message",
        parameters: "withpath name*",
        ..PLAIN
    },
    Declaration {
        name: "resources",
        summary: "What is done about the resources of a type that no catalog names.",
        parameters: "name* purge unless_system_user unless_uid",
        ..PLAIN
    },
    Declaration {
        name: "schedule",
        summary: "The times at which resources may be applied.",
        parameters: "name* range periodmatch period repeat weekday",
        ..PLAIN
    },
    Declaration { name: "stage", summary: "A stage of the run, which classes are put into.", ..PLAIN },
    Declaration { name: "whit", summary: "Where a container begins or ends, in the agent's graph.", ..PLAIN },
];

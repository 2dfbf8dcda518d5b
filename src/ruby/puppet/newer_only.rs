//! Core functions that Ruby code can call in the newer way alone: `scope.call_function('split', …)`.
//!
//! Each is there in the older way too, as `scope.function_split`, where it counts its arguments and then says so.

use super::function::wrong_count;
use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;

/// By name, with how many arguments each takes: a negative number counts as Ruby's arity does.
const NEWER_ONLY: &[(&str, i64)] = &[
    ("assert_type", -3),
    ("binary_file", 1),
    ("break", 0),
    ("defined", -2),
    ("dig", -1),
    ("each", -3),
    ("epp", -2),
    ("filter", -3),
    ("find_file", -2),
    ("hiera", -2),
    ("hiera_array", -2),
    ("hiera_hash", -2),
    ("hiera_include", -2),
    ("inline_epp", -2),
    ("lest", -2),
    ("lookup", -2),
    ("map", -3),
    ("match", 2),
    ("new", -1),
    ("next", -2),
    ("reduce", -3),
    ("regsubst", -4),
    ("return", -2),
    ("reverse_each", -1),
    ("slice", -3),
    ("split", 2),
    ("step", -1),
    ("strftime", -3),
    ("then", -2),
    ("type", -1),
    ("with", -1),
];

/// The core functions that Ruby code can call in both ways.
const OLDER: [&str; 29] = [
    "alert",
    "contain",
    "create_resources",
    "crit",
    "debug",
    "digest",
    "emerg",
    "err",
    "fail",
    "file",
    "fqdn_rand",
    "generate",
    "include",
    "info",
    "inline_template",
    "md5",
    "notice",
    "realize",
    "require",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "sprintf",
    "tag",
    "tagged",
    "template",
    "versioncmp",
    "warning",
];

/// Returns true if the scope has a method for a core function.
pub fn is_older_function(name: &str) -> bool {
    OLDER.contains(&name) || NEWER_ONLY.iter().any(|(known, _)| *known == name)
}

/// Fails where the function is one of these.
pub(super) fn check(interp: &mut Interp<'_>, name: &str, given: usize) -> Flow<()> {
    let Some((_, arity)) = NEWER_ONLY.iter().find(|(known, _)| *known == name) else { return Ok(()) };
    if let Some(message) = wrong_count(name, *arity, given) {
        return interp.raise(Core::ArgumentError, message);
    }
    let message = format!("{name}() can only be called using the 4.x function API. See Scope#call_function");
    interp.raise(Core::PuppetParseError, message)
}

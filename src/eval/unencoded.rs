//! What core functions make of texts in no encoding. Most work with letters of UTF-8; the others are named here.

use pantin_base::stack;
use pantin_values::{Hash, Value, unencoded};

use super::calls::{Args, Caller};
use super::function::Overload;
use super::machine::Machine;
use super::stop::Flow;

/// They hand on what they are given, or ask for no more than whether it is equal to something.
const HANDED_ON: &[&str] = &[
    "all",
    "any",
    "any2array",
    "assert_type",
    "bool2str",
    "break",
    "call",
    "concat",
    "count",
    "create_resources",
    "deep_merge",
    "delete_undef_values",
    "delete_values",
    "difference",
    "dig",
    "each",
    "ensure_resource",
    "ensure_resources",
    "epp",
    "filter",
    "flatten",
    "fqdn_rotate",
    "get",
    "getvar",
    "group_by",
    "hash",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "index",
    "inline_epp",
    "intersection",
    "keys",
    "lest",
    "lookup",
    "map",
    "member",
    "merge",
    "new",
    "next",
    "partition",
    "pick",
    "pick_default",
    "reduce",
    "return",
    "reverse_each",
    "shuffle",
    "slice",
    "stdlib::sort_by",
    "stdlib::to_yaml",
    "step",
    "then",
    "to_yaml",
    "tree_each",
    "union",
    "unwrap",
    "values",
    "values_at",
    "with",
    "zip",
    // These take bytes.
    "base64",
    "digest",
    "md5",
    "sha1",
    "sha256",
];

/// A text that they make of one in no encoding is one, too; `true`: and they hand on what is in a container.
const FOLLOWING: &[(&str, bool)] = &[
    ("basename", false),
    ("camelcase", false),
    ("capitalize", false),
    ("chomp", false),
    ("chop", false),
    ("delete", true),
    ("delete_at", true),
    ("delete_regex", true),
    ("dirname", false),
    ("dos2unix", false),
    ("downcase", false),
    ("grep", true),
    ("lstrip", false),
    ("match", false),
    ("max", true),
    ("min", true),
    ("range", false),
    ("regsubst", false),
    ("reverse", true),
    ("rstrip", false),
    ("shell_escape", false),
    ("sort", true),
    ("split", false),
    ("squeeze", false),
    ("stdlib::shell_escape", false),
    ("strip", false),
    ("suffix", false),
    ("swapcase", false),
    ("unique", true),
    ("unix2dos", false),
    ("upcase", false),
];

/// They make one text of several, the first of which is the first argument or in it.
const JOINING: &[&str] = &["join", "sprintf"];

/// They count letters, or go through them.
const COUNTING: &[&str] = &["empty", "length", "size"];

/// All functions that are named here.
#[cfg(test)]
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    HANDED_ON.iter().chain(JOINING).chain(COUNTING).copied().chain(FOLLOWING.iter().map(|(name, _)| *name))
}

impl Machine<'_> {
    /// Runs a core function of whose arguments some are texts in no encoding.
    #[cold]
    pub(super) fn run_among_bytes(
        &mut self,
        overload: &Overload,
        name: &'static str,
        args: &mut Args,
        caller: Caller<'_>,
    ) -> Flow {
        if HANDED_ON.contains(&name) {
            return self.run_builtin(overload, name, args, caller);
        }
        let following = FOLLOWING.iter().find(|(known, _)| *known == name);
        let given = args.first().cloned().unwrap_or_default();
        match following {
            Some((_, true)) if !given.is_unencoded() => self.run_builtin(overload, name, args, caller),
            Some(_) => {
                let made = self.run_by_letters(overload, name, args, caller)?;
                Ok(following_of(&given, made)?)
            }
            None if JOINING.contains(&name) => match self.run_by_letters(overload, name, args, caller)? {
                Value::String(letters) => Ok(unencoded::join_letters(letters, begins_unencoded(&given))?),
                other => Ok(other),
            },
            None if COUNTING.contains(&name) => self.run_by_letters(overload, name, args, caller),
            None => {
                *args = unencoded::all_in_utf8(args, || format!("The function '{name}'"))?.into();
                self.run_builtin(overload, name, args, caller)
            }
        }
    }

    fn run_by_letters(&mut self, overload: &Overload, name: &'static str, args: &mut Args, caller: Caller<'_>) -> Flow {
        args.iter_mut().for_each(|arg| *arg = arg.in_letters().into_owned());
        self.run_builtin(overload, name, args, caller)
    }
}

/// Returns true if the first text in it is in no encoding.
fn begins_unencoded(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.first().is_some_and(|first| stack::with_room(|| begins_unencoded(first))),
        other => other.is_unencoded(),
    }
}

/// What was made of a value by its letters: of a list, each of its items of one.
fn following_of(given: &Value, made: Value) -> Flow {
    Ok(match (given, made) {
        (Value::Unencoded(_), made) => unencoded::join_all_letters(made)?,
        (Value::Array(given), Value::Array(made)) if given.len() == made.len() => {
            let each = |(given, made): (&Value, &Value)| stack::with_room(|| following_of(given, made.clone()));
            Value::Array(given.iter().zip(made.iter()).map(each).collect::<Flow<Vec<_>>>()?.into())
        }
        (Value::Hash(given), Value::Hash(made)) if given.len() == made.len() => {
            let each = |(given, (key, made)): (&Value, (&Value, &Value))| {
                Ok((key.clone(), stack::with_room(|| following_of(given, made.clone()))?))
            };
            Value::Hash(given.values().zip(made.iter()).map(each).collect::<Flow<Hash>>()?)
        }
        (_, made) => made,
    })
}

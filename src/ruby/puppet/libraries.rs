//! Puppet's own files, as `require` names them: there, and with nothing to be run.

/// Returns true if Puppet itself has a file of this name. What it defines is built in here, or an error where it is
/// used.
pub(crate) fn is_own_library(name: &str) -> bool {
    name.starts_with("puppet") && include_str!("libraries.txt").lines().any(|known| known == name)
}

//! The files of accounts, where a resource keeps to them, and what only they say.

use std::path::Path;

use pantin_machine::{Reading, Stop, SystemQuery};

use crate::failure::Failure;

/// No file of accounts is larger.
const LARGEST: u64 = 256 << 20;

pub(super) const PASSWD: &str = "/etc/passwd";
pub(super) const GROUP: &str = "/etc/group";

/// Reads a file of accounts, one entry a line.
pub(super) fn lines(path: &str, machine: &dyn Reading) -> Option<Vec<Vec<String>>> {
    let bytes = machine.read(Path::new(path), LARGEST).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect())
}

/// Finds the entry whose field is this one, in a file that has to be there.
pub(super) fn local_entry(
    path: &str,
    (field, wanted): (usize, &str),
    (type_name, name): (&str, &str),
    machine: &dyn Reading,
) -> Result<Option<Vec<String>>, Failure> {
    let entries = lines(path, machine).ok_or_else(|| {
        Failure::new(format!("Forcelocal set for {type_name} resource '{name}', but {path} does not exist"))
    })?;
    Ok(entries.into_iter().find(|entry| entry.get(field).is_some_and(|value| value == wanted)))
}

/// Returns true if the machine keeps the entries of a database in its file alone.
fn is_in_file(database: &str, machine: &dyn Reading) -> bool {
    let Ok(bytes) = machine.read(Path::new("/etc/nsswitch.conf"), LARGEST) else { return true };
    let text = String::from_utf8_lossy(&bytes);
    let sources = text.lines().find_map(|line| line.trim().strip_prefix(database)?.trim_start().strip_prefix(':'));
    let is_plain = |source: &str| ["files", "compat", "systemd"].contains(&source);
    sources.is_none_or(|sources| sources.split('#').next().unwrap_or_default().split_whitespace().all(is_plain))
}

/// Returns all entries of a database of accounts, wherever the machine keeps them, in its order.
fn all(database: &'static str, machine: &dyn Reading, stop: &Stop) -> Vec<Vec<String>> {
    if is_in_file(database, machine)
        && let Some(entries) = lines(&format!("/etc/{database}"), machine)
    {
        return entries;
    }
    asked(database, None, machine, stop)
}

/// Returns what is kept of a user's password and its ages, if this process may see it.
pub(super) fn shadow(name: &str, machine: &dyn Reading, stop: &Stop) -> Option<Vec<String>> {
    let entries = match is_in_file("shadow", machine) {
        true => lines("/etc/shadow", machine)?,
        false => asked("shadow", Some(name), machine, stop),
    };
    entries.into_iter().find(|entry| entry.first().is_some_and(|first| first == name))
}

/// Returns the names and numbers of all entries of a database, each name once.
pub(in crate::types) fn names(database: &'static str, machine: &dyn Reading, stop: &Stop) -> Vec<(String, i64)> {
    let mut names: Vec<(String, i64)> = Vec::new();
    for entry in all(database, machine, stop) {
        let number = entry.get(2).and_then(|number| number.parse().ok());
        if let (Some(name), Some(number)) = (entry.first(), number)
            && !names.iter().any(|(known, _)| known == name)
        {
            names.push((name.clone(), number));
        }
    }
    names
}

fn asked(database: &'static str, name: Option<&str>, machine: &dyn Reading, stop: &Stop) -> Vec<Vec<String>> {
    let query = SystemQuery::Accounts { database, name: name.map(str::to_owned) };
    let Ok(output) = machine.query(&query, stop) else { return Vec::new() };
    output.lossy().lines().map(|line| line.split(':').map(str::to_owned).collect()).collect()
}

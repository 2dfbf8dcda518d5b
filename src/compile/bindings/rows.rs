//! The rows of a file of bindings, as stored answers know them.
//! It must not know who depends on which.

use std::path::Path;

use pantin_bindings::{Key, STRUCTURE, WrittenBinding, file_rows};
use pantin_values::{Digest, Str};

use crate::node::hash_of_row;

/// Returns the rows of a file of bindings, each with its digest, ascending. `None`: all of the file counts.
pub fn rows_of_bindings(path: &Path, text: &[u8]) -> Option<Vec<(u128, Digest)>> {
    let rows = file_rows(path.to_str()?, text, pantin_syntax::Settings::default())?;
    let mut rows: Vec<(u128, Digest)> = rows.into_iter().map(|(row, digest)| (hash_of_row(&row), digest)).collect();
    rows.sort_unstable();
    Some(rows)
}

/// Returns the names of the rows of a file of bindings whose hashes are among these, as a person reads them.
pub fn named_rows(path: &Path, text: &[u8], hashes: &[u128]) -> Vec<String> {
    let rows = path.to_str().and_then(|name| file_rows(name, text, pantin_syntax::Settings::default()));
    let named = rows.into_iter().flatten().filter(|(row, _)| hashes.contains(&hash_of_row(row)));
    let shown = |row: &str| match row {
        STRUCTURE => "which bindings there are, and where they hold".to_owned(),
        row => row.to_owned(),
    };
    named.map(|(row, _)| shown(&row)).collect()
}

/// Returns what a file of bindings binds otherwise than before, as messages name it.
pub fn changed_bindings(path: &Path, before: &[u8], now: &[u8]) -> Vec<String> {
    let changed = path
        .to_str()
        .and_then(|name| pantin_bindings::changed_bindings(name, before, now, pantin_syntax::Settings::default()));
    changed.unwrap_or_default()
}

/// Returns the bindings of a file as they are written. `None`: it cannot be read.
pub fn written_bindings(path: &Path, text: &[u8]) -> Option<Vec<WrittenBinding>> {
    pantin_bindings::written_bindings(path.to_str()?, text, pantin_syntax::Settings::default())
}

/// Returns by which rows an answer knows that a key was injected, or a parameter of this name was bound.
pub fn row_hashes_of_name(name: &str) -> Vec<u128> {
    let key = hash_of_row(Key::data(name).text());
    let parameter = name
        .rsplit_once("::")
        .map(|(class, name)| hash_of_row(Key::parameter(&format!("Class[{class}]"), name).text()));
    [key].into_iter().chain(parameter).collect()
}

/// Returns the names of keys, and of parameters of classes, that a file binds. `None`: it is no file of bindings.
pub fn bound_names(path: &Path, text: &[u8]) -> Option<Vec<Str>> {
    let bindings = written_bindings(path, text)?;
    let name = |name: &str| {
        let key = Key::own(name.split(" when ").next().unwrap_or(name));
        let parameter = key.parameter_parts().and_then(|(of, name)| {
            let class = of.strip_prefix("Class[")?.strip_suffix(']')?;
            Some(Str::from(format!("{class}::{name}")))
        });
        parameter.or_else(|| key.data_name().map(Str::from))
    };
    Some(bindings.iter().filter_map(|binding| name(&binding.name)).collect())
}

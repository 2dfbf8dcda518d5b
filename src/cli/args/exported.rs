//! What `--exported` says: the word fleet, or a file.

use std::path::Path;

use pantin_repository::options::ExportedSource;

/// The word for what the other nodes of the same run export.
const FLEET: &str = "fleet";

pub(crate) fn exported_source(given: Option<&Path>) -> ExportedSource {
    match given {
        None => ExportedSource::None,
        Some(word) if word == Path::new(FLEET) => ExportedSource::Fleet,
        Some(file) => ExportedSource::File(file.to_owned()),
    }
}

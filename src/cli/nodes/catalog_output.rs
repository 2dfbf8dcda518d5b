//! How a catalog is printed: the text on standard output, and the file.

use std::borrow::Cow;
use std::io;

use clap::ValueEnum;
use pantin_model::catalog::{Catalog, pretty_json};
use pantin_repository::answer::AnsweredCatalog;

use crate::print::catalog_text::{summary, tree};
use crate::print::printable::escaped_json;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// As it goes over the wire, in one line
    Json,
    /// The same for a reader
    Pretty,
    /// How many resources of which types; the graph is checked too
    Summary,
    /// What contains what
    Tree,
}

impl Format {
    /// Returns what goes to standard output, in so many columns; nothing, where the same goes to a file.
    pub(crate) fn text(
        self,
        catalog: &AnsweredCatalog,
        width: Option<usize>,
        goes_to_file: bool,
    ) -> io::Result<Option<String>> {
        Ok(match self {
            Format::Json | Format::Pretty if goes_to_file => None,
            Format::Json | Format::Pretty => Some(escaped_json(self.json(catalog)?)),
            Format::Summary => Some(summary(&*catalog_data(catalog)?)),
            Format::Tree => Some(tree(&*catalog_data(catalog)?, width)),
        })
    }

    /// Returns what goes to a file.
    pub(crate) fn json(self, catalog: &AnsweredCatalog) -> io::Result<String> {
        let mut json =
            catalog.to_json().map_err(|error| io::Error::other(format!("the catalog cannot be written: {error}")))?;
        if self == Format::Pretty {
            json = pretty_json(&json);
        }
        json.push('\n');
        Ok(json)
    }
}

/// Returns the catalog as data.
pub(crate) fn catalog_data(catalog: &AnsweredCatalog) -> io::Result<Cow<'_, Catalog>> {
    catalog.catalog().map_err(|error| io::Error::other(error.to_string()))
}

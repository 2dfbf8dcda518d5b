//! What is made of a catalog where it was compiled, on a thread of its own: the text that is printed, the file, what its
//! graph has to say.

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;
use pantin_base::hex::uuid as uuid_text;
use pantin_model::catalog::{Catalog, Sent};
use pantin_world::nanoseconds_since_1970;

use super::graph_check::{Examined, Wanted};
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

/// How a catalog is wanted.
pub(crate) struct Making<'r> {
    pub(crate) format: Format,
    /// Where its JSON goes, if not to standard output.
    pub(crate) file: Option<PathBuf>,
    pub(crate) graph: &'r Wanted,
    /// No other catalog is made.
    pub(crate) is_alone: bool,
}

pub(crate) struct Made {
    pub(crate) environment: String,
    pub(crate) file: Option<(PathBuf, String)>,
    /// For standard output.
    pub(crate) text: Option<String>,
    pub(crate) graph: Option<Examined>,
}

impl Making<'_> {
    pub(crate) fn make(self, catalog: &Catalog) -> io::Result<Made> {
        let graph = self.graph.examine(catalog, self.is_alone);
        let text = match self.format {
            Format::Json | Format::Pretty if self.file.is_some() => None,
            Format::Json | Format::Pretty => Some(escaped_json(self.json(catalog)?)),
            Format::Summary => Some(summary(catalog)),
            Format::Tree => Some(tree(catalog)),
        };
        let file = match &self.file {
            Some(file) => Some((file.clone(), self.json(catalog)?)),
            None => None,
        };
        Ok(Made { environment: catalog.environment.clone(), file, text, graph })
    }

    fn json(&self, catalog: &Catalog) -> io::Result<String> {
        if self.format != Format::Pretty {
            return catalog_json(catalog);
        }
        let uuid = uuid(&catalog.name);
        let json = serde_json::to_string_pretty(&Sent { catalog, uuid: &uuid }).map_err(io::Error::other)?;
        Ok(json + "\n")
    }
}

/// A catalog as it goes over the wire, in one line.
pub(crate) fn catalog_json(catalog: &Catalog) -> io::Result<String> {
    let uuid = uuid(&catalog.name);
    let json = Sent { catalog, uuid: &uuid }.to_json().map_err(io::Error::other)?;
    Ok(json + "\n")
}

/// A name for this catalog alone, as a server gives one: it says nothing, and is never the same.
fn uuid(node: &str) -> String {
    let digest = blake3::hash(format!("{node} {}", nanoseconds_since_1970()).as_bytes());
    uuid_text(std::array::from_fn(|place| digest.as_bytes()[place]), 4)
}

//! What is made of a catalog where it was compiled, on a thread of its own: the text that is printed, the file, what its
//! graph has to say.

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;

use super::graph_check::{Examined, Wanted};
use crate::base::hex::uuid as uuid_text;
use crate::catalog::{Catalog, Sent};
use crate::cli::print::catalog_text::{summary, tree};
use crate::cli::print::printable::escaped_json;
use crate::world::nanoseconds_since_1970;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(in crate::cli) enum Format {
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
pub(in crate::cli) struct Making<'r> {
    pub(in crate::cli) format: Format,
    /// Where its JSON goes, if not to standard output.
    pub(in crate::cli) file: Option<PathBuf>,
    pub(in crate::cli) graph: &'r Wanted,
    /// No other catalog is made.
    pub(in crate::cli) is_alone: bool,
}

pub(in crate::cli) struct Made {
    pub(in crate::cli) environment: String,
    pub(in crate::cli) file: Option<(PathBuf, String)>,
    /// For standard output.
    pub(in crate::cli) text: Option<String>,
    pub(in crate::cli) graph: Option<Examined>,
}

impl Making<'_> {
    pub(in crate::cli) fn make(self, catalog: &Catalog) -> io::Result<Made> {
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
pub(in crate::cli) fn catalog_json(catalog: &Catalog) -> io::Result<String> {
    let uuid = uuid(&catalog.name);
    let json = Sent { catalog, uuid: &uuid }.to_json().map_err(io::Error::other)?;
    Ok(json + "\n")
}

/// A name for this catalog alone, as a server gives one: it says nothing, and is never the same.
fn uuid(node: &str) -> String {
    let digest = blake3::hash(format!("{node} {}", nanoseconds_since_1970()).as_bytes());
    uuid_text(std::array::from_fn(|place| digest.as_bytes()[place]), 4)
}

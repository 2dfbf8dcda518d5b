//! An environment: where its code stands, and the settings that are its own.

use std::path::PathBuf;

/// As `environment.conf`, the settings and the command line together say. All paths are absolute and clean.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub name: String,
    /// Its folder; none for an environment made of a manifest or a piece of code alone.
    pub folder: Option<PathBuf>,
    /// Globs are expanded.
    pub modulepath: Vec<PathBuf>,
    pub manifest: Manifest,
    /// The command that tells the version, as written; none: the time.
    pub config_version: Option<String>,
    /// Values that JSON does not know are kept as such in the catalog.
    pub rich_data: bool,
    pub static_catalogs: bool,
}

/// What is evaluated first.
#[derive(Clone, Debug, Default)]
pub enum Manifest {
    #[default]
    None,
    /// A file, or a folder whose `.pp` files are taken as one, in the order of their paths.
    Path(PathBuf),
    /// The setting `code`: it takes the place of all manifests.
    Code(String),
}

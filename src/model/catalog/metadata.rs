//! The file metadata in a static catalog.

use pantin_values::Str;
use serde::Serialize;

/// Of each source of a resource, the folder and all that is in it.
pub type SourceMetadata = Vec<(Str, Vec<Metadata>)>;

/// As a file server describes a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Metadata {
    pub path: String,
    /// Below `path`, where that is a folder that is copied whole.
    pub relative_path: Option<String>,
    pub links: &'static str,
    pub owner: u32,
    pub group: u32,
    pub mode: u32,
    pub checksum: Checksum,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub destination: Option<String>,
    pub content_uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Checksum {
    #[serde(rename = "type")]
    pub kind: String,
    /// With the kind before it, in braces.
    pub value: Option<String>,
}

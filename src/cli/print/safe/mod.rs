//! The one place that makes text safe for each kind of reader: text that a repository controls, and so whoever opens a pull
//! request.
//!
//! ```text
//! printable.rs     terminals, JSON: control characters, and those that turn the direction of writing
//! workflow_log.rs  the log of a job, in which GitHub's runner looks for commands
//! markup.rs        XML and HTML
//! markdown.rs      Markdown as GitHub and GitLab show it
//! csv.rs           comma-separated values, which spreadsheets take for formulas
//! dot.rs           Graphviz
//! ```
//!
//! Knows no report: what is laid out how, the writers of the formats know.

pub(crate) mod csv;
pub(crate) mod dot;
pub(crate) mod markdown;
pub(crate) mod markup;
pub(crate) mod printable;
pub(crate) mod workflow_log;

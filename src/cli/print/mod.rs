//! The display of everything: reports of errors, the log, progress, catalogs as text.
//!
//! Knows no command.

pub(super) mod catalog_text;
pub(super) mod check;
pub(super) mod colour;
pub(super) mod console_log;
pub(super) mod counting;
pub(super) mod failure;
pub(super) mod failures;
pub(super) mod layout;
pub(super) mod message_json;
pub(super) mod message_text;
pub(super) mod page;
pub(super) mod progress;
pub(super) mod relative_path;
pub(super) mod report;
pub(super) mod repository_path;
pub(super) mod safe;
pub(super) mod text_style;

pub(super) use safe::{markdown, markup, printable};

//! REXML: XML documents that are read, changed, searched and written as version 3.2.5 of the library does it.
//!
//! Knows no files. What it has not is an error that names the method or the part of an XPath: among others internal
//! subsets of document types, encodings other than UTF-8, the parsers for streams.

mod attribute;
mod attributes;
mod comments;
mod declaration;
mod doctype;
mod document;
mod element;
mod elements;
mod format;
mod format_pretty;
mod names;
mod node;
mod parent;
mod parse;
mod parse_tag;
mod pi;
mod references;
mod source;
mod text;
mod xpath;

use super::super::native::Table;
use super::super::value::Value;
pub(crate) use node::{XmlNode, is_own_variable, own_variable};

pub(super) fn tables() -> Vec<Table> {
    [
        node::TABLES,
        parent::TABLES,
        element::TABLES,
        elements::TABLES,
        attribute::TABLES,
        attributes::TABLES,
        text::TABLES,
        comments::TABLES,
        pi::TABLES,
        declaration::TABLES,
        doctype::TABLES,
        document::TABLES,
        format::TABLES,
        format_pretty::TABLES,
        xpath::TABLES,
    ]
    .concat()
}

/// Returns a constant that is no class.
pub(super) fn constant(path: &str) -> Option<Value> {
    Some(Value::text(match path {
        "REXML::VERSION" | "REXML::Version" => "3.2.5",
        "REXML::COPYRIGHT" | "REXML::Copyright" => "Copyright © 2001-2008 Sean Russell <ser@germane-software.com>",
        _ => return None,
    }))
}

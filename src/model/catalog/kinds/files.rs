//! Files, where old ones are kept, and what clears them away.

use pantin_values::Value;

use super::automatic::{AutomaticTarget, Rule, Subject, expand_path, is_number};
use super::declaration::{Declaration, PLAIN};
use super::title::{TitlePattern, multi_line};

pub(super) static TYPES: &[Declaration] = &[
    Declaration {
        name: "file",
        summary: "A file, a folder or a link.",
        properties: "ensure content checksum_value target owner group mode type seluser selrole seltype selrange
            ctime mtime",
        parameters: "path* backup recurse recurselimit max_files replace force ignore links purge sourceselect
            show_diff staging_location validate_cmd validate_replacement provider checksum source source_permissions
            selinux_ignore_defaults",
        titles: file_titles,
        automatic: &[
            Rule::require("file", parent_and_target),
            Rule::require("user", |file| by_name(file, "owner")),
            Rule::require("group", |file| by_name(file, "group")),
        ],
        canonical_name: Some(expand_path),
        ..PLAIN
    },
    Declaration {
        name: "filebucket",
        summary: "A store for the files that are about to be replaced.",
        parameters: "name* server port path",
        ..PLAIN
    },
    Declaration {
        name: "tidy",
        summary: "Old files of a folder that are to be removed.",
        parameters: "path* recurse max_files matches backup age size type rmdirs",
        is_isomorphic: false,
        canonical_name: Some(expand_path),
        ..PLAIN
    },
];

/// Returns a path without the slashes at its end; the root stays.
fn file_titles() -> Vec<TitlePattern> {
    let is_plain = |title: &str| !title.is_empty() && !title.ends_with(['/', '\n']);
    vec![TitlePattern::native(multi_line(r"^(/|.+:/|.*[^/])/*\Z"), &["path"], is_plain)]
}

/// What `ensure` may be when it is not the target of a link.
const STATES: [&str; 6] = ["absent", "false", "file", "present", "directory", "link"];

/// Returns the nearest folder above it that is managed; and of a link, what it points to.
fn parent_and_target(file: &Subject) -> Vec<AutomaticTarget> {
    let parent = file.name().map(AutomaticTarget::Above);
    let of_ensure = || file.text("ensure").filter(|state| !STATES.contains(&state.as_str()));
    let target = file.text("target").or_else(of_ensure).map(AutomaticTarget::Named);
    parent.into_iter().chain(target).collect()
}

/// Its owner or group, if told by name.
fn by_name(file: &Subject, attribute: &str) -> Vec<AutomaticTarget> {
    match file.values(attribute).first() {
        Some(Value::String(name)) if !is_number(name) => vec![AutomaticTarget::Named(name.clone())],
        _ => Vec::new(),
    }
}

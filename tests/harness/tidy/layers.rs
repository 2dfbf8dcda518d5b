//! Which crate may depend on which, and which module inside a crate may import which. Cargo itself enforces the first;
//! here its manifests are compared with the table of ARCHITECTURE.md.

use super::File;
use super::imports::imports;

/// A crate, the crates of this workspace that it may depend on, and the crates of others that belong to it alone.
struct Row {
    name: &'static str,
    may: &'static [&'static str],
    owns: &'static [&'static str],
}

const fn row(name: &'static str, may: &'static [&'static str], owns: &'static [&'static str]) -> Row {
    Row { name, may, owns }
}

const TO_HIERA: [&str; 9] = ["base", "regex", "syntax", "values", "model", "ruby", "eval", "hiera", "bindings"];
/// Checks of resources are rules of `apply`.
const TO_REPOSITORY: [&str; 12] =
    ["base", "regex", "syntax", "values", "model", "world", "ruby", "eval", "hiera", "bindings", "compile", "apply"];
const TO_CLI: [&str; 15] = [
    "base",
    "regex",
    "syntax",
    "values",
    "model",
    "world",
    "ruby",
    "eval",
    "hiera",
    "bindings",
    "compile",
    "repository",
    "machine",
    "facts",
    "apply",
];

const CRATES: [Row; 16] = [
    row("base", &[], &["stacker", "strsim"]),
    row("regex", &["base"], &["regex-automata", "regex-syntax"]),
    row("syntax", &["base", "regex"], &[]),
    row("values", &["base", "regex", "syntax"], &["aes", "cbc", "cms", "der", "rsa", "x509-cert", "ecow"]),
    row("model", &["base", "values"], &["petgraph"]),
    row("world", &["base", "values", "model"], &["ignore"]),
    row("ruby", &["base", "values", "model"], &["ruby-prism", "blowfish"]),
    row("eval", &["base", "syntax", "values", "model", "ruby"], &[]),
    row("hiera", &["base", "values", "model"], &[]),
    row("bindings", &["base", "syntax", "values", "model"], &[]),
    row("compile", &with_world(), &[]),
    row("repository", &TO_REPOSITORY, &["salsa", "notify", "bincode", "chacha20poly1305", "lz4_flex", "pantin-cache"]),
    row("machine", &["base"], &["nix"]),
    row("facts", &["base", "values", "machine"], &[]),
    row("apply", &["base", "values", "model", "machine"], &["bincode"]),
    row(
        "cli",
        &TO_CLI,
        &[
            "clap",
            "clap_complete",
            "clap_mangen",
            "miette",
            "indicatif",
            "console",
            "crossterm",
            "signal-hook",
            "rustyline",
            "tar",
        ],
    ),
];

/// Below `compile`: what it may use.
const fn with_world() -> [&'static str; 10] {
    let [base, regex, syntax, values, model, ruby, eval, hiera, bindings] = TO_HIERA;
    [base, regex, syntax, values, model, "world", ruby, eval, hiera, bindings]
}

/// Modules inside a crate: which others of it, or which other crates, one may not import.
const MODULES: [(&str, &str, &[&str]); 10] = [
    ("model", "catalog", &["crate::trace", "crate::graph"]),
    ("model", "trace", &["crate::catalog", "crate::graph"]),
    ("model", "graph", &["crate::trace"]),
    ("repository", "bridge", &["crate::persist", "crate::query", "crate::fleet", "crate::watch", "pantin_compile"]),
    ("repository", "persist", &["crate::bridge", "crate::query", "crate::fleet", "crate::watch", "pantin_compile"]),
    ("repository", "query", &["crate::persist", "crate::fleet", "crate::watch"]),
    ("repository", "fleet", &["crate::watch"]),
    ("repository", "watch", &["crate::fleet", "crate::persist"]),
    ("values", "data", &["pantin_syntax"]),
    ("world", "settings", &["crate::load"]),
];

/// Crates that belong to one module.
const OWNED: [(&str, &str, &str); 6] = [
    ("salsa", "repository", "query"),
    ("notify", "repository", "watch"),
    ("bincode", "repository", "persist"),
    ("bincode", "apply", "state"),
    ("pantin_cache", "repository", "persist"),
    ("chacha20poly1305", "repository", "persist"),
];

pub(super) fn complaints(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        if let Some(inside) = file.path.strip_prefix("src/")
            && let Some((name, inside)) = inside.split_once('/')
        {
            match CRATES.iter().find(|row| row.name == name) {
                None => complaints.push(format!(
                    "{}:1: no crate is called '{name}': give it a row in ARCHITECTURE.md and in CRATES",
                    file.path
                )),
                Some(row) if inside == "Cargo.toml" => check_manifest(file, row, &mut complaints),
                Some(row) if file.is_rust() => check_imports(file, row.name, inside, &mut complaints),
                Some(_) => {}
            }
        } else if file.path == "cache/Cargo.toml" {
            check_manifest(file, &row("cache", &[], &["blake3", "lz4_flex"]), &mut complaints);
        }
    }
    complaints
}

/// What a manifest depends on is what its row allows; development dependencies are everybody's.
fn check_manifest(file: &File, row: &Row, complaints: &mut Vec<String>) {
    let mut section = "";
    for (line, text) in file.text.lines().enumerate() {
        if let Some(name) = text.strip_prefix('[') {
            section = name.trim_end_matches(']');
        }
        if !section.ends_with("dependencies") || section.ends_with("dev-dependencies") {
            continue;
        }
        let Some(name) = text.split(['.', ' ', '=']).next().filter(|name| is_crate_name(name)) else { continue };
        let at = format!("{}:{}", file.path, line + 1);
        match name.strip_prefix("pantin-").filter(|_| !row.owns.contains(&name)) {
            Some(sibling) if !row.may.contains(&sibling) => complaints.push(format!(
                "{at}: {} depends on {sibling}, which its row does not allow: \
                 move what it needs to a lower crate, or hand it in from above",
                row.name
            )),
            None if CRATES.iter().any(|other| other.name != row.name && other.owns.contains(&name))
                && !row.owns.contains(&name) =>
            {
                complaints.push(format!("{at}: {} depends on {name}, which belongs to another crate", row.name));
            }
            _ => {}
        }
    }
}

fn is_crate_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
}

fn check_imports(file: &File, crate_name: &str, inside: &str, complaints: &mut Vec<String>) {
    let module = module_of(inside);
    let top = module.first().map_or("", String::as_str);
    let forbidden: Vec<&str> = MODULES
        .iter()
        .filter(|(of, name, _)| *of == crate_name && *name == top)
        .flat_map(|(_, _, forbidden)| *forbidden)
        .copied()
        .collect();
    for import in imports(&file.text, &module) {
        let path = if import.first == "crate" { format!("crate::{}", import.second) } else { import.first.clone() };
        let at = format!("{}:{}", file.path, import.line);
        if forbidden.contains(&path.as_str()) {
            complaints.push(format!(
                "{at}: {top} imports {path}, which its row in MODULES does not allow: \
                 move what it needs to a lower module, or hand it in from above"
            ));
        }
        let owned = OWNED.iter().find(|(owned, of, _)| *owned == import.first && *of == crate_name);
        if let Some((owned, _, owner)) = owned.filter(|(_, _, owner)| *owner != top) {
            complaints.push(format!("{at}: {top} uses {owned}, which belongs to: {owner}"));
        }
    }
}

/// `lexer/mod.rs`: `["lexer"]`.
fn module_of(path: &str) -> Vec<String> {
    let mut names: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if names.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        names.pop();
    }
    names
}

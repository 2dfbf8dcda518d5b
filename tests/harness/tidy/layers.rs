//! Which room may import which: the table of ARCHITECTURE.md, and who owns which crate.

use super::File;
use super::imports::imports;

struct Room {
    name: &'static str,
    layer: u32,
    may: May,
}

/// What a room may import beside itself.
enum May {
    Nothing,
    /// Every room up to this layer, but for these.
    UpTo(u32, &'static [&'static str]),
    /// Every room up to this layer, and these beside them.
    And(u32, &'static [&'static str]),
    Only(&'static [&'static str]),
}

const fn room(layer: u32, name: &'static str, may: May) -> Room {
    Room { name, layer, may }
}

const ROOMS: [Room; 25] = [
    room(0, "base", May::Nothing),
    room(1, "syntax", May::UpTo(0, &[])),
    room(2, "pcore", May::UpTo(1, &[])),
    room(3, "catalog", May::UpTo(2, &[])),
    room(3, "data", May::UpTo(2, &[])),
    room(3, "trace", May::UpTo(2, &[])),
    room(4, "ruby", May::UpTo(3, &[])),
    room(4, "world", May::And(2, &["data"])),
    room(4, "graph", May::Only(&["base", "pcore", "catalog"])),
    room(5, "bridge", May::And(2, &["ruby", "trace", "world"])),
    room(5, "load", May::UpTo(4, &[])),
    room(5, "kept", May::Only(&["base", "pcore", "world"])),
    room(5, "eval", May::UpTo(4, &["world"])),
    room(6, "builtins", May::UpTo(5, &[])),
    room(6, "hiera", May::UpTo(5, &[])),
    room(6, "bindings", May::UpTo(5, &[])),
    room(6, "apply", May::Only(&["base", "pcore", "catalog", "graph", "ruby"])),
    room(7, "compile", May::UpTo(6, &["apply"])),
    room(8, "query", May::UpTo(7, &[])),
    room(9, "fleet", May::UpTo(8, &[])),
    room(9, "watch", May::UpTo(8, &[])),
    room(9, "server", May::UpTo(8, &[])),
    room(9, "lsp", May::UpTo(8, &[])),
    room(10, "cli", May::UpTo(9, &[])),
    // The top of the library, and the program: they name the rooms.
    room(11, "", May::UpTo(10, &[])),
];

/// Crates that are the affair of some rooms alone.
const OWNED: [(&str, &[&str]); 19] = [
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("miette", &["cli"]),
    ("indicatif", &["cli"]),
    ("console", &["cli"]),
    ("crossterm", &["cli"]),
    ("signal_hook", &["cli"]),
    ("rustyline", &["cli"]),
    ("tar", &["cli"]),
    ("salsa", &["query"]),
    ("notify", &["watch"]),
    ("petgraph", &["graph"]),
    ("pantin_cache", &["kept"]),
    ("bincode", &["kept"]),
    ("chacha20poly1305", &["kept"]),
    ("lz4_flex", &["kept"]),
    // The library does not name itself, and the store knows nothing of Puppet.
    ("pantin", &[""]),
    ("pantin_fuzz", &[]),
];

pub(super) fn complaints(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        if let Some(inside) = file.path.strip_prefix("src/") {
            of_compiler(file, &module_of(inside), &mut complaints);
        } else if let Some(inside) = file.path.strip_prefix("cache/src/") {
            for import in imports(&file.text, &module_of(inside)).iter().filter(|import| import.first == "pantin") {
                complaints.push(format!(
                    "{}:{}: the store imports pantin; it knows bytes and hashes alone: hand it bytes",
                    file.path, import.line
                ));
            }
        }
    }
    complaints
}

fn of_compiler(file: &File, module: &[String], complaints: &mut Vec<String>) {
    let name = module.first().map_or("", String::as_str);
    let Some(room) = ROOMS.iter().find(|room| room.name == name) else {
        let path = &file.path;
        complaints.push(format!("{path}:1: no room is called '{name}': give it a row in ARCHITECTURE.md and in ROOMS"));
        return;
    };
    for import in imports(&file.text, module) {
        let (line, target) = (import.line, import.second.as_str());
        if import.first == "crate" {
            let is_other = ROOMS.iter().find(|other| other.name == target && other.name != name);
            if is_other.is_some_and(|other| !room.may_import(other)) {
                complaints.push(format!(
                    "{}:{line}: {name} imports {target}, which its row does not allow: \
                     move what it needs to a lower room, or hand it in from above",
                    file.path
                ));
            }
        } else if let Some((owned, owners)) = OWNED.iter().find(|(owned, _)| *owned == import.first)
            && !owners.contains(&name)
        {
            let owners = owners.join(", ");
            complaints.push(format!("{}:{line}: {name} uses {owned}, which belongs to: {owners}", file.path));
        }
    }
}

impl Room {
    fn may_import(&self, other: &Room) -> bool {
        match self.may {
            May::Nothing => false,
            May::UpTo(layer, except) => other.layer <= layer && !except.contains(&other.name),
            May::And(layer, also) => other.layer <= layer || also.contains(&other.name),
            May::Only(rooms) => rooms.contains(&other.name),
        }
    }
}

/// `syntax/lexer/mod.rs`: `["syntax", "lexer"]`.
fn module_of(path: &str) -> Vec<String> {
    let mut names: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(names.last().map(String::as_str), Some("mod")) || ["lib", "main"].map(String::from).contains(&names[0])
    {
        names.pop();
    }
    names
}

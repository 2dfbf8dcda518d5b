//! Files that nothing compiles or runs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::File;
use super::tokens::tokens;
use crate::harness::document::Document;

/// Every Rust file is a root that Cargo finds, or declared by a `mod` (or named by a `#[path]`) of another.
pub(super) fn modules(files: &[File]) -> Vec<String> {
    let mut declared = BTreeSet::new();
    let mut named = String::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let folder = children_of(&file.path);
        let tokens = tokens(&file.text);
        for three in tokens.windows(3).filter(|three| three[0].text == "mod" && three[2].text == ";") {
            declared.insert(format!("{folder}{}.rs", three[1].text));
            declared.insert(format!("{folder}{}/mod.rs", three[1].text));
        }
        named.extend(file.text.lines().filter(|line| line.contains("#[path")));
    }
    named.extend(files.iter().filter(|file| file.path.ends_with("Cargo.toml")).map(|file| file.text.as_str()));
    let is_named = |path: &str| named.contains(path.rsplit('/').next().unwrap_or(path));
    let forgotten = files.iter().filter(|file| file.is_rust() && !is_root(&file.path));
    let forgotten = forgotten.filter(|file| !declared.contains(&file.path) && !is_named(&file.path));
    forgotten.map(|file| format!("{}:1: nothing compiles it: declare it with `mod`, or delete it", file.path)).collect()
}

/// What Cargo finds by itself: `tests/a.rs` and `tests/a/main.rs` too.
fn is_root(path: &str) -> bool {
    let crates = ["cache/", "tests/mutation/"];
    let path = crates.iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or(path);
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = if name == "main.rs" { folder.rsplit_once('/').map_or(folder, |(above, _)| above) } else { folder };
    let is_target = ["tests", "benches", "examples", "src/bin"].contains(&folder);
    let mut parts = path.split('/');
    let is_member = parts.next() == Some("src") && ["lib.rs", "build.rs"].contains(&parts.nth(1).unwrap_or_default());
    is_target || is_member || ["src/lib.rs", "src/main.rs", "build.rs"].contains(&path)
}

/// Where the modules that a file declares lie: `src/syntax/lexer/` for `src/syntax/lexer/mod.rs` and `src/syntax/lexer.rs`.
fn children_of(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name == "mod.rs" || is_root(path) { format!("{folder}/") } else { format!("{}/", path.trim_end_matches(".rs")) }
}

/// Every document lies where the runner finds it, and has an example.
pub(super) fn specs(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let Some(inside) = file.path.strip_prefix("tests/spec/") else { continue };
        let path = &file.path;
        let levels = inside.split('/').count();
        if ["README.md", "SEEDS.md"].contains(&inside) {
            continue;
        } else if levels != 2 || !inside.ends_with(".md") {
            complaints.push(format!("{path}:1: no runner runs it: a spec is called tests/spec/ROOM/TOPIC.md"));
        } else if let Some(problem) = Document::parse(PathBuf::new(), inside.to_owned(), file.text.clone()).problem {
            complaints.push(format!("{path}:1: {problem}"));
        }
    }
    complaints
}

//! Every check on a sample that is wrong, and on one that is right: we know that each can fail.

use libtest_mimic::{Failed, Trial};

use super::imports::{Import, imports};
use super::{Check, File, dependencies, forgotten, hashers, layers, sizes, words};

/// Name, check, path, a text it must complain about, and one it must not.
const SAMPLES: [(&str, Check, &str, &str, &str); 18] = [
    ("layers/module", layers::complaints, "src/model/catalog/a.rs", "use crate::trace::Host;", "use crate::b::C;"),
    (
        "layers/super",
        layers::complaints,
        "src/model/catalog/a.rs",
        "use super::super::trace::Host;",
        "use super::tags::Tag;",
    ),
    (
        "layers/group",
        layers::complaints,
        "src/repository/query/a.rs",
        "use crate::{bridge::Bridge, fleet::{self}};",
        "use crate::{bridge::Bridge, query::{self}};",
    ),
    (
        "layers/inline",
        layers::complaints,
        "src/repository/persist/a.rs",
        "fn f() { crate::watch::run(\"\") }",
        "// crate::watch::run()\nconst A: &str = \"crate::watch::run\";",
    ),
    (
        "layers/nested",
        layers::complaints,
        "src/model/trace/mod.rs",
        "mod tests { mod deep { use super::super::super::graph; } }",
        "mod tests { use super::limits; }",
    ),
    (
        "layers/manifest",
        layers::complaints,
        "src/base/Cargo.toml",
        "[dependencies]\npantin-syntax.workspace = true",
        "[dev-dependencies]\npantin-syntax.workspace = true",
    ),
    ("layers/crates", layers::complaints, "src/repository/fleet/a.rs", "use salsa::Db;", "use std::fs::read;"),
    (
        "layers/store",
        layers::complaints,
        "cache/Cargo.toml",
        "[dependencies]\npantin-base = \"1\"",
        "[package]\nname = \"x\"",
    ),
    ("layers/unknown", layers::complaints, "src/util/lib.rs", "", "//"),
    (
        "dependencies/unnamed",
        dependencies::complaints,
        "src/base/Cargo.toml",
        "[dependencies]\nserde.workspace = true",
        "[workspace.dependencies]\nserde = \"1\"",
    ),
    ("headers", sizes::headers, "src/base/a.rs", "use std::fs;", "//! What it is."),
    ("forgotten/module", forgotten::modules, "src/base/lost.rs", "fn f() {}", "//"),
    ("forgotten/spec", forgotten::specs, "tests/spec/syntax/a.md", "# prose alone", "# a\n```pp\n1\n```\n"),
    (
        "hashers/elsewhere",
        hashers::complaints,
        "src/hiera/keys.rs",
        "let mut hasher = FxHasher::default();",
        "let set: FxHashSet<u128> = FxHashSet::default(); // no FxHasher",
    ),
    (
        "hashers/written",
        hashers::complaints,
        "src/repository/query/pool.rs",
        "use serde::Serialize;",
        "let hash = FxBuildHasher.hash_one(name);",
    ),
    (
        "words/debug",
        words::debug_in_keys,
        "src/base/a.rs",
        "digester.text(&format!(\"{value:?}\"));",
        "digester.item(&value); // {value:?}\nlet shown = format!(\"{value:?}\");",
    ),
    ("words/unfinished", words::complaints, "src/lib.rs", concat!("// TO", "DO: later"), "const TODOS: u8 = 1;"),
    ("words/private", words::complaints, "tests/spec/README.md", concat!("see /wo", "rk/x"), "see /network/x"),
];

/// Checks for which the right sample has another path.
const RIGHT_PATHS: [(&str, &str); 2] = [("layers/unknown", "src/base/a.rs"), ("forgotten/module", "src/lib.rs")];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = SAMPLES
        .map(|(name, check, path, wrong, right)| {
            let right_path = RIGHT_PATHS.iter().find(|(of, _)| *of == name).map_or(path, |(_, path)| path);
            Trial::test(format!("tidy itself: {name}"), move || {
                let complaints = check(&[file(path, wrong)]);
                ensure(complaints.len() == 1, format!("one complaint was expected: {complaints:?}"))?;
                let line = if path.ends_with("Cargo.toml") { 2 } else { 1 };
                let names_place = complaints[0].starts_with(&format!("{path}:{line}: "));
                ensure(names_place, format!("it does not begin with the place: {}", complaints[0]))?;
                let complaints = check(&[file(right_path, right)]);
                ensure(complaints.is_empty(), format!("no complaint was expected: {complaints:?}"))
            })
        })
        .into();
    trials.push(Trial::test("tidy itself: sizes", sizes_complain));
    trials.push(Trial::test("tidy itself: imports", imports_are_found));
    trials
}

fn sizes_complain() -> Result<(), Failed> {
    let body = |lines| format!("//! A.\nfn f<'a>(x: [u8; 2]) {{\n{}}}\n", "    g('{', \"{\"); // {\n\n".repeat(lines));
    let long = [file("src/a.rs", &body(71))];
    let short = [file("src/a.rs", &body(69))];
    let large = [file("src/a.rs", &"// x\n".repeat(801))];
    let is = |files, large: &[&str], long: &[(&str, &str)], count| {
        let complaints = sizes::complaints_with(files, large, long);
        ensure(complaints.len() == count, format!("{count} complaints were expected: {complaints:?}"))
    };
    is(&long, &[], &[], 1)?;
    is(&short, &[], &[], 0)?;
    is(&long, &[], &[("src/a.rs", "f")], 0)?;
    is(&short, &[], &[("src/a.rs", "f")], 1)?;
    is(&large, &[], &[], 1)?;
    is(&large, &["src/a.rs"], &[], 0)?;
    is(&short, &["src/a.rs"], &[], 1)
}

fn imports_are_found() -> Result<(), Failed> {
    let text = "use a::b;\nuse crate::{x, y::{z, w}};\nimpl super::super::T for self::U {}\n// use no::no;\n";
    let found = imports(text, &["m".to_owned(), "n".to_owned()]);
    let import = |first: &str, second: &str, line| Import { first: first.to_owned(), second: second.to_owned(), line };
    let expected = vec![
        import("a", "b", 1),
        import("crate", "x", 2),
        import("crate", "y", 2),
        import("crate", "T", 3),
        import("crate", "m", 3),
    ];
    ensure(found == expected, format!("{found:?}"))
}

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

fn ensure(holds: bool, otherwise: String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(Failed::from(otherwise)) }
}

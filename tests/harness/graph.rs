//! The relationship graphs of the catalogs in `tests/graph`: each must be as the real Puppet has it.

use std::path::Path;

use libtest_mimic::Trial;
use pantin::model::catalog::Catalog;
use serde_json::Value;

#[path = "../graph/describe.rs"]
mod describe;

pub(super) fn trials(root: &Path) -> Vec<Trial> {
    let entries = std::fs::read_dir(root.join("tests/graph")).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pp"));
    paths.sort();
    let trial = |manifest: &std::path::PathBuf| {
        let (name, file) = (manifest.file_stem().unwrap().to_string_lossy(), manifest.with_extension("json"));
        Trial::test(format!("graph: {name}"), move || {
            let committed: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
            let catalog = Catalog::read(&committed["catalog"].to_string()).unwrap();
            let ours = describe::short(describe::described(&catalog));
            if ours == committed["graph"] {
                return Ok(());
            }
            let (ours, theirs) = (format!("{ours:#}\n"), format!("{:#}\n", committed["graph"]));
            Err(similar::TextDiff::from_lines(&theirs, &ours).unified_diff().to_string().into())
        })
    };
    paths.iter().map(trial).collect()
}

//! A copy of the working copy in which some sources are others. Knows nothing of why they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// How the code of a file names the crate that all others use.
#[allow(dead_code, reason = "the mutants of reuse name it in their table")]
pub(crate) fn path_of_mutant_crate(path: &str) -> &'static str {
    if path.starts_with("src/base/") { "crate" } else { "pantin_base" }
}

/// The root of the crate that all others use.
const MUTANT_CRATE: &str = "src/base/lib.rs";

pub(crate) struct Copy {
    pub(crate) root: PathBuf,
    pub(crate) folder: PathBuf,
}

impl Copy {
    /// What git knows and what it would take; the texts that are given instead of these files; and a public
    /// module `mutant` of the crate that all others use.
    pub(crate) fn make(&self, changed: &BTreeMap<String, String>, module: &str) -> Result<(), String> {
        let listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = Command::new("git").args(listed).current_dir(&self.root).output();
        let listed = listed.map_err(|error| error.to_string())?.stdout;
        let listed = String::from_utf8(listed).map_err(|error| error.to_string())?;
        for path in listed.split_terminator('\0').filter(|path| !changed.contains_key(*path)) {
            match fs::read(self.root.join(path)) {
                Ok(bytes) if path == MUTANT_CRATE => self.put(path, &[&bytes[..], b"pub mod mutant;\n"].concat())?,
                Ok(bytes) => self.put(path, &bytes)?,
                Err(_) => {}
            }
        }
        changed.iter().try_for_each(|(path, text)| self.put(path, text.as_bytes()))?;
        self.put("src/base/mutant.rs", module.as_bytes())
    }

    /// Leaves alone what is as it should be: it need not be built again.
    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let place = self.folder.join(path);
        if fs::read(&place).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let made = place.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&place, bytes));
        made.map_err(|error| format!("{}: {error}", place.display()))
    }
}

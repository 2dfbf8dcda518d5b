//! Which files of the module the native functions stand in for: those that they were compared with, whatever version has
//! them, and comments aside.
//!
//! A file that says something else is run as any other function in Ruby is. `files.txt` has the digest of each, and whether
//! it behaves as in version 8 or in version 9; `just stdlib-files --write` writes it (`tests/compare/README.md` says how one
//! comes to be known).

use std::sync::LazyLock;

use pantin_values::Digester;
use rustc_hash::FxHashMap;

use super::{Functions, of_version};

/// Those of version 8, and of version 9.
static FILES: LazyLock<FxHashMap<&'static str, [bool; 2]>> = LazyLock::new(|| {
    let mut files: FxHashMap<&str, [bool; 2]> = FxHashMap::default();
    for line in include_str!("files.txt").lines() {
        let mut words = line.split(' ');
        if let (Some(digest), Some(version)) = (words.next(), words.next()) {
            files.entry(digest).or_default()[usize::from(version == "9")] = true;
        }
    }
    files
});

/// The functions that are known natively where the module, of this version, has this file. One without any code stands
/// for whatever its version has.
pub fn of_file(text: &str, version: &str) -> Option<&'static Functions> {
    let of_its_version = of_version(version);
    if code(text).next().is_none() {
        return of_its_version;
    }
    match FILES.get(digest_of_code(text).as_str()) {
        Some([true, false]) => of_version("8"),
        Some([false, true]) => of_version("9"),
        Some(_) => of_its_version.filter(|functions| functions.major() == 9).or_else(|| of_version("8")),
        None => of_its_version.filter(|functions| functions.major() < 8),
    }
}

/// Names what a file says beside comments.
pub fn digest_of_code(text: &str) -> String {
    let mut digester = Digester::new(b"file of stdlib");
    code(text).for_each(|line| _ = digester.text(line));
    digester.finish().bytes()[8..].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_say_nothing() {
        let written = "# about it\nmodule A\n  # more\n  def b; end\n\nend\n";
        assert_eq!(digest_of_code(written), digest_of_code("module A\ndef b; end\nend"));
        assert_ne!(digest_of_code(written), digest_of_code("module A\ndef b; 1 end\nend"));
    }

    #[test]
    fn a_file_of_another_kind_is_not_known() {
        assert!(of_file("module A\nend\n", "8.5.0").is_none());
        assert!(of_file("# nothing\n", "8.5.0").is_some() && of_file("", "3.0.0").is_none());
    }
}

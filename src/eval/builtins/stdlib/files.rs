//! The module files that the native functions replace: recognized by their digests, in whatever version, comments aside.
//!
//! A file that says something else is run as any other function in Ruby is. `files.txt` has the digest of each, and whether
//! it behaves as in version 8 or in version 9; `just stdlib-files --write` writes it (`tests/compare/README.md` says how one
//! comes to be known).

use pantin_values::Digester;
use rustc_hash::FxHashMap;

use super::{Functions, functions_for_version};

/// The files that are known, by the digests of their code: whether one behaves as in version 8, and whether as in version 9.
#[derive(Debug, Default)]
pub struct KnownFiles(FxHashMap<String, [bool; 2]>);

/// A version of the module whose behaviour native functions have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behaviour {
    Eight,
    Nine,
}

impl KnownFiles {
    /// Returns those of the module as it was published.
    pub fn published() -> KnownFiles {
        let mut known = KnownFiles::default();
        for line in include_str!("files.txt").lines() {
            if let Some((digest, version)) = line.split_once(' ') {
                let behaviour = if version.starts_with('9') { Behaviour::Nine } else { Behaviour::Eight };
                known.add(digest.to_owned(), behaviour);
            }
        }
        known
    }

    /// With one more file, by its text.
    pub fn with_file(mut self, text: &str, behaviour: Behaviour) -> KnownFiles {
        self.add(digest_of_code(text), behaviour);
        self
    }

    fn add(&mut self, digest: String, behaviour: Behaviour) {
        self.0.entry(digest).or_default()[usize::from(behaviour == Behaviour::Nine)] = true;
    }

    /// The functions that are known natively where the module, of this version, has a file with this text.
    pub fn functions(&self, text: &str, version: &str) -> Option<&'static Functions> {
        // What holds no code defines nothing.
        code(text).next()?;
        let of_its_version = functions_for_version(version);
        match self.0.get(digest_of_code(text).as_str()) {
            Some([true, false]) => functions_for_version("8"),
            Some([false, true]) => functions_for_version("9"),
            Some(_) => of_its_version.filter(|functions| functions.major() == 9).or_else(|| functions_for_version("8")),
            None => of_its_version.filter(|functions| functions.major() < 8),
        }
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
    fn only_a_file_that_is_known_has_functions() {
        let (eight, nine) = ("module A\nend\n", "module B\nend\n");
        let known = KnownFiles::default().with_file(eight, Behaviour::Eight).with_file(nine, Behaviour::Nine);
        let major = |text: &str, version: &str| known.functions(text, version).map(Functions::major);
        assert_eq!((major(eight, "9.4.0"), major(nine, "8.5.0")), (Some(8), Some(9)));
        assert_eq!(major("module C\nend\n", "8.5.0"), None);
        for empty in ["", "\n\n", "# nothing\n"] {
            assert_eq!((major(empty, "8.5.0"), major(empty, "9.4.0"), major(empty, "6.0.0")), (None, None, None));
        }
        assert!(KnownFiles::published().0.len() > 100);
    }
}

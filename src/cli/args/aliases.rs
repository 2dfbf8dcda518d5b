//! Commands as Puppet calls them, for hands that know them by heart: two words that stand for one of ours.

use std::ffi::OsString;

/// What Puppet calls it, and what it is called here.
const ALIASES: [([&str; 2], &str); 7] = [
    (["parser", "validate"], "validate"),
    (["parser", "dump"], "dump"),
    (["epp", "validate"], "validate"),
    (["epp", "render"], "epp"),
    (["catalog", "compile"], "compile"),
    (["module", "list"], "modules"),
    (["config", "print"], "settings"),
];

/// The arguments of the process, the program's name first, with our words for Puppet's.
pub(crate) fn translate(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let found = ALIASES.iter().find(|(theirs, _)| {
        let given = arguments.get(1..3).unwrap_or_default();
        given.len() == 2 && given.iter().zip(theirs).all(|(given, word)| given == word)
    });
    if let Some((_, ours)) = found {
        arguments.splice(1..3, [OsString::from(ours)]);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn two_words_of_puppet_stand_for_one_of_ours() {
        assert_eq!(translate(words("pantin parser validate a.pp")), words("pantin validate a.pp"));
        assert_eq!(translate(words("pantin epp render a.epp")), words("pantin epp a.epp"));
        for other in ["pantin epp a.epp", "pantin parser", "pantin", "pantin --x parser validate"] {
            assert_eq!(translate(words(other)), words(other));
        }
    }
}

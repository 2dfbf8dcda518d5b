//! Commands as Puppet calls them, for hands that know them by heart: two words that stand for one of ours.

use std::ffi::OsString;

/// What Puppet calls it, and what it is called here.
const ALIASES: [([&str; 2], &[&str]); 8] = [
    (["parser", "validate"], &["validate"]),
    (["parser", "dump"], &["dump"]),
    (["epp", "validate"], &["validate"]),
    (["epp", "render"], &["epp"]),
    (["catalog", "compile"], &["compile"]),
    (["module", "list"], &["modules"]),
    (["config", "print"], &["settings"]),
    // It knows `puppetversion`, and prints JSON unless something else is asked for.
    (["facts", "show"], &["facts", "--puppet-facts", "--json"]),
];

/// Returns the arguments of the process, the program's name first, with our words for Puppet's.
pub(crate) fn translate(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let found = ALIASES.iter().find(|(theirs, _)| {
        let given = arguments.get(1..3).unwrap_or_default();
        given.len() == 2 && given.iter().zip(theirs).all(|(given, word)| given == word)
    });
    if let Some((_, ours)) = found {
        arguments.splice(1..3, ours.iter().map(OsString::from));
    }
    arguments
}

/// Commands of Puppet that Pantin does not have, each with what there is in its place.
const NOT_HERE: [(&str, &str); 8] = [
    ("agent", APPLIES_NOTHING),
    ("device", APPLIES_NOTHING),
    ("describe", "`pantin doc` describes functions, data types and types of resources"),
    ("facter", "`pantin facts` shows the facts of this machine"),
    ("server", "Pantin is no server for agents: your Puppet or OpenVox server stays"),
    ("ssl", "Pantin has nothing to do with certificates: `puppet ssl` and your server have"),
    ("filebucket", "Pantin keeps no files of machines: `puppet filebucket` does"),
    ("plugin", "Pantin needs no plugin synchronization: it reads modules where they are"),
];

const APPLIES_NOTHING: &str = "Pantin is no agent of a server: `pantin apply` applies the catalog of this machine, compiled here or read from a file. \
     `pantin compile NODE` shows the catalog that a node would get";

/// Returns what there is in the place of a command of Puppet that Pantin does not have.
pub(crate) fn answer_for_missing(arguments: &[OsString]) -> Option<&'static str> {
    let word = arguments.get(1)?;
    NOT_HERE.iter().find(|(theirs, _)| word == theirs).map(|(_, answer)| *answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_command_of_puppet_that_is_missing_has_an_honest_answer() {
        assert_eq!(answer_for_missing(&words("pantin agent -t")), Some(APPLIES_NOTHING));
        assert_eq!(answer_for_missing(&words("pantin fleet agent")), None);
    }

    #[test]
    fn two_words_of_puppet_stand_for_one_of_ours() {
        assert_eq!(translate(words("pantin parser validate a.pp")), words("pantin validate a.pp"));
        assert_eq!(translate(words("pantin epp render a.epp")), words("pantin epp a.epp"));
        let shown = words("pantin facts --puppet-facts --json os");
        assert_eq!(translate(words("pantin facts show os")), shown);
        for other in ["pantin epp a.epp", "pantin parser", "pantin", "pantin --x parser validate"] {
            assert_eq!(translate(words(other)), words(other));
        }
    }
}

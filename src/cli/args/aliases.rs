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

/// Commands of Puppet that Pantin does not have, each with what there is in its place.
const NOT_HERE: [(&str, &str); 12] = [
    ("agent", APPLIES_NOTHING),
    ("apply", APPLIES_NOTHING),
    ("device", APPLIES_NOTHING),
    ("resource", "Pantin does not look at the resources of a machine: `puppet resource` does"),
    ("describe", "`pantin doc` describes functions, data types and types of resources"),
    ("facts", "Pantin reads facts from files: `facter --json > facts/$(hostname -f).json` writes those of a machine"),
    ("facter", "Pantin reads facts from files: `facter --json > facts/$(hostname -f).json` writes those of a machine"),
    ("server", "Pantin is no server for agents: your Puppet or OpenVox server stays"),
    ("ssl", "Pantin has nothing to do with certificates: `puppet ssl` and your server have"),
    ("filebucket", "Pantin keeps no files of machines: `puppet filebucket` does"),
    ("report", "Pantin has no reports of agents: `pantin fleet --format json` reports on catalogs"),
    ("plugin", "Pantin needs no plugin synchronization: it reads modules where they are"),
];

const APPLIES_NOTHING: &str = "Pantin does not apply catalogs: agents do. `pantin compile NODE` shows the catalog that a node would get, `pantin fleet` what is \
     wrong with any";

/// What there is in the place of a command of Puppet that Pantin does not have.
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
        for other in ["pantin epp a.epp", "pantin parser", "pantin", "pantin --x parser validate"] {
            assert_eq!(translate(words(other)), words(other));
        }
    }
}

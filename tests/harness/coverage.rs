//! Every signature of a core function, every issue of the evaluator and every type has a spec that comes to it.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use pantin::eval;
use pantin::eval::builtins;
use pantin::values::types::DOCS;

use super::document::{By, Document, Mode, Section};
use super::example::Example;
use super::issues;
use super::{spec, stdlib};

/// Signatures that no example can call, as `name/place`, and why. May only shrink.
const UNCALLED: [(&str, &str); 4] = [
    ("hiera/0", "the real one fails within Ruby"),
    ("hiera_array/0", "the real one fails within Ruby"),
    ("hiera_hash/0", "the real one fails within Ruby"),
    ("hiera_include/0", "the real one fails within Ruby"),
];

/// Issues that no example provokes, and why. May only shrink.
const UNPROVOKED: [(&str, &str); 6] = [
    ("CROSS_SCOPE_ASSIGNMENT", "validation says it first"),
    ("ILLEGAL_ASSIGNMENT", "validation says it first"),
    ("ILLEGAL_EPP_PARAMETERS", "validation says it first"),
    ("ILLEGAL_EXPRESSION", "validation says it first"),
    ("ILLEGAL_NUMERIC_ASSIGNMENT", "validation says it first"),
    ("RESERVED_WORD", "validation says it first"),
];

/// Those whose files no version has that the oracle takes, each with the reason.
const UNCALLED_OF_STDLIB: [(&str, &str); 4] = [
    ("stdlib 9: stdlib::sort_by/0", "since version 9.6"),
    ("stdlib 9: stdlib::sort_by/1", "since version 9.6"),
    ("stdlib 9: stdlib::sort_by/2", "since version 9.6"),
    ("stdlib 9: time/0", "since version 9.6; the one of the older kind is called"),
];

/// Runs all examples of evaluation by itself, so that neither order nor filters of the trials matter.
pub(super) fn trial(documents: &'static [Document]) -> Trial {
    Trial::test("coverage: a spec calls every signature and provokes every issue of the evaluator", || {
        let evaluated = documents.iter().flat_map(Document::examples).filter(|section| section.mode == Mode::Evaluate);
        let provoked: BTreeSet<&str> = evaluated.flat_map(spec::codes_provoked).collect();
        issues::problem(eval::issue::CODES, &provoked, &UNPROVOKED).map_err(Failed::from)?;
        let uncalled: Vec<String> = stdlib::builtins()
            .all()
            .into_iter()
            .flat_map(|known| known.never_called().map(|place| format!("{}/{place}", known.declared.name)))
            .filter(|name| !UNCALLED.iter().any(|(excused, _)| excused == name))
            .chain(uncalled_of_stdlib())
            .collect();
        if uncalled.is_empty() {
            return Ok(());
        }
        Err(Failed::from(format!(
            "{} signatures have no spec that calls them:\n{}",
            uncalled.len(),
            uncalled.join("\n")
        )))
    })
}

/// A type is exercised where code of an example names it, and the real Puppet confirmed what comes of that.
pub(super) fn trial_of_types(documents: &'static [Document]) -> Trial {
    Trial::test("coverage: a spec names every type", || {
        let evaluated = documents.iter().flat_map(Document::examples).filter(|section| section.mode == Mode::Evaluate);
        let confirmed = evaluated.filter(|section| section.confirmation.is_some());
        let code = confirmed.flat_map(|section| &section.blocks).filter(|block| block.kind == "pp");
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':');
        let words: BTreeSet<&str> = code.flat_map(|block| block.text.split(|character| !is_word(character))).collect();
        let unnamed: Vec<&str> = DOCS.iter().map(|of| of.name).filter(|name| !words.contains(name)).collect();
        if unnamed.is_empty() {
            return Ok(());
        }
        Err(Failed::from(format!("types that no spec names: {}", unnamed.join(", "))))
    })
}

/// How many different programs of these rooms the real Puppet has confirmed. May only grow.
const PROGRAMS: usize = 4_200;

/// Counts what is distinct: the same code of two examples is one, whatever stands around it.
pub(super) fn trial_of_programs(documents: &'static [Document]) -> Trial {
    Trial::test("coverage: many programs are confirmed, each counted once", || {
        let is_wanted = |document: &&Document| {
            ["types/", "language/", "functions/"].iter().any(|room| document.name.starts_with(room))
        };
        let examples = documents.iter().filter(is_wanted).flat_map(Document::examples);
        let sources =
            examples.filter(|section| is_by_oracle(section)).filter_map(|section| Example::read(section).ok());
        let programs: BTreeSet<Vec<u8>> = sources.map(|example| example.source.trim_ascii().to_vec()).collect();
        println!("{} different programs", programs.len());
        match programs.len() {
            enough if enough >= PROGRAMS => Ok(()),
            few => Err(Failed::from(format!("{few} different programs, and there were {PROGRAMS}"))),
        }
    })
}

/// How many different programs with the module stdlib the real Puppet has confirmed. May only grow.
const PROGRAMS_OF_STDLIB: usize = 1_480;

/// Those that no example names, each with the reason. May only shrink.
const UNNAMED_OF_STDLIB: [(&str, &str); 1] = [(
    "stdlib 8: private",
    "a reserved word, which `call` alone can name; not known here, and its file asks for more than there is",
)];

/// Every function in Ruby that a version of the module has stands in an example with that version.
pub(super) fn trial_of_stdlib(documents: &'static [Document]) -> Trial {
    Trial::test("coverage: a spec names every function of stdlib", || {
        let room = documents.iter().filter(|document| document.name.starts_with("stdlib/"));
        let examples = room.flat_map(Document::examples).filter(|section| is_by_oracle(section));
        let examples: Vec<Example> = examples.filter_map(|section| Example::read(section).ok()).collect();
        let mut unnamed = Vec::new();
        for version in [8, 9] {
            let of_version = examples.iter().filter(|example| example.settings.stdlib == Some(version));
            let text: Vec<_> = of_version.map(|example| String::from_utf8_lossy(&example.source)).collect();
            let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':');
            let words: BTreeSet<&str> = text.iter().flat_map(|text| text.split(|c: char| !is_word(c))).collect();
            let missing = stdlib::functions(version).into_iter().filter(|name| !words.contains(name.as_str()));
            let missing = missing.map(|name| format!("stdlib {version}: {name}"));
            unnamed.extend(missing.filter(|name| !UNNAMED_OF_STDLIB.iter().any(|(excused, _)| excused == name)));
        }
        let programs: BTreeSet<&[u8]> = examples.iter().map(|example| example.source.trim_ascii()).collect();
        println!("{} different programs with stdlib", programs.len());
        match programs.len() {
            _ if !unnamed.is_empty() => Err(Failed::from(format!("no spec names {}", unnamed.join(", ")))),
            few if few < PROGRAMS_OF_STDLIB => {
                Err(Failed::from(format!("{few} different programs, and there were {PROGRAMS_OF_STDLIB}")))
            }
            _ => Ok(()),
        }
    })
}

fn is_by_oracle(section: &Section) -> bool {
    section.confirmation.as_ref().is_some_and(|confirmation| matches!(confirmation.by, By::Oracle(_)))
}

/// Those of the module stdlib, with the version.
fn uncalled_of_stdlib() -> impl Iterator<Item = String> {
    [8, 9].into_iter().flat_map(|version| {
        let functions = builtins::stdlib::functions_for_version(&version.to_string())
            .into_iter()
            .flat_map(|functions| functions.all());
        let of = functions
            .flat_map(move |known| known.never_called().map(move |place| format!("{}/{place}", known.declared.name)));
        of.map(move |name| format!("stdlib {version}: {name}"))
            .filter(|name| !UNCALLED_OF_STDLIB.iter().any(|(excused, _)| excused == name))
    })
}

//! Which specs show which statement of the documents that the work began with: `tests/spec/SEEDS.md`.
//!
//! An example names the statements that it shows on a line of its prose, `Seeds: 92, 94.`; the table is made of these
//! lines. The statements are numbered: how code is loaded (1 to 83), in which order it is evaluated (84 to 124), and
//! relationships as far as a catalog has them (358 to 388, and 401).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use libtest_mimic::{Failed, Trial};

use super::document::Document;

const WANTED: [RangeInclusive<u32>; 3] = [1..=124, 358..=388, 401..=401];

/// Statements that no example of a catalog can show, and why. May only shrink.
const ELSEWHERE: [(u32, &str); 8] = [
    (3, "an environment that is not there: a test of `src/world/environment/mod.rs`"),
    (5, "several folders of environments: a test of `src/world/environment/mod.rs`"),
    (53, "what a catalog is made for is no matter of the catalog"),
    (55, "resources that an agent generates"),
    (56, "what an agent applies"),
    (104, "the order in which an agent applies"),
    (119, "how long a compilation took"),
    (359, "a setting that Puppet no longer has"),
];

/// The table is up to date, and no statement is without a spec.
pub(super) fn trial(documents: &'static [Document], file: &Path) -> Trial {
    let file = file.to_owned();
    Trial::test("seeds: the table of the specs is up to date and complete", move || {
        let shown = shown(documents)?;
        complete(&shown)?;
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        if written == table(&shown) {
            return Ok(());
        }
        Err(Failed::from("tests/spec/SEEDS.md is not what the documents say: `just oracle` or `just bless` writes it"))
    })
}

/// Writes the table, if the documents are clear.
pub(super) fn write(documents: &[Document], file: &Path) {
    match shown(documents) {
        Ok(shown) => {
            let text = table(&shown);
            if std::fs::read_to_string(file).unwrap_or_default() != text {
                std::fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                println!("written: {}", file.display());
            }
        }
        Err(problem) => eprintln!("{problem}"),
    }
}

/// The names of the examples, by the number of the statement that they show.
type Shown = BTreeMap<u32, Vec<String>>;

fn shown(documents: &[Document]) -> Result<Shown, String> {
    let mut shown = Shown::new();
    for document in documents {
        for section in document.examples() {
            let lines = document.text.lines().skip(section.line).take_while({
                let mut first = true;
                move |line| std::mem::take(&mut first) || !line.starts_with('#')
            });
            let named = lines.filter_map(|line| line.strip_prefix("Seeds: "));
            for number in named.flat_map(|line| line.trim_end_matches('.').split(", ")) {
                let name = document.trial_name(section);
                let number = number.parse().map_err(|_| format!("{name}: 'Seeds: {number}' is no number"))?;
                shown.entry(number).or_default().push(name);
            }
        }
    }
    Ok(shown)
}

fn complete(shown: &Shown) -> Result<(), String> {
    let missing: Vec<String> = WANTED
        .into_iter()
        .flatten()
        .filter(|number| !shown.contains_key(number) && elsewhere(*number).is_none())
        .map(|number| number.to_string())
        .collect();
    let needless: Vec<String> = ELSEWHERE
        .iter()
        .filter(|(number, _)| shown.contains_key(number))
        .map(|(number, _)| number.to_string())
        .collect();
    match (missing.is_empty(), needless.is_empty()) {
        (false, _) => Err(format!("no spec shows these statements: {}", missing.join(", "))),
        (_, false) => Err(format!("take these from ELSEWHERE in tests/harness/seeds.rs: {}", needless.join(", "))),
        _ => Ok(()),
    }
}

fn elsewhere(number: u32) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(known, _)| *known == number).map(|(_, why)| *why)
}

fn table(shown: &Shown) -> String {
    let mut text = concat!(
        "# What the specs show\n\n",
        "For each statement of the documents that the work began with, the examples that show it. Made of their lines ",
        "`Seeds: …` by `tests/harness/seeds.rs`, which says what the numbers are.\n\n",
        "| statement | examples |\n|---|---|\n",
    )
    .to_owned();
    let mut numbers: Vec<u32> = WANTED.into_iter().flatten().chain(shown.keys().copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let examples = match (shown.get(&number), elsewhere(number)) {
            (Some(names), _) => names.join("<br>"),
            (None, Some(why)) => format!("none: {why}"),
            (None, None) => String::new(),
        };
        text.push_str(&format!("| {number} | {examples} |\n"));
    }
    text
}

//! The specs as trials, and what `PANTIN_SPEC` does with them instead.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use pantin::base::Language;
use similar::TextDiff;

use super::document::{By, Document, Section};
use super::example::{self, Example};
use super::oracle;
use super::pantin_says;
use super::rewrite::{self, Change};
use super::said::{KINDS, Said};
use super::version::{self, VERSIONS};

const ADVICE: &str = "`just oracle` asks the real Puppet and writes what it says";

const NO_LONGER: &str = "it no longer differs: take the line <!-- differs … --> away, and run `just oracle`";

/// An example as the modes see it: where it stands, and what its blocks mean.
struct Case<'a> {
    document: usize,
    section_number: usize,
    section: &'a Section,
    name: String,
    example: Result<Example, String>,
}

fn cases(documents: &[Document]) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        for (section_number, section) in
            document.sections.iter().enumerate().filter(|(_, section)| section.is_example())
        {
            let name = document.trial_name(section);
            let example = Example::read(section);
            cases.push(Case { document: number, section_number, section, name, example });
        }
    }
    cases
}

/// One trial an example, and one for each document that is itself wrong.
pub(super) fn trials(documents: &'static [Document]) -> Vec<Trial> {
    let mut trials: Vec<Trial> = broken(documents).map(|(name, problem)| fails(name, problem)).collect();
    for document in documents {
        trials.extend(document.examples().map(|section| {
            Trial::test(document.trial_name(section), || compare_section(section).map_err(Failed::from))
        }));
    }
    trials
}

fn broken(documents: &[Document]) -> impl Iterator<Item = (String, String)> {
    documents.iter().filter_map(|document| Some((document.name.clone(), document.problem.clone()?)))
}

fn fails(name: String, problem: String) -> Trial {
    Trial::test(name, move || Err(Failed::from(problem)))
}

/// The codes of what Pantin finds in one example, if it says what the example expects.
pub(super) fn codes_provoked(section: &Section) -> Vec<&'static str> {
    let Ok(example) = Example::read(section) else { return Vec::new() };
    let mut codes = Vec::new();
    for version in example.versions() {
        let both = (pantin_says::ask(&example, version), example::expected(section, version));
        if let (Ok(answer), Ok(expected)) = both
            && difference(&expected, &answer.said).is_none()
        {
            codes.extend(answer.codes);
        }
    }
    codes
}

pub(super) fn compare_section(section: &Section) -> Result<(), String> {
    compare_with_pantin(section, &Example::read(section)?)
}

fn compare_with_pantin(section: &Section, example: &Example) -> Result<(), String> {
    let has_expectations = section.blocks.iter().any(|block| KINDS.contains(&block.kind.as_str()));
    if section.confirmation.is_none() {
        return Err(match has_expectations {
            false => format!("its expectations are not yet written: {ADVICE}"),
            true => format!("nobody confirmed it: {ADVICE}; a deliberate difference says <!-- differs: reason -->"),
        });
    }
    if differs(section) && says_the_same(section, example)? {
        return Err(NO_LONGER.to_owned());
    }
    for version in example.versions() {
        let expected = example::expected(section, version)?;
        let answer = pantin_says::ask(example, version)?;
        if let Some(difference) = difference(&expected, &answer.said) {
            return Err(format!("{}: - expected, + Pantin\n{difference}", version::full_name(version)));
        }
    }
    Ok(())
}

/// Whether the document itself has the real one say what is expected of Pantin.
fn says_the_same(section: &Section, example: &Example) -> Result<bool, String> {
    for version in example.versions() {
        let expected = example::expected(section, version)?.whole(None);
        if example::oracle_said(section, version) != Some(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A line diff of what differs.
fn difference(expected: &Said, said: &Said) -> Option<String> {
    let mut shown = String::new();
    for kind in KINDS {
        let (expected, said) = (expected.get(kind), said.get(kind));
        if expected != said {
            let line_end = |text: Option<&str>| text.map(|text| format!("{text}\n")).unwrap_or_default();
            let (expected, said) = (line_end(expected), line_end(said));
            let diff = TextDiff::from_lines(&expected, &said);
            shown.push_str(&format!("{kind}\n{}", diff.unified_diff().context_radius(3)));
        }
    }
    (!shown.is_empty()).then_some(shown)
}

fn is_selected(arguments: &Arguments, name: &str) -> bool {
    !arguments.is_filtered_out(&Trial::test(name, || Ok(())))
}

/// `PANTIN_SPEC=bless`: writes what Pantin says where no oracle is to be asked.
pub(super) fn bless(arguments: &Arguments, documents: &[Document]) -> ExitCode {
    let mut report = Report::new(documents);
    let mut changes = Vec::new();
    for case in cases(documents).into_iter().filter(|case| is_selected(arguments, &case.name)) {
        let confirmed = case.section.confirmation.as_ref().map(|confirmation| &confirmation.by);
        if matches!(confirmed, Some(By::Oracle(_))) {
            continue;
        }
        let said = case.example.as_ref().map_err(String::clone).and_then(|example| {
            let said: Result<Vec<_>, String> =
                example.versions().map(|version| Ok((version, pantin_says::ask(example, version)?.said))).collect();
            said
        });
        match said {
            Ok(said) => changes.push((case.document, case.section_number, Change::expectations(&said))),
            Err(problem) => report.complain(&case.name, &problem),
        }
    }
    report.write(documents, changes)
}

/// What the versions say of the cases: for each case, its answers.
struct Asked {
    /// `7.23`, in the order of the versions.
    versions: Vec<String>,
    answers: Vec<Result<Vec<(Language, oracle::Answer)>, String>>,
}

fn ask_all(cases: &[Case]) -> Result<Asked, String> {
    let asked = |version: Language| {
        let wanted = cases.iter().filter_map(|case| case.example.as_ref().ok());
        let wanted: Vec<&Example> = wanted.filter(|example| example.versions().any(|one| one == version)).collect();
        oracle::ask(version, &wanted)
    };
    let [seven, eight, openvox] = std::thread::scope(|scope| {
        VERSIONS.map(|version| scope.spawn(move || asked(version))).map(|thread| thread.join().unwrap())
    });
    if let Err(why) = &openvox {
        eprintln!("{why}\nWhat the specs say of OpenVox alone stays as it is, unchecked.");
    }
    let openvox = openvox.ok();
    let mut versions: Vec<String> = Vec::new();
    let mut of_versions = [Some(seven?), Some(eight?), openvox].map(|asked| {
        versions.extend(asked.as_ref().map(|asked| asked.version.clone()));
        asked.map(|asked| asked.answers.into_iter())
    });
    let answers = cases.iter().map(|case| {
        let example = case.example.as_ref()?;
        let mut answers: Vec<(Language, Result<oracle::Answer, String>)> = Vec::new();
        for (version, of_version) in VERSIONS.into_iter().zip(&mut of_versions) {
            if example.versions().any(|one| one == version) {
                let of_8 =
                    answers.iter().find(|(known, _)| *known == Language::Puppet8).map(|(_, answer)| answer.clone());
                let answer = match of_version {
                    Some(answers) => answers.next().unwrap(),
                    None => of_8
                        .filter(|_| !example::tells_openvox_apart(case.section, example))
                        .unwrap_or_else(|| written(case, version)),
                };
                answers.push((version, answer));
            }
        }
        answers.into_iter().map(|(version, answer)| Ok((version, answer?))).collect()
    });
    let answers = answers.collect();
    Ok(Asked { versions, answers })
}

/// What the document has of a version that cannot be asked here.
fn written(case: &Case, version: Language) -> Result<oracle::Answer, String> {
    let said = example::expected(case.section, version)?;
    let whole = example::oracle_said(case.section, version).unwrap_or_else(|| said.whole(None));
    Ok(oracle::Answer { said, whole, unfit: None })
}

impl Asked {
    /// `7.23, 8.10`, or those that an example is of. OpenVox is named where it does not say what 8.10 says.
    fn confirmation(&self, example: &Example, answers: &[(Language, oracle::Answer)]) -> String {
        let of =
            |wanted: Language| answers.iter().find(|(version, _)| *version == wanted).map(|(_, answer)| &answer.whole);
        let is_named = |version: Language| {
            example.versions().any(|one| one == version)
                && (version != Language::OpenVox8 || of(version) != of(Language::Puppet8))
        };
        let names = VERSIONS.into_iter().enumerate().filter(|(_, version)| is_named(*version));
        let names = names.map(|(place, version)| match (version, self.versions.get(place)) {
            (Language::OpenVox8, Some(asked)) => format!("OpenVox {asked}"),
            (Language::OpenVox8, None) => version::full_name(version),
            (_, asked) => asked.cloned().unwrap_or_default(),
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

fn no_oracle(why: &str) -> ExitCode {
    eprintln!("{why}\nThere is no oracle here: tests/oracle/setup installs it. Plain `cargo test` does not need it.");
    ExitCode::from(3)
}

/// `PANTIN_SPEC=oracle`: asks the real Puppet and writes what it says.
pub(super) fn ask_oracle(arguments: &Arguments, documents: &[Document]) -> ExitCode {
    let mut cases = cases(documents);
    cases.retain(|case| is_selected(arguments, &case.name));
    let asked = match ask_all(&cases) {
        Ok(asked) => asked,
        Err(why) => return no_oracle(&why),
    };
    let mut report = Report::new(documents);
    let mut changes = Vec::new();
    for (case, answers) in cases.iter().zip(&asked.answers) {
        match answers.as_ref().map_err(String::clone).and_then(|answers| change_of(case, answers, &asked)) {
            Ok(change) => changes.push((case.document, case.section_number, change)),
            Err(problem) => report.complain(&case.name, &problem),
        }
    }
    report.write(documents, changes)
}

fn change_of(case: &Case, answers: &[(Language, oracle::Answer)], asked: &Asked) -> Result<Change, String> {
    let example = case.example.as_ref()?;
    if differs(case.section) {
        still_differs(case.section, answers)?;
        let said: Vec<_> = answers.iter().map(|(version, answer)| (*version, answer.whole.clone())).collect();
        return Ok(Change::oracle_says(&said));
    }
    if let Some(why) = answers.iter().find_map(|(_, answer)| answer.unfit.clone()) {
        return Err(why);
    }
    let said: Vec<_> = answers.iter().map(|(version, answer)| (*version, answer.said.clone())).collect();
    let mut change = Change { oracle: Some(asked.confirmation(example, answers)), ..Change::expectations(&said) };
    // It differed once, and does no more.
    change.blocks.push(("oracle-says", Vec::new()));
    Ok(change)
}

fn differs(section: &Section) -> bool {
    section.confirmation.as_ref().is_some_and(|confirmation| matches!(confirmation.by, By::Differs(_)))
}

/// A difference that is none any more has no reason to be explained.
fn still_differs(section: &Section, answers: &[(Language, oracle::Answer)]) -> Result<(), String> {
    for (version, answer) in answers {
        if example::expected(section, *version)? != answer.said {
            return Ok(());
        }
    }
    Err(NO_LONGER.to_owned())
}

/// `PANTIN_SPEC=check`: every expectation is what the oracle says today.
pub(super) fn check(arguments: &Arguments, documents: &[Document]) -> ExitCode {
    let mut cases = cases(documents);
    cases.retain(|case| is_selected(arguments, &case.name));
    let asked = match ask_all(&cases) {
        Ok(asked) => asked,
        Err(why) => return no_oracle(&why),
    };
    let mut trials: Vec<Trial> = broken(documents).map(|(name, problem)| fails(name, problem)).collect();
    for (case, answers) in cases.iter().zip(&asked.answers) {
        let result = answers.as_ref().map_err(String::clone).and_then(|answers| check_case(case, answers, &asked));
        trials.push(Trial::test(case.name.clone(), move || result.map_err(Failed::from)));
    }
    libtest_mimic::run(arguments, trials).exit_code()
}

fn check_case(case: &Case, answers: &[(Language, oracle::Answer)], asked: &Asked) -> Result<(), String> {
    let example = case.example.as_ref()?;
    match case.section.confirmation.as_ref().map(|confirmation| &confirmation.by) {
        None => return Err(format!("it is not confirmed: {ADVICE}")),
        Some(By::Oracle(versions)) if *versions != asked.confirmation(example, answers) => {
            return Err(format!("{versions} confirmed it, this oracle is {}", asked.confirmation(example, answers)));
        }
        Some(By::Oracle(_)) => {}
        Some(By::Differs(_)) => still_differs(case.section, answers)?,
    }
    for (version, answer) in answers {
        let difference = if differs(case.section) {
            let written = example::oracle_said(case.section, *version).unwrap_or_default();
            let changed = written != answer.whole;
            changed.then(|| {
                let (written, says) = (format!("{written}\n"), format!("{}\n", answer.whole));
                TextDiff::from_lines(&written, &says).unified_diff().to_string()
            })
        } else {
            difference(&example::expected(case.section, *version)?, &answer.said)
        };
        if let Some(difference) = difference {
            return Err(format!("{}: - the document, + the oracle\n{difference}", version::full_name(*version)));
        }
    }
    Ok(())
}

/// What a writing mode tells at its end.
struct Report {
    complaints: usize,
}

impl Report {
    fn new(documents: &[Document]) -> Report {
        let mut report = Report { complaints: 0 };
        for (name, problem) in broken(documents) {
            report.complain(&name, &problem);
        }
        report
    }

    fn complain(&mut self, name: &str, problem: &str) {
        eprintln!("{name}\n    {problem}");
        self.complaints += 1;
    }

    fn write(self, documents: &[Document], changes: Vec<(usize, usize, Change)>) -> ExitCode {
        let examples = changes.len();
        let mut by_document: Vec<Vec<(usize, Change)>> = documents.iter().map(|_| Vec::new()).collect();
        for (document, section, change) in changes {
            by_document[document].push((section, change));
        }
        let mut written = 0;
        for (document, changes) in documents.iter().zip(&by_document) {
            let text = rewrite::rewrite(document, changes);
            if !changes.is_empty() && text != document.text {
                std::fs::write(&document.path, text)
                    .unwrap_or_else(|error| panic!("{}: {error}", document.path.display()));
                println!("written: {}", document.name);
                written += 1;
            }
        }
        println!("{examples} examples, {written} documents written, {} refused", self.complaints);
        ExitCode::from(u8::from(self.complaints > 0))
    }
}

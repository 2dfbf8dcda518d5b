//! Damaged copies of real files: which are refused, with which words, at which place.
//!
//! Tokens are cut off, deleted, swapped, doubled and put elsewhere. What differs is sorted into
//! classes by the two messages.

use std::collections::BTreeMap;

use pantin::base::Language;

use super::random::damage::damaged;
use super::random::numbers::Numbers;
use super::verdict::{self, Verdict};
use super::{Case, client};

/// At least so many of a thousand mutants must be accepted or refused as Puppet does.
const SAME_VERDICT: usize = 995;
/// At least so many of a thousand refused ones must be refused with the same message and place.
const SAME_MESSAGE: usize = 970;
/// What differs falls into no more classes than this.
const CLASSES: usize = 15;

pub(super) fn run(files: &[Case], count: usize, seed: u64) -> Result<bool, String> {
    let mutants = make(files, count, seed);
    let mut holds = true;
    for language in [Language::Puppet8, Language::Puppet7] {
        holds &= compare(&mutants, language, seed)?;
    }
    Ok(holds)
}

fn compare(mutants: &[Case], language: Language, seed: u64) -> Result<bool, String> {
    let questions = mutants.iter().enumerate().map(|(id, case)| verdict::question(id + 1, case, false));
    let replies = client::ask(language, questions)?;
    let mut tally = Tally::default();
    for (case, reply) in mutants.iter().zip(&replies[1..]) {
        tally.add(case, &verdict::of_pantin(case, language, false), &verdict::of_oracle(reply));
    }
    let version = replies[0]["puppet"].as_str().unwrap_or_default();
    tally.report(version, seed, mutants.len());
    Ok(tally.holds() && tally.total == mutants.len())
}

#[derive(Default)]
struct Tally {
    total: usize,
    refused: usize,
    same_verdict: usize,
    same_message: usize,
    classes: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn add(&mut self, case: &Case, ours: &Verdict, theirs: &Verdict) {
        self.total += 1;
        let refused = theirs.error.is_some();
        self.refused += usize::from(refused);
        self.same_verdict += usize::from(ours.error.is_some() == refused);
        let same = (&ours.error, &ours.log) == (&theirs.error, &theirs.log);
        self.same_message += usize::from(same && refused);
        if !same {
            let example = format!("{}\n    Puppet: {}\n    Pantin: {}", case.name, told(theirs), told(ours));
            self.classes.entry(class(ours, theirs)).or_default().push(example);
        }
    }

    fn holds(&self) -> bool {
        self.same_verdict * 1000 >= self.total * SAME_VERDICT
            && self.same_message * 1000 >= self.refused * SAME_MESSAGE
            && self.classes.len() <= CLASSES
    }

    fn report(&self, version: &str, seed: u64, asked: usize) {
        let share = |part: usize, whole: usize| part as f64 * 100.0 / whole.max(1) as f64;
        println!(
            "Puppet {version}, seed {seed}: {} of {asked} mutants, {} refused; \
             same verdict {:.3}%; same message and place {:.3}% of the refused; {} classes of differences",
            self.total,
            self.refused,
            share(self.same_verdict, self.total),
            share(self.same_message, self.refused),
            self.classes.len(),
        );
        for (class, examples) in &self.classes {
            println!("- {} x {class}\n    {}", examples.len(), examples[0]);
        }
    }
}

fn told(verdict: &Verdict) -> String {
    let text = match (&verdict.error, &verdict.log[..]) {
        (Some(error), _) => error.clone(),
        (None, []) => "accepted".to_owned(),
        (None, log) => format!("accepted, {}", log.join("; ")),
    };
    let crash = if verdict.is_crash { "crash: " } else { "" };
    format!("{crash}{}", text.replace('\n', " ").chars().take(200).collect::<String>())
}

/// The two messages without what differs from case to case: names, quoted text, places.
fn class(ours: &Verdict, theirs: &Verdict) -> String {
    let shape = |verdict: &Verdict| {
        let text = told(verdict);
        let text = text.split(": /").next().unwrap_or_default();
        let mut shape = String::new();
        let mut quoted = false;
        for character in text.chars() {
            match character {
                '\'' => quoted = !quoted,
                _ if quoted || character.is_ascii_digit() => {}
                _ => shape.push(character),
            }
        }
        shape.split(" (").next().unwrap_or_default().to_owned()
    };
    format!("{} | {}", shape(theirs), shape(ours))
}

fn make(files: &[Case], count: usize, seed: u64) -> Vec<Case> {
    let mut numbers = Numbers::new(seed);
    let mut mutants = Vec::with_capacity(count);
    while mutants.len() < count {
        let file = &files[numbers.below(files.len())];
        // Ruby takes long for the few big ones.
        if file.text.len() > 20_000 {
            continue;
        }
        if let Some(text) = damaged(&file.text, &mut numbers) {
            mutants.push(Case { name: file.name.clone(), kind: file.kind, text });
        }
    }
    mutants
}

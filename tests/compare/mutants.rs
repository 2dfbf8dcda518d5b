//! Damaged copies of real files: which are refused, with which words, at which place.
//!
//! Tokens are cut off, deleted, swapped, doubled and put elsewhere. What differs is sorted into
//! classes by the two messages.

use std::collections::BTreeMap;

use pantin::syntax::Language;

use super::numbers::Numbers;
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
    let replies = client::ask(language == Language::Puppet8, questions)?;
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
        if let Some(text) = mutate(&file.text, &mut numbers) {
            mutants.push(Case { name: file.name.clone(), kind: file.kind, text });
        }
    }
    mutants
}

fn mutate(text: &str, numbers: &mut Numbers) -> Option<String> {
    let words = words(text);
    if words.len() < 4 {
        return None;
    }
    let one = words[numbers.below(words.len())];
    let other = words[numbers.below(words.len())];
    let (first, second) = if one.0 < other.0 { (one, other) } else { (other, one) };
    let piece = |word: (usize, usize)| &text[word.0..word.1];
    let mutant = match numbers.below(5) {
        0 => text[..one.1].to_owned(),
        1 => format!("{}{}", &text[..one.0], &text[one.1..]),
        2 if first != second => {
            let between = &text[first.1..second.0];
            format!("{}{}{between}{}{}", &text[..first.0], piece(second), piece(first), &text[second.1..])
        }
        3 => format!("{}{} {}", &text[..one.1], piece(one), &text[one.1..]),
        _ => format!("{}{}{}", &text[..one.0], piece(other), &text[one.0..]),
    };
    (mutant != text).then_some(mutant)
}

/// Words and single other characters: tokens, roughly.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match words.last_mut() {
            Some(last) if last.1 == at && is_word(character) && text[last.0..last.1].ends_with(is_word) => last.1 = end,
            _ if character.is_whitespace() => {}
            _ => words.push((at, end)),
        }
    }
    words
}

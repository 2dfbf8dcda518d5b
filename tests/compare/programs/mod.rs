//! Programs made at random, run by Pantin and by the real Puppet: value, log and error must be equal. What differs is
//! made as small as it goes.

mod calls;
mod expressions;
mod generate;
pub(super) mod known;
mod literals;
mod said;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use pantin::base::Language;
use pantin::eval::{RegisteredFunction as Function, builtins};
use serde_json::Value;

use self::known::{KNOWN, Known};
use super::client::Oracle;
use super::random::tree::{Smaller, Tree};
use super::said::{Said, apart};

/// What is made at random, run and compared.
pub(super) struct Subject<'s> {
    /// `programs`
    pub(super) name: &'static str,
    pub(super) make: &'s dyn Fn(u64) -> Tree,
    pub(super) question: fn(&str) -> Value,
    pub(super) of_oracle: fn(&Value) -> Option<Said>,
    pub(super) of_pantin: fn(&str, Language) -> Said,
    pub(super) known: &'static [Known],
}

/// So many programs are asked at once.
const BATCH: usize = 200;
/// So many smaller programs are asked at once.
const CUTS: usize = 4;
/// So many differences that look alike are made smaller.
const SHRUNK: usize = 2;

/// Functions that no program calls: what they answer depends on the machine, the oracle lacks what they
/// need, or Pantin refuses them.
const LEFT_OUT: [&str; 3] = ["annotate", "generate", "scanf"];

/// What is asked for on the command line.
struct Options {
    seed: u64,
    count: usize,
    languages: Vec<Language>,
    /// Only prints the programs.
    show: bool,
    /// So many programs of each version may differ in a way that is not known yet.
    most: usize,
    /// Runs this one alone, and does not look for more.
    only: Option<String>,
}

/// The outer error is one of usage; the inner one says that there is no oracle.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    let functions: Vec<&Function> =
        builtins::all().all().into_iter().filter(|known| !LEFT_OUT.contains(&known.declared.name)).collect();
    let subject = Subject {
        name: "programs",
        make: &|seed| generate::program(seed, &functions, &said::ends),
        question: said::question,
        of_oracle: said::of_oracle,
        of_pantin: said::of_pantin,
        known: &KNOWN,
    };
    run_subject(&subject, arguments)
}

pub(super) fn run_subject(subject: &Subject, arguments: &[String]) -> Result<Result<bool, String>, String> {
    let options = options(arguments)?;
    if options.show {
        for at in 0..options.count {
            println!("{}\n", (subject.make)(program_seed(options.seed, at)).source());
        }
        return Ok(Ok(true));
    }
    // A panic is one more answer that differs.
    std::panic::set_hook(Box::new(|_| {}));
    let mut holds = true;
    for &language in &options.languages {
        let mut run = match Run::new(subject, language) {
            Ok(run) => run,
            Err(why) => return Ok(Err(why)),
        };
        match &options.only {
            Some(source) => run.one(&Tree::text(source)),
            None => run.all(&options),
        }
        holds &= run.report(&options);
    }
    Ok(Ok(holds))
}

fn options(arguments: &[String]) -> Result<Options, String> {
    const USAGE: &str = "usage: compare programs|environments [--seed N] [--count N] [--most N] [--puppet 7|8|openvox] [--show] [--only CODE]";
    let both = vec![Language::Puppet7, Language::Puppet8];
    let mut options = Options { seed: 1, count: 2000, languages: both, most: 0, show: false, only: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(USAGE);
        match argument.as_str() {
            "--seed" => options.seed = value()?.parse().map_err(|_| USAGE)?,
            "--count" => options.count = value()?.parse().map_err(|_| USAGE)?,
            "--most" => options.most = value()?.parse().map_err(|_| USAGE)?,
            "--puppet" => {
                options.languages = match value()?.as_str() {
                    "7" => vec![Language::Puppet7],
                    "8" => vec![Language::Puppet8],
                    "openvox" => vec![Language::OpenVox8],
                    _ => return Err(USAGE.to_owned()),
                }
            }
            "--show" => options.show = true,
            "--only" => options.only = Some(value()?.clone()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

/// Every program of a run has a seed of its own, so that one can be made again without those before it.
fn program_seed(seed: u64, at: usize) -> u64 {
    seed.wrapping_mul(0x0100_0000_01B3).wrapping_add(at as u64)
}

/// A program that differs.
struct Difference {
    source: String,
    theirs: Said,
    ours: Said,
}

struct Run<'s> {
    subject: &'s Subject<'s>,
    language: Language,
    oracle: Oracle,
    total: usize,
    failed: usize,
    /// Of which the oracle does not say what comes of them.
    unanswered: usize,
    known: Vec<usize>,
    /// How many there are by what the two say, without what differs from case to case.
    unknown: BTreeMap<String, usize>,
    /// By the smallest program.
    shrunk: BTreeMap<String, (usize, Difference)>,
}

impl<'s> Run<'s> {
    fn new(subject: &'s Subject<'s>, language: Language) -> Result<Run<'s>, String> {
        let oracle = Oracle::start(language)?;
        let known = vec![0; subject.known.len()];
        Ok(Run {
            subject,
            language,
            oracle,
            total: 0,
            failed: 0,
            unanswered: 0,
            known,
            unknown: BTreeMap::new(),
            shrunk: BTreeMap::new(),
        })
    }

    fn all(&mut self, options: &Options) {
        let mut at = 0;
        while at < options.count {
            let end = options.count.min(at + BATCH);
            let programs: Vec<Tree> = (at..end).map(|at| (self.subject.make)(program_seed(options.seed, at))).collect();
            self.batch(&programs);
            at = end;
        }
    }

    fn one(&mut self, program: &Tree) {
        let [pair] = &self.compare(std::slice::from_ref(program))[..] else { return };
        let Some((theirs, ours)) = pair else { return };
        println!("  Puppet: {theirs}\n  Pantin: {ours}");
        self.batch(std::slice::from_ref(program));
    }

    fn batch(&mut self, programs: &[Tree]) {
        let pairs = self.compare(programs);
        for (program, pair) in programs.iter().zip(pairs) {
            self.total += 1;
            let Some((theirs, ours)) = pair else {
                self.unanswered += 1;
                continue;
            };
            self.failed += usize::from(theirs.result.is_err());
            if theirs == ours {
                continue;
            }
            let source = program.source();
            if let Some(at) = known::known(self.subject.known, &source, &theirs, &ours) {
                self.known[at] += 1;
                continue;
            }
            let alike = self.unknown.entry(shape(&theirs, &ours)).or_default();
            *alike += 1;
            if *alike <= SHRUNK {
                let smallest = self.shrink(program, Difference { source, theirs, ours });
                self.shrunk.entry(smallest.source.clone()).or_insert((0, smallest)).0 += 1;
            }
        }
    }

    /// What both say of each; `None` where the oracle does not answer.
    fn compare(&mut self, programs: &[Tree]) -> Vec<Option<(Said, Said)>> {
        let sources: Vec<String> = programs.iter().map(Tree::source).collect();
        let replies = self.oracle.ask(sources.iter().map(|source| (self.subject.question)(source)).collect());
        let mut pairs: Vec<_> = replies
            .iter()
            .zip(&sources)
            .map(|(reply, source)| {
                (self.subject.of_oracle)(reply).map(|theirs| (theirs, (self.subject.of_pantin)(source, self.language)))
            })
            .collect();
        if pairs.len() < sources.len() {
            // What ended the process is the first without an answer; the others are asked again.
            if let Ok(oracle) = Oracle::start(self.language) {
                self.oracle = oracle;
                pairs.push(None);
                let rest = self.compare(&programs[pairs.len()..]);
                pairs.extend(rest);
            }
        }
        pairs.resize_with(sources.len(), || None);
        pairs
    }

    /// The smallest program near this one that differs in a way that is not known.
    fn shrink(&mut self, program: &Tree, mut smallest: Difference) -> Difference {
        let mut program = program.clone();
        // Cuts that ended the difference are tried again when nothing else is left.
        let mut in_vain: BTreeSet<String> = BTreeSet::new();
        loop {
            let (again, cuts): (Vec<Smaller>, Vec<Smaller>) =
                program.smaller().into_iter().partition(|cut| in_vain.contains(&cut.what));
            match self.first_different(cuts, &mut in_vain) {
                Some((cut, difference)) => (program, smallest) = (cut, difference),
                None => match self.first_different(again, &mut in_vain) {
                    Some((cut, difference)) => {
                        (program, smallest) = (cut, difference);
                        in_vain.clear();
                    }
                    None => return smallest,
                },
            }
        }
    }

    /// The first of the cuts that differs; those before it were made in vain.
    fn first_different(&mut self, cuts: Vec<Smaller>, in_vain: &mut BTreeSet<String>) -> Option<(Tree, Difference)> {
        let mut cuts = cuts.into_iter();
        loop {
            let some: Vec<Smaller> = cuts.by_ref().take(CUTS).collect();
            if some.is_empty() {
                return None;
            }
            let trees: Vec<Tree> = some.iter().map(|cut| cut.tree.clone()).collect();
            for (cut, pair) in some.into_iter().zip(self.compare(&trees)) {
                let known = |(theirs, ours): &(Said, Said)| {
                    theirs == ours || known::known(self.subject.known, &cut.source, theirs, ours).is_some()
                };
                match pair.filter(|pair| !known(pair)) {
                    Some((theirs, ours)) => return Some((cut.tree, Difference { source: cut.source, theirs, ours })),
                    None => drop(in_vain.insert(cut.what)),
                }
            }
        }
    }

    fn report(&self, options: &Options) -> bool {
        let version = self.language.name();
        let unknown: usize = self.unknown.values().sum();
        println!(
            "Puppet {version}, seed {}: {} {}, {} end with an error, {} without an answer; \
             {} differ as known, {unknown} otherwise",
            options.seed,
            self.total,
            self.subject.name,
            self.failed,
            self.unanswered,
            self.known.iter().sum::<usize>(),
        );
        for (known, count) in self.subject.known.iter().zip(&self.known).filter(|(_, count)| **count > 0) {
            println!("- {count} x {} ({})", known.why, known.spec);
        }
        for (count, Difference { source, theirs, ours }) in self.shrunk.values() {
            let (theirs, ours) = apart(theirs, ours);
            println!("- {count} x\n{}\n    Puppet: {theirs}\n    Pantin: {ours}", indented(source));
        }
        unknown <= options.most
    }
}

fn indented(source: &str) -> String {
    source.lines().map(|line| format!("        {line}")).collect::<Vec<_>>().join("\n")
}

/// The two answers without what differs from case to case: quoted text, numbers, places.
fn shape(theirs: &Said, ours: &Said) -> String {
    format!("{} | {}", shape_of(theirs), shape_of(ours))
}

fn shape_of(said: &Said) -> String {
    let text = match &said.result {
        Ok(_) => "a value",
        Err(error) => error.split(" (line:").next().unwrap_or_default(),
    };
    let mut shape = String::new();
    let mut quoted = false;
    for letter in text.chars().take(300) {
        match letter {
            '\'' => quoted = !quoted,
            _ if quoted || letter.is_ascii_digit() => {}
            _ => shape.push(letter),
        }
    }
    shape
}

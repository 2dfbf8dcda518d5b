//! `PANTIN_SPEC=speed`: what the catalogs of the specs cost, in process, Pantin beside the real Puppet.

use std::process::ExitCode;
use std::time::Instant;

use libtest_mimic::{Arguments, Trial};
use pantin::base::Language;

use super::catalog;
use super::document::{Document, Mode};
use super::example::Example;
use super::oracle;

/// CPU seconds for which each is measured in a round, here and there. The best round counts, of as many on both sides; and
/// a round is over all environments, so that a slow minute of the machine is not all that is known of one of them.
const HERE: f64 = 0.01;
const THERE: f64 = 0.04;
const ROUNDS: usize = 5;

/// So many of the worst are shown.
const SHOWN: usize = 12;

struct Row {
    name: String,
    puppet: f64,
    fresh: f64,
    traced: f64,
}

/// The seconds of a row that are meant.
type How = fn(&Row) -> f64;

impl Row {
    fn unknown(name: &str) -> Row {
        Row { name: name.to_owned(), puppet: f64::INFINITY, fresh: f64::INFINITY, traced: f64::INFINITY }
    }

    fn times(&self, how: How) -> f64 {
        self.puppet / how(self)
    }
}

pub(super) fn run(arguments: &Arguments, documents: &[Document]) -> ExitCode {
    let mut examples: Vec<(String, Example)> = Vec::new();
    for document in documents {
        for section in document.examples() {
            let name = document.trial_name(section);
            let is_selected = !arguments.is_filtered_out(&Trial::test(name.clone(), || Ok(())));
            if let Ok(example) = Example::read(section)
                && example.mode == Mode::Compile
                && is_selected
            {
                examples.push((name, example));
            }
        }
    }
    let asked: Vec<&Example> = examples.iter().map(|(_, example)| example).collect();
    let mut best: Vec<Option<Row>> = asked.iter().map(|_| None).collect();
    for _ in 0..ROUNDS {
        let theirs = match oracle::seconds(&asked, THERE) {
            Ok(theirs) => theirs,
            Err(why) => {
                eprintln!("{why}");
                return ExitCode::from(3);
            }
        };
        for (((name, example), puppet), best) in examples.iter().zip(theirs).zip(&mut best) {
            if let (Some(puppet), Ok(Some((fresh, traced)))) =
                (puppet, catalog::seconds(example, Language::Puppet7, HERE))
            {
                let row = best.get_or_insert_with(|| Row::unknown(name));
                row.puppet = row.puppet.min(puppet);
                row.fresh = row.fresh.min(fresh);
                row.traced = row.traced.min(traced);
            }
        }
    }
    let mut rows: Vec<Row> = best.into_iter().flatten().collect();
    print(&mut rows);
    ExitCode::SUCCESS
}

fn print(rows: &mut [Row]) {
    println!("{} environments; microseconds of CPU for one catalog and its JSON, in process\n", rows.len());
    println!("| | geometric mean | least | median | below 100x |\n|---|---|---|---|---|");
    let hows: [(&str, How); 2] = [("each body run", |row| row.fresh), ("by traces", |row| row.traced)];
    for (name, how) in hows {
        let mut times: Vec<f64> = rows.iter().map(|row| row.times(how)).collect();
        times.sort_by(f64::total_cmp);
        let mean = (times.iter().map(|times| times.ln()).sum::<f64>() / times.len().max(1) as f64).exp();
        let below = times.iter().filter(|times| **times < 100.0).count();
        let at = |at: usize| times.get(at).copied().unwrap_or_default();
        println!("| {name} | {mean:.0}x | {:.0}x | {:.0}x | {below} |", at(0), at(times.len() / 2));
    }
    rows.sort_by(|a, b| a.times(|row| row.traced).total_cmp(&b.times(|row| row.traced)));
    println!("\n| least | Puppet 7.23 | each body run | by traces | ratio |\n|---|---|---|---|---|");
    for row in rows.iter().take(SHOWN) {
        let Row { name, puppet, fresh, traced } = row;
        let times = row.times(|row| row.traced);
        println!("| {name} | {:.0} | {:.1} | {:.1} | {times:.0}x |", puppet * 1e6, fresh * 1e6, traced * 1e6);
    }
}

/// CPU seconds of one call, which is made again and again for as long as is wanted.
pub(super) fn seconds_of(wanted: f64, mut work: impl FnMut()) -> f64 {
    // To look at the clock takes time as well.
    let mut count = 1;
    loop {
        let clock = Clock::start();
        (0..count).for_each(|_| work());
        let spent = clock.seconds();
        if spent >= wanted {
            return spent / f64::from(count);
        }
        count *= 2;
    }
}

/// CPU seconds of this thread; where they are not counted, the time of the clock.
struct Clock {
    started: Instant,
    before: Option<f64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { started: Instant::now(), before: counted() }
    }

    fn seconds(&self) -> f64 {
        match (counted(), self.before) {
            (Some(now), Some(before)) => now - before,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

#[cfg(unix)]
fn counted() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(unix))]
fn counted() -> Option<f64> {
    None
}

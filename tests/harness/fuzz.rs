//! A short run of every fuzz target on stable Rust: the seeds, and a few thousand mutations of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::{Failed, Trial};

#[path = "../../fuzz/src/targets.rs"]
mod targets;

/// Unless `PANTIN_FUZZ_RUNS` and `PANTIN_FUZZ_SEED` say otherwise.
const MUTATIONS: u64 = 2_000;
const SEED: u64 = 20_261_121;

type Target = fn(&[u8]);

pub(super) fn trials() -> Vec<Trial> {
    let all: [(&str, Target); 8] = [
        ("lexer", targets::lexer),
        ("parser", targets::parser),
        ("epp", targets::epp),
        ("dump", targets::dump),
        ("yaml", targets::yaml),
        ("json", targets::json),
        ("hocon", targets::hocon),
        ("ruby", targets::ruby),
    ];
    all.into_iter().map(|(name, target)| Trial::test(format!("fuzz: {name}"), move || run(target))).collect()
}

fn run(target: Target) -> Result<(), Failed> {
    let seeds = seeds();
    if seeds.is_empty() {
        return Err("no seeds in fuzz/seeds".into());
    }
    let mut random = Random(number("PANTIN_FUZZ_SEED", SEED).max(1));
    let mutations = (0..number("PANTIN_FUZZ_RUNS", MUTATIONS)).map(|_| random.mutation(&seeds));
    for data in seeds.iter().cloned().chain(mutations) {
        if catch_unwind(AssertUnwindSafe(|| target(&data))).is_err() {
            return Err(format!("it panics on {:?}", String::from_utf8_lossy(&data)).into());
        }
    }
    Ok(())
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn seeds() -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(super::root().join("fuzz/seeds")) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

/// The same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    /// A seed with some bytes deleted, replaced or taken from another seed.
    fn mutation(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut data = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(4) {
            let at = self.below(data.len());
            match self.below(4) {
                0 => drop(data.drain(at..(at + 1 + self.below(8)).min(data.len()))),
                1 => data.insert(at, b"\"'${}[]()|<>=~,;:@%-\\/\n"[self.below(23)]),
                2 if at < data.len() => data[at] = self.below(256) as u8,
                _ => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.below(other.len());
                    let piece = other[from..(from + self.below(24)).min(other.len())].to_vec();
                    data.splice(at..at, piece);
                }
            }
        }
        data
    }
}

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
    let all: [(&str, Target); 10] = [
        ("lexer", targets::lexer),
        ("parser", targets::parser),
        ("epp", targets::epp),
        ("bindings_file", targets::bindings_file),
        ("injector", targets::injector),
        ("dump", targets::dump),
        ("yaml", targets::yaml),
        ("json", targets::json),
        ("hocon", targets::hocon),
        ("ruby", targets::ruby),
    ];
    let trials = all.into_iter().map(|(name, target)| Trial::test(format!("fuzz: {name}"), move || run(target)));
    trials.chain([Trial::test("fuzz: calls of Ruby's methods", calls)]).collect()
}

/// What methods are called on, and with.
const RUBY_VALUES: &[&str] = &[
    "nil",
    "true",
    "0",
    "-1",
    "1",
    "3",
    "64",
    "2**62",
    "-(2**63)",
    "2**64",
    "1.5",
    "-0.0",
    "1e300",
    "Float::INFINITY",
    "Float::NAN",
    "''",
    "'a'",
    "'äöü€'",
    "\"a b\\nc\\n\"",
    "'x=%s y=%-5d %%'",
    "'10.0.0.1/8'",
    "'http://u@h:1/p?q#f'",
    "'1.2.3-rc'",
    "'2020-01-02'",
    "[104, 255].pack('C*')",
    ":sym",
    ":upcase",
    ":+",
    "[]",
    "[1, 'a', nil]",
    "[3, 1, 2]",
    "[[1, 2], [3, 4]]",
    "{}",
    "{ a: 1, 'b' => [2] }",
    "(1..3)",
    "('a'...'e')",
    "(1..)",
    "(0..-1)",
    "(2**62..2**63)",
    "/a(?<n>b)?/",
    "/(.)(.)/",
    "//",
    "'ab'.match(/(a)(b)?/)",
    "Set.new([1, 2])",
    "StringIO.new(\"a\\nb\")",
    "IPAddr.new('10.0.0.0/8')",
    "URI('http://h/p')",
    "Time.at(0)",
    "Struct.new(:a).new(1)",
    "proc { |a, b| [a, b] }",
    "lambda { |a| a }",
    "[1, 2].each",
    "Object.new",
    "Class.new",
    "String",
    "Integer",
    "Math",
    "Comparable",
    "JSON",
    "YAML",
    "Base64",
    "Digest::MD5",
    "Zlib",
    "Shellwords",
    "Gem::Version.new('1.2')",
    "ERB::Util",
    "StandardError.new('x')",
];

/// Calls made at random of methods that Ruby has, whether they are here or not.
fn calls() -> Result<(), Failed> {
    let known = include_str!("../../src/ruby/classes/known_methods.txt");
    let names = known.lines().filter_map(|line| line.split_once(": ")).flat_map(|(_, names)| names.split(' '));
    let names: Vec<&str> = names.filter(|name| !name.contains(['\'', '#'])).collect();
    let mut random = Random(number("PANTIN_FUZZ_SEED", SEED).max(1));
    for _ in 0..number("PANTIN_FUZZ_RUNS", MUTATIONS) {
        let code = random.call(&names);
        if catch_unwind(AssertUnwindSafe(|| targets::ruby(code.as_bytes()))).is_err() {
            return Err(format!("it panics on {code}").into());
        }
    }
    Ok(())
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

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn call(&mut self, names: &[&str]) -> String {
        let mut code = self.one_of(RUBY_VALUES).to_owned();
        for _ in 0..=self.below(3) {
            let mut arguments = vec![format!(":'{}'", self.one_of(names))];
            for _ in 0..self.below(4) {
                arguments.push(self.one_of(RUBY_VALUES).to_owned());
            }
            let block = self.one_of(&["", "", "{ |a, b| b }", "{ |a| a }", "{ |*all| all.size }", "{ |a| break a }"]);
            code = format!("({code}).__send__({}) {block}", arguments.join(", "));
        }
        format!("require 'set'; require 'stringio'; require 'ipaddr'; require 'uri'\n{code}")
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

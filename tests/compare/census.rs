//! What the census of real modules has (`tests/oracle/CENSUS.md`), asked of the small Ruby: every method that more than one
//! module calls, on something of every class that may have it. It is called without arguments: whether it is there, and how
//! many it takes, shows at once. The real Ruby must say the same.

use super::ruby::{own, real};
use super::snippets_random::known;

const CENSUS: &str = include_str!("../oracle/CENSUS.md");

/// Something of each class that code of modules gets into its hands.
const RECEIVERS: &[&str] = &[
    "nil",
    "true",
    "false",
    "7",
    "(2 ** 70)",
    "1.5",
    "'a b'",
    "''",
    ":a",
    "[3, [1]]",
    "[]",
    "{ a: 1 }",
    "{}",
    "(1..3)",
    "Set[1, 2]",
    "/a(b)?/",
    "'ab'.match(/a(b)/)",
    "proc { |u| u }",
    "[1, 2].each",
    "Struct.new(:a).new(1)",
    "ArgumentError.new('x')",
    "String",
    "Comparable",
    "Time.at(0).utc",
    "IPAddr.new('10.0.0.0/8')",
    "URI.parse('http://h:1/p')",
    "JSON",
    "Digest::MD5",
    "Base64",
    "StringIO.new('a')",
];

/// What shows where an object lies, or is another thing each time.
const ELSEWHERE: &[&str] = &["object_id", "hash", "sleep", "load", "require", "warning", "debug", "scope"];

/// What the small Ruby refuses, and why that is left so: no code of the census calls these methods on such objects.
const LEFT_OUT: &[(&str, &str)] = &[
    ("YAML of a ", "what is no plain data has tags of Ruby's own in YAML"),
    ("a copy of a class", "a class is no value that a template or a function copies"),
    ("a copy of an object of ", "addresses, URIs and streams are made and read, not copied"),
    ("the method URI::", "a URI is taken apart; two are put together by `URI.join`"),
    ("the method IPAddr#<<", "`<<` of the census is that of texts, arrays and sets"),
    ("the method Enumerator#+", "an enumerator is gone through, not added to another"),
    ("the method Time#", "a time is shown by `strftime`, and counted in seconds"),
];

pub(super) fn run() -> Result<bool, String> {
    let methods: Vec<&str> = names("## Methods").into_iter().filter(|name| is_asked(name)).collect();
    let constants = names("## Constants");
    let calls =
        methods.iter().flat_map(|name| RECEIVERS.iter().map(|receiver| format!("({receiver}){}", called(name))));
    let snippets: Vec<String> = calls.chain(constants.iter().map(|name| format!("{name}.class"))).collect();
    let (mut same, mut unsupported, mut different) = (0, Vec::new(), 0);
    for (snippet, real) in snippets.iter().zip(real(&snippets)?) {
        // What Ruby has not either is of Puppet, or of nobody; `Puppet.class` is there with Puppet alone.
        let nobody = real.starts_with("NoMethodError") || real.starts_with("NameError");
        match own(snippet) {
            Ok(_) if real == format!("NameError: uninitialized constant {}", snippet.trim_end_matches(".class")) => {
                same += 1
            }
            Ok(own) if own == real || (nobody && own.starts_with("No")) => same += 1,
            Ok(own) if known(snippet, &real, &own).is_some() => same += 1,
            Ok(own) => {
                different += 1;
                println!("{snippet}\n  Ruby    {real}\n  Pantin  {own}");
            }
            Err(_) if nobody => same += 1,
            Err(why) => unsupported.push((snippet, why)),
        }
    }
    let (left_out, unsupported): (Vec<_>, Vec<_>) =
        unsupported.into_iter().partition(|(_, why)| LEFT_OUT.iter().any(|(start, _)| why.starts_with(start)));
    for (start, reason) in LEFT_OUT {
        let count = left_out.iter().filter(|(_, why)| why.starts_with(start)).count();
        println!("left out: {count} x {start}…: {reason}");
    }
    for (snippet, why) in &unsupported {
        println!("not supported: {snippet}: {why}");
    }
    println!(
        "{} methods on {} receivers, {} constants: {same} the same, {different} different, {} left out, {} not supported",
        methods.len(),
        RECEIVERS.len(),
        constants.len(),
        left_out.len(),
        unsupported.len()
    );
    Ok(different == 0 && unsupported.is_empty())
}

/// The names that a section of the census has in more than one module.
fn names(section: &str) -> Vec<&'static str> {
    let text = CENSUS.split(section).nth(1).unwrap_or_default();
    let text = text.split("\n## ").next().unwrap_or_default();
    let lines = text.lines().filter(|line| line.starts_with('`') || line.starts_with("Not named"));
    lines.flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

fn is_asked(name: &str) -> bool {
    !ELSEWHERE.contains(&name) && !name.starts_with(|letter: char| letter.is_ascii_uppercase())
}

fn called(name: &str) -> String {
    match name {
        "!=" | "!~" | "=~" | "==" => format!(" {name} 1"),
        _ => format!(".{name}"),
    }
}

//! Ruby snippets made at random, run by the small Ruby and by the real one: what they are worth, or the class and the
//! message of what they raise, must be the same text. What differs is made as small as it goes. What the small Ruby says
//! it does not support is counted apart, by what it is.

mod arguments;
mod expressions;
mod forms;
mod known;
pub(super) use self::known::known;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::known::KNOWN;
use super::random::numbers::Numbers;
use super::random::tree::Tree;
use super::ruby::{is_same, own, real};

/// So many snippets are asked at once.
const BATCH: usize = 5000;
/// So many smaller ones.
const CUTS: usize = 40;
/// So many differences that look alike are made smaller.
const SHRUNK: usize = 2;

const USAGE: &str = "usage: compare ruby-random [--seed N] [--count N] [--most N] [--show] [--only CODE]";

struct Options {
    seed: u64,
    count: usize,
    /// So many may differ in a way that is not known.
    most: usize,
    show: bool,
    only: Option<String>,
}

/// The outer error is one of usage; the inner one says that there is no Ruby.
pub(super) fn run(arguments: &[String]) -> Result<Result<bool, String>, String> {
    let mut options = Options { seed: 1, count: 10_000, most: 0, show: false, only: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(USAGE);
        match argument.as_str() {
            "--seed" => options.seed = value()?.parse().map_err(|_| USAGE)?,
            "--count" => options.count = value()?.parse().map_err(|_| USAGE)?,
            "--most" => options.most = value()?.parse().map_err(|_| USAGE)?,
            "--show" => options.show = true,
            "--only" => options.only = Some(value()?.clone()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    if options.show {
        (0..options.count).for_each(|at| println!("{}", snippet(options.seed, at).source()));
        return Ok(Ok(true));
    }
    // A panic is one more answer that differs.
    std::panic::set_hook(Box::new(|_| {}));
    Ok(compare_all(&options))
}

/// Every snippet of a run has a seed of its own.
fn snippet(seed: u64, at: usize) -> Tree {
    expressions::snippet(Numbers::new(seed.wrapping_mul(0x0100_0000_01B3).wrapping_add(at as u64)))
}

/// What both say of a snippet.
struct Pair {
    theirs: String,
    /// An error: it is not supported.
    ours: Result<String, String>,
}

impl Pair {
    fn differs(&self, source: &str) -> bool {
        self.is_otherwise() && known(source, &self.theirs, self.ours()).is_none()
    }

    fn is_otherwise(&self) -> bool {
        self.ours.as_ref().is_ok_and(|ours| !is_same(ours, &self.theirs))
    }

    fn is_no_ruby(&self) -> bool {
        [self.theirs.as_str(), self.ours()].iter().any(|said| said.starts_with("SyntaxError: "))
    }

    fn ours(&self) -> &str {
        self.ours.as_ref().map_or("", String::as_str)
    }
}

fn pairs(trees: &[Tree]) -> Result<Vec<Pair>, String> {
    let sources: Vec<String> = trees.iter().map(Tree::source).collect();
    let theirs = real(&sources)?;
    let ours = |source: &String| {
        catch_unwind(AssertUnwindSafe(|| own(source))).unwrap_or_else(|_| Ok("Pantin panicked".to_owned()))
    };
    Ok(sources.iter().zip(theirs).map(|(source, theirs)| Pair { theirs, ours: ours(source) }).collect())
}

fn compare_all(options: &Options) -> Result<bool, String> {
    let trees: Vec<Tree> = match &options.only {
        Some(code) => vec![Tree::text(code)],
        None => (0..options.count).map(|at| snippet(options.seed, at)).collect(),
    };
    let (mut raised, mut refused, mut as_known) = (0, BTreeMap::<String, usize>::new(), vec![0; KNOWN.len()]);
    let mut unknown = BTreeMap::<String, Vec<(Tree, Pair)>>::new();
    for batch in trees.chunks(BATCH) {
        for (tree, pair) in batch.iter().zip(pairs(batch)?) {
            raised += usize::from(is_raised(&pair.theirs));
            let source = tree.source();
            match &pair.ours {
                Err(why) => *refused.entry(what_is_refused(why)).or_default() += 1,
                Ok(_) if !pair.is_otherwise() => {}
                Ok(ours) => match known(&source, &pair.theirs, ours) {
                    Some(at) => as_known[at] += 1,
                    None => unknown.entry(shape(&pair)).or_default().push((tree.clone(), pair)),
                },
            }
        }
    }
    let otherwise: usize = unknown.values().map(Vec::len).sum();
    println!(
        "seed {}: {} snippets, {raised} raise; {} not supported, {} differ as known, {otherwise} otherwise",
        options.seed,
        trees.len(),
        refused.values().sum::<usize>(),
        as_known.iter().sum::<usize>(),
    );
    for (known, count) in KNOWN.iter().zip(as_known).filter(|(_, count)| *count > 0) {
        println!("- {count} x {}", known.why);
    }
    for (what, count) in &refused {
        println!("not supported: {count} x {what}");
    }
    for alike in unknown.into_values() {
        let count = alike.len();
        for (tree, pair) in alike.into_iter().take(SHRUNK) {
            let (source, pair) = shrink(tree, pair)?;
            println!("- of {count}: {source}\n    Ruby:   {}\n    Pantin: {}", pair.theirs, pair.ours());
        }
    }
    Ok(otherwise <= options.most)
}

/// The smallest snippet near this one that differs in a way that is not known.
fn shrink(tree: Tree, pair: Pair) -> Result<(String, Pair), String> {
    let (mut tree, mut pair) = (tree, pair);
    'smaller: loop {
        let cuts = tree.smaller();
        for some in cuts.chunks(CUTS) {
            let trees: Vec<Tree> = some.iter().map(|cut| cut.tree.clone()).collect();
            let all = pairs(&trees)?;
            let mut found = trees.into_iter().zip(all);
            // What is cut into no Ruby says nothing of what was found.
            let is_alike = |cut: &Pair| pair.is_no_ruby() || !cut.is_no_ruby();
            if let Some(found) = found.find(|(tree, cut)| is_alike(cut) && cut.differs(&tree.source())) {
                (tree, pair) = found;
                continue 'smaller;
            }
        }
        return Ok((tree.source(), pair));
    }
}

/// An exception is shown by its class and message.
fn is_raised(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(class, _)| {
        class.starts_with(|first: char| first.is_ascii_uppercase())
            && class.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ':')
    })
}

/// Without the place.
fn what_is_refused(why: &str) -> String {
    why.split(" is not supported").next().unwrap_or(why).chars().take(80).collect()
}

/// Without what differs from case to case.
fn shape(pair: &Pair) -> String {
    let shape_of = |text: &str| -> String {
        match is_raised(text) {
            true => text.chars().filter(|letter| !letter.is_ascii_digit()).take(60).collect(),
            false => text.chars().filter(|letter| letter.is_ascii_punctuation()).take(3).collect(),
        }
    };
    format!("{} | {}", shape_of(&pair.theirs), shape_of(pair.ours()))
}

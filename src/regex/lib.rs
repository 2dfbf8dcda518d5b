//! Regular expressions, matched as Ruby 3.1 matches them.
//!
//! A pattern goes through these steps:
//!
//! 1. `syntax` parses and checks it. This is the only parser: it decides which patterns Ruby
//!    accepts, has the error texts, and makes the syntax tree. A check alone ends here.
//! 2. `lower` makes of the syntax tree the `tree` that is compiled: it works out options, case
//!    folding (`fold`) and the characters of sets (`charset`), and reads no text.
//! 3. `compile` makes a program of that.
//!
//! The `machine` runs a program by trying its ways one after the other. Where that takes more
//! steps than a text of its length should, and where both surely mean the same, `linear` takes
//! over: it needs time in proportion to the text alone.
//!
//! The order was measured, on the patterns of real modules: on short texts the machine is about as
//! fast as the linear engine and costs a fraction to compile; on texts made to explode only
//! the linear one ends. On those patterns both gave the groups that Ruby gave.
//!
//! Knows nothing of Puppet.
//!
//! 275 patterns of real modules on 32 texts each, all captures against Ruby 3.1; nanoseconds on a busy machine, so read
//! the ratios.
//!
//! | | own backtracking machine | regex-automata (`meta`) | fancy-regex 0.20 |
//! |---|---|---|---|
//! | as Ruby | 8,800 of 8,800 | 8,599 of 8,599 in its subset | 8,570 of 8,576, 7 patterns refused |
//! | `^[a-z]+$`, matching | 50 | | 20 |
//! | `^(running\|stopped)$`, matching | 42 | | 45 |
//! | `\d+\.\d+` in 3 kB, captures | 900 to 3,900 | 94 | 94 |
//! | compiling, mean | 47,000 | 120,000 | 212,000 |
//!
//! So the own machine runs first, within a budget of steps for each byte of the text; a pattern that spends it is handed
//! to the linear engine where that means the same, and else runs up to `limits::REGEX_STEPS`, which is an error.

mod blocks;
mod charset;
mod compile;
mod counting;
mod fold;
mod linear;
mod lower;
mod machine;
mod program;
mod search;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod width;

use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

use pantin_base::{budget, limits};
use smallvec::SmallVec;

use linear::Linear;
use machine::{Machine, Memory, UNSET};
use program::Program;
use search::{Plain, Starts};
pub use syntax::{Options, RegexError, check, check_with, display_pattern};
use tree::Tree;

/// A pattern, ready to be matched.
#[derive(Debug)]
pub struct Regex {
    pattern: String,
    options: Options,
    tree: Tree,
    program: Program,
    starts: Starts,
    /// Which way every match goes, of a pattern that matches wherever it may start.
    plain: Option<Plain>,
    /// Made when it is first needed, which for most patterns is never.
    linear: OnceLock<Option<Linear>>,
}

/// The pattern needed more memory than [`limits`] allow, or more steps than the [`Allowance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepLimit;

/// Few patterns have more groups.
type Spans = SmallVec<[(u32, u32); 6]>;

/// Where a pattern and its groups have matched, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captures {
    /// Unset at both ends where a group did not take part.
    groups: Spans,
}

impl Captures {
    /// Where a group matched, if it did; nought is the whole match.
    pub fn get(&self, group: usize) -> Option<(usize, usize)> {
        let (start, end) = *self.groups.get(group)?;
        (start != UNSET && end != UNSET).then_some((start as usize, end as usize))
    }

    /// Returns how many groups there are, with the whole match.
    #[allow(clippy::len_without_is_empty, reason = "the whole match is always there")]
    pub fn len(&self) -> usize {
        self.groups.len()
    }
}

/// The steps that are always free, and those that are for each byte of the text, before the
/// engine that is slow to start but never explodes is made use of.
const FREE_STEPS: u64 = 4_000;
const FREE_STEPS_A_BYTE: u64 = 16;

/// So many steps of a search are one of the node's budget.
const STEPS_OF_STEP: u64 = 8;

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
    /// How many steps one search may take, as [`Allowance`] says.
    static STEPS: Cell<u64> = const { Cell::new(limits::REGEX_STEPS) };
}

/// How many steps each search of this thread may take, for as long as this is kept. Matches are looked for where nobody
/// knows of settings: deep within the check of a type, too.
#[derive(Debug)]
pub struct Allowance {
    before: u64,
}

impl Allowance {
    pub fn from_steps(steps: u64) -> Allowance {
        Allowance { before: STEPS.replace(steps) }
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        STEPS.set(self.before);
    }
}

impl Regex {
    /// Compiles a pattern, or says what Ruby has against it.
    pub fn new(pattern: &str, options: Options) -> Result<Regex, RegexError> {
        let tree = syntax::with_tree(pattern, options, |syntax| lower::lower(syntax, options))?;
        let Some(program) = compile::compile(&tree) else {
            return Err(RegexError { message: "too big regular expression".to_owned(), offset: None });
        };
        let starts = Starts::from_tree(&tree);
        let plain = starts.plain(&tree);
        Ok(Regex { pattern: pattern.to_owned(), options, tree, program, starts, plain, linear: OnceLock::new() })
    }

    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// Returns how many groups capture, without the whole match.
    pub fn group_count(&self) -> usize {
        self.tree.groups as usize
    }

    /// The names of groups in order of first appearance, each with the numbers it has.
    pub fn group_names(&self) -> &[(String, Vec<usize>)] {
        &self.tree.names
    }

    /// Returns the leftmost match at or behind the byte `start`. What is before it is seen by anchors.
    pub fn find_at(&self, text: &str, start: usize) -> Result<Option<Captures>, StepLimit> {
        let mut captures = Captures::default();
        Ok(self.find_into(text, start, &mut captures)?.then_some(captures))
    }

    /// The same, written where the groups of a match before may be: whether there is one.
    pub fn find_into(&self, text: &str, start: usize, captures: &mut Captures) -> Result<bool, StepLimit> {
        let groups = RefCell::new(&mut captures.groups);
        let linear = |linear: &Linear| {
            let found = linear.find_at(text, start, self.group_count())?;
            let span =
                |span: Option<(usize, usize)>| span.map_or((UNSET, UNSET), |(from, to)| (from as u32, to as u32));
            let mut groups = groups.borrow_mut();
            groups.clear();
            groups.extend(found.into_iter().map(span));
            Some(())
        };
        let found = self.search(text, start, linear, |end, slots| {
            let mut groups = groups.borrow_mut();
            groups.clear();
            groups.extend(spans(end, &slots[..self.program.slots]));
        });
        Ok(found?.is_some())
    }

    /// The same without its groups.
    pub fn find_span_at(&self, text: &str, start: usize) -> Result<Option<(usize, usize)>, StepLimit> {
        let linear = |linear: &Linear| linear.find_at(text, start, 0)?.into_iter().next().flatten();
        self.search(text, start, linear, |end, slots| (slots[0].min(end) as usize, end as usize))
    }

    pub fn is_match(&self, text: &str) -> Result<bool, StepLimit> {
        let linear = |linear: &Linear| linear.is_match(text).then_some(());
        Ok(self.search(text, 0, linear, |_, _| ())?.is_some())
    }

    fn search<T>(
        &self,
        text: &str,
        start: usize,
        linear: impl FnOnce(&Linear) -> Option<T>,
        found: impl Fn(u32, &[u32]) -> T,
    ) -> Result<Option<T>, StepLimit> {
        if u32::try_from(text.len()).is_err() || !text.is_char_boundary(start) {
            return if start > text.len() { Ok(None) } else { Err(StepLimit) };
        }
        if let Some(plain) = self.plain {
            return Ok(self.plain_span(plain, text, start).map(|(start, end)| {
                let (start, end) = (start as u32, end as u32);
                found(end, &[start, end])
            }));
        }
        let free = FREE_STEPS + FREE_STEPS_A_BYTE * text.len() as u64;
        if let Ok(answer) = self.step_by_step(text, start, free, &found) {
            return Ok(answer);
        }
        match self.linear.get_or_init(|| Linear::from_tree(&self.tree)) {
            Some(engine) if engine.takes(text) => Ok(linear(engine)),
            _ => self.step_by_step(text, start, STEPS.get(), &found),
        }
    }

    /// Returns the leftmost match of a pattern that is looked for without the machine.
    #[inline]
    fn plain_span(&self, plain: Plain, text: &str, start: usize) -> Option<(usize, usize)> {
        let start = self.starts.next(text.as_bytes(), start, start)?;
        let end = match plain {
            Plain::Width(width) => start + width as usize,
            Plain::Stretch => self.starts.end_of_stretch(text.as_bytes(), start),
        };
        Some((start, end))
    }

    /// Searches with the machine, in at most so many steps.
    fn step_by_step<T>(
        &self,
        text: &str,
        start: usize,
        steps: u64,
        found: &impl Fn(u32, &[u32]) -> T,
    ) -> Result<Option<T>, StepLimit> {
        // Where the pattern cannot match at all, no machine is needed.
        let Some(mut at) = self.starts.next(text.as_bytes(), start, start) else { return Ok(None) };
        MEMORY.with_borrow_mut(|memory| {
            let mut machine = Machine::new(&self.program, text, start as u32, memory, steps);
            let found_end = loop {
                match machine.run_at(at as u32) {
                    Ok(None) if at < text.len() => {}
                    ended => break ended,
                }
                match self.starts.next(text.as_bytes(), text::after(text.as_bytes(), at), start) {
                    Some(next) => at = next,
                    None => break Ok(None),
                }
            };
            // Whoever counts the node's steps sees whether there were too many.
            budget::spend(steps.saturating_sub(machine.steps_left()) / STEPS_OF_STEP);
            Ok(found_end?.map(|end| found(end, &memory.slots)))
        })
    }
}

fn spans(end: u32, slots: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let span = move |(group, pair): (usize, &[u32])| {
        let end = if group == 0 { end } else { pair[1] };
        // Where `\K` was met behind the end of the match, the match is empty.
        let start = if group == 0 { pair[0].min(end) } else { pair[0] };
        (start, end)
    };
    slots.chunks_exact(2).enumerate().map(span)
}

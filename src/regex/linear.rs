//! The engine that takes time in proportion to the text, for what both engines surely agree on.
//!
//! Out of it stay: references, calls, conditions, looks around, what gives nothing back, `\K`,
//! `\G`, `\Z`, and endless repeats of what may be empty.

use regex_automata::meta;
use regex_automata::{Input, PatternID};
use regex_syntax::hir::{Capture, Class, Dot, Hir, Look, Repetition};

use super::tree::{Assertion, Node, NodeId, Tree};
use super::width::Widths;

/// How deep a pattern may nest that is translated.
const DEEPEST: u32 = 100;

/// How much memory the translated pattern may take.
const MEMORY: usize = 1 << 22;

#[derive(Debug)]
pub(super) struct Linear {
    engine: meta::Regex,
    /// Of words beyond ASCII the engines have other notions.
    only_ascii: bool,
    /// To Ruby no line starts behind the line feed that ends a text.
    no_last_line_feed: bool,
}

impl Linear {
    /// The engine for a tree, if it can say all of it.
    pub(super) fn from_tree(tree: &Tree) -> Option<Linear> {
        let mut translator =
            Translator { tree, widths: Widths::new(tree), only_ascii: false, no_last_line_feed: false };
        let hir = translator.hir(tree.root, false, 0)?;
        let config = meta::Config::new().nfa_size_limit(Some(MEMORY)).onepass_size_limit(Some(MEMORY));
        let engine = meta::Builder::new().configure(config).build_from_hir(&hir).ok()?;
        let Translator { only_ascii, no_last_line_feed, .. } = translator;
        Some(Linear { engine, only_ascii, no_last_line_feed })
    }

    /// Returns true if a text is one that the engines agree on.
    pub(super) fn takes(&self, text: &str) -> bool {
        !(self.only_ascii && !text.is_ascii() || self.no_last_line_feed && text.ends_with('\n'))
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.engine.is_match(text)
    }

    /// The starts and ends of the groups of the first match.
    pub(super) fn find_at(&self, text: &str, start: usize, groups: usize) -> Option<Vec<Option<(usize, usize)>>> {
        let mut slots = vec![None; (groups + 1) * 2];
        let input = Input::new(text).range(start..);
        let _: PatternID = self.engine.search_slots(&input, &mut slots)?;
        let span =
            |pair: &[Option<regex_automata::util::primitives::NonMaxUsize>]| Some((pair[0]?.get(), pair[1]?.get()));
        Some(slots.chunks_exact(2).map(span).collect())
    }
}

struct Translator<'a> {
    tree: &'a Tree,
    widths: Widths,
    only_ascii: bool,
    no_last_line_feed: bool,
}

impl Translator<'_> {
    /// Returns a part; `followed` by at least one character, whatever is matched.
    fn hir(&mut self, id: NodeId, followed: bool, depth: u32) -> Option<Hir> {
        if depth > DEEPEST {
            return None;
        }
        let tree = self.tree;
        Some(match tree.node(id) {
            Node::Empty => Hir::empty(),
            Node::Char(character) => Hir::literal(character.to_string().into_bytes()),
            Node::Set(set) => Hir::class(Class::Unicode(tree.sets[*set as usize].clone())),
            Node::Any { newline: true } => Hir::dot(Dot::AnyChar),
            Node::Any { newline: false } => Hir::dot(Dot::AnyCharExceptLF),
            Node::Assert(assertion) => Hir::look(self.look(*assertion, followed)?),
            Node::Group { number, body } => {
                let sub = Box::new(self.hir(*body, followed, depth + 1)?);
                Hir::capture(Capture { index: *number, name: None, sub })
            }
            Node::List(parts) => {
                let mut translated = Vec::with_capacity(parts.len());
                let mut followed = followed;
                for part in parts.iter().rev() {
                    translated.push(self.hir(*part, followed, depth + 1)?);
                    followed |= self.widths.least(tree, *part) > 0;
                }
                translated.reverse();
                Hir::concat(translated)
            }
            Node::Alternatives(branches) => {
                let mut translated = Vec::with_capacity(branches.len());
                for branch in branches {
                    translated.push(self.hir(*branch, followed, depth + 1)?);
                }
                Hir::alternation(translated)
            }
            Node::Repeat { high: None, body, .. } if self.widths.least(tree, *body) == 0 => return None,
            Node::Repeat { low, high, greedy, body } => {
                let sub = Box::new(self.hir(*body, followed, depth + 1)?);
                Hir::repetition(Repetition { min: *low, max: *high, greedy: *greedy, sub })
            }
            Node::Keep
            | Node::Look { .. }
            | Node::Atomic(_)
            | Node::Absent(_)
            | Node::BackReference { .. }
            | Node::Condition { .. }
            | Node::Call(_) => return None,
        })
    }

    fn look(&mut self, assertion: Assertion, followed: bool) -> Option<Look> {
        Some(match assertion {
            Assertion::TextStart => Look::Start,
            Assertion::TextEnd => Look::End,
            Assertion::LineStart => {
                self.no_last_line_feed |= !followed;
                Look::StartLF
            }
            Assertion::LineEnd => Look::EndLF,
            Assertion::Word { boundary, .. } => {
                self.only_ascii = true;
                if boundary { Look::WordAscii } else { Look::WordAsciiNegate }
            }
            Assertion::LastLineEnd | Assertion::SearchStart => return None,
        })
    }
}

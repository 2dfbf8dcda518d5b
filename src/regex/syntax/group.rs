//! What is behind an opening parenthesis.
//!
//! Knows nothing of classes, of repeats, or of whether references lead anywhere.

use super::Fault;
use super::flags::Flags;
use super::parser::{Parser, Until};
use super::tree::{Around, SyntaxId, SyntaxNode};

/// The most groups that capture.
const MOST_GROUPS: u32 = 32767;

/// A group that was read, or only its options if the rest of the outer one is meant.
pub(super) struct Group {
    pub(super) node: SyntaxId,
    pub(super) flags: Flags,
    pub(super) is_rest: bool,
}

pub(super) const INVALID_CONDITION: &str = "invalid conditional pattern";
const IN_GROUP: &str = "end pattern in group";
const UNMATCHED: &str = "end pattern with unmatched parenthesis";
const UNDEFINED: &str = "undefined group option";

impl<'a> Parser<'a> {
    /// Returns a group, from behind its parenthesis at `start` to the closing one.
    pub(super) fn group(&mut self, start: usize) -> Result<Group, Fault> {
        if self.reader.is_done() {
            return Fault::at(start, UNMATCHED);
        }
        if !self.reader.skip('?') {
            return self.capture(None, start);
        }
        let Some(kind) = self.reader.next() else { return Fault::at(start, IN_GROUP) };
        let node = match kind {
            ':' => self.plain(start)?,
            '=' | '!' => {
                let around = if kind == '=' { Around::Ahead } else { Around::NotAhead };
                let body = self.body(start)?;
                self.tree.add(SyntaxNode::Look { around, body })
            }
            '>' => {
                let body = self.body(start)?;
                self.tree.add(SyntaxNode::Atomic { body })
            }
            '~' => {
                let body = self.body(start)?;
                self.tree.add(SyntaxNode::Absent { body })
            }
            '\'' => return self.named('\'', start),
            '<' => match self.reader.peek() {
                None => return Fault::at(start, UNMATCHED),
                Some(sign @ ('=' | '!')) => {
                    self.reader.pos += 1;
                    let around = if sign == '=' { Around::Behind } else { Around::NotBehind };
                    let body = self.body(start)?;
                    self.tree.add(SyntaxNode::Look { around, body })
                }
                Some(_) => return self.named('<', start),
            },
            '(' => self.condition(start)?,
            '-' | 'i' | 'm' | 'x' | 'a' | 'd' | 'u' => return self.with_options(kind, start),
            _ => return Fault::at(start, UNDEFINED),
        };
        Ok(self.whole(node))
    }

    fn whole(&self, node: SyntaxId) -> Group {
        Group { node, flags: self.flags, is_rest: false }
    }

    /// Returns the alternatives in a group, up to its closing parenthesis.
    fn body(&mut self, start: usize) -> Result<SyntaxId, Fault> {
        self.advance()?;
        self.alternatives(Until::Close(start))
    }

    /// `(?:...)`, from behind its colon.
    fn plain(&mut self, start: usize) -> Result<SyntaxId, Fault> {
        let body = self.body(start)?;
        if let SyntaxNode::Text(text) = &mut self.tree.nodes[body as usize] {
            text.is_grouped = true;
        }
        Ok(body)
    }

    fn named(&mut self, opening: char, start: usize) -> Result<Group, Fault> {
        let name = self.reader.name(opening, false)?;
        self.capture(Some(name.text), start)
    }

    fn capture(&mut self, name: Option<&'a [char]>, start: usize) -> Result<Group, Fault> {
        if self.tree.groups >= MOST_GROUPS {
            return Fault::at(start, "too many capture groups are specified");
        }
        self.tree.groups += 1;
        let number = self.tree.groups;
        self.closed.push(false);
        let name = name.map(|name| self.tree.define(name, number));
        let body = self.body(start)?;
        self.closed[number as usize - 1] = true;
        if let Some(name) = name {
            self.tree.namesakes[name as usize].open -= 1;
        }
        let node = self.tree.add(SyntaxNode::Group { number, named: name.is_some(), body });
        Ok(self.whole(node))
    }

    /// `(?(1)yes|no)`, from behind its second parenthesis.
    fn condition(&mut self, start: usize) -> Result<SyntaxId, Fault> {
        let (name, closed) = match self.reader.peek() {
            None => return Fault::at(start, UNDEFINED),
            Some('0'..='9') => (self.reader.name('(', true)?, true),
            Some('<' | '\'') => (self.named_reference()?, false),
            Some(_) => return Fault::at(start, INVALID_CONDITION),
        };
        let groups = self.referred(&name)?;
        // What stands in angle brackets or quotes passes for a name, were it a number.
        let named = !closed;
        if !closed && !self.reader.skip(')') {
            return Fault::at(start, UNDEFINED);
        }
        let body = self.body(start)?;
        if matches!(&self.tree.nodes[body as usize], SyntaxNode::Alternatives(branches) if branches.len() > 2) {
            self.tree.overfull_condition.get_or_insert(start);
        }
        Ok(self.tree.add(SyntaxNode::Condition { groups, named, body, at: start }))
    }

    /// `(?mix-mix:...)` or `(?mix-mix)`, from behind its first letter.
    fn with_options(&mut self, first: char, start: usize) -> Result<Group, Fault> {
        let outer = self.flags;
        let mut flags = outer;
        let mut letter = first;
        let mut off = false;
        loop {
            match letter {
                ')' => return Ok(Group { node: 0, flags, is_rest: true }),
                ':' => {
                    self.flags = flags;
                    let body = self.body(start)?;
                    self.flags = outer;
                    let node = self.tree.add(SyntaxNode::Options { flags, body });
                    return Ok(self.whole(node));
                }
                '-' => off = true,
                letter if flags.set(letter, !off) => {}
                _ => return Fault::at(start, UNDEFINED),
            }
            let Some(next) = self.reader.next() else { return Fault::at(start, IN_GROUP) };
            letter = next;
        }
    }
}

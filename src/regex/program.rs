//! What a tree is compiled to, and what the machine runs.

use regex_syntax::hir::ClassUnicode;

use super::tree::Assertion;

/// An index of an instruction.
pub(super) type Address = u32;

#[derive(Debug)]
pub(super) enum Instruction {
    Byte(u8),
    /// A string, by its index.
    Literal(u32),
    Set(u32),
    Any {
        newline: bool,
    },
    /// As many characters as there are, to be given back one by one.
    Run(Box<Run>),
    Assert(Assertion),
    /// Goes on behind this instruction, and at the address if that fails.
    Try(Address),
    /// Goes on at the address, and behind this instruction if that fails.
    Prefer(Address),
    Jump(Address),
    /// Notes the position, as the end of a group or the start of the whole, which `\K` moves.
    Save(u32),
    /// Opens a group.
    Open(u32),
    /// Opens and closes the frame of a group that may be open several times over.
    OpenFrame,
    CloseFrame(u32),
    /// Tries what follows, up to `Done`, then goes on at the address.
    Look {
        negative: bool,
        end: Address,
    },
    Atomic(Address),
    Absent(Address),
    /// The end of a part that is tried on its own.
    Done,
    /// Goes back some characters.
    Back(u32),
    BackReference(Box<Reference>),
    /// Goes on at the address unless one of the groups has matched.
    Condition {
        groups: Box<[u32]>,
        otherwise: Address,
    },
    Call(Address),
    Return,
    /// Notes the position at the start of one round of a loop.
    Round,
    /// Leaves the loop if the round took nothing.
    RoundDone(Address),
    /// Begins a counted loop.
    Count,
    /// Another round of a counted loop, or its end at the address.
    Counted {
        low: u32,
        high: Option<u32>,
        greedy: bool,
        end: Address,
    },
    /// The end of a counted round: on to `Counted` at the address.
    CountedDone {
        again: Address,
        end: Address,
    },
    Fail,
    Match,
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) what: One,
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) kind: RunKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunKind {
    Greedy,
    Lazy,
    Possessive,
}

/// One character of several.
#[derive(Debug, Clone, Copy)]
pub(super) enum One {
    Char(char),
    Set(u32),
    Any { newline: bool },
}

#[derive(Debug)]
pub(super) struct Reference {
    pub(super) groups: Vec<u32>,
    pub(super) ignore_case: bool,
    pub(super) level: Option<i32>,
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) code: Vec<Instruction>,
    pub(super) sets: Vec<Set>,
    pub(super) literals: Vec<Box<[u8]>>,
    pub(super) slots: usize,
    /// Of each group by number, whether it counts when a round took nothing.
    pub(super) counting: Vec<bool>,
    /// Whether a reference asks how deep in calls a group was.
    pub(super) levels: bool,
}

/// A set of characters that is asked often.
#[derive(Debug)]
pub(super) struct Set {
    ascii: [bool; 128],
    wide: Box<[(char, char)]>,
}

impl Set {
    pub(super) fn new(set: &ClassUnicode) -> Self {
        let mut ascii = [false; 128];
        let mut wide = Vec::new();
        for range in set.ranges() {
            for code in u32::from(range.start())..=u32::from(range.end()).min(0x7F) {
                ascii[code as usize] = true;
            }
            if !range.end().is_ascii() {
                wide.push((range.start(), range.end()));
            }
        }
        Set { ascii, wide: wide.into() }
    }

    pub(super) fn has_ascii(&self, byte: u8) -> bool {
        byte < 0x80 && self.ascii[usize::from(byte)]
    }

    pub(super) fn has(&self, character: char) -> bool {
        match u8::try_from(character) {
            Ok(byte @ ..0x80) => self.ascii[usize::from(byte)],
            _ => {
                let at = self.wide.partition_point(|range| range.1 < character);
                self.wide.get(at).is_some_and(|range| range.0 <= character)
            }
        }
    }
}

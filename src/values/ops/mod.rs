//! What the operators of the language do with values.
//!
//! An operator knows its operands and the settings, not where they stood: a fault says which of
//! them is to blame, and the evaluator, which knows the source, gives it a place.

mod arithmetic;
mod collections;
mod equality;
mod inclusion;
mod index;
mod large;
mod matching;
mod number;
mod ordering;
mod ruby;
#[cfg(test)]
mod tests;
mod time;
mod uri;

pub use arithmetic::{arithmetic, negate, plain_numbers};
pub use equality::{equals, natively_equal};
pub use inclusion::includes;
pub use index::index;
pub use matching::{Match, MatchData, match_operator, option_matches};
pub use number::{Number, parse_number};
pub use ordering::{compare, comparison, order};
pub use ruby::to_s;

use super::Fault;

/// The part of an expression that a fault belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    Whole,
    Left,
    Right,
    /// A key of `[]`, by its place; where keys came out of one array there may be fewer in the source.
    Key(usize),
}

/// A fault, and the part of the expression to show for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperandFault {
    pub blame: Blame,
    pub fault: Fault,
}

impl OperandFault {
    fn new(blame: Blame, fault: Fault) -> OperandFault {
        OperandFault { blame, fault }
    }

    fn issue(blame: Blame, code: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> OperandFault {
        OperandFault::new(blame, Fault::issue(code, message))
    }
}

impl From<Fault> for OperandFault {
    fn from(fault: Fault) -> OperandFault {
        OperandFault::new(Blame::Whole, fault)
    }
}

/// A string was taken as a number. Worth a warning, if the settings say so: then it is handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coercion {
    pub blame: Blame,
    pub message: String,
}

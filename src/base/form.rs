//! The form of a code file: its meaning and the lines of its parts, so that a later version can be recognized as moved lines
//! only. Must not know any grammar.

use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Form {
    /// Names what the text says, what of it stands on the same line, and what parsing it logs.
    pub meaning: [u8; 16],
    /// The lines that something begins on, ascending.
    pub lines: Vec<u32>,
}

/// Where lines of a text are in another one that means the same.
#[derive(Clone, PartialEq, Debug)]
pub struct MovedLines(FxHashMap<u32, u32>);

impl Form {
    /// `None`: the other text means something else.
    pub fn moved_to(&self, other: &Form) -> Option<MovedLines> {
        let is_same = self.meaning == other.meaning && self.lines.len() == other.lines.len();
        is_same.then(|| MovedLines(self.lines.iter().copied().zip(other.lines.iter().copied()).collect()))
    }
}

impl MovedLines {
    /// `None`: nothing began on that line.
    pub fn now(&self, line: u32) -> Option<u32> {
        self.0.get(&line).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_where_what_stood_on_it_stands() {
        let form = |meaning: u8, lines: &[u32]| Form { meaning: [meaning; 16], lines: lines.to_vec() };
        let moved = form(1, &[1, 2, 9]).moved_to(&form(1, &[3, 4, 7])).unwrap();
        assert_eq!([1, 2, 9, 3].map(|line| moved.now(line)), [Some(3), Some(4), Some(7), None]);
        assert!(form(1, &[1]).moved_to(&form(2, &[1])).is_none());
        assert!(form(1, &[1]).moved_to(&form(1, &[1, 2])).is_none());
    }
}

//! A range of bytes in a source.

/// Start and length in bytes. Sources are limited to [`super::limits::SOURCE_BYTES`], so 32 bits do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    pub fn new(start: u32, len: u32) -> Span {
        Span { start, len }
    }

    /// Returns the span from `start` up to, not including, `end`; empty where they cross.
    pub fn between(start: u32, end: u32) -> Span {
        Span { start, len: end.saturating_sub(start) }
    }

    pub fn end(self) -> u32 {
        self.start + self.len
    }

    /// From the start of this span to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span::between(self.start, other.end())
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end() as usize
    }
}

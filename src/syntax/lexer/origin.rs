//! Where the text of a heredoc stands in the file, once its margin has been taken away.

use std::rc::Rc;

use crate::base::Lines;

/// Maps offsets in a heredoc's text to offsets in the text around it.
#[derive(Debug)]
pub(super) struct Origin {
    /// Where the heredoc's first line begins in the text around it.
    start: u32,
    lines: Lines,
    /// For each line, counted from one, the margin taken from it and from those before it.
    margins: Option<Vec<u32>>,
    /// The heredoc around this one, if there is one.
    parent: Option<Rc<Origin>>,
}

impl Origin {
    /// `margins` holds what was taken from each line; `None` where lines were left alone.
    pub(super) fn new(start: u32, text: &str, margins: Option<Vec<u32>>, parent: Option<Rc<Origin>>) -> Origin {
        let margins = margins.map(|each| {
            let mut sum = 0;
            let mut sums: Vec<u32> = std::iter::once(0)
                .chain(each.iter().map(|margin| {
                    sum += margin;
                    sum
                }))
                .collect();
            sums.push(sum);
            sums
        });
        Origin { start, lines: Lines::of(text), margins, parent }
    }

    /// Where the character at `local` really stands in the file.
    pub(super) fn in_source(&self, local: u32) -> u32 {
        let margin = self.margin(local);
        self.outward(local + self.start + margin, Origin::in_source)
    }

    /// The position that the real parser reports: it takes the very first character to stand
    /// at the start of the line, margin and all.
    pub(super) fn reported(&self, local: u32) -> u32 {
        let margin = if local == 0 { 0 } else { self.margin(local) };
        self.outward(local + self.start + margin, Origin::reported)
    }

    /// Whether a text that spans lines is not one piece of the file.
    pub(super) fn is_scattered(&self) -> bool {
        self.margins.is_some() || self.parent.as_ref().is_some_and(|parent| parent.is_scattered())
    }

    fn margin(&self, local: u32) -> u32 {
        let Some(sums) = &self.margins else { return 0 };
        sums[(self.lines.line(local) as usize).min(sums.len() - 1)]
    }

    fn outward(&self, offset: u32, map: fn(&Origin, u32) -> u32) -> u32 {
        match &self.parent {
            Some(parent) => map(parent, offset),
            None => offset,
        }
    }
}

//! Where the text of a heredoc stands in the file, once its margin has been taken away.

use pantin_base::Lines;

/// Maps offsets in a heredoc's text to offsets in the text around it.
#[derive(Debug)]
pub(super) struct Origin {
    /// Where the heredoc's first line begins in the text around it.
    start: u32,
    lines: Lines,
    /// For each line, counted from one, the margin taken from it and from those before it.
    margins: Option<Vec<u32>>,
}

impl Origin {
    /// `margins` holds what was taken from each line; `None` where lines were left alone.
    pub(super) fn new(start: u32, text: &str, margins: Option<Vec<u32>>) -> Origin {
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
        Origin { start, lines: Lines::from_text(text), margins }
    }

    /// Returns where the character at `local` really stands in the file.
    pub(super) fn in_source(&self, local: u32) -> u32 {
        local + self.start + self.margin(local)
    }

    /// Returns the position that the real parser reports: it takes the very first character to stand at the start of
    /// the line, margin and all.
    pub(super) fn reported(&self, local: u32) -> u32 {
        if local == 0 { self.start } else { self.in_source(local) }
    }

    /// Returns true if a text that spans lines is not one piece of the file.
    pub(super) fn is_scattered(&self) -> bool {
        self.margins.is_some()
    }

    fn margin(&self, local: u32) -> u32 {
        let Some(sums) = &self.margins else { return 0 };
        sums[(self.lines.line(local) as usize).min(sums.len() - 1)]
    }
}

//! Where a type is printed to: each byte is a step of the budget, for aliases of aliases multiply what is printed.

use std::fmt::{self, Formatter, Write};

use pantin_base::budget;

pub(super) struct Output<'f, 'g> {
    to: &'f mut Formatter<'g>,
    /// Not for digests: they are made by whoever keeps answers, whether code of a node runs or not.
    is_counted: bool,
}

impl<'f, 'g> Output<'f, 'g> {
    pub(super) fn new(to: &'f mut Formatter<'g>, is_counted: bool) -> Output<'f, 'g> {
        Output { to, is_counted }
    }

    /// Returns true if no step is left: then nothing more is written.
    pub(super) fn is_over(&self) -> bool {
        self.is_counted && budget::is_over()
    }
}

impl Write for Output<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.is_counted && !budget::spend(text.len() as u64) {
            return Ok(());
        }
        self.to.write_str(text)
    }
}

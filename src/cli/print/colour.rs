//! When to use colours.

use clap::ValueEnum;
use pantin_world::Surroundings;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    #[value(alias = "true", alias = "ansi")]
    Always,
    #[value(alias = "false")]
    Never,
}

impl Colour {
    /// Returns true if a stream gets colours.
    pub(crate) fn is_on(self, surroundings: &Surroundings, stream_is_terminal: bool) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => !surroundings.colour_unwanted && (surroundings.colour_forced || stream_is_terminal),
        }
    }
}

/// Returns how wide a report may be: as the terminal, within what reads well.
pub(crate) fn report_width(terminal: &console::Term) -> usize {
    terminal.size_checked().map_or(100, |(_, columns)| usize::from(columns)).clamp(60, 140)
}

/// Returns how wide what a person reads may be: as their terminal; as wide as it is, where it goes elsewhere.
pub(crate) fn terminal_width(surroundings: &Surroundings) -> Option<usize> {
    surroundings.stdout_is_terminal.then(|| report_width(&console::Term::stdout()))
}

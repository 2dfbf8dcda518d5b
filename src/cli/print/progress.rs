//! The progress of a run on standard error, once it takes long enough: a bar on a terminal, elsewhere an occasional line.

use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pantin_world::{Stopwatch, Surroundings};

/// A run shorter than this is over before a bar could be read.
const PATIENCE: Duration = Duration::from_millis(400);

/// So long after one line comes the next.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProgressDisplay {
    Nothing,
    Bar,
    Lines,
}

pub(crate) struct Progress {
    shown: ProgressDisplay,
    /// What is counted, in the plural.
    what: &'static str,
    total: u64,
    done: u64,
    failed: u64,
    bar: Option<ProgressBar>,
    last_line: Duration,
}

impl Progress {
    /// That of a command with many nodes; `quiet`: none is wanted.
    pub(crate) fn for_nodes(quiet: bool, surroundings: &Surroundings, total: usize) -> Progress {
        let shown = match (quiet, surroundings.stderr_is_terminal) {
            (true, _) => ProgressDisplay::Nothing,
            (false, true) => ProgressDisplay::Bar,
            (false, false) => ProgressDisplay::Lines,
        };
        Progress::new(shown, "nodes", total)
    }

    pub(crate) fn new(shown: ProgressDisplay, what: &'static str, total: usize) -> Progress {
        Progress { shown, what, total: total as u64, done: 0, failed: 0, bar: None, last_line: Duration::ZERO }
    }

    pub(crate) fn advance(&mut self, running: Stopwatch) {
        self.done += 1;
        let elapsed = running.elapsed();
        match self.shown {
            ProgressDisplay::Nothing => {}
            ProgressDisplay::Lines if elapsed > self.last_line + BETWEEN_LINES => {
                self.last_line = elapsed;
                // Nothing can be done where nobody listens.
                let _ = writeln!(io::stderr(), "{}", self.line(elapsed));
            }
            ProgressDisplay::Lines => {}
            ProgressDisplay::Bar => {
                if self.bar.is_none() && elapsed > PATIENCE {
                    self.bar = Some(visible_bar(self.total, self.what));
                }
                if let Some(bar) = &self.bar {
                    bar.set_position(self.done);
                    let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
                    bar.set_message(format!("{}{failed}", self.pace(elapsed)));
                }
            }
        }
    }

    /// How many of those that are done have failed.
    pub(crate) fn set_failed(&mut self, failed: usize) {
        self.failed = failed as u64;
    }

    /// Prints something without the bar in its way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        format!("{} of {} {}, {}, {} failed", self.done, self.total, self.what, self.pace(elapsed), self.failed)
    }

    /// By all that is done: what indicatif has of its own goes by the last steps, and these may come all at once.
    fn pace(&self, elapsed: Duration) -> String {
        let rate = self.done as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(self.done) as f64 / rate.max(1e-9);
        format!("{rate:.1} a second, {left:.0} s left")
    }
}

fn visible_bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(15));
    let template = format!("{{bar:32}} {{pos}}/{{len}} {what}, {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is() {
        let mut progress = Progress::new(ProgressDisplay::Nothing, "nodes", 200);
        let running = Stopwatch::start();
        progress.set_failed(1);
        (0..50).for_each(|_| progress.advance(running));
        let line = progress.line(Duration::from_secs(10));
        assert_eq!(line, "50 of 200 nodes, 5.0 a second, 30 s left, 1 failed");
    }
}

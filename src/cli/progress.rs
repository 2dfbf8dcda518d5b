//! A progress bar on standard error, once a run takes long enough to be noticed.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::world::Stopwatch;

/// A run shorter than this is over before a bar could be read.
const PATIENCE: Duration = Duration::from_millis(400);

pub(super) struct Progress {
    wanted: bool,
    total: u64,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(wanted: bool, total: usize) -> Progress {
        Progress { wanted, total: total as u64, done: 0, bar: None }
    }

    pub(super) fn advance(&mut self, running: Stopwatch) {
        self.done += 1;
        if self.bar.is_none() && self.wanted && running.elapsed() > PATIENCE {
            self.bar = Some(visible_bar(self.total));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    /// Prints something without the bar in its way.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn visible_bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(15));
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} files, {eta} left") {
        bar.set_style(style);
    }
    bar
}

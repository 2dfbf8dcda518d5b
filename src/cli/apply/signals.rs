//! The signals that end an apply: the first one ends the walk behind the resource that is under way, the second one the process.

use std::io;

use pantin_machine::Stop;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The number of the signal of a person who has had enough.
pub(crate) const INTERRUPT: i32 = SIGINT;

/// Begins to listen; what is returned says that a signal came.
pub(crate) fn watch() -> io::Result<Stop> {
    let stop = Stop::default();
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let told = stop.clone();
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            if told.signal().is_some() {
                std::process::exit(1);
            }
            told.request(signal);
        }
    })?;
    Ok(stop)
}

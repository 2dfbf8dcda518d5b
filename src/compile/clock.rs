//! The trait by which the times of bodies and files are measured. The caller brings the clock.

use std::time::Duration;

use pantin_model::trace::NewReply;

/// Is told of each body of which code was run, on the thread that ran it, when it has ended: those within it come first.
pub trait BodyClock: Send + Sync {
    fn now(&self) -> Duration;

    fn record_run(&self, ran: BodyRun<'_>);

    /// A file was read and parsed. `begun`: what [`BodyClock::now`] said before.
    fn record_parse(&self, file: &str, begun: Duration);
}

/// A body of which code was run.
#[derive(Clone, Copy, Debug)]
pub struct BodyRun<'a> {
    pub body: &'a str,
    /// Where its code stands.
    pub file: Option<&'a str>,
    /// What [`BodyClock::now`] said before.
    pub begun: Duration,
    /// What it was told that was new, where it would else not have been run.
    pub news: Option<&'a NewReply>,
}

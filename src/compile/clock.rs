//! Who wants to know how long bodies take. Knows no clock.

use std::time::Duration;

/// Is told of each body of which code was run, on the thread that ran it, when it has ended: those within it come first.
pub trait BodyClock: Send + Sync {
    fn now(&self) -> Duration;

    /// `begun`: what [`BodyClock::now`] said before.
    fn ran(&self, body: &str, begun: Duration);
}

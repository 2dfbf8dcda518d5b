//! The tests of the store, one binary. What a test needs lies in `support`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod cleaning;
mod damage;
mod degraded;
mod keys;
mod location;
mod maintenance;
mod processes;
mod round_trip;
mod support;
mod threads;

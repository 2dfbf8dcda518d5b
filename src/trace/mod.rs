//! The door between a body and everything else.
//!
//! A body (the site manifest, a class, a function's caller …) knows its own locals. All else it gets
//! through a [`Host`]: it **asks** a [`Question`] and is given an [`Answer`], or it **applies** an
//! [`Effect`] and is told its [`Outcome`]. Because nothing else goes in or out, what a body asked and
//! did, in order, is all there is to know about it, and a later request can be answered by asking the
//! same questions again.
//!
//! Knows neither how a body is run nor where a trace is kept.

mod effect;
mod failure;
mod host;
mod question;
mod unit;

pub use effect::{Declaration, DeclaredBody, Effect, Include, Level, Log, LogSource, Outcome, Parameter};
pub use failure::{Failure, Shape};
pub use host::Host;
pub use question::{Answer, Code, Container, Definition, FileKind, Path, Question};
pub use unit::{At, Unit};

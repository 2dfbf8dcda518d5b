//! The door between a body and everything else. What code looks at in the catalog beside its questions is recorded elsewhere
//! (`pantin-compile`'s observations).
//!
//! A body (the site manifest, a class, a function's caller …) knows its own locals. All else it gets
//! through a [`Host`]: it **asks** a [`Question`] and is given an [`Answer`], or it **applies** an
//! [`Effect`] and is told its [`Outcome`]. Because nothing else goes in or out, what a body asked and
//! did, in order, is all there is to know about it, and a later request can be answered by asking the
//! same questions again.
//!
//! A [`Recorder`] writes down what one run asked and did: its [`Trace`]. The traces of one body, for all the
//! answers it was ever given, make a [`Tree`]; [`run_or_replay`] walks it, and runs code only where an answer
//! is new. [`Traces`] holds the trees of all bodies.
//!
//! Knows neither how a body is run nor where a trace is kept.

mod branches;
mod diff;
mod digest;
mod dump;
mod effect;
mod failure;
mod host;
mod injection_question;
mod known_answers;
mod lookup_question;
mod news;
mod nodes;
mod parameters;
mod policy;
mod question;
mod recall;
mod recorder;
mod same;
mod secret_text;
mod secrets;
mod step;
mod steps;
#[cfg(test)]
mod tests;
mod traces;
mod tree;
mod unit;
mod units;
mod variable_name;
mod walk;

pub use diff::{
    AddedDeclaration, DeclarationChange, DeclarationDigests, InsertionPoint, Places, ResourceKey, TraceDiff,
    UntellableDiff, VariableChange,
};
pub use effect::{
    Declaration, DeclaredBody, Deprecation, Effect, Include, Layer, Level, Log, LogSource, Outcome, ResourceForm,
    SharedLocal, Standing,
};
pub use failure::{Failure, Shape};
pub use host::Host;
pub use injection_question::{InjectionKind, InjectionQuestion};
pub use lookup_question::LookupQuestion;
pub use news::{Before, NewReply};
pub use parameters::{Parameter, Parameters, Written, share_written};
pub use question::{
    Answer, Code, Container, Definition, FileKind, FunctionCaller, NameKind, Path, Question, ResourcePart, RubyFile,
    dig,
};
pub use recall::recall;
pub use recorder::{RecordedRun, Recorder};
pub use secret_text::value_reveals_secret;
pub use secrets::Secrets;
pub use step::{End, RecordedStep, Step, Trace};
pub use traces::{Key, Purpose, Traces};
pub use tree::Tree;
pub use unit::{At, FixedLocal, SlotNames, UNNAMED, Unit};
pub use variable_name::VariableName;
pub use walk::{Body, WalkKind, WalkResult, run_or_replay};

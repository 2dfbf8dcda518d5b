//! The trait `Host`: the only way from a body to everything outside of it.

use super::{Answer, Effect, Outcome, Question};
use crate::evaluation::EvaluationRecorder;

/// Answers what a body asks, and does what it wants done.
///
/// Within one body, the same question after the same effects is answered the same. An effect may change
/// later answers; that is what the order of a trace is for.
pub trait Host {
    fn ask(&mut self, question: &Question) -> Answer;

    fn apply(&mut self, effect: &Effect) -> Outcome;

    /// Returns true if anything was decrypted for this request so far.
    fn has_decrypted(&self) -> bool {
        false
    }

    /// Returns true if a text shows what was decrypted.
    fn contains_decrypted_text(&self, _text: &str) -> bool {
        false
    }

    /// Is told how many steps of the node's budget the body's own code took, when it has ended.
    fn note_steps(&mut self, _steps: u64) {}

    /// Returns the recorder of evaluations, if this compilation has one. The evaluator calls it once, when it begins.
    fn recorder(&mut self) -> Option<&mut EvaluationRecorder> {
        None
    }
}

//! Why a body was run and not replayed: the first step with a new reply. Shows no secret.

use std::sync::Arc;

use pantin_values::{Digest, Value};

use super::Step;
use super::dump::{reply_text, step_text};
use super::nodes::Index;
use super::step::StepReply;
use super::tree::Tree;

/// A reply that the trace tree had not seen.
#[derive(Clone)]
pub struct NewReply {
    step: Arc<Step>,
    reply: StepReply,
    is_hidden: bool,
    /// What it had been told there, by digest and, where it is kept as it was, the thing itself; of several, how many.
    before: Result<(Option<Digest>, Option<Value>), usize>,
}

/// What it had been told there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Before {
    /// Always the same.
    One(String),
    /// So many different things.
    Several(usize),
}

impl NewReply {
    pub(super) fn new(tree: &Tree, index: Index, step: &Arc<Step>, reply: &StepReply, is_hidden: bool) -> NewReply {
        let before = tree.single_reply(index);
        NewReply { step: Arc::clone(step), reply: reply.clone(), is_hidden, before }
    }

    /// Returns what was asked, or done.
    pub fn step(&self) -> String {
        step_text(&self.step)
    }

    pub fn before(&self) -> Before {
        match &self.before {
            Ok((digest, sample)) => {
                let digest = digest.or_else(|| Some(sample.as_ref()?.digest())).unwrap_or_else(|| Digest::atom(0));
                Before::One(reply_text(&digest, sample.as_ref()))
            }
            Err(several) => Before::Several(*several),
        }
    }

    pub fn now(&self) -> String {
        match self.is_hidden {
            true => "something that was decrypted".to_owned(),
            false => reply_text(&self.reply.as_reply().digest(false), self.reply.as_reply().value()),
        }
    }
}

impl std::fmt::Debug for NewReply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {:?} → {}", self.step(), self.before(), self.now())
    }
}

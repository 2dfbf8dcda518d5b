//! What is wrong with the nodes of a watch, as `fleet` would say: how many are fine, and each error once for all its nodes.
//!
//! Knows nothing of how anything is shown.

use std::sync::Arc;

use super::checks::check_messages;
use crate::messages::{About, Group, Message};
use crate::query::{Answer, AnswerFailure, HowComputed};

/// What is wrong with some nodes.
#[derive(Debug)]
pub struct Verdict {
    /// Nodes with a catalog that an agent could apply, as far as that was checked.
    pub ok: usize,
    pub failed: usize,
    /// How many of all nodes have an answer that an earlier process stored.
    pub stored: usize,
    pub groups: Vec<Group>,
}

impl Verdict {
    pub fn from_answers(answers: &[Arc<Answer>]) -> Verdict {
        let messages: Vec<Vec<Message>> = answers.iter().map(|answer| failing_messages(answer)).collect();
        let failed = messages.iter().filter(|messages| !messages.is_empty()).count();
        Verdict {
            ok: answers.len() - failed,
            failed,
            stored: answers.iter().filter(|answer| answer.how == HowComputed::Stored).count(),
            groups: Group::from_messages(answers.iter().map(|answer| &answer.node).zip(&messages)),
        }
    }
}

/// Returns why a node has no catalog, or none that an agent could apply.
fn failing_messages(answer: &Answer) -> Vec<Message> {
    match &answer.result {
        Ok(_) => check_messages(answer),
        Err(failure) => vec![failure_message(answer, failure)],
    }
}

/// Returns why a node has no catalog.
pub(super) fn failure_message(answer: &Answer, failure: &AnswerFailure) -> Message {
    let message = Message::new(About::Failure, failure.text(), &answer.node, &answer.own_words);
    message.with_failure(&failure.report())
}

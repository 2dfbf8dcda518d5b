//! A block of Ruby that a function in a worker hands to a function of Puppet's.

use pantin_ruby::{Outside, RubyBlock, RubyError};
use pantin_values::{Fault, Value};

use super::conversation::{Conversation, ConversationError};
use super::pool::SharedSession;

/// It lives as long as the call that it was handed to: after that the worker knows it no more.
#[derive(Debug)]
pub(super) struct WorkerBlock {
    pub(super) who: String,
    pub(super) session: SharedSession,
    pub(super) number: i64,
    pub(super) arity: i64,
}

impl RubyBlock for WorkerBlock {
    fn arity(&self) -> i64 {
        self.arity
    }

    fn call(&self, args: Vec<Value>, outside: &mut dyn Outside) -> Result<Value, RubyError> {
        let told = Conversation::new(&self.who, &self.session, outside).call_block(self.number, args);
        told.map_err(|ended| match ended {
            ConversationError::Error(error) => error,
            ConversationError::Stale => {
                let message = format!("{} wants a file that is another than the one it has loaded", self.who);
                RubyError::Fatal(Fault::limit(message), None)
            }
        })
    }
}

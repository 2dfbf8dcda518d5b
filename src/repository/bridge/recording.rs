//! A Ruby of the person's own whose answers are recorded: what a call was answered once is not asked again.

use std::sync::Arc;

use pantin_hiera::NO_SUCH_KEY;
use pantin_ruby::{FunctionFile, Outside, OwnRuby, RubyError};
use pantin_values::Value;
use pantin_world::{Answers, RecordedAnswer};

#[derive(Debug)]
pub struct RecordingRuby {
    pub ruby: Arc<dyn OwnRuby>,
    pub answers: Arc<Answers>,
}

impl OwnRuby for RecordingRuby {
    fn is_deterministic(&self, function: &str) -> bool {
        self.ruby.is_deterministic(function)
    }

    fn call(&self, function: &FunctionFile, args: &[Value], outside: &mut dyn Outside) -> Result<Value, RubyError> {
        if let Some(RecordedAnswer::Value(known)) = self.answers.get(&function.name, args) {
            return Ok(known.clone());
        }
        let result = self.ruby.call(function, args, outside);
        match &result {
            Ok(value) => self.answers.note(&function.name, args, RecordedAnswer::Value(value.clone())),
            // Nothing rescues it, and it ends the function.
            Err(RubyError::Fatal(fault, _)) if fault.message == NO_SUCH_KEY => {
                self.answers.note(&function.name, args, RecordedAnswer::NotFound);
            }
            Err(_) => {}
        }
        result
    }
}

//! Texts that may contain a path of the repository, and that Ruby code holds without looking at them: the path of its own file,
//! the message of an exception.
//!
//! Code gets such a text through `reveal` alone, which tells the outside. All else is for texts that no code sees: errors
//! as the user reads them, questions about the file. Knows nothing of where a repository lies.

use pantin_values::Str;

use super::interp::Interp;
use super::stop::Flow;
use super::value::Value;

/// The path of a file of code, or of a template; empty where there is no file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScriptPath(Str);

impl ScriptPath {
    pub fn new(path: &str) -> ScriptPath {
        ScriptPath(path.into())
    }

    /// For an error that the user reads, or a question about the file: no code may get it.
    pub fn beyond_code(&self) -> &Str {
        &self.0
    }

    /// A text that is made of the path, as code gets it.
    pub(crate) fn reveal(&self, interp: &mut Interp<'_>, text: impl FnOnce(&str) -> String) -> Flow {
        interp.reveal_text(text(&self.0))
    }
}

/// What was given as the message of an exception. Those that are raised outside, or while a file is parsed, name files.
#[derive(Clone, Default)]
pub(super) struct ExceptionMessage(Value);

impl ExceptionMessage {
    pub(super) fn new(message: Value) -> ExceptionMessage {
        ExceptionMessage(message)
    }

    /// For an error that the user reads; `None` where no message was given.
    pub(super) fn beyond_code(&self, interp: &mut Interp<'_>) -> Flow<Option<String>> {
        if self.0.is_nil() { Ok(None) } else { interp.text_of(&self.0).map(Some) }
    }

    /// The same as code gets it.
    pub(super) fn reveal(&self, interp: &mut Interp<'_>) -> Flow<Option<String>> {
        let message = self.beyond_code(interp)?;
        if let Some(message) = message.as_ref().filter(|message| message.contains('/')) {
            interp.reveal(message)?;
        }
        Ok(message)
    }
}

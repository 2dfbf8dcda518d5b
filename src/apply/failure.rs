//! Why something could not be looked at or changed, in the words of the log.

use std::fmt;

use pantin_model::catalog::Place;

/// Why a resource could not be looked at, converted or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    message: String,
    /// What went wrong below, which the log tells as well.
    wrapped: Option<Box<Failure>>,
    /// The run was stopped by this signal: no failure of the resource.
    signal: Option<i32>,
    /// What carries the resource out does not work on this machine, so far.
    lack: Option<ProviderLack>,
    /// The message is told as it is, and not as one about an attribute.
    is_whole: bool,
}

/// Why a resource cannot be carried out on this machine, so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProviderLack {
    /// The resource names a provider that does not work here.
    Named(String),
    /// No provider of its type works here.
    OfType(String),
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), wrapped: None, signal: None, lack: None, is_whole: false }
    }

    /// A failure with ` (file: F, line: L)` behind its message.
    pub fn with_place(message: impl AsRef<str>, place: Option<&Place>) -> Failure {
        Failure::new(format!("{}{}", message.as_ref(), place_suffix(place)))
    }

    /// A failure whose message is told as it is, though it is about an attribute.
    pub(crate) fn whole(message: impl Into<String>) -> Failure {
        Failure { is_whole: true, ..Failure::new(message) }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns a failure because of another one, which the log tells behind `Wrapped exception:`.
    #[must_use]
    pub fn wrapping(self, wrapped: Failure) -> Failure {
        Failure { wrapped: Some(Box::new(wrapped)), ..self }
    }

    /// Returns a provider that does not work on this machine. The resource waits until nothing else moves.
    pub fn lack(lack: ProviderLack) -> Failure {
        let message = match &lack {
            ProviderLack::Named(provider) => format!("Provider {provider} is not functional on this host"),
            ProviderLack::OfType(type_name) => format!("Could not find a suitable provider for {type_name}"),
        };
        Failure { lack: Some(lack), ..Failure::new(message) }
    }

    pub(crate) fn provider_lack(&self) -> Option<&ProviderLack> {
        self.lack.as_ref()
    }

    /// Returns the end of a run by a signal.
    pub fn stopped(signal: i32) -> Failure {
        let message = if signal == 15 { "SIGTERM" } else { "exit" };
        Failure { signal: Some(signal), ..Failure::new(message) }
    }

    pub fn signal(&self) -> Option<i32> {
        self.signal
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the message without the place that it ends with.
    pub(crate) fn message_without_place(&self, place: Option<&Place>) -> &str {
        self.message.strip_suffix(&place_suffix(place)).unwrap_or(&self.message)
    }

    /// Returns the lines of the log: the message, or another one in its place, and what is wrapped.
    pub fn log_text(&self, message: Option<&str>) -> String {
        let mut text = message.unwrap_or(&self.message).to_owned();
        let mut inner = &self.wrapped;
        while let Some(wrapped) = inner {
            text.push_str("\nWrapped exception:\n");
            text.push_str(&wrapped.message);
            inner = &wrapped.wrapped;
        }
        text
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::new(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Failure {
        Failure::new(message)
    }
}

/// ` (file: F, line: L)`, or as much of it as is known.
pub(crate) fn place_suffix(place: Option<&Place>) -> String {
    match place {
        Some(Place { file, line }) if !file.is_empty() && *line > 0 => format!(" (file: {file}, line: {line})"),
        Some(Place { file, line }) if file.is_empty() && *line > 0 => format!(" (line: {line})"),
        Some(Place { file, .. }) if !file.is_empty() => format!(" (file: {file})"),
        _ => String::new(),
    }
}

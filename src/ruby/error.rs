//! The errors that end a run of Ruby code, as its caller gets them.

use std::any::Any;

use pantin_values::{Fault, Str};

use super::class::Core;
use super::interp::Interp;
use super::outside::RubyPlace;
use super::stop::Stop;
use super::value::{Data, Value};

#[derive(Debug)]
pub enum RubyError {
    /// An exception that nobody has rescued.
    Raised(RaisedException),
    /// A limit, or something that is not supported; or what came from outside and no Ruby code may rescue.
    Fatal(Fault, Option<Box<dyn Any>>),
    /// The code of a function wants what Ruby has and the small one has not: another Ruby may run it.
    Lacks(Fault),
}

/// What is put around the message of an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// That something was evaluated, and where.
    Evaluation,
    /// The node: of a `Puppet::ParseError` that says where in a file of Puppet's it belongs, and of a
    /// `Puppet::PreformattedError` with an issue.
    Node,
    /// Nothing: of a `Puppet::PreformattedError` without one, such as errors of look-ups.
    Nothing,
}

#[derive(Debug)]
pub struct RaisedException {
    pub class: Str,
    pub message: String,
    pub place: Option<RubyPlace>,
    pub around: Around,
    /// Whether a `rescue` without a class would have rescued it.
    pub is_standard: bool,
    /// What was raised outside, as it came in.
    pub origin: Option<Box<dyn Any>>,
    /// A library that the code has asked for in vain.
    pub missing: Option<Str>,
}

impl Interp<'_> {
    pub(super) fn into_error(mut self, stop: Stop) -> RubyError {
        match stop {
            Stop::Fatal(fault) => RubyError::Fatal(fault, self.declared.origin.take()),
            Stop::Raise(exception) => RubyError::Raised(self.raised_error(&exception)),
            other => {
                let message = match other {
                    Stop::Throw(tag, _) => {
                        let shown = self.inspect(&tag).unwrap_or_default();
                        format!("uncaught throw {shown}")
                    }
                    _ => "unexpected return".to_owned(),
                };
                let place = Some((self.script.path.clone(), self.script.line(self.at)));
                let class = Core::UncaughtThrowError.class();
                RubyError::Raised(RaisedException {
                    class: self.classes.name(class),
                    message,
                    place,
                    around: Around::Evaluation,
                    is_standard: true,
                    origin: None,
                    missing: self.missing.take(),
                })
            }
        }
    }

    fn raised_error(&mut self, exception: &Value) -> RaisedException {
        let mut message = self.message_beyond_code(exception).unwrap_or_default();
        let class = self.class_name_of(exception);
        let is_standard = self.is_a(exception, Core::StandardError.class());
        let (mut place, mut origin, mut is_placed) = (None, None, false);
        if let Value::Object(object) = exception
            && let Data::Exception(data) = &mut *object.data.borrow_mut()
        {
            place = data.place.clone();
            origin = data.origin.take();
            is_placed = data.is_placed;
        }
        let around = match () {
            () if !self.is_a(exception, Core::PuppetParseError.class()) => Around::Evaluation,
            () if !self.is_a(exception, Core::PuppetPreformattedError.class()) => {
                if is_placed {
                    Around::Node
                } else {
                    Around::Evaluation
                }
            }
            () if self.has_issue(exception) => Around::Node,
            () => {
                message = self.message_without_place(exception).unwrap_or(message);
                Around::Nothing
            }
        };
        RaisedException { class, message, place, around, is_standard, origin, missing: self.missing.take() }
    }

    fn has_issue(&mut self, exception: &Value) -> bool {
        self.instance_variable(exception, &"@issue_code".into()).is_ok_and(|code| !code.is_nil())
    }

    fn message_without_place(&mut self, exception: &Value) -> Option<String> {
        let message = self.instance_variable(exception, &"@basic_message".into()).ok()?;
        if message.is_nil() { None } else { self.text_of(&message).ok() }
    }
}

//! What ends a run of Ruby code, as its caller is told.

use std::any::Any;

use super::class::Core;
use super::interp::Interp;
use super::stop::Stop;
use super::value::{Data, Value};
use crate::pcore::{Fault, Str};

#[derive(Debug)]
pub enum RubyError {
    /// An exception that nobody has rescued.
    Raised(Raised),
    /// A limit, or something that is not supported; or what came from outside and no Ruby code may rescue.
    Fatal(Fault, Option<Box<dyn Any>>),
    /// The code of a function wants what Ruby has and the small one has not: another Ruby may run it.
    Lacks(Fault),
}

#[derive(Debug)]
pub struct Raised {
    pub class: Str,
    pub message: String,
    /// The file, and its line.
    pub place: Option<(Str, u32)>,
    /// Whether it is a `Puppet::ParseError` that says where in a file of Puppet's it belongs: then nothing is put around it.
    pub is_placed: bool,
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
                let place = Some((self.script.name.clone(), self.script.line(self.at)));
                let class = Core::UncaughtThrowError.class();
                RubyError::Raised(Raised {
                    class: self.classes.name(class),
                    message,
                    place,
                    is_placed: false,
                    is_standard: true,
                    origin: None,
                    missing: self.missing.take(),
                })
            }
        }
    }

    fn raised_error(&mut self, exception: &Value) -> Raised {
        let message = self.exception_message(exception).unwrap_or_default();
        let class = self.class_name_of(exception);
        let is_standard = self.is_a(exception, Core::StandardError.class());
        let is_parse_error = self.is_a(exception, Core::PuppetParseError.class());
        let (mut place, mut origin, mut is_placed) = (None, None, false);
        if let Value::Object(object) = exception
            && let Data::Exception(data) = &mut *object.data.borrow_mut()
        {
            place = data.place.as_ref().map(|(script, line)| (script.name.clone(), *line));
            origin = data.origin.take();
            is_placed = is_parse_error && data.is_placed;
        }
        Raised { class, message, place, is_placed, is_standard, origin, missing: self.missing.take() }
    }
}

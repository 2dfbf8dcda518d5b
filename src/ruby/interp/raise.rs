//! Exceptions: raised by code, and converted from errors outside.

use pantin_values::Fault;

use super::Interp;
use crate::class::{Class, Core};
use crate::outside::{RubyPlace, Trouble, TroubleKind};
use crate::path_texts::ExceptionMessage;
use crate::stop::{Flow, Stop};
use crate::value::{Data, Exception, Value};

impl Interp<'_> {
    pub(crate) fn raise<T>(&mut self, class: Core, message: impl Into<String>) -> Flow<T> {
        self.raise_about(class, message.into(), Value::Nil)
    }

    pub(crate) fn raise_about<T>(&mut self, class: Core, message: String, about: Value) -> Flow<T> {
        let exception =
            Exception { message: ExceptionMessage::new(Value::text(message)), about, ..Exception::default() };
        let value = Value::object(class.class(), Data::Exception(exception));
        Err(self.stop_with_exception(value))
    }

    /// Returns where the code is that is run now.
    pub(crate) fn place(&self) -> RubyPlace {
        (self.script.path.clone(), self.script.line(self.at))
    }

    /// Returns an exception on its way, with its place and cause.
    pub(crate) fn stop_with_exception(&mut self, value: Value) -> Box<Stop> {
        let cause = self.globals.get("$!").cloned().unwrap_or_default();
        if let Value::Object(object) = &value
            && let Data::Exception(exception) = &mut *object.data.borrow_mut()
        {
            if exception.place.is_none() {
                exception.place = Some(self.place());
            }
            if exception.cause.is_nil() && !cause.is_same(&value) {
                exception.cause = cause;
            }
        }
        Box::new(Stop::Raise(value))
    }

    pub(crate) fn new_exception(&mut self, class: Class, message: Value) -> Value {
        Value::object(
            class,
            Data::Exception(Exception { message: ExceptionMessage::new(message), ..Exception::default() }),
        )
    }

    /// What failed outside is an exception here; one of no class of Ruby's cannot be rescued.
    pub(crate) fn raise_trouble<T>(&mut self, trouble: Trouble) -> Flow<T> {
        let class = match trouble.kind {
            TroubleKind::Parse => Core::PuppetParseError,
            TroubleKind::Argument => Core::ArgumentError,
            TroubleKind::Refused => return self.fatal(trouble.message),
            TroubleKind::Fatal => {
                self.declared.origin = trouble.origin;
                return Err(Box::new(Stop::Fatal(Fault::limit(trouble.message))));
            }
        };
        let exception = Exception {
            message: ExceptionMessage::new(Value::text(trouble.message)),
            place: trouble.place,
            origin: trouble.origin,
            ..Exception::default()
        };
        let value = Value::object(class.class(), Data::Exception(exception));
        Err(self.stop_with_exception(value))
    }

    pub(crate) fn outside<T>(&mut self, result: Result<T, Trouble>) -> Flow<T> {
        self.has_asked.set(true);
        match result {
            Ok(value) => Ok(value),
            Err(trouble) => self.raise_trouble(trouble),
        }
    }

    /// Returns what an exception says, as code gets it.
    pub(crate) fn exception_message(&mut self, exception: &Value) -> Flow<String> {
        self.message_of(exception, ExceptionMessage::reveal)
    }

    /// The same for an error that the user reads.
    pub(crate) fn message_beyond_code(&mut self, exception: &Value) -> Flow<String> {
        self.message_of(exception, ExceptionMessage::beyond_code)
    }

    fn message_of(
        &mut self,
        exception: &Value,
        text: fn(&ExceptionMessage, &mut Self) -> Flow<Option<String>>,
    ) -> Flow<String> {
        if self.method_of(exception, "message").is_some_and(|method| method.is_own()) {
            let message = self.send(exception, "message", &[])?;
            return self.text_of(&message);
        }
        let message = match exception {
            Value::Object(object) => match &*object.data.borrow() {
                Data::Exception(data) => data.message.clone(),
                _ => ExceptionMessage::default(),
            },
            _ => ExceptionMessage::default(),
        };
        match text(&message, self)? {
            Some(message) => Ok(message),
            None => Ok(self.class_name_of(exception).to_string()),
        }
    }
}

//! An event: that a property was changed, or should be, or could not be; that a resource was refreshed.

use pantin_machine::Time;
use pantin_values::Value;

/// An event, with the fields that a report has.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub is_audited: bool,
    pub property: Option<String>,
    pub previous: Value,
    pub desired: Value,
    pub historical: Value,
    pub message: String,
    pub name: String,
    pub status: EventStatus,
    pub time: Time,
    /// Empty for events of properties that are no secret.
    pub redacted: Option<bool>,
    pub corrective: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventStatus {
    Success,
    Failure,
    Noop,
    Audit,
}

impl EventStatus {
    pub fn name(self) -> &'static str {
        match self {
            EventStatus::Success => "success",
            EventStatus::Failure => "failure",
            EventStatus::Noop => "noop",
            EventStatus::Audit => "audit",
        }
    }
}

impl Event {
    /// Returns an event of the resource itself, which is about no property.
    pub(crate) fn of_resource(name: &str, status: EventStatus, message: &str, time: Time) -> Event {
        Event {
            is_audited: false,
            property: None,
            previous: Value::Undef,
            desired: Value::Undef,
            historical: Value::Undef,
            message: message.to_owned(),
            name: name.to_owned(),
            status,
            time,
            redacted: Some(false),
            corrective: false,
        }
    }
}

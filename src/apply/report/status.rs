//! What became of a resource.

use pantin_machine::Time;

use super::event::{Event, EventStatus};

/// What became of a resource, with the fields that a report has.
#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    pub time: Time,
    /// Empty for what was skipped.
    pub evaluation_seconds: Option<f64>,
    pub is_failed: bool,
    pub is_failed_to_restart: bool,
    pub is_restarted: bool,
    pub is_changed: bool,
    pub is_out_of_sync: bool,
    pub is_skipped: bool,
    pub change_count: u32,
    pub out_of_sync_count: u32,
    pub events: Vec<Event>,
}

impl Status {
    pub(crate) fn new(time: Time) -> Status {
        Status {
            time,
            evaluation_seconds: None,
            is_failed: false,
            is_failed_to_restart: false,
            is_restarted: false,
            is_changed: false,
            is_out_of_sync: false,
            is_skipped: false,
            change_count: 0,
            out_of_sync_count: 0,
            events: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, event: Event) {
        match event.status {
            EventStatus::Failure => self.is_failed = true,
            EventStatus::Success => {
                self.change_count += 1;
                self.is_changed = true;
            }
            EventStatus::Noop | EventStatus::Audit => {}
        }
        if event.status != EventStatus::Audit {
            self.out_of_sync_count += 1;
            self.is_out_of_sync = true;
        }
        self.events.push(event);
    }

    /// Fails the resource, with an event that says why.
    pub(crate) fn fail(&mut self, message: &str, time: Time) {
        self.add(Event::of_resource("resource_error", EventStatus::Failure, message, time));
    }

    pub fn has_failed(&self) -> bool {
        self.is_failed || self.is_failed_to_restart
    }
}

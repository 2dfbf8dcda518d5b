//! Hands events on: whom a change refreshes, and what becomes of it.

use indexmap::IndexMap;

use pantin_machine::Time;

use super::{NodeKind, QueuedEvent, Transaction};
use crate::log::Level;
use crate::managed::Property;
use crate::report::{Event, EventStatus};
use crate::value::is_word;

impl Transaction<'_> {
    /// Tells the targets of a resource's events, which began with the sources. Events of one name are told together.
    pub(super) fn queue_events(&mut self, number: u32, events: &[Event], sources: &[u32]) {
        let mut by_name: IndexMap<&str, Vec<Event>> = IndexMap::new();
        for event in events {
            by_name.entry(&event.name).or_default().push(event.clone());
        }
        let is_removed = |property: &Property| property.name == "ensure" && is_word(&property.should(), "absent");
        let refreshes_itself = self
            .managed(number)
            .is_some_and(|managed| managed.refreshes_itself() && !managed.properties().iter().any(is_removed));
        for events in by_name.values() {
            let edges = self.edges(number).iter().filter(|edge| edge.passes_events).map(|edge| edge.target);
            let targets: Vec<u32> = edges.filter(|target| self.can_refresh(*target)).collect();
            for target in targets {
                self.queue_for((number, sources), target, events);
            }
            if refreshes_itself {
                self.queue_for((number, sources), number, &events[..1]);
            }
        }
    }

    /// A beginning or an end takes events in order to pass them on.
    pub(super) fn can_refresh(&self, target: u32) -> bool {
        match self.node(target).kind {
            NodeKind::Anchor { .. } => true,
            _ => self.managed(target).is_some_and(|managed| managed.can_refresh()),
        }
    }

    fn queue_for(&mut self, (source, sources): (u32, &[u32]), target: u32, events: &[Event]) {
        let name = &self.info(target).reference;
        if matches!(self.node(target).kind, NodeKind::Anchor { is_end: true, .. }) {
            self.debug(source, &format!("The container {name} will propagate my refresh event"));
        } else {
            self.say(source, Level::Info, format!("Scheduling refresh of {name}"));
        }
        if !self.is_anchor(target) {
            self.look_at_dependencies(target, target);
        }
        let queued = events.iter().map(|event| QueuedEvent { event: event.clone(), sources: sources.to_vec() });
        self.node_mut(target).queue.extend(queued);
    }

    /// Drops the refresh of a resource that its own change has made needless.
    pub(super) fn drop_refresh(&mut self, number: u32) {
        let text = format!("Unscheduling refresh on {}", self.info(number).reference);
        self.say(number, Level::Info, text);
        self.node_mut(number).queue.clear();
        self.note_refreshed(number);
    }

    /// Drops what waits for a resource that is skipped.
    pub(super) fn drop_events(&mut self, number: u32) {
        if !self.node(number).queue.is_empty() {
            let text = format!("Unscheduling all events on {}", self.info(number).reference);
            self.say(number, Level::Info, text);
            self.note_owed(number);
            self.node_mut(number).queue.clear();
        }
    }

    /// Refreshes a resource if events wait for it.
    pub(super) fn process_events(&mut self, number: u32) {
        let events = std::mem::take(&mut self.node_mut(number).queue);
        if events.is_empty() {
            return;
        }
        self.node_mut(number).was_told = true;
        let sources = self.sources_of(number, &events);
        let mut count = match events.len() {
            1 => "1 event".to_owned(),
            count => format!("{count} events"),
        };
        if let Some(since) = self.node(number).owed_since {
            let machine = self.around.machine;
            count.push_str(&format!(", owed since {}", machine.local(Time::new(since, 0)).plain()));
        }
        if self.is_noop(number) || events.iter().all(|queued| queued.event.status == EventStatus::Noop) {
            self.say(number, Level::Notice, format!("Would have triggered 'refresh' from {count}"));
            let event = Event::of_resource("noop_restart", EventStatus::Noop, "", self.now());
            self.queue_events(number, &[event], &sources);
            return;
        }
        if !self.is_anchor(number) {
            let refreshed = match self.begin_refresh(number) {
                Ok(()) => self.with_managed(number, |managed, context| managed.refresh(context)).unwrap_or(Ok(())),
                Err(failure) => Err(failure),
            };
            if let Err(failure) = refreshed {
                self.stopped = failure.signal();
                self.interrupted = failure.signal().map(|_| number);
                self.fail_refresh(number, &failure);
                self.end_refresh(number);
                self.node_mut(number).queue = events;
                self.note_owed(number);
                self.node_mut(number).queue.clear();
                return;
            }
            let message = format!("Triggered 'refresh' from {count}");
            self.say(number, Level::Notice, message.clone());
            let event = Event::of_resource("refresh", EventStatus::Success, &message, self.now());
            self.node_mut(number).status.add(event);
            self.note_refreshed(number);
            self.end_refresh(number);
        }
        let event = Event::of_resource("restarted", EventStatus::Success, "", self.now());
        self.queue_events(number, &[event], &sources);
        self.node_mut(number).status.is_restarted = true;
    }

    /// Returns the resources with which the events of a refresh begin: a resource itself, and of a container those that
    /// it was told of.
    fn sources_of(&self, number: u32, events: &[QueuedEvent]) -> Vec<u32> {
        if !self.is_anchor(number) {
            return vec![number];
        }
        let mut sources: Vec<u32> = Vec::new();
        for source in events.iter().flat_map(|queued| &queued.sources) {
            if !sources.contains(source) {
                sources.push(*source);
            }
        }
        sources
    }

    fn fail_refresh(&mut self, number: u32, failure: &crate::failure::Failure) {
        let message = format!("Failed to call refresh: {failure}");
        self.say(number, Level::Err, message.clone());
        let now = self.now();
        let status = &mut self.node_mut(number).status;
        status.is_failed_to_restart = true;
        status.fail(&message, now);
        self.say(number, Level::Err, failure.log_text(None));
    }
}

//! Applies one resource: looks at it, compares, changes; makes its events and their lines.

use pantin_base::Language;
use pantin_values::Value;

use super::history::{ResourceJournal, outcome_of};
use super::{NodeKind, Transaction};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::{Level, Source};
use crate::managed::{ChangeMessage, Managed, Observation, Property, ensure_message};
use crate::report::{Event, EventStatus, Status};
use crate::state::ResourceState;
use crate::value::{is_word, text};

impl Transaction<'_> {
    /// Applies a vertex, keeps its status, and tells its events.
    pub(super) fn apply_node(&mut self, number: u32) {
        let begin = self.now();
        let mut status = Status::new(begin);
        let mut failure = self.lack(number);
        let mut drops_refresh = false;
        let reference = self.info(number).reference.clone();
        let mut recorded = self.state.take(&reference);
        let history = recorded.clone();
        if failure.is_none() {
            let (digest, tells, writes) = match self.history.is_some() && !self.is_noop(number) {
                true => (self.digest_of(number), self.told_by(number), self.paths_of(number)),
                false => (String::new(), Vec::new(), Vec::new()),
            };
            let mut steps = self.history.take();
            let applied = self.with_managed(number, |managed, context| {
                let reference = context.resource.reference.clone();
                let mut journal = steps.as_mut().map(|applied| ResourceJournal {
                    applied,
                    reference,
                    digest,
                    tells,
                    writes,
                    time: begin.seconds,
                    has_begun: false,
                });
                let journal = &mut journal;
                let mut evaluation =
                    Evaluation { managed, context, status: &mut status, recorded: &mut recorded, journal };
                let evaluated = evaluation.run(&history);
                let drops_refresh = evaluation.drops_refresh();
                let outcome = outcome_of(evaluation.status, evaluated.as_ref().err());
                let done = evaluation.journal.as_mut().map_or(Ok(()), |journal| journal.done(outcome));
                (evaluated.and(done), drops_refresh)
            });
            self.history = steps;
            if let Some((evaluated, drops)) = applied {
                failure = evaluated.err();
                drops_refresh = drops;
            }
        }
        recorded.checked = Some(begin);
        self.state.put(&reference, recorded);
        if let Some(failure) = failure {
            self.stopped = self.stopped.or(failure.signal());
            self.interrupted = failure.signal().map(|_| number);
            if failure.signal().is_none() {
                self.say(number, Level::Err, failure.log_text(Some(&format!("Could not evaluate: {failure}"))));
                status.fail(failure.message(), self.around.machine.now());
            }
        }
        status.evaluation_seconds = Some(self.now().seconds_since(begin));
        // Drift that is only told tells nobody else.
        let is_silent = status.has_failed() || self.is_only_looked_at(number);
        let events = if is_silent { Vec::new() } else { status.events.clone() };
        self.node_mut(number).status = status;
        self.queue_events(number, &events, &[number]);
        if drops_refresh && !events.is_empty() {
            self.drop_refresh(number);
        }
    }

    /// Returns why there is no object that could be applied.
    fn lack(&mut self, number: u32) -> Option<Failure> {
        match self.node(number).kind {
            NodeKind::Resource(at) => self.lacks.get(&at).cloned(),
            _ => None,
        }
    }
}

/// One resource while it is applied.
struct Evaluation<'e, 'j, 'm> {
    journal: &'e mut Option<ResourceJournal<'j, 'm>>,
    managed: &'e mut dyn Managed,
    context: &'e ApplyContext<'e>,
    status: &'e mut Status,
    recorded: &'e mut ResourceState,
}

impl Evaluation<'_, '_, '_> {
    fn run(&mut self, history: &ResourceState) -> Result<(), Failure> {
        let observed = self.managed.observe(self.context)?;
        let audited = self.context.resource.metaparameters.audit.clone();
        for property in &audited {
            self.recorded.values.insert(property.to_string(), observed.get(property).cloned().unwrap_or_default());
        }
        let properties = self.managed.properties().to_vec();
        let ensure = properties.iter().find(|property| property.name == "ensure" && property.is_desired());
        let mut synced: Vec<&str> = Vec::new();
        let is_ensured = match ensure {
            Some(ensure) => self.sync_if_needed(ensure, &observed, history, &mut synced)?,
            None => false,
        };
        if !is_ensured {
            if observed.is_present() {
                for property in properties.iter().filter(|property| ensure.is_none() || property.name != "ensure") {
                    self.sync_if_needed(property, &observed, history, &mut synced)?;
                }
            } else if self.context.says(Level::Debug) {
                self.context.say(Level::Debug, "Nothing to manage: no ensure and the resource doesn't exist");
            }
        }
        self.capture_audits(&properties, &observed, history, &synced);
        if self.status.is_changed && !self.context.is_noop {
            self.recorded.synced = Some(self.context.machine.now());
            self.managed.flush(self.context)?;
        }
        Ok(())
    }

    /// Changes a property if it is out of step. Returns true if it was, whatever came of it; an error ends the run.
    fn sync_if_needed<'p>(
        &mut self,
        property: &'p Property,
        observed: &Observation,
        history: &ResourceState,
        synced: &mut Vec<&'p str>,
    ) -> Result<bool, Failure> {
        if !property.is_desired() {
            return Ok(false);
        }
        let nothing = Value::Undef;
        let is = observed.get(property.name).unwrap_or(&nothing);
        let historical = history.values.get(property.name);
        let is_audited = self.context.resource.metaparameters.audit.iter().any(|audited| audited == property.name);
        let changed = match self.managed.is_in_step(property, is, self.context) {
            Ok(true) => return Ok(false),
            Ok(false) => {
                let property = self.as_it_is_now(property);
                self.sync(&property, is, &audit_suffix(&*self.managed, &property, is_audited, historical, is))
            }
            Err(failure) => Err(failure),
        };
        let name = property.name;
        let property = &self.as_it_is_now(property);
        let mut stop = None;
        let (status, message) = match changed {
            Ok(done) => done,
            Err(failure) => {
                if failure.signal().is_none() {
                    self.context.say_bare(Level::Err, failure.log_text(None));
                }
                stop = failure.signal().map(|_| failure.clone());
                let (is, should) = (self.shown_current(property, is), self.shown_desired(property));
                (EventStatus::Failure, format!("change from {is} to {should} failed: {failure}"))
            }
        };
        let mut event = self.event(property, is, historical, (status, message));
        event.is_audited = is_audited && status != EventStatus::Failure;
        self.send_log(property, &event);
        self.status.add(event);
        synced.push(name);
        stop.map_or(Ok(true), Err)
    }

    /// Returns a property as the resource has it after it was compared: with numbers for names, with a masked mode.
    fn as_it_is_now(&self, property: &Property) -> Property {
        let now = self.managed.properties().iter().find(|now| now.name == property.name);
        now.unwrap_or(property).clone()
    }

    fn sync(&mut self, property: &Property, is: &Value, suffix: &str) -> Result<(EventStatus, String), Failure> {
        if self.context.is_noop {
            let words_of_7 = property.is_secret || self.context.settings.language == Language::Puppet7;
            let message = match words_of_7 {
                true => {
                    let (is, should) = (self.shown_current(property, is), self.shown_desired(property));
                    format!("current_value {is}, should be {should} (noop){suffix}")
                }
                false => format!("{} (noop){suffix}", self.change_text(property, is)),
            };
            return Ok((EventStatus::Noop, message));
        }
        if let Some(journal) = self.journal {
            journal.begin()?;
        }
        self.managed.change(property, is, self.context)?;
        let message = match property.is_secret {
            true => {
                let (is, should) = (self.shown_current(property, is), self.shown_desired(property));
                format!("changed {is} to {should}{suffix}")
            }
            false => format!("{}{suffix}", self.change_text(property, is)),
        };
        Ok((EventStatus::Success, message))
    }

    /// Returns the words of a change.
    fn change_text(&self, property: &Property, is: &Value) -> String {
        if let ChangeMessage::Text(text) = self.managed.describe(property, is, self.context) {
            return text;
        }
        let (name, should) = (property.name, property.should());
        if name == "ensure" {
            return ensure_message(is, &should);
        }
        let is_absent = |value: &Value| match value {
            Value::Array(items) => items.len() == 1 && items.iter().all(|item| is_word(item, "absent")),
            value => is_word(value, "absent"),
        };
        if matches!(is, Value::Symbol(_)) && is_word(is, "absent") {
            format!("defined '{name}' as {}", self.managed.show_desired(property))
        } else if is_absent(&should) {
            format!("undefined '{name}' from {}", self.managed.show_current(property, is))
        } else {
            let (is, should) = (self.managed.show_current(property, is), self.managed.show_desired(property));
            format!("{name} changed {is} to {should}")
        }
    }

    fn shown_current(&self, property: &Property, value: &Value) -> String {
        if property.is_secret { "[redacted]".to_owned() } else { self.managed.show_current(property, value) }
    }

    fn shown_desired(&self, property: &Property) -> String {
        if property.is_secret { "[redacted]".to_owned() } else { self.managed.show_desired(property) }
    }

    fn event(
        &self,
        property: &Property,
        is: &Value,
        historical: Option<&Value>,
        (status, message): (EventStatus, String),
    ) -> Event {
        let should = if property.is_desired() { property.should() } else { Value::Undef };
        let shown = |value: &Value| match value {
            Value::Undef => Value::Undef,
            _ if property.is_secret => Value::string("[redacted]"),
            value => value.clone(),
        };
        let own_name = self.managed.event_name(property);
        Event {
            is_audited: false,
            property: Some(property.name.to_owned()),
            previous: shown(is),
            desired: shown(&should),
            historical: shown(historical.unwrap_or(&Value::Undef)),
            message,
            name: own_name.unwrap_or_else(|| event_name(&self.context.resource.type_name, property, &should)),
            status,
            time: self.context.machine.now(),
            redacted: property.is_secret.then_some(true),
            corrective: false,
        }
    }

    fn send_log(&self, property: &Property, event: &Event) {
        let resource = self.context.resource;
        let level = if event.status == EventStatus::Failure { Level::Err } else { resource.metaparameters.level };
        let path = format!("{}/{}", resource.path, property.name);
        self.context.log.say(level, Source { path: &path, ..resource.source() }, event.message.clone());
    }

    /// Tells what is audited and was not changed by this run.
    fn capture_audits(
        &mut self,
        properties: &[Property],
        observed: &Observation,
        history: &ResourceState,
        synced: &[&str],
    ) {
        for audited in self.context.resource.metaparameters.audit.clone() {
            let Some(property) = properties.iter().find(|property| property.name == audited) else { continue };
            let nothing = Value::Undef;
            let is = observed.get(&audited).unwrap_or(&nothing);
            match history.values.get(&*audited) {
                None => {
                    let shown = if property.is_secret { "[redacted]".into() } else { text(is) };
                    let message = format!("audit change: newly-recorded value {shown}");
                    self.context.say_of(property.name, Level::Notice, message);
                }
                Some(recorded) if recorded != is && !synced.contains(&property.name) => {
                    self.managed.learn_recorded(property, recorded, self.context);
                    let (old, new) = (self.shown_current(property, recorded), self.shown_current(property, is));
                    let message = format!("audit change: previously recorded value {old} has been changed to {new}");
                    let mut event = self.event(property, is, Some(recorded), (EventStatus::Audit, message));
                    event.is_audited = true;
                    self.send_log(property, &event);
                    self.status.add(event);
                }
                Some(_) => {}
            }
        }
    }

    /// Returns true if a property that was changed makes a waiting refresh needless.
    fn drops_refresh(&self) -> bool {
        let is_changed = |property: &&Property| {
            let name = Some(property.name);
            self.status.events.iter().any(|event| event.property.as_deref() == name)
        };
        self.managed.properties().iter().filter(is_changed).any(|property| self.managed.drops_refresh(property))
    }
}

/// ` (previously recorded value was 'x')`
fn audit_suffix(
    managed: &dyn Managed,
    property: &Property,
    is_audited: bool,
    historical: Option<&Value>,
    is: &Value,
) -> String {
    match historical.filter(|historical| is_audited && **historical != Value::Undef && *historical != is) {
        Some(_) if property.is_secret => " (previously recorded value was [redacted])".to_owned(),
        Some(historical) => format!(" (previously recorded value was {})", managed.show_current(property, historical)),
        None => String::new(),
    }
}

/// `mode_changed`; of `ensure`: `file_created`, `file_removed`, `file_changed`.
fn event_name(type_name: &str, property: &Property, should: &Value) -> String {
    if property.name != "ensure" {
        return format!("{}_changed", property.name);
    }
    let type_name = type_name.to_lowercase();
    match () {
        () if is_word(should, "present") => format!("{type_name}_created"),
        () if is_word(should, "absent") => format!("{type_name}_removed"),
        () => format!("{type_name}_changed"),
    }
}

//! The provider of any type whose resources are records of files. Files are read when they are asked about and again before they
//! are changed, so nothing that was written meanwhile is lost.

use pantin_values::{Str, Value};

use super::{Entry, Record, RecordFormat, back_up};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::Observation;
use crate::provider::{Delta, Provider, Row, WantedResource};
use crate::value::{is_word, text};

/// The provider of a type whose resources are records of files.
pub(crate) struct RecordProvider<F> {
    format: F,
    /// Kept in the bucket, once in a run.
    backed_up: Vec<String>,
    /// Records that nobody named, each with the resource that took it over.
    taken_over: Vec<(String, Record, String)>,
}

/// A place of records, and what was read there.
struct Place {
    target: String,
    entries: Vec<Entry>,
    /// Why it could not be read.
    unreadable: Option<Failure>,
}

/// Where a record stands: the number of its place, and its own there.
#[derive(Clone, Copy)]
struct Position {
    place: usize,
    entry: usize,
}

impl<F: RecordFormat> RecordProvider<F> {
    pub(crate) fn new(format: F) -> RecordProvider<F> {
        RecordProvider { format, backed_up: Vec::new(), taken_over: Vec::new() }
    }

    /// Reads a place. One that cannot be read is as good as empty, but nothing is ever written to it.
    fn read(&self, target: String, context: &ApplyContext<'_>) -> Result<Place, Failure> {
        let (text, unreadable) = match self.format.read(&target, context) {
            Ok(text) => (text.unwrap_or_default(), None),
            Err(failure) if failure.signal().is_some() => return Err(failure),
            Err(failure) => (String::new(), Some(failure)),
        };
        let entries = self.format.parse(&without_headers(&text), &target)?;
        Ok(Place { target, entries, unreadable })
    }

    /// Reads all places that resources may be in.
    fn places(&self, named: Vec<String>, context: &ApplyContext<'_>) -> Result<Vec<Place>, Failure> {
        let mut targets = self.format.all_targets(context.machine);
        targets.extend(named);
        let mut places: Vec<Place> = Vec::new();
        for target in targets {
            if !target.is_empty() && !places.iter().any(|place| place.target == target) {
                places.push(self.read(target, context)?);
            }
        }
        Ok(places)
    }

    /// Tells which places could not be read.
    fn say_unreadable(&self, places: &[Place], context: &ApplyContext<'_>) {
        let type_name = self.format.type_name();
        for Place { target, unreadable, .. } in places.iter().filter(|_| self.format.tells_unreadable()) {
            if let Some(failure) = unreadable {
                let text = format!(
                    "Could not prefetch {type_name} provider 'parsed' target '{target}': {failure}. Treating as empty"
                );
                context.say_bare(Level::Err, text);
            }
        }
    }

    /// Finds the record of a resource: the last one that is its.
    fn find(&self, places: &[Place], wanted: &WantedResource<'_>, context: &ApplyContext<'_>) -> Option<Position> {
        let mut found = None;
        for (place, Place { target, entries, .. }) in places.iter().enumerate() {
            for (entry, record) in
                entries.iter().enumerate().filter_map(|(number, entry)| Some((number, entry.record()?)))
            {
                let is_its = match record.is_unnamed {
                    true => self.took_over(target, record, wanted, context),
                    false => self.format.is_of(record, target, wanted, context.machine),
                };
                if is_its {
                    found = Some(Position { place, entry });
                }
            }
        }
        found
    }

    fn took_over(
        &self,
        target: &str,
        record: &Record,
        wanted: &WantedResource<'_>,
        context: &ApplyContext<'_>,
    ) -> bool {
        let owner = self.taken_over.iter().find(|(place, known, _)| place == target && known.says_what(record));
        match owner {
            Some((_, _, owner)) => owner == wanted.name,
            None => self.format.takes_over(record, target, wanted, context.machine),
        }
    }

    /// Remembers which resource takes over which record, so that no second one does.
    fn take_over(&mut self, places: &[Place], wanted: &[WantedResource<'_>], context: &ApplyContext<'_>) {
        for place in places {
            for record in place.entries.iter().filter_map(Entry::record) {
                let is_known =
                    self.taken_over.iter().any(|(target, known, _)| *target == place.target && known.says_what(record));
                if !record.is_unnamed || is_known {
                    continue;
                }
                let is_free =
                    |wanted: &&WantedResource<'_>| !self.taken_over.iter().any(|(_, _, owner)| owner == wanted.name);
                let takes = |wanted: &&WantedResource<'_>| {
                    self.format.takes_over(record, &place.target, wanted, context.machine)
                };
                let is_called_so = |wanted: &&WantedResource<'_>| wanted.name == record.name;
                let called_so = wanted.iter().filter(is_free).filter(is_called_so).find(takes);
                if let Some(owner) = called_so.or_else(|| wanted.iter().filter(is_free).find(takes)) {
                    self.taken_over.push((place.target.clone(), record.clone(), owner.name.to_owned()));
                }
            }
        }
    }

    fn state(&self, target: &str, record: &Record, context: &ApplyContext<'_>) -> Observation {
        let mut state = Observation::new().with("ensure", self.format.ensure_of(record, context));
        record.fields().for_each(|(field, value)| state.set(field, value.clone()));
        state.set("target", Value::string(target));
        state
    }

    fn write(&mut self, place: &Place, delta: &Delta<'_>, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if let Place { target, unreadable: Some(failure), .. } = place {
            let text = format!("Failed to read {target}'s records when prefetching them. Reason: {failure}");
            return Err(Failure::new(text));
        }
        let mut lines = Vec::with_capacity(place.entries.len());
        for entry in &place.entries {
            lines.push(match entry {
                Entry::Text(line) => line.clone(),
                Entry::Record(record) => self.format.line(record)?,
            });
        }
        let machine = context.machine;
        let text = self.format.with_header(format!("{}\n", lines.join("\n")), machine.local(machine.now()));
        if self.format.is_backed_up() && !self.backed_up.contains(&place.target) {
            back_up(&place.target, context)?;
            self.backed_up.push(place.target.clone());
        }
        self.format.write(&place.target, &text, delta.values, context)
    }
}

/// Takes away the headers of earlier changes.
fn without_headers(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some((before, header)) = rest.split_once("# HEADER") {
        match header.split_once('\n') {
            Some((_, after)) => {
                kept.push_str(before);
                rest = after;
            }
            None => break,
        }
    }
    kept.push_str(rest);
    kept
}

impl<F: RecordFormat> Provider for RecordProvider<F> {
    fn get(&mut self, context: &ApplyContext<'_>, wanted: Option<&[WantedResource<'_>]>) -> Result<Vec<Row>, Failure> {
        let named = wanted.unwrap_or_default().iter();
        let named = named.filter_map(|wanted| self.format.target_of(wanted.values, context.machine)).collect();
        let places = self.places(named, context)?;
        self.say_unreadable(&places, context);
        let Some(wanted) = wanted else {
            let mut rows = Vec::new();
            for place in &places {
                for record in place.entries.iter().filter_map(Entry::record) {
                    let state = self.state(&place.target, record, context);
                    rows.push(Row { name: record.name.clone(), state });
                }
            }
            return Ok(rows);
        };
        self.take_over(&places, wanted, context);
        let row = |wanted: &WantedResource<'_>| {
            let Position { place, entry } = self.find(&places, wanted, context)?;
            let Place { target, entries, .. } = &places[place];
            Some(Row { name: wanted.name.to_owned(), state: self.state(target, entries[entry].record()?, context) })
        };
        Ok(wanted.iter().filter_map(row).collect())
    }

    fn set(&mut self, context: &ApplyContext<'_>, changes: &[Delta<'_>]) -> Result<(), Failure> {
        changes.iter().try_for_each(|delta| self.set_one(delta, context))
    }
}

impl<F: RecordFormat> RecordProvider<F> {
    fn set_one(&mut self, delta: &Delta<'_>, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let machine = context.machine;
        self.format.check_set(delta.values, machine)?;
        let wanted = WantedResource { name: delta.name, values: delta.values };
        let target = self.format.target_of(delta.values, machine).or_else(|| self.format.default_target(machine));
        let is_at = delta.is.get("target").filter(|target| matches!(target, Value::String(_)));
        let is_at = is_at.map(|target| text(target).into_owned());
        let mut places = self.places(target.iter().chain(&is_at).cloned().collect(), context)?;
        let old = self.find(&places, &wanted, context);
        if delta.should("ensure").is_some_and(|ensure| is_word(&ensure.should(), "absent")) {
            let Some(Position { place, entry }) = old else { return Ok(()) };
            places[place].entries.remove(entry);
            return self.write(&places[place], delta, context);
        }
        let known = old.and_then(|Position { place, entry }| places[place].entries[entry].record().cloned());
        let mut record = known.unwrap_or_else(|| self.format.new_record(&wanted));
        for property in delta.should.iter().filter(|property| !["ensure", "target"].contains(&property.name)) {
            record.set(property.name, property.should());
        }
        let stays = old.filter(|_| delta.should("target").is_none()).map(|position| position.place);
        let is_wanted = |place: &Place| Some(&place.target) == target.as_ref();
        let Some(place) = stays.or_else(|| places.iter().position(is_wanted)) else {
            return Err(Failure::new(format!("there is no place for {}", context.resource.reference)));
        };
        for changed in put(&mut places, old, place, record) {
            self.write(&places[changed], delta, context)?;
        }
        Ok(())
    }
}

/// Puts a record into a place, instead of the one that stands anywhere. Returns the places that were changed.
fn put(places: &mut [Place], old: Option<Position>, new: usize, record: Record) -> Vec<usize> {
    let record = Entry::Record(record);
    let entries = &mut places[new].entries;
    match old {
        Some(old) if old.place == new => entries[old.entry] = record,
        // What comes from a place that is read before stands before what is there.
        Some(old) if old.place < new => entries.insert(0, record),
        _ => entries.push(record),
    }
    let left = old.filter(|old| old.place != new);
    if let Some(old) = left {
        places[old.place].entries.remove(old.entry);
    }
    let mut changed: Vec<usize> = left.map(|old| old.place).into_iter().chain([new]).collect();
    changed.sort_by_key(|&place| places[place].target.clone());
    changed
}

/// Splits a text into lines as records have them: empty ones at its end are none.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Says that a line is none that a file of this kind may have.
pub(crate) fn unparsed(line: &str, target: &str, number: usize) -> Failure {
    let shown = crate::value::inspect(&Value::String(Str::from(line)));
    Failure::new(format!("Could not parse line {shown} (file: {target}, line: {number})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_earlier_changes_are_left_out() {
        assert_eq!(without_headers("# HEADER: a\n# HEADER b\nx\ny # HEADER z\nend"), "x\ny end");
        assert_eq!(without_headers("x\n# HEADER without an end"), "x\n# HEADER without an end");
    }

    #[test]
    fn empty_lines_at_the_end_are_none() {
        assert_eq!(lines("a\n\nb\n\n\n"), ["a", "", "b"]);
        assert!(lines("").is_empty());
    }
}

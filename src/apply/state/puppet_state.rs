//! `state.yaml`: when each resource was looked at and changed, and the values that are audited. The file is Puppet's, and either
//! program reads what the other one wrote.

use std::io;
use std::path::PathBuf;

use indexmap::IndexMap;
use pantin_machine::{Change, Date, NewFile, Reading, System, Time};
use pantin_values::data::yaml::{self, Options, Symbols};
use pantin_values::{Hash, Str, Value};

use crate::value::text;

/// Larger state files are no state files.
const LARGEST: u64 = 1 << 30;

/// What is remembered of a resource.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct ResourceState {
    pub checked: Option<Time>,
    pub synced: Option<Time>,
    /// Audited values by property.
    pub values: IndexMap<String, Value>,
}

/// What is remembered of all resources, by their references.
#[derive(Default, Debug)]
pub(crate) struct MachineState {
    resources: IndexMap<String, ResourceState>,
}

impl MachineState {
    /// When a resource was last looked at.
    pub(crate) fn checked(&self, reference: &str) -> Option<Time> {
        self.resources.get(reference)?.checked
    }

    /// Takes out what is remembered of a resource; `put` puts it back in its place.
    pub(crate) fn take(&mut self, reference: &str) -> ResourceState {
        match self.resources.get_mut(reference) {
            Some(state) => std::mem::take(state),
            None => ResourceState::default(),
        }
    }

    pub(crate) fn put(&mut self, reference: &str, state: ResourceState) {
        match self.resources.get_mut(reference) {
            Some(known) => *known = state,
            None => drop(self.resources.insert(reference.to_owned(), state)),
        }
    }

    /// Forgets what has not been looked at since.
    fn prune(&mut self, since: Time) {
        self.resources.retain(|_, state| state.checked.is_none_or(|checked| checked >= since));
    }

    fn parse(text: &[u8], name: &str) -> Result<MachineState, String> {
        let read = std::str::from_utf8(text).ok().and_then(parse_lines);
        if let Some(state) = read {
            return Ok(state);
        }
        let options = Options { symbols: Symbols::Kept, classes: &[], regexps: false };
        let text = with_quoted_times(&String::from_utf8_lossy(text));
        let value = yaml::load(text.as_bytes(), name, options).map_err(|error| error.to_string())?;
        match value {
            Value::Hash(entries) => Ok(from_hash(&entries)),
            _ => Ok(MachineState::default()),
        }
    }

    fn render(&self, machine: &dyn Reading) -> String {
        let mut out = String::from("---");
        if self.resources.is_empty() {
            out.push_str(" {}");
        }
        out.push('\n');
        for (reference, state) in &self.resources {
            push_key(&mut out, reference);
            if *state == ResourceState::default() {
                out.push_str(" {}");
            }
            out.push('\n');
            for (name, time) in [("checked", state.checked), ("synced", state.synced)] {
                if let Some(time) = time {
                    out.push_str(&format!("  :{name}: {}\n", shown_time(machine.local(time))));
                }
            }
            for (name, value) in &state.values {
                push_value(&mut out, name, value, machine);
            }
        }
        out
    }
}

/// Psych's form of a time.
fn shown_time(date: Date) -> String {
    let Date { year, month, day, hour, minute, second, nanoseconds, .. } = date;
    let zone = date.zone(true);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanoseconds:09} {zone}")
}

fn push_key(out: &mut String, reference: &str) {
    let one = Value::hash([(Value::string(reference), Value::Undef)]);
    match yaml::to_yaml(&one) {
        Ok(document) => out.push_str(document.strip_prefix("---\n").unwrap_or(&document).trim_end()),
        // A text can always be written.
        Err(_) => out.push_str(&format!("{reference:?}:")),
    }
}

fn push_value(out: &mut String, name: &str, value: &Value, machine: &dyn Reading) {
    if let Value::Timestamp(time) = value {
        let nanoseconds = time.nanoseconds();
        let time = Time::new(time.whole_seconds(), nanoseconds.rem_euclid(1_000_000_000) as u32);
        out.push_str(&format!("  :{name}: {}\n", shown_time(machine.local(time))));
        return;
    }
    let one = Value::hash([(Value::Symbol(Str::from(name)), value.clone())]);
    if let Ok(document) = yaml::to_yaml(&one) {
        for line in document.strip_prefix("---\n").unwrap_or(&document).lines() {
            out.push_str("  ");
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// Puts the times of `checked`, `synced` and their like into quotes: the reader of data knows no times.
fn with_quoted_times(text: &str) -> String {
    let quoted = |line: &str| {
        let entry = line.strip_prefix("  :").and_then(|entry| entry.split_once(": "));
        match entry.filter(|(_, value)| parse_time(value).is_some()) {
            Some((name, value)) => format!("  :{name}: \"{value}\"\n"),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(quoted).collect()
}

/// Reads the layout that Psych writes. `None`: it has another one.
fn parse_lines(text: &str) -> Option<MachineState> {
    let mut lines = text.lines().peekable();
    let mut state = MachineState::default();
    match lines.next()? {
        "---" => {}
        "--- {}" => return Some(state),
        _ => return None,
    }
    let mut current: Option<(String, ResourceState)> = None;
    while let Some(line) = lines.next() {
        if let Some(entry) = line.strip_prefix("  :") {
            let (name, value) = entry.split_once(": ").or_else(|| Some((entry.strip_suffix(':')?, "")))?;
            let (_, resource) = current.as_mut()?;
            let is_within = |line: &&str| line.starts_with("  ") && !line.starts_with("  :");
            let mut within = String::new();
            while let Some(line) = lines.next_if(is_within) {
                within.push('\n');
                within.push_str(line.strip_prefix("  ").unwrap_or(line));
            }
            if !within.is_empty() {
                resource.values.insert(name.to_owned(), load(&format!("{value}{within}"))?);
                continue;
            }
            let time = parse_time(value);
            match (name, time) {
                ("checked", Some(time)) => resource.checked = Some(time),
                ("synced", Some(time)) => resource.synced = Some(time),
                (_, Some(time)) => drop(resource.values.insert(name.to_owned(), timestamp(time)?)),
                (_, None) => drop(resource.values.insert(name.to_owned(), parse_scalar(value)?)),
            }
        } else {
            let reference = line.strip_suffix(':').filter(|line| !line.starts_with(' '))?;
            let reference = match parse_scalar(reference)? {
                Value::String(reference) => reference.to_string(),
                _ => return None,
            };
            current.take().into_iter().for_each(|(reference, resource)| state.put(&reference, resource));
            current = Some((reference, ResourceState::default()));
        }
    }
    current.into_iter().for_each(|(reference, resource)| state.put(&reference, resource));
    Some(state)
}

/// Returns a scalar on one line.
fn parse_scalar(source: &str) -> Option<Value> {
    let is_plain = source.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/')
        && source.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/[]_.-".contains(&byte))
        && !matches!(
            source.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n"
        );
    if is_plain {
        return Some(Value::string(source));
    }
    let value = load(source)?;
    (!matches!(value, Value::Hash(_)) || source == "{}").then_some(value)
}

fn load(source: &str) -> Option<Value> {
    let options = Options { symbols: Symbols::Kept, classes: &[], regexps: false };
    yaml::load(source.as_bytes(), "<unknown>", options).ok()
}

/// `2026-11-29 00:23:56.550440920 +00:00`
fn parse_time(text: &str) -> Option<Time> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let is_time = text.len() >= 19
        && text.is_ascii()
        && [(4, b'-'), (7, b'-'), (10, b' '), (13, b':'), (16, b':')]
            .iter()
            .all(|(place, letter)| text.as_bytes()[*place] == *letter);
    if !is_time {
        return None;
    }
    let rest = &text[19..];
    let (fraction, zone) = rest.split_once(' ').unwrap_or((rest, "+00:00"));
    let digits = fraction.strip_prefix('.').unwrap_or("");
    let nanoseconds = format!("{digits:0<9}").get(..9)?.parse::<u32>().ok()?;
    let offset = match zone {
        "Z" | "" => 0,
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let hours: i32 = zone.get(1..3)?.parse().ok()?;
            let minutes: i32 = zone.get(zone.len() - 2..)?.parse().ok()?;
            sign * (hours * 3600 + minutes * 60)
        }
    };
    let date = Date {
        year: number(0, 4)?,
        month: number(5, 7)? as u32,
        day: number(8, 10)? as u32,
        weekday: 0,
        hour: number(11, 13)? as u32,
        minute: number(14, 16)? as u32,
        second: number(17, 19)? as u32,
        nanoseconds,
        offset,
    };
    Some(date.time())
}

/// Returns a point in time as a value.
pub(crate) fn timestamp(time: Time) -> Option<Value> {
    let nanoseconds = i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds);
    pantin_values::Timestamp::from_nanoseconds(nanoseconds).ok().map(Value::Timestamp)
}

/// Returns what a file says that somebody has laid out in another way.
fn from_hash(entries: &Hash) -> MachineState {
    let mut state = MachineState::default();
    for (reference, recorded) in entries.iter() {
        let Value::Hash(recorded) = recorded else { continue };
        let mut resource = ResourceState::default();
        for (name, value) in recorded.iter() {
            let time = parse_time(&text(value));
            match (&*text(name), time) {
                ("checked", time) => resource.checked = time,
                ("synced", time) => resource.synced = time,
                (name, time) => {
                    let value = time.and_then(timestamp).unwrap_or_else(|| value.clone());
                    resource.values.insert(name.to_owned(), value);
                }
            }
        }
        state.put(&text(reference), resource);
    }
    state
}

/// Where the state lies, and what had to be said when it was read.
pub(crate) struct StateFile {
    pub path: PathBuf,
}

impl StateFile {
    /// Reads the state. A broken one is put aside; the message says so.
    pub(crate) fn load(&self, machine: &dyn System) -> io::Result<(MachineState, Option<String>)> {
        let Some(found) = machine.stat(&self.path, true)? else { return Ok((MachineState::default(), None)) };
        let name = self.path.display().to_string();
        if found.kind != pantin_machine::FileKind::File {
            return Ok((MachineState::default(), Some(format!("Checksumfile {name} is not a file, ignoring"))));
        }
        let bytes = machine.read(&self.path, LARGEST)?;
        match MachineState::parse(&bytes, &name) {
            Ok(state) => Ok((state, None)),
            Err(reason) => {
                let mut aside = self.path.clone().into_os_string();
                aside.push(".bad");
                machine.change(&self.path, &Change::Rename(aside.into()))?;
                Ok((MachineState::default(), Some(format!("Checksumfile {name} is corrupt ({reason}); replacing"))))
            }
        }
    }

    pub(crate) fn exists(&self, machine: &dyn Reading) -> bool {
        matches!(machine.stat(&self.path, true), Ok(Some(_)))
    }

    pub(crate) fn store(
        &self,
        machine: &dyn System,
        state: &mut MachineState,
        pruned_after: Option<u64>,
    ) -> io::Result<()> {
        if let Some(seconds) = pruned_after {
            let now = machine.now();
            state.prune(Time::new(now.seconds - seconds as i64, now.nanoseconds));
        }
        machine.replace(&self.path, &NewFile::new(state.render(machine).as_bytes(), 0o660))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_machine::InMemory;

    const WRITTEN_BY_PUPPET: &str = "---\nFile[/x]:\n  :checked: 2026-11-29 00:23:56.550440920 +00:00\n  :synced: 2026-11-29 00:23:56.553879623 +00:00\n  :mode: '0640'\n  :ensure: :absent\n  :mtime: 2026-11-29 00:23:56.550440920 +00:00\n\"Exec[echo: 1]\":\n  :checked: 2026-11-29 00:24:00.000000000 +00:00\n";

    #[test]
    fn what_puppet_wrote_is_read_and_written_as_it_was() {
        let machine = InMemory::new();
        let state = parse_lines(WRITTEN_BY_PUPPET).unwrap();
        assert_eq!(state.checked("Exec[echo: 1]").unwrap().seconds, 1_795_911_840);
        let values = &state.resources["File[/x]"].values;
        assert_eq!(values["mode"], Value::string("0640"));
        assert_eq!(values["ensure"], Value::Symbol("absent".into()));
        let written = state.render(&machine);
        assert_eq!(written.replace("'Exec[echo: 1]'", "\"Exec[echo: 1]\""), WRITTEN_BY_PUPPET);
    }

    #[test]
    fn lists_and_texts_of_several_lines_are_read_and_written_as_they_were() {
        let machine = InMemory::new();
        let written = "---\nUser[a]:\n  :checked: 2026-11-29 00:24:00.000000000 +00:00\n  :groups:\n  - adm\n  - \"1\"\n  :comment: |-\n    one\n    two\n  :home: \"/home/a\"\n";
        let state = parse_lines(written).unwrap();
        let values = &state.resources["User[a]"].values;
        assert_eq!(values["groups"], Value::array([Value::string("adm"), Value::string("1")]));
        assert_eq!(values["comment"], Value::string("one\ntwo"));
        let again = parse_lines(&state.render(&machine)).unwrap();
        assert_eq!(&again.resources["User[a]"].values, values);
    }

    #[test]
    fn a_reference_of_two_lines_is_read() {
        let text =
            "---\n? |-\n  File[/two\n  lines]\n:\n  :checked: 2026-11-29 00:24:00.000000000 +00:00\n  :mode: '0640'\n";
        let state = MachineState::parse(text.as_bytes(), "state.yaml").unwrap();
        assert_eq!(state.checked("File[/two\nlines]").unwrap().seconds, 1_795_911_840);
    }

    #[test]
    fn a_broken_file_is_put_aside_and_told() {
        let machine = InMemory::new().with_folder("/s").with_file("/s/state.yaml", "--- [a\n");
        let file = StateFile { path: "/s/state.yaml".into() };
        let (_, said) = file.load(&machine).unwrap();
        assert!(said.unwrap().starts_with("Checksumfile /s/state.yaml is corrupt ((/s/state.yaml): did not find"));
        assert_eq!(machine.text("/s/state.yaml.bad").unwrap(), "--- [a\n");
    }
}

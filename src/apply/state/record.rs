//! Records of what was applied: rows of the table, and steps of the journal. Each of these is a line with a checksum before its JSON.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::digest::hex_start;
use crate::footprint::Footprint;

/// What became of a resource, for the next run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    InStep,
    Changed,
    Failed,
    FailedToRestart,
    /// Because of a failed dependency.
    SkippedForFailure,
    /// Because of a tag or a schedule: what was known before still holds.
    KeptAway,
    /// Its own turn went well, but what was done later has put it out of step, or another manifest has applied it since.
    Unknown,
    /// It was under way when a run ended.
    UnderWay,
    /// Its refresh was.
    RefreshUnderWay,
}

impl Outcome {
    /// Returns true if the next partial run must apply the resource again.
    pub(crate) fn is_out_of_step(self) -> bool {
        !matches!(self, Outcome::InStep | Outcome::Changed | Outcome::KeptAway)
    }
}

/// The first line of a table: under which circumstances its rows were written.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct TableHeader {
    /// The code that carried the resources out.
    pub build: String,
    /// The start of the machine, as its kernel names it.
    pub boot: String,
    /// The last run that wrote a row, numbered over all tables of the machine.
    pub serial: u64,
}

/// What is known of a resource that was applied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub reference: String,
    /// The type and the name that it has on the machine, whatever its title.
    pub identity: String,
    /// Names what was desired.
    pub digest: String,
    pub outcome: Outcome,
    /// Who changed, so that this one was to be refreshed and was not.
    pub owed: Vec<String>,
    /// When the first of these refreshes was lost, in seconds since 1970.
    pub owed_since: Option<i64>,
    /// Its place in the walk.
    pub number: u32,
    pub footprint: Footprint,
    /// Pantin made what was not there.
    pub is_created: bool,
    /// The digest of what Pantin left on the machine, and how to remove it.
    pub left: Option<LeftState>,
    /// The run that wrote the row.
    pub serial: u64,
}

/// What Pantin has created, so that it can be told whether it is still the same, and removed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct LeftState {
    pub digest: String,
    /// In lower case.
    pub type_name: String,
    pub title: String,
    /// The attributes that name it on the machine.
    pub attributes: Vec<(String, String)>,
}

impl Row {
    /// Returns a resource of which nothing is known but its name.
    pub(crate) fn unknown(reference: &str) -> Row {
        Row {
            reference: reference.to_owned(),
            identity: String::new(),
            digest: String::new(),
            outcome: Outcome::Unknown,
            owed: Vec::new(),
            owed_since: None,
            number: 0,
            footprint: Footprint::Nothing,
            is_created: false,
            left: None,
            serial: 0,
        }
    }
}

/// A step of a run, written before or after it is made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// A resource is about to be changed; its change would refresh these.
    Begin {
        reference: String,
        digest: String,
        tells: Vec<String>,
        /// The paths that it may replace.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        writes: Vec<String>,
        /// When, in seconds since 1970.
        #[serde(default)]
        time: i64,
        /// It is about to be refreshed, and no more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_refresh: bool,
    },
    Done {
        reference: String,
        outcome: Outcome,
    },
    /// A refresh is owed because of these, and when it was made.
    Owed {
        reference: String,
        because: Vec<String>,
        #[serde(default)]
        time: i64,
    },
    Refreshed {
        reference: String,
    },
}

/// Writes a record as a line.
pub(crate) fn write_line<T: Serialize>(record: &T) -> String {
    // Records are plain data, which can always be written.
    let json = serde_json::to_string(record).unwrap_or_default();
    format!("{} {json}\n", checksum(&json))
}

/// Reads lines back. `Err`: how many could be read before one was damaged.
pub(crate) fn read_lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, (Vec<T>, usize)> {
    let mut records = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let record = line
            .strip_suffix('\n')
            .and_then(|line| line.split_once(' '))
            .and_then(|(sum, json)| (checksum(json) == sum).then(|| serde_json::from_str(json).ok()).flatten());
        match record {
            Some(record) => records.push(record),
            None => return Err((records, number + 1)),
        }
    }
    Ok(records)
}

fn checksum(json: &str) -> String {
    hex_start(&blake3::hash(json.as_bytes()), 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let done = Entry::Done { reference: "File[/x]".into(), outcome: Outcome::Changed };
        let text = write_line(&done) + &write_line(&Entry::Refreshed { reference: "Exec[y]".into() });
        assert_eq!(read_lines::<Entry>(&text).unwrap().len(), 2);
        for place in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[place] ^= 1;
            let damaged = String::from_utf8_lossy(&damaged);
            let read = read_lines::<Entry>(&damaged);
            assert!(read.is_err() || read.unwrap() != read_lines::<Entry>(&text).unwrap(), "{place}");
        }
        assert!(read_lines::<Entry>(&text[..text.len() - 1]).is_err());
    }
}

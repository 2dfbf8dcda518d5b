//! Facts that files and programs of `facts.d` tell, and variables of the environment.

mod parse;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pantin_machine::{Command, Errors, FileKind, Reading, SpawnError, Stop, System};
use pantin_values::Value;

use crate::collect::Timing;
use crate::configuration::Configuration;

/// A program that takes longer than this is ended.
pub const EXTERNAL_TIME_LIMIT: Duration = Duration::from_secs(300);

/// No file of facts is larger.
const LARGEST: u64 = 64 << 20;

/// Programs of other systems.
const FOREIGN_ENDINGS: [&str; 4] = ["bat", "cmd", "com", "exe"];

/// What is done about programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Programs {
    Run {
        limit: Duration,
    },
    /// They belong to another root, where nothing is run.
    Foreign,
}

/// What files, programs and variables tell.
#[derive(Default, Debug)]
pub struct ExternalFacts {
    pub facts: Vec<(String, Value)>,
    /// Why some of them could not be had, each with its file.
    pub troubles: Vec<String>,
    pub timings: Vec<Timing>,
}

/// Returns the folders that are read where none are named.
pub fn default_folders(machine: &dyn Reading) -> Vec<PathBuf> {
    if machine.identity().0 == 0 {
        let all = ["/etc/puppetlabs/facter/facts.d", "/etc/facter/facts.d", "/opt/puppetlabs/facter/facts.d"];
        return all.map(PathBuf::from).to_vec();
    }
    match machine.variable("HOME") {
        Some(home) => {
            [".puppetlabs/opt/facter/facts.d", ".facter/facts.d"].map(|path| Path::new(&home).join(path)).to_vec()
        }
        None => Vec::new(),
    }
}

/// Reads the facts of folders, and those of the environment (`FACTER_role=web`), which come before all others. Of two files the
/// one that is read first counts: in the order of the folders, in each of them from the last name to the first.
pub fn read_external(
    machine: &dyn System,
    folders: &[PathBuf],
    programs: Programs,
    configuration: &Configuration,
    stop: &Stop,
) -> ExternalFacts {
    let mut external = ExternalFacts { facts: variables_as_facts(machine), ..ExternalFacts::default() };
    for folder in folders {
        let names = machine.list(folder).unwrap_or_default();
        let is_blocked = |name: &OsString| configuration.blocked.iter().any(|blocked| name == blocked.as_str());
        let is_visible = |name: &&OsString| !name.as_encoded_bytes().starts_with(b".") && !is_blocked(name);
        for path in names.iter().rev().filter(is_visible).map(|name| folder.join(name)) {
            external.read(machine, &path, programs, stop);
        }
    }
    external
}

/// `FACTER_role`, `facterrole`
fn variables_as_facts(machine: &dyn System) -> Vec<(String, Value)> {
    let fact = |(name, value): (String, String)| {
        let lower = name.to_lowercase();
        let rest = lower.strip_prefix("facter")?;
        let rest = rest.strip_prefix('_').filter(|rest| !rest.is_empty()).unwrap_or(rest);
        let is_name = !rest.is_empty() && rest.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        is_name.then(|| (rest.to_owned(), Value::string(value)))
    };
    machine.variables().into_iter().filter_map(fact).collect()
}

impl ExternalFacts {
    fn read(&mut self, machine: &dyn System, path: &Path, programs: Programs, stop: &Stop) {
        let begin = machine.now();
        match facts_of(machine, path, programs, stop) {
            Ok(None) => return,
            Ok(Some(facts)) => {
                for (name, value) in facts {
                    let name = name.to_lowercase();
                    if self.facts.iter().all(|(known, _)| *known != name) {
                        self.facts.push((name, value));
                    }
                }
            }
            Err(reason) => self.troubles.push(format!("cannot take facts from {}: {reason}", path.display())),
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.timings.push(Timing { name, seconds: machine.now().seconds_since(begin) });
    }
}

/// Reads a file, or runs a program. `None`: it is neither.
fn facts_of(
    machine: &dyn System,
    path: &Path,
    programs: Programs,
    stop: &Stop,
) -> Result<Option<Vec<(String, Value)>>, String> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let read = || machine.read(path, LARGEST).map_err(|error| error.to_string());
    Ok(Some(match ending.as_str() {
        "yaml" => parse::yaml(&read()?)?,
        "json" => parse::json(&read()?)?,
        "txt" => parse::lines(&read()?),
        ending if FOREIGN_ENDINGS.contains(&ending) => return Ok(None),
        _ => {
            let kind = machine.stat(path, true).map_err(|error| error.to_string())?.map(|found| found.kind);
            if kind != Some(FileKind::File) || !machine.is_executable(path) {
                return Ok(None);
            }
            match programs {
                Programs::Run { limit } => parse::output(&run(machine, path, limit, stop)?),
                Programs::Foreign => return Err("programs of another root are not run".to_owned()),
            }
        }
    }))
}

/// Runs a program; how it ends does not matter. What it says on its error output is said on ours.
fn run(machine: &dyn System, path: &Path, limit: Duration, stop: &Stop) -> Result<Vec<u8>, String> {
    let kept = ["HOME", "USER", "LOGNAME"].map(|name| (OsString::from(name), machine.variable(name)));
    let command = Command {
        environment: kept.into_iter().filter(|(_, value)| value.is_some()).collect(),
        time_limit: Some(limit),
        errors: Errors::Inherited,
        ..Command::new(path, [] as [OsString; 0])
    };
    match machine.run(&command, stop) {
        Ok(output) if output.is_cut => Err("it says too much".to_owned()),
        Ok(output) => Ok(output.text),
        Err(SpawnError::TimedOut) => Err(format!("it took longer than {} s", limit.as_secs())),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use pantin_machine::{Ended, InMemory, Output};

    use super::*;

    fn machine() -> InMemory {
        let says = |text: &'static str| {
            move |_: &InMemory, _: &Command| Output { ended: Ended::Code(3), text: text.into(), is_cut: false }
        };
        InMemory::new()
            .with_folder("/d")
            .with_folder("/d/folder")
            .with_file("/d/a.txt", "Role=web\nx=1=2\nempty=\n")
            .with_file("/d/b.txt", "role=db\n")
            .with_file("/d/.hidden.txt", "hidden=1\n")
            .with_file("/d/c.yaml", "list: [1, two]\nwhen: 2020-01-01 10:00:00\nday: 2020-01-02\n")
            .with_file("/d/d.json", "{\"deep\": {\"er\": 1}}")
            .with_file("/d/notes", "role=none\n")
            .with_program("/d/p.sh", says("one=1\ntwo words=2\n"))
            .with_program("/d/q", says("from: {yaml: true}\n"))
            .with_folder("/e")
            .with_file("/e/z.txt", "role=late\nz=1\n")
            .with_variable("FACTER_Z", "of the environment")
            .with_variable("facterplain", "1")
            .with_variable("FACTORY", "none")
    }

    fn read(machine: &InMemory) -> ExternalFacts {
        let folders = ["/d".into(), "/none".into(), "/e".into()];
        read_external(
            machine,
            &folders,
            Programs::Run { limit: EXTERNAL_TIME_LIMIT },
            &Configuration::default(),
            &Stop::default(),
        )
    }

    #[test]
    fn files_programs_and_variables_tell_facts() {
        let external = read(&machine());
        let fact = |name: &str| external.facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        assert_eq!(external.troubles, [] as [String; 0]);
        assert_eq!(fact("role"), Some(Value::from("db")), "the last name of the first folder");
        assert_eq!(fact("x"), Some(Value::from("1=2")));
        assert_eq!(fact("empty"), None);
        assert_eq!(fact("hidden"), None);
        assert_eq!(fact("when"), Some(Value::from("2020-01-01 10:00:00")));
        assert_eq!(fact("day"), Some(Value::from("2020-01-02")));
        assert_eq!(fact("one"), Some(Value::from("1")), "how a program ends does not matter");
        assert_eq!(fact("two words"), Some(Value::from("2")));
        assert_eq!(fact("from"), Some(Value::hash([(Value::from("yaml"), Value::Boolean(true))])));
        assert_eq!(fact("z"), Some(Value::from("of the environment")));
        assert_eq!(fact("plain"), Some(Value::from("1")));
        assert_eq!(fact("tory"), None);
    }

    #[test]
    fn a_file_that_is_wrong_is_told_and_the_others_are_read() {
        let machine = machine().with_file("/d/wrong.json", "{").with_file("/d/list.yaml", "[1, 2]\n");
        let external = read(&machine);
        assert!(external.troubles[0].starts_with("cannot take facts from /d/wrong.json: "), "{:?}", external.troubles);
        assert_eq!(external.troubles[1], "cannot take facts from /d/list.yaml: it holds no hash");
        assert!(external.facts.iter().any(|(name, _)| name == "deep"));
    }

    #[test]
    fn folders_are_those_of_the_user() {
        let folders = default_folders(&InMemory::new());
        assert!(folders.contains(&PathBuf::from("/etc/facter/facts.d")));
    }
}

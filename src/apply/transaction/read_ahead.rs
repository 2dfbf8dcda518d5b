//! Reads the files of a full run before the walk, on all threads: the walk takes a checksum of what was read only where the file still
//! has the stamp that it had then.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pantin_machine::{Command, Reading};

use super::Transaction;
use crate::log::Level;
use crate::settings::ReadAhead;
use crate::types::FileToRead;

/// Fewer files are read as quickly in their turn.
const WORTH_IT: usize = 64;

impl Transaction<'_> {
    /// Reads the files of which nothing is remembered. What cannot be read now is told in the turn of its resource.
    pub(super) fn read_ahead(&self) {
        let sums = self.around.sums;
        if self.selection.is_some() || self.around.settings.read_ahead == ReadAhead::Never {
            return;
        }
        let files = self.managed.iter().flatten().flat_map(|managed| managed.files_to_read());
        let unknown: Vec<FileToRead> = files.filter(|file| file.is_unknown(sums)).collect();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        match &self.around.settings.read_ahead {
            ReadAhead::Between(program) if !unknown.is_empty() => {
                self.tell_of_files(program, "before", &unknown);
                self.read_files(&unknown, threads);
                self.tell_of_files(program, "after", &unknown);
            }
            ReadAhead::Usual if unknown.len() >= WORTH_IT && threads > 1 => self.read_files(&unknown, threads),
            _ => {}
        }
    }

    /// Reads files on so many threads, and remembers their checksums.
    fn read_files(&self, files: &[FileToRead], threads: usize) {
        let sums = self.around.sums;
        let (machine, sources, stop): (&dyn Reading, _, _) =
            (self.around.machine, self.around.sources, self.around.stop);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.signal().is_some() {
                    return;
                }
                let _ = file.sum(None, (machine, sources), sums);
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                // In a root of another process no thread can begin: then each file is read in its turn.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    return;
                }
            }
        });
    }

    /// Calls the program of a test with the paths of files.
    fn tell_of_files(&self, program: &Path, moment: &str, files: &[FileToRead]) {
        let paths = files.iter().filter_map(|file| file.place.name()).filter(|name| name.starts_with('/'));
        let arguments: Vec<String> = std::iter::once(moment.to_owned()).chain(paths.map(Into::into)).collect();
        if let Err(error) = self.around.machine.run(&Command::new(program, arguments), self.around.stop) {
            self.around.log.bare(Level::Err, format!("{}: {error}", program.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use pantin_base::random::MersenneTwister;
    use pantin_machine::{Ended, InMemory, NewFile, Output, System};

    use super::super::testing::{run, settings};
    use crate::settings::{ApplySettings, ReadAhead};

    const COUNT: usize = 100;

    /// Returns a machine with many files, and `spoil`, which writes into one of them.
    fn machine() -> InMemory {
        let machine =
            InMemory::new().with_folder("/srv").with_folder("/var").with_program("/bin/spoil", |machine, command| {
                let path = command.arguments[0].to_string_lossy().into_owned();
                machine.replace(path.as_ref(), &NewFile::new(b"spoilt", 0o644)).unwrap();
                Output { ended: Ended::Code(0), text: Vec::new(), is_cut: false }
            });
        let machine = (0..COUNT).fold(machine, |machine, at| machine.with_file(&format!("/srv/f{at}"), "right"));
        machine.pass(60);
        machine
    }

    #[test]
    fn what_is_spoilt_between_the_look_and_the_turn_is_mended() {
        let mut twister = MersenneTwister::from_integer(20_261_130);
        let mut below = |limit: usize| twister.below(limit as u64).unwrap() as usize;
        for keeps_state in [true, false].repeat(10) {
            let machine = machine();
            let settings = ApplySettings { state: keeps_state.then(|| "/var/state".into()), ..settings() };
            for _ in 0..3 {
                let (place, target) = (below(COUNT), below(COUNT));
                let mut resources: Vec<String> = (0..COUNT)
                    .map(|at| format!(r#"{{"type":"File","title":"/srv/f{at}","parameters":{{"content":"right"}}}}"#))
                    .collect();
                let exec = format!(
                    r#"{{"type":"Exec","title":"spoil","parameters":{{"command":"/bin/spoil /srv/f{target}"}}}}"#
                );
                resources.insert(place, exec);
                let lines = run(&machine, &settings, &resources.join(",")).lines;
                let changes = lines.iter().filter(|line| line.starts_with("Notice")).count();
                let is_before = place <= target;
                // The exec says a line, and the file that is spoilt before its turn another one.
                assert_eq!(changes, 1 + usize::from(is_before), "{place} {target}");
                let expected = if is_before { "right" } else { "spoilt" };
                assert_eq!(machine.text(&format!("/srv/f{target}")).unwrap(), expected);
                machine.pass(60);
                machine.replace(format!("/srv/f{target}").as_ref(), &NewFile::new(b"right", 0o644)).unwrap();
                machine.pass(60);
            }
        }
    }

    /// Adds `disturb`, which makes another file of each before they are read, and the right one of it after that; and `keep`, which does
    /// nothing.
    fn disturbed(machine: InMemory) -> InMemory {
        let said = || Output { ended: Ended::Code(0), text: Vec::new(), is_cut: false };
        let machine = machine.with_program("/bin/keep", move |machine, _| {
            machine.pass(60);
            said()
        });
        machine.with_program("/bin/disturb", move |machine, command| {
            let words: Vec<String> = command.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            for path in &words[1..] {
                let text = machine.text(path).unwrap();
                let text = match text.strip_prefix("not ") {
                    Some(right) => right.to_owned(),
                    None => format!("not {text}"),
                };
                machine.replace(path.as_ref(), &NewFile::new(text.as_bytes(), 0o644)).unwrap();
            }
            machine.pass(60);
            said()
        })
    }

    #[test]
    fn files_that_are_disturbed_while_they_are_read_ahead_are_found_as_they_are() {
        let resource =
            |at: usize| format!(r#"{{"type":"File","title":"/srv/f{at}","parameters":{{"content":"right"}}}}"#);
        let resources = (0..5).map(resource).collect::<Vec<_>>().join(",");
        let ways = ["/bin/keep", "/bin/disturb"].map(|program| ReadAhead::Between(program.into()));
        for read_ahead in ways.into_iter().chain([ReadAhead::Never, ReadAhead::Usual]) {
            let machine = disturbed(machine());
            machine.replace("/srv/f3".as_ref(), &NewFile::new(b"wrong", 0o644)).unwrap();
            let state = Some("/var/state".into());
            let settings = ApplySettings { state, read_ahead: read_ahead.clone(), ..settings() };
            let lines = run(&machine, &settings, &resources).lines;
            let notices: Vec<&String> = lines.iter().filter(|line| line.starts_with("Notice")).collect();
            assert_eq!(notices.len(), 1, "{read_ahead:?}: {lines:?}");
            assert!(notices[0].contains("File[/srv/f3]/content"), "{read_ahead:?}: {notices:?}");
            assert_eq!(machine.text("/srv/f3").unwrap(), "right");
        }
    }
}

//! The files below a folder: of this machine, or of what `puppet:///` leads to.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use pantin_machine::{FileKind, FileStat, Reading};

use super::fnmatch::{self, NameRules};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::sources::Sources;

/// Files of this machine, or those behind `puppet:///`, by the path behind the slashes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FilePlace {
    Local(PathBuf),
    Served(String),
}

/// How many files there may be before it is said.
const SOFT_LIMIT: usize = 1000;
/// A file that is read whole has at most so many bytes.
pub(crate) const LARGEST_FILE: u64 = 1 << 40;

impl FilePlace {
    pub(crate) fn join(&self, name: &str) -> FilePlace {
        match self {
            FilePlace::Local(path) => FilePlace::Local(path.join(name)),
            FilePlace::Served(path) => FilePlace::Served(format!("{path}/{name}")),
        }
    }

    pub(crate) fn stat(&self, follow: bool, (machine, sources): Doors<'_>) -> io::Result<Option<FileStat>> {
        match self {
            FilePlace::Local(path) => machine.stat(path, follow),
            FilePlace::Served(path) => sources.stat(path, follow),
        }
    }

    pub(crate) fn read(&self, (machine, sources): Doors<'_>) -> io::Result<Vec<u8>> {
        match self {
            FilePlace::Local(path) => machine.read(path, LARGEST_FILE),
            FilePlace::Served(path) => sources.read(path),
        }
    }

    pub(crate) fn link_target(&self, (machine, sources): Doors<'_>) -> io::Result<PathBuf> {
        match self {
            FilePlace::Local(path) => machine.link_target(path),
            FilePlace::Served(path) => sources.link_target(path),
        }
    }

    fn list(&self, (machine, sources): Doors<'_>) -> io::Result<Vec<std::ffi::OsString>> {
        match self {
            FilePlace::Local(path) => machine.list(path),
            FilePlace::Served(path) => sources.list(path),
        }
    }

    /// Returns what tells the file from all others, if that is a text.
    pub(crate) fn name(&self) -> Option<Cow<'_, str>> {
        match self {
            FilePlace::Local(path) => path.to_str().map(Cow::Borrowed),
            FilePlace::Served(path) => Some(Cow::Owned(format!("puppet:///{path}"))),
        }
    }

    /// Returns true if the file gets another time of change whenever somebody writes to it.
    pub(crate) fn keeps_change_times(&self, (machine, sources): Doors<'_>) -> bool {
        match self {
            FilePlace::Local(path) => machine.keeps_change_times(path),
            FilePlace::Served(path) => sources.keeps_change_times(path),
        }
    }

    /// Shows where the files are, for messages.
    pub(crate) fn display(&self) -> String {
        match self {
            FilePlace::Local(path) => path.display().to_string(),
            FilePlace::Served(path) => path.clone(),
        }
    }
}

/// What files are looked at through.
pub(crate) type Doors<'a> = (&'a dyn Reading, &'a dyn Sources);

/// Returns what files are looked at through.
pub(crate) fn doors<'a>(context: &ApplyContext<'a>) -> Doors<'a> {
    (context.machine, context.sources)
}

/// Which files below a folder are meant.
#[derive(Clone, Debug)]
pub(crate) struct Fileset {
    pub follows_links: bool,
    pub recurses: bool,
    pub depth: Option<u64>,
    /// Zero: a warning above a thousand. Below zero: as many as there are.
    pub most_files: i64,
    pub ignored: Vec<String>,
}

impl Fileset {
    /// Returns the paths below a folder, relative to it, a level after the other.
    pub(crate) fn paths_below(&self, folder: &FilePlace, context: &ApplyContext<'_>) -> Result<Vec<String>, Failure> {
        let doors = doors(context);
        let mut found = Vec::new();
        let mut waiting = VecDeque::from([(0_u64, String::new())]);
        while let Some((level, path)) = waiting.pop_front() {
            if !self.recurses || self.depth.is_some_and(|depth| level + 1 > depth) {
                continue;
            }
            let place = if path.is_empty() { folder.clone() } else { folder.join(&path) };
            let is_folder =
                matches!(place.stat(self.follows_links, doors), Ok(Some(stat)) if stat.kind == FileKind::Folder);
            if !is_folder {
                continue;
            }
            let names = place
                .list(doors)
                .map_err(|error| Failure::new(ruby_words(&error, "dir_initialize", &place.display())))?;
            for name in names {
                let name = name.to_string_lossy();
                if self.ignored.iter().any(|pattern| fnmatch::matches(pattern, &name, NameRules::default())) {
                    continue;
                }
                let below = if path.is_empty() { name.into_owned() } else { format!("{path}/{name}") };
                found.push(below.clone());
                waiting.push_back((level + 1, below));
            }
        }
        self.check_count(folder, found.len(), context)?;
        Ok(found)
    }

    fn check_count(&self, folder: &FilePlace, count: usize, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let path = folder.display();
        if self.most_files > 0 && count as u64 > self.most_files as u64 {
            return Err(Failure::new(format!(
                "The directory '{path}' contains {count} entries, which exceeds the limit of {} specified by the max_files \
                 parameter for this resource. The limit may be increased, but be aware that large number of file \
                 resources can result in excessive resource consumption and degraded performance. Consider using an \
                 alternate method to manage large directory trees",
                self.most_files
            )));
        }
        if self.most_files == 0 && count > SOFT_LIMIT {
            context.say_bare(
                Level::Warning,
                format!(
                    "The directory '{path}' contains {count} entries, which exceeds the default soft limit {SOFT_LIMIT} and \
                     may cause excessive resource consumption and degraded performance. To remove this warning set a value \
                     for `max_files` parameter or consider using an alternate method to manage large directory trees"
                ),
            );
        }
        Ok(())
    }
}

/// Returns an error of the system in Ruby's words: `No such file or directory @ rb_sysopen - /x`.
pub(crate) fn ruby_words(error: &io::Error, call: &str, path: &str) -> String {
    format!("{} @ {call} - {path}", plain_words(error))
}

/// Returns an error of the system without its number.
pub(crate) fn plain_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error ").map_or(text.clone(), |(words, _)| words.to_owned())
}

/// Returns the parent of a path as Ruby's `File.dirname` does.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

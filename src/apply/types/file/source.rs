//! What is known of a source before it is copied: its kind, its checksum, its owner and mode.

use std::io;
use std::path::PathBuf;

use pantin_machine::FileKind;

use super::checksum::ChecksumType;
use super::fileset::{Doors, FilePlace, doors, plain_words, ruby_words};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::known_sums::{KnownSums, WantedSum};

/// What is known of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Metadata {
    pub place: FilePlace,
    /// The address: `file:///x`, `puppet:///modules/a/b`.
    pub source: String,
    pub kind: FileKind,
    pub checksum_type: ChecksumType,
    /// `{sha256}…`; a link may have none.
    pub checksum: Option<String>,
    pub uid: u32,
    pub gid: u32,
    pub mode: u32,
    /// What a link says.
    pub destination: Option<PathBuf>,
}

/// How a source is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceOptions {
    pub follows_links: bool,
    pub checksum_type: ChecksumType,
    /// Owner and mode are those of the source.
    pub has_permissions: bool,
    /// What stands there is a secret.
    pub is_secret: bool,
}

/// Which checksum is asked for, and when one that is remembered will do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumRequest<'a> {
    pub checksum_type: ChecksumType,
    pub is_secret: bool,
    /// The only one that need not be found out again. `None`: any.
    pub believed: Option<&'a str>,
}

/// Returns the files that an address means. Files behind `http:` are not had here.
pub(crate) fn place_of(source: &str) -> Result<FilePlace, Failure> {
    if let Some(path) = source.strip_prefix("file:") {
        let path = path.strip_prefix("//").map_or(path, |rest| &rest[rest.find('/').unwrap_or(rest.len())..]);
        return Ok(FilePlace::Local(PathBuf::from(path)));
    }
    if source.starts_with('/') {
        return Ok(FilePlace::Local(PathBuf::from(source)));
    }
    match source.strip_prefix("puppet:///") {
        Some(path) => Ok(FilePlace::Served(path.to_owned())),
        None => Err(Failure::new(format!(
            "files of {source} are not fetched: only those of this machine and puppet:/// are"
        ))),
    }
}

/// Finds a source. `None`: nothing is there.
pub(crate) fn find(
    source: &str,
    options: SourceOptions,
    context: &ApplyContext<'_>,
) -> Result<Option<Metadata>, Failure> {
    let place = place_of(source)?;
    let found = place.stat(true, doors(context)).map_err(|error| Failure::new(plain_words(&error)))?;
    match found {
        Some(_) => collect(place, source, options, context).map(Some),
        None => Ok(None),
    }
}

/// Looks at one file of a source that is there.
pub(crate) fn collect(
    place: FilePlace,
    source: &str,
    options: SourceOptions,
    context: &ApplyContext<'_>,
) -> Result<Metadata, Failure> {
    let doors = doors(context);
    let call = if options.follows_links { "rb_file_s_stat" } else { "rb_file_s_lstat" };
    let shown = place.display();
    let told = |error: &io::Error| Failure::new(ruby_words(error, call, &shown));
    let missing = || Failure::new(format!("No such file or directory @ {call} - {shown}"));
    let stat = place.stat(options.follows_links, doors).map_err(|error| told(&error))?.ok_or_else(missing)?;
    let (uid, gid) = context.machine.identity();
    let SourceOptions { checksum_type, is_secret, .. } = options;
    let request = SumRequest { checksum_type, is_secret, believed: None };
    let mut metadata = Metadata {
        source: source.to_owned(),
        kind: stat.kind,
        checksum_type: options.checksum_type,
        checksum: None,
        uid: if options.has_permissions { stat.uid } else { uid },
        gid: if options.has_permissions { stat.gid } else { gid },
        mode: if options.has_permissions { stat.mode } else { 0o644 },
        destination: None,
        place,
    };
    match stat.kind {
        FileKind::File => metadata.checksum = Some(checksum_of(&metadata.place, request, context)?),
        FileKind::Folder => {
            metadata.checksum_type = ChecksumType::Ctime;
            metadata.checksum = Some(ChecksumType::Ctime.sum_of_time(&stat, context.machine));
        }
        FileKind::Link => {
            let target = metadata.place.link_target(doors);
            metadata.destination = Some(target.map_err(|error| told(&error))?);
            metadata.checksum = checksum_of(&metadata.place, request, context).ok();
        }
        FileKind::Fifo | FileKind::Socket => {
            metadata.checksum_type = ChecksumType::None;
            metadata.checksum = Some("{none}".to_owned());
        }
        other => return Err(Failure::new(format!("Cannot manage files of type {}", kind_name(other)))),
    }
    Ok(metadata)
}

/// Returns the checksum of a file, following links. One that has the stamp with which it was read before is not read again.
pub(crate) fn checksum_of(
    place: &FilePlace,
    request: SumRequest<'_>,
    context: &ApplyContext<'_>,
) -> Result<String, Failure> {
    let (doors, checksum_type): (Doors<'_>, _) = (doors(context), request.checksum_type);
    if checksum_type.is_time() {
        let stat = place.stat(true, doors).map_err(|error| Failure::new(plain_words(&error)))?;
        let missing = || Failure::new(format!("No such file or directory @ rb_file_s_stat - {}", place.display()));
        return Ok(checksum_type.sum_of_time(&stat.ok_or_else(missing)?, context.machine));
    }
    if checksum_type == ChecksumType::None {
        return Ok("{none}".to_owned());
    }
    let wanted = FileToRead { place: place.clone(), checksum_type, is_secret: request.is_secret };
    let sum = wanted.sum(request.believed, doors, context.sums);
    sum.map_err(|error| Failure::new(ruby_words(&error, "rb_sysopen", &place.display())))
}

/// A file whose checksum will be asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileToRead {
    pub(crate) place: FilePlace,
    pub(crate) checksum_type: ChecksumType,
    pub(crate) is_secret: bool,
}

impl FileToRead {
    /// Returns the checksum that is remembered for the stamp of the file, if it is the `believed` one or any will do. Else reads the
    /// file, and remembers its checksum by the stamp that it had before.
    pub(crate) fn sum(&self, believed: Option<&str>, doors: Doors<'_>, sums: &KnownSums) -> io::Result<String> {
        let (now, name) = (doors.0.now(), self.place.name());
        let stat = self.place.stat(true, doors).ok().flatten();
        let known = stat.as_ref().zip(name.as_deref().map(|name| self.wanted(name)));
        if let Some((stat, wanted)) = known
            && let Some(sum) = sums.find(wanted, &stat.stamp)
            && believed.is_none_or(|believed| believed == sum)
        {
            return Ok(sum);
        }
        let sum = self.checksum_type.sum(&self.place.read(doors)?);
        if let Some((stat, wanted)) = known {
            sums.note(wanted, &sum, (stat, now), || self.place.keeps_change_times(doors));
        }
        Ok(sum)
    }

    /// Returns true if nothing is remembered of the file.
    pub(crate) fn is_unknown(&self, sums: &KnownSums) -> bool {
        self.place.name().is_some_and(|name| !sums.has(self.wanted(&name)))
    }

    fn wanted<'a>(&self, name: &'a str) -> WantedSum<'a> {
        WantedSum { name, checksum: self.checksum_type.name(), is_secret: self.is_secret }
    }
}

/// Returns what Ruby calls a kind of file.
pub(crate) fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::File => "file",
        FileKind::Folder => "directory",
        FileKind::Link => "link",
        FileKind::Fifo => "fifo",
        FileKind::Socket => "socket",
        FileKind::BlockDevice => "blockSpecial",
        FileKind::CharacterDevice => "characterSpecial",
        FileKind::Other => "unknown",
    }
}

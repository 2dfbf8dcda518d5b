//! A plain file of records: read whole, written whole, a link followed, mode and owner kept.

use std::io;
use std::path::{Path, PathBuf};

use pantin_machine::{Change, NewFile, Reading};

use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::types::{keep_in_bucket, ruby_words};

/// No file of records is larger.
const LARGEST: u64 = 64 << 20;

/// A plain file of records.
pub(crate) struct FlatFile {
    path: PathBuf,
    /// Of a new one.
    mode: u32,
}

impl FlatFile {
    pub(crate) fn new(target: &str) -> FlatFile {
        FlatFile { path: PathBuf::from(target), mode: 0o600 }
    }

    /// Another mode for a new file, as far as the umask lets it.
    #[must_use]
    pub(crate) fn with_mode(self, mode: u32) -> FlatFile {
        FlatFile { mode, ..self }
    }

    pub(crate) fn read(&self, machine: &dyn Reading) -> Result<Option<String>, Failure> {
        match machine.read(&self.path, LARGEST) {
            Ok(bytes) => {
                Ok(Some(String::from_utf8(bytes).map_err(|_| Failure::new("invalid byte sequence in UTF-8"))?))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                let path = self.path.display();
                let detail = ruby_words(&error, "rb_sysopen", &path.to_string());
                Err(Failure::new(format!("Puppet::Util::FileType::FileTypeFlat could not read {path}: {detail}")))
            }
        }
    }

    /// Puts a text in the place of the old one. Says what goes wrong, as well as failing.
    pub(crate) fn write(&self, text: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.replace(text, context.machine).map_err(|error| {
            let path = self.path.display();
            let detail = ruby_words(&error, "rb_sysopen", &path.to_string());
            let message = format!("Puppet::Util::FileType::FileTypeFlat could not write {path}: {detail}");
            context.say_bare(Level::Err, &message);
            Failure::new(message)
        })
    }

    fn replace(&self, text: &str, machine: &dyn pantin_machine::System) -> io::Result<()> {
        let old = machine.stat(&self.path, true)?;
        let place = match &old {
            Some(_) => machine.resolve(&self.path)?,
            None => self.path.clone(),
        };
        let (mode, owner) = match &old {
            Some(old) => (old.mode, (Some(old.uid), Some(old.gid))),
            None => (self.mode & !machine.umask(), (None, None)),
        };
        match machine.replace(&place, &NewFile { owner, ..NewFile::new(text.as_bytes(), mode) }) {
            // A file that is mounted, as a container's `/etc/hosts` is, cannot be renamed over.
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                machine.change(&place, &Change::Overwrite(text.as_bytes().to_vec()))
            }
            replaced => replaced,
        }
    }
}

/// Keeps a file in the bucket, if there is one at this place.
pub(crate) fn back_up(target: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let path = Path::new(target);
    match context.machine.stat(path, true) {
        Ok(Some(_)) => keep_in_bucket(path, context),
        Ok(None) => Ok(()),
        Err(error) => Err(Failure::new(ruby_words(&error, "rb_file_s_stat", target))),
    }
}

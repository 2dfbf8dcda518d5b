//! Whether the files, folders and operating systems that the configuration names are there: one that is not is a slip, and its
//! place is known here alone.

use std::path::Path;

use pantin_base::nearest;
use pantin_world::facts::check_os_name;
use pantin_world::{Disk, ReadError, expand_path};

use super::{Configuration, KEYS, Key};
use crate::options::{ExportedSource, OpenError, Options};

impl Configuration {
    /// Checks the values that count where `given` says nothing of the same.
    pub fn check_names(&self, disk: &dyn Disk, given: &Options) -> Result<(), OpenError> {
        let Options { world, nodes, catalogs, .. } = given;
        let counts = [
            (Key::Facts, nodes.facts.is_empty() && nodes.node_file.is_none()),
            (Key::Answers, catalogs.answers.file.is_none() && !catalogs.answers.record),
            (Key::Exported, catalogs.exported == ExportedSource::None),
            (Key::Modulepath, world.modulepath.is_none()),
            (Key::RubyReads, true),
            (Key::FenceAdd, true),
        ];
        for (key, _) in counts.into_iter().filter(|(_, counts)| *counts) {
            self.check_key(disk, key)?;
        }
        if nodes.facts.is_empty() && nodes.node_file.is_none() { self.check_systems() } else { Ok(()) }
    }

    fn check_systems(&self) -> Result<(), OpenError> {
        let Some(value) = self.get(Key::Os) else { return Ok(()) };
        for name in &value.texts {
            check_os_name(name)
                .map_err(|reason| OpenError::Usage(format!("{}: 'os': '{name}': {reason}", value.origin)))?;
        }
        Ok(())
    }

    fn check_key(&self, disk: &dyn Disk, key: Key) -> Result<(), OpenError> {
        let (Some(value), Some(known)) = (self.get(key), KEYS.iter().find(|known| known.key == key)) else {
            return Ok(());
        };
        // Where another setting stands in it, nothing can be said yet.
        let is_path = |text: &str| !text.contains('$') && (key != Key::Exported || text != "fleet");
        let paths = value.texts.iter().filter(|text| is_path(text));
        for path in paths.map(|text| expand_path(text)) {
            if !disk.exists(Path::new(&path)) {
                let reason = ReadError::Missing;
                let name = Path::new(&path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let is_word = key == Key::Exported && nearest(name, ["fleet"]).is_some();
                let hint = if is_word { "; did you mean 'fleet'?" } else { "" };
                return Err(OpenError::Usage(format!("{}: '{}': {path}: {reason}{hint}", value.origin, known.name)));
            }
        }
        Ok(())
    }
}

//! The files that Ruby code of modules may read. The fence around the repository (`pantin_world::FencedDisk`) holds for all code.

use std::path::Path;

use pantin_model::trace::Answer;
use pantin_values::{Fault, Str, Value};
use pantin_world::{Disk, Fence, ReadError};

use super::Compiler;

/// Where a server keeps what is its own.
const OWN_FOLDERS: [&str; 3] = ["confdir", "codedir", "vardir"];

impl Compiler<'_> {
    /// The first of these paths that may not be read, and where it leads.
    pub(super) fn beyond(&self, paths: &[Str]) -> Answer {
        let base = &self.loader.base;
        let environment = &self.request.environment;
        let own = OWN_FOLDERS.iter().filter_map(|name| environment.settings.get_str(name)?.as_str().map(Path::new));
        let modules = base.modules.all().iter().map(|module| module.folder.as_path());
        let folders = environment.folder.as_deref().into_iter();
        let folders = folders.chain(environment.modulepath.iter().map(|path| path.as_path()));
        let folders = folders.chain(modules).chain(own).chain(base.ruby_reads.iter().map(|path| path.as_path()));
        let fence = Fence::around(folders);
        let is_of_data = |path: &Str| self.data_files.iter().any(|known| known == path);
        for path in paths.iter().filter(|path| !is_of_data(path)) {
            if let Some(real) = fence.beyond(&base.modules.disk, Path::new(path.as_str())) {
                return Answer::Value(Value::array([path.clone().into(), real.display().to_string().into()]));
            }
        }
        let breach = paths.iter().find_map(|path| Some((path, base.modules.disk.breach(Path::new(path.as_str()))?)));
        match breach {
            Some((path, breach)) => {
                Answer::Fault(Fault::new(ReadError::Fenced(breach).in_ruby(Path::new(path.as_str()))))
            }
            None => Answer::Absent,
        }
    }
}

/// Returns the file that a back end is to read, as its options name it: whoever wrote the hiera.yaml wants it read.
pub(super) fn data_file(arguments: &[Value]) -> Option<Str> {
    arguments.iter().find_map(|argument| match argument {
        Value::Hash(options) => options.get_str("path")?.as_str().map(Str::from),
        _ => None,
    })
}

//! Paths and programs that a person has typed as options. One that is not there is a slip, which nothing would tell of
//! later: without its modules or its manifest a catalog is compiled all the same.
//!
//! What settings say of paths is none of this: they may name what is not there, as those of the real one may.

use std::path::Path;

use pantin_repository::options::OpenError;
use pantin_world::{Argument, ReadError, expand_path, inspect_argument, is_on_path};

/// Folders, divided by colons.
pub(crate) fn check_folders(option: &str, given: &str) -> Result<(), OpenError> {
    // Where another setting stands in it, nothing can be said yet.
    let typed = given.split(':').filter(|folder| !folder.is_empty() && !folder.contains('$'));
    typed.map(expand_path).try_for_each(|folder| check_folder(option, Path::new(&folder)))
}

pub(crate) fn check_folder(option: &str, folder: &Path) -> Result<(), OpenError> {
    match inspect_argument(folder) {
        Ok(Argument::Folder) => Ok(()),
        Ok(Argument::File) => Err(refused(option, folder, "is no folder")),
        Err(reason) => Err(refused(option, folder, &reason.to_string())),
    }
}

/// A file that is read, or a folder of such files.
pub(crate) fn check_file(option: &str, path: &Path) -> Result<(), OpenError> {
    inspect_argument(path).map(drop).map_err(|reason| refused(option, path, &reason.to_string()))
}

/// Anything at all.
pub(crate) fn check_present(option: &str, path: &Path) -> Result<(), OpenError> {
    match inspect_argument(path) {
        Err(reason @ (ReadError::Missing | ReadError::System(_))) => Err(refused(option, path, &reason.to_string())),
        _ => Ok(()),
    }
}

/// A path to a program, or a name by which the system finds it.
pub(crate) fn check_program(option: &str, program: &str) -> Result<(), OpenError> {
    if program.contains('/') {
        return check_present(option, Path::new(program));
    }
    if is_on_path(program) { Ok(()) } else { Err(OpenError::Usage(format!("{option}: there is no program {program}"))) }
}

fn refused(option: &str, path: &Path, reason: &str) -> OpenError {
    OpenError::Usage(format!("{option}: {}: {reason}", path.display()))
}

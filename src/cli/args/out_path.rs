//! Where the catalogs of several nodes are to go, as it was typed: looked at before any of them is compiled.

use std::ffi::OsStr;
use std::path::Path;

use pantin_repository::options::OpenError;
use pantin_world::{Argument, ReadError, inspect_argument};

/// What archives and compressed files end in: a folder of such a name is not what anybody wants.
const PACKED: [&str; 9] = ["tar", "tgz", "tbz", "txz", "gz", "bz2", "xz", "zst", "zip"];

/// What is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Folder,
    FolderOrArchive,
}

/// Returns true if a path is that of an archive.
pub(crate) fn is_archive(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("tar"))
}

pub(crate) fn check_out(path: &Path, taken: Taken) -> Result<(), OpenError> {
    let wanted = match taken {
        Taken::Folder => "for several nodes a folder is wanted",
        Taken::FolderOrArchive => "a folder is wanted, or an archive whose name ends in .tar",
    };
    let refused = |reason: String| Err(OpenError::Usage(format!("--out {}: {reason}; {wanted}", path.display())));
    let is_archive = taken == Taken::FolderOrArchive && is_archive(path);
    match inspect_argument(path) {
        Ok(Argument::Folder) if is_archive => refused("is a folder".to_owned()),
        Err(ReadError::Missing) if !is_archive && looks_packed(path) => {
            refused("a folder would get the name of an archive".to_owned())
        }
        Ok(Argument::Folder) | Err(ReadError::Missing) => Ok(()),
        _ if is_archive => Ok(()),
        Ok(Argument::File) => refused("is a file".to_owned()),
        Err(reason) => refused(reason.to_string()),
    }
}

/// Unless a slash says that it is a folder.
fn looks_packed(path: &Path) -> bool {
    let is_packed = |ending: &OsStr| PACKED.iter().any(|packed| ending.eq_ignore_ascii_case(packed));
    !path.as_os_str().as_encoded_bytes().ends_with(b"/") && path.extension().is_some_and(is_packed)
}

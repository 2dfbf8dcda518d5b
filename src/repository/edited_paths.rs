//! Paths that somebody edits, makes or takes away, and which reads of the disk may be answered differently after that.
//!
//! A path has several names where links lead to it: an edit of the target of a link is an edit of what the link stands for. Knows
//! nothing of who has read.

use std::path::{Path, PathBuf};

use pantin_world::{Disk, LeafKind, PathNames};

/// The paths, with what the disk has of them now.
#[derive(Debug)]
pub(crate) struct EditedPaths<'d> {
    names: PathNames<'d>,
    disk: EditedDisk<'d>,
    paths: Vec<EditedPath>,
}

struct EditedDisk<'d>(&'d dyn Disk);

/// One path.
#[derive(Debug)]
struct EditedPath {
    /// As it is written, and as links have it.
    names: Vec<EditedName>,
    is_there: bool,
    is_folder: bool,
}

#[derive(Debug)]
struct EditedName {
    path: PathBuf,
    /// What would be made with it: the folders above it that are not there.
    missing_folders: Vec<PathBuf>,
    /// The folders above it that hold nothing else: git takes them away with it.
    emptied_folders: Vec<PathBuf>,
    /// The nearest folder above it that is there: something comes into it, or goes.
    folder: PathBuf,
}

impl<'d> EditedPaths<'d> {
    pub(crate) fn new(disk: &'d dyn Disk, paths: &[PathBuf]) -> EditedPaths<'d> {
        let names = PathNames::new(disk);
        let edited = |path: &PathBuf| {
            let all = std::iter::once(path.clone()).chain(names.others(path));
            EditedPath {
                names: all.map(|path| EditedName::new(disk, path)).collect(),
                is_there: disk.is_named(path),
                is_folder: disk.is_folder(path),
            }
        };
        let paths = paths.iter().map(edited).collect();
        EditedPaths { names, disk: EditedDisk(disk), paths }
    }

    /// Returns true if a read may be answered differently after an edit of any of the paths.
    pub(crate) fn may_change(&self, kind: LeafKind, path: &Path) -> bool {
        self.may_any_change(self.paths.iter(), kind, path)
    }

    /// Returns true if what a read says may differ after an edit of any of the paths. That a file which is there may go does not count.
    pub(crate) fn may_change_content(&self, kind: LeafKind, path: &Path) -> bool {
        self.may_any_change(self.paths.iter().filter(|edited| kind.is_text() || !edited.is_there), kind, path)
    }

    /// Returns true if a read may be answered differently after an edit of the path with this index.
    pub(crate) fn may_be_changed_by(&self, at: usize, kind: LeafKind, path: &Path) -> bool {
        self.may_any_change(self.paths.get(at).into_iter(), kind, path)
    }

    fn may_any_change<'p>(&self, paths: impl Iterator<Item = &'p EditedPath>, kind: LeafKind, path: &Path) -> bool {
        if matches!(kind, LeafKind::Variable | LeafKind::Revealed) {
            return false;
        }
        let others = self.names.others(path);
        let mut names = paths.flat_map(|edited| edited.names.iter().map(move |name| (edited, name)));
        names.any(|(edited, name)| {
            let fits = |path: &Path| self.is_changed(edited, name, kind, path);
            fits(path) || others.iter().any(|path| fits(path))
        })
    }

    /// Returns true if a file of this path, or one in a folder of this path, is among the edited ones.
    pub(crate) fn touch(&self, path: &Path) -> bool {
        let is_in = |inside: &Path| {
            let mut names = self.paths.iter().flat_map(|edited| &edited.names);
            names.any(|name| name.path.starts_with(inside) || inside.starts_with(&name.path))
        };
        is_in(path) || self.names.others(path).iter().any(|path| is_in(path))
    }

    /// Returns the indices of the paths that are not there.
    pub(crate) fn missing(&self) -> impl Iterator<Item = usize> {
        self.paths.iter().enumerate().filter(|(_, edited)| !edited.is_there).map(|(at, _)| at)
    }

    fn is_changed(&self, edited: &EditedPath, name: &EditedName, kind: LeafKind, path: &Path) -> bool {
        let disk = self.disk.0;
        if !edited.is_there {
            return match kind {
                LeafKind::List | LeafKind::BindingsList | LeafKind::Facts | LeafKind::LinkFacts
                    if path == name.folder =>
                {
                    true
                }
                _ => path.starts_with(&name.path) || name.missing_folders.iter().any(|folder| path == folder),
            };
        }
        if path.starts_with(&name.path) {
            return match kind {
                // Who lists a folder sees the files come and go that are right in it.
                LeafKind::List | LeafKind::BindingsList => self.has_files(path),
                // It may go. A folder stays while there is anything in it.
                LeafKind::Exists | LeafKind::Named | LeafKind::BindingsFile => {
                    disk.is_named(path) && !disk.is_folder(path)
                }
                LeafKind::Folder => false,
                // Of what was looked for in vain in a folder that is there, nothing can be edited.
                _ => disk.is_named(path),
            };
        }
        if name.emptied_folders.iter().any(|folder| folder == path) && is_whether_there(kind, path) {
            return true;
        }
        let is_list = matches!(kind, LeafKind::List | LeafKind::BindingsList);
        is_list && !edited.is_folder && path == name.folder && !self.holds_modules(path)
    }

    fn has_files(&self, folder: &Path) -> bool {
        let entries = self.disk.0.list(folder).ok().flatten().unwrap_or_default();
        entries.iter().any(|entry| !entry.is_folder)
    }

    /// Returns true if there are folders of modules in a folder: whoever lists it looks for these, and not for files.
    fn holds_modules(&self, folder: &Path) -> bool {
        let disk = self.disk.0;
        let entries = disk.list(folder).ok().flatten().unwrap_or_default();
        let is_module =
            |path: PathBuf| ["manifests", "lib", "metadata.json"].iter().any(|own| disk.exists(&path.join(own)));
        entries.iter().filter(|entry| entry.is_folder).any(|entry| is_module(folder.join(&entry.name)))
    }
}

impl EditedName {
    fn new(disk: &dyn Disk, path: PathBuf) -> EditedName {
        let above: Vec<&Path> = path.ancestors().skip(1).collect();
        let missing = above.iter().take_while(|folder| !disk.is_folder(folder)).count();
        let missing_folders = above[..missing].iter().map(|folder| folder.to_path_buf()).collect();
        let folder = above.get(missing).map_or_else(|| path.clone(), |folder| folder.to_path_buf());
        let holds_one = |folder: &&&Path| disk.list(folder).ok().flatten().is_some_and(|entries| entries.len() == 1);
        let emptied = above.iter().take_while(holds_one).filter(|_| missing == 0 && disk.is_named(&path));
        let emptied_folders = emptied.map(|folder| folder.to_path_buf()).collect();
        EditedName { missing_folders, emptied_folders, folder, path }
    }
}

/// Returns true for a question about a folder whose answer is another one when the folder goes. Folders of plugins do not count: whoever
/// looks for a name asks whether they are there, and only for where to look.
fn is_whether_there(kind: LeafKind, folder: &Path) -> bool {
    match kind {
        LeafKind::Exists | LeafKind::Named | LeafKind::BindingsFile | LeafKind::Facts | LeafKind::LinkFacts => true,
        LeafKind::Folder => !folder.components().any(|part| part.as_os_str() == "lib"),
        _ => false,
    }
}

impl std::fmt::Debug for EditedDisk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EditedDisk").finish_non_exhaustive()
    }
}

//! The folders that Ruby code of modules may read, and the check whether a path leads out of them.
//!
//! Knows nothing of who asks, and of what is in a file.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::Disk;

/// So many links one after the other lead in a circle; the system follows no more either.
const MOST_LINKS: usize = 40;

#[derive(Debug)]
pub struct Fence<'f> {
    folders: Vec<&'f Path>,
}

impl<'f> Fence<'f> {
    pub fn around(folders: impl Iterator<Item = &'f Path>) -> Fence<'f> {
        Fence { folders: folders.filter(|folder| folder.is_absolute()).collect() }
    }

    /// Where a path leads, if that is outside; `None`: it may be read. Of a path that begins in one of the folders only
    /// what is below it is looked at, as long as no link leads away.
    pub fn beyond(&self, disk: &dyn Disk, path: &Path) -> Option<PathBuf> {
        let around = self.folders.iter().filter(|folder| path.starts_with(folder));
        if let Some(folder) = around.max_by_key(|folder| folder.components().count())
            && resolve_within(disk, folder, path).is_some()
        {
            return None;
        }
        let root = Path::new("/");
        let Some(real) = resolve_within(disk, root, path) else { return Some(path.to_owned()) };
        let is_inside =
            |folder: &&Path| resolve_within(disk, root, folder).is_some_and(|folder| real.starts_with(folder));
        (!self.folders.iter().any(is_inside)).then_some(real)
    }
}

/// Where a path leads, step by step as the system goes it. `None`: out of the folder in which it begins, or in circles.
fn resolve_within(disk: &dyn Disk, from: &Path, path: &Path) -> Option<PathBuf> {
    let mut at = from.to_owned();
    let mut ahead = steps(path.strip_prefix(from).ok()?);
    let mut links = 0;
    while let Some(step) = ahead.pop() {
        if step == ".." {
            // Above the root there is the root.
            if at != Path::new("/") && (at == from || !at.pop()) {
                return None;
            }
            continue;
        }
        at.push(step);
        if let Some(target) = disk.link_target(&at) {
            links += 1;
            if links > MOST_LINKS {
                return None;
            }
            ahead.extend(steps(target.strip_prefix(from).ok()?));
            at = from.to_owned();
        }
    }
    Some(at)
}

/// Returns the steps of a way, the first one last.
fn steps(way: &Path) -> Vec<OsString> {
    let steps = way.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    steps.rev().map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, ReadError};

    /// Nothing but links.
    struct Links(&'static [(&'static str, &'static str)]);

    impl Disk for Links {
        fn read(&self, _: &Path) -> Result<Option<Vec<u8>>, ReadError> {
            Ok(None)
        }

        fn exists(&self, _: &Path) -> bool {
            false
        }

        fn list(&self, _: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
            Ok(None)
        }

        fn link_target(&self, path: &Path) -> Option<PathBuf> {
            self.0.iter().find(|(link, _)| Path::new(link) == path).map(|(_, target)| PathBuf::from(target))
        }
    }

    fn beyond(links: &'static [(&str, &str)], path: &str) -> Option<String> {
        let folders = ["/env", "/env/modules/m", "/conf"].map(Path::new);
        let beyond = Fence::around(folders.into_iter()).beyond(&Links(links), Path::new(path));
        beyond.map(|path| path.display().to_string())
    }

    #[test]
    fn what_lies_within_may_be_read() {
        for path in ["/env", "/env/a/../b", "/conf/x", "/env/../conf/x", "/env/./a//b"] {
            assert_eq!(beyond(&[], path), None, "{path}");
        }
        for (path, real) in [
            ("/etc/shadow", "/etc/shadow"),
            ("/env/../etc/shadow", "/etc/shadow"),
            ("/environment/x", "/environment/x"),
            ("/../../etc", "/etc"),
        ] {
            assert_eq!(beyond(&[], path).as_deref(), Some(real), "{path}");
        }
    }

    #[test]
    fn links_are_followed() {
        const LINKS: &[(&str, &str)] = &[
            ("/env/out", "/etc"),
            ("/env/in", "/env/data"),
            ("/env/there", "/conf"),
            ("/env/circle", "/env/circle"),
            ("/elsewhere", "/env/data"),
            ("/env/modules/m", "/srv/m"),
            ("/conf", "/srv/conf"),
        ];
        for path in ["/env/in/x", "/env/there/x", "/elsewhere/x", "/env/modules/m/x", "/srv/m/x", "/srv/conf/x"] {
            assert_eq!(beyond(LINKS, path), None, "{path}");
        }
        for (path, real) in [
            ("/env/out/shadow", "/etc/shadow"),
            ("/env/in/../out/x", "/etc/x"),
            // The parent of what a link leads to, not of the link.
            ("/env/there/../x", "/srv/x"),
            ("/env/circle/x", "/env/circle/x"),
        ] {
            assert_eq!(beyond(LINKS, path).as_deref(), Some(real), "{path}");
        }
    }
}

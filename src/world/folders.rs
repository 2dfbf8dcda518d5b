//! A table of values by path, which finds those near the path of a file event without a scan of all.

use std::ffi::OsStr;
use std::path::{Component, Path};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Touched;

/// Anything that is about a path, by the folder that the path is in. The same path can be written in several ways (`a//b`,
/// `a/./b`), and is one here.
#[derive(Debug)]
pub struct Folders<T> {
    /// The first is what is above all roots.
    all: Vec<Folder<T>>,
}

#[derive(Debug)]
struct Folder<T> {
    items: Vec<T>,
    below: FxHashMap<Box<OsStr>, usize>,
}

const TOP: usize = 0;

impl<T> Folder<T> {
    fn new() -> Folder<T> {
        Folder { items: Vec::new(), below: FxHashMap::default() }
    }
}

impl<T> Default for Folders<T> {
    fn default() -> Folders<T> {
        Folders { all: vec![Folder::new()] }
    }
}

impl<T> Folders<T> {
    pub fn add(&mut self, path: &Path, item: T) {
        let mut folder = TOP;
        let mut parts = path.components();
        parts.next_back();
        for part in parts {
            folder = self.add_folder(folder, part);
        }
        self.all[folder].items.push(item);
    }

    fn add_folder(&mut self, folder: usize, part: Component<'_>) -> usize {
        let next = self.all.len();
        let below = &mut self.all[folder].below;
        if let Some(known) = below.get(part.as_os_str()) {
            return *known;
        }
        below.insert(part.as_os_str().into(), next);
        self.all.push(Folder::new());
        next
    }

    /// Returns true if it is above the path of anything.
    pub fn holds(&self, folder: &Path) -> bool {
        self.way_to(folder).is_some()
    }

    /// Returns all that [`Touched::concerns`] can be true of, and some more: what is in the folders of the touched
    /// paths, in those above them, and below them.
    pub fn near<'f>(&'f self, touched: &Touched) -> Vec<&'f T> {
        let Some(paths) = touched.paths() else {
            return self.all.iter().flat_map(|folder| &folder.items).collect();
        };
        let (mut near, mut seen) = (Vec::new(), FxHashSet::default());
        let mut take = |folder: usize| {
            if seen.insert(folder) {
                near.extend(&self.all[folder].items);
            }
        };
        for path in paths {
            path.ancestors().skip(1).take(2).filter_map(|above| self.way_to(above)).for_each(&mut take);
            // Nothing is above a root but what holds the roots.
            if path.ancestors().nth(2).is_none() {
                take(TOP);
            }
            let mut below = Vec::from_iter(self.way_to(path));
            while let Some(folder) = below.pop() {
                take(folder);
                below.extend(self.all[folder].below.values());
            }
        }
        near
    }

    fn way_to(&self, folder: &Path) -> Option<usize> {
        folder.components().try_fold(TOP, |above, part| self.all[above].below.get(part.as_os_str()).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 9] =
        ["/", "/a", "/a/b", "/a/b/c", "/a/./b//d", "/a/bc", "/x/y", "relative/path", "/data/nodes/one.yaml"];

    fn filed() -> Folders<&'static Path> {
        let mut folders = Folders::default();
        PATHS.into_iter().map(Path::new).for_each(|path| folders.add(path, path));
        folders
    }

    #[test]
    fn whatever_is_concerned_is_near() {
        let folders = filed();
        let others = ["/q", "/a/b/c/d", "/a/b/d", "relative", "relative/path/x", "x", "", "/data", "/a/."];
        for path in PATHS.into_iter().chain(others) {
            let touched = Touched::from_paths([path.into()]);
            let near = folders.near(&touched);
            let wanted = PATHS.into_iter().map(Path::new).filter(|known| touched.concerns(known));
            for known in wanted {
                assert_eq!(near.iter().filter(|near| **near == &known).count(), 1, "{path}: {known:?}");
            }
        }
        assert_eq!(folders.near(&Touched::Everything).len(), PATHS.len());
        assert_eq!(folders.near(&Touched::nothing()), Vec::<&&Path>::new());
    }

    /// Else there would be no use in it.
    #[test]
    fn what_is_elsewhere_is_not_near() {
        let near =
            |path: &str| filed().near(&Touched::from_paths([path.into()])).into_iter().copied().collect::<Vec<_>>();
        assert_eq!(near("/data/nodes/two.yaml"), [Path::new("/data/nodes/one.yaml")]);
        assert_eq!(near("/x/z").len(), 2, "/x/y, and what is in /");
        assert_eq!(near("/a").len(), 6, "all below, and what is in /");
    }

    #[test]
    fn a_folder_is_above_something() {
        let folders = filed();
        let holds = |path: &str| folders.holds(Path::new(path));
        assert!(["/", "/a", "/a/b", "/a//b/", "/data/nodes", "relative"].into_iter().all(holds));
        assert!(!["/a/b/c", "/q", "/x/y", "relative/path", "/data/nodes/one.yaml"].into_iter().any(holds));
    }
}

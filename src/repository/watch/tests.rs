//! Events of a real folder, and what an edit comes to.
#![allow(clippy::disallowed_methods, reason = "a test sets up files")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pantin_world::{Disk, Entry, MachineDisk, ReadError, Touched};

use super::*;

fn shared(paths: &[&Path]) -> Vec<Arc<Path>> {
    paths.iter().map(|path| Arc::from(*path)).collect()
}

fn next_touched(watching: &mut FileWatcher) -> Touched {
    match watching.wait(None) {
        Waited::For(touched) => touched,
        other => panic!("{other:?}"),
    }
}

/// Waits until a path is concerned; how often is not told.
fn wait_for(watching: &mut FileWatcher, path: &Path) {
    while !next_touched(watching).concerns(path) {}
}

#[test]
fn an_edit_concerns_the_file_what_is_in_it_and_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pp");
    fs::write(&file, "1").unwrap();
    let mut watching = FileWatcher::start(None);
    let heard = watching.follow(&MachineDisk::default(), shared(&[&file]));
    assert!(heard.concerns(&file) && !heard.concerns(Path::new("/elsewhere")));
    // Who listens already has nothing to look at again.
    assert!(watching.follow(&MachineDisk::default(), shared(&[&file])).is_nothing());
    fs::write(&file, "2").unwrap();
    let touched = next_touched(&mut watching);
    assert!(touched.concerns(&file) && touched.concerns(&file.join("x")) && touched.concerns(folder.path()));
    assert!(!touched.concerns(&folder.path().join("b.pp")) && !touched.concerns(&folder.path().join("a.ppx")));
}

/// A module path with two slashes, a folder given with a dot: however a path is written, it is the same one.
#[test]
fn an_edit_concerns_each_way_to_write_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let written = ["a.pp", "/a.pp", "./a.pp"].map(|rest| format!("{}/{rest}", folder.path().display()));
    let written = written.each_ref().map(Path::new);
    fs::write(written[0], "1").unwrap();
    let mut watching = FileWatcher::start(None);
    watching.follow(&MachineDisk::default(), shared(&written));
    fs::write(written[0], "2").unwrap();
    let touched = next_touched(&mut watching);
    assert!(written.iter().all(|path| touched.concerns(path)), "{touched:?}");
}

/// Somebody looks whether anything was heard before it is known that the path matters.
#[test]
fn what_is_heard_before_its_path_is_followed_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.pp", "b.pp"].map(|name| folder.path().join(name));
    fs::write(&first, "1").unwrap();
    let mut watching = FileWatcher::start(None);
    watching.follow(&MachineDisk::default(), shared(&[&first]));
    assert!(!watching.has_pending() && watching.poll().is_none());
    fs::write(&second, "1").unwrap();
    while !watching.has_pending() {}
    assert!(watching.has_pending());
    assert!(watching.follow(&MachineDisk::default(), shared(&[&second])).is_nothing());
    assert!(watching.poll().is_some_and(|touched| touched.concerns(&second)));
    assert!(!watching.has_pending());
}

#[test]
fn what_is_not_there_is_heard_of_when_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("modules/new/manifests/init.pp");
    let mut watching = FileWatcher::start(None);
    watching.follow(&MachineDisk::default(), shared(&[&file]));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    wait_for(&mut watching, &file);
    // The new folders have to be looked at again: what is in them may have come before anybody listened.
    assert!(watching.follow(&MachineDisk::default(), shared(&[&file])).concerns(&file));
    fs::write(&file, "class new {}").unwrap();
    wait_for(&mut watching, &file);
}

#[test]
fn a_folder_that_comes_back_is_watched_again() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    let file = inner.join("a.pp");
    fs::create_dir(&inner).unwrap();
    fs::write(&file, "1").unwrap();
    let mut watching = FileWatcher::start(None);
    watching.follow(&MachineDisk::default(), shared(&[&file, folder.path()]));
    fs::remove_dir_all(&inner).unwrap();
    wait_for(&mut watching, &file);
    watching.follow(&MachineDisk::default(), Vec::new());
    fs::create_dir(&inner).unwrap();
    wait_for(&mut watching, &file);
    watching.follow(&MachineDisk::default(), Vec::new());
    fs::write(&file, "2").unwrap();
    wait_for(&mut watching, &file);
}

/// A disk that somebody else uses too: whether there is a folder is told by a function, from what the real disk says.
struct SharedDisk<F>(MachineDisk, F);

impl<F: Fn(&Path, bool) -> bool + Send + Sync> Disk for SharedDisk<F> {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        self.0.read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.exists(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.1(path, self.0.is_folder(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        self.0.list(folder)
    }
}

#[test]
fn a_folder_that_goes_before_it_is_watched_is_heard_of_when_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    let file = inner.join("a.pp");
    let mut watching = FileWatcher::start(None);
    // It went a moment ago.
    let disk = SharedDisk(MachineDisk::default(), |path: &Path, is_there| is_there || path == inner);
    let touched = watching.follow(&disk, shared(&[&file]));
    assert!(touched.concerns(&file), "{touched:?}");
    assert!(watching.follow(&MachineDisk::default(), Vec::new()).concerns(&file));
    fs::create_dir(&inner).unwrap();
    wait_for(&mut watching, &file);
}

#[test]
fn a_folder_that_is_made_before_the_one_above_it_is_watched_is_watched_too() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    let file = inner.join("a.pp");
    let mut watching = FileWatcher::start(None);
    // It is made as soon as it is known that there is none.
    let disk = SharedDisk(MachineDisk::default(), |path: &Path, is_there: bool| {
        if path == inner && !is_there {
            fs::create_dir(path).unwrap();
        }
        is_there
    });
    watching.follow(&disk, shared(&[&file]));
    fs::write(&file, "1").unwrap();
    assert!(matches!(watching.wait(Some(Duration::from_secs(20))), Waited::For(touched) if touched.concerns(&file)));
}

/// A folder is followed itself where somebody lists it.
#[test]
fn a_followed_folder_that_is_made_before_the_one_above_it_is_watched_is_watched_too() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    let mut watching = FileWatcher::start(None);
    let disk = SharedDisk(MachineDisk::default(), |path: &Path, is_there: bool| {
        if path == inner && !is_there {
            let _ = fs::create_dir(path);
        }
        is_there
    });
    watching.follow(&disk, shared(&[&inner]));
    fs::write(inner.join("a.yaml"), "1").unwrap();
    assert!(matches!(watching.wait(Some(Duration::from_secs(20))), Waited::For(touched) if touched.concerns(&inner)));
}

/// Of the folder above a repository, and of where something is missing, all is heard: others work there.
#[test]
fn what_others_do_in_a_folder_is_not_waited_for() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("a.pp"), folder.path().join("other"));
    let mut watching = FileWatcher::start(None);
    watching.follow(&MachineDisk::default(), shared(&[&file]));
    let (is_over, has_begun) = (AtomicBool::new(false), AtomicBool::new(false));
    let touched = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                fs::write(&other, "1").unwrap();
                has_begun.store(true, Ordering::Relaxed);
            }
        });
        while !has_begun.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        fs::write(&file, "1").unwrap();
        let touched = next_touched(&mut watching);
        is_over.store(true, Ordering::Relaxed);
        touched
    });
    assert!(touched.concerns(&file) && !touched.concerns(&other), "{touched:?}");
}

#[cfg(unix)]
#[test]
fn what_is_behind_a_link_that_comes_is_heard_of() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = folder.path().join("new/a.pp");
    let mut watching = FileWatcher::start(None);
    watching.follow(&MachineDisk::default(), shared(&[&file]));
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("new")).unwrap();
    wait_for(&mut watching, &file);
    assert!(watching.follow(&MachineDisk::default(), shared(&[&file])).concerns(&file));
    fs::write(elsewhere.path().join("a.pp"), "1").unwrap();
    wait_for(&mut watching, &file);
}

#[test]
fn polling_looks_at_everything() {
    let mut watching = FileWatcher::start(Some(Duration::from_millis(1)));
    assert!(watching.follow(&MachineDisk::default(), shared(&[Path::new("/")])).is_nothing());
    assert_eq!(watching.wait(None), Waited::For(Touched::Everything));
    assert_eq!(watching.complaint(), None);
}

#[test]
fn who_is_in_the_middle_of_it_is_waited_for() {
    use std::cell::Cell;
    for polling in [None, Some(Duration::from_millis(1))] {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a.pp"), folder.path().join("b.pp"));
        let mut watching = FileWatcher::start(polling);
        watching.follow(&MachineDisk::default(), shared(&[&first, &second]));
        fs::write(&first, "1").unwrap();
        let asked = Cell::new(0);
        let is_busy = || {
            asked.set(asked.get() + 1);
            if asked.get() == 3 {
                fs::write(&second, "1").unwrap();
            }
            asked.get() < 5
        };
        let mut touched = next_touched(&mut watching);
        watching.let_finish(&MachineDisk::default(), &is_busy, &mut touched);
        assert!(touched.concerns(&first) && touched.concerns(&second) && asked.get() == 5);
        watching.let_finish(&MachineDisk::default(), &|| false, &mut touched);
    }
}

//! The tracked disk records what is read, and notices what changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::U32Deserializer;

use super::*;
use crate::{CheckedDependencies, Touched, list_folder};

/// Files that change while one looks.
#[derive(Default)]
struct Changing {
    files: Mutex<Vec<(PathBuf, &'static str)>>,
    asked: Mutex<usize>,
}

impl Changing {
    fn put(&self, path: &str, content: &'static str) {
        let mut files = self.files.lock().unwrap();
        files.retain(|(known, _)| known != Path::new(path));
        files.push((path.into(), content));
    }
}

impl Disk for Changing {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        *self.asked.lock().unwrap() += 1;
        let files = self.files.lock().unwrap();
        Ok(files.iter().find(|(known, _)| known == path).map(|(_, content)| content.as_bytes().to_vec()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.lock().unwrap().iter().any(|(known, _)| known.starts_with(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_folder(self.files.lock().unwrap().iter().map(|(path, _)| path.as_path()), folder))
    }
}

fn disk(files: &[(&str, &'static str)]) -> (Arc<Changing>, TrackedDisk) {
    let disk = Arc::new(Changing::default());
    files.iter().for_each(|(path, content)| disk.put(path, content));
    (Arc::clone(&disk), TrackedDisk::from(disk))
}

fn text(disk: &TrackedDisk, path: &str) -> Option<String> {
    disk.read(Path::new(path)).unwrap().map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_question_is_put_to_the_disk_once() {
    let (real, disk) = disk(&[("/a", "one")]);
    assert_eq!(text(&disk, "/a").as_deref(), Some("one"));
    real.put("/a", "two");
    assert_eq!(text(&disk, "/a").as_deref(), Some("one"));
    assert_eq!(text(&disk.with_own_reads(), "/a").as_deref(), Some("one"));
    assert_eq!(*real.asked.lock().unwrap(), 1);
}

#[test]
fn who_notes_apart_rests_on_their_own_questions() {
    let (_, disk) = disk(&[("/a", "one"), ("/b", "two")]);
    let mine = disk.with_own_reads();
    text(&disk, "/a");
    text(&mine, "/b");
    let asked = |disk: &TrackedDisk| -> Vec<String> {
        let leaf = |(id, _): &(LeafId, _)| disk.leaves().leaf(*id).unwrap().path.display().to_string();
        disk.dependencies().iter().map(leaf).collect()
    };
    assert_eq!(asked(&disk), ["/a"]);
    assert_eq!(asked(&mine), ["/b"]);
    assert!(disk.uses(&CheckedDependencies::new(mine.dependencies())));
    assert_eq!(asked(&disk), ["/a", "/b"]);
}

#[test]
fn what_changed_is_found_and_what_rests_on_it_no_longer_holds() {
    let (real, disk) = disk(&[("/a", "one"), ("/b/c", "two")]);
    let (content, absent, list) = (disk.with_own_reads(), disk.with_own_reads(), disk.with_own_reads());
    text(&content, "/a");
    assert!(!absent.exists(Path::new("/b/d")));
    assert_eq!(list.list(Path::new("/b")).unwrap().unwrap().len(), 1);
    let dependencies = [content.dependencies(), absent.dependencies(), list.dependencies()];
    let holds = || dependencies.each_ref().map(|dependencies| disk.leaves().hold(dependencies));

    let footing = CheckedDependencies::new(dependencies[1].clone());
    assert_eq!(disk.leaves().refresh(&Touched::Everything), []);
    assert_eq!(holds(), [true, true, true]);
    assert!(disk.uses(&footing) && disk.uses(&footing));

    real.put("/b/d", "three");
    assert_eq!(disk.leaves().refresh(&Touched::from_paths(["/a".into()])), []);
    assert_eq!(disk.leaves().refresh(&Touched::Everything).len(), 2);
    assert_eq!(holds(), [true, false, false]);
    assert!(!disk.uses(&footing) && !disk.uses(&CheckedDependencies::new(dependencies[1].clone())));

    real.put("/a", "other");
    disk.leaves().refresh(&Touched::Everything);
    assert_eq!(holds(), [false, false, false]);
    real.put("/a", "one");
    disk.leaves().refresh(&Touched::Everything);
    assert_eq!(holds(), [true, false, false]);
}

#[test]
fn what_a_missing_folder_would_hold_is_not_asked_for() {
    let (real, disk) = disk(&[("/m/a.pp", "one")]);
    assert_eq!(text(&disk, "/m/lib/puppet/x.rb"), None);
    assert_eq!(text(&disk, "/m/lib/puppet/type/y.rb"), None);
    assert!(!disk.exists(Path::new("/m/lib/z")));
    assert_eq!(*real.asked.lock().unwrap(), 1);
    // What lies beside it is.
    assert_eq!(text(&disk, "/m/b.pp"), None);
    assert_eq!(*real.asked.lock().unwrap(), 2);
}

#[test]
fn a_missing_folder_that_comes_is_seen_when_the_disk_is_looked_at_again() {
    let (real, disk) = disk(&[("/m/a.pp", "one")]);
    assert_eq!(text(&disk, "/m/lib/x.rb"), None);
    real.put("/m/lib/x.rb", "two");
    real.put("/m/lib/y.rb", "three");
    assert_eq!(disk.leaves().refresh(&Touched::from_paths(["/m/lib".into()])).len(), 1);
    assert_eq!(text(&disk, "/m/lib/x.rb").as_deref(), Some("two"));
    assert_eq!(text(&disk, "/m/lib/y.rb").as_deref(), Some("three"));
}

/// Of a file that is read once the digest alone is kept: it is read again where it is asked for, and is never something
/// else than what others were told.
#[test]
fn what_was_let_go_is_read_again() {
    let real = Arc::new(Changing::default());
    let put = |content| real.put("/a", content);
    put("one");
    let leaves = Arc::new(Leaves::new(Arc::clone(&real) as Arc<dyn Disk>).letting_go());
    let disk = TrackedDisk::new(Arc::clone(&leaves));
    let once = |disk: &TrackedDisk| disk.read_once(Path::new("/a"));
    assert_eq!(once(&disk).unwrap().unwrap(), b"one");
    let dependencies = disk.dependencies();
    assert_eq!(leaves.text(dependencies[0].0), None);
    assert_eq!(text(&disk.with_own_reads(), "/a").as_deref(), Some("one"));
    assert!(leaves.refresh(&Touched::Everything).is_empty());

    put("two");
    assert_eq!(once(&disk).unwrap_err().to_string(), "it was edited while it was read");
    assert_eq!(disk.dependencies(), dependencies);
    put("one");
    assert_eq!(once(&disk).unwrap().unwrap(), b"one");
    put("two");
    let changed = leaves.refresh(&Touched::Everything);
    assert_eq!(changed.iter().map(|one| (one.id, one.before.clone())).collect::<Vec<_>>(), [(dependencies[0].0, None)]);
    assert_eq!(once(&disk).unwrap().unwrap(), b"two");
    assert_eq!(leaves.text(dependencies[0].0), None);
}

#[test]
fn what_is_read_once_is_kept_where_nothing_is_let_go() {
    let (real, disk) = disk(&[("/a", "one")]);
    assert_eq!(disk.read_once(Path::new("/a")).unwrap().unwrap(), b"one");
    real.put("/a", "two");
    assert_eq!(text(&disk, "/a").as_deref(), Some("one"));
}

/// What goes through `LeafKind::ALL` (digests of what is not there, the tests of stamps) misses no kind.
#[test]
fn all_kinds_of_leaf_are_listed() {
    let variant = |index: u32| {
        let index: U32Deserializer<serde::de::value::Error> = index.into_deserializer();
        LeafKind::deserialize(index).ok()
    };
    let declared: Vec<LeafKind> = (0..).map_while(variant).collect();
    assert_eq!(declared, LeafKind::ALL);
}

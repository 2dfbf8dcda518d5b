//! What is put is what is got, in this store and the next; what others put is
//! not.

use crate::support::*;
use pantin_cache::{Key, PutOutcome, Store, StoreOptions};
use std::fs;

#[test]
fn an_answer_comes_back_in_this_store_and_the_next() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    assert_eq!(store.get(&key(1)), None);
    for value in [text(50), noise(1, 5000), vec![], vec![0]] {
        assert_eq!(store.put(&key(1), &value), PutOutcome::Written);
        assert_eq!(store.get(&key(1)), Some(value.clone()));
        assert_eq!(sandbox.store().get(&key(1)), Some(value));
    }
    let counts = store.counts();
    assert_eq!((counts.hits, counts.misses, counts.written), (4, 1, 4));
    assert!(counts.bytes_written > 0 && counts.bytes_read == counts.bytes_written);
    assert_eq!(store.trouble(), None);
}

#[test]
fn a_blob_lies_under_the_hash_of_its_content_and_is_written_once() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    for content in [text(500), noise(2, 100_000), vec![]] {
        let address = store.put_blob(&content);
        assert_eq!(address, Key::of(&content));
        assert_eq!(store.put_blob(&content), address);
        assert_eq!(sandbox.store().get_blob(&address), Some(content));
    }
    let counts = store.counts();
    assert_eq!((counts.written, counts.unchanged), (3, 3));
}

#[test]
fn a_bundle_gathers_what_several_merges_name() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    assert!(store.get_bundle(&key(1)).is_none());
    store.merge_bundle(&key(1), [named("a", "1"), named("b", "2")]);
    sandbox.store().merge_bundle(&key(1), [named("c", "3"), named("a", "4")]);
    let same = store.merge_bundle(&key(1), [named("b", "2")]);
    assert_eq!(same, PutOutcome::Unchanged);
    let bundle = store.get_bundle(&key(1)).unwrap();
    let expected = [named("a", "4"), named("b", "2"), named("c", "3")];
    assert!(bundle.iter().eq(expected.iter().map(|(name, value)| (&name[..], &value[..]))));
    let counts = store.counts();
    assert_eq!((counts.hits, counts.misses, counts.unchanged), (1, 1, 1));
}

#[test]
fn an_update_sees_what_is_there() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    for expected in 0..5 {
        store.update_bundle(&key(1), |bundle| {
            assert_eq!(bundle.len(), expected);
            vec![named(&expected.to_string(), "")]
        });
    }
    assert_eq!(store.get_bundle(&key(1)).unwrap().len(), 5);
}

#[test]
fn one_key_of_three_kinds_is_three_entries() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    let blob = text(3);
    let shared = store.put_blob(&blob);
    store.put(&shared, b"answer");
    store.merge_bundle(&shared, [named("bundle", "")]);
    assert_eq!(store.get(&shared).as_deref(), Some(&b"answer"[..]));
    assert_eq!(store.get_blob(&shared), Some(blob));
    assert_eq!(store.get_bundle(&shared).unwrap().len(), 1);
    assert_eq!(store.counts().damaged, 0);
}

#[test]
fn another_build_or_format_reads_nothing() {
    let sandbox = Sandbox::new();
    let mine = sandbox.store();
    mine.put(&key(1), b"mine");
    for (format, build) in [(2, Key::of(b"a build")), (1, Key::of(b"another build"))] {
        let other = Store::open(StoreOptions::new(sandbox.root(), format, build));
        assert_ne!(other.version_folder(), mine.version_folder());
        assert_eq!(other.get(&key(1)), None);
        other.put(&key(1), b"theirs");
    }
    assert_eq!(mine.get(&key(1)).as_deref(), Some(&b"mine"[..]));
}

#[test]
fn that_another_build_has_a_bundle_can_be_told() {
    let sandbox = Sandbox::new();
    let mine = sandbox.store();
    let other = Store::open(StoreOptions::new(sandbox.root(), 1, Key::of(b"another build")));
    assert!(!mine.is_in_another_version(&key(1)));
    mine.merge_bundle(&key(1), [(b"name".to_vec(), b"mine".to_vec())]);
    assert!(!mine.is_in_another_version(&key(1)) && other.is_in_another_version(&key(1)));
    assert!(!other.is_in_another_version(&key(2)));
    // An answer is no bundle.
    other.put(&key(3), b"theirs");
    assert!(!mine.is_in_another_version(&key(3)));
}

#[test]
fn builds_that_share_the_folder_name_still_read_nothing_of_each_other() {
    let sandbox = Sandbox::new();
    let mine = sandbox.store();
    mine.put(&key(1), b"mine");
    // The folder's name has the first 8 bytes of the identity alone.
    let mut identity = *Key::of(b"a build").as_bytes();
    identity[31] ^= 1;
    let options = StoreOptions::new(sandbox.root(), 1, Key::from_bytes(identity));
    let other = Store::open(options);
    assert_eq!(other.version_folder(), mine.version_folder());
    assert_eq!(other.get(&key(1)), None);
}

#[test]
fn the_layout_is_as_documented() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    let build = Key::of(b"a build").to_hex();
    let version = sandbox.root().join(format!("v1-{}", &build[..16]));
    let digits = key(1).to_hex();
    let entry = version.join(&digits[..2]).join(format!("{digits}.answer"));
    let mut expected = [sandbox.root().join("CACHEDIR.TAG"), version.join("last-opened"), entry];
    expected.sort();
    assert_eq!(files_under(&sandbox.root()), expected);
    let tag = fs::read_to_string(sandbox.root().join("CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55"));
}

#[cfg(unix)]
#[test]
fn the_folders_are_the_users_own() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    let entry = answer_path(&store, &key(1));
    for folder in [store.path(), store.version_folder(), entry.parent().unwrap()] {
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", folder.display());
    }
}

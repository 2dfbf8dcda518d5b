//! Several processes at once, killed processes, a full disk, a folder without
//! permission: each child is this test binary again, running [`child`].

use crate::support::*;
use pantin_cache::{PutOutcome, Store};
use std::env;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

const ROLE: &str = "CACHE_TEST_ROLE";
const ROOT: &str = "CACHE_TEST_ROOT";
const NUMBER: &str = "CACHE_TEST_NUMBER";
const ROUNDS: u64 = 40;
/// Values the processes write over and over.
const VALUES: u64 = 30;

fn command(program: &Path, role: &str, root: &Path, number: u64) -> Command {
    let mut command = Command::new(program);
    command
        .args(["--exact", "processes::child", "--ignored", "--nocapture"])
        .env(ROLE, role)
        .env(ROOT, root)
        .env(NUMBER, number.to_string())
        .stdout(std::process::Stdio::null());
    command
}

fn start(role: &str, root: &Path, number: u64) -> Child {
    let program = env::current_exe().unwrap();
    command(&program, role, root, number).spawn().unwrap()
}

#[test]
#[ignore = "the body of the processes that the other tests start"]
fn child() {
    let (Ok(role), Ok(root), Ok(number)) = (env::var(ROLE), env::var(ROOT), env::var(NUMBER))
    else {
        return;
    };
    let number: u64 = number.parse().unwrap();
    let mut options = options_at(root.as_ref());
    options.lock_patience = Duration::from_secs(60);
    let store = Store::open(options);
    match role.as_str() {
        "merge" => {
            for round in 0..ROUNDS {
                store.merge_bundle(&key(1), [named(&format!("{number}-{round}"), "x")]);
            }
        }
        "write" => {
            for round in 0..10 {
                work(&store, number + round);
            }
            assert_eq!((store.counts().damaged, store.counts().lost), (0, 0));
        }
        "write for ever" => {
            for round in 0.. {
                work(&store, number + round);
            }
        }
        "full disk" => full_disk(&store),
        "forbidden" => forbidden(&store),
        role => panic!("{role}"),
    }
}

fn value(number: u64) -> Vec<u8> {
    // Every other value is compressed.
    if number.is_multiple_of(2) {
        noise(number, 3000)
    } else {
        text(40)
    }
}

/// Writes every value and reads every other, in an order of its own.
fn work(store: &Store, salt: u64) {
    for step in 0..VALUES {
        let number = (step * 7 + salt * 11) % VALUES;
        store.put(&key(number), &value(number));
        let address = store.put_blob(&value(number));
        store.merge_bundle(&key(number), [named("number", &number.to_string())]);
        let other = (number + salt) % VALUES;
        assert!(
            store
                .get(&key(other))
                .is_none_or(|found| found == value(other))
        );
        assert!(
            store
                .get_blob(&address)
                .is_none_or(|found| found == value(number))
        );
    }
}

fn must_hold_only_truth(store: &Store) {
    for number in 0..VALUES {
        assert!(
            store
                .get(&key(number))
                .is_none_or(|found| found == value(number))
        );
        if let Some(bundle) = store.get_bundle(&key(number)) {
            assert_eq!(bundle.get("number"), Some(number.to_string().as_bytes()));
        }
    }
}

#[test]
fn merges_by_many_processes_lose_no_name() {
    let sandbox = Sandbox::new();
    let children: Vec<Child> = (0..4)
        .map(|number| start("merge", &sandbox.root(), number))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let bundle = sandbox.store().get_bundle(&key(1)).unwrap();
    assert_eq!(bundle.len() as u64, 4 * ROUNDS);
}

#[test]
fn processes_that_write_the_same_never_see_damage() {
    let sandbox = Sandbox::new();
    let children: Vec<Child> = (0..3)
        .map(|number| start("write", &sandbox.root(), number))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = sandbox.store();
    must_hold_only_truth(&store);
    assert_eq!(store.counts().hits, 2 * VALUES);
    assert_eq!(temporaries_under(&sandbox.root()), 0);
    assert_eq!(store.verify().damaged, 0);
}

#[test]
fn killed_at_any_point_leaves_no_damage_and_no_lock() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    for round in 0..40 {
        let mut children =
            [1, 2].map(|number| start("write for ever", &sandbox.root(), round + number));
        thread::sleep(Duration::from_millis(5 + round * 7 % 40));
        for child in &mut children {
            // SIGKILL: nothing of the child runs after it.
            child.kill().unwrap();
            child.wait().unwrap();
        }
        must_hold_only_truth(&store);
        let outcome = store.merge_bundle(&key(99), [named(&round.to_string(), "x")]);
        assert_eq!(outcome, PutOutcome::Written);
    }
    // No power was cut: what was renamed is whole.
    assert_eq!(store.counts().damaged, 0);
    assert_eq!(store.verify().damaged, 0);
    assert!(store.counts().hits > 0);
}

/// A limit on the size of a file makes a write fail half way, as a full disk
/// does.
#[cfg(unix)]
#[test]
fn a_write_that_fails_half_way_is_lost_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let program = env::current_exe().unwrap();
    let inner = command(&program, "full disk", &sandbox.root(), 0);
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(script)
        .arg(&program)
        .args(inner.get_args());
    shell.stdout(std::process::Stdio::null());
    for (name, value) in inner.get_envs() {
        shell.env(name, value.unwrap());
    }
    assert!(shell.status().unwrap().success());
    let store = sandbox.store();
    assert_eq!(store.get(&key(1)).as_deref(), Some(&b"small"[..]));
    assert_eq!(store.get(&key(2)), None);
    assert_eq!(temporaries_under(&sandbox.root()), 0);
}

fn full_disk(store: &Store) {
    let large = noise(1, 100_000);
    assert_eq!(store.put(&key(1), b"small"), PutOutcome::Written);
    assert_eq!(store.put(&key(2), &large), PutOutcome::Lost);
    let address = store.put_blob(&large);
    assert_eq!(store.get_blob(&address), None);
    let merged = store.merge_bundle(&key(3), [(b"a".to_vec(), large)]);
    assert_eq!(merged, PutOutcome::Lost);
    assert_eq!((store.counts().written, store.counts().lost), (1, 3));
    assert!(store.trouble().is_some());
}

/// As another user where this one may do everything.
#[cfg(unix)]
#[test]
fn a_folder_that_may_be_read_but_not_written() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    store.put(&key(1), b"answer");
    store.put(&key(2), b"damaged");
    let damaged = answer_path(&store, &key(2));
    fs::write(&damaged, b"damaged").unwrap();
    age(&answer_path(&store, &key(1)), Duration::from_hours(50));

    let set_modes = |folder_mode: u32| {
        for file in files_under(sandbox.folder.path()) {
            for folder in file.ancestors().skip(1) {
                if folder.starts_with(sandbox.folder.path()) {
                    fs::set_permissions(folder, fs::Permissions::from_mode(folder_mode)).unwrap();
                }
            }
        }
    };
    set_modes(0o555);
    let everything_is_allowed = fs::write(store.version_folder().join("probe"), b"").is_ok();
    let program = env::current_exe().unwrap();
    // Another user may not reach the folder of the build.
    let copy = sandbox.folder.path().join("program");
    let mut child = if everything_is_allowed {
        // By another process: a file that this one has open for writing, if
        // only in a child that a test beside this starts, cannot be run.
        let copied = Command::new("cp")
            .arg(&program)
            .arg(&copy)
            .status()
            .unwrap();
        assert!(copied.success());
        let mut child = command(&copy, "forbidden", &sandbox.root(), 0);
        child.uid(NOBODY).gid(NOBODY).current_dir("/");
        child
    } else {
        command(&program, "forbidden", &sandbox.root(), 0)
    };
    let status = child.status().unwrap();
    set_modes(0o755);
    assert!(status.success());
    assert!(damaged.exists());
}

fn forbidden(store: &Store) {
    assert_eq!(store.get(&key(1)).as_deref(), Some(&b"answer"[..]));
    assert_eq!(store.get(&key(2)), None);
    assert_eq!(store.put(&key(3), b"x"), PutOutcome::Lost);
    let merged = store.merge_bundle(&key(3), [named("a", "1")]);
    assert_eq!(merged, PutOutcome::Lost);
    assert_eq!(store.clean().entries_evicted, 0);
    assert_eq!(store.clear().versions_removed, 0);
    let counts = store.counts();
    assert_eq!(
        (counts.hits, counts.misses, counts.damaged, counts.lost),
        (1, 1, 1, 2)
    );
    assert!(store.trouble().is_some());
}

//! What stands on a machine differently from its base, a line for each path.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

use pantin::base::hex::hex;

use crate::{log_text, package_text};

/// Contents that are longer are shown by their digest.
const LONGEST_TEXT: usize = 400;

/// Contents with a header that says when they were written.
const LONGEST_WITH_HEADER: usize = 2000;

/// Files of accounts, of which only the lines are shown that are not those of the base.
const ACCOUNTS: [&str; 4] = ["/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow"];

/// What the programs keep for themselves, and what the harness put there.
const LEFT_OUT: [&str; 21] = [
    "/case",
    "/proc",
    "/sys",
    "/dev",
    "/opt",
    "/run",
    "/var/lib/puppet",
    "/var/lib/pantin",
    "/var/cache",
    "/var/log",
    "/var/run",
    "/etc/puppet",
    "/etc/puppetlabs",
    "/usr/local/bin/pantin",
    "/etc/ld.so.cache",
    // What is known of packages has lines of its own.
    "/var/lib/dpkg",
    "/var/lib/apt",
    "/var/lib/systemd",
    "/var/tmp",
    "/tmp",
    crate::machine::MARKER,
];

const LEFT_OUT_BEGINNINGS: [&str; 14] = [
    "/root/.puppet",
    "/root/.cache",
    "/root/.local",
    "/root/.pantin",
    "/tmp/puppet",
    "/etc/.pwd.lock",
    "/etc/hostname",
    "/etc/resolv.conf",
    "/etc/passwd-",
    "/etc/group-",
    "/etc/shadow-",
    "/etc/gshadow-",
    "/etc/subuid-",
    "/etc/subgid-",
];

/// By path: a line that says what stands there; nothing where something of the base is gone.
pub(crate) type Tree = BTreeMap<String, Option<String>>;

/// Reads what a machine has that its base has not. `upper` shows where to look, `merged` what stands there.
pub(crate) fn read(base: &Path, upper: &Path, merged: &Path) -> Tree {
    let mut tree = Tree::new();
    walk(base, upper, merged, "", &mut tree);
    let in_base = package_text::read(base);
    let packages = package_text::read(merged).into_iter().filter(|(name, state)| in_base.get(name) != Some(state));
    tree.extend(packages.map(|(name, state)| (name, Some(state))));
    tree
}

fn walk(base: &Path, upper: &Path, merged: &Path, folder: &str, tree: &mut Tree) {
    let below = |root: &Path, path: &str| root.join(path.trim_start_matches('/'));
    for name in names(&below(base, folder)) {
        let path = format!("{folder}/{name}");
        if fs::symlink_metadata(below(merged, &path)).is_err() && !is_left_out(&path) {
            tree.insert(path, None);
        }
    }
    for name in names(&below(upper, folder)) {
        let path = format!("{folder}/{name}");
        let Ok(about) = fs::symlink_metadata(below(merged, &path)) else { continue };
        if is_left_out(&path) {
            continue;
        }
        let entry = match ACCOUNTS.contains(&path.as_str()) {
            true => describe_accounts(&below(base, &path), &below(merged, &path)),
            false => describe(&below(merged, &path), &path),
        };
        if fs::symlink_metadata(below(base, &path)).is_err() || describe(&below(base, &path), &path) != entry {
            tree.insert(path.clone(), Some(entry));
        }
        if about.is_dir() {
            walk(base, upper, merged, &path, tree);
        }
    }
}

fn is_left_out(path: &str) -> bool {
    let is_below = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    LEFT_OUT.iter().any(|root| is_below(root)) || LEFT_OUT_BEGINNINGS.iter().any(|start| path.starts_with(start))
}

fn names(folder: &Path) -> Vec<String> {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|about| about.is_dir());
    let entries = is_folder.then(|| fs::read_dir(folder).ok()).flatten();
    let mut names: Vec<String> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

/// Returns kind, mode, owner, and target or content.
fn describe(full: &Path, path: &str) -> String {
    let about = fs::symlink_metadata(full).unwrap();
    let mode = about.permissions().mode() & 0o7777;
    let owner = format!("{}:{}", about.uid(), about.gid());
    let kind = about.file_type();
    if kind.is_symlink() {
        return format!("link {owner} -> {}", fs::read_link(full).unwrap().display());
    }
    if kind.is_dir() {
        return format!("folder {mode:04o} {owner}");
    }
    if kind.is_file() {
        let links = if about.nlink() > 1 { format!(" links={}", about.nlink()) } else { String::new() };
        return format!("file {mode:04o} {owner}{links} {}", content(path, &fs::read(full).unwrap()));
    }
    let what = if kind.is_fifo() { "pipe" } else { "special" };
    format!("{what} {mode:04o} {owner}")
}

/// Returns mode, owner, and the lines that the base has not, or has alone. The day of a password is left out.
fn describe_accounts(base: &Path, merged: &Path) -> String {
    let about = fs::symlink_metadata(merged).unwrap();
    let (mode, uid, gid) = (about.permissions().mode() & 0o7777, about.uid(), about.gid());
    let [old, new] = [base, merged].map(|path| fs::read_to_string(path).unwrap_or_default());
    let is_day = |field: &&str| field.len() == 5 && field.bytes().all(|byte| byte.is_ascii_digit());
    let line = |line: &str| {
        let mut fields: Vec<&str> = line.split(':').collect();
        if fields.len() == 9 && fields.get(2).is_some_and(is_day) {
            fields[2] = "DAY";
        }
        fields.join(":")
    };
    let only = |sign: &str, these: &str, others: &str| {
        let gone = these.lines().filter(|one| !others.lines().any(|other| *one == other));
        gone.map(|one| format!("{sign}{}", line(one))).collect::<Vec<_>>()
    };
    let lines = [only("-", &old, &new), only("+", &new, &old)].concat();
    format!("file {mode:04o} {uid}:{gid} {}", lines.join(" "))
}

fn content(path: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains("# HEADER") && text.len() <= LONGEST_WITH_HEADER => {
            format!("{:?}", log_text::normalised(text))
        }
        Ok(text) if text.len() <= LONGEST_TEXT => {
            let has_times = path.starts_with("/work") && text.contains("20");
            let text = if has_times { log_text::normalised(text) } else { text.to_owned() };
            format!("{text:?}")
        }
        _ => {
            use sha2::Digest as _;
            format!("sha256 {}", hex::<String>(&sha2::Sha256::digest(bytes)[..]))
        }
    }
}

/// Returns a line for each path that stands differently in the second tree.
pub(crate) fn changes(old: &Tree, new: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    let paths: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths {
        let (was, is) = (old.get(path), new.get(path));
        if was == is {
            continue;
        }
        lines.push(match (was, is) {
            (_, Some(None)) | (Some(Some(_)), None) => format!("- {path}"),
            (Some(Some(_)), Some(Some(entry))) => format!("* {path} {entry}"),
            (None | Some(None), Some(Some(entry))) => format!("+ {path} {entry}"),
            (Some(None), None) | (None, None) => format!("+ {path} as in the base"),
        });
    }
    lines
}

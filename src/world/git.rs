//! What the files of git say of a repository: its branches, and whether git is at work in it.

use std::path::{Path, PathBuf};

use super::{Disk, clean_path};

/// Deeper names are not looked for among loose references.
const DEEPEST: usize = 3;

/// The names of the branches of the repository that a folder is in or below, local ones and those of remotes, each once.
/// What cannot be read is left out.
pub fn git_branches(disk: &dyn Disk, folder: &Path) -> Vec<String> {
    let Some(git) = git_folder(disk, folder) else { return Vec::new() };
    let mut names = Vec::new();
    if let Some(head) =
        text(disk, &git.join("HEAD")).as_deref().and_then(|head| head.trim().strip_prefix("ref: refs/heads/"))
    {
        names.push(head.to_owned());
    }
    let shared = shared_folder(disk, &git);
    loose_names(disk, &shared.join("refs/heads"), "", DEEPEST, &mut names);
    let mut of_remotes = Vec::new();
    loose_names(disk, &shared.join("refs/remotes"), "", DEEPEST + 1, &mut of_remotes);
    for line in text(disk, &shared.join("packed-refs")).unwrap_or_default().lines() {
        let Some((_, name)) = line.split_once(' ') else { continue };
        if let Some(name) = name.strip_prefix("refs/heads/") {
            names.push(name.to_owned());
        } else if let Some(name) = name.strip_prefix("refs/remotes/") {
            of_remotes.push(name.to_owned());
        }
    }
    names.extend(of_remotes.iter().filter_map(|name| Some(name.split_once('/')?.1.to_owned())));
    names.retain(|name| name != "HEAD");
    names.sort();
    names.dedup();
    names
}

/// The file with which git says that it is changing the working copy that a folder is in or below, if it is one.
pub fn lock_of_git(disk: &dyn Disk, folder: &Path) -> Option<PathBuf> {
    Some(git_folder(disk, folder)?.join("index.lock"))
}

/// Returns the top folder of the working copy that a folder is in or below.
pub fn git_top(disk: &dyn Disk, folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| disk.exists(&folder.join(".git"))).map(Path::to_owned)
}

/// The commit that is checked out in the working copy that a folder is in or below.
pub fn git_revision(disk: &dyn Disk, folder: &Path) -> Option<String> {
    let git = git_folder(disk, folder)?;
    let head = text(disk, &git.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    let shared = shared_folder(disk, &git);
    if let Some(revision) = text(disk, &shared.join(name)) {
        return Some(revision.trim().to_owned());
    }
    let packed = text(disk, &shared.join("packed-refs"))?;
    let packed = packed.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' '));
    packed.map(str::to_owned)
}

/// The folder in which git keeps what is of the working copy around a folder.
fn git_folder(disk: &dyn Disk, folder: &Path) -> Option<PathBuf> {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| disk.exists(git))?;
    if disk.is_folder(&git) {
        return Some(git);
    }
    // Of a further working copy it is a file that names the folder.
    let named = text(disk, &git)?;
    let named = named.lines().find_map(|line| line.strip_prefix("gitdir:"))?.trim();
    Some(clean_path(&git.parent()?.join(named)).into_owned())
}

/// Returns the folder of the references, which working copies of one repository share.
fn shared_folder(disk: &dyn Disk, git: &Path) -> PathBuf {
    match text(disk, &git.join("commondir")) {
        Some(named) => clean_path(&git.join(named.trim())).into_owned(),
        None => git.to_owned(),
    }
}

fn loose_names(disk: &dyn Disk, folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    for entry in disk.list(folder).ok().flatten().unwrap_or_default() {
        let name = format!("{prefix}{}", entry.name.to_string_lossy());
        match entry.is_folder {
            true if depth > 1 => {
                loose_names(disk, &folder.join(&entry.name), &format!("{name}/"), depth - 1, names);
            }
            true => {}
            false => names.push(name),
        }
    }
}

fn text(disk: &dyn Disk, path: &Path) -> Option<String> {
    String::from_utf8(disk.read(path).ok()??).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_disk::TableDisk;

    #[test]
    fn branches_are_loose_packed_and_of_remotes() {
        let disk = TableDisk::from_files(&[
            ("/repo/.git/HEAD", "ref: refs/heads/fresh\n"),
            ("/repo/.git/refs/heads/main", "a\n"),
            ("/repo/.git/refs/heads/feature/dns", "a\n"),
            ("/repo/.git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n"),
            ("/repo/.git/refs/remotes/origin/staging", "a\n"),
            ("/repo/.git/packed-refs", "# pack-refs with: peeled\na refs/heads/production\na refs/tags/v1\n^b\n"),
            ("/repo/site/x.pp", ""),
            ("/copy/.git", "gitdir: /repo/.git/worktrees/copy\n"),
            ("/repo/.git/worktrees/copy/HEAD", "0123\n"),
            ("/repo/.git/worktrees/copy/commondir", "../..\n"),
        ]);
        let expected = ["feature/dns", "fresh", "main", "production", "staging"];
        assert_eq!(git_branches(&disk, Path::new("/repo/site")), expected);
        assert_eq!(git_branches(&disk, Path::new("/copy")), ["feature/dns", "main", "production", "staging"]);
        assert_eq!(git_branches(&disk, Path::new("/elsewhere")), [""; 0]);
    }

    #[test]
    fn a_revision_is_loose_packed_or_named_by_itself() {
        let revision = |head: &str| {
            let files = [
                ("/repo/.git/HEAD", head),
                ("/repo/.git/refs/heads/main", "aaaa\n"),
                ("/repo/.git/packed-refs", "bbbb refs/heads/old\n"),
            ];
            git_revision(&TableDisk::from_files(&files), Path::new("/repo/site"))
        };
        assert_eq!(revision("ref: refs/heads/main\n").as_deref(), Some("aaaa"));
        assert_eq!(revision("ref: refs/heads/old\n").as_deref(), Some("bbbb"));
        assert_eq!(revision("cccc\n").as_deref(), Some("cccc"));
        assert_eq!(revision("ref: refs/heads/none\n"), None);
    }
}

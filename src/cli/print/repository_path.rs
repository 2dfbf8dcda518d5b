//! Paths as a service of a repository wants them: relative to the root of the checkout, whatever the current folder is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pantin_world::{Disk, MachineDisk, absolute_path};

/// Returns a path relative to the root of the checkout around the current folder; relative to the current folder, if
/// there is none; as it is, if it leads out of that.
pub(crate) fn repository_path(path: &str) -> String {
    static ROOT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let here = absolute_path(Path::new("."));
        checkout_around(&MachineDisk::default(), &here).or(Some(here))
    });
    below(root.as_deref(), path, &absolute_path(Path::new(path)))
}

fn checkout_around(disk: &dyn Disk, folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| disk.exists(&folder.join(".git"))).map(Path::to_owned)
}

fn below(root: Option<&Path>, path: &str, absolute: &Path) -> String {
    let below = root.and_then(|root| absolute.strip_prefix(root).ok()).and_then(Path::to_str);
    below.unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_the_root_of_the_checkout() {
        let told =
            |root: Option<&str>, path: &str, absolute: &str| below(root.map(Path::new), path, Path::new(absolute));
        assert_eq!(told(Some("/w/repo"), "site/a.pp", "/w/repo/puppet/site/a.pp"), "puppet/site/a.pp");
        assert_eq!(told(Some("/w/repo"), "/other/a.pp", "/other/a.pp"), "/other/a.pp");
        assert_eq!(told(None, "site/a.pp", "/w/site/a.pp"), "site/a.pp");
    }
}

//! Paths as texts. Must not know a disk.

use std::borrow::Cow;

/// Returns an absolute path without `.`, `..` and doubled slashes.
pub fn expanded(path: &str) -> Cow<'_, str> {
    if is_expanded(path) {
        return Cow::Borrowed(path);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Cow::Owned(format!("/{}", parts.join("/")))
}

fn is_expanded(path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(|part| !matches!(part, "" | "." | "..")))
}

/// Returns the folders above a path, the nearest first.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let parent = |below: &str| below.rfind('/');
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let below = rest?;
        let slash = parent(below)?;
        let above = &path[..slash];
        rest = Some(above);
        match above {
            "" => Some("/").filter(|_| path != "/"),
            above => Some(above),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_expanded() {
        for (path, whole) in
            [("/a/b", "/a/b"), ("/a//b/", "/a/b"), ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("a", "/a"), ("/", "/")]
        {
            assert_eq!(expanded(path), whole, "{path}");
        }
    }

    #[test]
    fn folders_stand_above() {
        assert_eq!(folders_above("/a/b/c").collect::<Vec<_>>(), ["/a/b", "/a", "/"]);
        assert_eq!(folders_above("/").count(), 0);
        assert_eq!(folders_above("a/b").collect::<Vec<_>>(), ["a"]);
    }
}

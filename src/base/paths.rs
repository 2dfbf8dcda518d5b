//! Paths as texts. Knows nothing of a disk.

/// An absolute path without `.`, `..` and doubled slashes.
pub fn expanded(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

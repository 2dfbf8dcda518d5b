//! Paths as text, put together as Ruby's `Pathname` does it.

/// `base + path`: an absolute path stands for itself; `.` and `..` at the start of the other are worked out.
pub(super) fn join(base: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    // Nearly all are so: nothing to work out.
    if !path.is_empty() && !path.starts_with('.') && !base.is_empty() && !base.ends_with('/') {
        return [base, "/", path].concat();
    }
    let mut base = base.trim_end_matches('/');
    let is_absolute = base.is_empty() || base.starts_with('/');
    let mut rest = path;
    loop {
        let (first, behind) = match rest.split_once('/') {
            Some((first, behind)) => (first, behind.trim_start_matches('/')),
            None => (rest, ""),
        };
        let last = base.rsplit('/').next().unwrap_or(base);
        match first {
            "." => rest = behind,
            ".." if last == "." => base = parent(base),
            ".." if last.is_empty() && is_absolute => rest = behind,
            ".." if last != ".." && !last.is_empty() => {
                base = parent(base);
                rest = behind;
            }
            _ => break,
        }
        if rest.is_empty() {
            break;
        }
    }
    match (base.is_empty(), rest.is_empty()) {
        (true, _) if is_absolute => format!("/{rest}"),
        (true, true) => ".".to_owned(),
        (true, false) => rest.to_owned(),
        (false, true) => base.to_owned(),
        (false, false) => format!("{base}/{rest}"),
    }
}

fn parent(base: &str) -> &str {
    base.rsplit_once('/').map_or("", |(parent, _)| parent.trim_end_matches('/'))
}

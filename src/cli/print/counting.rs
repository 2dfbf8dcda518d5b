//! How many there are of something, in words.

/// `1 node`, `2 nodes`.
pub(crate) fn count(number: usize, what: &str) -> String {
    count_text(number, what, &format!("{what}s"))
}

/// The same of what has another plural: `1 body`, `2 bodies`.
pub(crate) fn count_text(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

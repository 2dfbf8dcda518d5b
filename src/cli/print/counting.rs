//! How many there are of something, in words.

/// `1 node`, `2 nodes`.
pub(in crate::cli) fn count(number: usize, what: &str) -> String {
    count_of(number, what, &format!("{what}s"))
}

/// The same of what has another plural: `1 body`, `2 bodies`.
pub(in crate::cli) fn count_of(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

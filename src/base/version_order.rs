//! The order of package versions that `versioncmp` and the package providers share.
//!
//! Knows nothing of any one package system: `-` comes before `.`, and both before all else; numbers compare as
//! numbers unless one begins with a zero.

use std::cmp::Ordering;

/// Returns how two versions compare where `1.0` and `1` are the same. `None` if one of them is empty or all hyphens:
/// there is no version in it.
pub fn compare_ignoring_trailing_zeroes(left: &str, right: &str) -> Option<Ordering> {
    Some(compare(&without_trailing_zeroes(left)?, &without_trailing_zeroes(right)?))
}

/// Returns how two versions compare.
pub fn compare(left: &str, right: &str) -> Ordering {
    let differing = parts(left).zip(parts(right)).find(|(one, other)| one != other);
    let Some((one, other)) = differing else { return left.cmp(right) };
    for separator in ["-", "."] {
        if one == separator {
            return Ordering::Less;
        }
        if other == separator {
            return Ordering::Greater;
        }
    }
    if is_number(one) && is_number(other) && !one.starts_with('0') && !other.starts_with('0') {
        return one.len().cmp(&other.len()).then_with(|| one.cmp(other));
    }
    one.to_uppercase().cmp(&other.to_uppercase())
}

/// Returns the parts of a version: a separator, a run of digits, or a run of anything else.
fn parts(version: &str) -> impl Iterator<Item = &str> {
    let mut rest = version;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match first {
            '-' | '.' => 1,
            '0'..='9' => rest.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(rest.len()),
            _ => rest.find(['-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']).unwrap_or(rest.len()),
        };
        let (part, others) = rest.split_at(end);
        rest = others;
        Some(part)
    })
}

fn is_number(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Without the zeros and dots that end a line of the part before the first hyphen (of the first line that ends in
/// some); hyphens at the end go too.
fn without_trailing_zeroes(version: &str) -> Option<String> {
    let version = version.trim_end_matches('-');
    let (release, rest) = version.split_at(version.find('-').unwrap_or(version.len()));
    if version.is_empty() {
        return None;
    }
    let mut kept = String::with_capacity(version.len());
    let mut trimmed = false;
    for line in release.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let shorter = if trimmed { content } else { content.trim_end_matches(['.', '0']) };
        trimmed |= shorter.len() < content.len();
        kept.push_str(shorter);
        kept.push_str(&line[content.len()..]);
    }
    kept.push_str(rest);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_puppet_compares_them() {
        use Ordering::{Equal, Greater, Less};
        let vectors = [
            ("1.0-rc1", "1.0", Greater),
            ("1.0a", "1.0", Greater),
            ("01", "1", Less),
            ("a", "B", Less),
            ("1.09", "1.1", Less),
            ("2.0-1", "2.0-a", Less),
            ("1.0", "1.0.0", Less),
            ("1.10", "1.9", Greater),
            ("", "", Equal),
            ("1.0", "1.0", Equal),
            ("99999999999999999999999", "100000000000000000000000", Less),
        ];
        for (left, right, expected) in vectors {
            assert_eq!(compare(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn trailing_zeroes_can_be_ignored() {
        for (left, right, expected) in [
            ("1.0", "1.0.0", Some(Ordering::Equal)),
            ("1.0.0-rc1", "1-rc1", Some(Ordering::Equal)),
            ("10", "1", Some(Ordering::Equal)),
            ("0", "1", Some(Ordering::Less)),
            ("1.0\n.0", "1", Some(Ordering::Greater)),
            ("", "1", None),
            ("1", "--", None),
        ] {
            assert_eq!(compare_ignoring_trailing_zeroes(left, right), expected, "{left} {right}");
        }
    }
}

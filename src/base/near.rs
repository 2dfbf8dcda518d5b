//! Suggestions for misspelt names ("did you mean …?"). They only help a reader; nothing is decided by them.

/// Longer names are no slips of the keyboard, and would take time to compare.
const LONGEST: usize = 80;

/// Returns the known name that `name` is a slip or two of the keyboard away from; the first in the alphabet among
/// equals.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let slips = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=LONGEST => 2,
        _ => return None,
    };
    let own = letters(name);
    // A letter that the other name has not takes a slip of its own.
    let may_be = |known: &str| {
        let other = letters(known);
        ((own & !other).count_ones().max((other & !own).count_ones()) as usize) <= slips
    };
    known
        .into_iter()
        .filter(|known| known.len() > 2 && known.len().abs_diff(name.len()) <= slips && may_be(known))
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|&(distance, _)| (1..=slips).contains(&distance))
        .min()
        .map(|(_, known)| known)
}

/// Returns a set of bytes, in which some stand for each other: enough to leave out most names without a close look.
fn letters(name: &str) -> u64 {
    name.bytes().fold(0, |set, byte| set | 1 << (byte % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_found() {
        let known = ["notice", "include", "map", "max"];
        assert_eq!(nearest("notise", known), Some("notice"));
        assert_eq!(nearest("inlcude", known), Some("include"));
        assert_eq!(nearest("mao", known), Some("map"));
        assert_eq!(nearest("ma", known), None);
        assert_eq!(nearest("notice", ["notice"]), None);
        assert_eq!(nearest("something", known), None);
    }
}

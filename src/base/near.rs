//! The name that a person probably meant. Only ever help, never a verdict.

/// Longer names are no slips of the keyboard, and would take time to compare.
const LONGEST: usize = 80;

/// The known name that `name` is a slip or two of the keyboard away from; the first in the alphabet among equals.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let slips = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=LONGEST => 2,
        _ => return None,
    };
    known
        .into_iter()
        .filter(|known| known.len() > 2 && known.len().abs_diff(name.len()) <= slips)
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|&(distance, _)| (1..=slips).contains(&distance))
        .min()
        .map(|(_, known)| known)
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

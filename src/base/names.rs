//! How the language writes the names of types and resources.

/// With its first letter as a capital.
pub fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Each segment with a capital: `Apache::Vhost`.
pub fn type_name(name: &str) -> String {
    let segments: Vec<String> = name.split("::").map(capitalized).collect();
    segments.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_segment_has_a_capital() {
        assert_eq!(type_name("apache::vhost"), "Apache::Vhost");
        assert_eq!(type_name("aPACHE"), "APACHE");
        assert_eq!(type_name("::a"), "::A");
        assert_eq!(capitalized(""), "");
    }
}

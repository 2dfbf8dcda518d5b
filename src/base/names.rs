//! How the language writes the names of types and resources, and which names are its own.

/// The parameters of every resource that name others.
pub const RELATIONSHIPS: [&str; 4] = ["require", "subscribe", "before", "notify"];

/// With its first letter as a capital.
pub fn capitalized(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    push_capitalized(&mut text, word);
    text
}

fn push_capitalized(text: &mut String, word: &str) {
    let mut letters = word.chars();
    if let Some(first) = letters.next() {
        text.extend(first.to_uppercase());
        text.push_str(letters.as_str());
    }
}

/// Each segment with a capital: `Apache::Vhost`.
pub fn type_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (index, segment) in name.split("::").enumerate() {
        text.push_str(if index > 0 { "::" } else { "" });
        push_capitalized(&mut text, segment);
    }
    text
}

/// The title of a class by its name; that of the one around everything is `main`.
pub fn class_title(name: &str) -> String {
    match name.strip_prefix("::").unwrap_or(name) {
        "" => "main".to_owned(),
        name => type_name(name),
    }
}

/// `File[/x]`: the type and the title, up to the first bracket and up to the last.
pub fn split_reference(text: &str) -> Option<(&str, &str)> {
    let (type_name, title) = text.strip_suffix(']')?.split_once('[')?;
    (!type_name.is_empty() && !type_name.contains(']') && !title.is_empty()).then_some((type_name, title))
}

/// Whether a variable is one that only the server sets.
pub fn is_reserved_variable(name: &str) -> bool {
    matches!(name, "facts" | "trusted" | "server_facts")
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

//! How the language writes the names of types and resources, and which names are its own.

/// The parameters of every resource that name others.
pub const RELATIONSHIPS: [&str; 4] = ["require", "subscribe", "before", "notify"];

/// With its first letter as a capital.
pub fn capitalized(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    push_capitalized(&mut text, word);
    text
}

/// With its first letter as a capital and all others small, as Ruby's `capitalize` has it.
pub fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    // A letter that becomes two is large in the first of them alone.
    let mut first = letters.next().into_iter().flat_map(char::to_uppercase);
    let capital = first.next();
    capital.into_iter().chain(first.chain(letters).flat_map(char::to_lowercase)).collect()
}

fn push_capitalized(text: &mut String, word: &str) {
    match word.as_bytes().first() {
        None => {}
        Some(first) if first.is_ascii() => {
            text.push(char::from(first.to_ascii_uppercase()));
            text.push_str(&word[1..]);
        }
        Some(_) => {
            let mut letters = word.chars();
            text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
            text.push_str(letters.as_str());
        }
    }
}

/// Returns true if a name has segments: `a::b`.
pub fn is_qualified(name: &str) -> bool {
    separator(name).is_some()
}

/// Returns the segments of a name, as `split("::")` gives them; names are short, and a searcher takes longer to make
/// than they take to be looked through.
pub fn segments(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(name);
    std::iter::from_fn(move || {
        let name = rest?;
        let (segment, behind) = match separator(name) {
            Some(at) => (&name[..at], Some(&name[at + 2..])),
            None => (name, None),
        };
        rest = behind;
        Some(segment)
    })
}

/// Returns what stands before the last `::` of a name, and behind it.
pub fn split_last(name: &str) -> Option<(&str, &str)> {
    let at = name.as_bytes().windows(2).rposition(|two| two == b"::")?;
    Some((&name[..at], &name[at + 2..]))
}

/// Returns where the first `::` is.
fn separator(name: &str) -> Option<usize> {
    name.as_bytes().windows(2).position(|two| two == b"::")
}

/// Each segment with a capital: `Apache::Vhost`.
pub fn type_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (index, segment) in segments(name).enumerate() {
        text.push_str(if index > 0 { "::" } else { "" });
        push_capitalized(&mut text, segment);
    }
    text
}

/// Returns true if a text is the [`type_name`] of a name of plain letters, without writing that down; of any other it
/// may say no.
pub fn is_type_name_of(text: &str, name: &str) -> bool {
    let same = |(text, name): (&str, &str)| match (text.as_bytes(), name.as_bytes()) {
        ([first, text @ ..], [initial, name @ ..]) => *first == initial.to_ascii_uppercase() && text == name,
        (text, name) => text.is_empty() && name.is_empty(),
    };
    let is_alike = || match name.as_bytes().contains(&b':') {
        true => segments(text).zip(segments(name)).all(same),
        false => same((text, name)),
    };
    text.len() == name.len() && text.is_ascii() && is_alike()
}

/// Returns the title of a class by its name; that of the one around everything is `main`.
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

/// Returns true if a variable is one that the scope of each class and defined type has of the module.
pub fn is_module_variable(name: &str) -> bool {
    matches!(name, "module_name" | "caller_module_name")
}

/// Returns true if a variable is one that only the server sets.
pub fn is_reserved_variable(name: &str) -> bool {
    matches!(name, "facts" | "trusted" | "server_facts")
}

/// Variables of the top scope that the server sets, beside those that are reserved everywhere.
const OF_SERVER: [&str; 9] = [
    "environment",
    "server_facts",
    "servername",
    "serverip",
    "serverip6",
    "serverversion",
    "module_name",
    "title",
    "name",
];

/// Returns true if bindings may set a variable of this name at the top scope.
pub fn can_bind_variable(name: &str) -> bool {
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    is_name && !is_reserved_variable(name) && !OF_SERVER.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_segment_has_a_capital() {
        assert_eq!(type_name("apache::vhost"), "Apache::Vhost");
        assert_eq!(type_name("aPACHE"), "APACHE");
        assert_eq!(type_name("::a"), "::A");
        assert_eq!(type_name("élan::über"), "Élan::Über");
        assert_eq!(capitalized(""), "");
    }

    #[test]
    fn a_capital_is_one_letter_and_what_follows_is_small() {
        for (text, expected) in [("", ""), ("éA", "Éa"), ("ßA", "Ssa"), ("ﬁA", "Fia"), ("ΒΑΣ", "Βασ")] {
            assert_eq!(sentence_case(text), expected);
        }
    }

    #[test]
    fn the_name_of_a_type_is_known_again() {
        for name in ["file", "apache::vhost", "a::::b", "aB::c", ""] {
            assert!(is_type_name_of(&type_name(name), name), "{name}");
        }
        for (text, name) in [
            ("File", "filf"),
            ("File", "fil"),
            ("file", "file"),
            ("A::b", "a::b"),
            ("A::B", "a:::b"),
            ("É", "é"),
            ("A", "a::b"),
            ("é", "é"),
        ] {
            assert!(!is_type_name_of(text, name), "{text} {name}");
        }
    }

    #[test]
    fn segments_are_those_of_a_split() {
        for name in ["", "a", "a::b", "::a", "a::", "a:::b", "::::", ":", "é::ü::x"] {
            assert_eq!(segments(name).collect::<Vec<_>>(), name.split("::").collect::<Vec<_>>());
            assert_eq!(is_qualified(name), name.contains("::"));
        }
    }
}

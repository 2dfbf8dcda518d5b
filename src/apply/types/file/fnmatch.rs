//! Patterns of file names, as Ruby's `File.fnmatch` has them.

/// Which rules a pattern follows.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct NameRules {
    /// Wildcards match a dot at the start, too.
    pub matches_hidden: bool,
    /// Wildcards do not match a slash.
    pub knows_folders: bool,
}

/// Returns true if the pattern matches the whole name.
pub(crate) fn matches(pattern: &str, name: &str, rules: NameRules) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    matches_from(&pattern, &name, true, rules)
}

fn matches_from(pattern: &[char], name: &[char], is_start: bool, rules: NameRules) -> bool {
    let is_hidden = is_start && !rules.matches_hidden && name.first() == Some(&'.');
    if is_hidden && !matches!(pattern, ['.', ..] | ['\\', '.', ..]) {
        return false;
    }
    let is_slash = |letter: char| rules.knows_folders && letter == '/';
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => {
            let most = name.iter().position(|&letter| is_slash(letter)).unwrap_or(name.len());
            (0..=most).any(|end| matches_from(rest, &name[end..], false, rules))
        }
        (None, Some(_)) | (Some(_), None) => false,
        (Some(('?', rest)), Some((&letter, left))) => !is_slash(letter) && matches_from(rest, left, false, rules),
        (Some(('[', rest)), Some((&letter, left))) => class(rest, letter)
            .is_some_and(|(is_in, behind)| is_in && !is_slash(letter) && matches_from(behind, left, false, rules)),
        (Some(('\\', rest)), Some((&letter, left))) => match rest.split_first() {
            Some((&escaped, behind)) => escaped == letter && matches_from(behind, left, is_slash(letter), rules),
            None => letter == '\\' && matches_from(rest, left, false, rules),
        },
        (Some((&wanted, rest)), Some((&letter, left))) => {
            wanted == letter && matches_from(rest, left, is_slash(letter), rules)
        }
    }
}

/// Returns whether a letter is in the class that begins here, and what stands behind the class.
fn class(pattern: &[char], letter: char) -> Option<(bool, &[char])> {
    let is_negated = matches!(pattern.first(), Some('!' | '^'));
    let mut at = usize::from(is_negated);
    let mut is_in = false;
    let read = |at: &mut usize| -> Option<char> {
        if pattern.get(*at) == Some(&'\\') {
            *at += 1;
        }
        let found = pattern.get(*at).copied();
        *at += 1;
        found
    };
    while *pattern.get(at)? != ']' {
        let first = read(&mut at)?;
        let last = if pattern.get(at) == Some(&'-') && pattern.get(at + 1).is_some_and(|next| *next != ']') {
            at += 1;
            read(&mut at)?
        } else {
            first
        };
        is_in |= (first..=last).contains(&letter);
    }
    Some((is_in != is_negated, &pattern[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_leave_hidden_names_alone_unless_they_are_told() {
        let plain = NameRules::default();
        for (pattern, name) in [
            ("*.bak", "a.bak"),
            ("x?", "x1"),
            ("[0-9]*", "7up"),
            (".g*", ".git"),
            ("a*c*", "abcd"),
            ("[^a]", "b"),
            ("\\*", "*"),
        ] {
            assert!(matches(pattern, name, plain), "{pattern} {name}");
        }
        for (pattern, name) in
            [("*", ".git"), ("?git", ".git"), ("*.bak", ".a.bak"), ("[a", "a"), ("a", "ab"), ("[!a]", "a")]
        {
            assert!(!matches(pattern, name, plain), "{pattern} {name}");
        }
        assert!(matches("*", ".git", NameRules { matches_hidden: true, ..plain }));
        assert!(matches("*", "a/b", plain));
        assert!(!matches("*", "a/b", NameRules { knows_folders: true, ..plain }));
    }
}

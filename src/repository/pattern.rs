//! Texts in which `*` stands for any letters, and `?` for one; nothing else is a sign in them.
//!
//! Knows nothing of what is compared.

/// A text that others are compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    text: String,
    /// It was quoted, or has none of the signs: it means itself.
    is_literal: bool,
}

impl Pattern {
    pub(crate) fn new(text: String, is_quoted: bool) -> Pattern {
        let is_literal = is_quoted || !text.contains(['*', '?']);
        Pattern { text, is_literal }
    }

    /// The text that it means, if it means only one.
    pub(crate) fn literal(&self) -> Option<&str> {
        self.is_literal.then_some(self.text.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn in_lower_case(&self) -> Pattern {
        Pattern { text: self.text.to_lowercase(), is_literal: self.is_literal }
    }

    pub(crate) fn fits(&self, text: &str) -> bool {
        if self.is_literal { self.text == text } else { fits(self.text.as_bytes(), text.as_bytes()) }
    }

    /// The same, where capitals do not matter. The pattern is in lower case.
    pub(crate) fn fits_in_any_case(&self, text: &str) -> bool {
        match self.is_literal {
            true => self.text.eq_ignore_ascii_case(text),
            false => self.fits(&text.to_lowercase()),
        }
    }

    /// Returns true if it fits a path, or its end behind any slash.
    pub(crate) fn fits_path(&self, path: &str) -> bool {
        self.fits(path) || path.match_indices('/').any(|(at, _)| self.fits(&path[at + 1..]))
    }
}

/// When the rest does not fit, the last `*` takes one letter more.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut letter) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while letter < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                last_star = Some((at, letter));
                at += 1;
            }
            Some(b'?') => {
                at += 1;
                letter += letter_length(&text[letter..]);
            }
            Some(byte) if *byte == text[letter] => {
                at += 1;
                letter += 1;
            }
            _ => match &mut last_star {
                Some((star, taken)) => {
                    *taken += letter_length(&text[*taken..]);
                    (at, letter) = (*star + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Bytes of the first letter.
fn letter_length(text: &[u8]) -> usize {
    let is_inside = |byte: &&u8| **byte & 0xC0 == 0x80;
    1 + text.iter().skip(1).take_while(is_inside).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern.to_owned(), false).fits(text)
    }

    #[test]
    fn signs_stand_for_letters() {
        assert!(fits("ng*", "nginx") && fits("*", "") && fits("*x", "nginx") && fits("n*i*x", "nginx"));
        assert!(fits("a*bc*d", "abbcbcd") && fits("ngin?", "nginx") && fits("?", "ß"));
        assert!(!fits("ng*", "Nginx") && !fits("ngin?", "ngin") && !fits("n*y", "nginx") && !fits("??", "ß"));
    }

    #[test]
    fn a_quoted_text_means_itself() {
        let quoted = Pattern::new("/tmp/*".to_owned(), true);
        assert!(quoted.fits("/tmp/*") && !quoted.fits("/tmp/x"));
    }

    #[test]
    fn a_path_may_be_told_by_its_end() {
        let fits = |pattern: &str, path: &str| Pattern::new(pattern.to_owned(), false).fits_path(path);
        assert!(fits("manifests/site.pp", "/a/manifests/site.pp") && fits("/a/*", "/a/b") && fits("*.pp", "/a/b.pp"));
        assert!(!fits("site.p", "/a/site.pp") && !fits("ite.pp", "/a/site.pp"));
    }
}

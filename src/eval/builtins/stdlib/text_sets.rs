//! Sets of characters as Ruby's `squeeze` and `count` take them: `a-z`, `^0-9`.

use super::ruby::{Result, fail};

pub(super) struct TextSet {
    ranges: Vec<(char, char)>,
    negated: bool,
}

impl TextSet {
    pub(super) fn new(written: &str) -> Result<TextSet> {
        let letters: Vec<char> = written.chars().collect();
        let (negated, letters) = match letters.as_slice() {
            ['^', rest @ ..] if !rest.is_empty() => (true, rest),
            all => (false, all),
        };
        let mut ranges = Vec::new();
        let mut rest = letters;
        while let [first, behind @ ..] = rest {
            let (first, behind) = match (first, behind) {
                ('\\', [escaped, behind @ ..]) => (*escaped, behind),
                _ => (*first, behind),
            };
            rest = behind;
            let mut last = first;
            if let ['-', end, behind @ ..] = rest {
                let (end, behind) = match (end, behind) {
                    ('\\', [escaped, behind @ ..]) => (*escaped, behind),
                    _ => (*end, behind),
                };
                if first > end {
                    return fail(format!("invalid range \"{first}-{end}\" in string transliteration"));
                }
                (last, rest) = (end, behind);
            }
            ranges.push((first, last));
        }
        Ok(TextSet { ranges, negated })
    }

    pub(super) fn contains(&self, character: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&character)) != self.negated
    }
}

//! Sets of characters as Ruby's `squeeze` and `count` take them: `a-z`, `^0-9`.

use pantin_base::budget;

use super::ruby::{Result, fail};

pub(super) struct TextSet {
    ranges: Vec<(char, char)>,
    negated: bool,
}

impl TextSet {
    pub(super) fn new(written: &str) -> Result<TextSet> {
        // Who counts the steps sees that there were too many, whatever is in the set.
        if !budget::spend(written.len() as u64) {
            return Ok(TextSet { ranges: Vec::new(), negated: false });
        }
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
        budget::spend(self.ranges.len() as u64 / 16)
            && self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&character)) != self.negated
    }
}

#[cfg(test)]
mod tests {
    use pantin_base::budget::Steps;

    use super::*;

    #[test]
    fn a_long_set_takes_steps() {
        let written = "ab".repeat(10_000);
        let set = TextSet::new(&written).unwrap();
        let steps = Steps::begin(100_000);
        assert!(set.contains('b') && !set.contains('z'));
        assert!((0..1_000).any(|_| !set.contains('b')) && steps.is_over());
        assert!(TextSet::new(&written).unwrap().ranges.is_empty());
    }
}

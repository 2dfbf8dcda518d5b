//! The options of a pattern as a whole, and how Ruby's `to_s` shows a pattern with them.

use std::fmt;

use super::check_with;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Options {
    pub ignore_case: bool,
    /// Whether the dot matches a line feed.
    pub multi_line: bool,
    pub extended: bool,
}

impl Options {
    /// Writes a pattern with these options: `(?-mix:source)`.
    pub fn write_group(self, out: &mut impl fmt::Write, source: &str) -> fmt::Result {
        let (Options { ignore_case, multi_line, extended }, source) = self.in_group(source);
        let flags = [(multi_line, 'm'), (ignore_case, 'i'), (extended, 'x')];
        out.write_str("(?")?;
        flags.iter().filter(|flag| flag.0).try_for_each(|flag| out.write_char(flag.1))?;
        if flags.iter().any(|flag| !flag.0) {
            out.write_str("-")?;
        }
        flags.iter().filter(|flag| !flag.0).try_for_each(|flag| out.write_char(flag.1))?;
        write!(out, ":{source})")
    }

    /// Returns what stands in that group: options that the source begins with are the group's own.
    fn in_group(self, source: &str) -> (Options, &str) {
        let (mut options, mut rest) = (self, source);
        while let Some(group) = rest.strip_prefix("(?").filter(|group| group.len() >= 2) {
            let behind = toggled(group, &mut options, true);
            let behind = match behind.strip_prefix('-') {
                Some(off) if !off.is_empty() => toggled(off, &mut options, false),
                _ => behind,
            };
            if let Some(behind) = behind.strip_prefix(')') {
                rest = behind;
                continue;
            }
            let inner = behind.strip_prefix(':').and_then(|inner| inner.strip_suffix(')'));
            return match inner.filter(|inner| check_with(inner, options.extended, options.ignore_case).is_ok()) {
                Some(inner) => (options, inner),
                None => (self, source),
            };
        }
        (options, rest)
    }
}

/// Sets the options whose letters a text begins with; the text behind them.
fn toggled<'t>(text: &'t str, options: &mut Options, to: bool) -> &'t str {
    let behind = text.trim_start_matches(['m', 'i', 'x']);
    for letter in text[..text.len() - behind.len()].chars() {
        match letter {
            'm' => options.multi_line = to,
            'i' => options.ignore_case = to,
            _ => options.extended = to,
        }
    }
    behind
}

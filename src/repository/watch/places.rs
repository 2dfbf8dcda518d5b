//! Log lines and errors without line numbers: moved lines are no change.

use std::borrow::Cow;

/// What stands before a number that is left out.
const NUMBERED: [&str; 2] = ["line: ", "column: "];

/// Returns the text with a sign for each number of a line or a column in `(file: F, line: L, column: C)`.
pub(super) fn without_lines(text: &str) -> Cow<'_, str> {
    if !text.contains(NUMBERED[0]) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // A place begins with a bracket, and ends with one; what is outside of it is somebody's own words.
    while let Some(at) = ["(file: ", "(line: "].iter().filter_map(|start| rest.find(start)).min() {
        let (before, place) = rest.split_at(at);
        let length = place.find(')').unwrap_or(place.len());
        let (place, after) = place.split_at(length);
        out.push_str(before);
        out.push_str(&without_numbers(place));
        rest = after;
    }
    Cow::Owned(out + rest)
}

fn without_numbers(place: &str) -> String {
    let mut out = place.to_owned();
    for before in NUMBERED {
        let Some(at) = out.rfind(before).map(|at| at + before.len()) else { continue };
        let digits = out[at..].bytes().take_while(u8::is_ascii_digit).count();
        out.replace_range(at..at + digits, "#");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_places_are_left_out() {
        let same = |one: &str, other: &str| assert_eq!(without_lines(one), without_lines(other));
        same("no (file: /a.pp, line: 3, column: 7)", "no (file: /a.pp, line: 12, column: 1)");
        same(
            "twice (file: /a, line: 1); again (file: /b, line: 2) here",
            "twice (file: /a, line: 9); again (file: /b, line: 22) here",
        );
        same("no (line: 3)", "no (line: 4)");
        let other = |one: &str, other: &str| assert_ne!(without_lines(one), without_lines(other));
        other("no (file: /a.pp, line: 3)", "no (file: /b.pp, line: 3)");
        other("line: 3", "line: 4");
        other("3 (file: /a, line: 1", "4 (file: /a, line: 1");
        other("(file: /line: 1, line: 2)", "(file: /line: 2, line: 2)");
    }
}

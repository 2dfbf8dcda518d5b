//! Text for terminals, without control characters; and JSON that has none.
//!
//! Knows neither what a runner obeys, nor any markup.

use std::borrow::Cow;
use std::io::{self, Write};

use pantin_world::Surroundings;

use super::workflow_log::LogReader;

/// Control characters other than line ends and tabs, and those that turn the direction of writing or part lines.
pub(super) fn is_harmful(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\t'))
        || matches!(letter, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns true if a character that begins with this byte may be harmful.
const fn may_begin_harmful(byte: u8) -> bool {
    (byte < b' ' && byte != b'\n' && byte != b'\t') || matches!(byte, 0x7f | 0xc2 | 0xd8 | 0xe2)
}

/// Returns true if a harmful character is in the text. Hardly any text has a byte that such a character begins with, so
/// that few are decoded.
fn has_harmful(text: &str) -> bool {
    // Without an end in the middle of a chunk, many bytes are looked at at once.
    let is_suspicious = |chunk: &[u8]| chunk.iter().fold(false, |found, byte| found | may_begin_harmful(*byte));
    text.as_bytes().chunks(256).any(is_suspicious) && text.contains(is_harmful)
}

/// Returns the text with a sign in place of each harmful character.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    replace_harmful(text, |_| '\u{FFFD}')
}

/// Prints a report. One that is not laid out for a terminal is made safe for it there.
pub(crate) fn print_report(text: &str, is_for_person: bool, surroundings: &Surroundings) -> io::Result<()> {
    let text = match is_for_person {
        true => LogReader::of_stdout(surroundings).laid_out(text),
        false if surroundings.stdout_is_terminal => printable(text),
        false => Cow::Borrowed(text),
    };
    io::stdout().lock().write_all(text.as_bytes())
}

/// The same as one line: a name with a line end in it could pass for a message.
pub(crate) fn printable_line(text: &str) -> Cow<'_, str> {
    replace_all(text, |letter| is_harmful(letter) || letter == '\n', |_| '\u{FFFD}')
}

/// Returns the text with blanks for what is harmful, as many bytes as before, so that all places stay.
pub(crate) fn blanked(text: &str) -> Cow<'_, str> {
    replace_harmful(text, |letter| match letter.len_utf8() {
        1 => ' ',
        2 => '\u{A0}',
        _ => '\u{FFFD}',
    })
}

/// JSON that means the same, with harmful characters as `\u` escapes: they stand in strings alone.
pub(crate) fn escaped_json(json: String) -> String {
    // A runner that reads the log takes it for the beginning of a command, wherever it stands.
    let json = if json.contains("##[") { json.replace("##[", "#\\u0023[") } else { json };
    if !has_harmful(&json) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 64);
    for letter in json.chars() {
        if is_harmful(letter) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

fn replace_harmful(text: &str, replacement: impl Fn(char) -> char) -> Cow<'_, str> {
    if !has_harmful(text) {
        return Cow::Borrowed(text);
    }
    replace_all(text, is_harmful, replacement)
}

fn replace_all(text: &str, is_unwanted: impl Fn(char) -> bool, replacement: impl Fn(char) -> char) -> Cow<'_, str> {
    if !text.contains(&is_unwanted) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|letter| if is_unwanted(letter) { replacement(letter) } else { letter }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARMFUL: &str = "a\u{1b}[1m\u{7f}\u{9b}\u{202e}\r\n\té";

    #[test]
    fn signs_stand_for_what_is_harmful() {
        assert_eq!(printable(HARMFUL), "a\u{FFFD}[1m\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\té");
        assert_eq!(printable_line("a\nb"), "a\u{FFFD}b");
        assert!(matches!(printable("é\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn harmful_characters_are_found_by_their_first_bytes() {
        for letter in '\0'..=char::MAX {
            let text = letter.to_string();
            assert!(!is_harmful(letter) || may_begin_harmful(text.as_bytes()[0]), "{letter:?}");
            assert_eq!(has_harmful(&text), is_harmful(letter), "{letter:?}");
        }
    }

    #[test]
    fn blanks_are_as_long_as_what_they_stand_for() {
        assert_eq!(blanked(HARMFUL), "a [1m \u{A0}\u{FFFD} \n\té");
        assert_eq!(blanked(HARMFUL).len(), HARMFUL.len());
    }

    #[test]
    fn escaped_json_means_the_same() {
        let json = serde_json::json!({ HARMFUL: format!("{HARMFUL}##[error]") });
        let escaped = escaped_json(json.to_string());
        assert!(!escaped.contains(is_harmful) && !escaped.contains("##["), "{escaped}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).ok(), Some(json));
    }
}

//! Functions that take something off the ends of texts.

use pantin_values::Str;

use super::case::of_strings;
use crate::{Builtin, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    of_strings!("strip", |text| text.trim_matches(is_blank).into(), "The texts without blanks at both ends."),
    of_strings!("lstrip", |text| text.trim_start_matches(is_blank).into(), "The texts without blanks at the start."),
    of_strings!("rstrip", |text| text.trim_end_matches(is_blank).into(), "The texts without blanks at the end."),
    of_strings!("chomp", chomp, "The texts without the line end at their end."),
    of_strings!("chop", chop, "The texts without their last character; a line end of two counts as one."),
];

fn is_blank(character: char) -> bool {
    matches!(character, '\0' | '\t'..='\r' | ' ')
}

fn chomp(text: &str) -> Str {
    let shorter = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r']));
    shorter.unwrap_or(text).into()
}

fn chop(text: &str) -> Str {
    let mut chars = text.chars();
    match text.strip_suffix("\r\n") {
        Some(shorter) => shorter.into(),
        None => {
            chars.next_back();
            chars.as_str().into()
        }
    }
}

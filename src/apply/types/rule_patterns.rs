//! Patterns that attributes of several types allow.

use super::ruby_values::any_line;
use crate::resource::Pattern;

/// Any text that is not empty.
pub(super) const ANYTHING: Pattern =
    Pattern { shown: "/./", matches: |text| text.chars().any(|letter| letter != '\n') };
pub(super) const DIGITS: Pattern = Pattern { shown: "/^[0-9]+$/", matches: is_number };
pub(super) const DECIMAL: Pattern = Pattern { shown: "/^\\d+$/", matches: is_number };
pub(super) const MINUS_ONE: Pattern = Pattern { shown: "/^-1$/", matches: |text| any_line(text, |line| line == "-1") };

fn is_number(text: &str) -> bool {
    any_line(text, |line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()))
}

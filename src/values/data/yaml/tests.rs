//! The documents of `tests/data/yaml`: what the real Puppet reads out of each, and what Pantin does.

use super::{Options, Symbols, load};
use crate::Value;
use crate::data::examples::{check, show};

const DOCUMENTS: [(&str, &str); 4] = [
    ("scalars", include_str!("../../../../tests/data/yaml/scalars.txt")),
    ("structure", include_str!("../../../../tests/data/yaml/structure.txt")),
    ("tags", include_str!("../../../../tests/data/yaml/tags.txt")),
    ("errors", include_str!("../../../../tests/data/yaml/errors.txt")),
];

/// Returns what Pantin says, in the form of the documents.
fn answer(text: &[u8], options: &[&str]) -> String {
    let classes: Vec<&str> = options.iter().filter_map(|option| option.strip_prefix("class=")).collect();
    let symbols = if options.contains(&"plain") { Symbols::Refused } else { Symbols::TextAsKey };
    match load(text, "F", Options { symbols, classes: &classes, ..Options::default() }) {
        Ok(Value::Undef) => "> false".to_owned(),
        Ok(value) => format!("> {}", show(&value)),
        Err(error) => format!("! {error}"),
    }
}

#[test]
fn documents_say_what_the_real_puppet_says() {
    check(DOCUMENTS, 200, answer);
}

#[test]
fn what_grows_without_end_is_an_error() {
    let of = |text: String| load(text.as_bytes(), "F", Options::default()).unwrap_err().message;
    assert_eq!(of("[".repeat(5_000)), "(F): nesting is deeper than 2000 levels at line 1 column 2001");
    let doubled: String = (1..40).map(|level| format!("- &a{level} [*a{0}, *a{0}]\n", level - 1)).collect();
    let message = of(format!("- &a0 x\n{doubled}"));
    assert!(message.starts_with("(F): aliases stand for more than 20000000 values at line "), "{message}");
}

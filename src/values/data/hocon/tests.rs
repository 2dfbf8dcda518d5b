//! The documents of `tests/data/hocon.txt`: what the real library reads out of each, and what Pantin does.

use super::load;
use crate::data::examples::{check, show};

fn answer(text: &[u8], _options: &[&str]) -> String {
    let variable = |name: &str| (name == "HOCON_VARIABLE").then(|| "of the environment".to_owned());
    match load(text, &variable) {
        Ok(value) => format!("> {}", show(&value)),
        Err(error) => format!("! {}", error.message.lines().next().unwrap_or_default()),
    }
}

#[test]
fn documents_say_what_the_library_says() {
    check([("hocon", include_str!("../../../../tests/data/hocon.txt"))], 100, answer);
}

#[test]
fn what_grows_without_end_is_an_error() {
    let of = |text: String| load(text.as_bytes(), &|_| None).unwrap_err().message;
    assert_eq!(of(format!("a = {}", "[".repeat(5_000))), "String: 1: nesting is deeper than 2000 levels");
    let doubled: String = (1..40).map(|level| format!("a{level} = [${{a{0}}}, ${{a{0}}}]\n", level - 1)).collect();
    let message = of(format!("a0 = x\n{doubled}"));
    assert!(message.ends_with("substitutions stand for more than 1000000 values"), "{message}");
}

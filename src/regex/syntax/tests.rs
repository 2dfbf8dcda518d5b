//! What Ruby 3.1 says of patterns, as it said it.

use super::{check, display_pattern};

const REFUSED: &[(&str, &str)] = &[
    ("[a", "premature end of char-class"),
    ("(a", "end pattern with unmatched parenthesis"),
    ("a)", "unmatched close parenthesis"),
    ("*a", "target of repeat operator is not specified"),
    ("a|*", "target of repeat operator is not specified"),
    ("{1}", "target of repeat operator is not specified"),
    ("[b-a]", "empty range in char class"),
    ("[a-\\d]", "char-class value at end of range"),
    ("[\\d-z]", "unmatched range specifier in char-class"),
    ("[]", "empty char-class"),
    ("[^]", "empty char-class"),
    ("[[]]", "premature end of char-class"),
    ("[[:foo:]]", "invalid POSIX bracket type"),
    ("[[:alpha::]]", "invalid POSIX bracket type"),
    ("[z-[b]c]", "empty range in char class"),
    ("[a\\", "too short escape sequence"),
    ("(?z)", "undefined group option"),
    ("(?i-a:x)", "undefined group option"),
    ("(?", "end pattern in group"),
    ("(?#a", "end pattern in group"),
    ("(?<", "end pattern with unmatched parenthesis"),
    ("(?<a", "invalid group name <a>"),
    ("(?<>a)", "group name is empty"),
    ("(?<1>a)", "invalid group name <1>"),
    ("(?<a)b>c)", "invalid group name <a)b>c)>"),
    ("\\k<>", "group name is empty"),
    ("\\k<a>", "undefined name <a> reference"),
    ("\\k<1>", "invalid backref number/name"),
    ("\\k<-1>", "invalid backref number/name"),
    ("\\k<0>x", "invalid group name <0>x>"),
    ("\\k<1+>", "invalid group name <1+>>"),
    ("\\k<a+", "invalid char in group name <a>"),
    ("\\k<99999999999>", "too big number"),
    ("\\g<a>", "undefined name <a> reference"),
    ("\\g<1>", "undefined group <1> reference"),
    ("\\g<+1>", "undefined group <1> reference"),
    ("(a)\\g<-2>", "invalid backref number/name"),
    ("(a)\\g<1+1>", "invalid char in group name <1+1>>"),
    ("(?<n>a)(?<n>b)\\g<n>", "multiplex definition name <n> call"),
    ("(?<n>a)\\1", "numbered backref/call is not allowed. (use name)"),
    ("(?<n>a)\\g<1>", "numbered backref/call is not allowed. (use name)"),
    ("\\g<0>", "never ending recursion"),
    ("(?<a>a\\g<a>)", "never ending recursion"),
    ("(?<a>b|\\g<a>c)", "never ending recursion"),
    ("\\5", "invalid backref number/name"),
    ("(?(1)a)", "invalid backref number/name"),
    ("(?(x)a)", "invalid conditional pattern"),
    ("(a)(?(1)b|c|d)", "invalid conditional pattern"),
    ("(?<=a*)", "invalid pattern in look-behind"),
    ("(?<=x(?:a|bc))", "invalid pattern in look-behind"),
    ("(?<!(a))", "invalid pattern in look-behind"),
    ("(?<=(?>a))", "invalid pattern in look-behind"),
    ("(?i)(?<=ast)é", "invalid pattern in look-behind"),
    ("a{2,1}", "upper is smaller than lower in repeat range"),
    ("a{100001}", "too big number for repeat range"),
    ("\\p{Foo}", "invalid character property name {Foo}"),
    ("\\p{Foo", "invalid character property name {Fo}"),
    ("\\p{^Foo bar}", "invalid character property name {Foo bar}"),
    ("\\x", "invalid hex escape"),
    ("\\xff", "invalid multibyte escape"),
    ("\\xE3a", "too short escaped multibyte character"),
    ("\\u12", "invalid Unicode escape"),
    ("\\u{}", "invalid Unicode list"),
    ("\\u{110000}", "invalid Unicode range"),
    ("\\ud800", "invalid Unicode range"),
    ("\\400", "invalid escape code"),
    ("\\c", "too short control escape"),
    ("\\c\\c", "duplicate control escape"),
    ("\\M", "too short meta escape"),
    ("\\M-\\M-a", "duplicate meta escape"),
    ("\\C-\\z", "unexpected escape sequence"),
    ("\\u", "too short escape sequence"),
    ("a\\", "too short escape sequence"),
    (
        "\\k<nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn>",
        "undefined name <nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...> reference",
    ),
    ("\\k<a\0b>", "undefined name <a"),
];

const ACCEPTED: &[&str] = &[
    "",
    "a",
    "{",
    "{a}",
    "{1",
    "a{,2}",
    "a{1,2}+",
    "a**",
    "^*",
    "(?=a)*",
    "(?i:a)",
    "(?mix-mix)a|b",
    "(?a)b",
    "[]]",
    "[^]a]",
    "[a-]",
    "[-a]",
    "[a-c-e]",
    "[\\d-]",
    "[a-[b]]",
    "[a&&-]",
    "[[:^alpha:]]",
    "[[:alpha]]",
    "[:alpha:]",
    "(a)\\1",
    "\\10",
    "\\k<1>(a)",
    "(?<n>a)\\k<n-1>",
    "(?<$>a)",
    "(?<a-b>c)",
    "(?'a'b)",
    "(?<a>a\\g<a>?)",
    "a\\g<0>?",
    "(?<a>a|b\\g<a>)",
    "(a)(?(1)b|c)",
    "(?<=a|bc)",
    "(?<=(a))",
    "(?<n>x)(?<!(a))",
    "(?<=a{2})",
    "(?<!^a)",
    "\\p{Greek}",
    "\\P{^Age=6.0}",
    "\\pL",
    "\\xE3\\x81\\x82",
    "\\u{41 42}",
    "\\C-a",
    "(?x)a # (",
    "\\R*",
    "(?~a)",
];

#[test]
fn refuses_what_ruby_refuses_in_its_words() {
    for (pattern, message) in REFUSED {
        let error = check(pattern).err();
        assert_eq!(error.as_ref().map(|error| error.message.as_str()), Some(*message), "{pattern}");
        let offset = error.and_then(|error| error.offset);
        assert!(offset.is_none_or(|offset| pattern.is_char_boundary(offset)), "{pattern}");
    }
}

#[test]
fn accepts_what_ruby_accepts() {
    for pattern in ACCEPTED {
        assert_eq!(check(pattern), Ok(()), "{pattern}");
    }
}

#[test]
fn knows_where_the_culprit_is() {
    let offset = |pattern: &str| check(pattern).err().and_then(|error| error.offset);
    assert_eq!(offset("ab(c"), Some(2));
    assert_eq!(offset("ab)"), Some(2));
    assert_eq!(offset("é[b-a]"), Some(5));
    assert_eq!(offset("\\u00e9\\xE3\\x81\\x82(?z)"), Some(18));
    assert_eq!(offset("a\\u12"), Some(1));
    assert_eq!(offset("(?<=a*)"), None);
}

#[test]
fn shows_patterns_as_ruby_does() {
    for (pattern, as_shown) in [
        ("a/(", "a\\/("),
        ("a\\/(", "a\\/("),
        ("a\n\t\r(", "a\n\t\r("),
        ("a\0\x1B\x7F(", "a\\x00\\x1B\\x7F("),
        ("\\\\/(", "\\\\\\/("),
        ("(\\", "(\\"),
        ("é(", "é("),
        ("é/(", "\\u00E9\\/("),
        ("\\é/(", "\\é\\/("),
        ("\u{1F600}\n(", "\\u{1F600}\n("),
    ] {
        assert_eq!(display_pattern(pattern), as_shown, "{pattern:?}");
    }
}

#[test]
fn nests_no_deeper_than_ruby_does() {
    let nested = |opening: &str, count: usize| check(&(opening.repeat(count) + &")".repeat(count)));
    assert_eq!(nested("(?:", 4095), Ok(()));
    let too_deep = nested("(?:", 4096).err().map(|error| error.message);
    assert_eq!(too_deep.as_deref(), Some("parse depth limit over"));
    assert_eq!(check(&"()".repeat(32767)), Ok(()));
    let too_many = check(&"()".repeat(32768)).err().map(|error| error.message);
    assert_eq!(too_many.as_deref(), Some("too many capture groups are specified"));
}

/// None of these may take a long time, or the stack of a thread.
#[test]
fn bears_long_patterns() {
    let count = 100_000;
    let calls = |count: u32| -> String {
        (0..count)
            .map(|group| format!("(?<g{group}>a\\g<g{}>\\g<g{}>|b)", (group + 1) % count, (group + 2) % count))
            .collect()
    };
    let mut patterns: Vec<String> =
        ["(", "[", "[a", "(?<=", "(?i)", "\\k<a", "[:", "[]", "a{2}", "\\p{", "(?#", "a|", "(?<a>"]
            .iter()
            .map(|part| part.repeat(count))
            .collect();
    patterns.push(format!("a{}", "{2}".repeat(count)));
    patterns.push(format!("a{}", "*+".repeat(count)));
    patterns.push(format!("[{}:]]", "[:".repeat(count)));
    patterns.push(format!("{}a{}", "(?<=".repeat(4000), ")".repeat(4000)));
    patterns.push(calls(2000));
    patterns.push(format!("{}{}", "(?<n>a)".repeat(30_000), "\\k<n>".repeat(count)));
    for pattern in patterns {
        let _ = check(&pattern);
    }
}

//! What Ruby 3.1 matches, as it matched it.

use super::{Options, Regex, StepLimit};

type Span = Option<(usize, usize)>;

/// Pattern, options (1 ignore case, 2 extended, 4 multi-line), text, start, and what Ruby matched.
#[rustfmt::skip]
const MATCHES: &[(&str, u32, &str, usize, &[Span])] = &[
    ("a|ab", 0, "abc", 0, &[Some((0, 1))]),
    ("(a|ab)(c|bcd)(d*)", 0, "abcd", 0, &[Some((0, 4)), Some((0, 1)), Some((1, 4)), Some((4, 4))]),
    ("a*?b", 0, "aab", 0, &[Some((0, 3))]),
    ("a*+a", 0, "aaa", 0, &[]),
    ("(?>a+)b", 0, "aab", 0, &[Some((0, 3))]),
    ("a{2,3}+b", 0, "aaaaab", 0, &[Some((0, 6))]),
    ("a{,2}", 0, "aaa", 0, &[Some((0, 2))]),
    ("a{2}?", 0, "aa", 0, &[Some((0, 2))]),
    ("(?:a{1,2}){2}", 0, "aaa", 0, &[Some((0, 3))]),
    ("(?=ab)a", 0, "ab", 0, &[Some((0, 1))]),
    ("(?!ab)a", 0, "abac", 0, &[Some((2, 3))]),
    ("(?<=a|bc)d", 0, "bcd", 0, &[Some((2, 3))]),
    ("(?<!a)b", 0, "abcb", 0, &[Some((3, 4))]),
    ("(?<=\u{E9})x", 0, "\u{E9}x", 0, &[Some((2, 3))]),
    ("(?<x>a)(b)", 0, "ab", 0, &[Some((0, 2)), Some((0, 1))]),
    ("(?<n>a)|(?<n>b)", 0, "b", 0, &[Some((0, 1)), None, Some((0, 1))]),
    ("(?<n>a)(?<n>b)\\k<n>", 0, "abb", 0, &[Some((0, 3)), Some((0, 1)), Some((1, 2))]),
    ("(a)\\1", 0, "aa", 0, &[Some((0, 2)), Some((0, 1))]),
    ("(a)(b)\\k<-1>", 0, "abb", 0, &[Some((0, 3)), Some((0, 1)), Some((1, 2))]),
    ("\\((?:[^()]|\\g<0>)*\\)", 0, "x(a(b)c)", 0, &[Some((1, 8))]),
    ("(?<p>\\((?:[^()]|\\g<p>)*\\))", 0, "x(a(b)c)", 0, &[Some((1, 8)), Some((1, 8))]),
    ("\\A(?<p>|.|(?:(?<c>.)\\g<p>\\k<c+0>))\\z", 0, "reviver", 0, &[Some((0, 7)), Some((0, 7)), Some((2, 3))]),
    ("(a)?(?(1)b|c)", 0, "ab", 0, &[Some((0, 2)), Some((0, 1))]),
    ("(a)?(?(1)b|c)", 0, "c", 0, &[Some((0, 1)), None]),
    ("(a)?(?(1)(?i)b|c)", 0, "aC", 0, &[Some((0, 2)), Some((0, 1))]),
    ("(a)?(?(1)(?i:b|c))d", 0, "d", 0, &[Some((0, 1)), None]),
    ("(a)?(?(1)\u{DF})d", 1, "assd", 0, &[Some((0, 4)), Some((0, 1))]),
    ("(?<+2>a)(?<b>b)\\k<+2>", 0, "aba", 0, &[Some((0, 3)), Some((0, 1)), Some((1, 2))]),
    ("(b)(a\\g<+-1>?)", 0, "baa", 0, &[Some((0, 3)), Some((0, 1)), Some((1, 3))]),
    ("(a)\\g<0-1>", 0, "aa", 0, &[Some((0, 2)), Some((1, 2))]),
    ("(?<n>a)\\g<0n>", 0, "aa", 0, &[Some((0, 2)), Some((1, 2))]),
    ("\\g<1>x[[:abcdefghijklmnopqrstu:](a)", 0, "ax[a", 0, &[Some((0, 4)), Some((3, 4))]),
    ("[[:^abcdefghijklmnopqrstu:]]", 0, "[]", 0, &[Some((0, 2))]),
    ("(?<n>x)?(?<=(a|bc))d", 0, "bcd", 0, &[Some((2, 3)), None]),
    ("(?<n>x)?(?<!(a|bc))d", 0, "bcd", 0, &[]),
    ("(?<n>a)?(?(<n>)(b|c))d", 0, "cd", 0, &[Some((1, 2)), None]),
    ("a\\Kb", 0, "ab", 0, &[Some((1, 2))]),
    ("(?~ab)", 0, "xxabx", 0, &[Some((0, 3))]),
    ("/\\*(?~\\*/)\\*/", 0, "/* a */ b */", 0, &[Some((0, 7))]),
    ("^b$", 0, "a\nb\nc", 0, &[Some((2, 3))]),
    ("\\Ab", 0, "a\nb", 0, &[]),
    ("a\\Z", 0, "a\n", 0, &[Some((0, 1))]),
    ("a\\z", 0, "a\n", 0, &[]),
    ("^\\z", 0, "a\n", 0, &[]),
    ("$", 0, "\n", 0, &[Some((0, 0))]),
    ("\\b\u{E9}\\b", 0, "x\u{E9} \u{E9}", 0, &[Some((4, 6))]),
    ("\\G.", 0, "abc", 1, &[Some((1, 2))]),
    ("^b", 0, "ab", 1, &[]),
    ("(?<=a)b", 0, "ab", 1, &[Some((1, 2))]),
    ("\\w+", 0, "\u{E9}a1", 0, &[Some((2, 4))]),
    ("(?u)\\w+", 0, "\u{E9}a1", 0, &[Some((0, 4))]),
    ("(?a)[[:alpha:]]+", 0, "\u{E9}a", 0, &[Some((2, 3))]),
    ("[[:alpha:]]+", 0, "1\u{E9}a", 0, &[Some((1, 4))]),
    ("\\d+", 0, "\u{663}3", 0, &[Some((2, 3))]),
    ("(?u)\\d", 0, "\u{663}", 0, &[Some((0, 2))]),
    ("\\h+", 0, "xyzAf0", 0, &[Some((3, 6))]),
    ("\\R", 0, "a\r\n", 0, &[Some((1, 3))]),
    ("\\X", 0, "e\u{301}x", 0, &[Some((0, 3))]),
    ("\\p{Greek}+", 0, "a\u{3B1}\u{3B2}", 0, &[Some((1, 5))]),
    ("\\p{^Alpha}", 0, "a1", 0, &[Some((1, 2))]),
    ("\\p{InCyrillic}", 0, "a\u{436}", 0, &[Some((1, 3))]),
    ("[a-z&&[^aeiou]]+", 0, "aeixyz", 0, &[Some((3, 6))]),
    ("[a-c[x-z]]+", 0, "qaxz", 0, &[Some((1, 4))]),
    ("[^\\s]+", 0, " ab", 0, &[Some((1, 3))]),
    ("[]a]+", 0, "a]", 0, &[Some((0, 2))]),
    ("[a-]+", 0, "-a", 0, &[Some((0, 2))]),
    ("[a-[b]]+", 0, "abb", 0, &[Some((1, 3))]),
    ("ABC", 1, "xabc", 0, &[Some((1, 4))]),
    ("\u{E9}", 1, "\u{C9}", 0, &[Some((0, 2))]),
    ("\u{DF}", 1, "SS", 0, &[Some((0, 2))]),
    ("ss", 1, "\u{DF}", 0, &[Some((0, 2))]),
    ("[^\u{E9}]", 1, "\u{C9}", 0, &[Some((0, 2))]),
    ("\\u212A", 1, "k", 0, &[Some((0, 1))]),
    ("\\w", 1, "\u{212A}", 0, &[]),
    ("(a)\\1", 1, "aA", 0, &[Some((0, 2)), Some((0, 1))]),
    ("a(?i)b|c", 0, "aB", 0, &[Some((0, 2))]),
    ("a(?i:b)c", 0, "aBc", 0, &[Some((0, 3))]),
    ("a b # c\n c", 2, "abc", 0, &[Some((0, 3))]),
    ("a.c", 0, "a\nc", 0, &[]),
    ("a.c", 4, "a\nc", 0, &[Some((0, 3))]),
    ("(?m:a.c)", 0, "a\nc", 0, &[Some((0, 3))]),
    ("a(?#b)c", 0, "ac", 0, &[Some((0, 2))]),
    ("(a*)*", 0, "aa", 0, &[Some((0, 2)), Some((2, 2))]),
    ("(a|)*b", 0, "aab", 0, &[Some((0, 3)), Some((2, 2))]),
    ("(?:(A?|s)k?){2,}", 0, "k", 0, &[Some((0, 1)), Some((0, 0))]),
    ("(?:(a)|b)*", 0, "ab", 0, &[Some((0, 2)), Some((0, 1))]),
    ("(|a)+", 0, "aa", 0, &[Some((0, 0)), Some((0, 0))]),
    ("(a?)*?b", 0, "aab", 0, &[Some((0, 3)), Some((1, 2))]),
    ("(a|b\\1)+", 0, "aba", 0, &[Some((0, 1)), Some((0, 1))]),
    ("x*", 0, "aaa", 0, &[Some((0, 0))]),
    ("(?:a?){3}a", 0, "aaa", 0, &[Some((0, 3))]),
    ("^[a-z]+$", 0, "hello", 0, &[Some((0, 5))]),
    ("\\A([^:]+):(\\d+)\\z", 0, "host:80", 0, &[Some((0, 7)), Some((0, 4)), Some((5, 7))]),
    ("^(\\d+)\\.(\\d+)(?:\\.(\\d+))?", 0, "7.23.0", 0, &[Some((0, 6)), Some((0, 1)), Some((2, 4)), Some((5, 6))]),
    ("(?i:centos|redhat)", 0, "RedHat", 0, &[Some((0, 6))]),
    ("\\xC3\\xA9", 0, "\u{E9}", 0, &[Some((0, 2))]),
    ("\\u{61 62}", 0, "ab", 0, &[Some((0, 2))]),
    ("\\101", 0, "A", 0, &[Some((0, 1))]),
    ("\\n", 0, "\n", 0, &[Some((0, 1))]),
    ("[^a-z]+", 0, "ab\u{E9}\u{4E00}--c", 0, &[Some((2, 9))]),
    ("[^\u{E9}]+", 0, "\u{E9}x\u{4E00}\u{E9}", 0, &[Some((2, 6))]),
    ("[\u{80}-\u{10FFFF}]+", 0, "a\u{E9}\u{4E00}b", 0, &[Some((1, 6))]),
    ("[\u{81}-\u{10FFFF}]+", 0, "\u{80}\u{81}", 0, &[Some((2, 4))]),
    ("[\u{E9}]+", 0, "a\u{E9}\u{E9}\u{E8}", 0, &[Some((1, 5))]),
    ("[a-z]+", 0, "--", 0, &[]),
    ("[a-z]+", 0, "abcd", 2, &[Some((2, 4))]),
    ("[a-z]+?", 0, "abc", 0, &[Some((0, 1))]),
    ("\\s+", 0, " a \n b", 1, &[Some((2, 5))]),
    ("[^a-z]{2,}", 0, "a1b23", 0, &[Some((3, 5))]),
];

fn options(bits: u32) -> Options {
    Options { ignore_case: bits & 1 != 0, extended: bits & 2 != 0, multi_line: bits & 4 != 0 }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern, Options::default()).unwrap()
}

#[test]
fn both_engines_match_as_ruby_does() {
    for (pattern, bits, text, start, expected) in MATCHES {
        let regex = Regex::new(pattern, options(*bits)).unwrap();
        let spans = |captures: &super::Captures| (0..captures.len()).map(|at| captures.get(at)).collect::<Vec<_>>();
        let found = regex.find_at(text, *start).unwrap();
        assert_eq!(found.as_ref().map(spans).unwrap_or_default(), *expected, "{pattern:?} {text:?}");
        assert_eq!(regex.find_span_at(text, *start), Ok(expected.first().copied().flatten()), "{pattern:?} {text:?}");
        if let Some(linear) = super::Linear::from_tree(&regex.tree).filter(|linear| linear.takes(text)) {
            let found = linear.find_at(text, *start, regex.group_count());
            assert_eq!(found.unwrap_or_default(), *expected, "linear: {pattern:?} {text:?}");
        }
    }
}

#[test]
fn names_are_in_order_of_appearance() {
    let regex = regex("(?<b>x)(y)(?<a>z)(?<b>w)");
    assert_eq!(regex.group_count(), 3);
    assert_eq!(regex.group_names(), [("b".to_owned(), vec![1, 3]), ("a".to_owned(), vec![2])]);
}

#[test]
fn what_ruby_refuses_is_refused_in_its_words() {
    let error = Regex::new("(a", Options::default()).unwrap_err();
    assert_eq!(error.message, "end pattern with unmatched parenthesis");
    let extended = Options { extended: true, ..Options::default() };
    assert!(Regex::new("a # (", extended).is_ok());
}

#[test]
fn what_would_explode_is_taken_over() {
    let text = "a".repeat(5_000) + "b";
    assert_eq!(regex("(a+)+$").is_match(&text), Ok(false));
    assert_eq!(regex("(?:a|a)*c").is_match(&text), Ok(false));
}

#[test]
fn what_cannot_be_taken_over_ends_at_a_limit() {
    let text = "a".repeat(60) + "b";
    assert_eq!(regex("(a+)+(?=c)").is_match(&text), Err(StepLimit));
    assert_eq!(regex("(?<r>a\\g<r>?)+(?=c)").is_match(&"a".repeat(5_000)), Err(StepLimit));
}

#[test]
fn deep_patterns_take_no_stack() {
    let deep = "(?:".repeat(4_000) + "a" + &")?".repeat(4_000);
    assert_eq!(regex(&deep).is_match("a"), Ok(true));
    let stacked = "a".to_owned() + &"{2}".repeat(20_000);
    assert_eq!(regex(&stacked).is_match("b"), Ok(false));
}

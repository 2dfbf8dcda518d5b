//! Case folding: which characters and strings are the same but for case.

use regex_syntax::hir::ClassUnicode;

use super::charset::{self, single};
use super::tree::{Node, NodeId, Tree};

/// Adds to a set what differs from it only in case, one character for one.
fn fold_set(set: &mut ClassUnicode) {
    // Only a build without the tables of Unicode can fail here, and this is none.
    let _ = set.try_case_fold_simple();
}

/// ASCII letters that fold together with one beyond ASCII: the Kelvin sign and the long s.
const BRIDGES: [(char, char, char); 2] = [('k', 'K', '\u{212A}'), ('s', 'S', '\u{17F}')];

/// As `fold_set`, for a class. ASCII and the rest are the same only for what `exact` holds: what
/// the class says but for `\w`.
pub(super) fn fold_class(set: &mut ClassUnicode, exact: &ClassUnicode) {
    let before = set.clone();
    fold_set(set);
    let mut wrong = Vec::new();
    // Ruby notes the characters of Latin-1 that folding adds where it never looks for them.
    let mut lost = charset::from_ranges(&[('\u{80}', '\u{FF}')]);
    lost.difference(&before);
    set.difference(&lost);
    for (lower, upper, wide) in BRIDGES {
        let held = |character| contains(&before, character);
        if !held(wide) && !contains(exact, lower) && !contains(exact, upper) {
            wrong.push(wide);
        }
        if !held(lower) && !held(upper) && !contains(exact, wide) {
            wrong.extend([lower, upper]);
        }
    }
    for character in wrong {
        set.difference(&single(character));
    }
}

pub(super) fn contains(set: &ClassUnicode, character: char) -> bool {
    let ranges = set.ranges();
    let at = ranges.partition_point(|range| range.end() < character);
    ranges.get(at).is_some_and(|range| range.start() <= character)
}

/// Returns the least of the characters that are the same but for case: one name for all of them.
pub(super) fn representative(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_uppercase();
    }
    let mut set = single(character);
    fold_set(&mut set);
    set.ranges().first().map_or(character, |range| range.start())
}

/// Returns the node of one character in any case.
fn either_case(tree: &mut Tree, character: char) -> NodeId {
    let mut set = single(character);
    fold_set(&mut set);
    match set.ranges() {
        [only] if only.start() == only.end() => tree.add(Node::Char(character)),
        _ => tree.add_set(set),
    }
}

/// Returns the node of a string in any case, one character for one.
fn string(tree: &mut Tree, text: &str) -> NodeId {
    let parts = text.chars().map(|character| either_case(tree, character)).collect();
    tree.list(parts)
}

/// Returns the string a character folds to, where that is more than one character.
fn long_fold(character: char) -> Option<&'static str> {
    let at = LONG_FOLDS.binary_search_by_key(&character, |fold| fold.0).ok()?;
    Some(LONG_FOLDS[at].1)
}

/// A set, and the strings some of its characters fold to.
pub(super) fn with_strings(tree: &mut Tree, set: ClassUnicode) -> NodeId {
    let strings: Vec<&str> = LONG_FOLDS.iter().filter(|fold| contains(&set, fold.0)).map(|fold| fold.1).collect();
    let set = tree.add_set(set);
    if strings.is_empty() {
        return set;
    }
    let mut branches = vec![set];
    for text in strings {
        // In turn, one character may be the same as the string.
        let (run, mut parts) = (text.chars().collect::<Vec<_>>(), Vec::new());
        add_run(tree, &run, &mut parts);
        branches.push(tree.list(parts));
    }
    tree.add(Node::Alternatives(branches))
}

/// Adds the parts that match a run of characters in any case.
pub(super) fn add_run(tree: &mut Tree, characters: &[char], parts: &mut Vec<NodeId>) {
    let mut at = 0;
    while at < characters.len() {
        let (node, length) = part(tree, &characters[at..]);
        parts.push(node);
        at += length;
    }
}

/// The node for the first characters of a run, and how many these are.
///
/// Where two or three of them are what one character folds to, either will do.
fn part(tree: &mut Tree, run: &[char]) -> (NodeId, usize) {
    if let Some(text) = long_fold(run[0]) {
        let short = same_fold(text);
        let mut branches = vec![tree.add_set(short)];
        branches.push(string(tree, text));
        return (tree.add(Node::Alternatives(branches)), 1);
    }
    for length in [3, 2] {
        let Some(head) = run.get(..length) else { continue };
        let Some((_, text)) = LONG_FOLDS.iter().find(|fold| same_but_for_case(fold.1, head)) else { continue };
        let short = same_fold(text);
        let long = string(tree, text);
        let branches = vec![long, tree.add_set(short)];
        return (tree.add(Node::Alternatives(branches)), length);
    }
    (either_case(tree, run[0]), 1)
}

/// Returns the characters that fold to a string.
fn same_fold(text: &str) -> ClassUnicode {
    let mut set = ClassUnicode::empty();
    for fold in LONG_FOLDS.iter().filter(|fold| fold.1 == text) {
        set.union(&single(fold.0));
    }
    set
}

fn same_but_for_case(text: &str, characters: &[char]) -> bool {
    let mut count = 0;
    text.chars().zip(characters).all(|(left, right)| {
        count += 1;
        left == *right || representative(left) == representative(*right)
    }) && count == characters.len()
        && text.chars().count() == count
}

/// What folds to more than one character, by Unicode 13.
#[rustfmt::skip]
const LONG_FOLDS: [(char, &str); 104] = [
    ('\u{DF}', "ss"), ('\u{130}', "i\u{307}"), ('\u{149}', "\u{2BC}n"), ('\u{1F0}', "j\u{30C}"),
    ('\u{390}', "\u{3B9}\u{308}\u{301}"), ('\u{3B0}', "\u{3C5}\u{308}\u{301}"), ('\u{587}', "\u{565}\u{582}"),
    ('\u{1E96}', "h\u{331}"), ('\u{1E97}', "t\u{308}"), ('\u{1E98}', "w\u{30A}"), ('\u{1E99}', "y\u{30A}"),
    ('\u{1E9A}', "a\u{2BE}"), ('\u{1E9E}', "ss"), ('\u{1F50}', "\u{3C5}\u{313}"),
    ('\u{1F52}', "\u{3C5}\u{313}\u{300}"), ('\u{1F54}', "\u{3C5}\u{313}\u{301}"),
    ('\u{1F56}', "\u{3C5}\u{313}\u{342}"), ('\u{1F80}', "\u{1F00}\u{3B9}"), ('\u{1F81}', "\u{1F01}\u{3B9}"),
    ('\u{1F82}', "\u{1F02}\u{3B9}"), ('\u{1F83}', "\u{1F03}\u{3B9}"), ('\u{1F84}', "\u{1F04}\u{3B9}"),
    ('\u{1F85}', "\u{1F05}\u{3B9}"), ('\u{1F86}', "\u{1F06}\u{3B9}"), ('\u{1F87}', "\u{1F07}\u{3B9}"),
    ('\u{1F88}', "\u{1F00}\u{3B9}"), ('\u{1F89}', "\u{1F01}\u{3B9}"), ('\u{1F8A}', "\u{1F02}\u{3B9}"),
    ('\u{1F8B}', "\u{1F03}\u{3B9}"), ('\u{1F8C}', "\u{1F04}\u{3B9}"), ('\u{1F8D}', "\u{1F05}\u{3B9}"),
    ('\u{1F8E}', "\u{1F06}\u{3B9}"), ('\u{1F8F}', "\u{1F07}\u{3B9}"), ('\u{1F90}', "\u{1F20}\u{3B9}"),
    ('\u{1F91}', "\u{1F21}\u{3B9}"), ('\u{1F92}', "\u{1F22}\u{3B9}"), ('\u{1F93}', "\u{1F23}\u{3B9}"),
    ('\u{1F94}', "\u{1F24}\u{3B9}"), ('\u{1F95}', "\u{1F25}\u{3B9}"), ('\u{1F96}', "\u{1F26}\u{3B9}"),
    ('\u{1F97}', "\u{1F27}\u{3B9}"), ('\u{1F98}', "\u{1F20}\u{3B9}"), ('\u{1F99}', "\u{1F21}\u{3B9}"),
    ('\u{1F9A}', "\u{1F22}\u{3B9}"), ('\u{1F9B}', "\u{1F23}\u{3B9}"), ('\u{1F9C}', "\u{1F24}\u{3B9}"),
    ('\u{1F9D}', "\u{1F25}\u{3B9}"), ('\u{1F9E}', "\u{1F26}\u{3B9}"), ('\u{1F9F}', "\u{1F27}\u{3B9}"),
    ('\u{1FA0}', "\u{1F60}\u{3B9}"), ('\u{1FA1}', "\u{1F61}\u{3B9}"), ('\u{1FA2}', "\u{1F62}\u{3B9}"),
    ('\u{1FA3}', "\u{1F63}\u{3B9}"), ('\u{1FA4}', "\u{1F64}\u{3B9}"), ('\u{1FA5}', "\u{1F65}\u{3B9}"),
    ('\u{1FA6}', "\u{1F66}\u{3B9}"), ('\u{1FA7}', "\u{1F67}\u{3B9}"), ('\u{1FA8}', "\u{1F60}\u{3B9}"),
    ('\u{1FA9}', "\u{1F61}\u{3B9}"), ('\u{1FAA}', "\u{1F62}\u{3B9}"), ('\u{1FAB}', "\u{1F63}\u{3B9}"),
    ('\u{1FAC}', "\u{1F64}\u{3B9}"), ('\u{1FAD}', "\u{1F65}\u{3B9}"), ('\u{1FAE}', "\u{1F66}\u{3B9}"),
    ('\u{1FAF}', "\u{1F67}\u{3B9}"), ('\u{1FB2}', "\u{1F70}\u{3B9}"), ('\u{1FB3}', "\u{3B1}\u{3B9}"),
    ('\u{1FB4}', "\u{3AC}\u{3B9}"), ('\u{1FB6}', "\u{3B1}\u{342}"), ('\u{1FB7}', "\u{3B1}\u{342}\u{3B9}"),
    ('\u{1FBC}', "\u{3B1}\u{3B9}"), ('\u{1FC2}', "\u{1F74}\u{3B9}"), ('\u{1FC3}', "\u{3B7}\u{3B9}"),
    ('\u{1FC4}', "\u{3AE}\u{3B9}"), ('\u{1FC6}', "\u{3B7}\u{342}"), ('\u{1FC7}', "\u{3B7}\u{342}\u{3B9}"),
    ('\u{1FCC}', "\u{3B7}\u{3B9}"), ('\u{1FD2}', "\u{3B9}\u{308}\u{300}"), ('\u{1FD3}', "\u{3B9}\u{308}\u{301}"),
    ('\u{1FD6}', "\u{3B9}\u{342}"), ('\u{1FD7}', "\u{3B9}\u{308}\u{342}"), ('\u{1FE2}', "\u{3C5}\u{308}\u{300}"),
    ('\u{1FE3}', "\u{3C5}\u{308}\u{301}"), ('\u{1FE4}', "\u{3C1}\u{313}"), ('\u{1FE6}', "\u{3C5}\u{342}"),
    ('\u{1FE7}', "\u{3C5}\u{308}\u{342}"), ('\u{1FF2}', "\u{1F7C}\u{3B9}"), ('\u{1FF3}', "\u{3C9}\u{3B9}"),
    ('\u{1FF4}', "\u{3CE}\u{3B9}"), ('\u{1FF6}', "\u{3C9}\u{342}"), ('\u{1FF7}', "\u{3C9}\u{342}\u{3B9}"),
    ('\u{1FFC}', "\u{3C9}\u{3B9}"), ('\u{FB00}', "ff"), ('\u{FB01}', "fi"), ('\u{FB02}', "fl"),
    ('\u{FB03}', "ffi"), ('\u{FB04}', "ffl"), ('\u{FB05}', "st"), ('\u{FB06}', "st"),
    ('\u{FB13}', "\u{574}\u{576}"), ('\u{FB14}', "\u{574}\u{565}"), ('\u{FB15}', "\u{574}\u{56B}"),
    ('\u{FB16}', "\u{57E}\u{576}"), ('\u{FB17}', "\u{574}\u{56D}"),
];

//! What `\R` and `\X` stand for.

use regex_syntax::hir::ClassUnicode;

use crate::charset;
use crate::tree::{Node, NodeId, Tree};

/// `(?>\r\n|[\n-\r\u{85}\u{2028}\u{2029}])`.
pub(super) fn line_break(tree: &mut Tree) -> NodeId {
    let pair = carriage_return_and_line_feed(tree);
    let ranges = [('\n', '\r'), ('\u{85}', '\u{85}'), ('\u{2028}', '\u{2029}')];
    let one = tree.add_set(charset::from_ranges(&ranges));
    atomic(tree, vec![pair, one])
}

/// `\X`, as Ruby 3.1 spells it out:
///
/// ```text
/// (?>\x0D\x0A
///   | [\p{gcb=control}\p{gcb=cr}\p{gcb=lf}]
///   | \p{gcb=prepend}*
///     (?: \p{gcb=l}* (?: \p{gcb=v}+ | \p{gcb=lv} \p{gcb=v}* | \p{gcb=lvt} ) \p{gcb=t}*
///       | \p{gcb=l}+ | \p{gcb=t}+
///       | \p{gcb=regionalindicator}{2}
///       | \p{extendedpictographic} (?: \p{gcb=extend}* \p{gcb=zwj} \p{extendedpictographic} )*
///       | [^\p{gcb=control}\p{gcb=cr}\p{gcb=lf}] )
///     [\p{gcb=extend}\p{gcb=zwj}\p{gcb=spacingmark}]*
///   | (?m:.) )
/// ```
pub(super) fn cluster(tree: &mut Tree) -> NodeId {
    let pair = carriage_return_and_line_feed(tree);
    let mut controls = joined(&["gcb=control", "gcb=cr", "gcb=lf"]);
    let control = tree.add_set(controls.clone());
    controls.negate();
    let core = [hangul_syllable(tree), some(tree, "gcb=l", 1), some(tree, "gcb=t", 1)];
    let flag = one(tree, "gcb=regionalindicator");
    let flag = tree.add(Node::Repeat { low: 2, high: Some(2), greedy: true, body: flag });
    let emoji = emoji_sequence(tree);
    let other = tree.add_set(controls);
    let core = tree.add(Node::Alternatives([&core[..], &[flag, emoji, other]].concat()));
    let prepended = some(tree, "gcb=prepend", 0);
    let marks = tree.add_set(joined(&["gcb=extend", "gcb=zwj", "gcb=spacingmark"]));
    let marks = tree.add(Node::Repeat { low: 0, high: None, greedy: true, body: marks });
    let cluster = tree.add(Node::List(vec![prepended, core, marks]));
    let any = tree.add(Node::Any { newline: true });
    atomic(tree, vec![pair, control, cluster, any])
}

fn hangul_syllable(tree: &mut Tree) -> NodeId {
    let vowels = some(tree, "gcb=v", 1);
    let open = [one(tree, "gcb=lv"), some(tree, "gcb=v", 0)];
    let open = tree.add(Node::List(open.into()));
    let closed = one(tree, "gcb=lvt");
    let middle = tree.add(Node::Alternatives(vec![vowels, open, closed]));
    let syllable = [some(tree, "gcb=l", 0), middle, some(tree, "gcb=t", 0)];
    tree.add(Node::List(syllable.into()))
}

fn emoji_sequence(tree: &mut Tree) -> NodeId {
    let joint = [some(tree, "gcb=extend", 0), one(tree, "gcb=zwj"), one(tree, "extendedpictographic")];
    let joint = tree.add(Node::List(joint.into()));
    let sequence =
        [one(tree, "extendedpictographic"), tree.add(Node::Repeat { low: 0, high: None, greedy: true, body: joint })];
    tree.add(Node::List(sequence.into()))
}

fn carriage_return_and_line_feed(tree: &mut Tree) -> NodeId {
    let pair = ['\r', '\n'].map(|character| tree.add(Node::Char(character)));
    tree.add(Node::List(pair.into()))
}

fn atomic(tree: &mut Tree, branches: Vec<NodeId>) -> NodeId {
    let body = tree.add(Node::Alternatives(branches));
    tree.add(Node::Atomic(body))
}

/// Returns a character of a property.
fn one(tree: &mut Tree, property: &str) -> NodeId {
    tree.add_set(charset::property(property))
}

/// At least so many characters of a property.
fn some(tree: &mut Tree, property: &str, low: u32) -> NodeId {
    let body = one(tree, property);
    tree.add(Node::Repeat { low, high: None, greedy: true, body })
}

fn joined(properties: &[&str]) -> ClassUnicode {
    let mut set = ClassUnicode::empty();
    for property in properties {
        set.union(&charset::property(property));
    }
    set
}

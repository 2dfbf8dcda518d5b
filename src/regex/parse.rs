//! From a pattern that Ruby takes to its tree.
//!
//! The syntax room has checked the pattern: what it refuses never gets here, so that nothing is
//! complained of twice. Where the parser still meets what cannot be, it reads on as if it were text.

use pantin_base::stack::with_room;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::Options;
use super::charset;
use super::fold;
use super::tree::{Assertion, Node, NodeId, Tree};

/// Which characters `\w`, `\d`, `\s`, `\b` and POSIX brackets go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// ASCII for the escapes, Unicode for `\b` and POSIX brackets.
    Ruby,
    Ascii,
    Unicode,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    multi_line: bool,
    extended: bool,
    pub(super) alphabet: Alphabet,
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a [char],
    pub(super) pos: usize,
    pub(super) tree: Tree,
    pub(super) flags: Flags,
    /// Of each group by number, whether it has a name.
    pub(super) named: Vec<bool>,
    /// Calls by name, which may be of groups still to come.
    pub(super) calls: Vec<(NodeId, String)>,
}

/// Parses the characters of a checked pattern.
pub(super) fn parse(text: &[char], options: Options) -> Tree {
    let Options { ignore_case, multi_line, extended } = options;
    let flags = Flags { ignore_case, multi_line, extended, alphabet: Alphabet::Ruby };
    let mut parser = Parser { text, pos: 0, tree: Tree::default(), flags, named: vec![true], calls: Vec::new() };
    parser.tree.root = parser.alternatives();
    let Parser { mut tree, named, calls, .. } = parser;
    for (node, name) in calls {
        let group = tree.names.iter().find(|known| known.0 == name).and_then(|known| known.1.first());
        tree.nodes[node as usize] = group.map_or(Node::Empty, |group| Node::Call(*group as u32));
    }
    tree.groups = named.len() as u32 - 1;
    if !tree.names.is_empty() && named.contains(&false) {
        tree.drop_nameless(&named);
    }
    tree
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.pos).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.pos += 1;
        Some(character)
    }

    pub(super) fn skip(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.pos += usize::from(found);
        found
    }

    /// Up to `most` digits of a base.
    pub(super) fn digits(&mut self, most: usize, base: u32) -> u32 {
        let mut value = 0u32;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|character| character.to_digit(base)) else { break };
            self.pos += 1;
            value = value.saturating_mul(base).saturating_add(digit);
        }
        value
    }

    /// Alternatives, up to a closing parenthesis or the end.
    pub(super) fn alternatives(&mut self) -> NodeId {
        with_room(|| {
            let mut branches = vec![self.branch()];
            while self.skip('|') {
                branches.push(self.branch());
            }
            match branches[..] {
                [only] => only,
                _ => self.tree.add(Node::Alternatives(branches)),
            }
        })
    }

    fn branch(&mut self) -> NodeId {
        let mut parts = Vec::new();
        let mut run = fold::Run::default();
        loop {
            self.skip_filling();
            match self.peek() {
                None | Some('|' | ')') => break,
                Some(_) => {}
            }
            let flags = self.flags;
            match self.atom() {
                Atom::Character(character) => {
                    if flags.ignore_case && !self.repeat_follows() {
                        run.push(character);
                        continue;
                    }
                    run.flush(&mut self.tree, &mut parts);
                    let node = self.character(character);
                    let node = self.repeated(node);
                    parts.push(node);
                }
                Atom::Node(node) => {
                    run.flush(&mut self.tree, &mut parts);
                    let node = self.repeated(node);
                    parts.push(node);
                }
                Atom::Rest(flags) => {
                    run.flush(&mut self.tree, &mut parts);
                    let outer = std::mem::replace(&mut self.flags, flags);
                    let node = self.alternatives();
                    self.flags = outer;
                    parts.push(node);
                }
            }
        }
        run.flush(&mut self.tree, &mut parts);
        self.tree.list(parts)
    }

    /// A character that stands for itself, in any case if that is asked for.
    pub(super) fn character(&mut self, character: char) -> NodeId {
        if !self.flags.ignore_case {
            return self.tree.add(Node::Char(character));
        }
        let mut parts = Vec::new();
        let mut run = fold::Run::default();
        run.push(character);
        run.flush(&mut self.tree, &mut parts);
        self.tree.list(parts)
    }

    /// Skips comments, and blanks where the pattern is extended.
    fn skip_filling(&mut self) {
        loop {
            match self.peek() {
                Some('(') if self.text[self.pos..].starts_with(&['(', '?', '#']) => {
                    while let Some(character) = self.next() {
                        match character {
                            '\\' => self.pos += 1,
                            ')' => break,
                            _ => {}
                        }
                    }
                }
                Some('#') if self.flags.extended => while self.next().is_some_and(|character| character != '\n') {},
                Some(' ' | '\t' | '\n' | '\r' | '\x0C') if self.flags.extended => self.pos += 1,
                _ => break,
            }
        }
    }

    fn repeat_follows(&mut self) -> bool {
        self.skip_filling();
        let start = self.pos;
        let found = self.repeat().is_some();
        self.pos = start;
        found
    }

    /// What the repeats that follow make of a node.
    fn repeated(&mut self, mut body: NodeId) -> NodeId {
        loop {
            self.skip_filling();
            let Some((low, high, kind)) = self.repeat() else { return body };
            if (low, high) != (1, Some(1)) {
                let greedy = kind != Greediness::Lazy;
                body = self.nested(low, high, greedy, body);
            }
            if kind == Greediness::Possessive {
                body = self.tree.add(Node::Atomic(body));
            }
        }
    }

    /// A repeat of a node that may be one itself: `(?:a*)+` is `a*`.
    fn nested(&mut self, low: u32, high: Option<u32>, greedy: bool, body: NodeId) -> NodeId {
        if let Node::Repeat { low: inner_low @ 0..=1, high: None, greedy: inner, .. } = *self.tree.node(body)
            && inner == greedy
            && low <= 1
            && high.is_none()
        {
            let least = low.min(inner_low);
            if let Node::Repeat { low, .. } = &mut self.tree.nodes[body as usize] {
                *low = least;
            }
            return body;
        }
        self.tree.add(Node::Repeat { low, high, greedy, body })
    }

    /// A repeat operator, if one follows.
    fn repeat(&mut self) -> Option<(u32, Option<u32>, Greediness)> {
        let (low, high) = match self.peek()? {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            '{' => return self.interval(),
            _ => return None,
        };
        self.pos += 1;
        let kind = if self.skip('?') {
            Greediness::Lazy
        } else if self.skip('+') {
            Greediness::Possessive
        } else {
            Greediness::Greedy
        };
        Some((low, high, kind))
    }

    /// `{1,2}`: never possessive, and lazy only with a comma.
    fn interval(&mut self) -> Option<(u32, Option<u32>, Greediness)> {
        let start = self.pos;
        self.pos += 1;
        let before = self.pos;
        let low = self.digits(usize::MAX, 10);
        let any_low = self.pos > before;
        let (mut high, mut kind, mut valid) = (Some(low), Greediness::Greedy, any_low);
        let comma = self.skip(',');
        if comma {
            let before = self.pos;
            let most = self.digits(usize::MAX, 10);
            let any_most = self.pos > before;
            high = any_most.then_some(most);
            valid = any_low || any_most;
        }
        if !valid || !self.skip('}') {
            self.pos = start;
            return None;
        }
        if comma && self.skip('?') {
            kind = Greediness::Lazy;
        }
        Some((low, high, kind))
    }

    fn atom(&mut self) -> Atom {
        let node = match self.next() {
            Some('\\') => return self.escaped(),
            Some('(') => return self.group(),
            Some('[') => {
                let set = self.class();
                return Atom::Node(set);
            }
            Some('.') => Node::Any { newline: self.flags.multi_line },
            Some('^') => Node::Assert(Assertion::LineStart),
            Some('$') => Node::Assert(Assertion::LineEnd),
            Some(character) => return Atom::Character(character),
            None => Node::Empty,
        };
        Atom::Node(self.tree.add(node))
    }

    /// What is behind a backslash.
    fn escaped(&mut self) -> Atom {
        let Some(character) = self.next() else { return Atom::Node(self.tree.add(Node::Empty)) };
        let word =
            |boundary, alphabet| Node::Assert(Assertion::Word { boundary, unicode: alphabet != Alphabet::Ascii });
        let node = match character {
            'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => {
                let set = charset::escape(character, self.flags.alphabet);
                return Atom::Node(self.tree.add_set(set));
            }
            'b' => word(true, self.flags.alphabet),
            'B' => word(false, self.flags.alphabet),
            'A' => Node::Assert(Assertion::TextStart),
            'z' => Node::Assert(Assertion::TextEnd),
            'Z' => Node::Assert(Assertion::LastLineEnd),
            'G' => Node::Assert(Assertion::SearchStart),
            'K' => Node::Keep,
            'R' => return Atom::Node(self.within(charset::LINE_BREAK)),
            'X' => return Atom::Node(self.within(charset::CLUSTER)),
            'p' | 'P' if self.skip('{') => {
                let mut set = self.property(character == 'P');
                if self.flags.ignore_case {
                    let exact = set.clone();
                    fold::fold_class(&mut set, &exact);
                    return Atom::Node(fold::with_strings(&mut self.tree, set));
                }
                return Atom::Node(self.tree.add_set(set));
            }
            'k' if matches!(self.peek(), Some('<' | '\'')) => self.named_reference(),
            'g' if matches!(self.peek(), Some('<' | '\'')) => return Atom::Node(self.call()),
            '1'..='9' => match self.numbered_reference() {
                Some(node) => node,
                None => return Atom::Character(self.octal(character)),
            },
            _ => return Atom::Character(self.escaped_character(character)),
        };
        Atom::Node(self.tree.add(node))
    }

    /// The tree of a pattern that stands for an escape.
    fn within(&mut self, pattern: &str) -> NodeId {
        let text: Vec<char> = pattern.chars().collect();
        let flags = Flags { ignore_case: false, multi_line: true, extended: true, alphabet: Alphabet::Ruby };
        let mut parser = Parser {
            text: &text,
            pos: 0,
            tree: std::mem::take(&mut self.tree),
            flags,
            named: Vec::new(),
            calls: Vec::new(),
        };
        let node = parser.alternatives();
        self.tree = parser.tree;
        node
    }

    /// `\12`, if there are that many groups or it is one digit.
    fn numbered_reference(&mut self) -> Option<Node> {
        let start = self.pos;
        self.pos -= 1;
        let number = self.digits(usize::MAX, 10);
        if number <= 1000 && (number < self.named.len() as u32 || number <= 9) {
            return Some(self.reference(vec![number], None));
        }
        self.pos = start;
        None
    }

    pub(super) fn reference(&self, groups: Vec<u32>, level: Option<i32>) -> Node {
        Node::BackReference { groups, ignore_case: self.flags.ignore_case, level }
    }

    fn octal(&mut self, first: char) -> char {
        if first >= '8' {
            return first;
        }
        self.pos -= 1;
        char::from_u32(self.digits(3, 8)).unwrap_or(first)
    }

    /// The character an escape stands for, in a class and out of it.
    pub(super) fn escaped_character(&mut self, character: char) -> char {
        match character {
            'x' => char::from_u32(self.digits(2, 16)).unwrap_or('\0'),
            '0'..='7' => {
                self.pos -= 1;
                char::from_u32(self.digits(3, 8)).unwrap_or('\0')
            }
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\x0C',
            'v' => '\x0B',
            'a' => '\x07',
            'e' => '\x1B',
            other => other,
        }
    }

    /// A property, from behind its opening brace.
    pub(super) fn property(&mut self, negative: bool) -> ClassUnicode {
        let negative = self.skip('^') != negative;
        let mut name = String::new();
        while let Some(character) = self.next().filter(|character| *character != '}') {
            if !matches!(character, ' ' | '-' | '_') {
                name.push(character.to_ascii_lowercase());
            }
        }
        let mut set = charset::property(&name);
        if negative {
            set.negate();
        }
        set
    }

    /// The flags a group is given: `imx-imx`, from its first letter up to `:` or `)`.
    pub(super) fn flags(&mut self, first: char) -> (Flags, char) {
        let mut flags = self.flags;
        let mut on = true;
        let mut letter = first;
        loop {
            match letter {
                '-' => on = false,
                'x' => flags.extended = on,
                'i' => flags.ignore_case = on,
                'm' => flags.multi_line = on,
                'a' => flags.alphabet = Alphabet::Ascii,
                'd' => flags.alphabet = Alphabet::Ruby,
                'u' => flags.alphabet = Alphabet::Unicode,
                end => return (flags, end),
            }
            letter = self.next().unwrap_or(')');
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Greediness {
    Greedy,
    Lazy,
    Possessive,
}

pub(super) enum Atom {
    Character(char),
    Node(NodeId),
    /// Flags for the rest of the group.
    Rest(Flags),
}

/// A set of one character.
pub(super) fn single(character: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(character, character)])
}

//! What is behind an opening parenthesis, and what refers to groups.

use super::parse::{Atom, Parser};
use super::tree::{Node, NodeId};

/// The character that ends a name, for the one it starts behind.
fn closing(opening: char) -> char {
    match opening {
        '<' => '>',
        '(' => ')',
        _ => opening,
    }
}

impl Parser<'_> {
    pub(super) fn group(&mut self) -> Atom {
        if !self.skip('?') {
            return Atom::Node(self.capture(None));
        }
        let kind = self.next().unwrap_or(':');
        let look = |behind, negative| move |body| Node::Look { behind, negative, body };
        let node = match kind {
            ':' => return Atom::Node(self.body()),
            '=' => look(false, false)(self.body()),
            '!' => look(false, true)(self.body()),
            '>' => Node::Atomic(self.body()),
            '~' => Node::Absent(self.body()),
            '\'' => return Atom::Node(self.named_group('\'')),
            '<' => match self.peek() {
                Some(sign @ ('=' | '!')) => {
                    self.pos += 1;
                    look(true, sign == '!')(self.body())
                }
                _ => return Atom::Node(self.named_group('<')),
            },
            '(' => self.condition(),
            letter => {
                let (flags, end) = self.flags(letter);
                if end == ')' {
                    return Atom::Rest(flags);
                }
                let outer = std::mem::replace(&mut self.flags, flags);
                let body = self.body();
                self.flags = outer;
                return Atom::Node(body);
            }
        };
        Atom::Node(self.tree.add(node))
    }

    /// Alternatives and the parenthesis behind them, with whatever flags the rest of it was given.
    fn body(&mut self) -> NodeId {
        let body = self.alternatives();
        self.skip(')');
        body
    }

    fn named_group(&mut self, opening: char) -> NodeId {
        let name = self.name(opening, false);
        self.capture(Some(name))
    }

    fn capture(&mut self, name: Option<String>) -> NodeId {
        let number = self.named.len();
        self.named.push(name.is_some());
        if let Some(name) = name {
            match self.tree.names.iter_mut().find(|known| known.0 == name) {
                Some(known) => known.1.push(number),
                None => self.tree.names.push((name, vec![number])),
            }
        }
        let body = self.body();
        self.tree.add(Node::Group { number: number as u32, body })
    }

    /// A name up to its closing character, or only to the sign of a level.
    fn name(&mut self, opening: char, with_level: bool) -> String {
        let end = closing(opening);
        let mut name = String::new();
        while let Some(character) = self.next() {
            if character == end {
                break;
            }
            if with_level && !name.is_empty() && matches!(character, '+' | '-') {
                self.pos -= 1;
                break;
            }
            name.push(character);
        }
        name
    }

    /// The groups a name or number in angle brackets means, with its level.
    fn referred(&mut self) -> (Vec<u32>, Option<i32>) {
        let opening = self.next().unwrap_or('<');
        let name = self.name(opening, true);
        let mut level = None;
        let cut_short = self.text.get(self.pos - 1) != Some(&closing(opening));
        if let Some(sign @ ('+' | '-')) = self.peek().filter(|_| cut_short) {
            self.pos += 1;
            let value = self.digits(usize::MAX, 10) as i32;
            level = Some(if sign == '-' { -value } else { value });
            self.skip(closing(opening));
        }
        (self.groups_of(&name), level)
    }

    fn groups_of(&self, name: &str) -> Vec<u32> {
        match name.parse::<i32>() {
            Ok(number @ 1..) => vec![number as u32],
            Ok(number) => vec![(self.named.len() as u32).saturating_add_signed(number)],
            Err(_) => match self.tree.names.iter().find(|known| known.0 == name) {
                Some(known) => known.1.iter().map(|group| *group as u32).collect(),
                None => Vec::new(),
            },
        }
    }

    pub(super) fn named_reference(&mut self) -> Node {
        let (groups, level) = self.referred();
        self.reference(groups, level)
    }

    /// `(?(1)yes|no)`, from behind its second parenthesis.
    fn condition(&mut self) -> Node {
        let groups = if self.peek().is_some_and(|first| first.is_ascii_digit()) {
            let name = self.name('(', false);
            self.groups_of(&name)
        } else {
            let groups = self.referred().0;
            self.skip(')');
            groups
        };
        let body = self.body();
        let (yes, no) = match self.tree.node(body) {
            Node::Alternatives(branches) => match branches[..] {
                [yes, no] => (yes, Some(no)),
                _ => (body, None),
            },
            _ => (body, None),
        };
        let no = no.unwrap_or_else(|| self.tree.add(Node::Empty));
        Node::Condition { groups, yes, no }
    }

    /// `\g<...>`, from its opening character on.
    pub(super) fn call(&mut self) -> NodeId {
        let opening = self.next().unwrap_or('<');
        let ahead = self.skip('+');
        let name = self.name(opening, false);
        let last = self.named.len() as u32 - 1;
        let group = match name.parse::<i32>() {
            Ok(number) if ahead => last.saturating_add_signed(number),
            Ok(number @ ..0) => (last + 1).saturating_add_signed(number),
            Ok(number) => number as u32,
            Err(_) if ahead => last + 1,
            Err(_) => {
                let node = self.tree.add(Node::Empty);
                self.calls.push((node, name));
                return node;
            }
        };
        self.tree.add(Node::Call(group))
    }
}

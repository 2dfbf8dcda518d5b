//! Puppet's PN text, laid out for a reader: a node that fits stands on one line, else its parts
//! stand below it. Two texts are the same tree exactly if they are laid out the same.

const WIDTH: usize = 100;

enum Node {
    Atom(String),
    /// Brackets, and what is between them.
    Group(char, char, Vec<Node>),
}

/// Reads a PN text, however it is laid out, and lays it out.
pub(super) fn pretty(text: &str) -> Result<String, String> {
    let mut reader = Reader { rest: text };
    let node = reader.node()?;
    if !reader.rest.trim_start().is_empty() {
        return Err(format!("not a PN tree: something follows its end: {}", shorten(reader.rest)));
    }
    let mut out = String::new();
    node.write(0, 0, &mut out);
    Ok(out)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn node(&mut self) -> Result<Node, String> {
        self.rest = self.rest.trim_start();
        let close = match self.rest.chars().next() {
            None => return Err("not a PN tree: it ends too early".to_owned()),
            Some('(') => ')',
            Some('[') => ']',
            Some('{') => '}',
            Some('"') => return self.string(),
            Some(_) => return self.word(),
        };
        let open = self.rest.chars().next().unwrap_or_default();
        self.rest = &self.rest[1..];
        let mut nodes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix(close) {
                self.rest = rest;
                return Ok(Node::Group(open, close, nodes));
            }
            nodes.push(self.node()?);
        }
    }

    fn string(&mut self) -> Result<Node, String> {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Ok(self.take(at + 1)),
                _ => {}
            }
        }
        Err(format!("not a PN tree: a string does not end: {}", shorten(self.rest)))
    }

    /// A number, a name, a key such as `:body`, or an operator.
    fn word(&mut self) -> Result<Node, String> {
        let end = self.rest.find(|c: char| c.is_whitespace() || "()[]{}\"".contains(c)).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(format!("not a PN tree: {}", shorten(self.rest)));
        }
        Ok(self.take(end))
    }

    fn take(&mut self, len: usize) -> Node {
        let (word, rest) = self.rest.split_at(len);
        self.rest = rest;
        Node::Atom(word.to_owned())
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Node {
    fn flat(&self, out: &mut String) {
        match self {
            Node::Atom(text) => out.push_str(text),
            Node::Group(open, close, nodes) => {
                out.push(*open);
                for (at, node) in nodes.iter().enumerate() {
                    if at > 0 {
                        out.push(' ');
                    }
                    node.flat(out);
                }
                out.push(*close);
            }
        }
    }

    /// Whether the node takes at most `room` characters on one line.
    fn fits(&self, room: usize) -> bool {
        self.spend(room).is_some()
    }

    fn spend(&self, room: usize) -> Option<usize> {
        match self {
            Node::Atom(text) => room.checked_sub(text.chars().count()),
            Node::Group(_, _, nodes) => {
                let gaps = nodes.len().saturating_sub(1);
                nodes.iter().try_fold(room.checked_sub(2 + gaps)?, |room, node| node.spend(room))
            }
        }
    }

    fn write(&self, indent: usize, depth: usize, out: &mut String) {
        let Node::Group(open, close, nodes) = self else { return self.flat(out) };
        // Several statements stand below each other even where they would fit.
        let is_program = depth == 0 && matches!(nodes.first(), Some(Node::Atom(name)) if name == "block");
        if !is_program && self.fits(WIDTH.saturating_sub(indent)) {
            return self.flat(out);
        }
        out.push(*open);
        let mut nodes = nodes.iter().peekable();
        // The name of a call stays with its bracket; so does a short first part.
        if *open == '(' {
            if let Some(name) = nodes.next() {
                name.write(indent + 1, depth + 1, out);
            }
            if nodes.peek().is_none() {
                out.push(*close);
                return;
            }
            line(indent + 2, out);
        }
        let inner = if *open == '(' { indent + 2 } else { indent + 1 };
        let mut first = true;
        while let Some(node) = nodes.next() {
            if !first {
                line(inner, out);
            }
            first = false;
            match node {
                // A key and its value belong together.
                Node::Atom(key) if *open == '{' && key.starts_with(':') => {
                    out.push_str(key);
                    if let Some(value) = nodes.next() {
                        out.push(' ');
                        let column = inner + key.chars().count() + 1;
                        value.write(
                            if value.fits(WIDTH.saturating_sub(column)) { column } else { inner },
                            depth + 1,
                            out,
                        );
                    }
                }
                node => node.write(inner, depth + 1, out),
            }
        }
        out.push(*close);
    }
}

fn line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

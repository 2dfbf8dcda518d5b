//! From tokens to the tree of the first document, with libyaml's errors.
//!
//! Psych reads a whole document before it makes values of it: an error here comes before one there.
//! Knows nothing of what scalars and tags mean.

use pantin_base::limits;
use pantin_base::stack::with_room;

use super::scanner::{Placed, Problem, Scanner, Token};
use super::text::Mark;

#[derive(Debug)]
pub(super) struct Node {
    pub(super) content: Content,
    /// The full name, where one is given; never `!`.
    pub(super) tag: Option<String>,
    pub(super) anchor: Option<String>,
    pub(super) mark: Mark,
}

#[derive(Debug)]
pub(super) enum Content {
    /// `is_text`: in quotes or in a block, and without a tag.
    Scalar {
        text: String,
        is_text: bool,
    },
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
    Alias(String),
}

impl Node {
    /// Returns the first alias in it, in the order of the text.
    pub(super) fn first_alias(&self) -> Option<&str> {
        with_room(|| match &self.content {
            Content::Alias(name) => Some(name.as_str()),
            Content::Scalar { .. } => None,
            Content::Sequence(items) => items.iter().find_map(Node::first_alias),
            Content::Mapping(entries) => {
                entries.iter().find_map(|(key, value)| key.first_alias().or_else(|| value.first_alias()))
            }
        })
    }
}

/// Where and why reading ended early.
#[derive(Debug)]
pub(super) enum Failure {
    Syntax(Problem),
    TooDeep(Mark),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Syntax(problem)
    }
}

type Result<T> = std::result::Result<T, Failure>;

/// Returns the root of the first document, if there is a document.
pub(super) fn parse(bytes: &[u8]) -> Result<Option<Node>> {
    let mut parser = Parser { scanner: Scanner::new(bytes), handles: Vec::new(), depth: 0 };
    parser.document()
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    /// What each handle of a tag stands for.
    handles: Vec<(String, String)>,
    depth: u32,
}

fn fail<T>(context: &'static str, mark: Mark, text: &'static str) -> Result<T> {
    Err(Failure::Syntax(Problem { text, context: Some(context), mark }))
}

/// libyaml forgets the place of an error that has no context.
fn fail_nowhere<T>(text: &'static str) -> Result<T> {
    Err(Failure::Syntax(Problem { text, context: None, mark: Mark::default() }))
}

impl Parser<'_> {
    fn is_at(&mut self, wanted: &Token) -> Result<bool> {
        Ok(self.scanner.peek()?.token == *wanted)
    }

    fn is_at_one_of(&mut self, wanted: &[Token]) -> Result<bool> {
        let found = &self.scanner.peek()?.token;
        Ok(wanted.contains(found))
    }

    /// Takes the next token if it is that one.
    fn accept(&mut self, wanted: &Token) -> Result<bool> {
        let found = self.is_at(wanted)?;
        if found {
            self.scanner.take()?;
        }
        Ok(found)
    }

    fn mark(&mut self) -> Result<Mark> {
        Ok(self.scanner.peek()?.start)
    }

    fn document(&mut self) -> Result<Option<Node>> {
        let is_explicit = matches!(
            self.scanner.peek()?.token,
            Token::Version { .. } | Token::TagDirective { .. } | Token::DocumentStart
        );
        if self.is_at(&Token::StreamEnd)? {
            return Ok(None);
        }
        self.directives()?;
        if is_explicit && !self.accept(&Token::DocumentStart)? {
            return fail_nowhere("did not find expected <document start>");
        }
        let root = if is_explicit && self.is_document_over()? { self.nothing()? } else { self.node(true, false)? };
        // Psych has the document when what follows it is known to begin well.
        self.scanner.peek()?;
        Ok(Some(root))
    }

    fn is_document_over(&mut self) -> Result<bool> {
        Ok(matches!(
            self.scanner.peek()?.token,
            Token::Version { .. }
                | Token::TagDirective { .. }
                | Token::DocumentStart
                | Token::DocumentEnd
                | Token::StreamEnd
        ))
    }

    fn directives(&mut self) -> Result<()> {
        let mut has_version = false;
        loop {
            match &self.scanner.peek()?.token {
                Token::Version { .. } if has_version => return fail_nowhere("found duplicate %YAML directive"),
                Token::Version { major: 1, minor: 1 | 2 } => has_version = true,
                Token::Version { .. } => return fail_nowhere("found incompatible YAML document"),
                Token::TagDirective { handle, prefix } => {
                    if self.handles.iter().any(|(known, _)| known == handle) {
                        return fail_nowhere("found duplicate %TAG directive");
                    }
                    self.handles.push((handle.clone(), prefix.clone()));
                }
                _ => break,
            }
            self.scanner.take()?;
        }
        // The first of a name counts.
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            self.handles.push((handle.to_owned(), prefix.to_owned()));
        }
        Ok(())
    }

    /// Returns a node that is left out.
    fn nothing(&mut self) -> Result<Node> {
        let content = Content::Scalar { text: String::new(), is_text: false };
        Ok(Node { content, tag: None, anchor: None, mark: self.mark()? })
    }

    fn node_unless(&mut self, ends: &[Token], is_block: bool, may_be_indentless: bool) -> Result<Node> {
        if self.is_at_one_of(ends)? { self.nothing() } else { self.node(is_block, may_be_indentless) }
    }

    fn node(&mut self, is_block: bool, may_be_indentless: bool) -> Result<Node> {
        if self.depth >= limits::NESTING {
            return Err(Failure::TooDeep(self.mark()?));
        }
        self.depth += 1;
        let node = with_room(|| self.node_here(is_block, may_be_indentless));
        self.depth -= 1;
        node
    }

    fn node_here(&mut self, is_block: bool, may_be_indentless: bool) -> Result<Node> {
        let mark = self.mark()?;
        if matches!(self.scanner.peek()?.token, Token::Alias(_))
            && let Placed { token: Token::Alias(name), .. } = self.scanner.take()?
        {
            return Ok(Node { content: Content::Alias(name), tag: None, anchor: None, mark });
        }
        let (anchor, tag) = self.properties(mark)?;
        let has_properties = anchor.is_some() || tag.is_some();
        // The tag `!` says that there is none, and that quotes do not count.
        let is_plainly = tag.as_deref() == Some("!");
        let has_tag = tag.is_some();
        let content = match &self.scanner.peek()?.token {
            Token::BlockEntry if may_be_indentless => self.indentless_sequence()?,
            Token::Scalar { is_plain, .. } => {
                let is_text = !is_plain && !has_tag;
                match self.scanner.take()?.token {
                    Token::Scalar { text, .. } => {
                        let tag = tag.filter(|_| !is_plainly);
                        return Ok(Node { content: Content::Scalar { text, is_text }, tag, anchor, mark });
                    }
                    _ => unreachable!("a scalar was just seen"),
                }
            }
            Token::FlowSequenceStart => self.flow_sequence()?,
            Token::FlowMappingStart => self.flow_mapping()?,
            Token::BlockSequenceStart if is_block => self.block_sequence()?,
            Token::BlockMappingStart if is_block => self.block_mapping()?,
            _ if has_properties => Content::Scalar { text: String::new(), is_text: false },
            _ => {
                let context = if is_block { "while parsing a block node" } else { "while parsing a flow node" };
                return fail(context, mark, "did not find expected node content");
            }
        };
        Ok(Node { content, tag, anchor, mark })
    }

    /// Returns an anchor and a tag, in any order.
    fn properties(&mut self, start: Mark) -> Result<(Option<String>, Option<String>)> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match &self.scanner.peek()?.token {
                Token::Anchor(name) if anchor.is_none() => anchor = Some(name.clone()),
                Token::Tag { handle, suffix } if tag.is_none() => tag = Some((handle.clone(), suffix.clone())),
                _ => break,
            }
            self.scanner.take()?;
        }
        let tag = match tag {
            Some((handle, suffix)) if handle.is_empty() => Some(suffix),
            Some((handle, suffix)) => match self.handles.iter().find(|(known, _)| *known == handle) {
                Some((_, prefix)) => Some(format!("{prefix}{suffix}")),
                None => return fail("while parsing a node", start, "found undefined tag handle"),
            },
            None => None,
        };
        Ok((anchor, tag))
    }

    fn block_sequence(&mut self) -> Result<Content> {
        let start = self.scanner.take()?.start;
        let mut items = Vec::new();
        while self.accept(&Token::BlockEntry)? {
            items.push(self.node_unless(&[Token::BlockEntry, Token::BlockEnd], true, false)?);
        }
        if !self.accept(&Token::BlockEnd)? {
            return fail("while parsing a block collection", start, "did not find expected '-' indicator");
        }
        Ok(Content::Sequence(items))
    }

    /// A sequence that is not indented more than the key it belongs to.
    fn indentless_sequence(&mut self) -> Result<Content> {
        let ends = [Token::BlockEntry, Token::Key, Token::Value, Token::BlockEnd];
        let mut items = Vec::new();
        while self.accept(&Token::BlockEntry)? {
            items.push(self.node_unless(&ends, true, false)?);
        }
        Ok(Content::Sequence(items))
    }

    fn block_mapping(&mut self) -> Result<Content> {
        let ends = [Token::Key, Token::Value, Token::BlockEnd];
        let start = self.scanner.take()?.start;
        let mut entries = Vec::new();
        while self.accept(&Token::Key)? {
            let key = self.node_unless(&ends, true, true)?;
            let value =
                if self.accept(&Token::Value)? { self.node_unless(&ends, true, true)? } else { self.nothing()? };
            entries.push((key, value));
        }
        if !self.accept(&Token::BlockEnd)? {
            return fail("while parsing a block mapping", start, "did not find expected key");
        }
        Ok(Content::Mapping(entries))
    }

    fn flow_sequence(&mut self) -> Result<Content> {
        let start = self.scanner.take()?.start;
        let mut items = Vec::new();
        while !self.accept(&Token::FlowSequenceEnd)? {
            if !items.is_empty() {
                if !self.accept(&Token::FlowEntry)? {
                    return fail("while parsing a flow sequence", start, "did not find expected ',' or ']'");
                }
                if self.accept(&Token::FlowSequenceEnd)? {
                    break;
                }
            }
            items.push(if self.is_at(&Token::Key)? { self.single_entry()? } else { self.node(false, false)? });
        }
        Ok(Content::Sequence(items))
    }

    /// `[a: b]`: a mapping of one entry.
    fn single_entry(&mut self) -> Result<Node> {
        let mark = self.scanner.take()?.start;
        let key = if self.is_at_one_of(&[Token::Value, Token::FlowEntry, Token::FlowSequenceEnd])? {
            let key = self.nothing()?;
            // libyaml takes the token, whatever it is.
            self.scanner.take()?;
            key
        } else {
            self.node(false, false)?
        };
        let value = if self.accept(&Token::Value)? {
            self.node_unless(&[Token::FlowEntry, Token::FlowSequenceEnd], false, false)?
        } else {
            self.nothing()?
        };
        Ok(Node { content: Content::Mapping(vec![(key, value)]), tag: None, anchor: None, mark })
    }

    fn flow_mapping(&mut self) -> Result<Content> {
        let start = self.scanner.take()?.start;
        let mut entries = Vec::new();
        while !self.accept(&Token::FlowMappingEnd)? {
            if !entries.is_empty() {
                if !self.accept(&Token::FlowEntry)? {
                    return fail("while parsing a flow mapping", start, "did not find expected ',' or '}'");
                }
                if self.accept(&Token::FlowMappingEnd)? {
                    break;
                }
            }
            entries.push(self.flow_entry()?);
        }
        Ok(Content::Mapping(entries))
    }

    fn flow_entry(&mut self) -> Result<(Node, Node)> {
        if !self.accept(&Token::Key)? {
            return Ok((self.node(false, false)?, self.nothing()?));
        }
        let key = self.node_unless(&[Token::Value, Token::FlowEntry, Token::FlowMappingEnd], false, false)?;
        let value = if self.accept(&Token::Value)? {
            self.node_unless(&[Token::FlowEntry, Token::FlowMappingEnd], false, false)?
        } else {
            self.nothing()?
        };
        Ok((key, value))
    }
}

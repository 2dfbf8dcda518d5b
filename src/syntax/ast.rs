//! The syntax tree of one source: a plain arena of small nodes, children before parents.
//!
//! A tree holds no names and no strings of its own where the source has them already: a
//! [`Text`] points into the source, or into the pool of decoded text (an escape, a heredoc
//! without its margin). Positions stand apart from the nodes, so a definition can be hashed,
//! compared and kept without them.

use std::num::NonZeroU32;
use std::sync::Arc;

use pantin_base::{Arrow, Place, Source, Span};

use super::bindings::Site;

/// A node's place in the arena of its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    fn from_index(index: usize) -> NodeId {
        // The source limit keeps the count of nodes far below 2^32.
        NodeId(NonZeroU32::new(index as u32 + 1).unwrap_or(NonZeroU32::MIN))
    }

    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A sequence of nodes: children of one parent, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct List {
    start: u32,
    len: u32,
}

impl List {
    pub const EMPTY: List = List { start: 0, len: 0 };

    pub fn len(self) -> usize {
        self.len as usize
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A piece of text: in the source, or, with the top bit of `start` set, in the tree's pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Text {
    start: u32,
    len: u32,
}

const IN_POOL: u32 = 1 << 31;

impl Text {
    pub fn in_source(start: u32, len: u32) -> Text {
        Text { start, len }
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Match,
    NotMatch,
    In,
    And,
    Or,
}

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Match => "=~",
            BinaryOp::NotMatch => "!~",
            BinaryOp::In => "in",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AssignOp {
    Set,
    Append,
    Delete,
}

impl AssignOp {
    pub fn symbol(self) -> &'static str {
        match self {
            AssignOp::Set => "=",
            AssignOp::Append => "+=",
            AssignOp::Delete => "-=",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `*`
    Splat,
    /// `( )`
    Paren,
    /// An expression inside an interpolated string.
    Text,
    /// `<%= %>`
    Render,
}

/// Whether a resource expression is plain, `@` or `@@`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    Regular,
    Virtual,
    Exported,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefinitionKind {
    Class,
    Define,
    Function,
    Plan,
}

/// A class, define, function or plan. Kept beside the nodes, for it is big and rare.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Definition {
    pub kind: DefinitionKind,
    /// With the namespace of the classes around it.
    pub name: Text,
    pub params: List,
    /// What a class inherits.
    pub parent: Option<Text>,
    /// The type after `>>`.
    pub returns: Option<NodeId>,
    pub body: Option<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DefinitionId(pub(super) u32);

/// The place of a `site` statement in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SiteId(u32);

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node {
    /// Nothing at all: an empty source.
    Nop,
    Undef,
    Default,
    Boolean(bool),
    Integer {
        value: i64,
        radix: u8,
    },
    /// An integer that 64 bits do not hold, as written; always an error of validation.
    BigInteger {
        digits: Text,
        radix: u8,
    },
    Float(f64),
    String(Text),
    /// The pattern, with `\/` already made `/`.
    Regex(Text),
    /// A bare word that is a name.
    Name(Text),
    /// An upper-case name: a type or a reference's type.
    TypeName(Text),
    /// Without the `$`.
    Variable(Text),
    Reserved(Text),
    /// A double-quoted string with something in it: strings and [`UnaryOp::Text`] in turn.
    Concat(List),
    /// `syntax` may be empty.
    Heredoc {
        syntax: Text,
        text: NodeId,
    },
    Array(List),
    /// Of [`Node::Entry`].
    Hash(List),
    Entry {
        key: NodeId,
        value: NodeId,
    },
    Unary {
        op: UnaryOp,
        operand: NodeId,
    },
    Binary {
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    },
    Assign {
        op: AssignOp,
        left: NodeId,
        right: NodeId,
    },
    Relationship {
        arrow: Arrow,
        left: NodeId,
        right: NodeId,
    },
    /// `left[keys]`
    Access {
        left: NodeId,
        keys: List,
    },
    /// `left.name`
    NamedAccess {
        left: NodeId,
        name: NodeId,
    },
    /// `wants_value` is false for a call that stands as a statement.
    Call {
        functor: NodeId,
        args: List,
        lambda: Option<NodeId>,
        wants_value: bool,
    },
    /// The functor is a [`Node::NamedAccess`].
    MethodCall {
        functor: NodeId,
        args: List,
        lambda: Option<NodeId>,
    },
    Lambda {
        params: List,
        returns: Option<NodeId>,
        body: Option<NodeId>,
    },
    Param {
        name: Text,
        type_expr: Option<NodeId>,
        value: Option<NodeId>,
        captures_rest: bool,
    },
    If {
        test: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    },
    Unless {
        test: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    },
    /// Of [`Node::CaseOption`].
    Case {
        test: NodeId,
        options: List,
    },
    CaseOption {
        values: List,
        then: Option<NodeId>,
    },
    /// Of [`Node::SelectorEntry`].
    Selector {
        left: NodeId,
        entries: List,
    },
    SelectorEntry {
        matching: NodeId,
        value: NodeId,
    },
    Block(List),
    /// Of [`Node::ResourceBody`].
    Resource {
        form: Form,
        type_name: NodeId,
        bodies: List,
    },
    /// Of [`Node::AttributeOp`] and [`Node::AttributeSplat`].
    ResourceBody {
        title: NodeId,
        ops: List,
    },
    ResourceDefaults {
        form: Form,
        type_ref: NodeId,
        ops: List,
    },
    ResourceOverride {
        form: Form,
        resources: NodeId,
        ops: List,
    },
    /// `name => value`, or with `append` `name +> value`.
    AttributeOp {
        name: Text,
        append: bool,
        value: NodeId,
    },
    /// `* => value`
    AttributeSplat(NodeId),
    /// The query is a [`Node::Query`].
    Collect {
        type_expr: NodeId,
        query: NodeId,
        ops: List,
    },
    Query {
        exported: bool,
        expr: Option<NodeId>,
    },
    Definition(DefinitionId),
    NodeDefinition {
        hosts: List,
        parent: Option<NodeId>,
        body: Option<NodeId>,
    },
    TypeAlias {
        name: Text,
        type_expr: NodeId,
    },
    TypeMapping {
        type_expr: NodeId,
        mapping: NodeId,
    },
    TypeDefinition {
        name: Text,
        parent: Option<Text>,
        body: Option<NodeId>,
    },
    /// A template's code; the body of a lambda that holds its parameters.
    Epp {
        params_specified: bool,
        body: Option<NodeId>,
    },
    /// Text of a template.
    RenderString(Text),
    Apply {
        args: List,
        body: NodeId,
    },
    /// The `site` statement of bindings.
    Site(SiteId),
    ApplyBlock(List),
}

impl Node {
    /// Returns true if it is a value that is written out, or a word; nothing is in it.
    pub fn is_constant(self) -> bool {
        matches!(
            self,
            Node::Undef
                | Node::Default
                | Node::Boolean(_)
                | Node::Integer { .. }
                | Node::Float(_)
                | Node::String(_)
                | Node::Regex(_)
                | Node::Name(_)
        )
    }
}

const _: () = assert!(size_of::<Node>() <= 24, "a node is 24 bytes; think before it grows");

/// The tree of one source.
#[derive(Debug)]
pub struct Ast {
    source: Arc<Source>,
    nodes: Vec<Node>,
    spans: Vec<Span>,
    lists: Vec<NodeId>,
    pool: String,
    definitions: Vec<Definition>,
    sites: Vec<Site>,
    bindings: Vec<Span>,
    root: NodeId,
}

impl Ast {
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the body of the program: one expression, a block, or [`Node::Nop`].
    pub fn root(&self) -> NodeId {
        self.root
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// Returns how many nodes there are; ids count from zero up to it, children before parents.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns every node, children before parents.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// Returns where a node stands. A node without a text of its own has the start of the one around it.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.index()]
    }

    pub fn place(&self, id: NodeId) -> Place {
        self.source.place(self.span(id).start)
    }

    pub fn line(&self, id: NodeId) -> u32 {
        self.source.lines().line(self.span(id).start)
    }

    pub fn list(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    pub fn text(&self, text: Text) -> &str {
        let text_start = (text.start & !IN_POOL) as usize;
        let range = text_start..text_start + text.len as usize;
        if text.start & IN_POOL == 0 { &self.source.text()[range] } else { &self.pool[range] }
    }

    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    /// Returns where definitions of bindings stand among other code.
    pub fn bindings(&self) -> &[Span] {
        &self.bindings
    }

    /// Returns the `site` statements, in the order of the text.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Bytes held by the tree, its source left out.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.spans.capacity() * size_of::<Span>()
            + self.lists.capacity() * size_of::<NodeId>()
            + self.pool.capacity()
            + self.definitions.capacity() * size_of::<Definition>()
    }
}

/// A tree while it grows. Only the parser holds one.
#[derive(Debug)]
pub(super) struct AstBuilder {
    ast: Ast,
}

impl AstBuilder {
    pub(super) fn new(source: Arc<Source>) -> AstBuilder {
        // Real manifests have a node for each nine bytes or so; comments make it fewer.
        let guess = source.text().len() / 10 + 4;
        AstBuilder {
            ast: Ast {
                source,
                nodes: Vec::with_capacity(guess),
                spans: Vec::with_capacity(guess),
                lists: Vec::with_capacity(guess / 2),
                pool: String::new(),
                definitions: Vec::new(),
                sites: Vec::new(),
                bindings: Vec::new(),
                root: NodeId(NonZeroU32::MIN),
            },
        }
    }

    pub(super) fn push(&mut self, node: Node, span: Span) -> NodeId {
        let id = NodeId::from_index(self.ast.nodes.len());
        self.ast.nodes.push(node);
        self.ast.spans.push(span);
        id
    }

    pub(super) fn push_list(&mut self, ids: &[NodeId]) -> List {
        if ids.is_empty() {
            return List::EMPTY;
        }
        let start = self.ast.lists.len() as u32;
        self.ast.lists.extend_from_slice(ids);
        List { start, len: ids.len() as u32 }
    }

    pub(super) fn push_definition(&mut self, definition: Definition, span: Span) -> NodeId {
        let id = DefinitionId(self.ast.definitions.len() as u32);
        self.ast.definitions.push(definition);
        self.push(Node::Definition(id), span)
    }

    /// Returns a definition of bindings among other code: a `site` statement that says nothing itself.
    pub(super) fn push_bindings(&mut self, span: Span) -> NodeId {
        self.ast.bindings.push(span);
        self.push_site(Site { span, items: Vec::new() }, span)
    }

    pub(super) fn push_site(&mut self, site: Site, span: Span) -> NodeId {
        let id = SiteId(self.ast.sites.len() as u32);
        self.ast.sites.push(site);
        self.push(Node::Site(id), span)
    }

    /// Puts decoded text into the pool.
    pub(super) fn push_text(&mut self, text: &str) -> Text {
        let start = self.ast.pool.len() as u32 | IN_POOL;
        self.ast.pool.push_str(text);
        Text { start, len: text.len() as u32 }
    }

    pub(super) fn source_text(&self) -> &str {
        self.ast.source.text()
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.ast.node(id)
    }

    pub(super) fn span(&self, id: NodeId) -> Span {
        self.ast.span(id)
    }

    pub(super) fn text(&self, text: Text) -> &str {
        self.ast.text(text)
    }

    pub(super) fn list(&self, list: List) -> &[NodeId] {
        self.ast.list(list)
    }

    pub(super) fn replace(&mut self, id: NodeId, node: Node) {
        self.ast.nodes[id.index()] = node;
    }

    pub(super) fn set_span(&mut self, id: NodeId, span: Span) {
        self.ast.spans[id.index()] = span;
    }

    pub(super) fn finish(mut self, root: NodeId) -> Ast {
        self.ast.root = root;
        self.ast
    }
}

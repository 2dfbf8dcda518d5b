//! Bindings as they are written: a definition with its items, and the `site` statement. Expressions stand in the tree beside them.
//! It must not know what a binding means to a node.

mod check;
pub mod rule;
mod rule_doc;
mod site;
mod subject;

use pantin_base::{Diagnostic, Span};

pub use check::{DECLARING_FUNCTIONS, declares, function_of_call};
pub use rule_doc::{RULE_DOCS, RuleDoc, find_rule_doc};
pub use site::{SiteHome, check_sites};
pub use subject::{Subject, expression_text, subject_of, type_text};

use super::Settings;
use super::ast::{Ast, NodeId};

/// A word or a literal text, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub text: String,
    pub span: Span,
}

/// A file of bindings.
#[derive(Debug)]
pub struct BindingsFile {
    pub ast: Ast,
    pub definition: BindingsDefinition,
}

/// `bindings NAME { … }`.
#[derive(Debug)]
pub struct BindingsDefinition {
    pub name: Word,
    pub items: Vec<Item>,
}

/// What came of parsing a file of bindings.
#[derive(Debug)]
pub struct BindingsParse {
    /// Warnings of the lexer and of the rules, and errors that do not keep others from being found.
    pub warnings: Vec<Diagnostic>,
    /// The name of the definition, if it was read, whatever is wrong behind it.
    pub name: Option<Word>,
    /// The file; or what is wrong with it, in the order of the text.
    pub result: Result<BindingsFile, Vec<Diagnostic>>,
}

#[derive(Debug)]
pub enum Item {
    When { span: Span, condition: Condition, items: Vec<Item> },
    Operation(Operation),
}

/// What `when` asks.
#[derive(Clone, Debug)]
pub enum Condition {
    Or(Vec<Condition>),
    And(Vec<Condition>),
    Common,
    Category { name: Word, values: Vec<Word> },
}

#[derive(Clone, Copy, Default, Debug)]
pub struct Flags {
    pub is_abstract: Option<Span>,
    pub is_override: Option<Span>,
}

/// One operation of a definition.
#[derive(Debug)]
pub struct Operation {
    /// Its first word.
    pub span: Span,
    pub flags: Flags,
    pub kind: OperationKind,
}

#[derive(Debug)]
pub enum OperationKind {
    Value {
        key: Key,
        target: Option<Target>,
    },
    /// `to` without a key.
    Nameless {
        target: Target,
    },
    Parameters {
        of: TypeUse,
        target: Option<Target>,
    },
    Variables {
        value_type: Option<NodeId>,
        target: Option<Target>,
        word: Span,
    },
    Map {
        target: TypeUse,
        source: TypeUse,
        pairs: NodeId,
    },
    Dependency {
        sides: Vec<Vec<TypeUse>>,
        arrows: Vec<DependencyArrow>,
    },
    Copy {
        is_rename: bool,
        old: OldKey,
        new: OldKey,
        new_flags: Flags,
    },
    Rebind {
        old: RebindKey,
    },
    Multibind {
        value_type: NodeId,
        name: Option<Word>,
        id: Option<Word>,
        options: Vec<BindOption>,
    },
    Include(Vec<Word>),
    Exclude(Vec<Word>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependencyArrow {
    Before,
    Notify,
}

/// A class by its bare name, or a type.
#[derive(Clone, Debug)]
pub enum TypeUse {
    Class(Word),
    Type(NodeId),
}

#[derive(Debug)]
pub struct Key {
    pub value_type: Option<NodeId>,
    pub name: Option<Word>,
    pub span: Span,
}

#[derive(Debug)]
pub enum OldKey {
    Key(Key),
    Variable(Word),
}

#[derive(Debug)]
pub enum RebindKey {
    Old(OldKey),
    Parameters(TypeUse),
}

/// What stands behind `to`.
#[derive(Debug)]
pub struct Target {
    /// The word `to`.
    pub span: Span,
    pub is_optional: bool,
    pub producer: Producer,
    /// The id behind `in`.
    pub multibind: Option<Word>,
    pub options: Vec<BindOption>,
}

#[derive(Debug)]
pub enum Producer {
    Named(Word),
    /// `producer TYPE`
    New(NodeId),
    Type(NodeId),
    Query {
        type_name: Word,
        query: Option<Query>,
    },
    /// A class by its bare name: a source of parameters.
    Class(Word),
    Expression(NodeId),
}

#[derive(Debug)]
pub struct BindOption {
    pub name: Word,
    pub value: NodeId,
}

#[derive(Debug)]
pub enum Query {
    Or(Vec<Query>),
    And(Vec<Query>),
    Not(Box<Query>),
    Compare { name: Word, op: QueryOp, value: QueryValue },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryOp {
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Match,
    NoMatch,
}

#[derive(Debug)]
pub enum QueryValue {
    Word(Word),
    Expression(NodeId),
}

/// The `site` statement.
#[derive(Debug)]
pub struct Site {
    pub span: Span,
    pub items: Vec<SiteItem>,
}

#[derive(Debug)]
pub enum SiteItem {
    /// `Environment { … }`
    Defaults {
        span: Span,
        attributes: Vec<Attribute>,
    },
    Environments {
        span: Span,
        is_dynamic: bool,
        bodies: Vec<EnvironmentBody>,
    },
    Categories {
        span: Span,
        categories: Vec<Attribute>,
    },
    Layers {
        span: Span,
        layers: Vec<Layer>,
    },
}

impl SiteItem {
    pub fn span(&self) -> Span {
        match self {
            SiteItem::Defaults { span, .. }
            | SiteItem::Environments { span, .. }
            | SiteItem::Categories { span, .. }
            | SiteItem::Layers { span, .. } => *span,
        }
    }
}

#[derive(Debug)]
pub struct EnvironmentBody {
    pub title: NodeId,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct Attribute {
    pub name: Word,
    pub value: NodeId,
}

#[derive(Debug)]
pub struct Layer {
    pub title: NodeId,
    pub attributes: Vec<Attribute>,
}

impl SiteItem {
    /// Calls `visit` for each expression in it, in the order of the text.
    pub fn each_expression(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            SiteItem::Defaults { attributes: of, .. } | SiteItem::Categories { categories: of, .. } => {
                of.iter().for_each(|one| visit(one.value));
            }
            SiteItem::Environments { bodies, .. } => bodies.iter().for_each(|body| {
                visit(body.title);
                body.attributes.iter().for_each(|one| visit(one.value));
            }),
            SiteItem::Layers { layers, .. } => layers.iter().for_each(|layer| {
                visit(layer.title);
                layer.attributes.iter().for_each(|one| visit(one.value));
            }),
        }
    }
}

impl Site {
    /// Calls `visit` for each expression in it, in the order of the text.
    pub fn each_expression(&self, mut visit: impl FnMut(NodeId)) {
        self.items.iter().for_each(|item| item.each_expression(&mut visit));
    }
}

/// Says what is wrong with a definition behind the grammar, in the order of the text.
pub(super) fn check(ast: &Ast, definition: &BindingsDefinition, settings: Settings) -> Vec<Diagnostic> {
    check::check_definition(ast, definition, settings)
}

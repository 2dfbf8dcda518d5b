//! What a type that is written in bindings is about: a class, a type of resources, one resource, a type of objects.
//! It must not know which of them exist.

use super::super::ast::{Ast, Node, NodeId};
use super::TypeUse;

/// What a binding of parameters, a source, a dependency or a replacement names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    Class(String),
    /// A type of resources: `Web`, `My::Define`.
    Type(String),
    Resource(String, String),
    /// `Type[X]`, by the text of X.
    Object(String),
}

impl Subject {
    /// Returns the subject as keys write it; in a title `%`, `/`, `[` and `]` are escaped.
    pub fn key_text(&self) -> String {
        match self {
            Subject::Class(name) => format!("Class[{name}]"),
            Subject::Type(name) => name.clone(),
            Subject::Resource(type_name, title) => {
                let escaped = title.replace('%', "%25").replace('/', "%2F").replace('[', "%5B").replace(']', "%5D");
                format!("{type_name}[{escaped}]")
            }
            Subject::Object(name) => format!("Type[{name}]"),
        }
    }

    /// Returns the subject as messages write it.
    pub fn shown(&self) -> String {
        match self {
            Subject::Resource(type_name, title) => format!("{type_name}[{title}]"),
            other => other.key_text(),
        }
    }

    /// Returns the type of it: of one resource that of all such.
    pub fn kind(&self) -> Subject {
        match self {
            Subject::Resource(type_name, _) => Subject::Type(type_name.clone()),
            other => other.clone(),
        }
    }
}

/// Returns what a type in the tree is about; `None` where it is no class, type or single resource.
pub fn subject_of(ast: &Ast, of: &TypeUse) -> Option<Subject> {
    let id = match of {
        TypeUse::Class(word) => return Some(Subject::Class(class_name(&word.text))),
        TypeUse::Type(id) => *id,
    };
    match ast.node(id) {
        Node::TypeName(name) => match ast.text(name) {
            "Class" | "Type" | "Resource" => None,
            name => Some(Subject::Type(resource_type_name(name))),
        },
        Node::Access { left, keys } => {
            let (Node::TypeName(name), &[key]) = (ast.node(left), ast.list(keys)) else { return None };
            match (ast.text(name), literal_text(ast, key)) {
                ("Class", Some(class)) => Some(Subject::Class(class_name(class))),
                ("Type", _) => Some(Subject::Object(type_text(ast, key, false))),
                ("Class", None) => None,
                (name, Some(title)) => Some(Subject::Resource(resource_type_name(name), title.to_owned())),
                (_, None) => None,
            }
        }
        _ => None,
    }
}

/// Returns the name of a type of resources as Puppet writes it: the case of all but the first letters of it says
/// nothing.
fn resource_type_name(name: &str) -> String {
    let segment = |segment: &str| {
        let mut letters = segment.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters.map(|letter| letter.to_ascii_lowercase())).collect::<String>()
    };
    name.split("::").filter(|part| !part.is_empty()).map(segment).collect::<Vec<_>>().join("::")
}

fn class_name(name: &str) -> String {
    name.strip_prefix("::").unwrap_or(name).to_lowercase()
}

/// Returns a text without interpolation, or a bare word.
pub(super) fn literal_text(ast: &Ast, id: NodeId) -> Option<&str> {
    match ast.node(id) {
        Node::String(text) | Node::Name(text) => Some(ast.text(text)),
        _ => None,
    }
}

/// Returns the source of an expression.
pub fn expression_text(ast: &Ast, id: NodeId) -> &str {
    let span = ast.span(id);
    ast.source().text().get(span.start as usize..span.end() as usize).unwrap_or_default()
}

/// Returns a type as text that a parser of types understands. `is_multibind`: the keys of a hash are texts.
/// `Literal` is `Scalar`, `Number` is `Numeric`, and what `Array` and `Hash` leave out is filled in.
pub fn type_text(ast: &Ast, id: NodeId, is_multibind: bool) -> String {
    TypeWriter { ast, has_quotes: true }.type_text(id, is_multibind)
}

/// Returns a type as messages write it in a key: references are without quotes.
pub(super) fn shown_type_text(ast: &Ast, id: NodeId) -> String {
    TypeWriter { ast, has_quotes: false }.type_text(id, false)
}

struct TypeWriter<'a> {
    ast: &'a Ast,
    /// Whether the titles of references have quotes.
    has_quotes: bool,
}

impl TypeWriter<'_> {
    fn type_text(&self, id: NodeId, is_multibind: bool) -> String {
        let ast = self.ast;
        match ast.node(id) {
            Node::TypeName(name) => match ast.text(name) {
                "Literal" => "Scalar".to_owned(),
                "Number" => "Numeric".to_owned(),
                "Array" => "Array[Data]".to_owned(),
                "Hash" => format!("Hash[{}, Data]", hash_key(is_multibind)),
                name => name.to_owned(),
            },
            Node::Access { left, keys } => {
                let keys = ast.list(keys);
                let Node::TypeName(name) = ast.node(left) else { return expression_text(ast, id).to_owned() };
                let name = ast.text(name);
                let is_title = !self.has_quotes && (name == "Class" || !super::check::is_built_in_name(name));
                let argument = |key| match ast.node(key) {
                    Node::String(text) | Node::Name(text) if is_title => ast.text(text).to_owned(),
                    _ => self.argument_text(key),
                };
                let arguments: Vec<String> = keys.iter().map(|&key| argument(key)).collect();
                match (name, &arguments[..]) {
                    ("Hash", [value]) => format!("Hash[{}, {value}]", hash_key(is_multibind)),
                    ("Class", _) => format!("Class[{}]", arguments.join(", ").to_lowercase()),
                    _ => format!("{name}[{}]", arguments.join(", ")),
                }
            }
            _ => expression_text(ast, id).to_owned(),
        }
    }

    fn argument_text(&self, id: NodeId) -> String {
        let ast = self.ast;
        match ast.node(id) {
            Node::TypeName(_) | Node::Access { .. } => pantin_base::stack::with_room(|| self.type_text(id, false)),
            Node::String(text) => format!("'{}'", ast.text(text).replace('\\', "\\\\").replace('\'', "\\'")),
            Node::Name(text) => format!("'{}'", ast.text(text)),
            Node::Hash(entries) => {
                let pairs = ast.list(entries).iter().filter_map(|&entry| match ast.node(entry) {
                    Node::Entry { key, value } => {
                        Some(format!("{} => {}", self.argument_text(key), self.argument_text(value)))
                    }
                    _ => None,
                });
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
            _ => expression_text(ast, id).to_owned(),
        }
    }
}

fn hash_key(is_multibind: bool) -> &'static str {
    if is_multibind { "String" } else { "Scalar" }
}

//! A parsed and checked manifest or template: its definitions, each lowered when it is first used.
//!
//! Knows nothing of any node: one is shared by all of them.

use std::sync::{Arc, OnceLock};

use pantin_base::{Diagnostic, stack};
use pantin_eval::{Body, Builtins};
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Definition, Log};
use pantin_syntax::SourceKind;
use pantin_syntax::ast::{Ast, DefinitionKind, List, Node, NodeId};
use pantin_values::{Fault, Regexp, Str, types};

use super::doubtful;

#[derive(Debug)]
pub(super) struct CodeFile {
    pub(super) ast: Arc<Ast>,
    /// The module in whose folder it lies; empty: none.
    home: Str,
    /// The code that stands in no definition, or the template.
    pub(super) main: Arc<Body>,
    pub(super) functions: Vec<Function>,
    /// Type aliases, with their names as written.
    pub(super) aliases: Vec<(Str, NodeId)>,
    /// Classes, defined types and nodes, in the order of the source.
    pub(super) definitions: Vec<Arc<Def>>,
    /// What the parser said of it, but for errors.
    pub(super) warnings: Vec<Log>,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Str,
    pub(super) id: NodeId,
    lowered: OnceLock<Option<Definition>>,
}

/// A class, a defined type or a node.
#[derive(Debug)]
pub(super) struct Def {
    pub(super) kind: DefKind,
    /// In lower case, without `::` before it. Of the main class, nothing.
    pub(super) name: Str,
    /// The module in which it stands; empty: none.
    pub(super) module: Str,
    /// That in whose folder its file lies, whatever it is called.
    home: Str,
    /// What it inherits, in lower case.
    pub(super) parent: Option<Str>,
    /// Its parameters that have the names of metaparameters, and whether they have defaults.
    pub(super) metaparameters: Vec<(&'static str, bool)>,
    /// Names in the types of its parameters that are not built in, in the order of the text, and where they stand.
    pub(super) type_names: Vec<(Str, NodeId)>,
    /// Whether types of its parameters are probably wrong, whoever asks.
    has_doubtful_types: OnceLock<bool>,
    pub(super) code: Option<(Arc<Ast>, NodeId)>,
    body: OnceLock<Option<Arc<Body>>>,
}

#[derive(Debug)]
pub(super) enum DefKind {
    Class,
    Define,
    Node(HostMatch),
}

/// Which nodes a node definition is for.
#[derive(Debug)]
pub(super) enum HostMatch {
    Name,
    Pattern(Arc<Regexp>),
}

impl CodeFile {
    /// `key` names its code among the manifests of an environment; `module`: of which it is, and in whose folder it lies.
    pub(super) fn new(
        ast: Arc<Ast>,
        kind: SourceKind,
        key: &str,
        [module, home]: [&Str; 2],
        warnings: Vec<Log>,
        builtins: &'static Builtins,
    ) -> CodeFile {
        let main = match kind {
            SourceKind::Manifest => pantin_eval::main_body(&ast, key, builtins),
            SourceKind::Template => pantin_eval::template_body(&ast, key, builtins),
        };
        let mut file = CodeFile {
            main: Arc::new(main.with_module(home)),
            home: home.clone(),
            functions: Vec::new(),
            aliases: Vec::new(),
            definitions: Vec::new(),
            warnings,
            ast: ast.clone(),
        };
        for id in ast.ids() {
            match ast.node(id) {
                Node::Definition(definition) => file.add_definition(id, ast.definition(definition), module),
                Node::NodeDefinition { hosts, .. } => {
                    let hosts = ast.list(hosts).iter();
                    let definitions = hosts.filter_map(|&host| Def::from_node(&ast, id, host, [module, home]));
                    file.definitions.extend(definitions.map(Arc::new));
                }
                Node::TypeAlias { name, .. } => file.aliases.push((ast.text(name).into(), id)),
                _ => {}
            }
        }
        file
    }

    fn add_definition(&mut self, id: NodeId, definition: &pantin_syntax::ast::Definition, module: &Str) {
        let name: Str = self.ast.text(definition.name).into();
        let kind = match definition.kind {
            DefinitionKind::Function => {
                return self.functions.push(Function { name, id, lowered: OnceLock::new() });
            }
            DefinitionKind::Class => DefKind::Class,
            DefinitionKind::Define => DefKind::Define,
            // Plans are nothing that a catalog knows.
            DefinitionKind::Plan => return,
        };
        let parent = definition.parent.map(|parent| lower_name(self.ast.text(parent)));
        let code = Some((self.ast.clone(), id));
        let name = lower_name(&name);
        self.definitions.push(Arc::new(Def {
            kind,
            name,
            module: module.clone(),
            home: self.home.clone(),
            parent,
            metaparameters: metaparameters(&self.ast, definition.params),
            type_names: type_names(&self.ast, definition.params),
            has_doubtful_types: OnceLock::new(),
            code,
            body: OnceLock::new(),
        }));
    }

    /// Returns a function that the file defines.
    pub(super) fn function(&self, name: &str, builtins: &'static Builtins) -> Option<Definition> {
        let function = self.functions.iter().find(|function| function.name == name)?;
        function.lower(&self.ast, &self.home, builtins)
    }

    /// Returns true if it defines an alias of this name in front of a node of its tree.
    pub(super) fn has_alias_before(&self, name: &str, node: NodeId) -> bool {
        let start = |id| self.ast.span(id).start;
        let is_it = |(known, id): &(Str, NodeId)| known.eq_ignore_ascii_case(name) && start(*id) < start(node);
        self.aliases.iter().any(is_it)
    }

    /// Returns the function at this node of the tree.
    pub(super) fn function_at(&self, id: NodeId, builtins: &'static Builtins) -> Option<Definition> {
        self.functions.iter().find(|function| function.id == id)?.lower(&self.ast, &self.home, builtins)
    }
}

impl Function {
    fn lower(&self, ast: &Ast, home: &Str, builtins: &'static Builtins) -> Option<Definition> {
        let lower = || {
            let body = pantin_eval::definition_body(ast, self.id, builtins)?.with_module(home);
            Some(Definition { digest: body.digest, code: Arc::new(body) })
        };
        self.lowered.get_or_init(lower).clone()
    }
}

fn metaparameters(ast: &Ast, params: List) -> Vec<(&'static str, bool)> {
    let named = ast.list(params).iter().filter_map(|&id| match ast.node(id) {
        Node::Param { name, value, .. } => {
            let known = METAPARAMETERS.iter().find(|known| **known == ast.text(name))?;
            Some((*known, value.is_some()))
        }
        _ => None,
    });
    named.collect()
}

/// Names of types that are not built in, each where it stands first.
fn type_names(ast: &Ast, params: List) -> Vec<(Str, NodeId)> {
    let types = ast.list(params).iter().filter_map(|&id| match ast.node(id) {
        Node::Param { type_expr, .. } => type_expr,
        _ => None,
    });
    let mut names = Vec::new();
    types.for_each(|of| add_type_names(ast, of, &mut names));
    names
}

fn add_type_names(ast: &Ast, id: NodeId, names: &mut Vec<(Str, NodeId)>) {
    if let Node::TypeName(name) = ast.node(id)
        && types::built_in_type(ast.text(name)).is_none()
        && !names.iter().any(|(known, _)| known == ast.text(name))
    {
        names.push((ast.text(name).into(), id));
    }
    // `Class[Unknown]` is wrong in words of its own, which are told where it is wanted.
    if let Node::Access { left, keys } = ast.node(id)
        && matches!(ast.node(left), Node::TypeName(name) if ast.text(name) == "Class")
    {
        let others = ast.list(keys).iter().filter(|&&key| !matches!(ast.node(key), Node::TypeName(_)));
        return others.for_each(|&key| stack::with_room(|| add_type_names(ast, key, names)));
    }
    ast.each_child(id, |child| stack::with_room(|| add_type_names(ast, child, names)));
}

impl Def {
    /// Returns a class without code: `settings`, and the one that stands around everything.
    pub(super) fn empty_class(name: &str) -> Def {
        Def {
            kind: DefKind::Class,
            name: name.into(),
            module: Str::default(),
            home: Str::default(),
            parent: None,
            metaparameters: Vec::new(),
            type_names: Vec::new(),
            has_doubtful_types: OnceLock::from(false),
            code: None,
            body: OnceLock::new(),
        }
    }

    fn from_node(ast: &Arc<Ast>, id: NodeId, host: NodeId, [module, home]: [&Str; 2]) -> Option<Def> {
        let (kind, name) = match ast.node(host) {
            Node::String(text) | Node::Name(text) => (HostMatch::Name, ast.text(text).to_lowercase().into()),
            Node::Default => (HostMatch::Name, "default".into()),
            Node::Regex(text) => {
                let pattern = ast.text(text);
                (HostMatch::Pattern(Arc::new(Regexp::new(pattern, Default::default()))), pattern.into())
            }
            _ => return None,
        };
        let code = Some((ast.clone(), id));
        let (kind, module, home) = (DefKind::Node(kind), module.clone(), home.clone());
        let (metaparameters, type_names) = (Vec::new(), Vec::new());
        let (has_doubtful_types, body) = (OnceLock::from(false), OnceLock::new());
        Some(Def { kind, name, module, home, parent: None, metaparameters, type_names, has_doubtful_types, code, body })
    }

    pub(super) fn is_class(&self) -> bool {
        matches!(self.kind, DefKind::Class)
    }

    /// Returns its code; nothing where it has none.
    pub(super) fn body(&self, builtins: &'static Builtins) -> Option<Arc<Body>> {
        let lower = || {
            let (ast, id) = self.code.as_ref()?;
            let body = match self.kind {
                DefKind::Node(_) => pantin_eval::node_body(ast, *id, &self.name, builtins),
                _ => pantin_eval::definition_body(ast, *id, builtins),
            };
            body.map(|body| Arc::new(body.with_module(&self.home)))
        };
        self.body.get_or_init(lower).clone()
    }

    pub(super) fn has_doubtful_types(&self) -> bool {
        let doubts = || {
            let (ast, id) = self.code.as_ref()?;
            let Node::Definition(definition) = ast.node(*id) else { return None };
            Some(doubtful::any(ast, ast.definition(definition).params))
        };
        *self.has_doubtful_types.get_or_init(|| doubts().unwrap_or_default())
    }

    /// Where it stands, as an address.
    pub(super) fn origin(&self) -> String {
        self.code.as_ref().map(|(ast, id)| super::report::origin(ast, *id)).unwrap_or_default()
    }

    /// ` (file: F, line: L, column: C)` of a part of it.
    pub(super) fn place_text(&self, part: NodeId) -> String {
        let of = |(ast, _): &(Arc<Ast>, NodeId)| ast.place(part).suffix(ast.source().name());
        self.code.as_ref().map(of).unwrap_or_default()
    }

    /// An error that names the place of a part of it, with what a person is shown of it.
    pub(super) fn seen_part(&self, part: NodeId, fault: Fault, code: &'static str, message: &str) -> Fault {
        let Some((ast, _)) = &self.code else { return fault };
        let diagnostic = Diagnostic::at_span(ast.source(), ast.span(part), message);
        fault.seen_in(Some(Arc::clone(ast.source())), Diagnostic { code, ..diagnostic })
    }

    /// Returns the file in which it stands.
    pub(super) fn file(&self) -> Option<&str> {
        self.code.as_ref().and_then(|(ast, _)| ast.source().name())
    }

    /// `(file: F, line: L)`, as far as it is known.
    pub(super) fn location(&self) -> String {
        let Some((ast, id)) = &self.code else { return String::new() };
        let line = ast.place(*id).line();
        super::report::location(ast.source().name(), line)
    }
}

/// As names of classes and defined types are compared.
pub(super) fn lower_name(name: &str) -> Str {
    name.strip_prefix("::").unwrap_or(name).to_lowercase().into()
}

//! Where the manifests of an environment declare a resource, or include a class: as they are written, whether a node gets there or
//! not. It must not know what a node evaluated.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{Language, Source, Span};
use pantin_syntax::ast::{Ast, DefinitionKind, Node, NodeId};
use pantin_syntax::{Settings, SourceKind};
use pantin_world::Disk;
use pantin_world::environment::Environment;

use pantin_values::Str;

use super::{normalized, short_code};

/// Deeper folders are not walked.
const DEEPEST: usize = 64;

/// The functions that include classes.
const INCLUDES: [&str; 3] = ["include", "contain", "require"];

/// A piece of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CodePlace {
    pub(super) file: Str,
    pub(super) span: Span,
    pub(super) line: u32,
    pub(super) code: String,
}

/// In whose code it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WrittenBody {
    Top,
    Node(String),
    Class(String),
    Define(String),
}

/// A resource expression, an include or an inheritance.
#[derive(Clone, Debug)]
pub(super) struct WrittenDeclaration {
    pub(super) place: CodePlace,
    pub(super) body: WrittenBody,
    /// `None`: the title is worked out.
    pub(super) title: Option<String>,
    /// What is tested on the way there, outermost first.
    pub(super) conditions: Vec<CodePlace>,
}

pub(super) struct Manifests<'d> {
    pub(super) disk: &'d dyn Disk,
    pub(super) environment: &'d Environment,
    pub(super) language: Language,
}

impl Manifests<'_> {
    /// Returns all declarations of a type of resources; of classes, by their name: where they are included, too.
    pub(super) fn declarations(&self, type_name: &str, title: Option<&str>) -> Vec<WrittenDeclaration> {
        let wanted = Wanted { type_name: normalized(type_name), class: title.map(normalized) };
        let mut found = Vec::new();
        for file in self.files() {
            if let Some(ast) = self.parse(&file, &wanted) {
                let name = Str::from(file.to_string_lossy().as_ref());
                Walk { ast: &ast, file: name, wanted: &wanted, found: &mut found }.walk(
                    ast.root(),
                    &WrittenBody::Top,
                    &[],
                );
            }
        }
        found
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files = self.environment.manifest.files(self.disk).unwrap_or_default();
        for folder in &self.environment.modulepath {
            let modules = self.disk.list(folder).ok().flatten().unwrap_or_default();
            for module in modules.into_iter().filter(|entry| entry.is_folder) {
                self.add_files(&folder.join(module.name).join("manifests"), DEEPEST, &mut files);
            }
        }
        files
    }

    fn add_files(&self, folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for entry in self.disk.list(folder).ok().flatten().unwrap_or_default() {
            let path = folder.join(entry.name);
            match entry.is_folder {
                true => self.add_files(&path, depth, files),
                false if path.extension().is_some_and(|extension| extension == "pp") => files.push(path),
                false => {}
            }
        }
    }

    /// The tree of a file that names what is wanted. What cannot be parsed declares nothing.
    fn parse(&self, file: &Path, wanted: &Wanted) -> Option<Ast> {
        let bytes = self.disk.read(file).ok().flatten()?;
        let source = Source::from_bytes(Some(&file.to_string_lossy()), bytes).ok()?;
        let needle = match &wanted.class {
            Some(class) if wanted.type_name == "class" => class.as_str(),
            _ => wanted.type_name.as_str(),
        };
        let text = source.text().to_lowercase();
        // A class may be included by a name that is worked out.
        let may_include = wanted.type_name == "class" && INCLUDES.iter().any(|function| text.contains(function));
        if !text.contains(needle) && !may_include {
            return None;
        }
        let settings = Settings::from_language(self.language);
        pantin_syntax::parse(Arc::new(source), SourceKind::Manifest, settings).result.ok()
    }
}

struct Wanted {
    type_name: String,
    /// Of a class.
    class: Option<String>,
}

struct Walk<'a> {
    ast: &'a Ast,
    file: Str,
    wanted: &'a Wanted,
    found: &'a mut Vec<WrittenDeclaration>,
}

impl Walk<'_> {
    fn walk(&mut self, id: NodeId, body: &WrittenBody, conditions: &[CodePlace]) {
        pantin_base::stack::with_room(|| self.walk_node(id, body, conditions));
    }

    fn walk_node(&mut self, id: NodeId, body: &WrittenBody, conditions: &[CodePlace]) {
        let ast = self.ast;
        match ast.node(id) {
            Node::Definition(of) => {
                let definition = ast.definition(of);
                let name = normalized(ast.text(definition.name));
                let inner = match definition.kind {
                    DefinitionKind::Class => WrittenBody::Class(name),
                    DefinitionKind::Define => WrittenBody::Define(name),
                    DefinitionKind::Function | DefinitionKind::Plan => return,
                };
                if let Some(parent) = definition.parent
                    && self.is_wanted_class(ast.text(parent))
                {
                    self.push(self.place(id), &inner, Some(ast.text(parent)), &[]);
                }
                ast.each_child(id, |child| self.walk(child, &inner, &[]));
            }
            Node::NodeDefinition { hosts, body: Some(code), .. } => {
                let hosts: Vec<String> = ast.list(hosts).iter().map(|host| self.code(*host)).collect();
                self.walk(code, &WrittenBody::Node(hosts.join(", ")), &[]);
            }
            Node::If { test, .. }
            | Node::Unless { test, .. }
            | Node::Case { test, .. }
            | Node::Selector { left: test, .. } => {
                let within: Vec<CodePlace> = conditions.iter().cloned().chain([self.place(test)]).collect();
                ast.each_child(id, |child| self.walk(child, body, if child == test { conditions } else { &within }));
            }
            Node::Resource { type_name, bodies, .. } => {
                self.resource(type_name, ast.list(bodies), body, conditions);
                ast.each_child(id, |child| self.walk(child, body, conditions));
            }
            Node::Call { functor, args, .. } => {
                if INCLUDES.contains(&self.name(functor)) {
                    self.include(&self.place(id), ast.list(args), body, conditions);
                } else if self.name(functor) == "hiera_include" {
                    self.push_computed_include(&self.place(id), body, conditions);
                }
                ast.each_child(id, |child| self.walk(child, body, conditions));
            }
            Node::MethodCall { functor, args, .. } => {
                if let Node::NamedAccess { left, name } = ast.node(functor)
                    && INCLUDES.contains(&self.name(name))
                {
                    let arguments: Vec<NodeId> = [left].into_iter().chain(ast.list(args).iter().copied()).collect();
                    self.include(&self.place_from(left, id), &arguments, body, conditions);
                }
                ast.each_child(id, |child| self.walk(child, body, conditions));
            }
            _ => ast.each_child(id, |child| self.walk(child, body, conditions)),
        }
    }

    /// Adds an include if it names the wanted class, or if code works out what it names.
    fn include(&mut self, place: &CodePlace, arguments: &[NodeId], body: &WrittenBody, conditions: &[CodePlace]) {
        for argument in arguments {
            let (names, is_computed) = self.included_names(*argument);
            match names.iter().find(|name| self.is_wanted_class(name)) {
                Some(name) => self.push(place.clone(), body, Some(name), conditions),
                None if is_computed => self.push_computed_include(place, body, conditions),
                None => {}
            }
        }
    }

    /// The classes that an argument names, and whether it names others that code works out.
    fn included_names(&self, argument: NodeId) -> (Vec<String>, bool) {
        match self.ast.node(argument) {
            Node::Array(items) => {
                let items = self.ast.list(items).iter().map(|item| self.literal(*item));
                let items: Vec<Option<String>> = items.collect();
                let is_computed = items.iter().any(Option::is_none);
                (items.into_iter().flatten().collect(), is_computed)
            }
            _ => match self.literal(argument) {
                Some(name) => (vec![name], false),
                None => (Vec::new(), true),
            },
        }
    }

    fn push_computed_include(&mut self, place: &CodePlace, body: &WrittenBody, conditions: &[CodePlace]) {
        if self.wanted.type_name == "class" {
            self.push(place.clone(), body, None, conditions);
        }
    }

    fn resource(&mut self, type_name: NodeId, bodies: &[NodeId], body: &WrittenBody, conditions: &[CodePlace]) {
        if normalized(self.name(type_name)) != self.wanted.type_name {
            return;
        }
        for id in bodies {
            let Node::ResourceBody { title, .. } = self.ast.node(*id) else { continue };
            let titles = match self.ast.node(title) {
                Node::Array(titles) => self.ast.list(titles).to_vec(),
                _ => vec![title],
            };
            for title in titles {
                let written = format!("{} {{ {}: … }}", self.name(type_name), self.code(title));
                let place = CodePlace { code: short_code(&written), ..self.place(*id) };
                let title = self.literal(title);
                self.push(place, body, title.as_deref(), conditions);
            }
        }
    }

    fn is_wanted_class(&self, name: &str) -> bool {
        self.wanted.type_name == "class" && self.wanted.class.as_deref() == Some(normalized(name).as_str())
    }

    fn push(&mut self, place: CodePlace, body: &WrittenBody, title: Option<&str>, conditions: &[CodePlace]) {
        self.found.push(WrittenDeclaration {
            place,
            body: body.clone(),
            title: title.map(str::to_owned),
            conditions: conditions.to_vec(),
        });
    }

    /// Returns a text or a name that is written out.
    fn literal(&self, id: NodeId) -> Option<String> {
        match self.ast.node(id) {
            Node::String(text) | Node::Name(text) => Some(self.ast.text(text).to_owned()),
            Node::Integer { value, .. } => Some(value.to_string()),
            _ => None,
        }
    }

    /// Returns a word that is written out; empty for anything else.
    fn name(&self, id: NodeId) -> &str {
        match self.ast.node(id) {
            Node::Name(text) | Node::TypeName(text) | Node::Reserved(text) | Node::String(text) => self.ast.text(text),
            _ => "",
        }
    }

    fn code(&self, id: NodeId) -> String {
        let span = self.ast.span(id);
        let text = self.ast.source().text().get(span.start as usize..span.end() as usize);
        text.unwrap_or_default().to_owned()
    }

    /// Returns the place of an expression that begins with another one.
    fn place_from(&self, first: NodeId, id: NodeId) -> CodePlace {
        let start = self.ast.span(first).start.min(self.ast.span(id).start);
        let end = self.ast.span(id).end();
        let text = self.ast.source().text().get(start as usize..end as usize).unwrap_or_default();
        let span = Span { start, len: end - start };
        CodePlace { span, line: self.ast.line(first), code: short_code(text), ..self.place(id) }
    }

    fn place(&self, id: NodeId) -> CodePlace {
        CodePlace {
            file: self.file.clone(),
            span: self.ast.span(id),
            line: self.ast.line(id),
            code: short_code(&self.code(id)),
        }
    }
}

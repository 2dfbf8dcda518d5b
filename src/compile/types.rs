//! Types of the program and of modules: aliases, object types.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::file::Wanted;
use super::host::ProgramHost;
use crate::eval;
use crate::pcore::types::{self, Alias, Type};
use crate::pcore::{Digest, Digester, Fault, Resolve, Str, Value, object};
use crate::syntax::ast::{Ast, Node, NodeId};
use crate::syntax::{Kind, definition_hash};
use crate::trace::Answer;

/// What was worked out, and what is being worked out.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// By lower-case name. `None`: there is no such type.
    known: FxHashMap<Str, Option<(Type, Digest)>>,
    /// Hashes of the definitions that the alias being worked out, and those around it, rest on.
    open: Vec<Digester>,
}

impl ProgramHost<'_> {
    pub(super) fn type_named(&mut self, name: &str) -> Answer {
        let key: Str = name.to_lowercase().into();
        if !self.aliases.known.contains_key(&key) {
            let found = match self.find_alias(&key) {
                Ok(found) => found,
                Err(fault) => return Answer::Fault(fault),
            };
            match found {
                Some((ast, id)) => {
                    if let Err(fault) = self.resolve_alias(&key, &ast, id) {
                        self.aliases.known.remove(&key);
                        return Answer::Fault(fault);
                    }
                }
                None => {
                    self.aliases.known.insert(key.clone(), None);
                }
            }
        }
        let known = self.aliases.known.get(&key).cloned().flatten();
        if let (Some((_, digest)), Some(open)) = (&known, self.aliases.open.last_mut()) {
            open.digest(*digest);
        }
        known.map_or(Answer::Absent, |(of, digest)| Answer::Type(of, digest))
    }

    fn find_alias(&mut self, key: &str) -> Result<Option<(Arc<Ast>, NodeId)>, Fault> {
        for program in self.programs() {
            if let Some((_, id)) = program.aliases.iter().find(|(name, _)| name.to_lowercase() == key) {
                return Ok(Some((program.ast.clone(), *id)));
            }
        }
        let Some(path) = self.request.modules.type_file(key) else { return Ok(None) };
        let ast = self.parse_file(&path, Kind::Manifest)?;
        let none = "no type alias or type definition found";
        let wanted = Wanted { what: "type", name: key, none, path: &path };
        let id = wanted.only_definition(&ast, |node| match node {
            Node::TypeAlias { name, .. } => Some(ast.text(name).to_owned()),
            _ => None,
        })?;
        Ok(Some((ast, id)))
    }

    /// Works out what an alias stands for. It is known by name meanwhile, so that it can stand in itself.
    fn resolve_alias(&mut self, key: &Str, ast: &Ast, id: NodeId) -> Result<(), Fault> {
        let Node::TypeAlias { name, .. } = ast.node(id) else { return Ok(()) };
        let mut digester = Digester::new(b"alias");
        digester.bytes(&definition_hash(ast, id));
        let alias = Arc::new(Alias::new(ast.text(name)));
        let early = digester.finish();
        self.aliases.known.insert(key.clone(), Some((Type::Alias(alias.clone()), early)));
        self.aliases.open.push(digester);
        let resolved = self.define(ast, id, ast.text(name));
        let digest = self.aliases.open.pop().map(|digester| digester.finish()).unwrap_or(early);
        let resolved = resolved?;
        // An object type is no alias: it has the name itself.
        if matches!(resolved, Type::Object(_) | Type::TypeSet(_)) {
            alias.resolve(resolved.clone());
            self.aliases.known.insert(key.clone(), Some((resolved, digest)));
            return Ok(());
        }
        Alias::define(&alias, resolved)?;
        self.aliases.known.insert(key.clone(), Some((Type::Alias(alias), digest)));
        Ok(())
    }

    /// `type P = {…}` and `type P = Object[{…}]` define an object type of that name, `TypeSet[{…}]` a type set; all
    /// else is an alias.
    fn define(&mut self, ast: &Ast, id: NodeId, name: &str) -> Result<Type, Fault> {
        let Node::TypeAlias { type_expr, .. } = ast.node(id) else { return Ok(Type::Any) };
        let (what, expr) = defined_by(ast, type_expr);
        if let Defined::Alias = what {
            return types::interpret(ast, type_expr, self);
        }
        let body = eval::alias_body(ast, id, expr, self.builtins);
        let (settings, builtins) = (self.request.settings, self.builtins);
        let value = eval::run(&body, self, settings, builtins);
        match (what, value.map_err(|failure| Fault::new(failure.message.to_string()))?) {
            (Defined::Object, Value::Hash(init)) => Ok(Type::Object(object::build(Some(name), &init)?)),
            (Defined::TypeSet, Value::Hash(init)) => {
                let set = object::build_type_set(Some(name), Some(object::RUNTIME_AUTHORITY), &init)?;
                Ok(Type::TypeSet(Some(set)))
            }
            (_, other) => Err(Fault::new(format!("{name}: {} is not a type", Type::of(&other)))),
        }
    }
}

#[derive(Clone, Copy)]
enum Defined {
    Alias,
    Object,
    TypeSet,
}

/// What the right side of a type's definition makes, and the expression to work out for it.
fn defined_by(ast: &Ast, type_expr: NodeId) -> (Defined, NodeId) {
    match ast.node(type_expr) {
        Node::Hash(_) => (Defined::Object, type_expr),
        Node::Access { left, keys } => match (ast.node(left), ast.list(keys)) {
            (Node::TypeName(of), [init]) if matches!(ast.node(*init), Node::Hash(_)) => match ast.text(of) {
                "Object" => (Defined::Object, *init),
                "TypeSet" => (Defined::TypeSet, *init),
                _ => (Defined::Alias, type_expr),
            },
            _ => (Defined::Alias, type_expr),
        },
        _ => (Defined::Alias, type_expr),
    }
}

/// Definitions name each other.
impl Resolve for ProgramHost<'_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        match self.type_named(name) {
            Answer::Type(of, _) => Ok(Some(of)),
            Answer::Fault(fault) => Err(fault),
            _ => Ok(None),
        }
    }
}

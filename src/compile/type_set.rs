//! Type sets: which names are known inside one, and how its members are defined.

use std::sync::Arc;

use pantin_base::Language;
use pantin_syntax::ast::{Ast, Node, NodeId};
use pantin_values::types::{Type, TypeSet, TypeSetMember, TypeSetReference};
use pantin_values::{Fault, Hash, Resolve, SemVer, Str, Timestamp, Value, object, types};

use super::loader::Loader;
use super::types::TypeDefinition;

/// The names that a type set adds for those in it.
#[derive(Debug)]
pub(super) struct Names {
    /// What the members are found by begins with this. Of a set within a set it is nothing that could be written as a
    /// name: Puppet does not find those members from outside.
    prefix: Str,
    /// Other sets by the names they have here, both in lower case.
    references: Vec<(Str, Str)>,
    around: Option<Arc<Names>>,
}

impl Names {
    fn new(key: &str, set: &TypeSet, around: Option<Arc<Names>>) -> Names {
        let separator = if around.is_some() { "/" } else { "::" };
        let lower = |text: &str| Str::from(text.to_lowercase());
        let references = set.references.iter().map(|(alias, of)| (lower(alias), lower(&of.name))).collect();
        Names { prefix: format!("{key}{separator}").into(), references, around }
    }

    fn key(&self, name: &str) -> Str {
        format!("{}{}", self.prefix, name.to_lowercase()).into()
    }

    /// Returns the set, or the member of one, that a name means by way of a reference.
    fn resolve_reference(&self, name: &str) -> Option<Str> {
        let name = name.to_lowercase();
        let (first, rest) = name.split_once("::").map_or((name.as_str(), None), |(first, rest)| (first, Some(rest)));
        let (_, set) = self.references.iter().find(|(alias, _)| alias == first)?;
        Some(rest.map_or_else(|| set.clone(), |rest| format!("{set}::{rest}").into()))
    }
}

/// Resolves what stands in a definition. Puppet asks outside first, then the set that the definition is in.
pub(super) struct TypeSetResolver<'h, 'p> {
    pub(super) host: &'h mut Loader<'p>,
    pub(super) names: Option<Arc<Names>>,
}

impl Resolve for TypeSetResolver<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        if let Some(found) = self.host.resolve(name)? {
            return Ok(Some(found));
        }
        let mut names = self.names.clone();
        while let Some(here) = names {
            let key = here.key(name);
            if self.host.aliases.members.contains_key(&key) {
                return self.host.resolve(&key);
            }
            if let Some(key) = here.resolve_reference(name) {
                return self.host.resolve(&key);
            }
            names = here.around.clone();
        }
        Ok(None)
    }

    fn language(&self) -> Language {
        self.host.language()
    }

    fn most_elements(&self) -> u64 {
        self.host.most_elements()
    }

    fn now(&mut self) -> Result<Timestamp, Fault> {
        self.host.now()
    }

    fn local_offset(&mut self) -> i32 {
        self.host.local_offset()
    }
}

impl Loader<'_> {
    /// Returns the type set that the literal hash `init` of a definition describes, and all its members.
    pub(super) fn define_type_set(&mut self, key: &str, of: &TypeDefinition, init: NodeId) -> Result<Type, Fault> {
        let described = self.init_hash(of, init)?;
        let mut set =
            object::build_type_set(Some(&of.name), Some(object::RUNTIME_AUTHORITY), &described, self.language())?;
        let names = Arc::new(Names::new(key, &set, of.names.clone()));
        for (name, expr) in members(&of.ast, init) {
            let key = names.key(name);
            let name = format!("{}::{name}", of.name).into();
            let member = TypeDefinition {
                ast: of.ast.clone(),
                id: of.id,
                expr,
                name,
                names: Some(names.clone()),
                implementation: None,
            };
            // Whoever asked before was told that there is none.
            self.aliases.resolved.remove(&key);
            self.aliases.members.insert(key, member);
        }
        for reference in set.references.values() {
            self.check_reference(&of.name, reference)?;
        }
        for (name, member) in &mut set.types {
            if let Some(found) = self.resolve(&names.key(name))? {
                *member = TypeSetMember::Type(found);
            }
        }
        Ok(Type::TypeSet(Some(Arc::new(set))))
    }

    /// Returns what the set is made of. The members are told by their names alone, with `Any` in place of each.
    fn init_hash(&mut self, of: &TypeDefinition, init: NodeId) -> Result<Hash, Fault> {
        let ast = &*of.ast;
        let mut within = TypeSetResolver { host: self, names: of.names.clone() };
        let mut described = Hash::default();
        for (key, value) in entries(ast, init) {
            let key = types::literal(ast, key, &mut within)?;
            let is_literal = matches!(ast.node(value), Node::Hash(_));
            let value = match key.as_str() {
                Some("types") if is_literal => {
                    let mut types = Hash::default();
                    for (name, _) in entries(ast, value) {
                        types.insert(key_of(ast, name, &mut within)?, Value::Type(Type::Any));
                    }
                    Value::Hash(types)
                }
                Some("references") if is_literal => {
                    let mut references = Hash::default();
                    for (name, reference) in entries(ast, value) {
                        let name = key_of(ast, name, &mut within)?;
                        references.insert(name, types::literal(ast, reference, &mut within)?);
                    }
                    Value::Hash(references)
                }
                _ => types::literal(ast, value, &mut within)?,
            };
            described.insert(key, value);
        }
        Ok(described)
    }

    fn check_reference(&mut self, owner: &str, reference: &TypeSetReference) -> Result<(), Fault> {
        let (name, range) = (&reference.name, &reference.version_range);
        let fault =
            |what: String| Err(Fault::new(format!("TypeSet '{owner}' reference to TypeSet named '{name}' {what}")));
        match self.resolve(name)?.as_ref().map(Type::resolved) {
            None => fault("cannot be resolved".into()),
            Some(Type::TypeSet(Some(set))) => match &set.version {
                Some(version) if range.includes(version) => Ok(()),
                version => {
                    let got = version.as_deref().map(SemVer::to_string).unwrap_or_default();
                    fault(format!("resolves to an incompatible version. Expected {range}, got {got}"))
                }
            },
            Some(_) => fault(format!("resolves to a {name}")),
        }
    }
}

/// In these keys a name in upper case is the text that it reads.
fn key_of(ast: &Ast, key: NodeId, within: &mut TypeSetResolver<'_, '_>) -> Result<Value, Fault> {
    match ast.node(key) {
        Node::TypeName(name) => Ok(Value::string(ast.text(name))),
        _ => types::literal(ast, key, within),
    }
}

fn entries(ast: &Ast, hash: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> {
    let entries = match ast.node(hash) {
        Node::Hash(entries) => ast.list(entries),
        _ => &[],
    };
    entries.iter().filter_map(|entry| match ast.node(*entry) {
        Node::Entry { key, value } => Some((key, value)),
        _ => None,
    })
}

/// The names under `types`, and what each is defined by.
fn members(ast: &Ast, init: NodeId) -> impl Iterator<Item = (&str, NodeId)> {
    let name = |id| match ast.node(id) {
        Node::TypeName(name) | Node::Name(name) | Node::String(name) => Some(ast.text(name)),
        _ => None,
    };
    entries(ast, init)
        .filter(move |(key, _)| name(*key) == Some("types"))
        .flat_map(|(_, types)| entries(ast, types))
        .filter_map(move |(key, of)| Some((name(key)?, of)))
}

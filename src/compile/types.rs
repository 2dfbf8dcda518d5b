//! Types of manifests and of modules: aliases, object types.

use std::path::Path;
use std::sync::Arc;

use pantin_base::names::capitalized;
use pantin_base::{Language, Location, Source, Strict, stack};
use pantin_model::trace::Answer;
use pantin_ruby::load_error;
use pantin_syntax::ast::{Ast, List, Node, NodeId};
use pantin_syntax::{MessageLimits, SourceKind, definition_hash};
use pantin_values::types::{Alias, Type};
use pantin_values::{Digest, Digester, Fault, Hash, Resolve, Str, Value, object, types};
use pantin_world::load::{TYPE_SET, TypeFile};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alias_memo::{Meaning, OpenDefinition};
use super::codebase::CodeBase;
use super::file::DefinitionRequest;
use super::loader::Loader;
use super::type_set::{Names, TypeSetResolver};

/// What was worked out, and what is being worked out.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// By lower-case name. `None`: there is no such type.
    pub(super) resolved: FxHashMap<Str, Option<(Type, Digest)>>,
    /// What the type sets met so far hold. Puppet knows none of it before somebody asks for the set.
    pub(super) members: FxHashMap<Str, TypeDefinition>,
    /// What is being worked out, outermost first.
    open: Vec<OpenDefinition>,
    /// What this request has worked out for itself alone.
    own: FxHashSet<Str>,
    /// Of which is asked whether they mean what they meant to another request, outermost first.
    compared: Vec<Str>,
}

/// Where a type is defined, and as what.
#[derive(Clone, Debug)]
pub(super) struct TypeDefinition {
    pub(super) ast: Arc<Ast>,
    /// The statement that defines it, alone or along with others.
    pub(super) id: NodeId,
    pub(super) expr: NodeId,
    pub(super) name: Str,
    /// Those of the type set that it is in.
    pub(super) names: Option<Arc<Names>>,
    /// The file of Ruby that has the methods of its objects, if one has.
    pub(super) implementation: Option<Str>,
}

impl TypeDefinition {
    fn from_ast(ast: Arc<Ast>, id: NodeId) -> Option<TypeDefinition> {
        let Node::TypeAlias { name, type_expr } = ast.node(id) else { return None };
        let name = ast.text(name).into();
        Some(TypeDefinition { ast, id, expr: type_expr, name, names: None, implementation: None })
    }
}

impl CodeBase {
    /// Where a type is defined, if anywhere.
    fn type_file(&self, name: &str) -> Option<TypeFile> {
        self.names.types.get(self, name.into(), |base| base.modules.type_file(name))
    }
}

impl Loader<'_> {
    pub(super) fn type_named(&mut self, name: &str) -> Answer {
        let key: Str = name.to_lowercase().into();
        if self.knows_producers && key == "bindings::producer" {
            let digest = Digest::from_text("Bindings::Producer");
            self.note_reference(&key, Some(digest));
            return Answer::Type(Type::Object(object::bindings_producer()), digest);
        }
        if let Err(fault) = self.find_out(&key) {
            return Answer::Fault(fault);
        }
        let known = self.aliases.resolved.get(&key).cloned().flatten();
        self.note_reference(&key, known.as_ref().map(|(_, digest)| *digest));
        known.map_or(Answer::Absent, |(of, digest)| Answer::Type(of, digest))
    }

    /// What is being worked out depends on it.
    fn note_reference(&mut self, key: &Str, meant: Option<Digest>) {
        let Aliases { open, own, .. } = &mut self.aliases;
        // What is being worked out already stands in itself, and so do all between.
        if let Some(at) = open.iter().position(|open| open.key == *key) {
            open[at..].iter_mut().for_each(|open| open.is_own = true);
        }
        if let Some(last) = open.last_mut() {
            last.is_own |= own.contains(key);
            last.note(key, meant);
        }
    }

    /// Works out what a name stands for, unless that is known.
    fn find_out(&mut self, key: &Str) -> Result<(), Fault> {
        if self.aliases.resolved.contains_key(key) {
            return Ok(());
        }
        // As in the real one, what a module's Ruby code or manifests define comes before its aliases, and is loaded for
        // them.
        if self.resource_type(key)?.is_some() || self.define(key)?.is_some() {
            let digest = Digester::new(b"resource type").text(key).finish();
            self.aliases
                .resolved
                .insert(key.clone(), Some((Type::resource(super::node::reference_name(key), None), digest)));
            return Ok(());
        }
        if let Some(definition) = self.definition_of_type(key)? {
            let resolved = self.resolve_alias(key, &definition);
            if resolved.is_err() {
                self.aliases.resolved.remove(key);
            }
            return resolved;
        }
        let mut around: &str = key;
        while let Some((outer, _)) = around.rsplit_once("::") {
            // A type set of a module makes its members known.
            if self.base.type_file(outer).is_some() {
                self.find_out(&outer.into())?;
            }
            around = outer;
        }
        self.aliases.resolved.entry(key.clone()).or_insert(None);
        Ok(())
    }

    fn definition_of_type(&mut self, key: &str) -> Result<Option<TypeDefinition>, Fault> {
        if let Some(member) = self.aliases.members.get(key) {
            return Ok(Some(member.clone()));
        }
        for file in self.manifests.iter().rev() {
            if let Some((_, id)) = file.aliases.iter().find(|(name, _)| name.to_lowercase() == key) {
                return Ok(TypeDefinition::from_ast(file.ast.clone(), *id));
            }
        }
        let path = match self.base.type_file(key) {
            Some(TypeFile::Puppet(path)) => path,
            Some(TypeFile::Ruby(path)) => return self.data_type_in_ruby(key, &path).map(Some),
            None => return Ok(None),
        };
        let module = key.split("::").next().unwrap_or_default().into();
        let ast = self.manifest(&path, &module)?.ast.clone();
        let none = "no type alias or type definition found";
        let wanted = DefinitionRequest { what: "type", name: key, none, path: &path };
        let id = wanted.only_definition(&ast, |node| match node {
            Node::TypeAlias { name, .. } => Some(ast.text(name).to_owned()),
            _ => None,
        })?;
        let definition = TypeDefinition::from_ast(ast, id);
        let is_set = |of: &TypeDefinition| matches!(defined_by(&of.ast, of.expr), TypeBody::TypeSet(_));
        if path.file_stem().is_some_and(|stem| stem == TYPE_SET) && !definition.as_ref().is_some_and(is_set) {
            let (path, name) = (path.display(), capitalized(key));
            return Err(Fault::new(format!("The code loaded from {path} does not define the TypeSet '{name}'")));
        }
        Ok(definition)
    }

    /// Returns a type that a module declares in Ruby: its file is run, and says what stands in the braces.
    fn data_type_in_ruby(&mut self, key: &str, path: &Path) -> Result<TypeDefinition, Fault> {
        let declared = self.base.data_type(path)?;
        if !declared.name.eq_ignore_ascii_case(key) {
            let (path, name) = (path.display(), &declared.name);
            return Err(Fault::new(format!(
                "The code loaded from {path} produced mis-matched name, expected '{key}', got {name}"
            )));
        }
        let failed = |reason: &str| Fault::new(load_error(&declared.name, reason));
        let text = format!("type {} = {{ {} }}", declared.name, declared.interface);
        let source = Source::new(None, &text).map_err(|_| failed("it is too large"))?;
        let settings = self.base.syntax_settings();
        let outcome = pantin_syntax::check(
            Arc::new(source),
            SourceKind::Manifest,
            &Location::Anywhere,
            settings,
            MessageLimits::default(),
        );
        let ast = match (outcome.error, outcome.ast) {
            (None, Some(ast)) => Arc::new(ast),
            (error, _) => return Err(failed(&error.map(|error| error.message).unwrap_or_default())),
        };
        let mut ids = ast.ids().filter(|id| matches!(ast.node(*id), Node::TypeAlias { .. }));
        let mut definition = match (ids.next(), ids.next()) {
            (Some(id), None) => TypeDefinition::from_ast(Arc::clone(&ast), id),
            _ => None,
        }
        .ok_or_else(|| failed("the interface is more than what stands in the braces of a type"))?;
        definition.implementation =
            declared.is_implemented.then(|| path.with_extension("").display().to_string().into());
        Ok(definition)
    }

    /// Works out what an alias stands for. It is known by name meanwhile, so that it can stand in itself.
    fn resolve_alias(&mut self, key: &Str, of: &TypeDefinition) -> Result<(), Fault> {
        let is_alias = matches!(defined_by(&of.ast, of.expr), TypeBody::Alias);
        let is_shared = is_alias && of.names.is_none() && of.implementation.is_none();
        if is_shared && let Some(meaning) = self.as_before(key, of)? {
            self.aliases.resolved.insert(key.clone(), Some(meaning));
            return Ok(());
        }
        // What it depended on may have led to it.
        if self.aliases.resolved.contains_key(key) {
            return Ok(());
        }
        let mut digester = Digester::new(b"alias");
        digester.bytes(&definition_hash(&of.ast, of.id)).text(&of.name);
        digester.text(of.implementation.as_deref().unwrap_or_default());
        let alias = Arc::new(Alias::new(of.name.clone()));
        let early = digester.finish();
        self.aliases.resolved.insert(key.clone(), Some((Type::Alias(alias.clone()), early)));
        self.aliases.open.push(OpenDefinition::new(key, digester));
        let resolved = self.define_type(key, of);
        let (digest, asked) = self.aliases.open.pop().map_or((early, None), OpenDefinition::finish);
        let resolved = resolved?;
        // An object type is no alias: it has the name itself.
        let mut meant = match is_alias {
            true => Alias::define(&alias, resolved).map(|()| Type::Alias(alias))?,
            false => {
                alias.resolve(resolved.clone());
                resolved
            }
        };
        match asked.filter(|_| is_shared) {
            Some(asked) => {
                let meaning = Meaning::new(of.ast.clone(), of.id, asked, meant, digest);
                meant = self.base.memos.aliases.keep(key, meaning);
            }
            None => drop(self.aliases.own.insert(key.clone())),
        }
        self.aliases.resolved.insert(key.clone(), Some((meant, digest)));
        Ok(())
    }

    /// Returns what another request has worked out, if all names in it mean the same to this one. They are asked for in
    /// the order in which they would be, for that loads files; the first that is wrong is what is wrong with the alias.
    fn as_before(&mut self, key: &Str, of: &TypeDefinition) -> Result<Option<(Type, Digest)>, Fault> {
        // A name in it may lead to itself, as that of a type within a set of its name does: that is worked out.
        if self.aliases.compared.contains(key) {
            return Ok(None);
        }
        for meaning in self.base.memos.aliases.meanings(key, &of.ast, of.id) {
            // Who asks for this alias depends on none of them.
            self.aliases.open.push(OpenDefinition::new(key, Digester::new(b"alias again")));
            self.aliases.compared.push(key.clone());
            let is_same = self.means(&meaning.referenced_types);
            self.aliases.compared.pop();
            self.aliases.open.pop();
            if is_same? {
                return Ok(Some((meaning.resolved, meaning.digest)));
            }
        }
        Ok(None)
    }

    fn means(&mut self, asked: &[(Str, Option<Digest>)]) -> Result<bool, Fault> {
        for (name, meant) in asked {
            let means = match stack::with_room(|| self.type_named(name)) {
                Answer::Type(_, digest) => Some(digest),
                Answer::Fault(fault) => return Err(fault),
                _ => None,
            };
            if means != *meant {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `type P = {…}` and `type P = Object[{…}]` define an object type of that name, `TypeSet[{…}]` a type set; all
    /// else is an alias.
    fn define_type(&mut self, key: &str, of: &TypeDefinition) -> Result<Type, Fault> {
        let mut within = TypeSetResolver { host: self, names: of.names.clone() };
        match defined_by(&of.ast, of.expr) {
            TypeBody::Alias => types::interpret(&of.ast, of.expr, &mut within),
            TypeBody::Object(init) => match types::literal(&of.ast, init, &mut within)? {
                Value::Hash(init) => {
                    let mut class = object::build(Some(&of.name), &init, self.language())?;
                    if let Some(class) = Arc::get_mut(&mut class) {
                        class.implementation.clone_from(&of.implementation);
                    }
                    Ok(Type::Object(class))
                }
                other => Err(Fault::new(format!("{}: {} is not a type", of.name, Type::infer(&other)))),
            },
            TypeBody::Heir { parent, ops } => {
                let init = heir(&of.ast, parent, of.ast.list(ops), &mut within)?;
                Ok(Type::Object(object::build(Some(&of.name), &init, self.language())?))
            }
            TypeBody::TypeSet(init) => self.define_type_set(key, of, init),
        }
    }
}

/// What the right side of a type's definition makes, and the literal hash that describes it.
#[derive(Clone, Copy)]
enum TypeBody {
    Alias,
    Object(NodeId),
    /// `Parent { … }` in a type set; elsewhere the parser makes an `Object` of it.
    Heir {
        parent: NodeId,
        ops: List,
    },
    TypeSet(NodeId),
}

fn defined_by(ast: &Ast, type_expr: NodeId) -> TypeBody {
    match ast.node(type_expr) {
        Node::Hash(_) => TypeBody::Object(type_expr),
        Node::ResourceDefaults { type_ref, ops, .. } => TypeBody::Heir { parent: type_ref, ops },
        Node::Access { left, keys } => match (ast.node(left), ast.list(keys)) {
            (Node::TypeName(of), [init]) if matches!(ast.node(*init), Node::Hash(_)) => match ast.text(of) {
                "Object" => TypeBody::Object(*init),
                "TypeSet" => TypeBody::TypeSet(*init),
                _ => TypeBody::Alias,
            },
            _ => TypeBody::Alias,
        },
        _ => TypeBody::Alias,
    }
}

/// Returns what `Parent { … }` says of an object type. A `parent` in the braces goes before the one outside.
fn heir(ast: &Ast, parent: NodeId, ops: &[NodeId], within: &mut TypeSetResolver<'_, '_>) -> Result<Hash, Fault> {
    let mut init = Hash::default();
    if !matches!(ast.node(parent), Node::TypeName(name) if matches!(ast.text(name), "Object" | "TypeSet")) {
        init.insert("parent".into(), types::literal(ast, parent, within)?);
    }
    for op in ops {
        let (key, value) = match ast.node(*op) {
            Node::AttributeOp { name, value, .. } => (ast.text(name), value),
            _ => ("", *op),
        };
        let is_strict = within.host.base.settings.strict == Strict::Error;
        if is_strict && key == "parent" && init.get_str(key).is_some() {
            return Err(Fault::issue("DUPLICATE_KEY", "The key 'parent' is declared more than once"));
        }
        init.insert(key.into(), types::literal(ast, value, within)?);
    }
    Ok(init)
}

/// Definitions name each other.
impl Resolve for Loader<'_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        match self.type_named(name) {
            Answer::Type(of, _) => Ok(Some(of)),
            Answer::Fault(fault) => Err(fault),
            _ => Ok(None),
        }
    }

    fn language(&self) -> Language {
        self.base.settings.language
    }

    fn most_elements(&self) -> u64 {
        self.base.settings.limits.elements
    }
}

//! Scopes: the top, the node's, one for each class and each instance of a defined type.
//! Their fields are visible to the state of the catalog alone; they must not know who reads them.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use pantin_values::{Digest, Digester, Str, Value};
use pantin_world::Sight;
use rustc_hash::FxHashMap;

use super::is_relationship;
use super::known_variables::Variables;
use super::resource::{Param, ResourceId};
use crate::code::Def;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::node) struct ScopeId(u32);

pub(in crate::node) const TOP: ScopeId = ScopeId(0);

/// A scope that is about to be added.
pub(in crate::node) struct NewScope {
    /// What it is the scope of: code, and the resource whose body that is.
    pub(in crate::node) source: Arc<Def>,
    pub(in crate::node) resource: ResourceId,
    /// The scope in which the resource was declared.
    pub(in crate::node) parent: Option<ScopeId>,
    /// Of a class that inherits: that of its parent.
    pub(in crate::node) inherited: Option<ScopeId>,
    pub(in crate::node) is_node: bool,
}

#[derive(Debug)]
pub(super) struct Scope {
    /// The scope in which the resource was declared.
    pub(super) parent: Option<ScopeId>,
    /// Of a class that inherits: that of its parent.
    pub(super) inherited: Option<ScopeId>,
    pub(super) source: Arc<Def>,
    pub(super) resource: ResourceId,
    pub(super) is_node: bool,
    pub(super) variables: Variables,
    /// While the defaults of parameters are worked out and others look at it.
    pub(super) half_done: Option<Box<PendingParameters>>,
    /// What had matched in it last when its code ended, as an array; or undef.
    pub(super) matched: Value,
    defaults: Vec<(Str, Vec<Rc<Param>>)>,
    /// The digest of them, once it was wanted.
    defaults_digest: OnceCell<Option<Digest>>,
}

/// Which parameters of a class have no value yet.
#[derive(Debug)]
pub(super) struct PendingParameters {
    /// The one whose default is being worked out, and its place among all.
    pub(super) current: Str,
    pub(super) place: usize,
    /// Those that wait, with their places.
    pub(super) waiting: Vec<(usize, Str)>,
}

impl Scope {
    fn new(new: NewScope) -> Scope {
        let NewScope { source, resource, parent, inherited, is_node } = new;
        Scope {
            parent,
            inherited,
            source,
            resource,
            is_node,
            variables: Variables::default(),
            half_done: None,
            matched: Value::Undef,
            defaults: Vec::new(),
            defaults_digest: OnceCell::new(),
        }
    }

    /// Returns the defaults that were set here for resources of a type.
    pub(super) fn defaults_of(&self, type_name: &str) -> &[Rc<Param>] {
        self.defaults.iter().find(|(known, _)| known == type_name).map_or(&[], |(_, params)| params)
    }

    fn defaults_mut(&mut self, type_name: &Str) -> &mut Vec<Rc<Param>> {
        self.defaults_digest.take();
        let index = match self.defaults.iter().position(|(known, _)| known == type_name) {
            Some(index) => index,
            None => {
                self.defaults.push((type_name.clone(), Vec::new()));
                self.defaults.len() - 1
            }
        };
        &mut self.defaults[index].1
    }

    /// `None`: a list of relationships is among them, which is one list for all that have it, and grows.
    fn defaults_digest(&self) -> Option<Digest> {
        let digest = || {
            let mut digester = Digester::new(b"defaults");
            for (type_name, params) in &self.defaults {
                digester.text(type_name).number(params.len() as u64);
                for param in params {
                    let value = param.value.borrow();
                    if is_relationship(&param.name) && matches!(*value, Value::Array(_)) {
                        return None;
                    }
                    digester.text(&param.name).item(&*value);
                }
            }
            Some(digester.finish())
        };
        *self.defaults_digest.get_or_init(digest)
    }
}

/// The names of a class while they are hidden: its variables for them, and its place among the classes.
pub(in crate::node) struct ClassNames {
    variables: [Option<(Str, Value)>; 2],
    class: Option<(Str, ScopeId)>,
}

/// All scopes of one catalog.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    all: Vec<Scope>,
    /// By the names of classes and nodes.
    by_class: FxHashMap<Str, ScopeId>,
    /// The types for which any of them sets defaults: a few.
    with_defaults: Vec<Str>,
    /// Whether parameters of any were shown before all of them had values. Mostly of none.
    pub(super) were_half_done: bool,
    /// Whether a class inherits `settings`: its code sees settings by their bare names. Of hardly any catalog.
    pub(super) has_heir_of_settings: bool,
}

/// Names the defaults of the scopes around where none sets any.
static NO_DEFAULTS: LazyLock<Digest> = LazyLock::new(|| Digester::new(b"given").finish());

impl Scopes {
    pub(super) fn add(&mut self, new: NewScope) -> ScopeId {
        let inherits_settings = new.inherited.is_some_and(|inherited| self.get(inherited).source.name == "settings");
        self.has_heir_of_settings |= inherits_settings;
        self.all.push(Scope::new(new));
        ScopeId(self.all.len() as u32 - 1)
    }

    pub(super) fn get(&self, id: ScopeId) -> &Scope {
        &self.all[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.all[id.0 as usize]
    }

    /// Returns the top scope; a catalog that could not be begun has none.
    pub(super) fn top_mut(&mut self) -> Option<&mut Scope> {
        self.all.first_mut()
    }

    pub(super) fn set_class(&mut self, name: Str, scope: ScopeId) {
        self.by_class.insert(name, scope);
    }

    pub(super) fn class_scope(&self, name: &str) -> Option<ScopeId> {
        self.by_class.get(name).copied()
    }

    /// Returns the defaults that a scope sets for resources of a type, to be changed.
    pub(super) fn defaults_mut(&mut self, scope: ScopeId, type_name: &Str) -> &mut Vec<Rc<Param>> {
        if !self.with_defaults.contains(type_name) {
            self.with_defaults.push(type_name.clone());
        }
        self.all[scope.0 as usize].defaults_mut(type_name)
    }

    /// Takes a class its names.
    pub(super) fn take_names(&mut self, id: ScopeId) -> ClassNames {
        let scope = &mut self.all[id.0 as usize];
        let variables = ["title", "name"].map(|name| scope.variables.take(name));
        ClassNames { variables, class: self.by_class.remove_entry(&scope.source.name) }
    }

    pub(super) fn give_names(&mut self, id: ScopeId, names: ClassNames) {
        for (name, value) in names.variables.into_iter().flatten() {
            self.get_mut(id).variables.insert(name, value);
        }
        self.by_class.extend(names.class);
    }

    /// Where a name is looked for after this scope: the class that is inherited, or the scope of the node block, or
    /// the top.
    pub(super) fn around(&self, id: ScopeId) -> Option<ScopeId> {
        let scope = self.get(id);
        if scope.inherited.is_some() {
            return scope.inherited;
        }
        let mut parent = scope.parent;
        while let Some(above) = parent {
            if above == TOP || self.get(above).is_node {
                return Some(above);
            }
            parent = self.get(above).parent;
        }
        None
    }

    /// Returns the scope of the node block as this one sees it, or the top.
    pub(super) fn global(&self, id: ScopeId) -> ScopeId {
        let mut scope = id;
        while scope != TOP && !self.get(scope).is_node {
            let Some(around) = self.around(scope) else { return scope };
            scope = around;
        }
        scope
    }

    /// Returns a name without `::`, of whose value no more is looked at than this.
    pub(super) fn find(&self, from: ScopeId, name: &str, path: &[Value], sight: Sight) -> Option<&Value> {
        let mut scope = Some(from);
        while let Some(id) = scope {
            if let Some(value) = self.get(id).variables.sight(name, path, sight) {
                return Some(value);
            }
            scope = self.around(id);
        }
        None
    }

    /// Returns the scope in which a name without `::` is found.
    pub(super) fn holder(&self, from: ScopeId, name: &str) -> Option<ScopeId> {
        let mut scope = Some(from);
        while let Some(id) = scope.filter(|id| !self.get(*id).variables.contains(name)) {
            scope = self.around(id);
        }
        scope
    }

    /// Returns a variable of a class, or of the classes that it inherits.
    pub(super) fn find_in_class(&self, class: &str, name: &str) -> Option<&Value> {
        let mut scope = self.class_scope(class);
        while let Some(id) = scope {
            let here = self.get(id);
            if let Some(value) = here.variables.get(name) {
                return Some(value);
            }
            scope = here.inherited;
        }
        None
    }

    /// From the innermost to the top, as scopes called each other.
    pub(super) fn callers(&self, from: ScopeId) -> impl Iterator<Item = &Scope> {
        std::iter::successors(Some(from), |id| self.get(*id).parent).map(|id| self.get(id))
    }

    /// Returns the defaults for a type as a resource declared here gets them: the outermost first, a closer one in the
    /// place of one of its name.
    pub(super) fn defaults(&self, from: ScopeId, type_name: &str) -> Vec<Rc<Param>> {
        let mut found: Vec<Rc<Param>> = Vec::new();
        if !self.with_defaults.iter().any(|known| known == type_name) {
            return found;
        }
        let around = self.callers(from).map(|scope| scope.defaults_of(type_name));
        let chain: Vec<&[Rc<Param>]> = around.filter(|params| !params.is_empty()).collect();
        for params in chain.into_iter().rev() {
            for param in params {
                match found.iter_mut().find(|known| known.name == param.name) {
                    Some(known) => *known = param.clone(),
                    None => found.push(param.clone()),
                }
            }
        }
        found
    }

    /// Names the defaults that the scopes around this one set; `None`: they hold a list that grows.
    pub(super) fn defaults_around(&self, scope: ScopeId) -> Option<Digest> {
        let mut around = self.callers(scope).skip(1).filter(|scope| !scope.defaults.is_empty());
        let Some(nearest) = around.next() else { return Some(*NO_DEFAULTS) };
        around.try_fold(nearest.defaults_digest()?, |nearer, scope| {
            Some(Digester::new(b"given").digest(nearer).digest(scope.defaults_digest()?).finish())
        })
    }

    /// Returns true if this is the value of a default.
    pub(super) fn is_default(&self, from: ScopeId, type_name: &str, name: &str, value: &Value) -> bool {
        self.callers(from).any(|scope| {
            scope.defaults_of(type_name).iter().any(|param| param.name == name && *param.value.borrow() == *value)
        })
    }

    /// Of the variables that are seen from a scope, those that are not undef there, in the order of their names.
    pub(super) fn set_names(&self, from: ScopeId) -> Vec<&str> {
        let mut names = self.names(from);
        names.retain(|name| {
            let is_undef = |id: ScopeId| self.get(id).variables.is_undef(name);
            std::iter::successors(Some(from), |id| self.around(*id)).find_map(is_undef) == Some(false)
        });
        names
    }

    pub(super) fn names(&self, from: ScopeId) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let mut scope = Some(from);
        while let Some(id) = scope {
            names.extend(self.get(id).variables.names());
            scope = self.around(id);
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

//! A resource while its catalog is compiled, and its parameters.
//! Its fields are visible to the state of the catalog alone; it must not know who reads them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pantin_model::catalog::kinds::{METAPARAMETERS, TypeRef, TypeTable};
use pantin_model::catalog::{ResourceTypeKind, Tags};
use pantin_model::trace::{At, Parameter};
use pantin_values::{Str, Value};

use super::scope::ScopeId;
use crate::code::Def;

/// Names a resource of the catalog. Only the state makes one: for a declaration, or for a look-up that is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::node) struct ResourceId(u32);

impl ResourceId {
    #[inline]
    pub(super) fn from_index(index: usize) -> ResourceId {
        ResourceId(index as u32)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) fn place(self) -> u32 {
        self.0
    }
}

#[derive(Debug)]
pub(super) struct Resource {
    /// With a capital in each segment.
    pub(super) type_name: Str,
    pub(super) title: Str,
    /// A title that was a number is no tag, and its name is sent along with it.
    pub(super) has_text_title: bool,
    pub(super) kind: ResourceTypeKind,
    pub(super) resource_kind: ResourceKind,
    pub(super) params: Vec<Rc<Param>>,
    pub(super) tags: Tags,
    pub(super) at: Option<At>,
    pub(super) scope: ScopeId,
    pub(super) source: Arc<Def>,
    pub(super) is_virtual: bool,
    pub(super) exported: ExportFlag,
    pub(super) is_evaluated: bool,
    /// Its parameters are those with which its body was run, which were looked at then.
    pub(super) is_checked: bool,
    /// Whether it has the tags of what contains it.
    pub(super) has_scope_tags: bool,
    /// The resource that it had all tags from last, and how many these were.
    pub(super) tagged_by: Option<(ResourceId, usize)>,
    pub(super) sensitive: Vec<Str>,
    /// By what it is known where it was collected from: another node.
    pub(super) collected_as: Option<Str>,
}

/// What its type is: one that the agent's providers carry out, or one of Puppet code.
#[derive(Clone, Debug)]
pub(in crate::node) enum ResourceKind {
    Native(TypeRef),
    /// A defined type, a class or a node.
    Def(Arc<Def>),
}

/// Whether it is exported; where a function has declared it, that is said last on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::node) enum ExportFlag {
    No,
    Yes,
    Unsaid,
}

#[derive(Debug)]
pub(in crate::node) struct Param {
    pub(super) name: Str,
    /// An array that was written once is one array wherever it has gone: a relationship that is added to one of several
    /// resources with the same parameter is added to all, as in Puppet.
    pub(super) value: RefCell<Value>,
    pub(super) at: Option<At>,
    pub(super) source: Arc<Def>,
    /// `+>`
    pub(super) append: bool,
}

impl Param {
    pub(in crate::node) fn new(name: Str, value: Value, source: Arc<Def>) -> Rc<Param> {
        Rc::new(Param { name, value: value.into(), at: None, source, append: false })
    }

    /// As code states it.
    pub(in crate::node) fn written(parameter: &Parameter<'_>, source: Arc<Def>) -> Rc<Param> {
        let Parameter { written, value } = parameter;
        Rc::new(Param {
            name: written.name.clone(),
            value: (*value).clone().into(),
            at: Some(written.at.clone()),
            source,
            append: written.append,
        })
    }

    /// The same with another value.
    pub(super) fn with(&self, value: Value) -> Rc<Param> {
        Rc::new(Param {
            name: self.name.clone(),
            value: value.into(),
            at: self.at.clone(),
            source: self.source.clone(),
            append: self.append,
        })
    }

    /// The same without the place where it is written: functions do not say it.
    pub(in crate::node) fn without_place(&self) -> Rc<Param> {
        Rc::new(Param {
            name: self.name.clone(),
            value: self.value.clone(),
            at: None,
            source: self.source.clone(),
            append: self.append,
        })
    }

    #[inline]
    pub(super) fn value(&self) -> Value {
        self.value.borrow().clone()
    }
}

impl Resource {
    pub(super) fn reference(&self) -> String {
        [self.type_name.as_str(), "[", &self.title, "]"].concat()
    }

    #[inline]
    pub(super) fn param(&self, name: &str) -> Option<&Rc<Param>> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Undef where it is not set.
    pub(super) fn get(&self, name: &str) -> Value {
        self.param(name).map(|param| param.value()).unwrap_or_default()
    }

    /// In the place of the one of its name, or behind all others.
    pub(super) fn set(&mut self, param: Rc<Param>) {
        // What a metaparameter may be does not depend on the type, unless it is a parameter too.
        let is_free = self.definition().is_none_or(|definition| definition.metaparameters.is_empty());
        self.is_checked &= is_free && METAPARAMETERS.contains(&param.name.as_str());
        match self.params.iter_mut().find(|known| known.name == param.name) {
            Some(known) => *known = param,
            None => self.params.push(param),
        }
    }

    pub(super) fn is_class(&self) -> bool {
        self.type_name == "Class"
    }

    pub(super) fn is_main(&self) -> bool {
        self.title == "main" && (self.is_class() || self.type_name == "Stage")
    }

    pub(super) fn native(&self) -> Option<&TypeTable> {
        self.native_type().map(|native| &**native)
    }

    pub(super) fn native_type(&self) -> Option<&TypeRef> {
        match &self.resource_kind {
            ResourceKind::Native(native) => Some(native),
            ResourceKind::Def(_) => None,
        }
    }

    /// Returns what gives it more resources than itself.
    pub(super) fn definition(&self) -> Option<&Arc<Def>> {
        match &self.resource_kind {
            ResourceKind::Native(_) => None,
            ResourceKind::Def(definition) => Some(definition),
        }
    }
}

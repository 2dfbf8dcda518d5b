//! What every catalog begins with: the main stage, the classes `settings` and main, and the variables of the top scope.
//! It must not know which code runs first.

use std::sync::{Arc, LazyLock};

use pantin_model::catalog::kinds::{TypeRef, native};
use pantin_model::catalog::{ResourceTypeKind, Tags};
use pantin_values::{Fault, Hash, Referred, Str, Type, Value};

use super::CatalogState;
use super::declared::PreparedResource;
use super::known_variables::Variables;
use super::resource::{ExportFlag, Resource, ResourceId, ResourceKind};
use super::scope::{NewScope, ScopeId, TOP};
use crate::code::Def;

/// The classes that every catalog begins with.
static CLASSES: LazyLock<[Arc<Def>; 2]> =
    LazyLock::new(|| ["", "settings"].map(|name| Arc::new(Def::empty_class(name))));

/// The resources that every catalog begins with.
static FIRST: LazyLock<[BuiltIn; 3]> = LazyLock::new(|| {
    let stage = native("Stage").map(TypeRef::Native);
    let stage = BuiltIn { kind: ResourceTypeKind::Native, native: stage, ..BuiltIn::new("Stage", "main") };
    [stage, BuiltIn::new("Class", "Settings"), BuiltIn::new("Class", "main")]
});

struct BuiltIn {
    type_name: Str,
    title: Str,
    kind: ResourceTypeKind,
    native: Option<TypeRef>,
}

impl BuiltIn {
    fn new(type_name: &str, title: &str) -> BuiltIn {
        BuiltIn { type_name: type_name.into(), title: title.into(), kind: ResourceTypeKind::Unknown, native: None }
    }
}

impl CatalogState<'_> {
    /// The resources and scopes that every catalog begins with. `settings`: the variables of the class of that name.
    pub(in crate::node) fn begin(&mut self, settings: &Hash) {
        let [main_class, settings_class] = CLASSES.each_ref().map(Arc::clone);
        let [stage, settings_resource, main] = &*FIRST;
        let stage = self.place_first(self.built_in(stage, &main_class));
        let settings_resource = self.place_first(self.built_in(settings_resource, &settings_class));
        let main = self.place_first(self.built_in(main, &main_class));
        let scope = |source, resource, parent| NewScope { source, resource, parent, inherited: None, is_node: false };
        self.scopes.add(scope(main_class, main, None));
        let settings_scope = self.scopes.add(scope(settings_class, settings_resource, Some(TOP)));
        self.scopes.set_class("settings".into(), settings_scope);
        self.scopes.set_class(Str::default(), TOP);
        let mut variables = Variables::over([settings.clone(), Hash::default(), Hash::default()]);
        variables.reserve(3);
        variables.insert("all_local".into(), Value::Hash(settings.clone()));
        variables.insert("title".into(), "settings".into());
        variables.insert("name".into(), "settings".into());
        self.scopes.get_mut(settings_scope).variables = variables;
        self.edges.extend([(stage, settings_resource), (stage, main)]);
    }

    /// The classes of the node's classifier are on the list from the first, whether they come to be evaluated or not.
    pub(in crate::node) fn begin_classes(&mut self, classified: &[Str]) -> Result<(), Fault> {
        classified.iter().try_for_each(|name| self.add_classified(name))?;
        let _ = self.add_class(&"settings".into());
        Ok(())
    }

    /// The variables of the top scope: those of the node, and these over them.
    pub(in crate::node) fn begin_variables(&mut self, of_node: [Hash; 3], over: Vec<(Str, Value)>) {
        let mut variables = Variables::with_reads_noted(of_node);
        variables.reserve(over.len());
        over.into_iter().for_each(|(name, value)| variables.insert(name, value));
        self.scopes.get_mut(TOP).variables = variables;
    }

    /// Adds a scope whose variables hide those of the top scope.
    pub(in crate::node) fn begin_inner(&mut self) -> ScopeId {
        let resource = self.scopes.get(TOP).resource;
        let source = self.scopes.get(TOP).source.clone();
        self.scopes.add(NewScope { source, resource, parent: Some(TOP), inherited: None, is_node: false })
    }

    /// Sets variables of the top scope over those of the node.
    pub(in crate::node) fn bind_variables(&mut self, values: Vec<(Str, Value)>) {
        let variables = &mut self.scopes.get_mut(TOP).variables;
        values.into_iter().for_each(|(name, value)| variables.insert(name, value));
    }

    /// Names of types mean others from here on.
    pub(in crate::node) fn replace_types(&mut self, replaced: Vec<(Str, Str)>) {
        self.type_replacements = replaced.into_iter().collect();
    }

    pub(in crate::node) fn has_replaced_types(&self) -> bool {
        !self.type_replacements.is_empty()
    }

    /// The value with the types that stand in the places of those that its references name.
    pub(in crate::node) fn with_replaced_types(&self, value: &Value) -> Value {
        match value {
            Value::Type(Type::Resource(Some(resource))) => {
                let type_name = self.replaced_type_name(resource.type_name.clone());
                Value::Type(Type::resource(type_name, resource.title.clone()))
            }
            Value::Resource(resource) => {
                let type_name = self.replaced_type_name(resource.type_name.clone());
                Value::Resource(Arc::new(Referred { type_name, title: resource.title.clone() }))
            }
            Value::Array(items) => {
                pantin_base::stack::with_room(|| Value::array(items.iter().map(|item| self.with_replaced_types(item))))
            }
            other => other.clone(),
        }
    }

    /// Like `with_replaced_types`, for the value of a relationship, which may have references as texts.
    pub(in crate::node) fn with_replaced_references(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match pantin_base::names::split_reference(text) {
                Some((type_name, title)) => {
                    let type_name = self.replaced_type_name(pantin_base::names::type_name(type_name).into());
                    Value::from(format!("{type_name}[{title}]"))
                }
                None => value.clone(),
            },
            Value::Array(items) => {
                let replaced = |item| pantin_base::stack::with_room(|| self.with_replaced_references(item));
                Value::array(items.iter().map(replaced))
            }
            other => self.with_replaced_types(other),
        }
    }

    /// Returns the type that stands in the place of one.
    pub(in crate::node) fn replaced_type_name(&self, type_name: Str) -> Str {
        self.type_replacements.get(&type_name).cloned().unwrap_or(type_name)
    }

    /// Adds the resource and the scope of the node block.
    pub(in crate::node) fn begin_node(&mut self, title: &Str, definition: &Arc<Def>) -> Result<ScopeId, Fault> {
        let mut resource = self.built_in(&BuiltIn::new("Node", title), definition);
        resource.has_scope_tags = false;
        self.tags.merge(&resource.tags);
        let id = self.add(PreparedResource(resource))?;
        self.take_scope_tags(id);
        let source = definition.clone();
        let scope = NewScope { source, resource: id, parent: Some(TOP), inherited: None, is_node: true };
        let scope = self.scopes.add(scope);
        let _ = self.add_class(title);
        self.begin_scope(scope, title, title);
        Ok(scope)
    }

    /// Returns a resource that no code has declared.
    fn built_in(&self, known: &BuiltIn, source: &Arc<Def>) -> Resource {
        let BuiltIn { type_name, title, kind, native } = known;
        let mut tags = Tags::default();
        tags.add_if_valid(type_name, &self.tag_names);
        if title != "main" {
            tags.add_if_valid(title, &self.tag_names);
        }
        Resource {
            type_name: type_name.clone(),
            title: title.clone(),
            has_text_title: true,
            kind: *kind,
            resource_kind: native.clone().map_or_else(|| ResourceKind::Def(source.clone()), ResourceKind::Native),
            params: Vec::new(),
            tags,
            at: None,
            scope: TOP,
            source: source.clone(),
            is_virtual: false,
            exported: ExportFlag::No,
            is_checked: false,
            is_evaluated: true,
            has_scope_tags: true,
            tagged_by: None,
            sensitive: Vec::new(),
            collected_as: None,
        }
    }

    /// Puppet has it in the catalog alone, and not among the resources that collectors go through.
    fn place_first(&mut self, resource: Resource) -> ResourceId {
        let id = ResourceId::from_index(self.resources.len());
        self.table.add_title(&resource, id);
        self.resources.push(resource);
        id
    }
}

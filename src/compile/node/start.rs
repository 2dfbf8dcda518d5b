//! The beginning of a catalog: the top scope, the main class, the node's block, the classes that the ENC names.

use std::sync::{Arc, LazyLock};

use pantin_eval::Instance;
use pantin_model::catalog::kinds::{TypeRef, native};
use pantin_model::catalog::{ResourceTypeKind, Tags};
use pantin_model::trace::{Failure, Shape};
use pantin_values::{Digest, Digester, Fault, Hash, Str, Value};
use pantin_world::node::NodeClasses;

use super::known_variables::Variables;
use super::resource::{ExportFlag, Resource, ResourceId, ResourceKind};
use super::scope::{Scope, TOP};
use super::{Compiler, Main, MainRun};
use crate::Session;
use crate::code::Def;
use crate::report::failure_of;

/// Variables of the top scope that only the server itself sets. (What a node says of `trusted` is hidden, and no error.)
const RESERVED: [&str; 2] = ["facts", "server_facts"];

/// What the real one has of its own under the name of a module; no module may be called so.
const OF_LOADERS: [&str; 3] = ["environment", "puppet_system", "pcore_resource_types"];

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

/// By what the traces of the main code are found, beside that code.
pub(crate) fn main_parameters(kind: pantin_syntax::SourceKind, values: &Hash) -> Digest {
    match kind {
        pantin_syntax::SourceKind::Manifest => Digest::of_text("main"),
        pantin_syntax::SourceKind::Template => Digester::new(b"template").item(&Value::Hash(values.clone())).finish(),
    }
}

impl Compiler<'_> {
    /// What a session has accepted before is known, and its variables are set.
    pub(crate) fn begin_after(&mut self, session: &Session) {
        for file in &session.programs {
            // Later inputs hide earlier ones of their names.
            let _ = self.loader.import(file);
        }
        self.given_variables = session.variables.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    }

    pub(super) fn evaluate_main(&mut self, main: &Main<'_>) -> Result<Value, Failure> {
        self.begin()?;
        for file in main.files {
            let imported = self.loader.import(file);
            self.tell();
            imported.map_err(failure_of)?;
        }
        let settings = self.loader.base.settings;
        let builtins = self.loader.base.builtins;
        let mut value = Value::Undef;
        for file in main.files {
            let body = &file.main;
            value = match &main.run {
                MainRun::Manifests => {
                    let parameters = |_: &Self| main_parameters(pantin_syntax::SourceKind::Manifest, &Hash::default());
                    self.walk(body, TOP, parameters, |host| pantin_eval::run(body, host, settings, builtins))?
                }
                MainRun::Template(values) => {
                    let parameters = |_: &Self| main_parameters(pantin_syntax::SourceKind::Template, values);
                    self.walk(body, TOP, parameters, |host| {
                        pantin_eval::render(body, values, host, settings, builtins)
                    })?
                }
            };
            self.tell();
        }
        Ok(value)
    }

    /// The resources that every catalog begins with, and the variables of the top scope.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        if let Some(name) = OF_LOADERS.iter().find(|name| self.loader.base.modules.named(name).is_some()) {
            let fault = Fault::new(format!("Internal Error: Attempt to redefine loader named '{name}'"));
            return Err(Failure::new(fault, Shape::Plain, None));
        }
        let [main_class, settings_class] = CLASSES.each_ref().map(Arc::clone);
        let [stage, settings, main] = &*FIRST;
        let stage = self.place_first(self.built_in(stage, &main_class));
        let settings = self.place_first(self.built_in(settings, &settings_class));
        let main = self.place_first(self.built_in(main, &main_class));
        self.scopes.add(Scope::new(main_class, main, None));
        let settings_scope = self.scopes.add(Scope::new(settings_class, settings, Some(TOP)));
        self.scopes.set_class("settings".into(), settings_scope);
        self.scopes.set_class(Str::default(), TOP);
        let all_local = &self.request.environment.settings;
        let mut variables = Variables::over([all_local.clone(), Hash::default(), Hash::default()]);
        variables.reserve(3);
        variables.insert("all_local".into(), Value::Hash(all_local.clone()));
        variables.insert("title".into(), "settings".into());
        variables.insert("name".into(), "settings".into());
        self.scopes.get_mut(settings_scope).variables = variables;
        self.edges.extend([(stage, settings), (stage, main)]);
        self.note_enc_classes()?;
        self.classes.push("settings".into());
        let _ = self.tags.add("settings", &self.tag_names);
        self.set_node_variables()
    }

    /// A resource that no code has declared.
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
            of: native.clone().map_or_else(|| ResourceKind::Def(source.clone()), ResourceKind::Native),
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

    /// The real one has it in the catalog alone, and not among the resources that collectors go through.
    fn place_first(&mut self, resource: Resource) -> ResourceId {
        let id = ResourceId(self.resources.len() as u32);
        self.table.add_title(&resource, id);
        self.resources.push(resource);
        id
    }

    /// The ENC's classes are on the list from the first, whether they come to be evaluated or not.
    fn note_enc_classes(&mut self) -> Result<(), Failure> {
        let names: Vec<Str> = match &self.request.node.classes {
            NodeClasses::Names(names) => names.clone(),
            NodeClasses::WithParameters(classes) => classes.iter().map(|(name, _)| name.clone()).collect(),
        };
        for name in names {
            self.tags.add(&name, &self.tag_names).map_err(|fault| Failure::new(fault, Shape::Plain, None))?;
            self.classes.push(name);
        }
        Ok(())
    }

    fn set_node_variables(&mut self) -> Result<(), Failure> {
        let node = self.request.node.clone();
        let brought = node.variables();
        let is_brought = |name: &&&str| brought.iter().any(|values| values.get_str(name).is_some());
        if let Some(name) = RESERVED.iter().find(is_brought) {
            let message = format!("Attempt to assign to a reserved variable name: '{name}'");
            return Err(Failure::new(Fault::new(message), Shape::Plain, None));
        }
        let mut variables = Variables::over(brought);
        variables.reserve(7 + self.given_variables.len());
        let mut set = |name: &str, value: Value| variables.insert(name.into(), value);
        set("environment", self.request.environment.name.as_str().into());
        set("trusted", Value::Hash(node.trusted.clone()));
        set("server_facts", Value::Hash(node.server_facts.clone()));
        set("facts", Value::Hash(node.facts.clone()));
        // Those of the main class itself.
        set("module_name", "".into());
        set("title", "main".into());
        set("name", "main".into());
        for (name, value) in std::mem::take(&mut self.given_variables) {
            set(&name, value);
        }
        self.scopes.get_mut(TOP).variables = variables;
        Ok(())
    }

    // ---- the node ----

    pub(super) fn evaluate_node_block(&mut self) -> Result<(), Failure> {
        if !self.loader.has_nodes() {
            return Ok(());
        }
        let name = &self.request.node.name;
        let Some((definition, matched)) = self.loader.node(name).map_err(failure_of)? else {
            let message = format!("Could not find node statement with name 'default' or '{name}'");
            return Err(failure_of(Fault::new(message)));
        };
        let title = definition.resource_name(self.loader.base.settings.language);
        if title.contains(|sign: char| sign.is_ascii_uppercase()) {
            // The real one looks for it by its name in lower case, and finds nothing.
            return Err(Failure::new(Fault::new("Cannot find definition Node"), Shape::Plain, None));
        }
        let mut resource = self.built_in(&BuiltIn::new("Node", &title), &definition);
        resource.has_scope_tags = false;
        self.tags.merge(&resource.tags);
        let id = self.add(TOP, resource).map_err(failure_of)?;
        self.take_scope_tags(id);
        let mut scope = Scope::new(definition.clone(), id, Some(TOP));
        scope.is_node = true;
        let scope = self.scopes.add(scope);
        self.classes.push(title.clone());
        let _ = self.tags.add(&title, &self.tag_names);
        self.begin_scope(scope, &title, &title);
        let Some(body) = definition.body(self.loader.base.builtins) else { return Ok(()) };
        let instance = Instance {
            subject: format!("Node[{title}]").into(),
            given: &[],
            metaparameters: &[],
            data_prefix: None,
            matched,
            is_node: true,
        };
        self.node_scope = Some(scope);
        self.walk_definition(&body, scope, instance)?;
        self.tell();
        Ok(())
    }

    pub(super) fn main_resource(&self) -> ResourceId {
        self.scopes.get(TOP).resource
    }

    // ---- the classes of the ENC ----

    pub(super) fn evaluate_node_classes(&mut self) -> Result<(), Failure> {
        let scope = self.node_scope.unwrap_or(TOP);
        let mut with: Vec<(Str, Hash)> = Vec::new();
        let mut without: Vec<Str> = Vec::new();
        match &self.request.node.classes {
            NodeClasses::Names(names) => without = names.clone(),
            NodeClasses::WithParameters(classes) => {
                for (name, parameters) in classes {
                    match parameters {
                        Some(parameters) if !parameters.is_empty() => with.push((name.clone(), parameters.clone())),
                        _ => without.push(name.clone()),
                    }
                }
            }
        }
        self.ensure_classes_with(scope, &with).map_err(failure_of)?;
        self.ensure_classes(scope, &without).map_err(failure_of)?;
        self.tell();
        Ok(())
    }
}

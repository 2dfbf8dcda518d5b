//! The code that is evaluated first: the site manifests, the node's block, and the classes that the ENC names.
//! It must not know how the catalog holds what it begins with.

use std::sync::Arc;

use pantin_eval::Instance;
use pantin_model::trace::{Failure, Shape};
use pantin_values::{Digest, Digester, Fault, Hash, Str, Value};
use pantin_world::node::NodeClasses;
use pantin_world::{NodeVariables, RESERVED_FACTS};

use super::Compiler;
use super::state::{Observer, TOP, ValuePart};
use crate::Session;
use crate::code::CodeFile;
use crate::report::failure_of;

/// What Puppet has of its own under the name of a module; no module may be called so.
const OF_LOADERS: [&str; 3] = ["environment", "puppet_system", "pcore_resource_types"];

/// The code that is evaluated first.
pub(crate) struct Main<'m> {
    pub(crate) files: &'m [Arc<CodeFile>],
    pub(crate) run: MainRun<'m>,
}

/// How a file of it is run, and by what its traces are found beside its code.
pub(crate) enum MainRun<'m> {
    Manifests,
    /// A template with values for its parameters.
    Template(&'m Hash),
}

/// By what the traces of the main code are found, beside that code.
pub(crate) fn main_parameters(kind: pantin_syntax::SourceKind, values: &Hash) -> Digest {
    match kind {
        pantin_syntax::SourceKind::Manifest => Digest::from_text("main"),
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
        self.session_variables = session.variables.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    }

    /// Loads the definitions of the site manifests, and makes the injector of what is bound.
    pub(super) fn load_manifests(&mut self, main: &Main<'_>) -> Result<(), Failure> {
        self.begin()?;
        for file in main.files {
            let imported = self.loader.import(file);
            self.tell();
            imported.map_err(failure_of)?;
        }
        self.begin_bindings(main)
    }

    pub(super) fn evaluate_main(&mut self, main: &Main<'_>) -> Result<Value, Failure> {
        self.load_manifests(main)?;
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

    /// Runs `environments.pp`, and returns what it assigned to `$environment`, or what was known of it before.
    pub(crate) fn choose_environment(&mut self, file: &Arc<CodeFile>) -> Result<Value, Failure> {
        self.state.begin(&Hash::default());
        let (reserved, of_node) = NodeVariables::new(&self.request.node, "").into_parts();
        let own = [("module_name", "".into()), ("title", "main".into()), ("name", "main".into())];
        let set = reserved.into_iter().filter(|(name, _)| *name != "environment").chain(own);
        self.state.begin_variables(of_node, set.map(|(name, value)| (name.into(), value)).collect());
        let scope = self.state.begin_inner();
        self.node_scope = Some(scope);
        let body = Arc::clone(&file.main);
        let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        self.walk(
            &body,
            scope,
            |_| Digest::from_text("environments"),
            |host| pantin_eval::run(&body, host, settings, builtins),
        )?;
        let log = self.state.log(Observer::Data);
        let part = ValuePart { path: &[], sight: pantin_world::Sight::Whole };
        Ok(self.state.variable(scope, "environment", false, part, &log).cloned().unwrap_or_default())
    }

    /// Works out a value of the `site` statement of `environments.pp`, behind its code.
    pub(crate) fn evaluate_in_choice(
        &mut self,
        file: &Arc<CodeFile>,
        node: pantin_syntax::ast::NodeId,
    ) -> Result<Value, Fault> {
        let (settings, builtins) = (self.loader.base.settings, self.loader.base.builtins);
        let body = pantin_eval::expression_body(&file.ast, node, "site", builtins);
        let scope = self.node_scope.unwrap_or(TOP);
        self.run_in(scope, |host| pantin_eval::run(&body, host, settings, builtins))
    }

    /// The resources that every catalog begins with, and the variables of the top scope.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        if let Some(name) = OF_LOADERS.iter().find(|name| self.loader.base.modules.named(name).is_some()) {
            let fault = Fault::new(format!("Internal Error: Attempt to redefine loader named '{name}'"));
            return Err(Failure::new(fault, Shape::Plain, None));
        }
        self.state.begin(&self.request.environment.settings);
        // The classes of the ENC are on the list from the first, whether they come to be evaluated or not.
        let classified: Vec<Str> = match &self.request.node.classes {
            NodeClasses::Names(names) => names.clone(),
            NodeClasses::WithParameters(classes) => classes.iter().map(|(name, _)| name.clone()).collect(),
        };
        self.state.begin_classes(&classified).map_err(|fault| Failure::new(fault, Shape::Plain, None))?;
        self.set_node_variables()
    }

    fn set_node_variables(&mut self) -> Result<(), Failure> {
        let (reserved, of_node) = NodeVariables::new(&self.request.node, &self.request.environment.name).into_parts();
        let is_of_node = |name: &&&str| of_node.iter().any(|values| values.get_str(name).is_some());
        if let Some(name) = RESERVED_FACTS.iter().find(is_of_node) {
            let message = format!("Attempt to assign to a reserved variable name: '{name}'");
            return Err(Failure::new(Fault::new(message), Shape::Plain, None));
        }
        // Those of the main class itself.
        let own = [("module_name", "".into()), ("title", "main".into()), ("name", "main".into())];
        let mut variables: Vec<(Str, Value)> =
            reserved.into_iter().chain(own).map(|(name, value)| (name.into(), value)).collect();
        variables.append(&mut self.session_variables);
        self.state.begin_variables(of_node, variables);
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
        let (definition, matched) = match title.contains(|sign: char| sign.is_ascii_uppercase()) {
            false => (definition, matched),
            // Puppet 8 looks for it by its name in lower case, which no block has, though a pattern may match it.
            true => match self.loader.node_with_pattern(&title.to_lowercase()).map_err(failure_of)? {
                Some(found) => found,
                None => return Err(Failure::new(Fault::new("Cannot find definition Node"), Shape::Plain, None)),
            },
        };
        let scope = self.state.begin_node(&title, &definition).map_err(failure_of)?;
        let Some(body) = definition.body(self.loader.base.builtins) else { return Ok(()) };
        let instance = Instance {
            subject: format!("Node[{title}]").into(),
            arguments: &[],
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

    // ---- the classes of the ENC ----

    pub(super) fn evaluate_node_classes(&mut self) -> Result<(), Failure> {
        let scope = self.node_scope.unwrap_or(TOP);
        if self.bindings.enc.classes {
            return Ok(());
        }
        let mut with: Vec<(Str, Hash)> = Vec::new();
        let mut without: Vec<Str> = Vec::new();
        match &self.request.node.classes {
            NodeClasses::Names(names) => without = names.clone(),
            NodeClasses::WithParameters(classes) => {
                for (name, parameters) in classes {
                    match parameters.as_ref().filter(|_| !self.bindings.enc.parameters) {
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

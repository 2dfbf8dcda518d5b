//! The layers of data: global, environment, modules. Each has a configuration, and for this node a hierarchy.

use std::cell::{OnceCell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::Strict;
use pantin_values::{Str, Type, Value, mismatch};
use rustc_hash::FxHashMap;

use super::config::{Body, Config, V3};
use super::explain::Step;
use super::hierarchy::Hierarchy;
use super::key::Key;
use super::merge::{MergeKind, Strategy};
use super::outside::{Module, WarningKind};
use super::search::{Call, GLOBAL, Search, SearchResult};
use super::trouble::Trouble;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    Global,
    Environment,
    Module(Str),
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) place: Place,
    pub(super) config: Arc<Config>,
    pub(super) hierarchy: RefCell<Option<Rc<Hierarchy>>>,
}

/// The layers of one request, as they are first needed. `None`: there is no data there.
#[derive(Default)]
pub(super) struct Layers {
    global: OnceCell<Rc<Layer>>,
    environment: OnceCell<Option<Rc<Layer>>>,
    modules: RefCell<FxHashMap<Str, Option<Rc<Layer>>>>,
}

impl Layers {
    /// Returns true if all that count for a key are known, and surely have none of the name.
    pub(super) fn all_lack(&self, key: &str, module: Option<&Str>) -> bool {
        let lacks = |layer: &Rc<Layer>| {
            let hierarchy = layer.hierarchy.borrow();
            let is_lacking = |known: &Rc<Hierarchy>| known.is_steady && known.lacks(key);
            !layer.config.has_default_hierarchy() && hierarchy.as_ref().is_some_and(is_lacking)
        };
        let modules = self.modules.borrow();
        let of_module = |module: &Str| modules.get(module).is_some_and(|layer| layer.as_ref().is_none_or(lacks));
        self.global.get().is_some_and(lacks)
            && self.environment.get().is_some_and(|layer| layer.as_ref().is_none_or(lacks))
            && module.is_none_or(of_module)
    }
}

impl Layer {
    fn new(place: Place, config: Arc<Config>) -> Rc<Layer> {
        Rc::new(Layer { place, config, hierarchy: RefCell::default() })
    }

    pub(super) fn step(&self) -> Step {
        let place = match &self.place {
            Place::Global => "Global".to_owned(),
            Place::Environment => "Environment".to_owned(),
            Place::Module(name) => format!("Module \"{name}\""),
        };
        let name = format!("{place} Data Provider (hiera configuration version {})", self.config.version);
        Step::Provider { name, config: self.config.path.clone(), module: self.module().cloned() }
    }

    pub(super) fn module(&self) -> Option<&Str> {
        match &self.place {
            Place::Module(name) => Some(name),
            _ => None,
        }
    }

    fn v3(&self) -> Option<&V3> {
        match &self.config.body {
            Body::V3(v3) => Some(v3),
            Body::Hierarchy { .. } => None,
        }
    }
}

impl Search<'_> {
    pub(super) fn global_layer(&mut self) -> Result<Rc<Layer>, Trouble> {
        if let Some(layer) = self.lookups.layers.global.get() {
            return Ok(layer.clone());
        }
        let path = self.lookups.settings.hiera_config.clone();
        let config = match self.configuration(&path, &GLOBAL)? {
            Some(config) => config,
            None => {
                let root = path.parent().unwrap_or(Path::new("/")).display().to_string();
                Arc::new(Config::absent(root))
            }
        };
        if config.version == 4 {
            return Err(config.wrong("hiera.yaml version 4 cannot be used in the global layer".to_owned(), None));
        }
        Ok(self.lookups.layers.global.get_or_init(|| Layer::new(GLOBAL, config)).clone())
    }

    pub(super) fn environment_layer(&mut self) -> Result<Option<Rc<Layer>>, Trouble> {
        if let Some(layer) = self.lookups.layers.environment.get() {
            return Ok(layer.clone());
        }
        let layer = self.find_environment_layer()?;
        Ok(self.lookups.layers.environment.get_or_init(|| layer).clone())
    }

    fn find_environment_layer(&mut self) -> Result<Option<Rc<Layer>>, Trouble> {
        let Some(root) = self.lookups.settings.environment_path.clone() else { return Ok(None) };
        let path = root.join("hiera.yaml");
        let layer = match self.configuration(&path, &Place::Environment)? {
            Some(config) => self.not_version_3(config, Place::Environment)?,
            None => None,
        };
        let Some(provider) = self.lookups.settings.environment_data_provider.clone() else { return Ok(layer) };
        let conf = root.join("environment.conf");
        let key = "environment.conf#data_provider".to_owned();
        let is_quiet = self.lookups.settings.strict == Strict::Off;
        if layer.as_ref().is_some_and(|layer| layer.config.version >= 5) {
            if !is_quiet {
                let message =
                    format!("Defining environment_data_provider='{provider}' in environment.conf is deprecated");
                self.warn_once(WarningKind::Deprecation, key, message, Some(&conf));
                if provider != "hiera" {
                    let message = format!(
                        "The environment_data_provider='{provider}' setting is ignored since '{}' version >= 5",
                        path.display()
                    );
                    let key = "environment.conf#data_provider_overridden".to_owned();
                    self.warn_once(WarningKind::Deprecation, key, message, Some(&conf));
                }
            }
            return Ok(layer);
        }
        if !is_quiet {
            let mut message =
                format!("Defining environment_data_provider='{provider}' in environment.conf is deprecated.");
            if layer.is_none() {
                message.push_str(" A 'hiera.yaml' file should be used instead");
            }
            self.warn_once(WarningKind::Deprecation, key, message, Some(&conf));
        }
        let config = match provider.as_str() {
            "none" => return Ok(None),
            "hiera" if layer.is_some() => return Ok(layer),
            "hiera" => Config::absent(root.display().to_string()),
            "function" => self.legacy_config(root.display().to_string(), "environment::data"),
            other => {
                return Err(Trouble::puppet(format!(
                    "Environment '{}', cannot find environment_data_provider '{other}'",
                    self.lookups.settings.environment
                )));
            }
        };
        Ok(Some(Layer::new(Place::Environment, Arc::new(config))))
    }

    fn legacy_config(&mut self, root: String, function: &str) -> Config {
        if self.lookups.settings.strict != Strict::Off {
            let message = format!(
                "Using of legacy data provider function '{function}'. Please convert to a 'data_hash' function"
            );
            self.warn_once(WarningKind::Deprecation, "legacy_provider_function".to_owned(), message, None);
        }
        Config::legacy(root, function)
    }

    pub(super) fn module_layer(&mut self, name: &Str) -> Result<Option<Rc<Layer>>, Trouble> {
        if let Some(layer) = self.lookups.layers.modules.borrow().get(name) {
            return Ok(layer.clone());
        }
        let layer = match self.outside.module(name) {
            Some(module) => self.find_module_layer(name, &module)?,
            None => None,
        };
        self.lookups.layers.modules.borrow_mut().insert(name.clone(), layer.clone());
        Ok(layer)
    }

    fn find_module_layer(&mut self, name: &Str, module: &Module) -> Result<Option<Rc<Layer>>, Trouble> {
        let place = Place::Module(name.clone());
        let root = || module.path.display().to_string();
        let layer = match self.configuration(&module.path.join("hiera.yaml"), &place)? {
            Some(config) => self.not_version_3(config, place.clone())?,
            None => None,
        };
        let Some(provider) = &module.data_provider else { return Ok(layer) };
        let metadata = module.path.join("metadata.json");
        let key = format!("metadata.json#data_provider-{name}");
        let is_quiet = self.lookups.settings.strict == Strict::Off;
        let is_modern = layer.as_ref().is_some_and(|layer| layer.config.version >= 5);
        let mut message = format!("Defining \"data_provider\": \"{provider}\" in metadata.json is deprecated.");
        if is_modern {
            message.push_str(" It is ignored since a 'hiera.yaml' with version >= 5 is present");
        } else if layer.is_none() {
            message.push_str(" A 'hiera.yaml' file should be used instead");
        }
        if !is_quiet {
            self.warn_once(WarningKind::Deprecation, key, message, Some(&metadata));
        }
        let config = match provider.as_str() {
            _ if is_modern => return Ok(layer),
            "none" => return Ok(None),
            "hiera" if layer.is_some() => return Ok(layer),
            "hiera" => Config::absent(root()),
            "function" => self.legacy_config(root(), &format!("{name}::data")),
            // Here Puppet stumbles over its own words.
            _ => {
                return Err(Trouble::ruby(
                    "undefined method `%' for #<Puppet::Error: Environment '%{env}', cannot find module_data_provider '%{provider}'>",
                ));
            }
        };
        Ok(Some(Layer::new(place, Arc::new(config))))
    }

    /// Version 3 counts in the global layer alone.
    fn not_version_3(&mut self, config: Arc<Config>, place: Place) -> Result<Option<Rc<Layer>>, Trouble> {
        if config.version > 3 {
            return Ok(Some(Layer::new(place, config)));
        }
        let (owner, root) = match place {
            Place::Module(_) => ("a module", "module root"),
            _ => ("an environment", "the environment root"),
        };
        if self.lookups.settings.strict == Strict::Error {
            return Err(config.wrong(format!("hiera.yaml version 3 cannot be used in {owner}"), None));
        }
        let path = config.path.clone().unwrap_or_default();
        let message = format!("hiera.yaml version 3 found at {root} was ignored");
        self.warn_once(WarningKind::Plain, path.display().to_string(), message, Some(&path));
        Ok(None)
    }

    fn has_modern_environment(&mut self) -> Result<bool, Trouble> {
        Ok(self.environment_layer()?.is_some_and(|layer| layer.config.version >= 5))
    }

    /// The functions `hiera…` see the global layer alone where the environment has no data of its own.
    pub(super) fn confine_to_global(&mut self) -> Result<(), Trouble> {
        if !self.has_modern_environment()? {
            self.call.is_global_only = true;
        }
        Ok(())
    }

    pub(super) fn lookup_in_global_layer(&mut self, layer: &Rc<Layer>, key: &Key, strategy: &Strategy) -> SearchResult {
        let Some(v3) = layer.v3() else { return self.lookup_unguarded(layer, key, strategy) };
        if !self.call.is_legacy_scope {
            let is_global_only = self.call.is_global_only || !self.has_modern_environment()?;
            let call = Call { is_legacy_scope: true, is_global_only, key: Rc::new(key.clone()), ..self.call.clone() };
            return self.inside(call, |search| search.lookup_in_global_layer(layer, key, strategy));
        }
        let is_hiera_call = self.call.is_hiera_call;
        let strategy = match v3.merge.kind {
            MergeKind::Default => strategy,
            // It counts for the function hiera_hash alone.
            _ if is_hiera_call && strategy.kind == MergeKind::Hash => &v3.merge,
            _ => strategy,
        };
        let Some(value) = self.lookup_unguarded(layer, key, strategy)? else { return Ok(None) };
        if is_hiera_call {
            older_rules(key, strategy.kind, &value)?;
        }
        Ok(Some(value))
    }
}

/// What the functions `hiera…` refuse.
fn older_rules(key: &Key, kind: MergeKind, value: &Value) -> Result<(), Trouble> {
    if !matches!(kind, MergeKind::Default | MergeKind::First | MergeKind::Unique) {
        mismatch::assert_instance("value", &Type::any_hash(), value).map_err(Trouble::mismatch)?;
    }
    let name = match kind {
        MergeKind::Hash => "hash",
        MergeKind::Unique => "array",
        _ => return Ok(()),
    };
    if key.segments.is_empty() {
        return Ok(());
    }
    Err(Trouble::lookup(format!(
        "Resolution type :{name} is illegal when accessing values using dotted keys. Offending key was '{}'",
        key.text
    )))
}

//! One search through the layers, and what goes along with it.

use std::path::PathBuf;
use std::rc::Rc;

use pantin_base::stack;
use pantin_values::{Hash, Str, Value};

use super::explain::{Explainer, Step};
use super::key::{Key, LOOKUP_OPTIONS};
use super::layer::{Layer, Place};
use super::lookups::{KeyRequest, Lookups};
use super::merge::{MergeKind, Strategy};
use super::outside::Outside;
use super::scope::ObservedVariable;
use super::trouble::{Trouble, TroubleKind};

/// A value, or nothing where there is no such key.
pub(super) type SearchResult = Result<Option<Value>, Trouble>;

pub(super) struct Search<'s> {
    pub(super) lookups: &'s Lookups,
    pub(super) outside: &'s mut dyn Outside,
    pub(super) call: Call,
    /// Where the paths of a hierarchy are worked out: the variables that were seen.
    pub(super) observed_variables: Option<Vec<ObservedVariable>>,
    /// Variables of a `mapped_paths`.
    pub(super) locals: Vec<(Str, Value)>,
    /// The configuration that is worked out, which errors in it name.
    pub(super) configuring: Option<PathBuf>,
    /// Undefined variables must not stop the compilation (Puppet 8, in locations).
    pub(super) is_lenient: bool,
    /// How many expressions were interpolated.
    pub(super) interpolations: u32,
    /// How long all texts are that were interpolated.
    pub(super) bytes: usize,
}

/// What a look-up knows of how it was asked.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) key: Rc<Key>,
    /// The module whose data counts, that of the key.
    pub(super) module: Option<Str>,
    /// Variables are seen as hiera.yaml 3 saw them.
    pub(super) is_legacy_scope: bool,
    pub(super) is_global_only: bool,
    /// A function `hiera…` asks.
    pub(super) is_hiera_call: bool,
    pub(super) locations: Rc<[Str]>,
    pub(super) overrides: Hash,
    pub(super) defaults: Hash,
    /// The data of modules does not count.
    pub(super) skips_modules: bool,
}

impl Call {
    pub(super) fn new(wanted: &KeyRequest, around: Option<&Call>) -> Call {
        let locations = match around {
            Some(around) if wanted.locations.is_empty() => around.locations.clone(),
            _ => wanted.locations.iter().cloned().collect(),
        };
        Call {
            key: Rc::new(Key::options()),
            module: None,
            is_legacy_scope: false,
            is_global_only: around.is_some_and(|around| around.is_global_only),
            is_hiera_call: wanted.is_hiera_call || around.is_some_and(|around| around.is_hiera_call),
            locations,
            overrides: wanted.overrides.clone(),
            defaults: wanted.defaults.clone(),
            skips_modules: wanted.skips_modules,
        }
    }
}

impl<'s> Search<'s> {
    pub(super) fn new(lookups: &'s Lookups, outside: &'s mut dyn Outside, call: Call) -> Search<'s> {
        Search {
            lookups,
            outside,
            call,
            observed_variables: None,
            locals: Vec::new(),
            configuring: None,
            is_lenient: false,
            interpolations: 0,
            bytes: 0,
        }
    }

    // ---- notes ----

    pub(super) fn is_explained(&self) -> bool {
        self.lookups.explainer.borrow().is_some()
    }

    pub(super) fn explain(&self, note: impl FnOnce(&mut Explainer)) {
        if let Some(explainer) = self.lookups.explainer.borrow_mut().as_mut() {
            note(explainer);
        }
    }

    /// Does something as a step of the explanation.
    pub(super) fn with_step<T>(&mut self, step: impl FnOnce() -> Step, inside: impl FnOnce(&mut Search<'s>) -> T) -> T {
        if !self.is_explained() {
            return inside(self);
        }
        self.explain(|explainer| explainer.push(step()));
        let result = inside(self);
        self.explain(Explainer::pop);
        result
    }

    pub(super) fn not_found(&self, key: &str) -> SearchResult {
        self.explain(|explainer| explainer.record_not_found(key));
        Ok(None)
    }

    // ---- what is under way ----

    /// Does something under a name that must not come again inside it.
    pub(super) fn with_recursion_guard<T>(
        &mut self,
        name: &Str,
        inside: impl FnOnce(&mut Search<'s>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let names = &self.lookups.names;
        if names.borrow().iter().any(|known| known == name) {
            let names = names.borrow().join(", ");
            return Err(Trouble::lookup(format!("Recursive lookup detected in [{names}]")));
        }
        if let Some(around) = names.borrow().last() {
            self.lookups.asked.note_inner(around, name);
        }
        names.borrow_mut().push(name.clone());
        let result = stack::with_room(|| inside(self));
        self.lookups.names.borrow_mut().pop();
        result.map_err(Trouble::leaves_key)
    }

    /// Looks up another key in the midst of this one.
    pub(super) fn inside<T>(&mut self, call: Call, inside: impl FnOnce(&mut Search<'s>) -> T) -> T {
        let outer_call = std::mem::replace(&mut self.call, call);
        let outer_current = self.lookups.current.replace(Some(self.call.clone()));
        let seen = self.observed_variables.take();
        let result = inside(self);
        self.observed_variables = seen;
        self.lookups.current.replace(outer_current);
        self.call = outer_call;
        result
    }

    // ---- the search ----

    pub(super) fn lookup(&mut self, name: &str, merge: &Value) -> SearchResult {
        if name == LOOKUP_OPTIONS || name.strip_prefix(LOOKUP_OPTIONS).is_some_and(|rest| rest.starts_with('.')) {
            self.explain(|explainer| explainer.note(Step::InvalidKey(LOOKUP_OPTIONS.into())));
            return Ok(None);
        }
        let key = Rc::new(Key::parse(name)?);
        let call = Call {
            key: key.clone(),
            module: key.module.clone().filter(|_| !self.call.skips_modules),
            ..self.call.clone()
        };
        self.inside(call, |search| stack::with_room(|| search.lookup_key(&key, merge)))
    }

    fn lookup_key(&mut self, key: &Key, merge: &Value) -> SearchResult {
        if self.lookups.explainer.borrow().as_ref().is_some_and(|explainer| explainer.only_options) {
            self.through_layers(&Key::options(), &Strategy::plain(MergeKind::Hash))?;
            return Ok(Some(Value::Undef));
        }
        let options = self.lookup_options(key)?;
        let mut merge = merge.clone();
        if merge.is_undef()
            && let Some(named) = options.get_str("merge").filter(|named| !named.is_undef())
        {
            merge = named.clone();
            self.explain(|explainer| explainer.note(Step::MergeSource));
        }
        let found = self.with_step(
            || Step::Key(key.text.clone()),
            |search| match search.through_layers(key, &Strategy::new(&merge)?)? {
                None if !search.is_global_only() => {
                    let Some(value) = search.lookup_in_defaults(key)? else { return Ok(None) };
                    search.dig(&key.text, &key.segments, value)
                }
                found => Ok(found),
            },
        )?;
        match (found, options.get_str("convert_to")) {
            (Some(value), Some(convert_to)) if !convert_to.is_undef() => {
                self.convert(&key.text, value, convert_to).map(Some)
            }
            (found, _) => Ok(found),
        }
    }

    pub(super) fn is_global_only(&self) -> bool {
        self.call.is_global_only
    }

    /// Global data, that of the environment, that of the module of the key; and of what is found, the part that the
    /// key names.
    fn through_layers(&mut self, key: &Key, strategy: &Strategy) -> SearchResult {
        let found = if self.is_global_only() {
            self.lookup_global(key, strategy)?
        } else {
            strategy.lookup(self, &LAYERS, |search, look| look(search, key, strategy))?
        };
        match found {
            Some(value) => self.dig(&key.text, &key.segments, value),
            None => Ok(None),
        }
    }

    pub(super) fn lookup_global(&mut self, key: &Key, strategy: &Strategy) -> SearchResult {
        let found = match self.lookups.settings.data_binding_terminus.as_str() {
            _ if self.call.is_hiera_call => self.lookup_global_hiera(key, strategy),
            "hiera" => self.lookup_global_hiera(key, strategy),
            "none" | "" => return self.not_found(&key.text),
            other => Err(Trouble::ruby(format!(
                "The data_binding_terminus '{other}' is a program in Ruby, which is not supported yet"
            ))),
        };
        found.map_err(|trouble| trouble.leaves_global(&self.call.key.text))
    }

    fn lookup_global_hiera(&mut self, key: &Key, strategy: &Strategy) -> SearchResult {
        self.with_recursion_guard(&key.text, |search| {
            let layer = search.global_layer()?;
            search.lookup_in_global_layer(&layer, key, strategy)
        })
    }

    pub(super) fn lookup_in_environment(&mut self, key: &Key, strategy: &Strategy) -> SearchResult {
        match self.environment_layer()? {
            Some(layer) => self.lookup_in_layer(&layer, key, strategy),
            None => Ok(None),
        }
    }

    pub(super) fn lookup_in_module(&mut self, key: &Key, strategy: &Strategy) -> SearchResult {
        // Only qualified names are looked up in modules.
        let Some(module) = self.call.module.clone() else { return Ok(None) };
        match self.module_layer(&module)? {
            Some(layer) => self.lookup_in_layer(&layer, key, strategy),
            None => {
                if self.is_explained() {
                    let is_there = self.outside.module(&module).is_some();
                    self.explain(|explainer| {
                        explainer.note(if is_there { Step::NoModuleProvider(module) } else { Step::NoModule(module) });
                    });
                }
                Ok(None)
            }
        }
    }

    fn lookup_in_layer(&mut self, layer: &Rc<Layer>, key: &Key, strategy: &Strategy) -> SearchResult {
        self.with_recursion_guard(&key.text, |search| search.lookup_unguarded(layer, key, strategy))
    }

    /// Through the hierarchy of a layer.
    pub(super) fn lookup_unguarded(&mut self, layer: &Rc<Layer>, key: &Key, strategy: &Strategy) -> SearchResult {
        self.lookups.asked.note(&key.root);
        self.with_step(
            || layer.step(),
            |search| {
                let hierarchy = layer.hierarchy(search)?;
                if hierarchy.entries.is_empty() {
                    return search.not_found(&key.text);
                }
                if !search.is_explained() && search.call.locations.is_empty() && hierarchy.lacks(&key.root) {
                    return Ok(None);
                }
                strategy.lookup(search, &hierarchy.entries, |search, entry| entry.lookup(search, layer, key, strategy))
            },
        )
    }

    /// Returns what the default hierarchy of the key's module has.
    fn lookup_in_defaults(&mut self, key: &Key) -> SearchResult {
        let Some(module) = self.call.module.clone() else { return Ok(None) };
        let Some(layer) = self.module_layer(&module)? else { return Ok(None) };
        if !layer.config.has_default_hierarchy() {
            return Ok(None);
        }
        self.with_step(
            || Step::Scope(format!("Searching default_hierarchy of module \"{module}\"")),
            |search| {
                let options = search.default_lookup_options(&layer, key)?;
                let merge = options.get_str("merge").cloned().unwrap_or_default();
                search.with_step(
                    || Step::Scope(format!("Searching for \"{}\"", key.text)),
                    |search| search.lookup_in_default_hierarchy(&layer, key, &merge),
                )
            },
        )
    }

    pub(super) fn lookup_in_default_hierarchy(&mut self, layer: &Rc<Layer>, key: &Key, merge: &Value) -> SearchResult {
        let hierarchy = layer.hierarchy(self)?;
        if hierarchy.defaults.is_empty() {
            return self.not_found(&key.text);
        }
        let strategy = Strategy::new(merge)?;
        self.lookups.asked.note(&key.root);
        self.with_recursion_guard(&key.text, |search| {
            search.with_step(
                || layer.step(),
                |search| {
                    strategy.lookup(search, &hierarchy.defaults, |search, entry| {
                        entry.lookup(search, layer, key, &strategy)
                    })
                },
            )
        })
    }
}

type Look = fn(&mut Search<'_>, &Key, &Strategy) -> SearchResult;

const LAYERS: [Look; 3] = [
    |search, key, strategy| search.lookup_global(key, strategy),
    |search, key, strategy| search.lookup_in_environment(key, strategy),
    |search, key, strategy| search.lookup_in_module(key, strategy),
];

impl Trouble {
    pub(super) fn limit(message: impl Into<String>) -> Trouble {
        Trouble::new(TroubleKind::Limit, message)
    }
}

/// The layer of data that comes first.
pub(super) const GLOBAL: Place = Place::Global;

//! What a back end is given beside its arguments: `Puppet::LookupContext`, and what it keeps between calls.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use pantin_values::{FaultKind, Hash, Object, Str, Value, object};
use rustc_hash::FxHashMap;

use super::backend::Implementation;
use super::interpolate::Methods;
use super::layer::Layer;
use super::lookups::Lookups;
use super::outside::Outside;
use super::provider::Entry;
use super::search::{Call, Search, SearchResult};
use super::store::{Content, Loaded, Table};
use super::trouble::Trouble;

/// What belongs to one location of an entry.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) implementation: Implementation,
    pub(super) module: Option<Str>,
    /// Whether the function's own return type says that what it gives is data.
    pub(super) is_validated: bool,
    pub(super) data: OnceCell<Data>,
    /// Answers so far.
    pub(super) values: RefCell<FxHashMap<Str, Value>>,
    /// What the function itself keeps.
    pub(super) cache: RefCell<Hash>,
}

#[derive(Debug)]
pub(super) enum Data {
    Shared(Arc<Loaded>),
    Own(Table),
}

impl Data {
    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Data::Own(table) => Some(table),
            Data::Shared(loaded) => match &loaded.content {
                Content::Table(table) => Some(table),
                Content::Other(_) | Content::Broken(_) => None,
            },
        }
    }
}

/// The error with which a back end ends that has said `not_found`. Nobody sees it.
pub const NO_SUCH_KEY: &str = "the back end has no such key";

/// A call of a back end that is not finished.
#[derive(Debug)]
pub(super) struct BackendCall {
    context: Rc<Context>,
    call: Call,
    is_not_found: Cell<bool>,
}

static CLASS: LazyLock<Arc<pantin_values::types::ObjectType>> = LazyLock::new(object::lookup_context);

impl Search<'_> {
    pub(super) fn context(&mut self, entry: &Entry, layer: &Layer) -> Result<Context, Trouble> {
        let (implementation, is_validated) = self.implementation(entry, layer)?;
        Ok(Context {
            implementation,
            module: layer.module().cloned(),
            is_validated,
            data: OnceCell::new(),
            values: RefCell::default(),
            cache: RefCell::default(),
        })
    }

    /// Calls a function, with the context as its last argument where it takes arguments;
    /// `None` where it says `not_found`.
    pub(super) fn call_back_end(
        &mut self,
        function: &Str,
        context: &Rc<Context>,
        arguments: Option<Vec<Value>>,
    ) -> SearchResult {
        let running =
            Rc::new(BackendCall { context: context.clone(), call: self.call.clone(), is_not_found: Cell::new(false) });
        let index = {
            let mut all = self.lookups.running.borrow_mut();
            all.push(running.clone());
            all.len() as i64 - 1
        };
        let mut given = Vec::new();
        if let Some(arguments) = arguments {
            given = arguments;
            let module = context.module.clone().map(Value::String).unwrap_or_default();
            given.push(Value::Object(Arc::new(Object {
                class: CLASS.clone(),
                values: vec![module, index.into()].into(),
            })));
        }
        for argument in &given {
            reveal_paths(argument, self.outside);
        }
        let result = self.outside.call(function, given);
        self.lookups.running.borrow_mut().pop();
        match result {
            _ if running.is_not_found.get() => Ok(None),
            Ok(value) => Ok(Some(value)),
            Err(fault) if matches!(fault.kind, FaultKind::Plain | FaultKind::Limit) => Err(Trouble::outside(fault)),
            Err(fault) if fault.kind == FaultKind::Logged => Err(Trouble::lookup(fault.message)),
            Err(fault) => Err(Trouble::puppet(fault.message.into_owned())),
        }
    }
}

/// The options of a back end name its file and its folder, below which everything else is found.
fn reveal_paths(argument: &Value, outside: &mut dyn Outside) {
    match argument {
        Value::String(text) if text.contains('/') => outside.reveal(text),
        Value::Array(items) => items.iter().for_each(|item| reveal_paths(item, outside)),
        Value::Hash(entries) => entries.iter().for_each(|(_, value)| reveal_paths(value, outside)),
        _ => {}
    }
}

/// The methods of a context. Those that take a block are made of several that do not: whoever evaluates the call runs
/// the block between them.
///
/// | in Puppet | is |
/// |---|---|
/// | `explain \|\| { text }` | `explain` without arguments tells whether somebody listens; then `explain` with the text |
/// | `cached_entries \|$k, $v\| { … }` | `cached_entries`, an array of pairs, each of which the block is given |
/// | `cached_file_data(path) \|$content\| { … }` | `cached_file_data` of the path gives a hash with `kept`, what the block made of it before, or `content`; then `keep_file_data` of the path and what the block has made of that |
impl Lookups {
    /// Calls a method of a context. After `not_found` the function must end with whatever error it likes.
    pub fn call_context(
        &self,
        context: &Object,
        method: &str,
        arguments: &[Value],
        outside: &mut dyn Outside,
    ) -> Result<Value, Trouble> {
        let index = match context.values.get(1) {
            Some(Value::Integer(index)) => usize::try_from(*index).ok(),
            _ => None,
        };
        let Some(running) = index.and_then(|index| self.running.borrow().get(index).cloned()) else {
            return Err(Trouble::ruby("A Puppet::LookupContext is of use only while its function runs"));
        };
        let own = &running.context;
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or_default();
        Ok(match method {
            "environment_name" => self.settings.environment.clone().into(),
            "module_name" => own.module.clone().map(Value::String).unwrap_or_default(),
            "not_found" => {
                running.is_not_found.set(true);
                return Err(Trouble::ruby(NO_SUCH_KEY));
            }
            "interpolate" => {
                let mut search = Search::new(self, outside, running.call.clone());
                return search.interpolate(&argument(0), Methods::Allowed);
            }
            "cache" => {
                own.cache.borrow_mut().insert(argument(0), argument(1));
                argument(1)
            }
            "cache_all" => {
                if let Value::Hash(entries) = argument(0) {
                    let entries = entries.iter().map(|(key, value)| (key.clone(), value.clone()));
                    own.cache.borrow_mut().make_mut().extend(entries);
                }
                Value::Undef
            }
            "cache_has_key" => own.cache.borrow().contains_key(&argument(0)).into(),
            "cached_value" => own.cache.borrow().get(&argument(0)).cloned().unwrap_or_default(),
            "cached_entries" => {
                let cache = own.cache.borrow();
                Value::array(cache.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])))
            }
            "explain" => match arguments.first() {
                None => self.explainer.borrow().is_some().into(),
                Some(text) => {
                    if let Some(explainer) = self.explainer.borrow_mut().as_mut() {
                        explainer.text(pantin_values::ops::to_s(text));
                    }
                    Value::Undef
                }
            },
            "cached_file_data" => return self.data_of_file(&argument(0), outside),
            "keep_file_data" => {
                self.file_data.borrow_mut().insert(argument(0), argument(1));
                argument(1)
            }
            other => return Err(Trouble::ruby(format!("A Puppet::LookupContext has no method '{other}'"))),
        })
    }

    /// All back ends share what was made of a file first.
    fn data_of_file(&self, path: &Value, outside: &mut dyn Outside) -> Result<Value, Trouble> {
        if let Some(kept) = self.file_data.borrow().get(path) {
            return Ok(Value::hash([("kept".into(), kept.clone())]));
        }
        let name = path.as_str().unwrap_or_default();
        outside.reveal(name);
        let bytes = outside.read(std::path::Path::new(name)).map_err(Trouble::outside)?;
        let Some(bytes) = bytes else {
            return Err(Trouble::ruby(format!("No such file or directory @ rb_file_s_stat - {name}")));
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Value::hash([("content".into(), text.into())])),
            Err(_) => Err(Trouble::ruby(format!("{name} is not text in UTF-8"))),
        }
    }
}

//! An entry of a hierarchy: a function, asked in each of its locations.

use std::cell::OnceCell;
use std::path::Path;
use std::rc::Rc;

use pantin_base::{Language, Strict};
use pantin_values::{Hash, Str, Type, Value, mismatch, sprintf};

use super::backend::Implementation;
use super::config::FunctionKind;
use super::context::{Context, Data};
use super::explain::{Origin, Step};
use super::interpolate::Methods;
use super::key::{Key, LOOKUP_OPTIONS};
use super::layer::Layer;
use super::location::Location;
use super::merge::Strategy;
use super::search::{Search, SearchResult};
use super::store::{Content, Table};
use super::trouble::Trouble;
use super::undefs::{holds_undef, is_data};

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: Str,
    pub(super) function: FunctionKind,
    pub(super) function_name: Str,
    options: Hash,
    datadir: String,
    sites: Vec<Site>,
}

/// A place where the function is asked, with what it keeps there.
#[derive(Debug)]
struct Site {
    location: Option<Location>,
    context: OnceCell<Rc<Context>>,
}

impl Site {
    fn new(location: Option<Location>) -> Site {
        Site { location, context: OnceCell::new() }
    }

    /// As the end of a sentence about what stands here.
    fn in_words(&self) -> String {
        match &self.location {
            Some(location) => format!(", when using location '{}',", location.resolved),
            None => String::new(),
        }
    }
}

impl Entry {
    pub(super) fn new(
        name: Str,
        function: FunctionKind,
        function_name: Str,
        options: Hash,
        datadir: String,
        locations: Option<Vec<Location>>,
    ) -> Entry {
        let sites = match locations {
            Some(locations) => locations.into_iter().map(|location| Site::new(Some(location))).collect(),
            None => vec![Site::new(None)],
        };
        Entry { name, function, function_name, options, datadir, sites }
    }

    /// Returns what the function is told beside the key.
    fn options(&self, site: &Site) -> Hash {
        let mut options = self.options.clone();
        if let Some(location) = &site.location {
            let key = if location.is_uri { "uri" } else { "path" };
            options.insert(key.into(), location.resolved.as_str().into());
        }
        options
    }

    fn step(&self) -> Step {
        let name = match self.function {
            FunctionKind::Legacy => format!("Deprecated API function \"{}\"", self.function_name),
            _ => format!("Hierarchy entry \"{}\"", self.name),
        };
        Step::Provider { name, config: None, module: None }
    }

    /// Returns what the kind of its function is called.
    pub(super) fn tag(&self) -> &'static str {
        match self.function {
            FunctionKind::DataHash => "data_hash",
            FunctionKind::LookupKey => "lookup_key",
            FunctionKind::DataDig => "data_dig",
            FunctionKind::V3DataHash => "v3_data_hash",
            FunctionKind::V3LookupKey => "v3_lookup_key",
            FunctionKind::Legacy => "v4_data_hash",
            FunctionKind::V3Backend | FunctionKind::Unknown => "hiera3_backend",
        }
    }

    fn full_name(&self) -> String {
        match self.function {
            FunctionKind::Legacy => format!("deprecated API function '{}'", self.function_name),
            FunctionKind::V3Backend => format!("hiera version 3 backend '{}'", self.function_name),
            _ => format!("{} function '{}'", self.tag(), self.function_name),
        }
    }

    pub(super) fn lookup(
        &self,
        search: &mut Search<'_>,
        layer: &Layer,
        key: &Key,
        strategy: &Strategy,
    ) -> SearchResult {
        let takes_locations = matches!(self.function, FunctionKind::V3DataHash | FunctionKind::V3LookupKey);
        if takes_locations && !search.call.locations.is_empty() {
            return self.lookup_with_locations(search, layer, key, strategy);
        }
        search.with_step(
            || self.step(),
            |search| strategy.lookup(search, &self.sites, |search, site| self.ask(search, layer, site, key)),
        )
    }

    /// The locations that the call names come before the others.
    fn lookup_with_locations(
        &self,
        search: &mut Search<'_>,
        layer: &Layer,
        key: &Key,
        strategy: &Strategy,
    ) -> SearchResult {
        let names = search.call.locations.clone();
        let more = search.paths(&names, &self.datadir, Some(&format!(".{}", self.name)))?;
        let more: Vec<Site> = more.into_iter().map(|location| Site::new(Some(location))).collect();
        let sites: Vec<&Site> = more.iter().chain(&self.sites).collect();
        search.with_step(
            || self.step(),
            |search| strategy.lookup(search, &sites, |search, site| self.ask(search, layer, site, key)),
        )
    }

    fn ask(&self, search: &mut Search<'_>, layer: &Layer, site: &Site, key: &Key) -> SearchResult {
        let Some(location) = &site.location else { return self.ask_there(search, layer, site, key) };
        let step = || Step::Location {
            is_uri: location.is_uri,
            resolved: location.resolved.clone(),
            original: location.original.clone(),
        };
        search.with_step(step, |search| {
            if location.exists {
                return self.ask_there(search, layer, site, key);
            }
            search.explain(|explainer| explainer.no_location());
            Ok(None)
        })
    }

    /// Returns what it has, by its locations. `None`: that cannot be said, for it asks more than files, or has not
    /// loaded one yet.
    pub(super) fn tables(&self) -> Option<Vec<&Table>> {
        if !matches!(self.function, FunctionKind::DataHash | FunctionKind::V3DataHash) {
            return None;
        }
        let is_asked = |site: &&Site| site.location.as_ref().is_none_or(|location| location.exists);
        self.sites.iter().filter(is_asked).map(|site| site.context.get()?.data.get()?.table()).collect()
    }

    fn ask_there(&self, search: &mut Search<'_>, layer: &Layer, site: &Site, key: &Key) -> SearchResult {
        let context = match site.context.get() {
            Some(context) => context.clone(),
            None => {
                let context = Rc::new(search.context(self, layer)?);
                site.context.get_or_init(|| context).clone()
            }
        };
        match self.function {
            FunctionKind::DataHash | FunctionKind::V3DataHash | FunctionKind::Legacy => {
                self.ask_hash(search, layer, site, &context, &key.root)
            }
            FunctionKind::LookupKey | FunctionKind::V3LookupKey => self.ask_key(search, site, &context, &key.root),
            FunctionKind::DataDig | FunctionKind::V3Backend | FunctionKind::Unknown => {
                self.ask_path(search, site, &context, key)
            }
        }
    }

    // ---- data_hash ----

    fn ask_hash(
        &self,
        search: &mut Search<'_>,
        layer: &Layer,
        site: &Site,
        context: &Rc<Context>,
        key: &Str,
    ) -> SearchResult {
        if context.data.get().is_none() {
            let Some(data) = self.load_hash(search, layer, site, context)? else { return Ok(None) };
            let _ = context.data.set(data);
        }
        let Some(table) = context.data.get().and_then(Data::table) else { return Ok(None) };
        let Some(value) = table.get(key) else { return search.not_found(key) };
        if table.is_odd(key) && !context.is_validated {
            let subject = format!("Value for key '{key}', in hash returned from {}", self.full_name());
            return Err(no_data(&format!("{subject}{}", site.in_words()), value));
        }
        if table.has_undef(key) {
            search.lookups.saw_undef.set(true);
        }
        let value = match (table.has_expression(key), &site.location) {
            (false, _) => value.clone(),
            (true, Some(location)) if !location.is_uri => {
                let path = Path::new(&location.resolved);
                search.interpolate(value, Methods::Allowed).map_err(|trouble| search.locate(trouble, path, key))?
            }
            (true, _) => search.interpolate(value, Methods::Allowed)?,
        };
        search.explain(|explainer| explainer.record_found(key, &value, Origin::Data));
        Ok(Some(value))
    }

    /// Returns the hash of a location; `None` where a function says that it has none.
    fn load_hash(
        &self,
        search: &mut Search<'_>,
        layer: &Layer,
        site: &Site,
        context: &Rc<Context>,
    ) -> Result<Option<Data>, Trouble> {
        let subject = || format!("Value returned from {}{}", self.full_name(), site.in_words());
        let data = match context.implementation {
            Implementation::File(format) => {
                let path = self.path_option(site)?;
                // Of a module's data all keys are looked at.
                let load = if layer.module().is_some() { Search::load } else { Search::load_data };
                let (loaded, is_first) = load(search, Path::new(&path), format)?
                    .ok_or_else(|| Trouble::ruby(format!("Is a directory @ io_fread - {path}")))?;
                match &loaded.content {
                    Content::Broken(broken) => return Err(search.unparsed(Path::new(&path), broken)),
                    Content::Table(_) => Data::Shared(loaded),
                    Content::Other(value) => {
                        if format != super::store::Format::Yaml {
                            return Err(no_hash(&subject(), value));
                        }
                        search.no_yaml_hash(&path, value, is_first)?;
                        Data::Own(Table::new(Hash::default()))
                    }
                }
            }
            Implementation::Function | Implementation::Eyaml => {
                let arguments = match self.function {
                    FunctionKind::Legacy => None,
                    _ => Some(vec![Value::Hash(self.options(site))]),
                };
                match search.call_back_end(&self.function_name, context, arguments)? {
                    Some(Value::Hash(entries)) => Data::Own(Table::new(entries)),
                    Some(other) => return Err(no_hash(&subject(), &other)),
                    None => return Ok(None),
                }
            }
        };
        if let (Some(module), Some(table)) = (layer.module(), data.table()) {
            search.keys_of_module(module, table, &subject())?;
        }
        Ok(Some(data))
    }

    /// Returns the file that a built-in function reads: nothing but a path is allowed for its options.
    fn path_option(&self, site: &Site) -> Result<String, Trouble> {
        let options = self.options(site);
        match options.get_str("path") {
            Some(Value::String(path)) if options.len() == 1 && !path.is_empty() => Ok(path.as_str().to_owned()),
            _ => Err(Trouble::ruby(format!(
                "'{}' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when \
                 using this data_hash function",
                self.function_name
            ))),
        }
    }

    // ---- lookup_key ----

    fn ask_key(&self, search: &mut Search<'_>, site: &Site, context: &Rc<Context>, key: &Str) -> SearchResult {
        let known = context.values.borrow().get(key).cloned();
        let found = match known {
            Some(value) => Some(value),
            None => {
                let found = match context.implementation {
                    Implementation::Eyaml => search.eyaml(&self.options(site), key)?,
                    _ => {
                        let arguments = vec![Value::String(key.clone()), Value::Hash(self.options(site))];
                        search.call_back_end(&self.function_name, context, Some(arguments))?
                    }
                };
                if let Some(value) = &found {
                    self.check(context, value, site, key)?;
                    if context.implementation == Implementation::Eyaml && holds_undef(value) {
                        search.lookups.saw_undef.set(true);
                    }
                    context.values.borrow_mut().insert(key.clone(), value.clone());
                }
                found
            }
        };
        match found {
            Some(value) => {
                search.explain(|explainer| explainer.record_found(key, &value, Origin::Data));
                Ok(Some(value))
            }
            None => search.not_found(key),
        }
    }

    fn check(&self, context: &Context, value: &Value, site: &Site, key: &str) -> Result<(), Trouble> {
        if context.is_validated || is_data(value) {
            return Ok(());
        }
        let subject = format!("Value for key '{key}', returned from {}{}", self.full_name(), site.in_words());
        Err(no_data(&subject, value))
    }

    // ---- data_dig ----

    fn ask_path(&self, search: &mut Search<'_>, site: &Site, context: &Rc<Context>, key: &Key) -> SearchResult {
        let known = context.values.borrow().get(&key.text).cloned();
        let found = match known {
            Some(value) => Some(value),
            None => {
                let path = std::iter::once(Value::String(key.root.clone())).chain(key.segments.iter().cloned());
                let arguments = vec![Value::array(path), Value::Hash(self.options(site))];
                let found = search.call_back_end(&self.function_name, context, Some(arguments))?;
                if let Some(value) = &found {
                    context.values.borrow_mut().insert(key.text.clone(), value.clone());
                }
                found
            }
        };
        let Some(value) = found else { return search.not_found(&key.text) };
        self.check(context, &value, site, &key.text)?;
        search.explain(|explainer| explainer.record_found(&key.text, &value, Origin::Data));
        Ok(Some(key.wrap(value)))
    }
}

fn no_data(subject: &str, value: &Value) -> Trouble {
    let actual = Type::reduced(value);
    Trouble::puppet(format!("{subject} has wrong type, expects Puppet::LookupValue, got {actual}"))
}

fn no_hash(subject: &str, value: &Value) -> Trouble {
    match mismatch::assert_instance(subject, &Type::any_hash(), value) {
        Err(fault) => Trouble::mismatch(fault),
        Ok(()) => Trouble::puppet(format!("{subject} is no hash")),
    }
}

impl Search<'_> {
    /// A YAML file with something else in it.
    pub(super) fn no_yaml_hash(&mut self, path: &str, value: &Value, is_first: bool) -> Result<(), Trouble> {
        let message = format!("{path}: file does not contain a valid yaml hash");
        let is_empty = matches!(value, Value::Undef | Value::Boolean(false));
        if self.lookups.settings.strict == Strict::Error && !is_empty {
            return Err(Trouble::lookup(message));
        }
        if is_first {
            self.warn(message);
        }
        Ok(())
    }

    /// Keys of a module start with its name; others are never found.
    fn keys_of_module(&mut self, module: &str, table: &Table, subject: &str) -> Result<(), Trouble> {
        for key in table.entries.keys() {
            let Value::String(text) = key else {
                let (shown, class) = (sprintf::inspect(key), pantin_values::ruby_class(key));
                return Err(Trouble::ruby(format!("undefined method `start_with?' for {shown}:{class}")));
            };
            let is_own = text.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"));
            if text == LOOKUP_OPTIONS || is_own {
                continue;
            }
            let mut message =
                format!("Module '{module}': {subject} must use keys qualified with the name of the module");
            if self.lookups.settings.language >= Language::Puppet8 {
                message.push_str(&format!("; got {text}"));
            }
            self.warn(message);
        }
        Ok(())
    }
}

//! A layer's hierarchy for one node: its configuration with the node's variables put in.

use std::cell::OnceCell;
use std::rc::Rc;

use pantin_values::{Hash, Str, Value};
use rustc_hash::FxHashSet;

use super::config::{Body, Config, Declaration, FunctionKind, V3};
use super::interpolate::Methods;
use super::layer::Layer;
use super::path::join;
use super::provider::Entry;
use super::scope::ObservedVariable;
use super::search::{Call, Search};
use super::trouble::Trouble;

#[derive(Debug)]
pub(super) struct Hierarchy {
    pub(super) entries: Vec<Entry>,
    /// Of a module: what is asked where nothing else has a key.
    pub(super) defaults: Vec<Entry>,
    /// The variables it depends on.
    seen: Vec<ObservedVariable>,
    /// Whether no code can give them another value.
    pub(super) is_steady: bool,
    /// All keys of the entries, once each of their files has been loaded and where nothing but files is asked.
    keys: OnceCell<FxHashSet<Str>>,
}

impl Hierarchy {
    /// Returns true if no entry has a key: nearly all keys that are looked up stand nowhere. Of entries that are
    /// functions, or have not been asked yet, nobody can say.
    pub(super) fn lacks(&self, key: &str) -> bool {
        if let Some(keys) = self.keys.get() {
            return !keys.contains(key);
        }
        let Some(tables) = self.entries.iter().map(Entry::tables).collect::<Option<Vec<_>>>() else { return false };
        let keys = || tables.concat().into_iter().flat_map(|table| table.entries.keys()).filter_map(Value::as_str);
        !self.keys.get_or_init(|| keys().map(Str::from).collect()).contains(key)
    }
}

impl Layer {
    /// Returns the hierarchy: as it was made before, unless a variable has another value now.
    pub(super) fn hierarchy(&self, search: &mut Search<'_>) -> Result<Rc<Hierarchy>, Trouble> {
        let known = self.hierarchy.borrow().clone();
        if let Some(known) = known {
            if known.is_steady && search.none_is_hidden(&known.seen) || search.are_stable(&known.seen)? {
                return Ok(known);
            }
            search.explain(|explainer| {
                explainer.text(
                    "Hiera configuration recreated due to change of scope variables used in interpolation expressions",
                );
            });
        }
        let made = Rc::new(search.hierarchy_of(&self.config)?);
        self.hierarchy.replace(Some(made.clone()));
        Ok(made)
    }
}

impl Search<'_> {
    fn hierarchy_of(&mut self, config: &Config) -> Result<Hierarchy, Trouble> {
        // It stands apart from the look-up that needs it: no notes are taken, and no key is under way.
        if self.outside.wants_any(&config.variables) {
            return Err(Trouble::wants_locals());
        }
        let explainer = self.lookups.explainer.take();
        let names = self.lookups.names.take();
        let apart = Call { overrides: Hash::default(), defaults: Hash::default(), ..self.call.clone() };
        let call = std::mem::replace(&mut self.call, apart);
        let outer_seen = self.observed_variables.replace(Vec::new());
        let configuring = std::mem::replace(&mut self.configuring, config.path.clone());
        let made = self.entries_of(config);
        self.configuring = configuring;
        let seen = std::mem::replace(&mut self.observed_variables, outer_seen).unwrap_or_default();
        self.call = call;
        self.lookups.names.replace(names);
        self.lookups.explainer.replace(explainer);
        let (entries, defaults) = made.map_err(|trouble| undefined_variable_trouble(config, trouble))?;
        let is_steady = seen.iter().all(ObservedVariable::is_reserved);
        Ok(Hierarchy { entries, defaults, seen, is_steady, keys: OnceCell::new() })
    }

    fn entries_of(&mut self, config: &Config) -> Result<(Vec<Entry>, Vec<Entry>), Trouble> {
        match &config.body {
            Body::V3(v3) => Ok((self.older_entries(config, v3)?, Vec::new())),
            Body::Hierarchy { entries, defaults } => {
                let entries = self.entries(config, entries)?;
                Ok((entries, self.entries(config, defaults.as_deref().unwrap_or_default())?))
            }
        }
    }

    fn entries(&mut self, config: &Config, declarations: &[Declaration]) -> Result<Vec<Entry>, Trouble> {
        let mut entries = Vec::with_capacity(declarations.len());
        for (index, declaration) in declarations.iter().enumerate() {
            if declarations[..index].iter().any(|earlier| earlier.name == declaration.name) {
                return Err(twice(config, &declaration.name));
            }
            if let Some(entry) = self.entry(config, declaration)? {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    fn entry(&mut self, config: &Config, declaration: &Declaration) -> Result<Option<Entry>, Trouble> {
        let mut datadir = join(&config.root, &declaration.datadir);
        if declaration.function == FunctionKind::Unknown {
            let name = &declaration.function_name;
            let line = config.file().line_matching(&format!(r"[^\w]{name}(?:[^\w]|$)"), 1);
            let message = format!("No data provider is registered for backend '{name}'");
            return Err(config.wrong(message, line));
        }
        if config.version > 4 {
            datadir = self.filled_in(&datadir)?;
        }
        let is_lenient = std::mem::replace(&mut self.is_lenient, true);
        let locations = self.resolve(&declaration.locations, &datadir, declaration.extension);
        self.is_lenient = is_lenient;
        let mut locations = locations?;
        if config.path.is_none()
            && let Some(locations) = &mut locations
        {
            // Nobody has asked for these paths.
            locations.retain(|location| location.exists);
            if locations.is_empty() {
                return Ok(None);
            }
        }
        let options = match self.interpolate(&Value::Hash(declaration.options.clone()), Methods::Refused)? {
            Value::Hash(options) => options,
            _ => Hash::default(),
        };
        let (name, function_name) = (declaration.name.clone(), declaration.function_name.clone());
        Ok(Some(Entry::new(name, declaration.function, function_name, options, datadir, locations)))
    }

    /// Version 3: an entry for each back end, with the same paths.
    fn older_entries(&mut self, config: &Config, v3: &V3) -> Result<Vec<Entry>, Trouble> {
        let default_datadir = format!(
            "{}/environments/%{{::environment}}/hieradata",
            self.lookups.settings.codedir.display().to_string().trim_end_matches('/')
        );
        let mut entries: Vec<Entry> = Vec::with_capacity(v3.backends.len());
        for (index, backend) in v3.backends.iter().enumerate() {
            if v3.backends[..index].contains(backend) {
                let (line, first) = config.file().lines_of_twice(&format!(r"[^\w]{backend}(?:[^\w]|$)"));
                let mut message = format!("Backend '{backend}' is defined more than once.");
                if let Some(first) = first {
                    message.push_str(&format!(" First defined at (line: {first})"));
                }
                return Err(config.wrong(message, line));
            }
            let own = match v3.config.get_str(backend) {
                Some(own) => self.interpolate(own, Methods::Refused)?,
                None => Value::Undef,
            };
            let own = match own {
                Value::Hash(own) => own,
                _ => Hash::default(),
            };
            let datadir = match own.get_str("datadir").and_then(Value::as_str) {
                Some(datadir) => datadir.to_owned(),
                None => self.filled_in(&default_datadir)?,
            };
            let extension = match own.get_str("extension").and_then(Value::as_str) {
                Some(extension) => format!(".{extension}"),
                None if backend == "hocon" => ".conf".to_owned(),
                None => format!(".{backend}"),
            };
            let mut locations = self.paths(&v3.paths, &datadir, Some(&extension))?;
            if config.path.is_none() {
                locations.retain(|location| location.exists);
            }
            entries.push(older_entry(backend, own, datadir, locations));
        }
        Ok(entries)
    }
}

fn older_entry(backend: &Str, own: Hash, datadir: String, locations: Vec<super::location::Location>) -> Entry {
    let (function, name, options) = match backend.as_str() {
        "yaml" | "json" | "hocon" => (FunctionKind::V3DataHash, format!("{backend}_data"), Hash::default()),
        "eyaml" => {
            let mut options = own;
            options.make_mut().shift_remove(&Value::from("datadir"));
            (FunctionKind::V3LookupKey, "eyaml_lookup_key".to_owned(), options)
        }
        other => (FunctionKind::V3Backend, other.to_owned(), own),
    };
    let locations = (!locations.is_empty() || function != FunctionKind::V3Backend).then_some(locations);
    Entry::new(backend.clone(), function, name.into(), options, datadir, locations)
}

fn twice(config: &Config, name: &str) -> Trouble {
    let (line, first) = config.file().lines_of_twice(&format!(r#"\s+name:\s+['"]?{name}(?:[^\w]|$)"#));
    let mut message = format!("Hierarchy name '{name}' defined more than once.");
    if let Some(first) = first {
        message.push_str(&format!(" First defined at (line: {first})"));
    }
    config.wrong(message, line)
}

/// A variable that is not there, with the line that wants it.
fn undefined_variable_trouble(config: &Config, trouble: Trouble) -> Trouble {
    let name = trouble.message.strip_prefix("Undefined variable '").and_then(|rest| rest.split_once('\''));
    match name {
        Some((name, _)) if !name.is_empty() => {
            let line = config.file().line_matching(&format!(r#"%\{{['"]?{name}['"]?}}"#), 1);
            config.wrong(format!("Undefined variable '{name}'"), line)
        }
        _ => trouble,
    }
}

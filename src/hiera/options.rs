//! `lookup_options`: how the data itself wants its keys looked up.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use pantin_values::regex::Options;
use pantin_values::{
    Fault, Hash, Regexp, Str, Type, Value, format, mismatch, new, ops, sprintf, too_many_steps, types,
};
use rustc_hash::FxHashMap;

use super::explain::{Origin, Step};
use super::key::{Key, LOOKUP_OPTIONS};
use super::layer::Layer;
use super::merge::{MergeKind, Strategy};
use super::search::{Call, Search};
use super::trouble::Trouble;

/// What this request knows of them.
#[derive(Default)]
pub(super) struct KnownOptions {
    global: OnceCell<Option<Hash>>,
    environment: OnceCell<Option<Hash>>,
    /// What the environment says, for all modules that say nothing themselves.
    of_all: OnceCell<Rc<Compiled>>,
    /// For keys without a module, and for those of each module.
    by_module: RefCell<FxHashMap<Option<Str>, Rc<Compiled>>>,
    defaults: RefCell<FxHashMap<Str, Rc<Compiled>>>,
}

/// The options, apart for keys and for patterns of keys.
#[derive(Debug, Default)]
struct Compiled {
    /// None of them is an error.
    are_sound: bool,
    keys: Hash,
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    regexp: Arc<Regexp>,
    /// What every key begins with that it matches.
    prefix: Str,
    options: Value,
}

impl Pattern {
    fn new(regexp: Arc<Regexp>, text: &str, options: Value) -> Pattern {
        Pattern { regexp, prefix: literal_prefix(text).into(), options }
    }

    /// Returns true if it can match: of a key on several lines nobody says.
    fn may_match(&self, key: &str) -> bool {
        key.starts_with(self.prefix.as_str()) || key.contains('\n')
    }
}

/// Of a pattern that begins with `^`, the letters that it begins with, as long as no sign says anything of them.
fn literal_prefix(pattern: &str) -> &str {
    let Some(rest) = pattern.strip_prefix('^').filter(|rest| !rest.contains('|')) else { return "" };
    let is_literal = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | ':' | '-');
    let end = rest.find(|sign| !is_literal(sign)).unwrap_or(rest.len());
    match rest[end..].chars().next() {
        // The last letter may come again, or not at all.
        Some('?' | '*' | '+' | '{') => &rest[..end.saturating_sub(1)],
        _ => &rest[..end],
    }
}

impl KnownOptions {
    /// Returns true if they are known of keys of this module, and make no difference to one that is not there.
    pub(super) fn do_not_matter_to(&self, key: &str, module: &Option<Str>) -> bool {
        let by_module = self.by_module.borrow();
        let Some(compiled) = by_module.get(module) else { return false };
        // How a key is looked up does not matter where it is not there, unless that itself is an error.
        compiled.are_sound || compiled.keys.get_str(key).is_none() && compiled.patterns.is_empty()
    }
}

impl Compiled {
    fn from_options(options: Option<&Hash>) -> Result<Compiled, Trouble> {
        let mut compiled = Compiled { are_sound: true, ..Compiled::default() };
        for (key, value) in options.into_iter().flat_map(Hash::iter) {
            let text = text_of(key)?;
            compiled.are_sound &= is_sound(value);
            if !text.starts_with('^') {
                compiled.keys.insert(key.clone(), value.clone());
                continue;
            }
            let pattern = Regexp::from_string(text, Options::default());
            if let Err(error) = pattern.regex() {
                return Err(Trouble::ruby(format!("{}: /{text}/", error.message)));
            }
            match compiled.patterns.iter_mut().find(|known| known.regexp == pattern) {
                Some(known) => known.options = value.clone(),
                None => compiled.patterns.push(Pattern::new(pattern, text, value.clone())),
            }
        }
        Ok(compiled)
    }

    /// Returns the lookup options of a key; empty where there are none.
    fn options_for_key(&self, key: &str) -> Result<Hash, Trouble> {
        let mut found = self.keys.get_str(key).filter(|value| !value.is_undef());
        for pattern in self.patterns.iter().filter(|pattern| pattern.may_match(key)) {
            if found.is_some() {
                break;
            }
            let Ok(regex) = pattern.regexp.regex() else { continue };
            if regex.is_match(key).map_err(|_| Trouble::limit(too_many_steps(regex, key).message))? {
                found = Some(&pattern.options);
            }
        }
        match found {
            Some(Value::Hash(options)) => Ok(options.clone()),
            None | Some(Value::Undef | Value::Boolean(false)) => Ok(Hash::default()),
            // A text has no entry of such a name, unless the name is a part of it.
            Some(Value::String(text)) => {
                let parts = ["merge", "convert_to"].into_iter().filter(|part| text.contains(part));
                Ok(parts.map(|part| (Value::from(part), Value::from(part))).collect())
            }
            Some(Value::Array(_)) => Err(Trouble::ruby("no implicit conversion of String into Integer")),
            Some(Value::Integer(_)) => Err(Trouble::ruby("no implicit conversion of String into Integer")),
            Some(other) => {
                let (shown, class) = (sprintf::inspect(other), pantin_values::ruby_class(other));
                Err(Trouble::ruby(format!("undefined method `[]' for {shown}:{class}")))
            }
        }
    }
}

/// Returns true if what is said of a key can be followed.
fn is_sound(options: &Value) -> bool {
    let Value::Hash(options) = options else { return false };
    options.get_str("merge").is_none_or(|merge| Strategy::new(merge).is_ok())
}

fn text_of(key: &Value) -> Result<&Str, Trouble> {
    match key {
        Value::String(text) => Ok(text),
        other => {
            let (shown, class) = (sprintf::inspect(other), pantin_values::ruby_class(other));
            Err(Trouble::ruby(format!("undefined method `start_with?' for {shown}:{class}")))
        }
    }
}

/// Checks that they are a hash, and that a module speaks of its own keys alone.
fn validate(options: Option<Value>, module: Option<&str>) -> Result<Option<Hash>, Trouble> {
    let options = match options {
        None | Some(Value::Undef) => return Ok(None),
        Some(Value::Hash(options)) => options,
        Some(_) => return Err(Trouble::lookup("value of lookup_options must be a hash")),
    };
    let Some(module) = module else { return Ok(Some(options)) };
    let is_own = |text: &str| text.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"));
    for key in options.keys() {
        let text = text_of(key)?;
        match text.strip_prefix('^') {
            Some(pattern) if !is_own(pattern) => {
                return Err(Trouble::lookup(format!(
                    "all lookup_options patterns must match a key starting with module name '{module}'"
                )));
            }
            None if !is_own(text) => {
                return Err(Trouble::lookup(format!("all lookup_options keys must start with module name '{module}'")));
            }
            _ => {}
        }
    }
    Ok(Some(options))
}

fn hash_strategy() -> Strategy {
    Strategy::plain(MergeKind::Hash)
}

impl Search<'_> {
    /// Returns how a key is to be looked up.
    pub(super) fn lookup_options(&mut self, key: &Key) -> Result<Hash, Trouble> {
        let known = self.lookups.options.by_module.borrow().get(&key.module).cloned();
        let compiled = match known {
            Some(compiled) => compiled,
            None => {
                let compiled = self.options_for(key.module.as_ref())?;
                let mut by_module = self.lookups.options.by_module.borrow_mut();
                by_module.insert(key.module.clone(), compiled.clone());
                compiled
            }
        };
        compiled.options_for_key(&key.root)
    }

    fn options_for(&mut self, module: Option<&Str>) -> Result<Rc<Compiled>, Trouble> {
        let call = self.call_for_options();
        self.inside(call, |search| {
            search.with_step(
                || Step::Key(LOOKUP_OPTIONS.into()),
                |search| {
                    if search.is_global_only() {
                        return Compiled::from_options(search.global_options()?.as_ref()).map(Rc::new);
                    }
                    let shared = search.environment_options()?;
                    let Some(module) = module else { return Compiled::from_options(shared.as_ref()).map(Rc::new) };
                    let of_all = search.keep_shared(shared.as_ref())?;
                    let own = search.lookup_in_module(&Key::options(), &hash_strategy())?;
                    let merged = match (shared, validate(own, Some(module))?) {
                        (_, None) => return Ok(of_all),
                        (Some(shared), Some(own)) => search.merged_options(module, shared, own)?,
                        (None, Some(own)) => own,
                    };
                    Compiled::from_options(Some(&merged)).map(Rc::new)
                },
            )
        })
    }

    fn call_for_options(&self) -> Call {
        Call {
            key: Rc::new(Key::options()),
            overrides: Hash::default(),
            defaults: Hash::default(),
            ..self.call.clone()
        }
    }

    /// What the environment says counts for keys without a module as well.
    fn keep_shared(&self, shared: Option<&Hash>) -> Result<Rc<Compiled>, Trouble> {
        let options = &self.lookups.options;
        if let Some(known) = options.of_all.get() {
            return Ok(known.clone());
        }
        let compiled = Rc::new(Compiled::from_options(shared)?);
        options.by_module.borrow_mut().entry(None).or_insert_with(|| compiled.clone());
        Ok(options.of_all.get_or_init(|| compiled).clone())
    }

    fn merged_options(&mut self, module: &str, shared: Hash, own: Hash) -> Result<Hash, Trouble> {
        let parts = [("Global and Environment".to_owned(), shared), (format!("Module {module}"), own)];
        let merged = hash_strategy().lookup(self, &parts, |search, (name, options)| {
            search.with_step(
                || Step::Scope(name.clone()),
                |search| {
                    let options = Value::Hash(options.clone());
                    search.explain(|explainer| explainer.record_found(LOOKUP_OPTIONS, &options, Origin::Data));
                    Ok(Some(options))
                },
            )
        })?;
        match merged {
            Some(Value::Hash(merged)) => Ok(merged),
            _ => Ok(Hash::default()),
        }
    }

    fn global_options(&mut self) -> Result<Option<Hash>, Trouble> {
        if let Some(options) = self.lookups.options.global.get() {
            return Ok(options.clone());
        }
        let options = validate(self.lookup_global(&Key::options(), &hash_strategy())?, None)?;
        Ok(self.lookups.options.global.get_or_init(|| options).clone())
    }

    /// Returns the lookup options of the global layer and of the environment.
    fn environment_options(&mut self) -> Result<Option<Hash>, Trouble> {
        if let Some(options) = self.lookups.options.environment.get() {
            return Ok(options.clone());
        }
        let global = self.global_options()?;
        let own = validate(self.lookup_in_environment(&Key::options(), &hash_strategy())?, None)?;
        let options = match (global, own) {
            (Some(global), Some(own)) => match hash_strategy().merge(Value::Hash(global), Value::Hash(own))? {
                Value::Hash(merged) => Some(merged),
                _ => None,
            },
            (global, own) => global.or(own),
        };
        Ok(self.lookups.options.environment.get_or_init(|| options).clone())
    }

    /// Returns the lookup options of a module's default hierarchy, which stand apart.
    pub(super) fn default_lookup_options(&mut self, layer: &Rc<Layer>, key: &Key) -> Result<Hash, Trouble> {
        let Some(module) = layer.module() else { return Ok(Hash::default()) };
        let known = self.lookups.options.defaults.borrow().get(module).cloned();
        let compiled = match known {
            Some(compiled) => compiled,
            None => {
                let call = self.call_for_options();
                let options = self.inside(call, |search| {
                    search.with_step(
                        || Step::Scope(format!("Searching for \"{LOOKUP_OPTIONS}\"")),
                        |search| search.lookup_in_default_hierarchy(layer, &Key::options(), &"hash".into()),
                    )
                })?;
                let compiled = Rc::new(Compiled::from_options(validate(options, Some(module))?.as_ref())?);
                self.lookups.options.defaults.borrow_mut().insert(module.clone(), compiled.clone());
                compiled
            }
        };
        compiled.options_for_key(&key.root)
    }

    /// Returns what `convert_to` makes of a value: a type, and more arguments for its `new`.
    pub(super) fn convert(&mut self, key: &str, value: Value, convert_to: &Value) -> Result<Value, Trouble> {
        let mut given = match convert_to {
            Value::Array(items) => items.to_vec(),
            only => vec![only.clone()],
        };
        if given.is_empty() {
            given.push(Value::Undef);
        }
        if let Some(first @ Value::String(_)) = given.first_mut()
            && let Some(text) = first.as_str()
        {
            let of = types::parse(text, &mut *self.outside).map_err(|fault| {
                Trouble::lookup(format!(
                    "Invalid data type in lookup_options for key '{key}' could not parse '{text}', error: '{fault}"
                ))
            })?;
            *first = Value::Type(of);
        }
        let mut arguments = vec![value];
        arguments.extend(given[1..].iter().cloned());
        let converted =
            self.new_instance(&given[0], &arguments).map_err(|fault| convert_to_trouble(key, &fault.message))?;
        let shown = format::string_new(&Value::array(given), &[]).unwrap_or_default();
        self.explain(|explainer| {
            if converted.holds_sensitive() {
                explainer.redact_last();
            }
            let shown = ops::to_s(&shown);
            explainer.text(format!("Applying convert_to lookup_option with arguments {shown}"));
        });
        Ok(converted)
    }

    fn new_instance(&mut self, of: &Value, arguments: &[Value]) -> Result<Value, Fault> {
        match of {
            Value::Type(of) => new::new_instance(of, arguments, &mut *self.outside),
            other => Err(Fault::new(mismatch::describe_value("'new' parameter 'type'", &Type::Type(None), other))),
        }
    }
}

fn convert_to_trouble(key: &str, message: &str) -> Trouble {
    Trouble::lookup(format!("The convert_to lookup_option for key '{key}' raised error: {message}"))
}

//! From a key to its value: producers, singletons, and ways that lead back to themselves.

use pantin_syntax::bindings::rule;
use pantin_values::{Digest, Digester, Fault, Hash, Str, Type, Value, types};
use rustc_hash::FxHashMap;

use super::classes::class_names;
use super::definition::{Callback, EXCLUDED, EntryKind, INCLUDED, Multibind};
use super::injector::{Injector, Link, abstract_type_message, class_parameter, fault_from};
use super::key::{Key, accepts, article, inferred, is_data};
use super::outside::Outside;
use super::query::resource_value;

/// What was worked out for one node.
#[derive(Debug, Default)]
pub struct Runtime {
    singletons: FxHashMap<(usize, Digest), Option<Value>>,
    /// The keys that are being worked out, the outermost first.
    way: Vec<Key>,
    /// Hashes of parameters, by the bindings that give them.
    pub(crate) values: FxHashMap<usize, Option<Hash>>,
}

impl Runtime {
    /// Forgets what was worked out while the injector was made: numbers of bindings mean others then.
    pub fn forget_values(&mut self) {
        self.singletons.clear();
        self.values.clear();
    }
}

/// A call of `inject` or one of its kin.
#[derive(Clone, Debug)]
pub struct Call {
    pub key: Key,
    /// The type that the value has to have.
    pub wanted: Option<Type>,
    pub arguments: Option<Hash>,
    /// An instance of this type where nothing is bound.
    pub instance: Option<Type>,
}

impl Injector {
    /// The value of a key; `None` where nothing is bound, or what is optional gave nothing.
    pub fn inject(&self, call: &Call, outside: &mut dyn Outside) -> Result<Option<Value>, Fault> {
        let value = self.value(&call.key, call.arguments.as_ref(), outside)?;
        let value = match (value, &call.instance) {
            (None, Some(of)) => Some(outside.new_instance(of, call.arguments.clone())?),
            (value, _) => value,
        };
        if let (Some(value), Some(wanted)) = (&value, &call.wanted)
            && !accepts(wanted, value)?
        {
            return Err(type_fault(&call.key, wanted, value));
        }
        Ok(value)
    }

    /// Returns true if anything is bound to a key: what may give it a value.
    pub fn is_bound(&self, key: &Key) -> bool {
        self.by_key.contains_key(key) || key.text() == "/classes" || !self.data_ranks(key, None).is_empty()
    }

    /// The error of a key that nobody binds.
    pub fn unbound(&self, key: &Key) -> Fault {
        let near = self.near_key(key.text()).map(|near| format!("did you mean {near}?"));
        let fault = Fault::issue(rule::UNBOUND.code, format!("No binding found for {key}"));
        fault.with_help(near.unwrap_or_else(|| rule::UNBOUND.help.to_owned()))
    }

    pub(crate) fn value(
        &self,
        key: &Key,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        if key.text() == "/classes" {
            let names = self.classes(outside)?;
            return Ok(Some(Value::array(names.into_iter().map(Value::String))));
        }
        if let Some((of, name)) = key.parameter_parts() {
            return self.parameter(of, name, outside);
        }
        let chain = self.chain(key, None).map_err(|problem| fault_from(&problem))?;
        self.follow(key, &chain.links, chain.abstract_end, arguments, outside)
    }

    /// Asks the links of a chain one after the other.
    fn follow(
        &self,
        key: &Key,
        links: &[Link],
        abstract_end: Option<usize>,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        for link in links {
            let found = match *link {
                Link::Data => self.data_value(key, outside)?,
                Link::Binding(index) => self.produce(key, index, arguments, outside)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        match abstract_end {
            Some(declared) => Err(fault_from(&self.abstract_problem(key, declared))),
            None => Ok(None),
        }
    }

    pub(crate) fn data_value(&self, key: &Key, outside: &mut dyn Outside) -> Result<Option<Value>, Fault> {
        match key.data_name().map(str::to_owned).or_else(|| class_parameter(key)) {
            Some(name) => outside.look_up(&name),
            None => Ok(None),
        }
    }

    /// The value of one binding; `None` where an optional one gives nothing.
    pub(crate) fn produce(
        &self,
        key: &Key,
        index: usize,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let entry = self.bindings[index].entry();
        let merged = self.arguments(index, arguments, outside)?;
        let name = (index, digest_of(merged.as_ref()));
        if entry.is_singleton
            && let Some(known) = outside.runtime().singletons.get(&name)
        {
            return Ok(known.clone());
        }
        // Copies are made of what they see: that is checked, and kept, there.
        let result = self.on_way(key, outside, |outside| self.fresh(key, index, merged.as_ref(), outside));
        let found = match result? {
            Some(Value::Undef) | None => None,
            Some(value) => Some(value),
        };
        let is_quiet = entry.is_optional || matches!(entry.kind, EntryKind::Copy(_));
        match &found {
            None if !is_quiet => {
                let message = format!("The producer of {key} gave no value");
                return Err(Fault::issue(rule::NO_VALUE.code, message).with_help(rule::NO_VALUE.help));
            }
            None => {}
            Some(value) => self.check_produced(key, index, value)?,
        }
        if entry.is_singleton {
            outside.runtime().singletons.insert(name, found.clone());
        }
        Ok(found)
    }

    fn on_way<T>(
        &self,
        key: &Key,
        outside: &mut dyn Outside,
        work: impl FnOnce(&mut dyn Outside) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let way = &mut outside.runtime().way;
        if let Some(start) = way.iter().position(|known| known == key) {
            let keys: Vec<&str> = way[start..].iter().chain([key]).map(Key::text).collect();
            let message = format!("The binding of {key} leads back to itself: {}", keys.join(" -> "));
            return Err(Fault::issue(rule::LOOP.code, message));
        }
        way.push(key.clone());
        let result = pantin_base::stack::with_room(|| work(outside));
        outside.runtime().way.pop();
        result
    }

    /// The arguments of a call over those of the binding.
    fn arguments(&self, index: usize, given: Option<&Hash>, outside: &mut dyn Outside) -> Result<Option<Hash>, Fault> {
        let own = match &self.bindings[index].entry().arguments {
            Some(expression) => match outside.evaluate(expression)? {
                Value::Hash(hash) => Some(hash),
                other => {
                    let message = format!("The option 'producer_args' expects a Hash value, got {}", inferred(&other));
                    return Err(Fault::issue(rule::OPTION_VALUE.code, message));
                }
            },
            None => None,
        };
        Ok(match (own, given) {
            (None, given) => given.cloned(),
            (own, None) => own,
            (Some(mut own), Some(given)) => {
                for (name, value) in given.iter() {
                    own.insert(name.clone(), value.clone());
                }
                Some(own)
            }
        })
    }

    fn fresh(
        &self,
        key: &Key,
        index: usize,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let entry = self.bindings[index].entry();
        let takes_none = matches!(
            entry.kind,
            EntryKind::Constant(_)
                | EntryKind::Expression(_)
                | EntryKind::Multibind(_)
                | EntryKind::Query(_)
                | EntryKind::Map(_)
        );
        if takes_none && arguments.is_some() {
            return Err(Fault::issue(rule::ARGUMENTS.code, format!("The binding of {key} takes no arguments")));
        }
        match &entry.kind {
            EntryKind::Abstract => Ok(None),
            EntryKind::Constant(value) => Ok(Some(value.clone())),
            EntryKind::Expression(expression) => outside.evaluate(expression).map(Some),
            EntryKind::Named(name) => self.call_producer(name, arguments, outside).map(Some),
            EntryKind::New(text) => self.instance(text, arguments, outside).map(Some),
            EntryKind::Type { text, .. } => self.type_value(key, text, arguments, outside).map(Some),
            EntryKind::Query(query) => {
                let found = query.find(outside)?;
                Ok(Some(Value::array(found.iter().map(resource_value))))
            }
            EntryKind::Map(pairs) => {
                let pairs = pairs.iter().map(|(of, from)| (Value::String(of.clone()), Value::String(from.clone())));
                Ok(Some(Value::hash(pairs)))
            }
            EntryKind::Copy(_) => self.copy_value(index, arguments, outside),
            EntryKind::Multibind(multibind) => self.collect(multibind, outside).map(Some),
        }
    }

    /// The name of a function, or of a contribution to `producers` that is one.
    fn call_producer(&self, name: &Str, arguments: Option<&Hash>, outside: &mut dyn Outside) -> Result<Value, Fault> {
        let none = |name: &str| {
            let fault = Fault::issue(rule::NO_FUNCTION.code, format!("There is no producer '{name}'"));
            fault.with_help(rule::NO_FUNCTION.help)
        };
        let mut contributions = self.contributions("producers").iter().copied();
        let registered = contributions.find(|&index| self.fragment_name(index) == Some(name));
        let function = match registered {
            Some(index) => {
                let is_text = |value: &Option<Value>| matches!(value, Some(Value::String(_)));
                if matches!(self.bindings[index].entry().kind, EntryKind::Type { .. } | EntryKind::New(_)) {
                    return Err(none(name));
                }
                let value = self.fresh(&Key::data("producers"), index, None, outside)?;
                match value.filter(|value| is_text(&Some(value.clone()))) {
                    Some(Value::String(function)) => function,
                    _ => return Err(none(name)),
                }
            }
            None => name.clone(),
        };
        let arguments = arguments.map(|hash| Value::Hash(hash.clone())).into_iter().collect();
        outside.call(&function, arguments)?.ok_or_else(|| none(&function))
    }

    /// `X.new`, of `Type[X]` or of X.
    fn instance(&self, text: &str, arguments: Option<&Hash>, outside: &mut dyn Outside) -> Result<Value, Fault> {
        let of = super::definition::parse_type(text, &mut Resolver(outside))?;
        let of = match of.resolved() {
            Type::Type(Some(inner)) => (**inner).clone(),
            other => other.clone(),
        };
        let is_known = |of: &Type| !matches!(of.resolved(), Type::Reference(_) | Type::Resource(_) | Type::Class(_));
        if !is_known(&of) {
            let name = super::key::type_name(&of);
            let fault = Fault::issue(rule::NO_FUNCTION.code, format!("There is no producer '{name}'"));
            return Err(fault.with_help(rule::NO_FUNCTION.help));
        }
        outside.new_instance(&of, arguments.cloned())
    }

    /// A type as a producer: an instance where the key wants one, else the reference itself.
    fn type_value(
        &self,
        key: &Key,
        text: &str,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Value, Fault> {
        let of = super::definition::parse_type(text, &mut Resolver(outside))?;
        match of.resolved() {
            Type::Type(Some(inner)) if key.text().starts_with("Type[") => {
                let inner = (**inner).clone();
                if let Type::Reference(Some(name)) = inner.resolved() {
                    return Err(Fault::issue("UNRESOLVED_TYPE", format!("Reference to unresolved type '{name}'")));
                }
                outside.new_instance(&inner, arguments.cloned())
            }
            other => Ok(Value::Type(other.clone())),
        }
    }

    fn copy_value(
        &self,
        index: usize,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let Some((key, chain)) = self.copied_chain(index) else { return Ok(None) };
        let chain = chain.map_err(|problem| fault_from(&problem))?;
        if chain.links.is_empty() && chain.abstract_end.is_none() {
            return Err(fault_from(&self.not_bound(index, &key)));
        }
        let own = self.bindings[index].key.as_ref();
        // A rebind sees its own key from below: that is no circle.
        if own == Some(&key) {
            let way = outside.runtime().way.pop();
            let result = self.follow(&key, &chain.links, chain.abstract_end, arguments, outside);
            outside.runtime().way.extend(way);
            return result;
        }
        self.follow(&key, &chain.links, chain.abstract_end, arguments, outside)
    }

    /// Checks a value that was worked out, not written.
    fn check_produced(&self, key: &Key, index: usize, value: &Value) -> Result<(), Fault> {
        let binding = &self.bindings[index];
        let entry = binding.entry();
        if !matches!(entry.kind, EntryKind::Constant(_)) {
            match &entry.declared {
                Some(of) if !accepts(of, value)? && !is_instance_key(key) => return Err(type_fault(key, of, value)),
                None if key.data_name().is_some() && !is_data(value) => {
                    return Err(type_fault(key, &types::data(), value));
                }
                _ => {}
            }
        }
        for (wanted, place) in self.abstract_types(key, &binding.rank) {
            if !accepts(&wanted, value)? && !is_instance_key(key) {
                let message = abstract_type_message(key, &wanted, &place, &inferred(value));
                return Err(Fault::issue(rule::ABSTRACT_TYPE.code, message));
            }
        }
        Ok(())
    }

    // ---- multibinds

    fn collect(&self, multibind: &Multibind, outside: &mut dyn Outside) -> Result<Value, Fault> {
        let id = multibind.id.clone();
        let mut items: Vec<Value> = Vec::new();
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        let mut memo = Value::array([]);
        for &index in self.contributions(&id) {
            let name = self.fragment_name(index).cloned();
            let is_replaced = multibind.is_hash
                && multibind.combinator.is_none()
                && name.as_ref().is_some_and(|name| pairs.iter().any(|(known, _)| known.as_str() == Some(name)));
            if is_replaced {
                continue;
            }
            let Some(value) = self.contribution(index, &id, outside)? else { continue };
            match (&multibind.combinator, multibind.is_hash) {
                (None, false) => match value {
                    Value::Array(more) => items.extend(more.iter().cloned()),
                    value => items.push(value),
                },
                (None, true) => {
                    let name = name.map(Value::String).unwrap_or_default();
                    pairs.push((name, value));
                }
                (Some(combinator), false) => memo = call_back(combinator, vec![memo, value], outside)?,
                (Some(combinator), true) => {
                    let name = name.map(Value::String).unwrap_or_default();
                    let place = pairs.iter().position(|(known, _)| *known == name);
                    let now = place.map(|place| pairs[place].1.clone()).unwrap_or_default();
                    let combined = call_back(combinator, vec![name.clone(), now, value], outside)?;
                    match place {
                        Some(place) => pairs[place].1 = combined,
                        None => pairs.push((name, combined)),
                    }
                }
            }
        }
        Ok(match (&multibind.combinator, multibind.is_hash) {
            (_, true) => Value::hash(pairs),
            (None, false) => Value::array(items),
            (Some(_), false) => memo,
        })
    }

    /// The function that provides the bindings of a scheme of one's own.
    pub fn provider(&self, scheme: &Str, outside: &mut dyn Outside) -> Result<Option<Str>, Fault> {
        let id = "bindings_providers";
        let mut contributions = self.contributions(id).iter().copied();
        let Some(index) = contributions.find(|&index| self.fragment_name(index) == Some(scheme)) else {
            return Ok(None);
        };
        match self.fresh(&Key::data(id), index, None, outside) {
            Ok(Some(Value::String(function))) => Ok(Some(function)),
            Ok(_) => {
                let fault = Fault::issue(rule::NO_FUNCTION.code, format!("There is no producer '{scheme}'"));
                Err(fault.with_help(rule::NO_FUNCTION.help))
            }
            Err(fault) => Err(fault),
        }
    }

    /// What one contribution comes to.
    pub(crate) fn contribution(
        &self,
        index: usize,
        id: &str,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let entry = self.bindings[index].entry();
        let merged = self.arguments(index, None, outside)?;
        let found = self.fresh(&Key::data(id), index, merged.as_ref(), outside)?;
        let found = found.filter(|value| !value.is_undef());
        match &found {
            None if !entry.is_optional => {
                let shown = self.fragment_name(index).map_or(id, Str::as_str);
                let message = format!("The producer of {} gave no value", Key::data(shown));
                Err(Fault::issue(rule::NO_VALUE.code, message).with_help(rule::NO_VALUE.help))
            }
            Some(value) => match &entry.declared {
                Some(of) if !accepts(of, value)? => Err(type_fault(&Key::data(id), of, value)),
                _ => Ok(found),
            },
            None => Ok(None),
        }
    }

    /// The classes that are included.
    pub fn classes(&self, outside: &mut dyn Outside) -> Result<Vec<Str>, Fault> {
        let mut names = |id: &str| -> Result<Vec<(Str, usize)>, Fault> {
            let mut found = Vec::new();
            for &index in self.contributions(id) {
                if let Some(value) = self.contribution(index, id, outside)? {
                    found.extend(class_names(&value).into_iter().map(|name| (name, index)));
                }
            }
            Ok(found)
        };
        let (included, excluded) = (names(INCLUDED)?, names(EXCLUDED)?);
        Ok(self.included(&included, &excluded))
    }

    /// The variables that are bound, with the binding of each.
    pub fn bound_variables(&self) -> Vec<(Str, Key)> {
        let names = self.keys.iter().filter_map(|key| Some((Str::from(key.variable_name()?), key.clone())));
        names.collect()
    }

    /// The bindings that decide a variable: the place of the highest, and whether it is an override.
    pub fn variable_binding(&self, key: &Key) -> Option<(super::Problem, bool)> {
        let chain = self.chain(key, None).ok()?;
        let Some(Link::Binding(index)) = chain.links.first() else { return None };
        let binding = &self.bindings[*index];
        Some((self.problem(binding, rule::VARIABLE_SET, String::new()), binding.entry().is_override))
    }
}

/// Returns true if the values of a key are instances of the type that it names.
fn is_instance_key(key: &Key) -> bool {
    key.text().starts_with("Type[")
}

pub(crate) fn call_back(callback: &Callback, arguments: Vec<Value>, outside: &mut dyn Outside) -> Result<Value, Fault> {
    match callback {
        Callback::Lambda(lambda) => outside.call_lambda(lambda, arguments),
        Callback::Named(name) => outside.call(name, arguments)?.ok_or_else(|| {
            let fault = Fault::issue(rule::NO_FUNCTION.code, format!("There is no producer '{name}'"));
            fault.with_help(rule::NO_FUNCTION.help)
        }),
    }
}

pub(crate) fn type_fault(key: &Key, wanted: &Type, value: &Value) -> Fault {
    let wanted = super::key::type_name(wanted);
    let message = format!("The binding of {key} expects {}{wanted} value, got {}", article(&wanted), inferred(value));
    Fault::issue(rule::TYPE.code, message)
}

fn digest_of(arguments: Option<&Hash>) -> Digest {
    match arguments {
        None => Digest::from_text("none"),
        Some(hash) => Digester::new(b"arguments").item(&Value::Hash(hash.clone())).finish(),
    }
}

/// The names of types, as whoever is outside knows them.
pub(crate) struct Resolver<'o, 'd>(pub(crate) &'o mut (dyn Outside + 'd));

impl pantin_values::Resolve for Resolver<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.0.resolve(name)
    }
}

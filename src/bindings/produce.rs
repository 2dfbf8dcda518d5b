//! From a key to its value: producers, singletons, and ways that lead back to themselves.

use pantin_syntax::bindings::rule;
use pantin_values::{Digest, Digester, Fault, Hash, Str, Type, Value, types};
use rustc_hash::{FxHashMap, FxHashSet};

use super::checks::abstract_type_message;
use super::condition::Rank;
use super::definition::{Callback, EntryKind};
use super::injector::{Chain, Injector, Link, class_parameter, fault_from};
use super::key::{Key, accepts, article, inferred, is_data};
use super::outside::Outside;
use super::query::resource_value;
use super::rows::{Row, Rows, candidates_row, contributions_row};

/// What was worked out for one node.
#[derive(Debug, Default)]
pub struct Runtime {
    singletons: FxHashMap<(usize, Digest), Made<Option<Value>>>,
    /// The keys that are being worked out, each with the binding that is asked; the outermost first.
    way: Vec<(Key, usize)>,
    /// Hashes of parameters, by the bindings that give them.
    pub(crate) values: FxHashMap<usize, Made<Option<Hash>>>,
    /// The keys and ids of multibinds that somebody wanted, as `Entry::usage_name` writes them.
    used: FxHashSet<String>,
    /// The rows that were looked at since somebody began to note them.
    rows: Rows,
    /// The number of questions about the node that were asked while injectors were made.
    node_questions: usize,
}

/// A value that was worked out, and the rows that were looked at for it.
#[derive(Clone, Debug)]
pub(crate) struct Made<T> {
    pub value: T,
    pub rows: Rows,
}

impl Runtime {
    /// Forgets what was worked out while the injector was made: numbers of bindings mean others then.
    pub fn forget_values(&mut self) {
        self.singletons.clear();
        self.values.clear();
    }

    /// Notes that a key, or what is contributed to an id, was wanted.
    pub(crate) fn note_use(&mut self, name: String) {
        self.used.insert(name);
    }

    /// Notes that a row was looked at.
    pub fn note_row(&mut self, row: Row) {
        self.rows.insert(row);
    }

    pub(crate) fn note_rows(&mut self, rows: &Rows) {
        self.rows.extend(rows.iter().cloned());
    }

    /// Notes that the node decides what is asked while an injector is made.
    pub(crate) fn note_node_question(&mut self) {
        self.node_questions += 1;
    }

    pub(crate) fn node_questions(&self) -> usize {
        self.node_questions
    }

    /// Returns the rows that were looked at so far, in no order.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// Takes the rows that were looked at so far.
    pub fn take_rows(&mut self) -> Rows {
        std::mem::take(&mut self.rows)
    }

    /// Returns what was wanted so far, in no order.
    pub fn uses(&self) -> impl Iterator<Item = &str> {
        self.used.iter().map(String::as_str)
    }
}

/// Does some work, and returns the rows that were looked at for it; they count for whoever wants that work too.
pub fn with_rows<T>(outside: &mut dyn Outside, work: impl FnOnce(&mut dyn Outside) -> T) -> (T, Rows) {
    let outer = outside.runtime().take_rows();
    let result = work(outside);
    let runtime = outside.runtime();
    let own = std::mem::replace(&mut runtime.rows, outer);
    runtime.note_rows(&own);
    (result, own)
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
    /// Returns the value of a key; `None` where nothing is bound, or what is optional gave nothing.
    pub fn inject(&self, call: &Call, outside: &mut dyn Outside) -> Result<Option<Value>, Fault> {
        let value = self.value(&call.key, call.arguments.as_ref(), outside)?;
        let value = match (value, &call.instance) {
            (None, Some(of)) => Some(outside.new_instance(of, None, call.arguments.clone())?),
            (value, _) => value,
        };
        if let (Some(value), Some(wanted)) = (&value, &call.wanted)
            && !is_instance_key(&call.key)
            && !accepts(wanted, value)?
        {
            let fault = type_fault(&call.key, wanted, value);
            return Err(match self.effective_binding(&call.key) {
                Some(index) => self.with_binding_place(fault, index),
                None => fault,
            });
        }
        Ok(value)
    }

    /// Returns the first binding that is asked for the value of a key.
    fn effective_binding(&self, key: &Key) -> Option<usize> {
        let chain = self.chain(key, None).ok()?;
        chain.links.iter().find_map(|link| match link {
            Link::Binding(index) => Some(*index),
            Link::Data => None,
        })
    }

    /// Returns true if anything is bound to a key: what may give it a value.
    pub fn is_bound(&self, key: &Key, runtime: &mut Runtime) -> bool {
        runtime.note_row(candidates_row(key));
        self.by_key.contains_key(key) || key.text() == "/classes" || !self.data_ranks(key, None).is_empty()
    }

    /// Returns the error of a key that nobody binds.
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
        outside.runtime().note_row(key.row());
        let chain = self.chain(key, None).map_err(|problem| fault_from(&problem))?;
        self.follow(key, &chain, arguments, outside)
    }

    /// Asks the links of a chain one after the other.
    pub(crate) fn follow(
        &self,
        key: &Key,
        chain: &Chain,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        for link in &chain.links {
            let found = match *link {
                Link::Data => self.checked_data(key, outside)?,
                Link::Binding(index) => self.produce(key, index, arguments, outside)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        self.end_of(key, chain).map_or(Ok(None), Err)
    }

    /// Returns the error of a chain that ends without a value.
    pub(crate) fn end_of(&self, key: &Key, chain: &Chain) -> Option<Fault> {
        match (&chain.conflict, chain.abstract_end) {
            (Some(problem), _) => Some(fault_from(problem)),
            (None, Some(declared)) => Some(fault_from(&self.abstract_problem(key, declared))),
            (None, None) => None,
        }
    }

    /// Returns what the data has for a key: it must be of the types that abstract bindings at its rank or below declare.
    pub(crate) fn checked_data(&self, key: &Key, outside: &mut dyn Outside) -> Result<Option<Value>, Fault> {
        let found = self.data_value(key, outside)?;
        if let (Some(value), Some(rank)) = (&found, self.data_ranks(key, None).first()) {
            self.check_abstract_types(key, rank, value)?;
        }
        Ok(found)
    }

    pub(crate) fn data_value(&self, key: &Key, outside: &mut dyn Outside) -> Result<Option<Value>, Fault> {
        match key.data_name().map(str::to_owned).or_else(|| class_parameter(key)) {
            Some(name) => outside.look_up(&name),
            // Only a check without a node has such layers.
            None if self.table.layers.iter().any(|layer| layer.unknown.contains(key)) => Ok(Some(Value::Undef)),
            None => Ok(None),
        }
    }

    /// Returns the value of one binding; `None` where an optional one gives nothing.
    pub(crate) fn produce(
        &self,
        key: &Key,
        index: usize,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let entry = self.bindings[index].entry();
        outside.runtime().note_use(entry.usage_name());
        let merged = self.arguments(index, arguments, outside)?;
        let name = (index, digest_of(merged.as_ref()));
        // A copy is worked out as often as what it sees: that is what is kept.
        let is_kept = entry.is_singleton && !matches!(entry.kind, EntryKind::Copy(_));
        if is_kept && let Some(known) = outside.runtime().singletons.get(&name).cloned() {
            outside.runtime().note_rows(&known.rows);
            return Ok(known.value);
        }
        let (result, rows) = with_rows(outside, |outside| {
            self.on_way(key, index, outside, |outside| self.fresh(key, index, merged.as_ref(), outside))
        });
        let found = match result.map_err(|fault| self.with_binding_place(fault, index))? {
            Some(Value::Undef) | None => None,
            Some(value) => Some(value),
        };
        let is_quiet = entry.is_optional || matches!(entry.kind, EntryKind::Copy(_));
        match &found {
            None if !is_quiet => {
                let message = format!("The producer of {key} gave no value");
                let fault = Fault::issue(rule::NO_VALUE.code, message).with_help(rule::NO_VALUE.help);
                return Err(self.with_binding_place(fault, index));
            }
            None => {}
            Some(value) => self.check_produced(key, index, value)?,
        }
        if is_kept {
            outside.runtime().singletons.insert(name, Made { value: found.clone(), rows });
        }
        Ok(found)
    }

    /// Adds to an error of a call where the binding stands that it is about: the error itself has the place of the call.
    pub(crate) fn with_binding_place(&self, fault: Fault, index: usize) -> Fault {
        let is_of_binding =
            [rule::NO_VALUE, rule::ARGUMENTS, rule::NO_FUNCTION, rule::TYPE].iter().any(|one| one.code == fault.code());
        if is_of_binding { with_place(fault, &self.bindings[index].place().at()) } else { fault }
    }

    /// Asks a binding, unless it is being asked: a key may lead to itself by another binding, as copies do.
    pub(crate) fn on_way<T>(
        &self,
        key: &Key,
        index: usize,
        outside: &mut dyn Outside,
        work: impl FnOnce(&mut dyn Outside) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let way = &mut outside.runtime().way;
        if let Some(start) = way.iter().position(|(name, known)| *known == index && name == key) {
            // From the key that was asked for, though the circle may begin behind it.
            let keys: Vec<String> = way.iter().map(|(known, _)| known).chain([key]).map(Key::to_string).collect();
            let message = format!("The binding of {} leads back to itself: {}", keys[0], keys.join(" -> "));
            let mut places: Vec<String> = Vec::new();
            for &(_, member) in &way[start..] {
                let at = self.bindings[member].place().at();
                if !places.contains(&at) {
                    places.push(at);
                }
            }
            let help = format!("the bindings that lead there are at {}", places.join(", "));
            return Err(Fault::issue(rule::LOOP.code, message).with_help(help));
        }
        way.push((key.clone(), index));
        let result = pantin_base::stack::with_room(|| work(outside));
        outside.runtime().way.pop();
        result
    }

    /// Returns the arguments of a call over those of the binding.
    pub(crate) fn arguments(
        &self,
        index: usize,
        given: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Hash>, Fault> {
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

    pub(crate) fn fresh(
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

    /// Returns the name of a function, or of a contribution to `producers` that is one.
    fn call_producer(&self, name: &Str, arguments: Option<&Hash>, outside: &mut dyn Outside) -> Result<Value, Fault> {
        let none = |name: &str| {
            let fault = Fault::issue(rule::NO_FUNCTION.code, format!("There is no producer '{name}'"));
            fault.with_help(rule::NO_FUNCTION.help)
        };
        outside.runtime().note_row(contributions_row("producers"));
        let mut contributions = self.contributions("producers").iter().copied();
        let registered = contributions.find(|&index| self.fragment_name(index) == Some(name));
        let function = match registered {
            Some(index) => {
                outside.runtime().note_use(self.bindings[index].entry().usage_name());
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
        outside.new_instance(&of, None, arguments.cloned())
    }

    /// Returns a type as a producer: an instance where the key wants one, else the reference itself.
    fn type_value(
        &self,
        key: &Key,
        text: &str,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Value, Fault> {
        let of = super::definition::parse_type(text, &mut Resolver(outside))?;
        let is_instance = is_instance_key(key);
        let wanted = match is_instance {
            true => Some(super::definition::parse_type(key.type_text(), &mut Resolver(outside))?),
            false => None,
        };
        let is_object = |of: &Type| matches!(of.resolved(), Type::Object(_)) && key.type_text() != "Type";
        match of.resolved() {
            Type::Type(Some(inner)) if is_instance || is_object(inner) => {
                let inner = (**inner).clone();
                if let Type::Reference(Some(name)) = inner.resolved() {
                    return Err(Fault::issue("UNRESOLVED_TYPE", format!("Reference to unresolved type '{name}'")));
                }
                if let Some(Type::Type(Some(wanted))) = wanted.as_ref().map(Type::resolved)
                    && !wanted.assignable(&inner)
                {
                    let (new, old) =
                        (super::key::type_name(&of), super::key::type_name(&Type::Type(Some(wanted.clone()))));
                    let message = format!("{new} is no replacement of {old}: it does not inherit it");
                    return Err(Fault::issue(rule::REPLACEMENT.code, message).with_help(rule::REPLACEMENT.help));
                }
                let wanted = match wanted.as_ref().map(Type::resolved) {
                    Some(Type::Type(Some(wanted))) => Some((**wanted).clone()),
                    _ => None,
                };
                outside.new_instance(&inner, wanted.as_ref(), arguments.cloned())
            }
            other => Ok(Value::Type(other.clone())),
        }
    }

    /// Checks a value that was worked out, not written.
    fn check_produced(&self, key: &Key, index: usize, value: &Value) -> Result<(), Fault> {
        let binding = &self.bindings[index];
        let entry = binding.entry();
        if !matches!(entry.kind, EntryKind::Constant(_)) {
            match &entry.declared {
                Some(of) if !accepts(of, value)? && !is_instance_key(key) && !is_replacement(of, value) => {
                    let help = format!("the type is declared at {}", binding.place().at());
                    return Err(type_fault(key, of, value).with_help(help));
                }
                None if key.data_name().is_some() && !is_data(value) => {
                    return Err(self.with_binding_place(type_fault(key, &types::data(), value), index));
                }
                _ => {}
            }
        }
        self.check_abstract_types(key, &binding.rank, value)
    }

    fn check_abstract_types(&self, key: &Key, rank: &Rank, value: &Value) -> Result<(), Fault> {
        for (wanted, place) in self.abstract_types(key, rank) {
            if !accepts(&wanted, value)? && !is_instance_key(key) && !is_replacement(&wanted, value) {
                let message = abstract_type_message(key, &wanted, &place, &inferred(value));
                return Err(Fault::issue(rule::ABSTRACT_TYPE.code, message));
            }
        }
        Ok(())
    }

    /// Returns the variables that are bound, with the binding of each.
    pub fn bound_variables(&self) -> Vec<(Str, Key)> {
        let names = self.keys.iter().filter_map(|key| Some((Str::from(key.variable_name()?), key.clone())));
        names.collect()
    }

    /// Returns the bindings that decide a variable: the place of the highest, and whether it is an override.
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

/// Returns true if a value is what stands in the place of a class or a type of resources.
fn is_replacement(declared: &Type, value: &Value) -> bool {
    let is_subject = |of: &Type| match of.resolved() {
        Type::Class(_) | Type::Reference(_) => true,
        Type::Resource(resource) => resource.as_ref().is_none_or(|resource| resource.title.is_none()),
        _ => false,
    };
    is_subject(declared) && matches!(value, Value::Type(of) if is_subject(of))
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

/// Fails where a value is not of the type that somebody wants.
pub fn check_type(key: &Key, wanted: &Type, value: &Value) -> Result<(), Fault> {
    if accepts(wanted, value)? { Ok(()) } else { Err(type_fault(key, wanted, value)) }
}

pub(crate) fn type_fault(key: &Key, wanted: &Type, value: &Value) -> Fault {
    let wanted = super::key::type_name(wanted);
    let message = format!("The binding of {key} expects {}{wanted} value, got {}", article(&wanted), inferred(value));
    Fault::issue(rule::TYPE.code, message)
}

/// Adds to an error where a binding stands that its message does not name.
pub(crate) fn with_place(fault: Fault, at: &str) -> Fault {
    let place = format!("it is bound at {at}");
    let help = fault.help.clone().filter(|help| !help.is_empty());
    if fault.message.contains(at) || help.as_ref().is_some_and(|help| help.contains(at)) {
        return fault;
    }
    fault.with_help(help.map_or(place.clone(), |help| format!("{help}; {place}")))
}

fn digest_of(arguments: Option<&Hash>) -> Digest {
    match arguments {
        None => Digest::from_text("none"),
        Some(hash) => Digester::new(b"arguments").item(&in_order(&Value::Hash(hash.clone()))).finish(),
    }
}

/// Returns a value with the keys of its hashes in one order: hashes are equal whatever the order of theirs.
fn in_order(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::array(items.iter().map(|item| pantin_base::stack::with_room(|| in_order(item)))),
        Value::Hash(hash) => {
            let entry = |(key, value): (&Value, &Value)| {
                let key = in_order(key);
                let digest = Digester::new(b"key").item(&key).finish();
                (digest, (key, pantin_base::stack::with_room(|| in_order(value))))
            };
            let mut entries: Vec<(Digest, (Value, Value))> = hash.iter().map(entry).collect();
            entries.sort_by_key(|(digest, _)| *digest);
            Value::Hash(entries.into_iter().map(|(_, entry)| entry).collect())
        }
        other => other.clone(),
    }
}

/// The names of types, as whoever is outside knows them.
pub(crate) struct Resolver<'o, 'd>(pub(crate) &'o mut (dyn Outside + 'd));

impl pantin_values::Resolve for Resolver<'_, '_> {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        self.0.resolve(name)
    }
}

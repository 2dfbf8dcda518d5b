//! Parameters of classes and resources: what is bound for them, by name or by a source.

use std::sync::Arc;

use pantin_syntax::bindings::{Subject, rule};
use pantin_values::{Fault, Hash, Str, Value};
use rustc_hash::FxHashMap;

use super::condition::Rank;
use super::definition::{EntryKind, ParameterSource, Role, SourceFrom};
use super::injector::{Injector, Link, View, fault_from, located_fault};
use super::key::{Key, inferred};
use super::outside::{ExportedResource, Outside};
use super::problem::{Place, Problem};
use super::produce::{Made, call_back, with_place, with_rows};
use super::rows::subject_row;

/// Names of the target, each with that of the source.
type NamePairs = Arc<[(Str, Str)]>;

impl Injector {
    /// Returns true if anything at all is bound for parameters of a subject.
    pub fn has_parameters(&self, of: &str) -> bool {
        self.sources.contains_key(of) || self.parameters.contains_key(of)
    }

    /// Returns true if anything is bound for parameters of resources.
    pub fn binds_resources(&self) -> bool {
        !self.bound_types.is_empty()
    }

    /// Returns true if anything is bound for parameters of a resource, or of all of its type.
    pub fn binds_resource(&self, type_name: &str, title: &str) -> bool {
        let instance = || Subject::Resource(type_name.to_owned(), title.to_owned()).key_text();
        self.binds_resources() && (self.has_parameters(type_name) || self.has_parameters(&instance()))
    }

    /// The names that are bound for a subject by themselves, each with the place of the binding.
    pub fn parameter_names(&self, of: &str) -> Vec<(Str, Place)> {
        let named = self.parameters.get(of).into_iter().flatten().filter_map(|key| {
            let (_, name) = key.parameter_parts()?;
            let chain = self.chain(key, None).ok()?;
            let Some(Link::Binding(index)) = chain.links.first() else { return None };
            Some((Str::from(name), self.bindings[*index].place()))
        });
        named.collect()
    }

    /// Returns true if something may be bound for one parameter of a subject.
    pub fn gives_parameter(&self, of: &str, name: &str) -> bool {
        let is_it = |key: &Key| key.parameter_parts().is_some_and(|(_, known)| known == name);
        self.sources.contains_key(of) || self.parameters.get(of).is_some_and(|keys| keys.iter().any(is_it))
    }

    /// Returns true if a layer has the data of Hiera.
    pub fn has_data(&self) -> bool {
        self.table.layers.iter().any(|layer| layer.has_data)
    }

    /// Returns true if a source is bound for a subject: which parameters it gives is known later.
    pub fn has_sources(&self, of: &str) -> bool {
        self.sources.contains_key(of)
    }

    /// Returns true if parameters of any resource are a source.
    pub fn has_resource_sources(&self) -> bool {
        self.sources.values().flatten().any(|&index| match &self.bindings[index].entry().role {
            Role::Source(source) => matches!(source.from, SourceFrom::Subject(Subject::Resource(..))),
            _ => false,
        })
    }

    /// Returns the place of the highest source of a subject.
    pub fn source_place(&self, of: &str) -> Option<Place> {
        self.sources.get(of)?.first().map(|&index| self.bindings[index].place())
    }

    /// The names that sources of a subject give, as far as that is known without a value.
    pub fn source_names(&self, of: &str, outside: &mut dyn Outside) -> Result<Vec<Str>, Fault> {
        let mut names = Vec::new();
        for index in self.sources.get(of).cloned().unwrap_or_default() {
            let Role::Source(source) = self.bindings[index].entry().role.clone() else { continue };
            match &source.from {
                SourceFrom::Values => {
                    let values = self.source_values(index, outside)?;
                    names.extend(values.iter().flat_map(Hash::keys).map(pantin_values::text::display));
                }
                _ => names.extend(self.source_pairs(index, &source, outside)?.into_iter().map(|(of, _)| of)),
            }
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    pub(crate) fn check_sources(&self, problems: &mut Vec<Problem>) {
        let mut subjects: Vec<&String> = self.sources.keys().collect();
        subjects.sort();
        for subject in subjects {
            let mut known: FxHashMap<(Rank, String), usize> = FxHashMap::default();
            for &index in &self.sources[subject] {
                let binding = &self.bindings[index];
                let Role::Source(source) = &binding.entry().role else { continue };
                let Some(kind) = source_kind(source) else { continue };
                let Some(&first) = known.get(&(binding.rank.clone(), kind.clone())) else {
                    known.insert((binding.rank.clone(), kind), index);
                    continue;
                };
                let first = self.bindings[first].place();
                let message = format!(
                    "The parameters of {} are bound to two of the type {kind}, at {} and at {}",
                    source.target.shown(),
                    first.at(),
                    binding.place().at()
                );
                problems.push(self.problem(binding, rule::SOURCE_TWICE, message).with_related(first, "the first"));
            }
        }
    }

    /// Returns the value of a parameter: `of` is the subject as keys write it.
    pub fn parameter(&self, of: &str, name: &str, outside: &mut dyn Outside) -> Result<Option<Value>, Fault> {
        let key = Key::parameter(of, name);
        if !self.by_key.contains_key(&key) && !self.sources.contains_key(of) && self.data_ranks(&key, None).is_empty() {
            return Ok(None);
        }
        outside.runtime().note_row(key.row());
        outside.runtime().note_row(subject_row(of));
        self.seen_parameter(&key, (of, name), None, outside)
    }

    /// Returns the value of a parameter as it is seen from a binding.
    pub(crate) fn seen_parameter(
        &self,
        key: &Key,
        (of, name): (&str, &str),
        view: Option<&View<'_>>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        for (_, group) in self.parameter_groups(key, of, view) {
            if group.is_empty() {
                if let Some(value) = self.data_value(key, outside)? {
                    return Ok(Some(value));
                }
                continue;
            }
            if let Some(value) = self.group_value(key, name, &group, outside)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Returns what may give a parameter, by rank from the highest; a group without bindings is the data.
    pub(crate) fn parameter_groups(&self, key: &Key, of: &str, view: Option<&View<'_>>) -> Vec<(Rank, Vec<usize>)> {
        let mut groups: Vec<(Rank, Vec<usize>)> = self.groups(key, view);
        for &index in self.sources.get(of).map(Vec::as_slice).unwrap_or_default() {
            let rank = &self.bindings[index].rank;
            if !view.is_none_or(|view| view.reaches(rank)) {
                continue;
            }
            match groups.iter().position(|(known, _)| known == rank) {
                Some(place) => groups[place].1.push(index),
                None => groups.push((rank.clone(), vec![index])),
            }
        }
        groups.extend(self.data_ranks(key, view).into_iter().map(|rank| (rank, Vec::new())));
        groups.sort_by(|(one, _), (other, _)| other.cmp(one));
        groups.iter_mut().for_each(|(_, group)| group.sort_unstable());
        groups
    }

    /// Returns what the bindings of one rank say of a parameter.
    pub(crate) fn group_value(
        &self,
        key: &Key,
        name: &str,
        group: &[usize],
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let giving = self.giving(name, group, outside)?;
        if let Some(problem) = self.conflict(key, &giving) {
            return Err(fault_from(&problem));
        }
        let Some(&index) = giving.first() else { return Ok(None) };
        match self.bindings[index].entry().role.clone() {
            Role::Source(source) => {
                let value = self.source_value(index, &source, name, outside)?;
                let conflict = value.as_ref().and_then(|_| self.conflict_with_data(key, None, index, outside));
                conflict.map_or(Ok(value), |problem| Err(fault_from(&problem)))
            }
            _ => self.produce(key, index, None, outside),
        }
    }

    /// Returns the bindings of a group that give a parameter.
    pub(crate) fn giving(&self, name: &str, group: &[usize], outside: &mut dyn Outside) -> Result<Vec<usize>, Fault> {
        let mut giving = Vec::new();
        for &index in group {
            let is_giving = match &self.bindings[index].entry().role {
                Role::Source(source) => self.gives(index, source, name, outside)?.is_some(),
                _ => self.bindings[index].is_concrete(),
            };
            if is_giving {
                giving.push(index);
            }
        }
        Ok(giving)
    }

    /// The name that a source has for a parameter, if it gives it.
    fn gives(
        &self,
        index: usize,
        source: &Arc<ParameterSource>,
        name: &str,
        outside: &mut dyn Outside,
    ) -> Result<Option<Str>, Fault> {
        if matches!(source.from, SourceFrom::Values) {
            let values = self.source_values(index, outside)?;
            let from = self.mapped_name(source, name);
            return Ok(from.filter(|from| values.is_some_and(|values| values.get_str(from).is_some())));
        }
        let pairs = self.source_pairs(index, source, outside)?;
        Ok(pairs.into_iter().find(|(of, _)| of == name).map(|(_, from)| from))
    }

    fn mapped_name(&self, source: &ParameterSource, name: &str) -> Option<Str> {
        match &source.map {
            None => Some(name.into()),
            Some(map) => map.iter().find(|(of, _)| of == name).map(|(_, from)| from.clone()),
        }
    }

    /// The pairs of names by which a source gives parameters.
    pub(crate) fn source_pairs(
        &self,
        index: usize,
        source: &ParameterSource,
        outside: &mut dyn Outside,
    ) -> Result<Vec<(Str, Str)>, Fault> {
        if matches!(source.from, SourceFrom::Values) {
            return Ok(Vec::new());
        }
        let from = source.from.kind();
        let target = source.target.kind();
        let map = self.noted_map_of(index, source, outside)?;
        let own = outside.parameter_names(&target)?.unwrap_or_default();
        let others = outside.parameter_names(&from)?.unwrap_or_default();
        if let Some(map) = map {
            if let Some((unknown, _)) = map.iter().find(|(of, _)| !own.contains(of)) {
                return Err(located_fault(&self.no_parameter(&source.target, unknown, index, &own)));
            }
            return Ok(map.iter().filter(|(_, from)| others.contains(from)).cloned().collect());
        }
        let common: Vec<(Str, Str)> =
            own.into_iter().filter(|name| others.contains(name)).map(|name| (name.clone(), name)).collect();
        if common.is_empty() {
            let (left, right) = (target.shown(), from.shown());
            let message =
                format!("A map is required between {left} and {right}: no parameter has the same name in both");
            return Err(located_fault(&self.problem(&self.bindings[index], rule::MAP_REQUIRED, message)));
        }
        Ok(common)
    }

    /// Returns what is wrong with a source, as far as the code of both sides tells.
    pub(crate) fn source_problem(&self, index: usize, outside: &mut dyn Outside) -> Option<Problem> {
        let Role::Source(source) = self.bindings[index].entry().role.clone() else { return None };
        let is_known = |subject: &Subject, outside: &mut dyn Outside| {
            matches!(outside.parameter_names(&subject.kind()), Ok(Some(_)))
        };
        if matches!(source.from, SourceFrom::Values) {
            return None;
        }
        let from = source.from.kind();
        if !is_known(&source.target, outside) || !is_known(&from, outside) {
            return None;
        }
        let fault = self.source_pairs(index, &source, outside).err()?;
        let diagnostic = &fault.sighting.as_ref()?.diagnostic;
        let found = rule::RULES.iter().find(|rule| rule.code == diagnostic.code)?;
        Some(self.problem(&self.bindings[index], *found, diagnostic.message.clone()).with_help(fault.help.clone()))
    }

    /// Like `map_of`, with a note that the map was looked at.
    fn noted_map_of(
        &self,
        index: usize,
        source: &ParameterSource,
        outside: &mut dyn Outside,
    ) -> Result<Option<NamePairs>, Fault> {
        outside.runtime().note_row(map_key(&source.target.kind(), &source.from.kind()).row());
        self.map_of(index, source)
    }

    /// The names by which a source of another type gives parameters: its option counts as a map of its own rank, before others there.
    pub(crate) fn map_of(&self, index: usize, source: &ParameterSource) -> Result<Option<NamePairs>, Fault> {
        let rank = &self.bindings[index].rank;
        let bound = self.effective_map(&source.target.kind(), &source.from.kind())?;
        Ok(match (&source.map, bound) {
            (Some(option), Some((_, bound))) if bound <= rank => Some(Arc::clone(option)),
            (Some(option), None) => Some(Arc::clone(option)),
            (_, bound) => bound.map(|(map, _)| map),
        })
    }

    fn effective_map(&self, target: &Subject, source: &Subject) -> Result<Option<(NamePairs, &Rank)>, Fault> {
        let key = map_key(target, source);
        let chain = self.chain(&key, None).map_err(|problem| fault_from(&problem))?;
        Ok(chain.links.iter().find_map(|link| match link {
            Link::Binding(index) => match &self.bindings[*index].entry().kind {
                EntryKind::Map(pairs) => Some((Arc::clone(pairs), &self.bindings[*index].rank)),
                _ => None,
            },
            Link::Data => None,
        }))
    }

    /// Returns the problem of a parameter that a class or type has not.
    pub(crate) fn no_parameter(&self, of: &Subject, name: &str, index: usize, known: &[Str]) -> Problem {
        let near =
            pantin_base::nearest(name, known.iter().map(Str::as_str)).map(|near| format!("did you mean {near}?"));
        let message = format!("{} has no parameter '{name}'", of.shown());
        self.problem(&self.bindings[index], rule::NO_PARAMETER, message).with_help(near)
    }

    /// Returns the hash that a source of values gives, worked out once.
    pub(crate) fn source_values(&self, index: usize, outside: &mut dyn Outside) -> Result<Option<Hash>, Fault> {
        if let Some(known) = outside.runtime().values.get(&index).cloned() {
            outside.runtime().note_rows(&known.rows);
            return Ok(known.value);
        }
        let binding = &self.bindings[index];
        let Role::Source(source) = &binding.entry().role else { return Ok(None) };
        let key = Key::own(&format!("/param/{}/", source.target.key_text()));
        let (produced, rows) = with_rows(outside, |outside| self.produce(&key, index, None, outside));
        let values = match produced? {
            Some(Value::Hash(hash)) => Some(hash),
            Some(Value::Object(object)) => {
                let attributes =
                    object.class.line().flat_map(|class| class.attributes.iter().map(|(name, _)| name.clone()));
                let names: Vec<Str> = attributes.collect();
                let value =
                    |name: &Str| object.class.attribute_index(name).and_then(|at| object.values.get(at).cloned());
                Some(names.iter().filter_map(|name| Some((Value::String(name.clone()), value(name)?))).collect())
            }
            None => None,
            Some(other) => {
                let message = format!("The binding of {key} expects a Hash value, got {}", inferred(&other));
                return Err(self.with_binding_place(Fault::issue(rule::TYPE.code, message), index));
            }
        };
        outside.runtime().values.insert(index, Made { value: values.clone(), rows });
        Ok(values)
    }

    /// Returns the value of a parameter that a source gives; `None` where it has none.
    fn source_value(
        &self,
        index: usize,
        source: &Arc<ParameterSource>,
        name: &str,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        outside.runtime().note_use(self.bindings[index].entry().usage_name());
        let Some(from) = self.gives(index, source, name, outside)? else { return Ok(None) };
        let is_optional = self.bindings[index].entry().is_optional;
        match &source.from {
            SourceFrom::Values => {
                Ok(self.source_values(index, outside)?.and_then(|values| values.get_str(&from).cloned()))
            }
            SourceFrom::Subject(subject @ (Subject::Class(_) | Subject::Type(_) | Subject::Object(_))) => {
                let key = Key::parameter(&source.target.key_text(), name);
                let of = subject.key_text();
                let bound = self.on_way(&key, index, outside, |outside| self.parameter(&of, &from, outside))?;
                match (bound, subject) {
                    (None, Subject::Class(class)) => outside.look_up(&format!("{class}::{from}")),
                    (bound, _) => Ok(bound),
                }
            }
            SourceFrom::Subject(Subject::Resource(type_name, title)) => match outside.resource(type_name, title) {
                Some(parameters) => Ok(find(&parameters, &from)),
                None if is_optional => Ok(None),
                None => {
                    let message = format!(
                        "The parameter '{name}' of {} is bound to {type_name}[{title}], which is not in the catalog",
                        source.target.shown()
                    );
                    Err(fault_from(&self.problem(&self.bindings[index], rule::NO_SOURCE, message)))
                }
            },
            SourceFrom::Query(query) => {
                let found = query.find(outside)?;
                let parameters = match &source.select_result {
                    Some(callback) => {
                        let all = Value::array(found.iter().map(super::query::resource_value));
                        let chosen = chosen(call_back(callback, vec![all], outside)?);
                        chosen.map_err(|fault| with_place(fault, &self.bindings[index].place().at()))?
                    }
                    None => self.only_one(index, source, found)?,
                };
                Ok(parameters.and_then(|parameters| find(&parameters, &from)))
            }
        }
    }

    fn only_one(
        &self,
        index: usize,
        source: &ParameterSource,
        found: Vec<ExportedResource>,
    ) -> Result<Option<Vec<(Str, Value)>>, Fault> {
        let count = found.len();
        match found.into_iter().next() {
            Some(one) if count == 1 => Ok(Some(one.parameters)),
            None if self.bindings[index].entry().is_optional => Ok(None),
            _ => {
                let message = format!(
                    "The query of {} found {count} resources, and exactly one is wanted",
                    source.target.shown()
                );
                Err(fault_from(&self.problem(&self.bindings[index], rule::QUERY_RESULT, message)))
            }
        }
    }
}

fn map_key(target: &Subject, source: &Subject) -> Key {
    Key::own(&format!("/map/{}/{}", target.key_text(), source.key_text()))
}

fn find(parameters: &[(Str, Value)], name: &str) -> Option<Value> {
    parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).filter(|value| !value.is_undef())
}

/// Returns the parameters of the element that was chosen, if one was.
fn chosen(value: Value) -> Result<Option<Vec<(Str, Value)>>, Fault> {
    let parameters = match &value {
        Value::Undef => return Ok(None),
        Value::Hash(resource) => resource.get_str("parameters"),
        _ => None,
    };
    let Some(Value::Hash(parameters)) = parameters else {
        let got = inferred(&value);
        let message = format!("The option 'select_result' expects one of the resources found, got {got}");
        return Err(Fault::issue(rule::OPTION_VALUE.code, message));
    };
    let named = parameters.iter().filter_map(|(name, value)| Some((Str::from(name.as_str()?), value.clone())));
    Ok(Some(named.collect()))
}

/// Returns the type of a source, where two of one are one too many.
fn source_kind(source: &ParameterSource) -> Option<String> {
    match &source.from {
        SourceFrom::Values => None,
        SourceFrom::Subject(subject) => Some(subject.kind().shown()),
        SourceFrom::Query(query) => Some(query.type_name.to_string()),
    }
}

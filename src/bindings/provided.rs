//! Bindings that an ENC or a function provides, as a definition.
//! It must not know who provides them.

use std::sync::{Arc, OnceLock};

use pantin_base::Span;
use pantin_syntax::bindings::Subject;
use pantin_values::{Hash, Str, Type, Value};

use super::condition::Conjunction;
use super::definition::{Definition, EXCLUDED, Entry, EntryKind, INCLUDED, Role};
use super::key::{Key, key_of};

/// A binding that an ENC or a function provides.
#[derive(Clone, Debug, Default)]
pub struct ProvidedBinding {
    pub condition: Vec<(Str, Vec<Str>)>,
    pub is_abstract: bool,
    pub is_override: bool,
    pub declared: Option<Type>,
    pub item: ProvidedItem,
}

#[derive(Clone, Debug, Default)]
pub enum ProvidedItem {
    #[default]
    None,
    Value {
        name: Str,
        value: Value,
    },
    Fragment {
        id: Str,
        name: Option<Str>,
        value: Value,
    },
    Parameters {
        of: Subject,
        values: Hash,
    },
    Variables(Hash),
    Include(Vec<Str>),
    Exclude(Vec<Str>),
}

impl Definition {
    /// Makes a definition of what somebody provides.
    pub fn from_provided(uri: &str, bindings: &[ProvidedBinding]) -> Definition {
        let mut entries = Vec::new();
        for (operation, binding) in bindings.iter().enumerate() {
            let entry = |role, kind| Entry {
                span: Span::new(operation as u32, 0),
                operation,
                role,
                kind,
                is_abstract: binding.is_abstract,
                is_override: binding.is_override,
                is_optional: false,
                declared: binding.declared.clone(),
                arguments: None,
                is_singleton: true,
                alternatives: Arc::from([Conjunction::from(binding.condition.clone())]),
            };
            let classes = |id: &str, names: &[Str]| {
                let names = Value::array(names.iter().cloned().map(Value::String));
                entry(Role::Fragment { id: id.into(), name: None }, EntryKind::Constant(names))
            };
            let hash = |values: &Hash, key: &dyn Fn(&str) -> Key| -> Vec<Entry> {
                let pairs = values.iter().filter_map(|(name, value)| Some((name.as_str()?, value.clone())));
                pairs.map(|(name, value)| entry(Role::Key(key(name)), EntryKind::Constant(value))).collect()
            };
            match &binding.item {
                ProvidedItem::None => {}
                ProvidedItem::Value { name, value } => {
                    let kind =
                        if binding.is_abstract { EntryKind::Abstract } else { EntryKind::Constant(value.clone()) };
                    entries.push(entry(Role::Key(key_of(binding.declared.as_ref(), Some(name))), kind));
                }
                ProvidedItem::Fragment { id, name, value } => {
                    let role = Role::Fragment { id: id.clone(), name: name.clone() };
                    entries.push(entry(role, EntryKind::Constant(value.clone())));
                }
                ProvidedItem::Parameters { of, values } => {
                    let subject = of.key_text();
                    entries.extend(hash(values, &|name| Key::parameter(&subject, name)));
                }
                ProvidedItem::Variables(values) => entries.extend(hash(values, &Key::variable)),
                ProvidedItem::Include(names) => entries.push(classes(INCLUDED, names)),
                ProvidedItem::Exclude(names) => entries.push(classes(EXCLUDED, names)),
            }
        }
        let name: Arc<str> = uri.into();
        Definition {
            uri: uri.into(),
            name: Arc::clone(&name),
            shown: name,
            source: None,
            entries,
            problems: Vec::new(),
            categories: Vec::new(),
            digests: OnceLock::new(),
        }
    }
}

//! Schemes of one's own: functions that provide bindings.
//! It must not know what the injector makes of them.

use std::sync::Arc;

use pantin_base::names::can_bind_variable;
use pantin_bindings::{
    Definition, Injector, Layer, Place, Problem, ProvidedBinding, ProvidedItem, Subject, located_fault, rule,
};
use pantin_model::trace::Failure;
use pantin_values::{Fault, Hash, Str, Type, Value, types};

use super::Compiler;
use super::bindings::BindingsOutside;
use crate::bindings::{EvaluatedSite, PlacedUri, problem, unknown_scheme};
use crate::report::failure_of;

/// What a hash of a provider may hold.
const MEMBERS: [&str; 9] = ["kind", "name", "type", "value", "of", "in", "when", "abstract", "override"];

impl Compiler<'_> {
    /// Calls the functions of custom schemes, and adds what they provide to the layers. Returns the names of what they
    /// provide, with the places where they are bound.
    pub(super) fn open_providers(
        &mut self,
        site: &EvaluatedSite,
        layers: &mut [Layer],
        others: &[(usize, PlacedUri)],
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<(Arc<str>, Place)>, Failure> {
        let custom: Vec<&(usize, PlacedUri)> = others.iter().filter(|(_, wanted)| wanted.uri.scheme != "enc").collect();
        let excluded = site.layers.layers.iter().flat_map(|layer| &layer.exclude);
        let excluded: Vec<&PlacedUri> =
            excluded.filter(|uri| !pantin_bindings::SCHEMES.contains(&uri.uri.scheme.as_str())).collect();
        if custom.is_empty() && excluded.is_empty() {
            return Ok(Vec::new());
        }
        let mut providers = Vec::new();
        let (first, _) = Injector::new(layers.to_vec(), site.state.clone(), &mut BindingsOutside(self));
        let mut called: Vec<(usize, Str)> = Vec::new();
        for (layer, wanted) in &custom {
            let scheme = Str::from(wanted.uri.scheme.as_str());
            if called.contains(&(*layer, scheme.clone())) {
                continue;
            }
            called.push((*layer, scheme.clone()));
            let function = first.provider(&scheme, &mut BindingsOutside(self)).map_err(failure_of)?;
            let Some((function, place)) = function else {
                problems.push(unknown_scheme(wanted));
                continue;
            };
            let names = |uris: &[PlacedUri]| {
                let named = uris.iter().filter(|uri| uri.uri.scheme == *scheme);
                Value::array(named.map(|uri| Value::from(uri.uri.written.as_str())))
            };
            let request = &site.layers.layers[*layer];
            let arguments = vec![names(&request.include), names(&request.exclude)];
            let provided = self.call_provider(&function, &place, arguments).map_err(failure_of)?;
            match provided_bindings(&provided, &mut BindingsOutside(self)) {
                Ok(bindings) => {
                    let uri = format!("{scheme}:/");
                    layers[*layer].definitions.push(Arc::new(Definition::from_provided(&uri, &bindings)));
                    providers.push((Arc::from(uri), place));
                }
                Err(reason) => {
                    let message = format!("The provider of '{scheme}' gave no bindings: {reason}");
                    problems.push(problem(rule::PROVIDER, message, wanted));
                }
            }
        }
        for wanted in excluded {
            let is_known = first.provider(&wanted.uri.scheme.as_str().into(), &mut BindingsOutside(self));
            if is_known.map_err(failure_of)?.is_none() {
                problems.push(unknown_scheme(wanted));
            }
        }
        Ok(providers)
    }

    /// Calls a provider: what it says is what the injector is made of, so it may neither inject nor declare.
    fn call_provider(&mut self, function: &str, place: &Place, arguments: Vec<Value>) -> Result<Value, Fault> {
        use pantin_bindings::Outside;
        let none = || {
            let message = format!("There is no producer '{function}'");
            located_fault(&Problem::new(rule::NO_FUNCTION, message, place.clone()))
        };
        self.bindings.is_in_provider = true;
        let provided = BindingsOutside(self).call(function, arguments);
        self.bindings.is_in_provider = false;
        provided?.ok_or_else(none)
    }
}

/// Returns what a provider returned, as bindings; `Err`: why it is none.
fn provided_bindings(value: &Value, resolve: &mut dyn pantin_values::Resolve) -> Result<Vec<ProvidedBinding>, String> {
    let Value::Array(items) = value else {
        return Err(format!("expects an Array value, got {}", Type::reduced(value).generalize()));
    };
    items.iter().map(|item| provided_binding(item, resolve)).collect()
}

fn provided_binding(item: &Value, resolve: &mut dyn pantin_values::Resolve) -> Result<ProvidedBinding, String> {
    let Value::Hash(hash) = item else {
        return Err(format!("expects a Hash value, got {}", Type::reduced(item).generalize()));
    };
    if let Some(unknown) = hash.keys().find(|key| key.as_str().is_none_or(|key| !MEMBERS.contains(&key))) {
        return Err(format!("unknown key '{}'", pantin_values::text::display(unknown)));
    }
    let flag = |name: &str| match hash.get_str(name) {
        None | Some(Value::Undef) => Ok(false),
        Some(Value::Boolean(flag)) => Ok(*flag),
        Some(_) => Err(format!("'{name}' must be a Boolean")),
    };
    let kind = member_text(hash, "kind")?.unwrap_or_else(|| "bind".into());
    let is_abstract = flag("abstract")?;
    if is_abstract && kind != "bind" {
        return Err(format!("a binding of the kind '{kind}' cannot be abstract"));
    }
    let declared = match member_text(hash, "type")? {
        Some(text) => Some(types::parse(&text, resolve).map_err(|fault| fault.message.to_string())?),
        None => None,
    };
    let item = provided_item(&kind, hash, is_abstract)?;
    Ok(ProvidedBinding { condition: condition(hash)?, is_abstract, is_override: flag("override")?, declared, item })
}

/// Returns the text of a member; `Err`: it is none.
fn member_text(hash: &Hash, name: &str) -> Result<Option<Str>, String> {
    match hash.get_str(name) {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("'{name}' must be a String")),
    }
}

/// Returns what a binding of a provider binds.
fn provided_item(kind: &str, hash: &Hash, is_abstract: bool) -> Result<ProvidedItem, String> {
    let wanted = |name: &str| member_text(hash, name)?.ok_or_else(|| format!("'{name}' is missing"));
    let value = hash.get_str("value").cloned();
    let values = || match &value {
        Some(Value::Hash(hash)) if hash.keys().all(|name| name.as_str().is_some()) => Ok(hash.clone()),
        _ => Err("'value' must be a Hash of names and values".to_owned()),
    };
    let classes = || match &value {
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(Str::from).ok_or_else(|| "'value' must be an Array of names".to_owned()))
            .collect::<Result<Vec<Str>, String>>(),
        _ => Err("'value' must be an Array of names".to_owned()),
    };
    Ok(match kind {
        "bind" => {
            let name = wanted("name")?;
            if name.is_empty() || name.starts_with('/') {
                return Err(format!("The name '{name}' is reserved"));
            }
            match (&value, is_abstract) {
                (None, false) => return Err("'value' is missing".to_owned()),
                (Some(value), true) if !value.is_undef() => {
                    return Err("An abstract binding does not bind a value".to_owned());
                }
                _ => ProvidedItem::Value { name, value: value.clone().unwrap_or_default() },
            }
        }
        "fragment" => {
            let value = value.clone().ok_or("'value' is missing")?;
            ProvidedItem::Fragment { id: wanted("in")?, name: member_text(hash, "name")?, value }
        }
        "parameters" => ProvidedItem::Parameters { of: subject(&wanted("of")?)?, values: values()? },
        "variables" => {
            let values = values()?;
            if let Some(name) = values.keys().filter_map(Value::as_str).find(|name| !can_bind_variable(name)) {
                return Err(format!("'{name}' cannot be bound as a variable of the top scope"));
            }
            ProvidedItem::Variables(values)
        }
        "include" => ProvidedItem::Include(classes()?),
        "exclude" => ProvidedItem::Exclude(classes()?),
        other => return Err(format!("'{other}' is no kind of binding")),
    })
}

fn condition(hash: &Hash) -> Result<Vec<(Str, Vec<Str>)>, String> {
    let one = |value: &Value| match value {
        Value::String(_) | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
            Ok(Str::from(pantin_values::ops::to_s(value)))
        }
        _ => Err("a value of 'when' must be a String, Boolean or Number".to_owned()),
    };
    match hash.get_str("when") {
        None | Some(Value::Undef) => Ok(Vec::new()),
        Some(Value::Hash(categories)) => categories
            .iter()
            .map(|(name, value)| {
                let name = name.as_str().ok_or("a category of 'when' must be a String")?;
                let values = match value {
                    Value::Array(items) => items.iter().map(one).collect::<Result<Vec<_>, _>>()?,
                    value => vec![one(value)?],
                };
                Ok((Str::from(name), values))
            })
            .collect(),
        Some(_) => Err("'when' must be a Hash".to_owned()),
    }
}

/// Returns the class or type that a text names.
fn subject(text: &str) -> Result<Subject, String> {
    let wrong = || format!("'{text}' is no class or type");
    let Some((of, rest)) = text.split_once('[') else {
        return match text.chars().next() {
            Some(first) if first.is_ascii_lowercase() => Ok(Subject::Class(text.to_owned())),
            Some(first) if first.is_ascii_uppercase() => Ok(Subject::Type(text.to_owned())),
            _ => Err(wrong()),
        };
    };
    let written = rest.strip_suffix(']').ok_or_else(wrong)?;
    let is_mark = |mark: char| matches!(mark, '\'' | '"');
    let quoted = written.strip_prefix(is_mark).and_then(|rest| rest.strip_suffix(is_mark));
    let title = quoted.unwrap_or(written);
    let is_one = if quoted.is_some() { !title.contains(is_mark) } else { !title.contains(',') };
    if title.is_empty() || !is_one {
        return Err(format!("A reference to one resource is expected, got '{text}'"));
    }
    Ok(match of {
        "Class" => Subject::Class(title.to_lowercase()),
        "Type" => Subject::Object(title.to_owned()),
        _ => Subject::Resource(of.to_owned(), title.to_owned()),
    })
}

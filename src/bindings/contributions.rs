//! What contributions come to: the value of a multibind, the included classes, the function of a scheme.
//! It must not know which contributions are wrong.

use pantin_syntax::bindings::rule;
use pantin_values::{Fault, Str, Value};

use super::classes::class_names;
use super::definition::{EXCLUDED, INCLUDED, Multibind};
use super::injector::{Injector, located_fault};
use super::key::{Key, accepts};
use super::outside::Outside;
use super::problem::Place;
use super::produce::{call_back, type_fault};
use super::rows::contributions_row;

impl Injector {
    pub(crate) fn collect(&self, multibind: &Multibind, outside: &mut dyn Outside) -> Result<Value, Fault> {
        let id = multibind.id.clone();
        outside.runtime().note_row(contributions_row(&id));
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

    /// Returns the value of one contribution.
    pub(crate) fn contribution(
        &self,
        index: usize,
        id: &str,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let entry = self.bindings[index].entry();
        outside.runtime().note_use(entry.usage_name());
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

    /// Returns the function that provides the bindings of a scheme of one's own.
    pub fn provider(&self, scheme: &Str, outside: &mut dyn Outside) -> Result<Option<(Str, Place)>, Fault> {
        let id = "bindings_providers";
        outside.runtime().note_row(contributions_row(id));
        let mut contributions = self.contributions(id).iter().copied();
        let Some(index) = contributions.find(|&index| self.fragment_name(index) == Some(scheme)) else {
            return Ok(None);
        };
        match self.fresh(&Key::data(id), index, None, outside) {
            Ok(Some(Value::String(function))) => Ok(Some((function, self.bindings[index].place()))),
            Ok(_) => {
                let message = format!("There is no producer '{scheme}'");
                Err(located_fault(&self.problem(&self.bindings[index], rule::NO_FUNCTION, message)))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Returns the classes that are included.
    pub fn classes(&self, outside: &mut dyn Outside) -> Result<Vec<Str>, Fault> {
        let mut names = |id: &str| -> Result<Vec<(Str, usize)>, Fault> {
            let mut found = Vec::new();
            outside.runtime().note_row(contributions_row(id));
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
}

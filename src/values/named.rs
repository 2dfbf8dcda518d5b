//! Values by name, in order. The list of names is stored apart, because many lists share it.

use std::iter::Zip;
use std::slice::Iter;
use std::sync::Arc;

use super::{Str, Value};

#[derive(Clone, PartialEq, Default, Debug)]
pub struct NamedValues {
    names: Arc<[Str]>,
    /// Of each of them.
    values: Box<[Value]>,
}

impl NamedValues {
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    #[inline]
    pub fn iter(&self) -> Zip<Iter<'_, Str>, Iter<'_, Value>> {
        self.names.iter().zip(&self.values)
    }

    #[inline]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(self.place(name)?)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name)?;
        self.values.get_mut(place)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    #[inline]
    pub fn names(&self) -> &Arc<[Str]> {
        &self.names
    }

    /// Takes names that are the same.
    pub fn share_names(&mut self, names: Arc<[Str]>) {
        debug_assert_eq!(self.names, names);
        self.names = names;
    }
}

impl From<Vec<(Str, Value)>> for NamedValues {
    fn from(mut values: Vec<(Str, Value)>) -> NamedValues {
        let names = values.iter_mut().map(|(name, _)| std::mem::take(name)).collect();
        NamedValues { names, values: values.iter_mut().map(|(_, value)| std::mem::take(value)).collect() }
    }
}

impl FromIterator<(Str, Value)> for NamedValues {
    fn from_iter<I: IntoIterator<Item = (Str, Value)>>(values: I) -> NamedValues {
        values.into_iter().collect::<Vec<(Str, Value)>>().into()
    }
}

impl<'v> IntoIterator for &'v NamedValues {
    type Item = (&'v Str, &'v Value);
    type IntoIter = Zip<Iter<'v, Str>, Iter<'v, Value>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

//! Parameters of a resource expression. What the code says of them is stored once for all its evaluations.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use pantin_values::{Str, Value};

use super::At;

#[derive(Clone, PartialEq, Default, Debug)]
pub struct Parameters {
    written: Arc<[Written]>,
    /// Of each of them.
    values: Box<[Value]>,
}

/// A parameter but for its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    pub name: Str,
    /// `+>`
    pub append: bool,
    pub at: At,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter<'p> {
    pub written: &'p Written,
    pub value: &'p Value,
}

impl Deref for Parameter<'_> {
    type Target = Written;

    fn deref(&self) -> &Written {
        self.written
    }
}

impl Parameters {
    /// Pairs each written parameter with its value; both have the same length.
    pub fn new(written: Arc<[Written]>, values: Vec<Value>) -> Parameters {
        Parameters { written, values: values.into() }
    }

    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Parameter<'_>> {
        self.written.iter().zip(&self.values).map(|(written, value)| Parameter { written, value })
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    #[inline]
    pub fn written(&self) -> &Arc<[Written]> {
        &self.written
    }

    /// These with others in their places, or behind them. What is written is taken from where it was kept the last time.
    pub fn override_with(&self, others: Parameters, kept: &OnceLock<Arc<[Written]>>) -> Parameters {
        let mut written: Vec<&Written> = Vec::with_capacity(self.len() + others.len());
        let mut values = Vec::with_capacity(self.len() + others.len());
        written.extend(&*self.written);
        values.extend_from_slice(&self.values);
        for (other, value) in others.written.iter().zip(others.values) {
            match written.iter().position(|known| known.name == other.name) {
                Some(place) => (written[place], values[place]) = (other, value),
                None => {
                    written.push(other);
                    values.push(value);
                }
            }
        }
        Parameters::new(share_written(kept, &written, |one| one), values)
    }

    pub(super) fn each_at(&self, see: &mut dyn FnMut(&At)) {
        self.written.iter().for_each(|one| see(&one.at));
    }

    pub(super) fn each_at_mut(&mut self, change: &mut dyn FnMut(&mut At)) {
        Arc::make_mut(&mut self.written).iter_mut().for_each(|one| change(&mut one.at));
    }
}

/// Returns what was written once and kept, if it is the same this time.
pub fn share_written<T>(kept: &OnceLock<Arc<[Written]>>, written: &[T], of: impl Fn(&T) -> &Written) -> Arc<[Written]> {
    let new = || written.iter().map(|one| of(one).clone()).collect();
    let known = kept.get_or_init(new);
    match known.iter().eq(written.iter().map(&of)) {
        true => Arc::clone(known),
        false => new(),
    }
}

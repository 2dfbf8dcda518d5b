//! A cache of the maps of formats that were parsed last.
//!
//! Which map it is follows from what was given alone, so that nobody can see whether it was kept.

use std::cell::RefCell;
use std::rc::Rc;

use super::spec::{self, Format, FormatMap};
use crate::{Fault, Str, Type, Value};

/// So many are kept in a thread.
const KEPT: usize = 4;

/// What a map was read from.
#[derive(Clone)]
enum Given {
    /// A format for all arrays.
    Array(Str),
    /// One for all hashes.
    Hash(Str),
    /// Formats for types: the very same hash.
    Map(Value),
}

impl Given {
    fn is(&self, other: &Given) -> bool {
        match (self, other) {
            (Given::Array(text), Given::Array(other)) | (Given::Hash(text), Given::Hash(other)) => text == other,
            (Given::Map(Value::Hash(map)), Given::Map(Value::Hash(other))) => map.ptr_eq(other),
            _ => false,
        }
    }

    fn read(&self) -> Result<FormatMap, Fault> {
        let given = match self {
            Given::Array(text) => vec![(Type::any_array(), Format::parse(text)?)],
            Given::Hash(text) => vec![(Type::any_hash(), Format::parse(text)?)],
            Given::Map(map) => spec::read_map(map)?,
        };
        Ok(spec::over_defaults(&given))
    }
}

#[derive(Default)]
struct FormatCache {
    maps: Vec<(Given, Rc<FormatMap>)>,
    /// The place of the next one.
    next: usize,
}

thread_local! {
    static LAST: RefCell<FormatCache> = RefCell::default();
}

/// Returns a format for all arrays, over the defaults.
pub(super) fn array(text: &Str) -> Result<Rc<FormatMap>, Fault> {
    kept(&Given::Array(text.clone()))
}

/// Returns a format for all hashes, over the defaults.
pub(super) fn hash(text: &Str) -> Result<Rc<FormatMap>, Fault> {
    kept(&Given::Hash(text.clone()))
}

/// Returns a map from types to formats, over the defaults.
pub(super) fn map(given: &Value) -> Result<Rc<FormatMap>, Fault> {
    kept(&Given::Map(given.clone()))
}

fn kept(given: &Given) -> Result<Rc<FormatMap>, Fault> {
    let known = |kept: &RefCell<FormatCache>| {
        let kept = kept.borrow();
        kept.maps.iter().find(|(known, _)| known.is(given)).map(|(_, map)| map.clone())
    };
    if let Some(map) = LAST.with(known) {
        return Ok(map);
    }
    let map = Rc::new(given.read()?);
    LAST.with_borrow_mut(|kept| {
        let place = kept.next;
        kept.next = (place + 1) % KEPT;
        let entry = (given.clone(), map.clone());
        match kept.maps.get_mut(place) {
            Some(old) => *old = entry,
            None => kept.maps.push(entry),
        }
    });
    Ok(map)
}

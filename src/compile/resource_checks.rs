//! Checks of resources whose types modules declare in Ruby: the file of a type is run once on a thread, on what it has read before, and
//! then judges resources. An answer depends on what the table of the type depends on, and on the resource.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pantin_model::catalog::Resource;
use pantin_model::catalog::kinds::TypeTable;
use pantin_model::graph;
use pantin_ruby::{CheckedResource, TypeChecker};
use pantin_values::{Str, Value};
use rustc_hash::FxHashMap;

use super::resource_types::TypeWorld;
use super::title_converter::TypeRun;

/// So many types are kept on a thread.
const MOST_KEPT: usize = 256;

thread_local! {
    /// By the numbers of types; `None`: nothing can be said of the type's resources. They are not dropped when the thread ends: Ruby
    /// values lie in memory of the thread that may be gone by then.
    static CHECKERS: ManuallyDrop<RefCell<FxHashMap<u64, Option<TypeChecker>>>> = ManuallyDrop::default();
}

/// A type whose resources can be judged by its Ruby.
#[derive(Debug)]
pub struct CheckedType {
    /// Another one for each time that the file of a type was read.
    number: u64,
    table: Arc<TypeTable>,
    run: Arc<TypeRun>,
}

impl CheckedType {
    pub(super) fn new(table: Arc<TypeTable>, run: Arc<TypeRun>) -> CheckedType {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        CheckedType { number: NEXT.fetch_add(1, Ordering::Relaxed), table, run }
    }

    /// Names the type as its file is now, in this process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns why the agent would refuse a resource, without its place. `None`: it takes it, or nobody knows.
    pub fn refusal(&self, resource: &Resource) -> Option<String> {
        let attributes = self.attributes(resource)?;
        let reference = graph::reference(resource);
        CHECKERS.with(|checkers| {
            let mut checkers = checkers.borrow_mut();
            if checkers.len() >= MOST_KEPT && !checkers.contains_key(&self.number) {
                checkers.clear();
            }
            let kept = checkers.entry(self.number).or_insert_with(|| self.checker());
            let checker = kept.as_mut()?;
            let refusal = checker.refusal(CheckedResource {
                title: &resource.title,
                reference: &reference,
                attributes: &attributes,
            });
            if checker.is_spent() {
                checkers.remove(&self.number);
            }
            refusal
        })
    }

    /// Makes what judges, if the file says anything that can be run here.
    fn checker(&self) -> Option<TypeChecker> {
        let world = TypeWorld::recorded_for_checks(&self.run);
        TypeChecker::new(&self.run.file, Box::new(world)).ok().flatten()
    }

    /// Returns what the resource is made of. `None`: a value is known later, or is none that Ruby code sees as an agent does.
    fn attributes(&self, resource: &Resource) -> Option<Vec<(Str, Value)>> {
        let namevar = self.table.sole_namevar();
        let mut attributes: Vec<(Str, Value)> = Vec::with_capacity(resource.parameters.len() + 1);
        for (name, value) in resource.parameters.iter().filter(|(_, value)| !value.is_undef()) {
            let name = match namevar {
                Some(namevar) if name == "name" => Str::from(namevar),
                _ => name.clone(),
            };
            let value = match value {
                Value::Sensitive(inner) => inner,
                value => value,
            };
            if !is_plain(value) && self.table.attribute(&name).is_some() {
                return None;
            }
            attributes.push((name, value.clone()));
        }
        for (name, value) in self.table.parse_title(&resource.title).ok()? {
            if !is_plain(&value) {
                return None;
            }
            if !attributes.iter().any(|(known, _)| known == name) {
                attributes.push((Str::from(name), value));
            }
        }
        let has_name = namevar.is_none_or(|namevar| attributes.iter().any(|(name, _)| name == namevar));
        has_name.then_some(attributes)
    }
}

/// Returns true if a value is the same in JSON and in Ruby.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_plain),
        // A value that is known later goes over the wire as such a hash.
        Value::Hash(members) => members
            .iter()
            .all(|(name, value)| matches!(name, Value::String(name) if !name.starts_with("__p")) && is_plain(value)),
        _ => false,
    }
}

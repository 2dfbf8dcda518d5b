//! The providers of a run, and the rows that they read. Rows are dropped when something was changed that they may show, so that no
//! resource is compared with what was there before.

use std::cell::RefCell;

use pantin_machine::Reading;
use rustc_hash::FxHashMap;

use super::{Delta, Provider, ProviderEntry, Row, WantedResource};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{Footprint, ResolvedPaths};
use crate::managed::Observation;

type Key = (&'static str, &'static str);

/// The providers of a run that were used so far.
#[derive(Default)]
pub(crate) struct Providers {
    used: RefCell<FxHashMap<Key, UsedProvider>>,
}

struct UsedProvider {
    /// `None` while it is at work.
    provider: Option<Box<dyn Provider>>,
    /// What was asked for, by name; `None` of what is not there.
    rows: FxHashMap<String, Option<Observation>>,
    was_prefetched: bool,
    has_failed: bool,
    /// What the rows may depend on.
    footprints: Vec<Footprint>,
}

fn key(entry: &ProviderEntry) -> Key {
    (entry.type_name, entry.name)
}

impl Providers {
    /// Returns true if the provider was asked for all that it carries out.
    pub(crate) fn was_prefetched(&self, entry: &ProviderEntry) -> bool {
        self.used.borrow().get(&key(entry)).is_some_and(|used| used.was_prefetched)
    }

    /// Returns true if the provider could not be asked.
    pub(crate) fn has_failed(&self, entry: &ProviderEntry) -> bool {
        self.used.borrow().get(&key(entry)).is_some_and(|used| used.has_failed)
    }

    /// Reads all resources of a catalog that a provider carries out. It is not asked again after a failure.
    pub(crate) fn prefetch(
        &self,
        entry: &'static ProviderEntry,
        wanted: &[WantedResource<'_>],
        footprints: Vec<Footprint>,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        self.with_used(entry, |used| {
            used.was_prefetched = true;
            used.footprints = footprints;
        });
        let read = self.read(entry, wanted, context);
        self.with_used(entry, |used| used.has_failed = read.is_err());
        read
    }

    /// Returns what the machine has of a resource; asks the provider if its row was not read, or is not known to be true any more.
    pub(crate) fn row(
        &self,
        entry: &'static ProviderEntry,
        wanted: &WantedResource<'_>,
        context: &ApplyContext<'_>,
    ) -> Result<Option<Observation>, Failure> {
        if let Some(known) = self.with_used(entry, |used| used.rows.get(wanted.name).cloned()) {
            return Ok(known);
        }
        self.read(entry, std::slice::from_ref(wanted), context)?;
        Ok(self.with_used(entry, |used| used.rows.get(wanted.name).cloned()).flatten())
    }

    /// Lists all that a provider finds.
    pub(crate) fn list(&self, entry: &'static ProviderEntry, context: &ApplyContext<'_>) -> Result<Vec<Row>, Failure> {
        self.at_work(entry, |provider| provider.get(context, None))
    }

    /// Makes a change of one resource.
    pub(crate) fn set(
        &self,
        entry: &'static ProviderEntry,
        delta: &Delta<'_>,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let set = self.at_work(entry, |provider| provider.set(context, std::slice::from_ref(delta)));
        // One change may show in the rows of others: a group has members.
        self.with_used(entry, |used| used.rows.clear());
        set
    }

    /// Drops the rows that a change may have made untrue.
    pub(crate) fn note_change(&self, changed: &Footprint, machine: &dyn Reading) {
        let mut used = self.used.borrow_mut();
        if used.values().all(|used| used.rows.is_empty()) {
            return;
        }
        let changed = ResolvedPaths::new(machine).resolve(changed);
        used.values_mut()
            .filter(|used| used.footprints.iter().any(|footprint| footprint.meets(&changed)))
            .for_each(|used| used.rows.clear());
    }

    fn read(
        &self,
        entry: &'static ProviderEntry,
        wanted: &[WantedResource<'_>],
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let rows = self.at_work(entry, |provider| provider.get(context, Some(wanted)))?;
        self.with_used(entry, |used| {
            used.rows.extend(wanted.iter().map(|wanted| (wanted.name.to_owned(), None)));
            used.rows.extend(rows.into_iter().map(|row| (row.name, Some(row.state))));
        });
        Ok(())
    }

    /// Lets a provider work. Nobody else can ask it meanwhile.
    fn at_work<R>(
        &self,
        entry: &'static ProviderEntry,
        work: impl FnOnce(&mut dyn Provider) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let Some(mut provider) = self.with_used(entry, |used| used.provider.take()) else {
            return Err(Failure::new(format!("the provider {} of {} asks itself", entry.name, entry.type_name)));
        };
        let done = work(provider.as_mut());
        self.with_used(entry, |used| used.provider = Some(provider));
        done
    }

    fn with_used<R>(&self, entry: &'static ProviderEntry, call: impl FnOnce(&mut UsedProvider) -> R) -> R {
        let mut used = self.used.borrow_mut();
        call(used.entry(key(entry)).or_insert_with(|| UsedProvider {
            provider: Some((entry.make)()),
            rows: FxHashMap::default(),
            was_prefetched: false,
            has_failed: false,
            footprints: Vec::new(),
        }))
    }
}

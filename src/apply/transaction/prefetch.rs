//! Lets a provider read all its resources of the catalog when the first of them comes up, and forgets what changes make untrue.

use super::{NodeKind, Transaction};
use crate::footprint::{Footprint, ResolvedPaths};
use crate::log::Level;
use crate::managed::Managed;
use crate::provider::{ProviderEntry, WantedResource};

impl Transaction<'_> {
    /// Reads what the provider of a resource carries out, once, whether the resource is skipped or not. That this fails fails them all.
    pub(super) fn prefetch(&mut self, number: u32) {
        let Some(entry) = self.provider_entry(number) else { return };
        let providers = self.around.providers;
        if providers.was_prefetched(entry) {
            return;
        }
        let (type_name, name) = (entry.type_name, entry.name);
        if self.around.log.says(Level::Debug) {
            self.around.log.bare(Level::Debug, format!("Prefetching {name} resources for {type_name}"));
        }
        let is_carried_out = |managed: &&dyn Managed| {
            managed.provided_by().is_some_and(|by| (by.entry.type_name, by.entry.name) == (type_name, name))
        };
        let resources = || self.managed.iter().filter_map(|managed| managed.as_deref()).filter(is_carried_out);
        let wanted: Vec<WantedResource<'_>> = resources()
            .filter_map(Managed::provided_by)
            .map(|by| WantedResource { name: by.name, values: by.values })
            .collect();
        let mut footprints: Vec<Footprint> = Vec::new();
        for footprint in resources().map(Managed::footprint) {
            if !footprints.contains(&footprint) {
                footprints.push(footprint);
            }
        }
        let mut resolved = ResolvedPaths::new(self.around.machine);
        let footprints = footprints.iter().map(|footprint| resolved.resolve(footprint)).collect();
        let info = std::sync::Arc::clone(&self.node(number).info);
        if let Err(failure) = providers.prefetch(entry, &wanted, footprints, &self.context(&info)) {
            let text = format!("Could not prefetch {type_name} provider '{name}': {failure}");
            self.around.log.bare(Level::Err, failure.log_text(Some(&text)));
        }
    }

    /// Fails a resource whose provider could not read, also one that is skipped for another reason.
    pub(super) fn fail_for_prefetch(&mut self, number: u32) {
        if self.has_failed_prefetch(number)
            && let Some(ProviderEntry { type_name, name, .. }) = self.provider_entry(number)
        {
            let now = self.now();
            let text = format!("Prefetch failed for {type_name} provider '{name}'");
            self.node_mut(number).status.fail(&text, now);
        }
    }

    pub(super) fn has_failed_prefetch(&self, number: u32) -> bool {
        self.provider_entry(number).is_some_and(|entry| self.around.providers.has_failed(entry))
    }

    /// Remembers what a resource may have changed, and tells the providers.
    pub(super) fn note_reach(&mut self, number: u32) {
        let status = &self.node(number).status;
        let may_have_changed = status.is_changed || status.is_restarted || status.has_failed();
        if may_have_changed && matches!(self.node(number).kind, NodeKind::Resource(_)) && !self.is_noop(number) {
            let footprint = self.managed(number).map_or(Footprint::Nothing, Managed::footprint);
            self.around.providers.note_change(&footprint, self.around.machine);
            self.changes.push(number, footprint);
        }
    }

    fn provider_entry(&self, number: u32) -> Option<&'static ProviderEntry> {
        self.managed(number)?.provided_by().map(|by| by.entry)
    }
}

//! A second look at the end of a run: what a later change has put out of step again is not as it was described, though its own turn
//! went well.

use std::sync::Arc;

use pantin_machine::ReadOnly;
use rustc_hash::FxHashSet;

use super::changes::{ChangeIndex, KnownChanges};
use super::{NodeKind, Transaction};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::ResolvedPaths;
use crate::log::{Level, Log, NoLog};
use crate::managed::{Managed, StateCheck};

impl Transaction<'_> {
    /// Returns the resources that changes of others have put out of step again, as far as looking shows it.
    pub(super) fn look_again(&mut self) -> FxHashSet<u32> {
        let mut found = FxHashSet::default();
        if self.changes.is_empty() {
            return found;
        }
        let machine = self.around.machine;
        let (index, mut resolved) = (ChangeIndex::new(&self.changes, machine), ResolvedPaths::new(machine));
        for number in 0..self.resource_count {
            let mut family: FxHashSet<u32> = self.children.get(&number).into_iter().flatten().copied().collect();
            family.insert(number);
            let mut members: Vec<u32> = family.iter().copied().collect();
            members.sort_unstable();
            let is_met = members.iter().any(|member| self.is_met(*member, &family, (&index, &mut resolved)));
            if is_met
                && (self.makes_more(number, &members) || members.iter().any(|member| self.is_out_of_step(*member)))
            {
                found.insert(number);
            }
        }
        found
    }

    /// Returns true if somebody else's change may have reached a resource after its turn.
    fn is_met(
        &self,
        number: u32,
        family: &FxHashSet<u32>,
        (index, resolved): (&ChangeIndex, &mut ResolvedPaths<'_>),
    ) -> bool {
        let Some(managed) = self.managed(number) else { return false };
        let seen = KnownChanges { changes: self.node(number).seen_changes, family };
        managed.state_check() == StateCheck::Look && index.meets(&resolved.resolve(&managed.footprint()), &seen)
    }

    /// Returns true if a resource would make others today that it did not make in its turn.
    fn makes_more(&mut self, number: u32, family: &[u32]) -> bool {
        let known: FxHashSet<String> = family.iter().map(|member| self.info(*member).title.to_string()).collect();
        let children = self.look_silently(number, |managed, context| managed.children(context));
        let others = self.look_silently(number, |managed, context| managed.generate(context));
        let made: Vec<_> = [children, others].into_iter().flatten().flatten().flatten().collect();
        made.iter().any(|made| {
            let is_known = known.contains(&made.title) || self.catalog.number(made.type_name, &made.title).is_some();
            !is_known
        })
    }

    fn is_out_of_step(&mut self, number: u32) -> bool {
        let looked = self.look_silently(number, |managed, context| -> Result<bool, Failure> {
            let observed = managed.observe(context)?;
            let properties = managed.properties().to_vec();
            let ensure = properties.iter().find(|property| property.name == "ensure" && property.is_desired());
            let compared: Vec<_> = match ensure {
                Some(ensure) if !observed.is_present() => vec![ensure],
                _ if !observed.is_present() => Vec::new(),
                _ => properties.iter().filter(|property| property.is_desired()).collect(),
            };
            for property in compared {
                let is = observed.get(property.name).cloned().unwrap_or_default();
                if !managed.is_in_step(property, &is, context)? {
                    return Ok(true);
                }
            }
            Ok(false)
        });
        // What cannot be looked at is not known to be in step.
        looked.is_some_and(|looked| looked.unwrap_or(true))
    }

    /// Lets a resource look without a word and without any change.
    fn look_silently<R>(
        &mut self,
        number: u32,
        look: impl FnOnce(&mut dyn Managed, &ApplyContext<'_>) -> R,
    ) -> Option<R> {
        let NodeKind::Resource(at) = self.node(number).kind else { return None };
        let is_skipped = self.node(number).status.is_skipped || self.is_noop(number);
        let mut managed = self.managed.get_mut(at as usize).filter(|_| !is_skipped)?.take()?;
        let info = Arc::clone(&self.node(number).info);
        let read_only = ReadOnly(self.around.machine);
        let log = Log::new(&NoLog, self.around.machine, Level::Crit);
        let context = ApplyContext { machine: &read_only, log: &log, ..self.context(&info) };
        let looked = look(managed.as_mut(), &context);
        self.managed[at as usize] = Some(managed);
        Some(looked)
    }
}

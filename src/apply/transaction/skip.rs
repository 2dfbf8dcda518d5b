//! Whether a resource is skipped, and in which words.

use super::{NodeKind, Transaction};
use crate::failure::Failure;
use crate::log::Level;
use crate::types::Schedule;

impl Transaction<'_> {
    /// Takes over the failures of direct dependencies, as far as they go back.
    pub(super) fn propagate_failures(&mut self, number: u32) {
        let mut failed: Vec<u32> = Vec::new();
        for dependency in self.walk.dependencies(number) {
            let node = self.node(*dependency);
            let own = node.status.has_failed().then_some(*dependency);
            for origin in node.failed_dependencies.iter().copied().chain(own) {
                if !failed.contains(&origin) {
                    failed.push(origin);
                }
            }
        }
        self.node_mut(number).failed_dependencies = failed;
    }

    /// Returns true if the resource is skipped, and says why. A schedule that is not there ends the run.
    pub(super) fn is_skipped(&mut self, number: u32) -> Result<bool, Failure> {
        let settings = self.around.settings;
        if !settings.skip_tags.is_empty() && self.info(number).has_tag(&settings.skip_tags) {
            self.debug(number, &format!("Skipping with skip tags {}", settings.skip_tags.join(", ")));
        } else if !settings.tags.is_empty() && !self.info(number).has_tag(&settings.tags) {
            self.debug(number, &format!("Not tagged with {}", settings.tags.join(", ")));
        } else if !self.is_scheduled(number)? {
            self.debug(number, "Not scheduled");
        } else if self.has_failed_dependencies(number) {
            self.warn_of_failures(number);
        } else if self.has_failed_prefetch(number) {
            self.say(number, Level::Warning, "Skipping because provider prefetch failed");
        } else {
            // What is virtual is in no catalog.
            return Ok(false);
        }
        Ok(true)
    }

    fn is_scheduled(&self, number: u32) -> Result<bool, Failure> {
        let Some(name) = &self.info(number).metaparameters.schedule else { return Ok(true) };
        if self.around.settings.ignore_schedules {
            return Ok(true);
        }
        let found = self.catalog.find("schedule", name).map(|(_, values)| Schedule::from_values(values));
        let Some(schedule) = found.or_else(|| Schedule::default_of_name(name)) else {
            return Err(Failure::new(format!("Could not find schedule {name}")));
        };
        let machine = self.around.machine;
        let checked = self.state.checked(&self.info(number).reference);
        Ok(schedule.admits(checked.map(|time| machine.local(time)), machine.local(machine.now())))
    }

    /// Tells each failed dependency once in the run.
    fn has_failed_dependencies(&mut self, number: u32) -> bool {
        let failed = self.node(number).failed_dependencies.clone();
        let (is_anchor, merges) = (self.is_anchor(number), self.around.settings.merge_dependency_warnings);
        if merges && is_anchor {
            for dependency in &failed {
                if self.told_class_failures.insert(*dependency) {
                    self.tell_failure(number, "Class dependency", *dependency);
                }
            }
        } else if !merges && !is_anchor {
            for dependency in &failed {
                if self.told_failures.insert(*dependency) {
                    self.tell_failure(number, "Dependency", *dependency);
                }
            }
        }
        !failed.is_empty()
    }

    fn tell_failure(&self, number: u32, words: &str, dependency: u32) {
        let node = self.node(dependency);
        let text = format!("{words} {} has failures: {}", node.info.reference, node.status.is_failed);
        self.say(number, Level::Notice, text);
    }

    fn warn_of_failures(&mut self, number: u32) {
        if self.is_anchor(number) {
            return;
        }
        let container = self.container_begin(number);
        let of_container = container.map(|begin| self.node(begin).failed_dependencies.clone()).unwrap_or_default();
        if !self.around.settings.merge_dependency_warnings || of_container.is_empty() {
            self.say(number, Level::Warning, "Skipping because of failed dependencies");
            return;
        }
        for dependency in of_container {
            if self.warned_class_failures.insert(dependency) {
                let info = self.info(number);
                let above = info.containment.len().saturating_sub(1);
                let path = format!("/{}", info.containment[..above].join("/"));
                let source = crate::log::Source { path: &path, tags: &[], place: None };
                let text = "Skipping resources in class because of failed class dependencies";
                self.around.log.say(Level::Warning, source, text.to_owned());
            }
        }
    }

    /// Returns the beginning of the container that a resource lies in.
    fn container_begin(&self, number: u32) -> Option<u32> {
        let is_begin = |before: &&u32| matches!(self.node(**before).kind, NodeKind::Anchor { is_end: false, .. });
        self.walk.dependencies(number).iter().find(is_begin).copied()
    }
}

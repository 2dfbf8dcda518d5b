//! Removes from the machine what has left the catalog: only what Pantin has made, and what is still as it left it.

use std::path::Path;
use std::sync::Arc;

use pantin_machine::FileKind;
use pantin_values::{Str, Value};

use super::prepare::prepare_resource;
use super::{NodeKind, Transaction};
use crate::footprint::{Footprint, ResolvedPaths};
use crate::log::Level;
use crate::machine_resources::{bare_resource, state_digest};
use crate::managed::Managed;
use crate::state::{LeftState, Row};

/// The types whose resources can be removed, each with the attributes that say which one it is.
const REMOVABLE: [(&str, &[&str]); 12] = [
    ("concat_file", &["path"]),
    ("cron", &["user", "target"]),
    ("file", &["path"]),
    ("file_line", &["path", "line"]),
    ("group", &[]),
    ("host", &["target"]),
    ("ini_setting", &["path", "section", "setting", "key_val_separator"]),
    ("mount", &[]),
    ("package", &["provider"]),
    ("ssh_authorized_key", &["user", "target"]),
    ("sshkey", &["type", "target"]),
    ("user", &[]),
];

/// Returns true if resources of a type, in lower case, can be removed once they have left the catalog.
pub fn is_removable(type_name: &str) -> bool {
    REMOVABLE.iter().any(|(removable, _)| *removable == type_name)
}

impl Transaction<'_> {
    /// Describes what Pantin has left on the machine, so that it can be removed later.
    pub(super) fn left_state(&self, number: u32) -> Option<LeftState> {
        let NodeKind::Resource(at) = self.node(number).kind else { return None };
        let info = &self.node(number).info;
        let type_name = info.type_name.to_lowercase();
        let (_, names) = REMOVABLE.iter().find(|(removable, _)| *removable == type_name)?;
        let values = self.catalog.values(at)?;
        let mut attributes = Vec::new();
        for name in *names {
            if values.is_secret(name) {
                return None;
            }
            attributes.extend(values.text(name).map(|value| ((*name).to_owned(), value)));
        }
        // A file that is made of fragments is removed as a file.
        let (type_name, title) = match (type_name.as_str(), attributes.first()) {
            ("concat_file", Some((_, path))) => ("file", path.clone()),
            _ => (type_name.as_str(), info.title.to_string()),
        };
        let key = *self.history.as_ref()?.key();
        let digest = state_digest((type_name, &title), &attributes, &key, self.around)?;
        Some(LeftState { digest, type_name: type_name.to_owned(), title, attributes })
    }

    /// Removes what has left the catalog, in the reverse order of the walk, where the run is asked to.
    pub(super) fn prune(&mut self) {
        let Some(prune) = self.around.settings.scope.prune.clone() else { return };
        let has_failed = self.has_failed_to_generate || self.nodes.iter().any(|node| node.status.has_failed());
        let mut rows: Vec<Row> = self.removable_rows();
        rows.retain(|row| row.left.as_ref().is_some_and(|left| prune.includes(&left.type_name)));
        if rows.is_empty() {
            return;
        }
        if has_failed {
            self.around.log.bare(Level::Notice, "Nothing is removed, because a resource failed");
            return;
        }
        let names: Vec<&str> = rows.iter().map(|row| row.reference.as_str()).collect();
        self.around.log.bare(Level::Notice, format!("No longer in the catalog: {}", names.join(", ")));
        let most = self.around.settings.scope.max_removals;
        if rows.len() > most as usize {
            self.plan.has_too_many_removals = true;
            let text = format!("Nothing is removed: {} are more than --max-removals {most} allows", rows.len());
            self.around.log.bare(Level::Err, text);
            return;
        }
        for row in rows {
            self.remove(&row);
        }
    }

    /// Returns the rows of what may be removed, the last of the walk first.
    fn removable_rows(&self) -> Vec<Row> {
        let Some(history) = &self.history else { return Vec::new() };
        let known = self.declared_references();
        let is_known = |row: &Row| known.contains(row.reference.as_str());
        let mut rows: Vec<Row> = history.rows().filter(|row| row.is_created && !is_known(row)).cloned().collect();
        if rows.is_empty() {
            return rows;
        }
        let mut resolved = ResolvedPaths::new(self.around.machine);
        let declared: Vec<Footprint> = (0..self.nodes.len() as u32)
            .filter_map(|number| Some(resolved.resolve(&self.managed(number)?.footprint())))
            .collect();
        rows.retain(|row| {
            let own = resolved.resolve(&row.footprint);
            !declared.iter().any(|footprint| footprint.uses_path_of(&own)) && self.is_as_it_was_left(row)
        });
        rows.sort_by_key(|row| std::cmp::Reverse(row.number));
        rows
    }

    fn is_as_it_was_left(&self, row: &Row) -> bool {
        let (Some(left), Some(history)) = (&row.left, &self.history) else { return false };
        let key = *history.key();
        let now = state_digest((&left.type_name, &left.title), &left.attributes, &key, self.around);
        now.as_ref() == Some(&left.digest)
    }

    /// Removes one resource, as if the catalog said that it is to be absent.
    fn remove(&mut self, row: &Row) {
        let Some(left) = &row.left else { return };
        let mut parameters: Vec<(Str, Value)> = Vec::new();
        for (name, value) in &left.attributes {
            parameters.push((Str::from(name.as_str()), Value::string(value.as_str())));
        }
        parameters.push((Str::from("ensure"), Value::string("absent")));
        if left.type_name == "file" {
            let path = left.attributes.first().map_or(left.title.as_str(), |(_, path)| path);
            match self.is_full_folder(Path::new(path)) {
                Some(true) => {
                    self.around.log.bare(Level::Notice, format!("{} is not removed: it is not empty", row.reference));
                    return;
                }
                Some(false) => parameters.push((Str::from("force"), Value::Boolean(true))),
                None => {}
            }
            parameters.push((Str::from("backup"), Value::Boolean(false)));
        }
        let Some(resource) = bare_resource(&left.type_name, &left.title, parameters) else { return };
        let prepared = match prepare_resource(&resource, vec![resource.reference()], self.around) {
            Ok(prepared) => prepared,
            Err(failure) => {
                self.around.log.bare(Level::Err, format!("{} cannot be removed: {failure}", row.reference));
                return;
            }
        };
        let number = self.nodes.len() as u32;
        let name = prepared.managed.as_deref().and_then(Managed::name).map(str::to_owned);
        let at = self.catalog.add_made(Arc::clone(&prepared.info), prepared.values, name.as_deref());
        self.managed.push(prepared.managed);
        self.vertices.push(number);
        let node = self.new_node(prepared.info, NodeKind::Resource(at));
        self.nodes.push(node);
        self.pruning.insert(number);
        self.apply_node(number);
        self.plan.pruned.push(row.reference.clone());
        self.note_reach(number);
        if !self.node(number).status.has_failed() && !self.around.settings.noop {
            self.pruned.push(row.reference.clone());
        }
    }

    /// Returns true for a folder with something in it, false for an empty one, and nothing for what is no folder.
    fn is_full_folder(&self, path: &Path) -> Option<bool> {
        let machine = self.around.machine;
        let is_folder = matches!(machine.stat(path, false), Ok(Some(stat)) if stat.kind == FileKind::Folder);
        is_folder.then(|| machine.list(path).map_or(true, |names| !names.is_empty()))
    }
}

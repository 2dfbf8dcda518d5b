//! Owner, group and mode of a file: found by name, compared, set.

use pantin_machine::{Change, FileKind, Who};
use pantin_values::Value;

use super::fileset::ruby_words;
use super::mode;
use super::{AccountKind, File};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::ChangeMessage;
use crate::value::{display, text};

impl File {
    /// Remembers the name of an account, for the log.
    pub(super) fn learn_name(&mut self, property: &str, id: u32, context: &ApplyContext<'_>) {
        let kind = if property == "owner" { AccountKind::User } else { AccountKind::Group };
        if self.names.contains_key(&(kind, id)) {
            return;
        }
        let name = match kind {
            AccountKind::User => context.machine.user(Who::Id(id)).ok().flatten().map(|user| user.name),
            AccountKind::Group => context.machine.group(Who::Id(id)).ok().flatten().map(|group| group.name),
        };
        if let Some(name) = name {
            self.names.insert((kind, id), name);
        }
    }

    /// Shows an account by its name, or by its number where it has none.
    pub(super) fn account_name(&self, kind: AccountKind, id: i64) -> String {
        let name = u32::try_from(id).ok().and_then(|id| self.names.get(&(kind, id)));
        name.map_or_else(|| id.to_string(), |name| display(&super::rules::shared(name)))
    }

    /// Compares the owner or group. A name is looked up now, since the account may have been made in this run.
    pub(super) fn is_account_in_step(
        &mut self,
        property: &'static str,
        is: &Value,
        context: &ApplyContext<'_>,
    ) -> Result<bool, Failure> {
        let desired = self.property(property).map(|property| property.desired.clone()).unwrap_or_default();
        let mut found = Vec::new();
        for account in &desired {
            match find_id(property, account, context) {
                Some(id) => {
                    self.learn_name(property, id, context);
                    found.push(Value::Integer(i64::from(id)));
                }
                None if context.is_noop => return Ok(false),
                None => {
                    let what = if property == "owner" { "user" } else { "group" };
                    return Err(Failure::new(format!("Could not find {what} {}", text(account))));
                }
            }
        }
        let is_in_step = found.contains(is);
        if let Some(property) = self.properties.iter_mut().find(|known| known.name == property) {
            property.desired = found;
        }
        if !is_in_step && property == "owner" && context.machine.identity().0 != 0 {
            context.say(Level::Warning, "Cannot manage ownership unless running as root");
            return Ok(true);
        }
        Ok(is_in_step)
    }

    pub(super) fn set_account(&mut self, property: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let should = self.should(property).unwrap_or_default();
        let id = match &should {
            Value::Integer(id) => u32::try_from(*id).ok(),
            _ => None,
        };
        let (uid, gid) = if property == "owner" { (id, None) } else { (None, id) };
        let change = match self.follows_links() {
            true => Change::OwnerFollowed { uid, gid },
            false => Change::Owner { uid, gid },
        };
        context.machine.change(&self.path, &change).map_err(|error| {
            let detail = ruby_words(&error, "apply2files", &self.path.display().to_string());
            Failure::new(format!("Failed to set {property} to '{}': {detail}", text(&should)))
        })
    }

    /// Works out the mode that is desired of what has a mode now.
    fn desired_mode(&self, current: u32, context: &ApplyContext<'_>) -> Result<u32, Failure> {
        let should = text(&self.should("mode").unwrap_or_default()).into_owned();
        let is_folder = self.stat(context).is_some_and(|stat| stat.kind == FileKind::Folder);
        mode::apply(&should, current, is_folder)
    }

    pub(super) fn is_mode_in_step(&mut self, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        if self.stat(context).is_some_and(|stat| stat.kind == FileKind::Link) && !self.follows_links() {
            context.say_of("mode", Level::Debug, "Not managing symlink mode");
            return Ok(true);
        }
        let Ok(current) = u32::from_str_radix(&text(is), 8) else { return Ok(false) };
        Ok(self.desired_mode(current, context)? == current)
    }

    pub(super) fn set_mode(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let current = self.stat(context).map_or(mode::NEW_FILE, |stat| stat.mode);
        let desired = self.desired_mode(current, context)?;
        let mode = desired & 0o7777;
        let change = if self.follows_links() { Change::ModeFollowed(mode) } else { Change::Mode(mode) };
        context.machine.change(&self.path, &change).map_err(|error| {
            let path = self.path.display().to_string();
            let detail = ruby_words(&error, "apply2files", &path);
            Failure::new(format!("failed to set mode {current:04o} on {path}: {detail}"))
        })
    }

    /// Tells a mode of letters by what it comes to.
    pub(super) fn describe_mode(&self, is: &Value, context: &ApplyContext<'_>) -> ChangeMessage {
        let should = text(&self.should("mode").unwrap_or_default()).into_owned();
        if should.bytes().all(|byte| byte.is_ascii_digit()) {
            return ChangeMessage::Standard;
        }
        let Ok(old) = u32::from_str_radix(&text(is), 8) else { return ChangeMessage::Standard };
        match self.desired_mode(old, context) {
            Ok(new) => ChangeMessage::Text(format!("mode changed '{old:04o}' to '{new:04o}' ({should})")),
            Err(_) => ChangeMessage::Standard,
        }
    }
}

/// Finds the number of an account that is named by number or name.
fn find_id(property: &str, account: &Value, context: &ApplyContext<'_>) -> Option<u32> {
    let name = match account {
        Value::Integer(id) => return u32::try_from(*id).ok(),
        other => text(other).into_owned(),
    };
    if let Ok(id) = name.parse() {
        return Some(id);
    }
    match property {
        "owner" => context.machine.user(Who::Name(&name)).ok().flatten().map(|user| user.uid),
        _ => context.machine.group(Who::Name(&name)).ok().flatten().map(|group| group.gid),
    }
}

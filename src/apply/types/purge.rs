//! What is on a machine of types whose resources can be listed, for `resources` to remove what no catalog names.

use std::path::Path;

use pantin_values::{Str, Value};

use super::listing::{ListedResource, host_keys, jobs, mounts, records};
use super::{accounts, host};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Generated;
use crate::value::symbol;

/// Users that are never removed while system users are kept.
const SYSTEM_USERS: [&str; 6] = ["root", "nobody", "bin", "noaccess", "daemon", "sys"];

/// Which users stay although no catalog names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KeptUsers {
    /// Those up to this number, and some by name; none if this is not said.
    pub up_to: Option<i64>,
    pub uids: Vec<i64>,
}

/// Makes the resources that remove what is on the machine of a type. `None`: it cannot be listed.
pub(super) fn removals(
    type_name: &str,
    kept: &KeptUsers,
    context: &ApplyContext<'_>,
) -> Result<Option<Vec<Generated>>, Failure> {
    Ok(Some(match type_name {
        "user" => users(kept, context),
        "group" => {
            let names = accounts::names("group", context.machine, context.stop);
            names.into_iter().map(|(name, _)| removal("Group", name)).collect()
        }
        "host" => listed("Host", records(&host::PROVIDER, context)?),
        "cron" => listed("Cron", jobs(context)?),
        "sshkey" => listed("Sshkey", host_keys(context)?),
        // Where keys are is not known without users.
        "ssh_authorized_key" => Vec::new(),
        "mount" => listed("Mount", mounts(context)?),
        "ini_setting" => {
            let message = "Ini_settings only support collecting instances when a file path is hard coded";
            return Err(Failure::new(message));
        }
        _ => return Ok(None),
    }))
}

fn removal(type_name: &'static str, title: String) -> Generated {
    let name = Value::string(title.as_str());
    Generated::new(type_name, title, vec![parameter("name", name), parameter("ensure", symbol("absent"))])
}

fn parameter(name: &str, value: Value) -> (Str, Value) {
    (Str::from(name), value)
}

fn users(kept: &KeptUsers, context: &ApplyContext<'_>) -> Vec<Generated> {
    let is_kept = |name: &str, uid: i64| {
        kept.up_to.is_some_and(|up_to| SYSTEM_USERS.contains(&name) || kept.uids.contains(&uid) || uid <= up_to)
    };
    let found = accounts::names("passwd", context.machine, context.stop).into_iter();
    let going = found.filter(|(name, uid)| !is_kept(name, *uid));
    let with_audit = |mut user: Generated| {
        // The number was asked for, and is told as an audited one.
        if kept.up_to.is_some() {
            user.parameters.push(parameter("audit", Value::string("uid")));
        }
        user
    };
    going.map(|(name, _)| with_audit(removal("User", name))).collect()
}

/// Returns the removals of what was found.
fn listed(type_name: &'static str, found: Vec<ListedResource>) -> Vec<Generated> {
    let removed = |found: ListedResource| {
        let mut removal = removal(type_name, found.name);
        for (name, value) in found.parameters {
            removal.parameters.retain(|(known, _)| known != name);
            removal.parameters.push(parameter(name, value));
        }
        removal
    };
    found.into_iter().map(removed).collect()
}

/// Returns the highest number of a user of the system: one less than the least of others.
pub(super) fn highest_system_uid(machine: &dyn pantin_machine::Reading) -> i64 {
    let bytes = machine.read(Path::new("/etc/login.defs"), 1 << 20).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let least = text.lines().find_map(|line| {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("UID_MIN"), Some(number), None) => number.parse::<i64>().ok(),
            _ => None,
        }
    });
    least.map_or(499, |least| least - 1)
}

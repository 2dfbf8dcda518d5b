//! The types `user` and `group`, by the tools of shadow: what both have in common.

mod database;
mod group;
#[cfg(test)]
mod tests;
mod user;

use std::path::Path;

use pantin_machine::{Reading, Who};
use pantin_values::Value;

pub(super) use database::names;
pub(super) use group::TYPE as GROUP;
pub(super) use user::TYPE as USER;

use super::tool_command::ToolCommand;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Property;
use crate::resource::{Feature, munging_failed};
use crate::value::{inspect, text};

/// Accounts of this machine alone, by the tools of libuser.
const LOCAL_ACCOUNTS: Feature = Feature { name: "manages_local_users_and_groups", is_of: has_libuser };

fn has_libuser(_provider: &str, machine: &dyn Reading) -> bool {
    ["/usr/sbin/lgroupadd", "/usr/sbin/luseradd"].iter().all(|tool| machine.is_executable(Path::new(tool)))
}

/// What the tools of libuser are told: to keep to the files of this machine.
const LIBUSER_SETTINGS: &str = "[import]\nlogin_defs = /etc/login.defs\ndefault_useradd = /etc/default/useradd\n\
    [defaults]\nmodules = files shadow\ncreate_modules = files shadow\n\
    [userdefaults]\nLU_USERNAME = %n\nLU_GIDNUMBER = %u\n[groupdefaults]\nLU_GROUPNAME = %n\n";

/// Makes a command of libuser keep to the files of this machine.
fn keep_local(command: &mut ToolCommand, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let Some(path) = context.settings.state_file("libuser.conf") else { return Ok(()) };
    let is_written = context.machine.read(&path, 1 << 16).is_ok_and(|content| content == LIBUSER_SETTINGS.as_bytes());
    if !is_written {
        let new = pantin_machine::NewFile::new(LIBUSER_SETTINGS.as_bytes(), 0o644);
        let told = |error| Failure::new(format!("{} cannot be written: {error}", path.display()));
        context.machine.replace(&path, &new).map_err(told)?;
    }
    command.environment.push(("LIBUSER_CONF".to_owned(), path.to_string_lossy().into_owned()));
    Ok(())
}

/// Returns the number of a group that is named, or numbered.
fn group_number(group: &Value, machine: &dyn Reading) -> Option<u32> {
    let found = match group {
        Value::Integer(number) => machine.group(Who::Id(u32::try_from(*number).ok()?)),
        name => {
            let name = text(name);
            machine.group(Who::from_text(&name))
        }
    };
    found.ok().flatten().map(|group| group.gid)
}

/// Turns a text of digits and signs into a number. `None`: it is no such text.
fn integer(name: &str, given: &Value) -> Option<Result<Value, Failure>> {
    let Value::String(digits) = given else { return None };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_number.then(|| {
        let number = digits.parse().map(Value::Integer);
        let detail = || format!("invalid value for Integer(): {}", inspect(given));
        number.map_err(|_| munging_failed(name, given, &detail()))
    })
}

/// `Could not set PROPERTY on TYPE[NAME]: …`
fn could_not_set(property: &str, (type_name, name): (&str, &str), failure: &Failure) -> Failure {
    match failure.signal() {
        Some(_) => failure.clone(),
        None => Failure::new(format!("Could not set {property} on {type_name}[{name}]: {failure}")),
    }
}

/// `Could not create TYPE NAME: …`
fn could_not(what: &str, (type_name, name): (&str, &str), failure: &Failure) -> Failure {
    match failure.signal() {
        Some(_) => failure.clone(),
        None => Failure::new(format!("Could not {what} {type_name} {name}: {failure}")),
    }
}

/// Returns true if any value that a command could show is a secret.
fn has_secrets(properties: &[Property]) -> bool {
    properties.iter().any(|property| property.is_secret)
}

//! The type `user`, by useradd, usermod, userdel, chage and chpasswd. Looks and compares; `change.rs` changes.

mod change;
mod table;

use std::path::Path;

use pantin_machine::{Reading, Time, Who};
use pantin_values::{Str, Value};

use super::database::{GROUP, PASSWD, lines, local_entry, shadow};
use super::group_number;
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::Footprint;
use crate::managed::{ChangeMessage, Generated, Managed, Observation, Property};
use crate::resource::{AttributeValues, Draft};
use crate::types::keys::names_in;
use crate::types::tool_command::lack_of;
use crate::types::{NewResource, TypeEntry};
use crate::value::{display, symbol, text};

pub(in crate::types) const TYPE: TypeEntry = TypeEntry {
    name: "user",
    namevar: Some("name"),
    provider: Some("useradd"),
    attributes: table::ATTRIBUTES,
    validate: Some(validate),
    spread_secret: None,
    make,
};

/// No file of keys is larger.
const LARGEST_KEY_FILE: u64 = 64 << 20;

/// A password is always a secret.
fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    draft.values.hide("password");
    Ok(())
}

struct User {
    name: String,
    values: AttributeValues,
    properties: Vec<Property>,
    is_local: bool,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Ok(Box::new(User {
        name: new.values.text("name").unwrap_or_default(),
        properties: new.values.properties(),
        is_local: new.values.is_true("forcelocal"),
        values: new.values.clone(),
    }))
}

/// An account as a file or the name service has it.
struct Account {
    uid: Value,
    gid: Value,
    comment: String,
    home: String,
    shell: String,
}

impl User {
    fn subject(&self) -> (&str, &str) {
        ("user", &self.name)
    }

    fn find(&self, machine: &dyn Reading) -> Result<Option<Account>, Failure> {
        if !self.is_local {
            let found = machine.user(Who::Name(&self.name)).map_err(|error| Failure::new(error.to_string()))?;
            return Ok(found.map(|user| Account {
                uid: Value::Integer(user.uid.into()),
                gid: Value::Integer(user.gid.into()),
                comment: user.comment,
                home: user.home,
                shell: user.shell,
            }));
        }
        let Some(entry) = local_entry(PASSWD, (0, &self.name), self.subject(), machine)? else { return Ok(None) };
        let field = |place: usize| entry.get(place).cloned().unwrap_or_default();
        let gid = field(3);
        Ok(Some(Account {
            uid: Value::string(field(2)),
            gid: gid.parse().map_or_else(|_| Value::string(gid.as_str()), Value::Integer),
            comment: field(4),
            home: field(5),
            shell: field(6),
        }))
    }

    /// Returns the groups that list the user.
    fn memberships(&self, machine: &dyn Reading) -> Result<Vec<String>, Failure> {
        if !self.is_local {
            let user = machine.user(Who::Name(&self.name)).ok().flatten();
            return Ok(user.and_then(|user| machine.memberships(&user).ok()).unwrap_or_default());
        }
        let entries = lines(GROUP, machine).ok_or_else(|| {
            let name = &self.name;
            Failure::new(format!("Forcelocal set for user resource '{name}', but {GROUP} does not exist"))
        })?;
        let lists = |entry: &&Vec<String>| {
            entry.len() > 3 && entry[entry.len() - 1].split(',').any(|member| member == self.name)
        };
        Ok(entries.iter().filter(lists).filter_map(|entry| entry.first().cloned()).collect())
    }

    /// All groups that the user is to have: those that are named, and the present ones where these may stay.
    fn wanted_groups(&self, current: &[String]) -> String {
        let mut wanted: Vec<String> = match self.values.property("groups") {
            Some(groups) => groups.desired.iter().map(|group| text(group).into_owned()).collect(),
            None => Vec::new(),
        };
        if !self.values.is("membership", "inclusive") {
            wanted.extend(current.iter().cloned());
        }
        wanted.sort();
        wanted.dedup();
        wanted.join(",")
    }

    /// Makes the list of groups the one text that is compared and told.
    fn set_wanted_groups(&mut self, current: &[String]) {
        if !self.values.is_given("groups") {
            return;
        }
        let wanted = Value::string(self.wanted_groups(current));
        for property in self.properties.iter_mut().filter(|property| property.name == "groups") {
            property.desired = vec![wanted.clone()];
        }
    }
}

/// Returns a value of the entry in the file of passwords: a number that is not there is −1.
fn days(entry: &[String], place: usize) -> i64 {
    entry.get(place).and_then(|days| days.parse().ok()).unwrap_or(-1)
}

/// Shows days since 1970 as a date.
fn date(days: i64) -> Value {
    let date = Time::new(days.saturating_mul(86_400), 0).date(0);
    Value::string(format!("{:04}-{:02}-{:02}", date.year, date.month, date.day))
}

/// Shows what is kept of the password and its ages; nothing is known of them where the entry is not to be had.
fn secrets(entry: Option<&[String]>) -> [(&'static str, Value); 5] {
    const NAMES: [&str; 5] = ["password", "password_min_age", "password_max_age", "password_warn_days", "expiry"];
    let Some(entry) = entry else { return NAMES.map(|name| (name, symbol("absent"))) };
    NAMES.map(|name| {
        let value = match name {
            "password" => Value::string(entry.get(1).map(String::as_str).unwrap_or_default()),
            "password_min_age" => Value::Integer(days(entry, 3)),
            "password_max_age" => Value::Integer(days(entry, 4)),
            "password_warn_days" => Value::Integer(days(entry, 5)),
            _ => match days(entry, 7) {
                -1 => symbol("absent"),
                days => date(days),
            },
        };
        (name, value)
    })
}

impl Managed for User {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn lack(&self, machine: &dyn Reading) -> Option<ProviderLack> {
        const TOOLS: [&str; 5] = ["useradd", "userdel", "usermod", "chage", "chpasswd"];
        lack_of(("user", "useradd"), self.values.text("provider"), &TOOLS, machine)
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let machine = context.machine;
        let Some(account) = self.find(machine)? else {
            self.set_wanted_groups(&[]);
            return Ok(Observation::absent(&self.properties));
        };
        let mut observation = Observation::new().with("ensure", symbol("present"));
        observation.set("home", Value::string(account.home));
        observation.set("uid", account.uid);
        observation.set("gid", account.gid);
        observation.set("comment", Value::string(account.comment));
        observation.set("shell", Value::string(account.shell));
        let has = |name: &str| self.properties.iter().any(|property| property.name == name);
        if ["password", "password_min_age", "password_max_age", "password_warn_days", "expiry"].into_iter().any(has) {
            let entry = shadow(&self.name, machine, context.stop);
            secrets(entry.as_deref()).into_iter().for_each(|(name, value)| observation.set(name, value));
        }
        if has("groups") {
            let current = self.memberships(machine)?;
            self.set_wanted_groups(&current);
            observation.set("groups", Value::array(current.iter().map(Value::string)));
        }
        Ok(observation)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        Ok(match (property.name, is) {
            ("gid", Value::Integer(gid)) => property
                .desired
                .iter()
                .any(|group| group_number(group, context.machine).is_some_and(|number| i64::from(number) == *gid)),
            ("groups", Value::Array(current)) => {
                let mut current: Vec<_> = current.iter().map(|group| text(group).into_owned()).collect();
                current.sort();
                *text(&property.should()) == current.join(",")
            }
            _ => property.matches(is),
        })
    }

    fn change(&mut self, property: &Property, _is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.bring_about(property, context)
    }

    fn describe(&self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> ChangeMessage {
        if property.name != "groups" {
            return ChangeMessage::Standard;
        }
        let should = text(&property.should()).into_owned();
        let list = Value::array(should.split(',').filter(|group| !group.is_empty()).map(Value::string));
        ChangeMessage::Text(format!("groups changed {} to {}", self.show_current(property, is), display(&list)))
    }

    fn show_current(&self, property: &Property, value: &Value) -> String {
        match (property.name, value) {
            ("groups", Value::Array(groups)) => {
                groups.iter().map(|group| text(group).into_owned()).collect::<Vec<_>>().join(",")
            }
            _ => display(value),
        }
    }

    /// Removes the keys that no resource names from the files that are purged.
    fn generate(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let mut generated = Vec::new();
        for file in self.values.list("purge_ssh_keys") {
            let path = text(&file).into_owned();
            let Ok(bytes) = context.machine.read(Path::new(&path), LARGEST_KEY_FILE) else { continue };
            for name in names_in(&String::from_utf8_lossy(&bytes), &path) {
                let parameters = [
                    ("name", Value::string(name.as_str())),
                    ("target", file.clone()),
                    ("ensure", symbol("absent")),
                    ("user", Value::string(self.name.as_str())),
                ];
                let parameters = parameters.into_iter().map(|(name, value)| (Str::from(name), value)).collect();
                generated.push(Generated::new("Ssh_authorized_key", name, parameters));
            }
        }
        Ok(generated)
    }

    fn learnt_parts(&self, catalog: &AppliedCatalog) -> Vec<String> {
        match self.values.list("purge_ssh_keys").is_empty() {
            true => Vec::new(),
            // Keys that the catalog knows are not purged.
            false => catalog.declared_of_type("ssh_authorized_key").map(|(info, _)| info.title.to_string()).collect(),
        }
    }

    fn footprint(&self) -> Footprint {
        let home = || self.values.text("home").unwrap_or_else(|| format!("/home/{}", self.name));
        let home = self.values.is_true("managehome").then(home);
        Footprint::Accounts(home.into_iter().map(Into::into).collect())
    }
}

//! The commands that create, change and remove a user.

use std::path::Path;

use pantin_machine::Who;
use pantin_values::Value;

use super::super::database::{PASSWD, local_entry};
use super::super::{could_not, could_not_set, group_number, has_secrets, keep_local};
use super::User;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Property;
use crate::types::tool_command::ToolCommand;
use crate::value::{is_word, text};

/// What useradd is told of a new user, in the order of the properties' names, and the letter for each.
const FLAGS: [(&str, &str); 7] = [
    ("comment", "-c"),
    ("expiry", "-e"),
    ("gid", "-g"),
    ("groups", "-G"),
    ("home", "-d"),
    ("shell", "-s"),
    ("uid", "-u"),
];

const AGES: [(&str, &str); 3] = [("password_min_age", "-m"), ("password_max_age", "-M"), ("password_warn_days", "-W")];

impl User {
    /// Brings one property into its desired state.
    pub(super) fn bring_about(&self, property: &Property, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let should = property.should();
        match property.name {
            "ensure" if is_word(&should, "absent") => self.delete(context),
            "ensure" => self.create(context),
            "password" => self.set_password(&text(&should), context),
            "shell" => {
                check_shell(&text(&should), context)?;
                self.modify(property, &should, context)
            }
            "gid" => {
                let number = property.desired.iter().find_map(|group| group_number(group, context.machine));
                let number = number.ok_or_else(|| {
                    let named: Vec<_> = property.desired.iter().map(|group| text(group).into_owned()).collect();
                    Failure::new(format!("Could not find group(s) {}", named.join(",")))
                })?;
                self.modify(property, &Value::Integer(number.into()), context)
            }
            "groups" if text(&should).chars().any(char::is_whitespace) => {
                Err(Failure::new(format!("Invalid value {}: Groups must be comma-separated", text(&should))))
            }
            _ => self.modify(property, &should, context),
        }
    }

    fn modify(&self, property: &Property, value: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let name = property.name;
        let age = AGES.iter().find(|(age, _)| *age == name);
        let flag = FLAGS.iter().find(|(known, _)| *known == name).or(age);
        let Some((_, flag)) = flag else {
            return Err(Failure::new(format!("usermod cannot set {name}")));
        };
        let is_local = self.is_local && !["groups", "expiry"].contains(&name);
        let program = match (age.is_some(), is_local) {
            (true, true) => "lchage",
            (true, false) => "chage",
            (false, true) => "lusermod",
            (false, false) => "usermod",
        };
        let mut arguments = vec![(*flag).to_owned(), argument(name, value)];
        if name == "uid" {
            arguments.extend(self.allow_duplicate(context)?);
        }
        arguments.push(self.name.clone());
        let mut command = ToolCommand::new(program, arguments, context.machine)?;
        command.is_secret = property.is_secret;
        if self.is_local {
            keep_local(&mut command, context)?;
        }
        let ran = command.run_to_success(context).map(drop);
        ran.map_err(|failure| could_not_set(name, self.subject(), &failure))
    }

    /// Sets the encrypted password. It is read from standard input, so no list of processes shows it.
    fn set_password(&self, password: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let mut command = ToolCommand::new("chpasswd", ["-e"], context.machine)?;
        command.is_secret = true;
        command.input = format!("{}:{password}\n", self.name).into_bytes();
        let output = command.run(context)?;
        match output.lossy() {
            said if said.is_empty() && output.is_success() => Ok(()),
            said => Err(Failure::new(format!("chpasswd said {said}"))),
        }
    }

    fn create(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if let Some(shell) = self.values.text("shell") {
            check_shell(&shell, context)?;
        }
        let told = |failure: Failure| could_not("create", self.subject(), &failure);
        let program = if self.is_local { "luseradd" } else { "useradd" };
        let mut command = ToolCommand::new(program, self.creation(context)?, context.machine)?;
        command.is_secret = has_secrets(&self.properties);
        if self.is_local {
            keep_local(&mut command, context)?;
        }
        command.run_to_success(context).map_err(told)?;
        self.set_ages(context).map_err(told)?;
        if self.is_local {
            for property in self.properties.iter().filter(|property| ["groups", "expiry"].contains(&property.name)) {
                self.modify(property, &property.should(), context)?;
            }
        }
        match self.values.text("password") {
            Some(password) => self.set_password(&password, context),
            None => Ok(()),
        }
    }

    /// Returns the arguments that create the user.
    fn creation(&self, context: &ApplyContext<'_>) -> Result<Vec<String>, Failure> {
        let mut arguments = Vec::new();
        let has_own_group = || context.machine.group(Who::Name(&self.name)).is_ok_and(|group| group.is_some());
        if !self.values.has("gid") && has_own_group() {
            arguments.extend(["-g".to_owned(), self.name.clone()]);
        }
        for (name, flag) in FLAGS {
            let value = match self.properties.iter().find(|property| property.name == name) {
                Some(property) if property.is_desired() => property.should(),
                _ => continue,
            };
            let is_set_later = self.is_local && ["groups", "expiry"].contains(&name);
            if !is_set_later && !text(&value).is_empty() {
                arguments.extend([flag.to_owned(), argument(name, &value)]);
            }
        }
        arguments.extend(self.allow_duplicate(context)?);
        match (self.values.is_true("managehome"), self.is_local) {
            (true, true) => {}
            (true, false) => arguments.push("-m".to_owned()),
            (false, _) => arguments.push("-M".to_owned()),
        }
        if self.values.is_true("system") {
            arguments.push("-r".to_owned());
        }
        arguments.push(self.name.clone());
        Ok(arguments)
    }

    fn set_ages(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let given = AGES.iter().filter_map(|(name, flag)| Some([(*flag).to_owned(), self.values.text(name)?]));
        let mut arguments: Vec<String> = given.flatten().collect();
        if arguments.is_empty() {
            return Ok(());
        }
        arguments.push(self.name.clone());
        let program = if self.is_local { "lchage" } else { "chage" };
        let mut command = ToolCommand::new(program, arguments, context.machine)?;
        command.is_secret = has_secrets(&self.properties);
        command.run_to_success(context).map(drop)
    }

    /// Says whether a number may be taken twice; of a user of this machine alone this is looked at here.
    fn allow_duplicate(&self, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        let allows = self.values.is_true("allowdupe");
        if !allows && self.is_local {
            if let Some(uid) = self.values.text("uid")
                && local_entry(PASSWD, (2, &uid), self.subject(), context.machine)?.is_some()
            {
                return Err(Failure::new(format!("UID {uid} already exists, use allowdupe to force user creation")));
            }
            return Ok(None);
        }
        Ok((allows && !self.is_local).then(|| "-o".to_owned()))
    }

    fn delete(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let mut arguments = Vec::new();
        if self.values.is_true("managehome") {
            arguments.push("-r".to_owned());
        }
        arguments.push(self.name.clone());
        let program = if self.is_local { "luserdel" } else { "userdel" };
        let mut command = ToolCommand::new(program, arguments, context.machine)?;
        if self.is_local {
            keep_local(&mut command, context)?;
        }
        let ran = command.run_to_success(context).map(drop);
        ran.map_err(|failure| could_not("delete", self.subject(), &failure))
    }
}

/// Returns a value as a command takes it.
fn argument(name: &str, value: &Value) -> String {
    match name == "expiry" && is_word(value, "absent") {
        true => String::new(),
        false => text(value).into_owned(),
    }
}

fn check_shell(shell: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let path = Path::new(shell);
    if !context.machine.stat(path, true).is_ok_and(|stat| stat.is_some()) {
        return Err(Failure::new(format!("Shell {shell} must exist")));
    }
    match context.machine.is_executable(path) {
        true => Ok(()),
        false => Err(Failure::new(format!("Shell {shell} must be executable"))),
    }
}

//! The type `cron` of the module cron_core: a job of a user's table.

mod crontab;
mod table;
#[cfg(test)]
mod tests;

use pantin_machine::{Reading, SpawnError, SystemQuery, Who};
use pantin_values::Value;

use super::provider_command::find_program;
use super::tool_command::ToolCommand;
use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::Footprint;
use crate::log::Level;
use crate::managed::{Managed, Observation, Property};
use crate::provider::{ProvidedBy, ProviderEntry, SetMode, WantedResource};
use crate::record_file::{Entry, Record, RecordFormat, RecordProvider, RecordResource, RecordRules};
use crate::resource::AttributeValues;
use crate::value::{display, is_word, text};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "cron",
    namevar: Some("name"),
    provider: Some("crontab"),
    attributes: table::ATTRIBUTES,
    validate: Some(table::validate),
    spread_secret: None,
    make,
};

pub(super) static PROVIDER: ProviderEntry = ProviderEntry {
    type_name: "cron",
    name: "crontab",
    set_mode: SetMode::AtFlush,
    make: || Box::new(RecordProvider::new(Crontabs)),
};

static RULES: RecordRules = RecordRules {
    is_suitable: |machine| find_program("crontab", machine).is_some(),
    settled: &["user", "target"],
    ..RecordRules::PLAIN
};

/// Where Debian keeps the tables.
const TABLES: &str = "/var/spool/cron/crontabs";

/// A job, with the rules of its lists.
struct Job {
    inner: RecordResource,
    has_command: bool,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let name = new.values.text("name").unwrap_or_default();
    let target = new.values.text("target").map(|user| format!("{TABLES}/{user}"));
    let inner = RecordResource::new(new, (&PROVIDER, &RULES), name, target);
    Ok(Box::new(Job { inner, has_command: new.values.has("command") }))
}

impl Managed for Job {
    fn properties(&self) -> &[Property] {
        self.inner.properties()
    }

    fn lack(&self, machine: &dyn Reading) -> Option<ProviderLack> {
        self.inner.lack(machine)
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.inner.observe(context)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        match (property.name, is, property.should()) {
            ("environment", Value::Array(is), Value::Array(should)) => {
                let sorted = |items: &[Value]| {
                    let mut items: Vec<_> = items.iter().map(|item| text(item).into_owned()).collect();
                    items.sort();
                    items
                };
                Ok(sorted(is) == sorted(&should))
            }
            _ => self.inner.is_in_step(property, is, context),
        }
    }

    fn change(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let creates = property.name == "ensure" && is_word(&property.should(), "present");
        if creates && !self.has_command {
            context.say(Level::Err, "no command specified, cannot create");
            return Ok(());
        }
        self.inner.change(property, is, context)
    }

    fn show_desired(&self, property: &Property) -> String {
        match (property.name, property.should()) {
            ("environment", Value::Array(settings)) => {
                settings.iter().map(|setting| text(setting).into_owned()).collect::<Vec<_>>().join(",")
            }
            (_, should) => display(&should),
        }
    }

    fn flush(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.inner.flush(context)
    }

    fn name(&self) -> Option<&str> {
        self.inner.name()
    }

    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        self.inner.provided_by()
    }

    fn footprint(&self) -> Footprint {
        self.inner.footprint()
    }
}

/// The tables of all users, by the program that keeps them.
struct Crontabs;

impl RecordFormat for Crontabs {
    fn type_name(&self) -> &'static str {
        "cron"
    }

    fn default_target(&self, machine: &dyn Reading) -> Option<String> {
        Some(table::own_name(machine))
    }

    fn all_targets(&self, machine: &dyn Reading) -> Vec<String> {
        let mut users = vec![table::own_name(machine)];
        let listed = machine.list(TABLES.as_ref()).unwrap_or_default();
        users.extend(
            listed.into_iter().filter_map(|user| user.into_string().ok()).filter(|user| !user.starts_with('.')),
        );
        users
    }

    fn read(&self, target: &str, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        let Some(user) = context.machine.user(Who::Name(target)).ok().flatten() else {
            let text = format!(
                "The {target} user does not exist. Treating their crontab file as empty in case Puppet creates them in \
                 the middle of the run."
            );
            context.say_bare(Level::Debug, text);
            return Ok(None);
        };
        let Some(program) = find_program("crontab", context.machine) else {
            return Err(Failure::new("Command crontab is missing"));
        };
        let is_own = context.machine.identity().0 == user.uid;
        let of_user = if is_own { String::new() } else { format!(" -u {target}") };
        context.say_bare(Level::Debug, format!("Executing: 'crontab{of_user} -l'"));
        let query = SystemQuery::Crontab { program, user: (!is_own).then(|| target.to_owned()) };
        let output = match context.machine.query(&query, context.stop) {
            Ok(output) => output,
            Err(SpawnError::Stopped) => return Err(Failure::stopped(context.stop.signal().unwrap_or_default())),
            Err(error) => return Err(Failure::new(format!("Could not read crontab for {target}: {error}"))),
        };
        let said = output.lossy();
        if output.is_success() {
            return Ok(Some(said));
        }
        if said.contains("no crontab for") || said.contains("are not allowed to") {
            return Ok(None);
        }
        let code = output.code().map(|code| code.to_string()).unwrap_or_default();
        let said = said.trim();
        Err(Failure::new(format!(
            "Could not read crontab for {target}: Execution of 'crontab{of_user} -l' returned {code}: {said}"
        )))
    }

    fn tells_unreadable(&self) -> bool {
        false
    }

    fn parse(&self, text: &str, target: &str) -> Result<Vec<Entry>, Failure> {
        crontab::parse(text, target)
    }

    fn line(&self, record: &Record) -> Result<String, Failure> {
        Ok(crontab::line(record))
    }

    fn with_header(&self, text: String, now: pantin_machine::Date) -> String {
        crontab::with_header(&text, &now.plain())
    }

    fn write(&self, target: &str, text: &str, _: &AttributeValues, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let Some(user) = context.machine.user(Who::Name(target)).ok().flatten() else {
            return Err(Failure::new(format!("Cannot write the {target} user's crontab: The user does not exist")));
        };
        let mut arguments = Vec::new();
        if context.machine.identity().0 != user.uid {
            arguments.extend(["-u", target]);
        }
        arguments.push("-");
        let mut command = ToolCommand::new("crontab", arguments, context.machine)?;
        command.input = text.as_bytes().to_vec();
        // A table that the program refuses is an error here, and the old one stays.
        command.run_to_success(context).map(drop)
    }

    fn is_backed_up(&self) -> bool {
        false
    }

    fn is_of(&self, record: &Record, target: &str, wanted: &WantedResource<'_>, _: &dyn Reading) -> bool {
        record.name == wanted.name && wanted.values.text("target").is_some_and(|wanted| wanted == target)
    }

    fn takes_over(&self, record: &Record, target: &str, wanted: &WantedResource<'_>, _: &dyn Reading) -> bool {
        let values = wanted.values;
        let is_purged = record.name == wanted.name && values.is("ensure", "absent");
        let is_there = values.text("target").is_some_and(|wanted| wanted == target);
        let runs_it = record.text("command") == values.text("command");
        let is_at = |field: &str| match (values.get(field), record.get(field)) {
            (None, _) => true,
            (Some(wanted), Some(found)) => wanted == found,
            (Some(wanted), None) => field != "special" && is_word(wanted, "absent"),
        };
        is_there && (is_purged || (runs_it && table::TIMES.into_iter().chain(["special"]).all(is_at)))
    }
}

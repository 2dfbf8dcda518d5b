//! The type `mount` of the module mount_core: a line of `/etc/fstab`, and whether it is mounted.

mod fstab;
mod table;
#[cfg(test)]
mod tests;

use pantin_machine::Reading;
use pantin_values::Value;

pub(super) use fstab::mounted;

use super::provider_command::find_program;
use super::tool_command::ToolCommand;
use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::Footprint;
use crate::log::Level;
use crate::managed::{ChangeMessage, Managed, Observation, Property};
use crate::provider::{ProvidedBy, ProviderEntry, SetMode, WantedResource};
use crate::record_file::{Entry, Record, RecordFormat, RecordProvider, RecordResource, RecordRules};
use crate::resource::AttributeValues;
use crate::value::{display, is_word, symbol, text};

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "mount",
    namevar: Some("name"),
    provider: Some("parsed"),
    attributes: table::ATTRIBUTES,
    validate: None,
    spread_secret: None,
    make,
};

pub(super) static PROVIDER: ProviderEntry = ProviderEntry {
    type_name: "mount",
    name: "parsed",
    set_mode: SetMode::AtFlush,
    make: || Box::new(RecordProvider::new(Fstab)),
};

static RULES: RecordRules = RecordRules {
    is_suitable: |machine| ["mount", "umount"].iter().all(|tool| find_program(tool, machine).is_some()),
    settled: &["atboot", "blockdevice"],
    ..RecordRules::PLAIN
};

struct Mount {
    inner: RecordResource,
    path: String,
    values: AttributeValues,
    found: Observation,
    /// As it was found, and as this resource has changed it since.
    is_mounted: bool,
    /// Mounted behind the change of the table.
    needs_mount: bool,
    /// Unmounted behind the change of the table.
    needs_unmount: bool,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let path = new.values.text("name").unwrap_or_default();
    Ok(Box::new(Mount {
        inner: RecordResource::new(new, (&PROVIDER, &RULES), path.as_str(), new.values.text("target")),
        path,
        values: new.values.clone(),
        found: Observation::default(),
        is_mounted: false,
        needs_mount: false,
        needs_unmount: false,
    }))
}

impl Mount {
    fn run(&self, program: &str, options: &[&str], context: &ApplyContext<'_>) -> Result<(), Failure> {
        let arguments = options.iter().copied().chain([self.path.as_str()]);
        ToolCommand::new(program, arguments, context.machine)?.run_to_success(context).map(drop)
    }

    fn mount(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.run("mount", &[], context)?;
        self.is_mounted = true;
        Ok(())
    }

    /// Puts a new line into the table. What was mounted without one is not mounted again when the resource is refreshed.
    fn enter(&mut self, ensure: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.is_mounted = false;
        self.inner.change(ensure, is, context)
    }

    fn unmount(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.run("umount", &[], context)?;
        self.is_mounted = false;
        Ok(())
    }

    /// Brings into the table what is out of step there, and says nothing of it.
    fn sync_others(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let others =
            self.inner.properties().iter().filter(|property| property.name != "ensure" && property.is_desired());
        for property in others.cloned().collect::<Vec<_>>() {
            let is = self.found.get(property.name).cloned().unwrap_or_default();
            if !self.inner.is_in_step(&property, &is, context)? {
                self.inner.change(&property, &is, context)?;
            }
        }
        Ok(())
    }

    /// Brings the state about. Properties that are not told of are brought into the table with it.
    fn set_state(&mut self, ensure: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let is_in_table = is_word(is, "unmounted") || is_word(is, "mounted");
        match &*text(&ensure.should()) {
            "absent" => {
                if self.is_mounted {
                    self.unmount(context)?;
                }
                if is_in_table { self.inner.change(ensure, is, context) } else { Ok(()) }
            }
            "unmounted" if is_word(is, "mounted") => {
                self.unmount(context)?;
                self.sync_others(context)
            }
            "unmounted" => {
                self.needs_unmount = is_word(is, "ghost");
                self.inner.change(ensure, is, context)
            }
            "mounted" => {
                self.needs_mount = !self.is_mounted;
                if is_in_table { self.sync_others(context) } else { self.inner.change(ensure, is, context) }
            }
            _ => self.enter(ensure, is, context),
        }
    }
}

impl Managed for Mount {
    fn properties(&self) -> &[Property] {
        self.inner.properties()
    }

    fn lack(&self, machine: &dyn Reading) -> Option<ProviderLack> {
        self.inner.lack(machine)
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let mut observation = self.inner.observe(context)?;
        self.is_mounted = mounted(context.machine)?.contains(&self.path);
        if self.is_mounted {
            let state = if observation.is_present() { "mounted" } else { "ghost" };
            observation.set("ensure", symbol(state));
        }
        (self.needs_mount, self.needs_unmount) = (false, false);
        self.found = observation.clone();
        Ok(observation)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        let is_defined = property.name == "ensure" && is_word(&property.should(), "defined");
        if is_defined && (is_word(is, "mounted") || is_word(is, "unmounted")) {
            return Ok(true);
        }
        self.inner.is_in_step(property, is, context)
    }

    fn change(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match property.name {
            "ensure" => self.set_state(property, is, context),
            _ => self.inner.change(property, is, context),
        }
    }

    fn describe(&self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> ChangeMessage {
        if property.name != "ensure" {
            return ChangeMessage::Standard;
        }
        let should = property.should();
        ChangeMessage::Text(match () {
            () if is_word(is, "absent") => format!("defined 'ensure' as {}", display(&should)),
            () if is_word(&should, "absent") => format!("undefined 'ensure' from {}", display(is)),
            () => format!("ensure changed {} to {}", display(is), display(&should)),
        })
    }

    fn event_name(&self, property: &Property) -> Option<String> {
        if property.name != "ensure" {
            return None;
        }
        match &*text(&property.should()) {
            "absent" => Some("mount_deleted".to_owned()),
            "mounted" => Some("mount_mounted".to_owned()),
            _ => None,
        }
    }

    fn flush(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.inner.flush(context)?;
        if std::mem::take(&mut self.needs_unmount) {
            self.unmount(context)?;
        }
        if std::mem::take(&mut self.needs_mount) { self.mount(context) } else { Ok(()) }
    }

    fn can_refresh(&self) -> bool {
        true
    }

    fn refreshes_itself(&self) -> bool {
        true
    }

    fn refresh(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if self.values.is("fstype", "swap") || !self.is_mounted {
            return Ok(());
        }
        context.say_of_provider("parsed", Level::Info, "Remounting");
        if self.values.is_true("remounts") {
            return self.run("mount", &["-o", "remount"], context);
        }
        self.unmount(context)?;
        self.mount(context)
    }

    fn name(&self) -> Option<&str> {
        self.inner.name()
    }

    fn provided_by(&self) -> Option<ProvidedBy<'_>> {
        self.inner.provided_by()
    }

    /// A mount changes what stands at its path, and all below.
    fn footprint(&self) -> Footprint {
        match self.inner.footprint() {
            Footprint::Files(mut files) => {
                files.writes_below.push(self.path.clone().into());
                Footprint::Files(files)
            }
            other => other,
        }
    }
}

/// The form of `/etc/fstab`.
struct Fstab;

impl RecordFormat for Fstab {
    fn type_name(&self) -> &'static str {
        "mount"
    }

    fn default_target(&self, _: &dyn Reading) -> Option<String> {
        Some(table::FILE.to_owned())
    }

    fn parse(&self, text: &str, _target: &str) -> Result<Vec<Entry>, Failure> {
        Ok(fstab::parse(text))
    }

    fn line(&self, record: &Record) -> Result<String, Failure> {
        fstab::line(record)
    }

    fn new_record(&self, wanted: &WantedResource<'_>) -> Record {
        let mut record = Record::new(wanted.name).with("name", Value::string(wanted.name));
        record.form = fstab::NEW;
        record
    }

    fn ensure_of(&self, _: &Record, _: &ApplyContext<'_>) -> Value {
        symbol("unmounted")
    }
}

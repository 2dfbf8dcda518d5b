//! `pantin settings`: the settings of an environment, as a compilation sees them.

use std::io;

use clap::Args;
use pantin_base::nearest;
use pantin_model::catalog::Rich;
use pantin_repository::options::OpenError;
use pantin_repository::world::World;
use pantin_values::sprintf::inspect;
use pantin_values::{Hash, Value};
use pantin_world::Surroundings;
use pantin_world::environment::OF_ENVIRONMENT;
use pantin_world::settings::Settings;

use super::Exit;
use super::args::format::FormatArguments;
use super::args::world::WorldArguments;
use super::print::console_log::{ConsoleLog, LogArguments};

/// Show settings: from puppet.conf, environment.conf, the command line, or by default
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin settings                              all of them, one a line
  pantin settings modulepath manifest
  pantin settings --environment-dir . --set codedir=/srv/code basemodulepath

One setting that is asked for by its name is printed alone, several as NAME = VALUE.
Exit codes:
  0  they were printed
  1  there is no such setting, or one has a value that it cannot have
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// Which settings [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    #[command(flatten)]
    format: FormatArguments,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    world: WorldArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    match arguments.shown(&console) {
        Ok(text) => console.print(&text).map(|()| Exit::Accepted),
        Err(refused) => Ok(console.refuse(refused)),
    }
}

impl Arguments {
    fn shown(&self, console: &ConsoleLog) -> Result<String, OpenError> {
        let world = self.world.world()?;
        console.remarks(&world.remarks);
        let all = self.values(&world, console)?;
        let mut chosen: Vec<(&str, &Value)> = Vec::new();
        for name in &self.names {
            let Some(value) = all.get_str(name) else { return Err(unknown(name, &all)) };
            chosen.push((name, value));
        }
        if self.names.is_empty() {
            chosen.extend(all.iter().filter_map(|(name, value)| Some((name.as_str()?, value))));
            chosen.sort_by_key(|(name, _)| *name);
        }
        if self.format.is_json() {
            let object: Hash = chosen.iter().map(|(name, value)| (Value::from(*name), (*value).clone())).collect();
            let object = Value::Hash(object);
            return serde_json::to_string_pretty(&Rich::from_value(&object))
                .map_err(|error| OpenError::Failed(error.to_string()));
        }
        Ok(match chosen.as_slice() {
            [(_, value)] => text(value),
            several => {
                let lines = several.iter().map(|(name, value)| format!("{name} = {}", text(value)));
                lines.collect::<Vec<_>>().join("\n")
            }
        })
    }
}

impl Arguments {
    /// Returns all settings; where there is no environment, those that are asked for, if they are the same in any.
    fn values(&self, world: &World, console: &ConsoleLog) -> Result<Hash, OpenError> {
        let mut all = match world.environment(&world.environment) {
            Ok(loaded) => {
                console.remarks(&loaded.remarks);
                loaded.environment.settings.clone()
            }
            Err(_) if self.can_do_without_environment(&world.settings) => {
                let value = |name: &String| Ok((Value::from(name.as_str()), world.settings.value(name)?));
                self.names.iter().map(value).collect::<Result<Hash, String>>()?
            }
            Err(reason) => return Err(reason.into()),
        };
        for name in Settings::own_names() {
            all.insert(name.into(), world.settings.value(name)?);
        }
        Ok(all)
    }

    fn can_do_without_environment(&self, settings: &Settings) -> bool {
        let is_of_all = |name: &String| {
            let mut known = settings.names().chain(Settings::own_names());
            known.any(|known| known == name) && !OF_ENVIRONMENT.contains(&name.as_str())
        };
        !self.names.is_empty() && self.names.iter().all(is_of_all)
    }
}

fn unknown(name: &str, all: &Hash) -> OpenError {
    let near = nearest(name, all.keys().filter_map(Value::as_str));
    let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    OpenError::Failed(format!("there is no setting '{name}'{hint}"))
}

fn text(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        // The only number that is none: for ever.
        Value::Float(_) => "unlimited".to_owned(),
        other => inspect(other),
    }
}

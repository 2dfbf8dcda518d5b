//! `pantin resource`: what resources this machine has, as manifests declare them; and one of them changed.

use std::io;

use clap::Args;
use pantin_apply::{
    ApplySettings, ChangedResource, Failure, Level, MachineRequest, MachineResource, NoSources, change_resource,
    check_type, find_resource, list_resources, type_names,
};
use pantin_base::Language;
use pantin_machine::RealSystem;
use pantin_repository::options::OpenError;
use pantin_values::Value;
use pantin_values::data::yaml::to_yaml;
use pantin_world::Surroundings;

use super::Exit;
use super::apply::{ConsoleColours, Destinations, MachineSettings, TypedSettings, signals};
use super::args::language::PuppetVersion;
use super::args::world::setting;
use super::print::colour::Colour;
use super::print::console_log::ConsoleLog;

/// Show the resources of this machine as manifests declare them, or change one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin resource package                      all packages
  pantin resource package cron
  pantin resource file /etc/hosts
  pantin resource --to_yaml service cron
  pantin resource service cron ensure=running enable=true
  pantin resource --noop package cron ensure=absent

Every setting of Puppet may be a long option: --show_diff, --modulepath DIR.
Nothing is changed unless an attribute is given, and then that one resource alone.
Exit codes:
  0  the resources were printed; also where the one that was to be changed failed
  1  no type was named, there is no such type, or it cannot be listed; with --fail: the
     resource failed
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The type: package, service, file
    #[arg(value_name = "TYPE")]
    type_name: Option<String>,

    /// The name of one resource [default: all of the type]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// What the resource is to be
    #[arg(value_name = "ATTRIBUTE=VALUE")]
    attributes: Vec<String>,

    /// Print YAML, as Hiera has resources
    #[arg(short = 'y', long = "to_yaml", alias = "to-yaml")]
    to_yaml: bool,

    /// Show this parameter beside the properties
    #[arg(short = 'p', long = "param", value_name = "PARAMETER")]
    parameters: Vec<String>,

    /// Print the names of all types that are carried out here
    #[arg(short = 't', long)]
    types: bool,

    /// Change nothing, and say what would be changed
    #[arg(long)]
    noop: bool,

    /// End with 1 if the resource failed
    #[arg(short = 'f', long)]
    fail: bool,

    /// Say more
    #[arg(short = 'v', long)]
    verbose: bool,

    /// Say all that there is to say
    #[arg(short = 'd', long)]
    debug: bool,

    /// Whose behaviour to follow where versions differ [default: 8]
    #[arg(long, value_name = "VERSION")]
    puppet: Option<PuppetVersion>,

    /// Give a setting another value
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = ConsoleLog::plain(arguments.color, surroundings);
    if arguments.types {
        let mut names: Vec<&str> = type_names().collect();
        names.sort_unstable();
        return console.print(&(names.join("\n") + "\n")).map(|()| Exit::Accepted);
    }
    let machine = RealSystem::new();
    let colours = ConsoleColours {
        out: arguments.color.is_on(surroundings, surroundings.stdout_is_terminal),
        err: arguments.color.is_on(surroundings, surroundings.stderr_is_terminal),
    };
    let log = Destinations::open(None, colours, arguments.level(), &machine)?;
    let attributes = match arguments.attributes() {
        Ok(attributes) => attributes,
        Err(wrong) => {
            log.say(Level::Err, &format!("Could not run: {wrong}"));
            return Ok(Exit::Rejected);
        }
    };
    let settings = match arguments.settings(&machine) {
        Ok(settings) => settings,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let stop = signals::watch()?;
    let request = MachineRequest {
        settings: &settings,
        machine: &machine,
        sources: &NoSources,
        stop: &stop,
        sink: &log,
        shown_parameters: &arguments.parameters,
    };
    match arguments.answer(&attributes, request) {
        Ok(ChangedResources { found, has_failed }) => {
            console.print(&arguments.shown(&found, settings.language)?)?;
            Ok(if has_failed && arguments.fail { Exit::Rejected } else { Exit::Accepted })
        }
        Err(failure) => {
            log.say(Level::Err, &failure.log_text(Some(&format!("Could not run: {failure}"))));
            Ok(Exit::Rejected)
        }
    }
}

/// What is shown, and whether what was to be changed failed.
struct ChangedResources {
    found: Vec<MachineResource>,
    has_failed: bool,
}

impl Arguments {
    fn level(&self) -> Level {
        match () {
            () if self.debug => Level::Debug,
            () if self.verbose => Level::Info,
            () => Level::Notice,
        }
    }

    /// Reads what the resource is to be. The type is looked for first.
    fn attributes(&self) -> Result<Vec<(String, String)>, String> {
        let type_name = self.type_name.as_deref().ok_or("You must specify the type to display")?;
        check_type(type_name).map_err(|failure| failure.to_string())?;
        self.attributes.iter().map(|setting| attribute(setting)).collect()
    }

    fn settings(&self, machine: &RealSystem) -> Result<ApplySettings, OpenError> {
        let typed = TypedSettings {
            language: self.puppet.map(Into::into),
            settings: &self.settings,
            ..TypedSettings::default()
        };
        let settings = MachineSettings::read(typed, machine)?;
        let flag = |name| settings.flag(name).map_err(OpenError::Failed);
        let list = |name| settings.list(name).map_err(OpenError::Failed);
        Ok(ApplySettings {
            language: settings.language,
            noop: self.noop || flag("noop")?,
            show_diff: flag("show_diff")?,
            tags: list("tags")?,
            skip_tags: list("skip_tags")?,
            level: self.level(),
            bucket: settings.path("clientbucketdir").map_err(OpenError::Failed)?,
            ..ApplySettings::new(&settings.certname)
        })
    }

    fn answer(
        &self,
        attributes: &[(String, String)],
        request: MachineRequest<'_>,
    ) -> Result<ChangedResources, Failure> {
        let type_name = self.type_name.as_deref().unwrap_or_default();
        let found = match &self.name {
            None if type_name == "file" => {
                return Err(Failure::new(
                    "Listing all file instances is not supported.  Please specify a file or directory, e.g. puppet resource file /etc",
                ));
            }
            None => list_resources(type_name, request)?,
            Some(name) if attributes.is_empty() => vec![find_resource(type_name, name, request)?],
            Some(name) => {
                let ChangedResource { resource, has_failed } = change_resource(type_name, name, attributes, request)?;
                return Ok(ChangedResources { found: vec![resource], has_failed });
            }
        };
        Ok(ChangedResources { found, has_failed: false })
    }

    fn shown(&self, found: &[MachineResource], language: Language) -> io::Result<String> {
        if self.to_yaml {
            let resources = Value::hash(found.iter().map(|found| found.to_data(language)));
            let type_name = self.type_name.as_deref().unwrap_or_default().to_lowercase();
            let document = Value::hash([(Value::string(type_name), resources)]);
            return to_yaml(&document).map_err(io::Error::other);
        }
        let manifests: Vec<String> = found.iter().map(MachineResource::to_manifest).collect();
        Ok(manifests.join("\n") + "\n")
    }
}

/// Reads `NAME=VALUE`.
fn attribute(setting: &str) -> Result<(String, String), String> {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    match setting.split_once('=').filter(|(name, value)| is_name(name) && !value.is_empty()) {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(format!("Invalid parameter setting {setting}")),
    }
}

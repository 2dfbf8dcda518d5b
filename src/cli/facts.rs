//! `pantin facts`: the facts of this machine.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pantin_base::Language;
use pantin_facts::{
    Configuration, EXTERNAL_TIME_LIMIT, FactSet, Programs, SingleFact, Tree, collect_core, default_folders,
    read_external, to_json, to_text, to_yaml,
};
use pantin_machine::{RealSystem, Stop};
use pantin_repository::options::OpenError;
use pantin_values::{Hash, Value};
use pantin_world::Surroundings;

use super::Exit;
use super::args::language::PuppetVersion;
use super::print::colour::Colour;
use super::print::console_log::ConsoleLog;

/// Show the facts of this machine
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin facts                                 all of them
  pantin facts os.release.major networking.ip
  pantin facts --format json > facts/web01.example.org.json
  pantin facts --legacy ipaddress_eth0
  FACTER_role=web pantin facts role

One fact that is asked for is printed alone, several as NAME => VALUE. Core facts are read without starting a program; external \
facts come from files and programs in facts.d, and from variables FACTER_NAME.
Exit codes:
  0  they were printed; a fact that is not there is empty
  1  an external fact could not be had; with --strict also where a fact is not there
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// Which facts, or parts of them: os.release.major [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// How they are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", alias = "render-as", overrides_with = "format")]
    format: Format,

    /// The same as --format json
    #[arg(short = 'j', conflicts_with = "yaml")]
    json: bool,

    /// The same as --format yaml
    #[arg(short = 'y', long)]
    yaml: bool,

    /// Show flat facts of old times among all facts; one that is asked for by name is shown anyway
    #[arg(long, alias = "show-legacy")]
    legacy: bool,

    /// Read external facts from this folder, in place of those of the system; may be given several times
    #[arg(long, value_name = "DIR", conflicts_with = "no_external_facts")]
    external_dir: Vec<PathBuf>,

    /// Read no files and run no programs of facts.d
    #[arg(long)]
    no_external_facts: bool,

    /// Add the fact puppetversion, as Puppet does
    #[arg(short = 'p', long = "puppet-facts")]
    puppet_facts: bool,

    /// Print how long each source of facts took
    #[arg(short = 't', long)]
    timing: bool,

    /// Read this file in place of the facter.conf of the system
    #[arg(short = 'c', long, value_name = "FILE", alias = "config-file")]
    config: Option<PathBuf>,

    /// Show facts that facter.conf blocks
    #[arg(long)]
    no_block: bool,

    /// Complain of a fact that is not there
    #[arg(long)]
    strict: bool,

    /// Whose versions facterversion and puppetversion are [default: 8]
    #[arg(long, value_name = "VERSION")]
    puppet: Option<PuppetVersion>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,

    #[command(flatten)]
    refused: RefusedArguments,
}

/// What Facter takes and Pantin does not, and what changes nothing here.
#[derive(Debug, Args)]
struct RefusedArguments {
    #[arg(long, hide = true)]
    custom_dir: Vec<PathBuf>,

    #[arg(long, hide = true)]
    hocon: bool,

    #[arg(long, hide = true)]
    list_block_groups: bool,

    #[arg(long, hide = true)]
    list_cache_groups: bool,

    #[arg(long, hide = true)]
    no_custom_facts: bool,

    #[arg(long, hide = true)]
    no_ruby: bool,

    #[arg(long, hide = true)]
    no_cache: bool,

    #[arg(long, hide = true)]
    sequential: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// As Facter prints them
    Text,
    Json,
    Yaml,
}

impl RefusedArguments {
    /// Refuses what cannot be done, with the reason.
    fn check(&self) -> Result<(), OpenError> {
        let refused = match () {
            () if !self.custom_dir.is_empty() => {
                "--custom-dir: facts in Ruby are not run; a program or a file in a folder of --external-dir can tell them"
            }
            () if self.hocon => "--hocon: facts are printed as text, JSON or YAML",
            () if self.list_block_groups => "--list-block-groups: the book lists the groups that facter.conf may block",
            () if self.list_cache_groups => "--list-cache-groups: no facts are cached",
            () => return Ok(()),
        };
        Err(OpenError::Usage(refused.to_owned()))
    }
}

impl Arguments {
    fn format(&self) -> Format {
        match () {
            () if self.json => Format::Json,
            () if self.yaml => Format::Yaml,
            () => self.format,
        }
    }

    /// Returns the folders of external facts.
    fn folders(&self, machine: &RealSystem, configuration: &Configuration) -> Vec<PathBuf> {
        match () {
            () if !self.external_dir.is_empty() => self.external_dir.clone(),
            () if self.no_external_facts || configuration.has_no_external_facts => Vec::new(),
            () if !configuration.external_folders.is_empty() => configuration.external_folders.clone(),
            () => default_folders(machine),
        }
    }

    fn shown(&self, facts: &FactSet, with_legacy: bool) -> Result<String, OpenError> {
        let chosen: Hash = match self.names.is_empty() {
            true => facts.to_hash(with_legacy),
            false => {
                let mut names: Vec<&String> = self.names.iter().collect();
                names.sort();
                names
                    .into_iter()
                    .map(|name| (Value::string(name.as_str()), facts.find(name).unwrap_or_default()))
                    .collect()
            }
        };
        match self.format() {
            Format::Json => Ok(to_json(&Value::Hash(chosen))),
            Format::Yaml => match to_yaml(&chosen) {
                Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
                Err(kind) => Err(OpenError::Failed(format!("a value of the type {kind} cannot be written as YAML"))),
            },
            Format::Text => Ok(match self.names.as_slice() {
                [one] => SingleFact(facts.find(one).as_ref()).to_text(),
                _ => to_text(&chosen),
            }),
        }
    }
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = ConsoleLog::plain(arguments.color, surroundings);
    if let Err(refused) = arguments.refused.check() {
        return Ok(console.refuse(refused));
    }
    let machine = RealSystem::new();
    let language = arguments.puppet.map(Language::from).unwrap_or_default();
    let tree = Tree::whole_machine(&machine);
    let configuration = match Configuration::read(tree, arguments.config.as_deref()) {
        Ok(configuration) if arguments.no_block => configuration.without_blocks(),
        Ok(configuration) => configuration,
        Err(reason) => return Ok(console.refuse(OpenError::Failed(reason))),
    };
    let folders = arguments.folders(&machine, &configuration);
    let external = read_external(
        &machine,
        &folders,
        Programs::Run { limit: EXTERNAL_TIME_LIMIT },
        &configuration,
        &Stop::default(),
    );
    let core = collect_core(tree, language, &arguments.names);
    let timings = core.timings.iter().chain(&external.timings).filter(|_| arguments.timing);
    for timing in timings {
        console.print(&format!("fact '{}', took: ({:.6}) seconds", timing.name, timing.seconds))?;
    }
    let mut facts = core.with_own(external.facts).without_blocked(&configuration);
    if arguments.puppet_facts {
        facts = facts.with_core("puppetversion", Value::from(language.release()));
    }
    external.troubles.iter().for_each(|trouble| console.complain(trouble));
    let missing = |name: &&String| arguments.strict && facts.find(name).is_none();
    let missing: Vec<&String> = arguments.names.iter().filter(missing).collect();
    missing.iter().for_each(|name| console.complain(&format!("there is no fact '{name}'")));
    match arguments.shown(&facts, arguments.legacy || configuration.with_legacy) {
        Ok(text) => console.print(&text)?,
        Err(refused) => return Ok(console.refuse(refused)),
    }
    Ok(if external.troubles.is_empty() && missing.is_empty() { Exit::Accepted } else { Exit::Rejected })
}

//! `pantin inject`: what is bound to a key as a node sees it, and why.

mod json;
mod text;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use pantin_compile::{ExplainedInjection, InjectionAnswer, InjectionRequest, WantedKey};
use pantin_model::catalog::Rich;
use pantin_model::trace::Level;
use pantin_repository::NodeInjection;
use pantin_repository::Repository;
use pantin_repository::answer::FailureReport;
use pantin_repository::options::{CacheOptions, OpenError};
use pantin_repository::timings::Timings;
use pantin_values::data::yaml::to_yaml;
use pantin_values::{Hash, Str, Value, ops};
use pantin_world::{MachineDisk, Surroundings};

use super::Exit;
use super::args::names::NodeOption;
use super::args::repository::{RepositoryArguments, settle_exports};
use super::args::world::ManifestArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::escaped_json;
use super::print::safe::workflow_log::LogReader;

/// Show what is bound to a key
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin inject ntp::tier --node web01.example.org --facts facts/
  pantin inject ntp::tier --node web01.example.org --facts facts/ --explain
  pantin inject --type Integer size --node web01.example.org
  pantin inject 'Type[Logger]' --node web01.example.org
  pantin inject --parameter 'Class[ntp]/servers' --node web01.example.org --explain --format json
  pantin inject --all --node web01.example.org

A KEY is a name, or a type in Puppet's words. Without --compile nothing but the injector is made: of a parameter that another \
resource gives, --compile knows more.
Exit codes:
  0  there is a value, or it is explained why there is none
  1  there is none, or the injector cannot be made
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The keys
    #[arg(value_name = "KEY", required_unless_present_any = ["parameter", "classes", "variables", "all"])]
    keys: Vec<String>,

    #[command(flatten)]
    node: NodeOption,

    /// The type that the value has to have
    #[arg(long = "type", value_name = "TYPE")]
    of: Option<String>,

    /// The value where there is none
    #[arg(long, value_name = "VALUE")]
    default: Option<String>,

    /// Arguments for the producer: a JSON object
    #[arg(long = "args", value_name = "JSON", value_parser = producer_arguments)]
    producer_arguments: Option<Hash>,

    /// A parameter of a class, a type or a resource: Class[ntp]/servers; may be given several times
    #[arg(long, value_name = "OF/NAME")]
    parameter: Vec<String>,

    /// The classes that are included
    #[arg(long)]
    classes: bool,

    /// The variables that are bound
    #[arg(long)]
    variables: bool,

    /// All that is bound
    #[arg(long)]
    all: bool,

    /// Say what became of each binding of the key; what is Sensitive, or was decrypted by eyaml, is redacted
    #[arg(long)]
    explain: bool,

    /// Compile the catalog first, so that parameters of its resources are known
    #[arg(long, short = 'c')]
    compile: bool,

    /// How the value, or the explanation, is printed [default: yaml for a value, s for an explanation]
    #[arg(long = "format", visible_alias = "render-as", value_name = "FORMAT", ignore_case = true)]
    format: Option<Format>,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    main: ManifestArguments,

    #[command(flatten)]
    repository: RepositoryArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// As Ruby would put it into a text
    S,
    Json,
    Yaml,
}

/// Reads the JSON object of `--args`.
fn producer_arguments(text: &str) -> Result<Hash, String> {
    let value = pantin_values::data::json::load_typed(text.as_bytes());
    let value = value.map_err(|error| format!("it is no JSON object: {}", error.message))?;
    match value {
        Value::Hash(hash) => Ok(hash),
        _ => Err("it is no JSON object".to_owned()),
    }
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let asked = match arguments.ask(&console, surroundings) {
        Ok(asked) => asked,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let mut answers = Vec::new();
    let mut exit = Exit::Accepted;
    for (node, (log, answer)) in &asked.nodes {
        console.log(log)?;
        match answer {
            Ok(answer) => answers.push(NodeAnswer { node, environment: &asked.environment, answer }),
            Err(error) => {
                console.failure(&FailureReport::from_ended(error, None), &MachineDisk::default());
                exit = Exit::Rejected;
            }
        }
    }
    if answers.is_empty() {
        return Ok(exit);
    }
    let printed = match (arguments.explain, arguments.format) {
        (true, Some(Format::Json)) => escaped_json(format!("{:#}", json::explanation(&answers))),
        (true, _) => text::explanation(&answers),
        (false, format) => match arguments.values(&answers, &console)? {
            Some(value) => format.unwrap_or(Format::Yaml).text(&value),
            None => return Ok(Exit::Rejected),
        },
    };
    print(&printed, LogReader::of_stdout(surroundings))?;
    let has_all = answers.iter().all(|answer| answer.answer.injections.iter().all(ExplainedInjection::has_value));
    let is_enough = has_all || arguments.explain || arguments.default.is_some();
    Ok(if is_enough { exit } else { Exit::Rejected })
}

/// What the injector of a node says.
pub(super) struct NodeAnswer<'a> {
    node: &'a str,
    environment: &'a str,
    answer: &'a InjectionAnswer,
}

impl NodeAnswer<'_> {
    /// The value with texts in the place of what is secret in it.
    fn shown(&self, value: &Value) -> Value {
        let value = self.answer.decrypted.hide(value).unwrap_or_else(|| value.clone());
        super::lookup::with_redacted_texts(value)
    }

    /// The value as Puppet writes it, without what is secret in it.
    fn literal(&self, value: &Value) -> String {
        if matches!(value, Value::Sensitive(_)) {
            return ops::to_s(value).to_string();
        }
        let hidden = self.answer.decrypted.hide(value);
        pantin_values::format::literal(hidden.as_ref().unwrap_or(value)).to_string()
    }

    fn is_secret(&self, value: &Value) -> bool {
        value.holds_sensitive() || self.answer.decrypted.hide(value).is_some()
    }
}

/// The answers of all nodes.
struct AskedNodes {
    environment: String,
    nodes: Vec<(Str, NodeInjection)>,
}

impl Arguments {
    fn ask(&self, console: &ConsoleLog, surroundings: &Surroundings) -> Result<AskedNodes, OpenError> {
        let request = self.request();
        self.main.check()?;
        let options = self.repository.options(self.main.options())?;
        let mut repository = Repository::open(&options, &CacheOptions::Off, Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        let names = self.node.select_for_data(&repository, console, surroundings)?;
        if self.compile {
            settle_exports(&mut repository, &names)?;
        }
        let (mut environment, mut nodes) = (String::new(), Vec::with_capacity(names.len()));
        for name in names {
            let inputs = repository.inputs(&name)?;
            console.remarks(&inputs.prepared.remarks);
            environment.clone_from(&inputs.prepared.environment.name);
            nodes.push((name, inputs.inject(&request)?));
        }
        self.repository.answers.keep(&repository.compiler.answers).map_err(|error| error.to_string())?;
        Ok(AskedNodes { environment, nodes })
    }

    fn request(&self) -> InjectionRequest {
        let mut keys: Vec<WantedKey> = self.keys.iter().map(|key| self.wanted(key)).collect();
        keys.extend(self.parameter.iter().map(|name| WantedKey::Own(format!("/param/{name}").into())));
        if self.classes {
            keys.push(WantedKey::Own("/classes".into()));
        }
        if self.variables {
            keys.push(WantedKey::Variables);
        }
        InjectionRequest {
            keys,
            is_for_all: self.all,
            arguments: self.producer_arguments.clone(),
            compiles: self.compile,
        }
    }

    /// Returns a key as it was typed: a name, or a type.
    fn wanted(&self, key: &str) -> WantedKey {
        let value_type = self.of.as_deref().map(Str::from);
        if key.starts_with('/') {
            return WantedKey::Own(key.into());
        }
        let name = key.split('[').next().unwrap_or_default();
        let is_type = key.starts_with(|first: char| first.is_ascii_uppercase())
            && name.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | ':'))
            && (name.len() == key.len() || key.ends_with(']'));
        match is_type && value_type.is_none() {
            true => WantedKey::Type(key.into()),
            false => WantedKey::Name { name: key.into(), value_type },
        }
    }

    /// Returns the values alone: of one key and one node it, else as hashes. `None`: there is none, which was said.
    fn values(&self, answers: &[NodeAnswer<'_>], console: &ConsoleLog) -> io::Result<Option<Value>> {
        let mut nodes = Hash::default();
        for answer in answers {
            let injections = &answer.answer.injections;
            let mut values = Hash::default();
            for injection in injections {
                if let Some(value) = self.value(answer, injection, console)? {
                    values.insert(injection.explanation.key.name().into(), value);
                }
            }
            let is_one = injections.len() == 1 && !self.all && !self.variables;
            let of_node = match is_one {
                true => values.values().next().cloned(),
                false => Some(Value::Hash(values)),
            };
            if let Some(value) = of_node {
                nodes.insert(answer.node.into(), value);
            }
        }
        Ok(match answers.len() {
            1 => nodes.values().next().cloned(),
            _ => Some(Value::Hash(nodes)).filter(|nodes| *nodes != Value::Hash(Hash::default())),
        })
    }

    fn value(
        &self,
        answer: &NodeAnswer<'_>,
        injection: &ExplainedInjection,
        console: &ConsoleLog,
    ) -> io::Result<Option<Value>> {
        let default = || self.default.as_deref().map(Value::from);
        match &injection.explanation.value {
            Ok(Some(value)) => Ok(Some(answer.shown(value))),
            Ok(None) if self.default.is_some() => Ok(default()),
            Err(fault) if injection.is_unbound() && self.default.is_some() => {
                let _ = fault;
                Ok(default())
            }
            Ok(None) => {
                let message = format!("No binding found for {}", injection.explanation.key);
                console.say(Level::Err, &message)?;
                Ok(None)
            }
            Err(fault) => {
                console.say(Level::Err, &fault.message)?;
                if let Some(help) = &fault.help {
                    console.say(Level::Notice, &format!("help: {help}"))?;
                }
                Ok(None)
            }
        }
    }
}

impl Format {
    fn text(self, value: &Value) -> String {
        match self {
            Format::S => ops::to_s(value).to_string(),
            Format::Json => serde_json::to_string(&Rich::from_value(value)).map(escaped_json).unwrap_or_default(),
            Format::Yaml => to_yaml(value).unwrap_or_else(|_| ops::to_s(value).to_string()),
        }
    }
}

fn print(text: &str, reader: LogReader) -> io::Result<()> {
    let text = reader.shown(text);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        writeln!(out)?;
    }
    out.flush()
}

//! `pantin lookup`: the value of a key as a node sees it, and where it comes from.

use std::collections::BTreeSet;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use pantin_base::stack;
use pantin_compile::LogLine;
use pantin_compile::catalog::{DataQuestion, ExplainMode, LookupOutput};
use pantin_hiera::{Explainer, LookupRequest};
use pantin_model::catalog::Rich;
use pantin_model::trace::Level;
use pantin_repository::Repository;
use pantin_repository::answer::FailureReport;
use pantin_repository::options::{CacheOptions, OpenError};
use pantin_repository::timings::Timings;
use pantin_values::data::yaml::{symbol, to_yaml, to_yaml_with_anchors};
use pantin_values::{Fault, Hash, Resolve, Str, Type, Value, ops, ruby_class, types};
use pantin_world::{MachineDisk, Surroundings};

use super::Exit;
use super::args::names::NodeOption;
use super::args::repository::{RepositoryArguments, settle_exports};
use super::args::world::ManifestArguments;
use super::eval::print_heading;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::escaped_json;
use super::print::safe::workflow_log::LogReader;

/// Types of modules are not known here, in the real one either, which ends with an internal error then.
struct NoOthers;

impl Resolve for NoOthers {
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        Err(Fault::new(format!("there is no built-in type {name}, and others are not looked for")))
    }
}

/// Look up data
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin lookup ntp::servers --node web01.example.org --facts facts/
  pantin lookup ntp::servers --node web01.example.org --facts facts/ --explain
  pantin lookup ntp::servers --node 'web*' --facts facts/
  pantin lookup profiles --os debian-12 --merge unique --format json
  pantin lookup --explain-options --node web01.example.org

Of several keys the first that has a value counts. Of several nodes the values are printed as one hash by node.
Exit codes:
  0  there is a value, or it is explained why there is none
  1  there is none, or it cannot be looked up
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The keys; with `--explain-options` there may be none
    #[arg(value_name = "KEY", required_unless_present = "explain_options")]
    keys: Vec<String>,

    #[command(flatten)]
    node: NodeOption,

    /// How values of several levels become one
    #[arg(long, value_name = "STRATEGY", value_parser = ["first", "unique", "hash", "deep"])]
    merge: Option<String>,

    /// With `--merge deep`: what removes a value of a lower level
    #[arg(long, value_name = "PREFIX", requires = "merge")]
    knock_out_prefix: Option<String>,

    /// With `--merge deep`: arrays that were merged are sorted
    #[arg(long, requires = "merge")]
    sort_merged_arrays: bool,

    /// With `--merge deep`: hashes in arrays are merged
    #[arg(long, requires = "merge")]
    merge_hash_arrays: bool,

    /// The type that the value has to have
    #[arg(long = "type", value_name = "TYPE")]
    of: Option<String>,

    /// The value where there is none
    #[arg(long, value_name = "VALUE")]
    default: Option<String>,

    /// Say how the value was found; what is Sensitive, or was decrypted by eyaml, is redacted, wherever it was found
    #[arg(long)]
    explain: bool,

    /// Say how it was found out how the keys are to be looked up
    #[arg(long)]
    explain_options: bool,

    /// Compile the catalog first, so that the data sees the variables of its code
    #[arg(long, short = 'c')]
    compile: bool,

    /// How the value, or the explanation, is printed [default: yaml for a value, s for an explanation]
    #[arg(long = "format", visible_alias = "render-as", value_name = "FORMAT", ignore_case = true)]
    format: Option<Format>,

    /// The same as `--log-level info`
    #[arg(long, short = 'v')]
    verbose: bool,

    /// The same as `--log-level debug`
    #[arg(long, short = 'd')]
    debug: bool,

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
    /// No value of a look-up has this form
    Binary,
    /// As little as it has where the real command has no library for it
    Msgpack,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let console = match (arguments.debug, arguments.verbose) {
        (true, _) => console.with_level(Level::Debug),
        (_, true) => console.with_level(Level::Info),
        _ => console,
    };
    let looked = match arguments.look_up(&console, surroundings) {
        Ok(looked) => looked,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let reader = LogReader::of_stdout(surroundings);
    let exit = match looked.as_slice() {
        [(_, looked)] => {
            console.log(&looked.log)?;
            arguments.print_one(looked, &console, reader)?
        }
        many => arguments.print_many(many, &console, reader)?,
    };
    let names = if arguments.compile { BTreeSet::new() } else { unknown_variables(&looked) };
    if !names.is_empty() {
        let names: Vec<&str> = names.into_iter().collect();
        let help =
            format!("the data names variables of code ({}): --compile evaluates the code first", names.join(", "));
        console.say(Level::Notice, &help)?;
    }
    Ok(exit)
}

/// What Puppet says of a variable that the data names and nobody has set, before its name in quotes.
const UNKNOWN_VARIABLE: [&str; 2] = ["Interpolation failed with '", "Undefined variable '"];

/// Returns the variables that the data named and that were not there.
fn unknown_variables(looked: &[NodeLookup]) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (_, looked) in looked {
        let error = looked.result.as_ref().err().map(|ended| ended.text.as_str());
        names.extend(looked.log.iter().map(|line| line.text.as_str()).chain(error).filter_map(unknown_variable));
    }
    names
}

fn unknown_variable(text: &str) -> Option<&str> {
    let rest = UNKNOWN_VARIABLE.iter().find_map(|words| Some(text.split_once(words)?.1))?;
    rest.split_once('\'').map(|(name, _)| name)
}

/// What the look-up of a node gave.
type NodeLookup = (Str, LookupOutput);

impl Arguments {
    fn print_one(&self, looked: &LookupOutput, console: &ConsoleLog, reader: LogReader) -> io::Result<Exit> {
        let text = match (&looked.explanation, &looked.result) {
            (Some(explanation), _) => self.format.unwrap_or(Format::S).explanation(explanation),
            (None, Ok(value)) => self.format.unwrap_or(Format::Yaml).text(value),
            (None, Err(ended)) => {
                console.failure(&FailureReport::from_ended(ended, None), &MachineDisk::default());
                return Ok(Exit::Rejected);
            }
        };
        match text {
            Ok(text) => print_text(&text, reader).map(|()| Exit::Accepted),
            Err(reason) => {
                console.complain(&reason);
                Ok(Exit::Rejected)
            }
        }
    }

    /// Values as one hash by node; explanations one below the other.
    fn print_many(&self, looked: &[NodeLookup], console: &ConsoleLog, reader: LogReader) -> io::Result<Exit> {
        let mut exit = Exit::Accepted;
        let mut values = Hash::default();
        let mut said: BTreeSet<&str> = BTreeSet::new();
        for (name, looked) in looked {
            // The same line of several nodes is told once.
            let new: Vec<LogLine> = looked.log.iter().filter(|line| said.insert(&line.text)).cloned().collect();
            console.log(&new)?;
            if looked.explanation.is_some() {
                print_heading(name, console)?;
                if self.print_one(looked, console, reader)? != Exit::Accepted {
                    exit = Exit::Rejected;
                }
                continue;
            }
            match &looked.result {
                Ok(value) => values.insert(Value::String(name.clone()), value.clone()),
                Err(ended) => {
                    console.complain(&format!("{name}: {}", ended.text));
                    exit = Exit::Rejected;
                }
            }
        }
        if values.is_empty() {
            return Ok(exit);
        }
        match self.format.unwrap_or(Format::Yaml).text(&Value::Hash(values)) {
            Ok(text) => print_text(&text, reader).map(|()| exit),
            Err(reason) => {
                console.complain(&reason);
                Ok(Exit::Rejected)
            }
        }
    }
}

fn print_text(text: &str, reader: LogReader) -> io::Result<()> {
    let text = reader.shown(text);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        writeln!(out)?;
    }
    out.flush()
}

impl Format {
    /// `Err`: the value cannot be written so.
    fn text(self, value: &Value) -> Result<String, String> {
        match self {
            Format::S => Ok(ops::to_s(value).to_string()),
            Format::Json => {
                serde_json::to_string(&Rich::from_value(value)).map(escaped_json).map_err(|error| error.to_string())
            }
            Format::Yaml => to_yaml(value)
                .map_err(|of| format!("a value of the type {of} has no form in YAML; --format json or s has one")),
            Format::Binary | Format::Msgpack => Err(self.has_none(&ruby_class(value))),
        }
    }

    fn explanation(self, explanation: &Explainer) -> Result<String, String> {
        match self {
            Format::S => Ok(explanation.to_string().trim_end().to_owned()),
            Format::Json => self.text(&explanation.tree(|word| word.into())),
            // Words are symbols there, and what was found is one value wherever it goes.
            Format::Yaml => to_yaml_with_anchors(&with_redacted_texts(explanation.tree(symbol)))
                .map_err(|of| format!("a value of the type {of} has no form in YAML; --format json or s has one")),
            Format::Binary | Format::Msgpack => Err(self.has_none("Hash")),
        }
    }

    /// In the words of the real command.
    fn has_none(self, class: &str) -> String {
        let (method, kind) = match self {
            Format::Msgpack => ("to_msgpack", "application/x-msgpack"),
            _ => ("to_binary", "application/octet-stream"),
        };
        format!("Could not run: {class} does not respond to {method}; can not render instances to {kind}")
    }
}

/// YAML has no form for a secret: the text that stands for one.
pub(super) fn with_redacted_texts(value: Value) -> Value {
    if !value.holds_sensitive() {
        return value;
    }
    stack::with_room(|| match value {
        Value::Array(items) => Value::array(items.iter().cloned().map(with_redacted_texts)),
        Value::Hash(entries) => {
            let pairs = entries.iter().map(|(key, value)| (key.clone(), value.clone()));
            Value::hash(pairs.map(|(key, value)| (with_redacted_texts(key), with_redacted_texts(value))))
        }
        Value::Sensitive(_) => "Sensitive [value redacted]".into(),
        other => other,
    })
}

impl Arguments {
    fn look_up(&self, console: &ConsoleLog, surroundings: &Surroundings) -> Result<Vec<NodeLookup>, OpenError> {
        let question = self.question()?;
        self.main.check()?;
        let options = self.repository.options(self.main.options())?;
        let mut repository = Repository::open(&options, &CacheOptions::Off, Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        let names = self.node.select_for_data(&repository, console, surroundings)?;
        if self.compile {
            settle_exports(&mut repository, &names)?;
        }
        let mut looked = Vec::with_capacity(names.len());
        for name in names {
            let inputs = repository.inputs(&name)?;
            console.remarks(&inputs.prepared.remarks);
            if looked.is_empty() {
                console.remarks(&inputs.environment()?.remarks);
                console.remarks(&inputs.environment()?.own_remarks);
            }
            looked.push((name, inputs.look_up(&question)?));
        }
        self.repository.answers.keep(&repository.compiler.answers).map_err(|error| error.to_string())?;
        Ok(looked)
    }

    fn question(&self) -> Result<DataQuestion, OpenError> {
        let of = self.of.as_deref().map(|text| types::parse(text, &mut NoOthers)).transpose();
        let of = of.map_err(|fault| OpenError::Usage(format!("--type: {}", fault.message)))?;
        let explains = match (self.explain, self.explain_options) {
            (true, _) => Some(ExplainMode::Everything),
            (_, true) => Some(ExplainMode::Options),
            _ => None,
        };
        // The options that count for a key of no module are asked by this name.
        let keys = if self.keys.is_empty() {
            vec![Str::from("__global__")]
        } else {
            self.keys.iter().map(Str::from).collect()
        };
        let asked = LookupRequest {
            keys,
            value_type: of,
            default: self.default.as_deref().map(Value::from),
            merge: self.merging()?,
            ..LookupRequest::default()
        };
        Ok(DataQuestion { asked, compiles: self.compile, explains })
    }

    fn merging(&self) -> Result<Value, OpenError> {
        let Some(strategy) = &self.merge else { return Ok(Value::Undef) };
        if strategy != "deep" {
            if self.knock_out_prefix.is_some() || self.sort_merged_arrays || self.merge_hash_arrays {
                let only =
                    "--knock-out-prefix, --sort-merged-arrays and --merge-hash-arrays are for --merge deep alone";
                return Err(OpenError::Usage(only.to_owned()));
            }
            return Ok(strategy.as_str().into());
        }
        // An explanation shows them as they are put together here.
        let mut options = Hash::default();
        options.insert("strategy".into(), strategy.as_str().into());
        options.insert("sort_merged_arrays".into(), self.sort_merged_arrays.into());
        options.insert("merge_hash_arrays".into(), self.merge_hash_arrays.into());
        if let Some(prefix) = &self.knock_out_prefix {
            options.insert("knockout_prefix".into(), prefix.as_str().into());
        }
        Ok(Value::Hash(options))
    }
}

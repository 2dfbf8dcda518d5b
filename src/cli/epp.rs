//! `pantin epp`: renders a template.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pantin_base::Source;
use pantin_eval::builtins;
use pantin_repository::options::OpenError;
use pantin_syntax::SourceKind;
use pantin_values::data::json;
use pantin_values::label::a_an;
use pantin_values::{Hash, Value, ops};
use pantin_world::{Disk, MachineDisk, Surroundings, read_hash};

use super::Exit;
use super::args::evaluation::{EvaluationArguments, EvaluationContext, source};
use super::eval::{named, print_heading, read};
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::safe::workflow_log::LogReader;

/// Render an EPP template
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin epp motd.epp --facts facts.yaml
  pantin epp vhost.epp --values-file vhost.json --modulepath modules
  pantin epp motd/motd.epp --facts facts/ --node 'web*' --values '{ banner => \"hello\" }'
  echo 'Hello <%= $facts[os][name] %>' | pantin epp - --facts facts.json

In the folder of a control repository, or below it, its modules, functions and data are there. For several nodes the \
template is rendered once for each, below a line with the name.
The text goes to standard output as it is, the log and errors to standard error. A text that holds something \
sensitive is not shown.
Exit codes:
  0  the template was rendered
  1  it failed, or could not be read
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// The template: a file, MODULE/FILE as the function epp names it, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The template's parameters: a hash in Puppet's language, or a JSON object. They count before those of --values-file
    #[arg(long, value_name = "HASH", allow_hyphen_values = true)]
    values: Option<String>,

    /// The template's parameters: a JSON file, or a YAML file that is called so
    #[arg(long, value_name = "FILE")]
    values_file: Option<PathBuf>,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    evaluation: EvaluationArguments,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<stdin>").with_all_to_err();
    let (contexts, source, params) = match arguments.open(&console, surroundings) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let mut exit = Exit::Accepted;
    for context in &contexts {
        let Some(rendered) = render(context, &source, &params, &console) else {
            exit = Exit::Rejected;
            continue;
        };
        let text = LogReader::of_stdout(surroundings).shown(&rendered);
        if contexts.len() > 1 {
            print_heading(context.name(), &console)?;
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    Ok(match arguments.evaluation.keep_answers(&contexts) {
        Ok(()) => exit,
        Err(refused) => console.refuse(refused),
    })
}

impl Arguments {
    fn open(
        &self,
        console: &ConsoleLog,
        surroundings: &Surroundings,
    ) -> Result<(Vec<EvaluationContext>, Arc<Source>, Hash), OpenError> {
        let contexts = self.evaluation.contexts(console, surroundings)?;
        let disk = MachineDisk::default();
        let file = self.template(&contexts, &disk);
        let read_files = [Some(file.as_path()), self.values_file.as_deref()];
        read_files.into_iter().flatten().try_for_each(|file| self.evaluation.check_typed(file))?;
        let mut params =
            self.values_file.as_deref().map(|file| read_hash(&disk, file)).transpose()?.unwrap_or_default();
        if let (Some(text), Some(context)) = (&self.values, contexts.first()) {
            for (name, value) in inline_values(text, context)?.iter() {
                params.insert(name.clone(), value.clone());
            }
        }
        Ok((contexts, source(named(&file), read(&file)?)?, params))
    }

    /// The file as it is, or where that is none, the template of a module that goes by this name.
    fn template(&self, contexts: &[EvaluationContext], disk: &dyn Disk) -> PathBuf {
        let name = self.file.to_string_lossy();
        if name == "-" || disk.exists(&self.file) {
            return self.file.clone();
        }
        let names = [name.to_string(), format!("{name}.epp")];
        let found = contexts.first().and_then(|context| names.iter().find_map(|name| context.template_file(name)));
        found.unwrap_or_else(|| self.file.clone())
    }
}

/// Returns the hash that `--values` says. JSON is the same hash in Puppet's language, but for `:` and `null`.
fn inline_values(text: &str, context: &EvaluationContext) -> Result<Hash, OpenError> {
    let wrong = |reason: &str| OpenError::Usage(format!("--values: {reason}"));
    let value = match json::load(text.as_bytes()) {
        Ok(value) => value,
        Err(_) => {
            let source = source(None, text.as_bytes().to_vec())?;
            let request = context.request(source, SourceKind::Manifest, Hash::default());
            request.answer(builtins::all()).result.map_err(|ended| wrong(&ended.text))?
        }
    };
    match value {
        Value::Hash(values) => Ok(values),
        other => Err(wrong(&format!("it is no hash but {}", a_an(&other)))),
    }
}

/// What helps where a parameter has no value.
const WITHOUT_VALUE: &str = "--values '{ name => value }' and --values-file FILE give parameters their values";

/// Returns the text; `None` where the template failed and that has been said.
fn render(context: &EvaluationContext, source: &Arc<Source>, params: &Hash, console: &ConsoleLog) -> Option<String> {
    let request = context.request(Arc::clone(source), SourceKind::Template, params.clone());
    let answered = request.answer(builtins::all());
    // What goes to standard error cannot fail.
    let _ = console.log(&answered.log);
    match answered.result {
        Ok(value) => Some(ops::to_s(&value).to_string()),
        Err(mut ended) => {
            if let Some(failure) = &mut ended.failure
                && failure.help.is_none()
                && failure.message.contains("expects a value for parameter")
            {
                failure.help = Some(WITHOUT_VALUE.to_owned());
            }
            context.report_error(&ended, source, console);
            None
        }
    }
}

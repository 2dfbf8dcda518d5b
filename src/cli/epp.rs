//! `pantin epp`: renders a template.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pantin_base::Source;
use pantin_eval::builtins;
use pantin_repository::options::OpenError;
use pantin_syntax::SourceKind;
use pantin_values::{Hash, ops};
use pantin_world::{MachineDisk, Surroundings, read_hash};

use super::Exit;
use super::args::evaluation::{EvaluationArguments, EvaluationContext, source};
use super::eval::{named, print_heading, read};
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::printable;

/// Render an EPP template
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin epp motd.epp --facts facts.yaml
  pantin epp vhost.epp --values-file vhost.json --modulepath modules
  pantin epp modules/motd/templates/motd.epp --facts facts/ --node 'web*'
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
    /// The template, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

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
    let (contexts, source, params) = match arguments.open(&console) {
        Ok(opened) => opened,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let mut exit = Exit::Accepted;
    for context in &contexts {
        let Some(rendered) = render(context, &source, &params, &console) else {
            exit = Exit::Rejected;
            continue;
        };
        let text = if surroundings.stdout_is_terminal { printable(&rendered) } else { rendered.as_str().into() };
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
    fn open(&self, console: &ConsoleLog) -> Result<(Vec<EvaluationContext>, Arc<Source>, Hash), OpenError> {
        let contexts = self.evaluation.contexts(console)?;
        let disk = MachineDisk::default();
        let params = self.values_file.as_deref().map(|file| read_hash(&disk, file)).transpose()?;
        Ok((contexts, source(named(&self.file), read(&self.file)?)?, params.unwrap_or_default()))
    }
}

/// The text; `None` where the template failed and that has been said.
fn render(context: &EvaluationContext, source: &Arc<Source>, params: &Hash, console: &ConsoleLog) -> Option<String> {
    let request = context.request(Arc::clone(source), SourceKind::Template, params.clone());
    let answered = request.answer(builtins::all());
    // What goes to standard error cannot fail.
    let _ = console.log(&answered.log);
    match answered.result {
        Ok(value) => Some(ops::to_s(&value).to_string()),
        Err(ended) => {
            console.error(&ended, source);
            None
        }
    }
}

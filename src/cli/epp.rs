//! `pantin epp`: renders a template.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use pantin_eval::builtins;
use pantin_repository::options::OpenError;
use pantin_syntax::SourceKind;
use pantin_values::ops;
use pantin_world::{MachineDisk, Surroundings, read_hash};

use super::Exit;
use super::args::evaluation::{EvaluationArguments, source};
use super::eval::{named, read};
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::printable;

/// Render an EPP template
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin epp motd.epp --facts facts.yaml
  pantin epp vhost.epp --values-file vhost.json --modulepath modules
  echo 'Hello <%= $facts[os][name] %>' | pantin epp - --facts facts.json

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
    let rendered = match arguments.render(&console) {
        Ok(Some(rendered)) => rendered,
        Ok(None) => return Ok(Exit::Rejected),
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let text = if surroundings.stdout_is_terminal { printable(&rendered) } else { rendered.as_str().into() };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Accepted)
}

impl Arguments {
    /// The text; `None` where the template failed and that has been said.
    fn render(&self, console: &ConsoleLog) -> Result<Option<String>, OpenError> {
        let ground = self.evaluation.ground()?;
        console.remarks(&ground.remarks);
        let params = self
            .values_file
            .as_deref()
            .map(|file| read_hash(&MachineDisk::default(), file))
            .transpose()?
            .unwrap_or_default();
        let source = source(named(&self.file), read(&self.file)?)?;
        let answered = ground.request(source.clone(), SourceKind::Template, params).answer(builtins::all());
        // What goes to standard error cannot fail.
        let _ = console.log(&answered.log);
        match answered.result {
            Ok(value) => Ok(Some(ops::to_s(&value).to_string())),
            Err(ended) => {
                console.error(&ended, &source);
                Ok(None)
            }
        }
    }
}

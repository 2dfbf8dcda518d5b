//! The prompt of `pantin eval`: one input after the other, each in the world that those before it left.

mod assistant;

use std::io;

use pantin_compile::Session;
use pantin_eval::builtins;
use pantin_model::trace::Trace;
use pantin_syntax::SourceKind;
use pantin_values::{Hash, Type, Value, format};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{CompletionType, Config, Editor};

use self::assistant::{Assistant, Names};
use super::Exit;
use super::args::evaluation::{EvaluationContext, source};
use super::doc::describe;
use super::print::console_log::ConsoleLog;

const HELP: &str = "\
Code is evaluated line by line; what is not complete goes on in the next line. Variables, functions
and type aliases stay; a later function or alias takes the place of an earlier one of its name.
  :type EXPR   the type of what an expression is worth
  :doc NAME    what a function or a type is for
  :trace       what the last input read from outside itself, and what it did
  :help        this
  :quit        the end, as Ctrl-D
Tab completes names, Ctrl-C leaves an input.";

pub(super) fn run(context: &EvaluationContext, console: &ConsoleLog) -> io::Result<Exit> {
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let assistant = Assistant { names: Names::default(), settings: context.syntax() };
    let history = MemHistory::with_config(&config);
    let mut editor = Editor::with_history(config, history).map_err(io::Error::other)?;
    editor.set_helper(Some(assistant));
    let mut dialogue = Dialogue { context, console, session: Session::default(), last: None };
    loop {
        if let Some(assistant) = editor.helper_mut() {
            assistant.names = dialogue.names();
        }
        match editor.readline("pantin> ") {
            Ok(input) => {
                if dialogue.take(input.trim())? == PromptStep::Quit {
                    return Ok(Exit::Accepted);
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return Ok(Exit::Accepted),
            Err(error) => return Err(io::Error::other(error)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PromptStep {
    Input,
    Quit,
}

struct Dialogue<'g> {
    context: &'g EvaluationContext,
    console: &'g ConsoleLog,
    session: Session,
    /// Of the last input; `None` where none was kept.
    last: Option<Trace>,
}

impl Dialogue<'_> {
    fn names(&self) -> Names {
        let own = ["facts", "trusted", "server_facts", "environment"];
        let variables = own.into_iter().chain(self.context.fact_names()).chain(self.session.variable_names());
        Names::new(variables, self.session.function_names(), self.session.type_names())
    }

    fn take(&mut self, input: &str) -> io::Result<PromptStep> {
        let (command, rest) = input.split_once(char::is_whitespace).unwrap_or((input, ""));
        match command {
            "" => {}
            ":quit" | ":q" => return Ok(PromptStep::Quit),
            ":help" => self.console.print(HELP)?,
            ":type" => {
                if let Some(value) = self.evaluate(rest)? {
                    self.console.print(&Type::infer(&value).to_string())?;
                }
            }
            ":doc" => match describe(rest.trim()) {
                Some(text) => self.console.print(text.trim_end())?,
                None => self.console.complain(&format!("nothing is called '{}'", rest.trim())),
            },
            ":trace" => match &self.last {
                Some(trace) => self.console.print(trace.dump().trim_end())?,
                None => self
                    .console
                    .complain("the last input left no trace: it did not run, was too long, or asked the time"),
            },
            _ if command.starts_with(':') && !command.starts_with("::") => {
                self.console.complain(&format!("there is no command {command}; :help tells which there are"));
            }
            _ => {
                if let Some(value) = self.evaluate(input)? {
                    self.console.print(&format!("=> {}", format::literal(&value)))?;
                }
            }
        }
        Ok(PromptStep::Input)
    }

    /// Returns the value of an input; `None` where it failed and that has been said.
    fn evaluate(&mut self, input: &str) -> io::Result<Option<Value>> {
        let source = match source(None, input.as_bytes().to_vec()) {
            Ok(source) => source,
            Err(message) => {
                self.console.complain(&message);
                return Ok(None);
            }
        };
        let request = self.context.request(source.clone(), SourceKind::Manifest, Hash::default());
        let (answered, trace) = request.answer_in(&mut self.session, builtins::all());
        self.last = trace;
        self.console.log(&answered.log)?;
        match answered.result {
            Ok(value) => Ok(Some(value)),
            Err(ended) => {
                self.context.report_error(&ended, &source, self.console);
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::evaluation::EvaluationArguments;
    use crate::print::console_log::LogArguments;
    use pantin_world::Surroundings;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        log: LogArguments,
        #[command(flatten)]
        evaluation: EvaluationArguments,
    }

    #[test]
    fn what_was_accepted_stays() {
        let options = Options::parse_from(["test"]);
        let console = options.log.console(&Surroundings::default(), "<input>");
        let contexts = options.evaluation.contexts(&console, &Surroundings::default()).unwrap();
        let mut dialogue =
            Dialogue { context: &contexts[0], console: &console, session: Session::default(), last: None };
        let mut worth =
            |input: &str| dialogue.evaluate(input).unwrap().map(|value| format::literal(&value).to_string());
        assert_eq!(worth("$x = [1, 2]").as_deref(), Some("[1, 2]"));
        assert_eq!(worth("$y = 5 + $nowhere"), None);
        assert_eq!(worth("function double($n) { $n * 2 } type Small = Integer[0, 9]").as_deref(), Some("undef"));
        assert_eq!(worth("[double($x[1]), 12 =~ Small, 3 =~ Small]").as_deref(), Some("[4, false, true]"));
        assert_eq!(worth("function double($n) { $n * 3 }").as_deref(), Some("undef"));
        assert_eq!(worth("double($x[1])").as_deref(), Some("6"));
        assert_eq!(worth("$x = 1"), None, "it is assigned already");
        assert_eq!(worth("double(1").as_deref(), None);
        assert_eq!(worth("$x[0]").as_deref(), Some("1"));
        let trace = dialogue.last.as_ref().unwrap().dump();
        assert_eq!(trace, "ask $x[0] → 1\nend 1\n");
        assert_eq!(dialogue.take(":quit").unwrap(), PromptStep::Quit);
    }
}

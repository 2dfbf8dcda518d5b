//! The options of the commands that evaluate a program by itself, and the requests they make.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pantin_base::Source;
use pantin_compile::{CompileError, Request};
use pantin_repository::node_compiler::lacks_facts;
use pantin_repository::options::{CacheOptions, MainManifest, OpenError};
use pantin_repository::timings::Timings;
use pantin_repository::{NodeInputs, Repository, breach_of_typed_file};
use pantin_syntax::SourceKind;
use pantin_values::Hash;
use pantin_world::{Remark, Surroundings, absolute_path, now};

use super::names::NodeOption;
use super::repository::{RepositoryArguments, settle_exports};
use crate::print::console_log::ConsoleLog;

#[derive(Debug, Args)]
pub(crate) struct EvaluationArguments {
    #[command(flatten)]
    node: NodeOption,

    #[command(flatten)]
    repository: RepositoryArguments,
}

/// A node for which sources are evaluated, in its environment.
pub(crate) struct EvaluationContext {
    inputs: NodeInputs,
    request: Request,
    /// Said of an error that comes of facts that nobody gave.
    facts_remark: Option<Remark>,
}

impl EvaluationArguments {
    /// Returns the nodes that are meant. `Err`: what is known of them cannot be read, or what was typed is not there.
    pub(crate) fn contexts(
        &self,
        console: &ConsoleLog,
        surroundings: &Surroundings,
    ) -> Result<Vec<EvaluationContext>, OpenError> {
        // The environment's own manifest is not evaluated, and there need not be an environment.
        let options = self.repository.options(MainManifest::Code(String::new()))?;
        let mut repository = Repository::open(&options, &CacheOptions::Off, Timings::none())?;
        console.remarks(&repository.compiler.world.remarks);
        let names = self.node.select_one(&repository, console, surroundings)?;
        settle_exports(&mut repository, &names)?;
        let facts_remark = self.node.unsaid_remark(&repository, &names);
        let mut contexts: Vec<EvaluationContext> = Vec::with_capacity(names.len());
        for name in &names {
            let inputs = repository.inputs(name)?;
            let is_new =
                |known: &EvaluationContext| known.inputs.prepared.environment.name != inputs.prepared.environment.name;
            if contexts.iter().all(is_new) {
                console.remarks(&inputs.environment()?.remarks);
                console.remarks(&inputs.environment()?.own_remarks);
            }
            console.remarks(&inputs.prepared.remarks);
            let request = inputs.program_request()?;
            contexts.push(EvaluationContext { inputs, request, facts_remark: facts_remark.clone() });
        }
        Ok(contexts)
    }

    /// Refuses a file that was typed, if it is a link in the repository that leads out of the fence.
    pub(crate) fn check_typed(&self, file: &Path) -> Result<(), OpenError> {
        if file.as_os_str() == "-" {
            return Ok(());
        }
        let options = self.repository.options(MainManifest::Code(String::new()))?;
        match breach_of_typed_file(&options, file)? {
            None => Ok(()),
            Some(breach) => Err(OpenError::Failed(format!("Cannot read {}: it {breach}", file.display()))),
        }
    }

    /// Writes down what commands said, if that is wanted.
    pub(crate) fn keep_answers(&self, contexts: &[EvaluationContext]) -> Result<(), OpenError> {
        let kept = contexts.first().map(|context| self.repository.answers.keep(context.inputs.answers()));
        kept.unwrap_or(Ok(())).map_err(|error| OpenError::Failed(error.to_string()))
    }
}

impl EvaluationContext {
    pub(crate) fn name(&self) -> &str {
        self.inputs.name()
    }

    pub(crate) fn request(&self, source: Arc<Source>, kind: SourceKind, params: Hash) -> Request {
        // A prompt goes on for a while.
        Request { source, kind, params, now: now(), ..self.request.clone() }
    }

    /// Prints an error of the code, and what is said of facts that it wants and nobody gave.
    pub(crate) fn report_error(&self, ended: &CompileError, source: &Arc<Source>, console: &ConsoleLog) {
        console.error(ended, source);
        if lacks_facts(&ended.text) {
            console.remarks(self.facts_remark.as_slice());
        }
    }

    /// Returns the file of a module's template, by the name that the function `epp` has for it.
    pub(crate) fn template_file(&self, name: &str) -> Option<PathBuf> {
        self.inputs.environment().ok()?.site.template_file(name)
    }

    /// By which rules its code is parsed.
    pub(crate) fn syntax(&self) -> pantin_syntax::Settings {
        let Request { settings, tasks, .. } = self.request;
        pantin_syntax::Settings {
            strict: settings.strict,
            tasks,
            ..pantin_syntax::Settings::from_language(settings.language)
        }
    }

    /// Names of the facts.
    pub(crate) fn fact_names(&self) -> impl Iterator<Item = &str> {
        self.inputs.prepared.node.facts.iter().filter_map(|(name, _)| name.as_str())
    }
}

/// A source out of what was read, or the sentence that says why it is none.
pub(crate) fn source(name: Option<&Path>, bytes: Vec<u8>) -> Result<Arc<Source>, String> {
    let name = name.map(|name| absolute_path(name).to_string_lossy().into_owned());
    Source::from_bytes(name.as_deref(), bytes)
        .map(Arc::new)
        .map_err(|error| pantin_syntax::unreadable_source(error).one_line(name.as_deref()))
}

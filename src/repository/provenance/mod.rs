//! Why a node's catalog is as it is: from a resource, a parameter, a class or a key to the code, the data and the facts that it comes
//! from. It must not know how reasons are shown.
//!
//! The node is compiled once more, all of its code is run, and each evaluation is recorded (`pantin_model::evaluation`): one node
//! takes less time than a person notices, a fleet pays nothing, and what is said can be no older than the files. Of all this only what
//! code uses is stored (`crate::stored_uses`), once somebody has asked for it.
//!
//! ```text
//! values.rs      from a value to what it was made of
//! parameters.rs  from a parameter to whoever set it: declaration, override, collector, defaults, data
//! reach.rs       from a body to the includes and declarations that led to it
//! absent.rs      from a resource that is not there to the declarations that were not reached
//! keys.rs        the keys that code asks for, with what it is told
//! uses.rs        from a fact, a key or a file to the code that uses it
//! declarations.rs  where manifests declare a resource or include a class, whether the node gets there or not
//! ```

mod absent;
mod declarations;
mod keys;
mod parameters;
mod reach;
mod reason;
mod uses;
mod values;

pub use keys::KeyLookup;
pub use reason::{Reason, ReasonKind, Setter, SourcePlace};
pub use uses::{CodeUse, CodeUses, UsedThing};

use std::sync::Arc;

use pantin_base::{Language, nearest};
use pantin_compile::catalog::{Compilation, DataQuestion, ExplainMode};
use pantin_hiera::LookupRequest;
use pantin_model::evaluation::{EvaluationKind, EvaluationRecord};
use pantin_values::{Str, Value};
use pantin_world::Disk;

use crate::Repository;
use crate::answer::FailureReport;
use crate::answer_error::AnswerError;
use crate::inputs::NodeInputs;
use crate::node_compiler::NodeToPrepare;
use values::ValueExplainer;

/// What a person asks about a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyQuestion {
    /// How a resource came into the catalog, and who set its parameters, or one of them.
    Resource { reference: String, parameter: Option<String> },
    /// How a class came into the catalog.
    Class(String),
    /// Why a resource, or a class, is not in the catalog.
    Absent(String),
    /// Where the value of a key of the data comes from, and which code asks for it.
    Key(String),
}

/// How the node's catalog came about.
pub struct Provenance {
    record: EvaluationRecord,
    inputs: NodeInputs,
    /// What came of it, with what was read.
    pub(crate) compiled: Compilation,
    disk: Arc<dyn Disk>,
    language: Language,
    /// Why the node has no catalog. The record goes as far as the code was run.
    pub failure: Option<FailureReport>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The catalog has no such resource, class, parameter or key; with one that may have been meant.
    Unknown {
        what: String,
        near: Option<String>,
        help: Option<String>,
    },
    Inputs(AnswerError),
}

impl Provenance {
    /// Compiles a node, and records how.
    pub fn record(repository: &Repository, node: &str) -> Result<Provenance, AnswerError> {
        Provenance::from_inputs(repository, repository.inputs(node)?)
    }

    /// The same of a node that is classified.
    pub fn record_classified(repository: &Repository, node: &NodeToPrepare) -> Result<Provenance, AnswerError> {
        Provenance::from_inputs(repository, repository.classified_inputs(node)?)
    }

    fn from_inputs(repository: &Repository, inputs: NodeInputs) -> Result<Provenance, AnswerError> {
        let (compiled, record) = inputs.compile_recorded()?;
        let world = &repository.compiler.world;
        let (disk, language) = (Arc::clone(&world.disk), world.settings.language());
        let failure = compiled.result.as_ref().err().map(|ended| FailureReport::from_ended(ended, None));
        Ok(Provenance { record, inputs, compiled, disk, language, failure })
    }

    pub fn answer(&self, question: &WhyQuestion) -> Result<Reason, NoAnswer> {
        let mut reason = match question {
            WhyQuestion::Resource { reference, parameter } => self.resource(reference, parameter.as_deref())?,
            WhyQuestion::Class(name) => self.class(name)?,
            WhyQuestion::Absent(reference) => self.absent(reference)?,
            WhyQuestion::Key(key) => self.key(key)?,
        };
        reason.hide_secrets(&self.compiled.decrypted, false);
        Ok(reason)
    }

    pub(crate) fn inputs(&self) -> &NodeInputs {
        &self.inputs
    }

    fn explainer(&self) -> ValueExplainer<'_> {
        ValueExplainer::new(&self.record, &self.inputs)
    }

    /// Returns the index of a resource by its reference; a class by any spelling of its name.
    fn find(&self, reference: &str) -> Option<usize> {
        let (type_name, title) = split(reference)?;
        let type_name = type_name.trim_start_matches("::");
        let is_class = type_name.eq_ignore_ascii_case("class");
        let title = if is_class { title.trim_start_matches("::") } else { title };
        self.record.resources.iter().position(|resource| {
            resource.type_name.eq_ignore_ascii_case(type_name)
                && (resource.title == title || is_class && resource.title.eq_ignore_ascii_case(title))
        })
    }

    fn known(&self, reference: &str) -> Result<usize, NoAnswer> {
        let found = self.find(reference).filter(|index| !self.record.resources[*index].is_virtual);
        found.ok_or_else(|| {
            let references: Vec<String> = self.record.resources.iter().map(|resource| resource.reference()).collect();
            let near = nearest(reference, references.iter().map(String::as_str)).map(str::to_owned);
            let help = near.is_none().then(|| format!("pantin why --not '{reference}' says what kept it away"));
            NoAnswer::Unknown { what: format!("the catalog has no {reference}"), near, help }
        })
    }

    fn resource(&self, reference: &str, parameter: Option<&str>) -> Result<Reason, NoAnswer> {
        let index = self.known(reference)?;
        let resource = &self.record.resources[index];
        let mut reason = Reason::new(ReasonKind::Resource(resource.reference()));
        reason.reasons.extend(self.reasons_of_declaration(index));
        match parameter {
            Some(name) => {
                let name: Str = name.to_lowercase().into();
                if resource.parameter(&name).is_none() {
                    let names = resource.parameters.iter().map(|parameter| parameter.name.as_str());
                    let near = nearest(&name, names).map(str::to_owned);
                    let what = format!("nothing sets {name} of {}", resource.reference());
                    return Err(NoAnswer::Unknown { what, near, help: None });
                }
                reason.reasons.push(self.explainer().parameter(index, &name));
            }
            None => {
                for parameter in &resource.parameters {
                    let mut known = self.explainer().parameter(index, &parameter.name);
                    known.cut_below(1);
                    reason.reasons.push(known);
                }
            }
        }
        Ok(reason)
    }

    fn class(&self, name: &str) -> Result<Reason, NoAnswer> {
        let index = self.known(&format!("Class[{name}]"))?;
        let mut reason = Reason::new(ReasonKind::Resource(self.record.resources[index].reference()));
        reason.place = self.definition_place(index);
        reason.reasons = self.reasons_of_body(index);
        Ok(reason)
    }

    // ---- data ----

    fn key(&self, key: &str) -> Result<Reason, NoAnswer> {
        let mut reason = Reason::new(ReasonKind::Lookup { key: key.to_owned(), is_found: true });
        for (id, evaluation) in self.record.iter() {
            let EvaluationKind::Lookup(lookup) = &evaluation.kind else { continue };
            if lookup.key != key {
                continue;
            }
            if reason.value.is_none() {
                reason = self.explainer().lookup(id);
            }
            reason.reasons.push(self.asker(id));
        }
        match reason.value {
            Some(_) => Ok(reason),
            None => self.unasked_key(key, reason),
        }
    }

    /// Returns a key that no code of the node asks for: what the data would answer.
    fn unasked_key(&self, key: &str, mut reason: Reason) -> Result<Reason, NoAnswer> {
        let asked = LookupRequest { keys: vec![key.into()], ..LookupRequest::default() };
        let question = DataQuestion { asked, compiles: true, explains: Some(ExplainMode::Everything) };
        let looked = self.inputs.look_up(&question).map_err(NoAnswer::Inputs)?;
        let value = looked.result.map_err(|ended| {
            let help = ended.failure.as_ref().and_then(|failure| failure.help.clone());
            NoAnswer::Unknown { what: ended.text, near: None, help }
        })?;
        let origins = looked.explanation.map(|explained| explained.origins(key)).unwrap_or_default();
        reason.value = Some(value);
        reason.reasons = origins
            .into_iter()
            .map(|origin| {
                let mut level = Reason::new(ReasonKind::DataLevel { level: origin.level, is_overridden: false });
                let file = origin.file.map(|file| file.to_string_lossy().into_owned());
                level.place = file.map(|file| SourcePlace { file: Some(file.into()), line: None });
                level
            })
            .collect();
        reason.reasons.push(Reason::new(ReasonKind::AskedByNobody));
        Ok(reason)
    }
}

/// `Type[title]`
fn split(reference: &str) -> Option<(&str, &str)> {
    let (type_name, rest) = reference.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    let title = title.trim_matches(|quote| quote == '\'' || quote == '"');
    Some((type_name, title)).filter(|(type_name, _)| !type_name.is_empty())
}

/// Returns a name as Puppet compares it.
fn normalized(name: &str) -> String {
    name.trim_start_matches("::").to_lowercase()
}

/// Returns a text of code in one line that is not too long.
fn short_code(text: &str) -> String {
    const MOST: usize = 100;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::Unknown { what, .. } => f.write_str(what),
            NoAnswer::Inputs(error) => error.fmt(f),
        }
    }
}

/// A value that stands for one that nobody is shown.
fn secret() -> Value {
    Value::sensitive(Value::Undef)
}

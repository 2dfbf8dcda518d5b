//! The inputs of a node's catalog: facts, trusted data, classification, environment. With them data is looked up, and a catalog
//! compiled that is neither stored nor found in the store.

use std::sync::Arc;

use pantin_apply::{NodeSystem, Refusal, check_catalog};
use pantin_compile::catalog::{Compilation, DataQuestion, LookupOutput};
use pantin_compile::{CompileError, InjectionAnswer, InjectionRequest, LogLine, NodeBlock, NodeRequest, Request};
use pantin_model::catalog::Catalog;
use pantin_model::evaluation::EvaluationRecord;
use pantin_world::{Answers, Dependencies, Remark};

use crate::answer_error::AnswerError;
use crate::catalog_check::SitePlugins;
use crate::node_compiler::Exports;
use crate::query::{Prepared, ReadyEnvironment};

/// What was logged when an injector was asked, and what it said.
pub type NodeInjection = (Vec<LogLine>, Result<InjectionAnswer, CompileError>);

/// What a node's catalog is compiled from, beside the files of its environment.
#[derive(Clone)]
pub struct NodeInputs {
    pub prepared: Prepared,
    pub(crate) ready: Result<Arc<ReadyEnvironment>, String>,
    pub(crate) answers: Arc<Answers>,
    /// What the nodes have exported, where exported resources are collected.
    pub(crate) exports: Option<Exports>,
    /// What the node and its environment were read from.
    pub(crate) dependencies: Vec<Dependencies>,
}

impl NodeInputs {
    pub fn name(&self) -> &str {
        &self.prepared.node.name
    }

    /// Returns the resources of a catalog that the agent of a node with this system would refuse, by what the modules of this node's
    /// environment bring.
    pub fn refused_resources(&self, catalog: &Catalog, system: &NodeSystem) -> Result<Vec<Refusal>, String> {
        let ready = self.ready.as_ref().map_err(Clone::clone)?;
        Ok(check_catalog(catalog, system, &SitePlugins::new(&ready.site)))
    }

    /// Returns what is said of the node before its environment is read.
    pub fn node_remarks(&self) -> Vec<Remark> {
        let clashes = self.prepared.node.clashes(&self.prepared.environment.name);
        self.prepared.remarks.iter().cloned().chain(clashes).collect()
    }

    /// Returns the node's environment, ready to compile in; nodes of one environment share it.
    pub fn environment(&self) -> Result<&Arc<ReadyEnvironment>, AnswerError> {
        self.ready.as_ref().map_err(|reason| AnswerError::Environment(reason.clone()))
    }

    /// Returns the node block of the manifests that is meant for the node; `Err`: why there is none.
    pub fn node_block(&self) -> Result<Result<Option<NodeBlock>, String>, AnswerError> {
        Ok(self.environment()?.site.node_block(self.name()))
    }

    /// Returns the value of a key as the node sees it.
    pub fn look_up(&self, question: &DataQuestion) -> Result<LookupOutput, AnswerError> {
        Ok(self.environment()?.site.lookup(&self.request()?, question))
    }

    /// Returns what is bound to keys as the node sees it, with the log of finding out.
    pub fn inject(&self, question: &InjectionRequest) -> Result<NodeInjection, AnswerError> {
        Ok(self.environment()?.site.inject(&self.request()?, question))
    }

    /// Compiles the node by way of the traces that earlier nodes of its environment left.
    pub fn compile(&self) -> Result<Compilation, AnswerError> {
        let ready = self.environment()?;
        Ok(ready.site.compile(&self.request()?, Some(&ready.traces)))
    }

    /// Compiles the node once more, all of its code, and records how each value comes about.
    pub(crate) fn compile_recorded(&self) -> Result<(Compilation, EvaluationRecord), AnswerError> {
        Ok(self.environment()?.site.compile_recorded(&self.request()?))
    }

    fn request(&self) -> Result<NodeRequest, AnswerError> {
        let request = self.environment()?.request(&self.prepared);
        Ok(NodeRequest {
            answers: Arc::clone(&self.answers),
            collects_exported: self.exports.is_some(),
            exports: self.exports.clone().unwrap_or_default(),
            ..request
        })
    }

    /// Returns a request for a program that is evaluated by itself for the node; without code.
    pub fn program_request(&self) -> Result<Request, AnswerError> {
        Ok(self.environment()?.site.program_request(self.request()?))
    }

    /// Returns what the network and commands said.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }
}

impl std::fmt::Debug for NodeInputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeInputs").field("name", &self.name()).finish_non_exhaustive()
    }
}

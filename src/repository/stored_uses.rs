//! What the code of nodes uses, of this run or of an earlier one: a node is compiled for it once, and not again before something changes
//! that it depends on. Only where somebody asks for it is it stored.
//!
//! Code is shown as it is written, so that here all of a manifest counts: neither lines nor spaces may have moved.

use crate::AnswerError;
use crate::Repository;
use crate::node_compiler::{NodeCompiler, NodeToPrepare, READERS};
use crate::persist::{Cache, Readers, decoded, encoded_in};
use crate::provenance::{CodeUses, Provenance};
use crate::stored_answers::{NodeQuestion, StoredAnswers, StoredText};

/// Uses of code in this form.
const KIND: &str = "uses 1";

/// Bytes of the uses of a usual node.
const USUAL_BYTES: usize = 16 << 10;

const WHOLE_MANIFESTS: Readers = Readers { code: |_| None, ..READERS };

pub(crate) struct StoredUses(StoredAnswers);

impl StoredUses {
    /// `None`: what the options ask for is not stored.
    pub(crate) fn open(compiler: &NodeCompiler, cache: &Cache, has_exports: bool) -> Option<StoredUses> {
        let options = has_exports.to_string();
        StoredAnswers::open_ledger(compiler, cache, KIND, &options, WHOLE_MANIFESTS).map(StoredUses)
    }

    fn find(&self, question: NodeQuestion<'_>) -> Option<CodeUses> {
        let found = self.0.find_hit(question)?;
        decoded(&self.0.content(&found)?).filter(CodeUses::is_sound)
    }

    fn store(&self, question: NodeQuestion<'_>, recorded: &Provenance, uses: &CodeUses) -> Option<()> {
        let (prepared, compiled) = (&recorded.inputs().prepared, &recorded.compiled);
        // Facts have chosen the environment, and no answer says which of them.
        if compiled.is_volatile || prepared.environment.bindings.is_from_environments_file {
            return None;
        }
        let dependencies = question.compiler.dependencies(&recorded.inputs().dependencies, compiled);
        let content = encoded_in(uses, USUAL_BYTES)?;
        let said = StoredText { is_movable: false, summary: Vec::new(), content: &content };
        self.0.store_text(question, prepared, compiled, &dependencies, said)
    }

    /// Writes what was added.
    pub(crate) fn close(self) {
        self.0.close();
    }
}

impl Repository {
    /// Returns what the code of a node uses, and whether an earlier run has found that.
    pub(crate) fn code_uses(
        &self,
        stored: Option<&StoredUses>,
        node: &NodeToPrepare,
    ) -> Result<(CodeUses, bool), AnswerError> {
        let question = NodeQuestion { compiler: &self.compiler, node, exports: self.exports.as_ref() };
        if let Some(uses) = stored.and_then(|stored| stored.find(question)) {
            return Ok((uses, true));
        }
        let recorded = Provenance::record_classified(self, node)?;
        let uses = recorded.code_uses();
        if let Some(stored) = stored {
            stored.store(question, &recorded, &uses);
        }
        Ok((uses, false))
    }
}

//! Compiles one node for the engine: its bodies are walked again, and code runs where an answer is new. Knows nothing of patches.

use std::sync::{Arc, PoisonError};

use pantin_apply::NodeSystem;
use pantin_compile::{LogLine, NodeRequest};
use pantin_model::trace::WalkKind;
use pantin_values::Str;
use pantin_world::Remark;

use super::answer::{Answer, AnswerFailure, FindingsCell, HowComputed, NodeCatalog};
use super::blocks::DependencySet;
use super::database::{self, Database, Db, Name};
use super::evictable_facts::EvictableFacts;
use super::exported::{ALONE, Round};
use super::patch::{LastAnswer, Observed, PatchRefusal};
use super::pool::Pool;
use super::recorded::{Basis, RecordedAnswer};
use crate::own_words::OwnWords;

/// Returns what a node is answered in a round. `refusal`: why its last catalog is not patched; `None` where none is.
pub(super) fn compile(
    db: &Database,
    node: &Str,
    round: Round,
    basis: Result<Basis, Arc<str>>,
    refusal: Option<PatchRefusal>,
    pool: &Pool,
) -> RecordedAnswer {
    let basis = match basis {
        Ok(basis) => basis,
        Err(reason) => return unread(db, node, Err(Arc::clone(&reason)), refusal, &reason),
    };
    let whole = match basis.prepared.with_facts(&**basis.opened, &database::disk(db), round == ALONE) {
        Ok(whole) => whole,
        Err(reason) => {
            // The facts were edited while they were read. If they are edited back, no dependency shows it.
            let volatile_in = Some(revision(db));
            return RecordedAnswer { volatile_in, ..unread(db, node, Ok(basis), refusal, &reason) };
        }
    };
    match basis.opened.request(&whole, &basis.ready) {
        Ok(request) => compile_request(db, (node, round), request, basis, refusal, pool),
        Err(reason) => unread(db, node, Ok(basis), refusal, &reason),
    }
}

/// Returns the answer of a node whose inputs cannot be read.
fn unread(
    db: &Database,
    node: &Str,
    basis: Result<Basis, Arc<str>>,
    refusal: Option<PatchRefusal>,
    reason: &str,
) -> RecordedAnswer {
    let dependencies = DependencySet::default();
    RecordedAnswer {
        answer: Arc::new(Answer { not_patched: refusal, ..Answer::unread(node, reason) }),
        basis,
        state: dependencies.state(db),
        dependencies,
        collected: Vec::new(),
        volatile_in: None,
        patchable: Err(PatchRefusal::FailedBefore),
        good: None,
    }
}

fn compile_request(
    db: &Database,
    (node, round): (&Str, Round),
    mut request: NodeRequest,
    basis: Basis,
    refusal: Option<PatchRefusal>,
    pool: &Pool,
) -> RecordedAnswer {
    let Basis { prepared, ready, .. } = &basis;
    if round != ALONE {
        request.collects_exported = true;
        request.exports = db.shared.exported.read().unwrap_or_else(PoisonError::into_inner).all(round);
    }
    let mut compiled = ready.site.compile(&request, Some(&ready.traces));
    let dependencies = DependencySet::from_dependencies(&compiled.dependencies());
    let digest = |name: &Str| (name.clone(), db.exports(round, name).digest(db));
    let collected = match round {
        ALONE => Vec::new(),
        _ => compiled.exchange.collects.iter().map(digest).collect(),
    };
    let result = match compiled.result {
        Ok(mut catalog) => {
            pool.share(&mut catalog);
            Ok(NodeCatalog::Compiled(Arc::new(catalog)))
        }
        Err(ended) => Err(AnswerFailure::Compiling(ended)),
    };
    let run = compiled.walks.iter().filter(|walk| walk.how != WalkKind::Replayed);
    let bodies_run: Vec<Str> = run.map(|walk| walk.name.clone()).collect();
    let answer = Arc::new(Answer {
        node: node.clone(),
        environment: Some(Str::from(prepared.without_facts().environment.name.as_str())),
        remarks: remarks(&basis),
        log: whole_log(prepared, compiled.log),
        result,
        how: if bodies_run.is_empty() { HowComputed::Walked } else { HowComputed::Compiled },
        bodies_run,
        not_patched: refusal,
        exchange: compiled.exchange,
        decrypted: compiled.decrypted,
        own_words: Arc::new(OwnWords::new(node, &request.node.facts)),
        findings: FindingsCell::default(),
        system: NodeSystem::from_facts(&request.node.facts, ready.site.language()),
        ready: Some(Arc::clone(&ready.value)),
    });
    let patchable = if compiled.is_volatile {
        Err(PatchRefusal::Volatile)
    } else {
        let mut walks = std::mem::take(&mut compiled.walks);
        pool.share_walks(&mut walks);
        let observed = std::mem::take(&mut compiled.observed);
        let lookups = pool.share_lookups(std::mem::take(&mut compiled.lookup_observations));
        let (dependencies, basis) = (dependencies.clone(), basis.clone());
        let bindings = compiled.binding_observations.take();
        LastAnswer::new(
            &answer,
            dependencies,
            basis,
            walks,
            compiled.spent_steps,
            Observed { observed, lookups, bindings },
        )
    };
    RecordedAnswer {
        answer,
        basis: Ok(basis),
        state: dependencies.state(db),
        dependencies,
        collected,
        volatile_in: compiled.is_volatile.then(|| revision(db)),
        patchable: patchable.map(Arc::new),
        good: None,
    }
}

/// Returns the log of a node: what choosing its environment logged comes first.
fn whole_log(prepared: &EvictableFacts, log: Vec<LogLine>) -> Vec<LogLine> {
    match prepared.without_facts().log.as_slice() {
        [] => log,
        choosing => choosing.iter().cloned().chain(log).collect(),
    }
}

/// Returns what finding the node and its environment had to say.
fn remarks(basis: &Basis) -> Vec<Remark> {
    let Basis { prepared, ready, .. } = basis;
    let of_node = &prepared.without_facts().remarks;
    ready.catalog_remarks().chain(&ready.own_remarks).chain(of_node).cloned().collect()
}

fn revision(db: &Database) -> u64 {
    database::Revision::get(db).number(db)
}

/// Returns the inputs of a node's request, as they are now.
pub(super) fn basis(db: &Database, node: &Str) -> Result<Basis, Arc<str>> {
    database::basis(db, Name::new(db, node.clone()))
}

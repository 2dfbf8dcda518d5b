//! The types that type aliases stand for, resolved once for all nodes.
//!
//! What an alias stands for depends on what each name in it means, and that on what a request has loaded before. So an
//! answer is kept with all names that were asked for it, and serves a request in which they mean the same. One that stands
//! in itself, by whatever ways, is worked out by each request: its parts have no meaning before it has one.

use std::sync::{Arc, PoisonError, RwLock};

use pantin_base::budget;
use pantin_syntax::ast::{Ast, NodeId};
use pantin_values::types::Type;
use pantin_values::{Digest, Digester, Str};
use rustc_hash::FxHashMap;

/// By name.
#[derive(Default)]
pub(super) struct AliasMemo(RwLock<FxHashMap<Str, Vec<Meaning>>>);

/// Of one name, the last of these are kept: it may mean different things in a file that is edited.
const MOST: usize = 8;

/// Each name that was asked for, in order, with what it meant.
type ResolvedNames = Vec<(Str, Option<Digest>)>;

#[derive(Clone)]
pub(super) struct Meaning {
    ast: Arc<Ast>,
    id: NodeId,
    pub(super) referenced_types: Arc<[(Str, Option<Digest>)]>,
    pub(super) resolved: Type,
    pub(super) digest: Digest,
}

impl Meaning {
    pub(super) fn new(ast: Arc<Ast>, id: NodeId, references: ResolvedNames, of: Type, digest: Digest) -> Meaning {
        Meaning { ast, id, referenced_types: references.into(), resolved: of, digest }
    }

    fn is_of(&self, ast: &Arc<Ast>, id: NodeId) -> bool {
        Arc::ptr_eq(&self.ast, ast) && self.id == id
    }
}

impl AliasMemo {
    /// Returns what the definition has meant.
    pub(super) fn meanings(&self, name: &Str, ast: &Arc<Ast>, id: NodeId) -> Vec<Meaning> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(name).into_iter().flatten().filter(|known| known.is_of(ast, id)).cloned().collect()
    }

    /// Keeps an answer, and gives it; where another thread has been quicker, that one's: what is shared has one identity.
    pub(super) fn keep(&self, name: &Str, new: Meaning) -> Type {
        // What ran out of steps is worth nothing.
        if budget::is_over() {
            return new.resolved;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let meanings = known.entry(name.clone()).or_default();
        let is_same = |known: &&Meaning| known.is_of(&new.ast, new.id) && known.digest == new.digest;
        if let Some(theirs) = meanings.iter().find(is_same) {
            return theirs.resolved.clone();
        }
        if meanings.len() == MOST {
            meanings.remove(0);
        }
        let of = new.resolved.clone();
        meanings.push(new);
        of
    }
}

/// A definition of a type while it is worked out.
#[derive(Debug)]
pub(super) struct OpenDefinition {
    pub(super) key: Str,
    /// Of the definition, and of all that it depends on.
    digester: Digester,
    references: ResolvedNames,
    /// It depends on something that this request alone has worked out.
    pub(super) is_own: bool,
}

impl OpenDefinition {
    pub(super) fn new(key: &Str, digester: Digester) -> OpenDefinition {
        OpenDefinition { key: key.clone(), digester, references: Vec::new(), is_own: false }
    }

    /// What a name in it means.
    pub(super) fn note(&mut self, name: &Str, digest: Option<Digest>) {
        match digest {
            Some(digest) => self.digester.digest(digest),
            // It would be another definition if there was one.
            None => self.digester.text(name),
        };
        if !self.references.iter().any(|(known, _)| known == name) {
            self.references.push((name.clone(), digest));
        }
    }

    /// Returns the digest of the definition with all that it depends on; and what was asked for it, where that is all.
    pub(super) fn finish(self) -> (Digest, Option<ResolvedNames>) {
        (self.digester.finish(), (!self.is_own).then_some(self.references))
    }
}

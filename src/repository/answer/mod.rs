//! The answer of a node: a head that every command reads, and a catalog that is read only where it is shown or compared.
//!
//! Knows nothing of where an answer is stored, nor how it is shown.

mod failure;
mod head;
mod relocate;
mod stored_catalog;

use std::borrow::Cow;

use pantin_base::hex::uuid as uuid_text;
use pantin_model::catalog::{Catalog, CatalogFragments, CatalogView, MalformedCatalog, Sent};
use pantin_values::Str;
use pantin_world::nanoseconds_since_1970;

use crate::catalog_check::CatalogFindings;
use crate::fleet::Reason;

pub use failure::{EVALUATION_ERROR, FailureCall, FailureDetail, FailureReport, FailureSource, failure_code};
pub(crate) use head::StoredHead;
pub use head::{Head, Outcome};
pub(crate) use relocate::{Attacher, Detacher};
pub(crate) use stored_catalog::StoredCatalog;

/// What came of one node.
#[derive(Debug)]
pub struct Answer {
    pub name: Str,
    pub head: Head,
    /// `None`: the node has none, or nobody wanted it.
    pub catalog: Option<AnsweredCatalog>,
    /// How long it took to compile, or to find.
    pub seconds: f64,
    /// How long it took beside that to make the catalog static.
    pub static_seconds: Option<f64>,
    /// It was found in the store.
    pub is_stored: bool,
    /// Why it was compiled and is not stored, where that was asked for.
    pub reasons: Vec<Reason>,
    pub(crate) dependencies: AnswerDependencies,
}

/// What an answer depends on.
#[derive(Debug)]
pub(crate) enum AnswerDependencies {
    Compiled {
        reads: Vec<pantin_world::Dependencies>,
        /// The hashes of the keys of data that it looked up.
        keys: Vec<pantin_hiera::KeyHash>,
        /// The facts, and what else is known of its node, that it read.
        node_reads: pantin_world::NodeReads,
        /// Programs may have been run for it, and nobody knows what these have read.
        ran_programs: bool,
    },
    Stored(Box<crate::persist::StoredHit>),
}

/// A catalog, with the name that it keeps however often it is shown.
#[derive(Debug)]
pub struct AnsweredCatalog {
    pub uuid: String,
    content: CatalogContent,
}

/// A catalog that was just compiled, or one that was found.
#[derive(Debug)]
enum CatalogContent {
    Compiled(Box<Catalog>),
    Stored(Box<CatalogFragments>),
}

impl Answer {
    /// Returns true if there is a catalog.
    pub fn has_catalog(&self) -> bool {
        matches!(self.head.outcome, Outcome::Catalog { .. })
    }

    /// Returns why there is no catalog.
    pub fn failure(&self) -> Option<&FailureReport> {
        match &self.head.outcome {
            Outcome::Failure(failure) => Some(failure),
            Outcome::Catalog { .. } => None,
        }
    }

    /// Returns what keeps an agent from applying the catalog.
    pub fn findings(&self) -> Option<&CatalogFindings> {
        match &self.head.outcome {
            Outcome::Catalog { findings, .. } => Some(findings),
            Outcome::Failure(_) => None,
        }
    }

    /// Returns true if both are one stored answer, so that nothing differs between them but lines.
    pub(crate) fn is_same_stored(&self, other: &Answer) -> bool {
        match (&self.dependencies, &other.dependencies) {
            (AnswerDependencies::Stored(one), AnswerDependencies::Stored(other)) => one.is_same(other),
            _ => false,
        }
    }

    /// Returns what is noted of it among the timings of a run.
    pub(crate) fn span_fields(&self) -> Vec<(&'static str, serde_json::Value)> {
        let resources = match &self.head.outcome {
            Outcome::Catalog { resources, .. } => Some(*resources),
            Outcome::Failure(_) => None,
        };
        let reasons: Vec<serde_json::Value> = self.reasons.iter().map(Reason::to_json).collect();
        vec![
            ("kept", self.is_stored.into()),
            ("ok", self.findings().is_some_and(|found| found.findings.is_empty()).into()),
            ("resources", resources.into()),
            ("anew", reasons.into()),
        ]
    }
}

impl AnsweredCatalog {
    pub(crate) fn compiled(catalog: Catalog, uuid: String) -> AnsweredCatalog {
        AnsweredCatalog { uuid, content: CatalogContent::Compiled(Box::new(catalog)) }
    }

    pub(crate) fn stored(fragments: CatalogFragments, uuid: String) -> AnsweredCatalog {
        AnsweredCatalog { uuid, content: CatalogContent::Stored(Box::new(fragments)) }
    }

    /// Returns the catalog as it goes over the wire, in one line.
    pub fn to_json(&self) -> serde_json::Result<String> {
        match &self.content {
            CatalogContent::Compiled(catalog) => Sent { catalog, uuid: &self.uuid }.to_json(),
            CatalogContent::Stored(fragments) => fragments.to_json(&self.uuid),
        }
    }

    /// Returns true if this is stored, and another catalog is stored alike but for its version. `false` may mean that
    /// nobody knows.
    pub(crate) fn is_stored_like(&self, other: &Catalog) -> bool {
        match &self.content {
            CatalogContent::Compiled(_) => false,
            CatalogContent::Stored(stored) => {
                CatalogFragments::from_catalog(other).is_ok_and(|other| stored.is_same_but_for_version(&other))
            }
        }
    }

    /// The catalog as its fragments, of which one may read what it needs alone.
    pub fn fragments(&self) -> serde_json::Result<Cow<'_, CatalogFragments>> {
        match &self.content {
            CatalogContent::Compiled(catalog) => CatalogFragments::from_catalog(catalog).map(Cow::Owned),
            CatalogContent::Stored(fragments) => Ok(Cow::Borrowed(fragments)),
        }
    }

    /// Returns the catalog in the form that it has.
    pub fn view(&self) -> CatalogView<'_> {
        match &self.content {
            CatalogContent::Compiled(catalog) => CatalogView::Data(catalog),
            CatalogContent::Stored(fragments) => CatalogView::Fragments(fragments),
        }
    }

    /// Returns the catalog as data.
    pub fn catalog(&self) -> Result<Cow<'_, Catalog>, MalformedCatalog> {
        self.view().read()
    }
}

/// Returns a name for this catalog alone, as a server gives one: it says nothing, and is never the same.
pub fn fresh_uuid(node: &str) -> String {
    let digest = blake3::hash(format!("{node} {}", nanoseconds_since_1970()).as_bytes());
    uuid_text(std::array::from_fn(|place| digest.as_bytes()[place]), 4)
}

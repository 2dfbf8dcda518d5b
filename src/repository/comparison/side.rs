//! One side of a comparison: a repository that compiles its nodes, or catalogs that were saved.

use std::sync::Arc;

use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::{Catalog, CatalogView};
use pantin_values::Str;
use rustc_hash::FxHashSet;

use super::saved::SavedCatalogs;
use crate::answer::{Answer, AnsweredCatalog};
use crate::catalog_check::Checks;
use crate::fleet::NodeReport;
use crate::node_compiler::NodeToPrepare;
use crate::node_selection::NoneMatch;
use crate::{AnswerError, AnswerNeeds, Repository};

/// One side: where answers come from, and of which nodes.
pub struct Side {
    source: Source,
    names: Vec<Str>,
    has: FxHashSet<Str>,
}

enum Source {
    Repository(Box<Repository>),
    Saved(SavedCatalogs),
}

/// A node, as far as it is known before it is compiled. `None`: this side does not have it.
pub(super) enum PreparedSide {
    Missing,
    Classified(NodeToPrepare),
    Saved(Str),
}

/// What a side says of a node.
pub(super) struct SideAnswer {
    pub(super) report: NodeReport,
    pub(super) answer: Option<Answer>,
    /// The catalog that somebody has saved.
    pub(super) saved: Option<Arc<Catalog>>,
    /// `None`: it was not asked of a repository.
    pub(super) is_stored: Option<bool>,
    /// Whoever saved the catalog has left out what is secret.
    pub(super) lacks_secrets: bool,
    /// The same of what contains what.
    pub(super) lacks_edges: bool,
}

/// The catalog of a node.
pub(super) enum SideCatalog {
    Answered(AnsweredCatalog),
    Saved(Arc<Catalog>),
}

impl SideCatalog {
    pub(super) fn view(&self) -> CatalogView<'_> {
        match self {
            SideCatalog::Answered(catalog) => catalog.view(),
            SideCatalog::Saved(catalog) => CatalogView::Data(catalog),
        }
    }
}

impl Side {
    /// A repository that is open. No nodes are meant yet.
    pub fn from_repository(repository: Repository) -> Side {
        Side::new(Source::Repository(Box::new(repository)))
    }

    pub fn from_saved(saved: SavedCatalogs) -> Side {
        Side::new(Source::Saved(saved))
    }

    fn new(source: Source) -> Side {
        Side { source, names: Vec::new(), has: FxHashSet::default() }
    }

    /// Chooses the nodes that fit these names and patterns; all that it has, where there are none of these.
    pub fn select(&mut self, patterns: &[String]) -> Result<(), NoneMatch> {
        self.names = match &self.source {
            Source::Repository(repository) => repository.node_names(patterns),
            Source::Saved(saved) => saved.select(patterns),
        }?;
        self.has = self.names.iter().cloned().collect();
        Ok(())
    }

    /// Returns true if nothing says what the facts of any node are.
    pub fn has_no_facts(&self) -> bool {
        self.repository().is_some_and(|repository| repository.compiler.sources.have_no_facts())
    }

    /// Returns the nodes that were chosen.
    pub fn names(&self) -> &[Str] {
        &self.names
    }

    pub fn repository(&self) -> Option<&Repository> {
        match &self.source {
            Source::Repository(repository) => Some(repository),
            Source::Saved(_) => None,
        }
    }

    pub fn repository_mut(&mut self) -> Option<&mut Repository> {
        match &mut self.source {
            Source::Repository(repository) => Some(repository),
            Source::Saved(_) => None,
        }
    }

    pub fn into_repository(self) -> Option<Repository> {
        match self.source {
            Source::Repository(repository) => Some(*repository),
            Source::Saved(_) => None,
        }
    }

    pub(super) fn prepare(&self, names: &[Str]) -> Vec<PreparedSide> {
        let there: Vec<Str> = names.iter().filter(|name| self.has.contains(*name)).cloned().collect();
        let mut prepared: Vec<PreparedSide> = match &self.source {
            Source::Repository(repository) => {
                repository.classify(&there).into_iter().map(PreparedSide::Classified).collect()
            }
            Source::Saved(_) => there.into_iter().map(PreparedSide::Saved).collect(),
        };
        prepared.reverse();
        let of =
            |name: &Str| self.has.contains(name).then(|| prepared.pop()).flatten().unwrap_or(PreparedSide::Missing);
        names.iter().map(of).collect()
    }

    /// `None`: it does not have the node.
    pub(super) fn answer(&self, prepared: &PreparedSide) -> Option<SideAnswer> {
        match (&self.source, prepared) {
            (Source::Repository(repository), PreparedSide::Classified(node)) => {
                Some(SideAnswer::compiled(repository, node, AnswerNeeds::default()))
            }
            (Source::Saved(saved), PreparedSide::Saved(name)) => saved.answer(name),
            _ => None,
        }
    }

    /// Returns the catalog of an answer that has one, taken out: read from the store, where it is not at hand. Or why
    /// it cannot be had.
    pub(super) fn catalog(&self, prepared: &PreparedSide, answer: &mut SideAnswer) -> Result<SideCatalog, String> {
        if let Some(saved) = &answer.saved {
            return Ok(SideCatalog::Saved(Arc::clone(saved)));
        }
        let (Source::Repository(repository), PreparedSide::Classified(node)) = (&self.source, prepared) else {
            return Err("no side has it".to_owned());
        };
        let known = answer.answer.as_mut().and_then(|answer| answer.catalog.take());
        if let Some(catalog) = known.or_else(|| repository.stored_catalog(answer.answer.as_ref()?)) {
            return Ok(SideCatalog::Answered(catalog));
        }
        let needs = AnswerNeeds { catalog: true, ..AnswerNeeds::default() };
        let compiled = repository.answer_classified(node, repository.exports.as_ref(), needs);
        let catalog = compiled.map_err(|error| error.to_string())?.catalog;
        catalog.map(SideCatalog::Answered).ok_or_else(|| "a file has changed meanwhile".to_owned())
    }
}

impl SideAnswer {
    fn compiled(repository: &Repository, node: &NodeToPrepare, needs: AnswerNeeds) -> SideAnswer {
        match repository.answer_classified(node, repository.exports.as_ref(), needs) {
            Ok(answer) => SideAnswer {
                report: NodeReport::from_answer(
                    &answer,
                    Checks { graph: true, resources: repository.checks_resources },
                ),
                is_stored: Some(answer.is_stored),
                answer: Some(answer),
                saved: None,
                lacks_secrets: false,
                lacks_edges: false,
            },
            Err(error) => SideAnswer {
                report: NodeReport {
                    is_unknown: matches!(error, AnswerError::Internal(_)),
                    ..NodeReport::without_answer(&node.name, &error.to_string())
                },
                answer: None,
                saved: None,
                is_stored: Some(false),
                lacks_secrets: false,
                lacks_edges: false,
            },
        }
    }

    /// The same stored answer: nothing differs.
    pub(super) fn is_same_stored(&self, other: &SideAnswer) -> bool {
        match (&self.answer, &other.answer) {
            (Some(one), Some(other)) => one.is_same_stored(other),
            _ => false,
        }
    }

    /// Returns what eyaml decrypted for it.
    pub(super) fn decrypted(&self) -> DecryptedTexts {
        self.answer.as_ref().map(|answer| answer.head.decrypted.clone()).unwrap_or_default()
    }

    /// Returns the module files that the catalog names.
    pub(super) fn served_sources(&self) -> &[Str] {
        self.answer.as_ref().map_or(&[], |answer| &answer.head.served_sources)
    }
}

impl std::fmt::Debug for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Side").field("nodes", &self.names.len()).finish_non_exhaustive()
    }
}

//! A stored catalog: its fragments, with the names of files apart, so that it can be relocated.

use pantin_model::catalog::{CatalogFragments, FragmentPlace};
use serde::{Deserialize, Serialize};

use super::AnsweredCatalog;
use super::relocate::{Attacher, Detacher, RelocatablePath, has_place};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredCatalog {
    uuid: String,
    fragments: CatalogFragments,
    files: Vec<RelocatablePath>,
}

impl StoredCatalog {
    pub(crate) fn detach(mut fragments: CatalogFragments, uuid: &str, detacher: &mut Detacher<'_>) -> StoredCatalog {
        fragments.texts().for_each(|text| detacher.plain(text));
        let files = std::mem::take(&mut fragments.files);
        let files = files.iter().map(|file| detacher.path(file)).collect();
        StoredCatalog { uuid: uuid.to_owned(), fragments, files }
    }

    /// `None`: it names a line that nobody can find any more.
    pub(crate) fn attach(self, attacher: &Attacher<'_>) -> Option<AnsweredCatalog> {
        let StoredCatalog { uuid, mut fragments, files } = self;
        fragments.files = files.iter().map(|file| attacher.path(file)).collect();
        for resource in &mut fragments.resources {
            if let Some(FragmentPlace { file, line }) = &mut resource.place {
                *line = attacher.line(fragments.files.get(*file as usize)?, *line)?;
            }
        }
        // A value may have got hold of the place that a message gives.
        let is_right = attacher.moves_no_lines() || !fragments.texts().any(has_place);
        is_right.then(|| AnsweredCatalog::stored(fragments, uuid))
    }

    /// Returns how many bytes it takes, about.
    pub(crate) fn size(&self) -> usize {
        self.fragments.size()
    }
}

//! The nodes of a tree by their numbers, in pages: a snapshot of the tree shares those that have not changed since.

use std::sync::Arc;

/// The number of a node.
pub(super) type Index = u32;

/// So many nodes have a page. A tree of thousands grows while others walk it: only the page that changes is copied.
const PAGE: usize = 32;

#[derive(Clone, Debug)]
pub(super) struct Nodes<N> {
    pages: Vec<Arc<Vec<N>>>,
}

impl<N> Default for Nodes<N> {
    fn default() -> Nodes<N> {
        Nodes { pages: Vec::new() }
    }
}

impl<N: Clone> Nodes<N> {
    pub(super) fn len(&self) -> usize {
        self.pages.last().map_or(0, |last| (self.pages.len() - 1) * PAGE + last.len())
    }

    pub(super) fn get(&self, index: Index) -> Option<&N> {
        self.pages.get(index as usize / PAGE)?.get(index as usize % PAGE)
    }

    pub(super) fn get_mut(&mut self, index: Index) -> Option<&mut N> {
        Arc::make_mut(self.pages.get_mut(index as usize / PAGE)?).get_mut(index as usize % PAGE)
    }

    /// With `more` to come: most trees are small, and need no more room than that.
    pub(super) fn push(&mut self, node: N, more: usize) -> Index {
        let index = self.len();
        if index.is_multiple_of(PAGE) {
            self.pages.push(Arc::default());
        }
        if let Some(page) = self.pages.last_mut() {
            let page = Arc::make_mut(page);
            if page.len() == page.capacity() {
                page.reserve_exact((more + 1).min(PAGE - page.len()));
            }
            page.push(node);
        }
        index as Index
    }
}

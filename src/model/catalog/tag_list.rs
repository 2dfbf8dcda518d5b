//! The tags of a resource in a catalog. Most are inherited from its container, and shared with it.

use std::fmt;
use std::sync::Arc;

use pantin_values::Str;

#[derive(Clone, Default)]
pub struct TagList {
    /// Before the others.
    own: Box<[Str]>,
    inherited: Arc<[Str]>,
}

impl TagList {
    pub fn new(own: Box<[Str]>, inherited: Arc<[Str]>) -> TagList {
        TagList { own, inherited }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.own.len() + self.inherited.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &Str> + Clone {
        self.own.iter().chain(&*self.inherited)
    }

    /// Returns all of them, where others may share that.
    pub fn as_shared(&self) -> Option<&Arc<[Str]>> {
        self.own.is_empty().then_some(&self.inherited)
    }
}

impl From<Arc<[Str]>> for TagList {
    fn from(tags: Arc<[Str]>) -> TagList {
        TagList { own: Box::default(), inherited: tags }
    }
}

impl From<Vec<Str>> for TagList {
    fn from(tags: Vec<Str>) -> TagList {
        TagList::from(Arc::from(tags))
    }
}

impl PartialEq for TagList {
    fn eq(&self, other: &TagList) -> bool {
        (Arc::ptr_eq(&self.inherited, &other.inherited) && self.own == other.own) || self.iter().eq(other.iter())
    }
}

impl fmt::Debug for TagList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

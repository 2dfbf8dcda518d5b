//! Equal resources as one: most resources of a fleet are the same on many nodes, and from one answer of a node to the next.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustc_hash::FxHashMap;

use crate::catalog::{Catalog, Resource};
use crate::pcore::{Digest, Digester};

#[derive(Default)]
pub(super) struct Pool {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    resources: FxHashMap<Digest, Weak<Resource>>,
    /// So many there were when those that nobody has any more were last taken out.
    swept_at: usize,
}

/// No sweep before there are so many.
const FEW: usize = 10_000;

impl Pool {
    /// Takes what others have for what is equal to it.
    pub(super) fn share(&self, catalog: &mut Catalog) {
        let digests: Vec<Digest> = catalog.resources.iter().map(|resource| digest(resource)).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (resource, digest) in catalog.resources.iter_mut().zip(digests) {
            known.share(resource, digest);
        }
        known.sweep();
    }

    /// What others have for what is equal to it, or else itself.
    pub(super) fn shared(&self, resource: Resource) -> Arc<Resource> {
        let digest = digest(&resource);
        let mut resource = Arc::new(resource);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.share(&mut resource, digest);
        resource
    }
}

impl Known {
    fn share(&mut self, resource: &mut Arc<Resource>, digest: Digest) {
        match self.resources.get(&digest).and_then(Weak::upgrade) {
            Some(same) => *resource = same,
            None => drop(self.resources.insert(digest, Arc::downgrade(resource))),
        }
    }

    fn sweep(&mut self) {
        if self.resources.len() > FEW.max(self.swept_at * 2) {
            self.resources.retain(|_, resource| resource.strong_count() > 0);
            self.swept_at = self.resources.len();
        }
    }
}

/// Of everything that is sent of a resource.
fn digest(resource: &Resource) -> Digest {
    let mut digester = Digester::new(b"resource");
    digester.text(&resource.type_name).text(&resource.title).number(resource.kind as u64);
    digester.number(u64::from(resource.exported) | u64::from(resource.says_exported_late) << 1);
    digester.number(resource.tags.len() as u64);
    for tag in &*resource.tags {
        digester.text(tag);
    }
    if let Some(place) = &resource.place {
        digester.text(&place.file).number(place.line.into());
    }
    digester.number(resource.parameters.len() as u64);
    for (name, value) in &resource.parameters {
        digester.text(name).value(value);
    }
    for name in &resource.sensitive {
        digester.text(name);
    }
    digester.finish()
}

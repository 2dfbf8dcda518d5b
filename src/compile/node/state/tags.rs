//! Tags of the catalog and of its resources. A patch never changes them, so they are not recorded.
//! It must not know which code asks for them.

use pantin_model::catalog::Tags;
use pantin_model::trace::At;
use pantin_values::{Fault, Str};

use super::declared::PreparedResource;
use super::overrides::located;
use super::resource::{Param, ResourceId};
use super::{CatalogState, ScopeId};

impl CatalogState<'_> {
    /// Each of these is a tag of the catalog, or of the resource whose code stands in a scope.
    pub(in crate::node) fn has_tags(&self, scope: ScopeId, tags: &[Str]) -> bool {
        let resource = self.scopes.get(scope).resource;
        tags.iter()
            .all(|tag| self.tags.contains(tag, &self.tag_names) || self.is_tagged(resource, std::slice::from_ref(tag)))
    }

    /// Returns true if any of these is a tag of a resource, or of what contains it.
    pub(in crate::node) fn is_tagged(&self, id: ResourceId, tags: &[Str]) -> bool {
        let mut id = id;
        let tags = self.tag_names.all_known(tags);
        loop {
            if tags.is_empty() || self.resource(id).tags.has_any(&tags) {
                return !tags.is_empty();
            }
            let container = self.scopes.get(self.resource(id).scope).resource;
            if container == id {
                return false;
            }
            id = container;
        }
    }

    /// Returns the tags of the catalog while classes are evaluated: those of the node's classifier first.
    pub(in crate::node) fn catalog_tags(&self) -> Vec<Str> {
        let mut tags = Tags::default();
        for class in self.classes.iter().take_while(|class| *class != "settings") {
            tags.add_if_valid(class, &self.tag_names);
        }
        tags.merge(&self.tags);
        tags.to_vec(&self.tag_names)
    }

    /// Adds a class, or a node block, to the list of classes and to the tags of the catalog. What is no tag fails after that.
    pub(in crate::node) fn add_class(&mut self, name: &Str) -> Result<(), Fault> {
        self.classes.push(name.clone());
        self.tags.add(name, &self.tag_names)
    }

    /// Adds a class that the node's classifier names. What is no tag is not added.
    pub(super) fn add_classified(&mut self, name: &Str) -> Result<(), Fault> {
        self.tags.add(name, &self.tag_names)?;
        self.classes.push(name.clone());
        Ok(())
    }

    /// The tags of a class are tags of the catalog.
    pub(in crate::node) fn add_tags_of(&mut self, class: &PreparedResource) {
        self.tags.merge(&class.0.tags);
    }

    /// Adds tags to the resource whose code stands in a scope. What is no tag is blamed on where it was declared; on the call,
    /// where nobody declared it (a class that was included, the top).
    pub(in crate::node) fn tag(&mut self, scope: ScopeId, tags: &[Str]) -> Result<(), Fault> {
        let id = self.scopes.get(scope).resource;
        self.observations.data().tags_late();
        let resource = &mut self.resources[id.index()];
        let added = tags.iter().try_for_each(|tag| resource.tags.add(tag, &self.tag_names));
        added.map_err(|fault| match &resource.at {
            Some(at) => located(fault.message, Some(at)),
            None => fault,
        })
    }

    /// Fails if a parameter `tag` has a value that is no tag.
    pub(in crate::node) fn check_tags(&self, params: &[std::rc::Rc<Param>], at: &At) -> Result<(), Fault> {
        for param in params.iter().filter(|param| param.name == "tag") {
            let checked = Tags::default().add_values(&param.value.borrow(), &self.tag_names);
            checked.map_err(|fault| located(fault.message, Some(at)))?;
        }
        Ok(())
    }

    /// A resource has the tags of what contains it, from when it is evaluated or finished.
    pub(in crate::node) fn take_scope_tags(&mut self, id: ResourceId) {
        if self.resource(id).has_scope_tags {
            return;
        }
        let container = self.scopes.get(self.resource(id).scope).resource;
        self.resource_mut(id).has_scope_tags = true;
        if container != id {
            self.share_tags(container, id);
        }
    }

    /// What a container is tagged with, what it contains is too.
    pub(super) fn share_tags(&mut self, container: ResourceId, content: ResourceId) {
        // They only ever become more.
        let of_container = Some((container, self.resource(container).tags.len()));
        if self.resource(content).tagged_by == of_container {
            return;
        }
        let mut tags = std::mem::take(&mut self.resource_mut(content).tags);
        // Of what contains itself nothing is new.
        tags.merge(&self.resource(container).tags);
        let resource = self.resource_mut(content);
        (resource.tags, resource.tagged_by) = (tags, of_container);
    }
}

//! Resources that another one makes just before its turn: what lies in a folder.

use std::sync::Arc;

use pantin_model::graph::MadeVertex;
use pantin_values::Str;
use rustc_hash::FxHashMap;

use super::generate::{beside, generated_resource};
use super::prepare::prepare_resource;
use super::{Node, NodeKind, PreparedResource, Transaction};
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::Generated;
use crate::report::Status;
use crate::resource::{Metaparameters, ResourceInfo};

impl Transaction<'_> {
    /// Lets a resource make what lies inside it, and puts that behind it. That this fails is no failure of the resource.
    pub(super) fn make_children(&mut self, number: u32) {
        let made = self.with_managed(number, |managed, context| managed.children(context));
        let added = match made {
            None => return,
            Some(Ok(made)) if made.is_empty() => return,
            Some(Ok(made)) => self.add_children(number, made),
            Some(Err(failure)) => Err(failure),
        };
        if let Err(failure) = added {
            self.has_failed_to_generate = true;
            let text = format!("Failed to generate additional resources using 'eval_generate': {failure}");
            self.say(number, Level::Err, failure.log_text(Some(&text)));
        }
    }

    fn add_children(&mut self, maker: u32, made: Vec<Generated>) -> Result<(), Failure> {
        let maker_info = Arc::clone(&self.node(maker).info);
        let mut children: Vec<Child> = Vec::with_capacity(made.len());
        for generated in made {
            children.push(match self.catalog.number(generated.type_name, &generated.title) {
                Some(known) => Child::Known(known),
                None => Child::New(Box::new(self.prepare_child(generated, &maker_info)?)),
            });
        }
        let parents = self.parents_among(&children);
        let vertices: Vec<(MadeVertex, Option<usize>)> = children
            .iter()
            .zip(parents)
            .map(|(child, parent)| match child {
                Child::Known(resource) => (MadeVertex::Known(self.vertices[*resource as usize]), parent),
                Child::New(_) => (MadeVertex::New, parent),
            })
            .collect();
        let (numbers, end) = self.walk.add_children(maker, &vertices);
        for (child, number) in children.into_iter().zip(numbers) {
            if let Child::New(prepared) = child {
                self.children.entry(maker).or_default().push(number);
                self.makers.insert(number, maker);
                self.add_child(*prepared, number);
            }
        }
        debug_assert_eq!(end as usize, self.nodes.len());
        let name = maker_info.title.to_string();
        let info = ResourceInfo {
            type_name: Str::from("Whit"),
            title: maker_info.title.clone(),
            reference: name.clone(),
            path: name,
            metaparameters: Metaparameters::default(),
            place: None,
            ..(*maker_info).clone()
        };
        self.nodes.push(self.new_node(Arc::new(info), NodeKind::Anchor { container: None, is_end: true }));
        Ok(())
    }

    fn prepare_child(&self, made: Generated, maker: &ResourceInfo) -> Result<PreparedResource, Failure> {
        let mut resource = generated_resource(&made, maker);
        if made.managed.is_none() {
            let mut parameters = made.parameters;
            for (name, value) in &maker.metaparameters.inherited {
                if !parameters.iter().any(|(known, _)| known == name) {
                    parameters.push((name.clone(), value.clone()));
                }
            }
            resource.parameters = parameters.into();
            return prepare_resource(&resource, beside(maker, &resource.reference()), self.around);
        }
        let reference = resource.reference();
        let containment = beside(maker, &reference);
        let info = ResourceInfo {
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            path: format!("/{}", containment.join("/")),
            reference,
            containment,
            place: None,
            tags: resource.tags.iter().cloned().collect(),
            provider: maker.provider.clone(),
            metaparameters: maker.metaparameters.clone(),
        };
        Ok(PreparedResource::new(info, made.managed, None))
    }

    /// Of each child the place of the nearest one of them that it lies in.
    fn parents_among(&self, children: &[Child]) -> Vec<Option<usize>> {
        let name = |child: &Child| match child {
            Child::Known(resource) => {
                let managed = self.managed.get(*resource as usize)?.as_ref()?;
                managed.name().map(str::to_owned)
            }
            Child::New(prepared) => prepared.managed.as_ref()?.name().map(str::to_owned),
        };
        let ancestors = |child: &Child| match child {
            Child::Known(resource) => {
                let managed = self.managed.get(*resource as usize).and_then(Option::as_ref);
                managed.map(|managed| managed.ancestors()).unwrap_or_default()
            }
            Child::New(prepared) => prepared.managed.as_ref().map(|managed| managed.ancestors()).unwrap_or_default(),
        };
        let places: FxHashMap<String, usize> =
            children.iter().enumerate().filter_map(|(place, child)| Some((name(child)?, place))).collect();
        let nearest = |(place, child): (usize, &Child)| {
            ancestors(child).iter().find_map(|above| places.get(above).copied().filter(|parent| *parent != place))
        };
        children.iter().enumerate().map(nearest).collect()
    }

    fn add_child(&mut self, prepared: PreparedResource, number: u32) {
        let PreparedResource { info, values, managed, lack, .. } = prepared;
        let name = managed.as_ref().and_then(|managed| managed.name());
        let resource = self.catalog.add_made(Arc::clone(&info), values, name);
        self.managed.push(managed);
        self.vertices.push(number);
        lack.and_then(|lack| self.lacks.insert(resource, lack));
        debug_assert_eq!(number as usize, self.nodes.len());
        self.nodes.push(self.new_node(info, NodeKind::Resource(resource)));
    }

    pub(super) fn new_node(&self, info: Arc<ResourceInfo>, kind: NodeKind) -> Node {
        let status = Status::new(self.now());
        Node {
            info,
            kind,
            status,
            queue: Vec::new(),
            failed_dependencies: Vec::new(),
            seen_changes: 0,
            was_told: false,
            owed_since: None,
        }
    }
}

/// What a resource made inside it.
enum Child {
    /// The catalog has it already: the number of the resource.
    Known(u32),
    New(Box<PreparedResource>),
}
